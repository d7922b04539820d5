/* Solves A x = b by conjugate gradients, where A has 2 on the diagonal and -1 next to it. The scalars of an iteration stay on
 * the device: lr_dot() leaves them there, and the next kernels of the stream read them. So the host starts iterations
 * without waiting; on a GPU it captures one into a graph and launches that once per iteration.
 *
 * On the CPU a kernel is a loop. On a GPU: nvcc -x cu -DUSE_CUDA, or hipcc -x hip -DUSE_HIP.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <libreduction.h>

#include "memory.h"

/* q = A p */
KERNEL apply(double *q, const double *p, size_t n)
{
    FOR_EACH(i, n)
    q[i] = 2 * p[i] - (i > 0 ? p[i - 1] : 0) - (i + 1 < n ? p[i + 1] : 0);
}

/* x += alpha p, r -= alpha q, where alpha = rr / pq */
KERNEL step(double *x, double *r, const double *p, const double *q, const double *rr,
            const double *pq, size_t n)
{
    FOR_EACH(i, n)
    {
        x[i] += *rr / *pq * p[i];
        r[i] -= *rr / *pq * q[i];
    }
}

/* p = r + beta p, where beta = rr_new / rr */
KERNEL turn(double *p, const double *r, const double *rr_new, const double *rr, size_t n)
{
    FOR_EACH(i, n)
    p[i] = r[i] + *rr_new / *rr * p[i];
}

KERNEL copy(double *to, const double *from)
{
    FOR_EACH(i, 1)
    to[i] = from[i];
}

struct cg {
    size_t n;
    double *x, *r, *p, *q;           /* n each */
    double *rr, *rr_new, *pq, *norm; /* one each */
    lr_handle *handle;
};

static int iterate(const struct cg *c, stream_t stream)
{
    START(apply, c->q, c->p, c->n);
    int status = lr_dot(c->handle, LR_DOUBLE, c->p, c->q, c->n, c->pq, stream);
    START(step, c->x, c->r, c->p, c->q, c->rr, c->pq, c->n);
    if (status == LR_OK)
        status = lr_dot(c->handle, LR_DOUBLE, c->r, c->r, c->n, c->rr_new, stream);
    START(turn, c->p, c->r, c->rr_new, c->rr, c->n);
    START(copy, c->rr, c->rr_new);
    return status == LR_OK ? lr_nrm2(c->handle, LR_DOUBLE, c->r, c->n, c->norm, stream) : status;
}

static double *vector(size_t n)
{
    double *v = (double *)shared_memory(n * sizeof *v);
    for (size_t i = 0; i < n; i++)
        v[i] = 0;
    return v;
}

int main(void)
{
    size_t n = 1000, iterations = 0;
    struct cg c = {n,         vector(n), vector(n), vector(n), vector(n),
                   vector(1), vector(1), vector(1), vector(1), NULL};
    int status = lr_create(&c.handle, 0);
    double right = 0;

    for (size_t i = 0; i < n; i++) /* b, of which x[i] = i + 1 is the solution */
        c.r[i] = c.p[i] = i + 1 < n ? 0 : (double)n + 1;
    *c.rr = ((double)n + 1) * ((double)n + 1);
    *c.norm = (double)n + 1;
#if defined(GPU)
    stream_t stream;
    GPU(Graph_t) graph;
    GPU(GraphExec_t) exec;
    if (GPU(StreamCreate)(&stream) != 0 ||
        GPU(StreamBeginCapture)(stream, GPU(StreamCaptureModeGlobal)) != 0)
        return EXIT_FAILURE;
    if (status == LR_OK)
        status = iterate(&c, stream);
    if (GPU(StreamEndCapture)(stream, &graph) != 0 ||
        GPU(GraphInstantiateWithFlags)(&exec, graph, 0) != 0)
        return EXIT_FAILURE;
#endif
    while (status == LR_OK && *c.norm > 1e-9 && iterations < 2 * n) {
        for (size_t k = 0; k < 10; k++, iterations++) /* waits only after every tenth */
#if defined(GPU)
            if (GPU(GraphLaunch)(exec, stream) != 0)
                return EXIT_FAILURE;
#else
            if (status == LR_OK)
                status = iterate(&c, NULL);
#endif
        wait_for_device();
    }
    if (status != LR_OK) {
        fprintf(stderr, "cg: %s\n", lr_text(status));
        return EXIT_FAILURE;
    }
    for (size_t i = 0; i < n; i++)
        right = fmax(right, fabs(c.x[i] - (double)(i + 1)));
    printf("%zu iterations, residual %.1e, error %.1e\n", iterations, *c.norm, right);
    lr_destroy(c.handle);
    return right < 1e-6 ? EXIT_SUCCESS : EXIT_FAILURE;
}
