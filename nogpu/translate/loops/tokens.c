/* Words of a kernel.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

static const char *const places[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", NULL};
static const char *const types[] = {"const",    "unsigned", "signed",   "int",     "long",     "short",   "char",
                                    "float",    "double",   "bool",     "size_t",  "int8_t",   "uint8_t", "int16_t",
                                    "uint16_t", "int32_t",  "uint32_t", "int64_t", "uint64_t", "uint",    "uchar",
                                    "ushort",   "ulong",    "volatile", "dim3",    "uint3",    NULL};

/* float4 and its like. */
bool is_vector(const char *word)
{
    static const char *const numbers[] = {"char",  "uchar", "short",  "ushort",   "int",       "uint", "long",
                                          "ulong", "float", "double", "longlong", "ulonglong", NULL};
    char number[16] = "";
    size_t length = strlen(word);

    if (length < 4 || length > sizeof number || !strchr("1234", word[length - 1]))
        return false;
    memcpy(number, word, length - 1);
    return is_any(number, numbers);
}

bool is(const struct loops *l, size_t i, const char *text)
{
    return i < l->count && strcmp(l->token[i].word, text) == 0;
}

bool is_any_of(const struct loops *l, size_t i, const char *const *list)
{
    return i < l->count && is_any(l->token[i].word, list);
}

bool is_number_type(const char *word)
{
    return is_any(word, types) && !is_any(word, (const char *const[]){"dim3", "uint3", NULL});
}

bool is_type_word(const char *word) { return is_any(word, types) || is_vector(word); }

bool is_place(const char *word) { return is_any(word, places); }

bool is_type(const struct loops *l, size_t i)
{
    for (size_t k = 0; k < l->type_names && i < l->count; k++)
        if (is(l, i, l->type_name[k]))
            return true;
    return i < l->count && l->token[i].is_type;
}

bool is_number(const char *word)
{
    return isdigit((unsigned char)*word) || (*word == '.' && isdigit((unsigned char)word[1]));
}

static size_t operator_length(const char *code, size_t left)
{
    static const char *const operators[] = {"<<=", ">>=", "...", "->", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=",
                                            "|=",  "^=",  "==",  "!=", "<=", ">=", "&&", "||", "<<", ">>", "::", NULL};
    for (size_t i = 0; operators[i]; i++)
        if (strlen(operators[i]) <= left && memcmp(code, operators[i], strlen(operators[i])) == 0)
            return strlen(operators[i]);
    return 1;
}

size_t number_end(const struct source *s, size_t at)
{
    while (at < s->length &&
           (is_word(s->code[at]) || s->code[at] == '.' || (strchr("+-", s->code[at]) && strchr("eE", s->code[at - 1]))))
        at++;
    return at;
}

void free_words(struct loops *l)
{
    for (size_t i = 0; i < l->count; i++)
        free(l->token[i].word);
    free(l->token);
    source_free(&l->s);
    l->token = NULL;
    l->count = 0;
}

bool read_again(struct loops *l, const struct text *text)
{
    free_words(l);
    free(l->own);
    l->own = text->data;
    l->s = source_read(text->data, text->length);
    return tokenize(l);
}

bool tokenize(struct loops *l)
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
        t->is_type = t->is_name && (is_type_word(t->word) || is_author_type(l->all, t->word));
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

size_t statement_end(const struct loops *l, size_t i)
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

bool has(const struct loops *l, size_t first, size_t last, const char *word)
{
    while (first < last && !is(l, first, word))
        first++;
    return first < last;
}
