/* Names of profilers' markers: there is no profiler, and they do nothing.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_MARKERS_H
#define HIP_CPU_MARKERS_H

#include <stdint.h>

#define HIP_CPU_MARKER(T, name, what)                                                                                  \
    static inline T name(what ignored) { return (void)ignored, (T)0; }

/* ROCm: how deep the ranges are. */
HIP_CPU_MARKER(int, roctxRangePushA, const char *)
static inline int roctxRangePop(void) { return 0; }
HIP_CPU_MARKER(uint64_t, roctxRangeStartA, const char *)
HIP_CPU_MARKER(void, roctxRangeStop, uint64_t)
HIP_CPU_MARKER(void, roctxMarkA, const char *)
#define roctxRangePush(name)  roctxRangePushA(name)
#define roctxRangeStart(name) roctxRangeStartA(name)
#define roctxMark(name)       roctxMarkA(name)
static inline void roctracer_start(void) {}
static inline void roctracer_stop(void) {}

/* CUDA. */
typedef uint64_t nvtxRangeId_t;
typedef struct nvtxEventAttributes_v2 {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
    } payload;
    int32_t messageType;
    union {
        const char *ascii;
    } message;
} nvtxEventAttributes_t;
#define NVTX_VERSION                  3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
#define NVTX_COLOR_ARGB               1
#define NVTX_MESSAGE_TYPE_ASCII       1
HIP_CPU_MARKER(int, nvtxRangePushA, const char *)
HIP_CPU_MARKER(int, nvtxRangePushEx, const nvtxEventAttributes_t *)
static inline int nvtxRangePop(void) { return 0; }
HIP_CPU_MARKER(nvtxRangeId_t, nvtxRangeStartA, const char *)
HIP_CPU_MARKER(void, nvtxRangeEnd, nvtxRangeId_t)
HIP_CPU_MARKER(void, nvtxMarkA, const char *)
#define nvtxRangePush(name)  nvtxRangePushA(name)
#define nvtxRangeStart(name) nvtxRangeStartA(name)
#define nvtxMark(name)       nvtxMarkA(name)

#endif
