/* Cuts by rounding, one rule at a time: what follows is taken, what does not is refused. */
#include <math.h>

#include "certificate/proof_internal.h"
#include "tests/certificate/chain.h"
#include "tests/suite.h"

SUITE("rounded");

static int release(const chain *f, int t, int i)
{
    return cert_free(f->proof->m, t, f->g->user_start[i]);
}

/* F + C + P <= 1: the release is no integer, and rounding drops it. */
TEST(continuous_columns)
{
    OWNED(chain) f;
    chain_make(&f, INFINITY, false, 100);
    const cert_multiplier y = chain_times(1, 0, CERT_ROW_FREE_OR, 3, 1, -1);
    cert_round_term term[] = {{chain_cell(&f, CERT_C, 4, 1), 1, 1, CERT_SIDE_LOWER, 0},
                              {chain_cell(&f, CERT_P, 4, 1), 1, 1, CERT_SIDE_LOWER, 0},
                              {release(&f, 3, 1), 1, 0, CERT_SIDE_LOWER, 0}};
    chain_taken(chain_round(&f, 1, 1, y, 3, term));
    chain_refused(chain_round(&f, 1, 0.999, y, 3, term), "does not follow");
    term[2].coef = 1;
    chain_refused(chain_round(&f, 1, 1, y, 3, term), "does not follow");
}

/* -3/4 (C' - C - R) + 3/4 s = 0 with C' counted from 1 has the right side 3/4: an integer slack has
 * the coefficient -1, another one -3. */
TEST(integer_slacks)
{
    OWNED(chain) f;
    chain_make(&f, INFINITY, false, 100);
    const cert_round_term term[] = {{chain_cell(&f, CERT_C, 3, 1), 1, 1, CERT_SIDE_UPPER, 0},
                                    {chain_cell(&f, CERT_C, 2, 1), 1, -1, CERT_SIDE_LOWER, 0},
                                    {chain_cell(&f, CERT_R, 2, 1), 1, -1, CERT_SIDE_LOWER, 0}};
    chain_taken(
        chain_round(&f, 1, 0, chain_times(-0.75, -1, CERT_ROW_SOURCE_C, 2, 1, -1), 3, term));
    chain_refused(
        chain_round(&f, 1, 0, chain_times(-0.75, -0.999, CERT_ROW_SOURCE_C, 2, 1, -1), 3, term),
        "slack");
}

/* Rows whose slack is none: they are granted -3, not -1. */
static void grants_only_three(chain *f, cert_row_kind kind, int t, int i, double factor, int up,
                              const int *col, int cols)
{
    cert_round_term term[4];
    for (int k = 0; k < cols; k++)
        term[k] = (cert_round_term){col[k], 1, 0, k < up ? CERT_SIDE_UPPER : CERT_SIDE_LOWER, 0};
    chain_taken(chain_round(f, 1, 100, chain_times(-0.75 * factor, -3 * factor, kind, t, i, -1),
                            cols, term));
    chain_refused(
        chain_round(f, 1, 100, chain_times(-0.75 * factor, -factor, kind, t, i, -1), cols, term),
        "slack");
}

TEST(other_slacks)
{
    OWNED(chain) f;
    OWNED(chain) late;
    chain_make(&f, INFINITY, false, 100);
    chain_make(&late, 0.25, false, 100);
    const int release_too[] = {chain_cell(&f, CERT_C, 4, 1), chain_cell(&f, CERT_P, 4, 1),
                               release(&f, 3, 1)};
    /* (C' - C - R) / 2 <= 1 with C' from above: -3/4 (1 - 1/2) = -1 + 5/8 */
    cert_round_term half[] = {{chain_cell(&f, CERT_C, 3, 1), 1, 0.5, CERT_SIDE_UPPER, 0},
                              {chain_cell(&f, CERT_C, 2, 1), 1, -0.5, CERT_SIDE_LOWER, 0},
                              {chain_cell(&f, CERT_R, 2, 1), 1, -0.5, CERT_SIDE_LOWER, 0}};
    chain_taken(chain_round(&f, 1, 1, chain_times(1, 0, CERT_ROW_SOURCE_C, 2, 1, -1), 3, half));
    cert_multiplier y = {0, {CERT_ROW_KINDS, -1, 0, -1}, number_of(-0.75), number_of(-2)};
    chain_taken(chain_round(&f, 1, 100, y, 3, half));
    y.slack = number_of(-1);
    chain_refused(chain_round(&f, 1, 100, y, 3, half), "slack");
    grants_only_three(&f, CERT_ROW_FREE_OR, 3, 1, 1, 2, release_too, 3);
    /* sum R <= 1/4: -3/4 (1/4 - 10) = 7 + 5/16 */
    chain_taken(chain_round(&late, 1, 100, chain_times(-0.75, -1.1, CERT_ROW_DEADLINE, -1, -1, -1),
                            0, NULL));
    chain_refused(
        chain_round(&late, 1, 100, chain_times(-0.75, -1, CERT_ROW_DEADLINE, -1, -1, -1), 0, NULL),
        "slack");
}

TEST(equations_have_no_slack)
{
    OWNED(chain) f;
    chain_make(&f, INFINITY, false, 100);
    chain_taken(chain_round(&f, 1, 100, chain_times(1, 0, CERT_ROW_LOAD, 2, -1, -1), 0, NULL));
    chain_refused(chain_round(&f, 1, 100, chain_times(1, -1, CERT_ROW_LOAD, 2, -1, -1), 0, NULL),
                  "slack");
}

/* A column once, and several only where they are equal. */
TEST(columns_of_terms)
{
    OWNED(chain) f;
    chain_make(&f, INFINITY, false, 100);
    const cert_multiplier y = chain_times(1, 0, CERT_ROW_SOURCE_C, 2, 1, -1);
    const cert_round_term twice[] = {{chain_cell(&f, CERT_C, 3, 1), 1, 0, CERT_SIDE_LOWER, 0},
                                     {chain_cell(&f, CERT_C, 3, 1), 1, 0, CERT_SIDE_LOWER, 0}};
    const cert_round_term several = {chain_cell(&f, CERT_C, 2, 1), 2, 0, CERT_SIDE_LOWER, 0};
    chain_refused(chain_round(&f, 1, 100, y, 2, twice), "two terms");
    chain_refused(chain_round(&f, 1, 100, y, 1, &several), "equal");
    chain_taken(chain_round(&f, 1, 100, y, 1, twice));
    f.proof->m->same[chain_cell(&f, CERT_C, 3, 1)] = chain_cell(&f, CERT_C, 2, 1);
    chain_taken(chain_round(&f, 1, 100, y, 1, &several));
}

/* What a node below knows is not known at node 0, where cuts are made even after it is branched. */
TEST(node_zero)
{
    OWNED(chain) f;
    chain_make(&f, INFINITY, false, 100);
    int first;
    const cert_multiplier y = chain_times(1, 0, CERT_ROW_SOURCE_C, 2, 1, -1);
    const cert_round_term term[] = {{chain_cell(&f, CERT_C, 3, 1), 1, 1, CERT_SIDE_LOWER, 0},
                                    {chain_cell(&f, CERT_C, 2, 1), 1, -1, CERT_SIDE_LOWER, 0},
                                    {chain_cell(&f, CERT_R, 2, 1), 1, 0, CERT_SIDE_LOWER, 0}};
    chain_taken(cert_proof_branch(f.proof, 0, chain_cell(&f, CERT_R, 2, 1), 0, &first));
    ck_assert(!cert_idle(f.proof, first)); /* there R is 0 */
    chain_refused(chain_round(&f, 1, 0, y, 3, term), "does not follow");
    chain_taken(chain_round(&f, 1, 1, y, 3, term));
}

/* A cut of the first case is gone in the second one, and no rounded cut propagates. */
TEST(cases)
{
    OWNED(chain) f;
    chain_make(&f, INFINITY, false, 100);
    const int outside = chain_cell(&f, CERT_R, 2, 1);
    const cert_key cut = {CERT_ROW_KINDS, -1, 0, -1};
    const cert_multiplier y = {0, cut, number_of(1), number_of(0)};
    const cert_round_term term[] = {{chain_cell(&f, CERT_C, 3, 1), 1, 1, CERT_SIDE_LOWER, 0},
                                    {chain_cell(&f, CERT_C, 2, 1), 1, -1, CERT_SIDE_LOWER, 0}};
    chain_taken(cert_proof_first_case(f.proof, &outside, 1));
    chain_taken(chain_round(&f, 1, 0, chain_times(1, 0, CERT_ROW_SOURCE_C, 2, 1, -1), 2, term));
    chain_refused(cert_proof_propagate(f.proof, 0, &cut), "does not propagate");
    chain_taken(cert_proof_reduce(f.proof, 0, &y, 1));
    cert_close(f.proof, 0);
    chain_taken(cert_proof_next_case(f.proof));
    ck_assert_int_eq(f.proof->cuts, 0);
}
