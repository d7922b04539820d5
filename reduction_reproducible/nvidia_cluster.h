/* NVIDIA only, part of reproducible.hip: the tree of 8 units by one thread block cluster of sm_90 and newer, as
 * in single_pass (reduction_single_pass/nvidia_cluster.h says how it works). The same additions in the same
 * order: a block is a unit, and the first warp of the first block combines what reduce_groups() would.
 * SPDX-License-Identifier: MIT */
#define CLUSTER_GROUPS (COLUMNS / GROUP)

/* CUDA 11 knows fewer of the instructions. */
#if __CUDA_ARCH__ >= 900 && __CUDACC_VER_MAJOR__ >= 12
#define HAS_CLUSTERS
#define CLUSTER_DIMS __cluster_dims__(CLUSTER, 1, 1)
#else
#define CLUSTER_DIMS
#endif

__global__ void LAUNCH_BOUNDS(COLUMNS) CLUSTER_DIMS
    reduce_tree_cluster(const element_t *input, value_t *result, word_t *report, size_t n,
                        struct order o)
{
#if defined(HAS_CLUSTERS)
    __shared__ value_t groups[CLUSTER][CLUSTER_GROUPS];

    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
    halves_t halves;
    halves.value = reduce_group(reduce_column(input, n, (size_t)input % VECTOR_BYTES == 0, o,
                                              blockIdx.x, threadIdx.x, false));

    /* Every block has started, so the first block's shared memory exists. */
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
    if (threadIdx.x % GROUP == 0) {
        value_t *slot = &groups[blockIdx.x][threadIdx.x / GROUP];
        unsigned here = (unsigned)__cvta_generic_to_shared(slot), there;
        asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(there) : "r"(here));
        for (unsigned k = 0; k < HALVES; k++)
            asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there + 4 * k),
                         "r"(halves.half[k])
                         : "memory");
    }
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    if (blockIdx.x != 0)
        return;
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
    if (threadIdx.x >= warp_lanes())
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
