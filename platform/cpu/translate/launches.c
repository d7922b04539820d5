/* kernel<<<grid, block>>>(arguments) becomes HIP_CPU_LAUNCH(kernel)(grid, block)(arguments): the author's own tokens
 * in their order, so that the compiler converts, deduces and complains as it does for a call.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "translate.h"

#define NOWHERE ((size_t)-1)

static bool is_keyword(const struct source *s, size_t begin, size_t end)
{
    static const char *const words[] = {"return", "else",  "do",  "case", "if",  "while",    "for",
                                        "switch", "throw", "and", "or",   "not", "constexpr"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_text(s, begin, end, words[i]))
            return true;
    /* The name of a macro that is being defined. */
    size_t before = skip_blanks_back(s, begin);
    return is_text(s, word_begin(s, before), before, "define");
}

/* The < of the template arguments that end before `end`. */
static size_t before_angle(const struct source *s, size_t end)
{
    size_t depth = 0;

    while (end > 0) {
        char c = s->code[end - 1];
        if (strchr(")]}", c) && c) {
            end = before_bracket(s, end);
            if (end == NOWHERE)
                return NOWHERE;
            continue;
        }
        if (c == ';' || c == '{' || c == '(')
            return NOWHERE;
        end--;
        if (c == '>' && (end == 0 || s->code[end - 1] != '-'))
            depth++;
        else if (c == '<' && --depth == 0)
            return end;
    }
    return NOWHERE;
}

/* Where the expression begins that is called: names, template arguments, brackets, members. */
static size_t callee_begin(const struct source *s, size_t end)
{
    size_t begin = NOWHERE;

    for (;;) {
        end = skip_blanks_back(s, end);
        char c = end > 0 ? s->code[end - 1] : 0;
        if (c == '>') {
            end = before_angle(s, end);
            if (end == NOWHERE)
                return NOWHERE;
            continue; /* a name stands before it */
        }
        if (c == ']' || c == ')') {
            size_t open = before_bracket(s, end), word;
            if (open == NOWHERE)
                return NOWHERE;
            end = skip_blanks_back(s, open);
            word = word_begin(s, end);
            c = end > 0 ? s->code[end - 1] : 0;
            if ((word < end && !is_keyword(s, word, end)) || c == '>' || c == ']')
                continue; /* f(x), or x[i] */
            if (c == ')' && s->code[open] == '[')
                continue;
            return open;
        }
        begin = word_begin(s, end);
        if (begin == end || is_keyword(s, begin, end))
            return NOWHERE;
        size_t before = skip_blanks_back(s, begin);
        if (before >= 8 && is_text(s, before - 8, before, "template") &&
            word_begin(s, before) == before - 8)
            before = skip_blanks_back(s, before - 8);
        if (before >= 2 && is_text(s, before - 2, before, "##")) {
            end = before - 2;
            continue;
        }
        if (before >= 2 && is_text(s, before - 2, before, "::")) {
            size_t scope = skip_blanks_back(s, before - 2), word = word_begin(s, scope);
            if (scope > 0 &&
                ((word < scope && !is_keyword(s, word, scope)) || s->code[scope - 1] == '>'))
                end = scope;
            else
                return before - 2;
            continue;
        }
        if (before >= 2 && is_text(s, before - 2, before, "->")) {
            end = before - 2;
            continue;
        }
        if (before >= 1 && s->code[before - 1] == '.') {
            end = before - 1;
            continue;
        }
        return begin;
    }
}

/* Behind <<< or >>>; `spaced`: behind << <, which compilers for GPUs take, too. 0: neither. */
static size_t behind_three(const struct source *s, size_t at, char c, bool spaced)
{
    size_t third = spaced ? skip_blanks(s, at + 2) : at + 2;

    return third < s->length && s->code[at] == c && s->code[at + 1] == c && s->code[third] == c
               ? third + 1
               : 0;
}

/* The >>> that ends the configuration which begins at `at`, and where it ends itself: the last one before a ( in this
 * statement, because template arguments can end with >>> too. */
static size_t configuration_end(const struct source *s, size_t at, bool spaced, size_t *behind)
{
    size_t found = NOWHERE, end;
    bool directive = s->directive[at - 1];

    while (at < s->length && s->directive[at] == directive) {
        char c = s->code[at];
        if (strchr("([{", c) && c) {
            at = behind_bracket(s, at);
            if (at == 0)
                break;
            continue;
        }
        if ((strchr(")]};", c) && c) || (at + 3 <= s->length && is_text(s, at, at + 3, "<<<")))
            break;
        if ((end = behind_three(s, at, '>', spaced))) {
            size_t next = skip_blanks(s, end);
            if (next < s->length && s->code[next] == '(') {
                found = at;
                *behind = end;
            }
        }
        at++;
    }
    return found;
}

void find_launches(const struct source *s, struct edits *e)
{
    for (size_t at = 0; at + 3 <= s->length; at++) {
        const char *next = memchr(s->code + at, '<', s->length - at);
        if (!next)
            break;
        at = (size_t)(next - s->code);
        size_t run = at;
        while (run < s->length && s->code[run] == '<')
            run++;
        bool spaced = run - at == 2 && behind_three(s, at, '<', true);
        if (run - at != 3 && !spaced) {
            at = run - 1;
            continue;
        }
        run = behind_three(s, at, '<', spaced);
        size_t before = skip_blanks_back(s, at), word = word_begin(s, before), behind = 0;
        size_t end = configuration_end(s, run, spaced, &behind), begin = callee_begin(s, at);
        if (!is_text(s, word, before, "operator") && end != NOWHERE && begin != NOWHERE) {
            text_print(edits_add(e, begin, begin, true), "HIP_CPU_%sLAUNCH(",
                       !s->directive[at] && for_device(s, at) ? "NO_" : "");
            text_print(edits_add(e, at, run, false), ")( ");
            text_print(edits_add(e, end, behind, false), ")  ");
        }
        at = run - 1;
    }
}
