/* Derivations of cuts from rows, for proofs. */
#include "bnb/cuts/separation.h"

static void add_rows(const bnb_separation *s, bnb_derivation *d)
{
    const size_t count = (size_t)s->summands + 1;
    d->row = base_malloc(count, sizeof *d->row);
    d->weight = base_malloc(count, sizeof *d->weight);
    d->upper = base_malloc(count, sizeof *d->upper);
    d->slack = base_calloc(count, sizeof *d->slack);
    for (int i = 0; i < s->terms; i++)
        if (s->term[i].source < 0)
            d->slack[~s->term[i].source] = (double)s->weight[i];
    for (int k = 0; k < s->summands; k++) {
        d->row[k] = s->summand[k].row;
        d->weight[k] = s->summand[k].weight;
        d->upper[k] = s->summand[k].from_upper;
    }
    d->rows = s->summands;
}

/* A term with a positive coefficient that the cut drops counts as relaxed. */
static void add_cols(const bnb_separation *s, bnb_derivation *d)
{
    const size_t count = (size_t)s->count + 1;
    bnb_side *side = base_calloc((size_t)s->in->model->cols + 1, sizeof *side);
    d->col = base_malloc(count, sizeof *d->col);
    d->side = base_malloc(count, sizeof *d->side);
    for (int k = 0; k < s->terms; k++) {
        const bnb_term *t = &s->term[k];
        if (t->source >= 0 && (t->complemented || t->a <= 0.0L || s->weight[k] != 0.0L))
            side[t->source] = t->complemented ? BNB_SIDE_UPPER : BNB_SIDE_LOWER;
    }
    d->bound = base_malloc(count, sizeof *d->bound);
    for (int k = 0; k < s->count; k++) {
        const int j = s->col[k];
        const bool fixed = s->lower[j] == s->upper[j] && s->upper[j] != 0.0;
        d->col[k] = j;
        d->side[k] = fixed ? BNB_SIDE_UPPER : side[j];
        d->bound[k] = d->side[k] == BNB_SIDE_UPPER ? s->upper[j] : s->lower[j];
    }
    d->cols = s->count;
    base_free(side);
}

bnb_derivation *bnb_base_derivation(const bnb_separation *s)
{
    bnb_derivation *d = base_calloc(1, sizeof *d);
    d->divisor = s->divisor;
    add_rows(s, d);
    add_cols(s, d);
    return d;
}
