/* Makes the points: the oracle's schedules with random changes for proofs by the rules, and the
 * least solutions of an integer model in the order of docs/formulation.md for canonical ones. */
#include "tests/certificate/witness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bnb/bnb.h"
#include "tests/certificate/owned.h"
#include "tests/certificate/steps.h"
#include "tests/lp/owned.h"
#include "tests/oracle/draw.h"
#include "tests/oracle/oracle.h"

static bool computed(const schedule *s, int t, int i)
{
    return s->R[schedule_cell(s, t, i)];
}

static bool held(const schedule *s, int t, int i)
{
    return t < s->n && i < t && s->S[schedule_cell(s, t, i)];
}

/* The last user of i that is computed in stage t; -1: none. */
static int last_user(const graph *g, const schedule *s, int t, int i)
{
    int last = -1;
    for (int e = g->user_start[i]; e < g->user_start[i + 1] && g->user[e] <= t; e++)
        if (computed(s, t, g->user[e]))
            last = g->user[e];
    return last;
}

/* ---- the point of a schedule ------------------------------------------------------------- */

/* S by origin: where both are possible by chance. */
static void set_residency(witness *w, const schedule *s, int t, int i, base_rng *rng)
{
    const cert_model *m = w->m;
    const bool c = t == i + 1 || w->x[cert_cell(m, CERT_C, t - 1, i)] > 0 || computed(s, t - 1, i);
    const bool p = t > i + 1 &&
                   (w->x[cert_cell(m, CERT_P, t - 1, i)] > 0 || s->In[schedule_cell(s, t - 1, i)]);
    const bool paged = p && (!c || (!m->canonical && draw_chance(rng, 50)));
    w->x[cert_cell(m, paged ? CERT_P : CERT_C, t, i)] = 1;
}

static void set_releases(witness *w, const schedule *s, int t, int i)
{
    const cert_model *m = w->m;
    const graph *g = m->g;
    const int last = last_user(g, s, t, i);
    if (held(s, t + 1, i) || !(held(s, t, i) || computed(s, t, i)))
        return;
    for (int e = g->user_start[i]; e < g->user_start[i + 1] && g->user[e] < t; e++)
        w->x[cert_free(m, t, e)] = g->user[e] == last;
    const bool early = m->canonical && m->p->allow_remat && t > i + 1 && last < 0;
    if (early && s->Out[schedule_cell(s, t, i)])
        w->x[cert_cell(m, CERT_EARLY, t, i)] = 1;
}

static witness *make(const problem *p, cert_trust trust, const schedule *s, base_rng *rng)
{
    witness *w = base_calloc(1, sizeof *w);
    w->m = cert_model_create(p, trust, NULL);
    cert_model *m = w->m;
    const graph *g = p->graph;
    long double overhead = 0; /* sums of any doubles round */
    w->x = base_calloc((size_t)m->cols, sizeof *w->x);
    for (int t = 0; t < m->n; t++)
        for (int i = 0; i < t; i++) {
            const size_t cell = schedule_cell(s, t, i);
            w->x[cert_cell(m, CERT_R, t, i)] = s->R[cell];
            w->x[cert_cell(m, CERT_IN, t, i)] = s->In[cell];
            w->x[cert_cell(m, CERT_OUT, t, i)] = s->Out[cell];
            if (s->S[cell])
                set_residency(w, s, t, i, rng);
            if (!m->canonical)
                w->x[cert_cell(m, CERT_TWICE, t, i)] = s->S[cell] && s->R[cell];
            set_releases(w, s, t, i);
            w->x[cert_load(m, t)] += s->S[cell] ? (double)m->bytes[i] : 0;
            overhead += (long double)s->R[cell] * g->joules[i] +
                        (long double)s->In[cell] * g->pagein_joules[i] +
                        (long double)s->Out[cell] * g->pageout_joules[i];
        }
    w->overhead_joules = (double)overhead;
    cert_settle(m);
    return w;
}

void witness_free(witness *w)
{
    if (!w)
        return;
    cert_model_free(w->m);
    base_free_all(w->x, w);
}

/* ---- schedules by the rules --------------------------------------------------------------- */

/* Changes cells at random where the schedule stays one. */
static void disturb(const problem *p, schedule *s, base_rng *rng)
{
    uint8_t *const matrix[] = {s->R, s->S, s->S, s->A, s->A, s->In, s->Out};
    for (int k = 0; k < 60 * s->n; k++) {
        const int t = (int)base_rng_below(rng, (uint64_t)s->n);
        if (t == 0)
            continue;
        uint8_t *cell = &matrix[base_rng_below(rng, 7)]
                               [schedule_cell(s, t, (int)base_rng_below(rng, (uint64_t)t))];
        *cell ^= 1;
        if (schedule_validate(p, s, NULL, NULL))
            *cell ^= 1;
    }
}

witness *witness_by_rules(const problem *p, uint64_t seed)
{
    base_rng rng = {seed};
    const graph *g = p->graph;
    const size_t bytes = (size_t)g->n * sizeof(double);
    double *const cost[3] = {g->joules, g->pagein_joules, g->pageout_joules}, *kept[3];
    for (int k = 0; k < 3; k++) {
        kept[k] = memcpy(base_malloc(bytes, 1), cost[k], bytes);
        for (int i = 0; i < g->n && draw_chance(&rng, 70); i++)
            cost[k][i] = (double)base_rng_below(&rng, draw_chance(&rng, 50) ? 4 : 80) / 8;
    }
    oracle_result o = oracle_solve(p);
    for (int k = 0; k < 3; k++) {
        memcpy(cost[k], kept[k], bytes);
        base_free(kept[k]);
    }
    if (!o.schedule)
        return NULL;
    if (draw_chance(&rng, 80))
        disturb(p, o.schedule, &rng);
    witness *w = make(p, CERT_RULES, o.schedule, &rng);
    schedule_free(o.schedule);
    return w;
}

/* ---- canonical ones ------------------------------------------------------------------------ */

/* Weights of the order: a sum of stages of page-outs, a tensor in RAM, an action, 1/8 J. */
enum { STAGE = 1, RESIDENT = 128, ACTION = 4096, EIGHTH = 1 << 18 };

static double weight(const cert_model *m, int col)
{
    const int block = m->n * m->n;
    if (!cert_is_cell(m, col))
        return 0;
    const int kind = col / block, t = col % block / m->n;
    if (kind == (int)CERT_C || kind == (int)CERT_P)
        return RESIDENT;
    return EIGHTH * 8 * cert_cost(m, col) + ACTION + (kind == (int)CERT_OUT ? STAGE * t : 0);
}

/* Early releases are granted: E = 1 asks for a page-out, no use and no keeping. */
static void grant(const cert_model *m, lp_model *lp, cert_row *row, int t, int i)
{
    const int early = cert_cell(m, CERT_EARLY, t, i);
    const graph *g = m->g;
    cert_row_reset(row);
    cert_row_add(row, early, 1);
    cert_row_add(row, cert_cell(m, CERT_OUT, t, i), -1);
    steps_add_row(m, lp, row);
    cert_row_reset(row);
    row->rhs = 1;
    cert_row_add(row, early, 1);
    cert_row_add_resident(row, m, t + 1, i, 1);
    steps_add_row(m, lp, row);
    for (int e = g->user_start[i]; e < g->user_start[i + 1] && g->user[e] <= t; e++) {
        cert_row_reset(row);
        row->rhs = 1;
        cert_row_add(row, early, 1);
        cert_row_add_computed(row, m, t, g->user[e], 1);
        steps_add_row(m, lp, row);
    }
}

static lp_model *granting_model(const cert_model *m)
{
    lp_model *lp = steps_columns(m);
    OWNED(cert_row) row = {0};
    for (int col = 0; col < m->cols; col++) {
        lp->cost[col] = weight(m, col);
        lp->integer[col] = cert_is_cell(m, col);
    }
    int keys;
    cert_key *key = steps_keys(m, &keys);
    for (int k = 0; k < keys; k++) {
        if (!cert_row_make(m, key[k], false, &row))
            continue;
        for (int t = key[k].t, i = 0; key[k].kind == CERT_ROW_MEMORY && i < t - 1; i++)
            cert_row_add(&row, cert_cell(m, CERT_EARLY, t, i), -(double)m->bytes[i]);
        steps_add_row(m, lp, &row);
    }
    for (int t = 0; t < m->n; t++)
        for (int i = 0; i < t; i++) {
            lp->upper[cert_cell(m, CERT_EARLY, t, i)] = t > i + 1;
            if (t > i + 1)
                grant(m, lp, &row, t, i);
        }
    base_free(key);
    return lp;
}

/* Cells as a schedule; the storage keeps everything. */
static schedule *schedule_of(const cert_model *m, const double *x)
{
    schedule *s = schedule_create(m->n);
    for (int t = 0; t < m->n; t++)
        for (int i = 0; i < t; i++) {
            const size_t cell = schedule_cell(s, t, i);
            s->R[cell] = x[cert_cell(m, CERT_R, t, i)] > 0.5;
            s->S[cell] = x[cert_cell(m, CERT_C, t, i)] + x[cert_cell(m, CERT_P, t, i)] > 0.5;
            s->In[cell] = x[cert_cell(m, CERT_IN, t, i)] > 0.5;
            s->Out[cell] = x[cert_cell(m, CERT_OUT, t, i)] > 0.5;
        }
    return s;
}

witness *witness_canonical(const problem *p)
{
    enum { NODES = 20000 };
    base_rng rng = {1};
    OWNED(cert_model) *m = cert_model_create(p, CERT_RULES, NULL);
    witness *w = NULL;
    cert_settle(m);
    bnb_params params = bnb_params_default();
    params.feasibility = 1e-9;
    params.node_limit = NODES;
    OWNED(lp_model) *lp = granting_model(m);
    bnb_result r = bnb_solve(lp, &params, NULL);
    if (r.status == BNB_OPTIMAL && r.has_solution) {
        OWNED(schedule) *s = schedule_of(m, r.x);
        w = make(p, CERT_EXCHANGES, s, &rng);
    }
    bnb_result_clear(&r);
    return w;
}

/* ---- what is said of it --------------------------------------------------------------------- */

static const char *row_fault(const witness *w, const cert_row *row, const char *what)
{
    static char text[80];
    long double sum = 0, size = fabs(row->rhs);
    for (int e = 0; e < row->count; e++) {
        sum += (long double)row->coef[e] * w->x[row->col[e]];
        size += fabsl((long double)row->coef[e] * w->x[row->col[e]]);
    }
    const long double over = sum - row->rhs;
    if (over <= 1e-15L * size && (!row->equality || over == 0))
        return NULL;
    snprintf(text, sizeof text, "%s: %s", w->m->canonical ? "canonical" : "rules", what);
    return text;
}

static const char *named_rows_fault(const witness *w)
{
    static char name[80];
    const char *fault = NULL;
    OWNED(cert_row) row = {0};
    int keys;
    cert_key *key = steps_keys(w->m, &keys);
    for (int k = 0; k < keys && !fault; k++)
        for (int plain = 0; plain < 2 && !fault; plain++)
            if (cert_row_make(w->m, key[k], plain, &row)) {
                snprintf(name, sizeof name, "row %s %d %d %d", cert_row_names[key[k].kind].word,
                         key[k].t, key[k].i, key[k].k);
                fault = row_fault(w, &row, name);
            }
    base_free(key);
    return fault;
}

const char *witness_rows_fault(const witness *w, uint64_t seed)
{
    base_rng rng = {seed};
    const cert_model *m = w->m;
    OWNED(cert_row) row = {0};
    const char *fault = m->empty ? "nothing is left" : steps_cells_fault(m, m->value, w->x);
    if (!fault)
        fault = named_rows_fault(w);
    for (int k = 0; k < 40 && !fault; k++) {
        OWNED(cert_cut) cut = {0};
        if (steps_draw_cut(m, &rng, &cut)) {
            cert_cut_row(m, &cut, &row);
            fault = row_fault(w, &row, cut.source ? "a source cut" : "an event cut");
        }
    }
    return fault;
}

const char *witness_steps_fault(const witness *w, uint64_t seed)
{
    return steps_fault(w->m->p, w->m->canonical ? CERT_EXCHANGES : CERT_RULES, w->x,
                       w->overhead_joules, seed);
}

static bool costs_are_eighths(const graph *g)
{
    for (int i = 0; i < g->n; i++)
        for (int k = 0; k < 3; k++) {
            const double cost = k == 0   ? g->joules[i]
                                : k == 1 ? g->pagein_joules[i]
                                         : g->pageout_joules[i];
            if (cost > 1000 || cost * 8 != floor(cost * 8))
                return false;
        }
    return true;
}

const char *witness_fault(const problem *p, uint64_t seed, long witnesses[CERT_TRUSTS])
{
    const bool canonical = p->graph->n <= WITNESS_NODES && costs_are_eighths(p->graph);
    const char *fault = NULL;
    for (int k = 0; k < 4 && !fault; k++) {
        if (k == 3 && !canonical)
            break;
        OWNED(witness) *w =
            k < 3 ? witness_by_rules(p, 4 * seed + (uint64_t)k) : witness_canonical(p);
        if (!w)
            continue;
        witnesses[w->m->canonical]++;
        fault = witness_rows_fault(w, seed);
        for (uint64_t j = 0; j < 2 && !fault; j++)
            fault = witness_steps_fault(w, 2 * seed + j);
    }
    return fault;
}
