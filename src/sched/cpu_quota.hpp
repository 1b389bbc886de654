// How many workers this process should have: what its affinity mask and its cgroup give, HOP_WORKERS before both.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace hop::sched {

// Processors that the cgroup's CPU quota gives, v1 or v2: rounded up, at least 1. The smallest from the process's group up to
// the root of what is mounted counts. nullopt: no limit, or none that can be read. `root`: where /proc and /sys are; tests
// plant trees.
[[nodiscard]] std::optional<std::size_t> cgroup_cpu_limit(const std::string& root = "") noexcept;

// Whole processors, at least 1: those of the calling thread's affinity mask, never above the cgroup's limit.
[[nodiscard]] std::size_t cpu_quota(const std::string& root = "") noexcept;

// HOP_WORKERS, else cpu_quota(). A wrong HOP_WORKERS ends the process with status 2.
[[nodiscard]] std::size_t default_worker_count();

}  // namespace hop::sched
