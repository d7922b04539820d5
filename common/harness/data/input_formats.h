/* What the readers of --input share; for input.c and npy.c alone. */
#ifndef REDUCTION_INPUT_FORMATS_H
#define REDUCTION_INPUT_FORMATS_H

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
bool input_fail(const struct reader *r, const char *format, ...);

/* Whether the file begins as a .npy file does. */
bool npy_is(const struct bytes *b);

/* Reads a .npy file: in->data points into *b, or at in->memory where the numbers had to be converted. */
bool npy_read(const struct reader *r, const struct bytes *b, struct input *in);

#endif
