#include <hop/base/thread.hpp>

#include <csignal>
#include <cstring>
#include <memory>
#include <new>

#include <hop/base/memory.hpp>
#include <hop/base/spin_hint.hpp>
#include <hop/base/thread_word.hpp>

#if !HOP_MODEL
#include <sched.h>
#endif

namespace hop::base {

#if HOP_MODEL

result<thread> thread::start(const char* name, unique_function<void()> body) {
  thread t;
  t.handle_ = model::start_thread(name, std::move(body));
  t.running_ = true;
  return t;
}

void thread::join() {
  model::join_thread(handle_);
  running_ = false;
}

#else

#if defined(__x86_64__) && defined(__ELF__)
extern "C" {
thread_local void* hop_thread_word = nullptr;
}
#else
HOP_NOINLINE void** thread_word_address() noexcept {
  static thread_local void* word = nullptr;
  return &word;
}
#endif

void os_yield() noexcept { ::sched_yield(); }

namespace {

struct start_block {
  char name[16];  // the kernel's limit, with its zero
  unique_function<void()> body;
};

struct block_ends {
  void operator()(start_block* b) const noexcept {
    std::destroy_at(b);
    deallocate(b);
  }
};
using block_owner = std::unique_ptr<start_block, block_ends>;

void* enter(void* p) noexcept {
  const block_owner block{static_cast<start_block*>(p)};
  ::pthread_setname_np(::pthread_self(), block->name);
  block->body();
  return nullptr;
}

// Signals belong to the threads of the program, but a fault must reach the thread that made it.
sigset_t all_but_faults() noexcept {
  sigset_t set;
  ::sigfillset(&set);
  for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS}) ::sigdelset(&set, fault);
  return set;
}

}  // namespace

result<thread> thread::start(const char* name, unique_function<void()> body) {
  void* room = try_allocate(sizeof(start_block));
  if (room == nullptr) return error{errc::no_memory, 0, "no memory to start a thread"};
  block_owner block{new (room) start_block{}};
  std::strncpy(block->name, name, sizeof block->name - 1);
  block->body = std::move(body);

  thread t;
  const sigset_t blocked = all_but_faults();
  sigset_t before;
  ::pthread_sigmask(SIG_SETMASK, &blocked, &before);  // inherited by the new thread from its first instruction
  const int refused = ::pthread_create(&t.handle_, nullptr, enter, block.get());
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (refused != 0)
    return error{errc::no_thread, refused, "the kernel refused a thread (ulimit -u, pids limit or memory)"};
  static_cast<void>(block.release());
  t.running_ = true;
  return t;
}

void thread::join() {
  HOP_ASSERT(running_, "base::thread: join() of a thread that is not running");
  HOP_ASSERT(::pthread_join(handle_, nullptr) == 0, "base::thread: join() refused (a thread joining itself?)");
  running_ = false;
}

#endif

}  // namespace hop::base
