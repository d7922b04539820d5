/* The program around a variant: options, device, data, clocks, verdict.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_HARNESS_H
#define REDUCTION_HARNESS_H

#include "harness/options/options.h"
#include "reduction.h"

/* The program's own variant: the link says which, by --defsym=linked_variant=reduction_shfl. */
const struct variant *linked_variant(void);

/* What the command line asks for instead of a run, or what is wrong with it (message); returns the exit code. */
int harness_answer(const struct variant *variant, enum options_status asked, const char *message);

/* What main() does with a variant; returns the exit code. */
int harness_run(const struct variant *variant, int argc, char **argv);

#endif
