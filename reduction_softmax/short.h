/* Softmax of rows of at most ALONE elements: a part of softmax.hip, inside its namespace, and therefore without an include
 * guard.
 * SPDX-License-Identifier: MIT */

/* An element of the input, or in the same place an output. */
union cell {
    element_t x;
    output_t y;
};

/* Rows of a tile after which their elements would be in the same banks of shared memory as the first ones: there a cell
 * stays empty. */
static __device__ __forceinline__ int turn_of(int columns)
{
    return SIDE / (columns & -columns);
}

/* The shortest rows: a thread has one alone, or several. They go through shared memory, so that threads side by side read
 * and write what is side by side in memory: SIDE threads have a tile. */
static __device__ __forceinline__ void keep_tile(const element_t *input, output_t *outputs,
                                                 struct state *states, size_t n, size_t rows,
                                                 int columns)
{
    HIP_DYNAMIC_SHARED(union cell, tiles);
    const int each = columns < MANY ? MANY / columns : 1; /* rows for each thread */
    const int many = each * SIDE, turn = turn_of(columns);
    int me = (int)(threadIdx.x % SIDE);
    union cell *tile = tiles + threadIdx.x / SIDE * (unsigned)(many * columns + many / turn);

    for (size_t lowest = (size_t)blockIdx.x * blockDim.x * each; lowest < rows;
         lowest += (size_t)gridDim.x * blockDim.x * each) {
        size_t begin = min_size((lowest + threadIdx.x / SIDE * many) * columns, n);
        int count = (int)min_size((size_t)(many * columns), n - begin); /* elements of the tile */
        const element_t *from = input + begin;
        output_t *to = outputs + begin;
        element_t x[ALONE];

#pragma unroll
        for (int u = 0; u < ALONE; u++)
            if (u < each * columns)
                x[u] = from[min_int(u * SIDE + me, count - 1)];
#pragma unroll
        for (int u = 0; u < ALONE; u++)
            if (u < each * columns && u * SIDE + me < count)
                tile[u * SIDE + u * SIDE / (turn * columns) + me].x = x[u];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < each; k++) {
            int row = k * SIDE + me, left = min_int(columns, count - row * columns);
            union cell *cells = tile + row * columns + row / turn;
            real_t w[ALONE];

            if (left <= 0)
                continue;
            struct state s = take(w, &cells->x, 0, left, 1, columns, false);
            if (begin == 0 && row == 0)
                *states = s;
            put(&cells->y, w, 0, left, 1, columns, false, 1 / sum_of(s));
        }
        __syncthreads();
#pragma unroll
        for (int u = 0; u < ALONE; u++)
            if (u < each * columns && u * SIDE + me < count)
                to[u * SIDE + me] = tile[u * SIDE + u * SIDE / (turn * columns) + me].y;
    }
}

/* A kernel for each number of columns, which the compiler has to know: registers have no numbers at run time. */
// clang-format off
#define ALL_ALONE(X)                                                                               \
    X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16)         \
    X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31) X(32)
// clang-format on
#define KEEP_TILE(COLUMNS)                                                                         \
    __global__ void LAUNCH_BOUNDS(2 * BLOCK_LOW)                                                   \
        softmax_alone_##COLUMNS(const element_t *input, output_t *outputs, struct state *states,   \
                                size_t n, size_t rows, unsigned, unsigned)                         \
    {                                                                                              \
        keep_tile(input, outputs, states, n, rows, COLUMNS);                                       \
    }
ALL_ALONE(KEEP_TILE)
