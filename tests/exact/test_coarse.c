/* The coarse timeline by itself, as the engine uses it, against the oracle. */
#include <math.h>

#include "exact/engine.h"
#include "exact/finder/anneal.h"
#include "exact/timeline/cell_bounds.h"
#include "exact/timeline/coarse.h"
#include "tests/exact/agree.h"
#include "tests/exact/support.h"
#include "tests/oracle/layered.h"
#include "tests/oracle/nested_instance.h"
#include "tests/oracle/special_instance.h"
#include "tests/problem/networks.h"
#include "tests/problem/owned.h"
#include "tests/suite.h"

SUITE("oracle", .seconds = 300);

static random_instance draw(uint64_t seed)
{
    const uint64_t family = seed % (SPECIAL_FAMILIES + 1);
    return family == SPECIAL_FAMILIES
               ? random_instance_make(seed, 6)
               : special_instance_make((special_family)family, seed / (SPECIAL_FAMILIES + 1), 6);
}

/* Joules that timelines tell after so many turns of so much work. */
typedef struct bounds {
    double lower, upper;
} bounds;

static bounds bounds_after(const problem *p, const exact_params *params, int turns, double work)
{
    exact_result result = {0};
    engine e = engine_for(p, params, &result);
    for (int turn = 0; turn < turns; turn++)
        engine_coarse(&e, work);
    const bounds b = {e.lower / e.scale, e.upper / e.scale};
    engine_end(&e);
    return b;
}

/* Whatever it proves holds: the bound, that there is no schedule, and that one is optimal. known:
 * the engine has an optimal schedule before. */
static void check(uint64_t seed, bool known, int *closed, int *found)
{
    OWNED(random_instance) r = draw(seed);
    const oracle_result oracle = oracle_solve(&r.problem);
    exact_params params = agree_params();
    params.tuning.coarse = true;
    exact_result result = {0};
    engine e = engine_for(&r.problem, &params, &result);
    if (known && oracle.feasible)
        ck_assert(engine_offer(&e, oracle.schedule, "oracle"));
    engine_coarse(&e, 1e4); /* a little, then the rest */
    engine_coarse(&e, 1e15);
    ck_assert(!e.failed && e.stop == BASE_GO);
    ck_assert(!e.infeasible || !oracle.feasible);
    ck_assert_msg(!oracle.feasible ||
                      e.lower / e.scale <= oracle.overhead_joules * (1 + 1e-9) + 1e-12,
                  "seed %d: bound %.9g, the optimum is %.9g", (int)seed, e.lower / e.scale,
                  oracle.overhead_joules);
    if (result.schedule) {
        ck_assert(oracle.feasible);
        ck_assert_double_ge(result.validation.overhead_joules,
                            oracle.overhead_joules * (1 - 1e-9) - 1e-12);
        *found += !known;
        *closed += known && oracle.overhead_joules > 0 && e.lower >= engine_cutoff(&e);
    }
    ck_assert(engine_done(&e) || !engine_coarse_left(&e));
    engine_end(&e);
    schedule_free(oracle.schedule);
}

TEST(agrees_with_the_oracle)
{
    int closed = 0, found = 0;
    for (uint64_t seed = 70000; seed < 70600; seed++) {
        check(seed, false, &closed, &found);
        check(seed, true, &closed, &found);
    }
    ck_assert_int_gt(closed, 100);
    ck_assert_int_gt(found, 100);
}

/* The optimum of the model over every cell in which this one is used. */
static double optimum_with(const formulation *f, cell_kind kind, size_t cell)
{
    lp_model *m = lp_model_copy(f->model);
    m->lower[f->cell[kind][cell]] = 1;
    const bnb_params params = bnb_params_default();
    bnb_result r = bnb_solve(m, &params, NULL);
    ck_assert(r.status == BNB_OPTIMAL || r.status == BNB_INFEASIBLE);
    const double optimum = r.has_solution ? r.objective : INFINITY;
    bnb_result_clear(&r);
    lp_model_free(m);
    return optimum;
}

/* How many cells of the kind the bounds have removed from the mask, each of which costs more than
 * the cutoff. */
static int check_removed(const formulation *f, const uint8_t *mask, cell_kind kind, double cutoff)
{
    const size_t n = (size_t)f->problem->graph->n;
    int removed = 0;
    for (size_t cell = 0; cell < n * n; cell++)
        if (f->cell[kind][cell] >= 0 && !(mask[cell] & formulation_kind_bit[kind])) {
            removed++;
            ck_assert_double_ge(optimum_with(f, kind, cell), cutoff * (1 - 1e-6));
        }
    return removed;
}

/* Cells whose bounds are above the cutoff are used by nothing cheaper, for one timeline after the
 * other. removed: by kind. */
static void check_cell_bounds(uint64_t seed, double part, int *removed)
{
    OWNED(random_instance) r = draw(seed);
    exact_params params = agree_params();
    params.tuning.coarse = true;
    params.features &= ~(unsigned)FORMULATION_MERGE;
    exact_result result = {0};
    engine e = engine_for(&r.problem, &params, &result);
    e.scale = 1;
    uint8_t *full = formulation_mask_full(&r.problem, e.features);
    formulation *f = formulation_build(&r.problem, e.features, full, e.scale);
    engine_coarse(&e, 1e15);
    e.mask = full;
    if (isfinite(e.upper) && e.upper > 0) {
        e.upper *= part; /* as if there were a better schedule, or as if it were worse */
        engine_cell_bounds_eliminate(&e);
        removed[0] += check_removed(f, full, CELL_R, e.upper);
        removed[1] += check_removed(f, full, CELL_IN, e.upper);
        removed[2] += check_removed(f, full, CELL_OUT, e.upper);
    }
    formulation_free(f);
    engine_end(&e);
}

TEST(cells_cost_their_bounds)
{
    int removed[3] = {0};
    for (uint64_t seed = 72000; seed < 72600; seed++)
        check_cell_bounds(seed, 0.5 + 0.1 * (double)(seed % 11), removed);
    for (int k = 0; k < 3; k++)
        ck_assert_int_gt(removed[k], 300);
}

/* A deadline that is far away changes no answer, also where the windows alone have none. */
TEST(with_a_deadline)
{
    int infeasible = 0;
    for (uint64_t seed = 71000; seed < 71600; seed++) {
        OWNED(random_instance) r = draw(seed);
        const int64_t least = graph_minimum_bytes(r.graph, NULL);
        if (seed % 2)
            r.problem.ram_budget_bytes = least;
        const oracle_result oracle = oracle_solve(&r.problem);
        exact_params params = agree_params();
        params.tuning.coarse = true;
        params.limits.deadline = base_seconds() + 1000;
        const char *fault = agree_fault(&r.problem, &params, &oracle);
        ck_assert_msg(fault == NULL, "seed %d: %s", (int)seed, fault);
        infeasible += !oracle.feasible && r.problem.ram_budget_bytes >= least;
        schedule_free(oracle.schedule);
    }
    ck_assert_int_gt(infeasible, 20);
}

/* Two points tell most, if they are the right ones: 0.606 J with the fullest stage alone and
 * with eight spread evenly; the best schedule known takes 0.8086. */
LONG_TEST(points_are_chosen)
{
    OWNED(graph) *g = network_graph("bert", "m4");
    const problem p = fraction_problem(g, 0.6);
    const exact_params params = exact_params_default();
    const double lower = bounds_after(&p, &params, 1, 1e9).lower;
    ck_assert_double_ge(lower, 0.795);
    ck_assert_double_le(lower, 0.8087);
}

/* A layered graph without paging, and its problem. */
static graph *layered_graph(int nodes, uint64_t seed, int percent, problem *p)
{
    base_error error;
    layered_options options = layered_options_default();
    options.nodes = nodes;
    options.seed = seed;
    graph *g = layered_make(&options, &error);
    ck_assert_msg(g != NULL, "%s", error.text);
    const int64_t least = graph_minimum_bytes(g, NULL);
    *p = problem_make(g, least + (graph_checkpoint_all_peak(g) - least) * percent / 100);
    p->allow_paging = false;
    return g;
}

/* A timeline whose tree is open goes on where no stage proves more: with points where it overflows
 * instead, 0.831 J in the same work. */
TEST(trees_go_on)
{
    problem p;
    OWNED(graph) *g = layered_graph(60, 2, 30, &p);
    exact_params params = exact_params_default();
    params.tuning.coarse_try_work = 1e6;
    params.tuning.coarse_least_slice = 2e6;
    ck_assert_double_ge(bounds_after(&p, &params, 4, 3e7).lower, 0.838);
}

/* What is open goes over to another engine, whichever has the next turn: 0.186 J where each begins
 * anew. */
TEST(moves_between_engines)
{
    problem p;
    OWNED(graph) *g = layered_graph(60, 7, 30, &p);
    exact_params params = exact_params_default();
    params.tuning.coarse_try_work = 1e6;
    exact_result result[2] = {{0}, {0}};
    engine e[2];
    for (int k = 0; k < 2; k++)
        e[k] = engine_for(&p, &params, &result[k]);
    for (int turn = 0; turn < 100; turn++) {
        engine *now = &e[turn % 2], *other = &e[1 - turn % 2];
        const long before = other->result->lp_iterations;
        now->coarse = other->coarse;
        other->coarse = NULL;
        engine_coarse(now, 1e6);
        ck_assert_int_eq(other->result->lp_iterations, before);
    }
    ck_assert_double_ge(fmax(e[0].lower, e[1].lower) / e[0].scale, 0.26);
    for (int k = 0; k < 2; k++)
        engine_end(&e[k]);
}

/* A short walk from a solution that overflows finds schedules that are near it. Without the walk
 * the timeline finds none. */
TEST(solutions_are_quenched)
{
    for (uint64_t seed = 4; seed < 7; seed++) {
        problem p;
        OWNED(graph) *g = layered_graph(300, seed, 40, &p);
        exact_params params = exact_params_default();
        params.tuning.anneal_quick = 500;
        const bounds b = bounds_after(&p, &params, 1, 4e7);
        ck_assert_double_le(b.upper, 2.5 * b.lower);
        params.heuristics = false;
        ck_assert_double_eq(bounds_after(&p, &params, 1, 4e7).upper, INFINITY);
    }
}

/* It comes first: what is proven at once needs no model over cells, and elsewhere those have no
 * cell that is too dear. */
TEST(comes_first)
{
    OWNED(graph) *g = network_graph("resnet18_cifar", "m4");
    for (int tenths = 9; tenths >= 5; tenths -= 4) {
        const problem p = problem_make(g, graph_checkpoint_all_peak(g) * tenths / 10);
        exact_params params = exact_params_default();
        OWNED(exact_result) with = exact_solve(&p, &params);
        params.tuning.coarse = false;
        OWNED(exact_result) without = exact_solve(&p, &params);
        ck_assert_int_eq(with.status, EXACT_OPTIMAL);
        ck_assert_double_eq_tol(with.validation.overhead_joules, without.validation.overhead_joules,
                                1e-9 * without.validation.overhead_joules);
        ck_assert_int_gt(with.spent[EFFORT_COARSE].successes, 0);
        ck_assert_int_eq(isnan(with.root_bound), with.spent[EFFORT_BEGIN].turns == 0);
        ck_assert_double_lt(with.work, 0.5 * without.work);
    }
}

/* An open timeline whose bound rests is not given up for a finer one, and proves more as it ends:
 * the finer one is at 9.417 J even after six times the work. */
LONG_TEST(open_timelines_are_kept)
{
    OWNED(graph) *g = network_graph("bert", "m4");
    const problem p = problem_make(g, graph_checkpoint_all_peak(g) * 18 / 100);
    exact_params params = exact_params_default();
    params.tuning.long_work = 0;
    params.tuning.coarse_least_slice = params.tuning.coarse_try_work = 1e6;
    params.tuning.coarse_tries = 1;
    exact_result result = {0};
    engine e = engine_for(&p, &params, &result);
    engine_anneal(&e, 2e7);
    while (engine_work(&e) < 1.6e9 && engine_coarse_left(&e))
        engine_coarse(&e, 1e7);
    ck_assert_double_gt(e.coarse_bound / e.scale, 9.45);
    engine_end(&e);
}

/* A stage where the solution overflows becomes a point before other stages are tried. */
TEST(overflows_become_points)
{
    OWNED(graph) *g = network_graph("bert", "jetsontx2");
    const problem p = problem_make(g, graph_checkpoint_all_peak(g) / 4);
    const exact_params params = exact_params_default();
    exact_result result = {0};
    engine e = engine_for(&p, &params, &result);
    engine_coarse(&e, 1e8);
    ck_assert_double_gt(e.coarse_bound / e.scale, 0.0145); /* two points: 0.01404 J */
    engine_end(&e);
}

/* Beside tensors that must stay, a run of stages is tried first: the last one is the tightest. */
TEST(tightest_stages_become_points)
{
    static const int keep[] = {1, 3, 9, 13, 19, 23, 33, 36, 39, 46, 49, 53, 56, 59};
    OWNED(graph) *g = network_graph("resnet18_cifar", "jetsontx2");
    for (size_t k = 0; k < sizeof keep / sizeof *keep; k++)
        g->pin[keep[k]] = GRAPH_KEEP;
    const problem p = fraction_problem(g, 0.25);
    const exact_params params = exact_params_default();
    exact_result result = {0};
    engine e = engine_for(&p, &params, &result);
    for (int turn = 0; turn < 100 && e.points.count < 4; turn++)
        engine_coarse(&e, 1e6);
    const int *last = e.points.stage + e.points.count - 1;
    ck_assert(e.points.count > 3 && last[-3] == 69 && last[0] == 72);
    engine_end(&e);
}
