/* What C leaves undefined, and this processor and each vendor's GPUs do in their own way: a note, once for each place in a
 * kernel. GCC and clang call these functions (nogpu/flags.txt) under the names of their undefined behaviour sanitizer,
 * whose own functions, in a program built with it, these precede.
 * SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

/* As both compilers lay them out. */
struct source_place {
    const char *file;
    uint32_t line;
    _Atomic uint32_t column; /* ~0: has been told */
};
struct type {
    uint16_t kind, info;
    char name[]; /* in quotes */
};
struct operands {
    struct source_place place;
    const struct type *first, *second;
};
void __ubsan_handle_shift_out_of_bounds(struct operands *shift, uintptr_t left, uintptr_t right);
void __ubsan_handle_float_cast_overflow(struct operands *cast, uintptr_t from);

/* The thread, except in a block of loops: those do not know it. */
static void note(const struct source_place *place, const char *format, ...)
{
    const struct hip_cpu_thread *t = hip_cpu_current;
    const uint3 *b = &t->block->index;
    va_list arguments;
    char text[512];

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "hip: note: kernel %s, block (%u,%u,%u), ", t->block->kernel, b->x, b->y, b->z);
    if (t->block->loops != HIP_CPU_LOOPS_RUN)
        fprintf(stderr, "thread (%u,%u,%u), ", t->index.x, t->index.y, t->index.z);
    fprintf(stderr, "at %s:%u: %s\n", place->file, place->line, text);
}

static bool is_news(struct source_place *place)
{
    return hip_cpu_current && atomic_exchange(&place->column, ~0u) != ~0u;
}

__attribute__((weak)) void __ubsan_handle_shift_out_of_bounds(struct operands *shift, uintptr_t left, uintptr_t right)
{
    unsigned bits = shift->first->kind == 0 ? 1u << (shift->first->info >> 1) : 0;

    (void)left, (void)right;
    if (is_news(&shift->place))
        note(&shift->place,
             "shifts %s by %u bits or more, or by less than 0: "
             "NVIDIA's GPUs shift all bits out, AMD's take the count modulo %u, and here it "
             "depends on the compiler: keep the count below %u",
             shift->first->name, bits, bits, bits);
}

/* Less than 32 bits are cut from 32, here and on GPUs. */
static bool is_same_everywhere(const struct operands *cast, uintptr_t from)
{
    double x = -1;
    uint32_t low = (uint32_t)from;
    float narrow;

    memcpy(&narrow, &low, sizeof narrow);
    if (cast->first->info == 32)
        x = narrow;
    else if (cast->first->info == 64)
        memcpy(&x, &from, sizeof x);
    return 1u << (cast->second->info >> 1) < 32 && x >= 0 && x <= INT32_MAX;
}

__attribute__((weak)) void __ubsan_handle_float_cast_overflow(struct operands *cast, uintptr_t from)
{
    if (!is_same_everywhere(cast, from) && is_news(&cast->place))
        note(&cast->place,
             "converts from %s to %s a number that does not fit: "
             "a GPU takes the nearest that does, and this processor another: check the range "
             "first, or call __float2int_rz() or its like, which do as a GPU",
             cast->first->name, cast->second->name);
}

/* Where a GPU stops as well: it has no such access. */
struct access {
    struct source_place place;
    const struct type *type;
    uint8_t log_alignment, kind; /* LOAD, STORE; others are no access yet */
};
enum { LOAD, STORE };
void __ubsan_handle_type_mismatch_v1(struct access *access, uintptr_t address);

__attribute__((weak)) void __ubsan_handle_type_mismatch_v1(struct access *access, uintptr_t address)
{
    uintptr_t mask = ((uintptr_t)1 << access->log_alignment) - 1;
    char what[512];

    if (!hip_cpu_current || access->kind > STORE)
        return;
    if ((address & mask) == 0) { /* of a program with more of the sanitizer's checks */
        snprintf(what, sizeof what, "%s %s at an address (0x%lx) where there is none",
                 access->kind == LOAD ? "reads" : "writes", access->type->name, (unsigned long)address);
        hip_cpu_begin_fault(HIP_CPU_OUT_OF_BOUNDS);
        hip_cpu_fail(what, access->place.file, (int)access->place.line);
    }
    snprintf(what, sizeof what,
             "a misaligned access: %s %s at an address that is no multiple of %u (0x%lx): give a "
             "vector an address that is a multiple of its size",
             access->kind == LOAD ? "reads" : "writes", access->type->name, 1u << access->log_alignment,
             (unsigned long)address);
    if (OBSERVER && OBSERVER->fault(HIP_CPU_MISALIGNED, address, what, access->place.file, access->place.line,
                                    access->place.column))
        return;
    hip_cpu_fail(what, access->place.file, (int)access->place.line);
}

/* clang: an address that __builtin_assume_aligned() was wrong about. The access itself is checked where it is made. */
void __ubsan_handle_alignment_assumption(void *assumption, uintptr_t address, uintptr_t alignment, uintptr_t offset);

__attribute__((weak)) void __ubsan_handle_alignment_assumption(void *assumption, uintptr_t address, uintptr_t alignment,
                                                               uintptr_t offset)
{
    (void)assumption, (void)address, (void)alignment, (void)offset;
}
