# test/unit/<room>/*.cpp -> test_<room>; test/timing/*.cpp -> test_timing, which only a plain release build can answer.
find_package(GTest QUIET)
hop_globbed(support_sources test/support/*.cpp)
if(NOT GTest_FOUND OR NOT support_sources)
  message(STATUS "GoogleTest is not installed (./dev setup): no tests")  # `./dev run` needs none of them
  return()
endif()

# The support library carries the precompiled header that all test programs use.
add_library(hop_test_support STATIC ${support_sources})
hop_warn(hop_test_support)
target_include_directories(hop_test_support PUBLIC ${PROJECT_SOURCE_DIR}/test ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(hop_test_support PUBLIC hopsack::static GTest::gtest)
target_precompile_headers(hop_test_support PRIVATE
  <gtest/gtest.h> <atomic> <chrono> <cstdint> <functional> <memory> <optional> <string> <string_view> <thread> <vector>)
target_compile_options(hop_test_support PUBLIC $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)  # lets ccache see through it

function(hop_test_program name)
  add_executable(${name} ${ARGN})
  hop_warn(${name})
  target_link_libraries(${name} PRIVATE hop_test_support)
  target_precompile_headers(${name} REUSE_FROM hop_test_support)
endfunction()

file(GLOB rooms CONFIGURE_DEPENDS LIST_DIRECTORIES true RELATIVE ${PROJECT_SOURCE_DIR}/test/unit ${PROJECT_SOURCE_DIR}/test/unit/*)
list(REMOVE_ITEM rooms model)  # has the checker's meaning of base::, see model.cmake
set(hop_test_programs)
foreach(room IN LISTS rooms)
  hop_globbed(sources test/unit/${room}/*.cpp)
  if(sources)
    hop_test_program(test_${room} ${sources})
    list(APPEND hop_test_programs test_${room})
  endif()
endforeach()

hop_globbed(timing_sources test/timing/*.cpp)
if(timing_sources AND HOP_SANITIZE STREQUAL none AND NOT HOP_CHECKED)
  hop_test_program(test_timing ${timing_sources})
  list(APPEND hop_test_programs test_timing)
endif()
add_custom_target(hop_tests DEPENDS ${hop_test_programs})
