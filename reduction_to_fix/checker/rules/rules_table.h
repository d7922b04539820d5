/* The row of this exercise in rules.txt, which says what its columns mean.
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

/* Ends the program if there is no row, or a word in it that has no meaning. */
void rules_read(void);
bool rules_say(enum column c, const char *word);
int rules_number(enum column c);

#endif
