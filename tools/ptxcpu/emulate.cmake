# Makes the CUDA code of a project run on the CPU. The first project() call includes this file, so the project itself
# need not change:
#
#   cmake -DCMAKE_PROJECT_TOP_LEVEL_INCLUDES=.../emulate.cmake [-DCMAKE_CUDA_COMPILER=.../nvcc] ...
#
# Every compilation of a .cu file goes through launcher.py. Every target links with the library of runtime/, and
# CUDA::cudart and CUDA::cudart_static stand for that library. The emulator replaces no other library of the toolkit.
option(CHAINSHOT_EMULATOR_CHECK "Check every memory access of the kernels; close device memory to host code" OFF)
option(CHAINSHOT_EMULATOR_STATS "Count the instructions of the kernels (PTXCPU_STATS)" OFF)
set(CHAINSHOT_EMULATOR_ARCH 80 CACHE STRING "The compute capability whose PTX the emulator runs")
find_package(Python3 REQUIRED COMPONENTS Interpreter)

# ---- the compiler

if(NOT CMAKE_CUDA_COMPILER)
  find_program(CMAKE_CUDA_COMPILER NAMES $ENV{CUDACXX} nvcc HINTS ${CUDAToolkit_ROOT}/bin PATHS /usr/local/cuda/bin)
  if(NOT CMAKE_CUDA_COMPILER)
    message(FATAL_ERROR "the emulator needs nvcc and found none; set CMAKE_CUDA_COMPILER to its path")
  endif()
endif()
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES ${CHAINSHOT_EMULATOR_ARCH}-virtual CACHE STRING "PTX only, because no machine code runs")
endif()

# The headers need not be beside nvcc, so ask nvcc where they are.
execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --dryrun -x cu -c /dev/null -o /dev/null
                ERROR_VARIABLE ptxcpu_dryrun OUTPUT_QUIET)
string(REGEX MATCH "#\\$ TOP=([^\n]+)" ignored "${ptxcpu_dryrun}")
set(PTXCPU_CUDA_INCLUDE ${CMAKE_MATCH_1}/include)
if(NOT EXISTS ${PTXCPU_CUDA_INCLUDE}/cuda_runtime_api.h)
  message(FATAL_ERROR "${CMAKE_CUDA_COMPILER} does not say where cuda_runtime_api.h is:\n${ptxcpu_dryrun}")
endif()

set(CMAKE_CUDA_COMPILER_LAUNCHER ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/launcher.py
                                 --arch=${CHAINSHOT_EMULATOR_ARCH})
foreach(option CHECK STATS)
  if(CHAINSHOT_EMULATOR_${option})
    string(TOLOWER ${option} flag)
    list(APPEND CMAKE_CUDA_COMPILER_LAUNCHER --${flag})
  endif()
endforeach()
if(CMAKE_CUDA_HOST_COMPILER)
  list(APPEND CMAKE_CUDA_COMPILER_LAUNCHER --cxx=${CMAKE_CUDA_HOST_COMPILER})
endif()
list(APPEND CMAKE_CUDA_COMPILER_LAUNCHER --)
set(CMAKE_CUDA_RUNTIME_LIBRARY None)

# ---- the runtime library

# The project enables its languages after this file, so CMake adds the library when it has read the whole project.
set(PTXCPU_DIR ${CMAKE_CURRENT_LIST_DIR})
set(PTXCPU_LIBRARY ${CMAKE_BINARY_DIR}/ptxcpu/libptxcpu_runtime.so)
link_libraries(ptxcpu_runtime)
cmake_language(DEFER CALL include ${PTXCPU_DIR}/runtime/library.cmake)

# This is a macro so that find_package sets its variables in the scope of the caller.
macro(ptxcpu_find_package method package)
  if("${package}" STREQUAL "CUDAToolkit")
    find_package(${package} ${ARGN} BYPASS_PROVIDER)
    foreach(name cudart cudart_static)
      if(TARGET CUDA::${name})
        set_target_properties(CUDA::${name} PROPERTIES IMPORTED_LOCATION ${PTXCPU_LIBRARY} IMPORTED_NO_SONAME TRUE
                                                       INTERFACE_LINK_LIBRARIES "")
      endif()
    endforeach()
  endif()
endmacro()
cmake_language(SET_DEPENDENCY_PROVIDER ptxcpu_find_package SUPPORTED_METHODS FIND_PACKAGE)
