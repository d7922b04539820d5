/* One (VALUE_TYPE, OPERATION) of the variant in the namespace INSTANCE; part of instantiate.hip.
 * compile_variant.sh compiles one alone with ONLY_TYPE and ONLY_OP. */
#if !defined(ONLY_TYPE) || (ONLY_TYPE == VALUE_TYPE && ONLY_OP == OPERATION)
#ifndef ELEMENT
#define ELEMENT "element.h"
#endif
namespace INSTANCE
{
#include ELEMENT
#include VARIANT_SOURCE

static void plan_any(struct reduction *r)
{
    (void)options; /* only those of the first instance are used */
    r->planned = calloc(1, sizeof(struct planned));
    HIP_CHECK(r->planned != NULL ? hipSuccess : hipErrorOutOfMemory);
    plan(r);
    /* No tree of n elements is higher, and IDENTITY rounds nothing. */
    r->chain = min_size(r->chain, r->n > 0 ? r->n - 1 : 0);
}

static void launch_any(const struct reduction *r, const void *input)
{
    launch(r, (const value_t *)input);
}

static void finish_any(const struct reduction *r, void *result)
{
    *(value_t *)result = finish(r);
}

static void release_any(struct reduction *r)
{
#ifdef VARIANT_RELEASE
    release(r);
#endif
    free(r->planned);
    r->planned = NULL;
}

#ifndef VARIANT_PREPARE
static constexpr auto prepare = nullptr;
#endif
#ifndef VARIANT_EXTRAS
static constexpr auto extras = nullptr;
#endif

static const struct variant_entry entry = {plan_any,    launch_any, finish_any,
                                           release_any, prepare,    extras};
} // namespace INSTANCE
#endif

#undef OPERATION
#undef INSTANCE
