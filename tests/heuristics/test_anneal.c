/* Annealing and the intervals it walks on: the memory of every stage and the costs are those of the
 * validator, undone is undone, and what it finds is a schedule and never below the optimum. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "heuristics/anneal.h"
#include "heuristics/intervals.h"
#include "heuristics/regain.h"
#include "tests/oracle/bait_instance.h"
#include "tests/oracle/layered.h"
#include "tests/oracle/oracle.h"
#include "tests/problem/owned.h"
#include "tests/suite.h"

SUITE("intervals", .seconds = 120);

OWNED_POINTER(anneal, anneal_free)

enum { NODES = 30, CHANGES = 60 };

/* Of all families, larger ones, and some of several blocks of stages. */
static random_instance draw_instance(uint64_t seed)
{
    if (seed % 10 == 0)
        return random_instance_make(seed, 4 * INTERVALS_BLOCK);
    return seed % 2 ? any_instance_make(seed, ORACLE_MAX_NODES) : random_instance_make(seed, NODES);
}

/* Bytes of stage t above the budget. */
static int64_t over_of(const intervals *s, int t)
{
    const int64_t beyond = intervals_beyond(s, t);
    return beyond > 0 ? beyond : 0;
}

/* What stages cost, alone and with as many bytes more, and where those above the budget are. */
static void check_charges(const intervals *s, uint64_t seed)
{
    const int n = s->p->graph->n;
    const int64_t bytes = s->p->graph->bytes[seed % (uint64_t)n];
    double charge = 0, more = 0;
    int first_over = -1;
    for (int t = n - 1; t >= 0; t--) {
        const int64_t over = over_of(s, t), then = intervals_beyond(s, t) + bytes;
        charge += s->price[t] * (double)over;
        more += s->price[t] * (double)((then > 0 ? then : 0) - over);
        if (over > 0)
            first_over = t;
        if (first_over >= 0)
            ck_assert_int_eq(intervals_over_from(s, t), first_over);
    }
    ck_assert_int_eq(intervals_over_from(s, 0), first_over);
    for (int block = 0; block * INTERVALS_BLOCK < n; block++) {
        int64_t most = INT64_MIN;
        for (int t = block * INTERVALS_BLOCK; t < n && t < (block + 1) * INTERVALS_BLOCK; t++)
            most = s->beyond[t] > most ? s->beyond[t] : most;
        ck_assert_int_eq(s->block[block].most, most);
    }
    for (int t = n - 1; t >= 0 && first_over >= 0 && intervals_beyond(s, t) <= 0; t--)
        ck_assert_int_eq(intervals_over_from(s, t), first_over);
    ck_assert_double_eq_tol(charge, s->charge, 1e-9 * fmax(1, charge));
    ck_assert_double_eq_tol(more, intervals_rise(s, 0, n - 1, bytes, INFINITY),
                            1e-9 * fmax(1, more));
}

/* Computations of nodes beyond the most that one may have. */
static int64_t extra_computations(const problem *p, const schedule *s)
{
    int64_t extra = 0;
    for (int i = 0; i < s->n; i++) {
        int count = 0;
        for (int t = i; t < s->n; t++)
            count += s->R[schedule_cell(s, t, i)];
        extra += count > p->max_computations ? count - p->max_computations : 0;
    }
    return extra;
}

static void check_state(const intervals *s, uint64_t seed)
{
    const problem *p = s->p;
    const int n = p->graph->n;
    schedule *made = intervals_schedule(s);
    problem free = *p;
    validation v;
    base_error error;
    int64_t excess = 0;
    free.ram_budget_bytes = PROBLEM_MAX_BUDGET;
    free.deadline_seconds = INFINITY;
    free.max_computations = INT_MAX;
    ck_assert_msg(schedule_validate(&free, made, &v, &error) == 0, "seed %lu: %s",
                  (unsigned long)seed, error.text);
    ck_assert_double_eq_tol(v.overhead_joules, s->joules, 1e-9 * fmax(1, s->joules));
    for (int t = 0; t < n; t++) {
        const int64_t peak = schedule_stage_memory(p, made, t, NULL);
        const int64_t over = peak > p->ram_budget_bytes ? peak - p->ram_budget_bytes : 0;
        ck_assert_msg(over_of(s, t) == over,
                      "seed %lu, stage %d: %ld bytes over the budget, not %ld", (unsigned long)seed,
                      t, (long)over_of(s, t), (long)over);
        excess += over;
    }
    ck_assert_int_eq(s->excess, excess);
    ck_assert_int_eq(s->extra, extra_computations(p, made));
    schedule_free(made);
    check_charges(s, seed);
}

/* Other prices. */
static void draw_prices(intervals *s, base_rng *rng)
{
    const size_t n = (size_t)s->p->graph->n;
    OWNED(double) *weight = base_malloc(n, sizeof *weight);
    for (size_t t = 0; t < n; t++)
        weight[t] = base_rng_double(rng);
    intervals_set_price(s, 1.0 + (double)base_rng_below(rng, 9), weight);
}

/* A copy at random, or one less; of a page-in now and then the first one. */
static void change(intervals *s, base_rng *rng)
{
    const int n = s->p->graph->n;
    const int v = (int)base_rng_below(rng, (uint64_t)n);
    if (base_rng_below(rng, 3) == 0 && s->more.count > 0) {
        const int w = s->more.at[base_rng_below(rng, (uint64_t)s->more.count)];
        intervals_remove(s, w, 1 + (int)base_rng_below(rng, (uint64_t)s->tensor[w].count - 1));
        return;
    }
    if (v + 1 >= n)
        return;
    const int first = v + 1 + (int)base_rng_below(rng, (uint64_t)(n - v - 1));
    const int out = v + 1 + (int)base_rng_below(rng, (uint64_t)(n - v - 1));
    const bool paged = s->p->allow_paging && (!s->p->allow_remat || base_rng_below(rng, 2) == 0);
    if ((paged || s->p->allow_remat) && intervals_can_add(s, v, first, paged, out))
        intervals_add(s, v, first, paged, out);
}

TEST(test_memory_is_the_validators)
{
    long copies = 0, pageins = 0;
    for (uint64_t seed = 1; seed <= 150; seed++) {
        OWNED(random_instance) instance = draw_instance(seed);
        intervals *s = intervals_create(&instance.problem);
        base_rng rng = {seed};
        check_state(s, seed);
        for (int k = 0; k < CHANGES; k++) {
            intervals_begin(s);
            for (uint64_t more = base_rng_below(&rng, 3) + 1; more > 0; more--)
                change(s, &rng);
            intervals_settle(s);
            if (k % 8 == 0)
                draw_prices(s, &rng);
            check_state(s, seed);
            copies += s->more.count;
            for (int j = 0; j < s->more.count; j++)
                pageins += s->tensor[s->more.at[j]].out >= 0;
        }
        intervals_free(s);
    }
    ck_assert_int_gt(copies, 10000);
    ck_assert_int_gt(pageins, 2000);
}

TEST(test_undone_is_undone)
{
    for (uint64_t seed = 1; seed <= 100; seed++) {
        OWNED(random_instance) instance = draw_instance(seed);
        const size_t n = (size_t)instance.graph->n;
        intervals *s = intervals_create(&instance.problem);
        base_rng rng = {seed};
        int64_t *beyond = base_malloc(n, sizeof *beyond);
        for (int k = 0; k < CHANGES; k++) {
            OWNED(schedule) *before = intervals_schedule(s);
            const double joules = s->joules;
            const bool back = base_rng_below(&rng, 2) == 0;
            memcpy(beyond, s->beyond, n * sizeof *beyond);
            intervals_begin(s);
            for (uint64_t more = base_rng_below(&rng, 3) + 1; more > 0; more--)
                change(s, &rng);
            intervals_settle(s);
            if (back) {
                intervals_undo(s);
                OWNED(schedule) *after = intervals_schedule(s);
                ck_assert_int_eq(memcmp(before->R, after->R, n * n), 0);
                ck_assert_int_eq(memcmp(before->S, after->S, n * n), 0);
                ck_assert_int_eq(memcmp(before->In, after->In, n * n), 0);
                ck_assert_int_eq(memcmp(before->Out, after->Out, n * n), 0);
                ck_assert_int_eq(memcmp(beyond, s->beyond, n * sizeof *beyond), 0);
                ck_assert_double_eq_tol(joules, s->joules, 1e-9 * fmax(1, joules));
            }
        }
        /* Saved and brought back, in another state. */
        intervals_saved *saved = intervals_save(s);
        OWNED(schedule) *before = intervals_schedule(s);
        for (int k = 0; k < 10; k++) {
            intervals_begin(s);
            change(s, &rng);
            intervals_settle(s);
        }
        intervals_restore(s, saved);
        OWNED(schedule) *after = intervals_schedule(s);
        ck_assert_int_eq(memcmp(before->S, after->S, n * n), 0);
        check_state(s, seed);
        intervals_saved_free(saved);
        base_free(beyond);
        intervals_free(s);
    }
}

/* While memory costs nothing a tensor is had again for just what its copy costs. */
TEST(test_regained_for_its_copy)
{
    long made = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        OWNED(random_instance) instance = draw_instance(seed);
        const problem *p = &instance.problem;
        const graph *g = p->graph;
        intervals *s = intervals_create(p);
        regain *r = regain_create(s);
        base_rng rng = {seed};
        for (int k = 0; k < CHANGES; k++) {
            const int v = (int)base_rng_below(&rng, (uint64_t)g->n);
            const int first = v + (int)base_rng_below(&rng, (uint64_t)(g->n - v));
            const bool there = s->tensor[v].at[intervals_serving(s, v, first)].first == first;
            const double before = s->joules;
            const bool stored = s->tensor[v].out >= 0;
            const double cost = there ? INFINITY : regain_cost(r, v, first, INFINITY, 0, &rng);
            if (isinf(cost))
                continue;
            intervals_begin(s);
            regain_make(r);
            ck_assert_double_eq_tol(s->joules - before, cost, 1e-9 * fmax(1, s->joules));
            const double again = intervals_can_add(s, v, first, false, -1) ? 0 : g->joules[v];
            const double in = g->pagein_joules[v] + (stored ? 0 : g->pageout_joules[v]);
            ck_assert(fabs(cost - again) < 1e-9 * fmax(1, cost) ||
                      fabs(cost - in) < 1e-9 * fmax(1, cost));
            intervals_settle(s);
            check_state(s, seed);
            made++;
        }
        regain_free(r);
        intervals_free(s);
    }
    ck_assert_int_gt(made, 1000);
}

/* A chain of computations, for the first of which a tensor stays or is made again: whatever is less
 * at that price. */
TEST(test_regained_in_the_cheaper_way)
{
    graph_node node[6];
    const int input[6] = {-1, 0, 1, 2, 3, 1};
    for (int i = 0; i < 6; i++)
        node[i] = (graph_node){.name = "x",
                               .inputs = input + i,
                               .input_count = i > 0,
                               .bytes = 10,
                               .joules = i + 1,
                               .seconds = 1};
    base_error error;
    OWNED(graph) *g = graph_create("chain", node, 6, &error);
    ck_assert_ptr_nonnull(g);
    problem p = problem_make(g, 20);
    p.allow_paging = false;
    const double weight[6] = {1, 1, 1, 1, 1, 0};
    base_rng rng = {1};
    /* Tensor 1 is made again for stage 5: tensor 0 would be in stages 2 to 5, which are 10 bytes
     * short then. In the last of them that costs nothing. */
    for (int dear = 0; dear < 2; dear++) {
        intervals *s = intervals_create(&p);
        regain *r = regain_create(s);
        intervals_set_price(s, dear ? 1 : 0.01, weight);
        const double cost = regain_cost(r, 1, 5, INFINITY, 0, &rng);
        ck_assert_double_eq_tol(cost, dear ? 3 : 2.3, 1e-12);
        intervals_begin(s);
        regain_make(r);
        intervals_settle(s);
        ck_assert_int_eq(s->tensor[0].count, dear ? 2 : 1);
        ck_assert_int_eq(s->tensor[1].count, 2);
        ck_assert_double_eq(s->joules, dear ? 3 : 2);
        ck_assert(isinf(regain_cost(r, 3, 5, 1, 0, &rng)));
        regain_free(r);
        intervals_free(s);
    }
}

LOOP_TEST(test_against_oracle, 2)
{
    const heuristic_tuning tuning = heuristic_tuning_default();
    int feasible = 0, found = 0, optimal = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        OWNED(random_instance) instance = any_instance_make(seed, 7);
        const problem *p = &instance.problem;
        oracle_result best = oracle_solve(p);
        OWNED(anneal) *a = anneal_create(p, &tuning, seed);
        if (_i)
            anneal_allow_chains(a);
        anneal_run(a, 3e6);
        OWNED(schedule) *s = anneal_best(a);
        feasible += best.feasible;
        if (s) {
            validation v;
            ck_assert_msg(schedule_validate(p, s, &v, NULL) == 0, "seed %lu", (unsigned long)seed);
            ck_assert_double_eq_tol(v.overhead_joules, anneal_joules(a),
                                    1e-9 * fmax(1, anneal_joules(a)));
            ck_assert(best.feasible && v.overhead_joules >= best.overhead_joules * (1 - 1e-12));
            found++;
            optimal += v.overhead_joules <= best.overhead_joules * (1 + 1e-9);
        }
        schedule_free(best.schedule);
    }
    ck_assert_msg(found >= 9 * feasible / 10 && optimal >= 8 * feasible / 10,
                  "of %d instances: %d schedules, %d optimal", feasible, found, optimal);
}

/* A schedule within the budget is at once the best; of the others not much has to change. */
TEST(test_quench)
{
    const heuristic_tuning tuning = heuristic_tuning_default();
    int told = 0, taken = 0, paged = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        OWNED(random_instance) instance = any_instance_make(seed, 7);
        const problem *p = &instance.problem;
        oracle_result best = oracle_solve(p);
        OWNED(anneal) *a = anneal_create(p, &tuning, seed);
        if (best.feasible && best.overhead_joules < anneal_joules(a)) {
            validation v;
            anneal_quench(a, best.schedule, 0);
            const bool has = anneal_joules(a) <= best.overhead_joules * (1 + 1e-9);
            ck_assert_int_eq(schedule_validate(p, best.schedule, &v, NULL), 0);
            told++;
            taken += has;
            paged += has && v.pagein_count > 0;
            OWNED(schedule) *s = anneal_best(a);
            ck_assert(!s || schedule_validate(p, s, &v, NULL) == 0);
            ck_assert(!has || v.overhead_joules <= best.overhead_joules * (1 + 1e-9));
        }
        schedule_free(best.schedule);
    }
    ck_assert_msg(taken >= 9 * told / 10 && told >= 50 && paged >= 10,
                  "of %d schedules %d are taken, %d of them with page-ins", told, taken, paged);
}

/* A random layered graph without paging. */
static problem without_paging(int nodes, uint64_t seed, int percent, graph **g)
{
    layered_options options = layered_options_default();
    base_error error;
    options.nodes = nodes;
    options.seed = seed;
    *g = layered_make(&options, &error);
    ck_assert_ptr_nonnull(*g);
    problem p = problem_make(*g, graph_checkpoint_all_peak(*g) * percent / 100);
    p.allow_paging = false;
    return p;
}

/* The overhead of one at 40 %. */
static double annealed(uint64_t graph_seed, int computations)
{
    const heuristic_tuning tuning = heuristic_tuning_default();
    OWNED(graph) *g = NULL;
    problem p = without_paging(100, graph_seed, 40, &g);
    p.max_computations = computations;
    OWNED(anneal) *a = anneal_create(&p, &tuning, 1);
    anneal_run(a, 4e8);
    return anneal_joules(a);
}

/* Walks pass through schedules that compute nodes too often; others end where nothing leads to a
 * schedule, or to a cheaper one. */
LONG_TEST(test_few_computations)
{
    ck_assert_double_le(annealed(1, 3), 1.15 * annealed(1, INT_MAX));
    ck_assert(isfinite(annealed(2, 2)));
}

/* How many of eight walks find a schedule. */
static int found_within(uint64_t graph_seed, int percent)
{
    const heuristic_tuning tuning = heuristic_tuning_default();
    OWNED(graph) *g = NULL;
    const problem p = without_paging(60, graph_seed, percent, &g);
    int found = 0;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        OWNED(anneal) *a = anneal_create(&p, &tuning, seed);
        anneal_run(a, 1e8);
        found += isfinite(anneal_joules(a));
    }
    return found;
}

/* A walk without a schedule goes on with what it knows of the stages: one that begins anew finds
 * none at these budgets. */
LONG_TEST(test_tight_budgets)
{
    ck_assert_int_ge(found_within(10, 32), 4);
    ck_assert_int_ge(found_within(12, 48), 4);
}

/* The first cycle of a large graph comes to its end. */
TEST(test_thousands_of_nodes)
{
    const heuristic_tuning tuning = heuristic_tuning_default();
    layered_options options = layered_options_default();
    base_error error;
    options.nodes = 10000;
    options.width = 6;
    options.degree = 4;
    OWNED(graph) *g = layered_make(&options, &error);
    ck_assert_ptr_nonnull(g);
    problem p = problem_make(g, graph_checkpoint_all_peak(g) * 6 / 10);
    p.allow_paging = false;
    OWNED(anneal) *a = anneal_create(&p, &tuning, 1);
    anneal_run(a, 8e8);
    ck_assert_double_lt(anneal_joules(a), 0.004 * graph_base_joules(g)); /* the least is 0.0016 */
}

/* Nor does it matter that its best schedule is taken in between. */
TEST(test_the_same_whatever_the_turns)
{
    OWNED(graph) *g = NULL;
    const problem p = without_paging(60, 1, 60, &g);
    const heuristic_tuning tuning = heuristic_tuning_default();
    OWNED(anneal) *once = anneal_create(&p, &tuning, 1), *again = anneal_create(&p, &tuning, 1);
    uint64_t before = base_work_done();
    anneal_run(once, 2e7);
    double left = (double)(base_work_done() - before);
    int better = 0;
    for (double told = INFINITY; left > 0;) {
        before = base_work_done();
        anneal_run(again, fmin(1e5, left));
        left -= (double)(base_work_done() - before);
        OWNED(schedule) *s = anneal_best(again);
        better += anneal_joules(again) < told;
        told = anneal_joules(again);
    }
    ck_assert_int_gt(better, 3);
    ck_assert_double_eq(anneal_joules(once), anneal_joules(again));
}
