/* Child processes: their output and limits; nothing outlives them.
 * SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "process/child.h"
#include "process/processes.h"
#include "suite.h"

struct lines {
    char text[256];
    int count, most;
};

static bool keep(void *context, char *line)
{
    struct lines *l = context;

    strcat(strcat(l->text, line), "|");
    return ++l->count != l->most;
}

static struct child run_shell(const char *script, struct lines *lines)
{
    char *words[] = {"sh", "-c", (char *)script, NULL};

    return child_run(&(struct child_job){.words = words, .line = keep, .context = lines});
}

static void wait_for_end(pid_t id)
{
    for (int i = 0; processes_start(id) != 0; i++) {
        ck_assert_msg(i < 30000, "process %d is still running", (int)id);
        nanosleep(&(struct timespec){0, 2000000}, NULL);
    }
}

TEST(lines_errors_and_status)
{
    struct lines lines = {0};
    struct child c =
        run_shell("read x; echo \"one $x\"; echo two; echo no >&2; echo why >&2; printf cut; exit 7", &lines);
    char reason[32];

    ck_assert_str_eq(lines.text, "one |two|");
    ck_assert_str_eq(c.said, "no\nwhy\n");
    ck_assert_str_eq(child_reason(&c, reason, sizeof reason), "why");
    ALL(c.status == 7, c.how == CHILD_ENDED);
    child_free(&c);
}

TEST(together_without_a_taker)
{
    char *words[] = {"sh", "-c", "echo out; echo err >&2", NULL};
    struct child c = child_run(&(struct child_job){.words = words});

    ck_assert_str_eq(c.said, "out\nerr\n");
    child_free(&c);
}

TEST(only_the_end_of_much_output)
{
    char *words[] = {"sh", "-c", "i=0; while [ $i -lt 20000 ]; do echo $i; i=$((i+1)); done", NULL};
    struct child c = child_run(&(struct child_job){.words = words, .said_most = 12});

    ck_assert_str_eq(c.said, "19998\n19999\n");
    child_free(&c);
}

TEST(ends_that_are_not_its_own)
{
    struct lines lines = {.most = 1};
    char *missing[] = {"/nowhere/program", NULL};
    struct child c = run_shell("echo 1; echo 2; sleep 1000", &lines);

    ALL(c.how == CHILD_STOPPED, c.status == -SIGTERM);
    ck_assert_str_eq(lines.text, "1|");
    child_free(&c);
    c = child_run(&(struct child_job){.words = missing});
    ALL(c.status == 127, strstr(c.said, "/nowhere/program: No such file") != NULL);
    child_free(&c);
    c = run_shell("kill -9 $$", &lines);
    ALL(c.how == CHILD_ENDED, c.status == -SIGKILL);
    child_free(&c);
}

static void say(void *context) { printf("%s\n", (const char *)context); }

TEST(a_function)
{
    struct child c = child_run(&(struct child_job){.work = say, .context = "here"});

    ck_assert_str_eq(c.said, "here\n");
    ck_assert_int_eq(c.status, 0);
    child_free(&c);
}

/* A grandchild in the group, in its own session, and in a session below that; it reports when it runs. */
static const char *const leaving[] = {
    "sleep 1000 & echo $!",
    "trap 'exit 0' USR1; setsid sh -c 'echo $$; kill -USR1 '$$'; exec sleep 1000' & wait",
    "trap 'exit 0' USR1; setsid sh -c 'echo $$; setsid sleep 1000 & kill -USR1 '$$'; wait' & wait",
};

TESTS(what_it_leaves_behind_ends, 3)
{
    struct lines lines = {0};
    struct child c = run_shell(leaving[_i], &lines);

    ALL(c.how == CHILD_ENDED, atoi(lines.text) > 0);
    wait_for_end((pid_t)atoi(lines.text));
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1); /* nothing to reap */
    child_free(&c);
}

TEST(ends_with_us)
{
    int report[2];
    pid_t id = 0;

    ck_assert_int_eq(pipe(report), 0);
    pid_t parent = fork();
    if (parent == 0) {
        char script[64];
        char *words[] = {"sh", "-c", script, NULL};
        snprintf(script, sizeof script, "echo $$ >/proc/%d/fd/%d; exec sleep 1000", (int)getpid(), report[1]);
        child_run(&(struct child_job){.words = words});
        _exit(0);
    }
    char text[32] = "";
    ck_assert_int_gt(read(report[0], text, sizeof text - 1), 0);
    id = (pid_t)atoi(text);
    ck_assert_int_ne(processes_start(id), 0);
    kill(parent, SIGKILL);
    waitpid(parent, NULL, 0);
    wait_for_end(id);
}

static volatile uint64_t *shared;

static void spin(void *context)
{
    (void)context;
    for (;;)
        ;
}

static void hang(void *context)
{
    (void)context;
    for (;;)
        pause();
}

/* Works for longer than the limits, but makes progress. */
static void go_on(void *context)
{
    (void)context;
    for (int i = 0; i < 4; i++) {
        clock_t begin = clock();
        while (clock() - begin < CLOCKS_PER_SEC / 2)
            ;
        ++*shared;
    }
}

TEST(limits_count_work_and_sleep)
{
    struct child_job job = {.work = spin, .limit = {.busy = 1.0, .asleep = 2.0}};
    struct child c;

    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert(shared != MAP_FAILED);
    c = child_run(&job);
    ALL(c.how == CHILD_STUCK, c.busy >= 0.9);
    child_free(&c);
    job.work = hang;
    c = child_run(&job);
    ck_assert_int_eq(c.how, CHILD_STUCK);
    child_free(&c);
    job.work = go_on;
    c = child_run(&job);
    ck_assert_int_eq(c.how, CHILD_STUCK);
    child_free(&c);
    *shared = 0;
    job.progress = shared;
    c = child_run(&job);
    ALL(c.how == CHILD_ENDED, *shared == 4);
    child_free(&c);
    munmap((void *)shared, sizeof *shared);
}

/* Whether the process has a core or waits for one. */
TEST(work_is_not_sleep)
{
    bool asleep = true;
    pid_t id = fork();

    if (id == 0) {
        setpgid(0, 0);
        spin(NULL);
    }
    setpgid(id, id);
    processes_of_group(id, &asleep);
    ck_assert(!asleep);
    kill(id, SIGKILL);
    waitpid(id, NULL, 0);
}

static void *spin_while(void *any)
{
    while (*(volatile bool *)any)
        continue;
    return NULL;
}

/* It may wait for what this process is about to send. */
TEST(sleep_beside_a_thread_of_ours_that_works)
{
    bool asleep = true;
    volatile bool works = true;
    pthread_t thread;
    pid_t id = fork();

    if (id == 0) {
        setpgid(0, 0);
        for (;;)
            pause();
    }
    setpgid(id, id);
    ck_assert_int_eq(pthread_create(&thread, NULL, spin_while, (void *)&works), 0);
    processes_of_group(id, &asleep);
    works = false;
    pthread_join(thread, NULL);
    kill(id, SIGKILL);
    waitpid(id, NULL, 0);
    ck_assert(!asleep);
}
