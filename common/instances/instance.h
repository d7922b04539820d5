/* One (VALUE_TYPE, OPERATION) of the variant in the namespace INSTANCE; part of instantiate.hip.
 * With ONLY(type, op), a condition, the variant has no others, and compiles in a fraction of the time: for race, explain and
 * the counts of `make run` (tools/build/only.sh).
 * SPDX-License-Identifier: MIT */
#ifdef ONLY
#define IS_WANTED ONLY(ELEMENT_TYPE, OPERATION)
#else
#define IS_WANTED 1
#endif
#if IS_WANTED
#ifndef ELEMENT
#define ELEMENT "element.h"
#endif
namespace INSTANCE
{
inline namespace VARIANT_NAME /* programs link several variants, whose kernels may have the same names */
{
#include ELEMENT
#include VARIANT_SOURCE

/* Without a table of its own a variant finds the enumerator of that name (instances.h). */
static_assert(sizeof variant_table == sizeof(struct variant_functions), VARIANT_WITHOUT_TABLE);

static void plan_any(struct reduction *r)
{
    if (r->planned != NULL) { /* for another n */
        memset(r->planned, 0, variant_table.planned_bytes);
    } else if (variant_table.planned_bytes > 0) {
        r->planned = calloc(1, variant_table.planned_bytes);
        HIP_CHECK(r->planned != NULL ? hipSuccess : hipErrorOutOfMemory);
        if (r->planned == NULL)
            return;
    }
    r->workspace_bytes = 0; /* for workspace_take() */
    variant_table.plan(r);
    /* No tree of n elements is higher, and IDENTITY rounds nothing. */
    r->chain = min_size(r->chain, r->n > 0 ? r->n - 1 : 0);
}

static void launch_any(const struct reduction *r, const void *input)
{
    variant_table.launch(r, (const element_t *)input);
}

static void finish_any(const struct reduction *r, void *result) { *(value_t *)result = variant_table.finish(r); }

static const void *device_result_any(const struct reduction *r)
{
    return variant_table.device_result != NULL ? variant_table.device_result(r) : NULL;
}

#ifndef LIBRARY
static void prepare_any(const struct reduction *r, const struct input_view *in, struct reference *expected)
{
    if (variant_table.prepare != NULL)
        variant_table.prepare(r, in, expected);
}

static size_t extras_any(const struct reduction *r, const struct input_view *in, struct extra *out)
{
    return variant_table.extras != NULL ? variant_table.extras(r, in, out) : 0;
}

#endif

static void release_any(struct reduction *r)
{
    if (variant_table.release != NULL)
        variant_table.release(r);
    free(r->planned);
    r->planned = NULL;
}

static const struct variant_entry entry = {
    plan_any,    launch_any, finish_any, device_result_any,
#ifdef LIBRARY /* it has no harness */
    NULL,        NULL,
#else
    prepare_any, extras_any,
#endif
    release_any,
};
} // namespace VARIANT_NAME
} // namespace INSTANCE

#ifndef FIRST_INSTANCE
#define FIRST_INSTANCE
namespace first_instance = INSTANCE; /* all have one name and the same options */
#endif
#else
namespace INSTANCE
{
static const struct variant_entry entry = {};
}
#endif

#undef IS_WANTED
#undef OPERATION
#undef INSTANCE
