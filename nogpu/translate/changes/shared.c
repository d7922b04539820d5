/* extern __shared__ T x[] becomes HIP_CPU_EXTERN_SHARED(x, T []), a reference to an array in the dynamic shared memory
 * of the running block; at file scope HIP_CPU_EXTERN_SHARED_FILE, or _STATIC in a namespace without a name, an object that finds it at each use.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "changes.h"

/* ---- file scope: only braces of namespaces are open ---- */

enum { NESTED = 256 };
enum brace { NAMESPACE, NAMELESS, BLOCK };

struct scope {
    size_t at; /* how far it has been followed */
    enum brace open[NESTED];
    unsigned depth;
    unsigned branch[NESTED]; /* the depth at each open #if: its #else begins there, too */
    unsigned branches;
};

/* What `namespace a::b {`, `namespace {`, `extern "C" {` and others open. */
static enum brace opened_by(const struct source *s, size_t brace)
{
    size_t end = skip_blanks_back(s, brace), word;
    enum brace opens = NAMELESS;

    if (end > 0 && s->code[end - 1] == '"') {
        for (end--; end > 0 && s->code[end - 1] != '"';)
            end--;
        end = skip_blanks_back(s, end - (end > 0));
        return is_text(s, word_begin(s, end), end, "extern") ? NAMESPACE : BLOCK;
    }
    while (end > 0) {
        word = word_begin(s, end);
        if (is_text(s, word, end, "namespace"))
            return opens;
        if (word == end && s->code[end - 1] != ':')
            return BLOCK;
        opens = NAMESPACE;
        end = skip_blanks_back(s, word == end ? end - 1 : word);
    }
    return BLOCK;
}

static void follow_directive(struct scope *f, const struct source *s, size_t hash)
{
    size_t begin = skip_blanks(s, hash + 1), end = word_end(s, begin);

    if (end - begin >= 2 && is_text(s, begin, begin + 2, "if")) {
        if (f->branches < NESTED)
            f->branch[f->branches] = f->depth;
        f->branches++;
    } else if (f->branches > 0 && is_text(s, begin, end, "endif")) {
        f->branches--;
    } else if (f->branches > 0 && f->branches <= NESTED && end - begin >= 2 && is_text(s, begin, begin + 2, "el")) {
        f->depth = f->branch[f->branches - 1];
    }
}

/* What is open at a place outside of directives. */
static enum brace innermost(struct scope *f, const struct source *s, size_t to)
{
    enum brace found = NAMESPACE;

    for (; f->at < to; f->at++) {
        char c = s->code[f->at];
        if (s->directive[f->at]) {
            if (c == '#' && (f->at == 0 || !s->directive[f->at - 1]))
                follow_directive(f, s, f->at);
        } else if (c == '{') {
            if (f->depth < NESTED)
                f->open[f->depth] = opened_by(s, f->at);
            f->depth++;
        } else if (c == '}' && f->depth > 0) {
            f->depth--;
        }
    }
    for (unsigned i = 0; i < f->depth; i++)
        if (i >= NESTED || f->open[i] > found)
            found = i >= NESTED ? BLOCK : f->open[i];
    return found;
}

/* ---- the declaration ---- */

static bool is_dropped(const struct source *s, size_t begin, size_t end)
{
    static const char *const words[] = {"extern",  "__shared__",    "static",          "__device__", "__align__",
                                        "alignas", "__attribute__", "HIP_CPU_ALIGNED", NULL};
    return is_any_text(s, begin, end, words);
}

/* The part of the author's text that is neither dropped nor a comment. */
static void add_type(struct text *out, const struct source *s, size_t begin, size_t end)
{
    while (begin < end) {
        size_t next = begin + 1;
        if (is_word(s->code[begin])) {
            while (next < end && is_word(s->code[next]))
                next++;
            if (is_dropped(s, begin, next)) {
                size_t bracket = skip_blanks(s, next);
                if (bracket < end && s->code[bracket] == '(')
                    next = behind_bracket(s, bracket);
                begin = next;
                continue;
            }
        }
        if (!is_blank(s->code[begin]))
            text_add(out, s->text + begin, next - begin);
        else if (out->length > 0 && out->data[out->length - 1] != ' ')
            text_add(out, " ", 1);
        begin = next ? next : end;
    }
}

/* Behind the declarator that begins at `at`: its , or the end. Angle brackets are template arguments here. */
static size_t declarator_end(const struct source *s, size_t at, size_t end)
{
    unsigned angles = 0;

    for (; at < end; at++) {
        char c = s->code[at];
        if (strchr("([{", c)) {
            size_t behind = behind_bracket(s, at);
            if (behind == 0 || behind > end)
                return end;
            at = behind - 1;
        } else if (c == '<') {
            angles++;
        } else if (c == '>' && angles > 0) {
            angles--;
        } else if (c == ',' && angles == 0) {
            return at;
        }
    }
    return end;
}

/* The name in a declarator: the last word before its first [, or before its end. */
static bool declarator_name(const struct source *s, size_t begin, size_t end, size_t *name, size_t *name_end)
{
    size_t at = begin, angles = 0;
    bool found = false;

    while (at < end) {
        char c = s->code[at];
        if (is_word(c)) {
            size_t next = at;
            while (next < end && is_word(s->code[next]))
                next++;
            bool dropped = is_dropped(s, at, next);
            size_t bracket = skip_blanks(s, next);
            if (!dropped && angles == 0) {
                *name = at;
                *name_end = next;
                found = true;
            }
            at = dropped && bracket < end && s->code[bracket] == '(' ? behind_bracket(s, bracket) : next;
            continue;
        }
        if (c == '[' && angles == 0)
            return found;
        if (c == '(') {
            size_t behind = behind_bracket(s, at);
            if (behind == 0)
                return false;
            at = behind;
            continue;
        }
        angles += c == '<';
        angles -= c == '>' && angles > 0;
        at++;
    }
    return found;
}

/* One declaration in [begin, end). */
static bool declare(const struct source *s, size_t begin, size_t end, enum brace scope, struct text *out)
{
    static const char *const macro[] = {"HIP_CPU_EXTERN_SHARED_FILE", "HIP_CPU_EXTERN_SHARED_STATIC",
                                        "HIP_CPU_EXTERN_SHARED"};
    const char *separator = "";
    struct text base = {0};
    size_t at = begin;

    while (at < end) {
        size_t next = declarator_end(s, at, end), name, name_end;
        if (!declarator_name(s, at, next, &name, &name_end)) {
            text_free(&base);
            return false;
        }
        struct text type = {0};
        if (at > begin)
            text_add(&type, base.data, base.length);
        add_type(&type, s, at, name);
        if (at == begin) {
            text_add(&base, type.data, type.length);
            while (base.length > 0 && strchr("* ", base.data[base.length - 1]))
                base.length--;
            text_add(&base, " ", 1);
        }
        add_type(&type, s, name_end, next);
        text_print(out, "%s%s(%.*s, %.*s)", separator, macro[scope], (int)(name_end - name), s->text + name,
                   (int)type.length, type.data);
        text_free(&type);
        separator = "; ";
        at = next + 1;
    }
    text_free(&base);
    return true;
}

static bool ends_statement(const struct source *s, size_t at, bool directive)
{
    return at >= s->length || s->directive[at] != directive || strchr(";{}=", s->code[at]);
}

/* __shared__ alignas(16) T x: C++ wants alignas before other words. */
static void move_alignas(const struct source *s, size_t shared, size_t end, struct edits *e)
{
    size_t at = find_word(s, shared, end, "alignas"), behind, before = shared;
    static const char *const words[] = {"static", "volatile", "const", NULL};

    if (at == NOWHERE || s->code[skip_blanks(s, at + 7)] != '(' ||
        (behind = behind_bracket(s, skip_blanks(s, at + 7))) == 0)
        return;
    for (;;) {
        size_t word_ends = skip_blanks_back(s, before), word = word_begin(s, word_ends);
        if (!is_any_text(s, word, word_ends, words))
            break;
        before = word;
    }
    text_print(edits_add(e, before, before, false), "%.*s ", (int)(behind - at), s->text + at);
    edits_add(e, at, behind, true);
}

void find_shared(const struct source *s, struct edits *e)
{
    struct scope scope = {0};
    size_t last = 0;

    for (size_t at = 0; (at = find_word(s, at, s->length, "__shared__")) != NOWHERE;) {
        size_t begin = at, end = at;
        bool directive = s->directive[at];
        while (begin > last && !ends_statement(s, begin - 1, directive))
            begin--;
        while (!ends_statement(s, end, directive))
            end++;
        size_t first = find_word(s, begin, end, "extern");
        begin = first < at ? first : at;
        end = skip_blanks_back(s, end);
        at = last = end;
        if (first == NOWHERE) {
            move_alignas(s, begin, end, e);
            continue;
        }
        struct text text = {0};
        if (declare(s, begin, end, directive ? BLOCK : innermost(&scope, s, begin), &text))
            *edits_add(e, begin, end, true) = text;
        else
            text_free(&text);
    }
}

/* Whether __forceinline__ is among the words of this declaration, before or behind the one at [at, end). */
static bool is_forced(const struct source *s, size_t at, size_t end)
{
    static const char word[] = "__forceinline__";
    size_t begin, before;

    for (begin = at; (before = skip_blanks_back(s, begin)) > 0 && is_word(s->code[before - 1]);
         begin = word_begin(s, before))
        if (is_text(s, word_begin(s, before), before, word))
            return true;
    for (begin = skip_blanks(s, end); begin < s->length && is_word(s->code[begin]); begin = skip_blanks(s, end)) {
        end = word_end(s, begin);
        if (is_text(s, begin, end, word))
            return true;
    }
    return false;
}

/* By these names GCC copies a few bytes on its own, and no trace sees it. What follows keeps its column. */
static void find_builtins(const struct source *s, struct edits *e)
{
    static const char *const builtins[] = {"__builtin_memcpy", "__builtin_memmove", "__builtin_memset"};
    for (size_t i = 0; i < 3; i++)
        for (size_t at = 0, end; (at = find_word(s, at, s->length, builtins[i])) != NOWHERE; at = end) {
            end = at + strlen(builtins[i]);
            text_print(edits_add(e, at, end, false), "%s          ", builtins[i] + 10);
        }
}

/* __noinline__ is an attribute of GCC by this name, which the host's own headers use, so it cannot be a macro. */
void find_names(const struct source *s, struct edits *e)
{
    for (size_t at = 0; (at = find_word(s, at, s->length, "__noinline__")) != NOWHERE; at += 12) {
        size_t before = skip_blanks_back(s, at), behind = skip_blanks(s, at + 12);
        bool inside =
            before > 0 && strchr("(,", s->code[before - 1]) && behind < s->length && strchr("),", s->code[behind]);
        size_t word = word_begin(s, before);
        if (!inside && !(s->directive[at] && is_text(s, word, before, "define")))
            text_print(edits_add(e, at, at + 12, false), "HIP_NOINLINE");
    }
    /* It means inline, which GCC takes once. */
    static const char *const twice[] = {"inline", "__inline__", "__inline"};
    for (size_t i = 0; i < 3; i++)
        for (size_t at = 0, end; (at = find_word(s, at, s->length, twice[i])) != NOWHERE; at = end) {
            end = at + strlen(twice[i]);
            if (is_forced(s, at, end))
                edits_add(e, at, end, true);
        }
    /* nvcc takes comments away before its compiler joins lines, so that a backslash before one joins them, too. */
    for (size_t at = 0; at < s->length; at++) {
        size_t end = at + 1;
        while (end < s->length && (s->code[end] == ' ' || s->code[end] == '\t'))
            end++;
        if (s->code[at] == '\\' && !s->directive[at] && end < s->length && s->code[end] == '\n')
            text_print(edits_add(e, at, at + 1, false), " ");
        at = end - 1;
    }
    find_builtins(s, e);
}
