# SPDX-License-Identifier: MIT
# enable_language(HIP): CMake reads this file behind its own ones, which know clang alone as a compiler for HIP. Here the
# host's compiler is behind nogpu/llvm/bin/clang++, so what it is called with is said here.
include("${CMAKE_CURRENT_LIST_DIR}/../hip/runtime.cmake")

if(NOT "${CMAKE_HIP_COMPILER_ID}" STREQUAL "Clang")
    include(Compiler/GNU)
    __compiler_gnu(HIP)
endif()
foreach(standard 98 11 14 17 20 23)
    set(CMAKE_HIP${standard}_STANDARD_COMPILE_OPTION "-std=c++${standard}")
    set(CMAKE_HIP${standard}_EXTENSION_COMPILE_OPTION "-std=gnu++${standard}")
    set(CMAKE_HIP${standard}_STANDARD__HAS_FULL_SUPPORT ON)
    list(APPEND hip_cpu_features hip_std_${standard})
endforeach()
set(CMAKE_HIP23_STANDARD_COMPILE_OPTION "-std=c++2b")
set(CMAKE_HIP23_EXTENSION_COMPILE_OPTION "-std=gnu++2b")
if(NOT CMAKE_HIP_COMPILE_FEATURES)
    set(CMAKE_HIP_COMPILE_FEATURES ${hip_cpu_features})
endif()
set(CMAKE_HIP_STANDARD_DEFAULT 17)
set(CMAKE_HIP_EXTENSIONS_DEFAULT ON)
set(_CMAKE_COMPILE_AS_HIP_FLAG "-x hip")
set(_CMAKE_HIP_RDC_FLAG "-fgpu-rdc")

# Too late for the cache of a first run.
foreach(kind "DEBUG;-g" "RELEASE;-O3 -DNDEBUG" "RELWITHDEBINFO;-O2 -g -DNDEBUG" "MINSIZEREL;-Os -DNDEBUG")
    list(GET kind 0 name)
    list(GET kind 1 flags)
    if(NOT CMAKE_HIP_FLAGS_${name})
        set(CMAKE_HIP_FLAGS_${name} "${flags}")
    endif()
endforeach()

# Where another language's compiler links.
set(_CMAKE_HIP_DEVICE_RUNTIME_TARGET hip_cpu::runtime)
