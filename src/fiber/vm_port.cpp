#include <hop/fiber/vm_port.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cerrno>
#include <cstdlib>
#include <new>

namespace hop::fiber {
namespace {

constexpr int madv_guard_install = 102;  // Linux 6.13; not in the headers of glibc 2.36

class kernel_port final : public vm_port {
 public:
  int reserve(std::size_t bytes, std::byte** out) noexcept override {
    void* p = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (p == MAP_FAILED) return errno;
    no_huge_pages(p, bytes);
    *out = static_cast<std::byte*>(p);
    return 0;
  }
  int release(std::byte* at, std::size_t bytes) noexcept override { return ::munmap(at, bytes) == 0 ? 0 : errno; }
  int guard(std::byte* at, std::size_t bytes) noexcept override {
    int rc = 0;
    do {
      rc = ::madvise(at, bytes, madv_guard_install);
    } while (rc != 0 && errno == EINTR);
    return rc == 0 ? 0 : errno;
  }
  int protect(std::byte* at, std::size_t bytes) noexcept override {
    return ::mprotect(at, bytes, PROT_NONE) == 0 ? 0 : errno;
  }
  int renew(std::byte* at, std::size_t bytes) noexcept override {
    void* p = ::mmap(at, bytes, PROT_READ | PROT_WRITE, flags | MAP_FIXED, -1, 0);
    if (p == MAP_FAILED) return errno;
    no_huge_pages(p, bytes);  // also what lets the kernel merge it with its neighbours again
    return 0;
  }
  int discard(std::byte* at, std::size_t bytes) noexcept override {
    return ::madvise(at, bytes, MADV_DONTNEED) == 0 ? 0 : errno;
  }

  std::size_t map_limit() noexcept override {
    constexpr std::size_t kernel_default = 65530;
    const int fd = ::open("/proc/sys/vm/max_map_count", O_RDONLY | O_CLOEXEC);
    if (fd < 0) return kernel_default;
    char text[32] = {};
    const ssize_t n = ::read(fd, text, sizeof text - 1);
    ::close(fd);
    const unsigned long long value = n > 0 ? std::strtoull(text, nullptr, 10) : 0;
    return value != 0 ? static_cast<std::size_t>(value) : kernel_default;
  }

 private:
  static constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

  // A kernel without huge pages refuses the advice and needs none.
  static void no_huge_pages(void* p, std::size_t bytes) noexcept { (void)::madvise(p, bytes, MADV_NOHUGEPAGE); }
};

}  // namespace

vm_port& kernel_vm() noexcept {
  alignas(kernel_port) static std::byte room[sizeof(kernel_port)];
  static vm_port& port = *new (room) kernel_port;  // never destroyed: stacks may outlive static objects
  return port;
}

}  // namespace hop::fiber
