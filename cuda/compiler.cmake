# How the kernels are compiled: by nvcc of CUDA 12.0 or later, or, with CHAINSHOT_CUDA_PARTS, by the clang++ that compiles
# the rest, with the parts of CUDA 12.9 in that folder (tools/scripts/cuda.sh installs them). Sets CHAINSHOT_CUDA_OLDEST,
# the lowest compute capability that the program has code for.
set(CHAINSHOT_CUDA_PARTS "" CACHE PATH "Parts of CUDA 12.9 for clang++, instead of nvcc")

# No GPU beside an x86 processor has these.
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  set(chainshot_gpus_of_arm64 53 62 72 87 88 101 110)
endif()

if(CHAINSHOT_CUDA_PARTS)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL Clang OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS 19)
    message(FATAL_ERROR "the C++ compiler is ${CMAKE_CXX_COMPILER}; expected clang++ 19 or later, which compiles the kernels")
  endif()
  # clang++ 19 compiles for these, and fatbinary.sh beside its parts makes machine code of the PTX for what is newer.
  set(CHAINSHOT_CLANG_ARCHITECTURES 52 60 61 70 72 75 80 86 87 89 90)
  list(REMOVE_ITEM CHAINSHOT_CLANG_ARCHITECTURES ${chainshot_gpus_of_arm64})
  list(GET CHAINSHOT_CLANG_ARCHITECTURES 0 CHAINSHOT_CUDA_OLDEST)
  return()
endif()

set(chainshot_architectures ${CMAKE_CUDA_ARCHITECTURES})
enable_language(CUDA)
if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12.0)
  message(FATAL_ERROR "${CMAKE_CUDA_COMPILER} is CUDA ${CMAKE_CUDA_COMPILER_VERSION}; expected 12.0 or later")
endif()
if(chainshot_architectures)
  set(CMAKE_CUDA_ARCHITECTURES ${chainshot_architectures})
else()
  # Machine code for each architecture that nvcc knows, and PTX of the newest for later devices.
  execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --list-gpu-code OUTPUT_VARIABLE known COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "sm_[0-9]+" known "${known}")
  list(TRANSFORM known REPLACE "sm_" "")
  list(SORT known COMPARE NATURAL)
  list(REMOVE_DUPLICATES known)
  list(REMOVE_ITEM known 50 ${chainshot_gpus_of_arm64})
  list(POP_BACK known newest)
  list(TRANSFORM known APPEND "-real")
  set(CMAKE_CUDA_ARCHITECTURES ${known} ${newest})
endif()
string(REGEX MATCH "[0-9]+" CHAINSHOT_CUDA_OLDEST "${CMAKE_CUDA_ARCHITECTURES}")
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
# CMake 3.25 does not know that nvcc supports C++20.
set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
