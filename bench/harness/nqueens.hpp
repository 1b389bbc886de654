// The nqueens problem: count the ways to place n queens. At every row, down to the last, the columns that no earlier
// queen attacks are collected, and the search forks over them: halves of the list are the two sides of a binary join, a
// single column is a plain call. Each placement works on a copy of the board, as the classic programs do. The same for
// everyone, in every language.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "harness/harness.hpp"

namespace bench {

class queens {
 public:
  static constexpr std::size_t most = 16;

  struct columns {
    std::array<int, most> at;
    std::size_t count = 0;
  };

  explicit queens(std::size_t n) : size_(n) {}
  [[nodiscard]] bool complete() const { return rows_ == size_; }
  [[nodiscard]] columns free_columns() const {
    columns free;
    for (int column = 0; column < static_cast<int>(size_); ++column) {
      if (!attacked(column)) free.at[free.count++] = column;
    }
    return free;
  }
  [[nodiscard]] queens with(int column) const {
    queens next = *this;
    next.column_[next.rows_++] = column;
    return next;
  }

 private:
  [[nodiscard]] bool attacked(int column) const {
    for (std::size_t row = 0; row < rows_; ++row) {
      const int across = column_[row] - column;
      const int down = static_cast<int>(rows_ - row);
      if (across == 0 || across == down || across == -down) return true;
    }
    return false;
  }

  std::size_t size_;
  std::size_t rows_ = 0;
  std::array<int, most> column_;
};

// fork(a, b) runs both and returns the sum of what they return.
template <class Fork>
std::uint64_t count_queens(const queens& q, const Fork& fork);

template <class Fork>
std::uint64_t count_queens(const queens& q, const queens::columns& free, std::size_t from, std::size_t to,
                           const Fork& fork) {
  if (to - from == 1) return count_queens(q.with(free.at[from]), fork);
  const std::size_t middle = from + (to - from) / 2;
  return fork([&] { return count_queens(q, free, from, middle, fork); },
              [&] { return count_queens(q, free, middle, to, fork); });
}

template <class Fork>
std::uint64_t count_queens(const queens& q, const Fork& fork) {
  if (q.complete()) return 1;
  const queens::columns free = q.free_columns();
  return free.count == 0 ? 0 : count_queens(q, free, 0, free.count, fork);
}

struct queens_problem {
  explicit queens_problem(const options& o) : n(o.count != 0 ? o.count : o.quick ? 9 : 12) {
    require(n >= 4 && n < answers.size(), "--count for nqueens is from 4 to 14");
  }
  // ms of run(n); every answer is checked.
  template <class Run>
  [[nodiscard]] double ms(const options& o, Run run) const {
    require(run(std::size_t{8}) == answers[8], "eight queens");  // starts what is started lazily
    return 1e3 * seconds_each(o, [&] { require(run(n) == answers[n], "number of solutions"); });
  }

  static constexpr std::array<std::uint64_t, 15> answers{1,  1,   0,   0,    2,     10,    4,     40,
                                                         92, 352, 724, 2680, 14200, 73712, 365596};
  std::size_t n;
};

}  // namespace bench
