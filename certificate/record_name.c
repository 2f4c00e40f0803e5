/* Names of rows, cuts and totals of the engine's models, and terms by these names. */
#include "certificate/record_internal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "formulation/total.h"

void record_give_up(recorder *r, const char *fault)
{
    if (!r->fault)
        r->fault = fault;
}

/* ---- rows ------------------------------------------------------------------------------- */

cert_key record_key(const formulation *f, const coarse *c, int row, double *scale)
{
    if (c)
        return record_coarse_key(c, row, scale);
    formulation_key from = f->row[row];
    const cert_row_kind kind = cert_row_named(formulation_rows[from.kind].name);
    *scale = kind == CERT_ROW_LOAD || kind == CERT_ROW_MEMORY ? f->byte_scale
             : kind == CERT_ROW_DEADLINE ? formulation_deadline_scale(f->problem)
             : kind == CERT_ROW_TOTAL    ? -1
                                         : 1;
    return (cert_key){kind, from.t, from.i, from.k};
}

static void write_key(recorder *r, cert_key key)
{
    if (key.kind == CERT_ROW_KINDS)
        return; /* given up */
    const cert_row_name *name = &cert_row_names[key.kind];
    text_print(r->out, "%s", name->word);
    if (name->t)
        text_print(r->out, " %d", cert_row_is_of_point(key.kind) ? r->at + key.t : key.t);
    if (name->i)
        text_print(r->out, " %d", key.kind == CERT_ROW_TOTAL ? record_total(r, key.i) : key.i);
    if (name->k)
        text_print(r->out, " %d", key.k);
}

/* ---- columns ---------------------------------------------------------------------------- */

int record_total(const recorder *r, int i)
{
    return r->c ? i : r->total[i];
}

formulation_key record_column(const recorder *r, int col, double *scale)
{
    const formulation_key key = r->c ? r->c->column[col] : r->f->column[col];
    *scale = 1;
    if (!r->c) {
        *scale = key.kind == COLUMN_LOAD ? r->f->byte_scale : 1;
        return key;
    }
    const bool bytes = key.kind == (int)COARSE_LOAD || key.kind == (int)COARSE_THERE;
    *scale = bytes ? r->c->byte_scale : 1;
    return (formulation_key){COLUMN_TOTAL, -1, record_coarse_total(r->c, col), -1};
}

void record_write_total(recorder *r, int k)
{
    const formulation_total *total = &r->f->total[k];
    const int n = r->f->problem->graph->n;
    int count = 0;
    for (int i = 0; i < n; i++)
        count += total->weight[i] > 0;
    text_print(r->out, "total %s %d", cert_cell_word[total->kind], count);
    for (int i = 0; i < n; i++)
        if (total->weight[i] > 0)
            text_print(r->out, " %d %" PRId64, i, total->weight[i]);
    text_print(r->out, "\n");
}

/* ---- cuts ----------------------------------------------------------------------------- */

_Static_assert((int)SOURCE_DEPTH <= (int)CERT_PATH, "the checker takes every path");

/* The power of two that divides all numbers of an event cut. */
static int64_t common_power(const event_cut *cut)
{
    uint64_t bits = (uint64_t)(int64_t)cut->rhs;
    for (int j = 0; j < cut->tensors; j++)
        bits |= (uint64_t)(int64_t)cut->coef[j] | (uint64_t)(int64_t)(cut->made ? cut->made[j] : 0);
    return bits > 0 ? (int64_t)(bits & -bits) : 1;
}

/* The statement of the cut, to be freed. *scale: the engine's row is this times the statement, in
 * which integers of that row are integers. */
static char *state_cut(const event_cut *cut, double *scale)
{
    text_buffer out = {0};
    *scale = 1;
    if (cut->depth > 0) {
        text_print(&out, "source %d %d %d%s", cut->k, cut->t, cut->last, cut->kept ? " kept" : "");
        for (int j = 0; j < cut->depth; j++)
            text_print(&out, " %d%s", cut->path[j], cut->stored >> j & 1 ? " out" : "");
    } else {
        const int64_t unit = common_power(cut);
        *scale = event_cut_scale(cut) * (double)unit;
        text_print(&out, "event %d %d%s %" PRId64 " %d", cut->t, cut->k,
                   cut->conditional ? " if" : "", (int64_t)cut->rhs / unit, cut->tensors);
        for (int j = 0; j < cut->tensors; j++) {
            text_print(&out, " %d %" PRId64, cut->tensor[j], (int64_t)cut->coef[j] / unit);
            if (cut->made)
                text_print(&out, " %" PRId64, (int64_t)cut->made[j] / unit);
        }
    }
    text_print(&out, "\n");
    return out.data;
}

int record_add_cut(recorder *r, const record_cut *c)
{
    r->cut = base_grow(r->cut, r->cuts, &r->cut_capacity, sizeof *r->cut);
    r->cut[r->cuts] = *c;
    return r->cuts++;
}

int record_remember(recorder *r, const event_cut *from)
{
    record_cut c = {.number = -1};
    c.statement = state_cut(from, &c.scale);
    for (int k = r->cuts - 1; k >= 0; k--)
        if (r->cut[k].statement && strcmp(r->cut[k].statement, c.statement) == 0) {
            base_free(c.statement);
            return k;
        }
    return record_add_cut(r, &c);
}

/* ---- terms ---------------------------------------------------------------------------- */

double record_on_grid(double value)
{
    return fabs(value) >= 0x1p-100
               ? value
               : ldexp(trunc(ldexp(value, CERT_MULTIPLIER_GRID)), -CERT_MULTIPLIER_GRID);
}

bool record_name_cut(const recorder *r, int index, double y, double slack, record_term *term)
{
    term->cut = index >= 0 ? index : -1;
    term->key = (cert_key){CERT_ROW_KINDS, -1, -1, -1};
    if (index == RECORD_CASE && r->outside)
        term->key.kind = CERT_ROW_CASE;
    const double scale = index >= 0 ? r->cut[index].scale : 1;
    term->y = record_on_grid(y * scale);
    term->slack = record_on_grid(slack * scale);
    return term->cut >= 0 || term->key.kind == CERT_ROW_CASE;
}

bool record_row_term(recorder *r, int row, double y, double slack, record_term *term)
{
    const int own = r->model->rows;
    double scale;
    if (row >= own)
        return record_name_cut(r, r->row_cut[row - own], y, slack, term);
    *term = (record_term){.cut = -1, .key = record_key(r->f, r->c, row, &scale)};
    term->y = record_on_grid(y * scale);
    term->slack = record_on_grid(slack * scale);
    return term->key.kind != CERT_ROW_KINDS;
}

int record_cut_of(const recorder *r, long id)
{
    return id < r->ids ? r->cut_of_id[id] : RECORD_UNKNOWN;
}

void record_write_name(recorder *r, const record_term *t)
{
    if (t->cut >= 0)
        text_print(r->out, "cut %d", r->cut[t->cut].number);
    else
        write_key(r, t->key);
    text_print(r->out, "\n");
}
