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
        TRY(hip_cpu_enter(#name));                                                                                     \
        REFUSE_IF(!result, hipErrorInvalidValue);                                                                      \
        *result = (T)(value);                                                                                          \
        return hipSuccess;                                                                                             \
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
    TRY(hip_cpu_enter(__func__));
    TRY(device ? hip_cpu_check_device(number) : hipErrorInvalidValue);
    *device = number;
    return hipSuccess;
}

hipError_t hipChooseDevice(int *device, UNUSED const hipDeviceProp_t *wanted) { return hipDeviceGet(device, 0); }

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
ACCEPT(hipDeviceSetLimit, (UNUSED hipLimit_t limit, UNUSED size_t bytes))
ACCEPT(hipProfilerStart, (void))
ACCEPT(hipProfilerStop, (void))

ACCEPT(hipDeviceSetCacheConfig, (UNUSED hipFuncCache_t config))
GIVE(hipDeviceGetCacheConfig, hipFuncCache_t, (hipFuncCache_t * result), hipFuncCachePreferNone)
ACCEPT(hipDeviceSetSharedMemConfig, (UNUSED hipSharedMemConfig config))
GIVE(hipDeviceGetSharedMemConfig, hipSharedMemConfig, (hipSharedMemConfig * result), hipSharedMemBankSizeFourByte)

/* ---- peers ---- */

hipError_t hipDeviceCanAccessPeer(int *can, int device, int peer)
{
    TRY(hip_cpu_enter(__func__));
    TRY(!can ? hipErrorInvalidValue : hip_cpu_check_device(device));
    TRY(hip_cpu_check_device(peer));
    *can = device != peer;
    return hipSuccess;
}

/* They share their memory, and no device is a peer of itself. */
hipError_t hipDeviceGetP2PAttribute(int *value, hipDeviceP2PAttr attribute, int device, int peer)
{
    hipError_t error = hipDeviceCanAccessPeer(value, device, peer);

    if (error != hipSuccess)
        return error;
    REFUSE_IF(!*value, hipErrorInvalidDevice);
    *value = attribute != hipDevP2PAttrPerformanceRank;
    return hipSuccess;
}

static _Atomic unsigned peers[DEVICES_MAX];

static hipError_t change_peer(const char *call, int peer, bool enable)
{
    _Atomic unsigned *of_device = &peers[hip_cpu_device()];
    unsigned bit = 1u << peer % DEVICES_MAX;

    TRY(hip_cpu_enter(call));
    TRY(peer == hip_cpu_device() ? hipErrorInvalidDevice : hip_cpu_check_device(peer));
    bool enabled = ((enable ? atomic_fetch_or(of_device, bit) : atomic_fetch_and(of_device, ~bit)) & bit) != 0;
    REFUSE_IF(enabled == enable, enable ? hipErrorPeerAccessAlreadyEnabled : hipErrorPeerAccessNotEnabled);
    return hipSuccess;
}

hipError_t hipDeviceEnablePeerAccess(int peer, UNUSED unsigned flags) { return change_peer(__func__, peer, true); }

hipError_t hipDeviceDisablePeerAccess(int peer) { return change_peer(__func__, peer, false); }
