#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "checker.h"

/* Limits without progress: seconds of processor time, and seconds of wall time, as it may wait for a core. */
#define BUSY_MOST 5.0
#define WAIT_MOST 20.0
#define ALL_MOST  90.0 /* seconds for one round, with signs of life */
#define SAID_MAX  ((size_t)1 << 20)

void *shared_memory(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED) {
        fprintf(stderr, "no memory for the checker: close other programs and try again\n");
        exit(3);
    }
    return memory;
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds of processor time of another process. */
static double busy(pid_t child)
{
    struct timespec t;
    clockid_t clock;

    if (clock_getcpuclockid(child, &clock) != 0 || clock_gettime(clock, &t) != 0)
        return 0;
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Reads the pipe until it is closed; what exceeds SAID_MAX is discarded. */
struct voice {
    int pipe;
    char *text;
    size_t size;
    bool closed;
};

static void listen_to(struct voice *v)
{
    char part[4096];
    ssize_t got = read(v->pipe, part, sizeof part);

    if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN))
        v->closed = true;
    if (got <= 0 || v->size + (size_t)got > SAID_MAX)
        return;
    char *more = realloc(v->text, v->size + (size_t)got + 1);
    if (more == NULL)
        return;
    v->text = more;
    memcpy(v->text + v->size, part, (size_t)got);
    v->size += (size_t)got;
    v->text[v->size] = '\0';
}

/* The child leads a process group of its own: whatever it started ends with it. */
static struct end supervise(pid_t child, struct voice *v, const volatile uint64_t *alive,
                            void (*tell)(void))
{
    struct end end = {ENDED, 0, ""};
    uint64_t last = alive != NULL ? *alive : 0;
    double start = now(), since = start, busy_since = 0;
    int status = 0;
    bool gone = false;

    while (!gone) {
        struct pollfd p = {v->pipe, POLLIN, 0};
        if (!v->closed && poll(&p, 1, 50) > 0)
            listen_to(v);
        else if (v->closed)
            poll(NULL, 0, 5);
        gone = waitpid(child, &status, WNOHANG) == child;
        if (alive != NULL && *alive != last) {
            last = *alive;
            since = now();
            busy_since = busy(child);
        }
        if (tell != NULL)
            tell();
        if (!gone && (busy(child) - busy_since > BUSY_MOST || now() - since > WAIT_MOST ||
                      now() - start > ALL_MOST)) {
            kill(-child, SIGKILL);
            waitpid(child, &status, 0);
            end.how = TOO_LONG;
            gone = true;
        }
    }
    kill(-child, SIGKILL); /* processes that it left behind */
    fcntl(v->pipe, F_SETFL, O_NONBLOCK);
    for (size_t before = SIZE_MAX; !v->closed && before != v->size;) {
        before = v->size;
        listen_to(v);
    }
    close(v->pipe);
    end.status = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    if (end.how == ENDED && end.status != 0)
        end.how = CRASHED;
    if (v->text != NULL) {
        const char *line = v->text; /* the last one that is not empty */
        for (char *at = v->text; *at != '\0'; at++)
            if (*at == '\n' && at[1] != '\0' && at[1] != '\n')
                line = at + 1;
        snprintf(end.said, sizeof end.said, "%.*s", (int)strcspn(line, "\n"), line);
    }
    return end;
}

static pid_t begin(struct voice *v)
{
    int ends[2];

    memset(v, 0, sizeof *v);
    fflush(NULL);
    if (pipe(ends) != 0) {
        perror("pipe");
        exit(3);
    }
    pid_t child = fork();
    if (child < 0) {
        fprintf(stderr, "no process can be started (%s): close other programs and try again\n",
                strerror(errno));
        exit(3);
    }
    if (child == 0) {
        setpgid(0, 0);
#ifdef __linux__
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* no child outlives the checker */
#endif
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        return 0;
    }
    setpgid(child, child); /* in parent and child: either may be first */
    close(ends[1]);
    v->pipe = ends[0];
    return child;
}

struct end child_run(void (*work)(void *), void *argument, const volatile uint64_t *alive,
                     void (*tell)(void))
{
    struct voice voice;
    pid_t child = begin(&voice);

    if (child == 0) {
        work(argument);
        fflush(NULL);
        _exit(0);
    }
    struct end end = supervise(child, &voice, alive, tell);
    free(voice.text);
    return end;
}

struct end child_program(char *const *arguments, char **said)
{
    struct voice voice;
    pid_t child = begin(&voice);

    if (child == 0) {
        execv(arguments[0], arguments);
        fprintf(stderr, "%s: %s\n", arguments[0], strerror(errno));
        _exit(127);
    }
    struct end end = supervise(child, &voice, NULL, NULL);
    *said = voice.text;
    return end;
}
