/* Activity-based propagation. Derived bounds hold in spite of rounding errors. Integer bounds are
 * rounded with a tolerance and the rounding error of the activity; continuous bounds are widened.
 * A row counts as violated only beyond a tolerance and that error. */
#include <float.h>

#include "bnb/model/domain.h"

/* Relative widening of derived continuous bounds. */
static const double slack = 1e-9;
/* Larger rounding errors make an activity useless for deriving bounds. */
static const double error_limit = 1e-7;

typedef struct activity {
    double low, high;                /* finite parts */
    int low_infinite, high_infinite; /* number of infinite terms */
    double magnitude;                /* sum of |finite terms| */
    double widest;                   /* largest |a_j| (u_j - l_j) */
} activity;

static activity activity_of(const double *lower, const double *upper, int count, const int *col,
                            const double *value)
{
    activity a = {0};
    for (int k = 0; k < count; k++) {
        const double v = value[k], l = lower[col[k]], u = upper[col[k]];
        const double low = v > 0.0 ? v * l : v * u, high = v > 0.0 ? v * u : v * l;
        if (isinf(low)) {
            a.low_infinite++;
        } else {
            a.low += low;
            a.magnitude += fabs(low);
        }
        if (isinf(high)) {
            a.high_infinite++;
        } else {
            a.high += high;
            a.magnitude += fabs(high);
        }
        a.widest = fmax(a.widest, high - low);
    }
    return a;
}

/* Derives bounds from sum sign * a x <= side and the activity. */
static void derive(bnb_domain *d, int row, double side, double sign, const activity *a)
{
    const bnb_instance *in = d->in;
    const int first = in->rows.start[row], end = in->rows.start[row + 1];
    const double low = sign > 0.0 ? a->low : -a->high;
    const int infinite = sign > 0.0 ? a->low_infinite : a->high_infinite;
    const double error = (end - first + 4) * DBL_EPSILON * (a->magnitude + fabs(side));
    if (side == LP_INFINITY || infinite > 1 || (infinite == 0 && a->widest <= side - low))
        return;
    for (int k = first; k < end && !d->empty; k++) {
        const int j = in->rows.col[k];
        if (d->integers_only && !in->model->integer[j])
            continue;
        const double v = sign * in->rows.value[k];
        const double at = v > 0.0 ? d->lower[j] : d->upper[j];
        const bool open = isinf(at); /* its own term is infinite */
        if (infinite > (open ? 1 : 0) || error / fabs(v) > error_limit ||
            (!open && fabs(v) * (d->upper[j] - d->lower[j]) <= side - low))
            continue;
        double bound = (side - (open ? low : low - v * at)) / v;
        if (in->model->integer[j]) {
            const double room = bnb_bound_slack(side, v) + 2.0 * error / fabs(v);
            bound = v > 0.0 ? floor(bound + room) : ceil(bound - room);
        } else {
            const double margin = slack * fmax(1.0, fabs(bound)) + error / fabs(v);
            bound += v > 0.0 ? margin : -margin;
        }
        bnb_domain_tighten(d, j, v > 0.0, bound, BNB_BY_PROPAGATION, row);
    }
}

static bool violated(double low, double side, const activity *a, int count)
{
    const double error = (count + 4) * DBL_EPSILON * a->magnitude;
    return low - side > lp_side_room(side, BNB_INTEGER_SLACK) + error;
}

static void propagate_row(bnb_domain *d, int row)
{
    const bnb_instance *in = d->in;
    const lp_model *m = in->model;
    const int first = in->rows.start[row], count = in->rows.start[row + 1] - first;
    const double upper = row < m->rows ? m->row_upper[row] : d->cutoff - m->offset;
    const double lower = row < m->rows ? m->row_lower[row] : -LP_INFINITY;
    const activity a =
        activity_of(d->lower, d->upper, count, in->rows.col + first, in->rows.value + first);
    /* Row m->rows stands for "objective < cutoff". It has no feasibility tolerance, only the error
     * of rounding. */
    const double low = a.low_infinite > 0 ? -LP_INFINITY : a.low;
    const double high = a.high_infinite > 0 ? LP_INFINITY : a.high;
    const bool objective = row == m->rows;
    const double error = (count + 4) * DBL_EPSILON * a.magnitude;
    if (objective ? low - error >= upper
                  : violated(low, upper, &a, count) || violated(-high, -lower, &a, count)) {
        d->empty = true;
        d->empty_row = row;
        return;
    }
    derive(d, row, upper, 1.0, &a);
    if (!d->empty)
        derive(d, row, -lower, -1.0, &a);
}

enum { STEPS_PER_ROW = 100 }; /* average steps of base_work to propagate a row */

bool bnb_domain_propagate(bnb_domain *d)
{
    const int places = d->in->model->rows + 1;
    long visits = 20L * places + 1000;
    while (d->queue_count > 0 && !d->empty && visits-- > 0) {
        const int row = d->queue[d->queue_first];
        d->queue_first = (d->queue_first + 1) % places;
        d->queue_count--;
        d->queued[row] = false;
        propagate_row(d, row);
        base_work_count(STEPS_PER_ROW);
    }
    return !d->empty;
}
