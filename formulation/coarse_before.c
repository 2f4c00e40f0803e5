/* The timeline of the stages before a moment: coarse_build without later rows and actions. */
#include <string.h>

#include "formulation/coarse.h"

/* True if the next use of i behind interval j may come after the moment. */
static bool is_used_later(const coarse *c, int j, int i)
{
    const graph *g = c->problem->graph;
    int e = g->user_start[i];
    while (e < g->user_start[i + 1] && g->user[e] <= coarse_end(c, j))
        e++;
    return e == g->user_start[i + 1] || g->user[e] >= c->point[c->points - 1];
}

/* Rows that need not hold at each moment: inputs and memory of the last point, and all rows of the
 * interval behind it. A page-in before it may be used after the moment, and a
 * tensor with a use after it may come back after it. */
static bool is_later(const coarse *c, const formulation_key *row)
{
    if (row->kind == COARSE_ROW_BACK)
        return is_used_later(c, row->t, row->i);
    if (row->kind == COARSE_ROW_USED && row->t == c->points - 1)
        return true;
    if (row->kind == COARSE_ROW_INPUT)
        return row->k == c->point[c->points - 1] || row->t == c->points;
    return row->t == c->points && row->kind != COARSE_ROW_DEADLINE &&
           row->kind != COARSE_ROW_COMPUTATIONS;
}

static void delete_later_rows(coarse *c)
{
    lp_model *m = c->model;
    bool *drop = base_calloc((size_t)m->rows + 1, sizeof *drop);
    int kept = 0;
    for (int r = 0; r < m->rows; r++) {
        drop[r] = is_later(c, &c->row[r]);
        if (!drop[r])
            c->row[kept++] = c->row[r];
    }
    lp_model_delete_rows(m, drop);
    base_free(drop);
}

coarse *coarse_build_before(const problem *p, unsigned features, const int *point, int points,
                            double scale)
{
    coarse *c = coarse_build(p, features, point, points, scale);
    delete_later_rows(c);
    for (int i = 0; i <= point[points - 1]; i++) {
        const size_t k = coarse_cell(c, points, i);
        if (c->live[k] >= 0)
            c->model->lower[c->live[k]] = 0;
        if (c->compute[k] >= 0)
            c->model->upper[c->compute[k]] = 0;
        if (c->pagein[k] >= 0)
            c->model->upper[c->pagein[k]] = 0;
    }
    return c;
}
