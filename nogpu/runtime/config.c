/* The settings: environment variables, read once before main(). A bad value ends the program with exit code 2.
 * SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

/* One for the process, as the environment is. */
struct hip_cpu_config hip_cpu_config;
/* Kernels see it as the constant warpSize; set here before main(), and by checkers. */
int hip_cpu_warp_size __asm__("warpSize") = 64;
/* A program with CUDA's headers has it. */
extern const int hip_cpu_default_warp_size __attribute__((weak));
/* What it was compiled for: target.h. */
extern const int hip_cpu_target_warp_size __attribute__((weak));
/* A program has it whose warpSize is a constant, or which asks macros for it. */
extern const int hip_cpu_built_warp_size __attribute__((weak));
/* Set here, too. */
bool hip_cpu_late;

void hip_cpu_set_schedule(enum hip_cpu_schedule schedule, uint64_t seed)
{
    hip_cpu_config.schedule = schedule;
    hip_cpu_config.seed = seed;
}

void hip_cpu_set_warp_size(unsigned lanes) { hip_cpu_warp_size = (int)lanes; }

void hip_cpu_set_window(uint64_t first_block, uint64_t count)
{
    hip_cpu_config.window_first = first_block;
    hip_cpu_config.window_count = count;
}

void hip_cpu_set_zeros(bool zeros) { hip_cpu_config.zeros = zeros; }

#define STRING(x)    STRING_OF(x)
#define STRING_OF(x) #x

/* A setting in one place, so that the parser, its messages and HIP_CPU_HELP=1 cannot disagree. */
struct setting {
    const char *name;
    const char *values;   /* "is not valid: use ..." */
    const char *fallback; /* "": nothing */
    const char *help;
    uint64_t min, max; /* max > 0: a whole number between these, in decimal digits */
    /* Takes a value. Returns NULL, or what to use instead: `wrong` for the values above. set is NULL for what others read
     * with hip_cpu_setting(). */
    const char *(*set)(const char *text, uint64_t number);
};

static const char wrong[] = "";

static const char *set_help(const char *text, uint64_t number);

static const char *set_warp_size(const char *text, UNUSED uint64_t number)
{
    if (strcmp(text, "32") != 0 && strcmp(text, "64") != 0)
        return wrong;
    hip_cpu_warp_size = atoi(text);
    if (&hip_cpu_built_warp_size && hip_cpu_built_warp_size != hip_cpu_warp_size)
        return "the size that the program was built for: --offload-arch=gfx90a has 64, gfx1100 32";
    return NULL;
}

static const char *set_workers(UNUSED const char *text, uint64_t number)
{
    hip_cpu_config.workers = (unsigned)number;
    return NULL;
}

static const char *set_device_memory(UNUSED const char *text, uint64_t number)
{
    hip_cpu_config.device_memory = (size_t)number << 20;
    return NULL;
}

static const char *set_shared_memory(UNUSED const char *text, uint64_t number)
{
    hip_cpu_config.shared_memory = (size_t)number << 10;
    return NULL;
}

/* A whole number in decimal digits from min to max; false for anything else. */
static bool parse(const char *text, uint64_t min, uint64_t max, uint64_t *value)
{
    char *end;
    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0' && *value >= min && *value <= max;
}

static const char *set_schedule(const char *text, UNUSED uint64_t number)
{
    static const char random[] = "random:";

    if (strcmp(text, "forward") == 0)
        hip_cpu_config.schedule = HIP_CPU_FORWARD;
    else if (strcmp(text, "reverse") == 0)
        hip_cpu_config.schedule = HIP_CPU_REVERSE;
    else if (strncmp(text, random, sizeof random - 1) == 0 &&
             parse(text + sizeof random - 1, 0, UINT64_MAX, &hip_cpu_config.seed))
        hip_cpu_config.schedule = HIP_CPU_RANDOM;
    else
        return wrong;
    return NULL;
}

static const char *set_strict_barrier(UNUSED const char *text, uint64_t number)
{
    hip_cpu_config.may_return = false;
    hip_cpu_config.strict_barrier = number == 1;
    return NULL;
}

static const char *set_late(UNUSED const char *text, uint64_t number)
{
    hip_cpu_late = number == 1;
    return NULL;
}

static const char *set_fail(const char *text, UNUSED uint64_t number)
{
    struct hip_cpu_config *c = &hip_cpu_config;
    char *copy = c->fail_text;

    snprintf(copy, sizeof c->fail_text, "%s", text);
    char *colon = strchr(copy, ':'), *plus = strchr(copy, '+');
    c->fail_on = plus && plus[1] == '\0';
    if (c->fail_on)
        *plus = '\0';
    if (!colon || !parse(colon + 1, 1, UINT64_MAX, &c->fail_at))
        return wrong;
    *colon = '\0';
    c->fail = copy;
    return NULL;
}

static const char *set_visible(const char *text, UNUSED uint64_t number)
{
    hip_cpu_config.devices = text[0] == '0';
    for (; (text = strchr(text, ',')) && hip_cpu_config.devices % DEVICES_MAX > 0; text++)
        hip_cpu_config.devices++;
    return NULL;
}

#ifdef HIP_CPU_TRACE /* the trace reads these */
#define set_trace  NULL
#define set_memory NULL
#else
static const char *set_trace(const char *text, UNUSED uint64_t number)
{
    return *text == '\0' ? NULL
                         : "a program built for tracing: build it again with this variable set, or "
                           "use make race FILE=";
}

static const char *set_memory(const char *text, UNUSED uint64_t number)
{
    return strcmp(text, "strong") == 0
               ? NULL
               : "a build with TRACE=1 (make race MEMORY=weak); in this program memory is that of "
                 "the host";
}
#endif

static const struct setting settings[] = {
    {"HIP_CPU_WARP_SIZE", "32 or 64", "64; 32 with CUDA's headers", "lanes per warp", 0, 0,
     set_warp_size}, /* first: scripts ask by HIP_CPU_HELP=1 whether a program can have it */
    {"HIP_CPU_HELP", "1", "", "list the settings, and end", 1, 1, set_help},
    {"HIP_CPU_WORKERS", "a number from 1 to " STRING(WORKERS_MAX), "the online cores",
     "threads that run blocks; the device reports them as multiprocessors", 1, WORKERS_MAX, set_workers},
    {"HIP_CPU_DEVICE_MEMORY", "a number of MiB", "the host's", "device memory", 1, SIZE_MAX >> 20, set_device_memory},
    {"HIP_CPU_SHARED_MEMORY", "a number of KiB from 1 to 64", "64; 48 with CUDA's headers",
     "shared memory that a launch may have unasked", 1, 64, set_shared_memory},
    {"HIP_CPU_SCHEDULE", "forward, reverse or random:SEED", "forward",
     "order of the blocks, and of a block's threads between barriers", 0, 0, set_schedule},
    {"HIP_CPU_STRICT_BARRIER", "0 or 1", "1",
     "0: barriers do not wait for threads that have returned, and may be at different places", 0, 1,
     set_strict_barrier},
    {"HIP_CPU_LATE", "0 or 1", "0", "1: work begins as late as possible, and atomicCAS() fails now and then", 0, 1,
     set_late},
    {"HIP_CPU_FAIL", "CALL:N or CALL:N+, as hipMalloc:2, launch:1 or any:7+", "",
     "this call of a function fails; with + all later ones do, too", 0, 0, set_fail},
    {"HIP_VISIBLE_DEVICES", "0, or nothing, or 0,1 or 0,1,2 ...", "0", "so many devices; without 0 there is none", 0, 0,
     set_visible},
    {"HIP_CPU_TRACE", "races, memory, explain or events", "", "traced programs: what looks at each access", 0, 0,
     set_trace},
    {"HIP_CPU_MEMORY", "weak, weak:SEED or strong", "strong",
     "traced programs: when stores become visible to other blocks", 0, 0, set_memory},
    {"HIP_CPU_RACES", "volatile or strict", "",
     "races: volatile accesses count as atomic; strict: equal values race, too", 0, 0, NULL},
    {"HIP_CPU_GRID_BARRIER", "release", "",
     "races: a grid barrier makes nothing visible without a fence, as in ROCm 5.2 to 7.0", 0, 0, NULL},
    {"HIP_CPU_KERNEL", "a regular expression", "", "races, memory: the kernels that count", 0, 0, NULL},
    {"HIP_CPU_LAUNCHES", "SKIP:COUNT or SKIP:all", "", "races, memory: the launches that count", 0, 0, NULL},
    {"HIP_CPU_LEAKS", "all", "", "memory: what lives until the program ends is a leak, too", 0, 0, NULL},
    {"HIP_CPU_FINDINGS", "a file", "", "races, memory: appends the findings as records for nogpu_report", 0, 0, NULL},
    {"HIP_CPU_WRITTEN", "a file", "",
     "races: keeps what kernels write there; if it is there, FILE.difference says what differs", 0, 0, NULL},
    {"HIP_CPU_EXPLAIN", "json, csv, machine:NAME, to:FILE, or several with commas", "", "explain: what it prints", 0, 0,
     NULL},
    {"HIP_CPU_PARENT", "the number of a process", "", "traced programs: end with it, for make race and make explain", 0,
     0, NULL},
    {"HIP_CPU_ROOT", "a folder", "", "what hipcc and nvcc for the CPU belong to", 0, 0, NULL},
};
#define SETTINGS (sizeof settings / sizeof settings[0])

static const char *set_help(UNUSED const char *text, UNUSED uint64_t number)
{
    for (const struct setting *s = settings; s < settings + SETTINGS; s++)
        printf("%-23s %s%s%s\n%-23s %s\n", s->name, s->values, *s->fallback ? "; default: " : "", s->fallback, "",
               s->help);
    fflush(stdout);
    _exit(0);
}

static const struct setting *setting_named(const char *name, size_t length)
{
    for (const struct setting *s = settings; s < settings + SETTINGS; s++)
        if (strlen(s->name) == length && memcmp(s->name, name, length) == 0)
            return s;
    return NULL;
}

static void reject(const char *name, const char *value, const char *expected)
{
    if (IN_LIBRARY) {
        hip_cpu_config.devices = 0;
        return;
    }
    fprintf(stderr, "hip: %s=", name);
    for (; *value != '\0'; value++) /* one line, whatever the value contains */
        fputc(iscntrl((unsigned char)*value) ? '?' : *value, stderr);
    fprintf(stderr, " is not valid: use %s\n", expected);
    _exit(EXIT_USAGE);
}

const char *hip_cpu_setting(const char *name)
{
    if (setting_named(name, strlen(name)) == NULL)
        abort(); /* it has no row */
    return getenv(name);
}

void hip_cpu_reject(const char *name, const char *value)
{
    const struct setting *s = setting_named(name, strlen(name));

    reject(name, value, s->values);
    _exit(EXIT_USAGE);
}

static void read_setting(const struct setting *s)
{
    const char *text = getenv(s->name), *instead = NULL;
    uint64_t number = 0;

    if (text == NULL)
        return;
    if (s->max > 0 && !parse(text, s->min, s->max, &number))
        instead = wrong;
    else if (s->set != NULL)
        instead = s->set(text, number);
    if (instead != NULL)
        reject(s->name, text, instead == wrong ? s->values : instead);
}

/* A misspelt setting would have no effect, and nobody would know. */
static void reject_unknown(void)
{
    static const char prefix[] = "HIP_CPU_";

    for (char **e = environ; *e != NULL; e++) {
        const char *end = strchr(*e, '=');
        if (end != NULL && strncmp(*e, prefix, sizeof prefix - 1) == 0 &&
            setting_named(*e, (size_t)(end - *e)) == NULL) {
            fprintf(stderr, "hip: %.*s is no setting; HIP_CPU_HELP=1 lists them\n", (int)(end - *e), *e);
            _exit(EXIT_USAGE);
        }
    }
}

__attribute__((constructor(101))) static void read_environment(void)
{
    struct hip_cpu_config *c = &hip_cpu_config;
    long online = sysconf(_SC_NPROCESSORS_ONLN);

#ifdef M_ARENA_MAX
    if (!IN_LIBRARY)
        mallopt(M_ARENA_MAX, 1); /* one for each thread would reserve 64 MiB of addresses each */
#endif
    c->workers = online < 1 ? 1 : online > WORKERS_MAX ? WORKERS_MAX : (unsigned)online;
    c->devices = 1;
    c->strict_barrier = c->may_return = true;
    c->cuda = &hip_cpu_default_warp_size != NULL;
    if (&hip_cpu_default_warp_size)
        hip_cpu_warp_size = hip_cpu_default_warp_size;
    if (&hip_cpu_target_warp_size)
        hip_cpu_warp_size = hip_cpu_target_warp_size;
    if (&hip_cpu_built_warp_size)
        hip_cpu_warp_size = hip_cpu_built_warp_size;
    if (!IN_LIBRARY)
        reject_unknown();
    for (size_t i = 0; i < SETTINGS; i++)
        read_setting(&settings[i]);
}
