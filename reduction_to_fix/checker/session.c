/* A runner in a process of its own. This process's main thread watches over it (process/child.h), another
 * thread talks with it.
 * SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "checker.h"
#include "exit_codes.h"
#include "process/child.h"

/* Seconds without an answer: of processor time, more where each access is seen; and in which all of its threads sleep. */
#define BUSY_MOST   8.0
#define ASLEEP_MOST 2.0
#define SAID_MAX    ((size_t)256 << 10)

static struct {
    int here, there; /* the ends of the socket */
    volatile uint64_t answers;
    struct trial trial; /* that runs */
    bool any, finished;
    void (*talk)(void *);
    void *context;
    struct reply reply;
    char *said;
} now;

static bool transfer(void *at, size_t bytes, bool out)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t part = out ? send(now.here, (char *)at + done, bytes - done, MSG_NOSIGNAL)
                           : recv(now.here, (char *)at + done, bytes - done, 0);
        if (part == 0 || (part < 0 && errno != EINTR))
            return false;
        done += part > 0 ? (size_t)part : 0;
    }
    return true;
}

/* Both at once: for each part the runner would wake up. */
static bool send_request(struct request *q, const void *payload)
{
    struct iovec parts[2] = {{q, sizeof *q}, {(void *)payload, q->count}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = q->count > 0 ? 2 : 1};
    ssize_t sent = sendmsg(now.here, &message, MSG_NOSIGNAL);
    size_t done = sent > 0 ? (size_t)sent : 0, of_payload = done > sizeof *q ? done - sizeof *q : 0;

    return transfer((char *)q + (done - of_payload), sizeof *q - (done - of_payload), true) &&
           transfer((char *)payload + of_payload, q->count - of_payload, true);
}

const struct reply *session_ask(struct request *q, const void *payload, void *back, size_t back_bytes,
                                const struct trial *s)
{
    if (s != NULL)
        now.trial = *s;
    now.any = s != NULL;
    if (!send_request(q, payload) || !transfer(&now.reply, sizeof now.reply, false))
        pthread_exit(NULL);
    if (now.reply.beyond || !transfer(back, back_bytes, false))
        pthread_exit(NULL);
    now.answers++;
    return &now.reply;
}

static void *converse(void *unused)
{
    (void)unused;
    now.talk(now.context);
    now.finished = true;
    shutdown(now.here, SHUT_WR); /* the runner ends */
    return NULL;
}

static void show(void *unused)
{
    (void)unused;
    round_show();
}

/* ---- endings that are findings ---- */

/* What the runtime says of its own switches is no help in an exercise. */
static void without_switches(char text[TEXT_MAX])
{
    char *from = strstr(text, "HIP_CPU_"), *to;

    if (from == NULL)
        return;
    to = from + strcspn(from, ":");
    while (from > text && *from != ',' && *from != ';')
        from--;
    memmove(from, to, strlen(to) + 1);
}

/* The last line that the runtime wrote, and the line of the source where a fault was. */
static void final_message(const char *all, char text[TEXT_MAX], char place[64])
{
    const char *line = all;
    bool known = false; /* line is the runtime's */

    place[0] = '\0';
    for (const char *at = all; *at != '\0'; at += strcspn(at, "\n"), at += *at == '\n') {
        if (*at == '\n')
            continue;
        bool of_runtime = strncmp(at, "hip: ", 5) == 0 && strncmp(at, "hip: the block's threads", 24) != 0;
        if (*at == ' ' || (known && !of_runtime && strncmp(at, "at line ", 8) != 0))
            continue; /* a tool's message, after the runtime's */
        known = known || of_runtime;
        if (!known || of_runtime)
            line = at;
        if (strncmp(at, "at line ", 8) == 0)
            snprintf(place, 64, " (%.*s)", (int)strcspn(at + 3, "\n"), at + 3);
    }
    line += strncmp(line, "hip: ", 5) == 0 ? 5 : 0;
    line = strncmp(line, "at line ", 8) == 0 ? "" : line;
    snprintf(text, TEXT_MAX, "%.*s", (int)strcspn(line, "\n"), line);
    without_switches(text);
}

/* As the C library says it: "FILE:LINE: FUNCTION: Assertion `...' failed." */
static void place_of_assertion(const char *all, char place[64])
{
    const char *end = strstr(all, ": Assertion `"), *at = end;

    while (at != NULL && at > all && at[-1] != '\n')
        at--;
    at = at != NULL ? strstr(at, ".hip:") : NULL;
    if (at != NULL && at < end)
        snprintf(place, 64, " (line %d)", atoi(at + 5));
}

static void diagnose(const struct child *child)
{
    static const char loops[] = "loops whose end may never come, and threads that wait for others";
    char said[TEXT_MAX], place[64];

    final_message(child->said, said, place);
    if (*place == '\0')
        place_of_assertion(child->said, place);
    if (now.any)
        trial_text(found.where, &now.trial);
    else
        snprintf(found.where, TEXT_MAX, "the start of the program");
    if (child->status == -SIGILL) { /* observe.c */
        found.code = "shift";
        snprintf(found.what, TEXT_MAX,
                 "a shift by as many bits as the number has, or more%s: a GPU makes 0 of it, and "
                 "others do not",
                 place);
        found.look = "the distance in that line, for every thread, also in warps of 64";
    } else if (child->how == CHILD_STUCK) {
        found.code = "hang";
        snprintf(found.what, TEXT_MAX, "it does not end");
        found.look = loops;
    } else if (strstr(said, "does not end") != NULL || strstr(said, "waits for a word") != NULL ||
               strstr(said, "loops without") != NULL) {
        found.code = "hang";
        snprintf(found.what, TEXT_MAX, "%s", said);
        found.look = loops;
    } else if (child->status == 0) {
        found.code = "crash";
        snprintf(found.what, TEXT_MAX, "it ends the program in the middle of a run");
        found.look = "what it does in this case";
    } else if (strstr(said, "barrier") != NULL || strstr(said, " wait at ") != NULL) {
        bool lanes = strstr(said, "need all lanes") != NULL;
        found.code = "barrier";
        snprintf(found.what, TEXT_MAX, "%s", said);
        found.look = lanes ? "the conditions around the shuffle or the vote: a lane gets nothing "
                             "from one that does not reach the same call"
                           : "the conditions around __syncthreads(): all threads of a block have "
                             "to reach it";
    } else if (now.reply.beyond || strstr(said, "llegal memory access") != NULL) { /* of a GPU */
        found.code = "out_of_bounds";
        snprintf(found.what, TEXT_MAX, "%.300s%s", said, place);
        found.look = "the index in that line, and who is allowed to use it";
    } else {
        found.code = "crash";
        if (*said != '\0')
            snprintf(found.what, TEXT_MAX, "%.300s%s", said, place);
        else if (child->status < 0)
            snprintf(found.what, TEXT_MAX, "signal %d ends it%s: %s", -child->status, place, strsignal(-child->status));
        else
            snprintf(found.what, TEXT_MAX, "it exits with code %d%s", child->status, place);
        found.look = "what it does in this case";
    }
}

/* ---- from start to end ---- */

static void prepare(enum tool tool, uint64_t seed)
{
    char memory[64];

    snprintf(memory, sizeof memory, "weak:%llu", (unsigned long long)seed);
    unsetenv("HIP_CPU_TRACE");
    unsetenv("HIP_CPU_MEMORY");
    unsetenv("HIP_CPU_RACES");
    setenv("HIP_CPU_WORKERS", tool == NO_TOOL ? "1" : "2", 1); /* however many cores there are */
    if (tool == TOOL_RACES || tool == TOOL_STRICT || tool == TOOL_WORK)
        setenv("HIP_CPU_TRACE", tool == TOOL_WORK ? "work" : "races", 1);
    if (tool == TOOL_STRICT)
        setenv("HIP_CPU_RACES", "strict", 1);
    if (tool == TOOL_WEAK)
        setenv("HIP_CPU_MEMORY", memory, 1);
}

bool session_run(enum tool tool, uint64_t seed, void (*talk)(void *), void *context)
{
    int ends[2];
    char number[16];
    pthread_t thread;

    free(now.said);
    memset(&now, 0, sizeof now);
    now.talk = talk;
    now.context = context;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
        perror("socketpair");
        exit(EXIT_DEVICE);
    }
    now.here = ends[0];
    now.there = ends[1];
    fcntl(now.here, F_SETFD, FD_CLOEXEC);
    snprintf(number, sizeof number, "%d", now.there);
    prepare(tool, seed);
    char *words[] = {(char *)settings.runner, number, NULL};
    struct child_job job = {.words = words,
                            .said_most = SAID_MAX,
                            .limit = {tool == NO_TOOL ? BUSY_MOST : 3 * BUSY_MOST, ASLEEP_MOST},
                            .progress = &now.answers,
                            .show_progress = show};
    if (pthread_create(&thread, NULL, converse, NULL) != 0) {
        fprintf(stderr, "no thread can be started: close other programs and try again\n");
        exit(EXIT_DEVICE);
    }
    struct child child = child_run(&job);
    close(now.there);
    shutdown(now.here, SHUT_RDWR);
    pthread_join(thread, NULL);
    close(now.here);
    if (child_interrupted())
        exit(128 + child_interrupted());
    if (child.status == EXIT_NO_DEVICE && !now.finished) {
        fprintf(stderr, "%s", child.said);
        exit(EXIT_NO_DEVICE);
    }
    if (!now.finished)
        diagnose(&child);
    now.said = child.said;
    return now.finished;
}

static struct {
    const struct round *const *rounds;
    unsigned count, at;
    bool right;
} group;

static void talk_of_all(void *unused)
{
    (void)unused;
    for (group.at = 0; group.at < group.count; group.at++) {
        group.right = group.rounds[group.at]->talk();
        if (!group.right)
            return;
        round_close(true);
    }
}

bool rounds_run(enum tool tool, const struct round *const *rounds, unsigned count)
{
    group.rounds = rounds;
    group.count = count;
    group.right = true;
    bool ran = session_run(tool, 0, talk_of_all, NULL);
    round_close(false);
    if (ran && !group.right)
        rounds[group.at]->diagnose();
    return ran && group.right;
}

const char *session_said(void) { return now.said; }

struct trial session_trial(void) { return now.trial; }
