/* The basis in terms of activities, for callers of the simplex, and rows of the tableau. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "lp/simplex/compute.h"

/* A logical is minus the activity: its bounds change places. */
static unsigned char flipped(unsigned char status)
{
    return status == LP_AT_LOWER ? LP_AT_UPPER : status == LP_AT_UPPER ? LP_AT_LOWER : status;
}

void lp_get_basis(const lp_solver *s, unsigned char *status)
{
    memcpy(status, s->status, (size_t)s->cols);
    for (int j = s->cols; j < s->vars; j++)
        status[j] = flipped(s->status[j]);
}

bool lp_engine_is_same_basis(const lp_solver *s, const unsigned char *a, const unsigned char *b)
{
    for (int j = 0; j < s->vars; j++)
        if ((a[j] == LP_BASIC) != (b[j] == LP_BASIC))
            return false;
    return true;
}

/* Puts the basic variables into head; variables that were basic before keep their weight. Surplus
 * ones at the end are cut off, missing ones are replaced by logicals. */
static void make_head(lp_solver *s, const unsigned char *status)
{
    double *weight = s->scratch;
    for (int j = 0; j < s->vars; j++)
        weight[j] = 1.0;
    for (int p = 0; p < s->rows; p++)
        weight[s->head[p]] = s->weight[p];
    int p = 0;
    for (int k = 0; k < s->vars; k++) { /* logicals first: they are never dependent */
        int j = k < s->rows ? s->cols + k : k - s->rows;
        s->place[j] = -1;
        if (status[j] == LP_BASIC && p < s->rows) {
            lp_engine_make_basic(s, j, p);
            s->weight[p++] = weight[j];
        } else if (s->status[j] == LP_BASIC || status[j] == LP_BASIC) {
            s->status[j] = LP_AT_LOWER;
            s->value[j] = 0.0;
            s->d[j] = 0.0;
        }
    }
    for (int r = 0; p < s->rows; r++)
        if (s->status[s->cols + r] != LP_BASIC)
            lp_engine_make_basic(s, s->cols + r, p++);
    s->has_factor = s->has_primal = s->has_dual = false;
}

void lp_set_slack_basis(lp_solver *s)
{
    unsigned char *status = base_malloc((size_t)s->vars + 1, sizeof *status);
    memset(status, LP_AT_LOWER, (size_t)s->cols);
    memset(status + s->cols, LP_BASIC, (size_t)s->rows);
    lp_set_basis(s, status);
    base_free(status);
}

void lp_set_basis(lp_solver *s, const unsigned char *status)
{
    if (!lp_saved_restore(s, status) && !lp_engine_is_same_basis(s, status, s->status)) {
        make_head(s, status);
        s->save_wanted = true;
    }
    s->cold = false;
    for (int j = 0; j < s->vars; j++) {
        if (s->status[j] == LP_BASIC)
            continue;
        unsigned char to = j < s->cols ? status[j] : flipped(status[j]);
        bool boxed = s->lower[j] > -INFINITY && s->upper[j] < INFINITY;
        if (to == s->status[j] || (to != LP_AT_LOWER && to != LP_AT_UPPER) || !boxed ||
            s->lower[j] == s->upper[j])
            continue;
        s->status[j] = to; /* status only chooses between two finite bounds */
        if (!s->is_changed[j]) {
            s->is_changed[j] = true;
            s->changed[s->changes++] = j;
        }
    }
    lp_results_reset(s);
}

/* ---- the tableau ------------------------------------------------------------ */

void lp_tableau_row(lp_solver *s, int row, double *rho)
{
    assert(row >= 0 && row < s->rows);
    assert(s->has_factor);
    lp_vector *v = &s->rho;
    lp_vector_clear(v);
    lp_vector_add(v, row, 1.0);
    lp_factor_btran(s->factor, v, &s->expected.row, false);
    double unit = s->unit[s->head[row]];
    if (s->head[row] >= s->cols) /* z is minus the activity */
        unit = -unit;
    for (int i = 0; i < s->rows; i++)
        rho[i] = v->value[i] * unit / s->unit[s->cols + i];
}

const int *lp_basis_header(const lp_solver *s)
{
    return s->head;
}

/* ---- a basis for a part of the model ------------------------------------------ */

/* Returns the first column of a row that can leave the basis without moving x; -1: none. */
static int leaving_column(const lp_model *m, const bool *kept, const double *x,
                          const unsigned char *status, const int *col, int count)
{
    static const double at_bound = 1e-9;
    for (int k = 0; k < count; k++) {
        const int j = col[k];
        if (kept[j] && status[j] == LP_BASIC &&
            (x[j] <= m->lower[j] + at_bound || x[j] >= m->upper[j] - at_bound))
            return j;
    }
    return -1;
}

int lp_basis_shrink(const lp_model *m, const bool *kept, const double *x, int excess,
                    unsigned char *status)
{
    lp_by_rows a = lp_model_by_rows(m);
    int done = 0;
    for (int r = 0; r < m->rows && done < excess; r++) {
        if (kept[m->cols + r] || status[m->cols + r] == LP_BASIC)
            continue;
        const int j =
            leaving_column(m, kept, x, status, a.col + a.start[r], a.start[r + 1] - a.start[r]);
        if (j < 0)
            continue;
        const bool lower = x[j] - m->lower[j] <= m->upper[j] - x[j];
        status[j] = lower ? LP_AT_LOWER : LP_AT_UPPER;
        done++;
    }
    lp_by_rows_free(&a);
    return done;
}
