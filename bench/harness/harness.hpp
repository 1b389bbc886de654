// What the benches share: arguments, repetition, checked answers, one JSON object a line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace bench {

struct options {
  std::size_t rounds = 1;  // every contestant is measured this often, in turn; the median counts
  std::size_t workers = 1;
  std::size_t count = 0;  // size of the problem; 0: the bench's own
  bool quick = false;     // a smoke test: small and imprecise
};

// --rounds N --workers N --count N --quick. Anything else ends the program with status 2 and names it.
[[nodiscard]] options parse(int argc, char** argv);

// Keeps a value, or everything in memory, from being optimised away.
template <class T>
inline void do_not_optimize(const T& value) {
  asm volatile("" : : "r,m"(value) : "memory");
}
inline void clobber() { asm volatile("" : : : "memory"); }

// A wrong answer is no result: says what and ends the program with status 1.
void require(bool right, const char* what);

// Runs body(n), which does the thing n times, with a growing n until one sample takes 50 ms (5 ms when quick), then
// takes the median of 5 samples (1 when quick). Nanoseconds for one.
[[nodiscard]] double ns_each(const options& o, const std::function<void(std::size_t)>& body);

// Seconds of body(): the median of 5 runs, or of as many as fit into a second; one when quick. For work that is long
// enough to be timed once; who needs a warm-up does it before.
[[nodiscard]] double seconds_each(const options& o, const std::function<void()>& body);

struct figure {
  std::string bench;
  std::string who;
  std::string variant;  // empty: none
  double value = 0;
  std::string unit;
  std::string better;  // lower or higher
  std::size_t workers = 1;
  std::size_t rounds = 1;
};
// The line of TARGETS:
// {"bench":...,"workers":...,"who":...,"value":...,"unit":...,"better":...,"rounds":...[,"variant":...]}
void print(const figure& f);

// A line that `./dev bench` shows below its table.
void note(const std::string& text);

[[nodiscard]] double median(std::vector<double> values);

// Contestants of one bench, measured in turn: what the machine does meanwhile then hits all of them alike.
class contest {
 public:
  contest(std::string name, const options& o) : name_(std::move(name)), options_(o) {}

  // `once` measures and gives the value.
  void add(std::string who, std::string variant, std::function<double()> once);
  // All rounds, then a line each.
  void run(const std::string& unit, const std::string& better);

 private:
  struct entry {
    std::string who;
    std::string variant;
    std::function<double()> once;
    std::vector<double> values;
  };
  std::string name_;
  options options_;
  std::vector<entry> entries_;
};

}  // namespace bench
