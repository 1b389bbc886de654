// plain<T>: a field shared between threads by a protocol, not by being atomic. It costs nothing in the product; in the
// model checker two accesses that no happens-before orders, one of them a write, are a finding.
#pragma once

#include <utility>

#include <hop/base/cache_line.hpp>

#if HOP_MODEL
#include "model/plain.hpp"
#endif

namespace hop::base {

#if HOP_MODEL
template <class T>
using plain = model::plain<T>;
#else
template <class T>
class plain {
 public:
  plain() = default;
  explicit plain(T v) : value_(std::move(v)) {}
  plain(const plain&) = delete;
  plain& operator=(const plain&) = delete;

  [[nodiscard]] const T& get() const noexcept { return value_; }
  void set(T v) { value_ = std::move(v); }
  // A write access: the caller may change the value through the reference until its next synchronising operation.
  [[nodiscard]] T& ref() noexcept { return value_; }

 private:
  T value_{};
};
#endif

}  // namespace hop::base
