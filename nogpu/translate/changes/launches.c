/* kernel<<<grid, block>>>(arguments) becomes HIP_CPU_LAUNCH(kernel)(grid, block)(arguments): the author's own tokens
 * in their order, so that the compiler converts, deduces and complains as it does for a call.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "../source/functions.h"
#include "changes.h"

static bool is_keyword(const struct source *s, size_t begin, size_t end)
{
    static const char *const words[] = {"return", "else",  "do",  "case", "if",  "while",     "for",
                                        "switch", "throw", "and", "or",   "not", "constexpr", NULL};
    /* The name of a macro that is being defined. */
    size_t before = skip_blanks_back(s, begin);
    return is_any_text(s, begin, end, words) || is_text(s, word_begin(s, before), before, "define");
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
        char last = end > 0 ? s->code[end - 1] : 0, next = s->code[end + 1];
        if ((c == '>' || c == '<') && next == '=') /* x >= y */
            continue;
        if (c == '<' && last == '<') /* x << y */
            end--;
        else if (c == '>' && last != '-')
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
        if (before >= 8 && is_text(s, before - 8, before, "template") && word_begin(s, before) == before - 8)
            before = skip_blanks_back(s, before - 8);
        if (before >= 2 && is_text(s, before - 2, before, "##")) {
            end = before - 2;
            continue;
        }
        if (before >= 2 && is_text(s, before - 2, before, "::")) {
            size_t scope = skip_blanks_back(s, before - 2), word = word_begin(s, scope);
            if (scope > 0 && ((word < scope && !is_keyword(s, word, scope)) || s->code[scope - 1] == '>'))
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

    return third < s->length && s->code[at] == c && s->code[at + 1] == c && s->code[third] == c ? third + 1 : 0;
}

static size_t end_of_directive(const struct source *s, size_t at)
{
    while (at < s->length && s->directive[at])
        at++;
    return at;
}

/* The >>> that ends the configuration which begins at `at`, and where it ends itself: the last one before a ( in this
 * statement, because template arguments can end with >>> too; or before a macro that is the arguments. */
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
            /* At the end of a macro: its arguments stand where it is used. */
            bool last = directive && next >= end_of_directive(s, end);
            if (last || (next < s->length && (s->code[next] == '(' || is_word(s->code[next])))) {
                found = at;
                *behind = end;
            }
        }
        at++;
    }
    return found;
}

/* kernels[i]<<<...>>>, kernel_of(x)<<<...>>>: an expression with a value, and not a name. */
static bool is_value(const struct source *s, size_t begin, size_t end)
{
    end = skip_blanks_back(s, end);
    return s->code[end - 1] == ']' || (s->code[end - 1] == ')' && before_bracket(s, end) != skip_blanks(s, begin));
}

static void launch(const struct source *s, size_t begin, size_t end, struct edits *e)
{
    const char *kind = !s->directive[end] && for_device(s, end) ? "LAUNCH_HERE"
                       : is_value(s, begin, end)                ? "LAUNCH_OF"
                                                                : "LAUNCH";
    text_print(edits_add(e, begin, begin, true), "HIP_CPU_%s(", kind);
}

/* #define CONFIGURATION(grid, block) <<<grid, block>>> becomes (grid, block), and the name is noted, with its (. */
static bool define_configuration(const struct source *s, size_t at, size_t behind, struct edits *e, struct text *names)
{
    size_t line = at, end = behind, name, next;

    while (line > 0 && s->directive[line - 1])
        line--;
    line = skip_blanks(s, skip_blanks(s, line) + 1);
    if (!is_text(s, line, word_end(s, line), "define"))
        return false;
    name = skip_blanks(s, word_end(s, line));
    next = word_end(s, name);
    size_t body = s->code[next] == '(' ? behind_bracket(s, next) : next;
    end = skip_blanks_back(s, end_of_directive(s, end));
    if (body == 0 || skip_blanks(s, body) != at || end < behind + 3 || !is_text(s, end - 3, end, ">>>"))
        return false;
    text_print(edits_add(e, at, behind, false), "( ");
    text_print(edits_add(e, end - 3, end, false), ")  ");
    text_print(names, "%s%.*s%s\n", names->length ? "" : "\n", (int)(next - name), s->code + name,
               body > next ? "(" : "");
    return true;
}

/* kernel CONFIGURATION(1, 2)(arguments) */
void find_configured(const struct source *s, const struct text *names, struct edits *e)
{
    for (size_t line = 1; line < names->length;) {
        const char *name = names->data + line;
        size_t length = strcspn(name, "(\n");
        bool parameters = name[length] == '(';
        line += length + parameters + 1;
        for (size_t at = 0, end; at + length < s->length; at = end) {
            const char *found = memchr(s->code + at, *name, s->length - at);
            if (!found)
                break;
            at = (size_t)(found - s->code);
            end = word_end(s, at);
            if (end - at != length || memcmp(found, name, length) != 0 || word_begin(s, end) != at)
                continue;
            size_t next = skip_blanks(s, end), begin = callee_begin(s, at);
            if (parameters && next < s->length && s->code[next] == '(')
                next = skip_blanks(s, behind_bracket(s, next));
            if (begin == NOWHERE || next >= s->length || s->code[next] != '(')
                continue;
            launch(s, begin, at, e);
            text_print(edits_add(e, at, at, false), ")");
        }
    }
}

void find_launches(const struct source *s, struct edits *e, struct text *configurations)
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
        if (s->directive[at] && define_configuration(s, at, run, e, configurations)) {
            /* there is no kernel yet */
        } else if (!is_text(s, word, before, "operator") && end != NOWHERE && begin != NOWHERE) {
            launch(s, begin, at, e);
            text_print(edits_add(e, at, run, false), ")( ");
            text_print(edits_add(e, end, behind, false), ")  ");
        }
        at = run - 1;
    }
}
