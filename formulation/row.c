/* Terms of which all families of rows are built. */
#include "formulation/row.h"

void row_add(row_builder *b, int col, double coef)
{
    if (col < 0 || coef == 0)
        return;
    if (b->place[col] >= 0) {
        b->rows.value[b->place[col]] += coef;
        return;
    }
    b->place[col] = b->rows.entries;
    lp_row_list_add(&b->rows, col, coef);
}

void row_add_s(row_builder *b, int t, int i, double coef)
{
    row_add(b, cell_col(b->f, CELL_C, t, i), coef);
    row_add(b, cell_col(b->f, CELL_P, t, i), coef);
}

void row_add_r(row_builder *b, int t, int i, double coef)
{
    if (i == t)
        b->constant += coef;
    else if (i < t)
        row_add(b, cell_col(b->f, CELL_R, t, i), coef);
}

void row_add_present(row_builder *b, int t, int i, double coef)
{
    row_add_s(b, t, i, coef);
    row_add_r(b, t, i, coef);
    if (i < t)
        row_add(b, b->f->twice_col[cell_index(b->f, t, i)], -coef);
}

void row_add_users(row_builder *b, int t, int i, double coef)
{
    const graph *g = b->f->problem->graph;
    for (int e = g->user_start[i]; e < g->user_start[i + 1] && g->user[e] <= t; e++)
        row_add_r(b, t, g->user[e], coef);
}

void row_add_stored(row_builder *b, int t, int i, double coef)
{
    for (int s = i + 1; s < t; s++)
        row_add(b, cell_col(b->f, CELL_OUT, s, i), coef);
}

void row_close(row_builder *b, double lower, double upper, formulation_key key)
{
    lp_row_list *rows = &b->rows;
    int first = rows->first, out = first;
    base_work(30 + 10 * (size_t)(rows->entries - first));
    for (int e = first; e < rows->entries; e++) {
        b->place[rows->col[e]] = -1;
        if (rows->value[e] != 0) {
            rows->col[out] = rows->col[e];
            rows->value[out++] = rows->value[e];
        }
    }
    rows->entries = out;
    lower -= b->constant;
    upper -= b->constant;
    b->constant = 0;
    if (out == first && lower <= 1e-9 && upper >= -1e-9)
        return;
    b->key = base_grow(b->key, rows->count, &b->key_capacity, sizeof *b->key);
    b->key[rows->count] = key;
    lp_row_list_end(rows, lower, upper);
}

void row_at_most(row_builder *b, double upper, row_kind kind, int t, int i, int k)
{
    row_close(b, -LP_INFINITY, upper, (formulation_key){kind, t, i, k});
}

bool row_has_release(const formulation *f, int t, int i, int below)
{
    const graph *g = f->problem->graph;
    if (f->early_col[cell_index(f, t, i)] >= 0)
        return true;
    for (int e = g->user_start[i]; e < g->user_start[i + 1] && g->user[e] < below; e++)
        if (free_cell(f, t, e) >= 0)
            return true;
    return false;
}

void row_add_releases(row_builder *b, int t, int i, int below, double coef)
{
    const graph *g = b->f->problem->graph;
    row_add(b, b->f->early_col[cell_index(b->f, t, i)], coef);
    for (int e = g->user_start[i]; e < g->user_start[i + 1] && g->user[e] < below; e++)
        row_add(b, free_cell(b->f, t, e), coef);
}
