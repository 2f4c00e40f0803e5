/* Cuts by rounding, one rule at a time: what follows is taken, what does not is refused. */
#include <math.h>
#include <string.h>

#include "certificate/proof_internal.h"
#include "tests/certificate/suites.h"

enum { NODES = 5 };

typedef struct fixture {
    graph *g;
    problem problem;
    cert_proof *proof;
} fixture;

/* A chain in which everything may be done: nodes of one byte and one second. */
static void make(fixture *f, double slack)
{
    graph_node node[NODES];
    const int before[NODES] = {0, 0, 1, 2, 3};
    base_error error;
    for (int k = 0; k < NODES; k++)
        node[k] = (graph_node){.name = "node",
                               .inputs = &before[k],
                               .input_count = k > 0,
                               .bytes = 1,
                               .seconds = 1,
                               .joules = 1,
                               .pagein_joules = 1,
                               .pageout_joules = 1};
    f->g = graph_create("chain", node, NODES, &error);
    ck_assert_msg(f->g != NULL, "%s", error.text);
    f->problem = problem_make(f->g, 3);
    f->problem.deadline_seconds = NODES + slack;
    f->proof = cert_proof_create(&f->problem, CERT_RULES, false, 100, 1, &error);
    ck_assert_msg(f->proof != NULL, "%s", error.text);
}

static void drop(fixture *f)
{
    cert_proof_free(f->proof);
    graph_free(f->g);
}

static int cell(const fixture *f, cert_kind kind, int t, int i)
{
    return cert_cell(f->proof->m, kind, t, i);
}

static int release(const fixture *f, int t, int i)
{
    return cert_free(f->proof->m, t, f->g->user_start[i]);
}

static cert_multiplier times(double y, double slack, cert_row_kind kind, int t, int i, int k)
{
    return (cert_multiplier){-1, {kind, t, i, k}, number_of(y), number_of(slack)};
}

/* NULL when the checker takes it. */
static const char *judge(fixture *f, double divisor, double rhs, cert_multiplier y, int terms,
                         const cert_round_term *term)
{
    cert_round_term copy[8];
    const char *fault;
    for (int k = 0; k < terms; k++)
        copy[k] = term[k];
    cert_proof_round(f->proof, &(cert_round){divisor, rhs, 1, &y, terms, copy}, &fault);
    return fault;
}

static void taken(const char *fault)
{
    ck_assert_msg(fault == NULL, "%s", fault);
}

static void refused(const char *fault, const char *why)
{
    ck_assert_ptr_nonnull(fault);
    ck_assert_msg(strstr(fault, why) != NULL, "%s", fault);
}

/* F + C + P <= 1: the release is no integer, and rounding drops it. */
START_TEST(continuous_columns)
{
    fixture f;
    make(&f, INFINITY);
    const cert_multiplier y = times(1, 0, CERT_ROW_FREE_OR, 3, 1, -1);
    cert_round_term term[] = {{cell(&f, CERT_C, 4, 1), 1, 1, CERT_SIDE_LOWER},
                              {cell(&f, CERT_P, 4, 1), 1, 1, CERT_SIDE_LOWER},
                              {release(&f, 3, 1), 1, 0, CERT_SIDE_LOWER}};
    taken(judge(&f, 1, 1, y, 3, term));
    refused(judge(&f, 1, 0.999, y, 3, term), "does not follow");
    term[2].coef = 1;
    refused(judge(&f, 1, 1, y, 3, term), "does not follow");
    drop(&f);
}
END_TEST

/* -3/4 (C' - C - R) + 3/4 s = 0 with C' counted from 1 has the right side 3/4: an integer slack has
 * the coefficient -1, another one -3. */
START_TEST(integer_slacks)
{
    fixture f;
    make(&f, INFINITY);
    const cert_round_term term[] = {{cell(&f, CERT_C, 3, 1), 1, 1, CERT_SIDE_UPPER},
                                    {cell(&f, CERT_C, 2, 1), 1, -1, CERT_SIDE_LOWER},
                                    {cell(&f, CERT_R, 2, 1), 1, -1, CERT_SIDE_LOWER}};
    taken(judge(&f, 1, 0, times(-0.75, -1, CERT_ROW_SOURCE_C, 2, 1, -1), 3, term));
    refused(judge(&f, 1, 0, times(-0.75, -0.999, CERT_ROW_SOURCE_C, 2, 1, -1), 3, term), "slack");
    drop(&f);
}
END_TEST

/* Rows whose slack is none: they are granted -3, not -1. */
static void grants_only_three(fixture *f, cert_row_kind kind, int t, int i, double factor, int up,
                              const int *col, int cols)
{
    cert_round_term term[4];
    for (int k = 0; k < cols; k++)
        term[k] = (cert_round_term){col[k], 1, 0, k < up ? CERT_SIDE_UPPER : CERT_SIDE_LOWER};
    taken(judge(f, 1, 100, times(-0.75 * factor, -3 * factor, kind, t, i, -1), cols, term));
    refused(judge(f, 1, 100, times(-0.75 * factor, -factor, kind, t, i, -1), cols, term), "slack");
}

START_TEST(other_slacks)
{
    fixture f;
    fixture late;
    make(&f, INFINITY);
    make(&late, 0.25);
    const int release_too[] = {cell(&f, CERT_C, 4, 1), cell(&f, CERT_P, 4, 1), release(&f, 3, 1)};
    /* (C' - C - R) / 2 <= 1 with C' from above: -3/4 (1 - 1/2) = -1 + 5/8 */
    cert_round_term half[] = {{cell(&f, CERT_C, 3, 1), 1, 0.5, CERT_SIDE_UPPER},
                              {cell(&f, CERT_C, 2, 1), 1, -0.5, CERT_SIDE_LOWER},
                              {cell(&f, CERT_R, 2, 1), 1, -0.5, CERT_SIDE_LOWER}};
    taken(judge(&f, 1, 1, times(1, 0, CERT_ROW_SOURCE_C, 2, 1, -1), 3, half));
    cert_multiplier y = {0, {CERT_ROW_KINDS, -1, 0, -1}, number_of(-0.75), number_of(-2)};
    taken(judge(&f, 1, 100, y, 3, half));
    y.slack = number_of(-1);
    refused(judge(&f, 1, 100, y, 3, half), "slack");
    grants_only_three(&f, CERT_ROW_FREE_OR, 3, 1, 1, 2, release_too, 3);
    /* sum R <= 1/4: -3/4 (1/4 - 10) = 7 + 5/16 */
    taken(judge(&late, 1, 100, times(-0.75, -1.1, CERT_ROW_DEADLINE, -1, -1, -1), 0, NULL));
    refused(judge(&late, 1, 100, times(-0.75, -1, CERT_ROW_DEADLINE, -1, -1, -1), 0, NULL),
            "slack");
    drop(&f);
    drop(&late);
}
END_TEST

START_TEST(equations_have_no_slack)
{
    fixture f;
    make(&f, INFINITY);
    taken(judge(&f, 1, 100, times(1, 0, CERT_ROW_LOAD, 2, -1, -1), 0, NULL));
    refused(judge(&f, 1, 100, times(1, -1, CERT_ROW_LOAD, 2, -1, -1), 0, NULL), "slack");
    drop(&f);
}
END_TEST

/* A column once, and several only where they are equal. */
START_TEST(columns_of_terms)
{
    fixture f;
    make(&f, INFINITY);
    const cert_multiplier y = times(1, 0, CERT_ROW_SOURCE_C, 2, 1, -1);
    const cert_round_term twice[] = {{cell(&f, CERT_C, 3, 1), 1, 0, CERT_SIDE_LOWER},
                                     {cell(&f, CERT_C, 3, 1), 1, 0, CERT_SIDE_LOWER}};
    const cert_round_term several = {cell(&f, CERT_C, 2, 1), 2, 0, CERT_SIDE_LOWER};
    refused(judge(&f, 1, 100, y, 2, twice), "two terms");
    refused(judge(&f, 1, 100, y, 1, &several), "equal");
    taken(judge(&f, 1, 100, y, 1, twice));
    f.proof->m->same[cell(&f, CERT_C, 3, 1)] = cell(&f, CERT_C, 2, 1);
    taken(judge(&f, 1, 100, y, 1, &several));
    drop(&f);
}
END_TEST

/* What a node below knows is not known at node 0, where cuts are made even after it is branched. */
START_TEST(node_zero)
{
    fixture f;
    make(&f, INFINITY);
    int first;
    const cert_multiplier y = times(1, 0, CERT_ROW_SOURCE_C, 2, 1, -1);
    const cert_round_term term[] = {{cell(&f, CERT_C, 3, 1), 1, 1, CERT_SIDE_LOWER},
                                    {cell(&f, CERT_C, 2, 1), 1, -1, CERT_SIDE_LOWER},
                                    {cell(&f, CERT_R, 2, 1), 1, 0, CERT_SIDE_LOWER}};
    taken(cert_proof_branch(f.proof, 0, cell(&f, CERT_R, 2, 1), &first));
    ck_assert(!cert_idle(f.proof, first)); /* there R is 0 */
    refused(judge(&f, 1, 0, y, 3, term), "does not follow");
    taken(judge(&f, 1, 1, y, 3, term));
    drop(&f);
}
END_TEST

/* A cut of the first case is none of the second one, and no rounded cut propagates. */
START_TEST(cases)
{
    fixture f;
    make(&f, INFINITY);
    const int outside = cell(&f, CERT_R, 2, 1);
    const cert_key cut = {CERT_ROW_KINDS, -1, 0, -1};
    const cert_multiplier y = {0, cut, number_of(1), number_of(0)};
    const cert_round_term term[] = {{cell(&f, CERT_C, 3, 1), 1, 1, CERT_SIDE_LOWER},
                                    {cell(&f, CERT_C, 2, 1), 1, -1, CERT_SIDE_LOWER}};
    taken(cert_proof_first_case(f.proof, &outside, 1));
    taken(judge(&f, 1, 0, times(1, 0, CERT_ROW_SOURCE_C, 2, 1, -1), 2, term));
    refused(cert_proof_propagate(f.proof, 0, &cut), "does not propagate");
    taken(cert_proof_reduce(f.proof, 0, &y, 1));
    cert_close(f.proof, 0);
    taken(cert_proof_second_case(f.proof));
    refused(cert_proof_reduce(f.proof, 0, &y, 1), "no such row");
    refused(judge(&f, 1, 0, y, 0, NULL), "no such row");
    drop(&f);
}
END_TEST

Suite *round_suite(void)
{
    Suite *suite = suite_create("rounded cuts");
    TCase *tests = tcase_create("rounded");
    tcase_add_test(tests, continuous_columns);
    tcase_add_test(tests, integer_slacks);
    tcase_add_test(tests, other_slacks);
    tcase_add_test(tests, equations_have_no_slack);
    tcase_add_test(tests, columns_of_terms);
    tcase_add_test(tests, node_zero);
    tcase_add_test(tests, cases);
    suite_add_tcase(suite, tests);
    return suite;
}
