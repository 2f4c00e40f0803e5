/* Events of a tree as steps: roundings become numbered cuts, nodes branchings and leaves. */
#include <string.h>

#include "base/lock.h"
#include "certificate/record_internal.h"

/* Sets an entry of a list that grows; entries that were not set are -1. */
static void set_entry(int **list, long *count, long at, int value)
{
    if (at >= *count) {
        long size = 2 * at + 64;
        *list = base_realloc(*list, (size_t)size, sizeof **list);
        for (long k = *count; k < size; k++)
            (*list)[k] = -1;
        *count = size;
    }
    (*list)[at] = value;
}

static int node_number(recorder *r, long id)
{
    if (id == 0)
        return 0;
    int node = id < r->node_ids ? r->node_of_id[id] : -1;
    if (node < 0)
        record_give_up(r, "a node without a parent");
    return node;
}

static int rounded_cut(recorder *r, const bnb_cut *cut, const bnb_rounding *how)
{
    const record_cut c = {.how = record_make_round(r, cut, how), .scale = 1, .number = -1};
    return c.how ? record_add_cut(r, &c) : RECORD_UNKNOWN;
}

static void tree_cut(void *user, long id, const bnb_cut *cut, const char *kind,
                     const bnb_rounding *how)
{
    recorder *r = user;
    int index = RECORD_UNKNOWN;
    base_lock(&r->lock);
    if (how)
        index = rounded_cut(r, cut, how);
    else if (strcmp(kind, "user") == 0)
        index = cut->tag == EXACT_TAG_OUTSIDE ? RECORD_CASE : (int)cut->tag;
    set_entry(&r->cut_of_id, &r->ids, id, index);
    base_unlock(&r->lock);
}

static void add_multipliers(recorder *r, const bnb_multipliers *m)
{
    const int own = r->model->rows;
    record_add_rows(r, r->f, r->c, m->rows);
    for (int c = 0; c < r->row_cuts; c++)
        if (m->rows[own + c] != 0)
            record_add_multiplier(r, r->row_cut[c], m->rows[own + c]);
    for (int c = 0; c < m->cuts; c++)
        record_add_multiplier(r, record_cut_of(r, m->cut_id[c]), m->cut_value[c]);
    record_write_new_cuts(r);
}

/* Writes an integer column: "R t i", or "total k". */
static void write_integer(recorder *r, int col)
{
    double scale;
    const formulation_key key = record_column(r, col, &scale);
    if (key.kind < CELL_KINDS)
        text_print(r->out, " %s %d %d", cert_cell_word[key.kind], key.t, key.i);
    else if (key.kind == COLUMN_TOTAL)
        text_print(r->out, " total %d", record_total(r, key.i));
    else
        record_give_up(r, "a bound on a column that is no cell");
}

static void write_propagation(recorder *r, long id, int row)
{
    const int node = node_number(r, id), own = r->model->rows;
    record_term named = {0};
    if (node == r->last_node && row == r->last_row)
        return;
    const bool overhead = row >= own + r->row_cuts;
    if (!overhead && !record_row_term(r, row, 0, 0, &named)) {
        record_give_up(r, "certificates do not support a row of the model");
        return;
    }
    if (named.cut >= 0 && !overhead)
        record_write_cut(r, named.cut);
    if (overhead && r->c) {
        text_print(r->out, "reduce %d 0 at %d\n", node, r->at);
    } else if (overhead) {
        text_print(r->out, "propagate %d overhead\n", node);
    } else {
        text_print(r->out, "propagate %d ", node);
        record_write_name(r, &named);
    }
    r->last_node = node;
    r->last_row = row;
}

static bool is_total(const recorder *r, int col)
{
    double scale;
    return record_column(r, col, &scale).kind == COLUMN_TOTAL;
}

/* Writes a probe: the multipliers exclude all values beyond the bound that the step sets. */
static void write_probe(recorder *r, long node, const bnb_deduction *step)
{
    add_multipliers(r, step->multipliers);
    text_print(r->out, "probe %d", node_number(r, node));
    write_integer(r, step->col);
    if (!is_total(r, step->col))
        text_print(r->out, " %d", step->upper ? 1 : 0);
    else if (step->upper)
        text_print(r->out, " least %.0f", step->value + 1);
    else
        text_print(r->out, " most %.0f", step->value - 1);
    record_write_terms(r);
}

static void tree_branch(void *user, long node, int col, double value, long down, long up)
{
    recorder *r = user;
    base_lock(&r->lock);
    text_print(r->out, "branch %d", node_number(r, node));
    write_integer(r, col);
    if (is_total(r, col))
        text_print(r->out, " %.0f", value);
    else if (value != 0)
        record_give_up(r, "a branching that is not on 0 and 1");
    text_print(r->out, "\n");
    set_entry(&r->node_of_id, &r->node_ids, down, r->nodes++);
    set_entry(&r->node_of_id, &r->node_ids, up, r->nodes++);
    r->last_node = -1;
    base_unlock(&r->lock);
}

static void write_deduction(recorder *r, long node, const bnb_deduction *step)
{
    switch (step->kind) {
    case BNB_STEP_PROPAGATION:
        write_propagation(r, node, step->row);
        break;
    case BNB_STEP_REDUCED_COST:
        if (step->again)
            break;
        add_multipliers(r, step->multipliers);
        text_print(r->out, "reduce %d", node_number(r, node));
        record_write_terms(r);
        break;
    case BNB_STEP_STRONG_BRANCH:
        write_probe(r, node, step);
        break;
    default:
        record_give_up(r, "a deduction of an unknown kind");
    }
}

static void tree_deduce(void *user, long node, const bnb_deduction *step)
{
    recorder *r = user;
    base_lock(&r->lock);
    if (!r->fault)
        write_deduction(r, node, step);
    base_unlock(&r->lock);
}

static void write_leaf(recorder *r, long node, const bnb_leaf *leaf)
{
    switch (leaf->kind) {
    case BNB_STEP_PROPAGATION:
        if (leaf->row >= 0)
            write_propagation(r, node, leaf->row);
        break;
    case BNB_STEP_BOUND:
    case BNB_STEP_FARKAS:
        add_multipliers(r, leaf->multipliers);
        text_print(r->out, "leaf %d", node_number(r, node));
        record_write_terms(r);
        break;
    case BNB_STEP_SOLUTION:
        text_print(r->out, "schedule %d\n", node_number(r, node));
        r->last_node = -1;
        break;
    default:
        record_give_up(r, "a node was given up for numerical trouble");
    }
}

static void tree_leaf(void *user, long node, const bnb_leaf *leaf)
{
    recorder *r = user;
    base_lock(&r->lock);
    if (!r->fault)
        write_leaf(r, node, leaf);
    base_unlock(&r->lock);
}

bnb_proof record_tree_hooks(recorder *r)
{
    return (bnb_proof){r, tree_cut, tree_branch, tree_deduce, tree_leaf};
}
