/* SPDX-License-Identifier: MIT */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "exit_codes.h"
#include "processes.h"

#define GRACE  3.0  /* s between SIGTERM and SIGKILL */
#define LOOK   0.05 /* s between two looks at a child that has limits or shows progress */
#define REST   0.25 /* s between two looks at another one */
#define SURVEY 0.5  /* s between two surveys of its group in /proc */

/* A signal handler has no other way to know them. running: the group of the child; 0: none. */
static volatile sig_atomic_t interrupted, running;

static void interrupt(int signal)
{
    interrupted = signal;
    if (running > 0)
        kill(-(pid_t)running, SIGTERM);
}

static const int end_signals[] = {SIGINT, SIGTERM, SIGHUP};
#define END_SIGNALS (sizeof end_signals / sizeof *end_signals)

static void on_end_signals(void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};

    for (size_t i = 0; i < END_SIGNALS; i++)
        sigaction(end_signals[i], &action, NULL);
}

/* SIG_BLOCK or SIG_UNBLOCK: a new child must not run the handlers of this process. */
static void hold_end_signals(int how)
{
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < END_SIGNALS; i++)
        sigaddset(&set, end_signals[i]);
    sigprocmask(how, &set, NULL);
}

void child_catch_signals(void) { on_end_signals(interrupt); }

int child_interrupted(void) { return interrupted; }

static _Noreturn void give_up(const char *what)
{
    fprintf(stderr, "%s: %s: close other programs and try again\n", what, strerror(errno));
    exit(EXIT_DEVICE);
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- in the child ---- */

static _Noreturn void become(const struct child_job *job, pid_t parent, int output, int errors)
{
    int nothing = open("/dev/null", O_RDONLY);

    setpgid(0, 0);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent) /* which died before that */
        _exit(127);
    on_end_signals(SIG_DFL);
    hold_end_signals(SIG_UNBLOCK);
    signal(SIGPIPE, SIG_DFL);
    dup2(output, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    if (nothing >= 0)
        dup2(nothing, STDIN_FILENO);
    if (job->words == NULL) {
        job->work(job->context);
        fflush(NULL);
        _exit(0);
    }
    execvp(job->words[0], job->words);
    fprintf(stderr, "%s: %s\n", job->words[0], strerror(errno));
    _exit(127);
}

/* ---- what it writes ---- */

/* Text that has been read from a pipe; with room for a NUL. */
struct text {
    char *at;
    size_t length, room;
};

/* Reads what has arrived; false at the end of the pipe. */
static bool read_more(int pipe, struct text *t)
{
    if (t->room - t->length < 4096) {
        char *larger = realloc(t->at, t->room += 65536);
        if (larger == NULL)
            give_up("memory on the host");
        t->at = larger;
    }
    ssize_t got = read(pipe, t->at + t->length, t->room - t->length - 1);
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return true;
    t->length += got > 0 ? (size_t)got : 0;
    t->at[t->length] = '\0';
    return got > 0;
}

static void drop(struct text *t, size_t count)
{
    t->length -= count;
    memmove(t->at, t->at + count, t->length + 1);
}

/* Gives the whole lines away; true: the taker has had enough. */
static bool hand_on(struct text *t, const struct child_job *job)
{
    char *line = t->at, *end;
    bool enough = false;

    while (!enough && (end = memchr(line, '\n', t->length - (size_t)(line - t->at))) != NULL) {
        *end = '\0';
        enough = !job->line(job->context, line);
        line = end + 1;
    }
    drop(t, (size_t)(line - t->at));
    return enough;
}

/* Keeps the last `most` bytes at least. */
static void forget(struct text *t, size_t most)
{
    if (t->length > 2 * most)
        drop(t, t->length - most);
}

/* Without NUL, as one string of `most` bytes at most. */
static char *said(struct text *t, size_t most)
{
    size_t length = 0;

    if (t->at == NULL && (t->at = calloc(1, 1)) == NULL)
        give_up("memory on the host");
    for (size_t i = 0; i < t->length; i++)
        if (t->at[i] != '\0')
            t->at[length++] = t->at[i];
    t->at[t->length = length] = '\0';
    if (length > most)
        drop(t, length - most);
    return t->at;
}

/* ---- limits ---- */

/* What the group has used since it last made progress. */
struct use {
    uint64_t progress;
    double busy, busy_before; /* s of processor time: now, and at the last progress */
    double asleep;
    double surveyed; /* when */
};

static bool stuck(struct use *u, const struct child_job *job, pid_t group, double time)
{
    bool asleep;

    if (job->limit.busy <= 0 && job->limit.asleep <= 0)
        return false;
    bool progress = job->progress != NULL && *job->progress != u->progress;
    if (progress) {
        u->progress = *job->progress;
        u->busy_before = u->busy;
        u->asleep = 0;
    }
    double passed = time - u->surveyed;
    if (passed < SURVEY)
        return false;
    u->surveyed = time;
    double busy = processes_of_group(group, &asleep);
    /* If we had to wait for a core, nothing is known about most of the time. */
    if (asleep && busy <= u->busy)
        u->asleep += passed < 2 * SURVEY ? passed : SURVEY;
    u->busy = busy;
    if (progress)
        u->busy_before = busy;
    return (job->limit.busy > 0 && busy - u->busy_before > job->limit.busy) ||
           (job->limit.asleep > 0 && u->asleep > job->limit.asleep);
}

/* ---- in the parent ---- */

static double seconds_of(struct timeval t) { return (double)t.tv_sec + 1e-6 * (double)t.tv_usec; }

static bool has_ended(pid_t id)
{
    siginfo_t info = {0};

    return waitid(P_PID, (id_t)id, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == id;
}

/* Reads and watches until the child has ended, which is not reaped yet: its number stays taken. */
static enum child_end supervise(const struct child_job *job, pid_t id, struct text text[2], const int pipes[2],
                                size_t most)
{
    bool limited = job->show_progress != NULL || job->limit.busy > 0 || job->limit.asleep > 0;
    struct pollfd from[2] = {{pipes[0], POLLIN, 0}, {pipes[1], POLLIN, 0}};
    struct use use = {.progress = job->progress != NULL ? *job->progress : 0, .surveyed = now()};
    enum child_end how = CHILD_ENDED;
    double kill_at = 0;
    bool enough = false, ended = false;

    /* When it has ended, the group goes, too, and with it the last writers. */
    while (!ended || from[0].fd >= 0 || from[1].fd >= 0) {
        double time = now();
        if (!ended && has_ended(id)) {
            ended = true;
            kill(-id, SIGKILL);
        } else if (!ended && how == CHILD_ENDED && stuck(&use, job, id, time)) {
            how = CHILD_STUCK;
            kill(-id, SIGKILL);
        } else if (!ended && how == CHILD_ENDED && (interrupted || enough)) {
            how = CHILD_STOPPED;
            kill(-id, SIGTERM);
            kill_at = time + GRACE;
        } else if (!ended && how == CHILD_STOPPED && time >= kill_at) {
            kill(-id, SIGKILL);
        }
        bool open = from[0].fd >= 0 || from[1].fd >= 0;
        if (ended && !open)
            break;
        double wait = ended ? 0 : limited || !open ? LOOK : REST;
        int ready = poll(from, 2, (int)(1e3 * wait) + (wait > 0));
        for (int k = 0; k < 2; k++) {
            bool any = ready > 0 && from[k].fd >= 0 && from[k].revents != 0;
            /* What a process outside of the group still holds open is not waited for. */
            if ((any && !read_more(pipes[k], &text[k])) || (ended && !any))
                from[k].fd = -1;
            from[k].revents = 0;
        }
        if (job->line != NULL && !enough && text[0].length > 0)
            enough = hand_on(&text[0], job);
        else if (enough)
            text[0].length = 0;
        forget(&text[1], most);
        if (job->show_progress != NULL)
            job->show_progress(job->context);
    }
    return how;
}

struct child child_run(const struct child_job *job)
{
    size_t most = job->said_most > 0 ? job->said_most : CHILD_SAID_DEFAULT;
    struct text text[2] = {{0}, {0}}; /* standard output, standard error */
    struct child child = {0};
    int output[2] = {-1, -1}, errors[2], status;
    struct rusage usage;
    pid_t parent = getpid();

    if (pipe2(errors, O_CLOEXEC) != 0 || (job->line != NULL && pipe2(output, O_CLOEXEC) != 0))
        give_up("a pipe");
#ifdef __linux__
    prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
    fflush(NULL);
    hold_end_signals(SIG_BLOCK);
    pid_t id = fork();
    if (id < 0)
        give_up("a new process");
    if (id == 0)
        become(job, parent, job->line != NULL ? output[1] : errors[1], errors[1]);
    setpgid(id, id); /* parent and child both do: either may be first */
    running = (sig_atomic_t)id;
    hold_end_signals(SIG_UNBLOCK);
    unsigned long long start = processes_start(id);
    close(errors[1]);
    if (job->line != NULL)
        close(output[1]);

    child.how = supervise(job, id, text, (int[]){output[0], errors[0]}, most);
    running = 0;
    while (wait4(id, &status, 0, &usage) < 0)
        if (errno != EINTR)
            give_up("waiting for a program");
    if (start > 0)
        processes_end_children(start);
#ifdef __linux__
    prctl(PR_SET_CHILD_SUBREAPER, 0);
#endif
    close(errors[0]);
    if (job->line != NULL)
        close(output[0]);
    free(text[0].at);
    child.said = said(&text[1], most);
    child.status = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    child.busy = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    return child;
}

void child_free(struct child *child)
{
    free(child->said);
    child->said = NULL;
}

const char *child_reason(const struct child *child, char *text, size_t size)
{
    const char *from = child->said, *last = NULL;

    while (*from != '\0') {
        if (*from != '\n')
            last = from;
        from += strcspn(from, "\n");
        from += *from == '\n';
    }
    snprintf(text, size, "%.*s", last != NULL ? (int)strcspn(last, "\n") : 10, last != NULL ? last : "no message");
    return text;
}
