/* Masks, their propagation, and the rounding of memory. */
#include <math.h>
#include <string.h>

#include "tests/formulation/support.h"
#include "tests/oracle/oracle.h"
#include "tests/suite.h"

SUITE("masks", .seconds = 120);

/* Every subset of tensors fits into the budget before and after. */
TEST(rounding_keeps_every_set)
{
    int changed = 0, working = 0;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        OWNED(random_instance) r = mixed_instance(seed, 8);
        const graph *g = r.graph;
        int64_t bytes[8], workspace[8], budget;
        budget = formulation_round_memory(&r.problem, FORMULATION_DEFAULT, bytes, workspace);
        bool same = budget == r.problem.ram_budget_bytes;
        for (int i = 0; i < g->n; i++)
            same = same && bytes[i] == g->bytes[i] && workspace[i] == g->workspace[i];
        changed += !same;
        working += graph_has_workspaces(g) && !same;
        for (unsigned set = 0; set < 1u << g->n; set++) {
            int64_t before = 0, after = 0;
            for (int i = 0; i < g->n; i++) {
                before += set >> i & 1 ? g->bytes[i] : 0;
                after += set >> i & 1 ? bytes[i] : 0;
            }
            ck_assert_msg((before <= r.problem.ram_budget_bytes) == (after <= budget),
                          "seed %llu, set %#x", (unsigned long long)seed, set);
            for (int i = 0; i < g->n; i++)
                ck_assert_msg((before + g->workspace[i] <= r.problem.ram_budget_bytes) ==
                                  (after + workspace[i] <= budget),
                              "seed %llu, set %#x, %d works", (unsigned long long)seed, set, i);
        }
        budget = formulation_round_memory(
            &r.problem, FORMULATION_DEFAULT & ~(unsigned)FORMULATION_ROUND, bytes, workspace);
        ck_assert_int_eq(budget, r.problem.ram_budget_bytes);
        ck_assert_mem_eq(bytes, g->bytes, (size_t)g->n * sizeof *bytes);
        ck_assert_mem_eq(workspace, g->workspace, (size_t)g->n * sizeof *workspace);
    }
    ck_assert_int_gt(changed, 500);
    ck_assert_int_gt(working, 50);
}

static bool propagated_differs(const problem *p, unsigned features)
{
    uint8_t *mask = formulation_mask_full(p, features);
    formulation_mask_propagate(p, features, mask);
    double optimum = mask_optimum(p, features, mask);
    base_free(mask);
    oracle_result o = oracle_solve(p);
    schedule_free(o.schedule);
    return isinf(optimum) || isinf(o.overhead_joules)
               ? optimum != o.overhead_joules
               : fabs(optimum - o.overhead_joules) > 1e-6 * (1 + optimum);
}

static bool propagation_fails(const problem *p, void *context)
{
    return propagated_differs(p, *(unsigned *)context);
}

TEST(propagation_keeps_the_optimum)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        OWNED(random_instance) r = mixed_instance(seed, 6);
        unsigned features =
            seed % 2 ? FORMULATION_DEFAULT : FORMULATION_DEFAULT & ~(unsigned)FORMULATION_CANONICAL;
        if (propagated_differs(&r.problem, features))
            ck_abort_msg("seed %llu: %s", (unsigned long long)seed,
                         saved_failure(&r.problem, propagation_fails, &features));
    }
}

/* From random masks: what goes cannot be used, so that the optimum over the mask stays; a second
 * pass finds nothing more, and the mask only shrinks. */
TEST(useless_page_outs_leave_the_mask)
{
    OWNED(random_instance) r = mixed_instance(3, 6);
    size_t n = (size_t)r.graph->n;
    OWNED(uint8_t) *mask = formulation_mask_full(&r.problem, FORMULATION_DEFAULT);
    int before = 0;
    for (size_t t = 1; t < n; t++) { /* tensor 0 cannot come back from storage */
        mask[t * n] &= (uint8_t)~MASK_IN;
        before += (mask[t * n] & MASK_OUT) != 0;
    }
    ck_assert_int_gt(before, 0);
    formulation_mask_propagate(&r.problem, FORMULATION_DEFAULT, mask);
    for (size_t t = 1; t < n; t++)
        ck_assert_uint_eq(mask[t * n] & MASK_OUT, 0);
}

TEST(propagation_of_random_masks)
{
    base_rng rng = {9};
    long removed = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        OWNED(random_instance) r = mixed_instance(seed, 6);
        size_t cells = (size_t)r.graph->n * (size_t)r.graph->n;
        OWNED(uint8_t) *mask = formulation_mask_full(&r.problem, FORMULATION_DEFAULT);
        for (size_t c = 0; c < cells; c++)
            for (int bit = 1; bit < MASK_ALL; bit <<= 1)
                if (base_rng_below(&rng, 100) < 12)
                    mask[c] &= (uint8_t)~bit;
        /* In some, nothing stays in RAM when one stage begins but what is computed there. */
        size_t n = (size_t)r.graph->n, stage = 2 + base_rng_below(&rng, n);
        for (size_t i = 0; i < n && stage < n && seed % 2; i++)
            mask[stage * n + i] &= (uint8_t) ~(MASK_C | MASK_P);
        double before = mask_optimum(&r.problem, FORMULATION_DEFAULT, mask);
        OWNED(uint8_t) *copy = base_malloc(cells, 1);
        memcpy(copy, mask, cells);
        long count = 0, now = formulation_mask_propagate(&r.problem, FORMULATION_DEFAULT, mask);
        for (size_t c = 0; c < cells; c++) {
            ck_assert_uint_eq(mask[c] & ~copy[c], 0);
            count += __builtin_popcount(mask[c] ^ copy[c]);
        }
        ck_assert_int_eq(count, now);
        ck_assert_int_eq(formulation_mask_propagate(&r.problem, FORMULATION_DEFAULT, mask), 0);
        removed += now;
        double after = mask_optimum(&r.problem, FORMULATION_DEFAULT, mask);
        ck_assert_msg(before == after || fabs(before - after) <= 1e-6 * (1 + before),
                      "seed %llu: %.9g over the mask, %.9g once propagated",
                      (unsigned long long)seed, before, after);
    }
    ck_assert_int_gt(removed, 400);
}

/* What is left in cell (t,i) has what the rules ask. */
static void check_cell(const graph *g, bool canonical, const uint8_t *mask, int t, int i)
{
    const int n = g->n;
    const uint8_t here = mask[t * n + i], before = t > i + 1 ? mask[(t - 1) * n + i] : MASK_C,
                  after = t + 1 < n ? mask[(t + 1) * n + i] : 0;
    bool out = false, in = false;
    for (int s = i + 1; s < t; s++)
        out = out || mask[s * n + i] & MASK_OUT;
    for (int s = t + 1; s < n; s++)
        in = in || mask[s * n + i] & MASK_IN;
    ck_assert(!canonical || !(here & MASK_OUT) || (here & MASK_C && in));
    ck_assert(!canonical || !(here & MASK_IN) || after & MASK_P);
    ck_assert(!(here & MASK_C) || before & (MASK_C | MASK_R));
    ck_assert(!(here & MASK_P) || before & (MASK_P | MASK_IN));
    ck_assert(!(here & (MASK_P | MASK_IN)) || out);
    ck_assert(!(here & MASK_OUT) || here & (MASK_C | MASK_P));
    for (int q = g->input_start[i]; q < g->input_start[i + 1] && here & MASK_R; q++)
        ck_assert(mask[t * n + g->input[q]] & (MASK_R | MASK_C | MASK_P));
}

/* Nothing that goes leaves something behind that rested on it, however thin the mask is, and hardly
 * a cell is looked at more than a few times. */
TEST(propagation_ends)
{
    base_rng rng = {10};
    long removed = 0;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        OWNED(random_instance) r = mixed_instance(seed, 24);
        const size_t cells = (size_t)r.graph->n * (size_t)r.graph->n;
        const unsigned features =
            seed % 4 ? FORMULATION_DEFAULT : FORMULATION_DEFAULT & ~(unsigned)FORMULATION_CANONICAL;
        OWNED(uint8_t) *mask = formulation_mask_full(&r.problem, features);
        const uint64_t per_cent = base_rng_below(&rng, 40);
        for (size_t c = 0; c < cells; c++)
            for (int bit = 1; bit < MASK_ALL; bit <<= 1)
                if (base_rng_below(&rng, 100) < per_cent)
                    mask[c] &= (uint8_t)~bit;
        const uint64_t before = base_work_done();
        removed += formulation_mask_propagate(&r.problem, features, mask);
        ck_assert_uint_le(base_work_done() - before, 100 * cells);
        ck_assert_int_eq(formulation_mask_propagate(&r.problem, features, mask), 0);
        for (int t = 0; t < r.graph->n; t++)
            for (int i = 0; i < t; i++)
                check_cell(r.graph, features & FORMULATION_CANONICAL, mask, t, i);
    }
    ck_assert_int_gt(removed, 100000);
}

TEST(windows_are_a_restriction)
{
    int smaller = 0;
    for (uint64_t seed = 0; seed < 120; seed++) {
        OWNED(random_instance) r = mixed_instance(seed, 6);
        int n = r.graph->n;
        OWNED(uint8_t) *full = formulation_mask_full(&r.problem, FORMULATION_DEFAULT);
        OWNED(uint8_t) *few = formulation_mask_windows(&r.problem, FORMULATION_DEFAULT, 1, 1);
        OWNED(uint8_t) *more = formulation_mask_windows(&r.problem, FORMULATION_DEFAULT, 3, 2);
        for (int c = 0; c < n * n; c++) {
            ck_assert_uint_eq(few[c] & ~more[c], 0);
            ck_assert_uint_eq(more[c] & ~full[c], 0);
            ck_assert(!(full[c] & MASK_R) || r.problem.allow_remat);
            ck_assert(!(full[c] & (MASK_IN | MASK_OUT)) || r.problem.allow_paging);
            smaller += few[c] != full[c];
        }
        double a = mask_optimum(&r.problem, FORMULATION_DEFAULT, full);
        double b = mask_optimum(&r.problem, FORMULATION_DEFAULT, few);
        ck_assert_double_le(a, b + 1e-6);
    }
    ck_assert_int_gt(smaller, 500);
}
