/* Knapsack cuts against all 0/1 points. */
#include <math.h>

#include "base/base.h"
#include "formulation/knapsack.h"
#include "tests/suite.h"

SUITE("knapsack", .seconds = 120);

enum { ITEMS = 9 };

typedef struct sample {
    knapsack k;
    int64_t weight[ITEMS];
    double value[ITEMS];
} sample;

static void draw(sample *s, base_rng *rng)
{
    int64_t unit = base_rng_below(rng, 3) ? 1 : INT64_C(1) << 30, sum = 0;
    int count = 1 + (int)base_rng_below(rng, ITEMS);
    for (int j = 0; j < count; j++) {
        s->weight[j] = unit * (1 + (int64_t)base_rng_below(rng, 12));
        sum += s->weight[j];
        uint64_t kind = base_rng_below(rng, 4);
        s->value[j] = kind == 0 ? 0 : kind == 1 ? 1 : base_rng_double(rng);
    }
    s->k = (knapsack){count, s->weight, s->value, (int64_t)base_rng_below(rng, (uint64_t)sum + 1)};
}

/* The largest left side over all feasible points; how many items are at 1 in it. */
static double largest_side(const knapsack *k, const double *coef)
{
    double largest = -INFINITY;
    for (unsigned set = 0; set < 1u << k->count; set++) {
        int64_t weight = 0;
        double side = 0;
        for (int j = 0; j < k->count; j++)
            if (set >> j & 1) {
                weight += k->weight[j];
                side += coef[j];
            }
        if (weight <= k->capacity && side > largest)
            largest = side;
    }
    return largest;
}

static void check_cut(const knapsack *k, const knapsack_cut *cut)
{
    double side = 0;
    for (int j = 0; j < k->count; j++) {
        ck_assert_double_eq(cut->coef[j], floor(cut->coef[j]));
        side += cut->coef[j] * k->value[j];
    }
    ck_assert_double_eq(cut->rhs, floor(cut->rhs));
    ck_assert_double_le(largest_side(k, cut->coef), cut->rhs);
    ck_assert_double_eq_tol(cut->violation, side - cut->rhs, 1e-6 * (1 + fabs(cut->rhs)));
}

TEST(rounding_is_valid)
{
    base_rng rng = {1};
    int cuts = 0, violated = 0;
    for (int trial = 0; trial < 20000; trial++) {
        sample s;
        uint8_t flip[ITEMS];
        double coef[ITEMS];
        knapsack_cut cut = {.coef = coef};
        draw(&s, &rng);
        for (int j = 0; j < s.k.count; j++)
            flip[j] = base_rng_below(&rng, 2) != 0;
        int64_t delta = 1 + (int64_t)base_rng_below(&rng, 20);
        if (s.weight[0] > 100 && base_rng_below(&rng, 2))
            delta <<= 29;
        if (!knapsack_round(&s.k, flip, delta, &cut))
            continue;
        cuts++;
        violated += cut.violation > 1e-9;
        check_cut(&s.k, &cut);
    }
    ck_assert_int_gt(cuts, 10000);
    ck_assert_int_gt(violated, 300);
}

/* The textbook case: 5 of 7 with weights 3 and capacity 11 leaves 3 of them. */
/* The items of each weight together, with so many columns each; how many weights there are. */
static int by_size(const knapsack *k, const int *terms, knapsack_size *size)
{
    int sizes = 0;
    for (int j = 0; j < k->count; j++) {
        int c = 0;
        while (c < sizes && size[c].weight != k->weight[j])
            c++;
        if (c == sizes)
            size[sizes++] = (knapsack_size){.weight = k->weight[j]};
        const int high = k->value[j] > 0.5;
        size[c].items[high]++;
        size[c].value[high] += k->value[j];
        size[c].terms[high] += terms[j];
    }
    return sizes;
}

/* What is said of a rounding before it is made holds of it afterwards. */
TEST(efficacy_of_rounding)
{
    base_rng rng = {2};
    int violated[2] = {0, 0};
    for (int trial = 0; trial < 20000; trial++) {
        sample s;
        uint8_t flip[ITEMS];
        int terms[ITEMS];
        double coef[ITEMS], norm = 0;
        knapsack_size size[ITEMS];
        knapsack_cut cut = {.coef = coef};
        draw(&s, &rng);
        const bool flips = base_rng_below(&rng, 2);
        for (int j = 0; j < s.k.count; j++) {
            flip[j] = flips && s.value[j] > 0.5;
            terms[j] = 1 + (int)base_rng_below(&rng, 4);
        }
        const int64_t delta = s.weight[base_rng_below(&rng, (uint64_t)s.k.count)];
        const bool made = knapsack_round(&s.k, flip, delta, &cut);
        for (int j = 0; j < s.k.count && made; j++)
            norm += coef[j] * coef[j] * terms[j];
        const double expected = made && norm > 0 ? fmax(0, cut.violation) / sqrt(norm) : 0;
        const int sizes = by_size(&s.k, terms, size);
        ck_assert_double_eq_tol(knapsack_round_efficacy(size, sizes, s.k.capacity, flips, delta),
                                expected, 1e-9);
        violated[flips] += expected > 1e-6;
    }
    ck_assert_int_gt(violated[0], 500);
    ck_assert_int_gt(violated[1], 500);
}

TEST(rounding_finds_the_known_cut)
{
    const int64_t weight[5] = {3, 3, 3, 3, 3};
    const double value[5] = {0.9, 0.9, 0.9, 0.9, 0.066};
    const uint8_t flip[5] = {0};
    double coef[5];
    knapsack k = {5, weight, value, 11};
    knapsack_cut cut = {.coef = coef};
    ck_assert(knapsack_round(&k, flip, 3, &cut));
    for (int j = 0; j < 5; j++)
        ck_assert_double_eq(coef[j] * 3, cut.rhs);
    ck_assert_double_gt(cut.violation, 0.6);
    ck_assert(!knapsack_round(&(knapsack){5, weight, value, 12}, flip, 3, &cut));
}

TEST(rounding_refuses_inexact)
{
    const int64_t weight[2] = {(INT64_C(1) << 60) + 1, 3};
    const double value[2] = {0.5, 0.5};
    const uint8_t flip[2] = {0};
    double coef[2];
    knapsack_cut cut = {.coef = coef};
    ck_assert(
        !knapsack_round(&(knapsack){2, weight, value, (INT64_C(1) << 60) + 2}, flip, 5, &cut));
}

TEST(weights_are_valid)
{
    base_rng rng = {4};
    int64_t *states = base_malloc(4 * (size_t)KNAPSACK_STATES, sizeof *states);
    int cuts = 0, lifted = 0;
    for (int trial = 0; trial < 20000; trial++) {
        sample s;
        int order[ITEMS];
        uint8_t flag[ITEMS];
        double coef[ITEMS];
        knapsack_scratch scratch = {order, flag, states};
        knapsack_cut cut = {.coef = coef};
        draw(&s, &rng);
        if (!knapsack_weight(&s.k, trial % 2, &scratch, &cut))
            continue;
        cuts++;
        bool zero = false;
        for (int j = 0; j < s.k.count; j++)
            zero = zero || s.value[j] < 1e-6;
        ck_assert(trial % 2 == 0 || zero); /* else the cut comes twice */
        check_cut(&s.k, &cut);
        ck_assert_double_gt(cut.violation, 0);
        ck_assert_double_eq(largest_side(&s.k, coef), cut.rhs); /* lifted exactly */
        for (int j = 0; j < s.k.count; j++) {
            bool fixed = s.value[j] > 1 - 1e-6 || (trial % 2 == 0 && s.value[j] < 1e-6);
            lifted += fixed && coef[j] > 0 && coef[j] != (double)s.weight[j];
            ck_assert(fixed || coef[j] == (double)s.weight[j]);
        }
    }
    base_free(states);
    ck_assert_int_gt(cuts, 4900);
    ck_assert_int_gt(lifted, 1000);
}

/* 6, 10 and 15 add up to 16 or 21, not to 20; beside 8, which is there, 12 are left of them. */
TEST(weights_know_the_sums)
{
    static const int64_t weight[] = {6, 10, 15, 8};
    static const double value[] = {0.5, 0.5, 0.8, 0}, with_one[] = {0.5, 0.5, 0.3, 1};
    int64_t *states = base_malloc(4 * (size_t)KNAPSACK_STATES, sizeof *states);
    int order[4];
    uint8_t flag[4];
    double coef[4];
    knapsack_scratch scratch = {order, flag, states};
    knapsack_cut cut = {.coef = coef};
    ck_assert(knapsack_weight(&(knapsack){4, weight, value, 20}, false, &scratch, &cut));
    ck_assert_double_eq(cut.rhs, 16);
    ck_assert_double_eq(coef[0], 6);
    ck_assert_double_eq(coef[1], 10);
    ck_assert_double_eq(coef[2], 15);
    ck_assert_double_eq(coef[3], 6); /* beside 8 the others weigh at most 10 */
    ck_assert(!knapsack_weight(&(knapsack){4, weight, value, 21}, false, &scratch, &cut));
    ck_assert(knapsack_weight(&(knapsack){4, weight, with_one, 20}, false, &scratch, &cut));
    ck_assert_double_eq(coef[3], 6); /* from 10 to 16 */
    ck_assert_double_eq(cut.rhs, 16);
    base_free(states);
}
