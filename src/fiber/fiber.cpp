#include <hop/fiber/fiber.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <new>

#include <hop/base/assert.hpp>
#include <hop/base/atomic.hpp>
#include <hop/base/sanitizers.hpp>

#if HOP_VALGRIND
#include <valgrind/valgrind.h>
#endif

namespace hop::fiber {
namespace {

constexpr std::size_t round_up_16(std::size_t n) noexcept { return (n + 15) / 16 * 16; }

// Control blocks lie at the same offset of stacks that are a power of two apart: without a shift their lines would share
// one set of the first-level cache (8 of its 64 in use). Eight places of two lines, one KiB of the first page.
constexpr std::size_t shift_of(std::uint32_t index) noexcept { return (index % 8) * 2 * base::cache_line; }

std::byte* block_address(const stack& s) noexcept { return s.high() - shift_of(s.index) - sizeof(fiber); }

std::uint64_t next_id() noexcept {
  static constinit base::atomic<std::uint64_t> last{0};
  // order: relaxed. pairs: nothing. F8: only uniqueness counts.
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

struct fiber::function_start {
  unique_function<void()> body;
  fiber* home = nullptr;

  static function_start* of(fiber& f) noexcept { return static_cast<function_start*>(f.arg_); }

  static handover run(fiber& self, void*) {
    function_start* start = of(self);
    start->body();
    fiber* const home = start->home;
    std::destroy_at(start);
    HOP_ASSERT(home != nullptr, "fiber: its function returned and set_home() was never called");
    return {home, nullptr};
  }
};

fiber::fiber(const stack& s, const fiber_options& options, fiber_main main, void* arg) noexcept
    : stack_index_(s.index),
      stack_low_(s.low),
      main_(main),
      arg_(arg),
      id_(next_id()),
      extra_bytes_(static_cast<std::uint16_t>(round_up_16(options.extra_bytes))),
      magic_(magic),
      stack_class_(s.cls) {
  set_name(options.name);
#if HOP_VALGRIND
  valgrind_id_ = static_cast<std::uint32_t>(VALGRIND_STACK_REGISTER(s.usable_low(), s.high()));
#endif
  detail::sanitizer_created(sanitizer_, s.usable_low(), static_cast<std::size_t>(s.high() - s.usable_low()));
}

fiber::fiber() noexcept : word_(fiber_state::running), id_(next_id()), magic_(magic) {}

result<fiber*> fiber::place(stack_cache& cache, const fiber_options& options, std::size_t more, fiber_main main,
                            void* arg) noexcept {
  HOP_ASSERT(options.extra_bytes <= 2 * page_bytes, "fiber: extra_bytes is for a few words beside the control block");
  auto got = cache.acquire(options.cls);
  if (!got) return got.error();
  auto* f = new (block_address(*got)) fiber(*got, options, main, arg);
  std::byte* const top = reinterpret_cast<std::byte*>(f) - f->extra_bytes_ - round_up_16(more);
  make_context(f->context_, top, got->usable_low(), &fiber::enter);
  return f;
}

result<fiber*> fiber::create(stack_cache& cache, const fiber_options& options, fiber_main main, void* arg) noexcept {
  return place(cache, options, 0, main, arg);
}

result<fiber*> fiber::create(stack_cache& cache, const fiber_options& options, unique_function<void()> body) noexcept {
  static_assert(alignof(function_start) <= 16);
  auto made = place(cache, options, sizeof(function_start), &function_start::run, nullptr);
  if (!made) return made;
  std::byte* const at = static_cast<std::byte*>((*made)->extra()) - round_up_16(sizeof(function_start));
  (*made)->arg_ = new (at) function_start{std::move(body)};
  return made;
}

void fiber::destroy(stack_cache& cache, fiber* f) noexcept {
  const fiber_state state = f->word_.state();
  HOP_ASSERT(state == fiber_state::done || state == fiber_state::created, "fiber: destroyed while it may still run");
  HOP_ASSERT(f->magic_ == magic && !f->is_thread(), "fiber: destroyed twice, or a thread's");
  if (state == fiber_state::created && f->main_ == &function_start::run) std::destroy_at(function_start::of(*f));
  const stack s = f->where();
  detail::sanitizer_destroyed(f->sanitizer_);
#if HOP_VALGRIND
  VALGRIND_STACK_DEREGISTER(f->valgrind_id_);
#endif
  f->magic_ = 0;  // and no destructor, which would make this a dead store: the overflow handler reads it
  cache.release(s);
}

void fiber::enter(void* payload, context& self) noexcept {
  // context_ is the first member; a fiber is not standard-layout everywhere, so offsetof is not to be had.
  fiber& f = *reinterpret_cast<fiber*>(&self);
  HOP_DEBUG_ASSERT(&f.context_ == &self, "the context is the first member of a fiber");
  detail::sanitizer_after_switch(f.sanitizer_);
  f.leave_for(f.main_(f, payload));
}

void fiber::leave_for(handover next) noexcept {
  HOP_ASSERT(next.to != nullptr && next.to != this, "fiber: a main function must say who goes on");
  word_.finish();
  exchange_eh_globals(*thread_eh_globals(), eh_, next.to->eh_);
  detail::sanitizer_before_last_switch(next.to->sanitizer_);
  switch_context(context_, next.to->context_, next.payload);
  base::panic("fiber: resumed after it was done");
}

void fiber::set_name(std::string_view name) noexcept {
  const std::size_t n = std::min(name.size(), name_limit);
  std::copy_n(name.data(), n, name_.data());
  std::fill(name_.begin() + static_cast<std::ptrdiff_t>(n), name_.end(), '\0');
}

void fiber::set_home(fiber& f) noexcept {
  HOP_ASSERT(main_ == &function_start::run, "fiber: set_home() is for fibers made from a unique_function");
  function_start::of(*this)->home = &f;
}

fiber* fiber::on(const stack& s) noexcept {
  auto* f = reinterpret_cast<fiber*>(block_address(s));
  return f->magic_ == magic && f->stack_low_ == s.low ? f : nullptr;
}

thread_fiber::thread_fiber(std::string_view name) noexcept {
  set_name(name);
  detail::sanitizer_adopt_thread(sanitizer_);
}

}  // namespace hop::fiber
