/* SPDX-License-Identifier: MIT */
#include "variant_options.h"

#include <string.h>

bool variant_option_is_flag(const struct variant_option *own) { return own->values != NULL && *own->values == '\0'; }

/* "<FILE>": text that the variant reads itself */
static bool is_text(const struct variant_option *own) { return own->values != NULL && *own->values == '<'; }

bool variant_option_parse(struct parse *p, int index, const char *text)
{
    const struct variant_option *own = &p->v->options[index];
    char option[64];

    if (variant_option_read(own, text, &p->o->option[index], &p->o->text[index]))
        return true;
    snprintf(option, sizeof option, "--%s", own->name);
    if (own->values == NULL)
        return parse_wrong(p, "%s '%s': give a whole number from %ld to %ld", option, text, own->min, own->max);
    return parse_wrong(p, "%s '%s': give one of %s", option, text, own->values);
}

size_t variant_options_count(const struct variant *v)
{
    size_t count = 0;
    while (count < VARIANT_OPTIONS_MAX && v->options[count].name != NULL)
        count++;
    return count;
}

/* The text between bars number index and index + 1 of words. */
static void print_word(char *text, size_t size, const char *words, long index)
{
    for (; index > 0 && strchr(words, '|') != NULL; index--)
        words = strchr(words, '|') + 1;
    snprintf(text, size, "%.*s", (int)strcspn(words, "|"), words);
}

void variant_options_help(FILE *out, const struct variant *v)
{
    size_t own = variant_options_count(v);

    if (own > 0)
        fprintf(out, "\nVariant options\n");
    for (size_t i = 0; i < own; i++) {
        const struct variant_option *x = &v->options[i];
        char range[64], fallback[64], help[256];
        if (variant_option_is_flag(x) || is_text(x)) {
            parse_help(out, 0, x->name, variant_option_is_flag(x) ? NULL : x->values, x->help);
            continue;
        }
        snprintf(range, sizeof range, "%ld..%ld", x->min, x->max);
        if (x->values != NULL)
            print_word(fallback, sizeof fallback, x->values, x->fallback);
        else
            snprintf(fallback, sizeof fallback, "%ld", x->fallback);
        snprintf(help, sizeof help, "%s. Default: %s", x->help, fallback);
        parse_help(out, 0, x->name, x->values != NULL ? x->values : range, help);
    }
}
