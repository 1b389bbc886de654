# hop_model: the checker (src/model), the pieces it checks (test/model) and the product sources that run under it as they
# stand (src/model/product_sources.cmake sets HOP_MODEL_PRODUCT_SOURCES, paths relative to the project).
hop_globbed(model_sources src/model/*.cpp)
hop_globbed(model_pieces test/model/*.cpp)
set(HOP_MODEL_PRODUCT_SOURCES)
include(${PROJECT_SOURCE_DIR}/src/model/product_sources.cmake OPTIONAL)
list(TRANSFORM HOP_MODEL_PRODUCT_SOURCES PREPEND ${PROJECT_SOURCE_DIR}/)

function(hop_model_program target)
  add_executable(${target} ${ARGN})
  hop_warn(${target})
  target_compile_definitions(${target} PRIVATE HOP_MODEL=1 ${hop_public_definitions})
  target_include_directories(${target} PRIVATE
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/test)
  target_link_libraries(${target} PRIVATE Threads::Threads Boost::context fmt::fmt-header-only ${CMAKE_DL_LIBS})
endfunction()

if(model_sources)
  hop_model_program(hop_model ${model_sources} ${model_pieces} ${HOP_MODEL_PRODUCT_SOURCES})
endif()

# Tests of the checker itself: the same sources without its main, under GoogleTest.
hop_globbed(model_tests test/unit/model/*.cpp)
find_package(GTest QUIET)
if(HOP_BUILD_TESTS AND model_tests AND GTest_FOUND)
  hop_globbed(support_sources test/support/*.cpp)
  set(checker_sources ${model_sources})
  list(FILTER checker_sources EXCLUDE REGEX "/main\\.cpp$")
  hop_model_program(test_model ${model_tests} ${support_sources} ${checker_sources} ${HOP_MODEL_PRODUCT_SOURCES})
  target_link_libraries(test_model PRIVATE GTest::gtest)
endif()
