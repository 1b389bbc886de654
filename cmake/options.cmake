# Every switch of the build. A consumer's add_subdirectory gets the library alone; the rest is ours.
include(CMakeDependentOption)
include(GNUInstallDirs)

# hop_choice(<name> <default> <help> <allowed>...): a string option that refuses what it does not know.
function(hop_choice name default help)
  set(${name} ${default} CACHE STRING "${help}")
  set_property(CACHE ${name} PROPERTY STRINGS ${ARGN})
  if(NOT ${name} IN_LIST ARGN)
    list(JOIN ARGN ", " allowed)
    message(FATAL_ERROR "${name} is '${${name}}'; allowed: ${allowed}")
  endif()
endfunction()

# hop_bytes(<name> <default> <minimum> <help>): a size in bytes, a multiple of the page.
function(hop_bytes name default minimum help)
  set(${name} ${default} CACHE STRING "${help}")
  if(NOT ${name} MATCHES "^[0-9]+$")
    message(FATAL_ERROR "${name} is '${${name}}'; it takes a number of bytes")
  endif()
  math(EXPR rest "${${name}} % 4096")
  if(${name} LESS ${minimum} OR NOT rest EQUAL 0)
    message(FATAL_ERROR "${name} is ${${name}}; it must be a multiple of 4096, at least ${minimum}")
  endif()
endfunction()

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(switch_default fast)
else()
  set(switch_default boost)
endif()
hop_choice(HOP_SWITCH ${switch_default} "How stacks are switched: our own few instructions (x86-64), or Boost.Context" fast boost)
if(HOP_SWITCH STREQUAL fast AND NOT switch_default STREQUAL fast)
  message(FATAL_ERROR "HOP_SWITCH=fast knows x86-64 only, this is ${CMAKE_SYSTEM_PROCESSOR}; use HOP_SWITCH=boost")
endif()

hop_bytes(HOP_STACK_BYTES 262144 16384 "Stack of an ordinary task; only touched pages cost memory")
hop_bytes(HOP_LARGE_STACK_BYTES 8388608 65536 "Stack of the large class, for libraries written for threads")
set(HOP_QUEUE_SLOTS 4096 CACHE STRING "Slots of a worker's deque; what does not fit is put by, not lost")
if(NOT HOP_QUEUE_SLOTS MATCHES "^(16|32|64|128|256|512|1024|2048|4096|8192|16384)$")
  message(FATAL_ERROR "HOP_QUEUE_SLOTS is '${HOP_QUEUE_SLOTS}'; it takes a power of two from 16 to 16384")
endif()
hop_choice(HOP_SANITIZE "none" "Sanitizers for everything built here" none address,undefined thread)

option(HOP_CHECKED "Debug asserts and lock ranks; changes class layouts, so the library and its users must agree" OFF)
option(HOP_MODEL "Build the model checker and nothing else" OFF)
option(HOP_WERROR "Warnings in our own targets are errors" ${PROJECT_IS_TOP_LEVEL})
option(HOP_BUILD_TESTS "Unit and timing tests (needs GoogleTest)" ${PROJECT_IS_TOP_LEVEL})
option(HOP_BUILD_BENCH "Benchmarks, and those of the peers that are installed" ${PROJECT_IS_TOP_LEVEL})
option(HOP_BUILD_APPS "Programs under apps/ (needs CLI11)" ${PROJECT_IS_TOP_LEVEL})
option(HOP_BUILD_SHARED "libhopsack.so beside libhopsack.a" ${PROJECT_IS_TOP_LEVEL})
option(HOP_INSTALL "Rules for cmake --install" ${PROJECT_IS_TOP_LEVEL})

# What library and users must agree on, because class layouts and inline functions depend on it: public definitions.
function(hop_zero_or_one variable)
  if(${ARGN})
    set(${variable} 1 PARENT_SCOPE)
  else()
    set(${variable} 0 PARENT_SCOPE)
  endif()
endfunction()
hop_zero_or_one(checked HOP_CHECKED)
hop_zero_or_one(switch_boost HOP_SWITCH STREQUAL boost)
set(hop_public_definitions
  HOP_CHECKED=${checked} HOP_SWITCH_BOOST=${switch_boost}
  HOP_STACK_BYTES=${HOP_STACK_BYTES} HOP_LARGE_STACK_BYTES=${HOP_LARGE_STACK_BYTES}
  HOP_QUEUE_SLOTS=${HOP_QUEUE_SLOTS})
