/* Bounds of cases by the labels of their first stages, against the oracle. */
#include <math.h>
#include <string.h>

#include "exact/cases/case_prefix.h"
#include "tests/exact/agree.h"
#include "tests/exact/support.h"
#include "tests/suite.h"

SUITE("prefix", .seconds = 300);

enum { WIDE = 1000000, FIRST = 18000, INSTANCES = MANY(6000) };

/* Random fates that the optimum s has, with pins on the kept tensors. (An action that costs nothing
 * may be of no use, and says nothing.) */
static void draw_fates(const graph *g, const schedule *s, uint8_t *fate, uint8_t *pin,
                       base_rng *random)
{
    for (int i = 0; i < s->n; i++) {
        const bool away = is_away(s, i), says = base_rng_below(random, 4) > 0;
        const bool pays = g->joules[i] > 0 && g->pagein_joules[i] > 0;
        const int unsaid = base_rng_below(random, 2) ? FATE_ANY : FATE_OPEN;
        fate[i] = !says || (away && !pays) ? unsaid : away ? FATE_AWAY : FATE_KEPT;
        if (fate[i] == FATE_KEPT)
            pin[i] |= GRAPH_NO_RECOMPUTE | GRAPH_NO_PAGE;
    }
}

/* The labels of a case from any moment on, beside any timeline, do not exceed the optimum, if some
 * optimal schedule is in the case. */
TEST(moments_of_cases_agree_with_the_oracle)
{
    int raised = 0;
    for (uint64_t seed = FIRST; seed < FIRST + INSTANCES; seed++) {
        OWNED(random_instance) r = unlimited_instance_make(seed);
        const problem *p = &r.problem;
        const oracle_result o = oracle_search(p, 300000);
        const int n = p->graph->n;
        if (!o.gave_up && o.feasible && o.overhead_joules > 0 && n > 2) {
            base_rng random = {seed};
            uint8_t *fate = base_calloc(2 * (size_t)n, sizeof *fate), *pin = fate + n;
            if (p->graph->pin)
                memcpy(pin, p->graph->pin, (size_t)n * sizeof *pin);
            draw_fates(p->graph, o.schedule, fate, pin, &random);
            graph g = *p->graph;
            g.pin = pin;
            problem own = *p;
            own.graph = &g;
            const int point[] = {(int)base_rng_below(&random, (uint64_t)n / 2),
                                 n / 2 + (int)base_rng_below(&random, (uint64_t)(n - n / 2))};
            const case_moment m = {.p = &own,
                                   .fate = fate,
                                   .features = FORMULATION_DEFAULT,
                                   .scale = formulation_default_scale(&g),
                                   .stage = 1 + (int)base_rng_below(&random, (uint64_t)n - 1),
                                   .point = point,
                                   .points = 1 + (int)seed % 2};
            const double above = o.overhead_joules * (1 + 1e-6),
                         bound = case_moment_bound(&m, seed % 7 ? WIDE : 2,
                                                   seed % 3 ? above : 2 * above, -INFINITY, 1e12);
            ck_assert_msg(bound <= o.overhead_joules * (1 + 1e-9), "seed %d: %.17g above %.17g",
                          (int)seed, bound, o.overhead_joules);
            raised += bound > 0.5 * o.overhead_joules;
            base_free(fate);
        }
        schedule_free(o.schedule);
    }
    ck_assert_int_gt(raised, INSTANCES / 4);
}

/* A moment comes before the untried ones while more than half of its tries succeed. */
TEST(moments_that_succeed_come_first)
{
    case_record record[CASE_MOMENTS] = {{0}};
    ck_assert_int_eq(case_choose_moment(record, 0), 0);
    ck_assert_int_eq(case_choose_moment(record, 1u << 0 | 1u << 1), 2);
    record[0].tries = 1;
    ck_assert_int_eq(case_choose_moment(record, 0), 1);
    record[3] = (case_record){.tries = 3, .successes = 2};
    ck_assert_int_eq(case_choose_moment(record, 0), 3);
    ck_assert_int_eq(case_choose_moment(record, 1u << 3), 1);
    record[3].tries = 5;
    ck_assert_int_eq(case_choose_moment(record, 0), 1);
    ck_assert_int_eq(case_choose_moment(record, (1u << CASE_MOMENTS) - 2), 0);
}
