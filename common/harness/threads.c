/* SPDX-License-Identifier: MIT */
#include "threads.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "exit_codes.h"

#define STACK_MIN ((size_t)256 << 10) /* for the reference */

/* Ends the program where it would run out of stack. */
static void check_stack(void)
{
    struct rlimit stack;

    if (getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur < STACK_MIN) {
        fprintf(stderr, "the stack is limited to %llu KiB: raise it with ulimit -s 8192 and start again\n",
                (unsigned long long)stack.rlim_cur >> 10);
        exit(EXIT_USAGE);
    }
}

#ifdef _OPENMP
#include <omp.h>
#include <pthread.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

/* Bytes of stack that OMP_STACKSIZE gives each thread, in KiB unless it has a unit; 0: the default. */
static size_t requested_stack(const char *text)
{
    char *unit;
    unsigned shift = 10;

    if (text == NULL || !isdigit((unsigned char)text[strspn(text, " ")]))
        return 0;
    unsigned long long number = strtoull(text, &unit, 10);
    unit += strspn(unit, " ");
    switch (tolower((unsigned char)*unit)) {
    case 'b':
        shift = 0;
        break;
    case 'm':
        shift = 20;
        break;
    case 'g':
        shift = 30;
        break;
    }
    return number > SIZE_MAX >> shift ? SIZE_MAX : (size_t)number << shift;
}

static void *wait_at_gate(void *unused)
{
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    return unused;
}

/* How many of `most` threads can be there at the same time, with stacks of this many bytes (0: the default). */
static int threads_possible(int most, size_t stack)
{
    pthread_t *threads = malloc((size_t)most * sizeof *threads);
    pthread_attr_t attributes;
    int count = 0;

    if (threads == NULL)
        return 0;
    pthread_attr_init(&attributes);
    if (stack > 0 && pthread_attr_setstacksize(&attributes, stack) != 0)
        most = 0;
    pthread_mutex_lock(&gate);
    while (count < most && pthread_create(&threads[count], &attributes, wait_at_gate, NULL) == 0)
        count++;
    pthread_mutex_unlock(&gate);
    pthread_attr_destroy(&attributes);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    return count;
}

void threads_begin(void)
{
    const char *text = getenv("OMP_STACKSIZE");
    size_t stack = requested_stack(text);
    int started = 0, more = omp_get_max_threads() - 1, possible;

    check_stack();
    possible = threads_possible(more, stack);
    if (stack > 0 && more > 0 && (possible == 0 || stack < STACK_MIN)) {
        fprintf(stderr, "OMP_STACKSIZE=%s: %s: use 8M or leave it out\n", text,
                stack < STACK_MIN ? "too small" : "no thread can have such a stack");
        exit(EXIT_USAGE);
    }
    if (possible < more)
        omp_set_num_threads(possible / 2 + 1); /* some are left for others */
#pragma omp parallel
#pragma omp atomic
    started++; /* a region with nothing in it would be left out */
}
#else
void threads_begin(void) { check_stack(); }
#endif
