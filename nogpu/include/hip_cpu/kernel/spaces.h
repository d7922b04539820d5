/* Which memory an address belongs to. A __constant__ variable is one like any other here.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_SPACES_H
#define HIP_CPU_SPACES_H

#include "hip_cpu/language.h"

HIP_CPU_INLINE unsigned __isShared(const void *address) { return hip_cpu_is_shared(address); }
HIP_CPU_INLINE unsigned __isLocal(const void *address) { return hip_cpu_is_local(address); }
HIP_CPU_INLINE unsigned __isGlobal(const void *address)
{
    return !hip_cpu_is_shared(address) && !hip_cpu_is_local(address);
}
#if defined(__has_attribute)
#if __has_attribute(unavailable)
unsigned __isConstant(const void *address)
    __attribute__((unavailable("the CPU platform has no memory for constants: ask for __isGlobal(), which they are"
                               " here, or build for a GPU")));
#endif
#endif
#ifdef HIP_CPU_HOSTED /* our own tests bring theirs */
#define __builtin_amdgcn_is_shared(address)  hip_cpu_is_shared(address)
#define __builtin_amdgcn_is_private(address) hip_cpu_is_local(address)
#endif

#endif
