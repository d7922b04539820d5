/* warp_sync(): a barrier for the lanes of one warp on NVIDIA. Since Volta each lane has a program counter
 * of its own (independent thread scheduling), so that lanes really wait here. (CUDA C++ Programming
 * Guide, Warp Synchronous Functions.) */
#ifndef WARP_SYNC_H
#define WARP_SYNC_H

static __device__ __forceinline__ void warp_sync(void)
{
    __syncwarp();
}

#endif
