// unique_function<R(A...)>: a callable that is moved, never copied. Callables up to 48 bytes live inside; no allocation
// for them.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include <hop/base/assert.hpp>

namespace hop::base {

template <class Signature>
class unique_function;

template <class F, class R, class... A>
concept callable_as = std::is_invocable_r_v<R, std::add_lvalue_reference_t<std::decay_t<F>>, A...>;

// Owns its callable: moving hands it over and leaves an empty one, destruction and reset() destroy it. A null pointer
// makes an empty one. Not thread-safe; whoever hands it to another thread gives the happens-before.
template <class R, class... A>
class unique_function<R(A...)> {
  static constexpr std::size_t inline_bytes = 48;
  struct table {
    R (*call)(void*, A&&...);
    void (*move)(void* from, void* to) noexcept;  // destroys `from`
    void (*destroy)(void*) noexcept;
  };
  template <class F>
  static constexpr bool fits = sizeof(F) <= inline_bytes &&
                               alignof(F) <= alignof(std::max_align_t) && std::is_nothrow_move_constructible_v<F>;

 public:
  unique_function() = default;
  unique_function(std::nullptr_t) noexcept {}  // NOLINT: implicit, as with std::function

  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, unique_function> && callable_as<F, R, A...>)
      unique_function(F&& f) {  // NOLINT: implicit, as with std::function
    using body = std::decay_t<F>;
    using given = std::remove_reference_t<F>;  // a function itself, unlike a pointer to one, is never null
    if constexpr (std::is_pointer_v<given> || std::is_member_pointer_v<given>) {
      if (f == nullptr) return;
    }
    if constexpr (fits<body>) {
      std::construct_at(reinterpret_cast<body*>(storage_), std::forward<F>(f));
      table_ = &inside<body>;
    } else {
      std::construct_at(reinterpret_cast<body**>(storage_), new body(std::forward<F>(f)));
      table_ = &outside<body>;
    }
  }

  unique_function(unique_function&& o) noexcept { steal(o); }
  unique_function& operator=(unique_function&& o) noexcept {
    if (this != &o) {
      reset();
      steal(o);
    }
    return *this;
  }
  ~unique_function() { reset(); }

  explicit operator bool() const noexcept { return table_ != nullptr; }

  // May be called more than once; an empty one stops the process.
  R operator()(A... args) {
    HOP_ASSERT(table_ != nullptr, "hop::unique_function: called while empty");
    return table_->call(storage_, std::forward<A>(args)...);
  }

  void reset() noexcept {
    if (const table* t = std::exchange(table_, nullptr)) t->destroy(storage_);
  }

 private:
  void steal(unique_function& o) noexcept {
    table_ = std::exchange(o.table_, nullptr);
    if (table_ != nullptr) table_->move(o.storage_, storage_);
  }

  template <class F>
  static constexpr table inside{[](void* p, A&&... args) -> R {
                                  return static_cast<R>(std::invoke(*static_cast<F*>(p), std::forward<A>(args)...));
                                },
                                [](void* from, void* to) noexcept {
                                  std::construct_at(static_cast<F*>(to), std::move(*static_cast<F*>(from)));
                                  std::destroy_at(static_cast<F*>(from));
                                },
                                [](void* p) noexcept { std::destroy_at(static_cast<F*>(p)); }};
  template <class F>
  static constexpr table outside{
      [](void* p, A&&... args) -> R {
        return static_cast<R>(std::invoke(**static_cast<F**>(p), std::forward<A>(args)...));
      },
      [](void* from, void* to) noexcept { std::construct_at(static_cast<F**>(to), *static_cast<F**>(from)); },
      [](void* p) noexcept { delete *static_cast<F**>(p); }};

  alignas(std::max_align_t) std::byte storage_[inline_bytes];
  const table* table_ = nullptr;
};

}  // namespace hop::base

namespace hop {
using base::unique_function;
}
