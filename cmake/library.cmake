# libhopsack: every room below src/, except the model checker. hopsack::static and hopsack::shared are the two forms,
# hopsack::hopsack the one to link: static, unless the including project asks for BUILD_SHARED_LIBS and we build it.
hop_globbed(hop_sources src/*/*.cpp)
list(FILTER hop_sources EXCLUDE REGEX "/src/model/")
if(NOT hop_sources)
  file(WRITE ${PROJECT_BINARY_DIR}/empty.cpp "namespace hop {}\n")
  set(hop_sources ${PROJECT_BINARY_DIR}/empty.cpp)
endif()

# hop_usage(<target>): what compiling against the library takes.
function(hop_usage target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_definitions(${target} PUBLIC ${hop_public_definitions})
  target_include_directories(${target}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} PUBLIC Threads::Threads)
endfunction()

# Compiled once for both forms: position independent, so that the archive can also go into a user's shared library, and
# hidden but for HOP_EXPORT, so that it is no slower for it. fmt is for .cpp files: an installed hopsack does not ask for it.
add_library(hopsack_objects OBJECT ${hop_sources})
hop_warn(hopsack_objects)
hop_usage(hopsack_objects)
target_include_directories(hopsack_objects PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(hopsack_objects PRIVATE fmt::fmt-header-only)
# Asserts name src/room/file.cpp, whoever built the library and wherever.
target_compile_options(hopsack_objects PRIVATE -fno-semantic-interposition "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")
set_target_properties(hopsack_objects PROPERTIES
  POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)

function(hop_library target type export_name)
  add_library(${target} ${type} $<TARGET_OBJECTS:hopsack_objects>)
  add_library(hopsack::${export_name} ALIAS ${target})
  hop_usage(${target})
  target_link_libraries(${target} PRIVATE ${CMAKE_DL_LIBS})  # fault reports name symbols
  if(HOP_SWITCH STREQUAL boost)
    target_link_libraries(${target} PUBLIC Boost::context)  # the switch is inline, so users call it themselves
  else()
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:Boost::context>)  # what we compare with; users need none
  endif()
  set_target_properties(${target} PROPERTIES OUTPUT_NAME hopsack EXPORT_NAME ${export_name} LINKER_LANGUAGE CXX)
endfunction()

hop_library(hopsack_static STATIC static)
set(hop_default hopsack_static)

if(HOP_BUILD_SHARED)
  hop_library(hopsack_shared SHARED shared)
  set(hop_map ${PROJECT_SOURCE_DIR}/cmake/hopsack.map)
  set_target_properties(hopsack_shared PROPERTIES
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} LINK_DEPENDS ${hop_map})
  # nodelete: worker threads and fiber stacks return into this code; dlclose must not pull it from under them.
  target_link_options(hopsack_shared PRIVATE -Wl,-z,nodelete "LINKER:--version-script=${hop_map}")
  if(BUILD_SHARED_LIBS)
    set(hop_default hopsack_shared)
  endif()
endif()
add_library(hopsack::hopsack ALIAS ${hop_default})
