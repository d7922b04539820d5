/* The arguments of hipcc and nvcc before they are options: files of arguments, and questions about the compiler.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_TRANSLATE_ARGUMENTS_H
#define HIP_CPU_TRANSLATE_ARGUMENTS_H

#include <stdbool.h>

/* argv with the words of @FILE and --options-file FILE in their place, and those of the environment,
 * HIPCC_COMPILE_FLAGS_APPEND or NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS; they live as long as the process. NULL: a file
 * cannot be read, and a line says so. */
char **read_arguments(const char *as, char **argv);
/* Answers --version, and tells a build system what it asks nvcc for with -v. Whether that is all there is to do. */
bool identify(const char *as, char **argv);

#endif
