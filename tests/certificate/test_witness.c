/* No step of the checker loses what contradicts a false claim: a schedule where a proof rests on
 * the rules, the least solution of the order of docs/formulation.md otherwise. */
#include "tests/certificate/owned.h"
#include "tests/certificate/witness.h"
#include "tests/oracle/bait_instance.h"
#include "tests/suite.h"

SUITE("witnesses", .seconds = 300);

enum { RANGES = 4, INSTANCES = MANY(150) };

/* Mostly of six nodes, the last ones of up to eight. */
LOOP_TEST(witnesses_survive, RANGES)
{
    long witnesses[CERT_TRUSTS] = {0};
    const int count = _i < RANGES - 1 ? INSTANCES : INSTANCES / 4;
    const uint64_t first = (uint64_t)_i * INSTANCES;
    for (uint64_t seed = first; seed < first + (uint64_t)count; seed++) {
        OWNED(random_instance) i = any_instance_make(seed, _i < RANGES - 1 ? 6 : 8);
        const char *fault = witness_fault(&i.problem, seed, witnesses);
        ck_assert_msg(fault == NULL, "instance %llu of %s: %s", (unsigned long long)seed,
                      any_family_name(any_family(seed)), fault);
    }
    ck_assert_int_gt(witnesses[CERT_RULES], 2 * count);
    ck_assert_int_gt(witnesses[CERT_EXCHANGES], count / 4);
}
