/* Properties over seeded random instances: whatever a method returns is valid, and none
 * beats the optimum. */

#include "tests/baselines/support.h"
#include "tests/oracle/oracle.h"
#include "tests/oracle/random_instance.h"
#include "tests/suite.h"

SUITE("random", .seconds = 240);

/* What is wrong with the method on p, NULL if nothing. optimum: of p, INFINITY when it is
 * infeasible, negative when unknown. *made counts the schedules. */
static const char *find_fault(const problem *p, const baseline_method *method, double optimum,
                              int *made)
{
    baseline_options o = baseline_options_default();
    char reason[BASELINE_REASON] = "";
    size_t held = base_memory_used();
    schedule *s = baseline_schedule(method, p, &o, reason);
    const char *fault = NULL;
    if (s) {
        validation v;
        base_error error;
        if (schedule_validate(p, s, &v, &error))
            fault = "its schedule is not valid";
        else if (optimum >= 0 && v.overhead_joules < optimum - 1e-9)
            fault = "it beats the optimum";
        schedule_free(s);
        (*made)++;
    } else if (reason[0] == '\0') {
        fault = "it gives no reason";
    }
    if (!fault && base_memory_used() != held)
        fault = "it leaks memory";
    return fault;
}

static bool method_fails(const problem *p, void *context)
{
    const baseline_method *method = context;
    double optimum = -1.0;
    if (p->graph->n <= ORACLE_MAX_NODES) {
        oracle_result r = oracle_solve(p);
        optimum = r.overhead_joules;
        schedule_free(r.schedule);
    }
    int made = 0;
    return find_fault(p, method, optimum, &made) != NULL;
}

/* Runs all methods but the exact one; a failing instance is shrunk and saved. Returns how
 * many schedules came out. */
static int check_instance(const problem *p, double optimum, uint64_t seed)
{
    int count, schedules = 0;
    const baseline_method *methods = baseline_methods(&count);
    for (int k = 0; k < count; k++) {
        if (methods[k].cost == BASELINE_EXACT)
            continue;
        const char *fault = find_fault(p, &methods[k], optimum, &schedules);
        if (fault) {
            baseline_method method = methods[k];
            random_instance small = random_instance_shrink(p, method_fails, &method);
            const char *path = "build/failed-baseline.json";
            base_error error;
            random_instance_save(&small.problem, path, &error);
            ck_abort_msg("%s, seed %llu: %s; shrunk instance: %s", method.name,
                         (unsigned long long)seed, fault, path);
        }
    }
    return schedules;
}

TEST(none_beats_the_optimum)
{
    int schedules = 0, feasible = 0;
    for (uint64_t seed = 1; seed <= 250; seed++) {
        OWNED(random_instance) r = random_instance_make(seed, seed % 50 == 0 ? 7 : 6);
        oracle_result optimum = oracle_solve(&r.problem);
        feasible += optimum.feasible;
        schedules += check_instance(&r.problem, optimum.overhead_joules, seed);
        schedule_free(optimum.schedule);
    }
    ck_assert_int_gt(feasible, 60);
    ck_assert_int_gt(schedules, 300);
}

/* The same graph with seconds for joules. */
static graph *time_for_energy(const graph *g)
{
    graph_node *nodes = base_calloc((size_t)g->n, sizeof *nodes);
    for (int i = 0; i < g->n; i++) {
        nodes[i] = graph_node_of(g, i);
        nodes[i].joules = g->seconds[i];
    }
    base_error error;
    graph *t = graph_create("time", nodes, g->n, &error);
    ck_assert_msg(t != NULL, "%s", error.text);
    base_free(nodes);
    return t;
}

/* Checkmate takes the least time that recomputation alone can reach. */
TEST(checkmate_is_optimal_in_time)
{
    int feasible = 0;
    for (uint64_t seed = 1; seed <= 25; seed++) {
        OWNED(random_instance) r = random_instance_make(seed, 6);
        OWNED(graph) *time = time_for_energy(r.graph);
        problem on_time = problem_make(time, r.problem.ram_budget_bytes);
        on_time.allow_paging = false;
        oracle_result optimum = oracle_solve(&on_time);
        problem p = problem_make(r.graph, r.problem.ram_budget_bytes);
        char reason[BASELINE_REASON];
        validation v;
        bool found = run_method(&p, "checkmate", NULL, &v, reason);
        ck_assert_msg(found == optimum.feasible, "seed %llu: %s", (unsigned long long)seed,
                      found ? "feasible" : reason);
        if (found)
            ck_assert_double_eq_tol(v.compute_seconds - graph_base_seconds(r.graph),
                                    optimum.overhead_joules, 1e-9);
        feasible += found;
        schedule_free(optimum.schedule);
    }
    ck_assert_int_gt(feasible, 8);
}

TEST(larger_ones_are_valid)
{
    int schedules = 0;
    for (uint64_t seed = 1000; seed < 1000 + MANY(200); seed++) {
        OWNED(random_instance) r = random_instance_make(seed, 40);
        schedules += check_instance(&r.problem, -1.0, seed);
    }
    ck_assert_int_gt(schedules, MANY(300));
}

/* With room for everything and no rule against it, every method but those that cannot
 * apply, or know no pins, returns a schedule; checkpoint-all, DTR and Capuchin do nothing beyond
 * the base. */
TEST(full_memory_costs_nothing)
{
    static const char *const idle[] = {"checkpoint_all", "chen_greedy",  "dtr",
                                       "dtr_eq",         "dtr_local",    "dtr_simrd",
                                       "capuchin",       "capuchin_sync"};
    for (uint64_t seed = 1; seed <= 100; seed++) {
        OWNED(random_instance) r = random_instance_make(seed, 30);
        int64_t all = 0;
        for (int i = 0; i < r.graph->n; i++)
            all += 2 * r.graph->bytes[i] + r.graph->workspace[i];
        problem p = problem_make(r.graph, all);
        for (size_t k = 0; k < sizeof idle / sizeof *idle; k++) {
            char reason[BASELINE_REASON];
            validation v;
            bool feasible = run_method(&p, idle[k], NULL, &v, reason);
            if (!feasible && graph_has_pins(r.graph) && strstr(reason, "does not support pins"))
                continue;
            ck_assert_msg(feasible, "%s, seed %llu: %s", idle[k], (unsigned long long)seed, reason);
            ck_assert_double_eq(v.overhead_joules, 0.0);
        }
    }
}
