/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "functions.h"

/* Whether a list in parentheses behind this word is part of what a declaration begins or ends with. */
static bool takes_list(const struct source *s, size_t begin, size_t end)
{
    static const char *const words[] = {"requires", "decltype", "noexcept", "alignas", "explicit", NULL};

    return is_any_text(s, begin, end, words) || (end - begin > 2 && is_text(s, begin, begin + 2, "__"));
}

/* Behind < and the template arguments; nothing else in a declaration has it, but the name of an operator. */
static size_t behind_angle(const struct source *s, size_t at, size_t end)
{
    for (size_t depth = 0; at < end; at++) {
        depth += s->code[at] == '<';
        if (s->code[at] == '>' && s->code[at - 1] != '-' && --depth == 0)
            return at + 1;
    }
    return end;
}

/* Where the last declaration in [begin, end) begins: void k(int *x) BODY int main() are two, since another list follows
 * words that come behind one. */
static size_t last_declaration(const struct source *s, size_t begin, size_t end)
{
    size_t lists = 0, words = 0, skipped = 1, first = begin; /* since the last list */
    bool taken = false, operator= false;                     /* what the last word was */

    for (size_t at = begin, next; at < end; at = next) {
        next = word_end(s, at);
        if (s->directive[at]) {
            next = at + 1;
        } else if (next > at) {
            taken = takes_list(s, at, next);
            operator= is_text(s, at, next, "operator");
            if (words++ == skipped)
                first = at;
        } else if (s->code[at] == '(' && !operator) {
            if (lists > 0 && words > 1 && !taken)
                begin = first;
            next = behind_bracket(s, at);
            if (next == 0)
                break;
            skipped = words > 1; /* BODY(x), which is all of a declaration, or the end of one */
            lists += !taken;
            words = 0;
        } else if (s->code[at] == '<' && !operator) {
            next = behind_angle(s, at, end);
        } else if (s->code[at] == ':' && lists > 0 && s->code[at + 1] != ':' && s->code[at - 1] != ':') {
            break; /* what a constructor begins with */
        } else {
            next = at + 1;
            operator= operator&& s->code[at] != '(' && s->code[at] != ')';
        }
    }
    return begin;
}

/* Whether words for the device stand in [begin, end), and none for the host. */
static bool is_device(const struct source *s, size_t begin, size_t end)
{
    return !has_word(s, begin, end, "__host__") &&
           (has_word(s, begin, end, "__device__") || has_word(s, begin, end, "__global__"));
}

size_t head_begin(const struct source *s, size_t brace)
{
    size_t at = brace;

    while (at > 0 && (s->directive[at - 1] || !strchr(";{}", s->code[at - 1])))
        at--;
    return last_declaration(s, at, brace);
}

/* Behind the #endif of the #if, #elif ... in which `at` is. */
static size_t group_end(const struct source *s, size_t at)
{
    unsigned depth = 1;

    for (; at < s->length; at++) {
        if (s->code[at] != '#' || !s->directive[at] || (at > 0 && s->directive[at - 1]))
            continue;
        size_t begin = skip_blanks(s, at + 1), end = word_end(s, begin);
        if (end >= begin + 2 && is_text(s, begin, begin + 2, "if"))
            depth++;
        else if (is_text(s, begin, end, "endif") && --depth == 0)
            return end;
    }
    return s->length;
}

static bool is_condition(const struct source *s, size_t at)
{
    while (at > 0 && s->directive[at - 1])
        at--;
    size_t begin = skip_blanks(s, at + 1), end = word_end(s, begin);
    return is_any_text(s, begin, end, (const char *const[]){"if", "ifdef", "ifndef", "elif", NULL});
}

bool for_device(const struct source *s, size_t at)
{
    bool directive = s->directive[at];
    size_t brace = at;

    if (directive && !is_condition(s, at))
        return false; /* a macro's body may be used anywhere */
    while ((brace = open_brace(s, brace)) != NOWHERE)
        if (is_device(s, head_begin(s, brace), brace))
            return true;
    while (at < s->length && s->directive[at])
        at++;
    return directive && is_device(s, at, group_end(s, at));
}

bool for_host(const struct source *s, size_t at)
{
    bool function = false;

    for (size_t brace = at; (brace = open_brace(s, brace)) != NOWHERE;) {
        size_t head = head_begin(s, brace);
        if (has_word(s, head, brace, "__device__") || has_word(s, head, brace, "__global__"))
            return false;
        function |= memchr(s->code + head, '(', brace - head) != NULL;
    }
    return function;
}

/* The ( of the bounds that this word means: __launch_bounds__, the course's names for it, or a macro of this source that has
 * no parameter, or one which is the bound. 0: it means none. */
static size_t bounds_of(const struct source *s, size_t at, size_t end)
{
    static const char *const names[] = {"__launch_bounds__", "LAUNCH_BOUNDS", "LAUNCH_BOUNDS_RESIDENT", NULL};

    if (is_any_text(s, at, end, names))
        return skip_blanks(s, end);
    size_t last = find_definition(s, 0, s->code + at, end - at);
    if (last == NOWHERE)
        return 0;
    size_t one = skip_blanks(s, last + 1), one_end = word_end(s, one);
    bool has_one = s->code[last] == '(' && s->code[skip_blanks(s, one_end)] == ')';
    if (s->code[last] == '(' && !has_one)
        return 0;
    for (size_t k = last, e; k < s->length && s->code[k] != '\n'; k = e > k ? e : k + 1) {
        e = word_end(s, k);
        if (!is_text(s, k, e, "__launch_bounds__"))
            continue;
        size_t bracket = skip_blanks(s, e), bound = skip_blanks(s, bracket + 1);
        bool same = has_one && word_end(s, bound) - bound == one_end - one &&
                    memcmp(s->code + bound, s->code + one, one_end - one) == 0;
        return !has_one ? bracket : same ? skip_blanks(s, end) : 0;
    }
    return 0;
}

size_t kernel_brace(const struct source *s, size_t at, size_t *bounds)
{
    size_t lists = 0, words = 0; /* words since the last list in parentheses */
    bool attribute = false;      /* the next list belongs to it */

    while (at < s->length && !s->directive[at] && !strchr(";{}", s->code[at])) {
        size_t end = word_end(s, at);
        if (end > at) {
            size_t most = bounds_of(s, at, end);
            attribute = most > 0 || (end - at > 2 && is_text(s, at, at + 2, "__"));
            if (most > 0)
                *bounds = most;
            words += !attribute;
            if (lists > 0 && words > 1)
                return 0;
            at = end;
        } else if (s->code[at] == '(') {
            at = behind_bracket(s, at);
            size_t next = at > 0 ? skip_blanks(s, at) : s->length;
            if (next >= s->length || s->code[next] == '{')
                return next < s->length && !attribute ? next : 0;
            lists += !attribute;
            words = 0;
            attribute = false;
        } else {
            at++;
        }
    }
    return 0;
}
