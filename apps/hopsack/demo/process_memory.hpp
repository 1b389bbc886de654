// What the kernel says of memory: this process's, and what is left.
#pragma once

#include <fstream>
#include <string>

namespace hopsack::demo {

// A line `<field>: <n> kB` of a file under /proc, in bytes; 0 where there is none.
inline double proc_bytes(const char* file, const std::string& field) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.compare(0, field.size() + 1, field + ":") == 0) return std::stod(line.substr(field.size() + 1)) * 1024;
  }
  return 0;
}

// Resident memory, counted page by page where the kernel does that; VmRSS is off by some pages for every processor.
inline double resident_bytes() {
  const double counted = proc_bytes("/proc/self/smaps_rollup", "Rss");
  return counted > 0 ? counted : proc_bytes("/proc/self/status", "VmRSS");
}

struct process_memory {
  double resident = resident_bytes();
  double tables = proc_bytes("/proc/self/status", "VmPTE");

  [[nodiscard]] double all() const { return resident + tables; }
};

}  // namespace hopsack::demo
