/* Files of NumPy, byte by byte.
 * SPDX-License-Identifier: MIT */
#ifndef TESTS_NPY_H
#define TESTS_NPY_H

#include <string.h>

#define NPY_GOOD "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }"

/* Writes the beginning of a file with this header, padded to a multiple of pad as by NumPy; returns its size. */
static inline size_t npy_begin(unsigned char *bytes, int version, const char *header, size_t pad)
{
    size_t start = version == 1 ? 10 : 12, length = strlen(header) + 1;

    length += (pad - (start + length) % pad) % pad;
    memcpy(bytes, "\x93NUMPY", 6);
    bytes[6] = (unsigned char)version;
    bytes[7] = 0;
    for (size_t k = 0; k < start - 8; k++)
        bytes[8 + k] = (unsigned char)(length >> 8 * k & 255);
    memset(bytes + start, ' ', length);
    memcpy(bytes + start, header, strlen(header));
    bytes[start + length - 1] = '\n';
    return start + length;
}

#endif
