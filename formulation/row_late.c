/* Rows of the family late: recompute for keeping only before an input dies. */
#include "formulation/row.h"

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
