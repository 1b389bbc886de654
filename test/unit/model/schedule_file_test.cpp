// Schedules on disk: what is written is read, and nonsense is refused with a sentence.
#include "support/hop_test.hpp"

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "model/schedule_file.hpp"

namespace hop::model {
namespace {

class temporary_file {
 public:
  temporary_file() : path_(std::filesystem::temp_directory_path() / ("hop_schedule_" + std::to_string(::getpid()))) {}
  explicit temporary_file(const std::string& text) : temporary_file() { std::ofstream{path_} << text; }
  ~temporary_file() { std::filesystem::remove(path_); }
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  [[nodiscard]] std::string path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::string problem_of(const std::string& text) {
  const temporary_file file{text};
  schedule s;
  std::string problem;
  return read_schedule(file.path(), s, problem) ? "none" : problem.substr(file.path().size());
}

HOP_TEST(model, a_schedule_is_read_as_it_was_written) {
  for (const schedule& s :
       {schedule{"dekker", "", 1, {}},
        schedule{"a_piece", "push: fence release -> relaxed #2", 18446744073709551615u, {0, 1, 7, 4294967295u}}}) {
    const temporary_file file;
    std::string problem;
    ASSERT_TRUE(write_schedule(file.path(), s, problem)) << problem;
    schedule back;
    ASSERT_TRUE(read_schedule(file.path(), back, problem)) << problem;
    EXPECT_EQ(back.piece, s.piece);
    EXPECT_EQ(back.mutant, s.mutant);
    EXPECT_EQ(back.seed, s.seed);
    EXPECT_EQ(back.choices, s.choices);
  }
}

HOP_TEST(model, nonsense_for_a_schedule_is_refused_with_a_sentence) {
  const std::string head = "hop model schedule 1\n";
  EXPECT_EQ(problem_of(""), " is no schedule: its first line is not 'hop model schedule 1'");
  EXPECT_EQ(problem_of("hop model schedule 2\n"), " is no schedule: its first line is not 'hop model schedule 1'");
  EXPECT_EQ(problem_of(head), " names no piece");
  EXPECT_EQ(problem_of(head + "piece p\n"), " names no choices");
  EXPECT_EQ(problem_of(head + "piece p\nchoices\n"), "none");
  for (const char* line : {"colour red", "piece", "seed", "seed -1", "seed 1x", "choices 1 two", "choices -1",
                           "choices 99999999999", ""}) {
    EXPECT_EQ(problem_of(head + line + "\n"),
              ":2: '" + std::string{line} + "' is not piece, mutant, seed or choices with its value, each once");
  }
  EXPECT_EQ(problem_of(head + "piece p\npiece q\n").substr(0, 14), ":3: 'piece q' ");
}

HOP_TEST(model, a_schedule_that_is_not_there_or_cannot_be_written_is_told) {
  schedule s;
  std::string problem;
  EXPECT_FALSE(read_schedule("/no/such/file", s, problem));
  EXPECT_EQ(problem, "/no/such/file cannot be read");
  EXPECT_FALSE(write_schedule("/no/such/file", s, problem));
  EXPECT_EQ(problem, "cannot write /no/such/file");
}

}  // namespace
}  // namespace hop::model
