/* Numbers as text.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_TEXT_H
#define REDUCTION_TEXT_H

#include "reader.h"

/* Reads the whole file into in->memory; in->type is r->type, or double. */
bool text_read(const struct reader *r, const struct bytes *b, struct input *in);

#endif
