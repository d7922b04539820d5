# SPDX-License-Identifier: MIT
# find_package(HIP MODULE): as find_package(hip), and hip_add_executable(), hip_add_library() for projects that have
# them still. CMAKE_MODULE_PATH has to name this folder.
include("${CMAKE_CURRENT_LIST_DIR}/hip-config.cmake")

# NAME, files, and lists of options behind HIPCC_OPTIONS; those for other compilers are left out.
macro(hip_cpu_files)
    cmake_parse_arguments(hip_cpu "" "" "HIPCC_OPTIONS;CLANG_OPTIONS;NVCC_OPTIONS" ${ARGN})
    set_source_files_properties(${hip_cpu_UNPARSED_ARGUMENTS} PROPERTIES LANGUAGE CXX)
endmacro()
macro(hip_cpu_driver target)
    target_compile_options(${target} PRIVATE ${hip_cpu_HIPCC_OPTIONS})
    target_link_libraries(${target} hip::host)
    if(NOT CMAKE_CXX_COMPILER MATCHES "hipcc")
        message(FATAL_ERROR "${target}: the CPU platform's compiler has to be that of C++: "
            "-DCMAKE_CXX_COMPILER=${hip_HIPCC_EXECUTABLE}")
    endif()
endmacro()
macro(hip_add_executable target)
    hip_cpu_files(${ARGN})
    add_executable(${target} ${hip_cpu_UNPARSED_ARGUMENTS})
    hip_cpu_driver(${target})
endmacro()
macro(hip_add_library target)
    hip_cpu_files(${ARGN})
    add_library(${target} ${hip_cpu_UNPARSED_ARGUMENTS})
    hip_cpu_driver(${target})
endmacro()
