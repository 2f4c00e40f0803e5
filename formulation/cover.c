/* Cheapest set of tensors that must leave RAM at one moment: a fractional knapsack. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "formulation/coarse_fate.h"

/* A tensor that may be out of RAM at that moment, though it is read later. */
typedef struct leaver {
    double joules, bytes; /* of having it again, at least; of its memory */
} leaver;

static int by_price(const void *a, const void *b)
{
    const leaver *x = a, *y = b;
    const double d = x->joules / x->bytes - y->joules / y->bytes;
    return (d > 0) - (d < 0);
}

/* Lists the tensors that may leave at the event of t in stage t; returns their number. */
static int find_leavers(const problem *p, int t, leaver *list)
{
    const graph *g = p->graph;
    bool *read = base_calloc((size_t)g->n, sizeof *read);
    int count = 0;
    for (int e = g->input_start[t]; e < g->input_start[t + 1]; e++)
        read[g->input[e]] = true;
    for (int i = 0; i < t; i++) {
        const double joules = coarse_away_joules(p, i);
        if (g->last_user[i] > t && !read[i] && g->bytes[i] > 0 && isfinite(joules))
            list[count++] = (leaver){joules, (double)g->bytes[i]};
    }
    base_free(read);
    return count;
}

/* At least `over` bytes leave. By duality every price y of a byte gives the bound y * over - sum
 * of max(0, y * bytes - cost) over the leaving tensors. Rounding errors are subtracted. */
static double least_cost(leaver *list, int count, double over)
{
    qsort(list, (size_t)count, sizeof *list, by_price);
    base_work(40 * (size_t)count);
    int last = 0;
    for (double left = over; last < count - 1 && left > list[last].bytes; last++)
        left -= list[last].bytes;
    const double y = list[last].joules / list[last].bytes;
    double bound = y * over, size = bound;
    for (int k = 0; k < last; k++) {
        bound -= fmax(0, y * list[k].bytes - list[k].joules);
        size += y * list[k].bytes + list[k].joules;
    }
    return fmax(0, bound - (count + 10) * DBL_EPSILON * size);
}

double coarse_cover_bound(const problem *p)
{
    const graph *g = p->graph;
    int t;
    if (coarse_first_points(p, 1, &t) == 0)
        return 0;
    leaver *list = base_malloc((size_t)g->n, sizeof *list);
    const int count = find_leavers(p, t, list);
    const double over = (double)(graph_checkpoint_all_peak(g) - p->ram_budget_bytes);
    const double bound = count > 0 ? least_cost(list, count, over) : 0;
    base_free(list);
    return bound;
}
