/* Rows that order interchangeable groups of columns: which are found, and the optimum with them. */
#include "models.h"

#include "bnb/model/twins.h"
#include "tests/lp/owned.h"
#include "tests/suite.h"

SUITE("twins", .seconds = 60);

enum { PAIRS = 4, SINGLES = 6, ITEMS = PAIRS + SINGLES };

static void add_row(lp_model *m, double lower, double upper, int count, const int *col,
                    const double *value)
{
    const int start[2] = {0, count};
    lp_model_add_rows(m, 1, &lower, &upper, start, col, value, NULL);
}

/* Equal items and equal pairs of an item and a helper, without which the item gives nothing; the
 * items have to give enough. odd: 0 to 5: an amount of the last pair that differs; 6: one of a
 * single item; else none. */
static lp_model *items_model(uint64_t seed, int odd)
{
    base_rng rng = {seed};
    lp_model *m = lp_model_create();
    const double weight[2] = {100 + (double)base_rng_below(&rng, 100),
                              100 + (double)base_rng_below(&rng, 100)};
    int item[ITEMS];
    double give[ITEMS], sum = 0;
    for (int k = 0; k < ITEMS; k++) {
        const bool pair = k < PAIRS, last = k == PAIRS - 1;
        give[k] = weight[pair] + (last && odd == 0) + (k == ITEMS - 1 && odd == 6);
        sum += give[k];
        item[k] = lp_model_add_col(m, weight[pair] + 1 + (last && odd == 1), 0, 1, true, 0, NULL,
                                   NULL, NULL);
        if (!pair)
            continue;
        const int col[2] = {item[k],
                            lp_model_add_col(m, 3 + (last && odd == 2), 0, 2 + (last && odd == 3),
                                             true, 0, NULL, NULL, NULL)};
        const double value[2] = {2, -1 - (last && odd == 4)};
        add_row(m, -LP_INFINITY, last && odd == 5, 2, col, value);
    }
    add_row(m, floor(sum * (0.2 + 0.6 * base_rng_double(&rng))), LP_INFINITY, ITEMS, item, give);
    return m;
}

TEST(twins_are_those_that_are_equal_in_all)
{
    for (int odd = 0; odd <= 7; odd++) {
        OWNED(lp_model) *m = items_model(1, odd);
        ck_assert_msg(bnb_order_twins(m) == PAIRS - 1 + SINGLES - 1 - (odd < 7), "odd %d", odd);
    }
}

TEST(ordered_twins_keep_an_optimum)
{
    for (uint64_t seed = 1; seed <= MANY(40); seed++) {
        const int odd = (int)(seed % 8);
        OWNED(lp_model) *m = items_model(seed, odd), *ordered = lp_model_copy(m);
        bnb_order_twins(ordered);
        const oracle_result o = oracle_solve(m), p = oracle_solve(ordered);
        ck_assert_double_eq(o.objective, p.objective);
        const bnb_params params = quiet_params();
        OWNED(bnb_result) r = bnb_solve(m, &params, NULL);
        assert_agrees(m, &r, &o, "twins", odd, seed);
    }
}

/* Two graphs in which each node has three neighbours look alike from each of their nodes: a prism
 * over a triangle, and three houses with three wells. */
TEST(groups_that_only_look_alike_are_no_twins)
{
    static const int edge[18][2] = {{0, 1}, {1, 2},  {0, 2},  {3, 4}, {4, 5},  {3, 5},
                                    {0, 3}, {1, 4},  {2, 5},  {6, 9}, {6, 10}, {6, 11},
                                    {7, 9}, {7, 10}, {7, 11}, {8, 9}, {8, 10}, {8, 11}};
    static const double ones[2] = {1, 1};
    OWNED(lp_model) *m = lp_model_create();
    for (int j = 0; j < 12; j++)
        lp_model_add_col(m, -1, 0, 1, true, 0, NULL, NULL, NULL);
    for (int k = 0; k < 18; k++)
        add_row(m, -LP_INFINITY, 1, 2, edge[k], ones);
    ck_assert_int_eq(bnb_order_twins(m), 0);
}

/* Which of the equal items give just enough is left to the tree. */
LONG_TEST(a_tree_need_not_tell_twins_apart)
{
    enum { SIZES = 5, EQUAL = 6 };
    for (uint64_t seed = 1; seed <= 3; seed++) {
        base_rng rng = {seed};
        OWNED(lp_model) *m = lp_model_create();
        int col[SIZES * EQUAL];
        double size[SIZES * EQUAL], sum = 0;
        for (int k = 0; k < SIZES * EQUAL; k++) {
            size[k] = k % EQUAL ? size[k - 1] : 1e4 + (double)base_rng_below(&rng, 100000);
            sum += size[k];
            col[k] = lp_model_add_col(m, size[k], 0, 1, true, 0, NULL, NULL, NULL);
        }
        add_row(m, floor(0.6 * sum), LP_INFINITY, SIZES * EQUAL, col, size);
        bnb_params p = quiet_params();
        p.node_limit = 20000;
        OWNED(bnb_result) with = bnb_solve(m, &p, NULL);
        p.tuning.presolve = false;
        OWNED(bnb_result) without = bnb_solve(m, &p, NULL);
        ck_assert_int_eq(with.status, BNB_OPTIMAL);
        ck_assert_msg(4 * with.nodes < without.nodes, "seed %d: %ld and %ld nodes", (int)seed,
                      with.nodes, without.nodes);
    }
}
