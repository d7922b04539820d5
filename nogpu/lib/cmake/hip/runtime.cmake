# SPDX-License-Identifier: MIT
# hip_cpu::runtime, for linkers other than nogpu/bin/hipcc, which brings it itself. The first call of the driver
# builds it.
get_filename_component(hip_cpu_platform "${CMAKE_CURRENT_LIST_DIR}/../../.." REALPATH)

execute_process(COMMAND "${hip_cpu_platform}/bin/hipcc" --version RESULT_VARIABLE hip_cpu_status OUTPUT_QUIET)
if(NOT hip_cpu_status EQUAL 0)
    message(FATAL_ERROR "the CPU platform cannot be built: ${hip_cpu_platform}/bin/hipcc --version says why")
endif()

if(NOT TARGET hip_cpu::runtime)
    add_library(hip_cpu::runtime INTERFACE IMPORTED)
    set_target_properties(hip_cpu::runtime PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES "${hip_cpu_platform}/include;${hip_cpu_platform}/build/include"
        INTERFACE_COMPILE_DEFINITIONS __HIP_PLATFORM_AMD__
        INTERFACE_LINK_LIBRARIES "${hip_cpu_platform}/lib/libamdhip64.so")
endif()
