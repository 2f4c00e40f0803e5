/* What docs/formulation.md proves of canonical schedules, on those that a search from the
 * definition finds: each meets all rows, cuts and reductions at once. The same of any schedule and
 * the model of the rules. */
#include "tests/formulation/canonical.h"
#include "tests/formulation/support.h"
#include "tests/oracle/bait_instance.h"
#include "tests/oracle/canonical.h"
#include "tests/oracle/extreme_instance.h"
#include "tests/oracle/oracle.h"
#include "tests/oracle/scramble.h"
#include "tests/problem/owned.h"
#include "tests/suite.h"

SUITE("canonical schedules", .seconds = 120);

enum { WAYS = 300000 /* of either search: some 10 ms */ };

typedef struct tally {
    int found, costly, early;
} tally;

/* NULL when all holds. */
static const char *fault_of(const problem *p, uint64_t seed, tally *t)
{
    const oracle_result o = oracle_granting(p, WAYS);
    canonical_result c = canonical_least(p, seed, WAYS);
    const char *fault = NULL;
    if (!o.gave_up && !c.gave_up && o.overhead_joules != c.overhead_joules)
        fault = "it does not cost what the oracle finds";
    if (c.schedule && !fault) {
        t->found++;
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

static void check_one(const problem *p, uint64_t seed, const char *family, tally *t)
{
    const char *fault = fault_of(p, seed, t);
    if (fault)
        ck_abort_msg("seed %llu (%s): %s; %s", (unsigned long long)seed, family, fault,
                     saved_failure(p, fails, &seed));
}

/* Instances first, first + step, ... Of each at least that many in a hundred have one, one that
 * costs something, one that rests on early releases. */
static void check(uint64_t first, int count, uint64_t step, int max_nodes, int found, int costly,
                  int early)
{
    tally t = {0};
    count = MANY(count);
    for (uint64_t seed = first; seed < first + (uint64_t)count * step; seed += step) {
        OWNED(random_instance) r = any_instance_make(seed, max_nodes);
        check_one(&r.problem, seed, any_family_name(any_family(seed)), &t);
    }
    ck_assert_int_ge(100 * t.found, found * count);
    ck_assert_int_ge(100 * t.costly, costly * count);
    ck_assert_int_ge(100 * t.early, early * count);
}

TEST(canonical_schedules_meet_everything)
{
    check(0, 3000, 1, 6, 78, 48, 1);
    check(50000, 1000, 1, 8, 68, 38, 0);
}

/* Mutants only, the last family. */
TEST(where_mistakes_were)
{
    check(ANY_FAMILIES - 1, 1500, ANY_FAMILIES, 12, 45, 35, 15);
}

/* Whatever obeys the rules lies in the model of the rules. */
TEST(any_schedule_is_in_the_model_of_the_rules)
{
    int found = 0;
    for (uint64_t seed = 0; seed < MANY(1500); seed++) {
        OWNED(random_instance) r = any_instance_make(seed, 7);
        base_rng rng = {seed};
        OWNED(schedule) *s = oracle_search(&r.problem, WAYS).schedule;
        for (int k = 0; k < 2 && s; k++) {
            schedule_scramble(&r.problem, s, &rng);
            const char *fault = rules_fault(&r.problem, s, base_rng_next(&rng));
            ck_assert_msg(!fault, "seed %llu (%s): %s", (unsigned long long)seed,
                          any_family_name(any_family(seed)), fault);
        }
        found += s != NULL;
    }
    ck_assert_int_ge(found, MANY(1200));
}

TEST(at_the_edge_of_the_range)
{
    tally t = {0};
    for (uint64_t seed = 0; seed < 600; seed++) {
        OWNED(random_instance) r = mixed_instance(seed, 7);
        extreme_instance_stretch(&r, seed);
        check_one(&r.problem, seed, "stretched", &t);
    }
    ck_assert_int_ge(t.found, 400);
    ck_assert_int_ge(t.costly, 250);
}
