/* Compilers for GPUs read a source twice, with __CUDA_ARCH__ or __HIP_DEVICE_COMPILE__ defined when they make the code of
 * the device. Here it is read once: where these names stand in a function for the device alone, or in an #if around such
 * functions, they become HIP_CPU_CUDA_ARCH and HIP_CPU_DEVICE_COMPILE, which are defined. Functions for both are the
 * host's. Inline assembly of the device is refused, and threads that end a kernel early are noted.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "translate.h"

/* Whether a list in parentheses behind this word is part of what a declaration begins or ends with. */
static bool takes_list(const struct source *s, size_t begin, size_t end)
{
    static const char *const words[] = {"requires", "decltype", "noexcept", "alignas", "explicit"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_text(s, begin, end, words[i]))
            return true;
    return end - begin > 2 && is_text(s, begin, begin + 2, "__");
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
        } else if (s->code[at] == ':' && lists > 0 && s->code[at + 1] != ':' &&
                   s->code[at - 1] != ':') {
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
    bool device = false;

    for (size_t at = begin, next; at < end; at = next) {
        next = word_end(s, at);
        if (next == at)
            next++;
        else if (is_text(s, at, next, "__host__"))
            return false;
        else
            device |= is_text(s, at, next, "__device__") || is_text(s, at, next, "__global__");
    }
    return device;
}

/* The { of the innermost block around `at` that is open there; (size_t)-1: none. Directives do not count. */
static size_t open_brace(const struct source *s, size_t at)
{
    size_t depth = 0;

    while (at-- > 0) {
        if (s->directive[at])
            continue;
        if (s->code[at] == '}')
            depth++;
        else if (s->code[at] == '{' && depth-- == 0)
            return at;
    }
    return (size_t)-1;
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
    return is_text(s, begin, end, "if") || is_text(s, begin, end, "ifdef") ||
           is_text(s, begin, end, "ifndef") || is_text(s, begin, end, "elif");
}

bool for_device(const struct source *s, size_t at)
{
    bool directive = s->directive[at];
    size_t brace = at;

    if (directive && !is_condition(s, at))
        return false; /* a macro's body may be used anywhere */
    while ((brace = open_brace(s, brace)) != (size_t)-1)
        if (is_device(s, head_begin(s, brace), brace))
            return true;
    while (at < s->length && s->directive[at])
        at++;
    return directive && is_device(s, at, group_end(s, at));
}

/* ---- words ---- */

/* Another name for the word in code for the device. */
static void rename_word(const struct source *s, size_t at, size_t end, const char *instead,
                        struct edits *e)
{
    if (for_device(s, at))
        text_print(edits_add(e, at, end, false), "%s", instead);
}

/* Whether `at` is in a function for the host alone. */
static bool for_host(const struct source *s, size_t at)
{
    bool function = false;

    for (size_t brace = at; (brace = open_brace(s, brace)) != (size_t)-1;) {
        size_t head = head_begin(s, brace);
        for (size_t i = head; i < brace; i++)
            if (is_text(s, i, word_end(s, i), "__device__") ||
                is_text(s, i, word_end(s, i), "__global__"))
                return false;
        function |= memchr(s->code + head, '(', brace - head) != NULL;
    }
    return function;
}

/* __GFX9__ and its like: no function for the host knows them. Where others ask for the size of a warp, the program says that
 * it must not run with another one. */
static void find_target(const struct source *s, size_t at, size_t end, struct edits *e, bool *built)
{
    if (for_host(s, at)) {
        text_print(edits_add(e, at, end, false), "HIP_CPU_NO_TARGET");
    } else if (!*built) {
        *built = true;
        text_print(edits_add(e, 0, 0, false),
                   "\n#if defined __AMDGCN_WAVEFRONT_SIZE && !defined HIP_CPU_WARP_SIZE && "
                   "!defined HIP_CPU_BUILT\n"
                   "#define HIP_CPU_BUILT __AMDGCN_WAVEFRONT_SIZE\n#include <hip_cpu/built.h>\n"
                   "#endif\n#line 1\n");
    }
}

static bool is_target(const struct source *s, size_t at, size_t end)
{
    size_t length = end - at;
    return (length > 22 && is_text(s, at, at + 23, "__AMDGCN_WAVEFRONT_SIZE")) ||
           (length > 6 && (is_text(s, at, at + 5, "__gfx") || is_text(s, at, at + 5, "__GFX")) &&
            is_text(s, end - 2, end, "__"));
}

/* clock(): that of C counts microseconds. */
static void rename_call(const struct source *s, size_t at, size_t end, const char *instead,
                        struct edits *e)
{
    if (s->code[skip_blanks(s, end)] == '(' && (at == 0 || !strchr(".>:", s->code[at - 1])))
        rename_word(s, at, end, instead, e);
}

/* asm volatile("v_add_f32 ..."), up to its (; not where it only keeps the compiler from moving accesses. */
static void refuse_assembly(const struct source *s, size_t at, size_t end, const char *instead,
                            struct edits *e)
{
    if (s->directive[at])
        return;
    end = skip_blanks(s, end);
    if (is_text(s, end, word_end(s, end), "volatile") ||
        is_text(s, end, word_end(s, end), "__volatile__"))
        end = skip_blanks(s, word_end(s, end));
    if (end >= s->length || s->code[end] != '(')
        return;
    size_t text = skip_blanks(s, end + 1);
    if (text + 2 > s->length || !is_text(s, text, text + 2, "\"\""))
        rename_word(s, at, end, instead, e);
}

/* A kernel of an object has no object on the device: refused before its declaration. */
static void refuse_member(const struct source *s, size_t at, size_t word, const char *instead,
                          struct edits *e)
{
    size_t brace = open_brace(s, at), begin = at;
    bool is_class = false, is_free = s->directive[at];

    (void)word;
    for (size_t i = brace == (size_t)-1 ? brace : head_begin(s, brace), end; i < brace; i = end) {
        end = word_end(s, i) > i ? word_end(s, i) : i + 1;
        is_class |= is_text(s, i, end, "struct") || is_text(s, i, end, "class");
        is_free |= s->code[i] == '(';
    }
    if (!is_class || is_free)
        return;
    while (!strchr(";{}:", s->code[begin - 1]) && !s->directive[begin - 1])
        begin--;
    for (size_t i = begin, end; i < s->length && !strchr("(;{", s->code[i]); i = end) {
        end = word_end(s, i) > i ? word_end(s, i) : i + 1;
        if (is_text(s, i, end, "static") || is_text(s, i, end, "friend"))
            return;
    }
    begin = skip_blanks(s, begin);
    text_print(edits_add(e, begin, begin, true), "%s; ", instead);
}

/* A word, what is done where it stands, and what is written there. */
static const struct {
    const char *word;
    void (*found)(const struct source *s, size_t at, size_t end, const char *instead,
                  struct edits *e);
    const char *instead;
} words[] = {
    {"__CUDA_ARCH__", rename_word, "HIP_CPU_CUDA_ARCH"},
    {"__HIP_DEVICE_COMPILE__", rename_word, "HIP_CPU_DEVICE_COMPILE"},
    {"NV_IS_HOST", rename_word, "NV_NO_TARGET"},
    {"NV_IS_DEVICE", rename_word, "NV_ANY_TARGET"},
    {"NV_PROVIDES_SM_60", rename_word, "NV_ANY_TARGET"},
    {"NV_PROVIDES_SM_70", rename_word, "NV_ANY_TARGET"},
    {"NV_PROVIDES_SM_75", rename_word, "NV_ANY_TARGET"},
    {"NV_PROVIDES_SM_80", rename_word, "NV_ANY_TARGET"},
    {"clock", rename_call, "clock64"},
    {"asm", refuse_assembly, "HIP_CPU_NO_ASSEMBLY"},
    {"__asm", refuse_assembly, "HIP_CPU_NO_ASSEMBLY"},
    {"__asm__", refuse_assembly, "HIP_CPU_NO_ASSEMBLY"},
    {"__global__", refuse_member, "HIP_CPU_NO_MEMBER"},
};

void find_device(const struct source *s, struct edits *e)
{
    bool built = false;

    for (size_t at = 0, end; at<s->length; at = end> at ? end : at + 1) {
        end = word_end(s, at);
        if (is_target(s, at, end))
            find_target(s, at, end, e, &built);
        for (size_t i = 0; end > at && i < sizeof words / sizeof *words; i++)
            if (is_text(s, at, end, words[i].word))
                words[i].found(s, at, end, words[i].instead, e);
    }
}

/* ---- where threads begin a kernel, and end it early ---- */

/* The ( of the bounds that this word means: __launch_bounds__, the course's names for it, or a macro of this source that has
 * no parameter, or one which is the bound. 0: it means none. */
static size_t bounds_of(const struct source *s, size_t at, size_t end)
{
    if (is_text(s, at, end, "__launch_bounds__") || is_text(s, at, end, "LAUNCH_BOUNDS") ||
        is_text(s, at, end, "LAUNCH_BOUNDS_RESIDENT"))
        return skip_blanks(s, end);
    for (size_t i = 0, behind; i<s->length; i = behind> i ? behind : i + 1) {
        behind = word_end(s, i);
        size_t name =
            s->directive[i] && is_text(s, i, behind, "define") ? skip_blanks(s, behind) : 0;
        size_t last = name > 0 ? word_end(s, name) : 0;
        if (last - name != end - at || memcmp(s->code + name, s->code + at, end - at) != 0)
            continue;
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

/* Behind the {, a check that it was launched, in other people's; and with no more threads than it says that it can take. */
static void add_entry(const struct source *s, size_t at, bool foreign, struct edits *e)
{
    size_t bounds = 0;

    at = kernel_brace(s, at, &bounds);
    size_t last = bounds > 0 ? behind_bracket(s, bounds) : 0;
    if (last > 0 && memchr(s->code + bounds, '\n', last - bounds))
        last = 0;
    if (at++ == 0 || (!foreign && last == 0))
        return;
    size_t rest = at;
    while (rest < s->length && is_blank(s->code[rest]) && s->code[rest] != '\n')
        rest++;
    bool ends = rest >= s->length || s->code[rest] == '\n';
    struct text *t = edits_add(e, at, at, !ends);
    if (foreign)
        text_print(t, " hip_cpu_enters(__func__);");
    if (last > 0)
        text_print(t, " if (hip_cpu_exceeds(__func__, %.*s) return;", (int)(last - bounds - 1),
                   s->code + bounds + 1);
}

/* if (i >= n) return; in the kernel itself, not in a lambda in it. */
static bool leaves_kernel(const struct source *s, size_t at)
{
    for (size_t brace = at; (brace = open_brace(s, brace)) != (size_t)-1;) {
        size_t head = head_begin(s, brace);
        for (size_t i = head; i < brace; i++)
            if (is_text(s, i, word_end(s, i), "__global__"))
                return true;
        for (size_t i = head; i < brace; i++)
            if (s->code[i] == ']' && strchr("({", s->code[skip_blanks(s, i + 1)]))
                return false;
    }
    return false;
}

void find_threads(const struct source *s, bool foreign, struct edits *e)
{
    bool kernels = false, hidden = false; /* by #define KERNEL __global__ void */

    for (size_t at = 0, end; at < s->length; at = end + 1) {
        end = word_end(s, at);
        kernels |= is_text(s, at, end, "__global__");
        hidden |= is_text(s, at, end, "__global__") && s->directive[at];
    }
    for (size_t at = 0, end; at < s->length; at = end + 1) {
        end = word_end(s, at);
        size_t next = skip_blanks(s, end);
        if (is_text(s, at, end, "__global__") && !s->directive[at])
            add_entry(s, end, foreign, e);
        if (!foreign || !is_text(s, at, end, "return") || next >= s->length || s->code[next] != ';')
            continue;
        if (!s->directive[at] && leaves_kernel(s, at))
            text_print(edits_add(e, end, end, true), " hip_cpu_returns()");
        else if (s->directive[at] ? kernels : hidden)
            text_print(edits_add(e, at, next + 1, true),
                       "{ hip_cpu_returns_from(__func__); return; }");
    }
}
