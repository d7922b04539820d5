/* What host code needs to know about this kind of device: see platform/amd/device_facts.h.
 * SPDX-License-Identifier: MIT */
#ifndef DEVICE_FACTS_H
#define DEVICE_FACTS_H

#include <hip/hip_runtime_api.h>
#include <stdio.h>

#define DEVICE_KIND        "NVIDIA GPU"
#define DEVICE_IS_GPU      1
#define DEVICE_EVICT_BYTES ((size_t)256 << 20)

static inline void device_arch(char *text, size_t size, const hipDeviceProp_t *properties)
{
    snprintf(text, size, "sm_%d%d", properties->major, properties->minor);
}

/* The CUDA runtime reports half of the data rate for every kind of memory. */
static inline unsigned device_transfers(const char *arch)
{
    (void)arch;
    return 2;
}

static inline void device_versions(char *driver, char *runtime, size_t size, int driver_version, int runtime_version)
{
    snprintf(driver, size, "CUDA %d.%d", driver_version / 1000, driver_version % 1000 / 10);
    snprintf(runtime, size, "CUDA %d.%d", runtime_version / 1000, runtime_version % 1000 / 10);
}

static inline void device_uuid(char *text, size_t size, int index)
{
    (void)size, (void)index;
    text[0] = '\0';
}

static inline const char *device_obstacle(void) { return NULL; }

static inline unsigned long long device_launches(void) { return 0; }

#endif
