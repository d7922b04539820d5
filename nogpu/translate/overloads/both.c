/* A function for both sides that asks on which one it is, by #if __CUDA_ARCH__ or its like: its body is there twice, and the
 * caller's side chooses, as two compilations would. Not where it has assembly, which this processor does not know.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <string.h>

#include "../source/functions.h"
#include "overloads.h"

/* What asks, and what stands in its place for the device. */
static const char *const asked[][2] = {{"__CUDA_ARCH__", "HIP_CPU_CUDA_ARCH"},
                                       {"__HIP_DEVICE_COMPILE__", "HIP_CPU_DEVICE_COMPILE"},
                                       {"NV_IS_HOST", "NV_NO_TARGET"},
                                       {"NV_IS_DEVICE", "NV_ANY_TARGET"}};
#define ASKED (sizeof asked / sizeof *asked)

static bool asks(const struct source *s, size_t begin, size_t end)
{
    static const char *const assembly[] = {"asm", "__asm", "__asm__"};
    bool found = false;

    for (size_t i = 0; i < ASKED; i++)
        found |= has_word(s, begin, end, asked[i][0]);
    for (size_t i = 0; i < sizeof assembly / sizeof *assembly; i++)
        found &= !has_word(s, begin, end, assembly[i]);
    return found;
}

/* #define HD __host__ __device__, in this file */
static bool means_both(const struct source *s, size_t begin, size_t end)
{
    for (size_t at = 0; (at = find_definition(s, at, s->code + begin, end - begin)) != NOWHERE;) {
        size_t last = at;
        while (last < s->length && s->directive[last])
            last++;
        if (has_word(s, at, last, "__host__") && has_word(s, at, last, "__device__"))
            return true;
    }
    return false;
}

static bool is_for_both(const struct source *s, size_t begin, size_t brace)
{
    if (has_word(s, begin, brace, "__device__"))
        return has_word(s, begin, brace, "__host__");
    for (size_t at = begin, end; at<brace; at = end> at ? end : at + 1) {
        end = word_end(s, at);
        if (end > at && isupper((unsigned char)s->code[at]) && means_both(s, at, end))
            return true;
    }
    return false;
}

/* The body as the device's compiler reads it. */
static void add_device(struct text *out, const struct text *body)
{
    for (size_t at = 0; at < body->length;) {
        size_t end = at;
        while (end < body->length && is_word(body->data[end]))
            end++;
        const char *instead = NULL;
        for (size_t i = 0; i < ASKED; i++)
            if (strlen(asked[i][0]) == end - at && memcmp(body->data + at, asked[i][0], end - at) == 0)
                instead = asked[i][1];
        end += end == at;
        if (instead)
            text_print(out, "%s", instead);
        else
            text_add(out, body->data + at, end - at);
        at = end;
    }
}

void find_both(const struct source *s, struct edits *e)
{
    size_t line = 1;

    for (size_t at = 0; at < s->length; at++) {
        line += s->text[at] == '\n';
        size_t end = s->code[at] == '{' && !s->directive[at] ? behind_bracket(s, at) : 0;
        if (end == 0 || !asks(s, at, end) || !is_for_both(s, head_begin(s, at), at))
            continue;
        struct text body = {0}, both = {0};
        edits_copy(s, e, at + 1, end - 1, &body);
        text_print(&both, " if (%ship_cpu_current) {\n#line %zu\n",
                   has_word(s, head_begin(s, at), at, "constexpr") ? "!__builtin_is_constant_evaluated() && " : "",
                   line);
        add_device(&both, &body);
        text_print(&both, "\n} else {");
        text_free(&body);
        *edits_add(e, at + 1, at + 1, true) = both;
        text_print(edits_add(e, end - 1, end - 1, false), "}");
        for (; at + 1 < end; at++)
            line += s->text[at + 1] == '\n';
    }
}
