/* --input: an array from a file.
 *
 *   NumPy  recognised by its content: .npy of format 1, 2 or 3, one dimension, '<f4', '<f8', '<i4', '<i8'
 *   raw    a file named *.bin or *.raw: values of the given type as they lie in memory
 *   text   everything else and standard input: numbers separated by white space and commas, # starts a
 *          comment that ends with the line; floating-point values may be nan and inf
 */
#ifndef REDUCTION_INPUT_H
#define REDUCTION_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "types.h"

#define INPUT_MESSAGE_MAX 512

struct input {
    int type;         /* TYPE_* */
    size_t n;         /* elements; 0 only for an empty .npy array */
    const void *data; /* n elements, aligned for their type */
    void *memory;     /* owned; released by input_free() */
};

/* Reads the file, or standard input for "-". type is TYPE_*, or -1 when the user gave none: then the
 * type is that of the .npy file, double for text, and an error for raw data.
 * False on failure, with one line (no newline) in message[INPUT_MESSAGE_MAX] that says what is wrong and
 * what to do; there is nothing to free then. */
bool input_read(const char *path, int type, struct input *in, char *message);

/* Releases what input_read() returned; harmless on a zeroed struct. */
void input_free(struct input *in);

#endif
