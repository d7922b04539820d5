/* The rules of this exercise, from its exercise.txt: what it must do besides returning the right result.
 * SPDX-License-Identifier: MIT */
#ifndef RULES_TABLE_H
#define RULES_TABLE_H

#include <stdbool.h>

enum rule { SPREAD, FLIGHT, SHARED, SECTORS, BARRIER, TREE, ORDER, MEMORY, EVENTS, RULES };

/* Reads "flight=4 tree=shared"; what is not named has its first word. Ends the program if a word has no meaning. */
void rules_read(const char *text);
bool rules_say(enum rule r, const char *word);
int rules_number(enum rule r);

#endif
