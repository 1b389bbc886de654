// A file that is missing, unreadable or not as the kernel writes it gives no limit: too many workers are slow, one worker
// on sixty-four processors is a riddle.
#include "sched/cpu_quota.hpp"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <vector>

#include <hop/base/env.hpp>

namespace hop::sched {

namespace {

using std::string_view;

constexpr std::size_t no_limit = SIZE_MAX;
constexpr std::size_t longest_file_bytes = 16 << 20;  // mountinfo with the kernel's 100,000 mounts
constexpr std::size_t longest_path_bytes = 4096;

enum class hierarchy : std::uint8_t {
  none,
  v1,
  v2
};  // the one that could limit us; none: neither of them

struct group {
  hierarchy in;
  string_view path;
};

// A line of mountinfo, its paths still escaped.
struct mount {
  string_view id, parent, root, point;
  hierarchy of;
};

std::size_t affinity_count() noexcept {
  // The mask may be longer than cpu_set_t on large machines: the kernel says EINVAL until it fits.
  for (std::size_t cpus = 1024; cpus <= 1u << 20; cpus *= 4) {
    cpu_set_t* const set = CPU_ALLOC(cpus);
    if (set == nullptr) break;
    const std::size_t bytes = CPU_ALLOC_SIZE(cpus);
    const bool ok = ::sched_getaffinity(0, bytes, set) == 0;
    const bool too_short = !ok && errno == EINVAL;
    const int count = ok ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (ok) return static_cast<std::size_t>(std::max(count, 1));
    if (!too_short) break;
  }
  return static_cast<std::size_t>(std::max(::sysconf(_SC_NPROCESSORS_ONLN), 1L));
}

struct open_file {
  explicit open_file(const std::string& path) noexcept : fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  open_file(const open_file&) = delete;
  open_file& operator=(const open_file&) = delete;
  ~open_file() {
    if (fd >= 0) ::close(fd);
  }
  const int fd;
};

// All of the file; empty when it cannot be read, is too long or is no text.
std::string read_text(const std::string& path) {
  const open_file file(path);
  std::string text;
  char piece[4096];
  while (text.size() <= longest_file_bytes) {
    const ssize_t n = ::read(file.fd, piece, sizeof piece);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return {};
    if (n == 0) return text.find('\0') == std::string::npos ? text : std::string{};
    text.append(piece, static_cast<std::size_t>(n));
  }
  return {};
}

// Takes the front of `text` up to the separator.
string_view take(string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const string_view front = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return front;
}

bool lists(string_view words, string_view word) {
  while (!words.empty())
    if (take(words, ',') == word) return true;
  return false;
}

// The number that is all of `text`.
std::optional<std::uint64_t> number(string_view text) {
  std::uint64_t n = 0;
  const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (bad != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return n;
}

// mountinfo writes space, tab, newline and backslash as \ooo.
std::string unescaped(string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned code = 0;
    const char* const digits = text.data() + i + 1;
    const bool escape = text[i] == '\\' && i + 4 <= text.size() &&
                        std::from_chars(digits, digits + 3, code, 8).ptr == digits + 3 && code != 0 && code < 256;
    out += escape ? static_cast<char>(code) : text[i];
    if (escape) i += 3;
  }
  return out;
}

// "4:cpu,cpuacct:/path" and, of v2, "0::/path". The path may have colons.
group parse_group(string_view line) {
  const string_view id = take(line, ':');
  const string_view controllers = take(line, ':');
  if (!line.starts_with('/') || line.size() > longest_path_bytes) return {hierarchy::none, {}};
  if (id == "0" && controllers.empty()) return {hierarchy::v2, line};
  return {lists(controllers, "cpu") ? hierarchy::v1 : hierarchy::none, line};
}

// "id parent device root point options tags... - type source superoptions". No path has a blank: they are escaped.
mount parse_mount(string_view line) {
  mount m{take(line, ' '), take(line, ' '), {}, {}, hierarchy::none};
  take(line, ' ');
  m.root = take(line, ' ');
  m.point = take(line, ' ');
  const std::size_t dash = line.find(" - ");
  const bool whole = m.root.starts_with('/') && m.point.starts_with('/') && dash != string_view::npos;
  if (!whole || std::max(m.root.size(), m.point.size()) > longest_path_bytes) return m;
  line.remove_prefix(dash + 3);
  const string_view type = take(line, ' ');
  take(line, ' ');
  if (type == "cgroup2") m.of = hierarchy::v2;
  if (type == "cgroup" && lists(line, "cpu")) m.of = hierarchy::v1;
  return m;
}

template <class Parse>
auto parse_lines(string_view text, Parse parse) {
  std::vector<decltype(parse(text))> all;
  while (!text.empty()) all.push_back(parse(take(text, '\n')));
  return all;
}

// Something else is mounted over it: at its point is another group, perhaps one that is none of ours.
bool covered(const mount& m, const std::vector<mount>& mounts) {
  return std::any_of(mounts.begin(), mounts.end(),
                     [&](const mount& over) { return over.parent == m.id && over.point == m.point && &over != &m; });
}

// Steps up that a path begins with: "/../../a" has two.
std::size_t steps_up(string_view path) {
  std::size_t steps = 0;
  while (path.starts_with("/..") && (path.size() == 3 || path[3] == '/')) {
    path.remove_prefix(3);
    ++steps;
  }
  return steps;
}

// Where the group is below a mount's root: "" at the root itself, else "/a/b". nullopt: not there.
std::optional<std::string> path_below(string_view root, string_view path) {
  if (root == "/") root = {};
  if (path == "/") path = {};
  const string_view rest = path.substr(std::min(root.size(), path.size()));
  if (path.starts_with(root) && (rest.empty() || rest[0] == '/')) {
    std::string below(rest);
    if ((below + '/').find("/../") != std::string::npos) return std::nullopt;
    return below;
  }
  // A mount from outside our cgroup namespace: its root is so many steps above us, by which names nobody says. But above.
  const std::size_t up = steps_up(root);
  if (up > steps_up(path) && root.size() == 3 * up) return std::string{};
  return std::nullopt;
}

// The kernel refuses times outside these bounds, so a file that has them is not what it seems.
std::size_t whole_cpus(std::optional<std::uint64_t> quota_us, std::optional<std::uint64_t> period_us) {
  if (!quota_us || !period_us || *quota_us < 1'000 || *period_us < 1'000 || *period_us > 1'000'000) return no_limit;
  return *quota_us / *period_us + (*quota_us % *period_us != 0 ? 1 : 0);
}

// The number in a file of one line.
std::optional<std::uint64_t> number_in(const std::string& file) {
  const std::string text = read_text(file);
  return text.ends_with('\n') ? number(string_view(text).substr(0, text.size() - 1)) : number(text);
}

// Unlimited is "max" in v2 and -1 in v1: no number.
std::size_t limit_of(const std::string& directory, hierarchy in) {
  if (in == hierarchy::v1)
    return whole_cpus(number_in(directory + "/cpu.cfs_quota_us"), number_in(directory + "/cpu.cfs_period_us"));
  const std::string text = read_text(directory + "/cpu.max");
  string_view period = text;
  if (period.ends_with('\n')) period.remove_suffix(1);
  const string_view quota = take(period, ' ');
  return whole_cpus(number(quota), number(period));
}

// A group has no more than any group above it. `top`: the mount point, as far up as we can see.
std::size_t smallest_up_to(const std::string& top, const std::string& below, hierarchy in) {
  std::string directory = top + below;
  std::size_t least = limit_of(directory, in);
  while (directory.size() > top.size()) {
    directory.resize(directory.rfind('/'));
    least = std::min(least, limit_of(directory, in));
  }
  return least;
}

std::size_t smallest_limit(const std::string& root) {
  const std::string group_lines = read_text(root + "/proc/self/cgroup");
  const std::string mount_lines = read_text(root + "/proc/self/mountinfo");
  const std::vector<mount> mounts = parse_lines(mount_lines, parse_mount);
  std::size_t least = no_limit;
  for (const group& g : parse_lines(group_lines, parse_group)) {
    for (const mount& m : mounts) {
      if (g.in == hierarchy::none || m.of != g.in || covered(m, mounts)) continue;
      const auto below = path_below(unescaped(m.root), g.path);
      if (below) least = std::min(least, smallest_up_to(root + unescaped(m.point), *below, g.in));
    }
  }
  return least;
}

}  // namespace

std::optional<std::size_t> cgroup_cpu_limit(const std::string& root) noexcept try {
  const std::size_t least = smallest_limit(root);
  if (least == no_limit) return std::nullopt;
  return least;
} catch (...) {
  return std::nullopt;  // no memory for a few lines of text
}

std::size_t cpu_quota(const std::string& root) noexcept {
  return std::min(affinity_count(), cgroup_cpu_limit(root).value_or(no_limit));
}

std::size_t default_worker_count() {
  if (const auto n = base::env_size("HOP_WORKERS", {1, 4096})) return static_cast<std::size_t>(*n);
  return cpu_quota();
}

}  // namespace hop::sched
