/* Builds a model with drawn features, solves it by branch and bound, and compares its optimum,
 * and its solution as a schedule, with the oracle. */
#include "tests/formulation/agree.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "bnb/bnb.h"
#include "formulation/coarse.h"
#include "tests/problem/owned.h"

enum {
    ORDER = FORMULATION_CANONICAL | FORMULATION_LATE,
    ORACLE_LIMIT = 2000000 /* a second */
};

const char *model_kind_name(model_kind kind)
{
    static const char *const names[] = {"plain", "canonical", "coarse", "published"};
    static_assert(sizeof names / sizeof *names == MODEL_KINDS, "a name for each");
    return names[kind];
}

/* The features that shape a model, into list; returns how many. */
static int shaping_features(unsigned list[static 40])
{
    int features, count = 0;
    const formulation_feature_info *table = formulation_features(&features);
    for (int k = 0; k < features; k++)
        if (table[k].field == FEATURE_MODEL && table[k].bit != FORMULATION_CANONICAL)
            list[count++] = table[k].bit;
    list[count++] = FORMULATION_TOTALS;
    list[count++] = FORMULATION_UNITS;
    return count;
}

model_case model_case_draw(model_kind kind, uint64_t seed)
{
    unsigned shaping[40];
    const int count = shaping_features(shaping);
    base_rng rng = {seed * MODEL_KINDS + (uint64_t)kind};
    model_case c = {.kind = kind, .features = FORMULATION_DEFAULT, .seed = seed};
    if (kind == MODEL_PLAIN)
        c.features &= ~(unsigned)ORDER;
    const uint64_t how = base_rng_below(&rng, 3);
    for (int k = 0; k < 2 && how == 1; k++)
        c.features ^= base_rng_below(&rng, 2) ? shaping[base_rng_below(&rng, (uint64_t)count)] : 0;
    for (int k = 0; k < count && how == 2; k++)
        c.features ^= base_rng_below(&rng, 2) ? shaping[k] : 0;
    c.propagate = base_rng_below(&rng, 2);
    return c;
}

/* ---- the models ------------------------------------------------------------------ */

/* One of the three. */
typedef struct made {
    formulation *f;
    coarse *timeline;
    lp_model *published;
    lp_model *model; /* of whichever it is */
    double scale;    /* model units per joule */
    double constant; /* joules that the objective has beside the overhead */
} made;

static void make_tight(made *m, const problem *p, const model_case *c)
{
    OWNED(uint8_t) *mask = formulation_mask_full(p, c->features);
    if (c->propagate)
        formulation_mask_propagate(p, c->features, mask);
    m->f = formulation_build(p, c->features, mask, m->scale);
    m->model = m->f->model;
}

static void make_coarse(made *m, const problem *p, const model_case *c)
{
    base_rng rng = {c->seed};
    const int n = p->graph->n;
    const uint64_t sparse = 1 + base_rng_below(&rng, 4);
    int *point = base_malloc((size_t)n, sizeof *point), points = 0;
    for (int t = 0; t < n; t++)
        if (base_rng_below(&rng, sparse) == 0)
            point[points++] = t;
    if (points == 0)
        point[points++] = (int)base_rng_below(&rng, (uint64_t)n);
    m->timeline = coarse_build(p, c->features, point, points, m->scale);
    m->model = m->timeline->model;
    base_free(point);
}

static made make(const problem *p, const model_case *c)
{
    made m = {.scale = formulation_default_scale(p->graph)};
    if (c->kind == MODEL_COARSE) {
        make_coarse(&m, p, c);
    } else if (c->kind == MODEL_PUBLISHED) {
        m.scale = 1;
        m.constant = graph_base_joules(p->graph);
        m.model = m.published = formulation_published(p);
    } else {
        make_tight(&m, p, c);
    }
    return m;
}

static void unmake(made *m)
{
    formulation_free(m->f);
    coarse_free(m->timeline);
    lp_model_free(m->published);
}

lp_model *model_case_model(const problem *p, const model_case *c)
{
    made m = make(p, c);
    lp_model *copy = lp_model_copy(m.model);
    unmake(&m);
    return copy;
}

/* ---- the comparison ---------------------------------------------------------------- */

typedef struct judgement {
    const problem *p;
    const made *m;
} judgement;

static bool is_exact(const model_case *c)
{
    return c->kind == MODEL_PLAIN || c->kind == MODEL_PUBLISHED;
}

/* By the names of the columns, MATRIX_tSTAGE_nNODE_NAME. */
static schedule *extract_named(const problem *p, const lp_model *m, const double *x)
{
    schedule *s = schedule_create(p->graph->n);
    const struct {
        const char *format;
        uint8_t *matrix;
    } kinds[] = {{"R_t%d_n%d%n", s->R},
                 {"S_t%d_n%d%n", s->S},
                 {"A_t%d_n%d%n", s->A},
                 {"In_t%d_n%d%n", s->In},
                 {"Out_t%d_n%d%n", s->Out}};
    for (int j = 0; j < m->cols; j++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            int t, i, length = 0;
            if (sscanf(m->col_name[j], kinds[k].format, &t, &i, &length) == 2 && i < t &&
                strchr("_", m->col_name[j][length]))
                kinds[k].matrix[schedule_cell(s, t, i)] = x[j] > 0.5;
        }
    return s;
}

/* Of an exact model. */
static schedule *extract(const problem *p, const made *m, const double *x)
{
    return m->f ? formulation_extract(m->f, x) : extract_named(p, m->model, x);
}

/* Solutions of models that claim to have the optimum are schedules. */
static const char *judge_solution(const problem *p, const made *m, const bnb_result *r)
{
    OWNED(schedule) *s = extract(p, m, r->x);
    const bool valid = schedule_validate(p, s, NULL, NULL) == 0;
    return valid ? NULL : "its solution is no schedule";
}

/* Sizes so large, in their common unit, that bnb's tolerance on rows is a unit or more. */
static bool sizes_far_apart(const graph *g)
{
    enum { APART = 10000 };
    int64_t unit = 0, largest = 0;
    for (int i = 0; i < g->n; i++) {
        for (int64_t a = g->bytes[i]; a;) { /* the common divisor */
            const int64_t rest = unit % a;
            unit = a;
            a = rest;
        }
        largest = g->bytes[i] > largest ? g->bytes[i] : largest;
    }
    return unit > 0 && largest / unit > APART;
}

/* -1, 0 or 1: the model's answer in joules (INFINITY: none) lies below the optimum, at it, above.
 */
static int compare(double joules, double optimum, const made *m)
{
    if (isinf(joules) || isinf(optimum))
        return (joules > optimum) - (joules < optimum);
    const double tolerance = 1e-6 * (1 + optimum + m->constant);
    return (joules > optimum + tolerance) - (joules < optimum - tolerance);
}

static const char *judge(const problem *p, const model_case *c, const made *m, const bnb_result *r,
                         const oracle_result *oracle)
{
    const double joules = r->has_solution ? r->objective / m->scale - m->constant : INFINITY;
    const int side = compare(joules, oracle->overhead_joules, m);
    if (side > 0)
        return r->has_solution ? "above the optimum" : "infeasible, but there is a schedule";
    if (is_exact(c) && side < 0)
        return oracle->feasible ? "below the optimum" : "feasible, but there is no schedule";
    if (is_exact(c))
        return r->has_solution ? judge_solution(p, m, r) : NULL;
    if (c->kind != MODEL_CANONICAL)
        return NULL;
    /* It has the optimum of the rules that grant early releases. */
    const oracle_result o = oracle_granting(p, ORACLE_LIMIT);
    const int granting = o.gave_up ? 0 : compare(joules, o.overhead_joules, m);
    return granting > 0                                 ? "above the optimum with early releases"
           : granting < 0 && !sizes_far_apart(p->graph) ? "below the optimum with early releases"
                                                        : NULL;
}

/* As bnb's accept: the validator decides. */
static bool accept_schedule(void *user, const double *x, double *objective)
{
    const judgement *j = user;
    OWNED(schedule) *s = extract(j->p, j->m, x);
    validation v;
    const bool valid = schedule_validate(j->p, s, &v, NULL) == 0;
    *objective = (v.overhead_joules + j->m->constant) * j->m->scale;
    return valid;
}

const char *model_fault(const problem *p, const model_case *c, const oracle_result *oracle,
                        long node_limit, bool *open)
{
    made m = make(p, c);
    judgement j = {p, &m};
    const bnb_callbacks judged = {.user = &j, .accept = accept_schedule};
    bnb_params params = bnb_params_default();
    params.node_limit = node_limit;
    params.seed = c->seed;
    bnb_result r =
        bnb_solve(m.model, &params, is_exact(c) && sizes_far_apart(p->graph) ? &judged : NULL);
    *open = r.status == BNB_LIMIT_NODES;
    const char *fault = NULL;
    if (r.status != BNB_OPTIMAL && r.status != BNB_INFEASIBLE)
        fault = *open ? NULL : "not solved";
    else
        fault = judge(p, c, &m, &r, oracle);
    bnb_result_clear(&r);
    unmake(&m);
    return fault;
}

bool model_case_fails(const problem *p, void *context)
{
    enum { NODES = 100000 };
    bool open;
    oracle_result oracle = oracle_solve(p);
    const bool fails = model_fault(p, context, &oracle, NODES, &open) != NULL;
    schedule_free(oracle.schedule);
    return fails;
}
