/* The rows of the tight model: the table of families, and the loop that calls each statement.
 *
 * Rows that need CANONICAL hold for a canonical schedule, which docs/formulation.md defines: the
 * first, in an order, of the optimal schedules of the problem that grants early releases. Beside
 * each of them stands the exchange that moves any other schedule down that order. The other rows
 * hold for every schedule, unless their comment restricts them. */
#include "formulation/row.h"

const row_info formulation_rows[ROW_KINDS] = {
#define INFO(kind, name, scope, features, pays, statement, description)                            \
    [ROW_##kind] = {name, description, features, ROW_PAYS_##pays},
    FORMULATION_ROW_TABLE(INFO)
#undef INFO
};

static const struct {
    row_scope scope;
    void (*make)(row_builder *b, int t, int i);
} family[ROW_KINDS] = {
#define FAMILY(kind, name, scope, features, pays, statement, description)                          \
    [ROW_##kind] = {ROW_SCOPE_##scope, row_make_##statement},
    FORMULATION_ROW_TABLE(FAMILY)
#undef FAMILY
};

/* The families that the model has, by scope, in the order of the table. */
typedef struct family_list {
    int count[ROW_SCOPES];
    row_kind kind[ROW_SCOPES][ROW_KINDS];
} family_list;

static void list_families(family_list *p, unsigned features)
{
    *p = (family_list){0};
    for (int kind = 0; kind < ROW_KINDS; kind++)
        if ((formulation_rows[kind].features & ~features) == 0) {
            const row_scope scope = family[kind].scope;
            p->kind[scope][p->count[scope]++] = (row_kind)kind;
        }
}

static void make_rows(row_builder *b, const family_list *p, row_scope scope, int t, int i)
{
    for (int k = 0; k < p->count[scope]; k++)
        family[p->kind[scope][k]].make(b, t, i);
}

void formulation_build_rows(formulation *f)
{
    const graph *g = f->problem->graph;
    row_builder b = {.f = f};
    b.place = base_malloc((size_t)f->model->cols + 1, sizeof *b.place);
    for (int j = 0; j < f->model->cols; j++)
        b.place[j] = -1;

    family_list p;
    list_families(&p, f->features);
    for (int t = 0; t < g->n; t++) {
        for (int k = 0; k <= t; k++)
            if (computed(f, t, k))
                make_rows(&b, &p, ROW_SCOPE_COMPUTED, t, k);
        for (int i = 0; i <= t; i++)
            make_rows(&b, &p, ROW_SCOPE_CELL, t, i);
        make_rows(&b, &p, ROW_SCOPE_STAGE, t, -1);
    }
    for (int i = 0; i < g->n; i++)
        make_rows(&b, &p, ROW_SCOPE_TENSOR, -1, i);
    make_rows(&b, &p, ROW_SCOPE_MODEL, -1, -1);

    const lp_row_list *r = &b.rows;
    lp_model_add_rows(f->model, r->count, r->lower, r->upper, r->start, r->col, r->value, NULL);
    f->row = b.key;
    base_free(b.place);
    lp_row_list_free(&b.rows);
}
