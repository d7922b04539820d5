/* SPDX-License-Identifier: MIT */
#include "json_text.h"

#include <stdbool.h>
#include <stdio.h>

void json_text(const char *text)
{
    putchar('"');
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        unsigned more = *c >= 0xf0 && *c < 0xf5 ? 3 : *c >= 0xe0 && *c < 0xf0 ? 2 : *c >= 0xc2 && *c < 0xe0;
        bool is_good = *c < 0x80 || more > 0;
        for (unsigned i = 1; i <= more && is_good; i++)
            is_good = (c[i] & 0xc0) == 0x80;
        if (*c == '"' || *c == '\\')
            printf("\\%c", *c++);
        else if (*c < 0x20 || *c == '<')
            printf("\\u%04x", *c++);
        else if (!is_good)
            putchar('?'), c++;
        else
            for (unsigned i = 0; i <= more; i++)
                putchar(*c++);
    }
    putchar('"');
}
