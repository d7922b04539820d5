/* Whether this build adds as IEEE 754 and the source say. */
#ifndef REDUCTION_ARITHMETIC_H
#define REDUCTION_ARITHMETIC_H

#include <hip/hip_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Adds a few numbers in a kernel on stream and on the host. Where subnormal numbers become 0, or the compiler has
 * changed the order, it ends the program with one line and EXIT_DEVICE: nvcc's --use_fast_math and other flags that do
 * so have no macro by which a source could refuse them. For sums that must have the same bits everywhere. */
void arithmetic_check(hipStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
