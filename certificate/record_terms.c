/* Combinations of rows and cuts: gathered, kept for later, written. */
#include <math.h>

#include "certificate/record_internal.h"

/* Adds a term; y is the negative of the engine's dual, as rows are bounded above. Drops multipliers
 * of a useless sign. */
static void add_term(recorder *r, const record_term *t)
{
    const bool inequality = t->cut >= 0 || !cert_row_is_equality(t->key.kind);
    if (t->y == 0 || !isfinite(t->y) || (t->y < 0 && inequality))
        return;
    r->term = base_grow(r->term, r->terms, &r->term_capacity, sizeof *r->term);
    r->term[r->terms++] = *t;
}

void record_add_rows(recorder *r, const formulation *f, const coarse *c, const double *y)
{
    const int rows = c ? c->model->rows : f->model->rows;
    r->terms = 0;
    for (int row = 0; row < rows; row++) {
        double scale;
        if (y[row] == 0)
            continue;
        const cert_key key = record_key(f, c, row, &scale);
        if (key.kind == CERT_ROW_KINDS)
            record_give_up(r, "certificates do not support a row of the model");
        add_term(r, &(record_term){-1, key, record_on_grid(-y[row] * scale), 0});
    }
}

void record_add_multiplier(recorder *r, int index, double y)
{
    record_term t = {0};
    if (record_name_cut(r, index, -y, 0, &t))
        add_term(r, &t);
    else
        record_give_up(r, "certificates do not support a cut of the run");
}

void record_write_new_cuts(recorder *r)
{
    for (int k = 0; k < r->terms; k++)
        if (r->term[k].cut >= 0)
            record_write_cut(r, r->term[k].cut);
}

/* Writes " COUNT", the point on which the overhead is counted, and the terms, one a line. */
void record_write_terms(recorder *r)
{
    text_print(r->out, " %d", r->terms);
    if (r->at >= 0)
        text_print(r->out, " at %d", r->at);
    text_print(r->out, "\n");
    for (int k = 0; k < r->terms && !r->fault; k++) {
        text_print(r->out, "%a ", r->term[k].y);
        record_write_name(r, &r->term[k]);
    }
    r->last_node = -1;
}

record_terms record_take_terms(recorder *r)
{
    const record_terms taken = {.term = r->term, .terms = r->terms};
    r->term = NULL;
    r->terms = r->term_capacity = 0;
    return taken;
}

void record_free_terms(record_terms *terms)
{
    base_free_all(terms->term, terms->point);
    *terms = (record_terms){0};
}
