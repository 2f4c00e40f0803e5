/* The choice of sums of actions: recomputations of equal cost or of costs that are multiples of
 * one of them, and transfers by number and by bytes. */
#include "formulation/total.h"

#include <math.h>

enum { MOST = 1000 }; /* a larger multiple is as good as any other number */

typedef struct total_list {
    const graph *g;
    formulation_total *total;
    int count;
} total_list;

/* Adds a total with weights 0; returns the weights. */
static int64_t *add(total_list *list, cell_kind kind, bool leading)
{
    list->total = base_realloc(list->total, (size_t)list->count + 1, sizeof *list->total);
    int64_t *weight = base_calloc((size_t)list->g->n + 1, sizeof *weight);
    list->total[list->count++] = (formulation_total){kind, leading, weight};
    return weight;
}

/* Adds a total for each set of tensors with equal amounts; a tensor of amount 0 is in no total. */
static void add_equal(total_list *list, cell_kind kind, const double *amount)
{
    int n = list->g->n;
    for (int i = 0; i < n; i++) {
        bool known = amount[i] <= 0;
        for (int k = 0; k < i && !known; k++)
            known = amount[k] == amount[i];
        if (known)
            continue;
        int64_t *weight = add(list, kind, false);
        for (int k = i; k < n; k++)
            weight[k] = amount[k] == amount[i];
    }
}

/* amount / unit where that is an integer, up to rounding in the data; 0: it is none. */
static int64_t multiple(double amount, double unit)
{
    double ratio = amount / unit, whole = nearbyint(ratio);
    return whole >= 1 && whole <= MOST && fabs(ratio - whole) <= 1e-9 * whole ? (int64_t)whole : 0;
}

/* Returns the number of remaining amounts that are multiples of unit; 0 if all of them equal
 * unit. */
static int count_multiples(int n, const double *amount, const bool *done, double unit)
{
    int count = 0;
    bool several = false;
    for (int k = 0; k < n; k++) {
        int64_t factor = done[k] ? 0 : multiple(amount[k], unit);
        count += factor > 0;
        several = several || factor > 1;
    }
    return several ? count : 0;
}

/* Tensors with amounts that are multiples of the least among them, the largest such set first. */
static void add_multiples(total_list *list, cell_kind kind, const double *amount)
{
    int n = list->g->n, most;
    bool *done = base_malloc((size_t)n + 1, sizeof *done);
    for (int i = 0; i < n; i++)
        done[i] = amount[i] <= 0;
    do {
        double unit = 0;
        most = 0;
        for (int i = 0; i < n; i++) {
            int count = done[i] ? 0 : count_multiples(n, amount, done, amount[i]);
            if (count > most) {
                most = count;
                unit = amount[i];
            }
        }
        int64_t *weight = most > 0 ? add(list, kind, true) : NULL;
        for (int k = 0; k < n && weight; k++) {
            weight[k] = done[k] ? 0 : multiple(amount[k], unit);
            done[k] = done[k] || weight[k] > 0;
        }
    } while (most > 0);
    base_free(done);
}

static void add_count(total_list *list, cell_kind kind)
{
    int64_t *weight = add(list, kind, true);
    for (int i = 0; i < list->g->n; i++)
        weight[i] = 1;
}

int formulation_totals(const graph *g, formulation_total **totals)
{
    static const cell_kind transfer[] = {CELL_IN, CELL_OUT};
    total_list list = {.g = g};
    double *bytes = base_malloc((size_t)g->n + 1, sizeof *bytes);
    for (int i = 0; i < g->n; i++)
        bytes[i] = (double)g->bytes[i];
    add_equal(&list, CELL_R, g->joules);
    add_multiples(&list, CELL_R, g->joules);
    for (int k = 0; k < 2; k++) {
        add_count(&list, transfer[k]);
        add_multiples(&list, transfer[k], bytes);
    }
    add_equal(&list, CELL_OUT, bytes);
    base_free(bytes);
    *totals = list.total;
    return list.count;
}

double formulation_total_unit(const graph *g)
{
    total_list list = {.g = g};
    add_multiples(&list, CELL_R, g->joules);
    double unit = 0;
    for (int i = 0; i < g->n && list.count > 0; i++)
        if (list.total[0].weight[i] == 1) /* the largest set is the first */
            unit = g->joules[i];
    formulation_totals_free(list.total, list.count);
    return unit;
}

void formulation_totals_free(formulation_total *totals, int count)
{
    for (int k = 0; k < count; k++)
        base_free(totals[k].weight);
    base_free(totals);
}
