// What the kernel says of this process's memory.
#pragma once

#include <sys/uio.h>
#include <unistd.h>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>

namespace hop::fiber::test {

// A line of /proc/self/status, in bytes.
inline std::size_t status_bytes(const std::string& field) {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);) {
    if (line.rfind(field + ":", 0) == 0) return std::stoul(line.substr(field.size() + 1)) * 1024;
  }
  return 0;
}

// What a parked fiber costs: touched pages and page tables.
inline std::size_t memory_used() { return status_bytes("VmRSS") + status_bytes("VmPTE"); }

// Mappings that overlap [begin, end).
inline std::size_t mappings_in(const void* begin, const void* end) {
  std::ifstream in("/proc/self/maps");
  std::size_t n = 0;
  for (std::string line; std::getline(in, line);) {
    unsigned long long low = 0, high = 0;
    if (std::sscanf(line.c_str(), "%llx-%llx", &low, &high) != 2) continue;
    if (low < reinterpret_cast<std::uintptr_t>(end) && high > reinterpret_cast<std::uintptr_t>(begin)) ++n;
  }
  return n;
}

// Asks the kernel to read a byte there, so a guard answers without a signal.
inline bool readable(const void* at) {
  char byte = 0;
  iovec to{&byte, 1};
  iovec from{const_cast<void*>(at), 1};
  return ::process_vm_readv(::getpid(), &to, 1, &from, 1, 0) == 1;
}

}  // namespace hop::fiber::test
