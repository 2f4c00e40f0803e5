/* Writes a schedule as a point of the checker's columns, and asks every row, random cuts and
 * what follows from cells whether they hold there. */
#include "tests/certificate/canonical.h"

#include <math.h>

#include "certificate/timeline.h"
#include "tests/certificate/owned.h"

enum { SOURCES = 40, EVENTS = 10 /* draws of cuts */ };

typedef struct judged {
    const cert_model *m;
    const schedule *s;
    double *x; /* of the columns of m */
} judged;

static bool at(const judged *j, const uint8_t *matrix, int t, int i)
{
    return t < j->s->n && t >= i && matrix[schedule_cell(j->s, t, i)];
}

static void set_one(const judged *j, int col)
{
    if (col >= 0)
        j->x[col] = 1;
}

/* ---- the columns of a schedule --------------------------------------------------------- */

/* The edge to the last user of i that is computed in t; -1: none. */
static int last_use(const judged *j, int t, int i)
{
    const graph *g = j->m->g;
    int last = -1;
    for (int e = g->user_start[i]; e < g->user_start[i + 1] && g->user[e] <= t; e++)
        if (at(j, j->s->R, t, g->user[e]))
            last = e;
    return last;
}

static void set_releases(const judged *j, int t, int i)
{
    const schedule *s = j->s;
    const int use = last_use(j, t, i);
    if (at(j, s->S, t + 1, i) || (!at(j, s->S, t, i) && !at(j, s->R, t, i)))
        return;
    if (use >= 0)
        set_one(j, cert_free(j->m, t, use));
    else if (j->m->canonical && t > i + 1 && at(j, s->Out, t, i))
        set_one(j, cert_cell(j->m, CERT_EARLY, t, i));
}

static void set_columns(const judged *j)
{
    const cert_model *m = j->m;
    const schedule *s = j->s;
    for (int i = 0; i < m->n; i++) {
        bool paged = false;
        for (int t = i + 1; t < m->n; t++) {
            const bool was = t > i + 1 && at(j, s->S, t - 1, i);
            if (!was)
                paged = !at(j, s->R, t - 1, i) && at(j, s->In, t - 1, i);
            if (at(j, s->R, t, i))
                set_one(j, cert_cell(m, CERT_R, t, i));
            if (at(j, s->In, t, i))
                set_one(j, cert_cell(m, CERT_IN, t, i));
            if (at(j, s->Out, t, i))
                set_one(j, cert_cell(m, CERT_OUT, t, i));
            if (at(j, s->S, t, i)) {
                set_one(j, cert_cell(m, paged ? CERT_P : CERT_C, t, i));
                j->x[cert_load(m, t)] += (double)m->bytes[i];
            }
            if (!m->canonical && at(j, s->R, t, i) && at(j, s->S, t, i))
                set_one(j, cert_cell(m, CERT_TWICE, t, i));
            set_releases(j, t, i);
        }
    }
}

/* ---- rows and cuts ------------------------------------------------------------------------ */

static bool is_met(const judged *j, const cert_row *row)
{
    double sum = -row->rhs, size = fabs(row->rhs);
    for (int e = 0; e < row->count; e++) {
        sum += row->coef[e] * j->x[row->col[e]];
        size += fabs(row->coef[e] * j->x[row->col[e]]);
    }
    return sum <= 1e-12 * size && (!row->equality || sum >= -1e-12 * size);
}

/* All rows of the kind, or those that there are. */
static bool meets_kind(const judged *j, cert_row_kind kind, cert_row *row)
{
    const cert_row_name *name = &cert_row_names[kind];
    const int n = j->m->n;
    bool met = true;
    for (int t = name->t ? 0 : -1; t < (name->t ? n : 0); t++)
        for (int i = name->i ? 0 : -1; i < (name->i ? n : 0); i++)
            for (int k = -1; k < (name->k ? n : 0); k++)
                for (int plain = 0; plain < 2; plain++)
                    if (cert_row_make(j->m, (cert_key){kind, t, i, k}, plain, row))
                        met = met && is_met(j, row);
    return met;
}

/* A cut on random tensors with random coefficients and the least right side that the checker
 * accepts. */
static bool meets_event_cut(const judged *j, base_rng *rng, cert_row *row)
{
    const int n = j->m->n;
    int *tensor = base_malloc((size_t)n, sizeof *tensor);
    int64_t *coef = base_malloc((size_t)n, sizeof *coef);
    int64_t *made = base_malloc((size_t)n, sizeof *made);
    cert_cut cut = {.t = (int)base_rng_below(rng, (uint64_t)n), .tensor = tensor, .coef = coef};
    cut.made = j->m->canonical ? NULL : made;
    cut.k = (int)base_rng_below(rng, (uint64_t)cut.t + 1);
    cut.conditional = cut.k < cut.t && base_rng_below(rng, 2);
    for (int i = 0; i < cut.t; i++) {
        cut.tensor[cut.count] = i;
        coef[cut.count] = (int64_t)base_rng_below(rng, 6) - 1;
        made[cut.count] = (int64_t)base_rng_below(rng, 6) - 1;
        const cert_cut one = {.t = cut.t,
                              .k = cut.k,
                              .conditional = cut.conditional,
                              .count = 1,
                              .tensor = &tensor[cut.count],
                              .coef = &coef[cut.count],
                              .made = cut.made ? &made[cut.count] : NULL,
                              .rhs = 10};
        if (base_rng_below(rng, 4) > 0 && !cert_cut_fault(j->m, &one))
            cut.count++;
    }
    while (cert_cut_fault(j->m, &cut))
        cut.rhs++;
    cert_cut_row(j->m, &cut, row);
    base_free_all(tensor, coef, made);
    return is_met(j, row);
}

static bool meets_source_cut(const judged *j, base_rng *rng, cert_row *row)
{
    const graph *g = j->m->g;
    int path[CERT_PATH];
    const int k = (int)base_rng_below(rng, (uint64_t)g->n);
    cert_cut cut = {.source = true, .k = k, .tensor = path, .kept = base_rng_below(rng, 2)};
    cut.t = k + 1 + (int)base_rng_below(rng, (uint64_t)(g->n - k));
    cut.last = cut.t + (int)base_rng_below(rng, (uint64_t)g->n);
    for (int v = k; g->input_start[v + 1] > g->input_start[v] && cut.count < CERT_PATH;) {
        const int inputs = g->input_start[v + 1] - g->input_start[v];
        v = g->input[g->input_start[v] + (int)base_rng_below(rng, (uint64_t)inputs)];
        path[cut.count++] = v;
        if (base_rng_below(rng, 2))
            break;
    }
    cut.stored = (unsigned)base_rng_below(rng, 1u << cut.count);
    if (cert_cut_fault(j->m, &cut))
        return true;
    cert_cut_row(j->m, &cut, row);
    return is_met(j, row);
}

static const char *rows_fault(const judged *j, base_rng *rng)
{
    OWNED(cert_row) row = {0};
    const char *fault = NULL;
    for (int kind = 0; kind < (int)CERT_ROW_CASE && !fault; kind++)
        if (!meets_kind(j, (cert_row_kind)kind, &row))
            fault = "it breaks a row of the checker";
    for (int draw = 0; draw < EVENTS && !fault; draw++)
        if (!meets_event_cut(j, rng, &row))
            fault = "it breaks an event cut that the checker accepts";
    for (int draw = 0; draw < SOURCES && !fault; draw++)
        if (!meets_source_cut(j, rng, &row))
            fault = "it breaks a source cut that the checker accepts";
    return fault;
}

/* ---- what follows from cells ----------------------------------------------------------------- */

static bool agrees(const judged *j)
{
    const cert_model *m = j->m;
    bool good = !m->empty;
    for (int c = 0; cert_is_cell(m, c); c++) {
        const int8_t value = m->value[m->same[c]];
        good = good && j->x[c] == j->x[m->same[c]];
        good = good && (value == CERT_OPEN || value == (int8_t)j->x[c]);
    }
    return good;
}

/* Tells m of some cells what they are in s, and what follows; three times. */
static const char *settled_fault(const judged *j, cert_model *m, base_rng *rng)
{
    for (int round = 0; round < 3; round++) {
        cert_settle(m);
        if (!agrees(j))
            return "what the checker infers does not agree with it";
        const uint64_t percent = base_rng_below(rng, 3) * 20;
        for (int c = 0; cert_is_cell(m, c); c++)
            if (base_rng_below(rng, 100) < percent && m->value[m->same[c]] == CERT_OPEN)
                cert_set(m, c, (int)j->x[c]);
    }
    return NULL;
}

/* ---- tensors that are away ---- */

static bool is_away(const judged *j, int i)
{
    for (int t = i + 1; t < j->m->n; t++)
        if (at(j, j->s->R, t, i) || at(j, j->s->In, t, i))
            return true;
    return false;
}

/* Begins a case that the schedule lies in. Returns the number of kept tensors that it lists. */
static int draw_facts(const judged *j, cert_proof *p, base_rng *rng, int *kept)
{
    int count = 0;
    for (int i = 0; i < j->m->n; i++) {
        if (base_rng_below(rng, 3) > 0)
            continue;
        (void)cert_proof_keep(p, i);
        if (is_away(j, i)) {
            cert_close(p, 0);
            (void)cert_proof_next_case(p);
        } else if (base_rng_below(rng, 2)) {
            kept[count++] = i;
        }
    }
    return count;
}

/* After the other columns of the first timeline. */
static void set_fate(const judged *j, const cert_proof *p, int i)
{
    bool acts = false;
    for (int q = 0; q < p->points; q++)
        for (int k = 0; k < 2; k++) {
            const int col =
                cert_coarse_column(p, k ? CERT_COARSE_COMPUTE : CERT_COARSE_PAGEIN, q, i);
            acts = acts || (col >= 0 && j->x[col] > 0);
        }
    if (!is_away(j, i))
        set_one(j, cert_coarse_column(p, CERT_COARSE_STAY, 0, i));
    else if (!acts) {
        set_one(j, cert_coarse_column(p, CERT_COARSE_EARLY, 0, i));
        j->x[cert_coarse_column(p, CERT_COARSE_OUT, 0, i)] = 0;
    }
}

/* ---- coarse timelines ---------------------------------------------------------------------- */

/* Copies of i when node k of stage t has been computed. */
static double live(const judged *j, int t, int k, int i, cert_row *row)
{
    double sum = 0;
    cert_row_reset(row);
    cert_row_add_resident(row, j->m, t, i, 1);
    cert_row_add_released(row, j->m, t, i, k, -1);
    if (i <= k)
        cert_row_add_computed(row, j->m, t, i, 1);
    sum -= row->rhs;
    for (int e = 0; e < row->count; e++)
        sum += row->coef[e] * j->x[row->col[e]];
    return sum;
}

/* What the schedule does with i from the stage after the point's to that of the next one. */
static void set_interval(const judged *j, const cert_proof *p, int q, int i, cert_row *row)
{
    const cert_point *point = &p->point[q];
    bool computed = false, paged = false;
    for (int t = point->stage + 1; t <= point->end; t++) {
        computed = computed || (t > i && at(j, j->s->R, t, i));
        paged = paged || (t - 1 > i && at(j, j->s->In, t - 1, i));
    }
    const bool kept =
        !point->last && !computed && !paged && live(j, point->end, point->end, i, row) > 0;
    if (i < point->stage && live(j, point->stage, point->stage, i, row) > 0)
        set_one(j, cert_coarse_column(p, CERT_COARSE_LIVE, q, i));
    if (computed)
        set_one(j, cert_coarse_column(p, CERT_COARSE_COMPUTE, q, i));
    if (paged)
        set_one(j, cert_coarse_column(p, CERT_COARSE_PAGEIN, q, i));
    if (kept) {
        set_one(j, cert_coarse_column(p, CERT_COARSE_KEPT, q, i));
        j->x[cert_coarse_column(p, CERT_COARSE_LOAD, q, 0)] += (double)j->m->bytes[i];
    }
}

/* Of stage t, the interval of point q: the node is computed there, and may be of use. */
static bool comes_again(const judged *j, const cert_proof *p, int q, int k)
{
    return cert_may_come_again(p, q, k) && at(j, j->s->R, p->point[q].end, k);
}

static bool is_needed(const judged *j, const cert_proof *p, int q, int i, int k, cert_row *row)
{
    const graph *g = j->m->g;
    const int t = p->point[q].end;
    bool needed = live(j, t, t, i, row) > 0;
    for (int e = g->user_start[i]; e < g->user_start[i + 1]; e++)
        needed = needed || (g->user[e] >= k && comes_again(j, p, q, g->user[e]));
    return needed;
}

/* i is in RAM as the stage begins, if the timeline asks. */
static bool is_from(const judged *j, const cert_proof *p, int q, int i, cert_row *row)
{
    return cert_may_come_again(p, q, i) ? live(j, p->point[q].end, -1, i, row) > 0
                                        : is_needed(j, p, q, i, 0, row);
}

static void set_events(const judged *j, const cert_proof *p, int q, cert_row *row)
{
    const graph *g = j->m->g;
    for (int i = 0; i <= p->point[q].stage; i++) {
        for (int e = g->user_start[i]; e < g->user_start[i + 1]; e++) {
            const int col = cert_coarse_column(p, CERT_COARSE_NEEDED, q, e);
            if (col >= 0 && is_needed(j, p, q, i, g->user[e], row))
                set_one(j, col);
        }
        const int from = cert_coarse_column(p, CERT_COARSE_FROM, q, i);
        const int there = cert_coarse_column(p, CERT_COARSE_THERE, q, i);
        if (from >= 0 && is_from(j, p, q, i, row))
            set_one(j, from);
        for (int u = 0; there >= 0 && u <= p->point[q].stage; u++)
            if (u < i ? is_needed(j, p, q, u, i, row) : is_from(j, p, q, u, row))
                j->x[there] += (double)j->m->bytes[u];
    }
}

static void set_timeline(const judged *j, const cert_proof *p, cert_row *row)
{
    for (int q = 0; q < p->points; q++)
        for (int i = 0; i <= p->point[q].stage; i++)
            set_interval(j, p, q, i, row);
    for (int q = 0; q < p->points; q++)
        if (p->point[q].events)
            set_events(j, p, q, row);
    for (int i = 0; i < j->m->n; i++)
        for (int t = i + 1; t < j->m->n; t++)
            if (at(j, j->s->Out, t, i))
                set_one(j, cert_coarse_column(p, CERT_COARSE_OUT, 0, i));
    for (int i = 0; p->timeline[0].fates && i < j->m->n; i++)
        set_fate(j, p, i);
}

static bool meets_point_kind(const judged *j, const cert_proof *p, cert_row_kind kind,
                             cert_row *row)
{
    const cert_row_name *name = &cert_row_names[kind];
    const int n = j->m->n;
    bool met = true;
    for (int q = 0; q < p->points; q++)
        for (int i = name->i ? 0 : -1; i < (name->i ? n : 0); i++)
            for (int k = -1; k < (name->k ? n : 0); k++)
                if (cert_point_row(p, (cert_key){kind, q, i, k}, row))
                    met = met && is_met(j, row);
    return met;
}

static double cost_of(cert_proof *p, int col)
{
    long exponent;
    cert_coefficient(p, col, true);
    const double mantissa = mpz_get_d_2exp(&exponent, p->number);
    return ldexp(mantissa, (int)(exponent - p->grid));
}

/* The columns are within what node 0 knows of them, and cost no more than the schedule. */
static const char *columns_fault(const judged *j, cert_proof *p)
{
    double cells = 0, columns = 0;
    for (int k = 0; k < p->totals; k++) {
        const double x = j->x[j->m->cols + k];
        if (x < (double)p->total[k].root.low || x > (double)p->total[k].root.high)
            return "a column of a timeline is not what the checker takes it for";
    }
    for (int c = 0; c < j->m->cols + p->totals; c++) {
        cert_proof_price(p, -1);
        cells += j->x[c] * cert_overhead(p, c);
        cert_proof_price(p, 0);
        columns += j->x[c] * cost_of(p, c);
    }
    return columns <= cells * (1 + 1e-12) ? NULL : "it costs more on a timeline";
}

static const char *timeline_fault(const problem *instance, const schedule *s, base_rng *rng)
{
    base_error error;
    OWNED(cert_row) row = {0};
    int stage[CERT_MAX_NODES], points = 0;
    OWNED(cert_proof) *p = cert_proof_create(instance, CERT_EXCHANGES, true, 0, 1, &error);
    const int n = p->m->n;
    judged j = {p->m, s, NULL};
    int once[CERT_MAX_NODES];
    const bool fates = base_rng_below(rng, 2);
    const int kept = fates ? draw_facts(&j, p, rng, once) : 0;
    for (int t = 0; t < n; t++)
        if (base_rng_below(rng, 3) == 0 || (t == n - 1 && points == 0))
            stage[points++] = t;
    const char *fault = cert_proof_timeline(p, stage, points, fates ? once : NULL, kept);
    j.x = base_calloc((size_t)p->m->cols + (size_t)p->totals, sizeof *j.x);
    set_columns(&j);
    set_timeline(&j, p, &row);
    if (!fault)
        fault = columns_fault(&j, p);
    for (int kind = 0; kind < (int)CERT_ROW_KINDS && !fault; kind++)
        if (cert_row_is_of_point((cert_row_kind)kind) &&
            !meets_point_kind(&j, p, (cert_row_kind)kind, &row))
            fault = cert_row_names[kind].word;
    base_free(j.x);
    return fault;
}

const char *checker_fault(const problem *p, const schedule *s, cert_trust trust, uint64_t seed)
{
    base_rng rng = {seed};
    base_error error;
    OWNED(cert_model) *m = cert_model_create(p, trust, &error);
    if (!m)
        return "the checker refuses the graph";
    const judged j = {m, s, base_calloc((size_t)m->cols, sizeof *j.x)};
    set_columns(&j);
    const char *fault = rows_fault(&j, &rng);
    if (!fault)
        fault = settled_fault(&j, m, &rng);
    if (!fault && trust == CERT_EXCHANGES)
        fault = timeline_fault(p, s, &rng);
    base_free(j.x);
    return fault;
}
