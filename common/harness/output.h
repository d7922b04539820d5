/* What a program has said must arrive: a full disk or a closed pipe is an error like any other. */
#ifndef REDUCTION_OUTPUT_H
#define REDUCTION_OUTPUT_H

#include <stdio.h>

/* A reader that has gone is an error of the next write, and not the silent end of the program. Once, at
 * the start of main(). */
void output_begin(void);

/* Passes on what has been written so far. Ends the program with one line and exit code 3 if that fails. */
void output_check(FILE *out);

#endif
