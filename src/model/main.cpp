// hop_model: searches the pieces, plants their mutants, replays schedules.
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "model/piece.hpp"
#include "model/report_line.hpp"
#include "model/schedule_file.hpp"

namespace hop::model {
namespace {

const char* to_string(strategy s) {
  return s == strategy::exhaustive ? "exhaustive" : s == strategy::bounded ? "bounded" : "random";
}

struct settings {
  std::string only;
  bool mutants = false;
  bool list = false;
  bool show = false;
  std::string schedule;
  std::string save = ".";
  std::uint64_t seed = 1;
};

std::string first_line(const std::string& s) { return s.substr(0, s.find('\n')); }

void print_run(const run_outcome& o) {
  for (std::size_t i = 0; i < o.trace.size(); ++i) fmt::print("{:>5} {}\n", i + 1, o.trace[i]);
}

std::string in_a_file_name(std::string text) {
  for (char& c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return text;
}

// The failing run, line by line, and where it was saved.
void show_finding(const piece& p, const mutant* m, const search_report& r, const settings& s) {
  bool strayed = false;
  const run_outcome again = replay_piece(p, m, r.finding.choices, strayed);
  print_run(again);
  fmt::print("finding: {}\n", *r.finding.failure);
  if (strayed || again.failure != r.finding.failure)
    fmt::print("warning: the run did not repeat itself; something in the piece is not under the checker's control\n");
  std::filesystem::create_directories(s.save);
  const std::string path = s.save + "/" + p.name + (m != nullptr ? "." + in_a_file_name(m->name) : "") + ".schedule";
  std::string problem;
  if (write_schedule(path, {p.name, m != nullptr ? m->name : "", s.seed, r.finding.choices}, problem)) {
    fmt::print("replay:  ./dev model {} --schedule {}\n", p.name, path);
  } else {
    fmt::print("{}\n", problem);
  }
}

bool check_piece(const piece& p, const settings& s) {
  const search_report r = search_piece(p, nullptr, s.seed);
  const bool found = r.finding.failure.has_value();
  const bool wanted = !p.must_find.empty();
  const bool ok = wanted ? found && r.finding.failure->find(p.must_find) != std::string::npos : !found && r.complete;
  fmt::print("{:<6} {:<34} {:<10} {:>9} runs {:>8} cut {:>8.2f} s  {}\n", ok ? "ok" : "FAILED", p.name,
             to_string(p.how.how), r.runs, r.pruned, r.seconds, wanted ? "must find: " + p.must_find : p.claim);
  if (!r.complete) fmt::print("       not searched to the end within {} runs\n", p.how.most_runs);
  if (found && (s.show || !ok)) show_finding(p, nullptr, r, s);
  if (!ok && wanted && !found) fmt::print("       the known bug was not found\n");
  report_line(p.row, p.name + ": " + p.claim, ok, s.seed, r.seconds);
  return ok;
}

bool check_mutant(const piece& p, const mutant& m, const settings& s) {
  const search_report r = search_piece(p, &m, s.seed);
  const bool caught = r.finding.failure.has_value();
  const auto excuse =
      std::find_if(p.survivors.begin(), p.survivors.end(), [&](const harmless& h) { return h.mutant == m.name; });
  const bool excused = excuse != p.survivors.end();
  const bool ok = caught != excused;
  const std::string verdict = caught    ? (excused ? "CAUGHT, yet declared harmless" : "caught")
                              : excused ? "harmless"
                                        : "SURVIVED";
  const std::string detail = caught    ? first_line(*r.finding.failure)
                             : excused ? excuse->why
                                       : fmt::format("{} runs", r.runs);
  fmt::print("{:<24} {:<52} {:<10} {:>8.2f} s  {}\n", p.name, m.name, verdict, r.seconds, detail);
  if (caught && (s.show || !ok)) show_finding(p, &m, r, s);
  report_line(p.row, p.name + ": mutant " + (excused ? "harmless: " : "caught: ") + m.name, ok, s.seed, r.seconds);
  return ok;
}

// Names declared harmless that no mutant has: the code moved on, the reason did not.
bool check_excuses(const piece& p, const std::vector<mutant>& all) {
  bool ok = true;
  for (const harmless& h : p.survivors) {
    if (std::any_of(all.begin(), all.end(), [&](const mutant& m) { return m.name == h.mutant; })) continue;
    fmt::print("{:<24} declared harmless, but there is no such mutant: {}\n", p.name, h.mutant);
    ok = false;
  }
  return ok;
}

std::vector<const piece*> selected(const settings& s) {
  std::vector<const piece*> chosen;
  for (const piece& p : all_pieces()) {
    if (s.only.empty() || p.name == s.only) chosen.push_back(&p);
  }
  for (const piece& p : all_pieces()) {
    if (!s.only.empty() && (chosen.empty() || chosen.front()->name != s.only) && p.name.starts_with(s.only + "_"))
      chosen.push_back(&p);
  }
  std::sort(chosen.begin(), chosen.end(), [](const piece* a, const piece* b) { return a->name < b->name; });
  return chosen;
}

int replay(const settings& s) {
  schedule plan;
  std::string problem;
  if (!read_schedule(s.schedule, plan, problem)) return fmt::print(stderr, "hop_model: {}\n", problem), 2;
  const auto& all = all_pieces();
  const auto p = std::find_if(all.begin(), all.end(), [&](const piece& q) { return q.name == plan.piece; });
  if (p == all.end())
    return fmt::print(stderr, "hop_model: {}: no piece '{}'; see --list\n", s.schedule, plan.piece), 2;
  if (!s.only.empty() && s.only != plan.piece)
    return fmt::print(stderr, "hop_model: {} is a run of '{}', not of '{}'\n", s.schedule, plan.piece, s.only), 2;
  const mutant* planted = nullptr;
  std::vector<mutant> mutants;
  if (!plan.mutant.empty()) {
    mutants = mutants_of(*p, plan.seed);
    const auto m = std::find_if(mutants.begin(), mutants.end(), [&](const mutant& q) { return q.name == plan.mutant; });
    if (m == mutants.end()) return fmt::print(stderr, "hop_model: {}: no mutant '{}'\n", s.schedule, plan.mutant), 2;
    planted = &*m;
  }
  set_search_seed(plan.seed);
  bool strayed = false;
  const run_outcome o = replay_piece(*p, planted, plan.choices, strayed);
  print_run(o);
  if (strayed) return fmt::print(stderr, "hop_model: {} does not fit the program any more\n", s.schedule), 2;
  fmt::print("{}\n", o.failure ? "finding: " + *o.failure : "no finding in this run");
  return o.failure ? 1 : 0;
}

int run(const settings& s) {
  if (!s.schedule.empty()) return replay(s);
  const auto pieces = selected(s);
  if (pieces.empty()) return fmt::print(stderr, "hop_model: no piece '{}'; see --list\n", s.only), 2;
  std::size_t passed = 0, failed = 0;
  for (const piece* p : pieces) {
    if (s.list) {
      fmt::print("{:<34} {:<6} {:<10} {}\n", p->name, p->row, to_string(p->how.how), p->claim);
      continue;
    }
    if (!s.mutants) {
      ++(check_piece(*p, s) ? passed : failed);
    } else {
      const auto all = mutants_of(*p, s.seed);
      if (!check_excuses(*p, all)) ++failed;
      for (const mutant& m : all) ++(check_mutant(*p, m, s) ? passed : failed);
    }
    std::fflush(stdout);
  }
  if (!s.list) fmt::print("{}: {} passed, {} failed\n", s.mutants ? "mutants" : "pieces", passed, failed);
  return failed == 0 ? 0 : 1;
}

std::string default_save_directory() {
  const char* report = std::getenv("HOP_REPORT");
  return report != nullptr && *report != '\0' ? std::filesystem::path{report}.parent_path() / "model" : ".";
}

}  // namespace
}  // namespace hop::model

int main(int argc, char** argv) {
  hop::model::settings s;
  s.save = hop::model::default_save_directory();
  CLI::App app{
      "Runs product code against a model of memory, threads and the kernel: every order of steps that matters."};
  app.name("hop_model");
  app.add_option("piece", s.only, "only this piece; if none has the name, all whose name begins with it and _");
  app.add_flag("--mutants", s.mutants, "plant every declared defect and weakened order; each must be caught");
  app.add_flag("--show", s.show, "print and save the run behind every finding, the expected ones too");
  app.add_flag("--list", s.list, "a line for each piece: name, row, strategy, claim");
  app.add_option("--schedule", s.schedule, "replay a saved run, line by line");
  app.add_option("--save", s.save, "directory for the schedules of findings");
  app.add_option("--seed", s.seed, "first seed of random searches");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    const int code = app.exit(e);
    return code == 0 ? 0 : 2;
  }
  return hop::model::run(s);
}
