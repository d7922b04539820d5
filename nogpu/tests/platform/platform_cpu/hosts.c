/* What host code sees: refused launches, errors, the device, events, memory, threads and children.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "parts.h"

TEST(bad_launches)
{
    static const struct {
        dim3 grid, block;
        hipError_t error;
    } shapes[] = {
        {{0, 1, 1}, {32, 1, 1}, hipErrorInvalidConfiguration},
        {{1, 0, 1}, {32, 1, 1}, hipErrorInvalidConfiguration},
        {{1, 1, 1}, {0, 1, 1}, hipErrorInvalidConfiguration},
        {{1, 1, 1}, {1025, 1, 1}, hipErrorInvalidConfiguration},
        {{1, 1, 1}, {32, 33, 1}, hipErrorInvalidConfiguration},
        {{1, 1, 1}, {65536, 65536, 1}, hipErrorInvalidConfiguration},
        {{1, 65536, 1}, {1, 1, 1}, hipErrorInvalidConfiguration},
        {{1u << 31, 1, 1}, {1, 1, 1}, hipErrorInvalidConfiguration},
        {{1u << 24, 1, 1}, {256, 1, 1}, hipErrorInvalidConfiguration}, /* 2^32 threads */
        {{1, 1, 1}, {1024, 1, 1}, hipSuccess},
    };
    int *seen = device_bytes(1024 * sizeof *seen), *wrong = device_bytes(sizeof *wrong);
    unsigned char *first = device_bytes(16);

    for (size_t i = 0; i < COUNT(shapes); i++) {
        ck_assert_int_eq(run_indices(shapes[i].grid, shapes[i].block, seen, wrong), shapes[i].error);
        OK(hipGetLastError()); /* returned once */
    }
    ck_assert_int_eq(seen[0], 1); /* only the last launch ran */
    OK(run_shared_bytes(16, 65536, first));
    ck_assert_int_eq(run_shared_bytes(16, 65537, first), hipErrorInvalidValue);
    OK(hipGetLastError());

    ALL(hipFree(first + 1) == hipErrorInvalidValue, hipPeekAtLastError() == hipErrorInvalidValue,
        hipGetLastError() == hipErrorInvalidValue);
    OK(hipPeekAtLastError());
}

TEST(error_texts)
{
    ALL(hipSuccess == 0, hipErrorInvalidValue == 1, hipErrorOutOfMemory == 2, hipErrorInvalidConfiguration == 9,
        hipErrorNoDevice == 100, hipErrorInvalidDevice == 101, hipErrorLaunchFailure == 719,
        hipErrorCooperativeLaunchTooLarge == 720);
    ck_assert_str_eq(hipGetErrorName(hipErrorNoDevice), "hipErrorNoDevice");
    ck_assert_str_eq(hipGetErrorString(hipErrorOutOfMemory), "out of memory");
    ck_assert_str_eq(hipGetErrorString((hipError_t)12345), "unknown error");
}

TEST(the_device)
{
    hipDeviceProp_t p;
    int value;
    char name[64];
    size_t total, free_bytes;

    OK(hipGetDeviceCount(&value));
    ck_assert_int_eq(value, 1);
    OK(hipSetDevice(0));
    ALL(hipSetDevice(1) == hipErrorInvalidDevice, hipSetDevice(-1) == hipErrorInvalidDevice);
    OK(hipGetDevice(&value));
    ALL(value == 0, hipDeviceGetAttribute(&value, hipDeviceAttributeWarpSize, 1) == hipErrorInvalidDevice,
        hipGetDeviceProperties(&p, 3) == hipErrorInvalidDevice);
    OK(hipGetDeviceProperties(&p, 0));
    OK(hipDeviceGetName(name, sizeof name, 0));
    ALL(strncmp(name, "CPU: ", 5) == 0, strncmp(name, p.name, sizeof name - 1) == 0);
    OK(hipDeviceTotalMem(&total, 0));
    ck_assert_uint_eq(total, p.totalGlobalMem);
    OK(hipMemGetInfo(&free_bytes, &total));
    ALL(total == p.totalGlobalMem, free_bytes <= total, free_bytes > 0);

    const struct {
        hipDeviceAttribute_t attribute;
        int want;
    } attributes[] = {
        {hipDeviceAttributeWarpSize, p.warpSize},
        {hipDeviceAttributeMaxThreadsPerBlock, 1024},
        {hipDeviceAttributeMaxBlockDimX, p.maxThreadsDim[0]},
        {hipDeviceAttributeMaxGridDimX, p.maxGridSize[0]},
        {hipDeviceAttributeMaxGridDimY, p.maxGridSize[1]},
        {hipDeviceAttributeMaxSharedMemoryPerBlock, 65536},
        {hipDeviceAttributeMultiprocessorCount, p.multiProcessorCount},
        {hipDeviceAttributeMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor},
        {hipDeviceAttributeCooperativeLaunch, 1},
        {hipDeviceAttributeMemoryBusWidth, 0},
        {hipDeviceAttributeL2CacheSize, p.l2CacheSize},
        {hipDeviceAttributeWallClockRate, 1000000},
    };
    for (size_t i = 0; i < COUNT(attributes); i++) {
        OK(hipDeviceGetAttribute(&value, attributes[i].attribute, 0));
        ck_assert_int_eq(value, attributes[i].want);
    }
    ck_assert_int_eq(hipDeviceGetAttribute(&value, (hipDeviceAttribute_t)9999, 0), hipErrorInvalidValue);
    OK(hipRuntimeGetVersion(&value));
    ck_assert_int_gt(value, 50000000);
    OK(hipFuncSetAttribute(&p, hipFuncAttributeMaxDynamicSharedMemorySize, 65536));
    ck_assert_int_eq(hipFuncSetAttribute(&p, hipFuncAttributeMaxDynamicSharedMemorySize, 65537), hipErrorInvalidValue);
    OK(hipDeviceSynchronize());
}

TEST(streams_and_events)
{
    hipStream_t stream;
    hipEvent_t start, stop, untimed;
    float ms = -1, again = -1;

    OK(hipStreamCreate(&stream));
    OK(hipEventCreate(&start));
    OK(hipEventCreateWithFlags(&stop, hipEventBlockingSync));
    OK(hipEventCreateWithFlags(&untimed, hipEventDisableTiming));
    ck_assert_int_eq(hipEventElapsedTime(&ms, start, stop), hipErrorInvalidHandle);
    struct timespec pause = {0, 20000000}, before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    OK(hipEventRecord(start, stream));
    OK(hipEventRecord(untimed, stream));
    nanosleep(&pause, NULL);
    OK(hipEventRecord(stop, stream));
    clock_gettime(CLOCK_MONOTONIC, &after);
    OK(hipEventSynchronize(stop));
    OK(hipStreamWaitEvent(stream, stop, 0));
    OK(hipEventElapsedTime(&ms, start, stop));
    ck_assert_float_ge(ms, 19);
    double most = 1e3 * (double)(after.tv_sec - before.tv_sec) + 1e-6 * (double)(after.tv_nsec - before.tv_nsec);
    ck_assert_double_le((double)ms, most + 1e-3); /* a float rounds */
    OK(hipEventElapsedTime(&again, stop, start));
    ck_assert_float_eq_tol(again, -ms, 1e-4f);
    ck_assert_int_eq(hipEventElapsedTime(&ms, start, untimed), hipErrorInvalidHandle);
    ck_assert_int_eq(hipEventRecord(NULL, stream), hipErrorInvalidHandle);
    OK(hipStreamSynchronize(stream));
    OK(hipEventDestroy(start));
    OK(hipStreamDestroy(stream));
    OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    OK(hipStreamDestroy(stream));
    /* A destroyed stream, and one that never existed. */
    for (int k = 0; k < 2; k++, stream = (hipStream_t)(void *)&ms) {
        ALL(hipStreamSynchronize(stream) == hipErrorInvalidHandle, hipStreamDestroy(stream) == hipErrorInvalidHandle,
            hipLaunchHostFunc(stream, free, NULL) == hipErrorInvalidHandle,
            hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal) == hipErrorInvalidHandle);
    }
    ck_assert_int_eq(hipStreamCreateWithFlags(&stream, 77), hipErrorInvalidValue);
}

TEST(memory)
{
    static const size_t sizes[] = {1, 4, 8, 16, 100, 4095, 4096, 4097, 1000000};
    unsigned char bytes[200], *memory;
    void *none = &none;
    uint64_t poison = POISON;

    for (size_t i = 0; i < COUNT(sizes); i++) {
        OK(hipMalloc((void **)&memory, sizes[i]));
        MUST((uintptr_t)memory % 16 == 0);
        for (size_t k = 0; k < sizes[i]; k++)
            MUST(memory[k] == ((unsigned char *)&poison)[k % 8]);
        OK(hipMemset(memory, 0x5a, sizes[i]));
        MUST(memory[sizes[i] - 1] == 0x5a);
        ck_assert_int_eq(hipMemset(memory, 0, sizes[i] + 1), hipErrorInvalidValue);
        OK(hipFree(memory));
        ALL(hipFree(memory) == hipErrorInvalidValue, hipMemset(memory, 0, 1) == hipErrorInvalidValue);
    }
    OK(hipMalloc(&none, 0));
    ck_assert_ptr_null(none);
    OK(hipFree(NULL));
    ALL(hipMalloc(NULL, 10) == hipErrorInvalidValue, hipMalloc((void **)&memory, SIZE_MAX / 2) == hipErrorOutOfMemory,
        memory == NULL, hipMalloc((void **)&memory, SIZE_MAX) == hipErrorOutOfMemory);

    /* Allocated memory counts as used even if it has not been touched. */
    size_t before, after, total;
    OK(hipMemGetInfo(&before, &total));
    OK(hipMalloc((void **)&memory, total / 4));
    OK(hipMemGetInfo(&after, &total));
    ALL(after <= total - total / 4, hipMalloc(&none, total - total / 8) == hipErrorOutOfMemory);
    OK(hipFree(memory));

    memory = device_bytes(100);
    for (unsigned i = 0; i < 200; i++)
        bytes[i] = (unsigned char)i;
    OK(hipMemcpy(memory, bytes + 7, 100, hipMemcpyHostToDevice));
    OK(hipMemcpy(memory + 1, memory, 99, hipMemcpyDeviceToDevice)); /* may overlap */
    memset(bytes, 0, sizeof bytes);
    OK(hipMemcpyAsync(bytes, memory, 100, hipMemcpyDefault, NULL));
    MUST(bytes[0] == 7);
    MUST(bytes[1] == 7);
    MUST(bytes[99] == 105);
    ck_assert_int_eq(hipMemcpy(memory, bytes, 101, hipMemcpyHostToDevice), hipErrorInvalidValue);
    ck_assert_int_eq(hipMemcpy(bytes, memory + 50, 51, hipMemcpyDeviceToHost), hipErrorInvalidValue);
    ck_assert_int_eq(hipMemcpy(bytes, memory - 1, 1, hipMemcpyDeviceToHost), hipErrorInvalidValue);
    /* the wrong way round */
    ck_assert_int_eq(hipMemcpy(bytes, memory, 10, hipMemcpyHostToDevice), hipErrorInvalidValue);
    ck_assert_int_eq(hipMemcpy(memory, bytes, 10, hipMemcpyDeviceToHost), hipErrorInvalidValue);
    ck_assert_int_eq(hipMemcpy(memory, bytes, 10, (hipMemcpyKind)9), hipErrorInvalidMemcpyDirection);
    ck_assert_int_eq(hipMemcpy(NULL, bytes, 10, hipMemcpyHostToDevice), hipErrorInvalidValue);
    OK(hipMemcpy(NULL, bytes, 0, hipMemcpyHostToDevice));
    OK(hipFree(memory));

    void *host, *device;
    OK(hipHostMalloc(&host, 64, hipHostMallocDefault));
    OK(hipMemcpy(host, bytes, 64, hipMemcpyHostToHost));
    OK(hipMemcpy(bytes, host, 64, hipMemcpyDeviceToHost));
    OK(hipHostGetDevicePointer(&device, host, 0));
    ck_assert_ptr_eq(device, host);
    OK(hipFree(host)); /* HIP allows this */
    ck_assert_int_eq(hipHostFree(host), hipErrorInvalidValue);
    device = device_bytes(64);
    ck_assert_int_eq(hipHostFree(device), hipErrorInvalidValue);
    OK(hipFree(device));

    for (int i = 0; i < 500; i++) { /* more than the runtime keeps after hipFree() */
        OK(hipMalloc(&host, 5000));
        OK(hipFree(host));
    }
}

TEST(fresh_shared_memory)
{
    uint64_t poison = POISON;
    unsigned char *first = device_bytes(200);

    for (int again = 0; again < 3; again++) {
        OK(run_shared_bytes(200, 200, first));
        for (unsigned i = 0; i < 200; i++)
            MUST(first[i] == ((unsigned char *)&poison)[i % 8]);
    }
}

static void *launch_often(void *memory)
{
    int *seen = memory;
    for (int i = 0; i < 50; i++)
        if (run_indices((dim3){20, 1, 1}, (dim3){10, 1, 1}, seen, seen + 200) != hipSuccess)
            return memory;
    return NULL;
}

TEST(two_host_threads)
{
    pthread_t threads[2];
    int *memory[2];

    for (int i = 0; i < 2; i++) {
        memory[i] = device_bytes(201 * sizeof(int));
        MUST(pthread_create(&threads[i], NULL, launch_often, memory[i]) == 0);
    }
    for (int i = 0; i < 2; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        ck_assert_ptr_null(failed);
        for (int k = 0; k < 200; k++)
            MUST(memory[i][k] == 50);
    }
}

TEST(launch_after_fork)
{
    int *memory = device_bytes(201 * sizeof(int));
    ck_assert_ptr_null(launch_often(memory));
    pid_t child = fork();
    if (child == 0)
        _exit(launch_often(memory) == NULL && memory[7] == 100 ? 0 : 1);
    int status;
    waitpid(child, &status, 0);
    ALL(status == 0, memory[7] == 50);
}
