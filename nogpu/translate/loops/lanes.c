/* Warp operations of a kernel that becomes loops. Where there are any before the next barrier, the warps run one after the
 * other, and their lanes in loops between the operations: in the first each lane gives what it has, in the second it takes
 * what it wants. Only blocks of whole warps run this way, where all lanes reach each operation: the mask has all of them, and
 * conditions around it are the same for a warp, which is seen before the block begins.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

static const struct operation {
    const char *name, *op; /* op: which of hip_cpu_warp_op, if it is a shuffle */
    bool masked, votes;
    const char *result; /* of a vote */
} operations[] = {
    {"__shfl", "HIP_CPU_SHFL", false, false, NULL},
    {"__shfl_up", "HIP_CPU_SHFL_UP", false, false, NULL},
    {"__shfl_down", "HIP_CPU_SHFL_DOWN", false, false, NULL},
    {"__shfl_xor", "HIP_CPU_SHFL_XOR", false, false, NULL},
    {"__shfl_sync", "HIP_CPU_SHFL", true, false, NULL},
    {"__shfl_up_sync", "HIP_CPU_SHFL_UP", true, false, NULL},
    {"__shfl_down_sync", "HIP_CPU_SHFL_DOWN", true, false, NULL},
    {"__shfl_xor_sync", "HIP_CPU_SHFL_XOR", true, false, NULL},
    {"__any", NULL, false, true, "!= 0"},
    {"__all", NULL, false, true, "== hip_cpu_whole"},
    {"__ballot", NULL, false, true, ""},
    {"__any_sync", NULL, true, true, "!= 0"},
    {"__all_sync", NULL, true, true, "== hip_cpu_whole"},
    {"__ballot_sync", NULL, true, true, ""},
    {"__syncwarp", NULL, true, false, NULL},
};

static const struct operation *operation_at(const struct loops *l, size_t i)
{
    if (!is(l, i + 1, "(") || (i > 0 && is(l, i - 1, ".")))
        return NULL;
    for (size_t k = 0; k < sizeof operations / sizeof *operations; k++)
        if (is(l, i, operations[k].name))
            return &operations[k];
    return NULL;
}

bool is_exchange(const struct loops *l, size_t i) { return operation_at(l, i) != NULL; }

static size_t find_exchange(const struct loops *l, size_t first, size_t last)
{
    while (first < last && !operation_at(l, first))
        first++;
    return first;
}

bool exchanges(const struct loops *l, size_t first, size_t last)
{
    return l->meets && find_exchange(l, first, last) < last;
}

bool exchanges_first(const struct loops *l, size_t first, size_t last)
{
    for (size_t i = first, end; l->meets && i < last; i = end) {
        end = statement_end(l, i);
        if (has(l, i, end, "__syncthreads"))
            return false;
        if (exchanges(l, i, end))
            return true;
    }
    return false;
}

/* Whether the tokens are known before the block begins: parameters, constants, what is made of these; without `uniform` the
 * thread's own number, too. */
static bool is_known_before(struct loops *l, size_t first, size_t last, bool uniform)
{
    bool known = is_fixed(l, first, last, uniform);

    for (size_t i = first; i < last && known; i++) {
        struct variable *v = l->token[i].is_name && !is(l, i - 1, ".") ? find_variable(l, l->token[i].word) : NULL;
        known = !v || (is_parameter(v) && v->life == UNIFORM) ||
                (!is_changed(l, v->name, v->end, l->count) && is_known_before(l, v->value, v->value_end, uniform));
    }
    return known;
}

/* What is known before the block begins. */
static void write_known(struct loops *l, struct text *to)
{
    for (size_t i = 0; i < l->variables; i++) {
        struct variable *v = &l->variable[i];
        if (!v->ended && !is_parameter(v) && (v->life == AGAIN || v->life == UNIFORM) &&
            !is_changed(l, v->name, v->end, l->count) && is_known_before(l, v->value, v->value_end, false))
            write_definition(l, to, v);
    }
}

/* ---- conditions ---- */

void add_warp_condition(struct loops *l, size_t open)
{
    size_t close = l->token[open].match;

    if (!is_known_before(l, open + 1, close, false)) {
        l->unknown = true;
        return;
    }
    text_print(&l->checks, "{\nbool hip_cpu_first = false;\nHIP_CPU_EACH_THREAD\n");
    write_known(l, &l->checks);
    text_print(&l->checks, "const bool hip_cpu_it = ");
    write_text(l, &l->checks, open, close + 1);
    text_print(&l->checks, ";\nif (hip_cpu_k %% warpSize == 0) hip_cpu_first = hip_cpu_it;\n"
                           "else if (hip_cpu_it != hip_cpu_first) return false;\n}\n}\n");
}

void write_warp_condition(struct loops *l, size_t open)
{
    text_print(&l->out, "bool hip_cpu_if_%zu = false;\nHIP_CPU_FIRST_LANE\n", open);
    write_again(l, &l->out);
    text_print(&l->out, "hip_cpu_if_%zu = ", open);
    write_text(l, &l->out, open, l->token[open].match + 1);
    text_print(&l->out, ";\n}\nif (hip_cpu_if_%zu) ", open);
}

/* ---- operations ---- */

/* An operation's arguments: argument i is [begin[i], begin[i + 1] - 1). */
struct arguments {
    size_t begin[6], count;
};

static struct arguments arguments_of(const struct loops *l, size_t i)
{
    struct arguments a = {.begin = {i + 2}};
    size_t close = l->token[i + 1].match;

    for (size_t k = i + 2; k <= close && a.count < 5; k++)
        if (k == close ? k > i + 2 : is(l, k, ","))
            a.begin[++a.count] = k + 1;
        else if (is(l, k, "(") || is(l, k, "["))
            k = l->token[k].match;
    return a;
}

static void write_argument(struct loops *l, struct text *to, const struct arguments *a, size_t i)
{
    write_text(l, to, a->begin[i], a->begin[i + 1] - 1);
}

/* What an argument has to be, before the block begins. */
static void require(struct loops *l, const struct arguments *a, size_t i, const char *what)
{
    size_t first = a->begin[i], last = a->begin[i + 1] - 1;

    if (!is_known_before(l, first, last, true)) {
        l->unknown = true;
        return;
    }
    text_print(&l->checks, "{\n");
    write_known(l, &l->checks);
    text_print(&l->checks, "if (!%s(", what);
    write_text(l, &l->checks, first, last);
    text_print(&l->checks, ")) return false;\n}\n");
}

/* Whether the operation at `i` is all that happens here, always. */
static bool is_alone(const struct loops *l, size_t first, size_t last, size_t i)
{
    static const char *const others[] = {"while", "do", "switch", "for", "return", NULL};
    static const char *const perhaps[] = {"?", "&&", "||", "sizeof", NULL};
    size_t close = l->token[i + 1].match;
    size_t end = is(l, first, "if") ? l->token[first + 1].match : last;

    if (i >= end || find_exchange(l, i + 1, last) < last || is_any_of(l, first, others))
        return false;
    for (size_t k = first; k < end; k++) {
        if (k == i)
            k = close;
        else if (is_any_of(l, k, perhaps))
            return false;
    }
    for (size_t k = i + 2; k < close; k++)
        if (is(l, k, "=") || is(l, k, "++") || is(l, k, "--"))
            return false;
    return true;
}

/* Its result does not depend on what the lane has read from memory later. */
static bool is_of_names(const struct loops *l, const struct arguments *a, size_t i)
{
    for (size_t k = a->begin[i]; k + 1 < a->begin[i + 1]; k++)
        if (is(l, k, "[") || (l->token[k].is_name && is(l, k + 1, "(")))
            return false;
    return true;
}

static void write_type(struct loops *l, struct text *to, size_t i)
{
    text_print(to, "decltype(%.*s)", (int)(l->token[l->token[i + 1].match].end - l->token[i].begin),
               l->s.text + l->token[i].begin);
}

void exchange(struct loops *l, size_t first, size_t last)
{
    size_t i = find_exchange(l, first, last);
    const struct operation *o = operation_at(l, i);

    if (!o || !is_alone(l, first, last, i)) {
        l->unknown = true;
        return;
    }
    struct arguments a = arguments_of(l, i);
    size_t value = o->masked, most = o->op ? value + 3 : o->votes ? value + 1 : value;
    if (!l->writes) {
        l->unknown = a.count > most ||
                     (a.count < (o->op      ? value + 2
                                 : o->votes ? value + 1
                                            : 0)) ||
                     (o->op && !is_of_names(l, &a, value + 1));
        if (l->unknown)
            return;
        if (o->masked && a.count > 0)
            require(l, &a, 0, "hip_cpu_is_whole");
        if (o->op && a.count == most)
            require(l, &a, value + 2, "hip_cpu_is_width");
    }
    unsigned number = ++l->exchanges;
    if (o->op || o->votes) {
        for (size_t k = a.begin[value]; k < a.begin[value + 1]; k++)
            l->token[k].region = l->region;
        if (l->writes) {
            write_line(l, &l->inside, i);
            if (o->votes)
                text_print(&l->before, "uint64_t hip_cpu_votes_%u = 0;\n", number);
            text_print(&l->inside, o->votes ? "hip_cpu_votes_%u |= (uint64_t)(static_cast<int>(" : "hip_cpu_lanes_of<",
                       number);
            if (!o->votes) {
                write_type(l, &l->inside, i);
                text_print(&l->inside, ">(hip_cpu_slot[%u])[hip_cpu_lane] = (", number % 2);
            }
            write_argument(l, &l->inside, &a, value);
            text_print(&l->inside, o->votes ? ") != 0) << hip_cpu_lane;\n" : ");\n");
        }
    }
    end_region(l);
    if (!o->op && !o->votes) {
        l->unknown |= first != i || last != l->token[i + 1].match + 2;
        return;
    }
    l->token[i].exchange = number;
    size_t kept = l->token[a.begin[value]].region;
    plain_statement(l, first, last);
    for (size_t k = a.begin[value]; k + 1 < a.begin[value + 1]; k++) {
        l->token[k].also = l->token[k].region;
        l->token[k].region = kept;
    }
}

size_t write_exchange(struct loops *l, struct text *to, size_t i)
{
    const struct operation *o = operation_at(l, i);
    struct arguments a = arguments_of(l, i);

    text_print(to, "static_cast<");
    write_type(l, to, i);
    if (o->votes) {
        text_print(to, ">(hip_cpu_votes_%u %s)", l->token[i].exchange, o->result);
        return l->token[i + 1].match;
    }
    text_print(to, ">(hip_cpu_lanes_of<");
    write_type(l, to, i);
    text_print(to, ">(hip_cpu_slot[%u])[hip_cpu_source(%s, hip_cpu_lane, (unsigned)(", l->token[i].exchange % 2, o->op);
    write_argument(l, to, &a, o->masked + 1);
    text_print(to, "), ");
    if (a.count > o->masked + 2u)
        write_argument(l, to, &a, o->masked + 2);
    else
        text_print(to, "warpSize");
    text_print(to, ")])");
    return l->token[i + 1].match;
}
