/* What a program's exit code means. The same in every program, and in bench/run and bench/sweep.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_EXIT_CODES_H
#define REDUCTION_EXIT_CODES_H

#define EXIT_RIGHT       0
#define EXIT_WRONG       1   /* a result is outside of its error bound */
#define EXIT_USAGE       2   /* the command line or the input file */
#define EXIT_DEVICE      3   /* the device, its runtime or its memory; a file or a full disk */
#define EXIT_UNPROVEN    4   /* nothing is wrong, but the bound is too wide to prove a result right */
#define EXIT_NO_DEVICE   77  /* no device of the kind that the program was built for */
#define EXIT_INTERRUPTED 130 /* run and bench: by a signal; what was measured is there */

#endif
