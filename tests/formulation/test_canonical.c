/* What docs/formulation.md proves of canonical schedules, on those that a search from the
 * definition finds: each meets all rows, cuts and reductions at once. */
#include "tests/formulation/canonical.h"
#include "tests/formulation/suites.h"
#include "tests/formulation/support.h"
#include "tests/oracle/bait_instance.h"
#include "tests/oracle/canonical.h"
#include "tests/oracle/oracle.h"

enum { WAYS = 300000 /* of either search: some 10 ms */ };

typedef struct tally {
    int checked, costly, early, gave_up;
} tally;

/* NULL when all holds. */
static const char *fault_of(const problem *p, uint64_t seed, tally *t)
{
    const oracle_result o = oracle_granting(p, WAYS);
    canonical_result c = canonical_least(p, seed, WAYS);
    const char *fault = NULL;
    t->gave_up += c.gave_up;
    if (!o.gave_up && !c.gave_up && o.overhead_joules != c.overhead_joules)
        fault = "it does not cost what the oracle finds";
    if (c.schedule && !fault) {
        t->checked++;
        t->costly += c.overhead_joules > 0;
        t->early += schedule_validate(p, c.schedule, NULL, NULL) != 0;
        fault = canonical_fault(p, c.schedule, seed);
    }
    schedule_free(c.schedule);
    return fault;
}

static bool fails(const problem *p, void *seed)
{
    tally t = {0};
    return fault_of(p, *(uint64_t *)seed, &t) != NULL;
}

static tally check(uint64_t first, int count, int max_nodes)
{
    tally t = {0};
    for (uint64_t seed = first; seed < first + (uint64_t)count; seed++) {
        random_instance r = any_instance_make(seed, max_nodes);
        const char *fault = fault_of(&r.problem, seed, &t);
        if (fault)
            ck_abort_msg("seed %llu (%s): %s; %s", (unsigned long long)seed,
                         any_family_name(any_family(seed)), fault,
                         saved_failure(&r.problem, fails, &seed));
        random_instance_free(&r);
    }
    ck_assert_int_ge(t.checked, count / 2);
    ck_assert_int_ge(t.costly, count / 3);
    ck_assert_int_ge(t.early, count / 100);
    return t;
}

START_TEST(canonical_schedules_meet_everything)
{
    check(0, 3000, 6);
    check(50000, 1000, 8);
}
END_TEST

Suite *canonical_suite(void)
{
    Suite *suite = suite_create("canonical schedules");
    TCase *tcase = tcase_create("canonical schedules");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, canonical_schedules_meet_everything);
    suite_add_tcase(suite, tcase);
    return suite;
}
