/* Nodes with a workspace and pinned nodes, through all commands. */
#include <string.h>

#include "tests/cli/cli_test.h"

#define COSTS(joules, paging)                                                                      \
    "\"seconds\": 1, \"joules\": " joules ", \"pagein_joules\": " paging                           \
    ", \"pageout_joules\": " paging ", \"pagein_seconds\": 1, \"pageout_seconds\": 1"

/* Node `wide` takes all RAM, and `last` reads the two before: `mask` is paged, since it must not be
 * computed again, `sum` is computed again, since it must not be paged, and its 2 bytes to work in
 * fit beside `mask`. */
static const char graph[] =
    "{\"name\": \"kinds\", \"nodes\": [\n"
    "{\"name\": \"mask\", \"inputs\": [], \"bytes\": 1, \"pin\": \"no-recompute\", " COSTS(
        "1", "4") "},\n"
                  "{\"name\": \"sum\", \"inputs\": [], \"bytes\": 1, \"pin\": \"no-page\", "
                  "\"workspace_bytes\": 2, " COSTS(
                      "3",
                      "1") "},\n"
                           "{\"name\": \"between\", \"inputs\": [\"mask\"], \"bytes\": 1, " COSTS(
                               "100",
                               "100") "},\n"
                                      "{\"name\": \"wide\", \"inputs\": [], \"bytes\": 4, " COSTS(
                                          "100", "100") "},\n"
                                                        "{\"name\": \"last\", \"inputs\": "
                                                        "[\"mask\", \"sum\"], \"bytes\": 0, " COSTS(
                                                            "100", "100") "}]}\n";

START_TEST(solved_proven_planned)
{
    cli_test_write("g.json", graph);
    static const char *const trust[] = {"rules", "canonical"};
    for (int k = 0; k < 2; k++) {
        cli_run run =
            cli_test_run("poetbnb solve --graph g.json --ram-budget 4 --json --quiet --out s.json "
                         "--certificate c.txt --trust=%s",
                         trust[k]);
        cli_test_status(run, 0);
        ck_assert_double_eq(cli_test_number(run.out, "overhead_joules"), 11);
        cli_test_status(cli_test_run("poetbnb verify c.txt --graph g.json --ram-budget 4"), 0);
    }
    cli_test_status(cli_test_run("poetbnb check s.json"), 0);
    cli_test_contains(cli_test_read("s.json"), "\"workspace_bytes\": 2");
    cli_run run = cli_test_run("poetbnb plan s.json");
    cli_test_status(run, 0);
    cli_test_contains(run.out, "compute sum() in @");
    cli_test_status(cli_test_run("poetbnb plan s.json --format=json --out p.json"), 0);
    cli_test_status(cli_test_run("poetbnb check p.json"), 0);
    cli_test_status(cli_test_run("poetbnb plan s.json --format=binary --out p.bin"), 0);
    cli_test_status(cli_test_run("poetbnb check p.bin --graph g.json"), 0);
    run = cli_test_run("poetbnb solve --graph g.json --ram-budget 3 --quiet");
    cli_test_status(run, 3);
}
END_TEST

/* A certificate of the graph without pins is not one of this graph. */
START_TEST(another_problem)
{
    cli_test_write("g.json", graph);
    cli_test_status(cli_test_run("sed 's/\"pin\": \"[a-z-]*\",//' g.json > free.json"), 0);
    cli_run run = cli_test_run(
        "poetbnb solve --graph free.json --ram-budget 4 --json --quiet --certificate c.txt");
    cli_test_status(run, 0);
    ck_assert_double_lt(cli_test_number(run.out, "overhead_joules"), 11);
    cli_test_status(cli_test_run("poetbnb verify c.txt --graph g.json --ram-budget 4"), 1);
    cli_test_status(cli_test_run("poetbnb verify c.txt --graph free.json --ram-budget 4"), 0);
}
END_TEST

START_TEST(exported_and_imported)
{
    static const char *const formulation[] = {"published", "tight", "tight --without all"};
    cli_test_write("g.json", graph);
    for (int k = 0; k < 3; k++) {
        cli_test_status(
            cli_test_run(
                "poetbnb export --graph g.json --ram-budget 4 --formulation %s --out m.mps",
                formulation[k]),
            0);
        cli_test_status(cli_test_run("poetbnb mip m.mps --quiet --solution x.sol"), 0);
        cli_run run = cli_test_run(
            "poetbnb import x.sol --graph g.json --ram-budget 4 --formulation %s --out s.json",
            formulation[k]);
        cli_test_status(run, 0);
        ck_assert_double_eq(cli_test_number(cli_test_read("s.json"), "overhead_joules"), 11);
    }
}
END_TEST

START_TEST(compared_and_shown)
{
    cli_test_write("g.json", graph);
    cli_run run = cli_test_run(
        "poetbnb compare --graph g.json --ram-budget 4 --methods dtr,anneal,poetbnb --quiet");
    cli_test_status(run, 0);
    cli_test_contains(run.out, "dtr does not know pins, and node 0 (mask) has one");
    run = cli_test_run("poetbnb info --graph g.json");
    cli_test_status(run, 0);
    cli_test_contains(run.out, "; no-recompute");
    cli_test_contains(run.out, "; works in 2 bytes; no-page");
    run = cli_test_run("poetbnb info --graph g.json --json > again.json && poetbnb info --graph "
                       "again.json --json | "
                       "cmp - again.json");
    cli_test_status(run, 0);
}
END_TEST

START_TEST(bad_values)
{
    cli_test_write("g.json", graph);
    cli_run run = cli_test_run("sed 's/no-page/no-paging/' g.json > b.json; "
                               "poetbnb solve --graph b.json --ram-budget 4");
    cli_test_status(run, 2);
    cli_test_contains(
        run.err, "b.json: nodes[1].pin: \"keep\", \"no-recompute\" or \"no-page\" is expected");
    run =
        cli_test_run("sed 's/\"workspace_bytes\": 2/\"workspace_bytes\": \"2\"/' g.json > b.json; "
                     "poetbnb solve --graph b.json --ram-budget 4");
    cli_test_status(run, 2);
    cli_test_contains(run.err, "b.json: nodes[1].workspace_bytes: an integer is expected");
}
END_TEST

Suite *suite_nodes(void)
{
    Suite *s = suite_create("nodes");
    TCase *t = tcase_create("nodes");
    tcase_add_checked_fixture(t, cli_test_setup, cli_test_teardown);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, solved_proven_planned);
    tcase_add_test(t, another_problem);
    tcase_add_test(t, exported_and_imported);
    tcase_add_test(t, compared_and_shown);
    tcase_add_test(t, bad_values);
    suite_add_tcase(s, t);
    return s;
}
