/* The models that `export` writes, read and solved by strangers: GLPK and CLP agree with
 * `lp` on the relaxations. */
#include <stdlib.h>
#include <string.h>

#include "tests/cli/cli_test.h"

CLI_SUITE("cross", 120);

static const struct {
    const char *problem, *formulation, *file;
} relaxations[] = {
    {"--model linear --platform a72 --ram-budget 50%", "published", "m.mps"},
    {"--model linear --platform a72 --ram-budget 50%", "published", "m.lp"},
    {"--model linear --platform a72 --ram-budget 50%", "tight", "m.mps"},
    {"--model linear --platform a72 --ram-budget 50%", "tight", "m.lp"},
    {"--model linear --platform m0 --ram-budget 45% --runtime-budget 2", "tight", "m.mps"},
    {"--model linear --platform m0 --ram-budget 45% --runtime-budget 2", "published", "m.lp"},
    {"--model transformer --platform m4 --ram-budget 86%", "published", "m.mps"},
    {"--model transformer --platform m4 --ram-budget 86%", "tight", "m.lp"},
    {"--model transformer --platform a72 --ram-budget 90% --charge-pagein=transfer", "tight",
     "m.mps"},
};

/* The number behind the last occurrence of words. */
static double number_after(const char *text, const char *words)
{
    const char *last = NULL;
    for (const char *at = text; (at = strstr(at, words)) != NULL; at++)
        last = at;
    if (!last) {
        ck_abort_msg("no '%s' in:\n%.2000s", words, text);
        return 0;
    }
    return strtod(last + strlen(words), NULL);
}

LOOP_TEST(relaxation, LENGTH(relaxations))
{
    const char *file = relaxations[_i].file;
    cli_exits(0, "poetbnb export %s --formulation %s --relax --quiet --out %s",
              relaxations[_i].problem, relaxations[_i].formulation, file);
    cli_run run = cli_exits(0, "poetbnb lp %s --json", file);
    double ours = cli_test_number(run.out, "objective");

    /* The objective is in joules, a few thousandths: tolerances of 1e-7 would let the others
     * stop at a basis that is visibly not optimal. GLPK has no such options. */
    run = cli_test_run("clp %s -dualtolerance 1e-12 -primaltolerance 1e-10 -dualsimplex", file);
    ck_assert_msg(run.status == 0, "clp (make deps installs it): %s%s", run.out, run.err);
    double clp = number_after(run.out, "Optimal objective ");
    ck_assert_double_eq_tol(ours, clp, 1e-8 * ours);

    run = cli_test_run("glpsol --%s %s -w m.sol && grep '^s bas' m.sol",
                       strcmp(file, "m.lp") == 0 ? "lp" : "freemps", file);
    ck_assert_msg(run.status == 0, "glpsol (make deps installs it): %s%s", run.out, run.err);
    double glpk = number_after(run.out, " f f ");
    ck_assert_double_ge(glpk, ours * (1 - 1e-9));
    ck_assert_double_eq_tol(ours, glpk, 1e-4 * ours);
}
