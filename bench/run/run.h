/* Runs programs and compares them.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_RUN_H
#define REDUCTION_RUN_H

/* What main() does with this command line; returns the exit code. */
int run_programs(int argc, char **argv);

#endif
