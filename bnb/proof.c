/* Events for params.proof. */
#include "bnb/search.h"

static const bnb_proof *hooks(const bnb_context *c)
{
    return c->search->params.proof;
}

typedef struct multiplier_set {
    bnb_multipliers view;
    long *id;
    double *value;
} multiplier_set;

static multiplier_set make_multipliers(const bnb_context *c, const double *y)
{
    const bnb_relaxation *lp = &c->lp;
    multiplier_set s = {.id = base_malloc((size_t)lp->cuts + 1, sizeof *s.id),
                        .value = base_malloc((size_t)lp->cuts + 1, sizeof *s.value)};
    int count = 0;
    for (int k = 0; k < lp->cuts; k++)
        if (y[lp->model_rows + k] != 0.0) {
            s.id[count] = lp->cut[k]->id;
            s.value[count++] = y[lp->model_rows + k];
        }
    s.view = (bnb_multipliers){y, count, s.id, s.value};
    return s;
}

static void free_multipliers(multiplier_set *s)
{
    base_free(s->id);
    base_free(s->value);
}

/* Names of LP rows: the model's, or a cut's number. */
typedef struct row_names {
    int *row;
    long *cut_id;
} row_names;

static row_names name_rows(const bnb_context *c, const bnb_derivation *d)
{
    const bnb_relaxation *lp = &c->lp;
    row_names names = {base_malloc((size_t)d->rows + 1, sizeof *names.row),
                       base_malloc((size_t)d->rows + 1, sizeof *names.cut_id)};
    for (int k = 0; k < d->rows; k++) {
        const int r = d->row[k];
        const bool is_cut = r >= lp->model_rows;
        names.row[k] = is_cut ? -1 : r;
        names.cut_id[k] = is_cut ? lp->cut[r - lp->model_rows]->id : -1;
    }
    return names;
}

/* cut's derivation is of this context's present LP. */
void bnb_proof_cut(bnb_context *c, bnb_poolcut *cut)
{
    if (!hooks(c) || !hooks(c)->cut)
        return;
    const bnb_cut view = {cut->count, cut->col, cut->value, cut->lower, cut->upper, cut->tag};
    bnb_derivation *d = cut->derivation;
    row_names names = {0};
    bnb_rounding how;
    if (d) {
        names = name_rows(c, d);
        how = (bnb_rounding){d->divisor, d->rows,  names.row, names.cut_id, d->weight,
                             d->upper,   d->slack, d->cols,   d->col,       d->side};
    }
    base_lock(&c->search->lock);
    hooks(c)->cut(hooks(c)->user, cut->id, &view, cut->kind, d ? &how : NULL);
    base_unlock(&c->search->lock);
    base_free(names.row);
    base_free(names.cut_id);
    bnb_derivation_free(d);
    cut->derivation = NULL;
}

void bnb_proof_branch(bnb_context *c, const bnb_branching *b, const bnb_children *children)
{
    if (!hooks(c) || !hooks(c)->branch)
        return;
    const bool first_is_down = children->child[0]->change[0].upper;
    const bnb_node *down = children->child[first_is_down ? 0 : 1];
    const bnb_node *up = children->child[first_is_down ? 1 : 0];
    base_lock(&c->search->lock);
    hooks(c)->branch(hooks(c)->user, c->node->id, b->col, b->value, down->id, up->id);
    base_unlock(&c->search->lock);
}

static void send_deduction(bnb_context *c, const bnb_deduction *d)
{
    base_lock(&c->search->lock);
    hooks(c)->deduce(hooks(c)->user, c->node->id, d);
    base_unlock(&c->search->lock);
}

void bnb_proof_deduce(bnb_context *c, int mark)
{
    if (!hooks(c) || !hooks(c)->deduce)
        return;
    multiplier_set set = {0};
    for (int k = mark; k < c->domain.trail_count; k++) {
        const bnb_change *change = &c->domain.trail[k].change;
        bnb_deduction d = {BNB_STEP_PROPAGATION, change->col, change->upper, change->value,
                           change->row,          c->cutoff,   NULL,          false};
        if (change->reason == BNB_BY_REDUCED_COST) {
            d.again = set.id != NULL;
            if (!set.id)
                set = make_multipliers(c, c->y);
            d.kind = BNB_STEP_REDUCED_COST;
            d.multipliers = &set.view;
        } else if (change->reason != BNB_BY_PROPAGATION) {
            continue; /* told where it happened */
        }
        send_deduction(c, &d);
    }
    free_multipliers(&set);
}

void bnb_proof_strong(bnb_context *c, int col, bool upper, double value, const double *y)
{
    if (!hooks(c) || !hooks(c)->deduce)
        return;
    multiplier_set set = make_multipliers(c, y);
    const bnb_deduction d = {
        BNB_STEP_STRONG_BRANCH, col, upper, value, -1, c->cutoff, &set.view, false};
    send_deduction(c, &d);
    free_multipliers(&set);
}

void bnb_proof_leaf(bnb_context *c, bnb_step kind, double bound, const double *y)
{
    if (!hooks(c) || !hooks(c)->leaf)
        return;
    multiplier_set set = {0};
    if (y)
        set = make_multipliers(c, y);
    const bnb_leaf leaf = {kind,
                           bound,
                           c->cutoff,
                           c->domain.empty_row,
                           c->domain.lower,
                           c->domain.upper,
                           y ? &set.view : NULL};
    base_lock(&c->search->lock);
    hooks(c)->leaf(hooks(c)->user, c->node->id, &leaf);
    base_unlock(&c->search->lock);
    free_multipliers(&set);
}
