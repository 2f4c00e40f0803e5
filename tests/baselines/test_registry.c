/* The table of methods, and what holds for all of them. */
#include "baselines/starts.h"
#include "tests/baselines/support.h"
#include "tests/suite.h"

SUITE("registry", .seconds = 300);

TEST(table_is_complete)
{
    int count;
    const baseline_method *table = baseline_methods(&count);
    ck_assert_int_eq(count, 19);
    base_error error;
    for (int k = 0; k < count; k++) {
        ck_assert_ptr_eq(baseline_find(table[k].name, &error), &table[k]);
        ck_assert(table[k].run != NULL);
        ck_assert_int_gt((int)strlen(table[k].title), 0);
        ck_assert_int_gt((int)strlen(table[k].citation), 0);
        ck_assert_int_gt((int)strlen(table[k].work), 0);
        ck_assert_ptr_nonnull(table[k].options);
    }
}

TEST(unknown_method_lists_known)
{
    base_error error;
    ck_assert_ptr_null(baseline_find("capucin", &error));
    ck_assert_contains(error.text, "unknown method 'capucin'");
    int count;
    const baseline_method *table = baseline_methods(&count);
    for (int k = 0; k < count; k++)
        ck_assert_contains(error.text, table[k].name);
}

/* Planned without a thought of the deadline or of what is allowed, judged for it. */
TEST(deadline_and_options_decide_at_the_end)
{
    OWNED(graph) *g = unit_chain(9);
    problem p = problem_make(g, 6);
    p.deadline_seconds = 27.0; /* the base is 9 + 8 * 2 s, chen_sqrtn needs 4 more */
    expect_none(&p, "chen_sqrtn", NULL, "the deadline is 27 seconds");
    expect_none(&p, "chen_greedy", NULL, "the deadline is 27 seconds");
    p.deadline_seconds = 29.0;
    expect_schedule(&p, "chen_sqrtn", NULL, "5@11 3@13 0@15 1@15", "");
    p.allow_remat = false;
    expect_none(&p, "chen_sqrtn", NULL, "recomput");
}

/* A method that does not support pins says so; with workspaces all of them count them. */
TEST(pins_are_known_or_refused)
{
    OWNED(graph) *g = unit_chain(9);
    int count;
    const baseline_method *table = baseline_methods(&count);
    const int64_t budget = graph_checkpoint_all_peak(g);
    g->pin[3] = GRAPH_NO_PAGE;
    for (int k = 0; k < count; k++) {
        if (table[k].pins)
            expect_schedule(WITHIN(g, budget), table[k].name, NULL, "", "");
        else
            expect_none(WITHIN(g, budget), table[k].name, NULL,
                        "does not support pins, and node 3");
    }
    g->pin[3] = 0;
    g->workspace[0] = 1; /* the peak is elsewhere */
    expect_schedule(WITHIN(g, budget), "checkpoint_all", NULL, "", "");
    for (int i = 0; i < g->n; i++)
        g->workspace[i] = 1;
    expect_none(WITHIN(g, budget), "checkpoint_all", NULL, "the budget is");
    g->workspace[8] = 100;
    expect_none(WITHIN(g, budget), "dtr", NULL, "needs 101 bytes");
}

TEST(limits_stop_a_method)
{
    graph *g = unit_chain(9);
    const base_flag interrupt = 1;
    base_limits limits = {.interrupt = &interrupt};
    baseline_options o = baseline_options_default();
    o.limits = &limits;
    const char *const stopping[] = {"chen_greedy", "revolve",  "dtr",          "dtr_eq",
                                    "pofo",        "capuchin", "capuchin_sync"};
    for (size_t k = 0; k < sizeof stopping / sizeof *stopping; k++)
        expect_none(WITHIN(g, 6), stopping[k], &o, "stopped by the interrupt");
    graph_free(g);
    ck_assert_uint_eq(base_memory_used(), 0);
}

/* Nodes 0 to n/2-1 read up to three of the ten before them; their gradients, latest first, read
 * them and those of their readers. Transfers cost nothing. */
static graph *layered_graph(int n, uint64_t seed)
{
    enum { NEAR = 10, INPUTS = 3 };
    const int half = n / 2;
    graph_node *node = base_calloc((size_t)n, sizeof *node);
    int(*input)[NEAR + 2] = base_calloc((size_t)n, sizeof *input);
    base_rng rng = {seed};
    for (int i = 0; i < n; i++) {
        const int of = i < half ? i : n - 1 - i;
        int count = 0;
        if (i >= half)
            input[i][count++] = of;
        for (int u = of - NEAR; u < of && i < half; u++)
            if (u >= 0 && (u == of - 1 || base_rng_below(&rng, NEAR) < INPUTS))
                input[i][count++] = u;
        if (i > half)
            input[i][count++] = i - 1;
        node[i] = (graph_node){.name = "node",
                               .inputs = input[i],
                               .input_count = count,
                               .bytes = 1 + (int64_t)base_rng_below(&rng, 1000),
                               .seconds = 1 + (double)base_rng_below(&rng, 1000),
                               .joules = 1,
                               .backward = i >= half};
    }
    graph *g = graph_create("layered", node, n, NULL);
    base_free_all(input, node);
    return g;
}

/* However large the graph, all starts together take their shares of work. */
TEST(starts_keep_their_shares)
{
    const double share = 1e8, slack = 0.3 * share; /* to come to an end, and one validation */
    int count, methods = 0;
    const baseline_method *table = baseline_methods(&count);
    for (int k = 0; k < count; k++)
        methods += table[k].cost <= BASELINE_SWEEP;
    const baseline_options how = baseline_options_default();
    baseline_starts starts;
    base_error error;
    for (int n = 4000; n <= 6000; n += 2000) {
        OWNED(graph) *g = layered_graph(n, 1);
        problem p = problem_make(g, graph_checkpoint_all_peak(g) * 6 / 10);
        const uint64_t before = base_work_done();
        ck_assert_int_eq(baseline_starts_make("auto", &p, &how, NULL, false, &starts, &error), 0);
        const double work = (double)(base_work_done() - before);
        ck_assert_double_le(work, methods * (share + slack));
        baseline_starts_clear(&starts);
    }
    ck_assert_uint_eq(base_memory_used(), 0);
}

/* The last of n nodes reads all others, of which half fit: each of the evictions weighs all that
 * are there, and counts that. */
TEST(evictions_are_counted)
{
    enum { N = 6001, HALF = N / 2 };
    graph_node *node = base_calloc(N, sizeof *node);
    int *all = base_calloc(N, sizeof *all);
    for (int i = 0; i < N; i++) {
        node[i] = (graph_node){.name = "node", .bytes = 1, .seconds = 1, .joules = 1};
        all[i] = i;
    }
    node[N - 1].inputs = all;
    node[N - 1].input_count = N - 1;
    OWNED(graph) *g = graph_create("sources", node, N, NULL);
    const uint64_t before = base_work_done();
    expect_none(WITHIN(g, HALF), "dtr_local", NULL, "out of memory");
    const double weighed = (double)HALF * HALF, steps = 40; /* a quotient takes that and more */
    ck_assert_double_ge((double)(base_work_done() - before), steps * weighed);
    base_free_all(node, all);
}
