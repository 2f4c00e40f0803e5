/* The coarse timeline against the oracle on small instances. */
#include <math.h>
#include <string.h>

#include "formulation/coarse.h"
#include "tests/formulation/support.h"
#include "tests/oracle/oracle.h"
#include "tests/problem/networks.h"
#include "tests/problem/owned.h"
#include "tests/suite.h"

SUITE("oracle", .seconds = 300);

OWNED_POINTER(coarse, coarse_free)

/* A random set of stages, at least one; their number. */
static int random_points(base_rng *rng, int n, int *point)
{
    int points = 0;
    const uint64_t sparse = 1 + base_rng_below(rng, 4);
    for (int t = 0; t < n; t++)
        if (base_rng_below(rng, sparse) == 0)
            point[points++] = t;
    if (points == 0)
        point[points++] = (int)base_rng_below(rng, (uint64_t)n);
    return points;
}

/* Whatever the points, no schedule is below the optimum of the model; with many of them it is often
 * reached. */
TEST(bounds_from_below)
{
    int below = 0, reached = 0, infeasible = 0;
    for (uint64_t seed = 0; seed < 1500; seed++) {
        OWNED(random_instance) r = mixed_instance(50000 + seed, 6);
        const problem *p = &r.problem;
        base_rng rng = {.state = seed};
        int point[6];
        const int points = random_points(&rng, p->graph->n, point);
        oracle_result oracle = oracle_solve(p);
        OWNED(coarse) *c = coarse_build(p, FORMULATION_DEFAULT, point, points, 1);
        const double bound = model_optimum(c->model, NULL);
        ck_assert_msg(bound <= oracle.overhead_joules * (1 + 1e-9) + 1e-9,
                      "seed %d: %.9g of a coarse model, the optimum is %.9g", (int)seed, bound,
                      oracle.overhead_joules);
        if (oracle.feasible && oracle.overhead_joules > 0) {
            below += bound < oracle.overhead_joules - 1e-9;
            reached += bound >= oracle.overhead_joules - 1e-9;
        }
        infeasible += !oracle.feasible && isinf(bound);
        schedule_free(oracle.schedule);
    }
    ck_assert_int_gt(below, 50);
    ck_assert_int_gt(reached, 300);
    ck_assert_int_gt(infeasible, 5);
}

/* An interval of one stage has the stage's events: without page-ins a timeline with every stage as
 * a point is the problem. */
TEST(every_stage_is_exact)
{
    int dear = 0, infeasible = 0;
    for (uint64_t seed = 0; seed < 1500; seed++) {
        OWNED(random_instance) r = mixed_instance(55000 + seed, 6);
        problem *p = &r.problem;
        p->allow_paging = false;
        int point[6];
        for (int t = 0; t < p->graph->n; t++)
            point[t] = t;
        oracle_result oracle = oracle_solve(p);
        OWNED(coarse) *c = coarse_build(p, FORMULATION_DEFAULT, point, p->graph->n, 1);
        const double bound = model_optimum(c->model, NULL);
        ck_assert_msg(oracle.feasible ? fabs(bound - oracle.overhead_joules) <=
                                            1e-9 * oracle.overhead_joules + 1e-9
                                      : isinf(bound),
                      "seed %d: %.9g of the timeline, the optimum is %.9g", (int)seed, bound,
                      oracle.overhead_joules);
        dear += oracle.feasible && oracle.overhead_joules > 0;
        infeasible += !oracle.feasible;
        schedule_free(oracle.schedule);
    }
    ck_assert_int_gt(dear, 100);
    ck_assert_int_gt(infeasible, 100);
}

/* What the solution x of c, of the given cost in joules, stands for costs no more, and breaks no
 * rule but those that the model does not have: the budget, the deadline, and when a page-in may
 * follow a page-out. Its recomputations, -1 if it breaks the last. */
static int check_schedule(const coarse *c, const double *x, double joules)
{
    problem roomy = *c->problem;
    roomy.ram_budget_bytes = INT64_MAX;
    roomy.deadline_seconds = INFINITY;
    OWNED(schedule) *s = coarse_schedule(c, x);
    validation v;
    base_error error;
    const bool valid = schedule_validate(&roomy, s, &v, &error) == 0;
    ck_assert_msg(valid || strstr(error.text, "on storage"), "%s", error.text);
    ck_assert(!valid || v.overhead_joules <= joules * (1 + 1e-9) + 1e-9);
    const int n = c->problem->graph->n;
    for (int j = 1; valid && j <= c->points && c->point[j - 1] + 1 < n; j++)
        for (int t = c->point[j - 1], i = 0; i < t; i++) { /* dropped is dropped */
            const int live = c->live[j * n + i], in = c->pagein[j * n + i];
            ck_assert((live >= 0 && x[live] > 0.5) || (in >= 0 && x[in] > 0.5) ||
                      !s->S[schedule_cell(s, t + 1, i)]);
        }
    return valid ? (int)v.recompute_count : -1;
}

TEST(solutions_become_schedules)
{
    int computed_again = 0, on_storage = 0;
    for (uint64_t seed = 0; seed < 800; seed++) {
        OWNED(random_instance) r = mixed_instance(60000 + seed, 11);
        base_rng rng = {.state = seed};
        int point[11];
        const int points = random_points(&rng, r.graph->n, point);
        OWNED(coarse) *c = coarse_build(&r.problem, FORMULATION_DEFAULT, point, points, 1);
        double *x;
        const double cost = model_optimum(c->model, &x);
        const int count = x ? check_schedule(c, x, cost) : 0;
        computed_again += count > 0;
        on_storage += count < 0;
        base_free(x);
    }
    ck_assert_int_gt(computed_again, 100);
    ck_assert_int_lt(on_storage, 40);
}

static bool is_point(const coarse *c, int t)
{
    bool found = t < 0;
    for (int j = 0; j < c->points; j++)
        found = found || c->point[j] == t;
    return found;
}

/* What x stands for fits into the budget but in stages that are intervals by themselves. */
static void check_refined(const coarse *c, const double *x)
{
    OWNED(schedule) *s = coarse_schedule(c, x);
    for (int t = 0; t < s->n; t++)
        ck_assert(schedule_stage_memory(c->problem, s, t, NULL) <= c->problem->ram_budget_bytes ||
                  (is_point(c, t) && is_point(c, t - 1)));
}

/* Refines from the given points (extent n) until nothing is finer; more points never take from the
 * bound, which is returned, in joules. */
static double refine(const problem *p, int *point, int points)
{
    double bound = 0;
    for (int before = 0; points > before;) {
        OWNED(coarse) *c = coarse_build(p, FORMULATION_DEFAULT, point, points, 1);
        double *x;
        const double next = model_optimum(c->model, &x);
        ck_assert_double_ge(next, bound * (1 - 1e-9) - 1e-9);
        bound = next;
        before = points;
        if (x) {
            points = coarse_more_points(c, x, 2, point);
            ck_assert_int_le(points, before + 3);
            for (int k = 0; k < points; k++)
                ck_assert(point[k] >= 0 && point[k] < p->graph->n &&
                          (k == 0 || point[k - 1] < point[k]));
            if (points == before)
                check_refined(c, x);
        }
        base_free(x);
    }
    return bound;
}

TEST(points_are_refined)
{
    graph *g = network_graph("linear", "m4");
    const double optimum = 108.9505939, unit = graph_base_joules(g) / 1e4;
    problem p = problem_make(g, graph_checkpoint_all_peak(g) / 2);
    int *point = base_malloc((size_t)g->n, sizeof *point);
    ck_assert_int_eq(coarse_first_points(&p, 2, point), 2);
    const double bound = refine(&p, point, 2) / unit;
    ck_assert_double_le(bound, optimum * (1 + 1e-8));
    ck_assert_double_ge(bound, 0.9 * optimum);
    base_free(point);
    graph_free(g);
    for (uint64_t seed = 0; seed < 500; seed++) {
        OWNED(random_instance) r = mixed_instance(65000 + seed, 11);
        int points[11];
        const int count = coarse_first_points(&r.problem, 1, points);
        if (count > 0)
            refine(&r.problem, points, count);
    }
}

/* No schedule is below the covering bound, which is often above zero, and at most what the point's
 * timeline proves. */
TEST(cover_bounds_from_below)
{
    int positive = 0;
    for (uint64_t seed = 0; seed < 1500; seed++) {
        OWNED(random_instance) r = mixed_instance(52000 + seed, 6);
        const double bound = coarse_cover_bound(&r.problem);
        oracle_result oracle = oracle_solve(&r.problem);
        ck_assert_msg(bound <= oracle.overhead_joules, "seed %d: %.17g, the optimum is %.17g",
                      (int)seed, bound, oracle.overhead_joules);
        positive += bound > 0;
        int point;
        if (bound > 0 && coarse_first_points(&r.problem, 1, &point) == 1) {
            OWNED(coarse) *c = coarse_build(&r.problem, FORMULATION_DEFAULT, &point, 1, 1);
            ck_assert_double_le(bound, model_optimum(c->model, NULL) * (1 + 1e-9));
        }
        schedule_free(oracle.schedule);
    }
    ck_assert_int_gt(positive, 150);
}

/* Node 7 reads nodes 0 and 2 to 6, node 6 reads node 0 and has a workspace of 20 bytes. There 12 of
 * the 60 bytes leave: node 2, and half of node 4 at 0.75 J a byte; node 3 takes 1 J a byte, node 5
 * 1.5 J by its page-out and page-in, node 0 is read there, and node 1 has left. */
TEST(cover_is_the_fractional_knapsack)
{
    static const int read[] = {0, 2, 3, 4, 5, 6};
    static const double joules[] = {0.1, 0.1, 2, 10, 6, 100, 1, 1};
    static const int64_t bytes[] = {8, 8, 8, 10, 8, 2, 4, 1};
    graph_node node[8] = {[6] = {.inputs = read, .input_count = 1, .workspace = 20},
                          [7] = {.inputs = read, .input_count = 6}};
    for (int i = 0; i < 8; i++) {
        node[i].joules = joules[i];
        node[i].bytes = bytes[i];
        node[i].pagein_joules = i == 5 ? 1 : 50;
        node[i].pageout_joules = i == 5 ? 2 : 50;
    }
    static const struct {
        int budget;
        unsigned pin; /* of node 2 */
        bool paging;
        double joules;
    } cases[] = {{48, 0, true, 5},
                 {40, 0, true, 12},
                 {48, GRAPH_NO_RECOMPUTE, true, 10},
                 {48, GRAPH_KEEP, true, 10},
                 {48, GRAPH_NO_PAGE, false, 5}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        base_error why;
        node[2].pin = cases[k].pin;
        OWNED(graph) *g = graph_create("cover", node, 8, &why);
        ck_assert_msg(g != NULL, "%s", why.text);
        problem p = problem_make(g, cases[k].budget);
        p.allow_paging = cases[k].paging;
        ck_assert_double_eq_tol(coarse_cover_bound(&p), cases[k].joules, 1e-9);
        p.allow_paging = p.allow_remat = false;
        ck_assert_double_eq(coarse_cover_bound(&p), 0);
        p.ram_budget_bytes = 60;
        ck_assert_double_eq(coarse_cover_bound(&p), 0);
    }
}

/* Of as many equal parts of the stages over the budget each has its fullest one; a single point is
 * the fullest of all. */
TEST(first_points_are_the_fullest)
{
    int several = 0;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        OWNED(random_instance) r = mixed_instance(63000 + seed, 12);
        const int n = r.graph->n;
        int64_t bytes[12];
        int over[12], point[12], stages = 0;
        graph_checkpoint_all_bytes(r.graph, bytes);
        for (int t = 0; t < n; t++)
            if (bytes[t] > r.problem.ram_budget_bytes)
                over[stages++] = t;
        for (int count = 1; count <= 12; count++) {
            const int points = coarse_first_points(&r.problem, count, point);
            ck_assert_int_eq(points, count < stages ? count : stages);
            int last = -1, place = 0;
            for (int k = 0; k < points; k++) {
                ck_assert_int_gt(point[k], last);
                last = point[k];
                if (stages < count)
                    continue;
                for (; place < (k + 1) * stages / count; place++)
                    ck_assert_int_le(bytes[over[place]], bytes[point[k]]);
            }
            several += points > 1;
        }
    }
    ck_assert_int_gt(several, 500);
}

/* No stage beside tensors that must stay leaves less memory, and no later one as little. */
TEST(tightest_stage_is_the_last_of_the_fullest)
{
    for (uint64_t seed = 0; seed < 1000; seed++) {
        OWNED(random_instance) r = mixed_instance(68000 + seed, 12);
        const graph *g = r.graph;
        int64_t most = -1, last = -1;
        for (int i = 0; i < g->n; i++)
            r.graph->pin[i] |= (seed >> i) & 1 ? GRAPH_KEEP : 0;
        for (int t = 0; t < g->n; t++) {
            int64_t bytes = g->bytes[t] + g->workspace[t], stay = 0;
            for (int i = 0; i < t; i++) {
                const bool stays = !problem_may_leave(&r.problem, i) && g->last_user[i] >= t;
                stay += stays ? g->bytes[i] : 0;
                bytes += stays || graph_is_input(g, i, t) ? g->bytes[i] : 0;
            }
            last = stay > 0 && bytes >= most ? t : last;
            most = stay > 0 && bytes > most ? bytes : most;
        }
        ck_assert_int_eq(coarse_tightest_stage(&r.problem), last);
    }
}

/* The entry of a column in a row of the model; 0 where there is none, or no column. */
static double entry(const lp_model *m, int row, int col)
{
    for (int q = col < 0 ? 0 : m->start[col]; col >= 0 && q < m->start[col + 1]; q++)
        if (m->index[q] == row)
            return m->value[q];
    return 0;
}

/* The deadline's numbers are those of the problem times a power of two: none is rounded, so that
 * what just meets the deadline meets the row. */
TEST(deadline_is_not_rounded)
{
    int positive = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        OWNED(random_instance) r = mixed_instance(67000 + seed, 8);
        problem *p = &r.problem;
        const graph *g = p->graph;
        p->deadline_seconds = graph_base_seconds(g) + 0.3 + g->seconds[0];
        p->deadline_includes_paging = seed % 2;
        const int point[1] = {g->n / 2};
        OWNED(coarse) *c = coarse_build(p, FORMULATION_DEFAULT, point, 1, 1);
        const lp_model *m = c->model;
        const int row = m->rows - 1;
        const double slack = problem_slack_seconds(p), scale = m->row_upper[row] / slack;
        int exponent;
        ck_assert(frexp(scale, &exponent) == 0.5 && scale * slack == m->row_upper[row]);
        for (int j = 0; j <= c->points; j++)
            for (int i = 0; i < g->n; i++) {
                const int compute = c->compute[coarse_cell(c, j, i)];
                const int in = c->pagein[coarse_cell(c, j, i)];
                const double paging = p->deadline_includes_paging ? scale : 0;
                positive += entry(m, row, compute) > 0;
                ck_assert(compute < 0 || entry(m, row, compute) == g->seconds[i] * scale);
                ck_assert(in < 0 || entry(m, row, in) == g->pagein_seconds[i] * paging);
            }
    }
    ck_assert_int_gt(positive, 100);
}

/* The optimum of the LP. */
static double lp_optimum(const lp_model *m)
{
    const lp_params params = lp_params_default();
    lp_solver *lp = lp_solver_create(m, &params);
    ck_assert_int_eq(lp_solve(lp), LP_OPTIMAL);
    const double optimum = lp_objective(lp);
    lp_solver_free(lp);
    return optimum;
}

/* Node 0 leaves RAM at the event of node 2, for 10 and 1 J, and all stages are points until node 7
 * reads it. Small parts that are paged in one after the other, for node 1 again, do not do. */
TEST(a_page_out_is_paid_whole)
{
    static const int first[] = {0}, read[] = {0, 1, 6};
    static const int64_t bytes[] = {4, 1, 7, 1, 1, 1, 1, 1};
    graph_node node[8] = {
        [1] = {.inputs = first, .input_count = 1}, [7] = {.inputs = read, .input_count = 3}};
    const int point[] = {2, 3, 4, 5, 6};
    for (int i = 0; i < 8; i++) {
        node[i].bytes = bytes[i];
        node[i].joules = i == 1 ? 0 : 100;
        node[i].pagein_joules = 1;
        node[i].pageout_joules = 10;
    }
    for (int again = 0; again < 2; again++) { /* node 6 reads it, too */
        node[6].inputs = first;
        node[6].input_count = again;
        base_error why;
        OWNED(graph) *g = graph_create("page", node, 8, &why);
        ck_assert_msg(g != NULL, "%s", why.text);
        const problem p = problem_make(g, 7);
        OWNED(coarse) *c = coarse_build(&p, FORMULATION_DEFAULT, point, 5, 1);
        ck_assert_double_eq_tol(lp_optimum(c->model), 11, 1e-6);
    }
}
