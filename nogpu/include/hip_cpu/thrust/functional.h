/* Thrust's functors, with the two bases that rocThrust has and CUDA 13 has not.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_THRUST_FUNCTIONAL_H
#define HIP_CPU_THRUST_FUNCTIONAL_H

#include "hip_cpu/thrust_begin.h"
#include_next <thrust/functional.h>
#include "hip_cpu/thrust_end.h"

#if THRUST_VERSION >= 300000
THRUST_NAMESPACE_BEGIN
template <typename Argument, typename Result> struct unary_function {
    typedef Argument argument_type;
    typedef Result result_type;
};
template <typename First, typename Second, typename Result> struct binary_function {
    typedef First first_argument_type;
    typedef Second second_argument_type;
    typedef Result result_type;
};
THRUST_NAMESPACE_END
#endif

#endif
