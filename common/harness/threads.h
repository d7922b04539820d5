/* The host's threads, which compute references and read input.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_THREADS_H
#define REDUCTION_THREADS_H

/* Starts the threads of OpenMP: its default number, or fewer where the system refuses that many.
 * Its runtime ends the program with exit code 1, "wrong result", where it cannot start one later. */
void threads_begin(void);

#endif
