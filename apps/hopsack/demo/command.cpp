// hopsack demo [--quick] [--list] [step...]
#include "../command.hpp"

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "../nearest.hpp"
#include "step.hpp"
#include "tour.hpp"

namespace hopsack {
namespace {

struct demo_options {
  bool quick = false;
  bool list = false;
  std::vector<std::string> names;
};

demo::step step_named(const std::string& name) {
  std::vector<std::string> known;
  for (const demo::step& one : demo::all_steps()) {
    if (one.name == name) return one;
    known.emplace_back(one.name);
  }
  throw usage_error(fmt::format("hopsack demo: no step '{}'{}", name, nearest(name, known)));
}

int run_demo(const demo_options& options) {
  std::vector<demo::step> chosen;
  for (const std::string& name : options.names) chosen.push_back(step_named(name));
  if (chosen.empty()) chosen.assign(demo::all_steps().begin(), demo::all_steps().end());
  if (!options.list) return demo::run_tour(chosen, options.quick);
  for (const demo::step& one : chosen) fmt::print("{:<9}{}\n", one.name, one.what);
  return 0;
}

}  // namespace

void add_demo(CLI::App& program, int& status) {
  auto options = std::make_shared<demo_options>();
  CLI::App* demo = program.add_subcommand("demo", "A short tour of what is there; every answer is checked");
  demo->allow_extras();
  demo->add_flag("--quick", options->quick, "Smaller counts");
  demo->add_flag("--list", options->list, "Print the steps and exit");
  demo->add_option("step", options->names, "Only these steps, in this order");
  demo->footer("Exit status: 0 every answer was right, 1 one was not, 2 wrong usage.");
  demo->final_callback([options, &status] { status = run_demo(*options); });

  CLI::App* child = program.add_subcommand("overflow-a-stack", "The child process of `hopsack demo guard`");
  child->group("");
  child->final_callback([] { demo::overflow_in_this_process(); });
}

}  // namespace hopsack
