/* Elements that a launch reads and no result depends on: it runs again, with other values in a class of elements, and writes
 * the same.
 *
 * One class is what a thread of any block reads, or one element where there are few. Of a large launch three blocks run: the
 * first, one in the middle, and the last. The runs are those of a child process, in which everything may go wrong: an element
 * that is an index, or the number of turns of a loop, ends it, and is used.
 *
 * A maximum depends on one element, a product with a factor of 0 on none. So each class also changes where all other elements
 * have one value (`trials`), and the classes that are left all change together.
 * SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../trace_internal.h"
#include "arrays.h"

#define CLASSES_MAX 1024
#define OTHER       CLASSES_MAX /* the class of elements of other arrays */
#define CRASHES_MAX 8           /* of classes: the array has indices */
#define SECONDS_MAX 3           /* of the first run */
#define MICROS_MIN  100000      /* of the others, or ten times as long as the first has taken */
#define KNOWN_MAX   256
#define ARRAYS_MAX  1024 /* of a program; the rest is not tried */
/* Accesses of all runs together. */
#define BUDGET ((uint64_t)1 << 23)

/* Values of an element. The lower bytes are those of a narrower type. NEXT: one more than its own, which an index may be. */
enum value { OWN, NEXT, LARGEST, LOWEST, ZERO, ONES, FRACTION, ODD, HALF_LARGEST, HALF_LOWEST, VALUES };
static const uint64_t pattern[VALUES] = {
    [LARGEST] = 0x7fefffff7f7fffffull,     [LOWEST] = 0xffefffffff7fffffull, [ONES] = UINT64_MAX,
    [FRACTION] = 0x3f803f803f803f80ull,    [ODD] = 0x0101010101010101ull,    [HALF_LARGEST] = 0x7bff7bff7bff7bffull,
    [HALF_LOWEST] = 0xfbfffbfffbfffbffull,
};
/* What the other elements are, and the class under trial. Those that show most come first. */
static const struct {
    enum value others, changed;
} trial[] = {
    {OWN, LARGEST},
    {OWN, LOWEST},
    {OWN, ZERO},
    {OWN, ONES},
    {ZERO, LARGEST},
    {ZERO, ONES},
    {LARGEST, LOWEST},
    {LOWEST, LARGEST},
    {FRACTION, ZERO},
    {ODD, ZERO},
    {ONES, ZERO},
    {ZERO, ODD},
    {OWN, HALF_LARGEST},
    {HALF_LOWEST, HALF_LARGEST},
    {HALF_LARGEST, HALF_LOWEST},
};
#define TRIALS (sizeof trial / sizeof *trial)

/* Elements that are weighed: some that are read twice as often as others, then some others, each alone; then none. */
#define WEIGHED ((size_t)2)
static const struct {
    enum value others, changed;
} scales[] = {{ZERO, FRACTION}, {FRACTION, ZERO}};
#define SCALES (sizeof scales / sizeof *scales)

struct element {
    uintptr_t address;
    unsigned short size, class;
    uint64_t before[2];
};

/* What the child tells its parent, also when it ends too early. */
struct told {
    enum phase { BASE, CLASS, UNION, WEIGH, DONE } phase;
    unsigned value, class, trial; /* of this run */
    uint64_t result[VALUES];      /* with all elements alike */
    bool again;                   /* OWN runs twice */
    bool is_unusable[VALUES];
    long micros; /* how long a run may take */
    bool is_unsteady, is_used[CLASSES_MAX], union_used;
    double weight[SCALES][2 * WEIGHED + 1];
    bool reads_more[ARRAYS_MAX]; /* with other values the launch reads other elements */
};

struct trials {
    uint64_t known[KNOWN_MAX]; /* launches: kernel, grid, block */
    unsigned knowns;
    uint64_t left; /* of the budget */
    bool wanted;

    struct element *element;
    size_t elements, room;
    unsigned classes;
    struct told *told;
    struct replay *replay;
    bool in_child, has_run;
    int said; /* what the kernel prints */
};

struct trials *trials_create(void)
{
    struct trials *t = trace_check_alloc(calloc(1, sizeof *t));

    t->left = BUDGET;
    return t;
}

bool trials_wanted(const struct trials *t) { return t->wanted; }

/* The first of its kind, in the usual order of threads. */
bool trials_launch_begin(struct trials *t, const struct trace_launch *l)
{
    uint64_t key = hip_cpu_mix(hip_cpu_mix(l->function, l->blocks), l->threads);
    unsigned i = 0;

    while (i < t->knowns && t->known[i] != key)
        i++;
    t->wanted =
        i == t->knowns && i < KNOWN_MAX && t->left > 0 && !trace_run.weak && hip_cpu_schedule() == HIP_CPU_FORWARD;
    if (t->wanted)
        t->known[t->knowns++] = key;
    return t->wanted;
}

/* ---- the child ---- */

static uint64_t hash_of_said(int file)
{
    unsigned char text[4096];
    uint64_t hash = 0;
    ssize_t n;

    fflush(stdout);
    for (off_t at = 0; (n = pread(file, text, sizeof text, at)) > 0; at += n)
        for (ssize_t i = 0; i < n; i++)
            hash = hip_cpu_mix(hash, text[i]);
    if (ftruncate(file, 0) != 0 || lseek(file, 0, SEEK_SET) != 0)
        _exit(0);
    return hash;
}

static void set(const struct element *e, enum value value)
{
    unsigned char *to = (unsigned char *)e->address;
    const unsigned char *from = (const unsigned char *)&pattern[value];
    const uint64_t next[2] = {e->before[0] + 1, e->before[1]};

    if (value == OWN || value == NEXT)
        __real_memcpy(to, value == OWN ? e->before : next, e->size);
    else
        for (unsigned i = 0; i < e->size; i++)
            to[i] = from[(e->address + i) % 8];
}

static void set_all(const struct trials *t, enum value others, enum value changed)
{
    const struct told *told = t->told;

    for (const struct element *e = t->element; e < t->element + t->elements; e++) {
        bool is_changed = told->phase == CLASS || told->phase == WEIGH ? e->class == told->class
                          : told->phase == UNION                       ? e->class < OTHER && !told->is_used[e->class]
                                                                       : false;
        set(e, is_changed ? changed : others);
    }
}

/* The next trial whose others are usable. */
static void skip_unusable(struct told *t)
{
    while (t->trial < TRIALS && t->is_unusable[trial[t->trial].others])
        t->trial++;
}

static void next_class(struct trials *t)
{
    struct told *told = t->told;

    told->trial = 0;
    if (++told->class < t->classes)
        return;
    told->phase = UNION;
    unsigned unused = 0;
    for (unsigned i = 0; i < t->classes; i++)
        unused += !told->is_used[i];
    if (unused == 0 || unused == t->classes)
        told->phase = DONE;
    /* None is used: all may be equal, or what is looked for was no value that was tried. */
    told->union_used |= unused == t->classes;
}

/* Says what the run has given, and which comes next. */
static void judge(struct trials *t, uint64_t result)
{
    struct told *told = t->told;

    switch (told->phase) {
    case BASE:
        told->is_unsteady = told->again && result != told->result[OWN];
        told->result[told->value] = result;
        if (told->is_unsteady)
            told->phase = DONE;
        else if (told->value == OWN && !told->again)
            told->again = true;
        else if (++told->value == VALUES) {
            told->phase = CLASS;
            told->class = told->trial = 0;
        } else
            told->again = false;
        return;
    case CLASS:
    case UNION:
        if (result == told->result[trial[told->trial].others]) {
            told->trial++;
            skip_unusable(told);
            if (told->trial < TRIALS)
                return;
            if (told->phase == UNION)
                told->phase = DONE;
            else
                next_class(t);
        } else if (told->phase == UNION) {
            told->union_used = true;
            told->phase = DONE;
        } else {
            told->is_used[told->class] = true;
            next_class(t);
        }
        return;
    case WEIGH:
        told->weight[told->trial][told->class] = replay_sum(t->replay);
        if (++told->class <= 2 * WEIGHED)
            return;
        told->class = 0;
        if (++told->trial == SCALES)
            told->phase = DONE;
        return;
    case DONE:
        return;
    }
}

/* Memory is what it was before the launch. */
static void begin(struct trials *t)
{
    replay_restore(t->replay);
    replay_restart(t->replay);
    for (struct element *e = t->element; e < t->element + t->elements; e++)
        __real_memcpy(e->before, (const void *)e->address, e->size);
}

/* The child has run the launch, or is about to. */
static bool run_next(struct trials *t)
{
    struct told *told = t->told;
    struct itimerval limit;

    if (t->has_run && told->micros == 0) {
        getitimer(ITIMER_VIRTUAL, &limit);
        long left = limit.it_value.tv_sec * 1000000 + limit.it_value.tv_usec;
        told->micros = MICROS_MIN + 10 * (SECONDS_MAX * 1000000L - left);
    }
    if (t->has_run)
        judge(t, hip_cpu_mix(replay_result(t->replay), hash_of_said(t->said)));
    else
        begin(t);
    if (told->phase == DONE)
        _exit(0);
    t->has_run = true;
    replay_restore(t->replay);
    if (told->phase == BASE)
        set_all(t, (enum value)told->value, OWN);
    else if (told->phase == WEIGH)
        set_all(t, scales[told->trial].others, scales[told->trial].changed);
    else
        set_all(t, trial[told->trial].others, trial[told->trial].changed);
    limit = (struct itimerval){.it_value = {SECONDS_MAX, 0}};
    if (told->micros > 0)
        limit.it_value = (struct timeval){told->micros / 1000000, told->micros % 1000000};
    setitimer(ITIMER_VIRTUAL, &limit, NULL);
    alarm(10 * SECONDS_MAX);
    return true;
}

static void become_child(struct trials *t)
{
    int nowhere = open("/dev/null", O_WRONLY);

    t->in_child = true;
    t->has_run = false;
    t->said = memfd_create("said", 0);
    if (nowhere < 0 || t->said < 0 || dup2(nowhere, STDERR_FILENO) < 0 || dup2(t->said, STDOUT_FILENO) < 0)
        _exit(0);
    trace_run.is_trial = true;
    hash_of_said(t->said); /* what the parent had not written yet */
}

void trials_read_more(struct lost *l, const struct array *a)
{
    for (size_t i = 0; i < l->arrays && i < ARRAYS_MAX; i++)
        if (l->array[i] == a)
            l->trials->told->reads_more[i] = true;
}

/* ---- the parent ---- */

/* The child has ended too early: the run under way is one that uses the elements. False: no more is to be learned. */
static bool judge_crash(struct trials *t, unsigned *crashes)
{
    struct told *told = t->told;

    switch (told->phase) {
    case BASE:
        if (told->value == OWN)
            return false;
        told->is_unusable[told->value] = true;
        if (++told->value == VALUES) {
            told->phase = CLASS;
            told->class = told->trial = 0;
        }
        return true;
    case CLASS:
        told->is_used[told->class] = true;
        next_class(t);
        return ++*crashes < CRASHES_MAX && told->phase != DONE;
    case UNION:
        told->union_used = true;
        return false;
    case WEIGH:
    case DONE:
        return false;
    }
    return false;
}

/* True in the child. In the parent, told says what it has found. */
static bool start_child(struct trials *t, enum phase phase)
{
    unsigned crashes = 0;

    memset(t->told, 0, sizeof *t->told);
    t->told->phase = phase;
    do {
        pid_t child = fork();
        if (child == 0) {
            become_child(t);
            return true;
        }
        int status = 0;
        while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
        if (child < 0)
            t->told->is_unsteady = true;
        if (child < 0 || t->told->phase == DONE)
            return false;
    } while (judge_crash(t, &crashes));
    if (t->told->phase != DONE)
        t->told->is_unsteady = true; /* it is not known */
    return false;
}

static bool is_chosen(unsigned block)
{
    for (unsigned i = 0; i < trace_run.only_count; i++)
        if (trace_run.only[i] == block)
            return true;
    return trace_run.only_count == 0;
}

/* What the launch reads before it writes it, in the chosen blocks, and someone has filled. */
static void collect(struct lost *l, const struct array *under_trial, bool by_part)
{
    struct trials *t = l->trials;

    t->elements = 0;
    for (size_t k = 0; k < l->arrays; k++) {
        const struct array *a = l->array[k];
        if (!a->state || !a->first || a->launch != l->launch->number || a->element == 0 ||
            a->element > sizeof t->element->before)
            continue;
        for (size_t at = 0; at + a->element <= a->bytes; at += a->element) {
            const struct first *f = &a->first[at / GRANULE];
            if (f->launch != l->launch->number || f->write || !is_chosen(f->block))
                continue;
            TRACE_ONE_MORE(t->element, t->elements, t->room, 1024);
            struct element *e = &t->element[t->elements++];
            e->address = a->start + at;
            e->size = (unsigned short)a->element;
            e->class = a != under_trial ? OTHER : by_part ? (unsigned short)(at / a->element % a->parts) : f->thread;
        }
    }
}

/* Few elements: one class each, else one for each thread, or for several of them. */
static void set_classes(struct trials *t, uint64_t cost, unsigned threads)
{
    size_t own = 0;
    unsigned each = 1;

    for (size_t i = 0; i < t->elements; i++)
        own += t->element[i].class < OTHER;
    t->classes = threads;
    if (own <= CLASSES_MAX) {
        t->classes = 0;
        for (size_t i = 0; i < t->elements; i++)
            if (t->element[i].class < OTHER)
                t->element[i].class = (unsigned short)t->classes++;
    }
    while (t->classes > 1 && (t->classes + VALUES) * cost > t->left) {
        each *= 2;
        t->classes = (t->classes + 1) / 2;
    }
    for (size_t i = 0; i < t->elements; i++)
        if (t->element[i].class < OTHER)
            t->element[i].class = (unsigned short)(t->element[i].class / each);
}

/* A single last element, of the array or of each row, is what an exclusive sum leaves out; of a reversed one, the first. */
static bool is_scan(const struct pattern *p)
{
    size_t period = p->second - p->first;

    if (p->first != p->last)
        return false;
    return p->runs == 1 ? p->first == 0 || p->to_end : period >= 16 && (p->first == 0 || p->first + 1 == period);
}

/* Whose elements are lost, if it is all that these threads read. */
static bool describe_threads(const struct lost *l, const struct array *a, const unsigned char *lost, char *text,
                             size_t size)
{
    unsigned char is_in[CLASSES_MAX] = {0};
    struct pattern p;

    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i * a->element < a->bytes; i++) {
            const struct first *f = &a->first[i * a->element / GRANULE];
            if (f->launch != l->launch->number || f->write || !is_chosen(f->block))
                continue;
            if (pass == 0 && lost[i])
                is_in[f->thread] = 1;
            if (pass == 1 && !lost[i] && is_in[f->thread])
                return false;
        }
    }
    if (!pattern_find(is_in, l->launch->threads, &p))
        return false;
    pattern_of_threads(&p, l->launch->warp_size, text, size);
    return true;
}

/* The elements that are lost, of one block or of all (-1), as their pattern. */
static bool find_lost(const struct lost *l, const struct array *a, long block, unsigned char *lost, struct pattern *p)
{
    const struct trials *t = l->trials;
    size_t end = 0;

    memset(lost, 0, a->bytes / a->element + 1);
    for (size_t i = 0; i < t->elements; i++) {
        const struct element *e = &t->element[i];
        size_t at = (e->address - a->start) / a->element;
        if (e->class == OTHER || (block >= 0 && (long)a->first[at * a->element / GRANULE].block != block))
            continue;
        end = at + 1;
        lost[at] = !t->told->is_used[e->class];
    }
    return pattern_find(lost, end, p);
}

/* Of all blocks, what those that have run say of each part. */
static bool find_parts(const struct lost *l, const struct array *a, unsigned char *lost, struct pattern *p)
{
    for (size_t i = 0; i < a->bytes / a->element; i++)
        lost[i] = array_reads_of(a, i) > 0 && !l->trials->told->is_used[i % a->parts];
    return pattern_find(lost, a->bytes / a->element, p);
}

static bool note_lost(struct lost *l, const struct array *a, bool by_part)
{
    unsigned char *lost = trace_check_alloc(calloc(a->bytes / a->element + 1, 1));
    char elements[300], threads[120] = "";
    struct pattern p = {0};
    /* What an absent lane gives may hide all others. */
    bool found =
        !report_has_absent(l->report) && (by_part ? find_parts(l, a, lost, &p) : find_lost(l, a, -1, lost, &p));
    bool by_thread = p.total > 0 && describe_threads(l, a, lost, threads, sizeof threads);

    for (unsigned i = 0; i < trace_run.only_count && by_thread && !found; i++)
        found = find_lost(l, a, (long)trace_run.only[i], lost, &p);
    bool is_lost = (found || by_thread) && !is_scan(&p);
    if (is_lost) {
        const struct first *f = &a->first[p.first * a->element / GRANULE];
        const struct trace_place *place = trace_place_number(f->place);
        if (found)
            pattern_elements(&p, a, 0, elements, sizeof elements);
        else
            snprintf(elements, sizeof elements, "%s[%zu] and others", a->name, p.first / a->members);
        if (!by_thread)
            pattern_of_array(&p, a, threads, sizeof threads);
        lost_note(l, "%s are read in %s:%u, and nothing that kernel %s writes depends on them%s%s%s", elements,
                  place->file, place->line, l->launch->kernel, *threads ? " (" : "", strspn(threads, ", ") + threads,
                  *threads ? ")" : "");
    }
    free(lost);
    return is_lost;
}

/* All blocks, if that many runs are not too many. */
static uint64_t choose_blocks(struct lost *l)
{
    uint64_t blocks = l->launch->blocks, cost = l->accesses > 0 ? l->accesses : 1;

    trace_run.only_count = 0;
    if (blocks <= 3 || l->launch->cooperative || blocks > UINT32_MAX || cost * l->launch->threads < BUDGET / 16)
        return cost;
    trace_run.only[0] = 0;
    trace_run.only[1] = blocks / 2;
    trace_run.only[2] = blocks - 1;
    trace_run.only_count = 3;
    return cost * 3 / blocks + 1;
}

static bool is_tried(const struct lost *l, const struct array *a)
{
    return a->state && a->first && a->launch == l->launch->number && a->element > 0 &&
           a->element <= sizeof l->trials->element->before;
}

/* Whether the launch can be tried; what it costs is taken off. */
static bool pay(struct trials *t, uint64_t runs, uint64_t cost)
{
    if (t->classes < 2 || runs * cost > t->left)
        return false;
    t->left -= runs * cost;
    return true;
}

/* The halves of each half2, or what one load takes of an array of which the launch should read all. */
static bool has_parts(const struct lost *l, const struct array *a)
{
    return a->parts > 1 && (a->is_packed || (8 * replay_written(l->replay) <= a->bytes && !a->is_raw &&
                                             array_has_number(a, a->bytes / a->element / a->members)));
}

static bool is_same(double x, double y) { return fabs(x - y) <= 1e-3 * fabs(x); }

/* What the elements that are read twice do, compared with the others: the same, or more, each of them, in a launch in which all
 * others do the same. */
static void judge_weights(const struct told *told, struct array *a)
{
    for (size_t i = 0; i < SCALES; i++) {
        double effect[2 * WEIGHED];
        bool is_even = true;
        for (size_t k = 0; k < 2 * WEIGHED; k++) {
            effect[k] = told->weight[i][k] - told->weight[i][2 * WEIGHED];
            is_even = is_even && is_same(effect[k], effect[k / WEIGHED * WEIGHED]);
        }
        if (!is_even || effect[WEIGHED] == 0)
            continue;
        if (!is_same(effect[0], effect[WEIGHED]))
            a->twice = COUNTS_TWICE;
        else if (a->twice == NOT_WEIGHED)
            a->twice = COUNTS_ONCE;
    }
}

/* Whether elements that are read twice also count twice. A stencil reads the border of its blocks twice, too. True in the
 * child. */
static bool weigh(struct lost *l, struct array *a, uint64_t cost)
{
    struct trials *t = l->trials;
    unsigned usual, other = array_other_reads(a, &usual), count[2] = {0};
    size_t latest = 0;

    if (other < usual || 8 * replay_written(l->replay) > a->bytes)
        return false;
    for (unsigned i = 0; i < trace_run.only_count; i++)
        trace_run.only[i] = i; /* neighbours */
    collect(l, a, false);
    for (size_t i = 0; i < t->elements; i++) {
        struct element *e = &t->element[i];
        size_t at = (e->address - a->start) / a->element;
        unsigned reads = e->class == OTHER ? 0 : array_reads_of(a, at);
        unsigned kind = reads == usual;
        e->class = OTHER;
        /* one of each run */
        if ((reads == usual || (reads == other && at != latest + 1)) && count[kind] < WEIGHED)
            e->class = (unsigned short)(kind * (unsigned)WEIGHED + count[kind]++);
        latest = reads == other ? at : latest;
    }
    t->classes = (unsigned)(2 * WEIGHED);
    if (count[0] < WEIGHED || count[1] < WEIGHED || !pay(t, SCALES * (2 * WEIGHED + 1), cost))
        return false;
    if (start_child(t, WEIGH))
        return true;
    if (!t->told->is_unsteady)
        judge_weights(t->told, a);
    return false;
}

bool trials_again(struct lost *l)
{
    struct trials *t = l->trials;

    if (t->in_child)
        return run_next(t);
    if (!t->wanted)
        return false;
    t->wanted = false;
    t->replay = l->replay;
    if (!t->told)
        t->told = mmap(NULL, sizeof *t->told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (t->told == MAP_FAILED) {
        t->told = NULL;
        return false;
    }
    uint64_t cost = choose_blocks(l);
    for (size_t i = 0; i < l->arrays; i++) {
        struct array *a = l->array[i];
        bool is_lost = false;
        if (!is_tried(l, a))
            continue;
        for (int by_part = has_parts(l, a); by_part >= 0 && !is_lost; by_part--) {
            collect(l, a, by_part);
            t->classes = a->parts;
            if (!by_part)
                set_classes(t, cost, l->launch->threads);
            bool is_paid = pay(t, t->classes + VALUES, cost);
            if (is_paid && start_child(t, BASE))
                return run_next(t);
            /* Integers that were not tried may be indices. */
            for (size_t k = 0; k < l->arrays && k < ARRAYS_MAX; k++)
                l->array[k]->by_data |= is_paid ? t->told->reads_more[k] : a->is_integer && l->array[k] != a;
            if (is_paid && !t->told->is_unsteady && !t->told->union_used && !a->by_data)
                is_lost = note_lost(l, a, by_part);
        }
        if (weigh(l, a, cost))
            return run_next(t);
        choose_blocks(l);
    }
    rows_find(l);
    trace_run.only_count = 0;
    return false;
}
