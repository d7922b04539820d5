/* A kernel as loops over the threads of a block, behind the kernel itself: what stands between two of its barriers is the
 * body of one loop, which the compiler sees whole. It is written for kernels that are understood to the last word; where a
 * name, a type or the flow of control is not known there is none, and each thread is a coroutine.
 *
 * Between barriers the threads run in the order of their numbers, as coroutines do. A statement with a barrier in it is taken
 * only if its words show that all threads run it alike. A variable that lives across a barrier is computed again behind it,
 * if it is made of what does not change, and otherwise is an element of an array.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../source/functions.h"
#include "kernel.h"

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
    struct variable *v = stars < 2 && (known || stars == 1) ? add_variable(l, l->token[name].word) : NULL;
    if (!v)
        return false;
    v->pointer = stars == 1;
    v->at = name;
    v->life = is_changed(l, v->name, last, l->count) ? CHANGES : UNIFORM;
    return true;
}

static bool add_parameters(struct loops *l)
{
    size_t close = l->token[0].match, first = 1;

    for (size_t i = 1; i <= close; i++)
        if (i == close || is(l, i, ",")) {
            if ((i == first && close == 1) || (close == 2 && is(l, 1, "void")))
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
        known = name > kind && l->type_names < TYPES && l->value_names < TYPES && copy;
        if (known && type) {
            l->type_name[l->type_names++] = copy;
        } else if (known) {
            char *first = strndup(s->code + kind, kind_end - kind);
            struct variable *v = first && is_type_word(first) ? add_variable(l, copy) : NULL;
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
static void write_head(struct loops *l, const char *name, bool lines)
{
    text_print(&l->out, "%s bool %s(",
               l->casts ? "HIP_CPU_CAST_LOOPS"
               : lines  ? "HIP_CPU_VECTORIZE HIP_CPU_LOOPS"
                        : "HIP_CPU_LOOPS",
               name);
    write_text(l, &l->out, 1, l->token[0].match);
    text_print(&l->out, ")\n{\n");
    for (size_t i = 0; i < l->type_names; i++)
        text_print(&l->out, "if constexpr (!std::is_arithmetic<%s>::value || sizeof(%s) > 8) return false; else\n",
                   l->type_name[i], l->type_name[i]);
    for (size_t i = 0; i < l->count; i++)
        if (is_type(l, i) && !is_type_word(l->token[i].word))
            text_print(&l->out, "if (!hip_cpu_is_plain<%s>()) return false;\n", l->token[i].word);
    text_print(&l->out, "{\nHIP_CPU_PLACES\n");
    if (l->most_end > l->most)
        text_print(&l->out, "if (hip_cpu_exceeds(\"%s\", ", l->name), write_text(l, &l->out, l->most, l->most_end),
            text_print(&l->out, ")) return true;\n");
    for (size_t i = 0; i < l->variables; i++) {
        const struct variable *v = &l->variable[i];
        if (is_parameter(v) && v->pointer)
            text_print(&l->out, "if (!hip_cpu_is_aligned(%s)) return false;\n", v->name);
        if (is_parameter(v) && v->life == CHANGES)
            text_print(&l->out, "const auto hip_cpu_first_%s = %s;\n", v->name, v->name);
    }
    if (l->meets)
        text_print(&l->out, "HIP_CPU_WHOLE_WARPS\n");
    text_add(&l->out, l->checks.data, l->checks.length);
}

/* A few numbers or pointers of each thread are in arrays whose places the compiler knows. */
static void write_kept(struct loops *l)
{
    struct text bytes = {0};
    size_t kept = 0;
    bool little = true;

    for (size_t i = 0; i < l->variables; i++) {
        const struct variable *v = &l->variable[i];
        l->variable[i].ended = false;
        if (v->life != KEPT)
            continue;
        text_print(&l->out, "typedef ");
        write_variable(l, &l->out, v, "", "hip_cpu_type_");
        text_print(&l->out, ";\n");
        text_print(&bytes, "%ssizeof(hip_cpu_type_%s)", kept > 0 ? " + " : "", v->name);
        for (size_t k = v->type; k < v->end && !v->pointer; k++)
            little &= !is(l, k, "[") && (!l->token[k].is_type || is_number_type(l->token[k].word));
        little &= ++kept <= 5;
    }
    if (kept > 0 && !little)
        text_print(&l->out, "HIP_CPU_ROOM(%.*s)\n", (int)bytes.length, bytes.data);
    for (size_t i = 0; i < l->variables; i++)
        if (l->variable[i].life == KEPT && little)
            text_print(&l->out, "hip_cpu_type_%s hip_cpu_kept_%s[1024];\n", l->variable[i].name, l->variable[i].name);
        else if (l->variable[i].life == KEPT)
            text_print(&l->out, "HIP_CPU_ALIVE(%s);\n", l->variable[i].name);
    text_free(&bytes);
}

/* Until it is known which variables all threads change together. */
static bool read_statements(struct loops *l, size_t first, size_t last)
{
    size_t parameters = l->variables;

    do {
        l->again = false;
        l->variables = parameters;
        l->region = 1;
        l->exchanges = 0;
        l->checks.length = 0;
        for (size_t i = 0; i < parameters && l->waits; i++)
            if (l->variable[i].life != UNIFORM) {
                l->variable[i].life = STEPS;
                l->unknown |= !may_step(l, &l->variable[i]);
            }
        statements(l, first, last);
    } while (l->again && !l->unknown);
    find_kept(l);
    return !l->unknown;
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
    if (!read_statements(l, first, last))
        return false;
    struct text neighbours = {0};
    write_head(l, name, write_lines(l, first, last, &neighbours));
    write_kept(l);
    text_print(&l->out, "hip_cpu_loops_begin();\n");
    text_add(&l->out, neighbours.data, neighbours.length);
    text_free(&neighbours);
    l->region = 1;
    l->exchanges = 0;
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
    while ((at = open_brace(s, at)) != NOWHERE) {
        size_t end = skip_blanks_back(s, at), word = word_begin(s, end);
        size_t before = skip_blanks_back(s, word);
        if (!is_text(s, word, end, "namespace") && !is_text(s, word_begin(s, before), before, "namespace") &&
            !(end > 0 && s->code[end - 1] == '"'))
            return false;
    }
    return true;
}

/* Where a declaration begins, behind the directives before it. */
static size_t kernel_begin(const struct source *s, size_t brace)
{
    size_t begin = head_begin(s, brace), at = begin;

    for (; at < brace; at++)
        if (s->directive[at])
            begin = at + 1;
    return skip_blanks(s, begin);
}

static void free_loops(struct loops *l)
{
    free_words(l);
    free(l->own);
    free(l->group);
    for (size_t i = 0; i < l->type_names; i++)
        free(l->type_name[i]);
    for (size_t i = 0; i < l->value_names; i++)
        free(l->value_name[i]);
    text_free(&l->checks);
    text_free(&l->before);
    text_free(&l->inside);
    text_free(&l->out);
}

/* The kernel's first statement, in the edit that is there perhaps. */
static void offer(const struct source *s, size_t brace, struct edits *e, const struct loops *l, const char *name)
{
    struct text *t = NULL;

    for (size_t i = 0; i < e->count; i++)
        if (e->edit[i].begin == brace + 1 && e->edit[i].end == brace + 1)
            t = &e->edit[i].text;
    if (!t)
        t = edits_add(e, brace + 1, brace + 1, !ends_line(s, brace + 1));
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

/* The kernel whose __global__ is at `at`, in this line. */
static void add_loops(const struct sources *all, const struct source *s, size_t at, size_t line, const char *file,
                      struct edits *e)
{
    size_t bounds = 0, brace = kernel_brace(s, at + strlen("__global__"), &bounds);
    size_t last = brace > 0 ? behind_bracket(s, brace) : 0;

    if (last == 0 || !is_outside(s, at))
        return;
    size_t open = before_bracket(s, skip_blanks_back(s, brace));
    size_t name_end = skip_blanks_back(s, open), name = word_begin(s, name_end);
    size_t begin = kernel_begin(s, brace);
    struct text text = {0};
    char kernel[128], loops[192];
    if (begin > at || name_end - name >= sizeof kernel)
        return;
    snprintf(kernel, sizeof kernel, "%.*s", (int)(name_end - name), s->code + name);
    snprintf(loops, sizeof loops, "hip_cpu_loops_%zu_%s", at, kernel);
    edits_copy(s, e, open, last, &text);
    struct loops l = {.all = all, .s = source_read(text.data, text.length), .name = kernel, .file = file, .line = line};
    for (size_t i = at; i < open; i++)
        l.line += s->text[i] == '\n';
    if (tokenize(&l) && add_template(&l, s, begin, at) && write_calls(&l) && write_loops(&l, loops)) {
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

void find_loops(const struct sources *all, const struct source *s, const char *file, struct edits *e)
{
    static const char word[] = "__global__";

    if (strpbrk(file, "\"\\"))
        return;
    for (size_t at = 0, line = 1, counted = 0; (at = find_word(s, at, s->length, word)) != NOWHERE; at++) {
        for (; counted < at; counted++)
            line += s->text[counted] == '\n';
        if (!s->directive[at])
            add_loops(all, s, at, line, file, e);
    }
}
