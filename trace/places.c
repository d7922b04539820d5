/* Turns code addresses into places: file, line and the calls inlined around it, with addr2line as a child
 * process.
 *
 * addr2line is part of binutils, as the linker is. It answers one address after the other; the address 0
 * after each question marks the end of the answer. */
#include <fcntl.h>
#include <link.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trace_internal.h"

#define FRAMES_MAX   32
#define CODE_SLOTS   ((size_t)1 << 14)
#define PLACES_MAX   ((size_t)1 << 16)
#define LINE_MAX_LEN 200

extern char **environ;

static struct {
    bool started;
    pid_t pid; /* 0: there is none */
    FILE *question, *answer;
} child;

static struct trace_place *places[PLACES_MAX];
static unsigned places_count;

/* Hash table from code address to place, with open addressing. */
static struct {
    uintptr_t code;
    const struct trace_place *place;
} known[CODE_SLOTS];

void *trace_check_alloc(void *memory)
{
    if (!memory) {
        hip_cpu_begin_fatal();
        fprintf(stderr, "hip: no memory for the trace: use a smaller size\n");
        _exit(EXIT_DEVICE_FAULT);
    }
    return memory;
}

static char *keep(const char *text)
{
    return trace_check_alloc(strdup(text));
}

static void start_child(void)
{
    char program[4096];
    int to[2], from[2];
    pid_t pid;

    child.started = true;
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0 || pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0)
        return;
    program[length] = '\0';

    char *arguments[] = {"addr2line", "-a", "-i", "-f", "-C", "-e", program, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
    /* It complains about lines of clang 17, and finds them all the same. */
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    bool ok = posix_spawnp(&pid, arguments[0], &actions, NULL, arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(to[0]);
    close(from[1]);
    child.pid = ok ? pid : 0;
    child.question = ok ? fdopen(to[1], "w") : NULL;
    child.answer = ok ? fdopen(from[0], "r") : NULL;
    if (!ok)
        fprintf(stderr, "hip: addr2line is not there, so lines are unknown: install binutils\n");
}

void trace_places_end(void)
{
    if (child.pid == 0)
        return;
    fclose(child.question);
    fclose(child.answer);
    waitpid(child.pid, NULL, 0);
    child.pid = 0;
    child.question = NULL;
}

static int note_base(struct dl_phdr_info *info, size_t size, void *base)
{
    (void)size;
    *(uintptr_t *)base = info->dlpi_addr;
    return 1; /* the first is the program itself */
}

uintptr_t trace_load_base(void)
{
    static uintptr_t base;
    static bool found;
    if (!found)
        dl_iterate_phdr(note_base, &base);
    found = true;
    return base;
}

static bool read_line(char *line, size_t size)
{
    if (!fgets(line, (int)size, child.answer))
        return false;
    line[strcspn(line, "\n")] = '\0';
    return true;
}

/* "./a/b.hip:12 (discriminator 3)" to file and line. */
static void split_place(char *text, struct trace_frame *frame)
{
    char *colon = strrchr(text, ':');
    char *file = text;

    frame->line = 0;
    if (colon) {
        *colon = '\0';
        frame->line = (unsigned)strtoul(colon + 1, NULL, 10);
    }
    while (strncmp(file, "./", 2) == 0)
        file += 2;
    for (char *up; (up = strstr(file, "/../")) && up > file;) { /* "a/../b" is "b" */
        char *from = up;
        while (from > file && from[-1] != '/')
            from--;
        if (strncmp(from, "../", 3) == 0)
            break;
        __real_memmove(from, up + 4, strlen(up + 4) + 1);
    }
    frame->file = strchr(file, '?') ? "?" : file;
}

/* "double_sum::reduce_block(double, double*)" to "reduce_block". */
static char *plain_name(char *name)
{
    char *end = strchr(name, '(');
    if (end)
        *end = '\0';
    for (char *colons; (colons = strstr(name, "::")) && !strchr(name, '<');)
        name = colons + 2;
    return strncmp(name, "void ", 5) == 0 ? name + 5 : name; /* of a template */
}

/* Asks for the frames of one address; their texts are in `text`. */
static unsigned ask(uintptr_t code, struct trace_frame *frame, char text[][2][1024])
{
    unsigned count = 0;
    char line[1024];

    if (!child.started)
        start_child();
    if (!child.question)
        return 0;
    fprintf(child.question, "%#llx\n0\n", (unsigned long long)(code - 1 - trace_load_base()));
    fflush(child.question);
    if (!read_line(line, sizeof line)) /* the address itself */
        return 0;
    for (;;) {
        if (!read_line(line, sizeof line))
            return count;
        if (strncmp(line, "0x", 2) == 0) { /* the mark, and what is known about it: two lines */
            read_line(line, sizeof line);
            read_line(line, sizeof line);
            return count;
        }
        char place[1024];
        if (!read_line(place, sizeof place))
            return count;
        if (count == FRAMES_MAX)
            continue;
        snprintf(text[count][0], sizeof text[count][0], "%s", line);
        snprintf(text[count][1], sizeof text[count][1], "%s", place);
        frame[count].function = plain_name(text[count][0]);
        split_place(text[count][1], &frame[count]);
        count++;
    }
}

static bool is_header(const char *file)
{
    size_t length = strlen(file);
    return length > 2 && strcmp(file + length - 2, ".h") == 0;
}

/* In headers of this project and of the system the line of the caller counts. */
static bool is_helper(const char *file)
{
    return *file == '?' || strncmp(file, "/usr/", 5) == 0 ||
           ((strncmp(file, "platform/", 9) == 0 || strncmp(file, "common/", 7) == 0) &&
            is_header(file));
}

static bool same_frames(const struct trace_place *place, const struct trace_frame *frame,
                        unsigned count)
{
    if (place->count != count)
        return false;
    for (unsigned i = 0; i < count; i++)
        if (place->frame[i].line != frame[i].line ||
            strcmp(place->frame[i].file, frame[i].file) != 0)
            return false;
    return true;
}

static const struct trace_place *place_with(const struct trace_frame *frame, unsigned count)
{
    for (unsigned i = 0; i < places_count; i++)
        if (same_frames(places[i], frame, count))
            return places[i];
    if (places_count == PLACES_MAX)
        return places[0];

    struct trace_place *place = trace_check_alloc(calloc(1, sizeof *place));
    struct trace_frame *copy = trace_check_alloc(calloc(count, sizeof *copy));
    unsigned counts = 0;
    for (unsigned i = 0; i < count; i++) {
        copy[i].function = keep(frame[i].function);
        copy[i].file = keep(frame[i].file);
        copy[i].line = frame[i].line;
    }
    while (counts + 1 < count && is_helper(copy[counts].file))
        counts++;
    if (is_helper(copy[counts].file))
        counts = 0;
    place->number = places_count + 1;
    place->count = count;
    place->frame = copy;
    place->file = copy[counts].file;
    place->function = copy[counts].function;
    place->line = copy[counts].line;
    return places[places_count++] = place;
}

/* Static: the stack of a kernel's thread is too small for these. */
static struct trace_frame asked[FRAMES_MAX];
static char asked_text[FRAMES_MAX][2][1024];

static const struct trace_place *look_up(uintptr_t code)
{
    unsigned count = ask(code, asked, asked_text);
    const struct trace_frame *frame = asked;
    if (count == 0) {
        asked[0].function = "?";
        asked[0].file = "?";
        asked[0].line = 0;
        count = 1;
    }
    if (count > 1 && trace_expression_of(code).is_argument) { /* copied by the call */
        frame++;
        count--;
    }
    return place_with(frame, count);
}

const struct trace_place *trace_place_of(uintptr_t code)
{
    size_t slot = (code * 0x9e3779b97f4a7c15ull >> 40) % CODE_SLOTS;

    while (known[slot].code != code) {
        if (known[slot].code == 0) {
            known[slot].place = look_up(code);
            known[slot].code = code;
            break;
        }
        slot = (slot + 1) % CODE_SLOTS;
    }
    return known[slot].place;
}

const char *trace_source_line(const char *file, unsigned line)
{
    static char text[LINE_MAX_LEN];
    char *start = text;
    FILE *source = fopen(file, "r");

    text[0] = '\0';
    for (unsigned i = 1; source && fgets(text, sizeof text, source);) {
        bool whole = strchr(text, '\n') != NULL;
        if (i == line)
            break;
        i += whole;
        text[0] = '\0';
    }
    if (source)
        fclose(source);
    while (*start == ' ' || *start == '\t')
        start++;
    start[strcspn(start, "\n")] = '\0';
    return start;
}

const struct trace_place *trace_place_number(unsigned number)
{
    return places[number - 1];
}
