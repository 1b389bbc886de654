// Plain data: no choice point, but every access is checked against happens-before.
#pragma once

#include <array>
#include <utility>

#include <hop/base/place.hpp>

#include "model/knowledge.hpp"

namespace hop::model {

// Who wrote last and who has read since. A race ends the run, naming both places.
class race_guard {
 public:
  void on_read(const base::place& where) const;
  void on_write(const base::place& where) const;

 private:
  struct access {
    std::uint32_t time = 0;  // 0: none
    base::place where{};
  };
  mutable std::array<access, max_threads> reads_{};
  mutable access write_{};
  mutable thread_index writer_ = 0;
};

template <class T>
class plain {
 public:
  plain() = default;
  explicit plain(T v) : value_(std::move(v)) {}
  plain(const plain&) = delete;
  plain& operator=(const plain&) = delete;

  [[nodiscard]] const T& get(base::place where = base::place::here()) const {
    guard_.on_read(where);
    return value_;
  }
  void set(T v, base::place where = base::place::here()) {
    guard_.on_write(where);
    value_ = std::move(v);
  }
  [[nodiscard]] T& ref(base::place where = base::place::here()) {
    guard_.on_write(where);
    return value_;
  }

 private:
  T value_{};
  race_guard guard_;
};

}  // namespace hop::model
