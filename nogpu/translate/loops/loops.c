/* A kernel as loops over the threads of a block, behind the kernel itself: what stands between two of its barriers is the
 * body of one loop, which the compiler sees whole. It is written for kernels that are understood to the last word; where a
 * name, a type or the flow of control is not known there is none, and each thread is a coroutine.
 *
 * Between barriers the threads run in the order of their numbers, as coroutines do. A statement with a barrier in it is taken
 * only if its words show that all threads run it alike. A variable that lives across a barrier is computed again behind it,
 * if it is made of what does not change, and otherwise is an element of an array.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../source/functions.h"
#include "loops.h"

#define VARIABLES  64
#define KEPT_BYTES 40 /* of each thread that may be kept, since they are on one stack */
#define TYPES      4
#define DEPTH      8 /* of constants that are made of constants */

struct token {
    size_t begin, end;
    char *word;   /* its text */
    size_t match; /* of a bracket */
    unsigned region;
    bool is_name;
};

enum life {
    CHANGES, /* as long as it is not known that it is one of the others */
    AGAIN,   /* computed again in each region */
    UNIFORM, /* the same for all threads */
    KEPT     /* in an array */
};
/* A parameter, or a variable that is not inside of a region's own statements. */
struct variable {
    const char *name;
    size_t type, type_end; /* tokens of the type without its *; none: a parameter */
    size_t at, end;        /* the declarator, up to its = */
    size_t value, value_end;
    unsigned region;
    enum life life;
    bool pointer, ended; /* its scope has ended */
};

struct loops {
    const struct sources *all;
    struct source s;
    struct token *token;
    size_t count;
    struct variable variable[VARIABLES];
    size_t variables;
    unsigned region;
    bool waits, unknown, writes, returns;
    const char *name, *file;                    /* of the kernel */
    size_t line;                                /* of its parameters */
    size_t most, most_end;                      /* threads of a block: tokens */
    char *type_name[TYPES], *value_name[TYPES]; /* parameters of its template */
    size_t type_names, value_names, template_end;
    struct text before, inside, out; /* of the region that is being written */
};

/* ---- words ---- */

static bool is_in(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(word, *list) == 0)
            return true;
    return false;
}

static const char *const types[] = {
    "const",    "unsigned", "signed",   "int",     "long",     "short",   "char",
    "float",    "double",   "bool",     "size_t",  "int8_t",   "uint8_t", "int16_t",
    "uint16_t", "int32_t",  "uint32_t", "int64_t", "uint64_t", "uint",    NULL};
static const char *const keywords[] = {"if",     "else",     "for",    "while",   "do",
                                       "break",  "continue", "return", "true",    "false",
                                       "sizeof", "switch",   "case",   "default", NULL};
/* They wait for nothing, and do not ask which thread calls them. */
static const char *const functions[] = {
    "min",      "max",       "abs",       "fabs",      "fabsf",     "fmin",       "fmax",
    "fminf",    "fmaxf",     "sqrt",      "sqrtf",     "rsqrt",     "rsqrtf",     "exp",
    "expf",     "exp2f",     "log",       "logf",      "log2f",     "sin",        "sinf",
    "cos",      "cosf",      "tan",       "tanf",      "tanh",      "tanhf",      "pow",
    "powf",     "floor",     "floorf",    "ceil",      "ceilf",     "fma",        "fmaf",
    "__expf",   "__logf",    "__sinf",    "__cosf",    "__powf",    "__fdividef", "__mul24",
    "__popc",   "__clz",     "atomicAdd", "atomicSub", "atomicMin", "atomicMax",  "atomicAnd",
    "atomicOr", "atomicXor", NULL};
static const char *const places[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", NULL};
static const char *const limits[] = {"FLT_MAX",  "DBL_MAX", "INT_MAX",  "INT_MIN", "M_PI",
                                     "INFINITY", "NAN",     "warpSize", NULL};

static bool is(const struct loops *l, size_t i, const char *text)
{
    return i < l->count && strcmp(l->token[i].word, text) == 0;
}

static bool is_any_of(const struct loops *l, size_t i, const char *const *list)
{
    return i < l->count && is_in(l->token[i].word, list);
}

static bool is_type(const struct loops *l, size_t i)
{
    for (size_t k = 0; k < l->type_names && i < l->count; k++)
        if (is(l, i, l->type_name[k]))
            return true;
    return is_any_of(l, i, types);
}

static bool is_number(const char *word)
{
    return isdigit((unsigned char)*word) || (*word == '.' && isdigit((unsigned char)word[1]));
}

static size_t operator_length(const char *code, size_t left)
{
    static const char *const operators[] = {
        "<<=", ">>=", "...", "->", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=",
        "|=",  "^=",  "==",  "!=", "<=", ">=", "&&", "||", "<<", ">>", "::", NULL};
    for (size_t i = 0; operators[i]; i++)
        if (strlen(operators[i]) <= left && memcmp(code, operators[i], strlen(operators[i])) == 0)
            return strlen(operators[i]);
    return 1;
}

/* Behind a number: 1.5e-3f is one. */
static size_t number_end(const struct source *s, size_t at)
{
    while (at < s->length && (is_word(s->code[at]) || s->code[at] == '.' ||
                              (strchr("+-", s->code[at]) && strchr("eE", s->code[at - 1]))))
        at++;
    return at;
}

/* The tokens of the text; what is in a #pragma is none. False: another directive, or a bracket too many. */
static bool tokenize(struct loops *l)
{
    const struct source *s = &l->s;
    size_t open[64], depth = 0;

    for (size_t at = 0, end; at < s->length; at = end) {
        end = at + 1;
        if (s->directive[at]) {
            if (s->code[at] == '#' && strncmp(s->code + skip_blanks(s, end), "pragma", 6) != 0)
                return false;
            while (end < s->length && s->directive[end])
                end++;
            continue;
        }
        if (is_blank(s->code[at]))
            continue;
        if (isdigit((unsigned char)s->code[at]) ||
            (s->code[at] == '.' && end < s->length && isdigit((unsigned char)s->code[end])))
            end = number_end(s, at);
        else if (is_word(s->code[at]))
            end = word_end(s, at);
        else
            end = at + operator_length(s->code + at, s->length - at);
        if (l->count % 256 == 0) {
            struct token *more = realloc(l->token, (l->count + 256) * sizeof *more);
            if (!more)
                return false;
            l->token = more;
        }
        struct token *t = &l->token[l->count];
        *t = (struct token){.begin = at, .end = end, .word = strndup(s->code + at, end - at)};
        if (!t->word)
            return false;
        t->is_name = is_word(*t->word) && !isdigit((unsigned char)*t->word);
        if (strchr("([{", *t->word)) {
            if (depth == 64)
                return false;
            open[depth++] = l->count;
        } else if (strchr(")]}", *t->word)) {
            if (depth-- == 0)
                return false;
            t->match = open[depth];
            l->token[t->match].match = l->count;
        }
        l->count++;
    }
    return depth == 0;
}

/* ---- what is known of a name ---- */

static bool is_parameter(const struct variable *v)
{
    return v->type == v->type_end;
}

static struct variable *find_variable(struct loops *l, const char *name)
{
    for (size_t i = l->variables; i-- > 0;)
        if (!l->variable[i].ended && strcmp(l->variable[i].name, name) == 0)
            return &l->variable[i];
    return NULL;
}

/* Whether the token stands where an operand is expected: then * and & are unary. */
static bool is_operand(const struct loops *l, size_t i)
{
    const char *before = i > 0 ? l->token[i - 1].word : ";";
    return !is_word(*before) ? !strchr(")]", *before) : strcmp(before, "return") == 0;
}

static bool assigns(const char *word)
{
    static const char *const words[] = {
        "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", "<<=", ">>=", NULL};
    return is_in(word, words);
}

/* Whether something may change what has this name, in the tokens [first, last). */
static bool is_changed(const struct loops *l, const char *name, size_t first, size_t last)
{
    for (size_t i = first; i < last; i++) {
        if (!is(l, i, name) || is(l, i - 1, "."))
            continue;
        size_t next = i + 1;
        while (is(l, next, ".") && next + 2 < last)
            next += 2;
        if ((next < last && assigns(l->token[next].word)) || is(l, i - 1, "++") ||
            is(l, i - 1, "--") || (is(l, i - 1, "&") && is_operand(l, i - 1)))
            return true;
    }
    return false;
}

/* Whether the words of [begin, end) in a source, what a constant is defined as, are numbers, or such constants. */
static bool is_constant(const struct sources *all, const char *name, unsigned depth);
static bool are_constant(const struct sources *all, const struct source *s, size_t begin,
                         size_t end, unsigned depth)
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
            bool known = word && (is_in(word, types) || is_constant(all, word, depth + 1));
            free(word);
            if (!known)
                return false;
        } else if (!strchr("+-*/%()<>&|^~", s->code[at])) {
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

static bool is_constant(const struct sources *all, const char *name, unsigned depth)
{
    size_t length = strlen(name);
    bool found = false;

    if (is_in(name, limits))
        return true;
    for (size_t i = 0; depth < DEPTH && i < all->count; i++) {
        const struct source *s = all->source[i];
        for (size_t at = 0, end; at + length <= s->length; at = end) {
            const char *next = memmem(s->code + at, s->length - at, name, length);
            if (!next)
                break;
            at = (size_t)(next - s->code);
            end = at + length;
            if ((at > 0 && is_word(s->code[at - 1])) || (end < s->length && is_word(s->code[end])))
                continue;
            size_t value_end, value = value_of(s, at, end, &value_end);
            if (value > 0 && !are_constant(all, s, value, value_end, depth))
                return false;
            size_t before = skip_blanks_back(s, at);
            if (value == 0 && s->directive[at] &&
                is_text(s, word_begin(s, before), before, "define"))
                return false;
            found |= value > 0;
        }
    }
    return found;
}

static const char *const operators[] = {"+", "-", "*",  "/",  "%",  "(",  ")",  "<<", ">>",
                                        "<", ">", "<=", ">=", "==", "!=", "&&", "||", "!",
                                        "&", "|", "^",  "~",  "?",  ":",  NULL};
static const char *const unary[] = {"*", "&", NULL};

/* Whether the tokens are an expression of what never changes, and if `uniform` is the same for all threads. */
static bool is_fixed(struct loops *l, size_t first, size_t last, bool uniform)
{
    for (size_t i = first; i < last; i++) {
        const char *word = l->token[i].word;
        if (is_any_of(l, i, places)) {
            if ((uniform && strcmp(word, "threadIdx") == 0) || !is(l, i + 1, "."))
                return false;
            i += 2;
        } else if (l->token[i].is_name) {
            const struct variable *v = find_variable(l, word);
            if (v ? v->life != UNIFORM && (uniform || v->life != AGAIN)
                  : !is_type(l, i) && !is_constant(l->all, word, 0))
                return false;
        } else if (!is_number(word) &&
                   (!is_in(word, operators) || (is_in(word, unary) && is_operand(l, i)))) {
            return false;
        }
    }
    return first < last;
}

/* ---- declarations ---- */

static struct variable *add_variable(struct loops *l, const char *name)
{
    if (l->variables == VARIABLES || find_variable(l, name)) {
        l->unknown = true;
        return NULL;
    }
    l->variable[l->variables] = (struct variable){.name = name};
    return &l->variable[l->variables++];
}

/* The type at a token, of known words alone: behind it; `i` if it is none. */
static size_t type_end(const struct loops *l, size_t i)
{
    size_t end = i;

    while (is_type(l, end))
        end++;
    return end > i && !is(l, end, "(") && !is(l, end, ")") ? end : i;
}

/* The end of a declarator, its = if it has one, or the , or ; behind it. */
static size_t declarator(const struct loops *l, size_t i, size_t last, size_t *name, size_t *equals)
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

/* A declaration in the tokens [first, last) at the level of barriers. */
static void add_declaration(struct loops *l, size_t first, size_t last, enum life control)
{
    size_t at = type_end(l, first), end, name, equals;

    for (size_t type = at; at < last; at = end + 1) {
        end = declarator(l, at, last, &name, &equals);
        struct variable *v =
            name < last && l->token[name].is_name ? add_variable(l, l->token[name].word) : NULL;
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
        v->pointer = is(l, at, "*");
        bool fixed = equals && !is(l, name + 1, "[") && !is_changed(l, v->name, end, l->count);
        if (control)
            v->life = control;
        else if (fixed && is_fixed(l, v->value, end, true))
            v->life = UNIFORM;
        else if (fixed && is_fixed(l, v->value, end, false))
            v->life = AGAIN;
    }
}

/* ---- is each word known ---- */

/* int x = 0, *p; wherever it stands: so that its names are known. */
static void add_names(const struct loops *l, size_t first, struct text *names)
{
    size_t at = type_end(l, first), end, name, equals;

    for (; at < l->count; at = end + 1) {
        end = declarator(l, at, l->count, &name, &equals);
        if (name < l->count && l->token[name].is_name)
            text_print(names, " %s ", l->token[name].word);
        if (!is(l, end, ","))
            break;
    }
}

static bool is_named(const struct text *names, const char *word)
{
    char padded[128];
    int length = snprintf(padded, sizeof padded, " %s ", word);

    return length < (int)sizeof padded && names->data &&
           memmem(names->data, names->length, padded, (size_t)length);
}

static bool is_known_word(struct loops *l, size_t i, const struct text *names)
{
    const char *word = l->token[i].word;
    bool called = is(l, i + 1, "(");

    if (i > 0 && is(l, i - 1, "."))
        return !called && !is(l, i + 1, "[");
    if (is_type(l, i) || is_in(word, keywords) || is_in(word, places))
        return true;
    if (called)
        return is_in(word, functions);
    if (is_named(names, word))
        return true;
    return is_in(word, limits) || is_constant(l->all, word, 0);
}

/* Whether a pointer may come from elsewhere than from a parameter, with another type. */
static bool is_cast(struct loops *l, size_t i, const struct text *names)
{
    if ((is(l, i, "*") || is(l, i, "&")) && is(l, i + 1, ")"))
        return true;
    if (!is(l, i, "(") || !is(l, i + 2, ")") || (i > 0 && l->token[i - 1].is_name))
        return false;
    return l->token[i + 1].is_name && !is_type(l, i + 1) && !is_named(names, l->token[i + 1].word);
}

static bool is_barrier(const struct loops *l, size_t i)
{
    return is(l, i, "__syncthreads") && is(l, i + 1, "(") && is(l, i + 2, ")") && is(l, i + 3, ";");
}

static bool is_shared(const struct loops *l, size_t i)
{
    return is(l, i, "__shared__") || is(l, i, "HIP_CPU_EXTERN_SHARED") ||
           is(l, i, "HIP_DYNAMIC_SHARED") || (is(l, i, "static") && is(l, i + 1, "__shared__"));
}

/* The names of a declaration of shared memory, which ends at its ; */
static size_t add_shared(struct loops *l, size_t i, struct text *names)
{
    if (!is(l, i, "static") && !is(l, i, "__shared__")) {
        bool first = is(l, i, "HIP_CPU_EXTERN_SHARED");
        i = l->token[i + 1].match;
        text_print(names, " %s ", l->token[first ? l->token[i].match + 1 : i - 1].word);
        return i;
    }
    i += is(l, i, "static") + 1;
    size_t type = type_end(l, i);
    if (type == i)
        l->unknown = true;
    add_names(l, i, names);
    return type;
}

/* From the { of the kernel on. */
static bool is_understood(struct loops *l, size_t first)
{
    struct text names = {0};

    for (size_t i = 0; i < l->variables; i++)
        text_print(&names, " %s ", l->variable[i].name);
    for (size_t i = first; i < l->count; i++)
        if (is_shared(l, i))
            i = add_shared(l, i, &names);
        else if (!l->token[i - 1].is_name && type_end(l, i) > i)
            add_names(l, i, &names);
    for (size_t i = first; i < l->count && !l->unknown; i++) {
        const char *word = l->token[i].word;
        if (is_barrier(l, i)) {
            l->waits = true;
            i += 3;
        } else if (is(l, i, "return") && is(l, i + 1, "hip_cpu_returns")) {
            i += 3;
        } else if (is_shared(l, i)) {
            bool macro = !is(l, i, "static") && !is(l, i, "__shared__");
            i = macro ? l->token[i + 1].match : i + is(l, i, "static");
        } else if (l->token[i].is_name) {
            l->unknown = !is_known_word(l, i, &names);
        } else if (strchr("\"'#\\@?:", *word) && strcmp(word, "?") != 0 && strcmp(word, ":") != 0) {
            l->unknown = true;
        } else if (strcmp(word, "->") == 0 || strcmp(word, "::") == 0 || strcmp(word, "...") == 0 ||
                   is_cast(l, i, &names)) {
            l->unknown = true;
        } else if (*word == '[' && !l->token[i - 1].is_name && !is(l, i - 1, "]") &&
                   !is(l, i - 1, ")")) {
            l->unknown = true; /* a lambda or an attribute */
        }
    }
    text_free(&names);
    return !l->unknown;
}

/* ---- statements ---- */

static size_t statement_end(const struct loops *l, size_t i)
{
    static const char *const control[] = {"if", "for", "while", "switch", NULL};

    if (i >= l->count)
        return l->count;
    if (is(l, i, "{"))
        return l->token[i].match + 1;
    if (is(l, i, "do")) {
        i = statement_end(l, i + 1);
        return is(l, i, "while") ? l->token[i + 1].match + 2 : l->count;
    }
    if (is_any_of(l, i, control) && is(l, i + 1, "(")) {
        bool branch = is(l, i, "if");
        i = statement_end(l, l->token[i + 1].match + 1);
        return branch && is(l, i, "else") ? statement_end(l, i + 1) : i;
    }
    for (; i < l->count && !is(l, i, ";"); i++)
        if (is(l, i, "(") || is(l, i, "[") || is(l, i, "{"))
            i = l->token[i].match;
    return i + 1;
}

static bool has(const struct loops *l, size_t first, size_t last, const char *word)
{
    while (first < last && !is(l, first, word))
        first++;
    return first < last;
}

/* What follows has the line of this token in the author's file; the compiler warns of the kernel alone. */
static void write_line(struct loops *l, struct text *to, size_t i)
{
    size_t line = l->line;

    for (size_t at = 0; at < l->token[i].begin; at++)
        line += l->s.text[at] == '\n';
    text_print(to, "\n# %zu \"%s\" 3\n", line, l->file);
}

static void write_text(struct loops *l, struct text *to, size_t first, size_t last)
{
    if (first < last)
        text_add(to, l->s.text + l->token[first].begin,
                 l->token[last - 1].end - l->token[first].begin);
}

/* The tokens of a statement, where a thread that returns goes to its end. */
static void write_statement(struct loops *l, size_t first, size_t last)
{
    size_t from = first;

    write_line(l, &l->inside, first);
    for (size_t i = first; i < last; i++) {
        size_t end = is(l, i + 1, "hip_cpu_returns") ? i + 4 : i + 1;
        if (!is(l, i, "return") || !is(l, end, ";"))
            continue;
        write_text(l, &l->inside, from, i);
        text_print(&l->inside, " goto hip_cpu_next");
        from = end;
    }
    write_text(l, &l->inside, from, last);
    l->returns |= from > first;
    text_print(&l->inside, "\n");
}

/* The type of a variable, without const; and its declarator, where `instead` is its name. */
static void write_variable(struct loops *l, struct text *to, const struct variable *v,
                           const char *constant, const char *instead, const char *dimension)
{
    text_print(to, "%s", constant);
    for (size_t i = v->type; i < v->type_end; i++)
        if (!is(l, i, "const") || v->pointer)
            text_print(to, "%s ", l->token[i].word);
    for (size_t i = v->at; i < v->end; i++)
        if (is(l, i, v->name))
            text_print(to, "%s%s%s", instead, *instead ? v->name : l->token[i].word, dimension);
        else if (!is(l, i, "const") || *constant)
            text_print(to, "%s ", l->token[i].word);
}

/* A variable that has one value, wherever it is computed. */
static void write_definition(struct loops *l, struct text *out, const struct variable *v)
{
    write_variable(l, out, v, v->pointer ? "" : "const ", "", "");
    text_print(out, " = ");
    write_text(l, out, v->value, v->value_end);
    text_print(out, ";\n");
}

static void end_region(struct loops *l)
{
    if (l->writes) {
        text_add(&l->out, l->before.data, l->before.length);
        if (l->inside.length > 0) {
            text_print(&l->out, "HIP_CPU_EACH_THREAD\n");
            for (size_t i = 0; i < l->variables; i++) {
                const struct variable *v = &l->variable[i];
                bool used = false;
                for (size_t k = 0; v->life == KEPT && k < l->count; k++)
                    used |= l->token[k].region == l->region && is(l, k, v->name);
                if (is_parameter(v) && v->life == CHANGES)
                    text_print(&l->out, "auto %s = hip_cpu_first_%s;\n", v->name, v->name);
                if (v->ended || is_parameter(v) || v->region > l->region)
                    continue;
                if (v->life == AGAIN) {
                    write_definition(l, &l->out, v);
                } else if (used) {
                    text_print(&l->out, "auto &%s = hip_cpu_kept_%s[hip_cpu_k];\n", v->name,
                               v->name);
                }
            }
            text_print(&l->out, "{\n");
            text_add(&l->out, l->inside.data, l->inside.length);
            text_print(&l->out, "}\n%s}\n", l->returns ? "hip_cpu_next:;\n" : "");
        }
        l->before.length = l->inside.length = 0;
    }
    l->region++;
}

/* A declaration whose variables are not all the region's own. */
static void write_declaration(struct loops *l, size_t first, size_t last)
{
    for (size_t i = 0; i < l->variables; i++) {
        struct variable *v = &l->variable[i];
        if (v->type != first || is_parameter(v))
            continue;
        if (v->life == UNIFORM) {
            write_definition(l, &l->before, v);
        } else if (v->life == KEPT && v->value < v->value_end) {
            text_print(&l->inside, "%s = ", v->name);
            write_text(l, &l->inside, v->value, v->value_end);
            text_print(&l->inside, ";\n");
        } else if (v->life == CHANGES) {
            write_text(l, &l->inside, v->type, v->type_end);
            text_print(&l->inside, " ");
            write_text(l, &l->inside, v->at, v->value_end);
            text_print(&l->inside, ";\n");
        }
    }
    (void)last;
}

static void statements(struct loops *l, size_t first, size_t last);

/* The scope of what was declared since. */
static void end_scope(struct loops *l, size_t first, size_t last)
{
    for (size_t i = 0; i < l->variables; i++)
        if (l->variable[i].type >= first && l->variable[i].type < last &&
            !is_parameter(&l->variable[i]))
            l->variable[i].ended = true;
}

static void scope(struct loops *l, size_t first, size_t last)
{
    bool braces = is(l, first, "{");

    if (l->writes)
        text_print(&l->out, "{\n");
    statements(l, first + braces, last - braces);
    end_region(l);
    end_scope(l, first, last);
    if (l->writes)
        text_print(&l->out, "}\n");
}

/* for (int d = 1; d < n; d *= 2), the same for all threads. */
static void loop_head(struct loops *l, size_t open)
{
    size_t close = l->token[open].match, first = open + 1, condition = first, step;

    while (condition < close && !is(l, condition, ";"))
        condition++;
    for (step = condition + 1; step < close && !is(l, step, ";"); step++)
        ;
    size_t known = l->variables;
    if (l->writes) {
        text_print(&l->out, "for ");
        write_text(l, &l->out, open, close + 1);
        return;
    }
    if (type_end(l, first) == first) {
        l->unknown = true;
        return;
    }
    add_declaration(l, first, condition, UNIFORM);
    for (size_t i = known; i < l->variables && !l->unknown; i++) {
        struct variable *v = &l->variable[i];
        l->unknown = v->value == v->value_end || v->pointer || is(l, v->at + 1, "[") ||
                     !is_fixed(l, v->value, v->value_end, true) ||
                     is_changed(l, v->name, close + 1, statement_end(l, close + 1));
    }
    l->unknown |= condition + 1 < step && !is_fixed(l, condition + 1, step, true);
    for (size_t i = step + 1; i < close; i++)
        if (l->token[i].is_name && !is_fixed(l, i, i + 1, true))
            l->unknown = true;
        else if (is(l, i, "["))
            l->unknown = true;
    /* It changes these alone. */
    for (size_t i = 0; i < known; i++)
        l->unknown |= !l->variable[i].ended && is_changed(l, l->variable[i].name, step, close);
}

static void waiting_statement(struct loops *l, size_t first, size_t last)
{
    if (is_barrier(l, first)) {
        end_region(l);
        return;
    }
    end_region(l);
    if (is(l, first, "{")) {
        scope(l, first, last);
    } else if (is(l, first, "for")) {
        size_t close = l->token[first + 1].match;
        if (has(l, first, last, "break") || has(l, first, last, "continue"))
            l->unknown = true; /* perhaps of an inner loop alone */
        loop_head(l, first + 1);
        if (!l->unknown)
            scope(l, close + 1, last);
        end_scope(l, first, last);
    } else if (is(l, first, "if") && is(l, first + 1, "(")) {
        size_t close = l->token[first + 1].match, end = statement_end(l, close + 1);
        if (!is_fixed(l, first + 2, close, true))
            l->unknown = true;
        if (l->writes) {
            text_print(&l->out, "if ");
            write_text(l, &l->out, first + 1, close + 1);
        }
        if (!l->unknown)
            scope(l, close + 1, end);
        if (end < last && l->writes)
            text_print(&l->out, "else ");
        if (end < last && !l->unknown)
            scope(l, end + 1, last);
    } else {
        l->unknown = true;
    }
}

static void statements(struct loops *l, size_t first, size_t last)
{
    for (size_t i = first, end; i < last && !l->unknown; i = end) {
        end = statement_end(l, i);
        if (end > last) {
            l->unknown = true;
        } else if (has(l, i, end, "__syncthreads")) {
            waiting_statement(l, i, end);
        } else if (is_shared(l, i)) {
            if (l->writes) {
                write_text(l, &l->before, i, end);
                text_print(&l->before, "\n");
            }
        } else {
            for (size_t k = i; k < end; k++)
                l->token[k].region = l->region;
            bool declares = l->waits && type_end(l, i) > i;
            if (declares && !l->writes)
                add_declaration(l, i, end, CHANGES);
            if (declares && l->writes)
                write_declaration(l, i, end);
            else if (l->writes)
                write_statement(l, i, end);
        }
    }
}

/* Which variables live across barriers. */
static void find_kept(struct loops *l)
{
    unsigned bytes = 0;

    for (size_t n = 0; n < l->variables && !l->unknown; n++) {
        struct variable *v = &l->variable[n];
        bool crosses = false;
        for (size_t i = v->end; i < l->count; i++)
            crosses |= is(l, i, v->name) && !is(l, i - 1, ".") && l->token[i].region != v->region;
        if (is_parameter(v) || v->life != CHANGES || !crosses)
            continue;
        v->life = KEPT;
        bytes += 8;
        for (size_t i = 0; i < n; i++)
            l->unknown |= l->variable[i].life == KEPT && strcmp(l->variable[i].name, v->name) == 0;
        for (size_t i = v->at; i < v->end; i++)
            l->unknown |= is(l, i, "[") || is(l, i, "const");
        l->unknown |= bytes > KEPT_BYTES || is(l, v->value, "{");
    }
}

/* ---- a kernel ---- */

static bool add_parameter(struct loops *l, size_t first, size_t last)
{
    static const char *const restricts[] = {"__restrict__", "__restrict", "const", NULL};
    size_t name = last - 1, stars = 0;
    bool known = true;

    if (last < first + 2 || !l->token[name].is_name || is_type(l, name))
        return false;
    for (size_t i = first; i < name; i++) {
        stars += is(l, i, "*");
        known &= is_type(l, i) || is_any_of(l, i, restricts) || is(l, i, "*");
        if (!l->token[i].is_name && !is(l, i, "*"))
            return false;
    }
    struct variable *v =
        stars < 2 && (known || stars == 1) ? add_variable(l, l->token[name].word) : NULL;
    if (!v)
        return false;
    v->pointer = stars == 1;
    v->life = is_changed(l, v->name, last, l->count) ? CHANGES : UNIFORM;
    return true;
}

static bool add_parameters(struct loops *l)
{
    size_t close = l->token[0].match, first = 1;

    for (size_t i = 1; i <= close; i++)
        if (i == close || is(l, i, ",")) {
            if (i == first && close == 1)
                break;
            if (!add_parameter(l, first, i))
                return false;
            first = i + 1;
        }
    return true;
}

/* template <typename T, int N>: its types are known, if they are those of numbers. */
static bool add_template(struct loops *l, const struct source *s, size_t begin, size_t at)
{
    size_t word = skip_blanks(s, begin), end = word_end(s, word), open = skip_blanks(s, end);
    bool known = true;

    if (!is_text(s, word, end, "template"))
        return true;
    if (s->code[open] != '<')
        return false;
    for (size_t i = open + 1, next, last = open; known; i = next) {
        next = word_end(s, i);
        if (next > i)
            continue;
        next = i + 1;
        if (s->code[i] != ',' && s->code[i] != '>') {
            known = is_blank(s->code[i]) && i < at;
            continue;
        }
        size_t name_end = skip_blanks_back(s, i), name = word_begin(s, name_end);
        size_t kind = skip_blanks(s, last + 1), kind_end = word_end(s, kind);
        bool type = is_text(s, kind, kind_end, "typename") || is_text(s, kind, kind_end, "class");
        char *copy = strndup(s->code + name, name_end - name);
        known = name > kind && l->type_names < TYPES && copy;
        if (known && type) {
            l->type_name[l->type_names++] = copy;
        } else if (known) {
            char *first = strndup(s->code + kind, kind_end - kind);
            struct variable *v = first && is_in(first, types) ? add_variable(l, copy) : NULL;
            free(first);
            known = v != NULL;
            l->value_name[l->value_names++] = copy;
            if (v)
                v->life = UNIFORM;
        } else {
            free(copy);
        }
        last = i;
        if (s->code[i] == '>') {
            l->template_end = i + 1;
            return known;
        }
    }
    return false;
}

/* Threads that change their parameter have one of their own. */
static void write_head(struct loops *l, const char *name)
{
    text_print(&l->out, "HIP_CPU_LOOPS bool %s(", name);
    write_text(l, &l->out, 1, l->token[0].match);
    text_print(&l->out, ")\n{\n");
    for (size_t i = 0; i < l->type_names; i++)
        text_print(
            &l->out,
            "if constexpr (!std::is_arithmetic<%s>::value || sizeof(%s) > 8) return false; else\n",
            l->type_name[i], l->type_name[i]);
    text_print(&l->out, "{\nHIP_CPU_PLACES\n");
    if (l->most_end > l->most)
        text_print(&l->out, "if (hip_cpu_exceeds(\"%s\", ", l->name),
            write_text(l, &l->out, l->most, l->most_end), text_print(&l->out, ")) return true;\n");
    for (size_t i = 0; i < l->variables; i++) {
        const struct variable *v = &l->variable[i];
        if (is_parameter(v) && v->pointer)
            text_print(&l->out, "if (!hip_cpu_is_aligned(%s)) return false;\n", v->name);
        if (is_parameter(v) && v->life == CHANGES)
            text_print(&l->out, "const auto hip_cpu_first_%s = %s;\n", v->name, v->name);
    }
    text_print(&l->out, "hip_cpu_loops_begin();\n");
}

/* Parameters and body of a kernel. */
static bool write_loops(struct loops *l, const char *name)
{
    size_t first, last;

    if (l->count < 4 || !add_parameters(l))
        return false;
    first = l->token[0].match + 1;
    last = l->count - 1;
    if (!is(l, first, "{") || l->token[first].match != last)
        return false;
    for (first++; is(l, first, "hip_cpu_enters") || is(l, first + 2, "hip_cpu_exceeds");
         first = statement_end(l, first))
        if (is(l, first, "if") && is(l, first + 5, ",")) {
            l->most = first + 6;
            l->most_end = l->token[first + 3].match;
        }
    if (!is_understood(l, first) || (l->waits && has(l, first, last, "return")))
        return false;
    for (size_t i = 0; i < l->variables; i++)
        if (l->waits && l->variable[i].life == CHANGES)
            return false;
    l->region = 1;
    statements(l, first, last);
    find_kept(l);
    if (l->unknown)
        return false;
    write_head(l, name);
    for (size_t i = 0; i < l->variables; i++) {
        l->variable[i].ended = false;
        if (l->variable[i].life == KEPT) {
            write_variable(l, &l->out, &l->variable[i], "", "hip_cpu_kept_", "[1024]");
            text_print(&l->out, ";\n");
        }
    }
    l->region = 1;
    l->writes = true;
    statements(l, first, last);
    end_region(l);
    text_print(&l->out, "return true;\n}\n}\n");
    return !l->unknown;
}

/* ---- where it stands ---- */

/* Whether only namespaces are open around this place. */
static bool is_outside(const struct source *s, size_t at)
{
    for (size_t depth = 0; at-- > 0;) {
        if (s->directive[at])
            continue;
        if (s->code[at] == '}')
            depth++;
        if (s->code[at] != '{' || depth-- > 0)
            continue;
        size_t end = skip_blanks_back(s, at), word = word_begin(s, end);
        size_t before = skip_blanks_back(s, word);
        if (!is_text(s, word, end, "namespace") &&
            !is_text(s, word_begin(s, before), before, "namespace") &&
            !(end > 0 && s->code[end - 1] == '"'))
            return false;
        depth = 0;
    }
    return true;
}

/* Where a declaration begins, behind the directives before it. */
static size_t declaration_begin(const struct source *s, size_t brace)
{
    size_t begin = head_begin(s, brace), at = begin;

    for (; at < brace; at++)
        if (s->directive[at])
            begin = at + 1;
    return skip_blanks(s, begin);
}

static void free_loops(struct loops *l)
{
    for (size_t i = 0; i < l->count; i++)
        free(l->token[i].word);
    for (size_t i = 0; i < l->type_names; i++)
        free(l->type_name[i]);
    for (size_t i = 0; i < l->value_names; i++)
        free(l->value_name[i]);
    free(l->token);
    text_free(&l->before);
    text_free(&l->inside);
    text_free(&l->out);
    source_free(&l->s);
}

/* The kernel's first statement, in the edit that is there perhaps. */
static void offer(const struct source *s, size_t brace, struct edits *e, const struct loops *l,
                  const char *name)
{
    struct text *t = NULL;

    for (size_t i = 0; i < e->count; i++)
        if (e->edit[i].begin == brace + 1 && e->edit[i].end == brace + 1)
            t = &e->edit[i].text;
    size_t rest = brace + 1;
    while (rest < s->length && is_blank(s->code[rest]) && s->code[rest] != '\n')
        rest++;
    if (!t)
        t = edits_add(e, brace + 1, brace + 1, rest < s->length && s->code[rest] != '\n');
    text_print(t, " HIP_CPU_OFFER(%s", name);
    for (size_t i = 0; i < l->type_names + l->value_names; i++)
        text_print(t, "%s%s", i == 0 ? "<" : ", ",
                   i < l->type_names ? l->type_name[i] : l->value_name[i - l->type_names]);
    text_print(t, "%s(", l->type_names + l->value_names > 0 ? ">" : "");
    const char *separator = "";
    for (size_t i = l->value_names; i < l->variables && is_parameter(&l->variable[i]); i++) {
        text_print(t, "%s%s", separator, l->variable[i].name);
        separator = ", ";
    }
    text_print(t, "))");
}

/* The kernel whose __global__ is at `at`. */
static void add_loops(const struct sources *all, const struct source *s, size_t at,
                      const char *file, struct edits *e)
{
    size_t bounds = 0, brace = kernel_brace(s, at + strlen("__global__"), &bounds);
    size_t last = brace > 0 ? behind_bracket(s, brace) : 0;

    if (last == 0 || !is_outside(s, at))
        return;
    size_t open = before_bracket(s, skip_blanks_back(s, brace));
    size_t name_end = skip_blanks_back(s, open), name = word_begin(s, name_end);
    size_t begin = declaration_begin(s, brace);
    struct text text = {0};
    char kernel[128], loops[192];
    if (begin > at || name_end - name >= sizeof kernel)
        return;
    snprintf(kernel, sizeof kernel, "%.*s", (int)(name_end - name), s->code + name);
    snprintf(loops, sizeof loops, "hip_cpu_loops_%zu_%s", at, kernel);
    edits_copy(s, e, open, last, &text);
    struct loops l = {.all = all,
                      .s = source_read(text.data, text.length),
                      .name = kernel,
                      .file = file,
                      .line = 1};
    for (size_t i = 0; i < open; i++)
        l.line += s->text[i] == '\n';
    if (tokenize(&l) && add_template(&l, s, begin, at) && write_loops(&l, loops)) {
        struct text *t = edits_add(e, begin, begin, true);
        text_print(t, "\n#ifdef HIP_CPU_LOOPS\n# %zu \"%s\" 3\n", l.line, file);
        if (l.template_end > 0)
            text_print(t, "%.*s\n", (int)(l.template_end - begin), s->text + begin);
        text_add(t, l.out.data, l.out.length);
        text_print(t, "# %zu \"%s\"\n#endif\n", l.line, file);
        offer(s, brace, e, &l, loops);
    }
    free_loops(&l);
    text_free(&text);
}

void find_loops(const struct sources *all, const struct source *s, const char *file,
                struct edits *e)
{
    static const char word[] = "__global__";

    if (strpbrk(file, "\"\\"))
        return;
    for (size_t at = 0; at + sizeof word <= s->length; at += sizeof word) {
        const char *next = memmem(s->code + at, s->length - at, word, sizeof word - 1);
        if (!next)
            break;
        at = (size_t)(next - s->code);
        if (!s->directive[at] && word_begin(s, at) == at && word_end(s, at) == at + sizeof word - 1)
            add_loops(all, s, at, file, e);
    }
}
