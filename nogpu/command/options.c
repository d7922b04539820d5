/* Options of the commands, whose values are looked at before anything is compiled or run.
 * SPDX-License-Identifier: MIT */
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../report/report.h"
#include "command.h"
#include "runs.h"

struct row {
    const char *commands, *name,
        *to;                       /* to: a variable of the environment; REPORT: it is an option of the report, too */
    bool (*is_right)(char *value); /* NULL: the option has no value, and the variable gets `says` */
    const char *says;              /* what a value has to be */
    long least, most;              /* of a number */
};

static bool is_any(char *value) { return *value; }

static bool is_number(char *value)
{
    return *value && value[strspn(value, "0123456789")] == '\0' && strlen(value) < 10;
}

/* Whether each word of a list is one of others, or of a kind with a number, as random:3. Commas become blanks. */
static bool is_list(char *value, const char *others, const char *kind)
{
    for (char *comma = value; (comma = strchr(comma, ','));)
        *comma = ' ';
    for (char **word = runs_words(value); *word; word++) {
        bool has_seed = strncmp(*word, kind, strlen(kind)) == 0 && is_number(*word + strlen(kind));
        if (!has_seed && !runs_is_one_of(*word, others))
            return false;
    }
    return true;
}

static bool is_warp(char *value) { return is_list(value, " 32 64 ", "?"); }
static bool is_order(char *value) { return is_list(value, " forward reverse ", "random:"); }
static bool is_memory(char *value) { return is_list(value, " strong weak ", "weak:"); }
static bool is_format(char *value) { return is_list(value, " text json sarif ", "?"); }
static bool is_readable(char *value) { return access(value, R_OK) == 0; }

static bool is_writable(char *value) { return runs_can_write(value); }

static bool is_pattern(char *value)
{
    regex_t pattern;

    return regcomp(&pattern, value, REG_EXTENDED | REG_NOSUB) == 0;
}

#define ANY     999999999
#define ORDERS  "forward, reverse or random:SEED, with a number for SEED"
#define MODELS  "strong, weak or weak:SEED, with a number for SEED"
#define PATTERN "no regular expression (extended, as grep -E takes them)"
static const struct row rows[] = {
    {"run race memory explain", "--warp", "WARP", is_warp, "32, 64, or 32,64", 0, 0},
    {"run race memory explain", "--keep", "KEEP", is_any, "", 0, 0},
    {"run race memory", "--schedule", "SCHEDULE", is_order, ORDERS, 0, 0},
    {"run", "--gdb", "GDB", NULL, "yes", 0, 0},
    {"race", "--memory", "MEMORY", is_memory, MODELS, 0, 0},
    {"race", "--jobs", "JOBS", is_number, "a number from 1 to 64", 1, RUNS_MOST},
    {"race", "--time", "TIME", is_number, "a number from 1 on", 1, ANY},
    {"race", "--volatile", "RACES", NULL, "volatile", 0, 0},
    {"race", "--strict", "RACES", NULL, "strict", 0, 0},
    {"memory", "--leaks", "HIP_CPU_LEAKS", NULL, "all", 0, 0},
    {"race memory", "--kernel", "HIP_CPU_KERNEL", is_pattern, PATTERN, 0, 0},
    {"race memory", "--launch-skip", "SKIP", is_number, "a number from 0 on", 0, ANY},
    {"race memory", "--launch-count", "COUNT", is_number, "a number from 1 on", 1, ANY},
    {"race memory", "--log", "REPORT", is_writable, "cannot write it", 0, 0},
    {"race memory", "--format", "REPORT", is_format, "text, json or sarif", 0, 0},
    {"race memory", "--suppressions", "REPORT", is_readable, "cannot read it", 0, 0},
    {"race memory", "--baseline", "REPORT", is_readable, "cannot read it", 0, 0},
    {"race memory", "--limit", "REPORT", is_number, "a number from 1 to 1000000", 1, 1000000},
    {"race memory", "--error-exitcode", "REPORT", is_number, "a number from 0 to 255", 0, 255},
    {"race memory", "--quiet", "REPORT", NULL, "", 0, 0},
    {"race memory", "--print-suppressions", "REPORT", NULL, "", 0, 0},
    {"explain", "--machine", "MACHINE", is_any, "", 0, 0},
    {"explain", "--format", "FORMAT", is_any, "", 0, 0},
    {"explain", "--page", "PAGE", is_writable, "cannot write it", 0, 0},
};

void command_forget(void)
{
    for (const struct row *row = rows; row < rows + sizeof rows / sizeof *rows; row++)
        if (strcmp(row->to, "TIME") != 0 && strncmp(row->to, "HIP_", strlen("HIP_")) != 0)
            unsetenv(row->to);
}

static const struct row *find(const char *command, const char *name, size_t length)
{
    for (const struct row *row = rows; row < rows + sizeof rows / sizeof *rows; row++)
        if (strlen(row->name) == length && strncmp(row->name, name, length) == 0 && strstr(row->commands, command) &&
            (row->is_right || name[length] == '\0'))
            return row;
    report_usage("%s has no option %.*s; nogpu %s --help", command, (int)length, name, command);
}

/* For a shell; %p is the number of this process. */
static char *quoted(const char *word)
{
    char *text = finding_text("'");

    for (; *word; word++)
        if (word[0] == '%' && word[1] == 'p')
            text = finding_text("%s%d", text, (int)getpid()), word++;
        else
            text = finding_text(*word == '\'' ? "%s'\\''" : "%s%c", text, *word);
    return finding_text("%s'", text);
}

char **command_option(const char *command, char **words)
{
    size_t length = strcspn(*words, "=");
    const struct row *row = find(command, *words, length);
    bool is_apart = row->is_right && (*words)[length] == '\0';
    const char *given = is_apart ? words[1] : *words + length + ((*words)[length] == '=');

    if (row->is_right && (!given || !*given))
        report_usage("%s %s wants a value; nogpu %s --help", command, row->name, command);
    char *value = finding_text("%s", row->is_right ? given : row->says);
    if (row->is_right &&
        (!row->is_right(value) || (row->most > 0 && (atol(value) < row->least || atol(value) > row->most))))
        report_usage("%s %s %s: %s", command, row->name, given, row->says);
    if (strcmp(row->to, "REPORT") == 0)
        value = finding_text("%s %s %s", runs_setting("REPORT", ""), row->name, row->is_right ? quoted(value) : "");
    setenv(row->to, value, 1);
    return is_apart ? words + 1 : words;
}
