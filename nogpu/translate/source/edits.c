/* Replacements in a source, and the author's lines and columns behind them.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edits.h"

struct text *edits_add(struct edits *e, size_t begin, size_t end, bool restart)
{
    if (e->count == e->capacity) {
        e->capacity = 2 * e->capacity + 16;
        e->edit = must(realloc(e->edit, e->capacity * sizeof *e->edit));
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
static bool restart(const struct source *s, size_t at, size_t line, struct text *out)
{
    size_t begin = at;

    if (at >= s->length || s->directive[at])
        return false;
    while (begin > 0 && s->text[begin - 1] != '\n')
        begin--;
    text_print(out, "\n#line %zu\n", line);
    for (; begin < at; begin++)
        text_add(out, s->text[begin] == '\t' ? "\t" : " ", 1);
    return true;
}

/* Lines that a compiler may have skipped: it takes no #line there. */
struct skipped {
    bool lines; /* some were added since the outermost #if */
    int depth;  /* of #if */
};

/* Behind an #else, #elif or #endif, whose line ends at `end`, the next line is called by its number again. */
static void count_again(const struct source *s, size_t end, size_t next_line, struct skipped *skipped, struct text *out)
{
    size_t begin = end;

    while (begin > 0 && s->directive[begin - 1])
        begin--;
    begin = skip_blanks(s, skip_blanks(s, begin) + 1);
    if (is_text(s, begin, begin + 2, "if")) {
        skipped->depth++;
    } else if (is_text(s, begin, begin + 2, "el") || is_text(s, begin, begin + 5, "endif")) {
        if (skipped->lines)
            text_print(out, "#line %zu\n", next_line);
        if (s->code[begin + 1] == 'n' && --skipped->depth <= 0)
            skipped->lines = false;
    }
}

void edits_copy(const struct source *s, struct edits *e, size_t begin, size_t end, struct text *out)
{
    if (e->count > 0)
        qsort(e->edit, e->count, sizeof *e->edit, by_place);
    for (size_t i = 0; i < e->count; i++) {
        const struct edit *edit = &e->edit[i];
        if (edit->begin < begin || edit->end > end)
            continue;
        text_add(out, s->text + begin, edit->begin - begin);
        text_add(out, edit->text.data, edit->text.length);
        begin = edit->end;
    }
    text_add(out, s->text + begin, end - begin);
}

void edits_apply(const struct source *s, struct edits *e, const char *name, struct text *out)
{
    size_t at = 0, line = 1;
    struct skipped skipped = {0};

    if (e->count > 0)
        qsort(e->edit, e->count, sizeof *e->edit, by_place);
    text_print(out, "#line 1 \"");
    for (; *name; name++)
        text_print(out, "%s%c", strchr("\\\"", *name) ? "\\" : "", *name);
    text_print(out, "\"\n");
    for (size_t i = 0; i <= e->count; i++) {
        const struct edit *edit = i < e->count ? &e->edit[i] : NULL;
        for (size_t end = edit ? edit->begin : s->length; at < end;) {
            const char *newline = memchr(s->text + at, '\n', end - at);
            size_t next = newline ? (size_t)(newline - s->text) + 1 : end;
            text_add(out, s->text + at, next - at);
            at = next;
            line += newline != NULL;
            if (newline && at > 1 && s->directive[at - 2] && !s->directive[at - 1])
                count_again(s, at - 1, line, &skipped, out);
        }
        if (!edit)
            break;
        text_add(out, edit->text.data, edit->text.length);
        for (; at < edit->end; at++)
            line += s->text[at] == '\n';
        if (edit->restart)
            skipped.lines |= restart(s, at, line, out);
    }
}
