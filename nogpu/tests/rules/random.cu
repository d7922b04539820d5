/* Random numbers have the bits that cuRAND documents, in its order: generators of kernels and of the host. nvcc wants -lcurand.
 * SPDX-License-Identifier: MIT */
#include "rule.h"

#include <curand.h>
#include <curand_kernel.h>

#define COUNT 8
#define MANY  (1 << 17)

struct row {
    unsigned bits[3];
    float uniform;
    double uniform_double;
    unsigned later;
};

template <typename S> __global__ void pseudo(struct row *rows)
{
    S s;
    struct row *r = &rows[threadIdx.x];

    curand_init(1234567890123ull, threadIdx.x * 70000ull + ((unsigned long long)(threadIdx.x == 3) << 40),
                threadIdx.x * 1000000007ull, &s);
    for (int i = 0; i < 3; i++)
        r->bits[i] = curand(&s);
    r->uniform = curand_uniform(&s);
    r->uniform_double = curand_uniform_double(&s);
    skipahead(12345ull, &s);
    skipahead_sequence(3ull, &s);
    r->later = curand(&s);
}

__global__ void quasi(struct row *rows, curandDirectionVectors32_t *v, curandDirectionVectors64_t *w)
{
    curandStateSobol32_t s;
    curandStateSobol64_t t;
    struct row *r = &rows[threadIdx.x];

    curand_init(v[threadIdx.x + 13], 12345u, &s);
    curand_init(w[threadIdx.x + 13], 123456789012ull, &t);
    for (int i = 0; i < 3; i++)
        r->bits[i] = curand(&s);
    r->uniform = curand_uniform(&s);
    r->uniform_double = curand_uniform_double(&t);
    r->later = (unsigned)(curand(&t) >> 32);
}

static int failed;
static struct row *rows;
static void on_device(const char *name, unsigned want)
{
    failed |= cudaDeviceSynchronize() != cudaSuccess || differs(name, rows, COUNT * sizeof *rows, want);
}

static void on_host(const char *name, curandRngType_t type, unsigned want)
{
    static unsigned bits[MANY];
    static double doubles[MANY];
    curandGenerator_t g;
    struct {
        unsigned first, later;
        double number;
    } given[2][4];

    if (curandCreateGeneratorHost(&g, type) != CURAND_STATUS_SUCCESS)
        return;
    if (type < CURAND_RNG_QUASI_DEFAULT)
        curandSetPseudoRandomGeneratorSeed(g, 20261128000ull);
    else
        curandSetQuasiRandomGeneratorDimensions(g, 2);
    for (auto &four : given) {
        curandGenerate(g, bits, MANY);
        curandGenerateUniformDouble(g, doubles, MANY);
        for (int i = 0; i < 4; i++)
            four[i] = {bits[i], bits[MANY / 4 * i + 4097], doubles[MANY / 4 * i + 4097]};
    }
    curandDestroyGenerator(g);
    failed |= differs(name, given, sizeof given, want);
}

int main()
{
    curandDirectionVectors32_t *v = NULL, *d_v;
    curandDirectionVectors64_t *w = NULL, *d_w;

    cudaMallocManaged(&rows, COUNT * sizeof *rows);
    memset(rows, 0, COUNT * sizeof *rows);
    pseudo<curandStateXORWOW_t><<<1, COUNT>>>(rows);
    on_device("XORWOW", 0x7f48d28b);
    pseudo<curandStatePhilox4_32_10_t><<<1, COUNT>>>(rows);
    on_device("Philox", 0x8ecfada3);
    pseudo<curandStateMRG32k3a_t><<<1, COUNT>>>(rows);
    on_device("MRG32k3a", 0xaffd6dc9);
    curandGetDirectionVectors32(&v, CURAND_DIRECTION_VECTORS_32_JOEKUO6);
    curandGetDirectionVectors64(&w, CURAND_DIRECTION_VECTORS_64_JOEKUO6);
    cudaMalloc(&d_v, 21 * sizeof *v);
    cudaMalloc(&d_w, 21 * sizeof *w);
    cudaMemcpy(d_v, v, 21 * sizeof *v, cudaMemcpyHostToDevice);
    cudaMemcpy(d_w, w, 21 * sizeof *w, cudaMemcpyHostToDevice);
    quasi<<<1, COUNT>>>(rows, d_v, d_w);
    on_device("Sobol", 0x3e09b354);
    on_host("XORWOW, host", CURAND_RNG_PSEUDO_XORWOW, 0x61583f57);
    on_host("Philox, host", CURAND_RNG_PSEUDO_PHILOX4_32_10, 0xc3a98a5b);
    on_host("MRG32k3a, host", CURAND_RNG_PSEUDO_MRG32K3A, 0xe85b1402);
    on_host("Sobol, host", CURAND_RNG_QUASI_SOBOL32, 0x0a222265);
    return failed;
}
