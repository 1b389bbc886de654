// Loads the program as a shared library: thread-locals are then reached in another way.
#include <dlfcn.h>
#include <cstdio>

int main(int, char** argv) {
  void* library = dlopen(argv[1], RTLD_NOW);
  if (library == nullptr) return std::printf("%s\n", dlerror()), 1;
  auto* entry = reinterpret_cast<int (*)()>(dlsym(library, "hop_matrix_main"));
  return entry == nullptr ? 1 : entry();
}
