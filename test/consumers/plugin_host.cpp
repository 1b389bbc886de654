// Loads the plugins it is given, asks each for its answer and unloads it. Knows nothing of hopsack.
#include <dlfcn.h>

#include <cstdio>

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    void* plugin = ::dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
    if (plugin == nullptr) return std::printf("%s\n", ::dlerror()), 1;
    auto* answer = reinterpret_cast<int (*)()>(::dlsym(plugin, "plugin_answer"));
    if (answer == nullptr) return std::printf("%s\n", ::dlerror()), 1;
    std::printf("answer %d\n", answer());
    ::dlclose(plugin);
    // Code that fiber stacks and workers return into must outlive the plugin that brought it.
    void* library = ::dlopen("libhopsack.so.0", RTLD_NOW | RTLD_NOLOAD);
    std::printf("libhopsack.so.0 %s\n", library != nullptr ? "stays" : "is not there");
  }
}
