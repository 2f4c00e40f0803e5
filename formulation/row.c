/* Terms of which all families of rows are built. */
#include "formulation/row.h"

void row_add(row_builder *b, int col, double coef)
{
    if (col < 0 || coef == 0)
        return;
    if (b->place[col] >= 0) {
        b->value[b->place[col]] += coef;
        return;
    }
    if (b->entries == b->entry_capacity) {
        b->entry_capacity *= 2;
        b->col = base_realloc(b->col, (size_t)b->entry_capacity, sizeof *b->col);
        b->value = base_realloc(b->value, (size_t)b->entry_capacity, sizeof *b->value);
    }
    b->place[col] = b->entries;
    b->col[b->entries] = col;
    b->value[b->entries++] = coef;
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
    int first = b->start[b->rows], out = first;
    base_work(30 + 10 * (size_t)(b->entries - first));
    for (int e = first; e < b->entries; e++) {
        b->place[b->col[e]] = -1;
        if (b->value[e] != 0) {
            b->col[out] = b->col[e];
            b->value[out++] = b->value[e];
        }
    }
    b->entries = out;
    lower -= b->constant;
    upper -= b->constant;
    b->constant = 0;
    if (out == first && lower <= 1e-9 && upper >= -1e-9)
        return;
    if (b->rows + 1 >= b->row_capacity) {
        b->row_capacity *= 2;
        size_t size = (size_t)b->row_capacity;
        b->lower = base_realloc(b->lower, size, sizeof *b->lower);
        b->upper = base_realloc(b->upper, size, sizeof *b->upper);
        b->start = base_realloc(b->start, size + 1, sizeof *b->start);
        b->key = base_realloc(b->key, size, sizeof *b->key);
    }
    b->lower[b->rows] = lower;
    b->upper[b->rows] = upper;
    b->key[b->rows] = key;
    b->start[++b->rows] = b->entries;
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
