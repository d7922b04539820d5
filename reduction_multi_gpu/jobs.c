/* The reductions that a rank measures: their plans, memory and input. */
#include <stdlib.h>
#include <string.h>

#include "choices.h"
#include "harness/device/init.h"
#include "verdict/verify.h"
#include "state.h"

/* Memory that stays free when a device takes a second array, all elements, to compare one device with many. */
#define RESERVE ((size_t)1 << 30)

/* A reduction by this variant on this rank's device, with its default options. */
static struct job job_of(const struct bench *b, const struct variant *variant, size_t n)
{
    struct job j = {.entry = &variant->entry[b->o->type][b->o->op]};

    j.r = (struct reduction){
        .n = n,
        .grid = b->o->grid,
        .block = b->o->block,
        .arch = b->device.arch,
        .warp_size = b->device.warp_size,
        .compute_units = b->device.compute_units,
        .threads_per_unit = b->device.threads_per_unit,
        .stream = b->stream,
    };
    variant_options_default(variant, &j.r);
    return j;
}

static void set(const struct variant *variant, struct job *j, const char *option, const char *value)
{
    if (!variant_option_set(variant, &j->r, option, value)) {
        fprintf(stderr, "reduction_multi_gpu: %s has no --%s=%s\n", variant->name, option, value);
        exit(EXIT_DEVICE);
    }
}

/* All elements on one device: by single_pass, or with the bits that all ranks together get. */
static struct job job_of_whole(const struct bench *b)
{
    const struct variant *variant = b->method == METHOD_PLAIN ? b->p->plain : b->p->fixed;
    struct job j = job_of(b, variant, b->n);

    set(variant, &j, "result", "host");
    if (b->method != METHOD_PLAIN) {
        set(variant, &j, "method", b->method == METHOD_TREE ? "tree" : "binned");
        set(variant, &j, "folds", b->o->option[FOLDS] == 0 ? "2" : "3");
    }
    return j;
}

/* This rank's share: its value by single_pass, or the words that multi_gpu.hip leaves. */
static struct job job_of_part(const struct bench *b)
{
    bool value = payload_kind(b) == PAYLOAD_VALUE, units = payload_kind(b) == PAYLOAD_UNITS;
    const struct variant *variant = value ? b->p->plain : b->p->own;
    struct job j = job_of(b, variant, units ? b->n : b->share.n);

    if (value) {
        set(variant, &j, "result", b->how == COMBINE_RCCL ? "device" : "host");
        return j;
    }
    memcpy(j.r.option, b->o->option, sizeof j.r.option);
    j.r.option[COMBINE] = b->how;
    j.r.option[FIRST_UNIT] = b->share.first_unit;
    j.r.option[UNITS] = b->share.units;
    return j;
}

int payload_kind(const struct bench *b)
{
    const struct options *o = b->o;

    if (b->method == METHOD_TREE)
        return PAYLOAD_UNITS;
    return b->method == METHOD_BINNED && o->op == OP_SUM && type_is_floating(o->type)
               ? PAYLOAD_BINS
               : PAYLOAD_VALUE;
}

void plan_all(struct bench *b)
{
    b->own = &b->p->own->entry[b->o->type][b->o->op];
    b->whole = job_of_whole(b);
    b->whole.entry->plan(&b->whole.r);
    b->part = job_of_part(b);
    b->part.entry->plan(&b->part.r);
    b->peer = (struct job){.entry = NULL};
    if (b->o->option[PEER]) {
        b->peer = job_of(b, b->p->peer, b->share.n);
        b->peer.entry->plan(&b->peer.r);
    }

    /* The longest chain of any rank, and one more addition for each other rank; the other methods have the tree
     * of the whole. */
    size_t chains[2 * b->ranks->size], mine[] = {b->part.r.chain, b->whole.r.chain}, chain = 0;
    b->ranks->gather(b->ranks, mine, sizeof mine, chains);
    b->whole_chain = 0;
    for (int k = 0; k < b->ranks->size; k++) {
        chain = chains[2 * k] > chain ? chains[2 * k] : chain;
        b->whole_chain = chains[2 * k + 1] > b->whole_chain ? chains[2 * k + 1] : b->whole_chain;
    }
    b->chain =
        payload_kind(b) == PAYLOAD_VALUE ? chain + (size_t)b->ranks->size - 1 : b->whole_chain;
}

static size_t array_bytes(const struct bench *b, size_t n)
{
    return (n + b->o->offset) * type_size(b->o->type);
}

/* Before anything is allocated, on all ranks. Decides, too, whether every device has room for the whole array. */
bool check_memory(struct bench *b)
{
    char message[320], need_text[BYTES_TEXT_MAX], have_text[BYTES_TEXT_MAX];
    size_t available, all;
    size_t need = array_bytes(b, b->share.n) + b->part.r.workspace_bytes +
                  (b->peer.entry != NULL ? b->peer.r.workspace_bytes : 0);
    size_t more = array_bytes(b, b->n) + b->whole.r.workspace_bytes;

    HIP_CHECK(hipMemGetInfo(&available, &all));
    size_t each = available / (size_t)b->sharers;
    snprintf(
        message, sizeof message,
        "its share of %zu elements needs %zu bytes (%s) on the device, and %zu (%s) are free%s: "
        "give a smaller --size, or more ranks",
        b->n, need, bytes_text(need_text, (double)need), each, bytes_text(have_text, (double)each),
        b->sharers > 1 ? " for each that shares it" : "");
    if (!ranks_agree(b->ranks, need <= each, message)) {
        struct job *jobs[] = {&b->part, &b->whole, &b->peer};
        for (size_t k = 0; k < sizeof jobs / sizeof *jobs; k++)
            if (jobs[k]->entry != NULL)
                jobs[k]->entry->release(&jobs[k]->r);
        return false;
    }
    unsigned char all_have[b->ranks->size];
    unsigned char room = available > need * (size_t)b->sharers + RESERVE &&
                         more <= available - need * (size_t)b->sharers - RESERVE;
    b->ranks->gather(b->ranks, &room, 1, all_have);
    b->wholes = b->ranks->size > 1; /* a single one has it all already */
    for (int k = 0; k < b->ranks->size; k++)
        b->wholes = b->wholes && all_have[k];
    if (!b->wholes || !b->first_here) {
        b->whole.entry->release(&b->whole.r);
        b->whole.entry = NULL;
    }
    return true;
}

static void job_allocate(struct bench *b, struct job *j, size_t n, const struct job *same_input)
{
    size_t workspace = j->r.workspace_bytes, array = array_bytes(b, n);

    if (j->entry == NULL)
        return;
    HIP_CHECK(hipMalloc(&j->r.workspace, workspace > 0 ? workspace : 1));
    HIP_CHECK(hipMemsetAsync(j->r.workspace, 0, workspace > 0 ? workspace : 1, b->stream));
    HIP_CHECK(hipHostMalloc(&j->r.host, j->r.host_bytes > 0 ? j->r.host_bytes : 1, 0));
    if (same_input == NULL)
        HIP_CHECK(hipMalloc(&j->d_array, array > 0 ? array : 1));
    j->d_input = same_input != NULL ? same_input->d_input
                                    : (char *)j->d_array + b->o->offset * type_size(b->o->type);
}

static void job_free(struct job *j)
{
    if (j->entry == NULL)
        return;
    HIP_CHECK(hipFree(j->r.workspace));
    HIP_CHECK(hipHostFree(j->r.host));
    if (j->d_array != NULL)
        HIP_CHECK(hipFree(j->d_array));
    j->entry->release(&j->r);
}

/* Elements first ... first + n - 1 to the device; what they should reduce to. */
static struct reference fill(struct bench *b, void *d_to, size_t first, size_t n, bool refer)
{
    const struct options *o = b->o;
    const char *label = b->ranks->rank == 0 ? "reference" : NULL;
    size_t size = type_size(o->type);
    struct reference none = {.n = 0};

    if (o->input != NULL) {
        const char *from = (const char *)b->p->file.data + first * size;
        if (n > 0)
            HIP_CHECK(hipMemcpy(d_to, from, n * size, hipMemcpyHostToDevice));
        return refer ? reference_of_array(o->type, o->op, from, n, label) : none;
    }
    struct pattern pattern = pattern_for(&o->pattern, o->op, b->n);
    init_fill(d_to, o->type, &pattern, first, n, b->stream);
    return refer ? reference_of_pattern(o->type, o->op, &pattern, first, n, label) : none;
}

void fill_all(struct bench *b)
{
    const struct options *o = b->o;
    struct ranks *r = b->ranks;
    struct reference parts[SIDE_BY_SIDE + 1], *all = calloc((size_t)r->size, sizeof *all);
    char *to = b->part.d_input;
    size_t count = 0;

    HIP_CHECK(all != NULL ? hipSuccess : hipErrorOutOfMemory);
    for (size_t k = 0; k < b->share.run_count; k++) {
        parts[count++] = fill(b, to, b->share.runs[k].first, b->share.runs[k].n, true);
        to += b->share.runs[k].n * type_size(o->type);
    }
    if (count == 0) /* a rank without elements */
        parts[count++] = fill(b, to, 0, 0, true);
    if (b->whole.entry != NULL)
        fill(b, b->whole.d_input, 0, b->n, false);
    struct reference mine = reference_join(parts, count);
    r->gather(r, &mine, sizeof mine, all);
    b->reference = reference_join(all, (size_t)r->size);
    free(all);
    b->part.entry->prepare(&b->part.r, NULL, &b->reference);
    HIP_CHECK(hipStreamSynchronize(b->stream));
}

void allocate_all(struct bench *b)
{
    job_allocate(b, &b->part, b->share.n, NULL);
    job_allocate(b, &b->whole, b->n, NULL);
    job_allocate(b, &b->peer, b->share.n, &b->part);
    b->own_host = b->part.r.host;
}

void free_all(struct bench *b)
{
    b->part.r.host = b->own_host;
    job_free(&b->peer);
    job_free(&b->whole);
    job_free(&b->part);
}
