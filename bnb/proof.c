/* Reports events to params.proof, in the caller's rows and columns. */
#include "bnb/proof.h"
#include "bnb/branch.h"
#include "bnb/search.h"

static const bnb_proof *hooks(const bnb_context *c)
{
    return c->search->params.proof;
}

/* ---- the caller's rows ------------------------------------------------------------------------
 */

/* Maps row r of the instance's model to the caller's row. The objective comes after the rows in
 * both; r < 0: returns r. */
static int caller_row(const bnb_context *c, int r)
{
    if (r < 0 || r >= c->in->model->rows)
        return r < 0 ? r : c->search->original->rows;
    return c->in->to_row ? c->in->to_row[r] : r;
}

/* ---- multipliers --------------------------------------------------------------------------- */

typedef struct multiplier_set {
    bnb_multipliers view;
    double *rows;
    long *id;
    double *value;
} multiplier_set;

static multiplier_set make_multipliers(const bnb_context *c, const double *y)
{
    const bnb_relaxation *lp = &c->lp;
    multiplier_set s = {.rows = base_calloc((size_t)c->search->original->rows + 1, sizeof *s.rows),
                        .id = base_malloc((size_t)lp->cuts + 1, sizeof *s.id),
                        .value = base_malloc((size_t)lp->cuts + 1, sizeof *s.value)};
    int count = 0;
    for (int r = 0; r < lp->model_rows; r++)
        s.rows[caller_row(c, r)] = y[r];
    for (int k = 0; k < lp->cuts; k++) {
        const double value = y[lp->model_rows + k];
        if (lp->cut[k]->row >= 0) {
            s.rows[caller_row(c, lp->cut[k]->row)] = value;
        } else if (value != 0.0) {
            s.id[count] = lp->cut[k]->id;
            s.value[count++] = value;
        }
    }
    s.view = (bnb_multipliers){s.rows, count, s.id, s.value};
    return s;
}

/* ---- cuts ------------------------------------------------------------------------------------ */

/* Replaces the row number of a derivation (LP rows, then lazy rows) by the caller's row. Returns
 * the id of the row if it is a cut, which has row -1; else -1. */
static long name_row(const bnb_context *c, int *r)
{
    const bnb_relaxation *lp = &c->lp;
    const int rows = lp->model_rows + lp->cuts;
    const bool in_lp = *r >= lp->model_rows && *r < rows;
    const bnb_poolcut *cut = in_lp ? lp->cut[*r - lp->model_rows] : NULL;
    *r = caller_row(c, cut ? cut->row : *r < rows ? *r : c->in->core_rows + *r - rows);
    return cut && cut->row < 0 ? cut->id : -1;
}

/* begin_event and end_event enclose each event. The listener's work depends on the order in which
 * threads report, so it must not count towards the work limit of a thread. */
static const bnb_proof *begin_event(const bnb_context *c)
{
    base_lock(&c->search->lock);
    base_work_aside(c->search->rounds);
    return hooks(c);
}

static void end_event(const bnb_context *c)
{
    base_work_aside(false);
    base_unlock(&c->search->lock);
}

/* The derivation of the cut refers to this context's present LP. */
void bnb_proof_cut(bnb_context *c, bnb_poolcut *cut)
{
    if (!hooks(c) || !hooks(c)->cut)
        return;
    int *col = base_malloc((size_t)cut->count + 1, sizeof *col);
    for (int k = 0; k < cut->count; k++)
        col[k] = c->in->to_original[cut->col[k]];
    const bnb_cut view = {cut->count, col, cut->value, cut->lower, cut->upper, cut->tag};
    bnb_derivation *d = cut->derivation;
    long *cut_id = NULL;
    bnb_rounding how;
    if (d) {
        cut_id = base_malloc((size_t)d->rows + 1, sizeof *cut_id);
        for (int k = 0; k < d->rows; k++)
            cut_id[k] = name_row(c, &d->row[k]);
        for (int k = 0; k < d->cols; k++)
            d->col[k] = c->in->to_original[d->col[k]];
        how = (bnb_rounding){d->divisor, d->rows, d->row, cut_id,  d->weight, d->upper,
                             d->slack,   d->cols, d->col, d->side, d->bound};
    }
    const bnb_proof *proof = begin_event(c);
    proof->cut(proof->user, cut->id, &view, cut->kind, d ? &how : NULL);
    end_event(c);
    base_free_all(col, cut_id);
    bnb_derivation_free(d);
    cut->derivation = NULL;
}

void bnb_proof_branch(bnb_context *c, const bnb_branching *b, bnb_node *const *child)
{
    if (!hooks(c) || !hooks(c)->branch)
        return;
    const bool first_is_down = child[0]->change[0].upper;
    const bnb_node *down = child[first_is_down ? 0 : 1];
    const bnb_node *up = child[first_is_down ? 1 : 0];
    const bnb_proof *proof = begin_event(c);
    proof->branch(proof->user, c->node->id, c->in->to_original[b->col], b->value, down->id, up->id);
    end_event(c);
}

static void send_deduction(bnb_context *c, const bnb_deduction *d)
{
    const bnb_proof *proof = begin_event(c);
    proof->deduce(proof->user, c->node->id, d);
    end_event(c);
}

void bnb_proof_deduce(bnb_context *c, int mark)
{
    if (!hooks(c) || !hooks(c)->deduce)
        return;
    multiplier_set set = {0};
    for (int k = mark; k < c->domain.trail_count; k++) {
        const bnb_change *change = &c->domain.trail[k].change;
        const int j = c->in->to_original[change->col], row = caller_row(c, change->row);
        bnb_deduction d = {BNB_STEP_PROPAGATION, j,    change->upper, change->value, row,
                           c->domain.cutoff,     NULL, false};
        if (change->reason == BNB_BY_REDUCED_COST) {
            d.again = set.id != NULL;
            if (!set.id)
                set = make_multipliers(c, c->y);
            d.kind = BNB_STEP_REDUCED_COST;
            d.multipliers = &set.view;
        } else if (change->reason != BNB_BY_PROPAGATION) {
            continue; /* reported where it happened */
        }
        send_deduction(c, &d);
    }
    base_free_all(set.rows, set.id, set.value);
}

void bnb_proof_strong(bnb_context *c, int col, bool upper, double value, const double *y)
{
    if (!hooks(c) || !hooks(c)->deduce)
        return;
    multiplier_set set = make_multipliers(c, y);
    const int j = c->in->to_original[col];
    const bnb_deduction d = {BNB_STEP_STRONG_BRANCH, j,         upper, value, -1,
                             c->domain.cutoff,       &set.view, false};
    send_deduction(c, &d);
    base_free_all(set.rows, set.id, set.value);
}

void bnb_proof_leaf(bnb_context *c, bnb_step kind, double bound, const double *y)
{
    if (!hooks(c) || !hooks(c)->leaf)
        return;
    multiplier_set set = {0};
    if (y)
        set = make_multipliers(c, y);
    double *lower = bnb_instance_expand(c->in, c->domain.lower);
    double *upper = bnb_instance_expand(c->in, c->domain.upper);
    const bnb_leaf leaf = {kind,  bound, c->domain.cutoff,    caller_row(c, c->domain.empty_row),
                           lower, upper, y ? &set.view : NULL};
    const bnb_proof *proof = begin_event(c);
    proof->leaf(proof->user, c->node->id, &leaf);
    end_event(c);
    base_free_all(lower, upper, set.rows, set.id, set.value);
}
