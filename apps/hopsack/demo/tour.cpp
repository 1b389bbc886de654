#include "tour.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <string>

#include <fmt/format.h>

#include <hop/base/clock.hpp>
#include <hop/version.hpp>

#include "screen.hpp"
#include "text.hpp"

namespace hopsack::demo {
namespace {

constexpr std::size_t indent = 2;

struct finished {
  step what;
  outcome out;
};

outcome answer_of(const step& one, stage& s) {
  try {
    return one.run(s);
  } catch (const std::exception& e) {  // no memory, no thread: the other steps may still have something to show
    return {false, "failed", {fmt::format("it ended with: {}", e.what())}};
  }
}

outcome run_step(const step& one, std::size_t number, stage& s) {
  notebook& notes = s.notes();
  const hop::instant began = hop::base::clock::now();
  notes.events.emit(hop::obs::event_kind::step_begin, number);
  outcome out = answer_of(one, s);
  notes.events.emit(hop::obs::event_kind::step_end, number, out.right ? 1 : 0);
  notes.durations.record(static_cast<std::uint64_t>((hop::base::clock::now() - began).count()));
  return out;
}

void show(screen& view, const outcome& out) {
  for (const std::string& text : out.lines) {
    for (const std::string& part : wrapped(text, screen::columns - indent)) {
      view.line(fmt::format("{:{}}{}", "", indent, part));
    }
  }
  if (!out.right) view.line(fmt::format("{:{}}{}", "", indent, view.coloured("That is wrong.", false)));
}

void table(screen& view, const std::vector<finished>& all) {
  constexpr std::string_view row = "{:<9}{:<34}{:<28}{}";
  view.line(fmt::format(row, "step", "what", "figure", "verdict"));
  view.line(std::string(screen::columns - 1, '-'));
  for (const finished& f : all) {
    view.line(fmt::format(row, f.what.name, f.what.what, f.out.figure,
                          view.coloured(f.out.right ? "right" : "WRONG", f.out.right)));
  }
}

}  // namespace

void stage::progress(std::size_t done, std::size_t of, std::string_view what) {
  const std::size_t percent = of == 0 ? 100 : done * 100 / of;
  screen_.progress(fmt::format("{:{}}{:>3} %  {} of {} {}", "", indent, percent, grouped(done), grouped(of), what));
}

int run_tour(const std::vector<step>& steps, bool quick) {
  const hop::instant began = hop::base::clock::now();
  screen view;
  notebook notes;
  notes.events.enable(true);
  stage s(view, notes, quick);
  std::vector<finished> all;
  view.line(fmt::format("hopsack {}: a tour in {} step{}; Ctrl-C ends it.\n", HOP_VERSION_STRING, steps.size(),
                        steps.size() == 1 ? "" : "s"));
  for (const step& one : steps) {
    view.line(fmt::format("[{}/{}] {}: {}", all.size() + 1, steps.size(), one.name, one.what));
    outcome out = run_step(one, all.size() + 1, s);
    show(view, out);
    view.line();
    all.push_back({one, std::move(out)});
  }
  table(view, all);
  const auto wrong = std::count_if(all.begin(), all.end(), [](const finished& f) { return !f.out.right; });
  const double ns = static_cast<double>((hop::base::clock::now() - began).count());
  view.line(
      fmt::format("\n{} right, {} wrong, {}", all.size() - static_cast<std::size_t>(wrong), wrong, duration_text(ns)));
  return wrong == 0 ? 0 : 1;
}

}  // namespace hopsack::demo
