/* Shared by the files of formulation/; not for others. */
#ifndef FORMULATION_INTERNAL_H
#define FORMULATION_INTERNAL_H

#include "formulation/formulation.h"

static inline size_t cell_index(const formulation *f, int t, int i)
{
    return (size_t)t * (size_t)f->problem->graph->n + (size_t)i;
}

/* Column of a cell, -1 where there is none or t is past the last stage. */
static inline int cell_col(const formulation *f, cell_kind kind, int t, int i)
{
    return t < f->problem->graph->n ? f->cell[kind][cell_index(f, t, i)] : -1;
}

static inline int free_cell(const formulation *f, int t, int edge)
{
    return f->free_col[(size_t)t * (size_t)f->problem->graph->edge_count + (size_t)edge];
}

/* Whether node i may be computed in stage t. */
static inline bool computed(const formulation *f, int t, int i)
{
    return i == t || (i < t && cell_col(f, CELL_R, t, i) >= 0);
}

/* Whether node k reads the output of i. O(inputs of k) */
static inline bool is_input(const graph *g, int i, int k)
{
    for (int e = g->input_start[k]; e < g->input_start[k + 1]; e++)
        if (g->input[e] == i)
            return true;
    return false;
}

/* Adds all rows to f->model and fills f->row. Columns are complete. */
void formulation_build_rows(formulation *f);

#endif
