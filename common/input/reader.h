/* What the readers of files share.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_READER_H
#define REDUCTION_READER_H

#include "input.h"

/* A whole file; mapped where that is possible, otherwise copied into memory. No NUL follows. */
struct bytes {
    const char *data;
    size_t size;
    bool mapped;
};

struct reader {
    const char *option; /* that names the file: "--input" */
    const char *name;   /* of the file, for messages */
    int type;           /* TYPE_* that is wanted, or -1 */
    bool type_fixed;    /* by the program: no message may recommend --type */
    char *message;
};

/* Writes the message, on one line whatever the file contains, and returns false. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
bool reader_fail(const struct reader *r, const char *format, ...);

bool bytes_begin_with(const struct bytes *b, const char *text);

#endif
