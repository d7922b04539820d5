/* What is known of a name: parameters, variables, constants.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

static const char *const limits[] = {"FLT_MAX",  "DBL_MAX", "INT_MAX",  "INT_MIN", "M_PI",
                                     "INFINITY", "NAN",     "warpSize", NULL};

bool is_parameter(const struct variable *v) { return v->type == v->type_end; }

struct variable *find_variable(struct loops *l, const char *name)
{
    for (size_t i = l->variables; i-- > 0;)
        if (!l->variable[i].ended && strcmp(l->variable[i].name, name) == 0)
            return &l->variable[i];
    return NULL;
}

bool is_operand(const struct loops *l, size_t i)
{
    const char *before = i > 0 ? l->token[i - 1].word : ";";
    return !is_word(*before) ? !strchr(")]", *before) : strcmp(before, "return") == 0;
}

static bool assigns(const char *word)
{
    static const char *const words[] = {
        "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", "<<=", ">>=", NULL};
    return is_any(word, words);
}

bool is_changed(const struct loops *l, const char *name, size_t first, size_t last)
{
    for (size_t i = first; i < last; i++) {
        if (!is(l, i, name) || is(l, i - 1, ".") || is(l, i - 1, "->"))
            continue;
        size_t next = i + 1;
        while (is(l, next, ".") && next + 2 < last)
            next += 2;
        if ((next < last && assigns(l->token[next].word)) || is(l, i - 1, "++") || is(l, i - 1, "--") ||
            (is(l, i - 1, "&") && is_operand(l, i - 1) && !is(l, next, "[")))
            return true;
    }
    return false;
}

/* Whether the words of [begin, end) in a source, what a constant is defined as, are numbers, or such constants. */
static bool are_constant(const struct sources *all, const struct source *s, size_t begin, size_t end, unsigned depth)
{
    bool any = false;

    for (size_t at = begin, next; at < end; at = next) {
        next = at + 1;
        if (is_blank(s->code[at]))
            continue;
        any = true;
        if (isdigit((unsigned char)s->code[at]) || s->code[at] == '.') {
            next = number_end(s, at);
        } else if (is_word(s->code[at])) {
            next = word_end(s, at);
            char *word = strndup(s->code + at, next - at);
            bool known = word && (is_type_word(word) || is_constant(all, word, depth + 1));
            free(word);
            if (!known)
                return false;
        } else if (!strchr("+-*/%()<>&|^~?:", s->code[at]) &&
                   !(strchr("=!", s->code[at]) && s->code[next] == '=' && (next++, true))) {
            return false;
        }
    }
    return any;
}

/* Behind NAME, at its value, where it is defined as a macro or a constant; 0: it is not. */
static size_t value_of(const struct source *s, size_t name, size_t end, size_t *value_end)
{
    size_t before = skip_blanks_back(s, name), word = word_begin(s, before), at = end;

    if (s->directive[name]) {
        while (*value_end = at, at < s->length && s->directive[at])
            at++;
        *value_end = at;
        return is_text(s, word, before, "define") && s->code[end] != '(' ? end : 0;
    }
    bool constant = false, device = false;
    for (at = name; at > 0 && !s->directive[at - 1] && !strchr(";{}(),*&", s->code[at - 1]); at--)
        ;
    for (size_t k = at, next; k < name; k = next + 1) {
        next = word_end(s, k);
        constant |= is_text(s, k, next, "constexpr") || is_text(s, k, next, "const");
        device |= is_text(s, k, next, "__device__") || is_text(s, k, next, "__constant__") ||
                  is_text(s, k, next, "__managed__") || is_text(s, k, next, "volatile");
    }
    at = skip_blanks(s, end);
    if (!constant || device || at >= s->length || s->code[at] != '=')
        return 0;
    for (*value_end = at; *value_end < s->length && !strchr(";,", s->code[*value_end]);)
        ++*value_end;
    return at + 1;
}

static bool defines_constant(const struct sources *all, const char *name, unsigned depth)
{
    bool found = false;

    if (is_any(name, limits) || is_promised(all, name))
        return true;
    for (size_t i = 0; depth < DEPTH && i < all->count; i++) {
        const struct source *s = all->source[i];
        for (size_t at = 0; (at = find_word(s, at, s->length, name)) != NOWHERE; at++) {
            size_t value_end, value = value_of(s, at, word_end(s, at), &value_end);
            if (value > 0 && !are_constant(all, s, value, value_end, depth))
                return false;
            size_t before = skip_blanks_back(s, at);
            if (value == 0 && s->directive[at] && is_text(s, word_begin(s, before), before, "define"))
                return false;
            found |= value > 0;
        }
    }
    return found;
}

bool is_constant(const struct sources *all, const char *name, unsigned depth)
{
    return ask(all, defines_constant, name, depth);
}

static const char *const operators[] = {"+",  "-",  "*",  "/",  "%", "(", ")", "<<", ">>", "<", ">", "<=", ">=",
                                        "==", "!=", "&&", "||", "!", "&", "|", "^",  "~",  "?", ":", NULL};
static const char *const unary[] = {"*", "&", NULL};

bool is_fixed(struct loops *l, size_t first, size_t last, bool uniform)
{
    for (size_t i = first; i < last; i++) {
        const char *word = l->token[i].word;
        if (is_place(word)) {
            if ((uniform && strcmp(word, "threadIdx") == 0) || !is(l, i + 1, "."))
                return false;
            i += 2;
        } else if (l->token[i].is_name) {
            const struct variable *v = find_variable(l, word);
            if (v ? v->life != UNIFORM && v->life != (uniform ? STEPS : AGAIN)
                  : !is_type(l, i) && !is_constant(l->all, word, 0))
                return false;
        } else if (!is_number(word) && (!is_any(word, operators) || (is_any(word, unary) && is_operand(l, i)))) {
            return false;
        }
    }
    return first < last;
}

struct variable *add_variable(struct loops *l, const char *name)
{
    if (l->variables == VARIABLES || find_variable(l, name)) {
        l->unknown = true;
        return NULL;
    }
    l->variable[l->variables] = (struct variable){.name = name};
    return &l->variable[l->variables++];
}

size_t type_end(const struct loops *l, size_t i)
{
    size_t end = i;

    while (is_type(l, end))
        end++;
    return end > i && !is(l, end, "(") && !is(l, end, ")") ? end : i;
}

size_t declarator(const struct loops *l, size_t i, size_t last, size_t *name, size_t *equals)
{
    *equals = 0;
    while (is(l, i, "*") || is(l, i, "const") || is(l, i, "__restrict__"))
        i++;
    *name = i++;
    for (; i < last && !is(l, i, ",") && !is(l, i, ";"); i++) {
        if (is(l, i, "=") && *equals == 0)
            *equals = i;
        if (is(l, i, "(") || is(l, i, "[") || is(l, i, "{"))
            i = l->token[i].match;
    }
    return i;
}

bool may_step(const struct loops *l, const struct variable *v)
{
    return !l->token[v->at].alone && !is(l, v->at + 1, "[");
}

void add_declaration(struct loops *l, size_t first, size_t last, enum life control)
{
    size_t at = type_end(l, first), end, name, equals;

    for (size_t type = at; at < last; at = end + 1) {
        end = declarator(l, at, last, &name, &equals);
        struct variable *v = name < last && l->token[name].is_name ? add_variable(l, l->token[name].word) : NULL;
        if (!v || is(l, name + 1, "(") || is(l, name + 1, "{")) {
            l->unknown = true;
            return;
        }
        v->type = first;
        v->type_end = type;
        v->at = at;
        v->end = equals ? equals : end;
        v->value = equals ? equals + 1 : end;
        v->value_end = end;
        v->region = l->region;
        v->depth = l->depth;
        v->pointer = is(l, at, "*");
        bool fixed = equals && !is(l, name + 1, "[") && !is_changed(l, v->name, end, l->count);
        if (control)
            v->life = control;
        else if (fixed && is_fixed(l, v->value, end, true))
            v->life = UNIFORM;
        else if (fixed && is_fixed(l, v->value, end, false))
            v->life = AGAIN;
        else if (equals && !v->pointer && may_step(l, v) && is_fixed(l, v->value, end, true))
            v->life = STEPS;
    }
}
