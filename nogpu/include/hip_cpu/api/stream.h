/* Streams: priorities, work of the host in their order, and graphs, which are captured from streams; part of api.h.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_API_STREAM_H
#define HIP_CPU_API_STREAM_H

#define hipStreamPerThread ((hipStream_t)0)

typedef void (*hipHostFn_t)(void *data);
typedef void (*hipStreamCallback_t)(hipStream_t stream, hipError_t status, void *data);

typedef struct hip_cpu_graph *hipGraph_t;
typedef struct hip_cpu_graph *hipGraphExec_t;
typedef struct hip_cpu_node *hipGraphNode_t;
typedef enum hipStreamCaptureMode {
    hipStreamCaptureModeGlobal,
    hipStreamCaptureModeThreadLocal,
    hipStreamCaptureModeRelaxed
} hipStreamCaptureMode;
typedef enum hipStreamCaptureStatus {
    hipStreamCaptureStatusNone,
    hipStreamCaptureStatusActive,
    hipStreamCaptureStatusInvalidated
} hipStreamCaptureStatus;
/* None makes a difference here. */
enum hipGraphInstantiateFlags {
    hipGraphInstantiateFlagAutoFreeOnLaunch = 1,
    hipGraphInstantiateFlagUpload = 2,
    hipGraphInstantiateFlagUseNodePriority = 8
};
typedef enum hipGraphExecUpdateResult { hipGraphExecUpdateSuccess, hipGraphExecUpdateError } hipGraphExecUpdateResult;
typedef struct hipGraphExecUpdateResultInfo { /* CUDA's, from 12 on */
    hipGraphExecUpdateResult result;
    hipGraphNode_t errorNode, errorFromNode;
} hipGraphExecUpdateResultInfo;

#ifdef __cplusplus
extern "C" {
#endif

/* Priorities are kept and mean nothing. */
hipError_t hipDeviceGetStreamPriorityRange(int *least, int *greatest);
hipError_t hipStreamCreateWithPriority(hipStream_t *stream, unsigned flags, int priority);
hipError_t hipStreamGetPriority(hipStream_t stream, int *priority);
hipError_t hipStreamGetFlags(hipStream_t stream, unsigned *flags);

hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t function, void *data);
hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void *data, unsigned flags);

/* A word of 4 or 8 bytes. The stream goes on when the bits of the mask are at least, or equal to, the value, or have one of
 * its bits, or when one bit is neither in them nor in the value. From a wait that is not over at once on, the program
 * runs as with HIP_CPU_LATE=1. */
#define hipStreamWaitValueGte 0
#define hipStreamWaitValueEq  1
#define hipStreamWaitValueAnd 2
#define hipStreamWaitValueNor 3
hipError_t hipStreamWriteValue32(hipStream_t stream, void *at, uint32_t value, unsigned flags HIP_CPU_DEFAULT(0));
hipError_t hipStreamWriteValue64(hipStream_t stream, void *at, uint64_t value, unsigned flags HIP_CPU_DEFAULT(0));
hipError_t hipStreamWaitValue32(hipStream_t stream, void *at, uint32_t value, unsigned flags,
                                uint32_t mask HIP_CPU_DEFAULT(0xffffffff));
hipError_t hipStreamWaitValue64(hipStream_t stream, void *at, uint64_t value, unsigned flags,
                                uint64_t mask HIP_CPU_DEFAULT(0xffffffffffffffff));

/* Between the two, work on the stream and on those that wait for its events is not done but kept; a launch of the graph
 * does all of it in the order in which it was kept. */
hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode *mode);
hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode);
hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t *graph);
hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus *status);
/* Of a stream that captures: behind which nodes its next one comes. They may be others instead, or too. */
enum { hipStreamAddCaptureDependencies, hipStreamSetCaptureDependencies };
hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream, hipStreamCaptureStatus *status,
                                      unsigned long long *id HIP_CPU_DEFAULT(0), hipGraph_t *graph HIP_CPU_DEFAULT(0),
                                      const hipGraphNode_t **before HIP_CPU_DEFAULT(0),
                                      size_t *count HIP_CPU_DEFAULT(0));
hipError_t hipStreamUpdateCaptureDependencies(hipStream_t stream, hipGraphNode_t *before, size_t count,
                                              unsigned flags HIP_CPU_DEFAULT(0));
hipError_t hipGraphCreate(hipGraph_t *graph, unsigned flags);
hipError_t hipGraphDestroy(hipGraph_t graph);
hipError_t hipGraphClone(hipGraph_t *clone, hipGraph_t graph);
/* nodes may be NULL: only their number. */
hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t *nodes, size_t *count);
hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t *exec, hipGraph_t graph,
                                        unsigned long long flags HIP_CPU_DEFAULT(0));
hipError_t hipGraphExecUpdate(hipGraphExec_t exec, hipGraph_t graph, hipGraphNode_t *wrong,
                              hipGraphExecUpdateResult *result);
hipError_t hipGraphUpload(hipGraphExec_t exec, hipStream_t stream);
hipError_t hipGraphLaunch(hipGraphExec_t exec, hipStream_t stream);
hipError_t hipGraphExecDestroy(hipGraphExec_t exec);

/* There is one device, and each stream may use all of it. */
static inline hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t *device)
{
    unsigned flags;
    *device = 0;
    return hipStreamGetFlags(stream, &flags);
}
static inline int hipGetStreamDeviceId(hipStream_t stream)
{
    (void)stream;
    return 0;
}
static inline hipError_t hipExtStreamCreateWithCUMask(hipStream_t *stream, uint32_t words, const uint32_t *mask)
{
    return words > 0 && mask ? hipStreamCreateWithFlags(stream, hipStreamDefault) : hipErrorInvalidValue;
}
static inline hipError_t hipExtStreamGetCUMask(hipStream_t stream, uint32_t words, uint32_t *mask)
{
    unsigned flags;
    for (uint32_t i = 0; mask && i < words; i++)
        mask[i] = 0xffffffff;
    return words > 0 && mask ? hipStreamGetFlags(stream, &flags) : hipErrorInvalidValue;
}

#ifdef __cplusplus
}

static inline hipError_t hipGraphInstantiate(hipGraphExec_t *exec, hipGraph_t graph, hipGraphNode_t *, char *, size_t)
{
    return hipGraphInstantiateWithFlags(exec, graph, 0);
}
static inline hipError_t hipGraphInstantiate(hipGraphExec_t *exec, hipGraph_t graph, unsigned long long flags = 0)
{
    return hipGraphInstantiateWithFlags(exec, graph, flags);
}
static inline hipError_t hipGraphExecUpdate(hipGraphExec_t exec, hipGraph_t graph, hipGraphExecUpdateResultInfo *info)
{
    *info = hipGraphExecUpdateResultInfo();
    return hipGraphExecUpdate(exec, graph, &info->errorNode, &info->result);
}
#endif

#endif
