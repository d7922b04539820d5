/* What segmented.hip needs from outside of the namespaces of instantiate.hip: the vendor's library, which
 * is C++ and comes before anything that may define macros, and the segments of common/.
 * SPDX-License-Identifier: MIT */
#ifndef SEGMENTED_PRELUDE_H
#define SEGMENTED_PRELUDE_H

#if defined(WITHOUT_LIBRARY) /* of the vendor: --method library is left out */
#elif defined(__HIP_PLATFORM_AMD__)
#include <chrono>   /* these two are used and not included */
#include <iostream> /* by the header below in ROCm 5.2 */
#include <rocprim/device/device_segmented_reduce.hpp>
#elif defined(__HIP_PLATFORM_NVIDIA__)
#include <cub/device/device_segmented_reduce.cuh>
#include <cub/version.cuh>
#endif

#include <hip/hip_runtime.h>
#include <iterator>
#include <stdio.h>
#include <stdlib.h>

#include "exit_codes.h"
#include "layout/segments.h"

#if (defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_NVIDIA__)) && !defined(WITHOUT_LIBRARY)
/* Where segments begin, as the iterator that the libraries want. */
struct segment_iterator {
    typedef std::random_access_iterator_tag iterator_category;
    typedef size_t value_type;
    typedef ptrdiff_t difference_type;
    typedef const size_t *pointer;
    typedef size_t reference;

    const size_t *offsets; /* as in struct segments */
    size_t length, n, first;

    __host__ __device__ size_t operator[](size_t k) const
    {
        if (offsets != NULL)
            return offsets[first + k];
        return (first + k) * length < n ? (first + k) * length : n;
    }
    __host__ __device__ size_t operator*() const
    {
        return (*this)[0];
    }
    __host__ __device__ segment_iterator &operator+=(size_t k) /* CUB 3.4 */
    {
        first += k;
        return *this;
    }
    __host__ __device__ segment_iterator operator+(size_t k) const
    {
        segment_iterator next = *this;
        next += k;
        return next;
    }
};
#endif

#endif
