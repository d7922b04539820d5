/* Compilers for GPUs read a source twice, with __CUDA_ARCH__ or __HIP_DEVICE_COMPILE__ defined when they make the code of
 * the device. Here it is read once: where these names stand in a function for the device alone, or in an #if around such
 * functions, they become HIP_CPU_CUDA_ARCH and HIP_CPU_DEVICE_COMPILE, which are defined. Functions for both:
 * overloads/both.c. Inline assembly of the device is refused.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "../source/functions.h"
#include "changes.h"

/* Another name for the word in code for the device. */
static void rename_word(const struct source *s, size_t at, size_t end, const char *instead, struct edits *e)
{
    if (for_device(s, at))
        text_print(edits_add(e, at, end, false), "%s", instead);
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
static void rename_call(const struct source *s, size_t at, size_t end, const char *instead, struct edits *e)
{
    if (s->code[skip_blanks(s, end)] == '(' && (at == 0 || !strchr(".>:", s->code[at - 1])))
        rename_word(s, at, end, instead, e);
}

/* asm volatile("v_add_f32 ..."), up to its (; not where it only keeps the compiler from moving accesses. */
static void refuse_assembly(const struct source *s, size_t at, size_t end, const char *instead, struct edits *e)
{
    if (s->directive[at])
        return;
    end = skip_blanks(s, end);
    if (is_text(s, end, word_end(s, end), "volatile") || is_text(s, end, word_end(s, end), "__volatile__"))
        end = skip_blanks(s, word_end(s, end));
    if (end >= s->length || s->code[end] != '(')
        return;
    size_t text = skip_blanks(s, end + 1);
    if (text + 2 > s->length || !is_text(s, text, text + 2, "\"\""))
        rename_word(s, at, end, instead, e);
}

/* A kernel of an object has no object on the device: refused before its declaration. */
static void refuse_member(const struct source *s, size_t at, UNUSED size_t word, const char *instead, struct edits *e)
{
    size_t brace = open_brace(s, at), begin = at;
    bool is_class = false, is_free = s->directive[at];

    for (size_t i = brace == NOWHERE ? brace : head_begin(s, brace), end; i < brace; i = end) {
        end = token_end(s, i);
        is_class |= is_text(s, i, end, "struct") || is_text(s, i, end, "class");
        is_free |= s->code[i] == '(';
    }
    if (!is_class || is_free)
        return;
    while (!strchr(";{}:", s->code[begin - 1]) && !s->directive[begin - 1])
        begin--;
    for (size_t i = begin, end; i < s->length && !strchr("(;{", s->code[i]); i = end) {
        end = token_end(s, i);
        if (is_text(s, i, end, "static") || is_text(s, i, end, "friend"))
            return;
    }
    begin = skip_blanks(s, begin);
    text_print(edits_add(e, begin, begin, true), "%s; ", instead);
}

/* texture<float, 1, cudaReadModeElementType>: others have templates of this name, too. */
static void rename_texture(const struct source *s, size_t at, size_t end, const char *instead, struct edits *e)
{
    size_t open = skip_blanks(s, end), next = open + 1;

    if (s->directive[at] || open >= s->length || s->code[open] != '<' || (at > 0 && strchr(".>:", s->code[at - 1])))
        return;
    while (next < s->length && !strchr(",>;(", s->code[next]))
        next++;
    next = skip_blanks(s, next + 1);
    if (next + 1 < s->length && (strchr("123", s->code[next]) || is_text(s, next, next + 15, "cudaTextureType") ||
                                 is_text(s, next, next + 14, "hipTextureType")))
        text_print(edits_add(e, at, end, false), "%s", instead);
}

/* A word, what is done where it stands, and what is written there. */
static const struct {
    const char *word;
    void (*found)(const struct source *s, size_t at, size_t end, const char *instead, struct edits *e);
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
    {"texture", rename_texture, "hip_cpu_texture_reference"},
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
