/* Blocks whose threads are neighbours in memory, so that the compiler takes several at once. An index of 32 bits may wrap and a
 * thread may have nothing to do, so no compiler knows it of a whole row; but indices that are sums of coordinates are known by
 * the corners of a block (hip_cpu_is_linear()), and so are conditions that compare such sums. Where the corners agree, the
 * block runs without the conditions, and each index is a distance from the row's first.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "kernel.h"

#define INDICES 16
#define NAMES   24

/* How an expression depends on the thread. */
enum degree { OTHER = -1, FIXED, LINEAR };

struct range {
    size_t first, last;
};

struct lines {
    struct loops *l;
    struct {
        const char *name;
        enum degree degree;
    } known[NAMES]; /* variables of the kernel */
    size_t names;
    /* Tokens of expressions that change from thread to thread, each once: indices, and what is compared. */
    struct range index[INDICES], side[INDICES];
    size_t indices, sides;
    struct text look, sums, conditions; /* definitions, indices, and what threads ask before they do something */
};

static enum degree sum(struct lines *k, size_t *at, size_t last);

static enum degree degree_of_name(struct lines *k, size_t i)
{
    const struct variable *v = find_variable(k->l, k->l->token[i].word);

    for (size_t n = 0; n < k->names; n++)
        if (is(k->l, i, k->known[n].name))
            return k->known[n].degree;
    if (v)
        return v->life == UNIFORM && !v->pointer ? FIXED : OTHER;
    return !is_type(k->l, i) && is_constant(k->l->all, k->l->token[i].word, 0) ? FIXED : OTHER;
}

static enum degree operand(struct lines *k, size_t *at, size_t last)
{
    static const char *const casts[] = {"int", "unsigned", "uint", NULL};
    const struct loops *l = k->l;
    size_t i = *at, close = l->token[i].match;

    if (i >= last)
        return OTHER;
    *at = i + 1;
    if (is(l, i, "-"))
        return operand(k, at, last);
    if (is(l, i, "(") && is_any_of(l, i + 1, casts)) {
        *at = close + 1;
        return close == i + 2 ? operand(k, at, last) : OTHER;
    }
    if (is(l, i, "(")) {
        enum degree d = sum(k, at, close);
        *at = close + 1;
        return d;
    }
    if (is_place(l->token[i].word)) {
        *at = i + 3;
        return is(l, i, "threadIdx") ? LINEAR : FIXED;
    }
    if (is(l, i + 1, "(") || is(l, i + 1, "[") || is(l, i + 1, ".") || is(l, i + 1, "->"))
        return OTHER;
    return l->token[i].is_name ? degree_of_name(k, i) : is_number(l->token[i].word) ? FIXED : OTHER;
}

static enum degree product(struct lines *k, size_t *at, size_t last)
{
    enum degree d = operand(k, at, last);

    while (d != OTHER && *at < last && is(k->l, *at, "*")) {
        ++*at;
        enum degree other = operand(k, at, last);
        d = other == OTHER || (d == LINEAR && other == LINEAR) ? OTHER : d == LINEAR ? d : other;
    }
    return d;
}

/* All of [*at, last). No operator of it can fail, so it may be computed for a thread that would not. */
static enum degree sum(struct lines *k, size_t *at, size_t last)
{
    enum degree d = product(k, at, last);

    while (d != OTHER && *at < last && (is(k->l, *at, "+") || is(k->l, *at, "-"))) {
        ++*at;
        enum degree other = product(k, at, last);
        d = other == OTHER ? OTHER : other > d ? other : d;
    }
    return *at == last ? d : OTHER;
}

static enum degree degree_of(struct lines *k, size_t first, size_t last) { return sum(k, &first, last); }

/* Definitions of numbers of which the corners are to know, or of none. */
static bool definition(struct lines *k, size_t first, size_t last)
{
    struct loops *l = k->l;
    size_t at = type_end(l, first), end, name, equals, sums = 0, all = 0;

    for (; at < last; at = end + 1, all++) {
        end = declarator(l, at, last, &name, &equals);
        if (name >= last || k->names == NAMES || find_variable(l, l->token[name].word))
            return false;
        for (size_t n = 0; n < k->names; n++)
            if (is(l, name, k->known[n].name))
                return false;
        bool plain = equals == name + 1 && name == at && !is_changed(l, l->token[name].word, end, l->count);
        enum degree d = plain ? degree_of(k, equals + 1, end) : OTHER;
        k->known[k->names].name = l->token[name].word;
        k->known[k->names++].degree = d;
        sums += d != OTHER;
    }
    if (sums > 0 && sums < all)
        return false;
    if (sums > 0)
        write_text(l, &k->look, first, last);
    for (size_t n = k->names - sums; n < k->names; n++)
        text_print(&k->look, "\nhip_cpu_fine &= hip_cpu_is_whole(%s);", k->known[n].name);
    for (size_t i = type_end(l, first); sums > 0 && i < last; i = end + 1) {
        end = declarator(l, i, last, &name, &equals);
        text_print(&k->look, "\nhip_cpu_fine &= hip_cpu_is_whole("), write_text(l, &k->look, equals + 1, end);
        text_print(&k->look, ");\n");
    }
    return true;
}

static bool is_same(const struct loops *l, size_t first, size_t last, struct range other)
{
    bool same = last - first == other.last - other.first;

    for (size_t i = 0; same && first + i < last; i++)
        same = is(l, first + i, l->token[other.first + i].word);
    return same;
}

/* The number of the one that reads the same; `count`: none does. */
static size_t find(const struct loops *l, const struct range *all, size_t count, size_t first, size_t last)
{
    size_t n = 0;

    while (n < count && !is_same(l, first, last, all[n]))
        n++;
    return n;
}

/* One that is compared. */
static bool add_side(struct lines *k, size_t first, size_t last)
{
    if (find(k->l, k->side, k->sides, first, last) < k->sides)
        return true;
    if (k->sides == INDICES)
        return false;
    text_print(&k->conditions, "hip_cpu_fine &= hip_cpu_index("), write_text(k->l, &k->conditions, first, last);
    text_print(&k->conditions, ", hip_cpu_side + %zu);\n", k->sides);
    k->side[k->sides++] = (struct range){first, last};
    return true;
}

/* a < b && c < d, which is true of all threads, or a < b || c < d, which is true of none. */
static bool condition(struct lines *k, size_t first, size_t last, bool of_all)
{
    static const char *const compares[] = {"<", "<=", ">", ">=", NULL};
    struct loops *l = k->l;

    for (size_t at = first, end; at < last; at = end + 1) {
        for (end = at; end < last && !is(l, end, of_all ? "&&" : "||"); end++)
            if (is(l, end, "("))
                end = l->token[end].match;
        size_t from = at, to = end, middle;
        if (is(l, from, "(") && l->token[from].match == to - 1)
            from++, to--;
        for (middle = from; middle < to && !is_any_of(l, middle, compares); middle++)
            if (is(l, middle, "("))
                middle = l->token[middle].match;
        enum degree left = degree_of(k, from, middle), right = degree_of(k, middle + 1, to);
        if (middle >= to || left == OTHER || right == OTHER)
            return false;
        text_print(&k->conditions, "hip_cpu_fine &= hip_cpu_sides("), write_text(l, &k->conditions, from, middle);
        text_print(&k->conditions, ", "), write_text(l, &k->conditions, middle + 1, to);
        text_print(&k->conditions, ");\n");
        if ((left == LINEAR && !add_side(k, from, middle)) || (right == LINEAR && !add_side(k, middle + 1, to)))
            return false;
    }
    text_print(&k->conditions, "hip_cpu_fine &= %s(", of_all ? "" : "!"), write_text(l, &k->conditions, first, last);
    text_print(&k->conditions, ");\n");
    return true;
}

/* What each thread does, where none asks; its indices. */
static bool body(struct lines *k, size_t first, size_t last)
{
    struct loops *l = k->l;
    bool any = type_end(l, first) > first;

    for (size_t i = first; i < last; i++) {
        if (is(l, i, "{") || is(l, i, "volatile") || strncmp(l->token[i].word, "atomic", 6) == 0 ||
            (is_keyword(l->token[i].word) && !is(l, i, "sizeof") && !is(l, i, "static_cast")))
            return false;
        size_t end = l->token[i].match;
        if (!is(l, i, "[") || degree_of(k, i + 1, end) != LINEAR)
            continue;
        any = true;
        if (find(l, k->index, k->indices, i + 1, end) == k->indices) {
            if (k->indices == INDICES)
                return false;
            text_print(&k->sums, "hip_cpu_fine &= hip_cpu_index("), write_text(l, &k->sums, i + 1, end);
            text_print(&k->sums, ", hip_cpu_at + %zu);\n", k->indices);
            k->index[k->indices++] = (struct range){i + 1, end};
        }
        i = end;
    }
    return any;
}

static void write_body(struct lines *k, struct text *to, size_t first, size_t last)
{
    size_t from = first;

    write_line(k->l, to, first);
    for (size_t i = first; i < last; i++) {
        size_t end = k->l->token[i].match, n = k->indices;
        if (is(k->l, i, "["))
            n = find(k->l, k->index, k->indices, i + 1, end);
        if (n == k->indices)
            continue;
        write_text(k->l, to, from, i + 1);
        text_print(to, "hip_cpu_i%zu + hip_cpu_x", n);
        from = i = end;
    }
    write_text(k->l, to, from, last);
    text_print(to, "\n");
}

/* The statements; what is left of them goes to `to`. */
static bool lines(struct lines *k, size_t first, size_t last, struct text *to)
{
    struct loops *l = k->l;

    for (size_t i = first, end; i < last; i = end) {
        end = statement_end(l, i);
        size_t then = is(l, i, "if") && is(l, i + 1, "(") ? l->token[i + 1].match + 1 : 0, stop = end;
        if (then > 0 && is(l, then, "{") && l->token[then].match == end - 1)
            then++, stop--;
        if (then > 0 && is(l, then, "return")) {
            if (statement_end(l, then) != stop || !condition(k, i + 2, l->token[i + 1].match, false))
                return false;
        } else if (then > 0) {
            return end == last && !has(l, then, stop, "else") && condition(k, i + 2, l->token[i + 1].match, true) &&
                   lines(k, then, stop, to);
        } else {
            if ((type_end(l, i) > i && !definition(k, i, end)) || !body(k, i, end))
                return false;
            write_body(k, to, i, end);
        }
    }
    return true;
}

bool write_lines(struct loops *l, size_t first, size_t last, struct text *to)
{
    struct lines k = {.l = l};
    struct text all = {0};
    bool known = !l->waits && !l->casts;

    for (size_t i = 0; i < l->variables; i++)
        known &= l->variable[i].life == UNIFORM;
    known = known && lines(&k, first, last, &all) && k.indices > 0;
    if (known) {
        text_print(to, "HIP_CPU_CORNERS(%zu, %zu)\n", k.indices, k.sides);
        text_add(to, k.look.data, k.look.length);
        text_add(to, k.sums.data, k.sums.length);
        text_add(to, k.conditions.data, k.conditions.length);
        text_print(to, "HIP_CPU_EACH_ROW\n");
        for (size_t i = 0; i < k.indices; i++)
            text_print(to, "const long long hip_cpu_i%zu = hip_cpu_row(%zu, hip_cpu_y);\n", i, i);
        text_print(to, "HIP_CPU_EACH_NEIGHBOUR\n");
        text_add(to, all.data, all.length);
        text_print(to, "}\n}\nreturn true;\n}\n}\n");
    }
    text_free(&all);
    text_free(&k.look);
    text_free(&k.sums);
    text_free(&k.conditions);
    return known;
}
