/* Output must not be lost: a full disk or a closed pipe is an error like any other.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_OUTPUT_H
#define REDUCTION_OUTPUT_H

#include <stdio.h>

/* Makes a closed pipe an error of the next write instead of the silent end of the program. Call once, at
 * the start of main(). */
void output_begin(void);

/* Flushes what has been written so far. Ends the program with one line and exit code 3 if that fails. */
void output_check(FILE *out);

#endif
