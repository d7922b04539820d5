/* See first.c.
 * SPDX-License-Identifier: MIT */
extern char last_of_data, last_of_bss;
char last_of_data = 1, last_of_bss;
