/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "index.h"
#include "source.h"
#include "text.h"

bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80; }

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

static void blank_out(struct source *s, size_t begin, size_t end)
{
    for (; begin < end; begin++)
        if (s->code[begin] != '\n')
            s->code[begin] = ' ';
}

/* A backslash and the end of the line: how many characters; 0: there is none. */
static size_t splice(const struct source *s, size_t at)
{
    size_t end = at + 1;

    if (at >= s->length || s->text[at] != '\\')
        return 0;
    if (end < s->length && s->text[end] == '\r')
        end++;
    return end < s->length && s->text[end] == '\n' ? end + 1 - at : 0;
}

static size_t end_of_line_comment(const struct source *s, size_t at)
{
    while (at < s->length && s->text[at] != '\n')
        at += splice(s, at) ? splice(s, at) : 1;
    return at;
}

static size_t end_of_comment(const struct source *s, size_t at)
{
    for (at += 2; at + 1 < s->length; at++)
        if (s->text[at] == '*' && s->text[at + 1] == '/')
            return at + 2;
    return s->length;
}

/* A literal without an end stops with its line: an apostrophe in text that no compiler reads. */
static size_t end_of_literal(const struct source *s, size_t at)
{
    char quote = s->text[at++];

    while (at < s->length && s->text[at] != quote && s->text[at] != '\n')
        at += splice(s, at) ? splice(s, at) : s->text[at] == '\\' && at + 1 < s->length ? 2 : 1;
    return at < s->length ? at + (s->text[at] == quote) : s->length;
}

/* R"delimiter( ... )delimiter", at its quote. */
static size_t end_of_raw_literal(const struct source *s, size_t at)
{
    const char *delimiter = s->text + at + 1;
    size_t length = 0;

    while (at + 1 + length < s->length && length <= 16 && !strchr("()\\ \n\"", delimiter[length]))
        length++;
    if (at + 1 + length >= s->length || delimiter[length] != '(')
        return end_of_literal(s, at);
    for (size_t i = at + 2 + length; i + length + 1 < s->length; i++)
        if (s->text[i] == ')' && s->text[i + length + 1] == '"' && memcmp(s->text + i + 1, delimiter, length) == 0)
            return i + length + 2;
    return s->length;
}

static bool is_raw(const struct source *s, size_t quote)
{
    static const char *const prefixes[] = {"R", "LR", "uR", "UR", "u8R", NULL};

    return is_any_text(s, word_begin(s, quote), quote, prefixes);
}

/* 1'000'000, and not L'x'. */
static bool is_digit_separator(const struct source *s, size_t at)
{
    size_t begin = word_begin(s, at);
    return begin < at && isdigit((unsigned char)s->text[begin]) && at + 1 < s->length &&
           isalnum((unsigned char)s->text[at + 1]);
}

static bool begins(const struct source *s, size_t begin, size_t end, const char *text)
{
    return end - begin >= strlen(text) && memcmp(s->code + begin, text, strlen(text)) == 0;
}

/* How many #if are open behind the directive at `hash`, counted from one with 0; 0: none of those. */
static unsigned disabled_behind(const struct source *s, size_t hash, unsigned depth)
{
    size_t word = skip_blanks(s, hash + 1), end = word_end(s, word);

    if (depth > 0) {
        bool leaves = is_text(s, word, end, "endif") || (depth == 1 && begins(s, word, end, "el"));
        return depth + begins(s, word, end, "if") - leaves;
    }
    size_t zero = skip_blanks(s, end), next = skip_blanks(s, word_end(s, zero));
    return is_text(s, word, end, "if") && is_text(s, zero, word_end(s, zero), "0") &&
           (next >= s->length || !s->directive[next]);
}

/* No compiler reads what stands in #if 0. */
static void blank_out_disabled(struct source *s)
{
    unsigned depth = 0;

    for (size_t at = 0; at < s->length; at++)
        if (s->directive[at] && (at == 0 || !s->directive[at - 1]))
            depth = disabled_behind(s, at, depth);
        else if (depth > 0 && !s->directive[at])
            blank_out(s, at, at + 1);
}

struct source source_read(const char *text, size_t length)
{
    struct source s = {text, length, must(malloc(length + 1)), must(malloc((length + 1) * sizeof(bool))),
                       must(calloc(1, sizeof(struct source_index)))};
    bool directive = false, line_begins = true;

    memcpy(s.code, text, length);
    for (size_t at = 0, end; at < length; at = end) {
        char c = text[at];
        end = at + 1;
        if (c == '/' && end < length && text[end] == '/') {
            end = end_of_line_comment(&s, at);
            blank_out(&s, at, end);
        } else if (c == '/' && end < length && text[end] == '*') {
            end = end_of_comment(&s, at);
            blank_out(&s, at, end);
        } else if (c == '"' || (c == '\'' && !is_digit_separator(&s, at))) {
            end = c == '"' && is_raw(&s, at) ? end_of_raw_literal(&s, at) : end_of_literal(&s, at);
            blank_out(&s, at + 1, end - (end > at + 1));
            line_begins = false;
        } else if (splice(&s, at)) {
            end = at + splice(&s, at);
            blank_out(&s, at, end);
        } else if (c == '#' && line_begins) {
            directive = true;
        }
        for (size_t i = at; i < end; i++)
            s.directive[i] = directive && !(c == '\n');
        if (c == '\n') {
            directive = false;
            line_begins = true;
        } else if (!is_blank(s.code[at])) {
            line_begins = false;
        }
    }
    blank_out_disabled(&s);
    return s;
}

void source_free(struct source *s)
{
    free(s->code);
    free(s->directive);
    free(s->index->words.first);
    free(s->index->words.place);
    free(s->index->defined.first);
    free(s->index->defined.place);
    free(s->index->open);
    free(s->index);
}

/* ---- moving in it ---- */

size_t skip_blanks(const struct source *s, size_t at)
{
    while (at < s->length && is_blank(s->code[at]))
        at++;
    return at;
}

size_t skip_blanks_back(const struct source *s, size_t end)
{
    while (end > 0 && is_blank(s->code[end - 1]))
        end--;
    return end;
}

size_t word_begin(const struct source *s, size_t end)
{
    while (end > 0 && is_word(s->code[end - 1]))
        end--;
    return end;
}

size_t word_end(const struct source *s, size_t at)
{
    while (at < s->length && is_word(s->code[at]))
        at++;
    return at;
}

bool is_text(const struct source *s, size_t begin, size_t end, const char *text)
{
    return end - begin == strlen(text) && memcmp(s->code + begin, text, end - begin) == 0;
}

bool is_any_text(const struct source *s, size_t begin, size_t end, const char *const *texts)
{
    while (*texts && !is_text(s, begin, end, *texts))
        texts++;
    return *texts;
}

size_t token_end(const struct source *s, size_t at)
{
    size_t end = word_end(s, at);
    return end > at ? end : at + 1;
}

bool ends_line(const struct source *s, size_t at)
{
    while (at < s->length && is_blank(s->code[at]) && s->code[at] != '\n')
        at++;
    return at >= s->length || s->code[at] == '\n';
}

size_t behind_bracket(const struct source *s, size_t open)
{
    size_t depth = 0;

    for (size_t at = open; at < s->length; at++)
        if (strchr("([{", s->code[at]) && s->code[at])
            depth++;
        else if (strchr(")]}", s->code[at]) && s->code[at] && --depth == 0)
            return at + 1;
    return 0;
}

size_t before_bracket(const struct source *s, size_t end)
{
    size_t depth = 0;

    while (end-- > 0)
        if (strchr(")]}", s->code[end]) && s->code[end])
            depth++;
        else if (strchr("([{", s->code[end]) && s->code[end] && --depth == 0)
            return end;
    return NOWHERE;
}

size_t behind_angles(const struct source *s, size_t at)
{
    size_t depth = 0;

    for (; at < s->length && !strchr(";{}", s->code[at]); at++) {
        if (s->code[at] == '(') {
            at = behind_bracket(s, at);
            if (at == 0)
                return NOWHERE;
            at--;
        } else if (s->code[at] == '<') {
            depth++;
        } else if (s->code[at] == '>' && --depth == 0) {
            return at + 1;
        }
    }
    return NOWHERE;
}
