/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "results.h"

size_t results_compare(FILE *out, const struct results *old, const struct results *new_, int clock,
                       double change)
{
    size_t slower = 0, faster = 0, same = 0, few = 0, missing = 0;

    fprintf(out, "# against the baseline of %s on %s\n", *old->date != '\0' ? old->date : "?",
            old->device);
    if (strcmp(old->device, new_->device) != 0)
        fprintf(out, "# THE DEVICES DIFFER: this run is on %s\n", new_->device);
    for (size_t i = 0; i < new_->count; i++) {
        const struct cell *c = &new_->cells[i], *base = results_like(old, c);
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
