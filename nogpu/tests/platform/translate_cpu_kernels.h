/* Launches and dynamic shared memory in every spelling, for test_translate_cpu.c.
 * SPDX-License-Identifier: MIT */
#ifndef TRANSLATE_CPU_KERNELS_H
#define TRANSLATE_CPU_KERNELS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the kernel ran with the given grid, block and arguments. */
struct spelling {
    const char *name;
    int (*right)(void);
};
extern const struct spelling spellings[];
extern const int spellings_count;

#ifdef __cplusplus
}
#endif

#endif
