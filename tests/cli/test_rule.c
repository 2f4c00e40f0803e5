/* The rule that lp and mip have in common for solutions, gaps, and what is proven, from the
 * outside. */
#include <math.h>

#include "base/base.h"
#include "tests/cli/cli_test.h"

CLI_SUITE("rule", 60);

/* Thirds of seven digits: y = 1 - x/3 twice over contradicts itself in the eighth one, unless x is
 * 0, which c forbids. */
#define ROUNDED                                                                                    \
    "Minimize\n obj: x + 2 y\nSubject To\n a: 0.3333333 x + y = 1\n b: x + 3 y = 3\n"              \
    " c: x - y = 0.3\n"
static const char rounded_lp[] = ROUNDED "Bounds\n x <= 10\n y <= 10\nEnd\n";
/* ... and in the fourth one. */
static const char contradicting_lp[] =
    ROUNDED " d: x + 3 y >= 3.0001\nBounds\n x <= 10\n y <= 10\nEnd\n";
/* ... with an integer column that has nothing to do with it. */
static const char rounded_mip[] =
    ROUNDED " e: x + z >= 2.5\nBounds\n x <= 10\n y <= 10\n z <= 4\nGenerals\n z\nEnd\n";

static const char *const engines[] = {"lp", "mip"};

/* A point that breaks rows by what their rounding is worth is a solution to both commands, and
 * infeasible is to both what no such point meets. */
LOOP_TEST(one_rule_of_feasibility, 2)
{
    const char *engine = engines[_i];
    cli_test_write("rounded.lp", rounded_lp);
    cli_test_write("mixed.lp", rounded_mip);
    cli_test_write("contradicting.lp", contradicting_lp);
    cli_run run = cli_exits(0, "poetbnb %s rounded.lp --json", engine);
    ck_assert(cli_test_text(run.out, "status", "optimal"));
    ck_assert_double_eq_tol(cli_test_number(run.out, "objective"), 0.975 + 2 * 0.675, 1e-5);
    cli_test_contains(run.out, "\"widened\": true", "\"proven\": true");
    run = cli_exits(0, "poetbnb %s mixed.lp", engine);
    cli_test_contains(run.out, "Widened ");
    run = cli_exits(3, "poetbnb %s contradicting.lp --json", engine);
    ck_assert(cli_test_text(run.out, "status", "infeasible"));
    cli_test_contains(run.out, "\"proven\": true");
}

/* Unbounded only in the tenth digit of its costs: optimal for costs that differ by as little, and
 * unproven. One more in the seventh digit: unbounded. */
#define NEARLY_UNBOUNDED                                                                           \
    " b + 6.39285714 c - 4 d\nSubject To\n r: - b - 8 c + 4 d = 16.1428571\n"                      \
    " s: -7 a - b + c = 23.6428571\nBounds\n a free\n b free\n c >= 2.5\n d free\nEnd\n"

LOOP_TEST(rounded_costs_are_not_unbounded, 2)
{
    const char *engine = engines[_i];
    cli_test_write("rounded.lp", "Maximize\n obj: 6 a + 1.85714286" NEARLY_UNBOUNDED);
    cli_test_write("unbounded.lp", "Maximize\n obj: 6 a + 1.857143" NEARLY_UNBOUNDED);
    cli_run run = cli_exits(0, "poetbnb %s rounded.lp --json", engine);
    ck_assert(cli_test_text(run.out, "status", "optimal"));
    cli_test_contains(run.out, "\"proven\": false");
    /* a = (c - b - 23.64...) / 7 and d = (16.14... + b + 8 c) / 4 leave -1.107... - (45/28) c -
     * 2e-9 b */
    const double constant = -6 * 23.6428571 / 7 - 16.1428571;
    ck_assert_double_eq_tol(cli_test_number(run.out, "objective"),
                            constant + (6.0 / 7 + 6.39285714 - 8) * 2.5, 1e-5);
    run = cli_exits(3, "poetbnb %s unbounded.lp --json", engine);
    ck_assert(cli_test_text(run.out, "status", "unbounded"));
}

/* The cost of x is far below a simplex' tolerance beside the others, and worth 0.1 of 5 at its
 * bound. */
static const char small_cost_lp[] =
    "Minimize\n obj: a + b + c + d + e + f - 1e-12 x\nSubject To\n"
    " r: a + b + c + d + e + f >= 5\nBounds\n x <= 100000000000\nEnd\n";

TEST(lp_gap_is_what_optimal_says)
{
    cli_test_write("m.lp", small_cost_lp);
    cli_run run = cli_exits(0, "poetbnb lp m.lp --json --solution m.sol");
    ck_assert(cli_test_text(run.out, "status", "optimal"));
    ck_assert_double_eq_tol(cli_test_number(run.out, "objective"), 4.9, 4.9e-9);
    ck_assert_double_eq_tol(cli_test_number(run.out, "bound"), 4.9, 4.9e-9);
    ck_assert_double_le(cli_test_number(run.out, "gap"), 1e-9);
    cli_test_contains(cli_test_read("m.sol"), "x 100000000000 ");
}

/* Terms of 1e14, of which doubles leave multiples of 1/64, miss row a by more than 0.001. */
static const char unreachable_lp[] =
    "Minimize\n obj: x\nSubject To\n a: 123456789.1 x + 987654321.3 y = 1000000000000000.7\n"
    " b: x - y = 0.1\nEnd\n";

TEST(a_point_that_misses_a_row_is_no_optimum)
{
    cli_test_write("m.lp", unreachable_lp);
    cli_run run = cli_exits(1, "poetbnb lp m.lp");
    cli_test_contains(run.out, "Status     numerical trouble", "Missed     row a by ");
    run = cli_exits(1, "poetbnb lp m.lp --json");
    cli_test_contains(run.out, "\"proven\": false");
}

/* x + y <= 0.999999 - 4e-7, and x, y, at least 1 together: each side gives way by 127/128 of its
 * 1e-6 (1 + side), and y takes its bound. */
LOOP_TEST(sides_are_widened_as_documented, 2)
{
    const char *engine = engines[_i];
    const double part = 127.0 / 128 * 1e-6;
    cli_test_write("m.lp", "Minimize\n obj: x\nSubject To\n a: x + y >= 1\n"
                           " b: 3 x + 3 y <= 2.9999955\nBounds\n y <= 0.25\nEnd\n");
    cli_run run = cli_exits(0, "poetbnb %s m.lp --json", engine);
    cli_test_contains(run.out, "\"widened\": true");
    ck_assert_double_eq_tol(cli_test_number(run.out, "objective"),
                            (1 - 2 * part) - (0.25 + 1.25 * part), 1e-9);
}

/* Models in whose rows terms are large: what mip and lp say, as fractions have it. */
static const struct {
    const char *text, *status;
    double objective;
    int exit;
} large_models[] = {
    /* no whole x */
    {"Minimize\n obj: x\nSubject To\n a: 4.1712 x = 750480000\nGeneral\n x\nEnd\n", "infeasible", 0,
     3},
    /* rows that contradict one another by 1000 in 5e15 */
    {"Minimize\n obj: x\nSubject To\n a: 3 x + y >= 5000000000000000\n"
     " b: -6 x - 2 y >= -9999999999998000\nBounds\n y <= 4\n x free\nEnd\n",
     "infeasible", 0, 3},
    /* x = y = 0, z = -1: multipliers round to a bound that is too low by 6.5e-9 of it, since x and
     * y may be large */
    {"Minimize\n obj: -25114.825607374998 x - 3.7365397300000005 y + 51392.03020407143 z\n"
     "Subject To\n a: -5.8006027099999997 y - 7.5342969200000001 z <= 8.2877266120000002\n"
     " b: -35068.174099999997 x + z >= -3.5\n"
     " c: -1.8074576499999999 x + 5.8758790200000002 z >= -5.8758790200000002\n"
     " d: -0.86851972499999996 x - 9.3657999699999994 y + 36940.5052 z = -36940.5052\n"
     " e: -9959.0244700000003 x + y - 14436.038500000001 z = 14436.038500000001\n"
     "Bounds\n x <= 554518131\n -5 <= z <= 3\nGeneral\n y\nEnd\n",
     "optimal", -51392.03020407143, 0},
};
enum { LARGE_MODELS = sizeof large_models / sizeof large_models[0] };

/* A heuristic of the root fixes integers before the LP's optimum is refined: c7 = 1 is what a point
 * needs, and c2 then is 6. */
static const char after_heuristic_lp[] =
    "Minimize\n obj: c2 + 1499969804243 c7\nSubject To\n"
    " a: - c1 - 9 c2 - 4 c3 + c4 - c5 + 30195741 c7 <= 30195680\n"
    " b: - c1 + 3 c2 - 2 c3 + c4 + 1000000000000 c5 + c6 - 3 c7 = -1999999999991\n"
    " c: 8 c2 + c4 - 6 c5 - c6 + 1000000000000 c7 >= 1000000000054\n"
    "Bounds\n c1 <= 1\n -inf <= c2 <= 6\n c3 <= 2\n c5 >= -2\n c6 >= -2\n c7 <= 1\n"
    "Generals\n c4 c5 c6 c7\nEnd\n";

TEST(mip_refines_within_the_bounds_of_the_node)
{
    cli_test_write("m.lp", after_heuristic_lp);
    cli_run run = cli_exits(0, "poetbnb mip m.lp --json --threads 1");
    ck_assert(cli_test_text(run.out, "status", "optimal"));
    ck_assert_double_eq_tol(cli_test_number(run.out, "objective"), 1499969804249, 1500);
}

LOOP_TEST(mip_answers_models_of_large_terms, LARGE_MODELS)
{
    cli_test_write("m.lp", large_models[_i].text);
    cli_run run = cli_exits(large_models[_i].exit, "poetbnb mip m.lp --json --threads 1");
    ck_assert_msg(cli_test_text(run.out, "status", large_models[_i].status), "%s", run.out);
    cli_test_contains(run.out, "\"proven\": true");
    if (large_models[_i].exit == 0)
        ck_assert_double_eq_tol(cli_test_number(run.out, "objective"), large_models[_i].objective,
                                2e-9 * fabs(large_models[_i].objective));
}

/* x and y are free: 0.3 and 0.7 leave no multiplier in binary whose reduced costs are 0. With two
 * rows that close them the bound is proven. */
#define FREE "Minimize\n obj: x + y\nSubject To\n a: 0.3 x + 0.7 y >= 1\n b: x - 0.1 y >= -3\n"
static const char open_lp[] = FREE "Bounds\n x free\n y free\nEnd\n";
static const char closed_lp[] = FREE " c: x <= 5\n d: y <= 9\nBounds\n x free\n y free\nEnd\n";

LOOP_TEST(open_columns_are_named, 2)
{
    const char *engine = engines[_i];
    const double y = 1.9 / 0.73, x = 0.1 * y - 3;
    cli_test_write("open.lp", open_lp);
    cli_test_write("closed.lp", closed_lp);
    cli_run run = cli_exits(0, "poetbnb %s open.lp --json", engine);
    ck_assert_double_eq_tol(cli_test_number(run.out, "objective"), x + y, 1e-6);
    ck_assert_double_eq_tol(cli_test_number(run.out, "bound"), x + y, 1e-6);
    cli_test_contains(run.out, "\"proven\": false");
    run = cli_test_run("poetbnb %s open.lp --quiet", engine);
    cli_test_contains(run.out, "Unproven   column x has an infinite bound");
    run = cli_exits(0, "poetbnb %s closed.lp --json", engine);
    ck_assert_double_le(cli_test_number(run.out, "bound"), x + y + 1e-12);
    ck_assert_double_ge(cli_test_number(run.out, "bound"), x + y - 1e-8);
    cli_test_contains(run.out, "\"proven\": true");
}

/* Two of three columns: 3 + 5 times the unit. */
LOOP_TEST(mip_gap_in_any_unit, 4)
{
    static const double units[] = {1e-12, 1e-10, 1.0, 1e12};
    const double unit = units[_i];
    char text[512];
    snprintf(text, sizeof text,
             "Minimize\n obj: %.17g a + %.17g b + %.17g c\nSubject To\n r: a + b >= 1\n"
             " s: b + c >= 1\n t: a + c >= 1\nBinary\n a b c\nEnd\n",
             7 * unit, 3 * unit, 5 * unit);
    cli_test_write("m.lp", text);
    cli_run run = cli_exits(0, "poetbnb mip m.lp --json");
    ck_assert(cli_test_text(run.out, "status", "optimal"));
    const double objective = cli_test_number(run.out, "objective");
    ck_assert_double_eq_tol(objective / unit, 8, 1e-9);
    ck_assert_double_ge(cli_test_number(run.out, "bound") / unit, 8 - 8e-9);
    ck_assert_double_le(cli_test_number(run.out, "gap"), 1e-9);
    run = cli_exits(0, "poetbnb mip m.lp --json --gap 0.5");
    ck_assert_double_le(cli_test_number(run.out, "gap"), 0.5);
}
