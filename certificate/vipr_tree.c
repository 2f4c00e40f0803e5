/* Follows the tree: what holds at each node, the bounds that are assumed in it, and what becomes of
 * a node when its children are done. */
#include "certificate/vipr_internal.h"

#include <string.h>

void vipr_give_up(vipr *v, const char *fault)
{
    if (!v->fault)
        v->fault = fault;
}

/* ---- nodes ---------------------------------------------------------------------------------- */

static int add_node(vipr *v, int parent)
{
    if (v->nodes == v->node_capacity) {
        v->node_capacity = 2 * v->node_capacity + 64;
        v->node = base_realloc(v->node, (size_t)v->node_capacity, sizeof *v->node);
    }
    vipr_node *n = &v->node[v->nodes];
    *n = (vipr_node){.parent = parent, .assumed = -1, .claim.id = -1};
    mpq_init(n->claim.bound);
    return v->nodes++;
}

static void name_node(vipr *v, long id, int node)
{
    if (id >= v->ids) {
        const long size = 2 * id + 64;
        v->node_of_id = base_realloc(v->node_of_id, (size_t)size, sizeof *v->node_of_id);
        for (long k = v->ids; k < size; k++)
            v->node_of_id[k] = -1;
        v->ids = size;
    }
    v->node_of_id[id] = node;
}

static void apply(vipr *v, const vipr_change *change)
{
    v->bound[change->upper][change->col] = change->bound;
    if (v->bound[0][change->col].value > v->bound[1][change->col].value)
        v->crossed = change->col;
}

static void apply_path(vipr *v, int node)
{
    int depth = 0;
    for (int k = node; k >= 0; k = v->node[k].parent)
        depth++;
    int *path = base_malloc((size_t)depth + 1, sizeof *path);
    for (int k = node, at = depth; k >= 0; k = v->node[k].parent)
        path[--at] = k;
    for (int d = 0; d < depth; d++)
        for (int k = 0; k < v->node[path[d]].changes; k++)
            apply(v, &v->node[path[d]].change[k]);
    base_free(path);
}

/* Node by the tree's number, whose bounds are loaded; NULL: no more is to be told of it. */
static vipr_node *enter(vipr *v, long id)
{
    const int node = id < v->ids ? v->node_of_id[id] : -1;
    if (node < 0)
        vipr_give_up(v, "a node without a parent");
    if (v->fault || v->node[node].claim.id >= 0)
        return NULL;
    if (v->at != node) {
        for (int side = 0; side < 2; side++)
            memcpy(v->bound[side], v->root[side], (size_t)v->m->cols * sizeof *v->bound[side]);
        v->crossed = -1;
        apply_path(v, node);
        v->at = node;
    }
    return &v->node[node];
}

static void add_change(vipr *v, vipr_node *n, int col, bool upper, vipr_bound bound)
{
    if (n->changes == n->change_capacity) {
        n->change_capacity = 2 * n->change_capacity + 8;
        n->change = base_realloc(n->change, (size_t)n->change_capacity, sizeof *n->change);
    }
    n->change[n->changes++] = (vipr_change){col, upper, bound};
    if (n == &v->node[v->at])
        apply(v, &n->change[n->changes - 1]);
}

/* The claim of a node that is done, without the assumptions of its forks; then its parent may be
 * done too. */
static void close_node(vipr *v, int node, vipr_claim claim)
{
    for (;;) {
        vipr_node *n = &v->node[node];
        while (n->forks > 0) {
            vipr_fork *f = &n->fork[--n->forks];
            vipr_claim both = vipr_derive_either(v, &claim, f->near, &f->claim, f->far);
            mpq_clear(f->claim.bound);
            mpq_clear(claim.bound);
            claim = both;
        }
        mpq_clear(n->claim.bound);
        n->claim = claim;
        base_free(n->fork);
        n->fork = NULL;
        if (n->parent < 0)
            return;
        node = n->parent;
        const vipr_node *down = &v->node[v->node[node].child[0]];
        const vipr_node *up = &v->node[v->node[node].child[1]];
        if (down->claim.id < 0 || up->claim.id < 0)
            return;
        claim = vipr_derive_either(v, &down->claim, down->assumed, &up->claim, up->assumed);
    }
}

/* ---- what is told -----------------------------------------------------------------------------
 */

static void tell_branch(void *user, long id, int col, double value, long down, long up)
{
    vipr *v = user;
    if (!enter(v, id))
        return;
    const int parent = v->node_of_id[id];
    for (int k = 0; k < 2; k++) {
        const int child = add_node(v, parent);
        const vipr_bound b = vipr_assume(v, col, k == 0, k == 0 ? value : value + 1.0);
        name_node(v, k == 0 ? down : up, child);
        v->node[parent].child[k] = child;
        v->node[child].assumed = b.id;
        add_change(v, &v->node[child], col, k == 0, b);
    }
}

/* The multipliers prove that nothing is to be had beyond the bound: it holds, or is assumed. */
static void fork_node(vipr *v, vipr_node *n, const bnb_deduction *step, const double *y)
{
    const bool upper = step->upper;
    const vipr_bound old = v->bound[!upper][step->col];
    const vipr_bound far =
        vipr_assume(v, step->col, !upper, upper ? step->value + 1.0 : step->value - 1.0);
    vipr_claim claim = {.id = -1};
    mpq_init(claim.bound);
    v->bound[!upper][step->col] = far;
    const bool proven =
        (step->kind == BNB_STEP_STRONG_BRANCH && vipr_derive_absurd(v, y, &claim)) ||
        vipr_derive_bound(v, y, &claim);
    v->bound[!upper][step->col] = old;
    const vipr_bound near = vipr_assume(v, step->col, upper, step->value);
    if (!proven)
        vipr_give_up(v, "multipliers on a column without the bound that they need");
    if (n->forks == n->fork_capacity) {
        n->fork_capacity = 2 * n->fork_capacity + 8;
        n->fork = base_realloc(n->fork, (size_t)n->fork_capacity, sizeof *n->fork);
    }
    n->fork[n->forks++] = (vipr_fork){near.id, far.id, claim};
    add_change(v, n, step->col, upper, near);
}

static void tell_deduction(void *user, long id, const bnb_deduction *step)
{
    vipr *v = user;
    vipr_node *n = enter(v, id);
    if (!n)
        return;
    const vipr_bound now = v->bound[step->upper][step->col];
    if (step->upper ? now.value <= step->value : now.value >= step->value)
        return;
    if (step->kind == BNB_STEP_PROPAGATION && step->row < v->m->rows) {
        const vipr_bound b = vipr_derive_implied(v, step->row, step->col, step->upper, now.value);
        if (b.id < 0 || (step->upper ? b.value > step->value : b.value < step->value))
            vipr_give_up(v, "a bound that a row does not imply exactly");
        else
            add_change(v, n, step->col, step->upper, b);
    } else if (step->kind == BNB_STEP_PROPAGATION) {
        double *zeros = base_calloc((size_t)v->m->rows + 1, sizeof *zeros);
        fork_node(v, n, step, zeros);
        base_free(zeros);
    } else {
        fork_node(v, n, step, step->multipliers->rows);
    }
}

static bool derive_leaf(vipr *v, const bnb_leaf *leaf, vipr_claim *claim)
{
    double *zeros;
    bool derived = false;
    if (v->crossed >= 0) {
        vipr_derive_crossed(v, v->crossed, claim);
        return true;
    }
    switch (leaf->kind) {
    case BNB_STEP_BOUND:
        return vipr_derive_bound(v, leaf->multipliers->rows, claim);
    case BNB_STEP_FARKAS:
        return vipr_derive_absurd(v, leaf->multipliers->rows, claim);
    case BNB_STEP_PROPAGATION:
        if (leaf->row >= 0 && leaf->row < v->m->rows)
            return vipr_derive_empty_row(v, leaf->row, claim);
        zeros = base_calloc((size_t)v->m->rows + 1, sizeof *zeros);
        derived = leaf->row >= 0 && vipr_derive_bound(v, zeros, claim);
        base_free(zeros);
        return derived;
    default:
        return false;
    }
}

static void tell_leaf(void *user, long id, const bnb_leaf *leaf)
{
    vipr *v = user;
    vipr_claim claim = {.id = -1};
    if (!enter(v, id))
        return;
    mpq_init(claim.bound);
    if (derive_leaf(v, leaf, &claim)) {
        close_node(v, v->at, claim);
        return;
    }
    mpq_clear(claim.bound);
    vipr_give_up(v, leaf->kind == BNB_STEP_UNPROVEN
                        ? "a node was given up for numerical trouble"
                        : "a node's multipliers do not prove exactly what they should");
}

static void tell_cut(void *user, long id, const bnb_cut *cut, const char *kind,
                     const bnb_rounding *how)
{
    (void)id, (void)cut, (void)kind, (void)how;
    vipr_give_up(user, "a cut");
}

/* ---- beginning and end ------------------------------------------------------------------------
 */

static void round_bounds(vipr *v, vipr_node *root)
{
    for (int j = 0; j < v->m->cols; j++)
        for (int side = 0; side < 2; side++) {
            const vipr_bound b = v->bound[side][j];
            if (v->m->integer[j] && b.id >= 0 && b.value != floor(b.value))
                add_change(v, root, j, side, vipr_derive_rounded(v, j, side, b));
        }
}

/* One pass over the rows; whether a column got a bound that had none. */
static bool imply_bounds(vipr *v, vipr_node *root)
{
    bool any = false;
    for (int r = 0; r < v->m->rows; r++)
        for (int k = v->row_start[r]; k < v->row_start[r + 1]; k++)
            for (int side = 0; side < 2; side++) {
                const int j = v->row_col[k];
                if (v->bound[side][j].id >= 0)
                    continue;
                const vipr_bound b = vipr_derive_implied(v, r, j, side, v->bound[side][j].value);
                if (b.id >= 0)
                    add_change(v, root, j, side, b);
                any = any || b.id >= 0;
            }
    return any;
}

/* Integer columns have integer bounds. Columns without a bound get one where rows imply any:
 * multipliers that are zero but for rounding errors need it. */
static void begin_bounds(vipr *v)
{
    vipr_node *root = enter(v, 0);
    round_bounds(v, root);
    while (imply_bounds(v, root))
        ;
}

void vipr_tree_init(vipr *v)
{
    v->hooks = (bnb_proof){v, tell_cut, tell_branch, tell_deduction, tell_leaf};
    v->at = v->crossed = -1;
    name_node(v, 0, add_node(v, -1));
    begin_bounds(v);
}

void vipr_tree_clear(vipr *v)
{
    for (int k = 0; k < v->nodes; k++) {
        for (int f = 0; f < v->node[k].forks; f++)
            mpq_clear(v->node[k].fork[f].claim.bound);
        base_free(v->node[k].change);
        base_free(v->node[k].fork);
        mpq_clear(v->node[k].claim.bound);
    }
    base_free(v->node);
    base_free(v->node_of_id);
}

void vipr_close_untold(vipr *v)
{
    vipr_claim claim = {.id = -1};
    if (!enter(v, 0) || v->node[0].child[0] > 0)
        return;
    mpq_init(claim.bound);
    bool derived = v->crossed >= 0;
    if (derived)
        vipr_derive_crossed(v, v->crossed, &claim);
    for (int r = 0; r < v->m->rows && !derived; r++)
        derived = vipr_derive_empty_row(v, r, &claim);
    if (derived)
        close_node(v, 0, claim);
    else
        mpq_clear(claim.bound);
}
