/* Progress, the verdict, and JSON.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "checker.h"
#include "exit_codes.h"
#include "harness/options/options.h"
#include "harness/report/fields.h"

struct settings settings;
struct diagnosis found;

static struct {
    const char *volatile name;
    volatile uint64_t done;
    uint64_t steps, shown;
} now;

void round_begin(const char *name, uint64_t steps)
{
    now.steps = steps;
    now.done = 0;
    now.name = name;
}

void round_step(void) { now.done++; }

void round_show(void)
{
    if (!isatty(STDOUT_FILENO) || now.done == now.shown)
        return;
    flockfile(stdout); /* another thread may close the round */
    now.shown = now.done;
    if (now.name != NULL)
        printf("\r  %-44s %4llu of %llu", now.name, (unsigned long long)now.shown, (unsigned long long)now.steps);
    fflush(stdout);
    funlockfile(stdout);
}

void round_close(bool right)
{
    flockfile(stdout);
    if (now.name != NULL)
        printf("%s  %-44s %4llu %-10s %s\n", isatty(STDOUT_FILENO) ? "\r\033[K" : "", now.name,
               (unsigned long long)now.done, now.done == 1 ? "run" : "runs", right ? "right" : "wrong");
    now.name = NULL;
    fflush(stdout);
    funlockfile(stdout);
}

struct verdict {
    bool right;
    double seconds;
};

static void write_verdict(struct fields *f, const void *row)
{
    const struct verdict *v = row;

    fields_text(f, "exercise", settings.name);
    fields_text(f, "verdict", v->right ? "solved" : "wrong");
    fields_text(f, "code", v->right || found.code == NULL ? "" : found.code);
    fields_text(f, "diagnosis", v->right ? "" : found.what);
    fields_text(f, "case", v->right ? "" : found.where);
    fields_text(f, "when", v->right ? "" : found.when);
    fields_whole(f, "seed", settings.seed);
    fields_double(f, "seconds", v->seconds);
}

/* Prints text in lines of at most 80 characters, the first one after a label. */
static void say(const char *label, const char *text)
{
    const int from = 12, width = 80 - from;
    bool first = true;

    while (text != NULL && *text != '\0') {
        int length = (int)strlen(text);
        if (length > width)
            for (length = width; length > 1 && text[length] != ' ';)
                length--;
        if (length <= 1) /* a word longer than the line */
            length = (int)strcspn(text, " ");
        printf("  %-*s%.*s\n", from - 2, first ? label : "", length, text);
        text += length;
        text += strspn(text, " ");
        first = false;
    }
}

int report_verdict(bool right, double seconds)
{
    if (settings.json != NULL) {
        fields_row(settings.json, FORMAT_JSON, true, write_verdict, &(struct verdict){right, seconds});
        putc('\n', settings.json);
        if (fclose(settings.json) != 0) {
            fprintf(stderr, "the JSON file could not be written: look at where it goes\n");
            return EXIT_DEVICE;
        }
    }
    if (right) {
        printf("%s: SOLVED\n", settings.name);
        if (settings.gpu != NULL && !settings.compiled)
            say("", "no clang++ is here, so this was not compiled as code for a GPU: "
                    "./install-deps.sh develop");
        return EXIT_RIGHT;
    }
    printf("\n%s: WRONG (%s)\n", settings.name, found.code);
    say("", found.what);
    say("seen with", found.where);
    say("", found.when);
    say("look at", found.look);
    if (found.races != NULL)
        printf("\nThe race tool says:\n%s\n", found.races);
    return EXIT_WRONG;
}
