/* Work on streams, and the host's accesses: what must wait for what. Lines that race are marked.
 * SPDX-License-Identifier: MIT */
#include "cases.h"

#include <pthread.h>

#define N 256

struct work {
    int *data, *sum;            /* of the device */
    int *host;                  /* pinned */
    hipStream_t one, two, free; /* the last one does not wait for the default stream */
    hipEvent_t event;
};

/* Runs a case with its streams and memory. */
template <bool (*of_case)(struct work &, int)> static bool streamed(int fault)
{
    struct work w;

    w.data = device_array<int>(N);
    w.sum = device_array<int>(1);
    must(hipHostMalloc(&w.host, N * sizeof(int), 0));
    memset(w.host, 0, N * sizeof(int));
    must(hipStreamCreate(&w.one));
    must(hipStreamCreate(&w.two));
    must(hipStreamCreateWithFlags(&w.free, hipStreamNonBlocking));
    must(hipEventCreate(&w.event));
    must(hipDeviceSynchronize());
    bool right = of_case(w, fault);
    must(hipDeviceSynchronize());
    must(hipStreamDestroy(w.free));
    return right;
}

__global__ void fill(int *data) { data[threadIdx.x] = (int)threadIdx.x; /* races */ }

__global__ void add(const int *data, int *sum) { atomicAdd(sum, data[threadIdx.x]); /* races */ }

static void launch_fill(int *data, hipStream_t stream) { fill<<<1, N, 0, stream>>>(data); }
static void launch_add(const struct work &w, hipStream_t stream) { add<<<1, N, 0, stream>>>(w.data, w.sum); }
static bool sum_is_right(const struct work &w)
{
    int sum;

    fetch(&sum, w.sum, 1);
    return sum == N * (N - 1) / 2;
}

/* The second kernel, on another stream, reads what the first one writes. */
static bool run_event(struct work &w, int fault)
{
    if (fault)
        must(hipEventRecord(w.event, w.one)); /* before the work it should follow */
    launch_fill(w.data, w.one);
    if (!fault)
        must(hipEventRecord(w.event, w.one));
    must(hipStreamWaitEvent(w.two, w.event, 0));
    launch_add(w, w.two);
    return sum_is_right(w);
}

static bool in_turn(struct work &w, hipStream_t first, hipStream_t second)
{
    launch_fill(w.data, first);
    launch_add(w, second);
    return sum_is_right(w);
}
static bool run_no_event(struct work &w, int fault) { return in_turn(w, w.one, fault ? w.two : w.one); }
/* A stream and the default stream wait for each other, unless it is hipStreamNonBlocking. */
static bool run_default(struct work &w, int fault) { return in_turn(w, 0, fault ? w.free : w.one); }
static bool run_default_second(struct work &w, int fault) { return in_turn(w, fault ? w.free : w.one, 0); }

static bool run_memset(struct work &w, int fault)
{
    int zero;

    must(hipMemset(w.data, 0, N * sizeof(int))); /* races */
    if (!fault)
        must(hipStreamSynchronize(0));
    launch_add(w, w.free);
    fetch(&zero, w.sum, 1);
    return zero == 0;
}

/* A flag between two kernels that run at the same time. */
__global__ void publish(int *data, int fault)
{
    data[1] = 7; /* races */
    if (!fault)
        __threadfence();
    atomicExch(data, 1);
}

__global__ void consume(int *data)
{
    while (atomicAdd(data, 0) == 0)
        ;
    __threadfence();
    data[2] = data[1]; /* races */
}

static bool run_kernels_hand_over(struct work &w, int fault)
{
    int got[3];

    publish<<<1, 1, 0, w.one>>>(w.data, fault);
    consume<<<1, 1, 0, w.two>>>(w.data);
    fetch(got, w.data, 3);
    return got[2] == 7;
}

static bool run_copy_to_variable(struct work &w, int fault)
{
    int got = 0;

    launch_fill(w.data, 0);
    must(hipMemcpyAsync(&got, w.data + 7, sizeof got, hipMemcpyDeviceToHost, 0)); /* races */
    if (!fault)
        must(hipDeviceSynchronize());
    bool right = got == 7; /* races */
    return right;
}

static bool run_copy_from_host(struct work &w, int fault)
{
    for (int i = 0; i < N; i++)
        w.host[i] = i;
    must(hipMemcpyAsync(w.data, w.host, N * sizeof(int), hipMemcpyHostToDevice, w.one)); /* races */
    must(hipEventRecord(w.event, w.one));
    if (!fault)
        must(hipEventSynchronize(w.event));
    w.host[9] = 0; /* races */
    launch_add(w, w.one);
    return sum_is_right(w);
}

/* hipMemcpy() waits for its own copy, and for streams that wait for the default one. */
static bool run_copy_that_waits(struct work &w, int fault)
{
    launch_fill(w.data, fault ? w.free : w.one);
    must(hipMemcpy(w.host, w.data, N * sizeof(int), hipMemcpyDeviceToHost)); /* races */
    return w.host[7] == 7;
}

/* ---- the host, during a kernel */

static bool run_managed(struct work &w, int fault)
{
    int *both;

    must(hipMallocManaged(&both, N * sizeof(int)));
    launch_fill(both, 0);
    launch_fill(w.data, 0);
    if (!fault)
        must(hipDeviceSynchronize());
    int got = both[7]; /* races */
    must(hipFree(both));
    return got == 7;
}

static bool run_query(struct work &w, int fault)
{
    launch_fill(w.host, w.one);
    must(hipEventRecord(w.event, fault ? w.two : w.one));
    while (hipEventQuery(w.event) == hipErrorNotReady)
        ;
    int got = w.host[7]; /* races */
    return got == 7;
}

/* The host waits for the word, and what it stands for may still be on its way. */
static bool run_word_alone(struct work &w, int fault)
{
    w.host[0] = w.host[1] = 0;
    publish<<<1, 1, 0, w.one>>>(w.host, fault);
    while (__atomic_load_n(w.host, __ATOMIC_ACQUIRE) == 0)
        ;
    int got = w.host[1]; /* races */
    return got == 7;
}

static void read_on_host(void *data)
{
    int *host = (int *)data;

    host[N - 1] = host[7]; /* races */
}

static bool run_host_function(struct work &w, int fault)
{
    launch_fill(w.host, w.one);
    must(hipLaunchHostFunc(w.one, read_on_host, w.host));
    must(hipStreamSynchronize(fault ? w.two : w.one));
    int got = w.host[N - 1]; /* races */
    return got == 7;
}

static void count_on_host(void *data) { ((int *)data)[7] += 1; /* races */ }

static struct {
    pthread_mutex_t lock;
    int done;
} told = {PTHREAD_MUTEX_INITIALIZER, 0};

static void tell(void *fault)
{
    if (fault == NULL)
        pthread_mutex_lock(&told.lock);
    told.done = 1; /* races */
    if (fault == NULL)
        pthread_mutex_unlock(&told.lock);
}

static bool run_mutex(struct work &w, int fault)
{
    must(hipLaunchHostFunc(w.one, tell, fault ? &told : NULL));
    pthread_mutex_lock(&told.lock);
    int done = told.done; /* races */
    pthread_mutex_unlock(&told.lock);
    launch_fill(w.data, w.two);
    return done == 1;
}

static bool run_function_first(struct work &w, int fault)
{
    memset(w.host, 0, N * sizeof(int));
    must(hipLaunchHostFunc(w.one, count_on_host, w.host));
    add<<<1, N, 0, fault ? w.two : w.one>>>(w.host, w.sum);
    must(hipDeviceSynchronize());
    return w.host[7] == 1;
}

/* ---- stream-ordered memory: another stream may use it only after its allocation, and before it is freed */

template <bool at_the_end> static bool run_own_memory(struct work &w, int fault)
{
    int *own;

    must(hipMallocAsync(&own, N * sizeof(int), w.one)); /* races */
    must(hipEventRecord(w.event, w.one));
    if (at_the_end || !fault)
        must(hipStreamWaitEvent(w.two, w.event, 0));
    launch_fill(own, w.two);
    must(hipEventRecord(w.event, w.two));
    if (!at_the_end || !fault)
        must(hipStreamWaitEvent(w.one, w.event, 0));
    must(hipFreeAsync(own, w.one)); /* races */
    return true;
}

static void launch_graph(hipGraph_t graph, hipStream_t stream)
{
    hipGraphExec_t exec;

    must(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    must(hipGraphLaunch(exec, stream));
    must(hipGraphExecDestroy(exec));
    must(hipGraphDestroy(graph));
}

static bool run_graph_memory(struct work &w, int fault)
{
    hipGraph_t graph;
    hipGraphExec_t exec;
    int *own;

    must(hipStreamBeginCapture(w.one, hipStreamCaptureModeGlobal));
    if (fault)
        must(hipEventRecord(w.event, w.one));
    must(hipMallocAsync(&own, N * sizeof(int), w.one)); /* races */
    if (!fault)
        must(hipEventRecord(w.event, w.one));
    must(hipStreamWaitEvent(w.two, w.event, 0));
    launch_fill(own, w.two);
    must(hipEventRecord(w.event, w.two));
    must(hipStreamWaitEvent(w.one, w.event, 0));
    must(hipFreeAsync(own, w.one));
    must(hipStreamEndCapture(w.one, &graph));
    must(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    must(hipGraphLaunch(exec, w.one));
    launch_graph(graph, w.one);
    must(hipGraphExecDestroy(exec));
    return true;
}

static bool run_nodes(struct work &w, int fault)
{
    hipGraph_t graph;
    hipGraphNode_t first, second;
    hipKernelNodeParams node = {};
    void *arguments[] = {&w.data, &w.sum};

    node.func = (void *)fill;
    node.gridDim = dim3(1);
    node.blockDim = dim3(N);
    node.kernelParams = arguments;
    must(hipGraphCreate(&graph, 0));
    must(hipGraphAddKernelNode(&first, graph, NULL, 0, &node));
    node.func = (void *)add;
    must(hipGraphAddKernelNode(&second, graph, &first, fault ? 0 : 1, &node));
    launch_graph(graph, w.one);
    return sum_is_right(w);
}

/* Two streams in turn: each has its own buffer, or both share one, which a copy and a kernel still use. */
static bool run_buffers(struct work &w, int fault)
{
    int *sum;

    must(hipMalloc(&sum, sizeof *sum));
    must(hipMemset(sum, 0, sizeof *sum));
    must(hipDeviceSynchronize());
    for (int k = 0; k < 2; k++) {
        hipStream_t stream = k ? w.two : w.one;
        int *buffer = k && !fault ? sum : w.sum, *own = w.host + 2 * k;
        must(hipMemcpyAsync(buffer, own, 4, hipMemcpyHostToDevice, stream)); /* races */
        add<<<1, N, 0, stream>>>(w.data, buffer);
        must(hipMemcpyAsync(own, buffer, 4, hipMemcpyDeviceToHost, stream)); /* races */
    }
    must(hipDeviceSynchronize());
    must(hipFree(sum));
    return true;
}

const struct planted_case streams[] = {
    {"an event", "recorded too early", streamed<run_event>},
    {"one stream", "two streams without an event", streamed<run_no_event>},
    {"the default stream first", "a stream that does not wait for it", streamed<run_default>},
    {"the default stream second", "it does not wait for that stream", streamed<run_default_second>},
    {"a fill", "nothing waits for it", streamed<run_memset>},
    {"a flag between kernels", "no fence", streamed<run_kernels_hand_over>},
    {"a copy to a variable", "the host does not wait", streamed<run_copy_to_variable>},
    {"a copy from the host", "which writes there meanwhile", streamed<run_copy_from_host>},
    {"a copy that waits", "not for that stream", streamed<run_copy_that_waits>},
    {"two streams, two buffers", "one buffer", streamed<run_buffers>},
    {"managed memory", "the host does not wait", streamed<run_managed>},
    {"an event query", "another stream's event", streamed<run_query>},
    {"a word that the host polls", "no fence", streamed<run_word_alone>},
    {"a host function", "nothing waits for it", streamed<run_host_function>},
    {"a host function with a mutex", "it does not lock it", streamed<run_mutex>},
    {"a host function first", "on another stream", streamed<run_function_first>},
    {"nodes of a graph", "no dependency", streamed<run_nodes>},
    {"a graph's memory", "another branch uses it too early", streamed<run_graph_memory>},
    {"memory that a stream allocates", "another uses it too early", streamed<run_own_memory<false>>},
    {"memory that a stream frees", "another still uses it", streamed<run_own_memory<true>>},
    {NULL, NULL, NULL},
};
