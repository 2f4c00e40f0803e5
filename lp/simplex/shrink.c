/* Adapts a basis to a part of its model. */
#include "lp/simplex.h"

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
    int *start, *col, done = 0;
    double *value;
    lp_model_by_rows(m, &start, &col, &value);
    for (int r = 0; r < m->rows && done < excess; r++) {
        if (kept[m->cols + r] || status[m->cols + r] == LP_BASIC)
            continue;
        const int j = leaving_column(m, kept, x, status, col + start[r], start[r + 1] - start[r]);
        if (j < 0)
            continue;
        const bool lower = x[j] - m->lower[j] <= m->upper[j] - x[j];
        status[j] = lower ? LP_AT_LOWER : LP_AT_UPPER;
        done++;
    }
    base_free_all(start, col, value);
    return done;
}
