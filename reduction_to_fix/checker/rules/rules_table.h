/* This exercise's row of rules.txt, where the columns are explained.
 * SPDX-License-Identifier: MIT */
#ifndef RULES_TABLE_H
#define RULES_TABLE_H

#include <stdbool.h>

enum column {
    EXERCISE,
    SPREAD,
    FLIGHT,
    SHARED,
    SECTORS,
    BARRIER,
    TREE,
    ORDER,
    MEMORY,
    EVENTS,
    COLUMNS
};

/* Ends the program if there is no row, or if a word in it is unknown. */
void rules_read(void);
bool rules_say(enum column c, const char *word);
int rules_number(enum column c);

#endif
