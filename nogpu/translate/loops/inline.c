/* Calls of the author's functions that wait or ask which thread calls them, written into the kernel; and what a kernel says
 * of its block with cooperative groups, in other words. What is not understood stays as it is.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "../source/functions.h"
#include "kernel.h"

#define MOST       64 /* calls in one kernel */
#define PARAMETERS 16

/* A call as it is written out. */
struct call {
    unsigned number;
    struct loops f;    /* the function from its ( on */
    struct text names; /* that are its own */
    struct text copies;
    const char *from[PARAMETERS], *to[PARAMETERS]; /* parameters that are the caller's variables */
    size_t renamed;
    struct text result; /* its type; nothing: none */
};

static bool is_member(const struct loops *l, size_t i)
{
    return i > 0 && (is(l, i - 1, ".") || is(l, i - 1, "->") || is(l, i - 1, "::"));
}

static void add_words(const struct loops *l, size_t first, size_t last, struct text *to)
{
    for (size_t i = first; i < last; i++)
        text_print(to, "%s ", l->token[i].word);
}

/* The text of [begin, end) is another one, in as many lines. */
static bool replace(struct loops *l, size_t begin, size_t end, const struct text *with)
{
    struct text text = {0};

    text_add(&text, l->s.text, begin);
    text_add(&text, with->data, with->length);
    for (size_t i = begin; i < end; i++)
        if (l->s.text[i] == '\n')
            text_print(&text, "\n");
    text_add(&text, l->s.text + end, l->s.length - end);
    return read_again(l, &text);
}

/* ---- groups ---- */

/* Before NAME:: in front of this token. */
static size_t qualified(const struct loops *l, size_t i)
{
    return i > 1 && is(l, i - 1, "::") && l->token[i - 2].is_name ? i - 2 : i;
}

static bool replace_tokens(struct loops *l, size_t first, size_t last, const char *with)
{
    struct text text = {.data = (char *)with, .length = strlen(with)};

    return replace(l, l->token[first].begin, l->token[last - 1].end, &text);
}

/* [cg::]thread_block NAME = [cg::]this_thread_block(); which then is no more. */
static bool forget_group(struct loops *l, size_t i)
{
    size_t equals = qualified(l, i) - 1, name = equals - 1, type = name - 1, first = qualified(l, type);

    if (i < 4 || !is(l, i + 1, "(") || !is(l, i + 3, ";") || !is(l, equals, "=") || !l->token[name].is_name ||
        !(is(l, type, "thread_block") || is(l, type, "auto")) || !strchr(";{}", *l->token[first - 1].word) || l->group)
        return false;
    l->group = must(strdup(l->token[name].word));
    return replace_tokens(l, first, i + 4, "");
}

static bool write_group(struct loops *l, size_t i)
{
    static const char *const said[][2] = {
        {"sync", "__syncthreads()"},
        {"thread_rank", "((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x)"},
        {"size", "(blockDim.x * blockDim.y * blockDim.z)"},
        {"num_threads", "(blockDim.x * blockDim.y * blockDim.z)"},
        {"thread_index", "threadIdx"},
        {"group_index", "blockIdx"},
    };
    size_t first = qualified(l, i);

    if (is(l, i, "sync") && is(l, i + 1, "(") && is(l, i + 2, l->group) && is(l, i + 3, ")"))
        return replace_tokens(l, first, i + 4, said[0][1]);
    for (size_t k = 0; k < sizeof said / sizeof *said; k++)
        if (is(l, i, l->group) && is(l, i + 1, ".") && is(l, i + 2, said[k][0]) && is(l, i + 3, "(") &&
            is(l, i + 4, ")"))
            return replace_tokens(l, i, i + 5, said[k][1]);
    return false;
}

/* ---- a function ---- */

static const char *new_name(const struct call *c, const struct loops *f, size_t i)
{
    for (size_t k = 0; k < c->renamed && !is_member(f, i); k++)
        if (is(f, i, c->from[k]))
            return c->to[k];
    return NULL;
}

/* The words [first, last) of the function, with names that the caller has not. */
static void write_words(const struct call *c, size_t first, size_t last, struct text *to)
{
    for (size_t i = first; i < last; i++) {
        const char *name = new_name(c, &c->f, i), *word = c->f.token[i].word;
        bool own = !name && c->f.token[i].is_name && !is_member(&c->f, i) && is_named(&c->names, word);
        text_print(to, own ? "%s_%u " : "%s ", name ? name : word, c->number);
    }
}

/* A parameter's words [first, last), given the caller's words [a, b). */
static bool give(struct call *c, const struct loops *l, size_t first, size_t last, size_t a, size_t b)
{
    const struct loops *f = &c->f;
    bool array = is(f, last - 1, "]");
    size_t name = array ? f->token[last - 1].match - 1 : last - 1, stars = 0;
    bool group = has(f, first, name, "thread_block"), reference = has(f, first, name, "&");
    bool variable = b == a + 1 && l->token[a].is_name;

    if (last < first + 2 || !f->token[name].is_name || is_type(f, name) || has(f, first, last, "="))
        return false;
    for (size_t i = first; i < name; i++)
        stars += is(f, i, "*");
    bool pointer = stars == 1 || array;
    bool fixed = !is_changed(f, f->token[name].word, f->token[0].match, f->count);
    if (group && (!variable || !l->group || !is(l, a, l->group)))
        return false;
    if ((reference || group || (pointer && fixed)) && variable) {
        if (c->renamed == PARAMETERS)
            return false;
        c->from[c->renamed] = f->token[name].word;
        c->to[c->renamed++] = l->token[a].word;
        return true;
    }
    if (reference || stars > 1 || (array && stars > 0))
        return false;
    text_print(&c->names, " %s ", f->token[name].word);
    for (size_t i = first; i < name; i++)
        if (!is(f, i, "const") || pointer)
            text_print(&c->copies, "%s ", f->token[i].word);
    text_print(&c->copies, "%s%s_%u = ", array ? "*" : "", f->token[name].word, c->number);
    add_words(l, a, b, &c->copies);
    text_print(&c->copies, "; ");
    return true;
}

/* The end of an argument or a parameter: the token of its comma, or of the bracket. */
static size_t item_end(const struct loops *l, size_t i, size_t close)
{
    for (; i < close && !is(l, i, ","); i++)
        if (strchr("([{", *l->token[i].word))
            i = l->token[i].match;
    return i;
}

static bool give_all(struct call *c, const struct loops *l, size_t open)
{
    size_t close = l->token[open].match, a = open + 1, end = c->f.token[0].match, p = 1;

    if (end == 2 && is(&c->f, 1, "void"))
        p = end;
    while (p < end && a < close) {
        size_t p_end = item_end(&c->f, p, end), a_end = item_end(l, a, close);
        if (!give(c, l, p, p_end, a, a_end))
            return false;
        p = p_end + 1;
        a = a_end + 1;
    }
    return p >= end && a >= close;
}

/* What it returns, from its last statement alone. */
static bool write_body(struct call *c, struct text *to)
{
    size_t first = c->f.token[0].match + 1, last = c->f.count - 1, i = first;

    while (i < last && !is(&c->f, i, "return"))
        i++;
    if (i < last &&
        (statement_end(&c->f, i) != last || c->result.length == 0 || !strchr(";{}", *c->f.token[i - 1].word)))
        return false;
    if (i == last && c->result.length > 0)
        return false;
    for (size_t k = first; k < last; k++)
        if (strchr("\"'\\#@", *c->f.token[k].word) || is_shared(&c->f, k) || is(&c->f, k, "extern") ||
            is(&c->f, k, "goto") || is(&c->f, k, "static"))
            return false;
    text_print(to, "{ %.*s", (int)c->copies.length, c->copies.data ? c->copies.data : "");
    write_words(c, first + 1, i, to);
    if (i < last) {
        text_print(to, "hip_cpu_result_%u = ", c->number);
        write_words(c, i + 1, last, to);
    }
    text_print(to, "} ");
    return true;
}

static bool read_function(struct call *c, const struct function *f)
{
    static const char *const said[] = {
        "static",       "inline",    "__inline__", "__inline", "__device__", "__forceinline__",
        "__noinline__", "constexpr", "extern",     "__host__", NULL};
    const struct source *s = f->source;

    c->f.s = source_read(s->code + f->open, f->end - f->open);
    if (!tokenize(&c->f) || has_word(s, f->head, f->name, "template"))
        return false;
    for (size_t at = f->head, next; at < f->name; at = next) {
        next = word_end(s, at);
        next += next == at;
        char *word = must(strndup(s->code + at, next - at));
        if (!s->directive[at] && !strchr("\" \t\n", s->code[at]) && !is_any(word, said) &&
            !is_device_macro(c->f.all, word))
            text_print(&c->result, "%s ", word);
        free(word);
    }
    if (c->result.length == 5 && memcmp(c->result.data, "void ", 5) == 0)
        c->result.length = 0;
    for (size_t i = c->f.token[0].match + 1; i < c->f.count; i++)
        if (!c->f.token[i - 1].is_name && type_end(&c->f, i) > i)
            add_names(&c->f, i, &c->names);
    return true;
}

/* ---- where it is called ---- */

/* The statement that a token is in. */
static size_t statement_begin(const struct loops *l, size_t i)
{
    static const char *const control[] = {"if", "for", "while", "switch", NULL};

    while (i > 0 && !strchr(";{}", *l->token[i - 1].word) && !is(l, i - 1, "else") && !is(l, i - 1, "do")) {
        i--;
        if (is(l, i, ")") || is(l, i, "]")) {
            size_t open = l->token[i].match;
            if (is_any_of(l, open - 1, control))
                return i + 1;
            i = open;
        }
    }
    return i;
}

/* Whether nothing else in [first, last) depends on when the call at `i` is made. */
static bool may_be_first(const struct loops *l, size_t first, size_t last, size_t i)
{
    static const char *const refused[] = {"?", "&&", "||", "++", "--", ":", "sizeof", "#", NULL};
    bool assigned = false;

    for (size_t k = first; k < last; k++) {
        if (k == i) {
            k = l->token[i + 1].match;
            continue;
        }
        bool called = l->token[k].is_name && is(l, k + 1, "(") && !is(l, k, "if");
        if (is_any_of(l, k, refused) ||
            (called && !is_harmless(l->token[k].word) && !is_promised(l->all, l->token[k].word)))
            return false;
        /* Its left side is computed behind the right one. */
        bool assigns =
            strchr(l->token[k].word, '=') && !is(l, k, "==") && !is(l, k, "!=") && !is(l, k, "<=") && !is(l, k, ">=");
        if (assigns && (assigned || k > i))
            return false;
        assigned |= assigns;
    }
    size_t from = first;
    for (size_t k = first; k < i; k++)
        if (strchr(l->token[k].word, '='))
            from = k;
    for (size_t k = from; k < last; k++) {
        if (k == i)
            k = l->token[i + 1].match;
        else if (is(l, k, "[") || (is(l, k, "*") && is_operand(l, k)))
            return false; /* the function may change it */
    }
    return true;
}

static bool write_call(struct loops *l, struct call *c, size_t i)
{
    size_t first = statement_begin(l, i), last = statement_end(l, first), close = l->token[i + 1].match;
    static const char *const refused[] = {"for", "while", "do", "switch", "return", "case", NULL};
    bool branch = is(l, first, "if"), declares = type_end(l, first) > first;
    bool alone = first == i && last == close + 2;
    size_t end = branch ? l->token[first + 1].match : last;
    struct text before = {0}, all = {0};

    if (is_any_of(l, first, refused) || i >= end || last > l->count ||
        (declares && !strchr(";{}", *l->token[first - 1].word)) || !may_be_first(l, first, end, i) ||
        !give_all(c, l, i + 1) || !write_body(c, &before) || (!alone && c->result.length == 0))
        return false;
    if (!declares)
        text_print(&all, "{ ");
    if (c->result.length > 0)
        text_print(&all, "%.*s hip_cpu_result_%u; ", (int)c->result.length, c->result.data, c->number);
    text_add(&all, before.data, before.length);
    if (!alone) {
        text_add(&all, l->s.text + l->token[first].begin, l->token[i].begin - l->token[first].begin);
        text_print(&all, "hip_cpu_result_%u", c->number);
        text_add(&all, l->s.text + l->token[close].end, l->token[last - 1].end - l->token[close].end);
    }
    if (!declares)
        text_print(&all, " }");
    bool written = replace(l, l->token[first].begin, l->token[last - 1].end, &all);
    text_free(&before);
    text_free(&all);
    return written;
}

static bool inline_call(struct loops *l, size_t i)
{
    struct function f;

    if (!l->token[i].is_name || !is(l, i + 1, "(") || is_member(l, i) || is_keyword(l->token[i].word) ||
        is_harmless(l->token[i].word) || is_type(l, i) || is_exchange(l, i) || l->inlined == MOST ||
        !find_function(l->all, l->token[i].word, &f) || is_harmless_function(l->all, l->token[i].word, 0))
        return false;
    struct call c = {.number = l->inlined + 1, .f = {.all = l->all}};
    bool written = read_function(&c, &f) && write_call(l, &c, i);
    l->inlined += written;
    free_words(&c.f);
    text_free(&c.names);
    text_free(&c.copies);
    text_free(&c.result);
    return written;
}

/* warp_sync(), where it is defined as __syncwarp() alone. */
static bool write_wait(struct loops *l, size_t i)
{
    static const char *const waits[] = {"__syncwarp", "__syncthreads", NULL};

    for (size_t k = 0; waits[k] && l->token[i].is_name && is(l, i + 1, "(") && is(l, i + 2, ")"); k++)
        if (is_called_by_macro(l->all, l->token[i].word, waits[k]))
            return replace_tokens(l, i, i + 1, waits[k]);
    return false;
}

bool write_calls(struct loops *l)
{
    for (size_t i = 0; i < l->count && l->s.length < 1 << 16; i++)
        if ((is(l, i, "this_thread_block") && forget_group(l, i)) || (l->group && write_group(l, i)) ||
            write_wait(l, i) || inline_call(l, i))
            i = 0;
    return l->s.length < 1 << 16;
}
