/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text.h"

void *must(void *data)
{
    if (!data) {
        fprintf(stderr, "hip_translate: no memory\n");
        exit(3);
    }
    return data;
}

void text_add(struct text *t, const char *data, size_t length)
{
    if (t->length + length > t->capacity) {
        t->capacity = 2 * (t->length + length) + 64;
        t->data = must(realloc(t->data, t->capacity));
    }
    if (length > 0)
        memcpy(t->data + t->length, data, length);
    t->length += length;
}

void text_print(struct text *t, const char *format, ...)
{
    va_list arguments;
    char small[256], *large = small;

    va_start(arguments, format);
    int length = vsnprintf(small, sizeof small, format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof small) {
        large = must(malloc((size_t)length + 1));
        va_start(arguments, format);
        vsnprintf(large, (size_t)length + 1, format, arguments);
        va_end(arguments);
    }
    text_add(t, large, (size_t)length);
    if (large != small)
        free(large);
}

void text_free(struct text *t)
{
    free(t->data);
    *t = (struct text){0};
}

struct text read_all(int from)
{
    struct text all = {0};
    char piece[1 << 14];
    ssize_t got;

    while ((got = read(from, piece, sizeof piece)) > 0 || (got < 0 && errno == EINTR))
        text_add(&all, piece, got > 0 ? (size_t)got : 0);
    text_add(&all, "", 1);
    close(from);
    return all;
}

bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

bool is_any(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(text, *words) == 0)
            return true;
    return false;
}
