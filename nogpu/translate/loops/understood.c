/* Whether each word of a kernel is known.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "kernel.h"

static const char *const keywords[] = {
    "if",    "else",   "for",    "while", "do",      "break",       "continue",         "return", "true",
    "false", "sizeof", "switch", "case",  "default", "static_cast", "reinterpret_cast", NULL};
static const char functions[] = " min max abs fabs fabsf fmin fmax fminf fmaxf sqrt sqrtf rsqrt rsqrtf exp expf exp2f "
                                " log logf log2f sin sinf cos cosf tan tanf tanh tanhf pow powf floor floorf ceil "
                                " ceilf fma fmaf __expf __logf __sinf __cosf __powf __fdividef __mul24 __popc __clz "
                                " __ffs __popcll __clzll __ffsll umin umax atomicAdd atomicSub atomicMin atomicMax "
                                " atomicAnd atomicOr atomicXor memcpy memset __half2float __float2half __float_as_int "
                                " __int_as_float __float_as_uint __uint_as_float __double_as_longlong "
                                " __longlong_as_double __ldg __saturatef erf erff erfc erfcf cbrt cbrtf exp2 exp10f "
                                " log10 log10f log2 __log2f log1p log1pf expm1 expm1f asin asinf acos acosf atan atanf "
                                " atan2 atan2f sinh sinhf cosh coshf hypot hypotf fmod fmodf round roundf rint rintf "
                                " trunc truncf isnan isinf sincos sincosf __sincosf __tanf __fadd_rn __fmul_rn "
                                " __fsqrt_rn __frcp_rn __umul24 __mulhi __umulhi __brev atomicInc atomicDec ";

bool is_harmless(const char *word)
{
    const struct text all = {.data = (char *)functions, .length = sizeof functions - 1};

    return is_named(&all, word) || (strncmp(word, "make_", 5) == 0 && is_vector(word + 5));
}

bool is_keyword(const char *word) { return is_any(word, keywords); }

void add_names(const struct loops *l, size_t first, struct text *names)
{
    size_t at = type_end(l, first), end, name, equals;

    for (; at < l->count; at = end + 1) {
        end = declarator(l, at, l->count, &name, &equals);
        if (name < l->count && l->token[name].is_name)
            text_print(names, " %s ", l->token[name].word);
        if (!is(l, end, ","))
            break;
    }
}

bool is_named(const struct text *names, const char *word)
{
    char padded[128];
    int length = snprintf(padded, sizeof padded, " %s ", word);

    return length < (int)sizeof padded && names->data && memmem(names->data, names->length, padded, (size_t)length);
}

static bool is_known_word(struct loops *l, size_t i, const struct text *names)
{
    const char *word = l->token[i].word;
    bool called = is(l, i + 1, "(");

    if (i > 0 && (is(l, i - 1, ".") || is(l, i - 1, "->")))
        return !called;
    if (is_type(l, i) || is_any(word, keywords) || is_place(word))
        return true;
    if (called)
        return is_harmless(word) || is_exchange(l, i) ||
               (is_harmless_macro(l->all, word, 0) && !exchanges(l, i, l->token[i + 1].match)) ||
               (!is_named(names, word) && is_harmless_function(l->all, word, 0));
    if (is_named(names, word))
        return true;
    return is_constant(l->all, word, 0) || is_harmless_macro(l->all, word, 0);
}

/* A cast to something unknown. */
static bool is_cast(struct loops *l, size_t i, const struct text *names)
{
    if (is(l, i, "&") && is(l, i + 1, ")"))
        return true;
    if (!is(l, i, "(") || !is(l, i + 2, ")") || (i > 0 && l->token[i - 1].is_name))
        return false;
    return l->token[i + 1].is_name && !is_type(l, i + 1) && !is_named(names, l->token[i + 1].word);
}

bool is_barrier(const struct loops *l, size_t i)
{
    return is(l, i, "__syncthreads") && is(l, i + 1, "(") && is(l, i + 2, ")") && is(l, i + 3, ";");
}

bool is_shared(const struct loops *l, size_t i)
{
    return is(l, i, "__shared__") || is(l, i, "HIP_CPU_EXTERN_SHARED") || is(l, i, "HIP_DYNAMIC_SHARED") ||
           (is(l, i, "static") && is(l, i + 1, "__shared__"));
}

/* The names of a declaration of shared memory, which ends at its ; */
static size_t add_shared(struct loops *l, size_t i, struct text *names)
{
    if (!is(l, i, "static") && !is(l, i, "__shared__")) {
        bool first = is(l, i, "HIP_CPU_EXTERN_SHARED");
        i = l->token[i + 1].match;
        text_print(names, " %s ", l->token[first ? l->token[i].match + 1 : i - 1].word);
        return i;
    }
    i += is(l, i, "static") + 1;
    size_t type = type_end(l, i);
    if (type == i)
        l->unknown = true;
    add_names(l, i, names);
    return type;
}

/* Whether a thread may wait for another one's store. */
static bool polls(const struct loops *l, size_t first)
{
    for (size_t i = first; i < l->count; i++)
        if (is(l, i, "while") || is(l, i, "do") ||
            (is(l, i, "for") && (has(l, i, l->token[i + 1].match, "[") || has(l, i, l->token[i + 1].match, "*"))))
            return true;
    return false;
}

bool is_understood(struct loops *l, size_t first)
{
    struct text names = {0};

    for (size_t i = 0; i < l->variables; i++)
        text_print(&names, " %s ", l->variable[i].name);
    for (size_t i = first; i < l->count; i++)
        if (is_shared(l, i))
            i = add_shared(l, i, &names);
        else if (!l->token[i - 1].is_name && type_end(l, i) > i)
            add_names(l, i, &names);
    for (size_t i = first; i < l->count && !l->unknown; i++) {
        const char *word = l->token[i].word;
        if (is_barrier(l, i)) {
            l->waits = true;
            i += 3;
        } else if (is_exchange(l, i)) {
            l->waits = l->meets = true;
        } else if (is(l, i, "return") && is(l, i + 1, "hip_cpu_returns")) {
            i += 3;
        } else if (is(l, i, "(") && is(l, i + 1, "void") && is(l, i + 2, ")")) {
            i += 2;
        } else if (is_shared(l, i)) {
            bool macro = !is(l, i, "static") && !is(l, i, "__shared__");
            i = macro ? l->token[i + 1].match : i + is(l, i, "static");
        } else if (l->token[i].is_name) {
            l->unknown = !is_known_word(l, i, &names);
        } else if (strchr("\"'#\\@?:", *word) && strcmp(word, "?") != 0 && strcmp(word, ":") != 0) {
            l->unknown = true;
        } else if (strcmp(word, "::") == 0 || strcmp(word, "...") == 0 || is_cast(l, i, &names)) {
            l->unknown = true;
        } else if (*word == '[' && !l->token[i - 1].is_name && !is(l, i - 1, "]") && !is(l, i - 1, ")")) {
            l->unknown = true; /* a lambda or an attribute */
        }
        /* A pointer comes from elsewhere than from a parameter, with another type. */
        l->casts |= is(l, i, "->") || (is(l, i - 1, ".") && is(l, i + 1, "["));
        l->casts |= is(l, i, "*") && (is(l, i + 1, ")") || is(l, i + 1, ">"));
    }
    text_free(&names);
    l->unknown |= has(l, first, l->count, "volatile") && polls(l, first);
    return !l->unknown;
}
