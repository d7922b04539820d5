/* NVIDIA only, part of reproducible.hip: the tree of 8 units by one thread block cluster of sm_90 and newer, as
 * in single_pass (reduction_single_pass/nvidia_cluster.h says how it works). The same additions in the same
 * order: a block is a unit, and the first warp of the first block combines what reduce_groups() would.
 * SPDX-License-Identifier: MIT */
#define CLUSTER_GROUPS (COLUMNS / GROUP)

__global__ void LAUNCH_BOUNDS(COLUMNS) CLUSTER_DIMS(CLUSTER)
    reduce_tree_cluster(const element_t *input, value_t *result, word_t *report, size_t n,
                        struct order o)
{
#if defined(HAS_CLUSTERS)
    __shared__ value_t groups[CLUSTER][CLUSTER_GROUPS];

    cluster_begin();
    halves_t halves;
    halves.value = reduce_group(reduce_column(input, n, (size_t)input % VECTOR_BYTES == 0, o,
                                              blockIdx.x, threadIdx.x, false));

    cluster_wait(); /* every block has started, so the first block's shared memory exists */
    if (threadIdx.x % GROUP == 0)
        cluster_put(&groups[blockIdx.x][threadIdx.x / GROUP], halves.half, HALVES);
    if (!cluster_first() || threadIdx.x >= warp_lanes())
        return;

    /* Half a warp holds the groups of a unit: unit 2 k in value[k] of the lower half, unit 2 k + 1 of the upper. */
    value_t value[CLUSTER / 2];
    unsigned group = threadIdx.x % CLUSTER_GROUPS, upper = threadIdx.x / CLUSTER_GROUPS;
#pragma unroll
    for (unsigned k = 0; k < CLUSTER / 2; k++) {
        value[k] = group < o.columns / GROUP ? groups[2 * k + upper][group] : IDENTITY;
        for (unsigned distance = CLUSTER_GROUPS / 2; distance > 0; distance /= 2)
            value[k] = combine(value[k], __shfl_down(value[k], distance));
    }
    /* units u and u + 4, u and u + 2, u and u + 1 */
    value[0] = combine(combine(value[0], value[2]), combine(value[1], value[3]));
    value[0] = combine(value[0], __shfl_down(value[0], CLUSTER_GROUPS));
    if (threadIdx.x == 0)
        deliver(value[0], result, report);
#else
    (void)input, (void)result, (void)report, (void)n, (void)o;
#endif
}

/* Whether reduce_tree_cluster() was compiled for clusters. */
static bool has_clusters(void)
{
    hipFuncAttributes attributes = {};

    HIP_CHECK(hipFuncGetAttributes(&attributes, reduce_tree_cluster));
    return attributes.ptxVersion >= 90 && __CUDACC_VER_MAJOR__ >= 12;
}
