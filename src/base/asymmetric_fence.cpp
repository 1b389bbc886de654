#include <hop/base/asymmetric_fence.hpp>

#if !HOP_MODEL

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <hop/base/assert.hpp>

namespace hop::base {
namespace {

[[maybe_unused]] long membarrier(int command) noexcept { return ::syscall(SYS_membarrier, command, 0, 0); }

}  // namespace

bool fence_heavy_works() noexcept {
#if HOP_TSAN
  return true;
#else
  static const bool works = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0;
  return works;
#endif
}

void fence_heavy() noexcept {
  fence_seq_cst();
#if !HOP_TSAN
  HOP_ASSERT(fence_heavy_works(), "fence_heavy() where membarrier is refused");
  const bool done = membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0;
  HOP_ASSERT(done, "membarrier refused after it was granted");
#endif
  fence_seq_cst();
}

}  // namespace hop::base

#endif
