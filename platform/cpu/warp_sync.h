/* warp_sync(): a barrier for the lanes of one warp on the CPU platform. A vote is where the lanes of a warp
 * meet; its outcome is not needed. */
#ifndef WARP_SYNC_H
#define WARP_SYNC_H

static inline void warp_sync(void)
{
    (void)__any(1);
}

#endif
