/* See rules_table.h.
 * SPDX-License-Identifier: MIT */
#include "rules_table.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../checker.h"
#include "exit_codes.h"

static char table[COLUMNS][16];

bool rules_say(enum column c, const char *word)
{
    return strcmp(table[c], word) == 0;
}

int rules_number(enum column c)
{
    return atoi(table[c]);
}

/* Splits a line into table[]; false: it is no row. */
static bool read_row(char *line)
{
    int column = 0;

    if (*line == '#')
        return false;
    for (char *word = strtok(line, "|\n"); word != NULL && column < COLUMNS;
         word = strtok(NULL, "|\n")) {
        while (isspace((unsigned char)*word))
            word++;
        snprintf(table[column++], sizeof table[0], "%.*s", (int)strcspn(word, " \t"), word);
    }
    return column == COLUMNS;
}

/* This exercise's row. Every word in it must be one of these. */
void rules_read(void)
{
    static const char *const words[COLUMNS] = {[SPREAD] = "even pairs loads",
                                               [SHARED] = "any clean",
                                               [SECTORS] = "any least",
                                               [BARRIER] = "one few",
                                               [TREE] = "any shared global lanes",
                                               [ORDER] = "any fences",
                                               [MEMORY] = "constant own",
                                               [EVENTS] = "launch once"};
    char line[256];
    FILE *file = fopen(settings.rules, "r");
    bool known = false;

    while (file != NULL && !known && fgets(line, sizeof line, file) != NULL)
        known = read_row(line) && atoi(table[EXERCISE]) == settings.exercise;
    for (int c = SPREAD; known && c < COLUMNS; c++)
        known = words[c] == NULL ? atoi(table[c]) > 0
                                 : *table[c] != '\0' && strstr(words[c], table[c]) != NULL;
    if (file != NULL)
        fclose(file);
    if (!known) {
        fprintf(stderr, "%s: no row for exercise %d, or a word without a meaning\n", settings.rules,
                settings.exercise);
        exit(EXIT_USAGE);
    }
}
