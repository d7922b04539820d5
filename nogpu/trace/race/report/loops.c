/* See loops.h. Comments and texts hold no braces that matter.
 * SPDX-License-Identifier: MIT */
#include "loops.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "../../trace_internal.h"

#define TEXT_MAX ((size_t)1 << 20)
#define SEEN_MAX 256

struct loop {
    unsigned first, last; /* lines; 0: none */
};

static char text[TEXT_MAX];

static bool is_word(const char *at, const char *word)
{
    size_t length = strlen(word);
    return strncmp(at, word, length) == 0 && !isalnum((unsigned char)at[length]) && at[length] != '_';
}

/* The first character of the line that has this one, or of the line before it if the brace stands alone. */
static size_t begin_of_statement(size_t brace)
{
    size_t begin = brace;

    while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t'))
        begin--;
    if (begin > 0 && begin < brace && text[begin - 1] == '\n')
        begin--;
    while (begin > 0 && text[begin - 1] != '\n')
        begin--;
    while (text[begin] == ' ' || text[begin] == '\t')
        begin++;
    return begin;
}

static unsigned line_of_end(size_t at, unsigned line)
{
    unsigned depth = 0;

    for (; text[at] && (depth > 1 || text[at] != '}'); at++) {
        depth += (text[at] == '{') - (text[at] == '}');
        line += text[at] == '\n';
    }
    return line;
}

/* The innermost loop around these lines. */
static struct loop find(const char *file, unsigned low, unsigned high)
{
    FILE *source = fopen(file, "r");
    size_t size = source ? fread(text, 1, sizeof text - 1, source) : 0;
    unsigned line = 1, depth = 0;
    size_t at = 0;

    if (source)
        fclose(source);
    text[size] = '\0';
    while (at < size && line < low)
        line += text[at++] == '\n';
    while (at-- > 0) {
        line -= text[at] == '\n';
        depth += text[at] == '}';
        if (text[at] != '{')
            continue;
        if (depth > 0) {
            depth--;
            continue;
        }
        if (at == 0 || text[at - 1] == '\n') /* alone in the first column: the function */
            break;
        const char *begin = text + begin_of_statement(at);
        unsigned last = line_of_end(at, line);
        if (last >= high && (is_word(begin, "for") || is_word(begin, "while") || is_word(begin, "do")))
            return (struct loop){line, last};
    }
    return (struct loop){0, 0};
}

unsigned loops_around(const char *file, unsigned line) { return find(file, line, line).first; }

/* A report asks for a few pairs of lines many times. */
bool loops_widen(const char *file, unsigned *low, unsigned *high)
{
    static struct {
        const char *file;
        unsigned low, high;
        struct loop loop;
    } seen[SEEN_MAX];
    static unsigned count;
    unsigned i = 0, used = count < SEEN_MAX ? count : SEEN_MAX;

    while (i < used && (seen[i].low != *low || seen[i].high != *high || strcmp(seen[i].file, file) != 0))
        i++;
    if (i == used) {
        i = count++ % SEEN_MAX;
        seen[i].file = file;
        seen[i].low = *low;
        seen[i].high = *high;
        seen[i].loop = find(file, *low, *high);
    }
    if (!seen[i].loop.first)
        return false;
    *low = seen[i].loop.first;
    *high = seen[i].loop.last;
    return true;
}
