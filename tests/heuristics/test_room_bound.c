/* The bound on what memory still costs, on a graph where it can be done by hand. */
#include <math.h>

#include "base/bits.h"
#include "heuristics/room_bound.h"
#include "tests/heuristics/suites.h"

/* Four tensors of 10 bytes, a node that reads nothing, then four readers. */
static graph *star(void)
{
    static const int reads[9][1] = {{0}, {0}, {0}, {0}, {0}, {3}, {2}, {1}, {0}};
    static const double joules[9] = {5, 2, 8, 3, 1, 1, 1, 1, 1};
    graph_node nodes[9];
    for (int i = 0; i < 9; i++)
        nodes[i] = (graph_node){.name = "node",
                                .inputs = reads[i],
                                .input_count = i > 4,
                                .bytes = i < 4 ? 10 : 0,
                                .joules = joules[i],
                                .pagein_joules = 2,
                                .pageout_joules = 2};
    return graph_create("star", nodes, 9, NULL);
}

static double bound_at(const problem *p, int t, uint64_t keep, uint64_t active)
{
    room_bound *b = room_bound_create(p);
    room_bound_stage(b, t, &active, NULL);
    const double joules = room_bound_joules(b, &keep, INFINITY);
    room_bound_free(b);
    return joules;
}

START_TEST(test_by_hand)
{
    graph *g = star();
    problem p = problem_make(g, 30);
    /* Nothing decided: 40 bytes live at stages 4 and 5, 10 to shed, tensor 1 for 2. */
    ck_assert_double_eq_tol(bound_at(&p, 9, 0, 0), 2, 1e-12);
    /* The last reader is served from RAM (tensor 0 stays): the same. */
    ck_assert_double_eq_tol(bound_at(&p, 8, 1, 0), 2, 1e-12);
    /* It is served otherwise: only 30 live. */
    ck_assert_double_eq_tol(bound_at(&p, 8, 0, 0), 0, 1e-12);
    /* 0 and 1 stay for good: at stage 4 tensor 3 could go for 3, but at stage 5, which
     * reads it, only 2, paged for 4. */
    ck_assert_double_eq_tol(bound_at(&p, 7, 3, 0), 4, 1e-12);
    /* If 1 may still be shed it goes first. */
    ck_assert_double_eq_tol(bound_at(&p, 7, 3, 2), 2, 1e-12);
    /* 0 to 2 stay for good: stage 5 does not fit whatever is shed. */
    ck_assert(isinf(bound_at(&p, 6, 7, 0)));
    /* 15 bytes at stage 5: 1 for 2 and half of 0 or 2, for 4 / 2. */
    p.ram_budget_bytes = 25;
    ck_assert_double_eq_tol(bound_at(&p, 9, 0, 0), 4, 1e-12);
    /* Without paging 2 costs 8; without either nothing fits. */
    p.ram_budget_bytes = 30;
    p.allow_paging = false;
    ck_assert_double_eq_tol(bound_at(&p, 7, 3, 0), 8, 1e-12);
    p.allow_remat = false;
    ck_assert(isinf(bound_at(&p, 9, 0, 0)));
    graph_free(g);
}
END_TEST

START_TEST(test_settled)
{
    graph *g = star();
    const problem p = problem_make(g, 30);
    room_bound *b = room_bound_create(&p);
    /* Tensor 1 certainly stays, tensor 3 is paid elsewhere but there at stage 5, which
     * leaves room for one of 0 and 2: the other is paged for 4. */
    const uint64_t none = 0, keeps = 2, charged = 8;
    for (int t = 8; t >= 0; t--)
        room_bound_keeps(b, t, &keeps);
    room_bound_settle(b, &charged);
    room_bound_stage(b, 9, &none, NULL);
    ck_assert_double_eq_tol(room_bound_joules(b, &none, INFINITY), 4, 1e-12);
    room_bound_reset(b);
    room_bound_settle(b, &none);
    room_bound_stage(b, 9, &none, NULL);
    ck_assert_double_eq_tol(room_bound_joules(b, &none, INFINITY), 2, 1e-12);
    room_bound_free(b);
    graph_free(g);
}
END_TEST

Suite *room_bound_suite(void)
{
    Suite *suite = suite_create("heuristics/room_bound");
    TCase *tests = tcase_create("room_bound");
    tcase_add_test(tests, test_by_hand);
    tcase_add_test(tests, test_settled);
    suite_add_tcase(suite, tests);
    return suite;
}
