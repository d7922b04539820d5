#include <stdio.h>

#include "checker.h"

/* Many elements, and more blocks than one block has threads. Sums alone: they miss what is lost. */
static const struct shape shapes[] = {{TYPE_LONG, OP_SUM, 1 << 20, 256, 0, 64, 0, 0},
                                      {TYPE_LONG, OP_SUM, (1 << 20) + 12347, 64, 5000, 32, 2, 0},
                                      {TYPE_INT, OP_SUM, 3000017, 1024, 0, 32, 1, 0}};
#define COUNT (sizeof shapes / sizeof shapes[0])

static struct shape shape_at(size_t k)
{
    struct shape s = shapes[k];

    s.seed = mix(options.seed, 1000 + k);
    return shape_here(s);
}

/* Leaves the first shape that is wrong in common->shape, with got and expected in common->results. */
static void many_elements(void *argument)
{
    (void)argument;
    common->different = 0;
    for (size_t k = 0; k < COUNT && common->different == 0; k++) {
        struct bed b;
        common->shape = shape_at(k);
        bed_open(&b, &common->shape);
        bed_fill(&b, RANDOM, common->shape.seed);
        common->results[0] = bed_run(&b);
        common->results[1] = bed_expected(&b);
        common->different = !same(common->results[0], common->results[1]);
        bed_close(&b);
        common->alive++;
    }
}

static int64_t sum_of_ones(struct bed *b, size_t ones)
{
    bed_reset(b);
    bed_ones(b, ones);
    struct scalar got = bed_run(b);
    common->alive++;
    return got.type == TYPE_INT ? got.as.i : got.as.l;
}

/* The first element that does not count once: with ones in front of it the sum is right, with it no more. It is
 * left in common->element (n: there is none), how often it counts and the sum of n ones in common->counts. */
static void first_element(void *argument)
{
    struct bed b;
    size_t right = 0, wrong = common->shape.n;

    (void)argument;
    bed_open(&b, &common->shape);
    common->element = wrong;
    common->counts[1] = sum_of_ones(&b, wrong);
    if (common->counts[1] != (int64_t)wrong) {
        while (wrong - right > 1) {
            size_t middle = right + (wrong - right) / 2;
            if (sum_of_ones(&b, middle) == (int64_t)middle)
                right = middle;
            else
                wrong = middle;
        }
        common->element = right;
        common->counts[0] = sum_of_ones(&b, wrong) - (int64_t)right;
    }
    bed_close(&b);
}

static void describe(void)
{
    size_t n = common->shape.n, first = common->element;
    int64_t times = common->counts[0], sum = common->counts[1];

    if (first == n) {
        found.code = "large";
        snprintf(found.what, TEXT_MAX, "right up to 10007 elements, and wrong for %zu", n);
        found.look = "what depends on n or on the number of blocks";
    } else if (times == 0 && sum == (int64_t)first) {
        found.code = "tail";
        snprintf(found.what, TEXT_MAX, "elements from %zu on are missing, %zu of %zu", first,
                 n - first, n);
        found.look = "where the loop over the elements ends, and how many blocks and elements the "
                     "last step can take";
    } else {
        found.code = times == 0 ? "lost" : times > 0 ? "double" : "not_a_sum";
        snprintf(found.what, TEXT_MAX,
                 "right up to 10007 elements; of %zu the first that does not count once is element "
                 "%zu, which counts %lld times, and %zu ones give %lld",
                 n, first, (long long)times, n, (long long)sum);
        found.look = "which thread takes that element, and where its share goes then";
    }
}

bool check_large(void)
{
    round_begin("many elements, many blocks", COUNT);
    bool ran = run_round(many_elements, 1, &common->shape);
    bool right = ran && common->different == 0;

    round_close(right);
    if (!ran || right)
        return right;
    say_results(&common->shape, common->results[0], common->results[1]);
    round_begin("which element is the first", 23);
    ran = run_round(first_element, 1, &common->shape);
    round_close(false);
    if (ran)
        describe();
    return false;
}
