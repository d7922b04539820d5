/* Settings of the device and its peers: accepted without effect.
 * SPDX-License-Identifier: MIT */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "../internal.h"

/* A call that needs a device and nothing else. */
#define ACCEPT(name, parameters)                                                                                       \
    hipError_t name parameters { return hip_cpu_error(hip_cpu_enter(#name)); }
/* A call that gives a number. */
#define GIVE(name, T, parameters, value)                                                                               \
    hipError_t name parameters                                                                                         \
    {                                                                                                                  \
        hipError_t error = hip_cpu_enter(#name);                                                                       \
        if (error == hipSuccess && !result)                                                                            \
            error = hipErrorInvalidValue;                                                                              \
        if (error == hipSuccess)                                                                                       \
            *result = (T)(value);                                                                                      \
        return hip_cpu_error(error);                                                                                   \
    }

static _Atomic unsigned device_flags;

hipError_t hipSetDeviceFlags(unsigned flags)
{
    device_flags = flags;
    return hip_cpu_error(hip_cpu_enter(__func__));
}
GIVE(hipGetDeviceFlags, unsigned, (unsigned *result), device_flags)

hipError_t hipDeviceGet(hipDevice_t *device, int number)
{
    hipError_t error = hip_cpu_enter(__func__);

    if (error == hipSuccess)
        error = device ? hip_cpu_check_device(number) : hipErrorInvalidValue;
    if (error == hipSuccess)
        *device = number;
    return hip_cpu_error(error);
}

hipError_t hipChooseDevice(int *device, const hipDeviceProp_t *wanted)
{
    (void)wanted;
    return hipDeviceGet(device, 0);
}

hipError_t hipDeviceGetByPCIBusId(int *device, const char *id)
{
    return id && strncmp(id, "cpu", 3) == 0 ? hipDeviceGet(device, atoi(id + 3)) : hip_cpu_error(hipErrorInvalidValue);
}

hipError_t hipDeviceComputeCapability(int *major, int *minor, hipDevice_t device)
{
    hipError_t error = hipDeviceGetAttribute(major, hipDeviceAttributeComputeCapabilityMajor, device);
    return error != hipSuccess ? error : hipDeviceGetAttribute(minor, hipDeviceAttributeComputeCapabilityMinor, device);
}

GIVE(hipDeviceGetLimit, size_t, (size_t * result, hipLimit_t limit),
     limit == hipLimitStackSize ? STACK_BYTES : (size_t)1 << 20)
ACCEPT(hipDeviceSetLimit, (__attribute__((unused)) hipLimit_t limit, __attribute__((unused)) size_t bytes))
ACCEPT(hipProfilerStart, (void))
ACCEPT(hipProfilerStop, (void))

ACCEPT(hipDeviceSetCacheConfig, (__attribute__((unused)) hipFuncCache_t config))
GIVE(hipDeviceGetCacheConfig, hipFuncCache_t, (hipFuncCache_t * result), hipFuncCachePreferNone)
ACCEPT(hipDeviceSetSharedMemConfig, (__attribute__((unused)) hipSharedMemConfig config))
GIVE(hipDeviceGetSharedMemConfig, hipSharedMemConfig, (hipSharedMemConfig * result), hipSharedMemBankSizeFourByte)

/* ---- peers ---- */

hipError_t hipDeviceCanAccessPeer(int *can, int device, int peer)
{
    hipError_t error = hip_cpu_enter(__func__);

    if (error == hipSuccess)
        error = !can ? hipErrorInvalidValue : hip_cpu_check_device(device);
    if (error == hipSuccess)
        error = hip_cpu_check_device(peer);
    if (error == hipSuccess)
        *can = device != peer;
    return hip_cpu_error(error);
}

/* They share their memory, and no device is a peer of itself. */
hipError_t hipDeviceGetP2PAttribute(int *value, hipDeviceP2PAttr attribute, int device, int peer)
{
    hipError_t error = hipDeviceCanAccessPeer(value, device, peer);

    REFUSE_IF(error == hipSuccess && !*value, hipErrorInvalidDevice);
    if (error == hipSuccess)
        *value = attribute != hipDevP2PAttrPerformanceRank;
    return error;
}

static _Atomic unsigned peers[DEVICES_MAX];

static hipError_t change_peer(const char *call, int peer, bool enable)
{
    hipError_t error = hip_cpu_enter(call);
    unsigned bit = 1u << peer % DEVICES_MAX;

    if (error == hipSuccess)
        error = peer == hip_cpu_device() ? hipErrorInvalidDevice : hip_cpu_check_device(peer);
    if (error == hipSuccess) {
        _Atomic unsigned *of_device = &peers[hip_cpu_device()];
        bool enabled = ((enable ? atomic_fetch_or(of_device, bit) : atomic_fetch_and(of_device, ~bit)) & bit) != 0;
        if (enabled == enable)
            error = enable ? hipErrorPeerAccessAlreadyEnabled : hipErrorPeerAccessNotEnabled;
    }
    return hip_cpu_error(error);
}

hipError_t hipDeviceEnablePeerAccess(int peer, unsigned flags)
{
    (void)flags;
    return change_peer(__func__, peer, true);
}

hipError_t hipDeviceDisablePeerAccess(int peer) { return change_peer(__func__, peer, false); }
