/* Postsolve: each record undone, the last one first. A point is kept in the extents of the
 * model; what is in the model as reduced at that record is valid. Nonbasic variables are at
 * LP_AT_LOWER, LP_AT_UPPER or LP_FREE here, whether their bounds are equal or not.
 *
 * In the formulas d_j = c_j - sum of y_s a_sj over the rows and with the costs of the model
 * as it was before the record; kept entries are those of that model. */
#include <assert.h>

#include "lp/presolve/presolve_internal.h"

typedef struct undo {
    const lp_presolve *p;
    double *x, *d, *y;
    unsigned char *col, *row; /* statuses */
    bool ray;
    int meeting; /* row that keeps an unlocked column where it is; -1: none */
} undo;

static double cost_of(const undo *u, const lp_record *t)
{
    return u->ray ? 0.0 : t->cost;
}

/* Sum of kept entries of a row times x. */
static double kept_activity(const undo *u, const lp_record *t)
{
    double sum = 0.0;
    for (int k = t->first; k < t->middle; k++)
        sum += u->p->kept_value[k] * u->x[u->p->kept_index[k]];
    return sum;
}

/* The cost minus the kept entries of a column times y. */
static double kept_reduced_cost(const undo *u, const lp_record *t)
{
    double sum = cost_of(u, t);
    for (int k = t->middle; k < t->last; k++)
        sum -= u->p->kept_value[k] * u->y[u->p->kept_index[k]];
    return sum;
}

static unsigned char opposite(unsigned char status)
{
    return status == LP_AT_LOWER ? LP_AT_UPPER : LP_AT_LOWER;
}

/* ---- rows ---------------------------------------------------------------------------- */

static void undo_freed_row(undo *u, const lp_record *t)
{
    u->y[t->row] = 0.0;
    u->row[t->row] = LP_BASIC;
}

/* Where an equation is: at the side that its multiplier speaks of. */
static unsigned char equation_status(double y)
{
    return y >= 0.0 ? LP_AT_LOWER : LP_AT_UPPER;
}

/* Whether a variable is nonbasic at a bound that a removed row or column had given it (low,
 * high: it had given the lower, upper one). */
static bool at_given(unsigned char status, const lp_record *t)
{
    return status == LP_AT_LOWER ? t->low : status == LP_AT_UPPER && t->high;
}

/* a x_j within the row's sides; low, high: they are tighter than the column's bounds. */
static void undo_singleton_row(undo *u, const lp_record *t)
{
    int r = t->row, j = t->col;
    unsigned char which = u->col[j];
    undo_freed_row(u, t);
    if (!at_given(which, t))
        return;
    u->y[r] = u->d[j] / t->a;
    u->d[j] = 0.0;
    u->col[j] = LP_BASIC;
    u->row[r] = t->a > 0.0 ? which : opposite(which);
}

/* high: the row's largest allowed activity is the smallest possible; else the other way
 * round. Its multiplier takes what its columns' reduced costs need to have the right signs. */
static void undo_forcing_row(undo *u, const lp_record *t)
{
    double y = 0.0;
    int tight = -1;
    undo_freed_row(u, t);
    for (int k = t->first; k < t->middle; k++) {
        double ratio = u->d[u->p->kept_index[k]] / u->p->kept_value[k];
        if (t->high ? ratio < y : ratio > y) {
            y = ratio;
            tight = u->p->kept_index[k];
        }
    }
    if (tight < 0)
        return;
    for (int k = t->first; k < t->middle; k++)
        u->d[u->p->kept_index[k]] -= y * u->p->kept_value[k];
    u->d[tight] = 0.0;
    u->col[tight] = LP_BASIC;
    u->y[t->row] = y;
    u->row[t->row] = t->high ? LP_AT_UPPER : LP_AT_LOWER;
}

/* Row `row` was a times row `other`, which took over its sides where they were tighter. */
static void undo_parallel_row(undo *u, const lp_record *t)
{
    int r = t->other, s = t->row;
    unsigned char which = u->row[r];
    undo_freed_row(u, t);
    if (!at_given(which, t))
        return;
    u->y[s] = u->y[r] / t->a;
    u->y[r] = 0.0;
    u->row[r] = LP_BASIC;
    u->row[s] = t->a > 0.0 ? which : opposite(which);
}

/* ---- columns ------------------------------------------------------------------------- */

/* Column `col` at the value `side`, its lower (low) or upper (high) bound or both. */
static void undo_fixed_col(undo *u, const lp_record *t)
{
    int j = t->col;
    u->x[j] = t->side;
    u->d[j] = kept_reduced_cost(u, t);
    if (t->low && t->high)
        u->col[j] = u->d[j] >= 0.0 ? LP_AT_LOWER : LP_AT_UPPER;
    else
        u->col[j] = t->low ? LP_AT_LOWER : t->high ? LP_AT_UPPER : LP_FREE;
}

/* An unlocked column starts at its other bound, `side`, perhaps infinite; low: it may move
 * upwards as far as its rows need. */
static void undo_unlocked_start(undo *u, const lp_record *t)
{
    u->x[t->col] = t->side;
    u->d[t->col] = 0.0;
    u->meeting = -1;
}

/* a x_j + kept entries against the row's side that it must reach; high: the upper one. */
static void undo_unlocked_row(undo *u, const lp_record *t)
{
    undo_freed_row(u, t);
    if (isinf(t->side))
        return;
    double need = (t->side - kept_activity(u, t)) / t->a;
    if (t->low ? need <= u->x[t->col] : need >= u->x[t->col])
        return;
    if (u->meeting >= 0)
        u->row[u->meeting] = LP_BASIC;
    u->x[t->col] = need;
    u->meeting = t->row;
    u->row[t->row] = t->high ? LP_AT_UPPER : LP_AT_LOWER;
}

static void undo_unlocked_end(undo *u, const lp_record *t)
{
    int j = t->col;
    if (u->meeting >= 0)
        u->col[j] = LP_BASIC;
    else if (isfinite(u->x[j]))
        u->col[j] = t->low ? LP_AT_LOWER : LP_AT_UPPER;
    else
        u->col[j] = LP_FREE;
    if (isinf(u->x[j]))
        u->x[j] = 0.0;
}

/* Column `col`, with entry b, is what the row leaves at `side`; low: an equation's, else high
 * tells which. */
static void undo_substituted(undo *u, const lp_record *t)
{
    u->x[t->col] = (t->side - kept_activity(u, t)) / t->b;
    u->y[t->row] = kept_reduced_cost(u, t) / t->b;
    u->d[t->col] = 0.0;
    u->col[t->col] = LP_BASIC;
    u->row[t->row] = t->low ? equation_status(u->y[t->row]) : t->high ? LP_AT_UPPER : LP_AT_LOWER;
}

/* a x_other + b x_col = side; x_other took over the bounds of x_col where they were tighter.
 * The reduced cost of x_other is now d_other - a/b d_col. */
static void undo_doubleton(undo *u, const lp_record *t)
{
    int r = t->row, j = t->other, k = t->col;
    unsigned char which = u->col[j];
    double rest = kept_reduced_cost(u, t);
    u->x[k] = (t->side - t->a * u->x[j]) / t->b;
    u->d[k] = 0.0;
    u->col[k] = LP_BASIC;
    if (at_given(which, t)) {
        bool falls = t->a / t->b > 0.0;
        u->col[k] = falls ? opposite(which) : which;
        u->x[k] = u->col[k] == LP_AT_LOWER ? t->lower : t->upper;
        u->d[k] = -(t->b / t->a) * u->d[j];
        u->d[j] = 0.0;
        u->col[j] = LP_BASIC;
    }
    u->y[r] = (rest - u->d[k]) / t->b;
    u->row[r] = equation_status(u->y[r]);
}

/* How far x is outside of its bounds. */
static double outside(double x, double lower, double upper)
{
    return fmax(fmax(lower - x, x - upper), 0.0);
}

/* Column `col`, with entry b, was the slack of the row, whose sides were other_lower and
 * other_upper; they were moved by its bounds. */
static void undo_slack(undo *u, const lp_record *t)
{
    int r = t->row, k = t->col;
    double activity = kept_activity(u, t), low = t->other_lower, high = t->other_upper;
    u->d[k] = -t->b * u->y[r];
    u->y[r] += cost_of(u, t) / t->b;
    if (u->row[r] != LP_BASIC) { /* both at bounds, opposite ones where b > 0 */
        u->col[k] = t->b > 0.0 ? opposite(u->row[r]) : u->row[r];
        u->x[k] = u->col[k] == LP_AT_LOWER ? t->lower : t->upper;
        if (low == high)
            u->row[r] = equation_status(u->y[r]);
        return;
    }
    if (low == high) {
        u->x[k] = (low - activity) / t->b;
        u->col[k] = LP_BASIC;
        u->row[r] = equation_status(u->y[r]);
        return;
    }
    const struct {
        double x;
        unsigned char row, col;
    } choice[] = {{t->lower, LP_BASIC, LP_AT_LOWER},
                  {t->upper, LP_BASIC, LP_AT_UPPER},
                  {(low - activity) / t->b, LP_AT_LOWER, LP_BASIC},
                  {(high - activity) / t->b, LP_AT_UPPER, LP_BASIC}};
    double best = LP_INFINITY;
    for (int c = 0; c < 4; c++) {
        double x = choice[c].x;
        if (isinf(x))
            continue;
        double miss = choice[c].row == LP_BASIC ? outside(activity + t->b * x, low, high)
                                                : outside(x, t->lower, t->upper);
        if (miss >= best)
            continue;
        best = miss;
        u->x[k] = x;
        u->row[r] = choice[c].row;
        u->col[k] = choice[c].col;
    }
}

/* x_other stands for x_other + a x_col. */
static void undo_parallel_col(undo *u, const lp_record *t)
{
    int j = t->other, k = t->col;
    double sum = u->x[j], a = t->a;
    u->d[k] = a * u->d[j];
    if (u->col[j] == LP_AT_LOWER || u->col[j] == LP_AT_UPPER) {
        u->col[k] = a > 0.0 ? u->col[j] : opposite(u->col[j]);
        u->x[k] = u->col[k] == LP_AT_LOWER ? t->lower : t->upper;
        u->x[j] = u->col[j] == LP_AT_LOWER ? t->other_lower : t->other_upper;
        return;
    }
    const struct {
        double x;
        unsigned char other, col;
    } choice[] = {{t->lower, LP_BASIC, LP_AT_LOWER},
                  {t->upper, LP_BASIC, LP_AT_UPPER},
                  {(sum - t->other_lower) / a, LP_AT_LOWER, LP_BASIC},
                  {(sum - t->other_upper) / a, LP_AT_UPPER, LP_BASIC}};
    double best = LP_INFINITY;
    unsigned char free_status = u->col[j];
    u->x[k] = 0.0; /* both free */
    u->col[k] = LP_FREE;
    for (int c = 0; c < 4; c++) {
        double x = choice[c].x;
        if (isinf(x))
            continue;
        double miss = choice[c].col == LP_BASIC
                          ? outside(x, t->lower, t->upper)
                          : outside(sum - a * x, t->other_lower, t->other_upper);
        if (miss >= best)
            continue;
        best = miss;
        u->x[k] = x;
        u->col[k] = choice[c].col;
        u->col[j] = choice[c].other;
    }
    if (best == LP_INFINITY)
        u->col[j] = free_status;
    u->x[j] = u->col[j] == LP_AT_LOWER   ? t->other_lower
              : u->col[j] == LP_AT_UPPER ? t->other_upper
                                         : sum - a * u->x[k];
}

/* ---- all ------------------------------------------------------------------------------ */

void lp_presolve_undo(const lp_presolve *p, lp_point *point, bool ray)
{
    static void (*const undo_kind[])(undo *, const lp_record *) = {
        [LP_FREED_ROW] = undo_freed_row,           [LP_SINGLETON_ROW] = undo_singleton_row,
        [LP_FORCING_ROW] = undo_forcing_row,       [LP_FIXED_COL] = undo_fixed_col,
        [LP_UNLOCKED_START] = undo_unlocked_start, [LP_UNLOCKED_ROW] = undo_unlocked_row,
        [LP_UNLOCKED_END] = undo_unlocked_end,     [LP_SUBSTITUTED] = undo_substituted,
        [LP_DOUBLETON] = undo_doubleton,           [LP_SLACK] = undo_slack,
        [LP_PARALLEL_ROW] = undo_parallel_row,     [LP_PARALLEL_COL] = undo_parallel_col,
    };
    undo u = {.p = p,
              .x = point->x,
              .d = point->d,
              .y = point->y,
              .col = point->basis,
              .row = point->basis + p->cols,
              .ray = ray,
              .meeting = -1};
    for (int k = p->records - 1; k >= 0; k--)
        undo_kind[p->record[k].kind](&u, &p->record[k]);
}
