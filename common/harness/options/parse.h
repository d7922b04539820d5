/* What the readers of the command line share.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_PARSE_H
#define REDUCTION_PARSE_H

#include "options.h"

/* The state of the parser. A setter writes the message only if it returns false. */
struct parse {
    struct options *o;
    const struct variant *v;
    char *message; /* of OPTIONS_MESSAGE_MAX characters */
};

/* Writes the message, as one line whatever the user typed. Returns false. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
bool parse_wrong(struct parse *p, const char *format, ...);

/* A whole number from min to max. */
bool parse_number(struct parse *p, const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *value);

/* The index of text among the words that name() gives for 0 to count - 1. */
bool parse_word(struct parse *p, const char *option, const char *text, const char *(*name)(int), int count, int *value);

/* One option of --help: the left column, and its text in lines separated by \n. letter 0: none. */
void parse_help(FILE *out, char letter, const char *name, const char *argument, const char *help);

#endif
