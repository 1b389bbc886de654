// A fiber: a flow of control on a stack of its own. Its control block lies at the top of that stack, so a parked fiber
// costs the pages of its stack and nothing else. There is no scheduler here: who runs when is the business of `sched`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <hop/base/cache_line.hpp>
#include <hop/base/lock_rank.hpp>
#include <hop/base/result.hpp>
#include <hop/base/unique_function.hpp>
#include <hop/fiber/context.hpp>
#include <hop/fiber/eh_globals.hpp>
#include <hop/fiber/fiber_state.hpp>
#include <hop/fiber/sanitizer_hooks.hpp>
#include <hop/fiber/stack.hpp>
#include <hop/fiber/stack_cache.hpp>

namespace hop::fiber {

class fiber;

// Where a fiber goes when its main function has returned. `payload` is what the switch to `to` gives there.
struct handover {
  fiber* to = nullptr;
  void* payload = nullptr;
};

// What a fiber runs. `payload` came with the first switch to it. Exceptions end the process.
using fiber_main = handover (*)(fiber& self, void* payload);

struct fiber_options {
  std::string_view name = "fiber";  // copied, the first 22 bytes
  stack_class cls = stack_class::small;
  std::size_t extra_bytes = 0;  // room for the owner beside the control block, on the same stack: extra()
};

class alignas(base::cache_line) fiber {
 public:
  static constexpr std::size_t name_limit = 22;

  // On a stack out of `cache`, in state created. Errors are those of the stacks.
  [[nodiscard]] HOP_EXPORT static result<fiber*> create(stack_cache& cache, const fiber_options& options,
                                                        fiber_main main, void* arg = nullptr) noexcept;
  // Runs `body` and then goes to home(), which must be set by then.
  [[nodiscard]] HOP_EXPORT static result<fiber*> create(stack_cache& cache, const fiber_options& options,
                                                        unique_function<void()> body) noexcept;
  // Gives the stack back. The fiber is done (and somebody else runs) or was never started.
  HOP_EXPORT static void destroy(stack_cache& cache, fiber* f) noexcept;

  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  [[nodiscard]] fiber_word& word() noexcept { return word_; }
  [[nodiscard]] const fiber_word& word() const noexcept { return word_; }
  [[nodiscard]] std::uint64_t id() const noexcept { return id_; }  // never used twice in a process
  [[nodiscard]] std::string_view name() const noexcept { return name_.data(); }
  HOP_EXPORT void set_name(std::string_view name) noexcept;
  // What it is about, for reports; static text. By the fiber itself.
  [[nodiscard]] const char* status() const noexcept { return status_; }
  void set_status(const char* text) noexcept { status_ = text; }
  [[nodiscard]] void* arg() const noexcept { return arg_; }
  void set_arg(void* arg) noexcept { arg_ = arg; }
  [[nodiscard]] bool is_thread() const noexcept { return stack_low_ == nullptr; }
  // The stack it stands on; not of a thread_fiber.
  [[nodiscard]] stack where() const noexcept { return {stack_low_, stack_index_, stack_class_}; }
  // The `extra_bytes` asked for, 16-byte aligned.
  [[nodiscard]] void* extra() noexcept { return reinterpret_cast<std::byte*>(this) - extra_bytes_; }
  [[nodiscard]] std::size_t extra_bytes() const noexcept { return extra_bytes_; }
  // For a fiber made from a unique_function: where it goes at the end.
  HOP_EXPORT void set_home(fiber& f) noexcept;

  // The control block on a stack; `nullptr` where none lives. Async-signal-safe, for the overflow handler.
  [[nodiscard]] static fiber* on(const stack& s) noexcept;

  friend void* resume(fiber& from, fiber& to, void* payload, eh_globals& of_thread) noexcept;

 private:
  friend class thread_fiber;
  static constexpr std::uint16_t magic = 0xf1be;
  struct function_start;

  fiber(const stack& s, const fiber_options& options, fiber_main main, void* arg) noexcept;
  fiber() noexcept;  // a thread's

  [[nodiscard]] static result<fiber*> place(stack_cache& cache, const fiber_options& options, std::size_t extra,
                                            fiber_main main, void* arg) noexcept;
  [[noreturn]] static void enter(void* payload, context& self) noexcept;
  [[noreturn]] void leave_for(handover next) noexcept;

  // First line: what a switch touches.
  context context_;
#if HOP_SWITCH_BOOST
  void* reserved_[2] = {};
#endif
  eh_globals eh_;
  fiber_word word_;
  std::uint32_t stack_index_ = 0;
  std::byte* stack_low_ = nullptr;
  // Second line: what a report and the end need.
  fiber_main main_ = nullptr;
  void* arg_ = nullptr;
  const char* status_ = "";
  std::uint64_t id_ = 0;
  std::uint32_t valgrind_id_ = 0;
  std::uint16_t extra_bytes_ = 0;
  std::uint16_t magic_ = 0;
  std::array<char, name_limit + 1> name_{};
  stack_class stack_class_ = stack_class::small;
  [[no_unique_address]] detail::sanitizer_state sanitizer_;
};
static_assert(alignof(fiber) == base::cache_line);
#if !HOP_ASAN && !HOP_TSAN && !HOP_MODEL
static_assert(sizeof(fiber) == 2 * base::cache_line, "the control block is two lines");
#endif

// Leaves `from`, which must be what runs on this thread, for `to`; returns when somebody resumes `from`, with the payload
// given there, perhaps on another thread. Whoever resumes a fiber owns it (fiber_word::begin_run() said true).
// `of_thread`: thread_eh_globals() of the calling thread; a worker has it at hand, which saves a call.
HOP_ALWAYS_INLINE void* resume(fiber& from, fiber& to, void* payload, eh_globals& of_thread) noexcept {
  HOP_DEBUG_ASSERT(base::ranks_held() == 0, "a lock of the runtime is held over a switch of stacks");
  exchange_eh_globals(of_thread, from.eh_, to.eh_);
  detail::sanitizer_before_switch(from.sanitizer_, to.sanitizer_);
  void* const got = switch_context(from.context_, to.context_, payload);
  detail::sanitizer_after_switch(from.sanitizer_);
  return got;
}
HOP_ALWAYS_INLINE void* resume(fiber& from, fiber& to, void* payload = nullptr) noexcept {
  return resume(from, to, payload, *thread_eh_globals());
}

// A thread's own stack as a fiber: made on that thread, lives on it, and is what runs there whenever no other does.
class thread_fiber : public fiber {
 public:
  HOP_EXPORT explicit thread_fiber(std::string_view name = "thread") noexcept;
};

}  // namespace hop::fiber
