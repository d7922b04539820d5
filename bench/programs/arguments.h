/* The command line of run: options of its own, programs, and options that they pass on.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_ARGUMENTS_H
#define REDUCTION_ARGUMENTS_H

#include <stddef.h>

#include "program.h"

/* Handles an option of the tool itself; false: it is not one, and is passed to the programs. Refuses
 * wrong values. */
typedef bool own_option(void *tool, const char *argument);

/* What follows `name` in the argument, or NULL if it is a different option: "--name=" takes what
 * follows, "--name" stands alone. */
const char *argument_value(const char *argument, const char *name);

struct arguments {
    struct program *programs;
    size_t program_count;
    const char **options; /* passed on to every program; NULL ends them */
    size_t option_count;
    char **launch; /* --launch: words before every program; NULL ends them */
};

/* The lines of --help that describe what this file reads. */
#define ARGUMENTS_HELP                                                                             \
    "  --launch=WORDS    put these in front of every program: --launch='srun -n1 --gpus=1'\n"      \
    "  --help            this text\n"                                                              \
    "\n"                                                                                           \
    "Every other option goes to each program and must be one word: --size=64M, -n64M,\n"           \
    "--type=float. A PROGRAM may bring options of its own:\n"                                      \
    "'./reduction_atomic/reduction_atomic --atomics=warp'.\n"

/* Ends the program for --help, and with exit code 2 for a mistake. */
void arguments_parse(struct arguments *a, int argc, char **argv, const char *usage, own_option *own,
                     void *tool);

/* The VALUE of "--name=VALUE" or, with a letter, "-nVALUE" among the programs' options; NULL: not given. */
const char *arguments_passed(const struct arguments *a, const char *name, char letter);

/* One more option for every program. */
void arguments_pass(struct arguments *a, const char *option);

#endif
