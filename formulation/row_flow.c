/* Rows on the places of tensors: inputs are in RAM, copies in RAM and on storage have a source, and
 * no tensor is brought into RAM twice. */
#include "formulation/row.h"

/* Inputs present when k is computed in t. Where i may have been released before k, the row
 * also says that nothing released it; it is then the stronger one. */
void row_make_input(row_builder *b, int t, int k)
{
    formulation *f = b->f;
    const graph *g = f->problem->graph;
    bool release = f->features & FORMULATION_RELEASE;
    for (int q = g->input_start[k]; q < g->input_start[k + 1]; q++) {
        int i = g->input[q];
        bool before = release && row_has_release(f, t, i, k);
        row_add_r(b, t, k, 1);
        row_add_present(b, t, i, -1);
        if (before)
            row_add_releases(b, t, i, k, 1);
        row_at_most(b, 0, before ? ROW_INPUT_FREE : ROW_INPUT, t, i, k);
    }
}

static int pagein_col(const formulation *f, int t, int i)
{
    return i < t ? cell_col(f, CELL_IN, t, i) : -1;
}

void row_make_source_c(row_builder *b, int t, int i)
{
    formulation *f = b->f;
    int c = cell_col(f, CELL_C, t + 1, i);
    if (c < 0 || i >= t || c == cell_col(f, CELL_C, t, i))
        return;
    row_add(b, c, 1);
    row_add(b, cell_col(f, CELL_C, t, i), -1);
    row_add_r(b, t, i, -1);
    if (!(f->features & FORMULATION_ORIGIN))
        row_add(b, pagein_col(f, t, i), -1);
    row_at_most(b, 0, ROW_SOURCE_C, t, i, -1);
}

void row_make_source_p(row_builder *b, int t, int i)
{
    formulation *f = b->f;
    int p = cell_col(f, CELL_P, t + 1, i);
    if (p < 0 || p == cell_col(f, CELL_P, t, i))
        return;
    row_add(b, p, 1);
    row_add(b, cell_col(f, CELL_P, t, i), -1);
    row_add(b, pagein_col(f, t, i), -1);
    row_at_most(b, 0, ROW_SOURCE_P, t, i, -1);
}

/* A canonical schedule keeps a tensor that it pages in for at least the next stage. With the split
 * by origin this copy is a P cell, and row stored_p already requires that the tensor is on storage.
 * So the page-in needs only the row In <= P. */
void row_make_stored_in(row_builder *b, int t, int i)
{
    formulation *f = b->f;
    int in = pagein_col(f, t, i);
    if (in < 0)
        return;
    row_add(b, in, 1);
    if ((f->features & FORMULATION_ORIGIN) && (f->features & FORMULATION_CANONICAL))
        row_add(b, cell_col(f, CELL_P, t + 1, i), -1);
    else
        row_add_stored(b, t, i, -1);
    row_at_most(b, 0, ROW_STORED_IN, t, i, -1);
}

/* A copy from storage requires an earlier page-out; storage keeps every tensor. */
void row_make_stored_p(row_builder *b, int t, int i)
{
    formulation *f = b->f;
    int here = i < t ? cell_col(f, CELL_P, t, i) : -1;
    if (here < 0 || here == cell_col(f, CELL_P, t - 1, i))
        return;
    row_add(b, here, 1);
    row_add_stored(b, t, i, -1);
    row_at_most(b, 0, ROW_STORED_P, t, i, -1);
}

/* In a canonical schedule a copy that came from storage is there already. */
void row_make_out_from(row_builder *b, int t, int i)
{
    formulation *f = b->f;
    int out = i < t ? cell_col(f, CELL_OUT, t, i) : -1;
    if (out < 0)
        return;
    row_add(b, out, 1);
    if (f->features & FORMULATION_CANONICAL)
        row_add(b, cell_col(f, CELL_C, t, i), -1);
    else
        row_add_s(b, t, i, -1);
    row_at_most(b, 0, ROW_OUT_FROM, t, i, -1);
}

/* A canonical schedule never pages in a tensor that is in RAM. The release rows need this to be
 * exact: with S[t+1] = 1 nothing is released in t, so "release it and page it in again within the
 * stage" must not exist. Other schedules may recompute a tensor that is in RAM, for the releases
 * that this allows; the row defines D. */
void row_make_one(row_builder *b, int t, int i)
{
    formulation *f = b->f;
    if (i == t)
        return;
    const bool canonical = f->features & FORMULATION_CANONICAL;
    int r = cell_col(f, CELL_R, t, i), in = canonical ? cell_col(f, CELL_IN, t, i) : -1;
    const bool both = cell_col(f, CELL_C, t, i) >= 0 && cell_col(f, CELL_P, t, i) >= 0;
    if (canonical ? r < 0 && in < 0 : f->twice_col[cell_index(f, t, i)] < 0 && !both)
        return;
    row_add_present(b, t, i, 1);
    row_add(b, in, 1);
    row_at_most(b, 1, ROW_ONE, t, i, -1);
}

void row_make_twice(row_builder *b, int t, int i)
{
    int twice = b->f->twice_col[cell_index(b->f, t, i)];
    if (twice < 0)
        return;
    row_add(b, twice, 1);
    row_add_s(b, t, i, -1);
    row_at_most(b, 0, ROW_TWICE, t, i, -1);
}
