/* The two halves of segments.h: where the segments are, and whether their results are right.
 * SPDX-License-Identifier: MIT */
#include "segments.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_codes.h"
#include "input/input.h"
#include "reduction.h"

static _Noreturn void fail(int exit_code, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(exit_code);
}

/* ---- where segments are ------------------------------------------------------------------------ */

/* --offsets: as many numbers as there are segments, and one more. */
static size_t *offsets_of_file(const char *path, size_t n, size_t *count)
{
    struct input in;
    char message[INPUT_MESSAGE_MAX];

    if (!input_read_for("--offsets", path, TYPE_LONG, &in, message))
        fail(EXIT_USAGE, "%s", message);
    const int64_t *offset = in.data;
    if (in.n < 1 || offset[0] != 0)
        fail(EXIT_USAGE, "--offsets: the first number must be 0, where the first segment begins");
    for (size_t k = 1; k < in.n; k++)
        if (offset[k] < offset[k - 1])
            fail(EXIT_USAGE, "--offsets: number %zu is %lld, after %lld; put them in order", k + 1,
                 (long long)offset[k], (long long)offset[k - 1]);
    if ((size_t)offset[in.n - 1] != n)
        fail(EXIT_USAGE, "--offsets: the last one is %lld, but there are %zu elements; give --size %lld",
             (long long)offset[in.n - 1], n, (long long)offset[in.n - 1]);
    size_t *offsets = malloc(in.n * sizeof *offsets);
    if (offsets == NULL)
        fail(EXIT_DEVICE, "--offsets: not enough memory for so many; give fewer");
    for (size_t k = 0; k < in.n; k++)
        offsets[k] = (size_t)offset[k];
    *count = in.n - 1;
    input_free(&in);
    return offsets;
}

/* --ragged: the length 8 m u^7 with u uniform in [0, 1) is m in the mean; half of all are shorter than
 * m / 16, and a few come near to 8 m. They do not depend on the input. */
static size_t *ragged_offsets(size_t n, size_t mean, size_t *count)
{
    size_t *offsets = NULL;
    size_t room = 0, at = 0;

    for (size_t k = 0;; k++) {
        if (k == room) {
            room = room == 0 ? 1024 : 2 * room;
            offsets = realloc(offsets, room * sizeof *offsets);
            if (offsets == NULL)
                fail(EXIT_DEVICE, "--ragged: not enough memory for the offsets; give a larger --segment");
        }
        offsets[k] = at;
        if (at == n) {
            *count = k;
            return offsets;
        }
        double u = (double)(pattern_hash(1, k) >> 11) * 0x1p-53;
        double length = 8 * (double)mean * u * u * u * u * u * u * u;
        at = length < (double)(n - at) ? at + (size_t)length : n;
    }
}

struct segments segments_of(const struct reduction *r)
{
    size_t n = r->n, length = (size_t)r->option[SEGMENT];
    struct segments s = {.n = n, .length = length < n ? length : n > 0 ? n : 1};
    const char *file = r->text[OFFSETS];

    if (file != NULL && r->option[RAGGED])
        fail(EXIT_USAGE, "--ragged and --offsets both define the segments: give only one of them");
    s.count = ceil_div(n, s.length);
    if (file != NULL)
        s.offsets = offsets_of_file(file, n, &s.count);
    else if (r->option[RAGGED])
        s.offsets = ragged_offsets(n, s.length, &s.count);
    return s;
}

void segments_free(struct segments *s)
{
    free((void *)(uintptr_t)s->offsets);
    s->offsets = NULL;
}

size_t segments_bytes(struct segments s) { return s.offsets != NULL ? (s.count + 1) * sizeof *s.offsets : 0; }

size_t segments_longest(struct segments s)
{
    size_t longest = 0;

    if (s.offsets == NULL)
        return min_size(s.length, s.n);
    for (size_t k = 0; k < s.count; k++)
        if (s.offsets[k + 1] - s.offsets[k] > longest)
            longest = s.offsets[k + 1] - s.offsets[k];
    return longest;
}

void segments_upload(struct segments s, void *d_offsets)
{
    if (s.offsets != NULL)
        HIP_CHECK(hipMemcpy(d_offsets, s.offsets, segments_bytes(s), hipMemcpyHostToDevice));
}

/* ---- whether their results are right ------------------------------------------------------------ */

struct check {
    const struct reduction *r;
    const struct input_view *in;
    int op;
    size_t (*chain)(const struct reduction *r, size_t n);
    struct segments s;
    const char *results;
};

static struct verdict judge(void *context, size_t k)
{
    const struct check *c = context;
    size_t begin = segment_begin(c->s, k), n = segment_begin(c->s, k + 1) - begin;
    struct reference reference = reference_of_input(c->in, c->op, begin, n);
    struct scalar value = {.type = c->in->type};
    size_t size = type_size(c->in->type);

    memcpy(&value.as, c->results + k * size, size);
    return verify_check(value, &reference, c->chain(c->r, n));
}

size_t segments_check(const struct reduction *r, struct segments s, const struct input_view *in, int op,
                      const void *d_results, size_t (*chain)(const struct reduction *r, size_t n),
                      struct extra out[EXTRAS_MAX])
{
    static const char *const names[] = {"segments", "segments_wrong", "segments_worst"};
    size_t bytes = s.count * type_size(in->type);
    char *results = malloc(bytes > 0 ? bytes : 1);
    struct check c = {r, in, op, chain, s, results};

    if (results == NULL)
        fail(EXIT_DEVICE, "not enough memory to verify so many segments; give a larger --segment");
    HIP_CHECK(hipMemcpy(results, d_results, bytes, hipMemcpyDeviceToHost));
    size_t extras = extra_many(names, s.count, judge, &c, out);
    free(results);
    return extras;
}
