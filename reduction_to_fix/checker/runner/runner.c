/* Answers the judge's requests; see runner.h. Its argument is the socket, or "once", to run a few trials. With options it
 * acts as the exercise's own program, as built by make, again for the options behind each "--".
 * SPDX-License-Identifier: MIT */
#include "observe.h"
#include "slot.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "exit_codes.h"
#include "harness/device/device.h"
#include "harness/harness.h"
#include "values/scalar.h"

static struct slot slot;
static int judge; /* the socket */
static struct request request;
static struct reply reply;
static const struct device *device;

struct observed *observe_note(void)
{
    static struct observed seen;

    return &seen;
}

/* ---- the socket ---- */

static bool receive(void *to, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t got = recv(judge, (char *)to + done, bytes - done, 0);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        done += got > 0 ? (size_t)got : 0;
    }
    return true;
}

static void answer(const void *from, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t put = send(judge, (const char *)from + done, bytes - done, MSG_NOSIGNAL);
        if (put < 0 && errno != EINTR)
            exit(EXIT_RIGHT); /* the judge has exited */
        done += put > 0 ? (size_t)put : 0;
    }
}

#ifdef ON_CPU
/* The judge sees which fault ends this process; what the process prints is for people. */
static void tell(enum hip_cpu_fault fault)
{
    reply.beyond = fault == HIP_CPU_OUT_OF_BOUNDS;
    if (reply.beyond)
        (void)send(judge, &reply, sizeof reply, MSG_NOSIGNAL);
}
#endif

/* ---- requests ---- */

static void run(struct slot *s, const struct request *q, struct reply *a)
{
    const unsigned flags = q->flags;
    uint64_t result = 0;
    const bool both = (flags & (RUN_LAUNCH | RUN_WAIT | RUN_FINISH)) == (RUN_LAUNCH | RUN_FINISH);

    if (flags & RUN_RESET) {
        slot_unplan(s);
        slot_plan(s);
    }
    for (unsigned k = 0; k < q->sets; k++)
        slot_set(s, q->set[k].index, q->set[k].bits);
    observe_order(s->trial.warp, s->trial.order, s->trial.seed);
    observe_input(s->input, s->bytes);
    observe_hide((flags & RUN_HIDE) != 0);
    observe_window(q->window_first, q->window_count);
    if (flags & RUN_LAUNCH) {
        observe_begin((flags & RUN_LATE) != 0, (flags & RUN_BUSY) != 0, s->r->stream);
        count_begin(s->input, s->bytes, type_size(s->trial.type), q->look_for);
        observe_enter();
        s->entry->launch(s->r, s->input);
        if (!both)
            observe_leave();
    }
    if (flags & RUN_WAIT)
        HIP_CHECK(hipDeviceSynchronize());
    if (q->look_for > 0 && !places_show()) {
        observe_leave();
        observe_end();
    } else if (flags & RUN_FINISH) {
        observe_finish_begins();
        if (!both)
            observe_enter();
        s->entry->finish(s->r, &result);
        observe_leave();
        a->bits = result;
        observe_end();
        a->work = count_end();
        HIP_CHECK(hipDeviceSynchronize());
    }
    observe_window(0, 0);
}

static void read_back(const struct slot *s, struct reply *a)
{
    char *now = malloc(s->bytes + 1);

    HIP_CHECK(now != NULL ? hipSuccess : hipErrorOutOfMemory);
    HIP_CHECK(hipDeviceSynchronize());
    if (s->bytes > 0)
        HIP_CHECK(hipMemcpy(now, s->input, s->bytes, hipMemcpyDeviceToHost));
    a->count = s->bytes;
    answer(a, sizeof *a);
    answer(now, s->bytes);
    free(now);
}

/* Whether it lies anywhere in the workspace; not 0. */
static bool find_value(const struct slot *s, uint64_t bits)
{
    bool found = false;
#ifdef ON_CPU
    size_t size = type_size(s->trial.type), count = s->r->workspace_bytes / size;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const char *values = s->r->workspace;
    unsigned char *there = observe_pages(values, s->r->workspace_bytes);
    for (size_t i = 0; i < count && !found; i++) {
        size_t at = (uintptr_t)values % page + i * size;
        if (there != NULL && !there[at / page])
            i += (page - at % page - 1) / size; /* to the last one in this page */
        else
            found = memcmp(values + i * size, &bits, size) == 0;
    }
    free(there);
#else
    (void)s;
    (void)bits;
#endif
    return found;
}

/* The values that the exercise leaves on the device; zeros without device_result(). */
static void send_outputs(const struct slot *s, const struct request *q, struct reply *a)
{
    size_t bytes = q->outputs * type_size(s->trial.type);
    char *values = calloc(1, bytes + 1);

    HIP_CHECK(values != NULL ? hipSuccess : hipErrorOutOfMemory);
    observe_enter();
    const void *from = s->entry->device_result(s->r);
    observe_leave();
    HIP_CHECK(hipDeviceSynchronize());
    size_t before = q->first_output * type_size(s->trial.type);
    if (from != NULL && bytes > 0)
        HIP_CHECK(hipMemcpy(values, (const char *)from + before, bytes, hipMemcpyDeviceToHost));
    a->count = bytes;
    answer(a, sizeof *a);
    answer(values, bytes);
    free(values);
}

static void write_input(const struct slot *s, uint64_t bytes)
{
    char *values = malloc(bytes + 1);

    HIP_CHECK(values != NULL && bytes <= s->bytes ? hipSuccess : hipErrorOutOfMemory);
    if (!receive(values, bytes))
        exit(EXIT_RIGHT);
    if (bytes > 0)
        HIP_CHECK(hipMemcpy(s->input, values, bytes, hipMemcpyHostToDevice));
    free(values);
}

/* The plan, as it is while the slot is open. */
static void tell_plan(const struct slot *s, struct reply *a)
{
    if (!s->open)
        return;
    a->planned_grid = s->r->grid;
    a->planned_block = s->r->block;
    a->units = s->r->compute_units;
    a->workspace_bytes = s->r->workspace_bytes;
}

static void describe_device(struct reply *a)
{
    const struct variant *v = linked_variant();

    for (int type = 0; type < TYPE_COMMON; type++)
        for (int op = 0; op < OP_COMMON; op++)
            if (v->entry[type][op].plan != NULL)
                a->ops[type] |= 1u << op;
#ifndef ON_CPU
    a->warp = device->warp_size;
#endif
}

/* A few trials without a judge, for tools like compute-sanitizer; results do not matter. The last number is a matrix's
 * columns, an option that the other exercises lack. */
static int run_for_tool(void)
{
    const struct trial trials[] = {{TYPE_LONG, OP_SUM, 1000, 256, 0, device->warp_size, 0, 1, 100},
                                   {TYPE_DOUBLE, OP_MAX, 2049, 100, 3, device->warp_size, 0, 2, 33},
                                   {TYPE_FLOAT, OP_MIN, 77, 64, 1, device->warp_size, 0, 3, 7},
                                   {TYPE_INT, OP_SUM, 10007, 1024, 0, device->warp_size, 0, 4, 257}};

    for (size_t k = 0; k < sizeof trials / sizeof *trials; k++) {
        struct request q = {.trial = trials[k], .flags = RUN_LAUNCH | RUN_FINISH};
        struct reply a = {0};
        slot_open(&slot, &q);
        HIP_CHECK(hipMemset(slot.input, 1, slot.bytes));
        run(&slot, &q, &a);
        run(&slot, &q, &a);
        slot_close(&slot);
    }
    return EXIT_RIGHT;
}

/* Acts as the program, until one run is not right; before each it prints its number. A process costs more than a run. */
static int run_as_program(int argc, char **argv)
{
    int code = EXIT_RIGHT;

    for (int at = 1, number = 0; at < argc && code == EXIT_RIGHT; number++) {
        int end = at;
        while (end < argc && strcmp(argv[end], "--") != 0)
            end++;
        char *after = argv[end];
        argv[at - 1] = argv[0];
        argv[end] = NULL;
        printf("#%d\n", number);
        code = harness_run(linked_variant(), end - at + 1, argv + at - 1);
        argv[end] = after;
        at = end + 1;
    }
    return code;
}

int main(int argc, char **argv)
{
    bool once = argc == 2 && strcmp(argv[1], "once") == 0;

    if (argc > 2) /* options: act as the exercise's own program */
        return run_as_program(argc, argv);
    judge = argc == 2 ? atoi(argv[1]) : -1;
    device_count();
    device = slots_device(once ? 0 : MARGIN);
    observe_faults();
    if (once)
        return run_for_tool();
#ifdef ON_CPU
    hip_cpu_set_at_fault(tell);
#endif
    struct request *q = &request;
    struct slot *s = &slot;
    struct reply *a = &reply;

    while (receive(q, sizeof *q)) {
        memset(a, 0, sizeof *a);
        int64_t kept = 0;
        switch (q->kind) {
        case ASK_DEVICE:
            describe_device(a);
            break;
        case ASK_OPEN:
            a->fits = slot_open(s, q);
            break;
        case ASK_CLOSE:
            slot_close(s);
            kept = s->kept;
            break;
        case ASK_SURROUND:
            slot_surround(s, q->byte);
            break;
        case ASK_HEAP:
            a->heap = observe_heap();
            break;
        case ASK_FIND:
            a->found = find_value(s, q->set[0].bits);
            break;
        case ASK_PLACES:
            a->places = places_of(s->trial.n, q->set[0].index, a->place);
            break;
        case ASK_RUN:
            a->fits = (q->flags & RUN_BEGIN) == 0 || slot_open(s, q);
            if (q->count > 0)
                write_input(s, q->count);
            run(s, q, a);
            if ((q->flags & RUN_END) == 0)
                break;
            tell_plan(s, a);
            slot_close(s);
            kept = s->kept;
            break;
        case ASK_READ:
            read_back(s, a);
            continue;
        case ASK_OUTPUT:
            send_outputs(s, q, a);
            continue;
        }
        tell_plan(s, a);
        a->seen = *observe_note(); /* from launch() to finish() */
        a->seen.kept += kept;
        a->reads = places_read();
        a->shows = places_show();
        answer(a, sizeof *a);
    }
    return EXIT_RIGHT;
}
