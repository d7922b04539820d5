#include "arithmetic.h"

#include <float.h>
#include <string.h>

#include "device.h"
#include "device_kernels.h"
#include "reduction.h"

/* The second is lost in the first, and the third is subnormal, so they add up to twice the third. */
static const struct terms terms = {{1, FLT_EPSILON / 4, 0x3p-149f},
                                   {1, DBL_EPSILON / 4, 0x3p-1074}};
static const struct sums right = {0x6p-149f, 0x6p-1074};

/* By their bits: the host may take subnormal numbers for 0, too. */
static void compare(float f, double d, const char *where)
{
    if (memcmp(&f, &right.f, sizeof f) == 0 && memcmp(&d, &right.d, sizeof d) == 0)
        return;
    bool flushed =
        memcmp(&f, &(float){0}, sizeof f) == 0 || memcmp(&d, &(double){0}, sizeof d) == 0;
    device_end(
        "%s %s, so sums would differ from those of other machines: build without fast math "
        "(nvcc --use_fast_math, -ftz=true; hipcc -fgpu-flush-denormals-to-zero; -ffast-math)\n",
        where, flushed ? "take subnormal numbers for 0" : "do not add in the order of the source");
}

void arithmetic_check(hipStream_t stream)
{
    volatile struct terms t = terms;
    struct sums sums, *d_sums;

    HIP_CHECK(hipMalloc((void **)&d_sums, sizeof *d_sums));
    device_add(&terms, d_sums, stream);
    HIP_CHECK(hipMemcpyAsync(&sums, d_sums, sizeof sums, hipMemcpyDeviceToHost, stream));
    HIP_CHECK(hipStreamSynchronize(stream));
    HIP_CHECK(hipFree(d_sums));
    compare(sums.f, sums.d, "the kernels of this program");
    compare(ADDITIONS(t.f), ADDITIONS(t.d), "the host's parts of this program");
}
