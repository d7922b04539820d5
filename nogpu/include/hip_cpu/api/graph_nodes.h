/* Graphs whose nodes are added one by one; part of api.h.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_API_GRAPH_NODES_H
#define HIP_CPU_API_GRAPH_NODES_H

typedef struct hipKernelNodeParams {
    dim3 blockDim;
    void **extra; /* NULL */
    void *func;   /* a kernel that was cast to void * where it is named */
    dim3 gridDim;
    void **kernelParams;
    unsigned sharedMemBytes;
} hipKernelNodeParams;
typedef struct hipMemsetParams {
    void *dst;
    unsigned elementSize; /* 1, 2 or 4 bytes */
    size_t height, pitch; /* pitch in bytes */
    unsigned value;
    size_t width; /* in elements */
} hipMemsetParams;
typedef struct hipHostNodeParams {
    hipHostFn_t fn;
    void *userData;
} hipHostNodeParams;
typedef struct hipMemAllocNodeParams {
    hipMemPoolProps poolProps;
    const void *accessDescs;
    size_t accessDescCount, bytesize;
    void *dptr; /* the call gives it */
} hipMemAllocNodeParams;
typedef enum hipGraphNodeType {
    hipGraphNodeTypeKernel,
    hipGraphNodeTypeMemcpy,
    hipGraphNodeTypeMemset,
    hipGraphNodeTypeHost,
    hipGraphNodeTypeGraph, /* its nodes have types of their own here */
    hipGraphNodeTypeEmpty,
    hipGraphNodeTypeWaitEvent,
    hipGraphNodeTypeEventRecord,
    hipGraphNodeTypeMemAlloc = 10,
    hipGraphNodeTypeMemFree
} hipGraphNodeType;
typedef struct hipGraphNodeParams {
    hipGraphNodeType type;
    union {
        hipKernelNodeParams kernel;
        struct {
            hipMemcpy3DParms copyParams;
        } memcpy;
        hipMemsetParams memset;
        hipHostNodeParams host;
        struct {
            hipGraph_t graph;
        } graph;
        struct {
            hipEvent_t event;
        } eventRecord, eventWait;
        hipMemAllocNodeParams alloc;
        struct {
            void *dptr;
        } free;
    };
} hipGraphNodeParams;

#ifdef __cplusplus
extern "C" {
#endif

/* Each runs behind the `count` nodes of the graph that it depends on. */
hipError_t hipGraphAddKernelNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                 const hipKernelNodeParams *params);
hipError_t hipGraphAddMemcpyNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                 const hipMemcpy3DParms *params);
hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                   void *to, const void *from, size_t bytes, hipMemcpyKind kind);
hipError_t hipGraphAddMemsetNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                 const hipMemsetParams *params);
hipError_t hipGraphAddHostNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                               const hipHostNodeParams *params);
hipError_t hipGraphAddEmptyNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *before, size_t count);
/* The nodes of the child become nodes of the graph, and *node the last of them. */
hipError_t hipGraphAddChildGraphNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                     hipGraph_t child);
hipError_t hipGraphAddEventRecordNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *before,
                                      size_t count, hipEvent_t event);
hipError_t hipGraphAddEventWaitNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                    hipEvent_t event);
/* The memory is there from this call on, and stays. */
hipError_t hipGraphAddMemAllocNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                   hipMemAllocNodeParams *params);
hipError_t hipGraphAddMemFreeNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                                  void *pointer);
typedef enum hipGraphMemAttributeType {
    hipGraphMemAttrUsedMemCurrent,
    hipGraphMemAttrUsedMemHigh,
    hipGraphMemAttrReservedMemCurrent,
    hipGraphMemAttrReservedMemHigh
} hipGraphMemAttributeType;
/* uint64_t, each the same: all that graphs have allocated. Trimming frees none of it. */
hipError_t hipDeviceGetGraphMemAttribute(int device, hipGraphMemAttributeType attribute, void *value);
hipError_t hipDeviceGraphMemTrim(int device);
/* One of these; another type: hipErrorNotSupported. */
hipError_t hipGraphAddNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *before, size_t count,
                           hipGraphNodeParams *params);
hipError_t hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType *type);
/* to[i] runs behind from[i]; in a circle: hipErrorInvalidValue. */
hipError_t hipGraphAddDependencies(hipGraph_t graph, const hipGraphNode_t *from, const hipGraphNode_t *to,
                                   size_t count);
/* Another launch of a kernel whose parameters have the same types, or another copy, fill or function. */
#define HIP_CPU_CHANGES(name, params, ...)                                                                             \
    hipError_t hipGraph##name##NodeSetParams##params(hipGraphNode_t node, __VA_ARGS__);                                \
    hipError_t hipGraphExec##name##NodeSetParams##params(hipGraphExec_t exec, hipGraphNode_t node, __VA_ARGS__);
HIP_CPU_CHANGES(Kernel, , const hipKernelNodeParams *params)
HIP_CPU_CHANGES(Memcpy, , const hipMemcpy3DParms *params)
HIP_CPU_CHANGES(Memcpy, 1D, void *to, const void *from, size_t bytes, hipMemcpyKind kind)
HIP_CPU_CHANGES(Memset, , const hipMemsetParams *params)
HIP_CPU_CHANGES(Host, , const hipHostNodeParams *params)

#ifdef __cplusplus
}

/* With data of edges, as CUDA 13 has it: an edge here has none. */
typedef struct hipGraphEdgeData {
    unsigned char from_port, to_port, type, reserved[5];
} hipGraphEdgeData;
static inline hipError_t hipGraphAddNode(hipGraphNode_t *node, hipGraph_t graph, const hipGraphNode_t *before,
                                         const hipGraphEdgeData *, size_t count, hipGraphNodeParams *params)
{
    return hipGraphAddNode(node, graph, before, count, params);
}
static inline hipError_t hipGraphAddDependencies(hipGraph_t graph, const hipGraphNode_t *from, const hipGraphNode_t *to,
                                                 const hipGraphEdgeData *, size_t count)
{
    return hipGraphAddDependencies(graph, from, to, count);
}
static inline hipError_t hipStreamUpdateCaptureDependencies(hipStream_t stream, hipGraphNode_t *before,
                                                            const hipGraphEdgeData *, size_t count, unsigned flags = 0)
{
    return hipStreamUpdateCaptureDependencies(stream, before, count, flags);
}
static inline hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus *status,
                                                 unsigned long long *id = nullptr, hipGraph_t *graph = nullptr,
                                                 const hipGraphNode_t **before = nullptr, size_t *count = nullptr)
{
    return hipStreamGetCaptureInfo_v2(stream, status, id, graph, before, count);
}
static inline hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus *status,
                                                 unsigned long long *id, hipGraph_t *graph,
                                                 const hipGraphNode_t **before, const hipGraphEdgeData **data,
                                                 size_t *count)
{
    static const hipGraphEdgeData none = {};
    if (data)
        *data = &none;
    return hipStreamGetCaptureInfo_v2(stream, status, id, graph, before, count);
}
#endif

#endif
