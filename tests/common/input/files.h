/* Shared by the parts of test_input.c: a file, and the result of reading it.
 * SPDX-License-Identifier: MIT */
#ifndef TEST_INPUT_FILES_H
#define TEST_INPUT_FILES_H

#include "suite.h"

#include "input/input.h"
#include "npy.h"
#include "values/scalar.h"

extern char path[256]; /* of the file written last */
extern char message[INPUT_MESSAGE_MAX];
extern struct input in; /* the input read last */

/* Write a file in a temporary folder. */
void write_file(const char *name, const void *data, size_t size);
void write_text(const char *name, const char *text);
/* Format 1, with a header padded to 64 bytes. */
void write_npy(const char *header, const void *data, size_t size);

/* The file must be refused in one line that names it and contains both texts. type: TYPE_*, or -1. */
void refused(int type, const char *what, const char *next);
void accepted(int type);
/* It is taken, and gives n elements of this type, with these bytes unless data is NULL. */
void gives(int asked, int type, const void *data, size_t n);

/* Three values of each type. */
extern const double doubles[3];
extern const float floats[3];
extern const int32_t ints[3];
extern const int64_t longs[3];
extern const void *const three[TYPE_COMMON];

#endif
