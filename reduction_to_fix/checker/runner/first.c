/* Linked before the exercise, and last.c after it, so that its variables lie between theirs (observe.c).
 * SPDX-License-Identifier: MIT */
extern char first_of_data, first_of_bss;
char first_of_data = 1, first_of_bss;
