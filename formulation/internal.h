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

/* Column of the early release F[t][edge]; edge is an index into graph->user. -1: none. */
static inline int free_cell(const formulation *f, int t, int edge)
{
    return f->free_col[(size_t)t * (size_t)f->problem->graph->edge_count + (size_t)edge];
}

/* An array of numbers of columns or rows, all -1 (none). Extent count, and at least 1. Free
 * with base_free. Counted: count / 16. */
int *formulation_none(size_t count);

/* True if node i may be computed in stage t. */
static inline bool computed(const formulation *f, int t, int i)
{
    return i == t || (i < t && cell_col(f, CELL_R, t, i) >= 0);
}

/* The schedule as values x of the columns (extent model->cols), whether or not the rows hold. False
 * when a cell of it is not in the model, which missing then names (kind: a cell_kind). */
bool formulation_place(const formulation *f, const schedule *s, double *x,
                       formulation_key *missing);
/* The left sides of all rows at x, extent model->rows + 1; free with base_free. */
double *formulation_activity(const formulation *f, const double *x);
/* True if a row holds with this left side, up to 1e-9. */
bool formulation_row_holds(const formulation *f, int row, double activity);

/* The name of a column or row in exports: kind, then stage t, node i and node k (-1: none) with the
 * nodes' own names, of letters, digits and underscores only. Different for different keys. Free
 * with base_free. */
char *formulation_name(const graph *g, const char *kind, int t, int i, int k);

/* Adds all rows to f->model and fills f->row. Columns are complete. */
void formulation_build_rows(formulation *f);

#endif
