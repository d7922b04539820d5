/* SPDX-License-Identifier: MIT */
#include "reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool reader_fail(const struct reader *r, const char *format, ...)
{
    int used = snprintf(r->message, INPUT_MESSAGE_MAX, "%s %.200s: ", r->option, r->name);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->message + used, INPUT_MESSAGE_MAX - (size_t)used, format, arguments);
    va_end(arguments);
    for (char *c = r->message; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = '?';
    return false;
}

bool bytes_begin_with(const struct bytes *b, const char *text)
{
    size_t length = strlen(text);
    return b->size >= length && memcmp(b->data, text, length) == 0;
}
