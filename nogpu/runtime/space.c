/* Which memory an address belongs to, for kernels that ask.
 * SPDX-License-Identifier: MIT */
#include <link.h>

#include "internal.h"

struct search {
    const void *address;
    bool found;
};

/* Static __shared__ variables are thread-local ones of the program or of a library. */
static int is_in_object(struct dl_phdr_info *object, size_t size, void *data)
{
    struct search *s = data;

    (void)size;
    for (size_t i = 0; i < object->dlpi_phnum && object->dlpi_tls_data; i++)
        if (object->dlpi_phdr[i].p_type == PT_TLS)
            s->found |= (uintptr_t)s->address - (uintptr_t)object->dlpi_tls_data < object->dlpi_phdr[i].p_memsz;
    return s->found;
}

bool hip_cpu_is_shared(const void *address)
{
    const struct worker *w = hip_cpu_worker;
    struct search s = {address, false};

    if (!w)
        return false;
    if ((uintptr_t)address - (uintptr_t)w->block.shared < w->block.shared_bytes)
        return true;
    dl_iterate_phdr(is_in_object, &s);
    return s.found && !hip_cpu_is_here(address);
}

bool hip_cpu_is_local(const void *address)
{
    return hip_cpu_current && hip_cpu_is_private(address) && !hip_cpu_is_shared(address);
}
