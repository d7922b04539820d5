/* --input: an array from a file.
 *
 *   NumPy  recognised by its content: .npy of format 1, 2 or 3, of any shape, taken as the flat array of
 *          all its elements in the order of the file. Either byte order; float16 and bfloat16 become
 *          float unless --type is half or bfloat16, bool and integers up to 16 bits int, uint32 long. A --type that holds every value of
 *          the file's own is taken, too.
 *   raw    a file named *.bin or *.raw: values of the given type as they lie in memory
 *   text   everything else and standard input: numbers separated by white space and commas, # starts a
 *          comment that ends with the line; floating-point values may be nan and inf. Numbers have a decimal
 *          point: where every line looks like one number with a decimal comma, there is a warning
 *
 * A regular file is mapped, so that it may be larger than memory; other files are read.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_INPUT_H
#define REDUCTION_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "types.h"

#define INPUT_MESSAGE_MAX 512
#define INPUT_NOTE_MAX    256

struct input {
    int type;                        /* TYPE_* */
    size_t n;                        /* elements; 0 only for an empty .npy array */
    const void *data;                /* n elements, aligned for their type; read-only memory */
    char note[INPUT_NOTE_MAX];       /* how the file was interpreted if it is not a plain array; or "" */
    char warning[INPUT_MESSAGE_MAX]; /* a doubt about the file, for stderr; or "" */
    void *memory;                    /* owned, as is the mapping; released by input_free() */
    void *mapping;
    size_t mapping_bytes;
};

/* Reads the file, or standard input for "-". type is TYPE_*, or -1 when the user gave none: then the
 * type is that of the .npy file, double for text, and an error for raw data.
 * False on failure, with one line (no newline) in message[INPUT_MESSAGE_MAX] that says what is wrong and
 * what to do; there is nothing to free then. */
bool input_read(const char *path, int type, struct input *in, char *message);

/* The same for another option that names a file ("--offsets"), whose type the program chooses. */
bool input_read_for(const char *option, const char *path, int type, struct input *in, char *message);

/* Releases what input_read() returned; harmless on a zeroed struct. */
void input_free(struct input *in);

#endif
