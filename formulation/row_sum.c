/* Rows that add up bytes, seconds or cells: loads, memory events, the limit on computations,
 * totals, the deadline. */
#include <math.h>

#include "formulation/row.h"
#include "formulation/total.h"

/* load = sum of bytes of the tensors that are resident when stage t begins. */
void row_make_load(row_builder *b, int t, int i)
{
    const formulation *f = b->f;
    row_add(b, f->load_col[t], -1);
    for (i = 0; i < t; i++)
        row_add_s(b, t, i, (double)f->bytes[i] * f->byte_scale);
    row_close(b, 0, 0, (formulation_key){ROW_LOAD, t, -1, -1});
}

/* Event (t,k): the load, plus the tensors computed by then, minus the releases before k, plus the
 * workspace of k. */
static void make_event(row_builder *b, int t, int k)
{
    const formulation *f = b->f;
    row_add(b, f->load_col[t], 1);
    base_work(20 * (size_t)t);
    for (int i = 0; i <= t; i++) {
        double bytes = (double)f->bytes[i] * f->byte_scale;
        if (i <= k)
            row_add_r(b, t, i, bytes);
        if (i < t && f->problem->charge_pagein_transfer)
            row_add(b, cell_col(f, CELL_IN, t, i), bytes);
        row_add_releases(b, t, i, k, -bytes);
    }
    row_add_r(b, t, k, (double)f->workspace[k] * f->byte_scale);
    row_at_most(b, (double)f->budget * f->byte_scale, ROW_MEMORY, t, -1, k);
}

void row_make_memory(row_builder *b, int t, int i)
{
    (void)i;
    for (int k = 0; k <= t; k++)
        if (computed(b->f, t, k))
            make_event(b, t, k);
}

/* Recomputations of i, where there may be too many. */
void row_make_computations(row_builder *b, int t, int i)
{
    const formulation *f = b->f;
    const problem *p = f->problem;
    int cells = 0;
    if (!problem_limits_computations(p))
        return;
    for (t = i + 1; t < p->graph->n; t++)
        cells += cell_col(f, CELL_R, t, i) >= 0;
    if (cells < p->max_computations)
        return;
    for (t = i + 1; t < p->graph->n; t++)
        row_add(b, cell_col(f, CELL_R, t, i), 1);
    row_at_most(b, p->max_computations - 1, ROW_COMPUTATIONS, -1, i, -1);
}

void row_make_total(row_builder *b, int t, int i)
{
    const formulation *f = b->f;
    const graph *g = f->problem->graph;
    for (int j = 0; j < f->model->cols; j++) {
        if (f->column[j].kind != COLUMN_TOTAL)
            continue;
        const formulation_total *total = &f->total[f->column[j].i];
        row_add(b, j, 1);
        for (i = 0; i < g->n; i++)
            for (t = i + 1; t < g->n && total->weight[i] > 0; t++)
                row_add(b, cell_col(f, total->kind, t, i), -(double)total->weight[i]);
        row_close(b, 0, 0, (formulation_key){ROW_TOTAL, -1, f->column[j].i, -1});
    }
}

/* Seconds beyond the base time. */
void row_make_deadline(row_builder *b, int t, int i)
{
    const formulation *f = b->f;
    const problem *p = f->problem;
    const graph *g = p->graph;
    double slack = problem_slack_seconds(p);
    if (isinf(slack) && slack > 0)
        return;
    double scale = formulation_deadline_scale(p);
    for (t = 0; t < g->n; t++)
        for (i = 0; i < t; i++) {
            row_add_r(b, t, i, g->seconds[i] * scale);
            if (p->deadline_includes_paging) {
                row_add(b, cell_col(f, CELL_IN, t, i), g->pagein_seconds[i] * scale);
                row_add(b, cell_col(f, CELL_OUT, t, i), g->pageout_seconds[i] * scale);
            }
        }
    row_at_most(b, slack * scale, ROW_DEADLINE, -1, -1, -1);
}
