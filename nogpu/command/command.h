/* nogpu run, race, memory and explain: their options, and the program that they name.
 * SPDX-License-Identifier: MIT */
#ifndef NOGPU_COMMAND_H
#define NOGPU_COMMAND_H

/* Options set variables of the environment: those that race.c and explain.c name, HIP_CPU_KERNEL, and KEEP, GDB, SKIP, COUNT.
 * These are not taken from outside. */
void command_forget(void);
/* Takes the option that begins at words, which has two dashes, and returns its last word. */
char **command_option(const char *command, char **words);

/* The exit code of a command. words are its options, a source or a program, and arguments. */
int command_main(const char *name, char **words);

#endif
