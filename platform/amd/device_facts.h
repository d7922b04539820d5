/* What host code needs to know about this kind of device. platform/nvidia and platform/cpu define the same names.
 *
 * DEVICE_KIND          what this program was built for, in words
 * DEVICE_IS_GPU        0: kernels use the host's memory and cores
 * DEVICE_EVICT_BYTES   writing this many bytes evicts everything from all caches
 * device_arch()        "gfx90a"
 * device_transfers()   memory transfers per cycle of the clock that the runtime reports; 0: unknown
 * device_versions()    of driver and runtime, in words
 * device_uuid()        the device's, or its card's; "" if the runtime does not say
 * device_obstacle()    why the runtime may see no device although the machine has one, and what to do; NULL: nothing known
 * device_launches()    kernels that this process has launched so far; 0: the runtime does not count them
 * SPDX-License-Identifier: MIT */
#ifndef DEVICE_FACTS_H
#define DEVICE_FACTS_H

#include <ctype.h>
#include <hip/hip_runtime_api.h>
#include <stdio.h>
#include <string.h>

#include "driver_file.h"

#define DEVICE_KIND        "AMD GPU"
#define DEVICE_IS_GPU      1
#define DEVICE_EVICT_BYTES ((size_t)1 << 30) /* the runtime does not report the Infinity Cache */

static inline void device_arch(char *text, size_t size, const hipDeviceProp_t *properties)
{
    /* "gfx90a:sramecc+:xnack-" without the features */
    snprintf(text, size, "%.*s", (int)strcspn(properties->gcnArchName, ":"), properties->gcnArchName);
}

static inline unsigned device_transfers(const char *arch)
{
    if (strncmp(arch, "gfx94", 5) == 0 || strncmp(arch, "gfx950", 6) == 0)
        return 4; /* HBM3: 1300 MHz x 8192 bits are the 5.3 TB/s of an MI300X */
    if (strncmp(arch, "gfx90", 5) == 0)
        return 2; /* HBM2: 1600 MHz x 4096 bits are the 1.6 TB/s of an MI210 */
    return 0;     /* others: several kinds of memory, and the runtime does not report which */
}

static inline void device_versions(char *driver, char *runtime, size_t size, int driver_version, int runtime_version)
{
    snprintf(driver, size, "HIP %d.%d", driver_version / 10000000, driver_version / 100000 % 100);
    snprintf(runtime, size, "HIP %d.%d.%d", runtime_version / 10000000, runtime_version / 100000 % 100,
             runtime_version % 100000);
}

static inline void device_uuid(char *text, size_t size, int index)
{
    hipUUID uuid;
    size_t digits = 0; /* hexadecimal, as rocminfo has them; XX, or bytes, are of no use */

    memset(&uuid, 0, sizeof uuid);
    if (hipDeviceGetUuid(&uuid, index) != hipSuccess)
        (void)hipGetLastError();
    while (digits < sizeof uuid.bytes && isxdigit((unsigned char)uuid.bytes[digits]))
        digits++;
    text[0] = '\0';
    if (digits == sizeof uuid.bytes)
        snprintf(text, size, "GPU-%.16s", uuid.bytes);
}

static inline const char *device_obstacle(void) { return driver_file_obstacle(DRIVER_FILE); }

static inline unsigned long long device_launches(void) { return 0; }

#endif
