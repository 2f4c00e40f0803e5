/* Builds models with drawn features and masks, writes the schedule as a point, and asks rows,
 * event cuts, source cuts, separation and the coarse timeline whether they keep it. */
#include "tests/formulation/canonical.h"

#include "formulation/check.h"
#include "formulation/coarse.h"
#include "formulation/internal.h"
#include "formulation/separate.h"
#include "lp/simplex.h"
#include "tests/formulation/support.h"
#include "tests/lp/owned.h"

enum { MODELS = 3, SOURCES = 40 /* draws of source cuts */ };

/* The features that shape a model; the first draw has all of them, the others leave each out with
 * one chance in four, so that all pairs come up. */
static unsigned draw_features(bool canonical, base_rng *rng, int number)
{
    int count;
    const formulation_feature_info *table = formulation_features(&count);
    unsigned features = FORMULATION_DEFAULT | FORMULATION_TOTALS | FORMULATION_UNITS;
    for (int k = 0; k < count; k++) {
        if (table[k].field != FEATURE_MODEL || table[k].bit == FORMULATION_CANONICAL)
            continue;
        features |= table[k].bit;
        if (number > 0 && base_rng_below(rng, 4) == 0)
            features &= ~table[k].bit;
    }
    return canonical ? features : features & ~(unsigned)FORMULATION_CANONICAL;
}

/* ---- masks -------------------------------------------------------------------------- */

/* The bits that s needs of cell (t,i); what is resident is C without the split by origin. */
static uint8_t needed_bits(const schedule *s, unsigned features, int t, int i)
{
    const size_t cell = schedule_cell(s, t, i);
    uint8_t bits = (uint8_t)((s->R[cell] ? MASK_R : 0) | (s->In[cell] ? MASK_IN : 0) |
                             (s->Out[cell] ? MASK_OUT : 0));
    if (!s->S[cell])
        return bits;
    int from = t - 1; /* the stage in which it came */
    while (from > i && s->S[schedule_cell(s, from, i)])
        from--;
    const size_t source = schedule_cell(s, from, i);
    const bool paged =
        (features & FORMULATION_ORIGIN) && from > i && s->In[source] && !s->R[source];
    return (uint8_t)(bits | (paged ? MASK_P : MASK_C));
}

/* The full mask, less a part of what s does not need. */
static uint8_t *draw_mask(const problem *p, const schedule *s, unsigned features, base_rng *rng)
{
    const int n = p->graph->n;
    const uint64_t percent = base_rng_below(rng, 3) * 40;
    uint8_t *mask = formulation_mask_full(p, features);
    for (int t = 0; t < n; t++)
        for (int i = 0; i < t; i++)
            for (int bit = 1; bit < MASK_ALL; bit <<= 1)
                if (base_rng_below(rng, 100) < percent && !(needed_bits(s, features, t, i) & bit))
                    mask[schedule_cell(s, t, i)] &= (uint8_t)~bit;
    if (base_rng_below(rng, 2))
        formulation_mask_propagate(p, features, mask);
    return mask;
}

static bool in_mask(const schedule *s, unsigned features, const uint8_t *mask)
{
    for (int t = 0; t < s->n; t++)
        for (int i = 0; i < t; i++)
            if (needed_bits(s, features, t, i) & ~mask[schedule_cell(s, t, i)])
                return false;
    return true;
}

/* ---- cuts ----------------------------------------------------------------------------- */

static bool reads(const graph *g, int k, int i)
{
    bool found = false;
    for (int q = g->input_start[k]; q < g->input_start[k + 1]; q++)
        found = found || g->input[q] == i;
    return found;
}

/* Every literal of event (t,k) is 0, 1 or, where it may be, 2; those of k and its inputs are 1 if k
 * is computed, and all together fit: then every inequality of the knapsack holds, of the
 * conditional one, too. */
static const char *event_fault(const formulation *f, const double *x, int t, int k,
                               event_literals *e)
{
    const graph *g = f->problem->graph;
    const int col = k < t ? f->cell[CELL_R][t * g->n + k] : -1;
    if (k < t && col < 0)
        return NULL;
    const bool computed = k == t || x[col] == 1;
    int64_t load = 0;
    formulation_event(f, t, k, e);
    for (int l = 0; l < e->count; l++) {
        const event_literal *literal = &e->literal[l];
        double live = 0;
        for (int q = literal->first; q < literal->first + literal->count; q++)
            live += e->term_coef[q] * x[e->term_col[q]];
        if (live != 0 && live != 1 && !(live == 2 && literal->twice))
            return "a literal of an event is neither 0 nor 1";
        if (computed && live == 0 && (literal->tensor == k || reads(g, k, literal->tensor)))
            return "what is computed in an event, or its input, is not live";
        load += (int64_t)live * literal->bytes;
    }
    return load > e->capacity ? "the literals of an event do not fit" : NULL;
}

static const char *events_fault(const formulation *f, const double *x)
{
    event_literals e = {0};
    const char *fault = NULL;
    for (int t = 0; t < f->problem->graph->n; t++)
        for (int k = 0; k <= t && !fault; k++)
            fault = event_fault(f, x, t, k, &e);
    event_literals_clear(&e);
    return fault;
}

static bool is_violated(const event_cut *cut, const double *x)
{
    double sum = -cut->upper;
    for (int q = 0; q < cut->count; q++)
        sum += cut->value[q] * x[cut->col[q]];
    return sum > 1e-9;
}

/* A source cut on a random path, with random stages. False: k has no inputs, or is too late. */
static bool draw_source_cut(const graph *g, bool origin, base_rng *rng, event_cut *cut)
{
    const int n = g->n, k = (int)base_rng_below(rng, (uint64_t)n);
    if (k + 1 >= n)
        return false;
    cut->k = k;
    cut->t = k + 1 + (int)base_rng_below(rng, (uint64_t)(n - k - 1));
    cut->last = cut->t + (int)base_rng_below(rng, (uint64_t)(n - cut->t));
    cut->kept = origin && base_rng_below(rng, 2);
    cut->depth = 0;
    for (int v = k; g->input_start[v + 1] > g->input_start[v] && cut->depth < SOURCE_DEPTH;) {
        const int inputs = g->input_start[v + 1] - g->input_start[v];
        v = g->input[g->input_start[v] + (int)base_rng_below(rng, (uint64_t)inputs)];
        cut->path[cut->depth++] = v;
        if (base_rng_below(rng, 2))
            break;
    }
    cut->stored = origin ? (unsigned)base_rng_below(rng, 1u << cut->depth) : 0;
    return cut->depth > 0;
}

static const char *sources_fault(const formulation *f, const double *x, base_rng *rng)
{
    const bool origin = f->features & FORMULATION_ORIGIN;
    event_cut cut = {0};
    const char *fault = NULL;
    for (int draw = 0; draw < SOURCES && !fault; draw++)
        if (draw_source_cut(f->problem->graph, origin, rng, &cut) && event_cut_express(f, &cut) &&
            is_violated(&cut, x))
            fault = "a source cut is violated";
    base_free(cut.col);
    base_free(cut.value);
    return fault;
}

/* What is separated at the LP's solution for random costs. */
static const char *separated_fault(const formulation *f, const double *x, base_rng *rng)
{
    event_cut_list found = {0};
    const char *fault = NULL;
    OWNED(lp_model) *m = lp_model_copy(f->model);
    for (int j = 0; j < m->cols; j++)
        if (f->column[j].kind < CELL_KINDS)
            m->cost[j] = (double)base_rng_below(rng, 21) - 14;
    OWNED(lp_solver) *lp = lp_solver_create(m, NULL);
    if (lp_solve(lp) == LP_OPTIMAL)
        formulation_separate(f, lp_primal(lp), &found);
    for (int c = 0; c < found.count; c++)
        if (is_violated(&found.cut[c], x))
            fault = "a separated cut is violated";
    event_cut_list_clear(&found);
    return fault;
}

/* ---- models ------------------------------------------------------------------------------ */

/* Names the first family whose rows s breaks. */
static const char *broken_row(const formulation *f, const schedule *s)
{
    static char text[100];
    row_check check;
    formulation_check_rows(f, s, &check);
    snprintf(text, sizeof text, "it breaks a row");
    for (int kind = ROW_KINDS - 1; kind >= 0; kind--)
        if (check.broken[kind] > 0)
            snprintf(text, sizeof text, "it breaks a row of %s", formulation_rows[kind].name);
    return text;
}

static const char *rows_fault(const problem *p, const schedule *s, unsigned features, base_rng *rng)
{
    OWNED(uint8_t) *mask = draw_mask(p, s, features, rng);
    OWNED(formulation) *f = formulation_build(p, features, mask, 1);
    OWNED(double) *x = base_malloc((size_t)f->model->cols + 1, sizeof *x);
    const char *fault = NULL;
    formulation_key missing;
    row_check check;
    if (!in_mask(s, features, mask))
        fault = "a cell of it is not in the mask";
    else if (!formulation_admits(f, s))
        fault = "it is not admitted";
    else if (!formulation_place(f, s, x, &missing) || !formulation_check_rows(f, s, &check))
        fault = broken_row(f, s);
    if (!fault)
        fault = events_fault(f, x);
    if (!fault && (f->features & FORMULATION_CANONICAL))
        fault = sources_fault(f, x, rng);
    if (!fault && base_rng_below(rng, 4) == 0)
        fault = separated_fault(f, x, rng);
    return fault;
}

/* ---- the coarse timeline ------------------------------------------------------------------- */

/* In RAM when t computes its own node. */
static bool is_live(const formulation *f, const schedule *s, int t, int i)
{
    const graph *g = f->problem->graph;
    const size_t cell = schedule_cell(s, t, i);
    if (!(s->S[cell] || s->R[cell]) || formulation_early_release(f, s, t, i))
        return false;
    int last = -1;
    for (int e = g->user_start[i]; e < g->user_start[i + 1] && g->user[e] <= t; e++)
        if (s->R[schedule_cell(s, t, g->user[e])])
            last = g->user[e];
    return last < 0 || last == t || (t + 1 < s->n && s->S[schedule_cell(s, t + 1, i)]);
}

static void set_coarse(double *x, int col, bool value)
{
    if (col >= 0)
        x[col] = value;
}

/* What s does, as columns of c but for the loads. */
static void fill_coarse(const coarse *c, const formulation *f, const schedule *s, double *x)
{
    for (int j = 0; j <= c->points; j++)
        for (int i = 0; i <= coarse_before(c, j); i++) {
            const size_t k = coarse_cell(c, j, i);
            const int before = coarse_before(c, j), end = coarse_end(c, j);
            bool kept = i == before || is_live(f, s, before, i), again = false, paged = false;
            set_coarse(x, c->live[k], i < before && kept);
            for (int t = before + 1; t <= end; t++) {
                again = again || s->R[schedule_cell(s, t, i)];
                paged = paged || s->In[schedule_cell(s, t - 1, i)];
                kept = kept && s->S[schedule_cell(s, t, i)];
            }
            set_coarse(x, c->compute[k], again);
            set_coarse(x, c->pagein[k], paged);
            set_coarse(x, c->kept[k], kept && !again && is_live(f, s, end, i));
        }
    for (int i = 0; i < s->n; i++)
        for (int t = i + 1; t < s->n; t++)
            if (s->Out[schedule_cell(s, t, i)])
                set_coarse(x, c->out[i], true);
}

/* The load columns, which are continuous and cost nothing: the LP finds them. */
static bool coarse_allows(const coarse *c, const double *x)
{
    lp_model *m = lp_model_copy(c->model);
    for (int j = 0; j < m->cols; j++)
        if (m->integer[j]) {
            if (x[j] < m->lower[j] - 1e-9) {
                lp_model_free(m);
                return false;
            }
            m->lower[j] = m->upper[j] = x[j];
        }
    OWNED(lp_solver) *lp = lp_solver_create(m, NULL);
    const bool good = lp_solve(lp) == LP_OPTIMAL;
    lp_model_free(m);
    return good;
}

static const char *coarse_fault(const problem *p, const schedule *s, base_rng *rng)
{
    int *point = base_malloc((size_t)s->n, sizeof *point), points = 0;
    const uint64_t sparse = 1 + base_rng_below(rng, 4);
    for (int t = 0; t < s->n; t++)
        if (base_rng_below(rng, sparse) == 0)
            point[points++] = t;
    if (points == 0)
        point[points++] = s->n - 1;
    OWNED(uint8_t) *mask = formulation_mask_full(p, FORMULATION_DEFAULT);
    OWNED(formulation) *f = formulation_build(p, FORMULATION_DEFAULT, mask, 1);
    coarse *c = coarse_build(p, FORMULATION_DEFAULT, point, points, 1);
    OWNED(double) *x = base_calloc((size_t)c->model->cols + 1, sizeof *x);
    fill_coarse(c, f, s, x);
    const bool good = coarse_allows(c, x);
    base_free(point);
    coarse_free(c);
    return good ? NULL : "the coarse timeline excludes it";
}

const char *canonical_fault(const problem *p, const schedule *s, uint64_t seed)
{
    base_rng rng = {seed};
    const char *fault = NULL;
    for (int k = 0; k < MODELS && !fault; k++)
        fault = rows_fault(p, s, draw_features(true, &rng, k), &rng);
    return fault ? fault : coarse_fault(p, s, &rng);
}

const char *rules_fault(const problem *p, const schedule *s, uint64_t seed)
{
    base_rng rng = {seed};
    const char *fault = NULL;
    for (int k = 0; k < MODELS && !fault; k++)
        fault = rows_fault(p, s, draw_features(false, &rng, k), &rng);
    return fault;
}
