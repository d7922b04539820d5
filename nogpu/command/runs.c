/* Starts programs, and ends them.
 * SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../report/report.h"
#include "runs.h"

static volatile sig_atomic_t signals;
static volatile pid_t children[RUNS_MOST]; /* 0: none */
static void (*stop)(void);
static char *folder;

static void on_signal(int number)
{
    (void)number;
    for (int i = 0; i < RUNS_MOST; i++)
        if (children[i] > 0)
            kill(children[i], signals == 0 ? SIGTERM : SIGKILL);
    signals++;
}

static void to_signals(sigset_t *all)
{
    sigemptyset(all);
    sigaddset(all, SIGINT);
    sigaddset(all, SIGTERM);
    sigaddset(all, SIGHUP);
}

void runs_begin(void (*at_stop)(void))
{
    struct sigaction action = {.sa_handler = on_signal};

    stop = at_stop;
    to_signals(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    setenv("HIP_CPU_PARENT", finding_text("%d", (int)getpid()), 1);
}

static void remove_folder(void)
{
    DIR *files = opendir(folder);

    for (struct dirent *file; files && (file = readdir(files));)
        unlinkat(dirfd(files), file->d_name, 0);
    if (files)
        closedir(files);
    rmdir(folder);
}

const char *runs_folder(void)
{
    if (folder)
        return folder;
    folder = finding_text("%s/nogpu.XXXXXX", runs_setting("TMPDIR", "/tmp"));
    if (!mkdtemp(folder)) {
        fprintf(stderr, "nogpu: %s cannot be made: %s\n", folder, strerror(errno));
        exit(3);
    }
    atexit(remove_folder);
    return folder;
}

/* Each run reads a file from the same place on. */
static void open_input(void)
{
    struct stat is;
    off_t from = lseek(STDIN_FILENO, 0, SEEK_CUR);
    int in = from >= 0 && fstat(STDIN_FILENO, &is) == 0 && S_ISREG(is.st_mode)
                 ? open("/dev/stdin", O_RDONLY | O_CLOEXEC)
                 : -1;

    if (in >= 0 && lseek(in, from, SEEK_SET) == from)
        dup2(in, STDIN_FILENO);
}

/* In the child. From a terminal SIGINT comes to all: it is ours to pass on. */
static void become(char **words, int out, int error, unsigned seconds, const sigset_t *mask)
{
    struct rlimit limit;

    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    sigprocmask(SIG_SETMASK, mask, NULL);
    open_input();
    dup2(out, STDOUT_FILENO);
    dup2(error, STDERR_FILENO);
    if (seconds > 0 && getrlimit(RLIMIT_CPU, &limit) == 0) {
        limit.rlim_cur = seconds;
        setrlimit(RLIMIT_CPU, &limit);
    }
    execvp(words[0], words);
    fprintf(stderr, "nogpu: %s: %s\n", words[0], strerror(errno));
    _exit(errno == ENOENT ? 127 : 126);
}

static int place_of(pid_t process)
{
    int i = 0;

    while (i < RUNS_MOST && children[i] != process)
        i++;
    return i;
}

static bool any_runs(void)
{
    for (int i = 0; i < RUNS_MOST; i++)
        if (children[i] > 0)
            return true;
    return false;
}

pid_t runs_fork(char **words, int out, int error, unsigned seconds)
{
    int place = place_of(0);
    sigset_t all, before;

    fflush(NULL);
    to_signals(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    pid_t process = signals > 0 ? 0 : fork();
    if (process == 0 && signals == 0)
        become(words, out, error, seconds, &before);
    if (process > 0)
        children[place] = process;
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (process < 0)
        report_usage("%s: cannot be started: %s", words[0], strerror(errno));
    return process;
}

long long runs_number(const char *file, const char *name)
{
    char *text = report_file(file), *line = text ? strstr(text, name) : NULL;
    long long number = line ? strtoll(line + strlen(name), NULL, 10) : -1;

    free(text);
    return number;
}

bool runs_wait(struct runs_end *end)
{
    struct rusage used;
    siginfo_t which;
    int status = 0, place = RUNS_MOST;

    while (any_runs() && (place == RUNS_MOST || signals > 0)) {
        if (waitid(P_ALL, 0, &which, WEXITED | WNOWAIT) < 0)
            continue; /* a signal */
        const char *of_process = finding_text("/proc/%d/io", (int)which.si_pid);
        *end = (struct runs_end){.process = which.si_pid, .written = runs_number(of_process, "wchar:")};
        place = place_of(which.si_pid);
        if (place < RUNS_MOST) /* not a child of the program that has become this one */
            children[place] = 0;
        wait4(which.si_pid, &status, 0, &used);
    }
    if (signals > 0)
        stop();
    if (place == RUNS_MOST)
        return false;
    end->code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    end->memory = (long long)used.ru_maxrss << 10;
    return true;
}

void runs_end_all(void)
{
    struct runs_end end;

    for (int i = 0; i < RUNS_MOST; i++)
        if (children[i] > 0)
            kill(children[i],
                 SIGKILL); /* nobody wants its report, and a program that makes one while in malloc() may hang */
    while (runs_wait(&end))
        ;
}

int runs_start(char **words, int out, int error, unsigned seconds)
{
    struct runs_end end = {.code = 0};

    runs_fork(words, out, error, seconds);
    runs_wait(&end);
    return end.code;
}

void runs_set(const char *warp, const char *schedule)
{
    if (*warp)
        setenv("HIP_CPU_WARP_SIZE", warp, 1);
    setenv("HIP_CPU_SCHEDULE", schedule, 1);
}

bool runs_can(const char *program, const char *warp)
{
    char *words[] = {(char *)program, NULL};
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

    setenv("HIP_CPU_WARP_SIZE", warp, 1);
    setenv("HIP_CPU_HELP", "1", 1);
    int code = runs_start(words, null, null, 0);
    unsetenv("HIP_CPU_HELP");
    close(null);
    return code == 0;
}

char **runs_words(const char *text)
{
    size_t count = 0;
    char **words = report_check(calloc(strlen(text) / 2 + 2, sizeof *words));

    for (char *copy = finding_text("%s", text), *word = strtok(copy, " \t\n"); word; word = strtok(NULL, " \t\n"))
        words[count++] = word;
    return words;
}

static size_t count_of(char **words)
{
    size_t count = 0;

    while (words[count])
        count++;
    return count;
}

char **runs_joined(char **first, char **then)
{
    size_t count = count_of(first);
    char **all = report_check(calloc(count + count_of(then) + 1, sizeof *all));

    memcpy(all, first, count * sizeof *all);
    memcpy(all + count, then, count_of(then) * sizeof *all);
    return all;
}

bool runs_is_one_of(const char *word, const char *list) { return strstr(list, finding_text(" %s ", word)) != NULL; }

const char *runs_setting(const char *name, const char *instead)
{
    const char *value = getenv(name);

    return value && *value ? value : instead;
}

void runs_copy_setting(const char *from, const char *to)
{
    if (runs_setting(from, NULL))
        setenv(to, getenv(from), 1);
}

bool runs_can_write(const char *file)
{
    const char *slash = strrchr(file, '/');
    struct stat is;

    if (stat(file, &is) == 0)
        return !S_ISDIR(is.st_mode) && access(file, W_OK) == 0;
    return access(slash ? finding_text("%.*s/", (int)(slash - file), file) : ".", W_OK) == 0;
}
