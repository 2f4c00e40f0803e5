/* The cases of which dear tensors are ever away: what is said of nested tensors, of each case and
 * of all of them, against the oracle. */
#include "exact/beside.h"
#include "exact/cases/case.h"
#include "exact/cases/cases.h"
#include "exact/timeline/coarse.h"
#include "tests/exact/agree.h"
#include "tests/exact/support.h"
#include "tests/oracle/nested_instance.h"
#include "tests/oracle/special_instance.h"
#include "tests/problem/networks.h"
#include "tests/problem/owned.h"
#include "tests/suite.h"

SUITE("oracle", .seconds = 300);

static random_instance draw(uint64_t seed)
{
    if (seed % 2)
        return nested_instance_make(seed / 2);
    return seed % 4 ? random_instance_make(seed, 6)
                    : special_instance_make((special_family)(seed / 4 % SPECIAL_FAMILIES), seed, 6);
}

/* ---- nested tensors ---------------------------------------------------------------- */

/* True if keeping a is said to bring keeping b. */
static bool follows(const problem *p, int a, int b)
{
    uint8_t fate[ORACLE_MAX_NODES] = {0};
    fate[a] = FATE_KEPT;
    fate[b] = FATE_OPEN;
    ck_assert(case_propagate(p, fate, NULL, NULL));
    uint8_t away[ORACLE_MAX_NODES] = {0};
    away[a] = FATE_OPEN;
    away[b] = FATE_AWAY;
    ck_assert(case_propagate(p, away, NULL, NULL));
    ck_assert_int_eq(away[a] == FATE_AWAY, fate[b] == FATE_KEPT);
    return fate[b] == FATE_KEPT;
}

/* Where the outer one is kept at some cost, the inner one is at no more. */
TEST(outer_tensors_go_first)
{
    int pairs = 0, strict = 0;
    for (int seed = 0; seed < 3000; seed++) {
        random_instance r = nested_instance_make((uint64_t)seed);
        const int n = r.graph->n;
        for (int b = 0; b < n; b++)
            for (int a = 0; a < b; a++) {
                if (!follows(&r.problem, a, b))
                    continue;
                const double outer = optimum_keeping(&r.problem, a),
                             inner = optimum_keeping(&r.problem, b);
                ck_assert_msg(inner <= outer, "seed %d: %d kept %.9g, %d kept %.9g", seed, a, outer,
                              b, inner);
                pairs++;
                strict += inner < outer;
            }
        random_instance_free(&r);
    }
    ck_assert_int_gt(pairs, 100);
    ck_assert_int_gt(strict, 20);
}

/* ---- all cases --------------------------------------------------------------------- */

/* The cases' bound is one, though the engine has no schedule that is as good: what they would
 * exclude wrongly is still looked for. closed, ended: where they prove the optimum; at all. */
static void check(uint64_t seed, double worse, int *closed, int *ended)
{
    OWNED(random_instance) r = draw(seed);
    const oracle_result oracle = oracle_solve(&r.problem);
    exact_params params = agree_params();
    params.tuning.coarse = true;
    params.tuning.cases_dear = seed % 3 ? 0 : 0.2;
    params.tuning.coarse_quick = seed % 5 ? 1 : 1e5;
    exact_result result = {0};
    engine e = engine_for(&r.problem, &params, &result);
    if (oracle.feasible && oracle.overhead_joules > 0) {
        ck_assert(engine_offer(&e, oracle.schedule, "oracle"));
        const double known = e.upper;
        e.upper *= worse;
        for (int turn = 0; turn < 200 && engine_cases_left(&e) && !engine_done(&e); turn++) {
            engine_cases(&e, 1e6);
            ck_assert_msg(e.lower <= known * (1 + 1e-9), "seed %d: bound %.9g, the optimum is %.9g",
                          (int)seed, e.lower / e.scale, oracle.overhead_joules);
        }
        ck_assert(!e.failed && !e.infeasible);
        *ended += !engine_cases_left(&e) || engine_done(&e);
        *closed += e.lower >= engine_cutoff(&e);
    }
    engine_end(&e);
    schedule_free(oracle.schedule);
}

TEST(agree_with_the_oracle)
{
    int closed = 0, ended = 0;
    for (int seed = 0; seed < 1000; seed++)
        check((uint64_t)seed, 1 + 0.5 * (seed % 3), &closed, &ended);
    ck_assert_int_gt(closed, 50);
    ck_assert_int_gt(ended, closed);
}

/* The first timeline of a case has the points of the best one so far, and so has that of a case of
 * it; a decided case begins anew. A limit that stopped a turn is forgotten in the next. */
TEST(points_are_handed_down)
{
    OWNED(graph) *g = network_graph("resnet18_cifar", "m4");
    const problem p = fraction_problem(g, 0.4);
    const exact_params params = exact_params_default();
    exact_result result = {0};
    engine e = engine_for(&p, &params, &result);
    engine_note_points(&e.points, &(engine_points){(int[]){50, 61, 70}, 3, 2});
    engine_note_points(&e.points, &(engine_points){(int[]){40}, 1, 1});
    uint8_t *fate = base_calloc((size_t)g->n, sizeof *fate);
    engine_case *c = case_create(&e, fate, &exact_proof_none, 0);
    case_run(c, &e, 1);
    ck_assert_int_eq(c->own.points.count, 3);
    engine_note_points(&c->own.points, &(engine_points){(int[]){50, 62}, 2, 1e9});
    engine_case *child = case_create(&c->own, fate, &exact_proof_none, 0);
    for (int turn = 0; turn < 2; turn++) { /* the second one after its timelines are gone */
        case_run(child, &e, 1);
        ck_assert_int_eq(child->own.points.count, 2);
        ck_assert_int_eq(child->own.points.stage[1], 62);
        case_close(child);
    }
    e.held_back = INFINITY;
    case_run(child, &e, 1);
    ck_assert_int_eq(child->own.stop, BASE_STOP_WORK);
    e.held_back = 0;
    int fullest = -1;
    coarse_first_points(&p, 1, &fullest);
    case_restart(child, &e, 0);
    ck_assert(child->own.points.count == 1 && child->own.points.stage[0] == fullest);
    ck_assert(case_run(child, &e, 1e6) && child->bound > 0);
    case_free(child);
    case_free(c);
    base_free(fate);
    engine_end(&e);
}

/* The cheap chain of BERT, which is computed again beside one attention matrix that must go:
 * without the cases timelines stay at 0.7951 J. */
LONG_TEST(prove_what_timelines_do_not)
{
    OWNED(graph) *g = network_graph("bert", "m4");
    const problem p = fraction_problem(g, 0.6);
    exact_params params = exact_params_default();
    params.work_limit = 12;
    params.tuning.cases_begin = 0;
    params.tuning.long_work = 3e8;
    params.tuning.cases_effort = 1000;
    params.tuning.labels = false;
    OWNED(exact_result) r = exact_solve(&p, &params);
    ck_assert_int_eq(r.status, EXACT_OPTIMAL);
    ck_assert_double_eq_tol(r.validation.overhead_joules, 0.8011547956, 1e-9);
    ck_assert_int_gt(r.spent[EFFORT_CASES].successes, 0);
}

/* True if the cases are due after three turns with this number of successes, which took 300 of
 * 1000 per mille of all work. */
static bool due_after(const problem *p, int successes)
{
    exact_params params = exact_params_default();
    params.tuning.cases_begin = params.tuning.long_work = 0;
    exact_result result = {.nodes = 0};
    engine e = engine_for(p, &params, &result);
    e.upper = e.scale;
    e.work_before = base_work_done();
    e.helpers_work = 1e9;
    result.spent[EFFORT_CASES] = (exact_spent){.work = 0.3, .turns = 3, .successes = successes};
    const beside f = {.e = &e,
                      .busy = 1u << EFFORT_ANNEAL | 1u << EFFORT_POLISH | 1u << EFFORT_COARSE |
                              1u << EFFORT_LABELS};
    const bool due = beside_due(&f) == EFFORT_CASES;
    ck_assert_int_eq(beside_next(&f), EFFORT_CASES);
    engine_end(&e);
    return due;
}

TEST(share_shrinks_without_success)
{
    OWNED(random_instance) r = draw(1);
    ck_assert(due_after(&r.problem, 3));
    ck_assert(!due_after(&r.problem, 0));
}
