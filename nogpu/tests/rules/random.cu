/* Random numbers have the bits that cuRAND documents, in its order: generators of kernels and of the host. nvcc wants -lcurand.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>

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

static struct row *d_rows;
static void show(const char *name)
{
    struct row rows[COUNT];

    cudaMemcpy(rows, d_rows, sizeof rows, cudaMemcpyDeviceToHost);
    for (int i = 0; i < COUNT; i++)
        printf("%s %u %u %u %a %a %u\n", name, rows[i].bits[0], rows[i].bits[1], rows[i].bits[2],
               (double)rows[i].uniform, rows[i].uniform_double, rows[i].later);
}

static unsigned bits[MANY];
static double doubles[MANY];
static void show_host(const char *name, curandRngType_t type)
{
    curandGenerator_t g;

    if (curandCreateGeneratorHost(&g, type) != CURAND_STATUS_SUCCESS)
        return;
    if (type < CURAND_RNG_QUASI_DEFAULT)
        curandSetPseudoRandomGeneratorSeed(g, 20261128000ull);
    else
        curandSetQuasiRandomGeneratorDimensions(g, 2);
    for (int again = 0; again < 2; again++) {
        curandGenerate(g, bits, MANY);
        curandGenerateUniformDouble(g, doubles, MANY);
        printf("%s", name);
        for (int i = 0; i < 4; i++)
            printf(" %u %u %a", bits[i], bits[MANY / 4 * i + 4097], doubles[MANY / 4 * i + 4097]);
        printf("\n");
    }
    curandDestroyGenerator(g);
}

int main()
{
    curandDirectionVectors32_t *v = NULL, *d_v;
    curandDirectionVectors64_t *w = NULL, *d_w;

    cudaMalloc(&d_rows, COUNT * sizeof *d_rows);
    pseudo<curandStateXORWOW_t><<<1, COUNT>>>(d_rows);
    show("XORWOW");
    pseudo<curandStatePhilox4_32_10_t><<<1, COUNT>>>(d_rows);
    show("Philox");
    pseudo<curandStateMRG32k3a_t><<<1, COUNT>>>(d_rows);
    show("MRG32k3a");
    curandGetDirectionVectors32(&v, CURAND_DIRECTION_VECTORS_32_JOEKUO6);
    curandGetDirectionVectors64(&w, CURAND_DIRECTION_VECTORS_64_JOEKUO6);
    cudaMalloc(&d_v, 21 * sizeof *v);
    cudaMalloc(&d_w, 21 * sizeof *w);
    cudaMemcpy(d_v, v, 21 * sizeof *v, cudaMemcpyHostToDevice);
    cudaMemcpy(d_w, w, 21 * sizeof *w, cudaMemcpyHostToDevice);
    quasi<<<1, COUNT>>>(d_rows, d_v, d_w);
    show("Sobol");
    show_host("XORWOW", CURAND_RNG_PSEUDO_XORWOW);
    show_host("Philox", CURAND_RNG_PSEUDO_PHILOX4_32_10);
    show_host("MRG32k3a", CURAND_RNG_PSEUDO_MRG32K3A);
    show_host("Sobol", CURAND_RNG_QUASI_SOBOL32);
    return cudaFree(d_rows) || cudaFree(d_v) || cudaFree(d_w);
}
