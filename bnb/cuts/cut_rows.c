/* Cuts from LP rows and from paths of rows. The continuous column farthest from its bounds is
 * eliminated with another row, and every aggregate is tried (Marchand and Wolsey 2001). */
#include "bnb/cuts/separation.h"
#include "bnb/rank.h"

enum { MAX_ROWS = 6 }; /* rows summed up for one cut (Marchand, Wolsey 2001) */

static double slack_of(const bnb_separation *s, int r)
{
    return fmin(s->activity[r] - s->row[r].lower, s->row[r].upper - s->activity[r]);
}

static double bound_distance(const bnb_separation *s, int j)
{
    return fmin(s->x[j] - s->lower[j], s->upper[j] - s->x[j]);
}

/* Returns a row that can eliminate column j: tight, short, unused; -1: none. */
static int eliminating_row(const bnb_separation *s, int j, const int *used, int used_count,
                           double *coefficient)
{
    const lp_model *m = s->in->model;
    int best = -1;
    double best_score = LP_INFINITY;
    for (int k = m->start[j]; k < m->start[j + 1]; k++) {
        const int r = bnb_separation_row(s, m->index[k]);
        bool taken = false;
        for (int i = 0; i < used_count && !taken; i++)
            taken = used[i] == r;
        if (taken || fabs(m->value[k]) < 1e-6 || slack_of(s, r) > 1e-6)
            continue;
        const double score = s->row[r].count * (s->row[r].lower == s->row[r].upper ? 1.0 : 2.0);
        if (score < best_score) {
            best_score = score;
            best = r;
            *coefficient = m->value[k];
        }
    }
    return best;
}

/* Returns the next continuous column of the base row to eliminate: the farthest from its bounds
 * for which an eliminating row exists; -1: none. */
static int column_to_eliminate(const bnb_separation *s, const int *used, int used_count, int *row,
                               double *coefficient)
{
    const lp_model *m = s->in->model;
    int best = -1;
    double best_distance = 1e-6;
    for (int k = 0; k < s->count; k++) {
        const int j = s->col[k];
        if (m->integer[j] || fabsl(s->alpha[j]) < 1e-9L)
            continue;
        const double distance = bound_distance(s, j);
        double c = 0.0;
        if (distance <= best_distance)
            continue;
        const int r = eliminating_row(s, j, used, used_count, &c);
        if (r < 0)
            continue;
        best = j;
        best_distance = distance;
        *row = r;
        *coefficient = c;
    }
    return best;
}

/* Makes the base row the weighted sum of the rows, times sign. */
static void sum_rows(bnb_separation *s, const int *rows, const double *weights, int count,
                     double sign)
{
    bnb_base_reset(s);
    for (int i = 0; i < count; i++)
        bnb_base_add(s, rows[i], sign * weights[i]);
}

static bool try_both_signs(bnb_separation *s, const int *rows, const double *weights, int count)
{
    bool found = false;
    for (int sign = 1; sign >= -1 && !found; sign -= 2) {
        sum_rows(s, rows, weights, count, sign);
        bnb_base_use_variable_bounds(s);
        found = bnb_base_separate(s, false, "mir");
    }
    return found;
}

static void separate_path(bnb_separation *s, int row)
{
    int rows[MAX_ROWS] = {row}, count = 1;
    double weights[MAX_ROWS] = {1.0};
    while (!try_both_signs(s, rows, weights, count) && count < MAX_ROWS) {
        int next = -1;
        double coefficient = 0.0;
        sum_rows(s, rows, weights, count, 1.0);
        const int j = column_to_eliminate(s, rows, count, &next, &coefficient);
        if (j < 0)
            break;
        const double weight = (double)(-s->alpha[j] / coefficient);
        if (!isfinite(weight) || fabs(weight) > 1e6 || fabs(weight) < 1e-6)
            break;
        rows[count] = next;
        weights[count++] = weight;
    }
    bnb_base_reset(s);
}

/* True if a column of the row is strictly between its bounds. An integer column can be rounded; a
 * continuous one can bring in integer columns of another row. */
static bool is_promising(const bnb_separation *s, int r)
{
    const bnb_row_view *v = &s->row[r];
    for (int k = 0; k < v->count; k++)
        if (bound_distance(s, v->col[k]) > 1e-6)
            return true;
    return false;
}

void bnb_separate_rows(bnb_separation *s)
{
    const int rows = s->in->model->rows;
    bnb_ranked *start = base_malloc((size_t)rows + 1, sizeof *start);
    int count = 0;
    for (int i = 0; i < rows; i++) {
        const int r = bnb_separation_row(s, i);
        const bnb_row_view *v = &s->row[r];
        const double slack = slack_of(s, r);
        if (v->count < 2 || v->count > 2000 || !isfinite(slack) || !is_promising(s, r))
            continue;
        double norm = 0.0;
        for (int k = 0; k < v->count; k++)
            norm += v->value[k] * v->value[k];
        norm = sqrt(norm);
        if (slack > 0.2 * norm)
            continue;
        start[count++] = (bnb_ranked){fabs(s->dual[r]) * norm + 1e-4 * v->count - slack / norm, r};
    }
    bnb_rank(start, count);
    int fails = 0;
    for (int i = 0; i < count && fails < 500; i++) {
        const int before = s->cuts;
        separate_path(s, start[i].index);
        fails = s->cuts > before ? 0 : fails + 1;
    }
    base_free(start);
}
