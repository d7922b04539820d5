/* The command of a compiler.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_TRANSLATE_COMPILE_H
#define HIP_CPU_TRANSLATE_COMPILE_H

#include <stdbool.h>

/* Runs argv[0], with copies for sources that have to be translated. Kernels of this project must not end before a
 * barrier; those of others (foreign) may. The exit code: the compiler's; 2: a source cannot be read; 3: out of memory, or
 * no temporary folder. */
int compile(char **argv, bool foreign);

#endif
