#include "sched/cpu_quota.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <hop/base/prng.hpp>
#include <hop/sched/join.hpp>
#include <hop/sched/runtime.hpp>

#include "support/hop_test.hpp"

namespace {

using hop::base::prng;
using hop::sched::cgroup_cpu_limit;
using hop::sched::cpu_quota;
using hop::sched::default_worker_count;
using ::testing::ExitedWithCode;
using limit = std::optional<std::size_t>;

constexpr limit unlimited = std::nullopt;
constexpr const char* v2_mount = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n";
constexpr const char* v1_mounts =
    "31 23 0:27 / /sys/fs/cgroup ro,nosuid shared:8 - tmpfs tmpfs ro,mode=755\n"
    "32 31 0:28 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
    "33 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:12 - cgroup cgroup rw,cpu,cpuacct\n"
    "34 31 0:30 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,xattr,name=systemd\n";

// /proc and /sys under a directory of its own, gone at the end of the scope.
class tree {
 public:
  tree() {
    std::string name = ::testing::TempDir() + "hop_quota_XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    root_ = name;
  }
  tree(std::string_view groups, std::string_view mounts) : tree() {
    put("/proc/self/cgroup", groups);
    put("/proc/self/mountinfo", mounts);
  }
  tree(const tree&) = delete;
  tree& operator=(const tree&) = delete;
  ~tree() { std::filesystem::remove_all(root_); }

  tree& put(const std::string& path, std::string_view text) {
    std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
    std::filesystem::remove(root_ + path);  // some file systems write a file out when it is shortened and closed
    std::ofstream(root_ + path, std::ios::binary) << text;
    return *this;
  }
  tree& put_v1(const std::string& directory, std::string_view quota, std::string_view period = "100000\n") {
    return put(directory + "/cpu.cfs_quota_us", quota).put(directory + "/cpu.cfs_period_us", period);
  }
  [[nodiscard]] const std::string& root() const { return root_; }
  [[nodiscard]] limit found() const { return cgroup_cpu_limit(root_); }

 private:
  std::string root_;
};

// The calling thread has the first `n` of its processors for the rest of the scope; fewer, if it has fewer.
class only_cpus {
 public:
  explicit only_cpus(int n) {
    if (::sched_getaffinity(0, sizeof before_, &before_) != 0) std::abort();
    cpu_set_t some;
    CPU_ZERO(&some);
    for (std::size_t cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&some) < n; ++cpu)
      if (CPU_ISSET(cpu, &before_)) CPU_SET(cpu, &some);
    if (::sched_setaffinity(0, sizeof some, &some) != 0) std::abort();
  }
  only_cpus(const only_cpus&) = delete;
  only_cpus& operator=(const only_cpus&) = delete;
  ~only_cpus() { ::sched_setaffinity(0, sizeof before_, &before_); }

 private:
  cpu_set_t before_;
};

std::size_t cpus_here() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) std::abort();
  return static_cast<std::size_t>(CPU_COUNT(&set));
}

// HOP_WORKERS for the rest of the scope; nullptr: unset.
class hop_workers {
 public:
  explicit hop_workers(const char* value) {
    if (const char* old = std::getenv("HOP_WORKERS")) before_ = old;
    set(value);
  }
  hop_workers(const hop_workers&) = delete;
  hop_workers& operator=(const hop_workers&) = delete;
  ~hop_workers() { set(before_ ? before_->c_str() : nullptr); }

 private:
  static void set(const char* value) {
    value == nullptr ? ::unsetenv("HOP_WORKERS") : ::setenv("HOP_WORKERS", value, 1);
  }
  std::optional<std::string> before_;
};

std::size_t count_with(const char* value) {
  const hop_workers w(value);
  return default_worker_count();
}

// --- planted trees ---

HOP_TEST(B29, a_v2_quota_is_rounded_up_to_whole_processors) {
  tree t("0::/app.slice\n", v2_mount);
  const std::pair<const char*, limit> cases[] = {
      {"200000 100000\n", 2}, {"150000 100000\n", 2},     {"100001 100000\n", 2},   {"100000 100000\n", 1},
      {"50000 100000\n", 1},  {"1000 1000000\n", 1},      {"6400000 100000\n", 64}, {"7000 2000\n", 4},
      {"300000 100000", 3},   {"max 100000\n", unlimited}};
  for (const auto& [text, cpus] : cases)
    EXPECT_EQ(t.put("/sys/fs/cgroup/app.slice/cpu.max", text).found(), cpus) << text;
}

HOP_TEST(B29, the_smallest_v2_quota_from_the_group_to_the_root_counts) {
  const char* const levels[] = {"/a/b/c", "/a/b", "/a", ""};
  for (const char* smallest : levels) {
    tree t("0::/a/b/c\n", v2_mount);
    for (const char* level : levels)
      t.put("/sys/fs/cgroup" + std::string(level) + "/cpu.max",
            level == smallest ? "250000 100000\n" : "900000 100000\n");
    EXPECT_EQ(t.found(), 3u) << "'" << smallest << "'";
  }
}

HOP_TEST(B29, a_v2_quota_of_a_group_we_are_not_in_does_not_count) {
  tree t("0::/a/b\n", v2_mount);
  t.put("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n").put("/sys/fs/cgroup/a/cpu.max", "500000 100000\n");
  t.put("/sys/fs/cgroup/a/b/c/cpu.max", "100000 100000\n").put("/sys/fs/cgroup/x/cpu.max", "100000 100000\n");
  EXPECT_EQ(t.found(), 5u);
}

HOP_TEST(B29, a_v1_quota_is_that_of_the_cpu_controller_alone_or_together) {
  const std::pair<const char*, limit> cases[] = {{"300000\n", 3}, {"120000\n", 2}, {"1000\n", 1}, {"-1\n", unlimited}};
  for (const auto& [quota, cpus] : cases) {
    tree together("7:cpuset:/\n4:cpu,cpuacct:/user/one\n1:name=systemd:/user/one\n", v1_mounts);
    EXPECT_EQ(together.put_v1("/sys/fs/cgroup/cpu,cpuacct/user/one", quota).found(), cpus) << quota;
    tree alone("4:cpu:/user:one\n", "33 31 0:29 / /cg/cpu rw - cgroup cgroup rw,cpu\n");
    EXPECT_EQ(alone.put_v1("/cg/cpu/user:one", quota).found(), cpus) << quota;
  }
  tree other("4:cpuacct,cpuset:/\n", "33 31 0:29 / /cg/cpu rw - cgroup cgroup rw,cpuacct,cpuset\n");
  EXPECT_EQ(other.put_v1("/cg/cpu", "100000\n").found(), unlimited);
}

HOP_TEST(B29, the_smallest_v1_quota_from_the_group_to_the_root_counts) {
  tree t("4:cpu,cpuacct:/a/b\n", v1_mounts);
  t.put_v1("/sys/fs/cgroup/cpu,cpuacct/a/b", "-1\n").put_v1("/sys/fs/cgroup/cpu,cpuacct", "-1\n");
  EXPECT_EQ(t.found(), unlimited);
  t.put_v1("/sys/fs/cgroup/cpu,cpuacct/a", "200000\n", "50000\n");
  EXPECT_EQ(t.found(), 4u);
  t.put_v1("/sys/fs/cgroup/cpu,cpuacct/a/b", "150000\n", "50000\n");
  EXPECT_EQ(t.found(), 3u);
}

HOP_TEST(B29, in_a_hybrid_tree_the_quota_is_found_where_the_cpu_controller_is) {
  const std::string mounts =
      std::string(v1_mounts) + "35 31 0:31 / /sys/fs/cgroup/unified rw shared:10 - cgroup2 cgroup2 rw\n";
  tree v1("4:cpu,cpuacct:/jobs\n1:name=systemd:/s\n0::/s\n", mounts);
  v1.put_v1("/sys/fs/cgroup/cpu,cpuacct/jobs", "300000\n").put("/sys/fs/cgroup/unified/s/cgroup.procs", "");
  EXPECT_EQ(v1.found(), 3u);
  tree v2("1:name=systemd:/s\n0::/s\n", mounts);
  v2.put_v1("/sys/fs/cgroup/cpu,cpuacct", "100000\n").put("/sys/fs/cgroup/unified/s/cpu.max", "500000 100000\n");
  EXPECT_EQ(v2.found(), 5u);
}

HOP_TEST(B29, in_a_container_the_path_of_the_group_starts_at_the_root_of_the_mount) {
  const char* const v1 = "33 31 0:29 /docker/c1 /sys/fs/cgroup/cpu ro master:12 - cgroup cgroup rw,cpu,cpuacct\n";
  tree top("4:cpu,cpuacct:/docker/c1\n", v1);
  EXPECT_EQ(top.put_v1("/sys/fs/cgroup/cpu", "200000\n").found(), 2u);
  tree deeper("4:cpu,cpuacct:/docker/c1/job\n", v1);
  deeper.put_v1("/sys/fs/cgroup/cpu", "700000\n").put_v1("/sys/fs/cgroup/cpu/job", "600000\n");
  EXPECT_EQ(deeper.found(), 6u);
  tree v2("0::/pods/p/c1\n", "30 23 0:26 /pods/p/c1 /sys/fs/cgroup ro - cgroup2 cgroup rw\n");
  EXPECT_EQ(v2.put("/sys/fs/cgroup/cpu.max", "250000 100000\n").found(), 3u);
  tree own_namespace("0::/\n", v2_mount);
  EXPECT_EQ(own_namespace.put("/sys/fs/cgroup/cpu.max", "400000 100000\n").found(), 4u);
}

HOP_TEST(B29, a_mount_of_another_group_says_nothing_about_ours) {
  for (const char* root : {"/docker/c2", "/docker/c", "/docker/c1/job", "/docker/c1//deleted", "/../x"}) {
    tree t("0::/docker/c1\n", "30 23 0:26 " + std::string(root) + " /sys/fs/cgroup ro - cgroup2 cgroup rw\n");
    t.put("/sys/fs/cgroup/cpu.max", "100000 100000\n").put("/sys/fs/cgroup/1/cpu.max", "100000 100000\n");
    EXPECT_EQ(t.found(), unlimited) << root;
  }
}

HOP_TEST(B29, outside_a_cgroup_namespace_only_what_is_surely_above_us_counts) {
  const std::pair<std::pair<const char*, const char*>, limit> cases[] = {
      {{"/", "/.."}, 2},           {{"/a", "/../.."}, 2},
      {{"/../x", "/../.."}, 2},    {{"/../x", "/.."}, 1},
      {{"/..x", "/.."}, 2},        {{"/..", "/.."}, 2},
      {{"/../x", "/"}, unlimited}, {{"/../../x", "/.."}, unlimited},
      {{"/", "/../y"}, unlimited}, {{"/a/../x", "/"}, unlimited}};
  for (const auto& [paths, cpus] : cases) {
    tree t("0::" + std::string(paths.first) + "\n",
           "30 23 0:26 " + std::string(paths.second) + " /m/cg rw - cgroup2 cgroup rw\n");
    t.put("/m/cg/cpu.max", "200000 100000\n")
        .put("/m/cg/x/cpu.max", "100000 100000\n")
        .put("/m/x/cpu.max", "100000 100000");
    EXPECT_EQ(t.found(), cpus) << paths.first << " in " << paths.second;
  }
}

HOP_TEST(B29, a_mount_that_another_one_covers_is_not_read) {
  const std::string other = "40 30 0:26 /other /sys/fs/cgroup rw - cgroup2 cgroup rw\n";
  for (const std::string& mounts : {v2_mount + other, other + v2_mount}) {
    tree t("0::/a\n", mounts);
    EXPECT_EQ(t.put("/sys/fs/cgroup/cpu.max", "100000 100000\n").found(), unlimited);
  }
}

HOP_TEST(B29, blanks_and_backslashes_in_paths_are_understood) {
  tree t("0::/a b/c\\d\n", "30 23 0:26 /a\\040b /my\\040cg\\134x rw - cgroup2 cgroup rw\n");
  EXPECT_EQ(t.put("/my cg\\x/c\\d/cpu.max", "300000 100000\n").found(), 3u);
}

HOP_TEST(B29, a_group_that_was_deleted_is_limited_by_those_above_it) {
  tree t("0::/a/gone (deleted)\n", v2_mount);
  EXPECT_EQ(t.put("/sys/fs/cgroup/a/cpu.max", "300000 100000\n").found(), 3u);
}

HOP_TEST(B29, where_nothing_is_mounted_or_readable_there_is_no_limit) {
  const tree empty;
  EXPECT_EQ(empty.found(), unlimited);
  EXPECT_EQ(cgroup_cpu_limit(empty.root() + "/none"), unlimited);
  EXPECT_EQ(tree("0::/\n", "").found(), unlimited);
  EXPECT_EQ(tree("", v2_mount).found(), unlimited);
  EXPECT_EQ(tree("4:cpu,cpuacct:/\n0::/\n", std::string(v1_mounts) + v2_mount).found(), unlimited);
  tree directories("0::/a\n", v2_mount);
  directories.put("/sys/fs/cgroup/a/cpu.max/x", "").put("/sys/fs/cgroup/cpu.max", "200000 100000\n");
  EXPECT_EQ(directories.found(), 2u);  // an unreadable one hides no other
}

// --- nonsense ---

HOP_TEST(B29, a_quota_that_the_kernel_would_not_write_is_no_limit) {
  tree v2("0::/\n", v2_mount);
  std::istringstream nonsense(
      "|\n| |max|max \n|100000\n|100000 \n| 100000 100000\n|100000  100000\n|100000\t100000\n|100000 0\n|0 100000\n"
      "|1 100000\n|-1 100000\n|-100000 -100000\n|+100000 100000\n|1e5 100000\n|0x186a0 100000\n|100000 100000 1\n"
      "|100000 100000\n\n|100000 100000\n1|1000 max\n|100000 9999999\n|100000 18446744073709551616\n"
      "|99999999999999999999 100000\n|100000,100000\n");
  for (std::string text; std::getline(nonsense, text, '|');)
    EXPECT_EQ(v2.put("/sys/fs/cgroup/cpu.max", text).found(), unlimited) << text;
  EXPECT_EQ(v2.put("/sys/fs/cgroup/cpu.max", std::string_view("100000 100000\0\n", 15)).found(), unlimited);
  tree v1("4:cpu,cpuacct:/\n", v1_mounts);
  for (const char* text :
       {"", "\n", "0\n", "12\n", "-2\n", "max\n", "100000 \n", "100000\n\n", "99999999999999999999\n"}) {
    EXPECT_EQ(v1.put_v1("/sys/fs/cgroup/cpu,cpuacct", text).found(), unlimited) << text;
    EXPECT_EQ(v1.put_v1("/sys/fs/cgroup/cpu,cpuacct", "100000\n", text).found(), unlimited) << text;
  }
}

HOP_TEST(B29, lines_that_are_no_lines_of_proc_are_passed_over) {
  const std::string junk = "\n:\n::\n0:\n0::\n0::a\n4:cpu\n1::/x\ncpu:/x\n0:cpu,:/x\n";
  const std::string mounts =
      "\n-\n - \n30\n30 23 0:26 / /m rw\n30 23 0:26 / /m rw - \n30 23 0:26 / m rw - cgroup2\n"
      "30 23 0:26 m / rw - cgroup2\n30 23 0:26 / /m rw - cgroup2x c rw\n30 23 0:26 / /m rw - cgroup c\n";
  tree t(junk, mounts + v2_mount);
  t.put("/m/cpu.max", "100000 100000\n").put("/sys/fs/cgroup/x/cpu.max", "100000 100000\n");
  t.put_v1("/m", "100000\n").put("/cpu.max", "100000 100000\n").put("/sys/fs/cgroup/cpu.max", "900000 100000\n");
  EXPECT_EQ(t.found(), unlimited);
  EXPECT_EQ(t.put("/proc/self/cgroup", junk + "0::/").found(), 9u);
  EXPECT_EQ(t.put("/proc/self/cgroup", "0::/" + std::string(1 << 20, 'x')).found(), unlimited);
  std::string deep = "0::";
  for (int i = 0; i < 100'000; ++i) deep += "/x";
  EXPECT_EQ(t.put("/proc/self/cgroup", deep).found(), unlimited);
  EXPECT_EQ(t.put("/proc/self/cgroup", "0::/\n" + std::string(17 << 20, '\n')).found(), unlimited);
}

HOP_TEST(B29, a_path_that_is_no_path_leads_nowhere) {
  using namespace std::string_view_literals;
  for (const auto paths : {"/ m"sv, "m /m"sv, " /m"sv, "/ /m/cpu.max\0x"sv}) {
    tree t;
    t.put("/in/proc/self/cgroup", "0::/\n")
        .put("/in/m/cpu.max", "100000 100000\n")
        .put("/inm/cpu.max", "100000 100000\n");
    t.put("/in/proc/self/mountinfo", "30 23 0:26 " + std::string(paths) + " rw - cgroup2 c rw\n");
    EXPECT_EQ(cgroup_cpu_limit(t.root() + "/in"), unlimited) << paths;
  }
}

std::string noise(prng& random, std::uint32_t most) {
  static constexpr std::string_view often = "0123456789 \n\n::///--,..\\cpumax";
  std::string text;
  for (std::uint32_t n = random.below(most); n > 0; --n)
    text += random.below(8) == 0 ? static_cast<char>(random.below(256))
                                 : often[random.below(static_cast<std::uint32_t>(often.size()))];
  return text;
}

// Some places cut out, doubled or overwritten.
std::string damaged(std::string text, prng& random) {
  for (std::uint32_t n = 1 + random.below(3); n > 0; --n) {
    const std::size_t at = random.below(static_cast<std::uint32_t>(text.size()) + 1);
    const std::size_t length = random.below(6);
    if (random.below(3) == 0)
      text.insert(at, text.substr(at / 2, length));
    else
      text.replace(at, length, noise(random, 6));
  }
  return text;
}

// What a cpu.max says, told in another way.
limit reading_of(const std::string& text) {
  static const std::regex line("0*([0-9]{4,18}) 0*([0-9]{4,7})\n?");
  std::smatch found;
  if (!std::regex_match(text, found, line)) return unlimited;
  const std::uint64_t quota = std::stoull(found[1]), period = std::stoull(found[2]);
  if (quota < 1'000 || period < 1'000 || period > 1'000'000) return unlimited;
  return (quota + period - 1) / period;
}

HOP_TEST(B29, a_damaged_quota_is_read_as_what_it_says_or_as_no_limit) {
  prng random(hop::test::seed());
  tree t("0::/\n", v2_mount);
  std::size_t limits = 0;
  for (std::size_t i = 0; i < hop::test::scaled(3'000, 500); ++i) {
    const std::string text = random.below(4) == 0 ? noise(random, 40) : damaged("250000 100000\n", random);
    const limit found = t.put("/sys/fs/cgroup/cpu.max", text).found();
    ASSERT_EQ(found, reading_of(text)) << ::testing::PrintToString(text);
    if (found) ++limits;
  }
  EXPECT_GT(limits, 10u) << "no damage left anything to read: the test is blind";
}

HOP_TEST(B29, nonsense_in_proc_neither_crashes_nor_invents_a_limit) {
  prng random(hop::test::seed());
  const std::string groups = "4:cpu,cpuacct:/a/b\n1:name=systemd:/s\n0::/a/b\n";
  const std::string mounts = std::string(v1_mounts) + "30 31 0:26 / /cg rw shared:9 - cgroup2 cgroup2 rw\n";
  tree t;
  t.put_v1("/sys/fs/cgroup/cpu,cpuacct/a", "700000\n").put("/cg/a/b/cpu.max", "500000 100000\n");
  std::size_t limits = 0, none = 0;
  for (std::size_t i = 0; i < hop::test::scaled(3'000, 500); ++i) {
    const bool pure = random.below(4) == 0;
    t.put("/proc/self/cgroup", pure ? noise(random, 200) : damaged(groups, random));
    t.put("/proc/self/mountinfo", pure && random.below(2) == 0 ? noise(random, 2'000) : damaged(mounts, random));
    const limit found = t.found();
    ASSERT_TRUE(found == unlimited || found == limit(7) || found == limit(5)) << *found;
    const std::size_t count = cpu_quota(t.root());
    ASSERT_EQ(count, std::min(cpus_here(), found.value_or(cpus_here())));
    ++(found ? limits : none);
  }
  EXPECT_GT(limits, 100u);
  EXPECT_GT(none, 100u);
}

// --- both limits together ---

HOP_TEST(B29, the_count_is_never_above_the_affinity_mask_nor_above_the_quota_nor_0) {
  tree t("0::/\n", v2_mount);
  const std::string file = "/sys/fs/cgroup/cpu.max";
  for (int n = 1; n <= static_cast<int>(cpus_here()); ++n) {
    const only_cpus some(n);
    const auto cpus = static_cast<std::size_t>(n);
    EXPECT_EQ(cpu_quota(t.put(file, "max 100000\n").root()), cpus);
    EXPECT_EQ(cpu_quota(t.put(file, "99900000 100000\n").root()), cpus);
    EXPECT_EQ(cpu_quota(t.put(file, "150000 100000\n").root()), std::min<std::size_t>(2, cpus));
    EXPECT_EQ(cpu_quota(t.put(file, "1000 100000\n").root()), 1u);
    EXPECT_EQ(cpu_quota(t.put(file, "nonsense").root()), cpus);
  }
}

int fib(int n) {
  if (n < 2) return n;
  const auto [a, b] = hop::join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
  return a + b;
}

HOP_TEST(B29, a_process_with_one_processor_has_one_worker_and_does_not_hang) {
  const hop_workers unset(nullptr);
  const only_cpus one(1);
  hop::runtime rt;
  EXPECT_EQ(rt.workers(), 1u);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(rt.run([] { return fib(12); }), 144);
}

// --- taskset and HOP_WORKERS ---

HOP_TEST(B15, a_process_under_taskset_has_as_many_workers_as_processors) {
  const hop_workers unset(nullptr);
  const std::size_t all = cpus_here();
  const std::size_t here = default_worker_count();
  EXPECT_LE(here, all);
  EXPECT_EQ(here, cpu_quota());
  {
    const only_cpus one(1);
    EXPECT_EQ(default_worker_count(), 1u);
    std::size_t in_thread = 0;
    std::thread([&] { in_thread = default_worker_count(); }).join();  // inherited, as a program started by taskset does
    EXPECT_EQ(in_thread, 1u);
    EXPECT_EXIT(std::_Exit(static_cast<int>(default_worker_count())), ExitedWithCode(1), "");
  }
  EXPECT_EQ(default_worker_count(), here);
}

HOP_TEST(B15, HOP_WORKERS_wins_over_the_machine) {
  const only_cpus one(1);
  EXPECT_EQ(count_with("1"), 1u);
  EXPECT_EQ(count_with("7"), 7u);
  EXPECT_EQ(count_with("4096"), 4096u);
  EXPECT_EQ(count_with("4k"), 4096u);
  EXPECT_EQ(count_with(""), 1u);
  EXPECT_EQ(count_with(nullptr), 1u);
}

HOP_TEST(B15, a_runtime_has_the_workers_it_was_told_else_those_of_HOP_WORKERS) {
  const hop_workers three("3");
  EXPECT_EQ(hop::runtime().workers(), 3u);
  EXPECT_EQ(hop::runtime({.workers = 2}).workers(), 2u);
}

HOP_TEST(B15, a_wrong_HOP_WORKERS_is_named_with_what_is_allowed) {
  for (const char* wrong : {"0", "4097", "5k", "-1", "2.5", "many", " 2", "2 ", "99999999999999999999"}) {
    const std::string text = "hopsack: HOP_WORKERS='" + std::string(wrong) +
                             "' is not allowed; allowed: a whole number from 1 to 4096, suffixes k, m, g";
    EXPECT_EXIT(static_cast<void>(count_with(wrong)), ExitedWithCode(2), text);
  }
}

}  // namespace
