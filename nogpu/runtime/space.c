/* Which memory an address belongs to, for kernels that ask, and for a tool that sees their accesses.
 * SPDX-License-Identifier: MIT */
#include <link.h>

#include "internal.h"

struct search {
    const void *address;
    bool found;
};

/* Static __shared__ variables are thread-local ones of the program or of a library. */
static int is_in_object(struct dl_phdr_info *object, UNUSED size_t size, void *data)
{
    struct search *s = data;

    for (size_t i = 0; i < object->dlpi_phnum && object->dlpi_tls_data; i++)
        if (object->dlpi_phdr[i].p_type == PT_TLS)
            s->found |= (uintptr_t)s->address - (uintptr_t)object->dlpi_tls_data < object->dlpi_phdr[i].p_memsz;
    return s->found;
}

static bool is_static(const struct worker *w, const void *address)
{
    struct search s = {address, false};

    if (w->fixed_known)
        return (uintptr_t)address - w->fixed < w->fixed_bytes;
    dl_iterate_phdr(is_in_object, &s);
    return s.found;
}

void hip_cpu_know_shared(uintptr_t begin, size_t bytes)
{
    hip_cpu_worker->fixed = begin;
    hip_cpu_worker->fixed_bytes = bytes;
    hip_cpu_worker->fixed_known = true;
}

enum hip_cpu_space hip_cpu_space_of(const void *address)
{
    const struct worker *w = hip_cpu_worker;
    const struct stack *stack = current_stack();
    const struct hip_cpu_launch *launch = w->run->launch;
    uintptr_t at = (uintptr_t)address;

    if (at - (uintptr_t)stack->bottom < stack->bytes || at - (uintptr_t)w < sizeof *w || hip_cpu_is_texture(address))
        return HIP_CPU_PRIVATE;
    if (hip_cpu_is_here(address))
        return HIP_CPU_OWN;
    if (at - (uintptr_t)w->block.shared < w->block.shared_bytes || is_static(w, address))
        return HIP_CPU_SHARED;
    if (!OBSERVER)
        return HIP_CPU_GLOBAL;
    if (at - (uintptr_t)launch->arguments < launch->arguments_bytes)
        return HIP_CPU_CONSTANT;
    return OBSERVER->memory_at(at);
}

bool hip_cpu_is_shared(const void *address) { return hip_cpu_current && hip_cpu_space_of(address) == HIP_CPU_SHARED; }

bool hip_cpu_is_local(const void *address)
{
    enum hip_cpu_space space = hip_cpu_current ? hip_cpu_space_of(address) : HIP_CPU_GLOBAL;
    return space == HIP_CPU_PRIVATE || space == HIP_CPU_OWN;
}
