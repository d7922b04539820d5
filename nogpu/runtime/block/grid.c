/* The barrier of a cooperative launch.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>

#include "../internal.h"

/* Of the launch in progress: there is one at a time. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t go;
    uint64_t arrived, left, generation;
} grid = {.lock = PTHREAD_MUTEX_INITIALIZER, .go = PTHREAD_COND_INITIALIZER};

void hip_cpu_grid_begin(void) { grid.arrived = grid.left = 0; }

void hip_cpu_grid_barrier(const char *file, int line)
{
    const struct run *run = hip_cpu_worker->run;

    pthread_mutex_lock(&grid.lock);
    uint64_t generation = grid.generation;
    bool last = ++grid.arrived == run->blocks;
    if (last) {
        grid.arrived = 0;
        grid.generation++;
        pthread_cond_broadcast(&grid.go);
    }
    OBSERVE(grid_arrive, last);
    while (generation == grid.generation) {
        if (grid.arrived + grid.left == run->blocks)
            hip_cpu_fatal("hip: kernel %s: %llu of %llu blocks wait at the grid barrier %s:%d and the "
                          "others have returned: let every block reach it\n",
                          run->launch->kernel, (unsigned long long)grid.arrived, (unsigned long long)run->blocks, file,
                          line);
        pthread_cond_wait(&grid.go, &grid.lock);
    }
    pthread_mutex_unlock(&grid.lock);
    OBSERVE(grid_resume);
}

void hip_cpu_grid_leave(void)
{
    pthread_mutex_lock(&grid.lock);
    grid.left++;
    pthread_cond_broadcast(&grid.go); /* waiting blocks check whether all others have returned */
    pthread_mutex_unlock(&grid.lock);
}
