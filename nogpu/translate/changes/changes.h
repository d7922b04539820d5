/* HIP and CUDA as people write them, to what a host's C++ compiler takes: kernel<<<grid, block>>>(arguments) and
 * extern __shared__ become macros of hip_cpu/kernel/launch.h and hip_cpu/language.h.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_TRANSLATE_CHANGES_H
#define HIP_CPU_TRANSLATE_CHANGES_H

#include <stdbool.h>

#include "../source/edits.h"

/* Adds the macros that are a configuration alone, <<<...>>>; finds launches with one of them. */
void find_launches(const struct source *s, struct edits *e, struct text *configurations);
void find_configured(const struct source *s, const struct text *configurations, struct edits *e);
void find_shared(const struct source *s, struct edits *e);
void find_names(const struct source *s, struct edits *e);
/* Adds the names of kernels, a line for each; finds where one of them is cast to void *. */
void find_kernels(const struct source *s, struct text *names);
void find_addresses(const struct source *s, const struct text *names, struct edits *e);
/* What is compiled for the device alone sees that it is. */
void find_device(const struct source *s, struct edits *e);
/* Where threads begin a kernel, and where they end it before its last line, only for sources that are not ours. */
void find_threads(const struct source *s, bool foreign, struct edits *e);

#endif
