/* Handles: their device, their memory, their stream.
 * SPDX-License-Identifier: MIT */
#include "handle.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "device_facts.h"
#include "functions.h"
#include "rows.h"
#include "version.h"

/* A slot of 96 bytes for each block of the largest launch: single_pass and binned sums use up to 4 blocks per compute unit,
 * or 64; a tree up to 528. */
#define SLOT_BYTES       96
#define WORKSPACE(units) (((size_t)4096 + SLOT_BYTES * ((size_t)4 * (units) + 528) + 255) / 256 * 256)

#ifndef LIBRARY_TARGETS
#error "the build says which targets the library is for"
#endif

const char *lr_version(void) { return REDUCTION_VERSION; }

int lr_version_number(void) { return LR_VERSION; }

const char *lr_targets(void) { return LIBRARY_TARGETS; }

/* Kernels that can overlap earlier ones of the stream are compiled for sm_90 and newer. */
static bool can_overlap(const char *arch)
{
    const char *sm = LIBRARY_TARGETS;
    bool compiled = false;

    while ((sm = strstr(sm, "sm_")) != NULL)
        compiled = atoi(sm += 3) >= 90 || compiled;
    return compiled && strncmp(arch, "sm_", 3) == 0 && atoi(arch + 3) >= 90;
}

static hipError_t describe(struct lr_handle *h, int device)
{
    hipDeviceProp_t properties;
    int warp = 0, units = 0, threads = 0, pageable = 0;

    memset(&properties, 0, sizeof properties);
    HIP_CHECK(hipGetDeviceProperties(&properties, device));
    HIP_CHECK(hipDeviceGetAttribute(&warp, hipDeviceAttributeWarpSize, device));
    HIP_CHECK(hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, device));
    HIP_CHECK(hipDeviceGetAttribute(&threads, hipDeviceAttributeMaxThreadsPerMultiProcessor, device));
    HIP_CHECK(hipDeviceGetAttribute(&pageable, hipDeviceAttributePageableMemoryAccess, device));
    h->device = device;
    h->own_memory = pageable == 0;
    h->warp_size = (unsigned)warp;
    h->compute_units = (unsigned)units;
    h->threads_per_unit = (unsigned)threads;
    device_arch(h->arch, sizeof h->arch, &properties);
    h->overlap = can_overlap(h->arch);
    return errors_first();
}

static size_t workspace_all(unsigned units) { return WORKSPACE(units) + MATRIX_BYTES(units) + RANKS_BYTES; }

int lr_workspace_bytes(int device, size_t *bytes)
{
    int units = 0;

    if (bytes == NULL)
        return LR_NULL;
    *bytes = 0;
    hipError_t error = hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, device);
    if (error != hipSuccess) {
        (void)hipGetLastError(); /* otherwise the next launch would report it */
        return errors_status(error);
    }
    *bytes = workspace_all((unsigned)units);
    return LR_OK;
}

/* In a stream of its own: the default stream would wait for others, and end their capture. */
static void clear(struct lr_handle *h)
{
    size_t bytes = h->workspace_bytes + KEPT_BYTES(h->compute_units);
    hipStream_t stream;

    HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    if (errors_first() != hipSuccess)
        return;
    HIP_CHECK(hipMemsetAsync(h->workspace, 0, bytes, stream));
    HIP_CHECK(hipStreamSynchronize(stream));
    HIP_CHECK(hipStreamDestroy(stream));
}

/* Allocates the memory and makes the plans of a handle whose device is known. */
static void equip(struct lr_handle *h, void *workspace)
{
    size_t all = workspace_all(h->compute_units);

    h->own_workspace = workspace == NULL;
    h->workspace = workspace;
    h->workspace_bytes = WORKSPACE(h->compute_units);
    if (h->own_workspace)
        HIP_CHECK(hipMalloc((void **)&h->workspace, all));
    HIP_CHECK(hipHostMalloc(&h->host, HOST_BYTES, hipHostMallocMapped | hipHostMallocPortable));
    if (errors_first() != hipSuccess)
        return;
    h->matrix = h->workspace + h->workspace_bytes;
    HIP_CHECK(hipHostGetDevicePointer(&h->host_on_device, h->host, 0));
    clear(h);
    functions_plan(h);
}

static int create(lr_handle **handle, int device, void *workspace)
{
    /* In which it may allocate while streams are being captured. */
    hipStreamCaptureMode mode = hipStreamCaptureModeRelaxed;
    int current = 0;
    struct lr_handle *h;

    if (handle == NULL)
        return LR_NULL;
    *handle = NULL;
    h = calloc(1, sizeof *h);
    if (h == NULL)
        return LR_NO_MEMORY;
    errors_forget();
    HIP_CHECK(hipThreadExchangeStreamCaptureMode(&mode));
    HIP_CHECK(hipGetDevice(&current));
    if (errors_first() == hipSuccess)
        HIP_CHECK(hipSetDevice(device));
    if (errors_first() == hipSuccess && describe(h, device) == hipSuccess)
        equip(h, workspace);
    hipError_t error = errors_first(), back = hipSetDevice(current);
    HIP_CHECK(hipThreadExchangeStreamCaptureMode(&mode));
    if (error == hipSuccess)
        error = back;
    if (error != hipSuccess) {
        (void)lr_destroy(h);
        (void)hipGetLastError(); /* reported here; the next launch must not report it again */
        return errors_status(error);
    }
    *handle = h;
    return LR_OK;
}

int lr_create(lr_handle **handle, int device) { return create(handle, device, NULL); }

int lr_create_in(lr_handle **handle, int device, void *workspace, size_t bytes)
{
    size_t needed = 0;

    if (handle == NULL)
        return LR_NULL;
    *handle = NULL;
    if (workspace == NULL)
        return LR_NULL;
    if ((uintptr_t)workspace % 256 != 0)
        return LR_MISALIGNED;
    int status = lr_workspace_bytes(device, &needed);
    if (status == LR_OK && bytes < needed)
        status = LR_WORKSPACE;
    return status == LR_OK ? create(handle, device, workspace) : status;
}

int lr_destroy(lr_handle *h)
{
    hipError_t error = hipSuccess, other = hipSuccess;

    if (h == NULL)
        return LR_OK;
    functions_release(h);
    if (h->own_workspace && h->workspace != NULL)
        error = hipFree(h->workspace);
    if (h->host != NULL)
        other = hipHostFree(h->host);
    free(h);
    if (error == hipSuccess)
        error = other;
    if (error != hipSuccess)
        (void)hipGetLastError();
    return errors_status(error);
}

int lr_device_of(const void *address, int *device)
{
    hipPointerAttribute_t attributes;

    if (device == NULL)
        return LR_NULL;
    *device = -1;
    memset(&attributes, 0, sizeof attributes);
    attributes.device = -1;
    hipError_t error = hipPointerGetAttributes(&attributes, address);
    if (error == hipSuccess)
        /* Memory of a device that the current one cannot read has neither pointer; unknown memory has the host's. */
        *device = attributes.devicePointer != NULL || attributes.hostPointer == NULL ? attributes.device : -1;
    else
        (void)hipGetLastError();
    return error == hipErrorInvalidValue ? LR_OK : errors_status(error); /* memory that it does not know */
}

int lr_leave_stream(lr_handle *h)
{
    if (h == NULL)
        return LR_NULL;
    h->has_stream = false;
    return LR_OK;
}

int lr_input_ready(lr_handle *h, int ready)
{
    if (h == NULL)
        return LR_NULL;
    h->input_ready = ready != 0;
    return LR_OK;
}

int lr_runtime_error(const lr_handle *h) { return h == NULL ? 0 : (int)h->error; }

const char *lr_runtime_text(const lr_handle *h) { return hipGetErrorName(h == NULL ? hipSuccess : h->error); }
