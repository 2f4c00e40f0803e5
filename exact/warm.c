/* The basis of one working model, carried over to another of the same problem. */
#include <string.h>

#include "exact/engine.h"
#include "formulation/key.h"

/* Column of the other model for a column of f: by cell, so that a shared column that was
 * split finds the one it came from. */
static int twin_column(const formulation *f, const formulation *other, int col)
{
    const graph *g = f->problem->graph;
    formulation_key key = f->column[col];
    if (key.kind < CELL_KINDS)
        return other->cell[key.kind][(size_t)key.t * (size_t)g->n + (size_t)key.i];
    if (key.kind == COLUMN_LOAD)
        return other->load_col[key.t];
    if (key.kind == COLUMN_FREE && key.k < 0)
        return other->early_col[(size_t)key.t * (size_t)g->n + (size_t)key.i];
    if (key.kind == COLUMN_FREE)
        for (int e = g->user_start[key.i]; e < g->user_start[key.i + 1]; e++)
            if (g->user[e] == key.k)
                return other->free_col[(size_t)key.t * (size_t)g->edge_count + (size_t)e];
    return -1;
}

/* The row that ties a residency column to the stage before, -1: none. */
static int link_row(const formulation *f, const key_table *rows, int col)
{
    formulation_key key = f->column[col];
    if (key.kind != COLUMN_C && key.kind != COLUMN_P)
        return -1;
    int kind = key.kind == COLUMN_C ? ROW_SOURCE_C : ROW_SOURCE_P;
    return key_table_find(rows, (formulation_key){kind, key.t - 1, key.i, -1});
}

void working_warm_start(working *w, const working *from)
{
    const formulation *f = w->f, *old = from->f;
    int cols = f->model->cols, rows = f->model->rows, old_cols = old->model->cols;
    unsigned char *before = base_malloc((size_t)(old_cols + lp_rows(from->lp)) + 1, 1);
    unsigned char *now = base_malloc((size_t)(cols + lp_rows(w->lp)) + 1, 1);
    lp_get_basis(from->lp, before);
    lp_get_basis(w->lp, now);
    key_table table = key_table_create(f->row, rows);
    key_table old_table = key_table_create(old->row, old->model->rows);

    for (int r = 0; r < rows; r++) {
        int twin = key_table_find(&old_table, f->row[r]);
        now[cols + r] = twin >= 0 ? before[old_cols + twin] : LP_BASIC;
    }
    bool *taken = base_calloc((size_t)old_cols + 1, sizeof *taken);
    for (int j = 0; j < cols; j++) {
        int twin = twin_column(f, old, j);
        now[j] = twin >= 0 ? before[twin] : LP_AT_LOWER;
        if (twin < 0 || now[j] != LP_BASIC)
            continue;
        int link = link_row(f, &table, j);
        if (taken[twin] && link >= 0 && now[cols + link] == LP_BASIC)
            now[cols + link] = LP_AT_UPPER; /* the second part equals the first */
        taken[twin] = true;
    }
    for (int c = 0; c < w->cuts.count && c < from->cuts.count; c++)
        now[cols + rows + c] = before[old_cols + old->model->rows + c];
    lp_set_basis(w->lp, now);
    base_free(taken);
    key_table_free(&table);
    key_table_free(&old_table);
    base_free(before);
    base_free(now);
}
