# SPDX-License-Identifier: MIT
# find_package(hip): the CPU platform, for projects whose C++ compiler is nogpu/bin/hipcc, or that only call the
# runtime.   cmake -DCMAKE_PREFIX_PATH=.../nogpu
get_filename_component(HIP_ROOT_DIR "${CMAKE_CURRENT_LIST_DIR}/../../.." REALPATH)
include("${CMAKE_CURRENT_LIST_DIR}/runtime.cmake")

set(hip_FOUND TRUE)
set(HIP_FOUND TRUE)
set(hip_INCLUDE_DIR "${HIP_ROOT_DIR}/include")
set(hip_INCLUDE_DIRS "${hip_INCLUDE_DIR}")
set(hip_LIB_INSTALL_DIR "${HIP_ROOT_DIR}/lib")
set(hip_BIN_INSTALL_DIR "${HIP_ROOT_DIR}/bin")
set(hip_HIPCC_EXECUTABLE "${HIP_ROOT_DIR}/bin/hipcc")
set(hip_HIPCONFIG_EXECUTABLE "${HIP_ROOT_DIR}/bin/hipconfig")
set(hip_LIBRARIES hip::host)
set(HIP_INCLUDE_DIRS "${hip_INCLUDE_DIR}")
set(HIP_HIPCC_EXECUTABLE "${hip_HIPCC_EXECUTABLE}")
set(HIP_COMPILER clang)
set(HIP_RUNTIME rocclr)
set(HIP_PLATFORM amd)
set(HIP_VERSION 6.0.0)

foreach(name host device amdhip64)
    if(NOT TARGET hip::${name})
        add_library(hip::${name} INTERFACE IMPORTED)
        set_target_properties(hip::${name} PROPERTIES INTERFACE_LINK_LIBRARIES hip_cpu::runtime)
    endif()
endforeach()
