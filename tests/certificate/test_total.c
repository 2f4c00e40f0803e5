/* Totals, one rule at a time: what follows is taken, what does not is refused. */
#include <math.h>

#include "certificate/proof_internal.h"
#include "tests/certificate/chain.h"
#include "tests/suite.h"

SUITE("totals");

/* The chain with a total: all recomputations, each of that weight; there are cells for ten. */
static void make_total(chain *c, double slack, bool impossible, double target, int64_t weight)
{
    chain_make(c, slack, impossible, target);
    cert_total total = {.kind = CERT_R, .count = CHAIN_NODES};
    total.tensor = base_malloc(CHAIN_NODES, sizeof *total.tensor);
    total.weight = base_malloc(CHAIN_NODES, sizeof *total.weight);
    for (int i = 0; i < CHAIN_NODES; i++) {
        total.tensor[i] = i;
        total.weight[i] = weight;
    }
    ck_assert_int_eq(cert_proof_total(c->proof, &total), 0);
}

static void has_range(const chain *c, int64_t low, int64_t high)
{
    ck_assert_int_eq(c->proof->total[0].now.low, low);
    ck_assert_int_eq(c->proof->total[0].now.high, high);
}

static cert_multiplier total_times(double y)
{
    return chain_times(y, 0, CERT_ROW_TOTAL, -1, 0, -1);
}

static void propagate(chain *c, int node)
{
    chain_taken(cert_proof_propagate(c->proof, node, &(cert_key){CERT_ROW_TOTAL, -1, 0, -1}));
}

static int value(const chain *c, int t, int i)
{
    return c->proof->value[chain_cell(c, CERT_R, t, i)];
}

TEST(children_of_a_split)
{
    OWNED(chain) c;
    int first;
    make_total(&c, INFINITY, false, 100, 3);
    propagate(&c, 0);
    has_range(&c, 0, 30);
    chain_taken(cert_proof_branch(c.proof, 0, c.proof->m->cols, 2, &first));
    propagate(&c, first); /* at most 2: no recomputation */
    has_range(&c, 0, 0);
    ck_assert_int_eq(value(&c, 3, 1), 0);
    propagate(&c, first + 1);
    has_range(&c, 3, 30);
    ck_assert_int_eq(value(&c, 3, 1), CERT_OPEN);
    chain_taken(cert_proof_branch(c.proof, first + 1, c.proof->m->cols, 27, &first));
    propagate(&c, first + 1); /* at least 28: all */
    has_range(&c, 30, 30);
    ck_assert_int_eq(value(&c, 3, 1), 1);
    chain_taken(cert_proof_branch(c.proof, first + 1, c.proof->m->cols, 30, &first));
    ck_assert(!c.proof->node[first].closed);
    ck_assert(c.proof->node[first + 1].closed);
    chain_refused(cert_proof_branch(c.proof, 0, c.proof->m->cols, 1, &first), "branched");
}

/* Cells that are known say what the total is at least and at most, and then it says of others. */
TEST(cells_and_total)
{
    OWNED(chain) c;
    int first;
    make_total(&c, INFINITY, false, 100, 1);
    chain_taken(cert_proof_branch(c.proof, 0, chain_cell(&c, CERT_R, 3, 1), 0, &first));
    propagate(&c, first);
    has_range(&c, 0, 9);
    ck_assert(!cert_idle(c.proof, first + 1));
    has_range(&c, 0, 10);
    propagate(&c, first + 1);
    has_range(&c, 1, 10);
    chain_taken(cert_proof_branch(c.proof, first + 1, c.proof->m->cols, 1, &first));
    propagate(&c, first);
    has_range(&c, 1, 1);
    ck_assert_int_eq(value(&c, 3, 1), 1);
    ck_assert_int_eq(value(&c, 4, 1), 0);
}

/* As many joules as recomputations: what is below the target is left, and no more. */
static void reduced(double target, int64_t high)
{
    OWNED(chain) c;
    const cert_multiplier y = total_times(-1);
    make_total(&c, INFINITY, false, target, 1);
    chain_taken(cert_proof_reduce(c.proof, 0, &y, 1));
    has_range(&c, 0, high);
}

TEST(reduced_costs)
{
    reduced(3, 2);
    reduced(3.5, 3);
    reduced(2.75, 2);
    reduced(10, 9);
    reduced(10.5, 10);
    reduced(100, 10);
}

/* Slack seconds as many as recomputations, or as three times as many. */
static void reduced_by_rows(double slack, int64_t weight, int64_t low, int64_t high)
{
    OWNED(chain) c;
    make_total(&c, slack, true, 0, weight);
    const cert_multiplier y[] = {chain_times((double)weight, 0, CERT_ROW_DEADLINE, -1, -1, -1),
                                 total_times(-1)};
    chain_taken(cert_proof_reduce(c.proof, 0, y, 2));
    has_range(&c, low, high);
}

TEST(reduced_by_rows_alone)
{
    reduced_by_rows(0.25, 1, 0, 0);
    reduced_by_rows(2.0625, 1, 0, 2);
    reduced_by_rows(2.0625, 3, 0, 6);
    OWNED(chain) c;
    make_total(&c, INFINITY, true, 0, 1);
    /* the total is no more than its cells: of itself that says nothing */
    const cert_multiplier y = total_times(1);
    chain_taken(cert_proof_reduce(c.proof, 0, &y, 1));
    has_range(&c, 0, 10);
}

TEST(probes)
{
    OWNED(chain) c;
    make_total(&c, INFINITY, false, 3, 1);
    const cert_multiplier y = total_times(-1);
    const char *const why = "do not exclude";
    chain_refused(cert_proof_probe(c.proof, 0, c.proof->m->cols, true, 1, &y, 1),
                  why); /* at least 2 */
    chain_refused(cert_proof_probe(c.proof, 0, c.proof->m->cols, false, 0, NULL, 0), why);
    has_range(&c, 0, 10);
    chain_taken(cert_proof_probe(c.proof, 0, c.proof->m->cols, true, 2, &y, 1)); /* at least 3 */
    has_range(&c, 0, 2);
    chain_taken(cert_proof_probe(c.proof, 0, c.proof->m->cols, true, 2, NULL, 0));
    chain_taken(cert_proof_probe(c.proof, 0, c.proof->m->cols, false, -1, NULL, 0));
    has_range(&c, 0, 2);
    ck_assert(!c.proof->node[0].closed);
}

TEST(leaves)
{
    OWNED(chain) c;
    int first;
    make_total(&c, INFINITY, false, 3, 1);
    const cert_multiplier y = total_times(-1), wrong = total_times(1);
    chain_taken(cert_proof_branch(c.proof, 0, c.proof->m->cols, 2, &first));
    chain_refused(cert_proof_leaf(c.proof, first, &y, 1), "do not prove");
    chain_refused(cert_proof_leaf(c.proof, first + 1, &wrong, 1), "do not prove");
    chain_taken(cert_proof_leaf(c.proof, first + 1, &y, 1));
}

/* What the first case knows of a total is not known in the second, what was known before is. */
TEST(cases)
{
    OWNED(chain) c;
    make_total(&c, INFINITY, false, 9, 1);
    const int outside = chain_cell(&c, CERT_IN, 4, 1);
    const cert_multiplier y = total_times(-1);
    chain_taken(cert_proof_reduce(c.proof, 0, &y, 1));
    has_range(&c, 0, 8);
    chain_taken(cert_proof_first_case(c.proof, &outside, 1));
    cert_narrow(c.proof, 0, 0, (cert_span){1, 5});
    has_range(&c, 1, 5);
    cert_close(c.proof, 0);
    chain_taken(cert_proof_next_case(c.proof));
    has_range(&c, 0, 8);
}

/* sum R <= 5/2 and sum R = total: total <= 2, counted from a value that it is not below, or above.
 */
TEST(roundings)
{
    OWNED(chain) c;
    const char *fault;
    make_total(&c, 2.5, false, 100, 1);
    cert_round_term term = {cert_total_column(c.proof, 0), 1, 1, CERT_SIDE_LOWER, 0};
    cert_multiplier y[] = {chain_times(1, 0, CERT_ROW_DEADLINE, -1, -1, -1), total_times(-1)};
    cert_round round = {1, 2, 2, y, 1, &term};
    cert_proof_round(c.proof, &round, &fault);
    chain_taken(fault);
    round.rhs = 1.999;
    cert_proof_round(c.proof, &round, &fault);
    chain_refused(fault, "does not follow");
    round.rhs = 2;
    term.from = 1;
    cert_proof_round(c.proof, &round, &fault);
    chain_refused(fault, "counted");
    term.side = CERT_SIDE_UPPER;
    term.from = 9;
    cert_proof_round(c.proof, &round, &fault);
    chain_refused(fault, "counted");
    for (term.from = 10; term.from < 12; term.from++) {
        cert_proof_round(c.proof, &round, &fault);
        chain_taken(fault);
    }
    /* a value that is not counted from a bound is of no matter where the total leaves the sum */
    term = (cert_round_term){cert_total_column(c.proof, 0), 1, 0, CERT_SIDE_NONE, 5};
    y[0] = total_times(1);
    round.count = 1;
    round.rhs = 10;
    cert_proof_round(c.proof, &round, &fault);
    chain_taken(fault);
    round.rhs = 9.999;
    cert_proof_round(c.proof, &round, &fault);
    chain_refused(fault, "does not follow");
}

/* Equations have no slack; that of a cut on totals with integers is one. */
TEST(slacks)
{
    OWNED(chain) c;
    make_total(&c, 2.5, false, 100, 1);
    const char *fault;
    cert_round_term term = {cert_total_column(c.proof, 0), 1, 1, CERT_SIDE_LOWER, 0};
    cert_multiplier y[] = {chain_times(1, 0, CERT_ROW_DEADLINE, -1, -1, -1), total_times(-1)};
    cert_proof_round(c.proof, &(cert_round){1, 2, 2, y, 1, &term}, &fault);
    chain_taken(fault);
    cert_multiplier of_cut = {0, {CERT_ROW_KINDS, -1, 0, -1}, number_of(-0.75), number_of(-1)};
    chain_taken(chain_round(&c, 1, 100, of_cut, 1, &term));
    of_cut.slack = number_of(-0.999);
    chain_refused(chain_round(&c, 1, 100, of_cut, 1, &term), "slack");
    chain_refused(
        chain_round(&c, 1, 100, chain_times(-0.75, -1, CERT_ROW_TOTAL, -1, 0, -1), 1, &term),
        "slack");
}
