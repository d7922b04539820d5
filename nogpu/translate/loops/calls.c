/* Functions of the author's that a kernel may call as it is, in a loop.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../source/functions.h"
#include "kernel.h"

/* The definition of a macro at or behind a place; behind its name then. NULL: there is none. */
static const struct source *next_macro(const struct sources *all, const char *name, size_t *file, size_t *at)
{
    for (; *file < all->count; ++*file, *at = 0)
        if ((*at = find_definition(all->source[*file], *at, name, strlen(name))) != NOWHERE)
            return all->source[*file];
    return NULL;
}

static bool defines_macro(const struct sources *all, const char *name, UNUSED unsigned depth)
{
    size_t file = 0, at = 0;

    return next_macro(all, name, &file, &at) != NULL;
}

bool is_macro(const struct sources *all, const char *name) { return ask(all, defines_macro, name, 0); }

static bool promises(const struct sources *all, const char *word, UNUSED unsigned depth)
{
    static const char promise[] = "harmless";

    for (size_t i = 0; i < all->count; i++) {
        const struct source *s = all->source[i];
        for (size_t at = 0; (at = find_word(s, at, s->length, promise)) != NOWHERE; at++) {
            size_t tool_end = skip_blanks_back(s, at), tool = word_begin(s, tool_end), end = at;
            size_t pragma_end = skip_blanks_back(s, tool);
            while (end < s->length && s->directive[end])
                end++;
            if (s->directive[at] && is_text(s, tool, tool_end, "nogpu") &&
                is_text(s, word_begin(s, pragma_end), pragma_end, "pragma") && has_word(s, at, end, word))
                return true;
        }
    }
    return false;
}

bool is_promised(const struct sources *all, const char *word) { return ask(all, promises, word, 0); }

static bool defines_harmless_macro(const struct sources *all, const char *name, unsigned depth)
{
    size_t file = 0, at = 0;
    const struct source *s;
    bool found = false;

    for (; depth < CALLS && (s = next_macro(all, name, &file, &at)); found = true) {
        size_t open = at, close = s->code[at] == '(' ? behind_bracket(s, at) : at;
        if (close == 0)
            return false;
        at = close;
        for (size_t next; at < s->length && s->directive[at]; at = next) {
            char word[128] = "";
            next = at + 1;
            if (isdigit((unsigned char)s->code[at])) {
                next = number_end(s, at);
            } else if (is_word(s->code[at])) {
                next = word_end(s, at);
                if (next - at >= sizeof word)
                    return false;
                memcpy(word, s->code + at, next - at);
                if (!has_word(s, open, close, word) && !is_harmless(word) && !is_type_word(word) &&
                    !is_constant(all, word, 0) && !is_harmless_macro(all, word, depth + 1) &&
                    !is_harmless_function(all, word, depth + 1))
                    return false;
            } else if (strchr("<>=!", s->code[at]) && s->code[next] == '=') {
                next++;
            } else if (strchr("={};\"'#", s->code[at]) || (strchr("+-", s->code[at]) && s->code[next] == s->code[at])) {
                return false;
            }
        }
    }
    return found;
}

bool is_harmless_macro(const struct sources *all, const char *name, unsigned depth)
{
    return ask(all, defines_harmless_macro, name, depth);
}

bool is_called_by_macro(const struct sources *all, const char *macro, const char *name)
{
    size_t file = 0, at = 0, length = strlen(name);
    const struct source *s = is_macro(all, macro) ? next_macro(all, macro, &file, &at) : NULL;

    if (!s || strncmp(s->code + at, "()", 2) != 0)
        return false;
    size_t word = skip_blanks(s, at + 2), end = word + length + 2;
    return is_text(s, word, word_end(s, word), name) && strncmp(s->code + word + length, "()", 2) == 0 &&
           s->code[end + strspn(s->code + end, " \t\r")] == '\n' && !next_macro(all, macro, &file, &at);
}

static bool defines_device_macro(const struct sources *all, const char *name, UNUSED unsigned depth)
{
    size_t file = 0, at = 0;
    const struct source *s;

    while ((s = next_macro(all, name, &file, &at))) {
        size_t end = at;
        while (end < s->length && s->code[end] != '\n')
            end++;
        if (has_word(s, at, end, "__device__"))
            return true;
    }
    return false;
}

bool is_device_macro(const struct sources *all, const char *name) { return ask(all, defines_device_macro, name, 0); }

/* Whether __device__ stands in [begin, end), perhaps as a part of a macro. */
static bool says_device(const struct sources *all, const struct source *s, size_t begin, size_t end)
{
    bool says = has_word(s, begin, end, "__device__");

    for (size_t next; begin < end && !says; begin = next) {
        char word[128] = "";
        next = word_end(s, begin);
        if (next > begin && next - begin < sizeof word && !s->directive[begin]) {
            memcpy(word, s->code + begin, next - begin);
            says = is_device_macro(all, word);
        }
        next += next == begin;
    }
    return says;
}

static bool defines_type(const struct sources *all, const char *word, UNUSED unsigned depth)
{
    static const char *const heads[] = {"struct", "class", "union", "enum", "using", NULL};

    for (size_t i = 0; i < all->count; i++) {
        const struct source *s = all->source[i];
        for (size_t at = 0; (at = find_word(s, at, s->length, word)) != NOWHERE; at++) {
            size_t end = skip_blanks(s, word_end(s, at)), back = skip_blanks_back(s, at);
            size_t head = word_begin(s, back), begin = at, before = skip_blanks_back(s, head);
            if (s->directive[at] || end >= s->length)
                continue;
            for (size_t depth = 0; begin > 0 && !s->directive[begin - 1]; begin--) {
                char c = s->code[begin - 1];
                depth += c == '}';
                if (depth == 0 && (c == ';' || c == '{'))
                    break;
                depth -= c == '{';
            }
            begin = skip_blanks(s, begin);
            bool named = s->code[end] == ';' && is_text(s, begin, word_end(s, begin), "typedef");
            for (size_t k = 0; heads[k]; k++)
                named |= is_text(s, head, back, heads[k]) && s->code[end] == (k == 4 ? '=' : '{') &&
                         (before == 0 || s->code[before - 1] != '>');
            if (named)
                return !is_macro(all, word);
        }
    }
    return false;
}

bool is_author_type(const struct sources *all, const char *word) { return ask(all, defines_type, word, 0); }

/* A word of a function, whose parameters are [open, close). */
static bool is_harmless_word(const struct sources *all, const struct source *s, size_t at, size_t end, size_t open,
                             size_t close, unsigned depth)
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
        return is_harmless(word) || is_harmless_macro(all, word, depth + 1) ||
               (!has_word(s, open, close, word) && is_harmless_function(all, word, depth + 1));
    return !is_macro(all, word) || is_constant(all, word, 0) || is_harmless_macro(all, word, depth + 1);
}

static bool is_harmless_body(const struct sources *all, const struct source *s, size_t open, size_t close, size_t end,
                             unsigned depth)
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

/* The definition behind the one that `f` is, if any; first is behind none. */
static bool next_function(const struct sources *all, const char *name, struct function *f)
{
    for (; f->file < all->count; f->file++, f->name = 0) {
        const struct source *s = f->source = all->source[f->file];
        while ((f->name = find_word(s, f->name, s->length, name)) != NOWHERE) {
            f->open = skip_blanks(s, word_end(s, f->name));
            bool list = f->open < s->length && s->code[f->open] == '(';
            f->close = list ? behind_bracket(s, f->open) : 0;
            size_t brace = f->close > 0 ? skip_blanks(s, f->close) : s->length;
            f->end = brace < s->length && s->code[brace] == '{' ? behind_bracket(s, brace) : 0;
            f->head = f->end > 0 ? head_begin(s, brace) : 0;
            f->name++;
            if (f->end > 0)
                return true;
        }
    }
    return false;
}

/* One alone, for the device. */
static bool defines_function(const struct sources *all, const char *name, UNUSED unsigned depth)
{
    struct function f = {0};

    return !is_macro(all, name) && next_function(all, name, &f) && says_device(all, f.source, f.head, f.name - 1) &&
           !next_function(all, name, &f);
}

bool find_function(const struct sources *all, const char *name, struct function *f)
{
    *f = (struct function){0};
    if (!ask(all, defines_function, name, 0) || !next_function(all, name, f))
        return false;
    f->name--;
    return true;
}

static bool defines_harmless(const struct sources *all, const char *name, unsigned depth)
{
    bool found = false;

    if (is_promised(all, name))
        return true;
    if (depth == CALLS || is_macro(all, name))
        return false;
    for (struct function f = {0}; next_function(all, name, &f); found = true) {
        const struct source *s = f.source;
        if (!says_device(all, s, f.head, f.name) || memchr(s->code + f.head, '*', f.name - f.head) ||
            !is_harmless_body(all, s, f.open, f.close, f.end, depth))
            return false;
    }
    return found;
}

bool is_harmless_function(const struct sources *all, const char *name, unsigned depth)
{
    return ask(all, defines_harmless, name, depth);
}
