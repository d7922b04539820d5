/* NVIDIA only, part of single_pass.hip: between 64 and 512 KiB, one thread block cluster of sm_90 and
 * newer does everything. Its 8 blocks write the values of their warps to the shared memory of the first
 * block and synchronize at a hardware barrier: no slots, no ticket, nothing through global memory. Measured on
 * an H200: 6-9 % at 2^15 and 2^16 floats.
 * SPDX-License-Identifier: MIT */
#define CLUSTER       8
#define CLUSTER_BLOCK 512
#define CLUSTER_FROM  4096 /* vectors */

__global__ void LAUNCH_BOUNDS(CLUSTER_BLOCK) CLUSTER_DIMS(CLUSTER)
    reduce_cluster(const value_t *input, value_t *result, word_t *report, size_t n, unsigned tile,
                   bool ready)
{
#if defined(HAS_CLUSTERS)
    __shared__ value_t shared[CLUSTER * CLUSTER_BLOCK / 32];
    unsigned warps = blockDim.x / warp_lanes();
    unsigned warp = blockIdx.x * warps + threadIdx.x / warp_lanes();

    begin(ready);
    cluster_begin();

    unsigned head = count_head(input, n);
    size_t vectors = (n - head) / LANES;
    size_t first = (size_t)tile * blockIdx.x;
    value_t sums[LANES];
    sums[0] = blockIdx.x == 0 ? load_edge(input, n, head) : IDENTITY;
    for (unsigned k = 1; k < LANES; k++)
        sums[k] = IDENTITY;
    if (first < vectors)
        add_vectors(sums, (const vector_t *)(input + head) + first,
                    (unsigned)(vectors - first < tile ? vectors - first : tile), false);
    halves_t halves;
    halves.value = reduce_warp(add_lanes(sums), warp_lanes());

    cluster_wait(); /* every block has started, so the first block's shared memory exists */
    if (threadIdx.x % warp_lanes() == 0)
        cluster_put(&shared[warp], halves.half, HALVES);
    if (!cluster_first() || threadIdx.x >= warp_lanes())
        return;

    value_t value = IDENTITY;
    for (unsigned w = threadIdx.x; w < CLUSTER * warps; w += warp_lanes())
        value = combine(value, shared[w]);
    value = reduce_warp(value, warp_lanes());
    if (threadIdx.x == 0)
        deliver(value, result, report);
#else
    (void)input, (void)result, (void)report, (void)n, (void)tile, (void)ready;
#endif
}

/* Whether reduce_cluster() was compiled for clusters. Asking the device is not enough: it also runs what was
 * compiled for an older one (GPU=sm_80), where the kernel is empty. */
static bool has_clusters(void)
{
    hipFuncAttributes attributes = {};

    HIP_CHECK(hipFuncGetAttributes(&attributes, reduce_cluster));
    return attributes.ptxVersion >= 90 && __CUDACC_VER_MAJOR__ >= 12;
}

/* Uses a cluster if the size is right, the device has clusters, and the user asked for no other shape. */
static bool plan_cluster(struct reduction *r, size_t vectors)
{
    unsigned threads_wanted = (unsigned)ceil_div(vectors, (size_t)CLUSTER * LOADS);
    if (vectors <= CLUSTER_FROM || threads_wanted > CLUSTER_BLOCK || !has_clusters())
        return false;
    r->grid = CLUSTER;
    r->block = round_up(threads_wanted, 32, 64, CLUSTER_BLOCK);
    ((struct planned *)r->planned)->walk.tile =
        round_up(ceil_div(vectors, CLUSTER), 8, 8, r->block * LOADS);
    return true;
}
