// The kernel's memory calls, with refusals where a test wants them.
#pragma once

#include <atomic>
#include <cerrno>
#include <limits>

#include <hop/fiber/vm_port.hpp>

namespace hop::fiber::test {

class fake_vm final : public vm_port {
 public:
  static constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

  std::size_t largest_reservation = never;  // beyond it: ENOMEM
  int guard_refusal = 0;                    // what every guard() gets; EINVAL is an old kernel
  std::size_t guards_before_refusal = 0;    // how many succeed first
  std::size_t protects_before_refusal = never;
  bool refuse_renew = false;
  std::size_t maps = 65530;

  std::atomic<std::size_t> reserves = 0, guards = 0, protects = 0, renews = 0, discards = 0;

  int reserve(std::size_t bytes, std::byte** out) noexcept override {
    ++reserves;
    return bytes > largest_reservation ? ENOMEM : kernel_vm().reserve(bytes, out);
  }
  int release(std::byte* at, std::size_t bytes) noexcept override { return kernel_vm().release(at, bytes); }
  int guard(std::byte* at, std::size_t bytes) noexcept override {
    if (guard_refusal != 0 && guards >= guards_before_refusal) return guard_refusal;
    ++guards;
    return kernel_vm().guard(at, bytes);
  }
  int protect(std::byte* at, std::size_t bytes) noexcept override {
    if (protects >= protects_before_refusal) return ENOMEM;
    ++protects;
    return kernel_vm().protect(at, bytes);
  }
  int renew(std::byte* at, std::size_t bytes) noexcept override {
    if (refuse_renew) return ENOMEM;
    ++renews;
    return kernel_vm().renew(at, bytes);
  }
  int discard(std::byte* at, std::size_t bytes) noexcept override {
    ++discards;
    return kernel_vm().discard(at, bytes);
  }
  std::size_t map_limit() noexcept override { return maps; }
};

}  // namespace hop::fiber::test
