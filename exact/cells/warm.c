/* Carries the basis and the duals of a working model over to another model of the same problem. */
#include <string.h>

#include "exact/cells/warm.h"
#include "exact/cells/working.h"
#include "formulation/key.h"

/* Column of the other model for a column of f. Matched by cell, so that each part of a split column
 * finds the merged one. */
static int twin_column(const formulation *f, const formulation *other, int col)
{
    const graph *g = f->problem->graph;
    formulation_key key = f->column[col];
    if (key.kind < CELL_KINDS)
        return other->cell[key.kind][(size_t)key.t * (size_t)g->n + (size_t)key.i];
    if (key.kind == COLUMN_LOAD)
        return other->load_col[key.t];
    if (key.kind == COLUMN_TWICE)
        return other->twice_col[(size_t)key.t * (size_t)g->n + (size_t)key.i];
    if (key.kind == COLUMN_FREE && key.k < 0)
        return other->early_col[(size_t)key.t * (size_t)g->n + (size_t)key.i];
    if (key.kind == COLUMN_FREE)
        return other
            ->free_col[(size_t)key.t * (size_t)g->edge_count + (size_t)graph_edge(g, key.i, key.k)];
    return -1;
}

/* The row that ties a residency column to the stage before; -1: none. */
static int link_row(const formulation *f, const key_table *rows, int col)
{
    formulation_key key = f->column[col];
    if (key.kind != COLUMN_C && key.kind != COLUMN_P)
        return -1;
    int kind = key.kind == COLUMN_C ? ROW_SOURCE_C : ROW_SOURCE_P;
    return key_table_find(rows, (formulation_key){kind, key.t - 1, key.i, -1});
}

/* Matches between the variables of two models: columns, then rows. */
typedef struct twins {
    int *of;    /* old variable or -1; extent columns and rows of the new model */
    bool *kept; /* some new variable stems from it; extent columns and rows of the old model */
} twins;

static twins find_twins(const formulation *f, const formulation *old, int cuts, int old_cuts)
{
    int cols = f->model->cols, rows = f->model->rows;
    int old_cols = old->model->cols, old_rows = old->model->rows;
    twins t = {base_malloc((size_t)(cols + rows + cuts) + 1, sizeof(int)),
               base_calloc((size_t)(old_cols + old_rows + old_cuts) + 1, sizeof(bool))};
    key_table table = key_table_create(old->row, old_rows);
    for (int j = 0; j < cols; j++)
        t.of[j] = twin_column(f, old, j);
    for (int r = 0; r < rows; r++) {
        int twin = key_table_find_row(&table, f->row[r]);
        t.of[cols + r] = twin >= 0 ? old_cols + twin : -1;
    }
    for (int c = 0; c < cuts; c++)
        t.of[cols + rows + c] = c < old_cuts ? old_cols + old_rows + c : -1;
    for (int v = 0; v < cols + rows + cuts; v++)
        if (t.of[v] >= 0)
            t.kept[t.of[v]] = true;
    key_table_free(&table);
    return t;
}

/* Maps the basis. If a column is split into several, only the first part is basic. The other parts
 * equal it by the rows between them. */
static void map_basis(const formulation *f, const twins *t, const unsigned char *before, int size,
                      int old_size, unsigned char *now)
{
    int cols = f->model->cols;
    key_table table = key_table_create(f->row, f->model->rows);
    bool *taken = base_calloc((size_t)old_size + 1, sizeof *taken);
    for (int v = 0; v < size; v++)
        now[v] = t->of[v] >= 0 ? before[t->of[v]] : v < cols ? LP_AT_LOWER : LP_BASIC;
    for (int j = 0; j < cols; j++) {
        if (t->of[j] < 0 || now[j] != LP_BASIC)
            continue;
        int link = link_row(f, &table, j);
        if (taken[t->of[j]] && link >= 0 && now[cols + link] == LP_BASIC)
            now[cols + link] = LP_AT_UPPER;
        taken[t->of[j]] = true;
    }
    base_free(taken);
    key_table_free(&table);
}

/* Makes a new column basic for each new row, as paired by the extension of the duals. */
static void pair_new(const engine *e, const formulation *f, const twins *t, unsigned char *now)
{
    int cols = f->model->cols;
    for (int r = 0; r < f->model->rows; r++) {
        if (t->of[cols + r] >= 0)
            continue;
        int col = extension_basic_column(e->extension, f->row[r]);
        col = col >= 0 ? twin_column(e->whole, f, col) : -1;
        if (col < 0 || now[col] == LP_BASIC)
            continue;
        now[col] = LP_BASIC;
        now[cols + r] = LP_AT_UPPER;
    }
}

unsigned char *warm_basis(const engine *e, const formulation *f, int cuts, const working *from,
                          double *point)
{
    const formulation *old = from->f;
    int cols = f->model->cols, size = cols + f->model->rows + cuts;
    int old_size = old->model->cols + lp_solver_model(from->lp)->rows;
    const double *x = lp_primal(from->lp);
    unsigned char *before = base_malloc((size_t)old_size + 1, 1);
    unsigned char *now = base_malloc((size_t)size + 1, 1);
    lp_get_basis(from->lp, before);
    twins t = find_twins(f, old, cuts, from->cuts.count);
    map_basis(f, &t, before, size, old_size, now);
    int excess = -(size - cols);
    for (int v = 0; v < size; v++)
        excess += now[v] == LP_BASIC;
    if (excess > 0) {
        lp_basis_shrink(old->model, t.kept, x, excess, before);
        map_basis(f, &t, before, size, old_size, now);
    }
    if (e->extension && e->extended == from)
        pair_new(e, f, &t, now);
    for (int j = 0; point && j < cols; j++)
        point[j] = t.of[j] >= 0 ? x[t.of[j]] : 0;
    base_free_all(t.of, t.kept, before);
    return now;
}

/* Multipliers for the rows of f, from another model. */
typedef struct translation {
    const formulation *f;
    key_table rows; /* of f */
    double *y;
} translation;

static bool translate(const translation *to, formulation_key key, double amount)
{
    int row = key_table_find_row(&to->rows, key);
    if (row >= 0)
        to->y[row] += amount;
    return row >= 0;
}

/* S[t+1] <= S + R + In, for C and for P. */
static void translate_link(const translation *to, int t, int i, double amount)
{
    translate(to, (formulation_key){ROW_SOURCE_C, t, i, -1}, amount);
    translate(to, (formulation_key){ROW_SOURCE_P, t, i, -1}, amount);
}

/* Moves the multiplier of a row that f states differently. For a merged column the row lies where
 * the column begins. Without releases or the recomputation, the rest of the row follows from other
 * rows. Any other row follows from bounds; its multiplier is dropped. */
static void translate_otherwise(const translation *to, formulation_key key, double amount)
{
    const graph *g = to->f->problem->graph;
    if (key.kind == ROW_STORED_P) {
        int col = to->f->cell[CELL_P][(size_t)key.t * (size_t)g->n + (size_t)key.i];
        if (col >= 0)
            translate(to, (formulation_key){key.kind, to->f->column[col].t, key.i, -1}, amount);
    } else if (key.kind == ROW_FREE_KEEP) {
        translate_link(to, key.t, key.i, amount);
    } else if (key.kind == ROW_LATE) {
        for (int q = g->input_start[key.i]; q < g->input_start[key.i + 1]; q++)
            translate_link(to, key.t, g->input[q], amount);
    } else if (key.kind == ROW_FREE_ONCE || key.kind == ROW_FREE_OR ||
               key.kind == ROW_INPUT_FREE) { /* sum F <= S + R */
        if (!translate(to, (formulation_key){ROW_FREE_ONCE, key.t, key.i, -1}, amount))
            translate(to, (formulation_key){ROW_FREE_KEEP, key.t, key.i, -1}, amount);
    }
}

double *warm_duals(const engine *e, const formulation *f, int cuts, const working *from)
{
    bool extended = e->extension && e->extended == from;
    const formulation *old = extended ? e->whole : from->f;
    const double *before = extended ? e->multipliers : lp_dual(from->lp);
    int rows = f->model->rows, old_rows = old->model->rows;
    int old_cuts = extended ? e->multiplier_cuts : from->cuts.count;
    double *y = base_calloc((size_t)(rows + cuts) + 1, sizeof *y);
    translation to = {f, key_table_create(f->row, rows), y};
    for (int r = 0; r < old_rows; r++)
        if (before[r] != 0 && !translate(&to, old->row[r], before[r]))
            translate_otherwise(&to, old->row[r], before[r]);
    for (int c = 0; c < cuts && c < old_cuts; c++)
        y[rows + c] = before[old_rows + c];
    key_table_free(&to.rows);
    return y;
}
