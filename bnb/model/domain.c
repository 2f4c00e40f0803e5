/* Bounds with their trail, and the queue of rows to propagate. */
#include "bnb/model/domain.h"

#include <assert.h>
#include <string.h>

void bnb_domain_init(bnb_domain *d, const bnb_instance *in, double cutoff)
{
    const size_t cols = (size_t)in->model->cols, rows = (size_t)in->model->rows;
    *d = (bnb_domain){.in = in, .cutoff = cutoff, .empty_row = -1};
    d->lower = base_copy(in->model->lower, cols, sizeof *d->lower);
    d->upper = base_copy(in->model->upper, cols, sizeof *d->upper);
    d->queue = base_malloc(rows + 2, sizeof *d->queue);
    d->queued = base_calloc(rows + 2, sizeof *d->queued);
    d->dirty = base_malloc(cols + 1, sizeof *d->dirty);
    d->is_dirty = base_calloc(cols + 1, sizeof *d->is_dirty);
}

void bnb_domain_clear(bnb_domain *d)
{
    base_free_all(d->lower, d->upper, d->trail, d->queue, d->queued, d->dirty, d->is_dirty);
    *d = (bnb_domain){0};
}

static void mark_dirty(bnb_domain *d, int col)
{
    if (!d->is_dirty[col]) {
        d->is_dirty[col] = true;
        d->dirty[d->dirty_count++] = col;
    }
}

/* Forgets what followed from bounds that no longer hold. */
static void clear_queue(bnb_domain *d)
{
    const int places = d->in->model->rows + 1;
    d->empty = false;
    d->empty_row = -1;
    for (; d->queue_count > 0; d->queue_count--) {
        d->queued[d->queue[d->queue_first]] = false;
        d->queue_first = (d->queue_first + 1) % places;
    }
}

static void queue_row(bnb_domain *d, int row)
{
    const int places = d->in->model->rows + 1;
    if (d->queued[row])
        return;
    d->queued[row] = true;
    d->queue[(d->queue_first + d->queue_count++) % places] = row;
}

void bnb_domain_queue_all(bnb_domain *d)
{
    for (int r = 0; r <= d->in->model->rows; r++)
        queue_row(d, r);
}

void bnb_domain_load(bnb_domain *d, const double *lower, const double *upper)
{
    for (int j = 0; j < d->in->model->cols; j++)
        if (d->lower[j] != lower[j] || d->upper[j] != upper[j]) {
            d->lower[j] = lower[j];
            d->upper[j] = upper[j];
            mark_dirty(d, j);
        }
    d->trail_count = 0;
    clear_queue(d);
}

void bnb_domain_undo(bnb_domain *d, int mark)
{
    assert(mark >= 0 && mark <= d->trail_count);
    while (d->trail_count > mark) {
        const bnb_trail_entry *e = &d->trail[--d->trail_count];
        *(e->change.upper ? &d->upper[e->change.col] : &d->lower[e->change.col]) = e->old;
        mark_dirty(d, e->change.col);
    }
    clear_queue(d);
}

/* Queues the rows in which the column's new bound can have consequences. */
static void queue_rows_of(bnb_domain *d, int col, bool upper)
{
    const lp_model *m = d->in->model;
    for (int k = m->start[col]; k < m->start[col + 1]; k++) {
        const int r = m->index[k];
        const bool raises_minimum = (m->value[k] > 0.0) != upper;
        if (raises_minimum ? m->row_upper[r] < LP_INFINITY : m->row_lower[r] > -LP_INFINITY)
            queue_row(d, r);
    }
    if (m->cost[col] != 0.0 && (m->cost[col] > 0.0) != upper && d->cutoff < LP_INFINITY)
        queue_row(d, m->rows);
}

/* True if the change is worth storing. A continuous bound must be new or move by a share of the
 * range. */
static bool is_worth(const bnb_domain *d, int col, bool upper, double value)
{
    const double old = upper ? d->upper[col] : d->lower[col];
    const double other = upper ? d->lower[col] : d->upper[col];
    const double gain = upper ? old - value : value - old;
    if (gain <= 0.0)
        return false;
    if (isinf(old))
        return fabs(value) < 1e9;
    if (d->in->model->integer[col])
        return true;
    const double range = isinf(other) ? fmax(1.0, fabs(old)) : fabs(old - other);
    return gain > 1e-7 && gain > 0.05 * range;
}

bool bnb_domain_tighten(bnb_domain *d, int col, bool upper, double value, bnb_reason reason,
                        int row)
{
    assert(col >= 0 && col < d->in->model->cols && !isnan(value));
    const bool integer = d->in->model->integer[col];
    if (integer)
        value = upper ? floor(value + BNB_INTEGER_SLACK) : ceil(value - BNB_INTEGER_SLACK);
    double *bound = upper ? &d->upper[col] : &d->lower[col];
    const double other = upper ? d->lower[col] : d->upper[col];
    const bool forced = reason == BNB_BY_BRANCHING || reason == BNB_BY_HEURISTIC;
    if (forced ? (upper ? value >= *bound : value <= *bound) : !is_worth(d, col, upper, value))
        return false;
    const double crossing = upper ? other - value : value - other;
    if (crossing > 0.0) {
        if (integer || crossing > lp_side_room(other, BNB_INTEGER_SLACK)) {
            d->empty = true;
            d->empty_row = row;
            return true;
        }
        value = other; /* crossed only by rounding noise */
    }
    d->trail = base_grow(d->trail, d->trail_count, &d->trail_capacity, sizeof *d->trail);
    d->trail[d->trail_count++] =
        (bnb_trail_entry){{value, col, row, upper, (unsigned char)reason}, *bound};
    *bound = value;
    mark_dirty(d, col);
    queue_rows_of(d, col, upper);
    return true;
}

bool bnb_domain_is_fixed(const bnb_domain *d)
{
    const lp_model *m = d->in->model;
    for (int j = 0; j < m->cols; j++)
        if (m->integer[j] && d->lower[j] != d->upper[j])
            return false;
    return true;
}
