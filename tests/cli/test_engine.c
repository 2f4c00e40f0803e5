/* lp and mip on small models whose answers are known, from the outside. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "tests/cli/cli_test.h"
#include "tests/clock.h"

CLI_SUITE("engine", 60);

/* max 3x + 2y + 1, x + y <= 4, x + 3y <= 9, x <= 3: 12 at (3,1) */
static const char maximise_lp[] = "Maximize\n obj: 3 x + 2 y + 1\nSubject To\n"
                                  " c1: x + y <= 4\n c2: x + 3 y <= 9\nBounds\n x <= 3\nEnd\n";

/* min -x - y, 2x + 2y <= 3, integer: -1; relaxation -1.5 */
static const char integer_mps[] = "NAME half\nROWS\n N cost\n L row\nCOLUMNS\n"
                                  " M1 'MARKER' 'INTORG'\n"
                                  " x cost -1 row 2\n y cost -1 row 2\n"
                                  " M2 'MARKER' 'INTEND'\n"
                                  "RHS\n rhs row 3\nBOUNDS\n UP b x 1\n UP b y 1\nENDATA\n";

/* x + y <= 1 and x + y >= 2 */
static const char infeasible_lp[] =
    "Minimize\n obj: x\nSubject To\n a: x + y <= 1\n b: x + y >= 2\nEnd\n";

/* x - y = 1/2 has no integral solution, but a relaxation */
static const char infeasible_mip[] = "Minimize\n obj: x\nSubject To\n a: 2 x - 2 y = 1\nBounds\n"
                                     " x <= 9\n y <= 9\nGenerals\n x y\nEnd\n";

static const char unbounded_lp[] = "Minimize\n obj: - x\nSubject To\n a: x - y <= 1\nEnd\n";

TEST(lp_maximise)
{
    cli_test_write("m.lp", maximise_lp);
    cli_run run = cli_exits(0, "poetbnb lp m.lp --json");
    ck_assert(cli_test_text(run.out, "status", "optimal"));
    ck_assert_double_eq_tol(cli_test_number(run.out, "objective"), 12, 1e-9);
    ck_assert_double_eq_tol(cli_test_number(run.out, "bound"), 12, 1e-9);
    ck_assert_double_ge(cli_test_number(run.out, "iterations"), 1);
    ck_assert_double_eq(cli_test_number(run.out, "nodes"), 0);
    ck_assert_double_ge(cli_test_number(run.out, "seconds"), 0);
}

TEST(lp_text)
{
    cli_test_write("m.lp", maximise_lp);
    cli_run run = cli_exits(0, "poetbnb lp m.lp");
    cli_test_contains(run.out, "optimal", "maximise", "12");
    ck_assert_str_eq(run.err, ""); /* no terminal, no progress */
}

static const char *const methods[] = {"dual", "primal"};
enum { METHODS = sizeof methods / sizeof methods[0] };

/* A transport problem, 6 sources by 9 sinks, with ties and a redundant equation; infeasible by
 * one unit if short of it, unbounded if two columns may fall without end. */
static void write_transport(const char *name, bool feasible, bool bounded)
{
    char text[8192];
    size_t used = (size_t)snprintf(text, sizeof text, "Minimize\n cost:");
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 9; j++)
            used += (size_t)snprintf(text + used, sizeof text - used, " + %d x%d_%d",
                                     1 + (7 * i + 5 * j) % 11, i, j);
    used += (size_t)snprintf(text + used, sizeof text - used, "\nSubject To\n");
    for (int i = 0; i < 6; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, " from%d:", i);
        for (int j = 0; j < 9; j++)
            used += (size_t)snprintf(text + used, sizeof text - used, " + x%d_%d", i, j);
        used += (size_t)snprintf(text + used, sizeof text - used, " %s\n", i ? "= 9" : "<= 9");
    }
    for (int j = 0; j < 9; j++) {
        used += (size_t)snprintf(text + used, sizeof text - used, " to%d:", j);
        for (int i = 0; i < 6; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, " + x%d_%d", i, j);
        used += (size_t)snprintf(text + used, sizeof text - used, " >= %d\n",
                                 j == 3 && !feasible ? 7 : 6);
    }
    snprintf(text + used, sizeof text - used, "Bounds\n%s\nEnd\n",
             bounded ? "" : " x1_0 free\n x0_1 free");
    cli_test_write(name, text);
}

static const struct {
    bool feasible, bounded;
    int exit;
    const char *status;
} transports[] = {
    {true, true, 0, "optimal"},
    {false, true, 3, "infeasible"},
    {true, false, 3, "unbounded"},
};
enum { TRANSPORTS = sizeof transports / sizeof transports[0] };

/* Every method says the same, with a proof. */
LOOP_TEST(lp_methods_agree, METHODS *TRANSPORTS)
{
    const char *method = methods[_i % METHODS];
    int k = _i / METHODS;
    write_transport("m.lp", transports[k].feasible, transports[k].bounded);
    cli_run first = cli_test_run("poetbnb lp m.lp --json");
    double objective = k == 0 ? cli_test_number(first.out, "objective") : 0.0;
    cli_run run = cli_exits(transports[k].exit, "poetbnb lp m.lp --json --method=%s", method);
    ck_assert(cli_test_text(run.out, "status", transports[k].status));
    cli_test_contains(run.out, "\"proven\": true");
    if (k == 0)
        ck_assert_double_eq_tol(cli_test_number(run.out, "objective"), objective, 1e-7);
}

TEST(lp_method_is_one_of_the_list)
{
    cli_test_write("m.lp", maximise_lp);
    cli_run run = cli_exits(2, "poetbnb lp m.lp --method=barrier");
    cli_test_contains(run.err, "dual|primal");
}

TEST(lp_solution_file)
{
    cli_test_write("m.lp", maximise_lp);
    cli_exits(0, "poetbnb lp m.lp --solution m.sol");
    ck_assert_str_eq(cli_test_read("m.sol"), "status optimal\nobjective 12\ncolumns 2\n"
                                             "x 3 1\ny 1 0\nrows 2\nc1 4 2\nc2 6 0\n");
    ck_assert_int_eq(cli_test_files(), 2);
}

static const struct {
    const char *command, *text, *status;
} no_optimum[] = {
    {"lp", infeasible_lp, "infeasible"},  {"lp", unbounded_lp, "unbounded"},
    {"mip", infeasible_lp, "infeasible"}, {"mip", infeasible_mip, "infeasible"},
    {"mip", unbounded_lp, "unbounded"},
};

/* Status 3, `status' says which, and a solution file is not touched. */
LOOP_TEST(without_optimum, LENGTH(no_optimum))
{
    cli_test_write("m.lp", no_optimum[_i].text);
    cli_test_write("m.sol", "precious\n");
    cli_run run = cli_exits(3, "poetbnb %s m.lp --json --solution m.sol", no_optimum[_i].command);
    ck_assert_msg(cli_test_text(run.out, "status", no_optimum[_i].status), "%s", run.out);
    cli_test_contains(run.out, "\"objective\": null");
    ck_assert_str_eq(cli_test_read("m.sol"), "precious\n");
    ck_assert_int_eq(cli_test_files(), 2);
}

TEST(mip_optimum)
{
    cli_test_write("m.mps", integer_mps);
    for (int threads = 1; threads <= 2; threads++) {
        cli_run run =
            cli_exits(0, "poetbnb mip m.mps --json --solution m.sol --threads %d", threads);
        ck_assert(cli_test_text(run.out, "status", "optimal"));
        ck_assert_double_eq_tol(cli_test_number(run.out, "objective"), -1, 1e-9);
        ck_assert_double_eq_tol(cli_test_number(run.out, "bound"), -1, 1e-8);
        cli_test_number(run.out, "nodes");
        cli_test_number(run.out, "iterations");
        cli_test_number(run.out, "seconds");
        cli_test_contains(cli_test_read("m.sol"), "objective -1\ncolumns 2\n");
    }
    cli_run run = cli_test_run("poetbnb lp m.mps --json");
    ck_assert_double_eq_tol(cli_test_number(run.out, "objective"), -1.5, 1e-9);
}

/* Market split (Cornuejols and Dawande): hard for any branch and bound. With slack columns
 * it always has a solution; without, none is found in a second. */
static void write_market_split(const char *name, int rows, int cols, bool slack)
{
    char text[32768];
    size_t used = 0;
    base_rng rng = {20};
    used += (size_t)snprintf(text + used, sizeof text - used, "Minimize\n obj: ");
    for (int r = 0; r < rows; r++)
        used += (size_t)snprintf(text + used, sizeof text - used, "+ s%d + t%d ", r, r);
    used += (size_t)snprintf(text + used, sizeof text - used, "\nSubject To\n");
    for (int r = 0; r < rows; r++) {
        unsigned long sum = 0;
        used += (size_t)snprintf(text + used, sizeof text - used, " r%d: s%d - t%d", r, r, r);
        for (int j = 0; j < cols; j++) {
            unsigned long a = (unsigned long)base_rng_below(&rng, 100);
            sum += a;
            used += (size_t)snprintf(text + used, sizeof text - used, " + %lu x%d", a, j);
        }
        used += (size_t)snprintf(text + used, sizeof text - used, " = %lu\n", sum / 2);
    }
    used += (size_t)snprintf(text + used, sizeof text - used, "Bounds\n");
    for (int r = 0; !slack && r < rows; r++)
        used += (size_t)snprintf(text + used, sizeof text - used, " s%d = 0\n t%d = 0\n", r, r);
    used += (size_t)snprintf(text + used, sizeof text - used, "Binaries\n");
    for (int j = 0; j < cols; j++)
        used += (size_t)snprintf(text + used, sizeof text - used, " x%d", j);
    snprintf(text + used, sizeof text - used, "\nEnd\n");
    cli_test_write(name, text);
}

TEST(mip_time_limit)
{
    write_market_split("m.lp", 6, 50, true);
    const double before = processor_seconds();
    cli_run run = cli_test_run("poetbnb mip m.lp --json --threads 1 --time-limit-s 0.5 "
                               "--solution m.sol");
    ck_assert_double_lt(processor_seconds() - before, 0.5 + CLI_TEST_SLACK);
    ck_assert_int_eq(run.status, 4);
    ck_assert(!cli_test_text(run.out, "status", "optimal"));
    double objective = cli_test_number(run.out, "objective");
    ck_assert_double_lt(cli_test_number(run.out, "bound"), objective);
    cli_test_contains(cli_test_read("m.sol"), "columns 62\n");
}

TEST(mip_limit_without_solution)
{
    write_market_split("m.lp", 6, 50, false);
    cli_run run = cli_exits(5, "poetbnb mip m.lp --json --time-limit-s 0.5 --solution m.sol");
    cli_test_contains(run.out, "\"objective\": null");
    ck_assert_ptr_null(cli_test_read("m.sol"));
    ck_assert_int_eq(cli_test_files(), 1);
}

TEST(mip_node_limit)
{
    write_market_split("m.lp", 6, 50, true);
    cli_run run = cli_exits(4, "poetbnb mip m.lp --json --node-limit 20 --threads 1");
    ck_assert_double_le(cli_test_number(run.out, "nodes"), 40);
}

static const char *const signals[] = {"INT", "TERM"};

/* Ctrl-C: the best solution so far, as at a limit, and the status of one. */
LOOP_TEST(mip_interrupt, LENGTH(signals))
{
    write_market_split("m.lp", 6, 50, true);
    cli_run run =
        cli_exits(4,
                  "timeout --foreground --preserve-status -s %s 1 \"$POETBNB\" mip m.lp --json "
                  "--time-limit-s 30 --solution m.sol",
                  signals[_i]);
    ck_assert_double_lt(cli_test_number(run.out, "seconds"), 10);
    cli_test_contains(cli_test_read("m.sol"), "columns 62\n");
}

/* A signal delivered several times at once (timeout does it twice) is one. */
TEST(mip_interrupt_twice)
{
    write_market_split("m.lp", 6, 50, true);
    cli_exits(4, "\"$POETBNB\" mip m.lp --time-limit-s 30 >log & sleep 1; "
                 "for i in 1 2 3 4 5 6 7 8; do kill $!; done; wait $!");
}

TEST(mip_log)
{
    cli_test_write("m.mps", integer_mps);
    cli_run run = cli_exits(0, "poetbnb mip m.mps");
    cli_test_contains(run.out, "Objective  -1");
    ck_assert_str_eq(run.err, "");
    size_t with_log = strlen(run.out);
    run = cli_test_run("poetbnb mip m.mps --quiet");
    ck_assert_uint_lt(strlen(run.out), with_log);
    run = cli_test_run("poetbnb mip m.mps --json");
    ck_assert_str_eq(run.err, "");
    ck_assert_int_eq(run.out[0], '{');
}
