/* Lines of comma-separated values, as report.c writes them. */
#ifndef REDUCTION_CSV_H
#define REDUCTION_CSV_H

#include <stddef.h>

/* Splits one line into fields, in place: quotes are taken off, doubled quotes become one, the line's end
 * is dropped. Returns how many fields there are; only the first `most` are stored. A quoted field with a
 * line break in it is not understood. */
size_t csv_split(char *line, char **fields, size_t most);

/* Ends the line, in place, after the first `count` fields, without the end of the line. */
void csv_cut(char *line, size_t count);

#endif
