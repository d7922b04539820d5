/* Runs a command and everything that it starts: what is left behind after its end is a failure, and is ended.
 *
 *   reaper FILE COMMAND [ARGUMENT]...      FILE receives the processor time in seconds, of all processes
 *
 * The exit code is the command's (128 + N for signal N), or 99 when it left processes behind, or when nothing moved
 * for five minutes: no process of it ran or waited for a disk, or used processor time. No verdict depends on how
 * long something takes: a process that still runs, or waits for one that runs, is waited for. A signal to the
 * reaper ends them all.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TROUBLE = 99, PROCESSES = 4096, STANDSTILL_S = 300 };

/* One descendant, as /proc/PID/stat has it. */
struct process {
    pid_t pid, parent;
    char state, name[32];
    unsigned long ticks; /* of processor time, with its ended children */
};

struct family {
    struct process members[PROCESSES];
    size_t count;
    unsigned long ticks;
    bool moves; /* one of them runs, waits for a disk or is about to be killed */
};

static bool read_process(pid_t pid, struct process *p)
{
    char path[64], text[1024];
    unsigned long user, system, children_user, children_system;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = '\0';
    char *open = strchr(text, '('),
         *close = strrchr(text, ')'); /* a name may have brackets and spaces */
    if (open == NULL || close == NULL)
        return false;
    snprintf(p->name, sizeof p->name, "%.*s", (int)(close - open - 1), open + 1);
    p->pid = pid;
    int parent;
    if (sscanf(close + 1, " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %lu %lu", &p->state,
               &parent, &user, &system, &children_user, &children_system) != 6)
        return false;
    p->parent = parent;
    p->ticks = user + system + children_user + children_system;
    return true;
}

/* SIGKILL waits for it: it ends as soon as it gets a processor. */
static bool is_dying(pid_t pid)
{
    char path[64], line[256];
    unsigned long long pending = 0, of_all;

    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return true;
    while (fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "SigPnd: %llx", &of_all) == 1 ||
            sscanf(line, "ShdPnd: %llx", &of_all) == 1)
            pending |= of_all;
    fclose(file);
    return (pending >> (SIGKILL - 1) & 1) != 0;
}

/* All living descendants of this process. */
static void find_family(struct family *f)
{
    static struct process all[PROCESSES];
    size_t count = 0, before;
    DIR *proc = opendir("/proc");

    for (struct dirent *entry; proc != NULL && (entry = readdir(proc)) != NULL;)
        if (isdigit((unsigned char)entry->d_name[0]) && count < PROCESSES &&
            read_process(atoi(entry->d_name), &all[count]))
            count++;
    if (proc != NULL)
        closedir(proc);
    f->count = 0;
    f->ticks = 0;
    f->moves = false;
    do {
        before = f->count;
        for (size_t i = 0; i < count; i++) {
            bool ours = all[i].parent == getpid();
            for (size_t k = 0; k < f->count && !ours; k++)
                ours = all[i].parent == f->members[k].pid;
            if (!ours)
                continue;
            f->members[f->count++] = all[i];
            all[i].parent = -1; /* counted */
        }
    } while (f->count > before);
    for (size_t i = 0; i < f->count; i++) {
        const struct process *p = &f->members[i];
        f->ticks += p->ticks;
        f->moves |= p->state == 'R' || p->state == 'D' || (p->state != 'Z' && is_dying(p->pid));
    }
}

static void print_family(const struct family *f, const char *what)
{
    for (size_t i = 0; i < f->count; i++) {
        char path[64], command[160] = "";
        if (f->members[i].state == 'Z')
            continue;
        snprintf(path, sizeof path, "/proc/%d/cmdline", (int)f->members[i].pid);
        FILE *file = fopen(path, "r");
        size_t size = file == NULL ? 0 : fread(command, 1, sizeof command - 1, file);
        if (file != NULL)
            fclose(file);
        for (size_t k = 0; k + 1 < size; k++)
            if (command[k] == '\0')
                command[k] = ' ';
        fprintf(stderr, "%s: process %d (%s), state %c: %s\n", what, (int)f->members[i].pid,
                f->members[i].name, f->members[i].state, command);
    }
}

static pid_t command;
static int status = -1; /* of the command, once it has ended */

static void reap(void)
{
    int ended;

    for (pid_t pid; (pid = waitpid(-1, &ended, WNOHANG)) > 0;)
        if (pid == command)
            status = WIFSIGNALED(ended) ? 128 + WTERMSIG(ended) : WEXITSTATUS(ended);
}

static void end_all(struct family *f)
{
    const struct timespec moment = {.tv_nsec = 20000000};

    for (find_family(f); f->count > 0; find_family(f)) {
        for (size_t i = 0; i < f->count; i++)
            kill(f->members[i].pid, SIGKILL);
        nanosleep(&moment, NULL);
        reap();
    }
}

/* Waits for a signal, for at most so long; the signal, or 0. */
static int wait_for(const sigset_t *signals, long milliseconds)
{
    const struct timespec most = {.tv_sec = milliseconds / 1000,
                                  .tv_nsec = milliseconds % 1000 * 1000000};
    int got = sigtimedwait(signals, NULL, &most);

    reap();
    return got == SIGCHLD || got < 0 ? 0 : got;
}

/* Waits for the command's end; 0, or the signal that ends everything, or TROUBLE. */
static int watch(const sigset_t *signals, struct family *f)
{
    unsigned long ticks = 0;

    for (int still = 0; status < 0;) {
        int got = wait_for(signals, 1000);
        if (got != 0)
            return got;
        if (status >= 0)
            break;
        find_family(f);
        still = f->moves || f->ticks != ticks ? 0 : still + 1;
        ticks = f->ticks;
        if (still == STANDSTILL_S) {
            print_family(f, "nothing moved for five minutes");
            return TROUBLE;
        }
    }
    return 0;
}

/* Waits for what is left after the command's end, as long as it moves and uses less than 10 s of processor time. */
static int wait_for_rest(const sigset_t *signals, struct family *f)
{
    find_family(f);
    unsigned long ticks = f->ticks, most = f->ticks + 10 * (unsigned long)sysconf(_SC_CLK_TCK);

    for (int still = 0; f->count > 0;) {
        int got = wait_for(signals, 50);
        if (got != 0)
            return got;
        find_family(f);
        still = f->moves || f->ticks != ticks ? 0 : still + 1;
        ticks = f->ticks;
        if (f->count > 0 && (still == 40 || ticks > most)) {
            print_family(f, "left behind");
            return TROUBLE;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    static struct family family;
    sigset_t signals;

    if (argc < 3) {
        fprintf(stderr, "usage: reaper FILE COMMAND [ARGUMENT]...\n");
        return 2;
    }
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    command = fork();
    if (command < 0) {
        perror("reaper: fork");
        return TROUBLE;
    }
    if (command == 0) {
        setpgid(0, 0);
        signal(SIGINT, SIG_DFL); /* nohup, or a shell's background, may have had them ignored */
        signal(SIGHUP, SIG_DFL);
        signal(SIGTERM, SIG_DFL);
        signal(SIGQUIT, SIG_DFL);
        signal(SIGPIPE, SIG_DFL);
        sigprocmask(SIG_UNBLOCK, &signals, NULL);
        execvp(argv[2], argv + 2);
        fprintf(stderr, "%s: %s\n", argv[2], strerror(errno));
        _exit(127);
    }
    int trouble = watch(&signals, &family);
    if (trouble == 0) {
        trouble = wait_for_rest(&signals, &family);
    } else if (trouble != TROUBLE) { /* they may have something to tidy up */
        find_family(&family);
        for (size_t i = 0; i < family.count; i++)
            kill(family.members[i].pid, trouble);
        wait_for_rest(&signals, &family);
    }
    end_all(&family);
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    FILE *file = fopen(argv[1], "w");
    if (file != NULL) {
        fprintf(file, "%.1f\n",
                (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                    (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6);
        fclose(file);
    }
    if (trouble != 0 && trouble != TROUBLE) {
        signal(trouble, SIG_DFL);
        sigprocmask(SIG_UNBLOCK, &signals, NULL);
        raise(trouble);
    }
    return trouble != 0 ? trouble : status;
}
