#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "failure.h"
#include "harness/timing.h"

#define GRACE 3.0 /* s between SIGTERM and SIGKILL */

static volatile sig_atomic_t interrupted,
    running; /* running: process group of the child; 0: none */

static void interrupt(int signal)
{
    interrupted = signal;
    if (running > 0)
        kill(-(pid_t)running, SIGTERM);
}

void child_catch_signals(void)
{
    struct sigaction action = {.sa_handler = interrupt};

    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
}

int child_interrupted(void)
{
    return interrupted;
}

/* In the child: a process group of its own, so that a launcher and what it launches end together. */
static _Noreturn void become(char *const *words, int output, int errors)
{
    int nothing = open("/dev/null", O_RDONLY);

    /* Threads of OpenMP that wait by spinning would take the cores from those that work. */
    setenv("OMP_WAIT_POLICY", "passive", 0);
    setpgid(0, 0);
    signal(SIGPIPE, SIG_DFL);
    dup2(output, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    if (nothing >= 0)
        dup2(nothing, STDIN_FILENO);
    execvp(words[0], words);
    fprintf(stderr, "%s: %s\n", words[0], strerror(errno));
    _exit(127);
}

/* What has been read of the standard output but is not a whole line yet. */
struct pending {
    char *text;
    size_t length, room;
};

/* Reads what is there; false at the end. */
static bool read_lines(int from, struct pending *p, child_line *take, void *context, bool *enough)
{
    if (p->room - p->length < 4096)
        p->text = reallocate(p->text, p->room += 65536);
    ssize_t got = read(from, p->text + p->length, p->room - p->length - 1);
    if (got < 0 && errno == EINTR)
        return true;
    if (got <= 0)
        return false;
    p->length += (size_t)got;
    p->text[p->length] = '\0';
    char *line = p->text, *end;
    while (!*enough && (end = memchr(line, '\n', p->length - (size_t)(line - p->text))) != NULL) {
        *end = '\0';
        *enough = !take(context, line);
        line = end + 1;
    }
    p->length -= (size_t)(line - p->text);
    memmove(p->text, line, p->length);
    return true;
}

/* Keeps the last part of standard error; false at its end. */
static bool read_errors(int from, char *said)
{
    char text[1024];
    ssize_t got = read(from, text, sizeof text);
    size_t length = strlen(said);

    if (got < 0 && errno == EINTR)
        return true;
    for (ssize_t i = 0; i < got; i++) {
        if (length == CHILD_SAID_MAX - 1)
            memmove(said, said + CHILD_SAID_MAX / 2, length -= CHILD_SAID_MAX / 2);
        if (text[i] != '\0')
            said[length++] = text[i];
    }
    said[length] = '\0';
    return got > 0;
}

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

struct child child_run(char *const *words, double deadline, child_line *take, void *context)
{
    struct child child = {0};
    struct pending pending = {NULL, 0, 0};
    int output[2], errors[2], status;
    double end = deadline; /* the next time at which to act; 0: none */
    bool enough = false;
    struct rusage usage;

    if (pipe2(output, O_CLOEXEC) != 0 || pipe2(errors, O_CLOEXEC) != 0)
        give_up("a pipe", "end other programs");
    fflush(NULL);
    pid_t id = fork();
    if (id < 0)
        give_up("a new process", "end other programs");
    if (id == 0)
        become(words, output[1], errors[1]);
    setpgid(id, id); /* parent and child both do: either may be first */
    running = (sig_atomic_t)id;
    close(output[1]);
    close(errors[1]);

    struct pollfd from[2] = {{output[0], POLLIN, 0}, {errors[0], POLLIN, 0}};
    while (from[0].fd >= 0 || from[1].fd >= 0) {
        double now = timing_now();
        if (!child.stopped && (interrupted || enough || (end > 0 && now >= end))) {
            kill(-id, SIGTERM);
            child.stopped = true;
            end = now + GRACE;
        } else if (child.stopped && now >= end) {
            kill(-id, SIGKILL);
            end = now + GRACE;
        }
        int wait = end > 0 ? (int)(1e3 * (end - now)) + 1 : -1;
        if (poll(from, 2, wait) < 0 && errno != EINTR)
            give_up("reading from a program", "run it again");
        if (from[0].revents != 0 && !read_lines(output[0], &pending, take, context, &enough))
            from[0].fd = -1;
        if (from[1].revents != 0 && !read_errors(errors[0], child.said))
            from[1].fd = -1;
        from[0].revents = from[1].revents = 0;
    }
    close(output[0]);
    close(errors[0]);
    free(pending.text);
    while (wait4(id, &status, 0, &usage) < 0)
        if (errno != EINTR)
            give_up("waiting for a program", "run it again");
    running = 0;
    child.status = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    child.busy = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    return child;
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
    snprintf(text, size, "%.*s", last != NULL ? (int)strcspn(last, "\n") : 10,
             last != NULL ? last : "no message");
    return text;
}
