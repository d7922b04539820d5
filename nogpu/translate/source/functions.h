/* Functions in a source: where they begin, and whom they are for.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_TRANSLATE_FUNCTIONS_H
#define HIP_CPU_TRANSLATE_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "source.h"

/* From behind what comes before a declaration to its {. */
size_t head_begin(const struct source *s, size_t brace);
/* The { of a kernel, whose __global__ ends at `at`: void __launch_bounds__(256) name(...) {. 0: it has none, or one that a
 * macro hides. *bounds: the ( of its __launch_bounds__, or 0. */
size_t kernel_brace(const struct source *s, size_t at, size_t *bounds);
/* Whether `at` is in a function for the device alone. */
bool for_device(const struct source *s, size_t at);
/* Whether `at` is in a function for the host alone. */
bool for_host(const struct source *s, size_t at);

#endif
