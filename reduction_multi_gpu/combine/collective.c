/* Both libraries have the same functions, and numbers that have not changed since NCCL 2.0. They are declared here, so
 * that neither is needed for a build; where one is installed, the compiler compares.
 * SPDX-License-Identifier: MIT */
#include "collective.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "harness/device/device.h"
#include "values/scalar.h"

#if defined(__HIP_PLATFORM_AMD__)
#define NAME    "RCCL"
#define LIBRARY "librccl.so.1"
#if __has_include(<rccl/rccl.h>)
#include <rccl/rccl.h>
#define HAS_HEADER
#endif
#else
#define NAME    "NCCL"
#define LIBRARY "libnccl.so.2"
#if __has_include(<nccl.h>) && defined(__HIP_PLATFORM_NVIDIA__)
#include <nccl.h>
#define HAS_HEADER
#endif
#endif

#define ID_BYTES 128
typedef struct {
    char bytes[ID_BYTES];
} unique_t;

/* The numbers of types.h, which are the library's. (int): two enumerations are compared. */
#define NUMBER_OF_TYPE(x, number, name, element, result, value, kind, digits, bits, member,        \
                       largest, lowest, nccl, ...)                                                 \
    NUMBER_OF_##name = nccl,
#define NUMBER_OF_OPERATION(x, number, name, combined, identity, hot, cold, nccl, ...)             \
    NUMBER_OF_##name = nccl,
enum { TYPES(NUMBER_OF_TYPE, ) OPERATIONS(NUMBER_OF_OPERATION, ) };
#define NUMBER(x, number, name, ...) NUMBER_OF_##name,
static const int types[] = {TYPES(NUMBER, )};
static const int ops[] = {OPERATIONS(NUMBER, )}; /* -1: it has none */

#if defined(HAS_HEADER)
#define IS(library, name) ((int)(library) == (int)NUMBER_OF_##name)
_Static_assert(IS(ncclFloat32, float) && IS(ncclFloat64, double) && IS(ncclInt32, int) &&
                   IS(ncclInt64, long),
               "types");
_Static_assert(IS(ncclSum, sum) && IS(ncclMin, min) && IS(ncclMax, max), "operations");
_Static_assert(sizeof(ncclUniqueId) == ID_BYTES && ncclSuccess == 0, "identification, success");
#endif

/* The functions that are used. */
static struct {
    int (*id)(unique_t *);
    int (*begin)(void **communicator, int size, unique_t id, int rank);
    int (*reduce)(const void *, void *, size_t, int type, int op, void *communicator, hipStream_t);
    int (*gather)(const void *, void *, size_t, int type, void *communicator, hipStream_t);
    int (*end)(void *communicator);
    const char *(*error)(int);
} library;

static bool find(void *from, const char *name, void *function)
{
    void *symbol = dlsym(from, name);

    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

bool collective_load(char *message)
{
    void *from = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

    if (from != NULL && find(from, "ncclGetUniqueId", &library.id) &&
        find(from, "ncclCommInitRank", &library.begin) &&
        find(from, "ncclAllReduce", &library.reduce) &&
        find(from, "ncclAllGather", &library.gather) &&
        find(from, "ncclCommDestroy", &library.end) &&
        find(from, "ncclGetErrorString", &library.error))
        return true;
    snprintf(message, COLLECTIVE_MESSAGE_MAX,
             NAME
             " cannot be loaded: %.300s: install it, or put its folder into LD_LIBRARY_PATH, or "
             "give --combine mpi or direct",
             from == NULL ? dlerror() : LIBRARY " lacks a function");
    return false;
}

static void check(int error, const char *what)
{
    if (error != 0)
        device_end(NAME ": %s: %s: NCCL_DEBUG=WARN says more\n", what, library.error(error));
}

bool collective_begin(struct collective *c, struct ranks *r, char *message)
{
    unique_t mine = {{0}}, all[r->size];
    int error = r->rank == 0 ? library.id(&mine) : 0;

    r->gather(r, &mine, sizeof mine, all);
    if (error == 0)
        error = library.begin(&c->communicator, r->size, all[0], r->rank);
    if (error != 0)
        snprintf(message, COLLECTIVE_MESSAGE_MAX,
                 NAME " cannot begin: %.200s: NCCL_DEBUG=WARN says more", library.error(error));
    return error == 0;
}

void collective_end(struct collective *c)
{
    check(library.end(c->communicator), "ncclCommDestroy");
}

bool collective_has(int type, int op)
{
    return ops[op] >= 0 && (op == OP_SUM || !type_is_floating(type));
}

void collective_reduce(struct collective *c, const void *from, void *to, size_t count, int type,
                       int op, hipStream_t stream)
{
    check(library.reduce(from, to, count, types[type], ops[op], c->communicator, stream),
          "ncclAllReduce");
}

void collective_gather(struct collective *c, const void *from, void *to, size_t count, int type,
                       hipStream_t stream)
{
    check(library.gather(from, to, count, types[type], c->communicator, stream), "ncclAllGather");
}
