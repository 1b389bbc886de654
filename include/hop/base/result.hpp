// result<T>: a value, or an error. What a wait or a refused resource gives back.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include <hop/base/assert.hpp>
#include <hop/base/errc.hpp>

namespace hop::base {

// Owns its T. `value()` on an error stops the process (a programmer error): test first, or use `value_or`.
template <class T>
class [[nodiscard]] result {
  static_assert(!std::is_reference_v<T>, "hop::result holds values; use a pointer for a reference");
  static_assert(!std::is_same_v<std::remove_cv_t<T>, errc> && !std::is_same_v<std::remove_cv_t<T>, hop::base::error>,
                "hop::result<errc> would be ambiguous; use result<void>");

 public:
  using value_type = T;

  result(T v) noexcept(std::is_nothrow_move_constructible_v<T>) : ok_(true) {  // NOLINT: implicit by design
    std::construct_at(&value_, std::move(v));
  }
  result(errc e) noexcept : result(hop::base::error{e}) {}  // NOLINT: implicit by design
  result(hop::base::error e) noexcept : ok_(false) {        // NOLINT: implicit by design
    HOP_ASSERT(e.code != errc::ok, "a result made from an error needs one");
    std::construct_at(&error_, e);
  }
  result(const result& o) requires std::is_copy_constructible_v<T> : ok_(o.ok_) { take(o); }
  result(result&& o) noexcept(std::is_nothrow_move_constructible_v<T>) : ok_(o.ok_) { take(std::move(o)); }
  result& operator=(result o) noexcept(std::is_nothrow_move_constructible_v<T>) {
    clear();  // a move that throws leaves this an error, whole enough to destroy
    take(std::move(o));
    ok_ = o.ok_;
    return *this;
  }
  ~result() { clear(); }

  [[nodiscard]] bool has_value() const noexcept { return ok_; }
  explicit operator bool() const noexcept { return ok_; }

  [[nodiscard]] T& value() & { return need(), value_; }
  [[nodiscard]] const T& value() const& { return need(), value_; }
  [[nodiscard]] T&& value() && { return need(), std::move(value_); }
  [[nodiscard]] T& operator*() & { return value(); }
  [[nodiscard]] const T& operator*() const& { return value(); }
  [[nodiscard]] T&& operator*() && { return std::move(*this).value(); }
  [[nodiscard]] T* operator->() { return &value(); }
  [[nodiscard]] const T* operator->() const { return &value(); }

  template <class U>
  [[nodiscard]] T value_or(U&& other) const& {
    return ok_ ? value_ : static_cast<T>(std::forward<U>(other));
  }
  template <class U>
  [[nodiscard]] T value_or(U&& other) && {
    return ok_ ? std::move(value_) : static_cast<T>(std::forward<U>(other));
  }

  // errc::ok when there is a value.
  [[nodiscard]] errc code() const noexcept { return ok_ ? errc::ok : error_.code; }
  [[nodiscard]] hop::base::error error() const noexcept { return ok_ ? hop::base::error{} : error_; }

 private:
  void need() const { HOP_ASSERT(ok_, "hop::result: value() of an error"); }
  template <class R>
  void take(R&& o) {
    if (o.ok_) {
      std::construct_at(&value_, std::forward<R>(o).value_);
    } else {
      std::construct_at(&error_, o.error_);
    }
  }
  void clear() noexcept {
    if (ok_) std::destroy_at(&value_);
    ok_ = false;
    std::construct_at(&error_, errc::invalid);
  }

  union {
    T value_;
    hop::base::error error_;
  };
  bool ok_;
};

// Success, or an error.
template <>
class [[nodiscard]] result<void> {
 public:
  using value_type = void;

  result() = default;
  result(errc e) noexcept : error_(e) {}              // NOLINT: implicit; errc::ok is success
  result(hop::base::error e) noexcept : error_(e) {}  // NOLINT: implicit

  [[nodiscard]] bool has_value() const noexcept { return error_.code == errc::ok; }
  explicit operator bool() const noexcept { return has_value(); }
  void value() const { HOP_ASSERT(has_value(), "hop::result: value() of an error"); }
  [[nodiscard]] errc code() const noexcept { return error_.code; }
  [[nodiscard]] hop::base::error error() const noexcept { return error_; }

 private:
  hop::base::error error_;
};

}  // namespace hop::base

namespace hop {
using base::result;
}
