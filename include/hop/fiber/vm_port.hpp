// The kernel's memory calls that stacks need, as an interface: tests put one in between that refuses.
#pragma once

#include <cstddef>

#include <hop/base/cache_line.hpp>

namespace hop::fiber {

// Every call gives 0, or the errno of a refusal. Addresses and sizes are multiples of the page.
class vm_port {
 public:
  vm_port() = default;
  vm_port(const vm_port&) = delete;
  vm_port& operator=(const vm_port&) = delete;
  virtual ~vm_port() = default;

  // Address space that costs nothing until touched; no huge pages in it.
  [[nodiscard]] virtual int reserve(std::size_t bytes, std::byte** out) noexcept = 0;
  [[nodiscard]] virtual int release(std::byte* at, std::size_t bytes) noexcept = 0;
  // A guard inside a mapping, without splitting it (Linux 6.13); EINVAL where the kernel does not know it.
  [[nodiscard]] virtual int guard(std::byte* at, std::size_t bytes) noexcept = 0;
  // A guard as a mapping of its own.
  [[nodiscard]] virtual int protect(std::byte* at, std::size_t bytes) noexcept = 0;
  // As just reserved: pages, page tables and guards are gone.
  [[nodiscard]] virtual int renew(std::byte* at, std::size_t bytes) noexcept = 0;
  // Pages are gone; guards and page tables stay.
  [[nodiscard]] virtual int discard(std::byte* at, std::size_t bytes) noexcept = 0;
  // How many mappings a process may have (vm.max_map_count).
  [[nodiscard]] virtual std::size_t map_limit() noexcept = 0;
};

// The real one; lives as long as the process.
[[nodiscard]] HOP_EXPORT vm_port& kernel_vm() noexcept;

}  // namespace hop::fiber
