/* The array that the options name: a file, or a pattern.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_ARRAY_H
#define REDUCTION_ARRAY_H

#include <hip/hip_runtime_api.h>

#include "extra.h"
#include "harness/options/options.h"
#include "input/input.h"

/* Reads --input, which then determines the type, and sets the size if --size does not: to the whole file, or to
 * default_n. False with one line in message[INPUT_MESSAGE_MAX] if the file cannot be read, or a size or the index of
 * --pattern is past the end. */
bool array_open(struct options *o, size_t default_n, struct input *file, char *message);

/* n elements of it. */
struct input_view array_view(const struct options *o, const struct input *file, size_t n);

/* Elements first ... first + n - 1 to d_to, a pattern by a kernel on stream. Errors end the program (hip_check). */
void array_to_device(const struct input_view *in, void *d_to, size_t first, size_t n, hipStream_t stream);

#endif
