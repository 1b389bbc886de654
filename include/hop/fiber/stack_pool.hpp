// The stacks of a runtime: shared by its workers, each of which takes and returns through a stack_cache of its own.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include <hop/base/annotations.hpp>
#include <hop/base/mutex.hpp>
#include <hop/base/result.hpp>
#include <hop/base/sanitizers.hpp>
#include <hop/fiber/stack.hpp>
#include <hop/fiber/stack_slab.hpp>
#include <hop/fiber/vm_port.hpp>

namespace hop::fiber {

// How many stacks of each class address space is reserved for; the kernel may give less. Sanitizers shadow what is
// reserved, so there it is less from the start.
struct stack_pool_options {
  std::size_t small_count = HOP_TSAN ? 16'384 : HOP_ASAN ? 65'536 : 1'048'576;
  std::size_t large_count = HOP_TSAN ? 256 : HOP_ASAN ? 1'024 : 16'384;
};

struct stack_pool_statistics {
  std::array<slab_statistics, stack_class_count> by_class;
  bool guards_split_mappings = false;  // an old kernel: guards by mprotect, at most guard_limit of them
  std::size_t guard_limit = 0;

  [[nodiscard]] const slab_statistics& of(stack_class c) const noexcept {
    return by_class[static_cast<std::size_t>(c)];
  }
};

// Thread-safe. Every stack it gives has a guard. Destroying it while stacks are out stops the process.
class HOP_EXPORT stack_pool {
 public:
  explicit stack_pool(stack_pool_options options = {}, vm_port& vm = kernel_vm()) noexcept;
  ~stack_pool();
  stack_pool(const stack_pool&) = delete;
  stack_pool& operator=(const stack_pool&) = delete;

  // Fills the front of `out` (at most 64), lowest addresses first; how many. An error when not even one is to be had; it
  // says what was refused and which limit applies, and stays readable as long as the pool lives.
  [[nodiscard]] result<std::size_t> acquire(stack_class cls, std::span<stack> out) noexcept;
  void release(std::span<const stack> stacks) noexcept;

  // Gives the pages of idle stacks back to the kernel: whole idle slabs with their page tables by one call for each run of
  // neighbours, stacks in slabs partly in use one by one. Never touches a stack that is out. How many stacks were trimmed.
  std::size_t trim() noexcept;

  [[nodiscard]] stack_pool_statistics statistics() noexcept;

 private:
  static constexpr std::size_t mappings_for_others = 1024;  // of vm.max_map_count, for the rest of the process

  [[nodiscard]] stack_slabs& slabs(stack_class c) noexcept HOP_REQUIRES(mu_) {
    return c == stack_class::small ? small_ : large_;
  }
  [[nodiscard]] result<stack_slabs::taken> take(stack_class cls, std::span<stack> out) noexcept HOP_EXCLUDES(mu_);
  [[nodiscard]] result<stack_slabs::taken> take_locked(stack_class cls, std::span<stack> out) noexcept
      HOP_REQUIRES(mu_);
  [[nodiscard]] int install_guard(const stack& s) noexcept HOP_EXCLUDES(mu_);
  void choose_guards_locked(const stack& first) noexcept HOP_REQUIRES(mu_);
  [[nodiscard]] base::error guard_refused(int refused) noexcept HOP_EXCLUDES(mu_);
  [[nodiscard]] std::size_t trim_class(stack_class cls) noexcept;
  [[nodiscard]] bool trim_run(stack_class cls, const stack_run& run, std::byte* first) noexcept;

  stack_pool_options options_;
  vm_port& vm_;
  base::ranked_mutex mu_{base::lock_rank::stack_pool};
  stack_slabs small_ HOP_GUARDED_BY(mu_){stack_class::small};
  stack_slabs large_ HOP_GUARDED_BY(mu_){stack_class::large};
  bool split_ HOP_GUARDED_BY(mu_) = false;
  std::size_t guard_limit_ HOP_GUARDED_BY(mu_) = 0;
  char limit_text_[160] = {};  // written once, before the first error that points to it
};

}  // namespace hop::fiber
