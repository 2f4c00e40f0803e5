/* Rows added and deleted in place. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "lp/simplex/compute.h"

/* ---- additions ------------------------------------------------------------ */

void lp_add_rows(lp_solver *s, int count, const double *lower, const double *upper,
                 const int *row_start, const int *cols, const double *values)
{
    if (count <= 0)
        return;
    int old = s->rows;
    lp_model_add_rows(s->model, count, lower, upper, row_start, cols, values, NULL);
    s->rows += count;
    s->vars += count;
    lp_engine_reserve(s, s->rows, s->vars);
    lp_engine_scale_matrix(s);
    for (int r = old; r < s->rows; r++) {
        int j = s->cols + r;
        s->unit[j] = 1.0;
        s->unit[j] = lp_scale_row(s, r);
        lp_engine_take_var(s, j);
        lp_engine_make_basic(s, j, r);
    }
    lp_engine_apply_units(s);
    lp_engine_make_vectors(s);
    lp_saved_free(s);
    lp_results_reset(s);
}

/* ---- deletions ------------------------------------------------------------ */

/* Removes the logicals of the rows r with drop[r], which the model no longer has, from all arrays;
 * weight by variable. Returns the number of variables that are left. */
static int compress(lp_solver *s, const bool *drop)
{
    int kept = 0;
    s->changes = s->crossed = 0;
    for (int j = 0; j < s->vars; j++) {
        s->is_changed[j] = false;
        if (j >= s->cols && drop[j - s->cols])
            continue;
        const double value = s->value[j], weight = s->place[j] >= 0 ? s->weight[s->place[j]] : 0.0;
        const int k = kept++;
        s->unit[k] = s->unit[j];
        s->status[k] = s->status[j];
        lp_engine_take_var(s, k);
        s->value[k] = value;
        s->scratch[k] = weight;
    }
    return kept;
}

/* Fills head from status. Surplus basic variables, the first columns, leave the basis. */
static void remake_head(lp_solver *s)
{
    int surplus = -s->rows, p = 0;
    for (int j = 0; j < s->vars; j++)
        surplus += s->status[j] == LP_BASIC;
    for (int j = 0; j < s->vars; j++) {
        s->place[j] = -1;
        if (s->status[j] != LP_BASIC)
            continue;
        if (surplus-- > 0) {
            s->status[j] = LP_AT_LOWER;
            s->value[j] = 0.0;
            continue;
        }
        lp_engine_make_basic(s, j, p);
        s->weight[p++] = s->scratch[j];
    }
    assert(p == s->rows);
}

void lp_delete_rows(lp_solver *s, const bool *drop)
{
    lp_model_delete_rows(s->model, drop);
    if (s->model->rows == s->rows)
        return;
    s->vars = compress(s, drop);
    s->rows = s->model->rows;
    remake_head(s);
    lp_engine_scale_matrix(s);
    lp_engine_apply_units(s);
    lp_engine_make_vectors(s);
    s->perturbed = s->has_dual = false;
    lp_saved_free(s);
    lp_results_reset(s);
}
