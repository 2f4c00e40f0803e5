/* Sub-MIPs against the oracle, what improvement hands over, and what one model's LP hands to the
 * next. */
#include <math.h>
#include <string.h>

#include "exact/anneal.h"
#include "exact/engine.h"
#include "exact/find.h"
#include "exact/grow.h"
#include "exact/improve.h"
#include "exact/prove.h"
#include "exact/tree.h"
#include "exact/warm.h"
#include "exact/working.h"
#include "formulation/total.h"
#include "heuristics/search.h"
#include "lp/safe.h"
#include "problem/network.h"
#include "tests/exact/agree.h"
#include "tests/exact/suites.h"
#include "tests/oracle/random_instance.h"

static graph *network_for(const char *network, const char *device)
{
    base_error error;
    graph *g = network_build(network, platform_find(device), network_options_default(), &error);
    ck_assert_msg(g != NULL, "%s", error.text);
    return g;
}

/* An engine without anything found yet. */
static engine engine_for(const problem *p, const exact_params *params, exact_result *result)
{
    engine e = {.p = p,
                .params = params,
                .result = result,
                .features = params->features,
                .scale = formulation_default_scale(p->graph),
                .upper = INFINITY};
    pthread_mutex_init(&e.lock, NULL);
    e.mask = formulation_mask_full(p, params->features);
    formulation_mask_propagate(p, params->features, e.mask);
    return e;
}

/* The LP over these cells, solved. */
static working *solved_over(engine *e, const uint8_t *mask)
{
    working *w = working_open(e, mask, NULL, 0);
    ck_assert(working_solve(e, w, INFINITY));
    ck_assert_int_eq(w->status, LP_OPTIMAL);
    return w;
}

/* ... over narrow windows. */
static working *solved_windows(engine *e)
{
    uint8_t *mask = formulation_mask_windows(e->p, e->features, 1, 1);
    working *w = solved_over(e, mask);
    base_free(mask);
    return w;
}

static void engine_end(engine *e)
{
    engine_anneal_clear(e);
    engine_improve_clear(e);
    engine_prove_clear(e);
    base_free(e->mask);
    pthread_mutex_destroy(&e->lock);
    exact_result_clear(e->result);
}

/* A sub-MIP over all cells but those of paging finds the best schedule without paging. */
static void check_without(const problem *p, bool paging)
{
    problem restricted = *p;
    if (paging)
        restricted.allow_paging = false;
    else
        restricted.allow_remat = false;
    const oracle_result truth = oracle_solve(&restricted);
    const exact_params params = agree_params();
    exact_result result = {0};
    engine e = engine_for(p, &params, &result);
    const size_t size = (size_t)p->graph->n * (size_t)p->graph->n;
    uint8_t *cells = base_malloc(size, 1);
    const uint8_t without = paging ? MASK_IN | MASK_OUT | MASK_P : MASK_R;
    for (size_t c = 0; c < size; c++)
        cells[c] = e.mask[c] & (uint8_t)~without;
    engine_submip(&e, cells, NULL, "test", 1e12);
    ck_assert_int_eq(result.schedule != NULL, truth.feasible);
    if (truth.feasible) {
        ck_assert_double_eq_tol(result.validation.overhead_joules, truth.overhead_joules,
                                1e-9 * (1 + truth.overhead_joules));
        ck_assert_str_eq(result.source, "test");
    }
    base_free(cells);
    schedule_free(truth.schedule);
    engine_end(&e);
}

START_TEST(submips_against_oracle)
{
    for (uint64_t seed = 1; seed <= 60; seed++) {
        random_instance instance = random_instance_make(seed, 6);
        if (graph_minimum_bytes(instance.graph, NULL) <= instance.problem.ram_budget_bytes &&
            problem_slack_seconds(&instance.problem) >= 0) {
            check_without(&instance.problem, true);
            check_without(&instance.problem, false);
        }
        random_instance_free(&instance);
    }
}
END_TEST

typedef struct outcome {
    double overhead;
    bool paired, grouped;
} outcome;

/* One that only pages, or only recomputes. */
static schedule *quick_schedule(const problem *p, bool pages)
{
    problem restricted = *p;
    restricted.allow_paging = pages;
    restricted.allow_remat = !pages;
    heuristic_params hp = heuristic_params_default();
    hp.work_limit = 20000;
    schedule *s = heuristic_search(&restricted, NULL, 0, &hp, NULL);
    ck_assert_ptr_nonnull(s);
    return s;
}

/* From a poor bound, so that every step has something to do. */
static outcome improve(const problem *p, double submip_work)
{
    exact_params params = exact_params_default();
    params.tuning.submip_work = submip_work;
    schedule *remat = quick_schedule(p, false), *page = quick_schedule(p, true);
    const schedule *starts[] = {remat, page};
    const char *names[] = {"remat", "page"};
    params.starts = starts;
    params.start_names = names;
    params.start_count = 2;
    FILE *log = tmpfile();
    params.log = 2;
    params.log_stream = log;
    exact_result result = {0};
    engine e = engine_for(p, &params, &result);
    for (int k = 0; k < 2; k++)
        engine_offer(&e, starts[k], names[k]);
    working *w = solved_over(&e, e.mask);
    w->bound = 0.5 * w->bound; /* as if the LP said little */
    engine_improve(&e, w);
    working_free(w);
    ck_assert_int_eq(schedule_validate(p, result.schedule, NULL, NULL), 0);
    outcome o = {result.validation.overhead_joules, false, false};
    char line[256];
    rewind(log);
    while (fgets(line, sizeof line, log)) {
        o.paired |= strstr(line, "remat+page sub-MIP") != NULL;
        o.grouped |= strstr(line, "group sub-MIP") != NULL;
    }
    fclose(log);
    ck_assert_int_gt(result.incumbent_count, 0);
    for (int k = 1; k < result.incumbent_count; k++)
        ck_assert_double_lt(result.incumbent[k].overhead_joules,
                            result.incumbent[k - 1].overhead_joules);
    ck_assert_double_eq(result.incumbent[result.incumbent_count - 1].overhead_joules, o.overhead);
    engine_end(&e);
    schedule_free(remat);
    schedule_free(page);
    return o;
}

START_TEST(improvement)
{
    graph *g = network_for("linear", "m4");
    const problem p = problem_make(g, graph_checkpoint_all_peak(g) / 2);
    const double optimum = 108.9505939 * graph_base_joules(g) / 1e4;
    const double work = 5;
    const outcome with = improve(&p, work), again = improve(&p, work), without = improve(&p, 0);
    ck_assert_double_eq_tol(with.overhead, optimum, 1e-7 * optimum);
    ck_assert_double_eq(with.overhead, again.overhead);
    ck_assert(with.paired && with.grouped && !without.paired && !without.grouped);
    ck_assert_double_ge(without.overhead, optimum * (1 - 1e-7));
    graph_free(g);
}
END_TEST

/* Turn after turn, from a poor schedule and a poor bound to the optimum; each keeps to its work. */
START_TEST(improvement_goes_on)
{
    graph *g = network_for("linear", "m4");
    const problem p = problem_make(g, graph_checkpoint_all_peak(g) / 2);
    const double optimum = 108.9505939 * graph_base_joules(g) / 1e4;
    exact_params params = exact_params_default();
    exact_result result = {0};
    engine e = engine_for(&p, &params, &result);
    schedule *s = quick_schedule(&p, false);
    ck_assert(engine_offer(&e, s, "remat"));
    working *w = solved_over(&e, e.mask);
    const double work = 2e7;
    for (int turn = 0; turn < 20; turn++) {
        const double before = engine_work(&e);
        engine_improve_on(&e, w, work);
        ck_assert_double_gt(engine_work(&e), before);
        ck_assert_double_le(engine_work(&e), before + 3 * work);
    }
    ck_assert_double_eq_tol(result.validation.overhead_joules, optimum, 1e-7 * optimum);
    working_free(w);
    engine_end(&e);
    schedule_free(s);
    graph_free(g);
}
END_TEST

/* A tree prunes half of its own gap below the cutoff that it is told. Where it ends there, though
 * it found the best schedule itself, the engine's cutoff is proven. */
START_TEST(trees_prove_the_cutoff)
{
    static const double gaps[] = {0, 1e-12, EXACT_OPTIMAL_GAP, 1e-4, 0.3};
    for (size_t k = 0; k < sizeof gaps / sizeof *gaps; k++)
        for (int power = -7; power < 11; power++) {
            const double upper = 2.9 * pow(7.3, power);
            exact_params params = exact_params_default();
            params.gap_relative = gaps[k];
            const engine e = {.params = &params, .upper = upper};
            const double told = engine_tree_cutoff(&e);
            const double pruned = told - 0.5 * engine_turn_params(&e).gap_relative * told;
            ck_assert_double_eq(engine_turn_params(&e).cutoff, told);
            ck_assert_double_ge(pruned, engine_cutoff(&e));
            ck_assert_double_le(pruned, upper);
        }
}
END_TEST

/* From the windows' LP to itself all weights go over, to the model over all cells those of the
 * cells that both have. */
START_TEST(weights_go_over_to_the_next_model)
{
    graph *g = network_for("linear", "m4");
    const problem p = problem_make(g, graph_checkpoint_all_peak(g) / 2);
    const exact_params params = exact_params_default();
    exact_result result = {0};
    engine e = engine_for(&p, &params, &result);
    working *w = solved_windows(&e);
    formulation *all = formulation_build(&p, params.features, e.mask, e.scale);
    ck_assert_int_lt(w->f->model->cols, all->model->cols);
    const int size = lp_cols(w->lp) + lp_rows(w->lp), cells = p.graph->n * p.graph->n;
    double *weight = base_malloc((size_t)size, sizeof *weight), *same, *wider;
    lp_get_weights(w->lp, weight);
    base_free(warm_basis(&e, w->f, w->cuts.count, w, &same, NULL));
    ck_assert_mem_eq(same, weight, (size_t)size * sizeof *same);
    base_free(warm_basis(&e, all, 0, w, &wider, NULL));
    int basic = 0;
    for (int kind = 0; kind < CELL_KINDS; kind++)
        for (int c = 0; c < cells; c++) {
            const int from = w->f->cell[kind][c], to = all->cell[kind][c];
            if (from < 0 || to < 0)
                continue;
            ck_assert_double_eq(wider[to], weight[from]);
            basic += weight[from] > 0;
        }
    ck_assert_int_gt(basic, 0);
    base_free(weight);
    base_free(same);
    base_free(wider);
    formulation_free(all);
    working_free(w);
    engine_end(&e);
    graph_free(g);
}
END_TEST

/* What the duals of wide, extended, prove of the model over the mask. */
static double carried_bound(engine *e, const working *wide, const uint8_t *mask, int *cols)
{
    working *w = working_build(e, mask, wide, false);
    lp_model *m = model_with_cuts(w->f, &w->cuts);
    double *y = warm_duals(e, w->f, w->cuts.count, wide);
    const double bound = lp_safe_bound(m, NULL, NULL, y, NULL);
    *cols = m->cols;
    base_free(y);
    lp_model_free(m);
    working_free(w);
    return bound;
}

/* Improvement is not due where it would do nothing: such a turn takes no work, and would be due
 * again for ever. */
START_TEST(does_not_turn_for_nothing)
{
    graph *g = network_for("vgg16_cifar", "a72");
    const problem p = problem_make(g, graph_checkpoint_all_peak(g) / 2);
    exact_params params = exact_params_default();
    params.tuning.long_work = 0;
    params.tuning.anneal_effort = 0;
    params.tuning.anneal_quick = 0;
    params.tuning.coarse = false;
    exact_result result = {0};
    engine e = engine_for(&p, &params, &result);
    working *w = solved_windows(&e);
    const finder f = {
        .e = &e, .now = {.windows = w, .wide = w, .growth_over = true}, .improved = {true, true}};
    e.upper = 2 * w->bound;
    e.lower = w->bound;
    ck_assert_int_eq(finder_next(&f), EFFORT_IMPROVE);
    ck_assert_int_eq(finder_due(&f), EFFORT_IMPROVE);
    e.lower = (1 - 0.5 * params.tuning.improve_near) * e.upper;
    ck_assert_int_eq(finder_next(&f), EFFORTS);
    ck_assert_int_eq(finder_due(&f), EFFORTS);
    working_free(w);
    engine_end(&e);
    graph_free(g);
}
END_TEST

/* Turns may end within an LP: those with little work are many, and growth ends with the same bound.
 */
START_TEST(grows_by_turns)
{
    graph *g = network_for("resnet18_cifar", "a72");
    const problem p = problem_make(g, graph_checkpoint_all_peak(g) / 2);
    const exact_params params = exact_params_default();
    double bound[2];
    int turns[2] = {0};
    for (int k = 0; k < 2; k++) {
        exact_result result = {0};
        engine e = engine_for(&p, &params, &result);
        engine_anneal(&e, 1e7);
        working *w = solved_windows(&e);
        engine_growth_begin(&e, w);
        for (; !engine_growth_over(&e); turns[k]++)
            engine_grow(&e, k == 0 ? INFINITY : 1e6);
        working *wide = engine_growth_end(&e);
        ck_assert(engine_solved(&e, wide));
        bound[k] = wide->bound;
        working_free(wide);
        engine_end(&e);
        working_free(w);
    }
    graph_free(g);
    ck_assert_int_gt(turns[1], 3 * turns[0]);
    ck_assert_double_eq_tol(bound[0], bound[1], 1e-9 * bound[0]);
}
END_TEST

/* Grown from the windows, the duals of the last model prove as much of the model over all cells
 * that are left, and of one with fewer, though both have other rows. */
START_TEST(multipliers_go_over_to_the_last_model)
{
    graph *g = network_for("resnet18_cifar", "a72");
    const problem p = problem_make(g, graph_checkpoint_all_peak(g) / 2);
    const exact_params params = exact_params_default();
    exact_result result = {0};
    engine e = engine_for(&p, &params, &result);
    engine_anneal(&e, 1e7);
    working *w = solved_windows(&e);
    engine_growth_begin(&e, w);
    while (!engine_growth_over(&e))
        engine_grow(&e, INFINITY);
    working *wide = engine_wide(&e);
    ck_assert(engine_solved(&e, wide) && e.extended == wide);
    int all, fewer;
    ck_assert_double_ge(carried_bound(&e, wide, e.mask, &all), (1 - 1e-9) * wide->bound);
    ck_assert_int_gt(all, 2 * wide->f->model->cols);
    base_rng rng = {1};
    uint8_t *mask = base_malloc(engine_cells(&e), 1);
    for (size_t c = 0; c < engine_cells(&e); c++)
        mask[c] = base_rng_below(&rng, 3) ? e.mask[c] : e.mask[c] & (uint8_t) ~(MASK_R | MASK_IN);
    formulation_mask_propagate(&p, params.features, mask);
    ck_assert_double_ge(carried_bound(&e, wide, mask, &fewer), (1 - 1e-9) * wide->bound);
    ck_assert_int_lt(fewer, all);
    /* Cuts that came after the extension have no multipliers. */
    const int rows = wide->f->model->rows, had = wide->cuts.count;
    for (int k = 0; k < 1000; k++)
        *event_cut_list_add(&wide->cuts) = (event_cut){.upper = LP_INFINITY};
    double *y = warm_duals(&e, wide->f, wide->cuts.count, wide);
    for (int c = had; c < wide->cuts.count; c++)
        ck_assert_double_eq(y[rows + c], 0);
    base_free(y);
    base_free(mask);
    ck_assert_ptr_eq(engine_growth_end(&e), wide);
    ck_assert_ptr_ne(wide, w);
    working_free(wide);
    engine_end(&e);
    working_free(w);
    graph_free(g);
}
END_TEST

/* Totals in units pay when what may still be gained is a small part of a unit. */
START_TEST(units_pay_near_the_end)
{
    graph *g = network_for("resnet18_cifar", "a72");
    const problem p = problem_make(g, graph_checkpoint_all_peak(g) / 2);
    exact_params params = exact_params_default();
    exact_result result = {0};
    engine e = engine_for(&p, &params, &result);
    const double unit = formulation_total_unit(g) * e.scale;
    e.lower = 10;
    e.upper = e.lower + 100 * unit;
    ck_assert(!engine_units_pay(&e));
    e.upper = e.lower + 0.1 * unit;
    ck_assert(engine_units_pay(&e));
    e.upper = INFINITY;
    ck_assert(!engine_units_pay(&e));
    e.upper = e.lower + 0.1 * unit;
    params.tuning.unit_totals = false;
    ck_assert(!engine_units_pay(&e));
    engine_end(&e);
    graph_free(g);
}
END_TEST

/* A gap that a tree is likely to close is left to it, until that takes long. */
START_TEST(long_searches_look_on)
{
    graph *g = network_for("linear", "m4");
    const problem p = problem_make(g, graph_checkpoint_all_peak(g) / 2);
    exact_params params = exact_params_default();
    params.tuning.coarse = false;
    exact_result result = {0};
    engine e = engine_for(&p, &params, &result);
    schedule *s = quick_schedule(&p, false);
    ck_assert(engine_offer(&e, s, "remat"));
    finder f = {.e = &e};
    e.lower = (1 - 0.1 * params.tuning.near_gap) * e.upper;
    e.core_closed = true;
    base_work_count(1000); /* a share of nothing is none */
    for (int takes_long = 0; takes_long < 2; takes_long++) {
        params.tuning.long_work = takes_long ? 0 : 1e15;
        ck_assert_int_eq(finder_due(&f), takes_long ? EFFORT_ANNEAL : EFFORTS);
    }
    e.core_closed = false;
    engine_end(&e);
    schedule_free(s);
    graph_free(g);
}
END_TEST

/* The coarse timeline has turns though another bound is better, where the search takes long and is
 * far from its end. */
START_TEST(long_searches_coarsen)
{
    graph *g = network_for("linear", "m4");
    const problem p = problem_make(g, graph_checkpoint_all_peak(g) / 2);
    exact_params params = exact_params_default();
    params.tuning.anneal_effort = 0;
    exact_result result = {0};
    engine e = engine_for(&p, &params, &result);
    e.upper = 10;
    e.coarse_bound = 1;
    finder f = {.e = &e, .now = {.growth_over = true}};
    base_work_count(1000); /* a share of nothing is none */
    for (int takes_long = 0; takes_long < 2; takes_long++) {
        params.tuning.long_work = takes_long ? 0 : 1e15;
        e.lower = (1 - 0.1 * params.tuning.near_gap) * e.upper;
        ck_assert_int_eq(finder_due(&f), EFFORTS);
        e.lower = (1 - 10 * params.tuning.near_gap) * e.upper;
        ck_assert_int_eq(finder_due(&f), takes_long ? EFFORT_COARSE : EFFORTS);
    }
    engine_end(&e);
    graph_free(g);
}
END_TEST

Suite *improve_suite(void)
{
    Suite *suite = suite_create("exact: improvement");
    TCase *tcase = tcase_create("improvement");
    tcase_set_timeout(tcase, 600);
    tcase_add_test(tcase, submips_against_oracle);
    tcase_add_test(tcase, improvement);
    tcase_add_test(tcase, improvement_goes_on);
    tcase_add_test(tcase, long_searches_look_on);
    tcase_add_test(tcase, long_searches_coarsen);
    tcase_add_test(tcase, trees_prove_the_cutoff);
    tcase_add_test(tcase, weights_go_over_to_the_next_model);
    tcase_add_test(tcase, units_pay_near_the_end);
    tcase_add_test(tcase, does_not_turn_for_nothing);
    tcase_add_test(tcase, grows_by_turns);
    tcase_add_test(tcase, multipliers_go_over_to_the_last_model);
    suite_add_tcase(suite, tcase);
    return suite;
}
