# What the library needs: Boost.Context, threads, and {fmt} inside .cpp files (header-only, so that users need none of it).
find_package(Threads REQUIRED)
find_package(Boost 1.81 CONFIG QUIET COMPONENTS context)
if(NOT TARGET Boost::context)
  find_package(Boost 1.81 REQUIRED COMPONENTS context)
endif()
find_package(fmt REQUIRED)
