#include "threads.h"

#ifdef _OPENMP
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *wait_at_gate(void *unused)
{
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    return unused;
}

/* How many of `most` threads can be there at the same time. */
static int threads_possible(int most)
{
    pthread_t *threads = malloc((size_t)most * sizeof *threads);
    int count = 0;

    if (threads == NULL)
        return 0;
    pthread_mutex_lock(&gate);
    while (count < most && pthread_create(&threads[count], NULL, wait_at_gate, NULL) == 0)
        count++;
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    return count;
}

void threads_begin(void)
{
    int started = 0;
    int more = omp_get_max_threads() - 1, possible = threads_possible(more);

    if (possible < more)
        omp_set_num_threads(possible / 2 + 1); /* some are left for others */
#pragma omp parallel
#pragma omp atomic
    started++; /* a region with nothing in it would be left out */
}
#else
void threads_begin(void)
{
}
#endif
