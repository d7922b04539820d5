/* A variant's options, by their names.
 * SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reduction.h"

/* One of the words "down|xor|up". */
static bool read_word(const char *words, const char *text, long *index)
{
    size_t length = strlen(text);

    for (*index = 0; words != NULL; ++*index) {
        if (strcspn(words, "|") == length && strncmp(words, text, length) == 0)
            return true;
        words = strchr(words, '|');
        if (words != NULL)
            words++;
    }
    return false;
}

static bool read_number(const struct variant_option *option, const char *text, long *number)
{
    char *end;

    errno = 0;
    *number = strtol(text, &end, 10);
    return end != text && *end == '\0' && errno == 0 && *number >= option->min && *number <= option->max;
}

bool variant_option_read(const struct variant_option *option, const char *text, long *value, const char **file)
{
    if (option->values == NULL)
        return text != NULL && read_number(option, text, value);
    switch (option->values[0]) {
    case '\0':
        *value = 1;
        return true;
    case '<':
        *value = 1;
        *file = text;
        return text != NULL;
    default:
        return text != NULL && read_word(option->values, text, value);
    }
}

void variant_options_default(const struct variant *v, struct reduction *r)
{
    for (size_t i = 0; i < VARIANT_OPTIONS_MAX && v->options[i].name != NULL; i++) {
        r->option[i] = v->options[i].fallback;
        r->text[i] = NULL;
    }
}

bool variant_option_set(const struct variant *v, struct reduction *r, const char *name, const char *value)
{
    for (size_t i = 0; i < VARIANT_OPTIONS_MAX && v->options[i].name != NULL; i++)
        if (strcmp(v->options[i].name, name) == 0)
            return variant_option_read(&v->options[i], value, &r->option[i], &r->text[i]);
    return false;
}
