/* SPDX-License-Identifier: MIT */
#include "sizes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *sizes_one(const char *text, size_t *value)
{
    static const char suffixes[] = "KMGT";
    const char *at = text;

    if (*at == '-')
        return "is negative";
    if (!isdigit((unsigned char)*at))
        return "is not a number of elements";
    *value = 0;
    if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X'))
        return "is not a decimal number";
    for (; isdigit((unsigned char)*at); at++) {
        if (*value > SIZE_MOST)
            return "is too large";
        *value = *value * 10 + (size_t)(*at - '0');
    }
    if (*at != '\0') {
        const char *suffix = strchr(suffixes, toupper((unsigned char)*at));
        if (suffix == NULL || at[1] != '\0')
            return "has a suffix that is not K, M, G or T";
        for (const char *s = suffixes; s <= suffix; s++) {
            if (*value > SIZE_MOST / 1024)
                return "is too large";
            *value *= 1024;
        }
    }
    return *value > SIZE_MOST ? "is too large" : NULL;
}

/* Parses one item of the list: a size, or FIRST..LAST in powers of two. */
static bool add_item(struct parse *p, const char *whole, char *text)
{
    struct options *o = p->o;
    char *last = strstr(text, "..");
    size_t size, end;

    if (last != NULL) {
        *last = '\0';
        last += 2;
    }
    const char *culprit = text;
    const char *why = sizes_one(text, &size);
    if (why == NULL && last != NULL) {
        culprit = last;
        why = sizes_one(last, &end);
    }
    if (why != NULL && *culprit == '\0')
        return parse_wrong(p, "--size '%s' %s: give elements as 1000, 64K, 128M or 2G (powers of two)", whole,
                           *whole == '\0' ? "is empty"
                           : last == NULL ? "has an empty item between its commas"
                                          : "has a range without one of its ends");
    if (why != NULL)
        return parse_wrong(p, "--size '%s' %s: give elements as 1000, 64K, 128M or 2G (powers of two)", culprit, why);
    if (last == NULL)
        end = size;
    else if (size == 0 || end < size)
        return parse_wrong(p, "--size '%s..%s' is not a range: give the smaller one first, from 1 on", text, last);
    do {
        if (o->size_count == SIZES_MAX)
            return parse_wrong(p, "--size has more than %d sizes: split them over several runs", SIZES_MAX);
        o->sizes[o->size_count++] = size;
        size *= 2;
    } while (size <= end && size != 0);
    return true;
}

bool sizes_parse(struct parse *p, const char *text)
{
    char *copy = strdup(text);
    bool right = copy != NULL;

    p->o->size_count = 0;
    for (char *item = copy; right && item != NULL;) {
        char *comma = strchr(item, ',');
        if (comma != NULL)
            *comma++ = '\0';
        right = add_item(p, text, item);
        item = comma;
    }
    free(copy);
    return right;
}
