/* What host code needs to know about this kind of device: see platform/amd/device_facts.h.
 * SPDX-License-Identifier: MIT */
#ifndef DEVICE_FACTS_H
#define DEVICE_FACTS_H

#include <hip_cpu/runtime.h>
#include <hip/hip_runtime_api.h>
#include <stdio.h>

#define DEVICE_KIND        "CPU device"
#define DEVICE_IS_GPU      0
#define DEVICE_EVICT_BYTES ((size_t)64 << 20)

static inline void device_arch(char *text, size_t size, const hipDeviceProp_t *properties)
{
    (void)properties;
    snprintf(text, size, "cpu");
}

static inline unsigned device_transfers(const char *arch)
{
    (void)arch;
    return 0;
}

static inline void device_versions(char *driver, char *runtime, size_t size, int driver_version, int runtime_version)
{
    (void)driver_version;
    snprintf(driver, size, "none");
    snprintf(runtime, size, "HIP %d.%d for CPU", runtime_version / 10000000, runtime_version / 100000 % 100);
}

static inline void device_uuid(char *text, size_t size, int index)
{
    (void)size, (void)index;
    text[0] = '\0';
}

static inline const char *device_obstacle(void) { return NULL; }

static inline unsigned long long device_launches(void) { return hip_cpu_launches(); }

#endif
