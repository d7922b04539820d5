/* Settings of the device, peers, and what programs call before they begin; part of api.h.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_API_DEVICE_H
#define HIP_CPU_API_DEVICE_H

#define hipDeviceScheduleAuto         0x0
#define hipDeviceScheduleSpin         0x1
#define hipDeviceScheduleYield        0x2
#define hipDeviceScheduleBlockingSync 0x4
#define hipDeviceMapHost              0x8
#define hipDeviceLmemResizeToMax      0x10
#define hipEventInterprocess          0x4
#define hipEventDisableSystemFence    0x20000000
#define hipEventReleaseToDevice       0x40000000
#define hipEventReleaseToSystem       0x80000000
#define hipComputeModeDefault         0
#define hipComputeModeExclusive       1
#define hipComputeModeProhibited      2

typedef int hipDevice_t;
typedef enum hipLimit_t {
    hipLimitStackSize,
    hipLimitPrintfFifoSize,
    hipLimitMallocHeapSize,
    hipLimitPersistingL2CacheSize = 6
} hipLimit_t;

#ifdef __cplusplus
extern "C" {
#endif

hipError_t hipSetDeviceFlags(unsigned flags);
hipError_t hipGetDeviceFlags(unsigned *flags);
hipError_t hipDeviceGet(hipDevice_t *device, int number);
hipError_t hipChooseDevice(int *device, const hipDeviceProp_t *wanted);
hipError_t hipDeviceGetByPCIBusId(int *device, const char *id);
hipError_t hipDeviceComputeCapability(int *major, int *minor, hipDevice_t device);
/* Limits are what the platform has anyway. */
hipError_t hipDeviceGetLimit(size_t *bytes, hipLimit_t limit);
hipError_t hipDeviceSetLimit(hipLimit_t limit, size_t bytes);
hipError_t hipProfilerStart(void);
hipError_t hipProfilerStop(void);

/* There is one device, and no peer of it. */
typedef enum hipDeviceP2PAttr {
    hipDevP2PAttrPerformanceRank,
    hipDevP2PAttrAccessSupported,
    hipDevP2PAttrNativeAtomicSupported,
    hipDevP2PAttrHipArrayAccessSupported
} hipDeviceP2PAttr;
hipError_t hipDeviceGetP2PAttribute(int *value, hipDeviceP2PAttr attribute, int device, int peer);
hipError_t hipDeviceCanAccessPeer(int *can, int device, int peer);
hipError_t hipDeviceEnablePeerAccess(int peer, unsigned flags);
hipError_t hipDeviceDisablePeerAccess(int peer);

#ifdef __cplusplus
}
#endif

#endif
