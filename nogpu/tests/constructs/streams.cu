/* Streams, events, host functions, and graphs captured from streams.
 * SPDX-License-Identifier: MIT */
#include <cuda_runtime.h>

#include "construct.h"

#if CUDART_VERSION >= 13000 /* data of edges: none */
#define EDGES NULL,
#else
#define EDGES
#endif

__global__ void add(int *x, int value)
{
    if (threadIdx.x == 0)
        *x = *x * 2 + value;
}

static int called;
static void CUDART_CB count(void *data) { called += *(int *)data; }

__global__ void scale(int *x, int by, int more) { x[threadIdx.x] = x[threadIdx.x] * by + more; }

static void run(cudaGraphExec_t replay, cudaStream_t stream)
{
    OK(cudaGraphLaunch(replay, stream));
    OK(cudaStreamSynchronize(stream));
}
static cudaGraphNodeType kind_of(cudaGraphNode_t node)
{
    cudaGraphNodeType kind;

    OK(cudaGraphNodeGetType(node, &kind));
    return kind;
}
static cudaMemsetParams fill_of(void *x, unsigned value, size_t words)
{
    cudaMemsetParams fill = {};

    fill.dst = x, fill.value = value, fill.elementSize = 4, fill.width = words, fill.height = 1;
    return fill;
}
static cudaKernelNodeParams scale_of(void **arguments)
{
    cudaKernelNodeParams kernel = {};

    kernel.func = (void *)scale, kernel.gridDim = dim3(1), kernel.blockDim = dim3(8), kernel.kernelParams = arguments;
    return kernel;
}

/* fill, scale, copy out, and a host function: each node is added before those it depends on. */
static void by_hand(cudaStream_t stream)
{
    int *x, by = 3, more = 4, host[8] = {0}, seven = 7;
    cudaGraph_t graph, copy;
    cudaGraphExec_t replay;
    cudaGraphNode_t filled, scaled, out, counted, nothing, again;
    cudaHostNodeParams called_by = {count, &seven};

    OK(cudaMalloc(&x, sizeof host));
    void *arguments[] = {&x, &by, &more};
    cudaKernelNodeParams kernel = scale_of(arguments);
    cudaMemsetParams fill = fill_of(x, 5, 8);
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphAddMemcpyNode1D(&out, graph, NULL, 0, host, x, sizeof host, cudaMemcpyDeviceToHost));
    OK(cudaGraphAddHostNode(&counted, graph, &out, 1, &called_by));
    OK(cudaGraphAddKernelNode(&scaled, graph, NULL, 0, &kernel));
    OK(cudaGraphAddMemsetNode(&filled, graph, NULL, 0, &fill));
    OK(cudaGraphAddEmptyNode(&nothing, graph, &scaled, 1));
    const cudaGraphNode_t first[] = {filled, nothing}, second[] = {scaled, out};
    OK(cudaGraphAddDependencies(graph, first, second, EDGES 2));
    const cudaGraphNode_t each[] = {scaled, out, filled, counted, nothing};
    const cudaGraphNodeType kinds[] = {cudaGraphNodeTypeKernel, cudaGraphNodeTypeMemcpy, cudaGraphNodeTypeMemset,
                                       cudaGraphNodeTypeHost, cudaGraphNodeTypeEmpty};
    for (int i = 0; i < 5; i++)
        EXPECT(kind_of(each[i]) == kinds[i]);
    called = 0;
    OK(cudaGraphInstantiate(&replay, graph, 0));
    run(replay, stream);
    EXPECT(host[0] == 19 && host[7] == 19 && called == 7);
    by = 2;
    OK(cudaGraphExecKernelNodeSetParams(replay, scaled, &kernel));
    run(replay, stream);
    EXPECT(host[7] == 14);
    OK(cudaGraphExecDestroy(replay));
    /* A graph as a node, twice. */
    OK(cudaGraphClone(&copy, graph));
    by = 10;
    OK(cudaGraphAddChildGraphNode(&again, graph, &counted, 1, copy));
    OK(cudaGraphAddKernelNode(&scaled, graph, &again, 1, &kernel));
    OK(cudaGraphAddMemcpyNode1D(&out, graph, &scaled, 1, host, x, sizeof host, cudaMemcpyDeviceToHost));
    OK(cudaGraphInstantiate(&replay, graph, 0));
    run(replay, stream);
    EXPECT(host[3] == 194 && called == 28);
    by = 20;
    cudaGraphExecUpdateResultInfo info;
    OK(cudaGraphKernelNodeSetParams(scaled, &kernel));
    OK(cudaGraphExecUpdate(replay, graph, &info));
    EXPECT(info.result == cudaGraphExecUpdateSuccess);
    run(replay, stream);
    EXPECT(host[3] == 384);
    OK(cudaGraphDestroy(graph));
    OK(cudaFree(x));
}

/* Memory, events and other graphs' nodes, each added to the graph. */
static void with_events(cudaStream_t stream, cudaStream_t other)
{
    int host[8] = {0}, by = 3, more = 4;
    float milliseconds = -1;
    cudaGraph_t graph;
    cudaGraphExec_t replay;
    cudaGraphNode_t taken, filled, scaled, out, before, recorded, behind, given;
    cudaEvent_t start, stop, ready;
    cudaMemAllocNodeParams memory = {};
    int device = 0;

    OK(cudaGetDevice(&device));
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&stop));
    OK(cudaEventCreate(&ready));
    OK(cudaGraphCreate(&graph, 0));
    memory.bytesize = sizeof host;
    memory.poolProps.allocType = cudaMemAllocationTypePinned;
    memory.poolProps.location.id = device;
    memory.poolProps.location.type = cudaMemLocationTypeDevice;
    OK(cudaGraphAddMemAllocNode(&taken, graph, NULL, 0, &memory));
    OK(cudaGraphAddEventRecordNode(&before, graph, &taken, 1, start));
    OK(cudaGraphAddEventWaitNode(&behind, graph, &before, 1, ready));
    cudaMemsetParams fill = fill_of(memory.dptr, 2, 8);
    OK(cudaGraphAddMemsetNode(&filled, graph, &behind, 1, &fill));
    void *arguments[] = {&memory.dptr, &by, &more};
    cudaKernelNodeParams kernel = scale_of(arguments);
    OK(cudaGraphAddKernelNode(&scaled, graph, &filled, 1, &kernel));
    OK(cudaGraphAddMemcpyNode1D(&out, graph, &scaled, 1, host, memory.dptr, sizeof host, cudaMemcpyDeviceToHost));
    OK(cudaGraphAddEventRecordNode(&recorded, graph, &out, 1, stop));
    OK(cudaGraphAddMemFreeNode(&given, graph, &recorded, 1, memory.dptr));
    EXPECT(kind_of(taken) == cudaGraphNodeTypeMemAlloc && kind_of(behind) == cudaGraphNodeTypeWaitEvent);
    EXPECT(kind_of(recorded) == cudaGraphNodeTypeEventRecord && kind_of(given) == cudaGraphNodeTypeMemFree);
    OK(cudaGraphInstantiate(&replay, graph, 0));
    for (int i = 0; i < 2; i++) {
        host[7] = 0;
        OK(cudaEventRecord(ready, other));
        OK(cudaGraphLaunch(replay, stream));
        OK(cudaEventSynchronize(stop));
        EXPECT(host[7] == 10);
        OK(cudaEventElapsedTime(&milliseconds, start, stop));
        EXPECT(milliseconds >= 0);
    }
    OK(cudaStreamSynchronize(stream));

    /* What no node frees the program does, and the next launch has it at the same address again. */
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphAddMemAllocNode(&taken, graph, NULL, 0, &memory));
    fill.dst = memory.dptr;
    OK(cudaGraphAddMemsetNode(&filled, graph, &taken, 1, &fill));
    OK(cudaGraphInstantiate(&replay, graph, 0));
    for (int i = 0; i < 3; i++) {
        OK(cudaGraphLaunch(replay, stream));
        OK(cudaMemcpyAsync(host, fill.dst, sizeof host, cudaMemcpyDeviceToHost, stream));
        OK(i % 2 ? cudaFreeAsync(fill.dst, stream) : cudaStreamSynchronize(stream));
        OK(i % 2 ? cudaStreamSynchronize(stream) : cudaFree(fill.dst));
        EXPECT(host[7] == 2);
        host[7] = 0;
    }
    OK(cudaGraphCreate(&graph, 0)); /* another graph frees it */
    OK(cudaGraphAddMemFreeNode(&given, graph, NULL, 0, fill.dst));
    OK(cudaGraphLaunch(replay, stream));
    OK(cudaGraphInstantiate(&replay, graph, 0));
    run(replay, stream);

    /* Captured, an external event is a node; and what the next node waits for can be another one. */
    size_t count = 0;
    unsigned long long id;
    cudaStreamCaptureStatus status;
    const cudaGraphNode_t *last;
    int *x;
    OK(cudaMalloc(&x, sizeof *x));
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    OK(cudaMemsetAsync(x, 0, sizeof *x, stream));
    OK(cudaEventRecordWithFlags(start, stream, cudaEventRecordExternal));
#if CUDART_VERSION >= 13000
    const cudaGraphEdgeData *data;
    OK(cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &last, &data, &count));
#else
    OK(cudaStreamGetCaptureInfo_v2(stream, &status, &id, &graph, &last, &count));
#endif
    EXPECT(status == cudaStreamCaptureStatusActive && count == 1);
    EXPECT(kind_of(last[0]) == cudaGraphNodeTypeEventRecord);
    OK(cudaGraphAddEmptyNode(&behind, graph, NULL, 0));
    OK(cudaStreamUpdateCaptureDependencies(stream, &behind, EDGES 1, cudaStreamSetCaptureDependencies));
    OK(cudaStreamWaitEvent(stream, ready, cudaEventWaitExternal));
    OK(cudaStreamEndCapture(stream, &graph));
    OK(cudaGraphGetNodes(graph, NULL, &count));
    EXPECT(count == 4);
    OK(cudaEventDestroy(start));
}

/* Memory that a graph allocates and frees each time it runs. */
static void with_memory(cudaStream_t stream)
{
    int *x, host[8] = {0};
    cudaGraph_t graph;
    cudaGraphExec_t replay;

    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    OK(cudaMallocAsync(&x, sizeof host, stream));
    OK(cudaMemsetAsync(x, 0, sizeof host, stream));
    scale<<<1, 8, 0, stream>>>(x, 2, 3);
    scale<<<1, 8, 0, stream>>>(x, 2, 1);
    OK(cudaMemcpyAsync(host, x, sizeof host, cudaMemcpyDeviceToHost, stream));
    OK(cudaFreeAsync(x, stream));
    OK(cudaStreamEndCapture(stream, &graph));
    OK(cudaGraphInstantiateWithFlags(&replay, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    for (int i = 0; i < 3; i++) {
        host[7] = 0;
        run(replay, stream);
        EXPECT(host[0] == 7 && host[7] == 7);
    }
}

/* Nodes that are changed, in what is launched and in the graph. */
static void changed(cudaStream_t stream)
{
    int *x, host = 0;
    cudaGraph_t graph;
    cudaGraphExec_t replay;
    cudaGraphNode_t nodes[2];

    OK(cudaMalloc(&x, sizeof *x));
    OK(cudaGraphCreate(&graph, 0));
    cudaMemsetParams fill = fill_of(x, 10, 1);
    OK(cudaGraphAddMemsetNode(&nodes[0], graph, NULL, 0, &fill));
    OK(cudaGraphAddMemcpyNode1D(&nodes[1], graph, &nodes[0], 1, &host, x, sizeof host, cudaMemcpyDeviceToHost));
    OK(cudaGraphInstantiate(&replay, graph, 0));
    fill.value = 20;
    OK(cudaGraphExecMemsetNodeSetParams(replay, nodes[0], &fill));
    run(replay, stream);
    EXPECT(host == 20);
    fill.value = 30;
    OK(cudaGraphMemsetNodeSetParams(nodes[0], &fill));
    OK(cudaGraphInstantiate(&replay, graph, 0));
    run(replay, stream);
    EXPECT(host == 30);
}

/* What a capture forbids, and what it says at its end; begun so in a stream with these flags. */
#define FORBIDDEN(flags, mode, call, error, end)                                                                       \
    do {                                                                                                               \
        OK(cudaStreamCreateWithFlags(&stream, flags));                                                                 \
        OK(cudaStreamBeginCapture(stream, mode));                                                                      \
        add<<<1, 1, 0, stream>>>(x, 1);                                                                                \
        EXPECT((call) == error);                                                                                       \
        OK(cudaStreamIsCapturing(stream, &status));                                                                    \
        EXPECT((status == cudaStreamCaptureStatusInvalidated) == (end == cudaErrorStreamCaptureInvalidated));          \
        EXPECT(cudaStreamEndCapture(stream, &graph) == end);                                                           \
        EXPECT((graph != NULL) == (end == cudaSuccess));                                                               \
        OK(cudaStreamIsCapturing(stream, &status));                                                                    \
        EXPECT(status == cudaStreamCaptureStatusNone);                                                                 \
        (void)cudaGetLastError();                                                                                      \
        OK(cudaStreamDestroy(stream));                                                                                 \
    } while (0)
#define REFUSED(call, error)                                                                                           \
    FORBIDDEN(cudaStreamDefault, cudaStreamCaptureModeGlobal, call, error, cudaErrorStreamCaptureInvalidated)
#define TAKEN(flags, mode, call) FORBIDDEN(flags, mode, call, cudaSuccess, cudaSuccess)
static void forbidden()
{
    int *x, *y = NULL, host;
    cudaStream_t stream, other;
    cudaEvent_t event, past;
    cudaGraph_t graph;
    cudaStreamCaptureStatus status;
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;

    OK(cudaMalloc(&x, 4));
    OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    OK(cudaEventCreateWithFlags(&past, cudaEventDisableTiming));
    OK(cudaEventRecord(past, other));
    OK(cudaEventSynchronize(past));

    REFUSED(cudaMalloc(&y, 4), cudaErrorStreamCaptureUnsupported);
    REFUSED(cudaFree(x), cudaErrorStreamCaptureUnsupported);
    REFUSED(cudaHostAlloc((void **)&y, 4, 0), cudaErrorStreamCaptureUnsupported);
    REFUSED(cudaMallocManaged(&y, 4), cudaErrorStreamCaptureUnsupported);
    REFUSED(cudaDeviceSynchronize(), cudaErrorStreamCaptureUnsupported);
    REFUSED(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
    FORBIDDEN(cudaStreamDefault, cudaStreamCaptureModeRelaxed, cudaStreamSynchronize(stream),
              cudaErrorStreamCaptureUnsupported, cudaErrorStreamCaptureInvalidated);
    REFUSED(cudaStreamQuery(stream), cudaErrorStreamCaptureUnsupported);
    REFUSED(cudaEventQuery(past), cudaErrorStreamCaptureUnsupported);
    REFUSED((cudaEventRecord(event, stream), cudaEventQuery(event)), cudaErrorCapturedEvent);
    REFUSED(cudaMemcpy(&host, x, 4, cudaMemcpyDeviceToHost), cudaErrorStreamCaptureImplicit);
    REFUSED(cudaMemset(x, 0, 4), cudaErrorStreamCaptureImplicit);
    REFUSED(cudaMemsetAsync(x, 0, 4, 0), cudaErrorStreamCaptureImplicit);
    REFUSED((add<<<1, 1>>>(x, 1), cudaGetLastError()), cudaErrorStreamCaptureImplicit);
    FORBIDDEN(cudaStreamDefault, cudaStreamCaptureModeGlobal,
              (cudaEventRecord(event, stream), cudaStreamWaitEvent(other, event, 0), add<<<1, 1, 0, other>>>(x, 1),
               cudaGetLastError()),
              cudaSuccess, cudaErrorStreamCaptureUnjoined);
    TAKEN(cudaStreamDefault, cudaStreamCaptureModeGlobal,
          (cudaEventRecord(event, stream), cudaStreamWaitEvent(other, event, 0), add<<<1, 1, 0, other>>>(x, 1),
           cudaEventRecord(event, other), cudaStreamWaitEvent(stream, event, 0)));
    TAKEN(cudaStreamDefault, cudaStreamCaptureModeRelaxed, cudaMalloc(&y, 4));
    TAKEN(cudaStreamNonBlocking, cudaStreamCaptureModeGlobal, (add<<<1, 1>>>(x, 1), cudaGetLastError()));
    OK(cudaThreadExchangeStreamCaptureMode(&mode));
    EXPECT(mode == cudaStreamCaptureModeGlobal);
    TAKEN(cudaStreamDefault, cudaStreamCaptureModeGlobal, cudaMalloc(&y, 4));
    OK(cudaThreadExchangeStreamCaptureMode(&mode));
    OK(cudaStreamDestroy(other));
}

int main(void)
{
    int *x, *y, host = 1, seven = 7, least, greatest, priority;
    size_t nodes = 0;
    float milliseconds = -1;
    cudaStream_t a, b;
    cudaEvent_t start, stop, fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t replay;
    cudaStreamCaptureStatus status;

    OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    EXPECT(least >= greatest);
    OK(cudaStreamCreateWithPriority(&a, cudaStreamNonBlocking, greatest));
    OK(cudaStreamGetPriority(a, &priority));
    EXPECT(priority == greatest);
    OK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    OK(cudaMalloc(&x, sizeof *x));
    OK(cudaMalloc(&y, sizeof *y));
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&stop, cudaEventBlockingSync));
    OK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    OK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));

    OK(cudaEventRecord(start, a));
    OK(cudaMemcpyAsync(x, &host, sizeof host, cudaMemcpyHostToDevice, a));
    add<<<1, 32, 0, a>>>(x, 1);
    OK(cudaEventRecord(fork, a));
    OK(cudaStreamWaitEvent(b, fork, 0));
    add<<<1, 32, 0, b>>>(x, 2);
    OK(cudaMemcpyAsync(&host, x, sizeof host, cudaMemcpyDeviceToHost, b));
    OK(cudaLaunchHostFunc(b, count, &seven));
    OK(cudaEventRecordWithFlags(stop, a));
    OK(cudaEventSynchronize(stop));
    OK(cudaStreamSynchronize(b));
    EXPECT(host == 8 && called == 7);
    OK(cudaEventElapsedTime(&milliseconds, start, stop));
    EXPECT(milliseconds >= 0);
    OK(cudaEventQuery(stop));
    OK(cudaStreamQuery(a));

    /* Recorded, not executed. */
    OK(cudaMemset(x, 0, sizeof *x));
    OK(cudaDeviceSynchronize());
    OK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    OK(cudaMemsetAsync(y, 0, sizeof *y, a));
    for (int i = 1; i <= 3; i++)
        add<<<1, 32, 0, a>>>(x, i);
    OK(cudaEventRecord(fork, a));
    OK(cudaStreamWaitEvent(b, fork, 0));
    add<<<1, 32, 0, b>>>(y, 5);
    OK(cudaEventRecord(join, b));
    OK(cudaStreamWaitEvent(a, join, 0));
    OK(cudaMemcpyAsync(&host, x, sizeof host, cudaMemcpyDeviceToHost, a));
    OK(cudaStreamIsCapturing(a, &status));
    EXPECT(status == cudaStreamCaptureStatusActive);
    OK(cudaStreamEndCapture(a, &graph));
    OK(cudaStreamIsCapturing(b, &status));
    EXPECT(status == cudaStreamCaptureStatusNone);
    OK(cudaMemcpy(&priority, x, sizeof priority, cudaMemcpyDeviceToHost));
    EXPECT(priority == 0 && host == 8);
    OK(cudaGraphGetNodes(graph, NULL, &nodes));
    EXPECT(nodes == 6);
    OK(cudaGraphInstantiate(&replay, graph, 0));
    for (int i = 0; i < 3; i++) {
        run(replay, a);
        EXPECT(host == (i == 0 ? 11 : i == 1 ? 99 : 803));
    }
    OK(cudaMemcpy(&host, y, sizeof host, cudaMemcpyDeviceToHost));
    EXPECT(host == 5);
    add<<<1, 32, 0, b>>>(y, 1); /* executes at once again */
    OK(cudaStreamSynchronize(b));
    OK(cudaMemcpy(&host, y, sizeof host, cudaMemcpyDeviceToHost));
    EXPECT(host == 11);
    by_hand(b);
    with_memory(b);
    with_events(a, b);
    changed(b);
    forbidden();
}
