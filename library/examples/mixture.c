/* Finds the centres of three clusters by expectation maximization. A point's densities are e^-5000 and less, which is 0 in
 * double, so they are kept as logarithms, and the sum of densities is a log-sum-exp: of all points in one launch.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libreduction.h>

#include "memory.h"

#define CLUSTERS 3

/* The logarithm of the density of point i in cluster k, but for a constant: log_density[k * n + i]. */
KERNEL log_densities(double *log_density, const double *x, const double *weight, const double *weighted, size_t n)
{
    FOR_EACH(at, CLUSTERS * n)
    {
        double distance = x[at % n] - weighted[at / n] / weight[at / n];
        log_density[at] = log(weight[at / n]) - distance * distance / 2;
    }
}

/* The share that each cluster has in a point, in place. */
KERNEL shares(double *share, const double *log_sum, size_t n)
{
    FOR_EACH(at, CLUSTERS * n)
    share[at] = exp(share[at] - log_sum[at % n]);
}

struct mixture {
    size_t n;
    double *x, *share, *log_sum;          /* n points; CLUSTERS rows of n; n */
    double *weight, *weighted, *evidence; /* CLUSTERS; CLUSTERS sums of share * x; one */
    lr_handle *handle;
};

static int iterate(const struct mixture *m)
{
    stream_t stream = NULL; /* the default stream */
    struct lr_lines of_points, of_clusters;

    memset(&of_points, 0, sizeof of_points); /* a column for each point */
    of_points.lines = m->n;
    of_points.length = CLUSTERS;
    of_points.lead = 1;
    of_points.step = m->n;
    memset(&of_clusters, 0, sizeof of_clusters);
    of_clusters.lines = CLUSTERS;
    of_clusters.length = of_clusters.lead = m->n;
    of_clusters.step = 1;

    START(log_densities, m->share, m->x, m->weight, m->weighted, m->n);
    int status = lr_reduce(m->handle, LR_OP_LOGSUMEXP, LR_DOUBLE, m->share, NULL, &of_points, m->log_sum, NULL, stream);
    START(shares, m->share, m->log_sum, m->n);
    if (status == LR_OK)
        status = lr_reduce(m->handle, LR_OP_SUM, LR_DOUBLE, m->share, NULL, &of_clusters, m->weight, NULL, stream);
    if (status == LR_OK)
        status = lr_dots(m->handle, LR_DOUBLE, m->share, CLUSTERS, m->n, m->x, m->n, m->weighted, stream);
    return status == LR_OK ? lr_sum(m->handle, LR_DOUBLE, m->log_sum, m->n, m->evidence, stream) : status;
}

static double *vector(size_t n) { return (double *)shared_memory(n * sizeof(double)); }

int main(void)
{
    static const double centre[CLUSTERS] = {0, 400, 1000}, first[CLUSTERS] = {100, 450, 900};
    size_t n = 3000;
    struct mixture m = {n,         vector(n), vector(CLUSTERS * n), vector(n), vector(CLUSTERS), vector(CLUSTERS),
                        vector(1), NULL};
    double error = 0, before = -INFINITY;
    int status = lr_create(&m.handle, 0), grew = 1;

    for (size_t i = 0; i < n; i++) { /* -1 to 1 around its centre */
        size_t member = i / CLUSTERS, last = n / CLUSTERS - 1;
        m.x[i] = centre[i % CLUSTERS] + 2 * (double)member / (double)last - 1;
    }
    for (size_t k = 0; k < CLUSTERS; k++) {
        m.weight[k] = (double)n / CLUSTERS;
        m.weighted[k] = m.weight[k] * first[k];
    }
    for (int k = 0; k < 10 && status == LR_OK; k++) {
        status = iterate(&m);
        wait_for_device();
        grew = grew && *m.evidence >= before - 1e-9 * fabs(before);
        before = *m.evidence;
    }
    if (status != LR_OK) {
        fprintf(stderr, "mixture: %s\n", lr_text(status));
        return EXIT_FAILURE;
    }
    for (size_t k = 0; k < CLUSTERS; k++)
        error = fmax(error, fabs(m.weighted[k] / m.weight[k] - centre[k]));
    printf("log likelihood %.6g, error of the centres %.1e\n", before, error);
    lr_destroy(m.handle);
    return grew && error < 1e-9 ? EXIT_SUCCESS : EXIT_FAILURE;
}
