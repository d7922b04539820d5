/* warp_sync(): a barrier for the lanes of one warp (AMD: wavefront) on AMD.
 *
 * The lanes of a wavefront share one program counter, so there is nobody to wait for: the instruction
 * is empty, and what counts is that the compiler moves no memory access across it. The fences have the
 * scope of a wavefront and cost no instruction. (LLVM, User Guide for AMDGPU Backend, memory model.) */
#ifndef WARP_SYNC_H
#define WARP_SYNC_H

static __device__ __forceinline__ void warp_sync(void)
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

#endif
