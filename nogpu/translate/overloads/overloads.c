/* HIP lets a function for the host and one for the device have one name and the same parameters. Here they become
 * name_hip_cpu_host and name_hip_cpu_device, and the name is a function that calls the one of its caller's side: of a
 * thread of a kernel, or, where a constant is wanted, the one that is constexpr.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "declarations.h"
#include "overloads.h"

/* The text without comments, on one line. */
static void copy(const struct source *s, size_t begin, size_t end, struct text *t)
{
    bool literal = false;

    for (size_t at = begin; at < end; at++) {
        literal ^= s->code[at] == '"';
        char c = literal ? s->text[at] : s->code[at];
        if (!literal && is_text(s, at, word_end(s, at), "__noinline__"))
            at = word_end(s, at) - 1;
        else
            text_add(t, c == '\n' ? " " : &c, 1);
    }
}

static const char *suffix(unsigned side) { return side == HOST ? "_hip_cpu_host" : "_hip_cpu_device"; }

/* The function's own name on one side; operators get one of letters. */
static void put_name(const struct source *s, const struct function *f, unsigned side, struct text *t)
{
    for (size_t at = f->name; at < f->name_end; at++)
        if (is_word(s->code[at]) || s->code[at] == ':')
            text_add(t, s->code + at, 1);
        else if (!is_blank(s->code[at]))
            text_print(t, "_%d", s->code[at]);
    text_print(t, "%s", suffix(side));
}

/* (int a, T *hip_cpu_1); with defaults or not. */
static void put_list(const struct source *s, const struct function *f, bool defaults, struct text *t)
{
    struct parameter p;
    unsigned number = 0;

    text_print(t, "(");
    for (size_t at = f->list + 1; next_parameter(s, at, f->list_end - 1, &p); at = p.end + 1) {
        if (number++ > 0)
            text_print(t, ", ");
        copy(s, p.begin, p.value, t);
        if (p.name == NOWHERE && !is_text(s, p.begin, p.value, "void"))
            text_print(t, " hip_cpu_%u", number);
        copy(s, p.value, defaults ? p.end : p.value, t);
    }
    text_print(t, ")");
    copy(s, f->list_end, f->stop, t);
}

/* What stands before the name; behind the parameters of templates and attributes `constexpr`, if it is not there. Without
 * the defaults of templates if it comes again. */
static void put_head(const struct source *s, const struct function *f, bool make_constexpr, bool again, struct text *t)
{
    size_t at = f->begin;

    while (is_text(s, at, word_end(s, at), "template")) {
        size_t end = behind_angles(s, at);
        struct parameter p;
        const char *comma = "template <";
        for (size_t i = skip_blanks(s, at + 8) + 1; next_parameter(s, i, end - 1, &p); i = p.end + 1) {
            text_print(t, "%s", comma);
            copy(s, p.begin, again ? p.value : p.end, t);
            comma = ", ";
        }
        text_print(t, "> ");
        at = skip_blanks(s, end);
    }
    while (s->code[at] == '[') {
        size_t end = behind_bracket(s, at);
        copy(s, at, end, t);
        at = skip_blanks(s, end);
    }
    if (make_constexpr && !f->is_constexpr)
        text_print(t, "constexpr ");
    copy(s, at, f->name, t);
}

/* <T, N...>, then (a, b) */
static void put_arguments(const struct source *s, const struct function *f, struct text *t)
{
    struct parameter p;
    size_t open = skip_blanks(s, f->begin + 8);
    unsigned number = 0;

    if (is_text(s, f->begin, word_end(s, f->begin), "template") && s->code[open] == '<') {
        const char *comma = "<";
        for (size_t at = open + 1; next_parameter(s, at, behind_angles(s, open) - 1, &p); at = p.end + 1) {
            text_print(t, "%s%.*s%s", comma, (int)(p.name_end - p.name), s->code + p.name, p.pack ? "..." : "");
            comma = ", ";
        }
        text_print(t, ">");
    }
    const char *comma = "(";
    for (size_t at = f->list + 1; next_parameter(s, at, f->list_end - 1, &p); at = p.end + 1) {
        char name[32];
        if (is_text(s, p.begin, p.end, "void"))
            break;
        snprintf(name, sizeof name, "hip_cpu_%u", ++number);
        struct text one = {0};
        if (p.name == NOWHERE)
            text_print(&one, "%s", name);
        else
            text_add(&one, s->code + p.name, p.name_end - p.name);
        text_print(t, "%sstatic_cast<decltype(%.*s) &&>(%.*s)%s", comma, (int)one.length, one.data, (int)one.length,
                   one.data, p.pack ? "..." : "");
        text_free(&one);
        comma = ", ";
    }
    text_print(t, "%s)", *comma == '(' ? "(" : "");
}

static void put_declaration(const struct source *s, const struct function *f, struct text *t)
{
    put_head(s, f, false, true, t);
    put_name(s, f, f->side, t);
    put_list(s, f, false, t);
    text_print(t, "; ");
}

static bool is_class(const struct source *s, size_t scope)
{
    size_t begin = scope == NOWHERE ? scope : declaration_begin(s, scope);
    return scope != NOWHERE && !has_word(s, begin, scope, "namespace") &&
           !memchr(s->code + begin, '"', scope - begin); /* extern "C" */
}

/* Before the host's: the function of that name, and, where it does not see them, what it calls. */
static void add_choice(const struct source *s, const struct function *host, struct edits *e)
{
    const struct function *device = host->pair;
    bool qualified = memchr(s->code + host->name, ':', host->name_end - host->name), member = is_class(s, host->scope),
         defined = s->code[host->stop] == '{';
    struct text *t = edits_add(e, host->begin, host->begin, true);

    if (!qualified && !(member && defined))
        put_declaration(s, host, t);
    if (!qualified && !member)
        put_declaration(s, device, t);
    if (!defined) {
        if (device->is_constexpr && !host->is_constexpr)
            text_print(t, "constexpr ");
        return;
    }
    put_head(s, host, device->is_constexpr, false, t);
    copy(s, host->name, host->name_end, t);
    put_list(s, host, true, t);
    text_print(t, "{ if (%s) return ",
               device->is_constexpr ? "__builtin_is_constant_evaluated() || hip_cpu_current"
               : host->is_constexpr ? "!__builtin_is_constant_evaluated() && hip_cpu_current"
                                    : "hip_cpu_current");
    put_name(s, device, DEVICE, t);
    put_arguments(s, host, t);
    text_print(t, "; return ");
    put_name(s, host, HOST, t);
    put_arguments(s, host, t);
    text_print(t, "; } ");
}

static void rename_one(const struct source *s, const struct function *f, unsigned side, struct edits *e)
{
    put_name(s, f, side, edits_add(e, f->name, f->name_end, true));
}

/* Whether `at` is in a function that may run on the device. */
static bool may_be_on_device(const struct source *s, size_t at)
{
    for (size_t brace = open_brace(s, at); brace != NOWHERE; brace = open_brace(s, brace)) {
        size_t begin = declaration_begin(s, brace);
        if (has_word(s, begin, brace, "__device__") || has_word(s, begin, brace, "__global__") ||
            has_word(s, begin, brace, "constexpr"))
            return true;
    }
    return false;
}

/* A constant of the device must not be one where the host calls: const int w = width(); */
static void rename_calls(const struct source *s, const struct function *host, struct edits *e)
{
    size_t length = host->name_end - host->name;

    for (size_t at = 0, end; at < s->length; at = end) {
        end = token_end(s, at);
        if (end - at != length || memcmp(s->code + at, s->code + host->name, length) != 0 || s->directive[at] ||
            s->code[skip_blanks(s, end)] != '(' || (at > 0 && strchr(".>", s->code[at - 1])) || may_be_on_device(s, at))
            continue;
        struct function f;
        if (!read_function(s, skip_blanks(s, end), &f))
            text_print(edits_add(e, end, end, true), "%s", suffix(HOST));
    }
}

/* Explicit instances of a template that is one of a pair. */
static void rename_instances(const struct source *s, const struct function *host, struct edits *e)
{
    size_t length = host->name_end - host->name;

    for (size_t at = host->stop, end; at < s->length; at = end) {
        end = token_end(s, at);
        if (end - at != length || memcmp(s->code + at, s->code + host->name, length) != 0 || s->code[end] != '<' ||
            s->directive[at] || !is_same_scope(s, open_brace(s, at), host->scope))
            continue;
        size_t begin = declaration_begin(s, at);
        bool device = has_word(s, begin, at, "__device__");
        if (is_text(s, begin, word_end(s, begin), "template") && (!device || !has_word(s, begin, at, "__host__")))
            text_print(edits_add(e, end, end, true), "%s", suffix(device ? DEVICE : HOST));
    }
}

void find_overloads(const struct source *s, struct edits *e)
{
    struct function *all = NULL;
    size_t count = 0;

    if (!memmem(s->code, s->length, "__device__", 10))
        return;
    for (size_t at = 0; at < s->length; at++) {
        struct function f;
        if (s->code[at] != '(' || !read_function(s, at, &f))
            continue;
        struct function *more = realloc(all, (count + 1) * sizeof *all);
        if (!more)
            break;
        (all = more)[count++] = f;
        at = f.list_end - 1;
    }
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count && !all[i].pair; k++)
            if (all[i].side != all[k].side && is_pair(s, &all[i], &all[k]))
                all[i].pair = &all[k];
    for (size_t i = 0; i < count; i++) {
        const struct function *f = &all[i];
        if (!f->pair)
            continue;
        if (f->side == HOST)
            add_choice(s, f, e);
        if (f->side == DEVICE || s->code[f->stop] == '{')
            rename_one(s, f, f->side, e);
        if (f->side == HOST && s->code[f->stop] == '{') {
            if (f->pair->is_constexpr && !f->is_constexpr)
                rename_calls(s, f, e);
            if (is_text(s, f->begin, word_end(s, f->begin), "template"))
                rename_instances(s, f, e);
        }
    }
    free(all);
}
