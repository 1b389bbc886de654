# cmake --install: headers, both libraries, the CMake package, the pkg-config file, the programs.
include(CMakePackageConfigHelpers)
set(hop_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/hopsack)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
install(TARGETS hopsack_static EXPORT hopsack_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET hopsack_shared)
  install(TARGETS hopsack_shared EXPORT hopsack_targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(EXPORT hopsack_targets NAMESPACE hopsack:: DESTINATION ${hop_package_dir})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/hopsackConfig.cmake.in ${PROJECT_BINARY_DIR}/hopsackConfig.cmake
  INSTALL_DESTINATION ${hop_package_dir})
# Before 1.0 a minor version may break its users, so 0.1 does not stand in for 0.2.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/hopsackConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/hopsackConfig.cmake ${PROJECT_BINARY_DIR}/hopsackConfigVersion.cmake DESTINATION ${hop_package_dir})

# pkg-config knows nothing of targets: the definitions users must share are spelled out as flags.
list(TRANSFORM hop_public_definitions PREPEND -D OUTPUT_VARIABLE hop_pc_definitions)
list(JOIN hop_pc_definitions " " hop_pc_definitions)
file(RELATIVE_PATH hop_pc_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" hop_pc_prefix "\${pcfiledir}/${hop_pc_prefix}")
set(hop_pc_switch)
if(HOP_SWITCH STREQUAL boost)
  set(hop_pc_switch " -lboost_context")  # users call the switch themselves, against the shared library too
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/hopsack.pc.in ${PROJECT_BINARY_DIR}/hopsack.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/hopsack.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(hop_apps)
  install(TARGETS ${hop_apps} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
