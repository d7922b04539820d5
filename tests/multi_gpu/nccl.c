/* The NCCL functions that reduction_multi_gpu uses, for ranks that are threads or processes on one host, on the CPU platform,
 * where device memory is the host's and a stream is done when a call returns. multi_gpu.bats builds it as libnccl.so.2.
 * Values go through a file in memory, whose name is the id. Sums begin with a different rank each time, because NCCL may
 * choose the order.
 * NCCL_FAILS=begin|reduce|gather: that call fails.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define RANKS_MAX 64
#define BYTES_MAX 16384

struct team {
    pthread_barrier_t barrier;
    char from[RANKS_MAX][BYTES_MAX];
};

struct communicator {
    struct team *team;
    int rank, size;
    unsigned turn;
};

typedef struct {
    char bytes[128];
} unique_t;

static int fails(const char *call)
{
    const char *which = getenv("NCCL_FAILS");

    return which != NULL && strcmp(which, call) == 0;
}

static struct team *map(const char *name)
{
    int file = shm_open(name, O_RDWR | O_CREAT, 0600);
    void *team = MAP_FAILED;

    if (file >= 0 && ftruncate(file, sizeof(struct team)) == 0)
        team = mmap(NULL, sizeof(struct team), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0)
        close(file);
    return team == MAP_FAILED ? NULL : team;
}

int ncclGetUniqueId(unique_t *id)
{
    memset(id, 0, sizeof *id);
    snprintf(id->bytes, sizeof id->bytes, "/nccl.%ld", (long)getpid());
    return 0;
}

int ncclCommInitRank(void **communicator, int size, unique_t id, int rank)
{
    struct communicator *c = malloc(sizeof *c);
    pthread_barrierattr_t shared;

    if (fails("begin") || size > RANKS_MAX || (c->team = map(id.bytes)) == NULL) {
        free(c);
        return 5;
    }
    c->rank = rank;
    c->size = size;
    c->turn = 0;
    volatile char *there = c->team->from[0];
    if (rank == 0) {
        pthread_barrierattr_init(&shared);
        pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
        pthread_barrier_init(&c->team->barrier, &shared, (unsigned)size);
        __sync_synchronize();
        *there = 1;
    }
    while (*there == 0)
        usleep(100);
    pthread_barrier_wait(&c->team->barrier);
    if (rank == 0)
        shm_unlink(id.bytes);
    *communicator = c;
    return 0;
}

int ncclCommDestroy(void *communicator)
{
    struct communicator *c = communicator;

    munmap(c->team, sizeof *c->team);
    free(c);
    return 0;
}

const char *ncclGetErrorString(int error) { return error == 5 ? "invalid usage" : "unhandled system error"; }

static size_t bytes_of(int type, size_t count) { return (type == 7 || type == 2 ? 4 : 8) * count; }

#define REDUCE(T, PLUS)                                                                                                \
    for (size_t i = 0; i < count; i++) {                                                                               \
        T result = ((const T *)team->from[c->turn % size])[i];                                                         \
        for (unsigned k = 1; k < size; k++) {                                                                          \
            T x = ((const T *)team->from[(c->turn + k) % size])[i];                                                    \
            if (op == 0)                                                                                               \
                result = (T)((PLUS)result + (PLUS)x);                                                                  \
            else if (op == 2 ? x > result : x < result)                                                                \
                result = x;                                                                                            \
        }                                                                                                              \
        ((T *)receive)[i] = result;                                                                                    \
    }

int ncclAllReduce(const void *send, void *receive, size_t count, int type, int op, void *communicator, void *stream)
{
    struct communicator *c = communicator;
    struct team *team = c->team;
    unsigned size = (unsigned)c->size;

    (void)stream;
    if (fails("reduce") || bytes_of(type, count) > BYTES_MAX)
        return 5;
    memcpy(team->from[c->rank], send, bytes_of(type, count));
    pthread_barrier_wait(&team->barrier);
    c->turn++;
    if (type == 7)
        REDUCE(float, float)
    else if (type == 8)
        REDUCE(double, double)
    else if (type == 2)
        REDUCE(int32_t, uint32_t)
    else if (type == 4)
        REDUCE(int64_t, uint64_t)
    else
        return 5;
    pthread_barrier_wait(&team->barrier);
    return 0;
}

int ncclAllGather(const void *send, void *receive, size_t count, int type, void *communicator, void *stream)
{
    struct communicator *c = communicator;
    size_t bytes = bytes_of(type, count);

    (void)stream;
    if (fails("gather") || bytes > BYTES_MAX)
        return 5;
    memcpy(c->team->from[c->rank], send, bytes);
    pthread_barrier_wait(&c->team->barrier);
    for (int k = 0; k < c->size; k++)
        memcpy((char *)receive + bytes * (size_t)k, c->team->from[k], bytes);
    pthread_barrier_wait(&c->team->barrier);
    return 0;
}
