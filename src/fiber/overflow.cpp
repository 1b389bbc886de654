#include <hop/fiber/overflow.hpp>

#include <sys/auxv.h>
#include <ucontext.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <hop/base/assert.hpp>
#include <hop/base/atomic.hpp>
#include <hop/base/memory.hpp>
#include <hop/fiber/fiber.hpp>
#include <hop/fiber/stack_registry.hpp>

namespace hop::fiber {
namespace {

struct sigaction old_segv;
struct sigaction old_bus;

// One line, built without the C library's formatting: nothing else is safe in a signal handler.
class line {
 public:
  line& operator<<(std::string_view text) noexcept {
    for (const char c : text) put(c);
    return *this;
  }
  line& decimal(std::uint64_t n) noexcept { return digits(n, 10); }
  line& hex(std::uint64_t n) noexcept { return *this << "0x", digits(n, 16); }
  void write_to_stderr() noexcept {
    put('\n');
    std::size_t done = 0;
    while (done < used_) {
      const ssize_t n = ::write(STDERR_FILENO, text_ + done, used_ - done);
      if (n <= 0 && errno != EINTR) return;
      if (n > 0) done += static_cast<std::size_t>(n);
    }
  }

 private:
  void put(char c) noexcept {
    if (used_ < sizeof text_) text_[used_++] = c;
  }
  line& digits(std::uint64_t n, unsigned base) noexcept {
    char reversed[24];
    std::size_t count = 0;
    do {
      reversed[count++] = "0123456789abcdef"[n % base];
      n /= base;
    } while (n != 0);
    while (count != 0) put(reversed[--count]);
    return *this;
  }

  char text_[400];
  std::size_t used_ = 0;
};

std::uintptr_t stack_pointer(const void* context) noexcept {
  const auto* u = static_cast<const ucontext_t*>(context);
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(u->uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
  return static_cast<std::uintptr_t>(u->uc_mcontext.sp);
#else
#error "stack_pointer(): this processor is not known yet"
#endif
}

// A stray pointer may hit a guard too. An overflow comes from a thread that stands on the stack, or just below it when a
// frame was too large for what was left.
bool stands_on(const stack& s, std::uintptr_t sp) noexcept {
  constexpr std::uintptr_t largest_step = 1 << 20;
  const auto low = reinterpret_cast<std::uintptr_t>(s.low);
  return sp < low + s.bytes() && sp >= low - largest_step;
}

void report(const stack& s, const void* address) noexcept {
  const fiber* f = fiber::on(s);
  line text;
  text << "hopsack: stack overflow in fiber '" << (f != nullptr ? f->name() : "?") << "' (id ";
  text.decimal(f != nullptr ? f->id() : 0) << "): stack of ";
  text.decimal(s.bytes()) << " bytes (class " << to_string(s.cls) << ") exhausted at ";
  text.hex(reinterpret_cast<std::uintptr_t>(address));
  if (s.cls == stack_class::small) {
    text << "; use the large class (";
    text.decimal(large_stack_bytes) << " bytes) or raise HOP_STACK_BYTES";
  } else {
    text << "; raise HOP_LARGE_STACK_BYTES";
  }
  text.write_to_stderr();
}

void pass_on(int signal, siginfo_t* info, void* context) noexcept {
  const struct sigaction& old = signal == SIGSEGV ? old_segv : old_bus;
  if ((old.sa_flags & SA_SIGINFO) != 0) return old.sa_sigaction(signal, info, context);
  if (old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN) return old.sa_handler(signal);
  // The default: put it back and let the instruction fault again. A signal that was sent, not caused, is sent again.
  struct sigaction plain = {};
  plain.sa_handler = SIG_DFL;
  ::sigaction(signal, &plain, nullptr);
  if (info->si_code <= 0) ::raise(signal);
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const int saved = errno;
  const auto found = info->si_code > 0 ? find_stack(info->si_addr) : std::nullopt;
  if (found && found->in_guard && stands_on(found->where, stack_pointer(context))) {
    report(found->where, info->si_addr);
    std::abort();
  }
  pass_on(signal, info, context);
  errno = saved;
}

std::size_t signal_stack_bytes() noexcept {
  // The kernel says what it needs for the registers of this processor; the rest is for handlers, ours and those before it.
  constexpr std::size_t for_handlers = 64 * 1024;
  return (std::max<std::size_t>(::getauxval(AT_MINSIGSTKSZ), 4096) + for_handlers + 4095) / 4096 * 4096;
}

}  // namespace

void install_overflow_handler() noexcept {
  static constinit base::atomic<bool> installed{false};
  // order: acq_rel. pairs: itself. F10: the handlers that were there before are read once, by the first caller.
  if (installed.exchange(true, std::memory_order_acq_rel)) return;
  // Read before ours is set: it may run at once.
  ::sigaction(SIGSEGV, nullptr, &old_segv);
  ::sigaction(SIGBUS, nullptr, &old_bus);
  struct sigaction ours = {};
  ours.sa_sigaction = on_fault;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  const bool ok = ::sigaction(SIGSEGV, &ours, nullptr) == 0 && ::sigaction(SIGBUS, &ours, nullptr) == 0;
  HOP_ASSERT(ok, "sigaction of SIGSEGV and SIGBUS is never refused");
}

result<signal_stack> signal_stack::put_on() noexcept {
  signal_stack s;
  s.bytes_ = signal_stack_bytes();
  s.memory_ = base::try_allocate(s.bytes_, 4096);
  if (s.memory_ == nullptr) return base::error{errc::no_memory, ENOMEM, "no memory for a thread's signal stack"};
  stack_t ours = {};
  ours.ss_sp = s.memory_;
  ours.ss_size = s.bytes_;
  stack_t old = {};
  const bool ok = ::sigaltstack(&ours, &old) == 0;
  HOP_ASSERT(ok, "signal_stack: put on from a signal handler");
  if ((old.ss_flags & SS_DISABLE) == 0) {
    s.old_low_ = old.ss_sp;
    s.old_bytes_ = old.ss_size;
  }
  return s;
}

signal_stack::signal_stack(signal_stack&& o) noexcept
    : memory_(std::exchange(o.memory_, nullptr)), bytes_(o.bytes_), old_low_(o.old_low_), old_bytes_(o.old_bytes_) {}

signal_stack::~signal_stack() {
  if (memory_ == nullptr) return;
  stack_t before = {};
  before.ss_sp = old_low_;
  before.ss_size = old_bytes_;
  before.ss_flags = old_low_ == nullptr ? SS_DISABLE : 0;
  const bool ok = ::sigaltstack(&before, nullptr) == 0;
  HOP_ASSERT(ok, "signal_stack: destroyed on the thread that put it on, outside a handler");
  base::deallocate(memory_, 4096);
}

}  // namespace hop::fiber
