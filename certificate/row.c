/* Each row of the checker's model from its name. Shares nothing with the solver's rows on purpose.
 */
#include "certificate/row.h"

#include <math.h>
#include <string.h>

#define ROW_NAME(kind, word, t, i, k, canonical) {#word, t, i, k, canonical},
const cert_row_name cert_row_names[CERT_ROW_KINDS] = {CERT_ROWS(ROW_NAME)};

cert_row_kind cert_row_named(const char *word)
{
    int kind = 0;
    while (kind < (int)CERT_ROW_KINDS && strcmp(cert_row_names[kind].word, word) != 0)
        kind++;
    return (cert_row_kind)kind;
}

bool cert_row_is_equality(cert_row_kind kind)
{
    return kind == CERT_ROW_LOAD || kind == CERT_ROW_TOTAL;
}

bool cert_row_is_of_point(cert_row_kind kind)
{
    return kind >= CERT_ROW_POINT_KEPT && kind <= CERT_ROW_POINT_AWAY;
}

bool cert_row_assumes(cert_row_kind kind)
{
    return cert_row_names[kind].canonical || kind == CERT_ROW_STORED_IN ||
           kind == CERT_ROW_OUT_FROM || kind == CERT_ROW_ONE;
}

void cert_row_clear(cert_row *row)
{
    base_free_all(row->col, row->coef);
    *row = (cert_row){0};
}

void cert_row_reset(cert_row *row)
{
    row->count = 0;
    row->rhs = 0;
    row->equality = false;
}

void cert_row_add(cert_row *row, int col, double coef)
{
    if (col < 0 || coef == 0)
        return;
    if (row->count == row->capacity) {
        row->capacity = 2 * row->capacity + 64;
        row->col = base_realloc(row->col, (size_t)row->capacity, sizeof *row->col);
        row->coef = base_realloc(row->coef, (size_t)row->capacity, sizeof *row->coef);
    }
    row->col[row->count] = col;
    row->coef[row->count++] = coef;
}

void cert_row_append(cert_row *row, const cert_row *from)
{
    for (int e = 0; e < from->count; e++)
        cert_row_add(row, from->col[e], from->coef[e]);
    row->rhs += from->rhs;
}

void cert_row_add_computed(cert_row *row, const cert_model *m, int t, int i, double coef)
{
    if (i == t)
        row->rhs -= coef;
    else
        cert_row_add(row, cert_cell(m, CERT_R, t, i), coef);
}

void cert_row_add_resident(cert_row *row, const cert_model *m, int t, int i, double coef)
{
    cert_row_add(row, cert_cell(m, CERT_C, t, i), coef);
    cert_row_add(row, cert_cell(m, CERT_P, t, i), coef);
}

/* Adds coef times present(t,i). */
static void add_present(cert_row *row, const cert_model *m, int t, int i, double coef)
{
    cert_row_add_resident(row, m, t, i, coef);
    cert_row_add_computed(row, m, t, i, coef);
    if (!m->canonical)
        cert_row_add(row, cert_cell(m, CERT_TWICE, t, i), -coef);
}

/* EARLY exists where i may have been computed again in the stage before. */
static int early(const cert_model *m, int t, int i)
{
    const bool exists = m->canonical && t > i + 1 && problem_may_recompute(m->p, i);
    return exists ? cert_cell(m, CERT_EARLY, t, i) : -1;
}

void cert_row_add_released(cert_row *row, const cert_model *m, int t, int i, int below, double coef)
{
    const graph *g = m->g;
    cert_row_add(row, early(m, t, i), coef);
    for (int e = g->user_start[i]; e < g->user_start[i + 1] && g->user[e] < below; e++)
        cert_row_add(row, cert_free(m, t, e), coef);
}

/* Adds coef times the users of i that are computed in stage t. */
static void add_readers(cert_row *row, const cert_model *m, int t, int i, double coef)
{
    const graph *g = m->g;
    if (t >= m->n)
        return;
    for (int e = g->user_start[i]; e < g->user_start[i + 1] && g->user[e] <= t; e++)
        cert_row_add_computed(row, m, t, g->user[e], coef);
}

/* Adds coef times the page-outs of i before stage t. */
static void add_stored(cert_row *row, const cert_model *m, int t, int i, double coef)
{
    for (int s = i + 1; s < t; s++)
        cert_row_add(row, cert_cell(m, CERT_OUT, s, i), coef);
}

static void add_cell(cert_row *row, const cert_model *m, cert_kind kind, int t, int i, double coef)
{
    cert_row_add(row, cert_cell(m, kind, t, i), coef);
}

/* A tensor computed in t only to be kept is paged out in t+1, or an input of it is released in t,
 * or could be in t+1 before the tensor is computed there. */
static void make_late(cert_row *row, const cert_model *m, int t, int i)
{
    const graph *g = m->g;
    add_cell(row, m, CERT_R, t, i, 1);
    add_readers(row, m, t, i, -1);
    add_cell(row, m, CERT_OUT, t + 1, i, -1);
    for (int q = g->input_start[i]; q < g->input_start[i + 1]; q++) {
        int u = g->input[q];
        cert_row_add_resident(row, m, t, u, -1);
        add_cell(row, m, CERT_R, t, u, -1);
        add_cell(row, m, CERT_IN, t, u, -1);
        cert_row_add_resident(row, m, t + 1, u, 1);
        add_cell(row, m, CERT_OUT, t + 1, u, -1);
        for (int e = g->user_start[u]; e < g->user_start[u + 1] && g->user[e] < i; e++)
            add_cell(row, m, CERT_R, t + 1, g->user[e], -1);
    }
}

static void make_memory(cert_row *row, const cert_model *m, int t, int k, bool plain)
{
    row->rhs = (double)m->budget;
    if (!plain)
        cert_row_add(row, cert_load(m, t), 1);
    for (int i = 0; i <= t; i++) {
        double bytes = (double)m->bytes[i];
        if (bytes == 0)
            continue;
        if (plain)
            cert_row_add_resident(row, m, t, i, bytes);
        if (i <= k)
            cert_row_add_computed(row, m, t, i, bytes);
        if (m->p->charge_pagein_transfer)
            add_cell(row, m, CERT_IN, t, i, bytes);
        cert_row_add_released(row, m, t, i, k, -bytes);
    }
    cert_row_add_computed(row, m, t, k, (double)m->workspace[k]);
}

static void make_deadline(cert_row *row, const cert_model *m)
{
    const graph *g = m->g;
    row->rhs = m->slack_seconds;
    for (int t = 0; t < m->n; t++)
        for (int i = 0; i < t; i++) {
            add_cell(row, m, CERT_R, t, i, g->seconds[i]);
            if (m->p->deadline_includes_paging) {
                add_cell(row, m, CERT_IN, t, i, g->pagein_seconds[i]);
                add_cell(row, m, CERT_OUT, t, i, g->pageout_seconds[i]);
            }
        }
}

/* Parts of rows beside the cells. */
enum { RESIDENT = CERT_LOAD + 1, PRESENT, READERS, STORED, RELEASED, FETCHED };

/* A part of a row of a cell (t,i), i < t: of the stage `later` stages after t, with its coefficient
 * where proofs rest on exchanges, and by the rules alone. */
typedef struct row_part {
    int what; /* a cert_kind or one of the parts above */
    int later;
    double exchanges, rules;
} row_part;

static const struct {
    double rhs;
    row_part part[5]; /* up to one without coefficients */
} cell_row[CERT_ROW_KINDS] = {
    [CERT_ROW_SOURCE_C] = {0, {{CERT_C, 1, 1, 1}, {CERT_C, 0, -1, -1}, {CERT_R, 0, -1, -1}}},
    [CERT_ROW_SOURCE_P] = {0, {{CERT_P, 1, 1, 1}, {CERT_P, 0, -1, -1}, {CERT_IN, 0, -1, -1}}},
    [CERT_ROW_STORED_P] = {0, {{CERT_P, 0, 1, 1}, {STORED, 0, -1, -1}}},
    [CERT_ROW_STORED_IN] = {0, {{CERT_IN, 0, 1, 1}, {CERT_P, 1, -1, 0}, {STORED, 0, 0, -1}}},
    [CERT_ROW_OUT_FROM] = {0, {{CERT_OUT, 0, 1, 1}, {CERT_C, 0, -1, -1}, {CERT_P, 0, 0, -1}}},
    [CERT_ROW_OUT_FIRST] = {0, {{CERT_OUT, 0, 1, 1}, {CERT_R, -1, -1, -1}}},
    [CERT_ROW_ONE] = {1, {{PRESENT, 0, 1, 1}, {CERT_IN, 0, 1, 0}}},
    [CERT_ROW_TWICE] = {0, {{CERT_TWICE, 0, 1, 1}, {RESIDENT, 0, -1, -1}}},
    [CERT_ROW_USED_R] = {0, {{CERT_R, 0, 1, 1}, {READERS, 0, -1, -1}, {RESIDENT, 1, -1, -1}}},
    [CERT_ROW_USED_S] =
        {0,
         {{RESIDENT, 0, 1, 1}, {READERS, 0, -1, -1}, {RESIDENT, 1, -1, -1}, {CERT_OUT, 0, -1, -1}}},
    [CERT_ROW_USED_IN] = {0, {{CERT_IN, 0, 1, 1}, {READERS, 1, -1, -1}}},
    [CERT_ROW_FREE_KEEP] =
        {0, {{RELEASED, 0, 1, 1}, {RESIDENT, 1, 1, 1}, {PRESENT, 0, -1, -1}, {FETCHED, 0, -1, -1}}},
    [CERT_ROW_FREE_ONCE] = {0, {{RELEASED, 0, 1, 1}, {PRESENT, 0, -1, -1}}},
    [CERT_ROW_FREE_OR] = {1, {{RELEASED, 0, 1, 1}, {RESIDENT, 1, 1, 1}}},
};

static void add_part(cert_row *row, const cert_model *m, int what, int t, int i, double coef)
{
    switch (what) {
    case RESIDENT:
        cert_row_add_resident(row, m, t, i, coef);
        break;
    case PRESENT:
        add_present(row, m, t, i, coef);
        break;
    case READERS:
        add_readers(row, m, t, i, coef);
        break;
    case STORED:
        add_stored(row, m, t, i, coef);
        break;
    case RELEASED:
        cert_row_add_released(row, m, t, i, t, coef);
        break;
    case FETCHED: /* a page-in, of use in a later stage */
        add_cell(row, m, CERT_IN, t, i, t + 1 < m->n ? coef : 0);
        break;
    default:
        add_cell(row, m, (cert_kind)what, t, i, coef);
    }
}

static bool make_cell_row(const cert_model *m, cert_row_kind kind, int t, int i, cert_row *row)
{
    if (kind == CERT_ROW_LATE) {
        make_late(row, m, t, i);
        return t + 1 < m->n && m->workspace[i] == 0;
    }
    const row_part *part = cell_row[kind].part;
    const bool exists = part->rules != 0 && (kind != CERT_ROW_OUT_FIRST || t > i + 1) &&
                        (kind != CERT_ROW_TWICE || !m->canonical);
    row->rhs = cell_row[kind].rhs;
    for (; part->exchanges != 0 || part->rules != 0; part++) {
        const double coef = m->canonical ? part->exchanges : part->rules;
        if (coef != 0)
            add_part(row, m, part->what, t + part->later, i, coef);
    }
    return exists;
}

bool cert_row_make(const cert_model *m, cert_key key, bool plain, cert_row *row)
{
    if (!m->canonical && cert_row_names[key.kind].canonical)
        return false;
    int t = key.t, i = key.i, k = key.k, n = m->n;
    bool stage = t >= 0 && t < n, tensor = i >= 0 && i < n, cell = stage && i >= 0 && i < t;
    cert_row_reset(row);
    switch (key.kind) {
    case CERT_ROW_INPUT:
        if (!stage || !tensor || k > t || graph_edge(m->g, i, k) < 0)
            return false;
        cert_row_add_computed(row, m, t, k, 1);
        cert_row_add_released(row, m, t, i, k, 1);
        add_present(row, m, t, i, -1);
        return true;
    case CERT_ROW_FREE_USE:
        if (!cell || (k >= 0 && (k >= t || graph_edge(m->g, i, k) < 0)) ||
            (k < 0 && early(m, t, i) < 0))
            return false;
        cert_row_add(row, k < 0 ? early(m, t, i) : cert_free(m, t, graph_edge(m->g, i, k)), 1);
        add_cell(row, m, k < 0 ? CERT_OUT : CERT_R, t, k < 0 ? i : k, -1);
        return true;
    case CERT_ROW_OUT_ONCE:
        row->rhs = 1;
        if (tensor && i + 1 < n)
            add_cell(row, m, CERT_C, i + 1, i, 1);
        for (int s = i + 2; tensor && s < n; s++)
            add_cell(row, m, CERT_OUT, s, i, 1);
        return tensor;
    case CERT_ROW_COMPUTATIONS:
        row->rhs = m->p->max_computations - 1;
        for (int s = i + 1; tensor && s < n; s++)
            add_cell(row, m, CERT_R, s, i, 1);
        return tensor && problem_limits_computations(m->p);
    case CERT_ROW_LOAD:
        if (!stage)
            return false;
        row->equality = !plain;
        if (plain)
            row->rhs = (double)m->budget;
        else
            cert_row_add(row, cert_load(m, t), -1);
        for (int u = 0; u < t; u++)
            cert_row_add_resident(row, m, t, u, (double)m->bytes[u]);
        return true;
    case CERT_ROW_MEMORY:
        if (stage && k >= 0 && k <= t)
            make_memory(row, m, t, k, plain);
        return stage && k >= 0 && k <= t;
    case CERT_ROW_DEADLINE:
        make_deadline(row, m);
        return isfinite(m->slack_seconds);
    default:
        return cell && make_cell_row(m, key.kind, t, i, row);
    }
}
