// A command of the program: how it is called and what it does. `hopsack demo` is one.
#pragma once

#include <stdexcept>
#include <string>

#include <CLI/CLI.hpp>

namespace hopsack {

// Wrong usage: the message names the word and what is allowed. Ends the program with status 2.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Each adds itself to the program. When it was called it leaves its exit status in `status`.
void add_demo(CLI::App& program, int& status);

}  // namespace hopsack
