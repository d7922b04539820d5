/* HIP_CPU_TRACE=events: prints the stream itself, one line for each event, to show what tools receive.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "trace_internal.h"

static const char *const spaces[] = {[TRACE_GLOBAL] = "global", [TRACE_SHARED] = "shared"};

static void print_where(const struct trace_who *who, const struct trace_place *place)
{
    printf(" block %llu thread %u warp %u lane %u epoch %u meeting %u  %s:%u %s()\n",
           (unsigned long long)who->block, who->thread, who->warp, who->lane, who->epoch,
           who->meeting, place->file, place->line, place->function);
}

static void launch_begin(void *tool, const struct trace_launch *l)
{
    (void)tool;
    printf("launch %u %s: %llu blocks of %u threads, %zu bytes shared%s\n", l->number, l->kernel,
           (unsigned long long)l->blocks, l->threads, l->shared_bytes,
           l->cooperative ? ", cooperative" : "");
}

static void launch_end(void *tool, const struct trace_launch *l)
{
    (void)tool;
    printf("launch %u ends\n", l->number);
}

static void block_begin(void *tool, const struct trace_block *b)
{
    (void)tool;
    printf("block %llu begins\n", (unsigned long long)b->block);
}

static void block_end(void *tool, const struct trace_block *b)
{
    (void)tool;
    printf("block %llu ends\n", (unsigned long long)b->block);
}

static void access(void *tool, const struct trace_access *a)
{
    (void)tool;
    printf("%s%s %s %#llx %u bytes", a->is_volatile ? "volatile " : "", a->write ? "store" : "load",
           spaces[a->space], (unsigned long long)a->address, a->size);
    print_where(&a->who, a->place);
}

static void atomic(void *tool, const struct trace_atomic *a)
{
    (void)tool;
    printf("atomic%s%s %s %#llx %u bytes order %d", a->reads ? " load" : "",
           a->writes ? " store" : "", spaces[a->space], (unsigned long long)a->address, a->size,
           a->order);
    print_where(&a->who, a->place);
}

static void fence(void *tool, const struct trace_fence *f)
{
    (void)tool;
    static const char *const scopes[] = {"?", "thread", "warp", "block", "device", "system"};
    printf("fence %s", scopes[f->scope]);
    print_where(&f->who, f->place);
}

static void barrier(void *tool, const struct trace_barrier *b)
{
    (void)tool;
    unsigned threads = 0;
    for (unsigned i = 0; i < b->warps; i++)
        threads += (unsigned)__builtin_popcountll(b->lanes[i]);
    printf("barrier block %llu epoch %u: %u threads of %u warps %s:%u\n",
           (unsigned long long)b->block, b->epoch, threads, b->warps, b->place->file,
           b->place->line);
}

static void grid_barrier(void *tool, const struct trace_grid_barrier *g)
{
    (void)tool;
    printf("grid barrier %u: block %llu goes on\n", g->number, (unsigned long long)g->block);
}

static void meeting(void *tool, const struct trace_meeting *m)
{
    (void)tool;
#define NAME(op, name) name,
    static const char *const ops[] = {HIP_CPU_WARP_OPS(NAME)};
    printf("%s block %llu warp %u epoch %u lanes %#llx absent %#llx %s:%u\n", ops[m->op],
           (unsigned long long)m->block, m->warp, m->epoch, (unsigned long long)m->lanes,
           (unsigned long long)m->absent, m->place->file, m->place->line);
}

const struct trace_tool trace_events = {
    .name = "events",
    .launch_begin = launch_begin,
    .launch_end = launch_end,
    .block_begin = block_begin,
    .block_end = block_end,
    .access = access,
    .atomic = atomic,
    .fence = fence,
    .barrier = barrier,
    .grid_barrier = grid_barrier,
    .meeting = meeting,
};
