/* Pseudo-costs: average gain of the LP objective per unit of a branching's change, for each
 * column and direction (Benichou et al. 1971). */
#include "bnb/pseudo.h"
#include "bnb/search.h"

void bnb_pseudo_init(bnb_pseudo *p, int cols)
{
    *p = (bnb_pseudo){0};
    for (int i = 0; i < 2; i++) {
        p->sum[i] = base_calloc((size_t)cols + 1, sizeof *p->sum[i]);
        p->count[i] = base_calloc((size_t)cols + 1, sizeof *p->count[i]);
    }
}

void bnb_pseudo_clear(bnb_pseudo *p)
{
    for (int i = 0; i < 2; i++) {
        base_free(p->sum[i]);
        base_free(p->count[i]);
    }
    *p = (bnb_pseudo){0};
}

void bnb_pseudo_add(bnb_pseudo *p, int col, int direction, double gain_per_unit)
{
    p->sum[direction][col] += gain_per_unit;
    p->count[direction][col] += 1.0;
    p->total[direction] += gain_per_unit;
    p->totals[direction] += 1.0;
}

double bnb_pseudo_gain(const bnb_pseudo *p, int col, int direction, double distance)
{
    const double n = p->count[direction][col];
    if (n > 0.0)
        return distance * p->sum[direction][col] / n;
    const double all = p->totals[direction];
    return distance * (all > 0.0 ? p->total[direction] / all : 1.0);
}
