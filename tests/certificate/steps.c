/* Draws steps of every kind on a proof whose claim a known point contradicts, and notices when a
 * step loses that point. */
#include "tests/certificate/steps.h"

#include <math.h>
#include <stdio.h>

#include "certificate/proof_internal.h"
#include "lp/simplex.h"
#include "tests/certificate/owned.h"
#include "tests/certificate/roundings.h"
#include "tests/lp/owned.h"

static int below(base_rng *rng, int bound)
{
    return (int)base_rng_below(rng, (uint64_t)bound);
}

cert_key *steps_keys(const cert_model *m, int *count)
{
    const int n = m->n;
    cert_key *key =
        base_malloc((size_t)CERT_ROW_KINDS * (size_t)n * (size_t)n * ((size_t)n + 1), sizeof *key);
    *count = 0;
    for (int kind = 0; kind < (int)CERT_ROW_TOTAL; kind++) { /* behind it: of proofs */
        const cert_row_name *name = &cert_row_names[kind];
        for (int t = 0; t < (name->t ? n : 1); t++)
            for (int i = 0; i < (name->i ? n : 1); i++)
                for (int k = -1; k < (name->k ? n : 0); k++)
                    key[(*count)++] = (cert_key){(cert_row_kind)kind, t, i, k};
    }
    return key;
}

/* ---- the linear program of all rows -------------------------------------------------------- */

lp_model *steps_columns(const cert_model *m)
{
    lp_model *lp = lp_model_create();
    for (int col = 0; col < m->cols; col++) {
        cert_factor factor[2];
        double low = 0, high = col >= cert_load(m, 0) ? (double)m->budget : 1;
        if (cert_is_cell(m, col) && m->value[m->same[col]] != CERT_OPEN)
            low = high = m->value[m->same[col]];
        for (int k = cert_factors(m, col, factor) - 1; k >= 0; k--) {
            const int *cell = factor[k].cell;
            bool some = false;
            for (int c = 0; c < 2 && cell[c] >= 0; c++)
                some = some || m->value[m->same[cell[c]]] != 0;
            high = some ? high : 0;
        }
        lp_model_add_col(lp, cert_cost(m, col), low, high, false, 0, NULL, NULL, NULL);
    }
    return lp;
}

void steps_add_row(const cert_model *m, lp_model *lp, const cert_row *row)
{
    double *dense = base_calloc((size_t)m->cols, sizeof *dense);
    int *col = base_malloc((size_t)m->cols, sizeof *col), start[2] = {0, 0};
    double *value = base_malloc((size_t)m->cols, sizeof *value);
    const double low = row->equality ? row->rhs : -INFINITY;
    for (int e = 0; e < row->count; e++)
        dense[m->same[row->col[e]]] += row->coef[e];
    for (int c = 0; c < m->cols; c++)
        if (dense[c] != 0) {
            col[start[1]] = c;
            value[start[1]++] = dense[c];
        }
    lp_model_add_rows(lp, 1, &low, &row->rhs, start, col, value, NULL);
    base_free_all(dense, col, value);
}

/* ---- cuts ------------------------------------------------------------------------------------ */

static bool reads(const graph *g, int k, int i)
{
    for (int q = g->input_start[k]; q < g->input_start[k + 1]; q++)
        if (g->input[q] == i)
            return true;
    return false;
}

/* The right side is the least that is taken. */
static bool tighten(const cert_model *m, cert_cut *cut)
{
    int64_t bad = -1, good = 0;
    for (int j = 0; j < cut->count; j++)
        good += (cut->coef[j] > 0 ? cut->coef[j] : 0) +
                (cut->made && cut->made[j] > 0 ? cut->made[j] : 0);
    cut->rhs = bad;
    if (!cert_cut_fault(m, cut))
        return true;
    while (good - bad > 1) {
        cut->rhs = bad + (good - bad) / 2;
        if (cert_cut_fault(m, cut))
            bad = cut->rhs;
        else
            good = cut->rhs;
    }
    cut->rhs = good;
    return !cert_cut_fault(m, cut);
}

static bool draw_event(const cert_model *m, base_rng *rng, cert_cut *cut)
{
    cut->t = 1 + below(rng, m->n - 1);
    cut->k = below(rng, 3) == 0 ? cut->t : below(rng, cut->t + 1);
    cut->conditional = cut->k < cut->t && below(rng, 2);
    cut->tensor = base_malloc((size_t)m->n, sizeof *cut->tensor);
    cut->coef = base_malloc((size_t)m->n, sizeof *cut->coef);
    if (!m->canonical)
        cut->made = base_malloc((size_t)m->n, sizeof *cut->made);
    const bool certain = cut->conditional || cut->k == cut->t, sizes = below(rng, 2);
    for (int i = 0; i < cut->t; i++) {
        const bool node = cut->conditional && i == cut->k;
        if ((certain && !node && (i == cut->k || reads(m->g, cut->k, i))) || below(rng, 4) == 0)
            continue;
        cut->tensor[cut->count] = i;
        cut->coef[cut->count] = sizes ? m->bytes[i] % 1000 : below(rng, 12) - 2;
        if (cut->made)
            cut->made[cut->count] = sizes ? m->bytes[i] % 1000 : below(rng, 12) - 2;
        cut->count++;
    }
    return tighten(m, cut);
}

static bool draw_source(const cert_model *m, base_rng *rng, cert_cut *cut)
{
    const graph *g = m->g;
    cut->source = true;
    cut->kept = below(rng, 2);
    cut->stored = (unsigned)below(rng, 1 << CERT_PATH);
    cut->k = below(rng, m->n - 1);
    cut->t = cut->k + 1 + below(rng, m->n - cut->k - 1);
    cut->last = cut->t + below(rng, m->n - cut->t);
    cut->tensor = base_malloc(CERT_PATH, sizeof *cut->tensor);
    for (int v = cut->k; cut->count < CERT_PATH && g->input_start[v] < g->input_start[v + 1];) {
        v = g->input[g->input_start[v] + below(rng, g->input_start[v + 1] - g->input_start[v])];
        cut->tensor[cut->count++] = v;
        if (below(rng, 3) == 0)
            break;
    }
    return !cert_cut_fault(m, cut);
}

bool steps_draw_cut(const cert_model *m, base_rng *rng, cert_cut *cut)
{
    if (m->n < 2)
        return false;
    return m->canonical && below(rng, 2) ? draw_source(m, rng, cut) : draw_event(m, rng, cut);
}

enum { MOST_TOTALS = 6 };

/* ---- multipliers ----------------------------------------------------------------------------- */

typedef struct run {
    const double *x;
    base_rng rng;
    cert_proof *proof;
    double scale;
    int node; /* with x in it; -1: x is in the second case */
    cert_key *key;
    double *dual; /* of the linear program of all rows, or 0; extent keys */
    int keys;
    cert_multiplier *y;
    int count;
    bool wrong_signs; /* of multipliers, which the checker refuses */
    bool lost;        /* a rounded cut does not hold for x */
} run;

/* Multipliers that prove as much as all rows can at the root. */
static void solve_rows(run *r)
{
    const cert_model *m = r->proof->m;
    OWNED(cert_row) row = {0};
    OWNED(lp_model) *lp = steps_columns(m);
    for (int k = 0; k < r->keys; k++) {
        if (!cert_row_make(m, r->key[k], false, &row))
            cert_row_reset(&row);
        steps_add_row(m, lp, &row);
    }
    OWNED(lp_solver) *solver = lp_solver_create(lp, NULL);
    const lp_status status = lp_solve(solver);
    for (int k = 0; k < r->keys; k++)
        r->dual[k] = status == LP_OPTIMAL ? -r->scale * lp_dual(solver)[k] : 0;
}

static void add_multiplier(run *r, cert_key key, double y)
{
    const number exact = number_of(ldexp(rint(ldexp(y, 40)), -40));
    const bool cut = key.kind == CERT_ROW_KINDS;
    if (exact.mantissa == 0 ||
        (exact.mantissa < 0 && !cert_row_is_equality(key.kind) && !r->wrong_signs))
        return;
    r->y[r->count++] = (cert_multiplier){cut ? key.i : -1, key, exact, number_of(0)};
}

/* A row that there is; a cut or the case now and then. */
static cert_key draw_key(run *r)
{
    OWNED(cert_row) row = {0};
    for (;;) {
        cert_key key = r->key[below(&r->rng, r->keys)];
        if (r->proof->cuts > 0 && below(&r->rng, 5) == 0)
            key = (cert_key){CERT_ROW_KINDS, -1, below(&r->rng, r->proof->cuts), -1};
        else if (r->proof->totals > 0 && below(&r->rng, 5) == 0)
            key = (cert_key){CERT_ROW_TOTAL, -1, below(&r->rng, r->proof->totals), -1};
        else if (below(&r->rng, 10) == 0)
            key = (cert_key){CERT_ROW_CASE, -1, -1, -1};
        const bool cut = key.kind == CERT_ROW_KINDS;
        const bool there =
            cut || key.kind == CERT_ROW_TOTAL ||
            (key.kind == CERT_ROW_CASE ? cert_proof_has_case_row(r->proof)
                                       : cert_row_make(r->proof->m, key, true, &row));
        if (there)
            return key;
    }
}

static void draw_multipliers(run *r)
{
    static const double factors[] = {0.5, 1, 1, 1, 2};
    const int drop = below(&r->rng, 3) == 0 ? 30 : 0, extra = below(&r->rng, 4);
    const double factor = factors[below(&r->rng, 5)];
    r->count = 0;
    r->wrong_signs = below(&r->rng, 10) == 0;
    for (int k = 0; k < r->keys && below(&r->rng, 6) > 0; k++)
        if (below(&r->rng, 100) >= drop)
            add_multiplier(r, r->key[k], factor * r->dual[k]);
    for (int k = 0; k < extra * extra; k++)
        add_multiplier(r, draw_key(r),
                       r->scale * (below(&r->rng, 5) == 0 ? -1 : 1) * below(&r->rng, 32) / 8);
}

/* ---- steps ------------------------------------------------------------------------------------
 */

const char *steps_cells_fault(const cert_model *m, const int8_t *value, const double *x)
{
    static char text[80];
    for (int t = 0; t < m->n; t++)
        for (int i = 0; i < t; i++)
            for (int kind = 0; kind < (int)CERT_CELLS; kind++) {
                const int col = cert_cell(m, (cert_kind)kind, t, i), same = m->same[col];
                const bool right = value[same] == CERT_OPEN || value[same] == x[col];
                snprintf(text, sizeof text, "cell %s %d %d", cert_cell_word[kind], t, i);
                if (!right || x[same] != x[col])
                    return text;
            }
    return NULL;
}

/* The node that has x is open, and its cells allow x. */
static const char *survival(run *r)
{
    cert_proof *p = r->proof;
    if (r->lost)
        return "a rounded cut loses the witness";
    if (r->node < 0)
        return NULL;
    if (p->node[r->node].closed || cert_idle(p, r->node))
        return "the node with the witness closes";
    for (int k = 0; k < p->totals; k++) {
        const double value = rounding_value(p, r->x, cert_total_column(p, k));
        if (value < (double)p->total[k].now.low || value > (double)p->total[k].now.high)
            return "a total loses the value of the witness";
    }
    return steps_cells_fault(p->m, p->value, r->x);
}

static int draw_cell(run *r)
{
    const int t = 1 + below(&r->rng, r->proof->m->n - 1);
    return cert_cell(r->proof->m, (cert_kind)below(&r->rng, CERT_CELLS), t, below(&r->rng, t));
}

static void step_branch(run *r, int node, int col)
{
    int first;
    if (!cert_proof_branch(r->proof, node, col, 0, &first) && node == r->node)
        r->node = first + (r->x[col] > 0);
}

static void step_first_case(run *r)
{
    int cell[12], count = below(&r->rng, 12);
    bool second = false;
    for (int k = 0; k < count; k++) {
        cell[k] = draw_cell(r);
        second = second || r->x[cell[k]] > 0;
    }
    if (!cert_proof_first_case(r->proof, cell, count) && second)
        r->node = -1;
}

/* As if all nodes had been closed. */
static void step_second_case(run *r)
{
    cert_proof *p = r->proof;
    if (r->node >= 0 || cert_proof_open_case(p) < 0)
        return;
    for (int k = 0; k < p->nodes; k++)
        cert_close(p, k);
    if (!cert_proof_next_case(p))
        r->node = 0;
}

/* A few rows, often those of one tensor, whose coefficients are small; or bytes. */
static void step_round(run *r)
{
    const int rows = 1 + below(&r->rng, 5);
    const bool bytes = below(&r->rng, 5) == 0;
    r->count = 0;
    for (int k = 0; k < 40 && r->count < rows; k++) {
        cert_key key = draw_key(r);
        const bool large = key.kind == CERT_ROW_MEMORY || key.kind == CERT_ROW_LOAD ||
                           key.kind == CERT_ROW_DEADLINE;
        const bool cut = key.kind == CERT_ROW_KINDS;
        double y = (double)(below(&r->rng, 33) - 16) / 8;
        if (large && !bytes)
            continue;
        if (large)
            y = ldexp(y, -below(&r->rng, 8));
        r->y[r->count++] = (cert_multiplier){cut ? key.i : -1, key, number_of(y), number_of(0)};
    }
    const int cut = rounding_draw(r->proof, r->y, r->count, &r->rng);
    r->lost = r->lost || (cut >= 0 && r->node >= 0 && !rounding_holds(r->proof, cut, r->x));
}

/* ---- totals --------------------------------------------------------------------------------- */

static void step_total(run *r)
{
    const int n = r->proof->m->n;
    cert_total total = {.kind = (cert_kind)below(&r->rng, CERT_CELLS)};
    total.tensor = base_malloc((size_t)n, sizeof *total.tensor);
    total.weight = base_malloc((size_t)n, sizeof *total.weight);
    const int most = 1 + below(&r->rng, 4), part = 1 + below(&r->rng, 4);
    for (int i = 0; i < n; i++)
        if (below(&r->rng, part) == 0) {
            total.weight[total.count] = 1 + below(&r->rng, most);
            total.tensor[total.count++] = i;
        }
    cert_proof_total(r->proof, &total);
}

/* A number of a total, and a value near what it is at x; false: there is none. */
static bool draw_total(run *r, int *k, int64_t *value)
{
    if (r->proof->totals == 0)
        return false;
    *k = below(&r->rng, r->proof->totals);
    *value = (int64_t)rounding_value(r->proof, r->x, cert_total_column(r->proof, *k)) +
             below(&r->rng, 5) - 2;
    return true;
}

static void step_split(run *r, int node)
{
    int64_t value;
    int k, first;
    if (!draw_total(r, &k, &value) ||
        cert_proof_branch(r->proof, node, r->proof->m->cols + k, value, &first) || node != r->node)
        return;
    r->node =
        first + (rounding_value(r->proof, r->x, cert_total_column(r->proof, k)) > (double)value);
}

static void step_probe_total(run *r, int node)
{
    int64_t value;
    int k;
    if (draw_total(r, &k, &value))
        (void)cert_proof_probe(r->proof, node, r->proof->m->cols + k, below(&r->rng, 2), value,
                               r->y, r->count);
}

/* Multipliers of a few totals alone, which say how far each may go. */
static void weigh_totals(run *r)
{
    for (int k = 0; k < r->proof->totals; k++)
        if (below(&r->rng, 2))
            add_multiplier(r, (cert_key){CERT_ROW_TOTAL, -1, k, -1},
                           r->scale * (below(&r->rng, 33) - 16) / 8);
}

/* One step, mostly where x is. */
static void step(run *r)
{
    cert_proof *p = r->proof;
    const int node = r->node >= 0 && below(&r->rng, 4) ? r->node : below(&r->rng, p->nodes);
    const char *fault;
    cert_cut cut = {0};
    cert_key key;
    draw_multipliers(r);
    if (below(&r->rng, 3) == 0)
        weigh_totals(r);
    switch (below(&r->rng, 20)) {
    case 0:
    case 1:
        (void)cert_proof_reduce(p, node, r->y, r->count);
        break;
    case 2:
    case 3:
        (void)cert_proof_probe(p, node, draw_cell(r), below(&r->rng, 2), 0, r->y, r->count);
        break;
    case 4:
        (void)cert_proof_leaf(p, node, r->y, r->count);
        break;
    case 5:
        if (steps_draw_cut(p->m, &r->rng, &cut))
            (void)cert_proof_cut(p, &cut, &fault);
        cert_cut_clear(&cut);
        break;
    case 6:
        (void)cert_proof_propagate(p, node, NULL);
        break;
    case 7:
        if (below(&r->rng, 2))
            step_branch(r, node, draw_cell(r));
        break;
    case 8:
        if (below(&r->rng, 2))
            step_first_case(r);
        else
            step_second_case(r);
        break;
    case 9:
        (void)cert_proof_leaf_schedule(p, node);
        break;
    case 10:
    case 11:
    case 12:
    case 13:
        step_round(r);
        break;
    case 14:
        if (p->totals < MOST_TOTALS)
            step_total(r);
        break;
    case 15:
        if (below(&r->rng, 2))
            step_split(r, node);
        break;
    case 16:
    case 17:
        step_probe_total(r, node);
        break;
    default:
        key = draw_key(r);
        (void)cert_proof_propagate(p, node, &key);
    }
}

/* Down to the node in which only x is left. */
static const char *last_steps(run *r)
{
    const cert_model *m = r->proof->m;
    const char *fault = NULL;
    for (int t = 0; t < m->n && !fault; t++)
        for (int i = 0; i < t && !fault; i++)
            for (int kind = 0; kind < (int)CERT_CELLS && !fault; kind++) {
                const int col = cert_cell(m, (cert_kind)kind, t, i);
                if (r->proof->value[m->same[col]] == CERT_OPEN) {
                    step_branch(r, r->node, col);
                    fault = survival(r);
                }
            }
    if (!fault && !cert_proof_leaf_schedule(r->proof, r->node))
        fault = "the schedule of the witness is refused";
    for (int k = 0; k < 4 && !fault; k++) {
        draw_multipliers(r);
        (void)cert_proof_leaf(r->proof, r->node, r->y, r->count);
        fault = survival(r);
    }
    return fault;
}

/* A claim that x contradicts. */
static cert_proof *claim(run *r, const problem *p, cert_trust trust, double overhead)
{
    static const double above[] = {0, 1e-12, 1e-3, 1};
    const double excess = above[below(&r->rng, 4)];
    const bool impossible = below(&r->rng, 5) == 0;
    const double target = nextafter(overhead + excess, INFINITY);
    r->scale = below(&r->rng, 2) ? ldexp(1, below(&r->rng, 40) - 20) : 3.7;
    return cert_proof_create(p, trust, impossible, target, r->scale, NULL);
}

const char *steps_fault(const problem *p, cert_trust trust, const double *x, double overhead_joules,
                        uint64_t seed)
{
    run r = {.x = x, .rng = {seed}};
    if (p->graph->n < 2)
        return NULL;
    r.proof = claim(&r, p, trust, overhead_joules);
    r.key = steps_keys(r.proof->m, &r.keys);
    r.dual = base_calloc((size_t)r.keys, sizeof *r.dual);
    r.y = base_malloc((size_t)r.keys + 16 + MOST_TOTALS, sizeof *r.y);
    const char *fault = survival(&r);
    if (!fault && seed % 2)
        solve_rows(&r);
    for (int k = below(&r.rng, 60); k > 0 && !fault; k--) {
        step(&r);
        fault = survival(&r);
    }
    step_second_case(&r);
    if (!fault)
        fault = survival(&r);
    if (!fault && r.node >= 0)
        fault = last_steps(&r);
    cert_proof_free(r.proof);
    base_free_all(r.key, r.dual, r.y);
    return fault;
}
