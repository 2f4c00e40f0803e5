/* Rays of the reduced model taken back: directions and multipliers of homogeneous systems. */
#include "lp/presolve/presolve_internal.h"

/* ---- primal ------------------------------------------------------------------------- */

/* Sum of kept entries of a row times the direction. */
static double kept_change(const lp_presolve *p, const lp_record *t, const double *ray)
{
    double sum = 0.0;
    for (int k = t->first; k < t->middle; k++)
        sum += p->kept_value[k] * ray[p->kept_index[k]];
    return sum;
}

/* x_other + a x_col moves: the one without a bound there. */
static void split(const lp_record *t, double *ray)
{
    double change = ray[t->other];
    ray[t->col] = 0.0;
    if (isinf(change > 0.0 ? t->other_upper : t->other_lower) || change == 0.0)
        return;
    ray[t->other] = 0.0;
    ray[t->col] = change / t->a;
}

/* The row moves by change without column `col`, which makes up for it where a side needs it. */
static double slack_change(const lp_record *t, double change)
{
    bool equation = t->other_lower == t->other_upper;
    if (change == 0.0 || (!equation && isinf(change > 0.0 ? t->other_upper : t->other_lower)))
        return 0.0;
    return -change / t->b;
}

/* The column moves on as far as this row needs it to; low: upwards. */
static double unlocked_change(const lp_record *t, double change, double so_far)
{
    double need = -change / t->a;
    return t->low ? fmax(so_far, need) : fmin(so_far, need);
}

void lp_presolve_restore_ray(const lp_presolve *p, const double *reduced, double *ray)
{
    int col = 0;
    for (int j = 0; j < p->cols; j++)
        ray[j] = p->col_gone[j] ? 0.0 : reduced[col++];
    for (int k = p->records - 1; k >= 0; k--) {
        const lp_record *t = &p->record[k];
        switch (t->kind) {
        case LP_SUBSTITUTED:
            ray[t->col] = -kept_change(p, t, ray) / t->b;
            break;
        case LP_DOUBLETON:
            ray[t->col] = -t->a * ray[t->other] / t->b;
            break;
        case LP_SLACK:
            ray[t->col] = slack_change(t, kept_change(p, t, ray));
            break;
        case LP_UNLOCKED_ROW:
            ray[t->col] = unlocked_change(t, kept_change(p, t, ray), ray[t->col]);
            break;
        case LP_PARALLEL_COL:
            split(t, ray);
            break;
        default: /* rows that went, columns that stand still */
            break;
        }
    }
}

/* ---- dual ---------------------------------------------------------------------------- */

static unsigned char sign_status(double dual)
{
    return dual > 0.0 ? LP_AT_LOWER : dual < 0.0 ? LP_AT_UPPER : LP_BASIC;
}

void lp_presolve_restore_farkas(const lp_presolve *p, const lp_model *reduced, const double *farkas,
                                double *y)
{
    lp_point point = {.y = y};
    point.x = base_calloc((size_t)p->cols + 1, sizeof *point.x);
    point.d = base_calloc((size_t)p->cols + 1, sizeof *point.d);
    point.basis = base_calloc((size_t)p->cols + (size_t)p->rows + 1, sizeof *point.basis);
    int row = 0, col = 0;
    for (int r = 0; r < p->rows; r++) {
        y[r] = p->row_gone[r] ? 0.0 : farkas[row++];
        point.basis[p->cols + r] = sign_status(y[r]);
    }
    for (int j = 0; j < p->cols; j++) {
        if (p->col_gone[j])
            continue;
        for (int e = reduced->start[col]; e < reduced->start[col + 1]; e++)
            point.d[j] -= farkas[reduced->index[e]] * reduced->value[e];
        point.basis[j] = sign_status(point.d[j]);
        col++;
    }
    lp_presolve_undo(p, &point, true);
    base_free(point.x);
    base_free(point.d);
    base_free(point.basis);
}
