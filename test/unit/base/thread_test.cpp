#include <hop/base/thread.hpp>

#include <pthread.h>

#include <cerrno>
#include <csignal>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include <hop/base/memory.hpp>

#include "support/hop_test.hpp"

namespace {

using namespace hop::base;
using ::testing::KilledBySignal;

HOP_TEST(base, a_thread_sees_what_was_done_before_start_and_join_sees_what_it_did) {
  int given = 41;  // plain, so that TSan looks on
  int answer = 0;
  thread t = thread::start("adds one", [&] { answer = given + 1; }).value();
  EXPECT_TRUE(t.joinable());
  t.join();
  EXPECT_FALSE(t.joinable());
  EXPECT_EQ(answer, 42);
}

std::string name_seen_inside(const char* name) {
  char text[16] = {};
  thread t = thread::start(name, [&] { ::pthread_getname_np(::pthread_self(), text, sizeof text); }).value();
  t.join();
  return text;
}

HOP_TEST(base, a_thread_bears_its_name_and_a_long_one_is_cut_at_15_bytes) {
  EXPECT_EQ(name_seen_inside("w7"), "w7");
  EXPECT_EQ(name_seen_inside("exactly 15 byte"), "exactly 15 byte");
  EXPECT_EQ(name_seen_inside("a name longer than the kernel shows"), "a name longer t");
}

// A mask of the test's own for a scope: what an earlier test left behind cannot stand in for what is claimed here.
class only_sigusr2_blocked {
 public:
  only_sigusr2_blocked() {
    sigset_t set;
    ::sigemptyset(&set);
    ::sigaddset(&set, SIGUSR2);
    ::pthread_sigmask(SIG_SETMASK, &set, &before_);
  }
  only_sigusr2_blocked(const only_sigusr2_blocked&) = delete;
  only_sigusr2_blocked& operator=(const only_sigusr2_blocked&) = delete;
  ~only_sigusr2_blocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  static void expect_unchanged() {
    sigset_t now;
    ::pthread_sigmask(SIG_SETMASK, nullptr, &now);
    for (int s = 1; s < SIGRTMIN; ++s) EXPECT_EQ(::sigismember(&now, s), s == SIGUSR2 ? 1 : 0) << s;
  }

 private:
  sigset_t before_;
};

HOP_TEST(base, a_thread_blocks_every_signal_but_the_faults_and_the_starter_keeps_its_mask) {
  const only_sigusr2_blocked mask;
  sigset_t inside;
  thread t = thread::start("signals", [&] { ::pthread_sigmask(SIG_SETMASK, nullptr, &inside); }).value();
  mask.expect_unchanged();
  t.join();
  for (int blocked : {SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGUSR1, SIGPIPE, SIGALRM, SIGRTMAX})
    EXPECT_EQ(::sigismember(&inside, blocked), 1) << blocked;
  for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS})
    EXPECT_EQ(::sigismember(&inside, fault), 0) << fault;
}

HOP_TEST(base, the_body_of_a_thread_dies_with_the_thread) {
  auto token = std::make_shared<int>(1);
  thread t = thread::start("owns", [token] {}).value();
  t.join();
  EXPECT_EQ(token.use_count(), 1);
}

HOP_TEST(base, a_thread_is_moved_and_only_the_new_owner_may_join) {
  thread a = thread::start("moved", [] {}).value();
  thread b = std::move(a);
  EXPECT_FALSE(a.joinable());  // NOLINT: the moved-from state is the claim
  thread c;
  c = std::move(b);
  EXPECT_FALSE(b.joinable());  // NOLINT
  ASSERT_TRUE(c.joinable());
  EXPECT_FALSE(::pthread_equal(c.native(), ::pthread_self()));
  c.join();
}

// Every new thread asks for more stack than a process has addresses, so the kernel refuses it: root or not, sanitizer
// or not.
class no_room_for_stacks {
 public:
  no_room_for_stacks() {
    ::pthread_getattr_default_np(&before_);
    pthread_attr_t huge;
    ::pthread_attr_init(&huge);
    ::pthread_attr_setstacksize(&huge, std::size_t{1} << 57);
    EXPECT_EQ(::pthread_setattr_default_np(&huge), 0);
    ::pthread_attr_destroy(&huge);
  }
  ~no_room_for_stacks() {
    EXPECT_EQ(::pthread_setattr_default_np(&before_), 0);
    ::pthread_attr_destroy(&before_);
  }

 private:
  pthread_attr_t before_;
};

HOP_TEST(base, a_thread_the_kernel_refuses_is_an_error_and_its_body_dies_unrun) {
  auto token = std::make_shared<int>(0);
  const only_sigusr2_blocked mask;
  {
    no_room_for_stacks here;
    const result<thread> refused = thread::start("refused", [token] { ++*token; });
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.code(), errc::no_thread);
    EXPECT_EQ(refused.error().system, EAGAIN);
    EXPECT_STREQ(refused.error().what, "the kernel refused a thread (ulimit -u, pids limit or memory)");
  }
  EXPECT_EQ(*token, 0);
  EXPECT_EQ(token.use_count(), 1);
  mask.expect_unchanged();
  thread t = thread::start("granted", [token] { ++*token; }).value();
  t.join();
  EXPECT_EQ(*token, 1);
}

HOP_TEST(base, a_thread_refused_its_memory_is_an_error_and_its_body_dies_unrun) {
  auto token = std::make_shared<int>(0);
  refuse_allocations(0, 1);
  const result<thread> refused = thread::start("refused", [token] { ++*token; });
  refuse_allocations(0, 0);
  EXPECT_EQ(refused.code(), errc::no_memory);
  EXPECT_STREQ(refused.error().what, "no memory to start a thread");
  EXPECT_EQ(*token, 0);
  EXPECT_EQ(token.use_count(), 1);
}

HOP_TEST(base, a_thread_destroyed_before_its_join_stops_the_process) {
  EXPECT_EXIT({ thread t = thread::start("left", [] {}).value(); }, KilledBySignal(SIGABRT), "destroyed before join");
}

HOP_TEST(base, a_running_thread_cannot_be_assigned_to) {
  EXPECT_EXIT(
      {
        thread t = thread::start("left", [] {}).value();
        t = thread();
      },
      KilledBySignal(SIGABRT), "assigned to while running");
}

HOP_TEST(base, a_join_of_no_thread_stops_the_process) {
  EXPECT_EXIT(thread().join(), KilledBySignal(SIGABRT), "join\\(\\) of a thread that is not running");
}

HOP_TEST(base, an_exception_that_leaves_a_thread_ends_the_process) {
  EXPECT_EXIT(thread::start("throws", [] { throw std::runtime_error("nobody catches this"); }).value().join(),
              KilledBySignal(SIGABRT), "nobody catches this");
}

HOP_TEST(base, a_thread_started_with_no_body_stops_the_process) {
  EXPECT_EXIT(thread::start("empty", nullptr).value().join(), KilledBySignal(SIGABRT), "called while empty");
}

}  // namespace
