/* Functions of the author's that a kernel may call as it is, in a loop.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../source/functions.h"
#include "kernel.h"

static bool is_macro(const struct sources *all, const char *name)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct source *s = all->source[i];
        for (size_t at = 0; (at = find_word(s, at, s->length, name)) != NOWHERE; at++) {
            size_t before = skip_blanks_back(s, at);
            if (s->directive[at] && is_text(s, word_begin(s, before), before, "define"))
                return true;
        }
    }
    return false;
}

/* A word of a function, whose parameters are [open, close). */
static bool is_harmless_word(const struct sources *all, const struct source *s, size_t at,
                             size_t end, size_t open, size_t close, unsigned depth)
{
    static const char *const refused[] = {"asm",    "__asm__",  "goto",       "while",  "do",
                                          "static", "volatile", "__shared__", "extern", NULL};
    char word[128];
    size_t next = skip_blanks(s, end), angles = behind_angles(s, next);

    if (end - at >= sizeof word)
        return false;
    memcpy(word, s->code + at, end - at);
    word[end - at] = '\0';
    if (is_place(word) || is_any(word, refused))
        return false;
    if (is_keyword(word) || is_type_word(word))
        return true;
    bool called = next < s->length && s->code[next] == '(';
    if (next < s->length && s->code[next] == '<' && angles != NOWHERE)
        called = s->code[skip_blanks(s, angles)] == '(' && !ends_with(word, "_cast");
    if (called)
        return is_harmless(word) ||
               (!has_word(s, open, close, word) && is_harmless_function(all, word, depth + 1));
    return !is_macro(all, word) || is_constant(all, word, 0);
}

static bool is_harmless_body(const struct sources *all, const struct source *s, size_t open,
                             size_t close, size_t end, unsigned depth)
{
    /* Else a caller's variable may change. */
    if (memchr(s->code + open, '&', close - open))
        return false;
    for (size_t at = open, next; at < end; at = next) {
        next = at + 1;
        if (s->directive[at] || strchr("\"'\\", s->code[at]))
            return false;
        if (isdigit((unsigned char)s->code[at])) {
            next = number_end(s, at);
        } else if (is_word(s->code[at])) {
            next = word_end(s, at);
            if (!is_harmless_word(all, s, at, next, open, close, depth))
                return false;
        }
    }
    return true;
}

bool is_harmless_function(const struct sources *all, const char *name, unsigned depth)
{
    bool found = false;

    if (depth == CALLS || is_macro(all, name))
        return false;
    for (size_t i = 0; i < all->count; i++) {
        const struct source *s = all->source[i];
        for (size_t at = 0; (at = find_word(s, at, s->length, name)) != NOWHERE; at++) {
            size_t open = skip_blanks(s, word_end(s, at));
            if (open >= s->length || s->code[open] != '(')
                continue;
            size_t close = behind_bracket(s, open), brace = close > 0 ? skip_blanks(s, close) : 0;
            if (close == 0 || brace >= s->length || s->code[brace] != '{')
                continue;
            size_t head = head_begin(s, brace);
            if (!has_word(s, head, at, "__device__") || memchr(s->code + head, '*', at - head) ||
                !is_harmless_body(all, s, open, close, behind_bracket(s, brace), depth))
                return false;
            found = true;
        }
    }
    return found;
}
