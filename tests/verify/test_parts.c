/* Parts of the checker against brute force. */
#include <math.h>
#include <stdlib.h>

#include "certificate/cut.h"
#include "tests/verify/suites.h"

enum { NODES = 9 };

/* A graph in which node k reads some of the nodes before it. */
static graph *random_graph(base_rng *rng)
{
    graph_node nodes[NODES] = {0};
    int inputs[NODES][NODES];
    base_error error;
    for (int k = 0; k < NODES; k++) {
        nodes[k] = (graph_node){.name = "", .inputs = inputs[k]};
        nodes[k].bytes = (int64_t)base_rng_below(rng, 9) * (base_rng_below(rng, 4) ? 16 : 1);
        for (int i = 0; i < k; i++)
            if (base_rng_below(rng, 4) == 0)
                inputs[k][nodes[k].input_count++] = i;
    }
    graph *g = graph_create("random", nodes, NODES, &error);
    ck_assert_msg(g != NULL, "%s", error.text);
    return g;
}

static bool reads(const graph *g, int k, int i)
{
    for (int q = g->input_start[k]; q < g->input_start[k + 1]; q++)
        if (g->input[q] == i)
            return true;
    return false;
}

/* Largest value of the cut's left side over the sets of live tensors within the budget, INT64_MIN
 * without any. Item t stands for R[t][k] of a conditional cut. */
static int64_t largest(const cert_model *m, const cert_cut *cut)
{
    int64_t best = INT64_MIN, coef[NODES] = {0};
    int t = cut->t, k = cut->k;
    for (int j = 0; j < cut->count; j++)
        coef[cut->tensor[j]] = cut->coef[j];
    for (unsigned set = 0; set < 1u << NODES; set++) {
        /* bit i < t: tensor i is live; bit t: k is computed (conditional) or always */
        int64_t bytes = k == t ? m->bytes[t] : 0, value = 0;
        bool good = set >> t <= 1 && (k < t || set >> t == 1), runs = set >> t & 1;
        for (int i = 0; i < t && good; i++) {
            bool live = set >> i & 1, own = i == k || reads(m->g, k, i);
            if (runs && own && !live && (k == t || cut->conditional))
                good = false;
            bytes += live ? m->bytes[i] : 0;
            if (!(cut->conditional && i == k))
                value += live ? coef[i] : 0;
        }
        if (cut->conditional && runs)
            value += coef[k];
        if (good && bytes <= m->budget && value > best)
            best = value;
    }
    return best;
}

START_TEST(event_cuts_by_enumeration)
{
    base_rng rng = {1};
    base_error error;
    int tight = 0;
    for (int trial = 0; trial < 3000; trial++) {
        graph *g = random_graph(&rng);
        problem p = problem_make(g, (int64_t)base_rng_below(&rng, 300));
        cert_model *m = cert_model_create(&p, &error);
        int tensor[NODES], t = 1 + (int)base_rng_below(&rng, NODES - 1);
        int64_t coef[NODES];
        cert_cut cut = {.t = t,
                        .k = (int)base_rng_below(&rng, (uint64_t)t + 1),
                        .tensor = tensor,
                        .coef = coef};
        cut.conditional = cut.k < t && base_rng_below(&rng, 2);
        for (int i = 0; i < t; i++) {
            bool own = i == cut.k || reads(g, cut.k, i);
            if (own && (cut.k == t || (cut.conditional && i != cut.k)))
                continue;
            tensor[cut.count] = i;
            coef[cut.count++] = (int64_t)base_rng_below(&rng, 9) - 2;
        }
        int64_t most = largest(m, &cut);
        if (most > INT64_MIN) {
            cut.rhs = most;
            ck_assert_msg(cert_cut_fault(m, &cut) == NULL, "trial %d: %s", trial,
                          cert_cut_fault(m, &cut));
            cut.rhs = most - 1;
            ck_assert_msg(cert_cut_fault(m, &cut) != NULL, "trial %d: a false cut holds", trial);
            tight++;
        }
        cert_model_free(m);
        graph_free(g);
    }
    ck_assert_int_gt(tight, 1500);
}
END_TEST

/* Sums of products against rational arithmetic. */
START_TEST(sums_are_exact)
{
    base_rng rng = {7};
    mpz_t sum, scratch;
    mpq_t exact, a, b;
    mpz_inits(sum, scratch, NULL);
    mpq_inits(exact, a, b, NULL);
    for (int k = 0; k < 2000; k++) {
        double x = ldexp(base_rng_double(&rng) - 0.5, (int)base_rng_below(&rng, 200) - 100);
        double y = ldexp(base_rng_double(&rng) - 0.5, (int)base_rng_below(&rng, 200) - 100);
        if (k % 50 == 0)
            x = 0;
        number_add_product(sum, 400, k % 3 ? 1 : -1, number_of(x), number_of(y), scratch);
        mpq_set_d(a, x);
        mpq_set_d(b, y);
        mpq_mul(a, a, b);
        if (k % 3)
            mpq_add(exact, exact, a);
        else
            mpq_sub(exact, exact, a);
    }
    mpq_mul_2exp(exact, exact, 400);
    ck_assert_int_eq(mpz_cmp_ui(mpq_denref(exact), 1), 0);
    ck_assert_int_eq(mpz_cmp(mpq_numref(exact), sum), 0);
    ck_assert_double_eq(number_of(-96.0).mantissa, -3);
    ck_assert_int_eq(number_of(-96.0).exponent, 5);
    ck_assert_int_eq(number_of(0x1p-1074).exponent, -1074);
    mpz_clears(sum, scratch, NULL);
    mpq_clears(exact, a, b, NULL);
}
END_TEST

Suite *parts_suite(void)
{
    Suite *suite = suite_create("parts of the checker");
    TCase *tests = tcase_create("parts");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, event_cuts_by_enumeration);
    tcase_add_test(tests, sums_are_exact);
    suite_add_tcase(suite, tests);
    return suite;
}
