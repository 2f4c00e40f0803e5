/* Rows that every canonical schedule satisfies: each action has a use, and takes place at the
 * right time. */
#include "formulation/row.h"

/* Exchange for a tensor without a use in t+1: if it is kept, page it in one stage later; else do
 * not page it in. */
void row_make_used_in(row_builder *b, int t, int i)
{
    int in = i < t ? cell_col(b->f, CELL_IN, t, i) : -1;
    if (in < 0)
        return;
    row_add(b, in, 1);
    row_add_users(b, t + 1, i, -1);
    row_at_most(b, 0, ROW_USED_IN, t, i, -1);
}

/* Exchange for a tensor that is neither used in t nor kept: do not recompute it. */
void row_make_used_r(row_builder *b, int t, int i)
{
    int r = i < t ? cell_col(b->f, CELL_R, t, i) : -1;
    if (r < 0)
        return;
    row_add(b, r, 1);
    row_add_users(b, t, i, -1);
    row_add_s(b, t + 1, i, -1);
    row_at_most(b, 0, ROW_USED_R, t, i, -1);
}

/* Exchange for a tensor that is neither used in t, nor kept, nor written out: drop it a stage
 * earlier. */
void row_make_used_s(row_builder *b, int t, int i)
{
    formulation *f = b->f;
    if (i == t)
        return;
    int c = cell_col(f, CELL_C, t, i), p = cell_col(f, CELL_P, t, i);
    if ((c < 0 && p < 0) ||
        (c == cell_col(f, CELL_C, t + 1, i) && p == cell_col(f, CELL_P, t + 1, i)))
        return;
    row_add_s(b, t, i, 1);
    row_add_users(b, t, i, -1);
    row_add_s(b, t + 1, i, -1);
    row_add(b, cell_col(f, CELL_OUT, t, i), -1);
    row_at_most(b, 0, ROW_USED_S, t, i, -1);
}

/* Exchange for a tensor that was in RAM in t-1, too, since it was computed earlier: write it out a
 * stage earlier. */
void row_make_out_first(row_builder *b, int t, int i)
{
    int out = i < t ? cell_col(b->f, CELL_OUT, t, i) : -1;
    if (out < 0 || t <= i + 1)
        return;
    row_add(b, out, 1);
    row_add_r(b, t - 1, i, -1);
    row_at_most(b, 0, ROW_OUT_FIRST, t, i, -1);
}

/* Exchanges: one page-out is enough, since storage keeps every tensor; and a tensor in RAM when
 * stage i+1 begins is written out then and not later. With Out[i+1] <= C[i+1] the row implies both.
 * Without the row, the relaxation keeps one half of a tensor, and writes out the other half after
 * it has been computed again. */
void row_make_out_once(row_builder *b, int t, int i)
{
    const formulation *f = b->f;
    for (t = i + 2; t < f->problem->graph->n; t++)
        row_add(b, cell_col(f, CELL_OUT, t, i), 1);
    if (b->rows.entries == b->rows.first)
        return;
    row_add(b, cell_col(f, CELL_C, i + 1, i), 1);
    row_at_most(b, 1, ROW_OUT_ONCE, -1, i, -1);
}

/* Recomputed in t only to be kept: then an input dies in t, or i is written out in t+1, for which
 * it must be there when t+1 begins. If all inputs were kept too, i could be
 * recomputed in t+1 instead: there the inputs are present, i is absent until its turn, and no
 * input is held longer unless another of its users k < i is computed in t+1, or it is written out
 * in t+1, and would have been released then. One resident cell less. Written with the flow that
 * leaves each input,
 * S[t] + R[t] + In[t] - S[t+1] >= 0, because an input that dies was present: the sum over stages
 * then telescopes, and a fraction of an input cannot feed recomputations in many stages. A node
 * that works in memory of its own may not fit a stage later. */
void row_make_late(row_builder *b, int t, int i)
{
    const graph *g = b->f->problem->graph;
    if (i == t || cell_col(b->f, CELL_R, t, i) < 0 || t + 1 >= g->n || b->f->workspace[i] > 0)
        return;
    row_add_r(b, t, i, 1);
    row_add_users(b, t, i, -1);
    row_add(b, cell_col(b->f, CELL_OUT, t + 1, i), -1);
    for (int q = g->input_start[i]; q < g->input_start[i + 1]; q++) {
        int u = g->input[q];
        row_add_s(b, t, u, -1);
        row_add_r(b, t, u, -1);
        row_add(b, cell_col(b->f, CELL_IN, t, u), -1);
        row_add_s(b, t + 1, u, 1);
        row_add(b, cell_col(b->f, CELL_OUT, t + 1, u), -1);
        for (int e = g->user_start[u]; e < g->user_start[u + 1] && g->user[e] < i; e++)
            row_add_r(b, t + 1, g->user[e], -1);
    }
    row_at_most(b, 0, ROW_LATE, t, i, -1);
}
