/* Indices beyond 2^32, on the CPU: an array of 32 GiB, nearly all of it the same page of zeros; of each launch only the blocks
 * with the other elements run.
 * Suite: kernels program
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <hip/hip_runtime_api.h>

#include "contract/contract.h"
#include "hip_cpu/runtime.h"
#include "program.h"
#include "suite.h"

#define N     (((size_t)1 << 32) + 5)
#define MORE  ((size_t)1 << 26) /* so that kernels that take several steps at once do so at 2^32 */
#define BLOCK 256

/* Variants with a thread for one or two elements, whose launches begin shortly before 2^31 and 2^32, or only 2^32; and
 * variants that stride over the array, in steps of 2^22 threads. In the others all blocks would have to run. */
static const struct {
    const char *name;
    unsigned grid;
    int64_t sum; /* of the elements that the first blocks of each launch read */
    const char *option, *value;
} subjects[] = {
    {"reduction_interleaved", 0, 11111, NULL, NULL},
    {"reduction_bank_conflicts", 0, 11111, NULL, NULL},
    {"reduction_no_striding", 0, 11111, NULL, NULL},
    {"reduction_first_add", 0, 11101, NULL, NULL},
    {"reduction_unroll_last_warp", 0, 11101, NULL, NULL},
    {"reduction_unrolled", 0, 11101, NULL, NULL},
    {"reduction_striding", 1 << 14, 111111, NULL, NULL},
    {"reduction_two_kernel_calls", 1 << 14, 111111, NULL, NULL},
    {"reduction_two_kernels_unroll", 1 << 14, 111111, NULL, NULL},
    {"reduction_shfl", 1 << 14, 111111, NULL, NULL},
    {"reduction_shuffles", 1 << 14, 111111, "trees", "tile"},
    {"reduction_shuffles", 1 << 14, 111111, "trees", "four"},
    {"reduction_shuffles", 1 << 14, 111111, "trees", "shared"},
    {"reduction_vector_loads", 1 << 14, 111111, NULL, NULL},
    {"reduction_atomic", 1 << 14, 111111, NULL, NULL},
    {"reduction_statistics", 1 << 14, 111111, NULL, NULL},
};

static struct contract *contracts;

void contract_add(struct contract *c)
{
    c->next = contracts;
    contracts = c;
}

SUITE_ONCE(program_need_device, NULL)

TESTS(far_elements, COUNT(subjects))
{
    const struct contract *c = contracts;

    if (!suite_wants(subjects[_i].name))
        return;
    while (c != NULL && strcmp(c->variant.name, subjects[_i].name) != 0)
        c = c->next;
    ck_assert_msg(c != NULL, "%s is not there", subjects[_i].name);

    size_t n = N + (subjects[_i].grid > 0 ? MORE : 0);
    int64_t *input =
        mmap(NULL, n * sizeof *input, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (input == MAP_FAILED)
        return; /* the machine does not overcommit memory */
    input[0] = 1;
    input[700] = 10000; /* in the third block, or the second */
    input[(size_t)1 << 31] = 10;
    input[(size_t)1 << 32] = 100;
    input[n - 1] = 1000;
    if (subjects[_i].grid > 0)
        input[MORE + 700] = 100000; /* 2^32 + 5 elements before the end */

    const struct variant_entry *e = &c->sum_long;
    struct reduction r = {.n = n,
                          .grid = subjects[_i].grid,
                          .block = BLOCK,
                          .arch = "cpu",
                          .warp_size = 32,
                          .compute_units = 2,
                          .threads_per_unit = 4096};
    variant_options_default(&c->variant, &r);
    if (subjects[_i].option != NULL)
        ck_assert(variant_option_set(&c->variant, &r, subjects[_i].option, subjects[_i].value));
    hip_cpu_set_warp_size(32);
    e->plan(&r);
    HIP_CHECK(hipMalloc(&r.workspace, r.workspace_bytes > 0 ? r.workspace_bytes : 1));
    HIP_CHECK(hipHostMalloc(&r.host, r.host_bytes > 0 ? r.host_bytes : 1, 0));
    HIP_CHECK(hipStreamCreate(&r.stream));
    HIP_CHECK(hipMemset(r.workspace, 0, r.workspace_bytes));
    HIP_CHECK(hipDeviceSynchronize());

    int64_t result = 0;
    hip_cpu_set_window(0, 3);
    e->launch(&r, input);
    e->finish(&r, &result);
    hip_cpu_set_window(0, 0);
    ck_assert_msg(result == subjects[_i].sum,
                  "%s: elements 0, 2^31, 2^32, the last of %zu, 700 and, of a grid, 2^26 + 700 are 1, "
                  "10, 100 ... 100000; those in the blocks that run make %lld, and the sum is %lld",
                  c->variant.name, n, (long long)subjects[_i].sum, (long long)result);

    HIP_CHECK(hipFree(r.workspace));
    HIP_CHECK(hipHostFree(r.host));
    HIP_CHECK(hipStreamDestroy(r.stream));
    munmap(input, n * sizeof *input);
}
