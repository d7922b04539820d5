/* SPDX-License-Identifier: MIT */
#include "processes.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* One process or thread, as /proc/.../stat has it. */
struct process {
    pid_t id, parent, group;
    char state;
    double busy;
    unsigned long long start;
};

static bool read_stat(const char *folder, struct process *p)
{
    char path[80], text[1024];
    unsigned long user, kernel;
    long waited_user, waited_kernel;

    snprintf(path, sizeof path, "%.64s/stat", folder);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    ssize_t got = read(file, text, sizeof text - 1);
    close(file);
    text[got > 0 ? got : 0] = '\0';
    const char *after_name = strrchr(text, ')'); /* the name may hold anything */
    if (after_name == NULL ||
        sscanf(after_name + 1, " %c %d %d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %ld %ld %*d %*d %*d %*d %llu",
               &p->state, &p->parent, &p->group, &user, &kernel, &waited_user, &waited_kernel, &p->start) != 8)
        return false;
    p->id = (pid_t)strtol(text, NULL, 10);
    p->busy = ((double)(user + kernel) + (double)(waited_user + waited_kernel)) / (double)sysconf(_SC_CLK_TCK);
    return true;
}

/* Calls visit() for each numbered folder: processes in /proc, threads in /proc/ID/task. */
static void each(const char *folder, void (*visit)(void *context, const struct process *p), void *context)
{
    DIR *list = opendir(folder);
    const struct dirent *entry;
    struct process p;
    char path[64];

    if (list == NULL)
        return;
    while ((entry = readdir(list)) != NULL) {
        snprintf(path, sizeof path, "%.40s/%.20s", folder, entry->d_name);
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && read_stat(path, &p))
            visit(context, &p);
    }
    closedir(list);
}

struct group {
    pid_t id;
    double busy;
    bool asleep;
};

static void see_thread(void *context, const struct process *thread)
{
    struct group *g = context;

    g->asleep &= strchr("STtZX", thread->state) != NULL;
}

static void see_member(void *context, const struct process *p)
{
    struct group *g = context;
    char threads[40];

    if (p->group != g->id)
        return;
    g->busy += p->busy;
    snprintf(threads, sizeof threads, "/proc/%d/task", (int)p->id);
    each(threads, see_thread, g);
}

static void see_own(void *context, const struct process *thread)
{
    unsigned *awake = context;

    *awake += strchr("STtZX", thread->state) == NULL;
}

double processes_of_group(pid_t group, bool *asleep)
{
    struct group g = {group, 0, true};
    unsigned awake = 0;

    each("/proc", see_member, &g);
    each("/proc/self/task", see_own, &awake);
    *asleep = g.asleep && awake <= 1;
    return g.busy;
}

unsigned long long processes_start(pid_t id)
{
    struct process p;
    char folder[32];

    snprintf(folder, sizeof folder, "/proc/%d", (int)id);
    return read_stat(folder, &p) ? p.start : 0;
}

struct left {
    unsigned long long since;
    bool any;
};

static void end_child(void *context, const struct process *p)
{
    struct left *left = context;

    if (p->parent != getpid() || p->start < left->since)
        return;
    left->any = true;
    kill(p->id, SIGKILL);
    waitpid(p->id, NULL, 0);
}

void processes_end_children(unsigned long long since)
{
    struct left left = {since, true};

    while (left.any) {
        left.any = false;
        each("/proc", end_child, &left);
    }
}
