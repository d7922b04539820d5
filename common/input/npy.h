/* Arrays of NumPy.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_NPY_H
#define REDUCTION_NPY_H

#include "reader.h"

/* Whether the file begins as a .npy file does. */
bool npy_is(const struct bytes *b);

/* in->data points into *b, or at in->memory where the numbers had to be converted. */
bool npy_read(const struct reader *r, const struct bytes *b, struct input *in);

#endif
