/* Checks that a row of canonical schedules holds wherever the exchange that justifies it has
 * nothing to change. */
#include "certificate/exchange.h"

#include <math.h>

/* A row with one term for each cell. */
typedef struct terms {
    const cert_model *m;
    cert_row *row;
    double most; /* largest value of the left side, where C and P of a stage are not both 1 */
} terms;

static double coefficient(const terms *x, int col)
{
    for (int k = 0; col >= 0 && k < x->row->count; k++)
        if (x->row->col[k] == col)
            return x->row->coef[k];
    return 0;
}

static terms terms_of(const cert_model *m, cert_row *row)
{
    terms x = {m, row, 0};
    const int count = row->count, cells = m->n * m->n;
    row->count = 0;
    for (int k = 0; k < count; k++) {
        int at = 0;
        while (at < row->count && row->col[at] != row->col[k])
            at++;
        const double sum = row->coef[k] + (at < row->count ? row->coef[at] : 0);
        row->col[at] = row->col[k];
        row->coef[at] = sum;
        row->count += at == row->count;
    }
    for (int k = 0; k < row->count; k++) {
        const int kind = row->col[k] / cells, place = row->col[k] % cells;
        double value = fmax(row->coef[k], 0);
        if (kind == CERT_P) /* C is counted where its own turn comes */
            value = fmax(value - fmax(coefficient(&x, CERT_C * cells + place), 0), 0);
        x.most += value;
    }
    return x;
}

/* The row holds where the cell is 0. */
static bool holds_at_zero(const terms *x, cert_kind kind, int t, int i)
{
    return x->most - coefficient(x, cert_cell(x->m, kind, t, i)) <= x->row->rhs;
}

/* The row holds where the cell is 1. */
static bool holds_at_one(const terms *x, cert_kind kind, int t, int i)
{
    const int col = cert_cell(x->m, kind, t, i);
    return col < 0 || x->most + coefficient(x, col) <= x->row->rhs;
}

static bool holds_at_kept(const terms *x, int t, int i)
{
    return holds_at_one(x, CERT_C, t, i) && holds_at_one(x, CERT_P, t, i);
}

static bool holds_at_users(const terms *x, int t, int i, int below)
{
    const graph *g = x->m->g;
    bool good = true;
    for (int e = g->user_start[i]; e < g->user_start[i + 1] && g->user[e] < below; e++)
        if (g->user[e] < t)
            good = good && holds_at_one(x, CERT_R, t, g->user[e]);
        else if (g->user[e] == t) /* it is computed for certain, so the row has to hold anyway */
            good = good && x->most <= x->row->rhs;
    return good;
}

/* Adds, for each input, its sources less S of the next stage; these sums are not negative. */
static void add_sources(const cert_model *m, int t, int i, cert_row *row)
{
    const graph *g = m->g;
    for (int q = g->input_start[i]; q < g->input_start[i + 1]; q++) {
        const int u = g->input[q];
        cert_row_add_resident(row, m, t, u, 1);
        cert_row_add(row, cert_cell(m, CERT_R, t, u), 1);
        cert_row_add(row, cert_cell(m, CERT_IN, t, u), 1);
        cert_row_add_resident(row, m, t + 1, u, -1);
    }
}

static bool late_holds(const terms *x, int t, int i)
{
    const graph *g = x->m->g;
    bool good = true;
    for (int q = g->input_start[i]; q < g->input_start[i + 1]; q++)
        good = good && holds_at_one(x, CERT_OUT, t + 1, g->input[q]) &&
               holds_at_users(x, t + 1, g->input[q], i);
    return good && holds_at_zero(x, CERT_R, t, i) && holds_at_users(x, t, i, x->m->n) &&
           holds_at_one(x, CERT_OUT, t + 1, i) && x->m->workspace[i] == 0 && t + 1 < x->m->n;
}

/* True if one term alone is at most the right side. */
static bool holds_for_each_term(const terms *x)
{
    bool good = x->row->rhs >= 0;
    for (int k = 0; k < x->row->count; k++)
        good = good && coefficient(x, x->row->col[k]) <= x->row->rhs;
    return good;
}

/* True if the row holds wherever the exchange of its kind has nothing to change. */
static bool holds_without_faults(const terms *x, cert_key key)
{
    const int t = key.t, i = key.i;
    switch (key.kind) {
    case CERT_ROW_USED_R:
        return holds_at_zero(x, CERT_R, t, i) && holds_at_users(x, t, i, x->m->n) &&
               holds_at_kept(x, t + 1, i);
    case CERT_ROW_USED_S:
        return x->most - fmax(coefficient(x, cert_cell(x->m, CERT_C, t, i)),
                              coefficient(x, cert_cell(x->m, CERT_P, t, i))) <=
                   x->row->rhs &&
               holds_at_users(x, t, i, x->m->n) && holds_at_kept(x, t + 1, i) &&
               holds_at_one(x, CERT_OUT, t, i);
    case CERT_ROW_USED_IN:
        return holds_at_zero(x, CERT_IN, t, i) && holds_at_users(x, t + 1, i, x->m->n);
    case CERT_ROW_OUT_FIRST:
        return holds_at_zero(x, CERT_OUT, t, i) && holds_at_one(x, CERT_R, t - 1, i) && t > i + 1;
    case CERT_ROW_STORED_IN:
        return holds_at_zero(x, CERT_IN, t, i) && holds_at_one(x, CERT_P, t + 1, i);
    case CERT_ROW_OUT_FROM:
        return holds_at_zero(x, CERT_OUT, t, i) && holds_at_one(x, CERT_C, t, i);
    case CERT_ROW_LATE:
        return late_holds(x, t, i);
    default:
        return holds_for_each_term(x);
    }
}

bool cert_exchange_covers(const cert_model *m, cert_key key, cert_row *row)
{
    if (key.kind == CERT_ROW_LATE)
        add_sources(m, key.t, key.i, row);
    const terms x = terms_of(m, row);
    return holds_without_faults(&x, key);
}
