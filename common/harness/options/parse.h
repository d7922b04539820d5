/* Shared by the files that read the command line. */
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
bool parse_wrong(struct parse *p, const char *format, ...);

/* sizes.c: --size, entries between commas, each a size or FIRST..LAST. */
bool parse_sizes(struct parse *p, const char *text);

/* own.c: the options that the variant brings. */
size_t own_count(const struct variant *v);
bool own_is_flag(const struct variant_option *own);
bool own_parse(struct parse *p, int index, const char *text);

/* One option of --help: the left column, and its text in lines separated by \n. letter 0: none. */
void help_row(FILE *out, char letter, const char *name, const char *argument, const char *help);
void own_help(FILE *out, const struct variant *v);

#endif
