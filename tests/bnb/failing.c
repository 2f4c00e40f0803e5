/* A function in place of lp_solve, where the linker wraps that: see tests/bnb/failing.h. */
#include "tests/bnb/failing.h"

#include <stdatomic.h>

#include "base/base.h"
#include "lp/simplex.h"

static int rate;
static atomic_ulong state;
static atomic_long failures;

void lp_fail(int one_in, uint64_t seed)
{
    rate = one_in;
    atomic_store(&state, seed);
    atomic_store(&failures, 0);
}

long lp_failures(void)
{
    return atomic_load(&failures);
}

/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): named by the linker */
lp_status __real_lp_solve(lp_solver *s);
lp_status __wrap_lp_solve(lp_solver *s);

lp_status __wrap_lp_solve(lp_solver *s)
{
    base_rng rng = {atomic_fetch_add(&state, 0x9e3779b97f4a7c15u)};
    if (rate == 0 || base_rng_below(&rng, (uint64_t)rate) != 0)
        return __real_lp_solve(s);
    lp_params *p = lp_solver_params(s);
    const long limit = p->iteration_limit;
    if (base_rng_below(&rng, 2) == 0)
        p->iteration_limit = (long)base_rng_below(&rng, 4);
    const lp_status status = __real_lp_solve(s);
    p->iteration_limit = limit;
    if (lp_status_limit(status) != BASE_GO)
        return status;
    atomic_fetch_add(&failures, 1);
    return LP_NUMERICAL_TROUBLE;
}
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
