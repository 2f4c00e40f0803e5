/* The row "some cell outside the windows is used". */
#include "exact/cells/outside.h"

static bool has_bits(const graph *g, const uint8_t *mask, int t, int i, uint8_t bit)
{
    return mask[(size_t)t * (size_t)g->n + (size_t)i] & bit;
}

bool outside_is_implied(const problem *p, unsigned features, const uint8_t *mask, uint8_t bit,
                        int t, int i)
{
    const graph *g = p->graph;
    if (!(features & FORMULATION_CANONICAL))
        return false;
    if (bit == MASK_OUT)
        return t > i + 1 && !has_bits(g, mask, t - 1, i, MASK_R);
    if (bit != MASK_IN || t + 1 >= g->n)
        return false;
    for (int q = g->user_start[i]; q < g->user_start[i + 1] && g->user[q] <= t + 1; q++)
        if (g->user[q] == t + 1 || has_bits(g, mask, t + 1, g->user[q], MASK_R))
            return false;
    return true;
}

event_cut outside_row(const engine *e, const formulation *f)
{
    static const cell_kind actions[] = {CELL_R, CELL_IN, CELL_OUT};
    int n = e->p->graph->n;
    event_cut row = {.t = -1, .k = -1, .upper = -1};
    row.col = base_malloc((size_t)f->model->cols + 1, sizeof *row.col);
    row.value = base_malloc((size_t)f->model->cols + 1, sizeof *row.value);
    for (int a = 0; a < 3; a++)
        for (int t = 0; t < n; t++)
            for (int i = 0; i < t; i++) {
                size_t cell = (size_t)t * (size_t)n + (size_t)i;
                int col = f->cell[actions[a]][cell];
                const uint8_t bit = formulation_kind_bit[actions[a]];
                if (col < 0 || (e->core[cell] & bit) ||
                    outside_is_implied(e->p, e->features, e->core, bit, t, i))
                    continue;
                row.col[row.count] = col;
                row.value[row.count++] = -1;
            }
    return row;
}

void outside_row_clear(event_cut *row)
{
    base_free(row->col);
    base_free(row->value);
    row->count = 0;
}
