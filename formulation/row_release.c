/* Rows on releases F[t,(i,k)] and F[t,i]: with the feature release a tensor is released at most
 * once, after its last use, and only if it is not kept; without it the published big-M rows. */
#include "formulation/row.h"

/* F[t,i] <= Out[t][i], F[t,(i,k)] <= R[t][k]. */
void row_make_free_use(row_builder *b, int t, int i)
{
    const formulation *f = b->f;
    const graph *g = f->problem->graph;
    int early = f->early_col[cell_index(f, t, i)];
    if (early >= 0) {
        row_add(b, early, 1);
        row_add(b, cell_col(f, CELL_OUT, t, i), -1);
        row_at_most(b, 0, ROW_FREE_USE, t, i, -1);
    }
    if (!(f->features & FORMULATION_RELEASE))
        return;
    for (int e = g->user_start[i]; e < g->user_start[i + 1]; e++) {
        int col = g->user[e] < t ? free_cell(f, t, e) : -1;
        if (col < 0)
            continue;
        row_add(b, col, 1);
        row_add_r(b, t, g->user[e], -1);
        row_at_most(b, 0, ROW_FREE_USE, t, i, g->user[e]);
    }
}

/* Adds the computations in stage t of the users from number e on: the hazards, which forbid a
 * release. Returns their number. */
static int add_hazards(row_builder *b, int t, int i, int e)
{
    const graph *g = b->f->problem->graph;
    int hazards = 0;
    for (; e < g->user_start[i + 1] && g->user[e] <= t; e++)
        if (computed(b->f, t, g->user[e])) {
            row_add_r(b, t, g->user[e], 1);
            hazards++;
        }
    return hazards;
}

/* An early release: nothing uses or keeps i. After user k: (1 - R[t][k]) + S[t+1][i] + later users
 * <= kappa (1 - F). */
void row_make_free_bigm(row_builder *b, int t, int i)
{
    const formulation *f = b->f;
    const graph *g = f->problem->graph;
    if (f->features & FORMULATION_RELEASE)
        return;
    int early = f->early_col[cell_index(f, t, i)];
    if (early >= 0) {
        row_add_s(b, t + 1, i, 1);
        double kappa = 1 + add_hazards(b, t, i, g->user_start[i]);
        row_add(b, early, kappa);
        row_at_most(b, kappa, ROW_FREE_BIGM, t, i, -1);
    }
    for (int e = g->user_start[i]; e < g->user_start[i + 1]; e++) {
        int col = g->user[e] < t ? free_cell(f, t, e) : -1;
        if (col < 0)
            continue;
        row_add_r(b, t, g->user[e], -1);
        row_add_s(b, t + 1, i, 1);
        double kappa = 2 + add_hazards(b, t, i, e + 1);
        row_add(b, col, kappa);
        row_at_most(b, kappa - 1, ROW_FREE_BIGM, t, i, g->user[e]);
    }
}

/* Column of the page-in of i in stage t, which may bring i back although it is released in t; -1:
 * none, or it cannot arrive. */
static int pagein_arriving(const formulation *f, int t, int i)
{
    return i < t && t + 1 < f->problem->graph->n ? cell_col(f, CELL_IN, t, i) : -1;
}

void row_make_free_keep(row_builder *b, int t, int i)
{
    if (!row_has_release(b->f, t, i, t))
        return;
    row_add_releases(b, t, i, t, 1);
    row_add_s(b, t + 1, i, 1);
    row_add_present(b, t, i, -1);
    row_add(b, pagein_arriving(b->f, t, i), -1);
    row_at_most(b, 0, ROW_FREE_KEEP, t, i, -1);
}

/* Left out if i has no page-in in t: then row free_keep implies it. */
void row_make_free_once(row_builder *b, int t, int i)
{
    if (!row_has_release(b->f, t, i, t) || pagein_arriving(b->f, t, i) < 0)
        return;
    row_add_releases(b, t, i, t, 1);
    row_add_present(b, t, i, -1);
    row_at_most(b, 0, ROW_FREE_ONCE, t, i, -1);
}

/* With CANONICAL it follows from ROW_ONE. */
void row_make_free_or(row_builder *b, int t, int i)
{
    if ((b->f->features & FORMULATION_CANONICAL) || !row_has_release(b->f, t, i, t) ||
        pagein_arriving(b->f, t, i) < 0)
        return;
    row_add_releases(b, t, i, t, 1);
    row_add_s(b, t + 1, i, 1);
    row_at_most(b, 1, ROW_FREE_OR, t, i, -1);
}
