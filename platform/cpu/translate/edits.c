/* Replacements in a source, and the author's lines and columns behind them.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "translate.h"

struct text *edits_add(struct edits *e, size_t begin, size_t end, bool restart)
{
    if (e->count == e->capacity) {
        e->capacity = 2 * e->capacity + 16;
        e->edit = realloc(e->edit, e->capacity * sizeof *e->edit);
        if (!e->edit) {
            fprintf(stderr, "hip_translate: no memory for %zu replacements\n", e->capacity);
            exit(3);
        }
    }
    e->edit[e->count] = (struct edit){.begin = begin, .end = end, .restart = restart};
    return &e->edit[e->count++].text;
}

void edits_free(struct edits *e)
{
    for (size_t i = 0; i < e->count; i++)
        text_free(&e->edit[i].text);
    free(e->edit);
    *e = (struct edits){0};
}

static int by_place(const void *a, const void *b)
{
    const struct edit *x = a, *y = b;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* The rest of the line begins anew, under the number of the line, where it was. A macro's body is one line. */
static void restart(const struct source *s, size_t at, size_t line, struct text *out)
{
    size_t begin = at;

    if (at >= s->length || s->directive[at])
        return;
    while (begin > 0 && s->text[begin - 1] != '\n')
        begin--;
    text_print(out, "\n#line %zu\n", line);
    for (; begin < at; begin++)
        text_add(out, s->text[begin] == '\t' ? "\t" : " ", 1);
}

void edits_apply(const struct source *s, struct edits *e, const char *name, struct text *out)
{
    size_t at = 0, line = 1;

    qsort(e->edit, e->count, sizeof *e->edit, by_place);
    text_print(out, "#line 1 \"");
    for (; *name; name++)
        text_print(out, "%s%c", strchr("\\\"", *name) ? "\\" : "", *name);
    text_print(out, "\"\n");
    for (const struct edit *edit = e->edit; edit < e->edit + e->count; edit++) {
        text_add(out, s->text + at, edit->begin - at);
        text_add(out, edit->text.data, edit->text.length);
        for (; at < edit->end; at++)
            line += s->text[at] == '\n';
        if (edit->restart)
            restart(s, at, line, out);
    }
    text_add(out, s->text + at, s->length - at);
}
