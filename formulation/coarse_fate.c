/* Columns and rows for tensors that are away (formulation/coarse_fate.h). */
#include "formulation/coarse_fate.h"

#include <math.h>

double coarse_away_joules(const problem *p, int i)
{
    const graph *g = p->graph;
    double least = INFINITY;
    if (problem_may_recompute(p, i))
        least = g->joules[i];
    if (problem_may_page(p, i))
        least = fmin(least, g->pageout_joules[i] + g->pagein_joules[i]);
    return least;
}

/* Stages after i's own lie in the interval in which it is first computed. */
static bool has_early(const coarse *c, int i)
{
    int j = 0;
    while (coarse_end(c, j) < i)
        j++;
    return i < coarse_end(c, j);
}

static int add_column(coarse *c, coarse_column_kind kind, int i, double cost, double upper)
{
    const int col = lp_model_add_col(c->model, cost, 0, upper, true, 0, NULL, NULL, NULL);
    c->column[col] = (formulation_key){(int)kind, -1, i, -1};
    return col;
}

/* Columns that make i away, extent 2 * points + 4; their number. */
static int away_columns(const coarse *c, int i, int *col)
{
    int count = 0;
    for (int j = 0; j <= c->points; j++) {
        const size_t k = coarse_cell(c, j, i);
        if (c->compute[k] >= 0)
            col[count++] = c->compute[k];
        if (c->pagein[k] >= 0)
            col[count++] = c->pagein[k];
    }
    return count;
}

static int add_fate(coarse *c, int i, bool away, double scale, int *col, double *one)
{
    const double joules = coarse_away_joules(c->problem, i);
    int count = away_columns(c, i, col);
    if (has_early(c, i) && isfinite(joules))
        col[count++] = add_column(c, COARSE_EARLY, i, joules * scale, 1);
    const int stay = col[count++] = add_column(c, COARSE_STAY, i, 0, away ? 0 : 1);
    for (int k = 0; k < count; k++)
        one[k] = -1;
    const double lower = -LP_INFINITY, upper = -1;
    const int start[] = {0, count};
    c->row[c->model->rows] = (formulation_key){COARSE_ROW_AWAY, -1, i, -1};
    lp_model_add_rows(c->model, 1, &lower, &upper, start, col, one, NULL);
    return stay;
}

void coarse_add_fates(coarse *c, const uint8_t *fate, double scale, int *stay)
{
    const int n = c->problem->graph->n;
    const size_t room = 2 * (size_t)c->points + 4;
    int *col = base_malloc(room, sizeof *col), count = 0;
    double *one = base_malloc(room, sizeof *one);
    for (int i = 0; i < n; i++)
        count += fate[i] == FATE_OPEN || fate[i] == FATE_AWAY;
    c->column =
        base_realloc(c->column, (size_t)(c->model->cols + 2 * count) + 1, sizeof *c->column);
    c->row = base_realloc(c->row, (size_t)(c->model->rows + count) + 1, sizeof *c->row);
    for (int i = 0; i < n; i++) {
        const bool has = fate[i] == FATE_OPEN || fate[i] == FATE_AWAY;
        const int column = has ? add_fate(c, i, fate[i] == FATE_AWAY, scale, col, one) : -1;
        if (stay)
            stay[i] = column;
    }
    base_free(col);
    base_free(one);
}
