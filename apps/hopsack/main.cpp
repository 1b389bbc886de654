// hopsack: the program beside the library. Exit status: 0 all well, 1 a wrong answer, 2 wrong usage.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <hop/version.hpp>

#include "command.hpp"
#include "nearest.hpp"

namespace {

// Options by their long names, and the commands that are no secret.
std::vector<std::string> words_of(const CLI::App& app, bool options) {
  std::vector<std::string> words;
  if (options) {
    for (const CLI::Option* o : app.get_options()) {
      for (const std::string& name : o->get_lnames()) words.push_back("--" + name);
    }
  } else {
    for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
      if (!sub->get_group().empty()) words.push_back(sub->get_name());
    }
  }
  return words;
}

// What the parser could not place is named with the nearest word it knows.
void refuse_extras(const CLI::App& app, const std::string& called) {
  for (const std::string& word : app.remaining()) {
    const bool option = word.size() > 1 && word[0] == '-';
    const auto known = words_of(app, option || app.get_subcommands({}).empty());
    throw hopsack::usage_error(
        fmt::format("{}: no {} '{}'{}", called, option ? "option" : "command", word, hopsack::nearest(word, known)));
  }
  for (const CLI::App* sub : app.get_subcommands()) refuse_extras(*sub, called + " " + sub->get_name());
}

int run(int argc, char** argv) {
  CLI::App program{"Tasks, fibers, channels and I/O on the same workers.", "hopsack"};
  program.set_version_flag("--version", "hopsack " HOP_VERSION_STRING);
  program.set_help_flag("-h,--help", "Print this help and exit");
  program.allow_extras();
  int status = 0;
  hopsack::add_demo(program, status);
  program.parse_complete_callback([&program] { refuse_extras(program, "hopsack"); });
  program.footer("hopsack <command> --help says more.");
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    return program.exit(asked);
  } catch (const CLI::ParseError& wrong) {
    throw hopsack::usage_error(fmt::format("hopsack: {}", wrong.what()));
  }
  if (program.get_subcommands().empty()) fmt::print("{}", program.help());
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_DFL);  // `| head -1` ends us quietly, also where the caller ignores the signal
  int status = 2;
  try {
    status = run(argc, argv);
  } catch (const hopsack::usage_error& wrong) {
    fmt::print(stderr, "{}\n", wrong.what());
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    fmt::print(stderr, "hopsack: cannot write its output: {}\n", std::strerror(errno));
    return 1;
  }
  return status;
}
