/* The basis of a restricted model for the next one. */
#include <math.h>
#include <string.h>

#include "lp/sift_internal.h"

#define AT_BOUND 1e-9 /* of basic columns that become nonbasic there */

/* The side of the row of a link that is zero. */
static unsigned char tight_side(const lp_sift *s, int row)
{
    return lp_sift_has_zero_side(s, row, true) ? LP_AT_UPPER : LP_AT_LOWER;
}

void lp_sift_split_all(lp_sift *s)
{
    for (int k = 0; k < s->now.links; k++) {
        lp_sift_link link = s->now.link[k];
        if (s->status[link.a] == LP_BASIC)
            s->status[s->m->cols + link.row] = tight_side(s, link.row);
    }
}

/* What was one column and is two now: both are basic, and the row that tied them is tight. */
static void split_links(const lp_sift *s, const lp_sift_restriction *old,
                        const lp_sift_restriction *now, unsigned char *status)
{
    for (int k = 0; k < old->links; k++) {
        lp_sift_link link = old->link[k];
        int a = now->group[link.a], b = now->group[link.b], r = now->row_of[link.row];
        if (a < 0 || b < 0 || a == b || r < 0 || s->status[link.a] != LP_BASIC)
            continue;
        status[now->model->cols + r] = tight_side(s, link.row);
    }
}

/* Rows that were tight and are left out now since another one says as much: that one is tight. */
static void hand_over(const lp_sift *s, const lp_sift_restriction *old, unsigned char *status)
{
    const lp_sift_restriction *now = &s->now;
    unsigned char *logical = status + now->model->cols;
    for (int r = 0; r < s->m->rows; r++) {
        unsigned char side = s->status[s->m->cols + r];
        int k = r;
        if (old->row_of[r] < 0 || side == LP_BASIC)
            continue;
        while (k >= 0 && now->row_of[k] < 0) {
            k = now->keeper[k];
            if (k < -1) {
                k = lp_sift_negative(k);
                side = side == LP_AT_LOWER ? LP_AT_UPPER : side == LP_AT_UPPER ? LP_AT_LOWER : side;
            }
        }
        if (k >= 0 && logical[now->row_of[k]] == LP_BASIC)
            logical[now->row_of[k]] = side;
    }
}

/* Makes a basic column of row r that is at a bound nonbasic there; false: there is none. */
static bool retire_column(const lp_sift *s, int r, unsigned char *status)
{
    const lp_model *m = s->m;
    for (int e = s->row_start[r]; e < s->row_start[r + 1]; e++) {
        int j = s->row_col[e], k = s->now.group[j];
        if (k < 0 || status[k] != LP_BASIC)
            continue;
        bool low = s->x[j] <= m->lower[j] + AT_BOUND, high = s->x[j] >= m->upper[j] - AT_BOUND;
        if (!low && !high)
            continue;
        status[k] = low ? LP_AT_LOWER : LP_AT_UPPER;
        return true;
    }
    return false;
}

/* Rows that were tight and that nothing stands for now, since the columns' bounds imply them, leave
 * basic variables too many. */
static void retire(const lp_sift *s, const lp_sift_restriction *old, unsigned char *status)
{
    const lp_sift_restriction *now = &s->now;
    int excess = -now->model->rows;
    for (int k = 0; k < now->model->cols + now->model->rows; k++)
        excess += status[k] == LP_BASIC;
    for (int r = 0; r < s->m->rows && excess > 0; r++) {
        bool lost = old->row_of[r] >= 0 && now->row_of[r] < 0 && now->keeper[r] == -1;
        if (lost && s->status[s->m->cols + r] != LP_BASIC)
            excess -= retire_column(s, r, status);
    }
}

void lp_sift_warm_start(lp_sift *s, const lp_sift_restriction *old)
{
    const lp_sift_restriction *now = &s->now;
    int cols = now->model->cols, rows = now->model->rows;
    unsigned char *status = base_malloc((size_t)(cols + rows) + 1, 1);
    memset(status, LP_AT_LOWER, (size_t)cols);
    for (int j = s->m->cols - 1; j >= 0; j--) {
        int k = now->group[j];
        if (k >= 0 && (status[k] != LP_BASIC))
            status[k] = s->status[j];
    }
    for (int r = 0; r < rows; r++)
        status[cols + r] = s->status[s->m->cols + now->row[r]];
    hand_over(s, old, status);
    split_links(s, old, now, status);
    retire(s, old, status);
    lp_set_basis(s->lp, status);
    base_free(status);
}
