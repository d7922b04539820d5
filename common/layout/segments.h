/* Arrays that consist of segments: where each one begins, and whether its result is right. For variants
 * that reduce every segment; --segment, --ragged and --offsets are the first of their options.
 *
 * Included by prelude.h in the variant's folder, because these are C functions: the namespaces of
 * instantiate.hip share them. C++ sources include hip/hip_runtime.h first.
 * SPDX-License-Identifier: MIT */
#ifndef REDUCTION_SEGMENTS_H
#define REDUCTION_SEGMENTS_H

#include <stddef.h>

#include "verdict/extras.h"

#ifdef __cplusplus
#define SEGMENTS_FUNCTION __host__ __device__ static inline
extern "C" {
#else
#define SEGMENTS_FUNCTION static inline
#endif

struct reduction;

/* Segment k consists of elements offsets[k] ... offsets[k + 1] - 1. */
struct segments {
    const size_t *offsets;   /* count + 1; NULL: all have `length` elements, the last one the rest */
    size_t length, count, n; /* n elements in all */
};

SEGMENTS_FUNCTION size_t segment_begin(struct segments s, size_t k)
{
    if (s.offsets != NULL)
        return s.offsets[k];
    return k * s.length < s.n ? k * s.length : s.n;
}

enum { SEGMENT, RAGGED, OFFSETS, SEGMENT_OPTION_COUNT }; /* indices into r->option[] */
// clang-format off
#define SEGMENT_OPTIONS                                                                           \
    {"segment", NULL, 1024, 1, 1L << 40, "elements of a segment; with --ragged their mean"},      \
    {"ragged", "", 0, 0, 0, "lengths from 0 to 8 times --segment, many of them short"},           \
    {"offsets", "<FILE>", 0, 0, 0, "where segments begin, and last where the last one ends"}
// clang-format on

/* The segments of r->n elements as the options ask for them, with offsets on the host, which
 * segments_free() releases. Always the same for the same options. Ends the program with one line and
 * EXIT_USAGE if the options make no sense, with EXIT_DEVICE if there is no memory for the offsets. */
struct segments segments_of(const struct reduction *r);
void segments_free(struct segments *s);

/* Bytes of the offsets; 0 where there are none. */
size_t segments_bytes(struct segments s);
/* Elements of the longest segment. */
size_t segments_longest(struct segments s);
/* Copies the offsets to the device, segments_bytes() of them. */
void segments_upload(struct segments s, void *d_offsets);

/* Verifies the result of every segment: s.count values of the input's type, on the device. chain(r, n)
 * is the largest number of additions that an element of a segment of n elements takes part in. Returns
 * the number of extras: how many segments there are, how many of their results are wrong, and the
 * largest error divided by its bound. */
size_t segments_check(const struct reduction *r, struct segments s, const struct input_view *in, int op,
                      const void *d_results, size_t (*chain)(const struct reduction *r, size_t n),
                      struct extra out[EXTRAS_MAX]);

#ifdef __cplusplus
}
#endif

#endif
