# Packages: `cpack --config build/package/CPackConfig.cmake` makes a .deb, which depends on Debian's libraries, and a
# tarball for any place, which brings those that a plain system does not have.
if(NOT CMAKE_CROSSCOMPILING)
  # Every system has these, and newer ones serve older programs.
  set(everywhere "^(ld-linux|lib(c|m|dl|rt|pthread|gcc_s|stdc[+][+])[.]so)")
  set(library)
  if(BUILD_SHARED_LIBS)
    set(library [[LIBRARIES "$<TARGET_FILE:chainshot_library>"]])
  endif()
  install(CODE "
    file(GET_RUNTIME_DEPENDENCIES EXECUTABLES \"$<TARGET_FILE:chainshot>\" ${library}
         RESOLVED_DEPENDENCIES_VAR libraries PRE_EXCLUDE_REGEXES \"${everywhere}\")
    file(INSTALL \${libraries} DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/chainshot\"
         FOLLOW_SYMLINK_CHAIN)" COMPONENT bundled EXCLUDE_FROM_ALL)
endif()

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME chainshot)
set(CPACK_PACKAGE_VENDOR "The chainshot authors")
set(CPACK_PACKAGE_CONTACT "The chainshot authors <chainshot@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "find high-scoring solutions of SameGame boards")
set(CPACK_PACKAGE_DESCRIPTION "chainshot searches SameGame boards for lines with a high score, on all CPU cores and on
CUDA devices. The package has the program, its C++ library and headers.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/tools/install/package_components.cmake)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION games)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
include(CPack)
