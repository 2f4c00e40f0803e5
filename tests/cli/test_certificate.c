/* `solve --certificate' and `verify'. */
#include <string.h>

#include "tests/cli/cli_test.h"

#define LINEAR "--model linear --platform a72 --ram-budget 50%%"

START_TEST(written_and_verified)
{
    cli_run run = cli_test_run("poetbnb solve " LINEAR " --quiet --certificate c.txt");
    cli_test_status(run, 0);
    cli_test_contains(run.out, "Certificate     in c.txt, verified");
    ck_assert_int_eq(cli_test_files(), 1);
    run = cli_test_run("poetbnb verify c.txt");
    cli_test_status(run, 0);
    cli_test_contains(run.out, "the proof holds");
    cli_test_contains(run.out, "optimal");
    run = cli_test_run("poetbnb verify c.txt --json");
    cli_test_status(run, 0);
    ck_assert(cli_test_text(run.out, "verdict", "holds"));
    ck_assert(cli_test_text(run.out, "claim", "optimal"));
    double bound = cli_test_number(run.out, "lower_bound_overhead_joules");
    double overhead = cli_test_number(run.out, "overhead_joules");
    ck_assert_double_le(bound, overhead);
    ck_assert_double_ge(bound, overhead * (1 - 1e-9));
    run = cli_test_run("poetbnb verify --quiet - < c.txt");
    cli_test_status(run, 0);
    ck_assert_str_eq(run.out, "");
}
END_TEST

START_TEST(infeasible)
{
    cli_run run = cli_test_run("poetbnb solve --model linear --platform a72 --ram-budget 10%% "
                               "--json --certificate c.txt");
    cli_test_status(run, 3);
    ck_assert(cli_test_text(run.out, "certificate", "c.txt"));
    run = cli_test_run("poetbnb verify c.txt --json");
    cli_test_status(run, 0);
    ck_assert(cli_test_text(run.out, "claim", "infeasible"));
}
END_TEST

START_TEST(refused)
{
    cli_run run = cli_test_run("poetbnb solve " LINEAR " --quiet --certificate c.txt && "
                               "sed 's/^0x/-0x/' c.txt > bad.txt && poetbnb verify bad.txt");
    cli_test_status(run, 1);
    cli_test_contains(run.err, "poetbnb: bad.txt: line ");
    run =
        cli_test_run("sed 's/^bound.*/bound 0x1p-20/' c.txt > weak.txt && poetbnb verify weak.txt");
    cli_test_status(run, 0);
    cli_test_contains(run.out, "not proven optimal");
    run = cli_test_run("grep -v '^reduce' c.txt | poetbnb verify -");
    cli_test_status(run, 2);
    cli_test_contains(run.err, "poetbnb: standard input: line ");
    run = cli_test_run("poetbnb verify none.txt");
    cli_test_status(run, 2);
    cli_test_contains(run.err, "none.txt");
    run = cli_test_run("poetbnb verify");
    cli_test_status(run, 2);
}
END_TEST

/* What cannot be certified is said before the work or at its end, and no file is touched. */
START_TEST(not_written)
{
    cli_test_write("c.txt", "mine");
    cli_run run = cli_test_run("poetbnb solve " LINEAR " --certificate c.txt --without origin");
    cli_test_status(run, 2);
    cli_test_contains(run.err, "--certificate: ");
    run = cli_test_run("poetbnb solve " LINEAR " --certificate -");
    cli_test_status(run, 2);
    run = cli_test_run("poetbnb solve " LINEAR " --certificate no/such/folder");
    cli_test_status(run, 2);
    cli_test_contains(run.err, "no/such/folder");
    run = cli_test_run("poetbnb solve --model resnet18 --platform m4 --ram-budget 50%% "
                       "--time-limit-s 0.2 --quiet --certificate c.txt");
    cli_test_status(run, 4);
    cli_test_contains(run.err, "no file is written");
    ck_assert_str_eq(cli_test_read("c.txt"), "mine");
    ck_assert_int_eq(cli_test_files(), 1);
}
END_TEST

Suite *suite_certificate(void)
{
    Suite *suite = suite_create("certificates");
    TCase *tests = tcase_create("certificates");
    tcase_set_timeout(tests, 120);
    tcase_add_checked_fixture(tests, cli_test_setup, cli_test_teardown);
    tcase_add_test(tests, written_and_verified);
    tcase_add_test(tests, infeasible);
    tcase_add_test(tests, refused);
    tcase_add_test(tests, not_written);
    suite_add_tcase(suite, tests);
    return suite;
}
