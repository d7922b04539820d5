/* Finds kernels that make no progress. A thread that polls a word lets others run; if none of them changes it, the
 * program ends and reports the line, as it does on Ctrl-C. Nothing depends on the wall clock: polls are counted, or
 * processor time where a loop makes no access.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include "../trace_internal.h"

#define POLLS_EACH  64                  /* before another thread runs */
#define POLLS_MAX   ((uint64_t)1 << 20) /* and 16 turns of each thread more */
#define POLLS_OWN   ((uint64_t)1 << 13) /* of the thread alone: many threads may make short loops */
#define TURNS_MAX   ((uint64_t)1 << 16) /* of a loop that polls many words, if that is more */
#define READS_MAX   ((uint64_t)1 << 28) /* of one thread between two barriers */
#define READS_BRIEF 1024
#define SECONDS_MAX 3 /* of processor time, without an access */

/* A loop that makes the same accesses again and again: the same code reads or overwrites the same values. It is
 * recognised by one access that recurs with the same accesses in between. */
struct loop {
    uint64_t at, hash;     /* when that access came last: accesses of the thread until then, and their hash */
    uint64_t length, turn; /* accesses of the last turn, and their hash */
    /* So many accesses after the choice of this one another is chosen. Odd, because a loop may make one access every other
     * time. */
    uint64_t chosen, limit;
    bool repeats;
};
/* For short ones, which have to be found soon, and for all, with a limit that grows. */
enum { SHORT, ANY, LOOPS };
#define LIMIT_SHORT 17
#define LIMIT_FIRST 1023

/* A thread of the block; one line of the cache. */
struct reader {
    uint64_t count, hash, latest; /* accesses */
    uint64_t access[LOOPS];       /* by which they are recognised */
    uint64_t due;                 /* until this access only those two matter */
    uintptr_t code;               /* where it read last */
    uint32_t reads, polls : 31, is_followed : 1;
};

/* Of the block that a worker runs; allocated with its first one. */
static __thread struct reader *readers;
/* Of each reader, valid if it is followed. */
static __thread struct loop (*loops)[LOOPS];

/* One block runs at any time, so its pthread writes; signal handlers read. */
static struct {
    uint64_t polls; /* of any thread since one has read or changed something new */
    uint64_t accesses;
    volatile sig_atomic_t stop, signals; /* the signal that ends the program */
    uint64_t accesses_before;
    unsigned seconds;
} progress;

/* ---- where the threads of the block are ---- */

static bool same_line(const struct trace_place *a, const struct trace_place *b)
{
    return a == b || (a->line == b->line && strcmp(a->file, b->file) == 0);
}

static const struct trace_place *stands_at(unsigned thread, enum hip_cpu_state state)
{
    bool waits = state == HIP_CPU_AT_BARRIER || state == HIP_CPU_AT_MEETING;
    uintptr_t code = waits ? (uintptr_t)trace_here.code[thread] : readers[thread].code;
    return code ? trace_place_of(code) : NULL;
}

/* "threads 0-3, 8 (5)" */
static void print_threads(const bool *set, unsigned count)
{
    unsigned shown = 0, all = 0;

    for (unsigned i = 0; i < count; i++)
        all += set[i];
    fprintf(stderr, "  %u thread%s (", all, all == 1 ? "" : "s");
    for (unsigned i = 0, last; i < count; i = last + 1) {
        last = i;
        if (!set[i])
            continue;
        while (last + 1 < count && set[last + 1])
            last++;
        if (++shown > 8) {
            fprintf(stderr, ", ...");
            break;
        }
        fprintf(stderr, last > i ? "%s%u-%u" : "%s%u", shown > 1 ? ", " : "", i, last);
    }
    fprintf(stderr, ")");
}

static void print_block(void)
{
    static const char *const does[] = {"last read at", "wait at the barrier", "wait for their warp", "have returned"};
    unsigned threads = trace_launch->threads;
    bool done[THREADS_MAX] = {false}, set[THREADS_MAX];

    for (unsigned first = 0; first < threads; first++) {
        enum hip_cpu_state state = hip_cpu_state_of(first);
        const struct trace_place *place = stands_at(first, state);
        if (done[first])
            continue;
        for (unsigned i = 0; i < threads; i++) {
            const struct trace_place *other = stands_at(i, state);
            set[i] = !done[i] && hip_cpu_state_of(i) == state &&
                     (state == HIP_CPU_RETURNED || place == other || (place && other && same_line(place, other)));
            done[i] = done[i] || set[i];
        }
        print_threads(set, threads);
        if (state == HIP_CPU_RETURNED)
            fprintf(stderr, " %s\n", does[state]);
        else if (place)
            fprintf(stderr, " %s %s:%u\n", does[state], place->file, place->line);
        else
            fprintf(stderr, " have not read anything yet\n");
    }
}

/* Ends the program; the tool reports what it has found so far. */
__attribute__((noreturn)) static void end(int status, const char *what)
{
    hip_cpu_begin_fatal();
    fflush(stdout);
    fprintf(stderr, "%s\n", what);
    if (trace_launch && hip_cpu_current && readers) {
        fprintf(stderr, "hip: the block's threads now:\n");
        print_block();
    }
    trace_finish();
    _exit(status);
}

__attribute__((noreturn)) static void end_at(uintptr_t code, const char *what)
{
    const struct trace_place *place = trace_place_of(code);
    const uint3 *b = &hip_cpu_current->block->index, *t = &hip_cpu_current->index;
    char text[800];

    snprintf(text, sizeof text, "hip: kernel %s, block (%u,%u,%u), thread (%u,%u,%u), at %s:%u: %s",
             trace_launch->kernel, b->x, b->y, b->z, t->x, t->y, t->z, place->file, place->line, what);
    end(EXIT_DEVICE_FAULT, text);
}

static void end_by_signal(void) { end(128 + progress.stop, "hip: interrupted"); }

/* ---- accesses ---- */

/* A hash of accesses depends on their order: each is added, then all are multiplied by this. */
#define HASH 0x9e3779b97f4a7c15ull

/* Of the accesses since then. */
static uint64_t hash_since(const struct reader *r, const struct loop *l)
{
    uint64_t power = 1, square = HASH;

    for (uint64_t rest = r->count - l->at; rest; rest /= 2, square *= square)
        power *= rest % 2 ? square : 1;
    return r->hash - l->hash * power;
}

/* Whether the loop goes on as in its last two turns. */
static bool follow(struct reader *r, struct loop *l, unsigned kind)
{
    if (r->latest == r->access[kind]) {
        uint64_t since = r->count - l->at, turn = hash_since(r, l);
        l->repeats = since == l->length && turn == l->turn;
        *l = (struct loop){r->count, r->hash, since, turn, l->chosen, l->limit, l->repeats};
    } else if (r->count - l->at >= l->length) {
        l->repeats = false;
    }
    if (!l->repeats && r->count - l->chosen >= l->limit) {
        uint64_t limit = kind == SHORT ? LIMIT_SHORT : 2 * l->limit + 1;
        *l = (struct loop){.at = r->count, .hash = r->hash, .chosen = r->count, .limit = limit};
        r->access[kind] = r->latest;
    }
    return l->repeats;
}

/* Of up to 8 bytes. */
static inline uint64_t value_at(uintptr_t address, unsigned size)
{
    uint64_t value = 0;

    if (size == 4) { /* in one go: what a store has just written need not be waited for */
        uint32_t narrow;
        memcpy(&narrow, (const void *)address, sizeof narrow);
        return narrow;
    }
    if (size >= 8)
        memcpy(&value, (const void *)address, sizeof value);
    else
        __real_memcpy(&value, (const void *)address, size);
    return value;
}

/* Both loops begin with the first access. */
static void begin_to_follow(struct reader *r, struct loop *l)
{
    for (unsigned i = 0; i < LOOPS; i++)
        l[i] = (struct loop){.at = 1, .hash = r->access[i] * HASH, .chosen = 1};
    l[SHORT].limit = LIMIT_SHORT;
    l[ANY].limit = LIMIT_FIRST;
    r->is_followed = true;
}

/* The accesses until this one say something about the loops: how many accesses that makes which the thread is in; or 0. */
static uint64_t follow_all(struct reader *r)
{
    struct loop *l = loops[r - readers];

    if (!r->is_followed)
        begin_to_follow(r, l);
    bool is_any = follow(r, &l[ANY], ANY), is_brief = follow(r, &l[SHORT], SHORT);
    uint64_t due = l[SHORT].chosen + l[SHORT].limit, other = l[ANY].chosen + l[ANY].limit;
    r->due = is_any || is_brief ? 0 : due < other ? due : other;
    return is_brief ? l[SHORT].length : is_any ? l[ANY].length : 0;
}

/* How many accesses the loop makes that the thread is in, if its last two turns were the same; 0: they were not. */
static inline uint64_t repeats(struct reader *r, uintptr_t address, unsigned size, uintptr_t code)
{
    uint64_t access = address + value_at(address, size) * 0xbf58476d1ce4e5b9ull + code * 0x94d049bb133111ebull;

    access = (access ^ access >> 32) * 0xd6e8feb86659fd93ull;
    bool is_same = access == r->latest;
    r->latest = access;
    r->hash = (r->hash + access) * HASH;
    if (r->count++ == 0) {
        r->access[SHORT] = r->access[ANY] = access;
        r->due = 1 + LIMIT_SHORT;
        return 0;
    }
    uint64_t length = 0;
    if (r->count >= r->due || access == r->access[SHORT] || access == r->access[ANY])
        length = follow_all(r);
    return is_same ? 1 : length;
}

static void poll(struct reader *r, uint64_t length)
{
    unsigned threads = trace_launch->threads;
    uint64_t turns = trace_takes_turns() ? trace_launch->blocks : 1, most = TURNS_MAX * length;

    most = most < POLLS_MAX ? POLLS_MAX : most > READS_MAX ? READS_MAX : most;
    if (++progress.polls % POLLS_EACH == 0) {
        hip_cpu_yield();
        trace_turn_yield(true);
    }
    if (++r->polls <= POLLS_OWN || progress.polls <= most + (uint64_t)16 * POLLS_EACH * threads * turns)
        return;
    progress.polls = 0;
    end_at(r->code, turns == trace_launch->blocks
                        ? "waits for a word that no thread changes: which thread should write it?"
                        : "waits for a word that no thread of this block changes, and blocks run one after "
                          "the other: a GPU does not promise either that others run meanwhile; up to 32 "
                          "blocks take turns here (SIZE=, grid)");
}

static void count_access(void)
{
    progress.accesses++;
    if (progress.stop)
        end_by_signal();
}

void trace_progress_read(unsigned thread, uintptr_t address, unsigned size, enum trace_space space, bool hands_over,
                         void *code)
{
    struct reader *r = &readers[thread];

    r->code = (uintptr_t)code;
    count_access();
    uint64_t length = repeats(r, address, size, r->code);
    if (length > 0) {
        poll(r, length);
        return;
    }
    progress.polls = r->polls = 0;
    if (++r->reads > READS_MAX)
        end_at(r->code, "does not end: one thread has read 2^28 times without a barrier");
    if (hands_over)
        trace_progress_yield(space);
}

bool trace_progress_is_brief(void)
{
    struct reader *r = &readers[hip_cpu_current - trace_here.first];

    if (r->reads >= READS_BRIEF)
        return false;
    r->reads++;
    return true;
}

void trace_progress_store(unsigned thread, uintptr_t address, unsigned size, void *code)
{
    struct reader *r = &readers[thread];

    count_access();
    if (!repeats(r, address, size, (uintptr_t)code))
        progress.polls = r->polls = 0;
}

void trace_progress_yield(enum trace_space space)
{
    if (hip_cpu_schedule() != HIP_CPU_FORWARD)
        hip_cpu_yield();
    if (space == TRACE_GLOBAL)
        trace_turn_yield(false);
}

void trace_progress_arrive(unsigned thread)
{
    readers[thread].reads = 0;
    progress.polls = 0;
}

void trace_progress_block(unsigned threads)
{
    if (!readers) {
        readers = trace_check_alloc(aligned_alloc(sizeof *readers, THREADS_MAX * sizeof *readers));
        loops = trace_check_alloc(calloc(THREADS_MAX, sizeof *loops));
    }
    memset(readers, 0, threads * sizeof *readers);
    trace_run.worker = pthread_self();
    progress.polls = 0;
}

/* ---- signals ---- */

/* On Ctrl-C two of them arrive: from the terminal and from the script. */
static void interrupt(int signal)
{
    if (++progress.signals > 3)
        _exit(128 + signal);
    progress.stop = signal;
    if (!trace_launch && progress.signals == 1) /* else the next read ends it */
        end_by_signal();
}

/* Where the kernel was; 0: not known for this processor. */
static uintptr_t code_of(const void *context)
{
    const ucontext_t *c = context;
#if defined(__x86_64__)
    return (uintptr_t)c->uc_mcontext.gregs[REG_RIP] + 1;
#elif defined(__aarch64__)
    return (uintptr_t)c->uc_mcontext.pc + 1;
#else
    (void)c;
    return 0;
#endif
}

/* Called for each second of processor time: nothing else notices a loop without accesses. */
static void tick(int signal, UNUSED siginfo_t *info, void *context)
{
    if (!trace_launch || progress.accesses != progress.accesses_before || !trace_run.is_on) {
        progress.accesses_before = progress.accesses;
        progress.seconds = 0;
        return;
    }
    if (!pthread_equal(trace_run.worker, pthread_self())) {
        pthread_kill(trace_run.worker, signal);
        return;
    }
    if (!hip_cpu_current)
        return;
    if (progress.stop)
        end_by_signal();
    if (++progress.seconds < SECONDS_MAX)
        return;
    uintptr_t code = code_of(context);
    end_at(code ? code : readers[hip_cpu_number()].code,
           "loops without accessing memory: if it waits for a variable, the compiler may have "
           "moved the load out of the loop; use an atomic load");
}

void trace_progress_start(void)
{
    struct sigaction stop = {.sa_handler = interrupt},
                     clock = {.sa_sigaction = tick, .sa_flags = SA_SIGINFO | SA_RESTART};
    struct itimerval second = {{1, 0}, {1, 0}};

    sigemptyset(&stop.sa_mask);
    sigemptyset(&clock.sa_mask);
    sigaction(SIGINT, &stop, NULL);
    sigaction(SIGTERM, &stop, NULL);
    sigaction(SIGXCPU, &stop, NULL);
    sigaction(SIGPROF, &clock, NULL);
    setitimer(ITIMER_PROF, &second, NULL);
}
