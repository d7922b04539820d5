/* Errors of the runtime are stored per thread, like errno, and not printed; handle.c asks for them at the end of each call.
 * SPDX-License-Identifier: MIT */
#include "handle.h"

static _Thread_local hipError_t first;

void lr_check(hipError_t error)
{
    if (first == hipSuccess)
        first = error;
}

void errors_forget(void) { first = hipSuccess; }

hipError_t errors_first(void) { return first; }

int errors_status(hipError_t error)
{
    switch ((int)error) {
    case 0: /* success */
        return LR_OK;
    case 2: /* out of memory */
        return LR_NO_MEMORY;
    case 3:   /* not initialized */
    case 34:  /* a stub of a driver */
    case 35:  /* no driver, or too old */
    case 98:  /* no such kernel for this device */
    case 100: /* no device */
    case 101: /* no such device */
    case 209: /* no code for this device */
        return LR_NO_DEVICE;
    default:
        return LR_RUNTIME;
    }
}

const char *lr_text(int status)
{
    switch (status) {
    case LR_OK:
        return "no error";
    case LR_NULL:
        return "a pointer is NULL: give the address of an array, a result or a handle";
    case LR_TYPE:
        return "unknown element type: use LR_FLOAT, LR_DOUBLE, LR_INT32, LR_INT64, LR_HALF or "
               "LR_BFLOAT16; asum, nrm2 and sum_binned take no integers";
    case LR_MISALIGNED:
        return "an address is not a multiple of its element size, or a workspace not of 256";
    case LR_OVERLAP:
        return "a result or the workspace overlaps other memory of the call: use separate memory";
    case LR_TOO_LARGE:
        return "more than 4 TiB: n counts elements, not bytes";
    case LR_OTHER_STREAM:
        return "the handle belongs to another stream: make one for each stream, or call "
               "lr_leave_stream()";
    case LR_WORKSPACE:
        return "the workspace is too small: lr_workspace_bytes() says how large it has to be";
    case LR_NO_MEMORY:
        return "out of memory";
    case LR_NO_DEVICE:
        return "no such device, the library was built for other targets (see lr_targets()), or a "
               "variable HIP_CPU_* has a wrong value";
    case LR_RUNTIME:
        return "HIP or CUDA reports an error: see lr_runtime_text()";
    case LR_SHAPE:
        return "not a matrix: give at least one column, and a stride of at least the columns";
    case LR_OTHER_RANK:
        return "another rank has an error: see what it returned";
    case LR_MPI:
        return "MPI reports an error";
    case LR_MEMORY:
        return "the device cannot use this memory: give memory of the handle's device, or pinned "
               "or managed memory";
    case LR_RANKS:
        return "the ranks do not call the same function with the same type";
    case LR_NCCL:
        return "NCCL or RCCL reports an error: NCCL_DEBUG=WARN says more";
    default:
        return "no such status";
    }
}
