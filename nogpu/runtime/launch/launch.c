/* Launches: checks grid and block, keeps what is to run later, and what kernels launch.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../internal.h"
#include "hip_cpu/refused.h"
#include "workers.h"

static _Atomic uint64_t started; /* launches so far */

__attribute__((noreturn)) static void refuse_launch(const char *kernel, const char *why)
{
    char who[512];

    hip_cpu_describe_thread(who, sizeof who);
    hip_cpu_fatal("%s, launches kernel %s: %s\n", who, kernel, why);
}

/* The error of its numbers alone. */
static hipError_t check_shape(const struct hip_cpu_launch *l)
{
    dim3 g = l->grid, b = l->block;

    if (b.x == 0 || b.y == 0 || b.z == 0 || g.x == 0 || g.y == 0 || g.z == 0)
        return hipErrorInvalidConfiguration;
    if (b.x > THREADS_MAX || b.y > THREADS_MAX || b.z > (unsigned)BLOCK_Z_MAX ||
        (uint64_t)b.x * b.y * b.z > THREADS_MAX)
        return hipErrorInvalidConfiguration;
    /* AMD counts the threads of the grid along each axis in 32 bits. */
    if (g.x > GRID_X_MAX || g.y > GRID_YZ_MAX || g.z > GRID_YZ_MAX || (uint64_t)g.x * b.x > UINT32_MAX ||
        (uint64_t)g.y * b.y > UINT32_MAX || (uint64_t)g.z * b.z > UINT32_MAX)
        return hipErrorInvalidConfiguration;
    if (l->shared_bytes > hip_cpu_shared_limit(l->function))
        return hipErrorInvalidValue;
    if (l->cooperative &&
        (uint64_t)g.x * g.y * g.z >
            (uint64_t)hip_cpu_config.workers * hip_cpu_blocks_per_unit((size_t)b.x * b.y * b.z, l->shared_bytes))
        return hipErrorCooperativeLaunchTooLarge;
    return hipSuccess;
}

/* The error that HIP returns for this launch. */
static hipError_t check(const struct hip_cpu_launch *l)
{
    if (hip_cpu_fails("launch"))
        return hipErrorLaunchFailure;
    if (hip_cpu_config.devices == 0)
        return hipErrorNoDevice;
    if (!hip_cpu_is_stream(l->stream))
        return hipErrorInvalidHandle;
    return check_shape(l);
}

/* A launch for later: its arguments, and what they are. */
struct late {
    struct late *next; /* of those from kernels */
    struct hip_cpu_launch launch;
    _Alignas(HIP_CPU_WORK_ALIGN) char arguments[];
};

static size_t description_at(const struct hip_cpu_launch *launch)
{
    size_t align = _Alignof(struct hip_cpu_argument);

    return (launch->arguments_bytes + align - 1) / align * align;
}

static struct hip_cpu_launch launch_of(const struct late *late)
{
    struct hip_cpu_launch launch = late->launch;

    launch.arguments = late->arguments;
    launch.argument = (const struct hip_cpu_argument *)(late->arguments + description_at(&launch));
    return launch;
}

/* A copy, for free(). NULL: no memory. */
static struct late *keep(const struct hip_cpu_launch *launch, size_t *bytes)
{
    size_t described = launch->argument_count * sizeof *launch->argument;
    struct late *late = NULL;

    *bytes = sizeof *late + description_at(launch) + described;
    if (posix_memalign((void **)&late, HIP_CPU_WORK_ALIGN, *bytes) != 0)
        return NULL;
    late->next = NULL;
    late->launch = *launch;
    memcpy(late->arguments, launch->arguments, launch->arguments_bytes);
    if (described > 0)
        memcpy(late->arguments + description_at(launch), launch->argument, described);
    return late;
}

/* ---- launches from kernels ---- */

/* They run when the grid has ended which launches them, and before what comes after it in its stream: CUDA promises no more.
 * Those into the stream of tail launches come last. */
static struct children {
    struct late *first, **end;
} children[2];
static pthread_mutex_t children_lock = PTHREAD_MUTEX_INITIALIZER;

static void launch_from_kernel(const struct hip_cpu_launch *launch)
{
    struct children *to = &children[launch->stream == HIP_CPU_TAIL];
    hipError_t error = launch->cooperative ? hipErrorNotSupported : check_shape(launch);
    size_t bytes;
    struct late *late;

    if (!hip_cpu_config.cuda)
        refuse_launch(launch->kernel, HIP_CPU_TEXT_LAUNCH);
    if (error == hipSuccess && !(late = keep(launch, &bytes)))
        error = hipErrorOutOfMemory;
    if (error != hipSuccess)
        refuse_launch(launch->kernel, hipGetErrorString(error));
    late->launch.stream = hip_cpu_workers_stream();
    pthread_mutex_lock(&children_lock);
    *(to->first ? to->end : &to->first) = late;
    to->end = &late->next;
    pthread_mutex_unlock(&children_lock);
}

static hipError_t run_family(const struct hip_cpu_launch *launch)
{
    hipError_t error = hip_cpu_workers_run(launch);
    struct late *own[] = {children[0].first, children[1].first}, *late;

    children[0].first = children[1].first = NULL;
    for (int i = 0; i < 2; i++) {
        while ((late = own[i])) {
            struct hip_cpu_launch child = launch_of(late);
            own[i] = late->next;
            OBSERVE(stream, HIP_CPU_QUEUED, child.stream, NULL);
            if (error == hipSuccess)
                error = run_family(&child);
            free(late);
        }
    }
    return error;
}

static hipError_t run_now(const struct hip_cpu_launch *launch)
{
    hipError_t error = hip_cpu_workers_take();

    if (error == hipSuccess) {
        error = run_family(launch);
        hip_cpu_workers_leave();
    }
    return error;
}

static hipError_t run_late(const void *work)
{
    struct hip_cpu_launch launch = launch_of(work);

    return run_now(&launch);
}

static hipError_t postpone(const struct hip_cpu_launch *launch)
{
    size_t bytes;
    struct late *late = keep(launch, &bytes);

    if (!late)
        return hipErrorOutOfMemory;
    hipError_t error = hip_cpu_on_stream(launch->stream, run_late, late, bytes);
    free(late);
    return error;
}

hipError_t hip_cpu_run(const struct hip_cpu_launch *launch)
{
    if (hip_cpu_current) {
        launch_from_kernel(launch);
        return hipSuccess;
    }
    hipError_t error = check(launch);

    if (error == hipSuccess)
        error = hip_cpu_may_use(launch->stream);
    if (error == hipSuccess) {
        atomic_fetch_add(&started, 1);
        if (hip_cpu_late || hip_cpu_captures(launch->stream)) {
            error = postpone(launch);
        } else {
            OBSERVE(stream, HIP_CPU_QUEUED, launch->stream, NULL);
            error = run_now(launch);
        }
    }
    if (error != hipSuccess)
        OBSERVE(launch_refused, launch, error);
    return hip_cpu_error(error);
}

uint64_t hip_cpu_launches(void) { return started; }
