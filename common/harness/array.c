/* SPDX-License-Identifier: MIT */
#include "array.h"

#include "harness/device/init.h"
#include "values/scalar.h"

static bool size_fits(const struct options *o, const struct input *file, size_t n, char *message)
{
    if (o->input != NULL && n > file->n)
        snprintf(message, INPUT_MESSAGE_MAX,
                 "--size %zu: %.200s has only %zu elements; leave out --size to use all of them", n, o->input, file->n);
    else if (o->pattern.hot != PATTERN_HOT_LAST && o->pattern.hot >= n)
        snprintf(message, INPUT_MESSAGE_MAX,
                 "--pattern onehot:%llu: the index is past the end of %zu elements; give one below "
                 "--size",
                 (unsigned long long)o->pattern.hot, n);
    else
        return true;
    return false;
}

bool array_open(struct options *o, size_t default_n, struct input *file, char *message)
{
    bool fits = true;

    if (o->input != NULL) {
        if (!input_read(o->input, o->type_given ? o->type : -1, file, message))
            return false;
        o->type = file->type;
    }
    if (o->size_count == 0)
        o->sizes[o->size_count++] = o->input != NULL ? file->n : default_n;
    for (size_t i = 0; fits && i < o->size_count; i++)
        fits = size_fits(o, file, o->sizes[i], message);
    return fits;
}

struct input_view array_view(const struct options *o, const struct input *file, size_t n)
{
    struct input_view in = {.type = o->type, .n = n, .data = file->data};

    in.pattern = pattern_for(&o->pattern, o->op, n);
    return in;
}

void array_to_device(const struct input_view *in, void *d_to, size_t first, size_t n, hipStream_t stream)
{
    size_t size = type_size(in->type);

    if (n > 0 && in->data != NULL)
        HIP_CHECK(hipMemcpy(d_to, (const char *)in->data + first * size, n * size, hipMemcpyHostToDevice));
    else if (n > 0)
        init_fill(d_to, in->type, &in->pattern, first, n, stream);
}
