/* SPDX-License-Identifier: MIT */
#include "arithmetic.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "device.h"
#include "device_kernels.h"
#include "reduction.h"
#include "verdict/precise.h"

/* The second is lost in the first, and the third is subnormal, so they add up to twice the third. */
static const struct terms terms = {{1, FLT_EPSILON / 4, 0x3p-149f, NAN}, {1, DBL_EPSILON / 4, 0x3p-1074, (double)NAN}};
static const struct sums right = {0x6p-149f, NANS_ALL, 0x6p-1074};

static _Noreturn void refuse(const char *where, const char *what)
{
    device_end("%s %s, so sums and verdicts would be wrong: build without fast math (-ffast-math, "
               "-funsafe-math-optimizations, -ffinite-math-only, also for the linker; nvcc "
               "--use_fast_math, -ftz=true; hipcc -fgpu-flush-denormals-to-zero)\n",
               where, what);
}

/* By their bits: the host may take subnormal numbers for 0, too. */
static void judge(const struct sums *s, const char *where)
{
    bool same = memcmp(&s->f, &right.f, sizeof s->f) == 0 && memcmp(&s->d, &right.d, sizeof s->d) == 0;

    if (!same && (memcmp(&s->f, &(float){0}, sizeof s->f) == 0 || memcmp(&s->d, &(double){0}, sizeof s->d) == 0))
        refuse(where, "take subnormal numbers for 0");
    if (!same)
        refuse(where, "do not add in the order of the source");
    if (s->nans != right.nans)
        refuse(where, "take NaN for a number");
}

static void check(void)
{
    volatile struct terms t = terms;
    volatile double small = 0x1p-60;
    struct sums sums, host = {ADDITIONS(t.f), NANS(t.f) | NANS(t.d) << 2, ADDITIONS(t.d)}, *d_sums;
    double one = t.d[0], lost;

    HIP_CHECK(hipMalloc((void **)&d_sums, sizeof *d_sums));
    device_add(&terms, d_sums, 0);
    HIP_CHECK(hipMemcpy(&sums, d_sums, sizeof sums, hipMemcpyDeviceToHost));
    HIP_CHECK(hipFree(d_sums));
    judge(&sums, "the kernels of this program");
    judge(&host, "the host's parts of this program");
    if (two_sum(one, small, &lost) != one || lost != small)
        refuse("the host's parts of this program", "do not add in the order of the source");
}

void arithmetic_check(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT; /* ranks may be threads */

    pthread_once(&once, check);
}
