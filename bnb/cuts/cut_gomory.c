/* Gomory's mixed-integer cuts: mixed-integer rounding of tableau rows of fractional basic
 * integers. The tableau only supplies multipliers. The base row is summed up from the LP rows, so
 * errors of the tableau do not reach the cut. */
#include "bnb/cuts/separation.h"
#include "bnb/rank.h"

static const double drop_weight = 1e-9, max_weight_ratio = 1e6;

/* Builds the base row with multipliers rho. Returns false if the multipliers are numerically
 * dangerous. */
static bool aggregate(bnb_separation *s, const double *rho)
{
    double largest = 0.0, smallest = LP_INFINITY;
    for (int r = 0; r < s->rows; r++)
        largest = fmax(largest, fabs(rho[r]));
    bnb_base_reset(s);
    for (int r = 0; r < s->rows; r++) {
        if (fabs(rho[r]) <= drop_weight * largest)
            continue;
        if (s->row[r].lower == -LP_INFINITY && s->row[r].upper == LP_INFINITY)
            return false;
        smallest = fmin(smallest, fabs(rho[r]));
        bnb_base_add(s, r, rho[r]);
    }
    return largest > 0.0 && largest <= max_weight_ratio * smallest;
}

void bnb_separate_gomory(bnb_separation *s, lp_solver *lp, int limit)
{
    const lp_model *m = s->in->model;
    const int *header = lp_basis_header(lp);
    bnb_ranked *list = base_malloc((size_t)s->rows + 1, sizeof *list);
    double *rho = base_malloc((size_t)s->rows + 1, sizeof *rho);
    int count = 0;
    for (int r = 0; r < s->rows; r++) {
        const int j = header[r];
        if (j >= m->cols || !m->integer[j])
            continue;
        const double f = s->x[j] - floor(s->x[j]);
        if (f > 0.005 && f < 0.995)
            list[count++] = (bnb_ranked){0.5 - fabs(f - 0.5), r};
    }
    bnb_rank(list, count);
    for (int i = 0; i < count && i < limit; i++) {
        lp_tableau_row(lp, list[i].index, rho);
        if (aggregate(s, rho))
            bnb_base_separate(s, true, "gomory");
    }
    bnb_base_reset(s);
    base_free(list);
    base_free(rho);
}
