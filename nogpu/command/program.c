/* nogpu run, race, memory, explain: builds the program, if sources are named, and starts it.
 * SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../report/report.h"
#include "command.h"
#include "runs.h"

static char **sources, *first, *program, **arguments; /* sources: with options for the compiler */

static bool is_source(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot && runs_is_one_of(dot, " .hip .cu .cpp .cc .cxx .c ");
}

static void add_source(char *word)
{
    char *words[] = {word, NULL};

    sources = runs_joined(sources, words);
}

static bool has_prefix(const char *word, const char *prefix) { return strncmp(word, prefix, strlen(prefix)) == 0; }

static bool is_for_compiler(const char *word)
{
    return has_prefix(word, "--offload-arch=") || has_prefix(word, "--gpu-architecture=") ||
           has_prefix(word, "--generate-code=");
}

/* Options and sources. What comes behind a program, or --, is its own. */
static void read_words(const char *command, char **words)
{
    bool takes_value = false; /* the option of the compiler before this word */

    for (; *words && strcmp(*words, "--") != 0; words++) {
        if (has_prefix(*words, "--") && !is_for_compiler(*words)) {
            words = command_option(command, words);
            continue;
        }
        if (**words != '-' && !takes_value) {
            if (access(*words, F_OK) != 0)
                report_usage("%s: %s: no such file", command, *words);
            if (!first && !is_source(*words))
                break;
            first = first ? first : *words;
        }
        takes_value = runs_is_one_of(*words, " -I -D -L -U -l -std -x -include -isystem -iquote -Xcompiler -arch ");
        add_source(*words);
    }
    if (*words && strcmp(*words, "--") != 0)
        first = *words++;
    arguments = *words && strcmp(*words, "--") == 0 ? words + 1 : words;
    if (!first)
        report_usage("%s: name a source (.hip, .cu, .cpp) or a program; nogpu %s --help", command, command);
}

/* plain, asan or traced */
static const char *mode_of(const char *command)
{
    if (strcmp(command, "run") != 0)
        return "traced";
    for (char **word = sources; *word; word++)
        if (has_prefix(*word, "-fsanitize=") && strstr(*word, "address"))
            return "asan";
    return "plain";
}

/* In the user's cache, a folder for each folder, list of sources and mode. */
static char *cached(const char *mode)
{
    char *here = report_check(getcwd(NULL, 0)), *text = finding_text("%s %s", mode, here),
         *cache = getenv("XDG_CACHE_HOME");
    const char *slash = strrchr(first, '/'), *name = slash ? slash + 1 : first;

    for (char **word = sources; *word; word++)
        text = finding_text("%s %s", text, *word);
    cache = cache && *cache ? cache : finding_text("%s/.cache", runs_setting("HOME", ""));
    return finding_text("%s/nogpu/programs/%016llx/%.*s", cache, (unsigned long long)finding_hash(FINDING_HASH, text),
                        (int)(strrchr(name, '.') - name), name);
}

/* Its exit code. */
static int compile(const char *mode, char *to, int error)
{
    char *words[] = {"sh", finding_text("%s/trace/standalone.sh", getenv("HIP_CPU_ROOT")), (char *)mode, to, NULL};

    return runs_start(runs_joined(words, sources), STDOUT_FILENO, error, 0);
}

static void find_program(const char *command)
{
    const char *mode = mode_of(command), *keep = runs_setting("KEEP", "");

    if (!is_source(first)) {
        if (access(first, X_OK) != 0 || access(finding_text("%s/", first), F_OK) == 0)
            report_usage("%s: %s is neither a source (.hip, .cu, .cpp) nor a program", command, first);
        program = strchr(first, '/') ? first : finding_text("./%s", first);
        return;
    }
    if (*runs_setting("GDB", "")) { /* a kernel is no loop then */
        add_source("-g");
        add_source("-O0");
    }
    program = !*keep ? cached(mode) : finding_text(strchr(keep, '/') ? "%s" : "./%s", keep);
    if (compile(mode, program, STDERR_FILENO) != 0)
        exit(2);
}

/* Where macros ask for the size of a warp, there is a program for each. */
static void build_for_each_warp(void)
{
    const char *warps = finding_text(" %s ", runs_setting("WARP", "32 64"));
    static const char *const lanes[] = {"32", "64"};

    for (int i = 0; i < 2; i++) {
        char *other = finding_text("%s.%s", program, lanes[i]);
        unlink(other);
        if (!runs_is_one_of(lanes[i], warps) || runs_can(program, lanes[i]))
            continue;
        setenv("HIP_CPU_WARP_SIZE", lanes[i], 1);
        int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
        compile("traced", other, null);
        close(null);
        if (!runs_can(other, lanes[i]))
            unlink(other);
    }
    unsetenv("HIP_CPU_WARP_SIZE");
}

static int run(void)
{
    bool in_gdb = *runs_setting("GDB", "");
    char *one[] = {program, NULL},
         *gdb[] = {"gdb",    "-q",    "-x", finding_text("%s/command/gdb.py", getenv("HIP_CPU_ROOT")),
                   "--args", program, NULL};

    runs_copy_setting("WARP", "HIP_CPU_WARP_SIZE");
    runs_copy_setting("SCHEDULE", "HIP_CPU_SCHEDULE");
    if (in_gdb)
        setenv("HIP_CPU_WORKERS", "1", !*runs_setting("HIP_CPU_WORKERS", ""));
    command_forget();
    char **words = runs_joined(in_gdb ? gdb : one, arguments);
    execvp(words[0], words);
    if (in_gdb && errno == ENOENT)
        report_usage("run --gdb needs gdb: apt install gdb; dnf install gdb; conda install gdb");
    report_usage("run: %s: %s", words[0], strerror(errno));
}

static void on_stop(void) { exit(130); }

int command_main(const char *name, char **words)
{
    command_forget();
    sources = runs_words("");
    read_words(name, words);
    if (strcmp(name, "run") == 0 &&
        (strchr(runs_setting("WARP", ""), ' ') || strchr(runs_setting("SCHEDULE", ""), ' ')))
        report_usage("run: one warp size and one schedule; nogpu race runs several");
    if (is_source(first) && strcmp(strrchr(first, '.'), ".cu") == 0)
        setenv("WARP", "32", !*runs_setting("WARP", ""));
    if (*runs_setting("SKIP", "") || *runs_setting("COUNT", ""))
        setenv("HIP_CPU_LAUNCHES", finding_text("%s:%s", runs_setting("SKIP", "0"), runs_setting("COUNT", "all")), 1);
    runs_begin(on_stop);
    find_program(name);
    if (strcmp(name, "run") == 0)
        return run();
    if (strcmp(name, "race") == 0 && is_source(first))
        build_for_each_warp();
    char *one[] = {program, NULL}, *counted[] = {program, "--", NULL};
    return strcmp(name, "explain") == 0 ? runs_explain(runs_joined(counted, arguments))
           : strcmp(name, "race") == 0  ? runs_race(runs_joined(one, arguments))
                                        : runs_memory(runs_joined(one, arguments));
}
