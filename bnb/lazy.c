/* Lazy rows: rows that stay out of the LP until its solution violates them (bnb_instance.lazy). */
#include <string.h>

#include "bnb/lazy.h"
#include "bnb/search.h"

#define LEAST_EFFICACY 1e-8

/* The lazy rows at x; arrays of extent count. */
typedef struct lazy_rows {
    double *efficacy; /* violation by x over norm */
    bool *touched;    /* the row has a column that is not zero */
    bool *present;    /* the row is in the LP */
    int count;
} lazy_rows;

static void lazy_rows_free(lazy_rows *l)
{
    base_free_all(l->efficacy, l->touched, l->present);
}

/* Evaluates the lazy rows at c->x. O(entries of the nonzero columns). */
static lazy_rows evaluate_lazy_rows(const bnb_context *c)
{
    const bnb_instance *in = c->in;
    const lp_model *m = in->model;
    lazy_rows l = {.count = m->rows - in->core_rows};
    l.efficacy = base_calloc((size_t)l.count + 1, sizeof *l.efficacy);
    l.touched = base_calloc((size_t)l.count + 1, sizeof *l.touched);
    l.present = base_calloc((size_t)l.count + 1, sizeof *l.present);
    for (int j = 0; j < m->cols; j++)
        for (int k = m->start[j]; c->x[j] != 0.0 && k < m->start[j + 1]; k++)
            if (m->index[k] >= in->core_rows) {
                l.efficacy[m->index[k] - in->core_rows] += m->value[k] * c->x[j];
                l.touched[m->index[k] - in->core_rows] = true;
            }
    for (int k = 0; k < l.count; k++) {
        const bnb_poolcut *row = in->lazy[k];
        l.efficacy[k] =
            fmax(l.efficacy[k] - row->upper, row->lower - l.efficacy[k]) / fmax(row->norm, 1e-12);
    }
    for (int k = 0; k < c->lp.cuts; k++)
        if (c->lp.cut[k]->row >= 0)
            l.present[c->lp.cut[k]->row - in->core_rows] = true;
    return l;
}

/* Adds missing rows above the efficacy. With `tight`, also adds rows that hold with equality and
 * have a nonzero column. Returns the number of rows added. */
static int add_lazy_rows(bnb_context *c, const lazy_rows *l, double efficacy, bool tight)
{
    bnb_poolcut **missing = base_malloc((size_t)l->count + 1, sizeof(bnb_poolcut *));
    int count = 0;
    for (int k = 0; k < l->count; k++)
        if (!l->present[k] && (l->efficacy[k] > efficacy ||
                               (tight && l->touched[k] && l->efficacy[k] > -LEAST_EFFICACY)))
            missing[count++] = c->in->lazy[k];
    bnb_relaxation_add_cuts(&c->lp, missing, count);
    base_free(missing);
    return count;
}

int bnb_lazy_add_violated(bnb_context *c, double part, bool tight)
{
    lazy_rows l = evaluate_lazy_rows(c);
    double worst = 0.0;
    for (int k = 0; k < l.count; k++)
        worst = l.present[k] ? worst : fmax(worst, l.efficacy[k]);
    const int count = worst > LEAST_EFFICACY
                          ? add_lazy_rows(c, &l, fmax(LEAST_EFFICACY, part * worst), tight)
                          : 0;
    lazy_rows_free(&l);
    return count;
}

int bnb_lazy_add_tight(bnb_context *c)
{
    if (c->in->core_rows == c->in->model->rows)
        return 0; /* none is lazy */
    lazy_rows l = evaluate_lazy_rows(c);
    const int count = add_lazy_rows(c, &l, -LEAST_EFFICACY, false);
    lazy_rows_free(&l);
    return count;
}
