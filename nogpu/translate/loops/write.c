/* Statements of a kernel: read once to learn which variables live across barriers, and once more to write the loops.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

/* What follows has the line of this token in the author's file; the compiler warns of the kernel alone. */
void write_line(struct loops *l, struct text *to, size_t i)
{
    size_t line = l->line;

    for (size_t at = 0; at < l->token[i].begin; at++)
        line += l->s.text[at] == '\n';
    text_print(to, "\n# %zu \"%s\" 3\n", line, l->file);
}

void write_text(struct loops *l, struct text *to, size_t first, size_t last)
{
    size_t at = first < last ? l->token[first].begin : 0;

    for (size_t i = first; i < last; i++) {
        if (l->token[i].exchange > 0) {
            text_add(to, l->s.text + at, l->token[i].begin - at);
            i = write_exchange(l, to, i);
            at = l->token[i].end;
        }
    }
    if (first < last)
        text_add(to, l->s.text + at, l->token[last - 1].end - at);
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

void write_variable(struct loops *l, struct text *to, const struct variable *v, const char *constant,
                    const char *instead)
{
    text_print(to, "%s", constant);
    for (size_t i = v->type; i < v->type_end; i++)
        if (!is(l, i, "const") || v->pointer)
            text_print(to, "%s ", l->token[i].word);
    for (size_t i = v->at; i < v->end; i++)
        if (is(l, i, v->name))
            text_print(to, "%s%s", instead, v->name);
        else if (!is(l, i, "const") || *constant)
            text_print(to, "%s ", l->token[i].word);
}

void write_definition(struct loops *l, struct text *to, const struct variable *v)
{
    write_variable(l, to, v, v->pointer ? "" : "const ", "");
    text_print(to, " = ");
    write_text(l, to, v->value, v->value_end);
    text_print(to, ";\n");
}

void write_again(struct loops *l, struct text *to)
{
    for (size_t i = 0; i < l->variables; i++) {
        const struct variable *v = &l->variable[i];
        if (!v->ended && !is_parameter(v) && v->region <= l->region && v->life == AGAIN)
            write_definition(l, to, v);
    }
}

void end_region(struct loops *l)
{
    if (l->writes) {
        text_add(&l->out, l->before.data, l->before.length);
        if (l->inside.length > 0) {
            text_print(&l->out, l->in_warp ? "HIP_CPU_EACH_LANE\n" : "HIP_CPU_EACH_THREAD\n");
            write_again(l, &l->out);
            for (size_t i = 0; i < l->variables; i++) {
                const struct variable *v = &l->variable[i];
                bool used = false;
                for (size_t k = 0; v->life == KEPT && k < l->count; k++)
                    used |= (l->token[k].region == l->region || l->token[k].also == l->region) && is(l, k, v->name);
                if (is_parameter(v) && v->life == CHANGES)
                    text_print(&l->out, "auto %s = hip_cpu_first_%s;\n", v->name, v->name);
                if (v->ended || is_parameter(v) || v->region > l->region)
                    continue;
                if (used)
                    text_print(&l->out, "auto &%s = hip_cpu_kept_%s[hip_cpu_k];\n", v->name, v->name);
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
static void write_declaration(struct loops *l, size_t first)
{
    for (size_t i = 0; i < l->variables; i++) {
        struct variable *v = &l->variable[i];
        if (v->type != first || is_parameter(v))
            continue;
        if (v->life == UNIFORM) {
            if (!v->hoisted)
                write_definition(l, &l->before, v);
        } else if (v->life == KEPT && is(l, v->value, "{")) {
            text_print(&l->inside, "{ hip_cpu_type_%s hip_cpu_it = ", v->name);
            write_text(l, &l->inside, v->value, v->value_end);
            text_print(&l->inside, "; __builtin_memcpy(&%s, &hip_cpu_it, sizeof hip_cpu_it); }\n", v->name);
        } else if (v->life == KEPT && v->value < v->value_end) {
            text_print(&l->inside, "%s = ", v->name);
            write_text(l, &l->inside, v->value, v->value_end);
            text_print(&l->inside, ";\n");
        } else if (v->life == CHANGES || v->life == STEPS) {
            struct text *to = v->life == STEPS ? &l->before : &l->inside;
            write_text(l, to, v->type, v->type_end);
            text_print(to, " ");
            write_text(l, to, v->at, v->value_end);
            text_print(to, ";\n");
        }
    }
}

/* The scope of what was declared since. */
static void end_scope(struct loops *l, size_t first, size_t last)
{
    for (size_t i = 0; i < l->variables; i++)
        if (l->variable[i].type >= first && l->variable[i].type < last && !is_parameter(&l->variable[i]))
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
    if (type_end(l, first) == first) {
        l->unknown = true;
        return;
    }
    add_declaration(l, first, condition, UNIFORM);
    for (size_t i = known; i < l->variables && !l->unknown; i++) {
        struct variable *v = &l->variable[i];
        l->unknown = v->value == v->value_end || v->pointer || is(l, v->at + 1, "[") ||
                     !is_fixed(l, v->value, v->value_end, true);
        if (is_changed(l, v->name, close + 1, statement_end(l, close + 1)))
            v->life = STEPS;
        l->unknown |= v->life == STEPS && !may_step(l, v);
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
    } else if (is(l, first, "for") ||
               (is(l, first, "while") && is_fixed(l, first + 2, l->token[first + 1].match, true))) {
        size_t close = l->token[first + 1].match;
        if (has(l, first, last, "break") || has(l, first, last, "continue"))
            l->unknown = true; /* perhaps of an inner loop alone */
        if (l->writes)
            write_text(l, &l->out, first, close + 1);
        else if (is(l, first, "for"))
            loop_head(l, first + 1);
        l->depth++;
        if (!l->unknown)
            scope(l, close + 1, last);
        l->depth--;
        end_scope(l, first, last);
    } else if (is(l, first, "if") && is(l, first + 1, "(") && !exchanges(l, first, l->token[first + 1].match)) {
        size_t close = l->token[first + 1].match, end = statement_end(l, close + 1);
        bool uniform = is_fixed(l, first + 2, close, true);
        if (!uniform && !l->in_warp)
            l->unknown = true;
        else if (!uniform && l->writes)
            write_warp_condition(l, first + 1);
        else if (!uniform)
            add_warp_condition(l, first + 1);
        else if (l->writes)
            text_print(&l->out, "if "), write_text(l, &l->out, first + 1, close + 1);
        if (!l->unknown)
            scope(l, close + 1, end);
        if (end < last && l->writes)
            text_print(&l->out, "else ");
        if (end < last && !l->unknown)
            scope(l, end + 1, last);
    } else if (l->in_warp) {
        exchange(l, first, last);
    } else {
        l->unknown = true;
    }
}

/* count = half; and its like, by all threads together. Where they change such a variable in another way, each has its own. */
static bool is_step(struct loops *l, size_t first, size_t last)
{
    size_t value = first + 2, end = last - 1;
    const struct variable *v = l->token[first].is_name ? find_variable(l, l->token[first].word) : NULL;

    if (l->writes)
        return l->token[first].step;
    /* A warp begins with what all threads had; its own value ends with it. */
    bool mine = v && (!l->in_warp || ((v->at >= l->warps_begin || v->depth == l->warps_depth) &&
                                      !has(l, l->warps_end, l->count, v->name)));
    bool steps = mine && v->life == STEPS && is_changed(l, v->name, first, value) &&
                 (value == end || is_fixed(l, value, end, true));

    l->token[first].step = steps;
    for (size_t i = 0; i < l->variables && !steps; i++)
        if (l->variable[i].life == STEPS && !l->variable[i].ended && is_changed(l, l->variable[i].name, first, last))
            l->again = l->token[l->variable[i].at].alone = true;
    return steps;
}

void plain_statement(struct loops *l, size_t first, size_t last)
{
    if (l->waits && is_step(l, first, last)) {
        end_region(l);
        if (l->writes) {
            write_line(l, &l->out, first);
            write_text(l, &l->out, first, last);
        }
        return;
    }
    for (size_t k = first; k < last; k++)
        l->token[k].region = l->region;
    bool declares = l->waits && type_end(l, first) > first;
    if (declares && !l->writes)
        add_declaration(l, first, last, CHANGES);
    if (declares && l->writes)
        write_declaration(l, first);
    else if (l->writes)
        write_statement(l, first, last);
}

/* Of what a warp changes for itself. */
static void write_steps(struct loops *l, const char *format)
{
    for (size_t i = 0; i < l->variables && l->writes; i++) {
        const struct variable *v = &l->variable[i];
        if (v->life == STEPS && !v->ended && v->at < l->warps_begin &&
            is_changed(l, v->name, l->warps_begin, l->warps_end))
            text_print(&l->out, format, v->name, v->name);
    }
}

/* What warps do one after the other, up to the next barrier; what all of them need is defined before. */
static void begin_warps(struct loops *l, size_t first, size_t last)
{
    size_t end = first;

    end_region(l);
    for (size_t i = first; i < last; i = end) {
        end = statement_end(l, i);
        if (has(l, i, end, "__syncthreads")) {
            end = i;
            break;
        }
        if (is_shared(l, i) && l->writes) {
            write_text(l, &l->out, i, end);
            text_print(&l->out, "\n");
            l->token[i].hoisted = true;
        }
        for (size_t k = 0; k < l->variables; k++)
            if (l->writes && l->variable[k].type == i && l->variable[k].life == UNIFORM &&
                !is_parameter(&l->variable[k])) {
                write_definition(l, &l->out, &l->variable[k]);
                l->variable[k].hoisted = true;
            }
    }
    l->in_warp = true;
    l->warps_begin = first;
    l->warps_end = end;
    l->warps_depth = l->depth;
    write_steps(l, "const auto hip_cpu_all_%s = %s;\n");
    if (l->writes)
        text_print(&l->out, "HIP_CPU_EACH_WARP\n");
    write_steps(l, "auto %s = hip_cpu_all_%s;\n");
}

static void end_warps(struct loops *l)
{
    end_region(l);
    l->in_warp = false;
    if (l->writes)
        text_print(&l->out, "}\n");
}

void statements(struct loops *l, size_t first, size_t last)
{
    bool warps = false;

    for (size_t i = first, end; i < last && !l->unknown; i = end) {
        end = statement_end(l, i);
        bool waits = has(l, i, end, "__syncthreads");
        if (warps && waits) {
            end_warps(l);
            warps = false;
        } else if (!l->in_warp && exchanges_first(l, i, last)) {
            begin_warps(l, i, last);
            warps = true;
        }
        if (end > last) {
            l->unknown = true;
        } else if (waits || exchanges(l, i, end)) {
            waiting_statement(l, i, end);
        } else if (is_shared(l, i)) {
            if (l->writes && !l->token[i].hoisted) {
                write_text(l, &l->before, i, end);
                text_print(&l->before, "\n");
            }
        } else {
            plain_statement(l, i, end);
        }
    }
    if (warps)
        end_warps(l);
}

/* [...] that is known before a block begins. */
static bool is_size(struct loops *l, size_t open)
{
    bool known = is_fixed(l, open + 1, l->token[open].match, true);

    for (size_t i = open; i < l->token[open].match; i++)
        known &= !l->token[i].is_name || is_type(l, i) || is_constant(l->all, l->token[i].word, 0) ||
                 is_any_of(l, i, (const char *const *)l->value_name);
    return known;
}

void find_kept(struct loops *l)
{
    for (size_t n = 0; n < l->variables && !l->unknown; n++) {
        struct variable *v = &l->variable[n];
        bool crosses = false;
        for (size_t i = v->end; i < l->count; i++)
            crosses |= is(l, i, v->name) && !is(l, i - 1, ".") &&
                       (l->token[i].region != v->region || (l->token[i].also > 0 && l->token[i].also != v->region));
        if (is_parameter(v) || v->life != CHANGES || !crosses)
            continue;
        v->life = KEPT;
        for (size_t i = 0; i < n; i++)
            l->unknown |= l->variable[i].life == KEPT && strcmp(l->variable[i].name, v->name) == 0;
        for (size_t i = v->at; i < v->end; i++)
            l->unknown |= is(l, i, "const") || (is(l, i, "[") && !is_size(l, i));
    }
}
