/* The right outputs: the host side of softmax.hip, inside its namespace, and therefore without an include guard.
 *
 * The bound, with u the unit roundoff of the outputs, m the largest element of a row and d = m - x. To round d costs
 * d u exp(-d), and exp() is within 2 ulps, 4 u (CUDA says 2 for floats; the others say 1). On its way to the sum a term
 * is scaled down from the largest of its part to that of the row: in all that is d, too, and each of `chain` steps has
 * an exp(), a product and an addition. So the sum is off by 6 (chain + 1) u and the mean of d u, weighted with exp(-d);
 * an output has its own d u, two exp(), a division and a product besides. What is below the normal numbers may become 0, everywhere.
 * SPDX-License-Identifier: MIT */

struct outputs {
    const struct input_view *in;
    const output_t *y;
    size_t columns, chain;
};

static long double below_largest(value_t x, value_t largest)
{
#if IS_FLOATING(VALUE_TYPE)
    return x == largest ? 0 : (long double)largest - x;
#else
    return (long double)((bits_t)largest - (bits_t)x);
#endif
}

/* Row k: the largest error divided by its bound. */
static struct verdict judge_row(void *context, size_t k)
{
    const struct outputs *o = (const struct outputs *)context;
    const long double u = sizeof(real_t) == 4 ? 0x1p-24 : 0x1p-53,
                      least = sizeof(real_t) == 4 ? 0x1p-126 : 0x1p-1022;
    size_t begin = k * o->columns, end = min_size(begin + o->columns, o->in->n);
    value_t largest = LOWEST;
    long double sum = 0, mean = 0;
    struct verdict v = {VERDICT_OK, 0, 0, 1, "a-priori"};

    for (size_t i = begin; i < end; i++)
        largest = value_extreme(largest, input_at(o->in, i), false);
    for (size_t i = begin; i < end; i++) {
        long double d = below_largest(input_at(o->in, i), largest), w = expl(-d);
        sum += w;
        mean += w > 0 ? w * d : 0;
    }
    long double common =
        mean / sum + 6 * (long double)(o->chain + 3) + (long double)(end - begin) * least / u;
    for (size_t i = begin; i < end; i++) {
        long double d = below_largest(input_at(o->in, i), largest), right = expl(-d) / sum;
        /* exp() of a d beyond 12000 is 0 */
        long double bound = right * expm1l(u * (fminl(d, 12000) + common)) + 3 * least;
        long double error = fabsl(o->y[i] - right);
        if (isnan(sum)) /* then all outputs are */
            error = isnan(o->y[i]) ? 0 : INFINITY;
        if (!(error == 0 || error <= bound))
            v.outcome = VERDICT_FAIL;
        else if (bound > 0.01L * right + 3 * least && v.outcome == VERDICT_OK)
            v.outcome = VERDICT_UNPROVEN;
        v.error = (double)fmaxl(v.error, error == 0 ? 0 : error / bound);
    }
    return v;
}

/* All rows: how many there are, how many have a wrong output, and the largest error divided by its bound. */
static size_t check_outputs(const struct reduction *r, const struct input_view *in,
                            struct extra out[EXTRAS_MAX])
{
    static const char *const names[] = {"rows", "rows_wrong", "rows_worst"};
    const struct planned *p = (const struct planned *)r->planned;
    size_t bytes = r->n * sizeof(output_t);
    output_t *y = (output_t *)malloc(bytes + 1);
    struct outputs o = {in, y, p->columns, r->chain};

    HIP_CHECK(y != NULL ? hipSuccess : hipErrorOutOfMemory);
    HIP_CHECK(hipMemcpy(y, outputs_of(r), bytes, hipMemcpyDeviceToHost));
    size_t count = extra_many(names, ceil_div(r->n, p->columns), judge_row, &o, out);
    free(y);
    return count;
}
