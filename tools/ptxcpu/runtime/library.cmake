# Builds the library that replaces libcudart. emulate.cmake includes this file when CMake has read the project.
file(GLOB ptxcpu_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
add_library(ptxcpu_runtime SHARED ${ptxcpu_sources})
get_filename_component(ptxcpu_folder ${PTXCPU_LIBRARY} DIRECTORY)
set_target_properties(ptxcpu_runtime PROPERTIES
  LINK_LIBRARIES ""  # every other target links with this library
  CXX_STANDARD 17
  UNITY_BUILD OFF
  LIBRARY_OUTPUT_DIRECTORY ${ptxcpu_folder})
target_include_directories(ptxcpu_runtime SYSTEM PRIVATE ${PTXCPU_CUDA_INCLUDE})
# A debug build is for debugging host code, so its kernels run as fast as those of a release.
target_compile_options(ptxcpu_runtime PRIVATE -O2 -g)
if(CHAINSHOT_EMULATOR_CHECK)
  target_compile_definitions(ptxcpu_runtime PRIVATE PTXCPU_CHECK)
endif()
find_package(Threads REQUIRED)
target_link_libraries(ptxcpu_runtime PRIVATE Threads::Threads)
