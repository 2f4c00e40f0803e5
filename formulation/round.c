/* Sizes and budget rounded to what sums of sizes can be: docs/formulation.md, section 2. */
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "formulation/formulation.h"

static int descending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

int64_t formulation_round_memory(const problem *p, unsigned features, int64_t *bytes,
                                 int64_t *workspace)
{
    const graph *g = p->graph;
    const int n = g->n, sizes = 2 * n;
    int64_t budget = p->ram_budget_bytes;
    memcpy(bytes, g->bytes, (size_t)n * sizeof *bytes);
    memcpy(workspace, g->workspace, (size_t)n * sizeof *workspace);
    if (!(features & FORMULATION_ROUND))
        return budget;
    int64_t *size = base_malloc((size_t)sizes, sizeof *size);
    memcpy(size, g->bytes, (size_t)n * sizeof *size);
    memcpy(size + n, g->workspace, (size_t)n * sizeof *size);
    qsort(size, (size_t)sizes, sizeof *size, descending);
    const int64_t copies = features & FORMULATION_CANONICAL ? 1 : 3;
    int64_t small = 0; /* sum of the sizes from number k on */
    for (int k = 0; k < sizes; k++)
        small += copies * size[k];
    int64_t divisor = 0, best = 0, limit = 0;
    for (int k = 0; k < sizes && size[k] > 0; k++) {
        divisor = base_gcd(size[k], divisor);
        small -= copies * size[k];
        bool last = k + 1 == sizes || size[k + 1] != size[k];
        if (last && small <= budget % divisor && divisor > best) {
            best = divisor;
            limit = size[k];
        }
    }
    base_free(size);
    if (best == 0)
        return budget;
    for (int i = 0; i < n; i++) {
        bytes[i] = bytes[i] < limit ? 0 : bytes[i];
        workspace[i] = workspace[i] < limit ? 0 : workspace[i];
    }
    return budget / best * best;
}
