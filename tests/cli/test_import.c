/* export, import and solve --check-rows: a model goes out to another solver and comes back as a
 * schedule. */
#include <string.h>

#include "tests/cli/cli_test.h"

static const char graph_text[] =
    "{\"name\": \"mine\", \"nodes\": ["
    "{\"name\": \"conv 1\", \"inputs\": [], \"bytes\": 64, \"seconds\": 1e-3, \"joules\": 2e-3,"
    " \"pagein_joules\": 1e-4, \"pageout_joules\": 1e-4, \"pagein_seconds\": 1e-3,"
    " \"pageout_seconds\": 1e-3, \"backward\": false},"
    "{\"name\": \"relu\", \"inputs\": [0], \"bytes\": 64, \"seconds\": 1e-4, \"joules\": 2e-4,"
    " \"pagein_joules\": 1e-4, \"pageout_joules\": 1e-4, \"pagein_seconds\": 1e-3,"
    " \"pageout_seconds\": 1e-3, \"backward\": false},"
    "{\"name\": \"loss\", \"inputs\": [1], \"bytes\": 1, \"seconds\": 1e-4, \"joules\": 2e-4,"
    " \"pagein_joules\": 1e-5, \"pageout_joules\": 1e-5, \"pagein_seconds\": 1e-4,"
    " \"pageout_seconds\": 1e-4, \"backward\": false},"
    "{\"name\": \"grad_relu\", \"inputs\": [1, 2], \"bytes\": 64, \"seconds\": 1e-4,"
    " \"joules\": 2e-4, \"pagein_joules\": 1e-4, \"pageout_joules\": 1e-4,"
    " \"pagein_seconds\": 1e-3, \"pageout_seconds\": 1e-3, \"backward\": true},"
    "{\"name\": \"grad_conv\", \"inputs\": [0, 3], \"bytes\": 1, \"seconds\": 2e-3,"
    " \"joules\": 4e-3, \"pagein_joules\": 1e-4, \"pageout_joules\": 1e-4,"
    " \"pagein_seconds\": 1e-3, \"pageout_seconds\": 1e-3, \"backward\": true}]}\n";

#define PROBLEM "--graph g.json --ram-budget 145"

static void setup(void)
{
    cli_test_setup();
    cli_test_write("g.json", graph_text);
}

/* The overhead that solve proves. */
static double optimum(void)
{
    cli_run run = cli_exits(0, "poetbnb solve " PROBLEM " --json --quiet --out best.json");
    return cli_test_number(run.out, "overhead_joules");
}

/* Ways in which solvers write what they found, as sed scripts on ours. */
#define OBJECTIVE "$(sed -n 's/^objective //p' s.sol)"
static const char *const dialects[] = {
    "cat s.sol > t.sol",
    /* HiGHS: the duals come after the values, under the same names */
    "{ printf 'Model status\\nOptimal\\n\\n# Primal solution values\\nFeasible\\nObjective %.9g\\n"
    "# Columns 9\\n' " OBJECTIVE "; sed 1,3d s.sol; printf '# Rows 1\\nmemory_t0_n0 7\\n\\n"
    "# Dual solution values\\nFeasible\\n# Columns 9\\n'; sed 1,3d s.sol | sed 's/ .*/ 0.25/'; } "
    "> t.sol",
    /* CBC: number, name, value, reduced cost; zeros are left out */
    "{ printf 'Optimal - objective value %.8f\\n' " OBJECTIVE "; sed 1,3d s.sol | awk '$2 != 0 "
    "{print NR-1, $1, $2, 0.5}'; } > t.sol",
    /* GLPK: a star before the value, long names on a line of their own */
    "{ echo 'Problem: tight'; echo \"Objective:  obj = " OBJECTIVE
    " (MINimum)\"; sed 1,3d s.sol | awk '{print NR, $1; print \"   *  \", $2, 0, 1}'; } "
    "> t.sol",
    /* SCIP */
    "{ echo 'solution status: optimal'; echo objective value:  " OBJECTIVE "; sed 1,3d s.sol | "
    "awk '$2 != 0 {print $1, \"   \", $2, \"(obj:0)\"}'; } > t.sol",
};

SUITE("import", .seconds = 60, .set_up = setup, .tear_down = cli_test_teardown);

LOOP_TEST(solutions_become_schedules, LENGTH(dialects))
{
    static const char *const forms[] = {"tight", "published"};
    const double best = optimum();
    ck_assert_double_gt(best, 0);
    for (int k = 0; k < 4; k++) {
        const char *form = forms[k / 2], *suffix = k % 2 ? "lp" : "mps";
        cli_run run =
            cli_exits(0,
                      "poetbnb export " PROBLEM " --quiet --objective=overhead "
                      "--formulation=%s --out m.%s && poetbnb mip m.%s --quiet "
                      "--gap=0 --solution s.sol > mip.out && %s && "
                      "poetbnb import t.sol " PROBLEM " --formulation=%s --out s.json --json",
                      form, suffix, suffix, dialects[_i], form);
        ck_assert_double_eq_tol(cli_test_number(run.out, "overhead_joules"), best, 1e-12);
        cli_exits(0,
                  "poetbnb check s.json --quiet && poetbnb solve " PROBLEM " --check-rows s.json");
    }
}

/* The total is the overhead and the base. */
TEST(objectives)
{
    static const char *const forms[] = {"tight", "published"};
    double value[2];
    for (int f = 0; f < 2; f++) {
        for (int k = 0; k < 2; k++) {
            cli_run run = cli_exits(0,
                                    "poetbnb export " PROBLEM " --quiet --formulation=%s "
                                    "--objective=%s --out m.lp && poetbnb mip m.lp --json --gap=0",
                                    forms[f], k ? "overhead" : "total");
            value[k] = cli_test_number(run.out, "objective");
        }
        ck_assert_double_eq_tol(value[0] - value[1], 6.6e-3, 1e-9);
    }
}

/* Names say stage and node; of nodes' names only letters, digits and underscores are left. */
TEST(names_tell_stage_and_node)
{
    static const char *const names[] = {" R_t3_n0_conv_1", " In_t3_n0_conv_1",
                                        "\n used_r_t2_n0_conv_1:", "\n memory_t4_n3_grad_relu:",
                                        "\n input_t4_n0_conv_1_k4_grad_conv:"};
    cli_run run = cli_exits(0, "poetbnb export " PROBLEM " --quiet --out m.lp && cat m.lp");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        cli_test_contains(run.out, names[k]);
    run = cli_test_run("poetbnb export " PROBLEM " --quiet --formulation published --out p.lp && "
                       "cat p.lp");
    cli_test_contains(run.out, " Free_t3_n1_relu_k2_loss");
}

/* A solution of the same model with other costs has the same names. */
TEST(solutions_of_other_problems)
{
    static const char *const scopes[] = {"total", "overhead"};
    static const char *const claims[] = {"s/^objective /Objective /",
                                         "s/^objective /# Objective value = /",
                                         "s/^objective /Optimal - objective value /"};
    for (int k = 0; k < 6; k++) {
        if (k % 3 == 0)
            cli_exits(0,
                      "poetbnb export --model linear --platform a72 --ram-budget 50%% --quiet "
                      "--objective=%s --out m.mps && poetbnb mip m.mps --quiet --solution s.sol",
                      scopes[k / 3]);
        cli_exits(0,
                  "sed '%s' s.sol > t.sol && poetbnb import t.sol --model linear --platform a72 "
                  "--ram-budget 50%% --quiet --out good.json",
                  claims[k % 3]);
        cli_run run =
            cli_exits(2, "poetbnb import t.sol --model linear --platform m4 --ram-budget 50%% "
                         "--out s.json");
        ck_assert_msg(strncmp(run.err, "poetbnb: t.sol: states the objective ", 37) == 0, "%s",
                      run.err);
        ck_assert_ptr_null(cli_test_read("s.json"));
        cli_exits(2, "poetbnb import t.sol --model linear --platform a72 --mem-power-scale 3 "
                     "--ram-budget 50%%");
    }
}

static const struct {
    const char *text, *message;
    int status;
} bad[] = {
    {"", "expected names of the model's columns", 2},
    {"x1 1\nx2 0\n", "expected names of the model's columns", 2},
    {"R_t1_n0_conv_1 many\n", "line 1: expected a number behind R_t1_n0_conv_1, got 'many'", 2},
    {"a\nb\nR_t1_n0_conv_1", "line 3: expected a number", 2},
    {"R_t1_n0_conv_1 nan\n", "expected a number", 2},
    {"R_t1_n0_conv_1 0\n", "the solution is no schedule", 1},
};

LOOP_TEST(bad_solutions, LENGTH(bad))
{
    cli_test_write("t.sol", bad[_i].text);
    cli_run run = cli_exits(bad[_i].status, "poetbnb import t.sol " PROBLEM " --out s.json");
    ck_assert_str_eq(run.out, "");
    cli_test_contains(run.err, "t.sol: ", bad[_i].message);
    ck_assert_ptr_null(cli_test_read("s.json"));
}

TEST(known_schedules_meet_the_rows)
{
    optimum();
    cli_run run = cli_exits(0, "poetbnb solve " PROBLEM " --check-rows best.json");
    cli_test_contains(run.out, "Rows of the rules, by the schedule as it is: ",
                      "Canonical rows, by the schedule made canonical: ");
    run = cli_exits(2, "poetbnb solve --model linear --platform a72 --ram-budget 50%% "
                       "--check-rows best.json");
    cli_test_contains(run.err, "a schedule of another graph");
    run = cli_exits(2, "poetbnb solve --graph g.json --ram-budget 128 --check-rows best.json");
    cli_test_contains(run.err, "expected a schedule that is good");
    cli_exits(2, "poetbnb solve " PROBLEM " --check-rows none.json");
}

TEST(features_have_sections)
{
    cli_run run = cli_exits(0, "poetbnb info --features");
    cli_test_contains(run.out, "docs/formulation.md#late", "| used_r ");
    run = cli_exits(0, "poetbnb info --features --json");
    cli_test_contains(run.out, "\"section\": \"docs/formulation.md#release\"");
}
