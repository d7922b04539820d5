/* Accesses and fences of kernels, with their thread, memory space and place, for the tool and the memory.
 * SPDX-License-Identifier: MIT */
#include "../symbols.h"
#include "../trace_internal.h"

/* trace_space_of(); most accesses of a site are to one allocation. Nothing else lies in one, nor in shared memory. */
static inline enum hip_cpu_space space_at(struct trace_site *site, uintptr_t address)
{
    if (address - site->begin < site->bytes && site->memory == trace_run.memory)
        return HIP_CPU_GLOBAL;
    if (address - trace_here.shared < trace_here.shared_bytes || address - trace_here.fixed < trace_here.fixed_apart)
        return HIP_CPU_SHARED;
    enum hip_cpu_space space = trace_space_of(address);
    const struct trace_allocation *a = space == HIP_CPU_GLOBAL ? trace_allocation_of(address) : NULL;
    if (a) {
        site->memory = trace_run.memory;
        site->begin = a->start;
        site->bytes = a->bytes;
    }
    return space;
}

void trace_see_store(const struct trace_who *who, uintptr_t address, size_t size)
{
    if (trace_run.weak)
        weak_store(trace_run.weak, who, address, size);
    else if (trace_run.tool && trace_run.tool->store)
        trace_run.tool->store(trace_run.state, address, size);
}

bool trace_see_stray(uintptr_t address, size_t size, bool write, void *code)
{
    if (!trace_notifies(stray))
        return false;
    struct trace_access access = {.address = address,
                                  .size = (unsigned)size,
                                  .write = write,
                                  .code = (uintptr_t)code,
                                  .place = trace_place_of((uintptr_t)code)};
    trace_describe(&access.who);
    return trace_run.tool->stray(trace_run.state, &access);
}

void trace_see_access(uintptr_t address, size_t size, bool write, bool is_volatile, void *code)
{
    trace_mark((uintptr_t)code);
    if (size == 1 && symbols_is_guard(address))
        return;

    struct trace_site *site = trace_site_of((uintptr_t)code);
    enum hip_cpu_space space = space_at(site, address);
    bool notifies = trace_notifies(access);
    struct trace_access access;

    if (space == HIP_CPU_OWN && write)
        space = HIP_CPU_HOST; /* they lie behind the __shared__ variables */
    if (space == HIP_CPU_HOST && !trace_see_stray(address, size, write, code))
        trace_check_host_access(address, write, code);
    if (space < 0 || !(notifies || trace_run.weak || trace_run.is_repeat))
        return;
    if (trace_run.is_trial && !write && !is_volatile && trace_progress_is_brief()) {
        if (space == HIP_CPU_GLOBAL)
            trace_run.tool->load(trace_run.state, address, (unsigned)size);
        return;
    }
    trace_describe(&access.who);
    if (!write) {
        trace_progress_read(access.who.thread, address, (unsigned)size, (enum trace_space)space, is_volatile, code);
        if (is_volatile && space == HIP_CPU_GLOBAL && trace_run.weak)
            weak_poll(trace_run.weak, address);
    } else {
        trace_progress_store(access.who.thread, address, (unsigned)size, code);
    }
    access.who.epoch = trace_here.epoch; /* others may have run */
    if (write && space == HIP_CPU_GLOBAL)
        trace_see_store(&access.who, address, size);
    if (!notifies) {
        if (trace_run.is_trial && !write && space == HIP_CPU_GLOBAL)
            trace_run.tool->load(trace_run.state, address, (unsigned)size);
        return;
    }
    access.address = address;
    access.size = (unsigned)size;
    access.space = (enum trace_space)space;
    access.write = write;
    access.is_volatile = is_volatile;
    access.code = (uintptr_t)code;
    access.place = site->place ? site->place : trace_place_of((uintptr_t)code);
    trace_run.tool->access(trace_run.state, &access);
}

void trace_see_fence(enum trace_scope scope, int order, void *code)
{
    struct trace_fence f;

    if (!hip_cpu_current || !trace_run.is_on || !(trace_notifies(fence) || trace_run.weak))
        return;
    trace_describe(&f.who);
    if (trace_run.weak && scope >= TRACE_SCOPE_DEVICE)
        weak_fence(trace_run.weak, &f.who, order);
    if (!trace_notifies(fence))
        return;
    f.scope = scope;
    f.order = order;
    f.place = trace_place_of((uintptr_t)code);
    trace_run.tool->fence(trace_run.state, &f);
}
