/* Solves A x = b by conjugate gradients, where A has 2 on the diagonal and -1 next to it. In the form of Chronopoulos and Gear
 * an iteration needs two products of r, with itself and with A r: lr_dots() makes both in one launch. They stay on the device,
 * where the next kernels of the stream read them. So the host starts iterations without waiting; on a GPU it captures one
 * into a graph and launches that once per iteration.
 *
 * On the CPU a kernel is a loop. On a GPU: nvcc -x cu -DUSE_CUDA, or hipcc -x hip -DUSE_HIP.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <libreduction.h>

#include "memory.h"

struct scalars {
    double rr, wr; /* what lr_dots() leaves here: (r, r) and (A r, r) */
    double rr_before, alpha, beta;
};

KERNEL next_scalars(struct scalars *all)
{
    FOR_EACH(i, 1)
    {
        struct scalars *s = all + i;
        s->beta = s->rr / s->rr_before;
        s->alpha = s->rr / (s->wr - s->beta * s->rr / s->alpha);
        s->rr_before = s->rr;
    }
}

/* p = r + beta p, q = A p by the same recurrence, x += alpha p, r -= alpha q */
KERNEL step(double *x, double *r, const double *w, double *p, double *q, const struct scalars *s, size_t n)
{
    FOR_EACH(i, n)
    {
        p[i] = r[i] + s->beta * p[i];
        q[i] = w[i] + s->beta * q[i];
        x[i] += s->alpha * p[i];
        r[i] -= s->alpha * q[i];
    }
}

/* w = A r */
KERNEL apply(double *w, const double *r, size_t n)
{
    FOR_EACH(i, n)
    w[i] = 2 * r[i] - (i > 0 ? r[i - 1] : 0) - (i + 1 < n ? r[i + 1] : 0);
}

struct cg {
    size_t n;
    double *x, *p, *q; /* n each */
    double *r, *w;     /* n each, w behind r: two vectors for lr_dots() */
    struct scalars *s;
    lr_handle *handle;
};

static int products(const struct cg *c, stream_t stream)
{
    START(apply, c->w, c->r, c->n);
    return lr_dots(c->handle, LR_DOUBLE, c->r, 2, c->n, c->r, c->n, &c->s->rr, stream);
}

static int iterate(const struct cg *c, stream_t stream)
{
    START(next_scalars, c->s);
    START(step, c->x, c->r, c->w, c->p, c->q, c->s, c->n);
    return products(c, stream);
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
    struct cg c = {n, vector(n), vector(n), vector(n), vector(2 * n), NULL, NULL, NULL};
    int status = lr_create(&c.handle, 0);
    double error = 0;
    stream_t stream = NULL;

    c.w = c.r + n;
    c.r[n - 1] = (double)n + 1; /* b, of which x[i] = i + 1 is the solution */
    c.s = (struct scalars *)shared_memory(sizeof *c.s);
    c.s->rr_before = INFINITY; /* the first beta is 0 */
    c.s->alpha = 1;
#if defined(GPU)
    GPU(Graph_t) graph;
    GPU(GraphExec_t) exec;
    if (GPU(StreamCreate)(&stream) != 0)
        return EXIT_FAILURE;
#endif
    if (status == LR_OK)
        status = products(&c, stream);
#if defined(GPU)
    if (GPU(StreamBeginCapture)(stream, GPU(StreamCaptureModeGlobal)) != 0)
        return EXIT_FAILURE;
    if (status == LR_OK)
        status = iterate(&c, stream);
    if (GPU(StreamEndCapture)(stream, &graph) != 0 || GPU(GraphInstantiateWithFlags)(&exec, graph, 0) != 0)
        return EXIT_FAILURE;
#endif
    wait_for_device();
    while (status == LR_OK && sqrt(c.s->rr) > 1e-9 && iterations < 2 * n) {
        for (size_t k = 0; k < 10; k++, iterations++) /* waits only after every tenth */
#if defined(GPU)
            if (GPU(GraphLaunch)(exec, stream) != 0)
                return EXIT_FAILURE;
#else
            if (status == LR_OK)
                status = iterate(&c, stream);
#endif
        wait_for_device();
    }
    if (status != LR_OK) {
        fprintf(stderr, "cg: %s\n", lr_text(status));
        return EXIT_FAILURE;
    }
    for (size_t i = 0; i < n; i++)
        error = fmax(error, fabs(c.x[i] - (double)(i + 1)));
    printf("%zu iterations, residual %.1e, error %.1e\n", iterations, sqrt(c.s->rr), error);
    lr_destroy(c.handle);
    return error < 1e-6 ? EXIT_SUCCESS : EXIT_FAILURE;
}
