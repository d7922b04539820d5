/* The slots of combine/words.c, used turn by turn without a barrier: ranks are threads of one process, with different values
 * in every turn and random delays. A slot that is read too early has the value of an earlier turn.
 * SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "../../reduction_multi_gpu/combine/combine.h"

#ifndef TURNS_TRIED
#define TURNS_TRIED 30000
#endif
/* ---- functions that words.c calls: memory, and the operation */
void hip_check(hipError_t error, const char *what, const char *file, int line)
{
    if (error != hipSuccess) {
        fprintf(stderr, "%s:%d: %s\n", file, line, what);
        exit(3);
    }
}
hipError_t hipHostMalloc(void **pointer, size_t bytes, unsigned flags)
{
    (void)flags;
    *pointer = malloc(bytes);
    return hipSuccess;
}
hipError_t hipHostFree(void *pointer)
{
    free(pointer);
    return hipSuccess;
}
hipError_t hipHostRegister(void *host, size_t bytes, unsigned flags)
{
    (void)host, (void)bytes, (void)flags;
    return hipSuccess;
}
hipError_t hipHostUnregister(void *host)
{
    (void)host;
    return hipSuccess;
}
const char *hipGetErrorString(hipError_t error) { return error == hipSuccess ? "no error" : "an error"; }
hipError_t hipHostGetDevicePointer(void **device, void *host, unsigned flags)
{
    (void)flags;
#ifdef OTHER_ADDRESS /* the same memory at another address, as with a driver without a common address space */
    *device = mremap(host, 0, 1 << 16, MREMAP_MAYMOVE);
    return *device != MAP_FAILED && *device != host ? hipSuccess : hipErrorOutOfMemory;
#else
    *device = host;
    return hipSuccess;
#endif
}
hipError_t hipStreamSynchronize(hipStream_t stream)
{
    (void)stream;
    return hipSuccess;
}
size_t type_size(int type) { return type == TYPE_DOUBLE || type == TYPE_LONG ? 8 : 4; }
bool type_is_floating(int type) { return type == TYPE_FLOAT || type == TYPE_DOUBLE; }

static void add(int payload, const void *values, void *to, unsigned count)
{
    int64_t sum = 0;
    (void)payload;
    for (unsigned k = 0; k < count; k++)
        sum += ((const int64_t *)values)[k];
    *(int64_t *)to = sum;
}

static int64_t value_of(int rank, unsigned turn) { return (int64_t)turn * 1000003 + ((int64_t)(rank + 1) << 40); }

static int work(struct ranks *r, void *unused)
{
    static const struct combination own = {.on_host = add};
    struct combine c = {.task = {.ranks = r,
                                 .own = &own,
                                 .type = TYPE_LONG,
                                 .op = OP_SUM,
                                 .payload = PAYLOAD_VALUE,
                                 .how = COMBINE_DIRECT,
                                 .share = {.n = 1}}};
    unsigned noise = (unsigned)r->rank + 1;
    int wrong = 0;

    (void)unused;
    words_way.begin(&c);
    for (unsigned turn = 0; turn < TURNS_TRIED && wrong == 0; turn++) {
        struct reduction r_next = {.n = 0};
        uint64_t bits = (uint64_t)value_of(r->rank, turn);
        int64_t expected = 0;
        words_way.target(&c, &r_next);
        volatile uint64_t *to = r_next.host_on_device ? r_next.host_on_device : r_next.host;
        noise = noise * 1103515245 + 12345;
        for (volatile unsigned wait = noise >> 24; wait > 0; wait--)
            ;
        __atomic_store_n(&to[0], MARK | (uint32_t)bits, __ATOMIC_RELEASE);
        __atomic_store_n(&to[1], MARK | bits >> 32, __ATOMIC_RELEASE);
        words_way.receive(&c, NULL);
        for (int k = 0; k < r->size; k++)
            expected += value_of(k, turn);
        if (words_way.finish(&c).as.l != expected) {
            fprintf(stderr, "rank %d, turn %u: a value of another turn\n", r->rank, turn);
            wrong = 1;
        }
    }
    if (wrong)
        exit(1); /* the others would wait for this one */
    words_way.end(&c);
    return 0;
}

int main(int argc, char **argv) { return ranks_run_threads(argc > 1 ? atoi(argv[1]) : 3, work, NULL); }
