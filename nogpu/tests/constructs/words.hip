/* Words in memory that streams write and wait for.
 * SPDX-License-Identifier: MIT */
#include <hip/hip_runtime.h>

#include "construct.h"

__global__ void add(int *x, int value) { x[0] = x[0] * 10 + value; }

int main(void)
{
    uint32_t *word;
    uint64_t *wide;
    int *x, host = 0;
    hipStream_t a, b;

    OK(hipMalloc(&x, sizeof *x));
    OK(hipMemset(x, 0, sizeof *x));
    OK(hipHostMalloc(&word, 4 * sizeof *word));
    OK(hipHostMalloc(&wide, sizeof *wide));
    word[0] = word[1] = word[2] = 0;
    wide[0] = 0;
    OK(hipStreamCreateWithFlags(&a, hipStreamNonBlocking));
    OK(hipStreamCreateWithFlags(&b, hipStreamNonBlocking));
    EXPECT(hipStreamWriteValue32(a, NULL, 1, 0) == hipErrorInvalidValue);
    EXPECT(hipStreamWaitValue64(a, word + 1, 1, 0) == hipErrorInvalidValue);
    EXPECT(hipStreamWaitValue32(a, word, 1, 4) == hipErrorInvalidValue);
    (void)hipGetLastError();

    /* In the order of one stream. */
    OK(hipStreamWriteValue32(a, word, 5, 0));
    OK(hipStreamWaitValue32(a, word, 3, hipStreamWaitValueGte));
    OK(hipStreamWaitValue32(a, word, 5, hipStreamWaitValueEq));
    OK(hipStreamWaitValue32(a, word, 4, hipStreamWaitValueAnd));
    OK(hipStreamWaitValue32(a, word, 7, hipStreamWaitValueNor));
    OK(hipStreamWaitValue32(a, word, 1, hipStreamWaitValueEq, 0x3));
    OK(hipStreamWriteValue64(a, wide, 1ull << 40, 0));
    OK(hipStreamWaitValue64(a, wide, 1ull << 39, hipStreamWaitValueGte));
    OK(hipStreamSynchronize(a));
    EXPECT(word[0] == 5 && wide[0] == 1ull << 40);

    /* The word comes from a stream that waits for one itself, of the host. */
    OK(hipStreamWaitValue32(a, word + 1, 1, hipStreamWaitValueEq));
    add<<<1, 1, 0, a>>>(x, 2);
    OK(hipStreamWaitValue32(b, word + 2, 1, hipStreamWaitValueGte));
    add<<<1, 1, 0, b>>>(x, 1);
    OK(hipStreamWriteValue32(b, word + 1, 1, 0));
    EXPECT(hipStreamQuery(a) == hipErrorNotReady);
    __atomic_store_n(word + 2, 1, __ATOMIC_RELEASE);
    OK(hipMemcpyAsync(&host, x, sizeof host, hipMemcpyDeviceToHost, a));
    OK(hipStreamSynchronize(a));
    EXPECT(host == 12 && word[1] == 1);

    /* An event behind a wait, of another stream. */
    hipEvent_t event;
    OK(hipEventCreate(&event));
    OK(hipStreamWaitValue32(a, word + 3, 9, hipStreamWaitValueEq));
    add<<<1, 1, 0, a>>>(x, 3);
    OK(hipEventRecord(event, a));
    OK(hipStreamWaitEvent(b, event, 0));
    add<<<1, 1, 0, b>>>(x, 4);
    OK(hipStreamWriteValue32(NULL, word + 3, 9, 0));
    OK(hipStreamSynchronize(b));
    OK(hipMemcpy(&host, x, sizeof host, hipMemcpyDeviceToHost));
    EXPECT(host == 1234);
    OK(hipDeviceSynchronize());
    OK(hipEventDestroy(event));
    OK(hipStreamDestroy(a));
    OK(hipFree(x));
    OK(hipHostFree(word));
}
