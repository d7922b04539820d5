#include "results.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "harness/options.h"
#include "harness/timing.h"

#define COLUMNS_MAX 128

static _Noreturn void no_memory(void)
{
    fprintf(stderr, "no memory on the host for the results: measure fewer sizes or variants\n");
    exit(EXIT_DEVICE);
}

static char *copy(const char *text)
{
    char *memory = strdup(text);

    if (memory == NULL)
        no_memory();
    return memory;
}

static bool fail(char *message, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(message, RESULTS_MESSAGE_MAX, format, args);
    va_end(args);
    return false;
}

/* ---- rows ------------------------------------------------------------------------------------- */

struct row {
    char *names[COLUMNS_MAX], *values[COLUMNS_MAX];
    size_t count;
};

/* "" if there is no such column */
static const char *field(const struct row *row, const char *name)
{
    for (size_t i = 0; i < row->count; i++)
        if (strcmp(row->names[i], name) == 0)
            return row->values[i];
    return "";
}

static bool number(const struct row *row, const char *name, double *value, char *message)
{
    const char *text = field(row, name);
    char *end;

    *value = strtod(text, &end);
    if (end == text || *end != '\0')
        return fail(message, "column %s holds '%s' and no number", name, text);
    return true;
}

/* compare and the programs themselves write no variant, but their name. */
static const char *variant_of(const struct row *row)
{
    const char *name = field(row, "variant");
    static const char prefix[] = "reduction_";

    if (*name != '\0')
        return name;
    name = field(row, "program");
    return strncmp(name, prefix, sizeof prefix - 1) == 0 ? name + sizeof prefix - 1 : name;
}

static struct cell *find(const struct results *r, const struct cell *like)
{
    for (size_t i = r->count; i-- > 0;) {
        struct cell *c = &r->cells[i];
        if (c->n == like->n && strcmp(c->variant, like->variant) == 0 &&
            strcmp(c->type, like->type) == 0 && strcmp(c->op, like->op) == 0 &&
            strcmp(c->rest, like->rest) == 0)
            return c;
    }
    return NULL;
}

static struct cell *find_or_add(struct results *r, const struct cell *like)
{
    struct cell *c = find(r, like);

    if (c != NULL)
        return c;
    c = realloc(r->cells, (r->count + 1) * sizeof *c);
    if (c == NULL)
        no_memory();
    r->cells = c;
    c = &r->cells[r->count++];
    *c = (struct cell){copy(like->variant),
                       copy(like->type),
                       copy(like->op),
                       like->n,
                       copy(like->rest),
                       NULL,
                       0,
                       0};
    return c;
}

static bool add(struct results *r, const struct row *row, char *message)
{
    double n, round = 1, time[CLOCK_COUNT];
    char rest[512];

    if (!number(row, "n", &n, message) ||
        !number(row, "total_median_us", &time[CLOCK_TOTAL], message) ||
        !number(row, "kernel_median_us", &time[CLOCK_KERNEL], message))
        return false;
    if (*field(row, "round") != '\0' && !number(row, "round", &round, message))
        return false;
    snprintf(rest, sizeof rest, "%s %s %s %s %s", field(row, "cache"), field(row, "offset"),
             field(row, "pattern"), field(row, "input"), field(row, "options"));

    struct cell *c = find_or_add(r, &(struct cell){.variant = (char *)variant_of(row),
                                                   .type = (char *)field(row, "type"),
                                                   .op = (char *)field(row, "op"),
                                                   .n = (size_t)n,
                                                   .rest = rest});
    if (r->device[0] == '\0') {
        snprintf(r->device, sizeof r->device, "%s", field(row, "device"));
        snprintf(r->arch, sizeof r->arch, "%s", field(row, "arch"));
        snprintf(r->date, sizeof r->date, "%s", field(row, "date"));
        r->ceiling = strtod(field(row, "ceiling_gbps"), NULL);
    }
    if (strcmp(field(row, "check"), "OK") != 0) {
        c->wrong++;
        return true;
    }
    struct sample *samples = realloc(c->samples, (c->count + 1) * sizeof *samples);
    if (samples == NULL)
        no_memory();
    c->samples = samples;
    samples[c->count++] = (struct sample){(unsigned)round, {time[CLOCK_TOTAL], time[CLOCK_KERNEL]}};
    return true;
}

bool results_add(struct results *r, const char *names, const char *values,
                 char message[RESULTS_MESSAGE_MAX])
{
    char *name_line = copy(names), *value_line = copy(values);
    struct row row;

    row.count = csv_split(name_line, row.names, COLUMNS_MAX);
    size_t found = csv_split(value_line, row.values, COLUMNS_MAX);
    bool right = found == row.count && found <= COLUMNS_MAX;
    if (!right)
        fail(message, "a row of %zu columns under a header of %zu", found, row.count);
    else
        right = add(r, &row, message);
    free(name_line);
    free(value_line);
    return right;
}

bool results_read(struct results *r, const char *path, char message[RESULTS_MESSAGE_MAX])
{
    FILE *file = fopen(path, "r");
    char *names = NULL, *line = NULL, why[RESULTS_MESSAGE_MAX];
    size_t size = 0, lines = 0;
    bool right = true;

    if (file == NULL)
        return fail(message, "%s: %s", path, strerror(errno));
    while (right && getline(&line, &size, file) > 0 && strchr(line, '\n') != NULL) {
        if (lines++ == 0)
            names = copy(line);
        else if (!results_add(r, names, line, why))
            right = fail(message, "%.100s, line %zu: %.120s; is it a CSV that make bench wrote?",
                         path, lines, why);
    }
    if (right && lines < 2)
        right = fail(message, "%s holds no measurements: give a CSV that make bench wrote", path);
    fclose(file);
    free(names);
    free(line);
    return right;
}

void results_free(struct results *r)
{
    for (size_t i = 0; i < r->count; i++) {
        struct cell *c = &r->cells[i];
        free(c->variant);
        free(c->type);
        free(c->op);
        free(c->rest);
        free(c->samples);
    }
    free(r->cells);
    *r = (struct results){0};
}

/* ---- statistics ------------------------------------------------------------------------------- */

/* How many samples to leave out at each end: the largest k with 2 P(B < k + 1) <= 5 % for B of `count`
 * tosses of a fair coin. */
static size_t left_out(size_t count)
{
    double p = ldexp(1, -(int)(count < 1000 ? count : 1000)), below = 0;
    size_t k = 0;

    for (; k < count; k++) {
        below += p;
        if (2 * below > 0.05)
            break;
        p *= (double)(count - k) / (double)(k + 1);
    }
    return k > 0 ? k - 1 : 0;
}

struct estimate results_estimate(const struct cell *c, int clock)
{
    struct estimate e = {0, 0, 0, false};

    if (c == NULL || c->count == 0)
        return e;
    double *times = malloc(c->count * sizeof *times);
    if (times == NULL)
        no_memory();
    for (size_t i = 0; i < c->count; i++)
        times[i] = c->samples[i].time[clock];
    e.median = stats_of(times, c->count).median; /* sorts */
    size_t k = left_out(c->count);
    e.low = times[k];
    e.high = times[c->count - 1 - k];
    e.sure = c->count >= ESTIMATE_MIN;
    free(times);
    return e;
}

double results_spread(const struct cell *c, int clock)
{
    struct estimate e = results_estimate(c, clock);

    return e.sure && e.median > 0 ? (e.high - e.low) / 2 / e.median : INFINITY;
}

/* Time of `base` over time of c, taken within each round, so that what drifts from round to round does
 * not count; 0 if they share no round. */
static double speed_up(const struct cell *c, const struct cell *base, int clock)
{
    double ratio = 0;
    size_t count = 0;

    if (c == NULL || base == NULL)
        return 0;
    double *ratios = malloc((c->count + 1) * sizeof *ratios);
    if (ratios == NULL)
        no_memory();
    for (size_t i = 0, k = 0; i < c->count; i++) {
        while (k < base->count && base->samples[k].round < c->samples[i].round)
            k++;
        if (k < base->count && base->samples[k].round == c->samples[i].round &&
            c->samples[i].time[clock] > 0)
            ratios[count++] = base->samples[k].time[clock] / c->samples[i].time[clock];
    }
    ratio = stats_of(ratios, count).median;
    free(ratios);
    return ratio;
}

/* ---- tables ----------------------------------------------------------------------------------- */

const char *size_text(char text[SIZE_TEXT_MAX], size_t n)
{
    static const char suffixes[] = "KMGT";
    size_t power = 0;

    while (power < 4 && n >= 1024 && n % 1024 == 0) {
        n /= 1024;
        power++;
    }
    if (power == 0)
        snprintf(text, SIZE_TEXT_MAX, "%zu", n);
    else
        snprintf(text, SIZE_TEXT_MAX, "%zu%c", n, suffixes[power - 1]);
    return text;
}

static const char *time_text(char text[SIZE_TEXT_MAX], double time)
{
    snprintf(text, SIZE_TEXT_MAX, "%.*f", time < 10 ? 2 : time < 1000 ? 1 : 0, time);
    return text;
}

const struct cell *results_find(const struct results *r, const char *variant, const char *type,
                                const char *op, size_t n)
{
    for (size_t i = 0; i < r->count; i++) {
        const struct cell *c = &r->cells[i];
        if (c->n == n && strcmp(c->variant, variant) == 0 && strcmp(c->type, type) == 0 &&
            strcmp(c->op, op) == 0)
            return c;
    }
    return NULL;
}

/* All of one type and operation: its variants and its sizes, each once. */
struct group {
    const char *type, *op;
    const char **variants;
    size_t *sizes, variant_count, size_count;
};

static int compare_sizes(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static struct group group_of(const struct results *r, const char *type, const char *op)
{
    struct group g = {
        type, op, malloc(r->count * sizeof *g.variants), malloc(r->count * sizeof *g.sizes), 0, 0};

    if (g.variants == NULL || g.sizes == NULL)
        no_memory();
    for (size_t i = 0; i < r->count; i++) {
        const struct cell *c = &r->cells[i];
        size_t k = 0;
        if (strcmp(c->type, type) != 0 || strcmp(c->op, op) != 0)
            continue;
        while (k < g.variant_count && strcmp(g.variants[k], c->variant) != 0)
            k++;
        if (k == g.variant_count)
            g.variants[g.variant_count++] = c->variant;
        for (k = 0; k < g.size_count && g.sizes[k] != c->n;)
            k++;
        if (k == g.size_count)
            g.sizes[g.size_count++] = c->n;
    }
    qsort(g.sizes, g.size_count, sizeof *g.sizes, compare_sizes);
    return g;
}

/* The fastest variant at one size, or NULL. */
static const struct cell *best_of(const struct results *r, const struct group *g, size_t n,
                                  int clock)
{
    const struct cell *best = NULL;

    for (size_t v = 0; v < g->variant_count; v++) {
        const struct cell *c = results_find(r, g->variants[v], g->type, g->op, n);
        if (c != NULL && c->count > 0 &&
            (best == NULL ||
             results_estimate(c, clock).median < results_estimate(best, clock).median))
            best = c;
    }
    return best;
}

#define CELL_WIDTH 17

static void print_cell(FILE *out, const struct results *r, const struct cell *c, bool best,
                       int clock, double spread)
{
    char time[SIZE_TEXT_MAX];

    if (c == NULL || c->count == 0) {
        fprintf(out, "%*s", CELL_WIDTH, c == NULL ? "-  " : "wrong  ");
        return;
    }
    struct estimate e = results_estimate(c, clock);
    double ratio = speed_up(c, results_find(r, "prim", c->type, c->op, c->n), clock);
    fprintf(out, "%8s%c", time_text(time, e.median),
            results_spread(c, clock) <= spread ? ' ' : '~');
    if (ratio > 0)
        fprintf(out, "%6.2f", ratio);
    else
        fprintf(out, "%6s", "-");
    fprintf(out, "%c ", best ? '*' : ' ');
}

static void print_block(FILE *out, const struct results *r, const struct group *g, size_t first,
                        size_t last, int name_width, int clock, double spread)
{
    char text[SIZE_TEXT_MAX];

    fprintf(out, "%-*s", name_width, "elements");
    for (size_t s = first; s < last; s++)
        fprintf(out, "%*s  ", CELL_WIDTH - 2, size_text(text, g->sizes[s]));
    fprintf(out, "\n%-*s", name_width, "");
    for (size_t s = first; s < last; s++)
        fprintf(out, "%8s %6s  ", "us", "prim");
    for (size_t v = 0; v < g->variant_count; v++) {
        fprintf(out, "\n%-*s", name_width, g->variants[v]);
        for (size_t s = first; s < last; s++) {
            const struct cell *c = results_find(r, g->variants[v], g->type, g->op, g->sizes[s]);
            print_cell(out, r, c, c != NULL && c == best_of(r, g, g->sizes[s], clock), clock,
                       spread);
        }
    }
    fprintf(out, "\n\n");
}

/* The geometric mean over all sizes of the speed-up over the library. */
static void print_means(FILE *out, const struct results *r, const struct group *g, int name_width,
                        int clock)
{
    bool any = false;

    for (size_t v = 0; v < g->variant_count; v++) {
        double sum = 0;
        size_t count = 0;
        for (size_t s = 0; s < g->size_count; s++) {
            double ratio = speed_up(results_find(r, g->variants[v], g->type, g->op, g->sizes[s]),
                                    results_find(r, "prim", g->type, g->op, g->sizes[s]), clock);
            if (ratio > 0) {
                sum += log(ratio);
                count++;
            }
        }
        if (count == 0)
            continue;
        if (!any)
            fprintf(out, "Speed-up over prim, geometric mean of all sizes\n");
        any = true;
        fprintf(out, "%-*s%8.3f\n", name_width, g->variants[v], exp(sum / (double)count));
    }
    if (any)
        fprintf(out, "\n");
}

void results_print(FILE *out, const struct results *r, int clock, double spread, int width)
{
    int name_width = 10;

    for (size_t i = 0; i < r->count; i++)
        if ((int)strlen(r->cells[i].variant) + 2 > name_width)
            name_width = (int)strlen(r->cells[i].variant) + 2;
    size_t columns =
        width > name_width + CELL_WIDTH ? (size_t)(width - name_width) / CELL_WIDTH : 1;

    fprintf(
        out,
        "# %s\n# us: median over the rounds of the %s time; prim: how many times faster than the "
        "library\n# *: the best at this size; ~: the median is not known to %.2g %%\n\n",
        r->device, clock == CLOCK_TOTAL ? "total" : "kernel", 100 * spread);
    for (size_t i = 0; i < r->count; i++) {
        bool first = true;
        for (size_t k = 0; k < i && first; k++)
            first = strcmp(r->cells[k].type, r->cells[i].type) != 0 ||
                    strcmp(r->cells[k].op, r->cells[i].op) != 0;
        if (!first)
            continue;
        struct group g = group_of(r, r->cells[i].type, r->cells[i].op);
        fprintf(out, "%s of %s\n", g.op, g.type);
        for (size_t s = 0; s < g.size_count; s += columns)
            print_block(out, r, &g, s, s + columns < g.size_count ? s + columns : g.size_count,
                        name_width, clock, spread);
        print_means(out, r, &g, name_width, clock);
        free(g.variants);
        free(g.sizes);
    }
}

/* ---- comparison ------------------------------------------------------------------------------- */

size_t results_compare(FILE *out, const struct results *old, const struct results *new_, int clock,
                       double change)
{
    size_t slower = 0, faster = 0, same = 0, few = 0, missing = 0;

    fprintf(out, "# against the baseline of %s on %s\n", *old->date != '\0' ? old->date : "?",
            old->device);
    if (strcmp(old->device, new_->device) != 0)
        fprintf(out, "# THE DEVICES DIFFER: this run is on %s\n", new_->device);
    for (size_t i = 0; i < new_->count; i++) {
        const struct cell *c = &new_->cells[i], *base = find(old, c);
        struct estimate now = results_estimate(c, clock), then = results_estimate(base, clock);
        char size[SIZE_TEXT_MAX];

        if (base == NULL) {
            missing++;
        } else if (c->count < COMPARE_MIN || base->count < COMPARE_MIN) {
            few++;
        } else if ((now.low <= then.high && then.low <= now.high) ||
                   fabs(now.median - then.median) <= change * then.median) {
            same++;
        } else {
            bool up = now.median > then.median;
            slower += up;
            faster += !up;
            fprintf(out, "%s  %-20s %-6s %-3s %8s: %.2f -> %.2f us, %+.1f %%\n",
                    up ? "SLOWER" : "faster", c->variant, c->type, c->op, size_text(size, c->n),
                    then.median, now.median, 100 * (now.median / then.median - 1));
        }
    }
    fprintf(out, "# %zu slower, %zu faster, %zu the same within the noise and %.2g %%", slower,
            faster, same, 100 * change);
    if (few > 0)
        fprintf(out, ", %zu not judged (fewer than %d rounds)", few, COMPARE_MIN);
    if (missing > 0)
        fprintf(out, ", %zu not in the baseline", missing);
    fprintf(out, "\n");
    return slower;
}
