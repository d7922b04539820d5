/* The reductions that a rank measures: their plans, memory and input.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "harness/array.h"
#include "verdict/extras.h"
#include "verdict/verify.h"
#include "state.h"

/* Memory that stays free when a device takes a second array, all elements, to compare one device with many. */
#define RESERVE ((size_t)1 << 30)

/* A reduction by this variant on this rank's device, with its default options. */
static struct job job_of(const struct measurement *m, const struct variant *variant, size_t n)
{
    struct job j = {.entry = &variant->entry[m->o->type][m->o->op]};

    j.r = device_reduction(&m->device, n, m->o->grid, m->o->block);
    j.r.stream = m->stream;
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
static struct job job_of_whole(const struct measurement *m)
{
    const struct variant *variant = m->method == METHOD_PLAIN ? m->p->plain : m->p->fixed;
    struct job j = job_of(m, variant, m->n);

    set(variant, &j, "result", "host");
    if (m->method != METHOD_PLAIN) {
        set(variant, &j, "method", m->method == METHOD_TREE ? "tree" : "binned");
        set(variant, &j, "folds", m->o->option[FOLDS] == 0 ? "2" : "3");
    }
    return j;
}

/* This rank's share: its value by single_pass, or the words that multi_gpu.hip leaves. */
static struct job job_of_part(const struct measurement *m)
{
    bool value = payload_kind(m) == PAYLOAD_VALUE, units = payload_kind(m) == PAYLOAD_UNITS;
    const struct variant *variant = value ? m->p->plain : m->p->own;
    struct job j = job_of(m, variant, units ? m->n : m->share.n);

    if (value) {
        set(variant, &j, "result", m->how == COMBINE_RCCL ? "device" : "host");
        return j;
    }
    memcpy(j.r.option, m->o->option, sizeof j.r.option);
    j.r.option[COMBINE] = m->how;
    return j;
}

int payload_kind(const struct measurement *m)
{
    const struct options *o = m->o;

    if (m->method == METHOD_TREE)
        return PAYLOAD_UNITS;
    return m->method == METHOD_BINNED && o->op == OP_SUM && type_is_floating(o->type)
               ? PAYLOAD_BINS
               : PAYLOAD_VALUE;
}

void plan_all(struct measurement *m)
{
    m->whole = job_of_whole(m);
    m->whole.entry->plan(&m->whole.r);
    m->part = job_of_part(m);
    m->part.entry->plan(&m->part.r);
    if (payload_kind(m) == PAYLOAD_UNITS)
        combinations[m->o->type][m->o->op].plan_units(&m->part.r, m->share.first_unit,
                                                      m->share.units);
    m->peer = (struct job){.entry = NULL};
    if (m->o->option[PEER]) {
        m->peer = job_of(m, m->p->peer, m->share.n);
        m->peer.entry->plan(&m->peer.r);
    }

    /* The longest chain of any rank, and one more addition for each other rank; the other methods have the tree
     * of the whole. */
    size_t chains[2 * m->ranks->size], mine[] = {m->part.r.chain, m->whole.r.chain}, chain = 0;
    m->ranks->gather(m->ranks, mine, sizeof mine, chains);
    m->whole_chain = 0;
    for (int k = 0; k < m->ranks->size; k++) {
        chain = chains[2 * k] > chain ? chains[2 * k] : chain;
        m->whole_chain = chains[2 * k + 1] > m->whole_chain ? chains[2 * k + 1] : m->whole_chain;
    }
    m->chain =
        payload_kind(m) == PAYLOAD_VALUE ? chain + (size_t)m->ranks->size - 1 : m->whole_chain;
}

static size_t array_bytes(const struct measurement *m, size_t n)
{
    return (n + m->o->offset) * type_size(m->o->type);
}

/* Before anything is allocated, on all ranks. Decides, too, whether every device has room for the whole array. */
bool check_memory(struct measurement *m)
{
    char message[320], need_text[BYTES_TEXT_MAX], have_text[BYTES_TEXT_MAX];
    size_t available, all;
    size_t need = array_bytes(m, m->share.n) + m->part.r.workspace_bytes +
                  (m->peer.entry != NULL ? m->peer.r.workspace_bytes : 0);
    size_t more = array_bytes(m, m->n) + m->whole.r.workspace_bytes;

    HIP_CHECK(hipMemGetInfo(&available, &all));
    size_t each = available / (size_t)m->sharers;
    snprintf(
        message, sizeof message,
        "its share of %zu elements needs %zu bytes (%s) on the device, and %zu (%s) are free%s: "
        "give a smaller --size, or more ranks",
        m->n, need, bytes_text(need_text, (double)need), each, bytes_text(have_text, (double)each),
        m->sharers > 1 ? " for each that shares it" : "");
    if (!ranks_agree(m->ranks, need <= each, message)) {
        struct job *jobs[] = {&m->part, &m->whole, &m->peer};
        for (size_t k = 0; k < sizeof jobs / sizeof *jobs; k++)
            if (jobs[k]->entry != NULL)
                jobs[k]->entry->release(&jobs[k]->r);
        return false;
    }
    unsigned char all_have[m->ranks->size];
    unsigned char room = available > need * (size_t)m->sharers + RESERVE &&
                         more <= available - need * (size_t)m->sharers - RESERVE;
    m->ranks->gather(m->ranks, &room, 1, all_have);
    m->wholes = m->ranks->size > 1; /* a single one has it all already */
    for (int k = 0; k < m->ranks->size; k++)
        m->wholes = m->wholes && all_have[k];
    if (!m->wholes || !m->first_here) {
        m->whole.entry->release(&m->whole.r);
        m->whole.entry = NULL;
    }
    return true;
}

static void job_allocate(struct measurement *m, struct job *j, size_t n,
                         const struct job *same_input)
{
    size_t workspace = j->r.workspace_bytes, array = array_bytes(m, n);

    if (j->entry == NULL)
        return;
    HIP_CHECK(hipMalloc(&j->r.workspace, workspace > 0 ? workspace : 1));
    HIP_CHECK(hipMemsetAsync(j->r.workspace, 0, workspace > 0 ? workspace : 1, m->stream));
    HIP_CHECK(hipHostMalloc(&j->r.host, j->r.host_bytes > 0 ? j->r.host_bytes : 1, 0));
    if (same_input == NULL)
        HIP_CHECK(hipMalloc(&j->d_array, array > 0 ? array : 1));
    j->d_input = same_input != NULL ? same_input->d_input
                                    : (char *)j->d_array + m->o->offset * type_size(m->o->type);
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

void fill_all(struct measurement *m)
{
    struct input_view in = array_view(m->o, &m->p->file, m->n);
    struct ranks *r = m->ranks;
    struct reference parts[SIDE_BY_SIDE], *all = calloc((size_t)r->size, sizeof *all);
    const char *label = r->rank == 0 ? "reference" : NULL;
    char *to = m->part.d_input;

    HIP_CHECK(all != NULL ? hipSuccess : hipErrorOutOfMemory);
    for (size_t k = 0; k < m->share.run_count; k++) {
        size_t first = m->share.runs[k].first, n = m->share.runs[k].n;
        array_to_device(&in, to, first, n, m->stream);
        parts[k] = reference_shown(&in, m->o->op, first, n, label);
        to += n * type_size(m->o->type);
    }
    if (m->whole.entry != NULL)
        array_to_device(&in, m->whole.d_input, 0, m->n, m->stream);
    struct reference mine = reference_join(parts, m->share.run_count);
    r->gather(r, &mine, sizeof mine, all);
    m->reference = reference_join(all, (size_t)r->size);
    free(all);
    m->part.entry->prepare(&m->part.r, NULL, &m->reference);
    HIP_CHECK(hipStreamSynchronize(m->stream));
}

void allocate_all(struct measurement *m)
{
    job_allocate(m, &m->part, m->share.n, NULL);
    job_allocate(m, &m->whole, m->n, NULL);
    job_allocate(m, &m->peer, m->share.n, &m->part);
    m->own_host = m->part.r.host;
}

void free_all(struct measurement *m)
{
    m->part.r.host = m->own_host;
    m->part.r.host_on_device = NULL;
    job_free(&m->peer);
    job_free(&m->whole);
    job_free(&m->part);
}
