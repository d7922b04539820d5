/* A finding as text, and as a record: lines of a name, a tab and a value.
 * SPDX-License-Identifier: MIT */
#include "finding.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *finding_text(const char *format, ...)
{
    va_list arguments;
    char *text = NULL;

    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length >= 0)
        return text;
    fprintf(stderr, "nogpu: no memory for the report\n");
    _exit(3);
}

uint64_t finding_hash(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return (hash ^ 0xff) * 0x100000001b3u;
}

void finding_wrap(FILE *out, const char *first, const char *rest, const char *text)
{
    size_t column = strlen(first), indent = strlen(rest);

    fputs(first, out);
    while (*text) {
        size_t word = strcspn(text, " ");
        if (column + word > 80 && column > indent) {
            fprintf(out, "\n%s", rest);
            column = indent;
        }
        fprintf(out, "%.*s", (int)word, text);
        text += word;
        column += word;
        if (*text == ' ') {
            text++;
            if (*text && column + 1 + strcspn(text, " ") <= 80) {
                fputc(' ', out);
                column++;
            } else if (*text) {
                fprintf(out, "\n%s", rest);
                column = indent;
            }
        }
    }
    fputc('\n', out);
}

static void print_side(FILE *out, const struct finding_side *s)
{
    fprintf(out, "  %s:%u", s->file, s->line);
    if (strcmp(s->function, "?") != 0)
        fprintf(out, "  in %s()", s->function);
    fprintf(out, "\n      %s\n      ", s->source);
    /* GCC gives column 1 to all that a macro is replaced by. */
    if (s->column > s->indent + 1)
        fprintf(out, "%*s\n      ", (int)(s->column - s->indent), "^");
    fprintf(out, "%s\n", s->who);
    for (const char *at = s->called; *at;) {
        size_t length = strcspn(at, " ");
        fprintf(out, "      called from %.*s\n", (int)length, at);
        at += length + (at[length] == ' ');
    }
}

void finding_print(FILE *out, const struct finding_shown *f, unsigned number, const char *seen)
{
    char head[64];

    snprintf(head, sizeof head, "%s %u: ", f->kind, number);
    finding_wrap(out, head, "        ", f->head);
    for (unsigned i = 0; i < f->sides; i++)
        print_side(out, &f->side[i]);
    if (*f->hint)
        finding_wrap(out, "  look at: ", "           ", f->hint);
    for (unsigned i = 0; i < f->others; i++)
        finding_wrap(out, "  perhaps for the same reason: ", "      ", f->other[i]);
    if (seen)
        fprintf(out, "  %s\n", seen);
}

void finding_record(FILE *out, const struct finding_shown *f)
{
    fprintf(out, "\001finding\nkind\t%s\nhead\t%s\nkernel\t%s\nhint\t%s\nkeys\t%s\ntimes\t%llu\n", f->kind, f->head,
            f->kernel, f->hint, f->keys, f->times);
    fprintf(out, "function\t%s\nfirst\t%u\nlast\t%u\n", f->function, f->first, f->last);
    for (unsigned i = 0; i < f->sides; i++) {
        const struct finding_side *s = &f->side[i];
        fprintf(out, "side\nfile\t%s\nline\t%u\ncolumn\t%u\nindent\t%u\nin\t%s\nsource\t%s\n", s->file, s->line,
                s->column, s->indent, s->function, s->source);
        fprintf(out, "who\t%s\ncalled\t%s\n", s->who, s->called);
    }
    for (unsigned i = 0; i < f->others; i++)
        fprintf(out, "other\t%s\n", f->other[i]);
}
