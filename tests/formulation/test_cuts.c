/* Event cuts: found at fractional points, met by every integral point. */
#include <math.h>

#include "formulation/separate.h"
#include "tests/formulation/support.h"
#include "tests/lp/owned.h"
#include "tests/suite.h"

SUITE("event cuts", .seconds = 120);

enum { POINTS = 4, ROUNDS = 4, SWEEP_DEPTH = 4 };

static double activity(const event_cut *cut, const double *x)
{
    double sum = 0;
    for (int q = 0; q < cut->count; q++)
        sum += cut->value[q] * x[cut->col[q]];
    return sum;
}

static void add_to_model(lp_model *m, const event_cut *cut)
{
    int start[2] = {0, cut->count};
    double lower = -LP_INFINITY;
    lp_model_add_rows(m, 1, &lower, &cut->upper, start, cut->col, cut->value, NULL);
}

/* Cuts of some rounds at LP solutions for random costs; each is violated where it was found. */
static event_cut_list find_cuts(const formulation *f, base_rng *rng)
{
    event_cut_list all = {0};
    lp_model *m = lp_model_copy(f->model);
    for (int round = 0; round < ROUNDS; round++) {
        for (int j = 0; j < f->model->cols && round % 2 == 0; j++)
            if (f->column[j].kind == COLUMN_C || f->column[j].kind == COLUMN_P)
                m->cost[j] = -1.0 - (double)base_rng_below(rng, 8);
        lp_solver *lp = lp_solver_create(m, NULL);
        if (lp_solve(lp) != LP_OPTIMAL) {
            lp_solver_free(lp);
            break;
        }
        event_cut_list found = {0};
        formulation_separate(f, lp_primal(lp), &found);
        for (int c = 0; c < found.count; c++) {
            const event_cut *cut = &found.cut[c];
            ck_assert_double_gt(cut->efficacy, 0);
            ck_assert_double_gt(activity(cut, lp_primal(lp)), cut->upper);
        }
        for (int c = 0; c < found.count; c++)
            add_to_model(m, &found.cut[c]);
        event_cut_list_join(&all, &found);
        ck_assert_int_eq(found.count, 0);
        lp_solver_free(lp);
    }
    lp_model_free(m);
    return all;
}

static void check_point(const event_cut_list *cuts, const double *x, uint64_t seed)
{
    for (int c = 0; c < cuts->count; c++)
        ck_assert_msg(activity(&cuts->cut[c], x) <= cuts->cut[c].upper + 1e-9,
                      "seed %llu: a cut on event (%d,%d)%s loses a schedule",
                      (unsigned long long)seed, cuts->cut[c].t, cuts->cut[c].k,
                      cuts->cut[c].conditional ? ", conditional," : "");
}

typedef struct tally {
    int cuts, points, conditional, dropped;
} tally;

/* The cuts of f hold at integral points of f, and expressed on the larger model at its points. */
static void check_instance(uint64_t seed, unsigned features, tally *t)
{
    OWNED(random_instance) r = mixed_instance(seed, 8);
    base_rng rng = {seed};
    OWNED(uint8_t) *window = formulation_mask_windows(&r.problem, features, 1, 1);
    OWNED(uint8_t) *full = formulation_mask_full(&r.problem, features);
    OWNED(formulation) *small = formulation_build(&r.problem, features, window, 1.0);
    OWNED(formulation) *whole =
        formulation_build(&r.problem, features & ~(unsigned)FORMULATION_MERGE, full, 1.0);
    event_cut_list cuts = find_cuts(seed % 3 ? small : whole, &rng);
    for (int model = 0; model < 2; model++) {
        const formulation *f = model == 0 ? small : whole;
        int kept = 0;
        for (int c = 0; c < cuts.count; c++)
            if (event_cut_express(f, &cuts.cut[c]))
                kept++;
            else
                cuts.cut[c].count = 0, cuts.cut[c].upper = 0;
        ck_assert(model == 0 || kept == cuts.count); /* the larger model has every event */
        t->dropped += cuts.count - kept;
        for (int k = 0; k < POINTS && cuts.count > 0; k++) {
            OWNED(double) *x = random_point(f, &rng);
            if (x) {
                check_point(&cuts, x, seed);
                t->points++;
            }
        }
    }
    t->cuts += cuts.count;
    for (int c = 0; c < cuts.count; c++)
        t->conditional += cuts.cut[c].conditional;
    event_cut_list_clear(&cuts);
}

/* With all features, and without some. */
LOOP_TEST(schedules_meet_event_cuts, 2)
{
    const unsigned without[] = {0, FORMULATION_CANONICAL | FORMULATION_LATE | FORMULATION_ROUND};
    const uint64_t first = _i ? 500 : 0;
    tally t = {0};
    for (uint64_t seed = first; seed < first + MANY(_i ? 60 : 140); seed++)
        check_instance(seed, FORMULATION_DEFAULT & ~without[_i], &t);
    ck_assert_int_gt(t.cuts, MANY(_i ? 80 : 200));
    ck_assert_int_gt(t.points, MANY(_i ? 100 : 300));
    ck_assert(_i || t.conditional > MANY(20));
}

/* Every source cut there is, of both kinds and with every choice of sources, at random points. */
typedef struct source_sweep {
    const formulation *f;
    double *point[POINTS];
    uint64_t seed;
    event_cut cut;
    int tight[2], stored; /* cuts of each kind, and with page-outs, that some point just meets */
} source_sweep;

static void sweep_choices(source_sweep *s)
{
    for (unsigned choice = 0; choice < 2u << s->cut.depth; choice++) {
        s->cut.kept = choice & 1;
        s->cut.stored = choice >> 1;
        ck_assert(event_cut_express(s->f, &s->cut));
        bool tight = false;
        for (int k = 0; k < POINTS && s->point[k]; k++) {
            double over = activity(&s->cut, s->point[k]) - s->cut.upper;
            ck_assert_msg(over <= 1e-9,
                          "seed %llu: the source cut on node %d, stages %d..%d, path %d.. of %d, "
                          "stored %u%s loses a schedule",
                          (unsigned long long)s->seed, s->cut.k, s->cut.t, s->cut.last,
                          s->cut.path[0], s->cut.depth, s->cut.stored, s->cut.kept ? ", kept" : "");
            tight = tight || (over > -1e-9 && s->cut.count > 0);
        }
        s->tight[s->cut.kept] += tight;
        s->stored += tight && s->cut.stored;
    }
}

static void sweep_paths(source_sweep *s, int depth)
{
    const graph *g = s->f->problem->graph;
    int from = depth == 0 ? s->cut.k : s->cut.path[depth - 1];
    for (int q = g->input_start[from]; q < g->input_start[from + 1]; q++) {
        s->cut.path[depth] = g->input[q];
        s->cut.depth = depth + 1;
        for (s->cut.t = s->cut.k + 1; s->cut.t < g->n; s->cut.t++)
            for (s->cut.last = s->cut.t; s->cut.last < g->n; s->cut.last++)
                sweep_choices(s);
        if (depth + 1 < SWEEP_DEPTH)
            sweep_paths(s, depth + 1);
    }
}

TEST(schedules_meet_all_source_cuts)
{
    int tight[2] = {0, 0}, stored = 0;
    for (uint64_t seed = 1000; seed < 1060; seed++) {
        OWNED(random_instance) r = mixed_instance(seed, 8);
        base_rng rng = {seed};
        OWNED(uint8_t) *full = formulation_mask_full(&r.problem, FORMULATION_DEFAULT);
        source_sweep s = {.seed = seed};
        OWNED(formulation) *f = formulation_build(&r.problem, FORMULATION_DEFAULT, full, 1.0);
        s.f = f;
        for (int k = 0, points = 0; k < POINTS; k++) {
            double *x = random_point(f, &rng);
            if (x)
                s.point[points++] = x;
        }
        for (s.cut.k = 0; s.cut.k < r.problem.graph->n; s.cut.k++)
            sweep_paths(&s, 0);
        for (int kind = 0; kind < 2; kind++)
            tight[kind] += s.tight[kind];
        stored += s.stored;
        base_free(s.cut.col);
        base_free(s.cut.value);
        for (int k = 0; k < POINTS; k++)
            base_free(s.point[k]);
    }
    ck_assert_int_gt(tight[0], 1000);
    ck_assert_int_gt(tight[1], 1000);
    ck_assert_int_gt(stored, 1000);
}

/* Families that the features leave out are not separated. */
TEST(features_are_respected)
{
    static const unsigned without[] = {0, FORMULATION_CONDITIONAL, FORMULATION_EVENT_CUTS,
                                       FORMULATION_EVENT_CUTS | FORMULATION_SOURCE_CUTS};
    int cuts[4] = {0}, conditional[4] = {0}, sources[4] = {0};
    for (uint64_t seed = 0; seed < 40; seed++) {
        OWNED(random_instance) r = mixed_instance(seed % 10, 14);
        const size_t k = seed / 10;
        const unsigned features = FORMULATION_DEFAULT & ~without[k];
        OWNED(uint8_t) *full = formulation_mask_full(&r.problem, features);
        OWNED(formulation) *f = formulation_build(&r.problem, features, full, 1.0);
        base_rng rng = {seed % 10};
        event_cut_list list = find_cuts(f, &rng);
        cuts[k] += list.count;
        for (int c = 0; c < list.count; c++) {
            conditional[k] += list.cut[c].conditional;
            sources[k] += list.cut[c].depth > 0;
        }
        event_cut_list_clear(&list);
    }
    ck_assert_int_gt(conditional[0], 0);
    ck_assert_int_gt(sources[0], 0);
    ck_assert_int_eq(conditional[1], 0);
    ck_assert_int_gt(cuts[1], sources[1]);
    ck_assert_int_gt(cuts[2], 0);
    ck_assert_int_eq(cuts[2], sources[2]);
    ck_assert_int_eq(cuts[3], 0);
}
