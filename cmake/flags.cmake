# Flags of this tree's own targets. Nothing here reaches a consumer: see library.cmake for what does.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(THREADS_PREFER_PTHREAD_FLAG ON)

if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})  # build/<preset>/<program>, where ./dev looks
  if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)
  endif()
  if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
    find_program(HOP_CCACHE ccache)
    mark_as_advanced(HOP_CCACHE)
    if(HOP_CCACHE)
      # Precompiled headers are cached only if ccache may trust them (and gcc keeps their include visible, see tests.cmake).
      set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros ${HOP_CCACHE})
    endif()
  endif()
  if(NOT HOP_SANITIZE STREQUAL none)
    # The whole tree, not a target: one object without it would hide what the others see.
    add_compile_options(-fsanitize=${HOP_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    add_link_options(-fsanitize=${HOP_SANITIZE})
    # g++ warns of its own library's code once instrumentation has hidden what it knew; the plain builds keep these warnings.
    add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized> $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds>
      $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>)
  endif()
endif()

# hop_warn(<target>): the warnings of our own code.
function(hop_warn target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Woverloaded-virtual
    -Wold-style-cast -Wcast-align -Wextra-semi
    $<$<CXX_COMPILER_ID:Clang>:-Wthread-safety>
    $<$<BOOL:${HOP_WERROR}>:-Werror>)
endfunction()

# hop_globbed(<variable> <pattern>...): sorted sources; a new file needs no edit, a missing directory gives nothing.
function(hop_globbed variable)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE patterns)
  file(GLOB found CONFIGURE_DEPENDS ${patterns})
  list(SORT found)
  set(${variable} ${found} PARENT_SCOPE)
endfunction()
