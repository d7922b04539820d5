/* (const void *)kernel becomes (const void *)HIP_CPU_ADDRESS(kernel), which notes how a kernel at this address is called:
 * hipLaunchKernel() may get it in a variable, where the types of its parameters are lost.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "changes.h"

static bool has(const struct text *names, const char *name, size_t length)
{
    for (size_t at = 0; at + length + 2 <= names->length; at++)
        if (names->data[at] == '\n' && names->data[at + length + 1] == '\n' &&
            memcmp(names->data + at + 1, name, length) == 0)
            return true;
    return false;
}

/* ---- which kernels there are ---- */

/* __global__ void __launch_bounds__(256) name(...) */
static void add_name(const struct source *s, size_t at, struct text *names)
{
    while (at < s->length && !strchr(";{}", s->code[at])) {
        size_t end = word_end(s, at), next = skip_blanks(s, end);
        if (end == at) {
            at++;
            continue;
        }
        if (next < s->length && s->code[next] == '<')
            next = behind_angles(s, next);
        next = next == NOWHERE ? next : skip_blanks(s, next);
        if (next == NOWHERE || next >= s->length)
            return;
        if (s->code[next] != '(') {
            at = end;
        } else if (end - at > 2 && is_text(s, at, at + 2, "__")) { /* an attribute */
            at = behind_bracket(s, next);
            if (at == 0)
                return;
        } else {
            if (!has(names, s->code + at, end - at)) {
                if (names->length == 0)
                    text_add(names, "\n", 1);
                text_add(names, s->code + at, end - at);
                text_add(names, "\n", 1);
            }
            return;
        }
    }
}

void find_kernels(const struct source *s, struct text *names)
{
    for (size_t at = 0; at < s->length; at++) {
        const char *next = memchr(s->code + at, '_', s->length - at);
        if (!next)
            return;
        at = (size_t)(next - s->code);
        size_t end = word_end(s, at);
        if (is_text(s, at, end, "__global__") && word_begin(s, end) == at)
            add_name(s, end, names);
        at = end;
    }
}

/* ---- casts ---- */

/* [const] void * and then `close`: behind it; NOWHERE: it is another type. */
static size_t behind_void(const struct source *s, size_t at, char close)
{
    static const char *const words[] = {"const", "void", "const"};
    bool is_void = false;

    for (size_t i = 0; i < 3; i++) {
        at = skip_blanks(s, at);
        size_t end = word_end(s, at);
        if (is_text(s, at, end, words[i])) {
            is_void |= i == 1;
            at = end;
        }
    }
    at = skip_blanks(s, at);
    if (!is_void || at >= s->length || s->code[at] != '*')
        return NOWHERE;
    at = skip_blanks(s, at + 1);
    if (is_text(s, at, word_end(s, at), "const"))
        at = skip_blanks(s, word_end(s, at));
    return at < s->length && s->code[at] == close ? at + 1 : NOWHERE;
}

/* & a::b<c>::kernel<T, 2>, where the last name is a kernel's. */
static bool find_operand(const struct source *s, const struct text *names, size_t *begin, size_t *end)
{
    size_t at = skip_blanks(s, *begin);
    bool known = false;

    *begin = at;
    if (at < s->length && s->code[at] == '&')
        at = skip_blanks(s, at + 1);
    for (;;) {
        if (at + 2 <= s->length && is_text(s, at, at + 2, "::"))
            at = skip_blanks(s, at + 2);
        *end = word_end(s, at);
        if (*end == at)
            return false;
        known = has(names, s->code + at, *end - at);
        at = skip_blanks(s, *end);
        if (at < s->length && s->code[at] == '<') {
            size_t behind = behind_angles(s, at);
            if (behind == NOWHERE)
                return known;
            *end = behind;
            at = skip_blanks(s, behind);
        }
        if (at + 2 > s->length || !is_text(s, at, at + 2, "::"))
            return known && (at >= s->length || s->code[at] != '(');
    }
}

void find_addresses(const struct source *s, const struct text *names, struct edits *e)
{
    for (size_t at = 0; names->length > 0 && at < s->length; at++) {
        size_t begin = NOWHERE, end;
        if (s->code[at] == '(') {
            size_t before = skip_blanks_back(s, at);
            if (before == 0 || !is_word(s->code[before - 1]) || is_text(s, word_begin(s, before), before, "return"))
                begin = behind_void(s, at + 1, ')');
        } else if (s->code[at] == 'r' && at + 16 < s->length && is_text(s, at, at + 16, "reinterpret_cast")) {
            size_t open = skip_blanks(s, at + 16);
            if (open < s->length && s->code[open] == '<')
                begin = behind_void(s, open + 1, '>');
            if (begin != NOWHERE)
                begin = skip_blanks(s, begin) + 1; /* its ( */
        }
        if (begin == NOWHERE || begin >= s->length || !find_operand(s, names, &begin, &end))
            continue;
        text_print(edits_add(e, begin, begin, false), "HIP_CPU_ADDRESS(");
        text_print(edits_add(e, end, end, false), ")");
        at = end - 1;
    }
}
