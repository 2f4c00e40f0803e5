#include "certificate/record.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void give_up(recorder *r, const char *fault)
{
    if (!r->fault)
        r->fault = fault;
}

/* ---- cuts ----------------------------------------------------------------------------- */

/* The engine's rows are scaled so that the largest coefficient lies in [1,2). */
static double unit_scale(const event_cut *from)
{
    double largest = 0;
    int exponent;
    for (int j = 0; j < from->tensors; j++)
        largest = fmax(largest, fabs(from->coef[j]));
    frexp(largest > 0 ? largest : 1, &exponent);
    return ldexp(1, 1 - exponent);
}

_Static_assert((int)SOURCE_DEPTH <= (int)CERT_PATH, "the checker takes every path");

static record_cut convert(const event_cut *from)
{
    record_cut c = {.scale = 1, .number = -1};
    cert_cut *cut = &c.cut;
    cut->source = from->depth > 0;
    cut->t = from->t;
    cut->k = from->k;
    cut->count = cut->source ? from->depth : from->tensors;
    cut->tensor = base_malloc((size_t)cut->count + 1, sizeof *cut->tensor);
    if (cut->source) {
        cut->last = from->last;
        cut->kept = from->kept;
        cut->stored = from->stored;
        memcpy(cut->tensor, from->path, (size_t)cut->count * sizeof *cut->tensor);
        return c;
    }
    c.scale = unit_scale(from);
    cut->conditional = from->conditional;
    cut->rhs = (int64_t)from->rhs;
    cut->coef = base_malloc((size_t)cut->count + 1, sizeof *cut->coef);
    for (int j = 0; j < cut->count; j++) {
        cut->tensor[j] = from->tensor[j];
        cut->coef[j] = (int64_t)from->coef[j];
    }
    return c;
}

static bool equal(const cert_cut *a, const cert_cut *b)
{
    size_t count = (size_t)a->count;
    return a->source == b->source && a->t == b->t && a->k == b->k && a->last == b->last &&
           a->conditional == b->conditional && a->kept == b->kept && a->stored == b->stored &&
           a->count == b->count && a->rhs == b->rhs &&
           memcmp(a->tensor, b->tensor, count * sizeof *a->tensor) == 0 &&
           (a->source || memcmp(a->coef, b->coef, count * sizeof *a->coef) == 0);
}

/* Index of the cut, which is remembered. */
static int remember(recorder *r, const event_cut *from)
{
    record_cut c = convert(from);
    for (int k = r->cuts - 1; k >= 0; k--)
        if (equal(&r->cut[k].cut, &c.cut)) {
            cert_cut_clear(&c.cut);
            return k;
        }
    if (r->cuts == r->cut_capacity) {
        r->cut_capacity = 2 * r->cut_capacity + 64;
        r->cut = base_realloc(r->cut, (size_t)r->cut_capacity, sizeof *r->cut);
    }
    r->cut[r->cuts] = c;
    return r->cuts++;
}

/* The line of a cut, once, before the first step that names it. */
static void write_cut(recorder *r, int index)
{
    record_cut *c = &r->cut[index];
    const cert_cut *cut = &c->cut;
    if (c->number >= 0)
        return;
    c->number = r->written++;
    if (cut->source) {
        fprintf(r->out, "source %d %d %d%s", cut->k, cut->t, cut->last, cut->kept ? " kept" : "");
        for (int j = 0; j < cut->count; j++)
            fprintf(r->out, " %d%s", cut->tensor[j], cut->stored >> j & 1 ? " out" : "");
    } else {
        fprintf(r->out, "event %d %d%s %" PRId64 " %d", cut->t, cut->k,
                cut->conditional ? " if" : "", cut->rhs, cut->count);
        for (int j = 0; j < cut->count; j++)
            fprintf(r->out, " %d %" PRId64, cut->tensor[j], cut->coef[j]);
    }
    fputc('\n', r->out);
}

/* ---- rows ------------------------------------------------------------------------------- */

static int kind_of(int from)
{
    switch ((row_kind)from) {
    case ROW_INPUT:
    case ROW_FREE_BEFORE:
        return CERT_ROW_INPUT;
    case ROW_SOURCE_C:
        return CERT_ROW_SOURCE_C;
    case ROW_SOURCE_P:
        return CERT_ROW_SOURCE_P;
    case ROW_STORED_P:
        return CERT_ROW_STORED_P;
    case ROW_STORED_IN:
        return CERT_ROW_STORED_IN;
    case ROW_OUT_FROM:
        return CERT_ROW_OUT_FROM;
    case ROW_OUT_FIRST:
        return CERT_ROW_OUT_FIRST;
    case ROW_OUT_ONCE:
        return CERT_ROW_OUT_ONCE;
    case ROW_ONE:
        return CERT_ROW_ONE;
    case ROW_TWICE:
        return CERT_ROW_TWICE;
    case ROW_USED_R:
        return CERT_ROW_USED_R;
    case ROW_USED_S:
        return CERT_ROW_USED_S;
    case ROW_USED_IN:
        return CERT_ROW_USED_IN;
    case ROW_FREE_USE:
        return CERT_ROW_FREE_USE;
    case ROW_FREE_KEEP:
        return CERT_ROW_FREE_KEEP;
    case ROW_FREE_ONCE:
        return CERT_ROW_FREE_ONCE;
    case ROW_FREE_OR:
        return CERT_ROW_FREE_OR;
    case ROW_LATE:
        return CERT_ROW_LATE;
    case ROW_LOAD:
        return CERT_ROW_LOAD;
    case ROW_MEMORY:
        return CERT_ROW_MEMORY;
    case ROW_DEADLINE:
        return CERT_ROW_DEADLINE;
    default:
        return CERT_ROW_KINDS;
    }
}

cert_key record_key(const formulation *f, int row, double *scale)
{
    formulation_key from = f->row[row];
    int kind = kind_of(from.kind);
    *scale = kind == CERT_ROW_LOAD || kind == CERT_ROW_MEMORY ? f->byte_scale
             : kind == CERT_ROW_DEADLINE ? formulation_deadline_scale(f->problem)
                                         : 1;
    return (cert_key){(cert_row_kind)kind, from.t, from.i, from.k};
}

static cert_key key_of(recorder *r, const formulation *f, int row, double *scale)
{
    cert_key key = record_key(f, row, scale);
    if (key.kind == CERT_ROW_KINDS)
        give_up(r, "a row of the model is of a kind that certificates do not know");
    return key;
}

static void write_key(recorder *r, cert_key key)
{
    if (key.kind == CERT_ROW_KINDS)
        return; /* given up */
    const cert_row_name *name = &cert_row_names[key.kind];
    fputs(name->word, r->out);
    if (name->t)
        fprintf(r->out, " %d", key.t);
    if (name->i)
        fprintf(r->out, " %d", key.i);
    if (name->k)
        fprintf(r->out, " %d", key.k);
}

/* ---- multipliers -------------------------------------------------------------------------- */

/* A dual y of the engine is -y here: rows are bounded above. What points the wrong way counts
 * nothing. Bits below the grid are cut off. */
static void add_term(recorder *r, int cut, cert_key key, double y)
{
    y = -y;
    if (fabs(y) < 0x1p-100)
        y = ldexp(trunc(ldexp(y, CERT_MULTIPLIER_GRID)), -CERT_MULTIPLIER_GRID);
    if (y == 0 || !isfinite(y) || (y < 0 && (cut >= 0 || key.kind != CERT_ROW_LOAD)))
        return;
    if (r->terms == r->term_capacity) {
        r->term_capacity = 2 * r->term_capacity + 256;
        r->term = base_realloc(r->term, (size_t)r->term_capacity, sizeof *r->term);
    }
    r->term[r->terms++] = (record_term){cut, key, y};
}

static void add_rows(recorder *r, const formulation *f, const double *y)
{
    r->terms = 0;
    for (int row = 0; row < f->model->rows; row++) {
        double scale;
        if (y[row] == 0)
            continue;
        cert_key key = key_of(r, f, row, &scale);
        add_term(r, -1, key, y[row] * scale);
    }
}

static void add_cut(recorder *r, int index, double y)
{
    add_term(r, index, (cert_key){CERT_ROW_KINDS, -1, -1, -1}, y * r->cut[index].scale);
}

static void write_new_cuts(recorder *r)
{
    for (int k = 0; k < r->terms; k++)
        if (r->term[k].cut >= 0)
            write_cut(r, r->term[k].cut);
}

/* " COUNT" and the lines of the terms. */
static void write_terms(recorder *r)
{
    fprintf(r->out, " %d\n", r->terms);
    for (int k = 0; k < r->terms && !r->fault; k++) {
        const record_term *t = &r->term[k];
        fprintf(r->out, "%a ", t->y);
        if (t->cut >= 0)
            fprintf(r->out, "cut %d", r->cut[t->cut].number);
        else
            write_key(r, t->key);
        fputc('\n', r->out);
    }
    r->last_node = -1;
}

/* ---- what the engine tells ---------------------------------------------------------------- */

static void eliminate(void *user, const formulation *whole, const double *y,
                      const event_cut_list *cuts, const double *cut_y)
{
    recorder *r = user;
    add_rows(r, whole, y);
    for (int c = 0; c < cuts->count; c++)
        if (cut_y[c] != 0)
            add_cut(r, remember(r, &cuts->cut[c]), cut_y[c]);
    write_new_cuts(r);
    fputs("reduce 0", r->out);
    write_terms(r);
}

static long found_cut(void *user, const event_cut *cut)
{
    return remember(user, cut);
}

static void forget_tree(recorder *r)
{
    base_free(r->row_cut);
    base_free(r->cut_of_id);
    base_free(r->node_of_id);
    r->row_cut = r->cut_of_id = r->node_of_id = NULL;
    r->ids = r->node_ids = 0;
    r->f = NULL;
    r->last_node = -1;
}

static const bnb_proof *begin_tree(void *user, const formulation *f, const event_cut_list *cuts)
{
    recorder *r = user;
    forget_tree(r);
    r->f = f;
    r->row_cuts = cuts->count;
    r->row_cut = base_malloc((size_t)cuts->count + 1, sizeof *r->row_cut);
    for (int c = 0; c < cuts->count; c++)
        r->row_cut[c] = remember(r, &cuts->cut[c]);
    r->nodes = 1;
    return &r->tree_hooks;
}

/* ---- cases --------------------------------------------------------------------------------- */

static bool has(const formulation *f, int t, int i, uint8_t bit)
{
    return f->mask[(size_t)t * (size_t)f->problem->graph->n + (size_t)i] & bit;
}

/* The cell is 0 if all others outside are: in a canonical schedule a later page-out needs a
 * recomputation in the stage before, a page-in a reader in the next. The engine's row leaves such
 * cells out. */
static bool implied(const formulation *f, uint8_t bit, int t, int i)
{
    const graph *g = f->problem->graph;
    if (!(f->features & FORMULATION_CANONICAL))
        return false;
    if (bit == MASK_OUT)
        return t > i + 1 && !has(f, t - 1, i, MASK_R);
    if (bit != MASK_IN || t + 1 >= g->n)
        return false;
    for (int q = g->user_start[i]; q < g->user_start[i + 1] && g->user[q] <= t + 1; q++)
        if (g->user[q] == t + 1 || has(f, t + 1, g->user[q], MASK_R))
            return false;
    return true;
}

/* The recomputations and transfers that f has not; prints them to out unless it is NULL. */
static int outside_cells(const formulation *f, FILE *out)
{
    static const struct {
        uint8_t bit;
        cert_kind kind;
    } actions[] = {{MASK_R, CERT_R}, {MASK_IN, CERT_IN}, {MASK_OUT, CERT_OUT}};
    int count = 0;
    for (int a = 0; a < 3; a++)
        for (int t = 1; t < f->problem->graph->n; t++)
            for (int i = 0; i < t; i++) {
                if (has(f, t, i, actions[a].bit) || implied(f, actions[a].bit, t, i))
                    continue;
                count++;
                if (out)
                    fprintf(out, "%s %d %d\n", cert_cell_word[actions[a].kind], t, i);
            }
    return count;
}

static void cases(void *user, const formulation *f)
{
    recorder *r = user;
    r->mark = ftell(r->out);
    r->mark_written = r->written;
    fprintf(r->out, "cases %d\n", outside_cells(f, NULL));
    outside_cells(f, r->out);
}

static void case_ended(void *user, bool kept)
{
    recorder *r = user;
    forget_tree(r);
    r->outside = kept;
    if (kept) {
        fputs("next\n", r->out);
        return;
    }
    r->fault = NULL; /* of the tree that is taken back */
    for (int c = 0; c < r->cuts; c++)
        if (r->cut[c].number >= r->mark_written)
            r->cut[c].number = -1;
    r->written = r->mark_written;
    if (r->mark < 0 || fseek(r->out, r->mark, SEEK_SET) != 0)
        give_up(r, "the temporary file cannot be written again");
}

/* ---- what the tree tells ------------------------------------------------------------------- */

/* Sets an entry of a list that grows; what was not set is -1. */
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
        give_up(r, "a node without a parent");
    return node;
}

/* In place of a record_cut: the row of the second case. */
enum { CUT_OUTSIDE = -2 };

static void tree_cut(void *user, long id, const bnb_cut *cut, const char *kind)
{
    recorder *r = user;
    if (strcmp(kind, "user") != 0)
        give_up(r, "a cut that is not the formulation's");
    else
        set_entry(&r->cut_of_id, &r->ids, id,
                  cut->tag == EXACT_TAG_OUTSIDE ? CUT_OUTSIDE : (int)cut->tag);
}

static void add_multipliers(recorder *r, const bnb_multipliers *m)
{
    int own = r->f->model->rows;
    add_rows(r, r->f, m->rows);
    for (int c = 0; c < r->row_cuts; c++)
        if (m->rows[own + c] != 0)
            add_cut(r, r->row_cut[c], m->rows[own + c]);
    for (int c = 0; c < m->cuts; c++) {
        int cut = m->cut_id[c] < r->ids ? r->cut_of_id[m->cut_id[c]] : -1;
        if (cut == CUT_OUTSIDE && r->outside)
            add_term(r, -1, (cert_key){CERT_ROW_CASE, -1, -1, -1}, m->cut_value[c]);
        else if (cut < 0)
            give_up(r, "a cut that was not announced");
        else
            add_cut(r, cut, m->cut_value[c]);
    }
    write_new_cuts(r);
}

/* "R t i" of an integer column. */
static void write_cell(recorder *r, int col)
{
    formulation_key key = r->f->column[col];
    if (key.kind < CELL_KINDS)
        fprintf(r->out, " %s %d %d", cert_cell_word[key.kind], key.t, key.i);
    else
        give_up(r, "a bound on a column that is no cell");
}

static void write_propagation(recorder *r, long id, int row)
{
    int node = node_number(r, id), own = r->f->model->rows;
    double scale;
    if (node == r->last_node && row == r->last_row)
        return;
    r->terms = 0;
    if (row >= own && row < own + r->row_cuts)
        write_cut(r, r->row_cut[row - own]);
    fprintf(r->out, "propagate %d ", node);
    if (row >= own + r->row_cuts)
        fputs("overhead", r->out);
    else if (row >= own)
        fprintf(r->out, "cut %d", r->cut[r->row_cut[row - own]].number);
    else
        write_key(r, key_of(r, r->f, row, &scale));
    fputc('\n', r->out);
    r->last_node = node;
    r->last_row = row;
}

static void tree_branch(void *user, long node, int col, double value, long down, long up)
{
    recorder *r = user;
    if (value != 0)
        give_up(r, "a branching that is not on 0 and 1");
    fprintf(r->out, "branch %d", node_number(r, node));
    write_cell(r, col);
    fputc('\n', r->out);
    set_entry(&r->node_of_id, &r->node_ids, down, r->nodes++);
    set_entry(&r->node_of_id, &r->node_ids, up, r->nodes++);
    r->last_node = -1;
}

static void tree_deduce(void *user, long node, const bnb_deduction *step)
{
    recorder *r = user;
    if (r->fault)
        return;
    switch (step->kind) {
    case BNB_STEP_PROPAGATION:
        write_propagation(r, node, step->row);
        break;
    case BNB_STEP_REDUCED_COST:
        if (step->again)
            break;
        add_multipliers(r, step->multipliers);
        fprintf(r->out, "reduce %d", node_number(r, node));
        write_terms(r);
        break;
    case BNB_STEP_STRONG_BRANCH:
        add_multipliers(r, step->multipliers);
        fprintf(r->out, "probe %d", node_number(r, node));
        write_cell(r, step->col);
        fprintf(r->out, " %d", step->upper ? 1 : 0);
        write_terms(r);
        break;
    default:
        give_up(r, "a deduction of an unknown kind");
    }
}

static void tree_leaf(void *user, long node, const bnb_leaf *leaf)
{
    recorder *r = user;
    if (r->fault)
        return;
    switch (leaf->kind) {
    case BNB_STEP_PROPAGATION:
        if (leaf->row >= 0)
            write_propagation(r, node, leaf->row);
        break;
    case BNB_STEP_BOUND:
    case BNB_STEP_FARKAS:
        add_multipliers(r, leaf->multipliers);
        fprintf(r->out, "leaf %d", node_number(r, node));
        write_terms(r);
        break;
    case BNB_STEP_SOLUTION:
        fprintf(r->out, "schedule %d\n", node_number(r, node));
        r->last_node = -1;
        break;
    default:
        give_up(r, "a node was given up for numerical trouble");
    }
}

void recorder_init(recorder *r, FILE *out)
{
    *r = (recorder){.out = out, .last_node = -1};
    r->hooks = (exact_proof){r, eliminate, cases, case_ended, begin_tree, found_cut};
    r->tree_hooks = (bnb_proof){r, tree_cut, tree_branch, tree_deduce, tree_leaf};
}

void recorder_clear(recorder *r)
{
    for (int c = 0; c < r->cuts; c++)
        cert_cut_clear(&r->cut[c].cut);
    forget_tree(r);
    base_free(r->cut);
    base_free(r->term);
    *r = (recorder){0};
}
