/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "../source/text.h"
#include "declarations.h"

/* Whether `from` and a later `to` are compiled together: no #else or #endif of one stands between them. */
static bool is_same_branch(const struct source *s, size_t from, size_t to)
{
    size_t depth = 0;

    for (size_t at = from; at < to; at++) {
        if (!s->directive[at] || (at > 0 && s->directive[at - 1]))
            continue;
        size_t word = skip_blanks(s, at + 1), end = word_end(s, word);
        if (is_text(s, word, word + 2, "if"))
            depth++;
        else if (depth == 0 && (is_text(s, word, word + 2, "el") || is_text(s, word, end, "endif")))
            return false;
        else if (is_text(s, word, end, "endif"))
            depth--;
    }
    return depth == 0;
}

size_t declaration_begin(const struct source *s, size_t at)
{
    while (at > 0 && !s->directive[at - 1] && !strchr(";{}", s->code[at - 1]) &&
           !(s->code[at - 1] == ':' && s->code[at] != ':' && at > 1 && s->code[at - 2] != ':'))
        at--;
    return skip_blanks(s, at);
}

/* What may stand before a function's name: words, parameters of templates, attributes. */
static bool is_head(const struct source *s, size_t at, size_t name)
{
    for (size_t end; at < name; at = end) {
        end = token_end(s, at);
        if (s->code[at] == '<' || is_text(s, at, at + 2, "[["))
            end = s->code[at] == '<' ? behind_angles(s, at) : behind_bracket(s, at);
        else if (is_text(s, at, at + 2, "__") && s->code[skip_blanks(s, end)] == '(')
            end = behind_bracket(s, skip_blanks(s, end));
        else if (strchr("=(),", s->code[at]))
            return false;
        if (end == 0 || end > name)
            return false;
    }
    return true;
}

bool read_function(const struct source *s, size_t list, struct function *f)
{
    *f = (struct function){.list = list, .scope = open_brace(s, list), .list_end = behind_bracket(s, list)};
    f->name_end = skip_blanks_back(s, list);
    f->name = word_begin(s, f->name_end);
    for (size_t k = 0; k < 3 && f->name == f->name_end && f->name > 0; k++) { /* operator()( */
        size_t at = f->name_end;
        while (at > 0 && strchr("()[]+-*/%^&|~!=<>,", s->code[at - 1]))
            at--;
        at = skip_blanks_back(s, at);
        if (!is_text(s, word_begin(s, at), at, "operator"))
            return false;
        f->name = word_begin(s, at);
    }
    while (f->name > 2 && s->code[f->name - 1] == ':' && s->code[f->name - 2] == ':' && is_word(s->code[f->name - 3]))
        f->name = word_begin(s, f->name - 2);
    f->begin = declaration_begin(s, f->name);
    if (f->list_end == 0 || f->begin >= f->name || f->name == f->name_end || s->directive[list] ||
        s->code[f->name - 1] == '~' || !is_head(s, f->begin, f->name))
        return false;
    for (f->stop = f->list_end; f->stop < s->length && !strchr(";{", s->code[f->stop]); f->stop++)
        if (strchr("=,()}:", s->code[f->stop]) || s->directive[f->stop])
            return false; /* deleted, an expression, a constructor */
    for (size_t at = f->begin; at < f->stop; at++)
        if (s->directive[at])
            return false;
    f->side = (has_word(s, f->begin, f->name, "__host__") ? HOST : 0) |
              (has_word(s, f->begin, f->name, "__device__") ? DEVICE : 0) |
              (has_word(s, f->begin, f->name, "__global__") ? KERNEL : 0);
    if (f->side == 0)
        f->side = HOST;
    f->is_constexpr = has_word(s, f->begin, f->name, "constexpr");
    return f->stop < s->length && !has_word(s, f->begin, f->name, "friend") &&
           !has_word(s, f->begin, f->name, "return") && !has_word(s, f->begin, f->name, "using") &&
           !has_word(s, f->begin, f->name, "else");
}

bool next_parameter(const struct source *s, size_t at, size_t close, struct parameter *p)
{
    static const char *const types[] = {"int",   "unsigned", "long", "short", "char", "float", "double",
                                        "const", "volatile", "bool", "void",  "auto", NULL};
    size_t depth = 0, words = 0;

    at = skip_blanks(s, at);
    if (at >= close)
        return false;
    *p = (struct parameter){at, close, NOWHERE, 0, 0, false};
    for (size_t i = at, end; i < close; i = end) {
        end = token_end(s, i);
        depth += strchr("(<[{", s->code[i]) != NULL;
        depth -= strchr(")>]}", s->code[i]) && depth > 0;
        if (depth == 0 && s->code[i] == ',') {
            p->end = i;
            break;
        }
        if (depth == 0 && s->code[i] == '=' && p->value == 0)
            p->value = i;
        p->pack |= depth == 0 && s->code[i] == '.';
        bool in_declarator = depth == 1 && i > at && strchr("*&", s->code[i - 1]); /* int (*f)(int) */
        if (p->value > 0 || (depth > 0 && !in_declarator) || end - i < 1 || !is_word(s->code[i]))
            continue;
        bool type = is_any_text(s, i, end, types);
        size_t before = skip_blanks_back(s, i);
        if (!type && before > 0 && s->code[before - 1] != ':' && (words > 0 || strchr("*&>.", s->code[before - 1]))) {
            p->name = i;
            p->name_end = end;
        }
        words += !is_text(s, i, end, "const") && !is_text(s, i, end, "volatile") && !is_text(s, i, end, "struct");
    }
    if (p->value == 0)
        p->value = p->end;
    return true;
}

/* The types of the parameters, without blanks and names. */
static void signature(const struct source *s, const struct function *f, struct text *t)
{
    struct parameter p;

    text_add(t, ",", 1);
    for (size_t at = f->list + 1; next_parameter(s, at, f->list_end - 1, &p); at = p.end + 1) {
        for (size_t i = p.begin; i < p.value; i++)
            if (!is_blank(s->code[i]) && s->code[i] != '\n' && (p.name == NOWHERE || i < p.name || i >= p.name_end))
                text_add(t, s->code + i, 1);
        text_add(t, ",", 1);
    }
    for (size_t i = f->list_end; i < f->stop; i++)
        if (is_text(s, i, word_end(s, i), "const"))
            text_add(t, "c", 1);
    text_add(t, "", 1);
}

static bool is_same_text(const struct source *s, size_t a, size_t a_end, size_t b, size_t b_end)
{
    return a_end - a == b_end - b && memcmp(s->code + a, s->code + b, a_end - a) == 0;
}

bool is_same_scope(const struct source *s, size_t a, size_t b)
{
    for (; a != b; a = open_brace(s, a), b = open_brace(s, b)) {
        if (a == NOWHERE || b == NOWHERE)
            return false;
        size_t from = declaration_begin(s, a), other = declaration_begin(s, b);
        if (!is_same_text(s, from, skip_blanks_back(s, a), other, skip_blanks_back(s, b)) ||
            !has_word(s, from, a, "namespace"))
            return false;
    }
    return true;
}

bool is_pair(const struct source *s, const struct function *a, const struct function *b)
{
    struct text types[2] = {{0}, {0}};

    if (!((a->side == HOST && b->side == DEVICE) || (a->side == DEVICE && b->side == HOST)) ||
        !is_same_text(s, a->name, a->name_end, b->name, b->name_end) || !is_same_scope(s, a->scope, b->scope) ||
        !is_same_branch(s, a < b ? a->begin : b->begin, a < b ? b->begin : a->begin))
        return false;
    signature(s, a, &types[0]);
    signature(s, b, &types[1]);
    bool same = strcmp(types[0].data, types[1].data) == 0 && !strstr(types[0].data, ",...,");
    text_free(&types[0]);
    text_free(&types[1]);
    return same;
}
