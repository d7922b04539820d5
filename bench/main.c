/* The program that make run and bench start.
 * SPDX-License-Identifier: MIT */
#include "bench/run/run.h"

int main(int argc, char **argv) { return run_programs(argc, argv); }
