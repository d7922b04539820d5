/* The functions of NCCL that reduction_multi_gpu uses, for threads of one process on the CPU platform, where device
 * memory is the host's and a stream is done when a call returns. tests/test_multi_gpu.sh builds it as libnccl.so.2.
 * NCCL_FAILS=begin|reduce: that call fails. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define RANKS_MAX 64

struct communicator {
    int rank;
};

typedef struct {
    char bytes[128];
} unique_t;

static pthread_barrier_t barrier;
static int size;
static const void *from[RANKS_MAX];

static int fails(const char *call)
{
    const char *which = getenv("NCCL_FAILS");

    return which != NULL && strcmp(which, call) == 0;
}

int ncclGetUniqueId(unique_t *id)
{
    memset(id, 'x', sizeof *id);
    return 0;
}

int ncclCommInitRank(void **communicator, int ranks, unique_t id, int rank)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct communicator *c;

    if (fails("begin") || ranks > RANKS_MAX || id.bytes[0] != 'x')
        return 5;
    c = malloc(sizeof *c);
    pthread_mutex_lock(&lock);
    if (size == 0)
        pthread_barrier_init(&barrier, NULL, (unsigned)ranks);
    size = ranks;
    pthread_mutex_unlock(&lock);
    c->rank = rank;
    *communicator = c;
    pthread_barrier_wait(&barrier);
    return 0;
}

int ncclCommDestroy(void *communicator)
{
    free(communicator);
    return 0;
}

const char *ncclGetErrorString(int error)
{
    return error == 5 ? "invalid usage" : "unhandled system error";
}

#define REDUCE(T, PLUS)                                                                            \
    {                                                                                              \
        T result = *(const T *)from[0];                                                            \
        for (int k = 1; k < size; k++) {                                                           \
            T x = *(const T *)from[k];                                                             \
            if (op == 0)                                                                           \
                result = (T)((PLUS)result + (PLUS)x);                                              \
            else if (op == 2 ? x > result : x < result)                                            \
                result = x;                                                                        \
        }                                                                                          \
        memcpy(keep, &result, sizeof result);                                                      \
        bytes = sizeof result;                                                                     \
    }

int ncclAllReduce(const void *send, void *receive, size_t count, int type, int op,
                  void *communicator, void *stream)
{
    char keep[8];
    size_t bytes = 0;

    (void)stream;
    if (fails("reduce") || count != 1)
        return 5;
    from[((struct communicator *)communicator)->rank] = send;
    pthread_barrier_wait(&barrier);
    if (type == 7)
        REDUCE(float, float)
    else if (type == 8)
        REDUCE(double, double)
    else if (type == 2)
        REDUCE(int32_t, uint32_t)
    else if (type == 4)
        REDUCE(int64_t, uint64_t)
    pthread_barrier_wait(&barrier);
    memcpy(receive, keep, bytes);
    return bytes > 0 ? 0 : 5;
}

int ncclAllGather(const void *send, void *receive, size_t count, int type, void *communicator,
                  void *stream)
{
    size_t bytes = type == 7 || type == 2 ? 4 : 8;

    (void)stream;
    if (count != 1)
        return 5;
    from[((struct communicator *)communicator)->rank] = send;
    pthread_barrier_wait(&barrier);
    for (int k = 0; k < size; k++)
        memcpy((char *)receive + bytes * (size_t)k, from[k], bytes);
    pthread_barrier_wait(&barrier);
    return 0;
}
