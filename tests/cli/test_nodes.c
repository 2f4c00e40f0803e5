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
    static const char *const trust[] = {"rules", "exchanges"};
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
    cli_test_contains(run.out, "dtr does not support pins, and node 0 (mask) has one");
    run = cli_test_run("poetbnb compare --graph g.json --ram-budget 4 --methods anneal --json");
    cli_test_status(run, 0);
    cli_test_contains(run.out, "\"feasible\": true");
    ck_assert(!strstr(run.out, "\"overhead_joules\": null"));
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

/* What survives, what is drawn at random, and what is resident: `loss` has to be there in the end,
 * and takes the room of `wide` and `end`: it is computed again after them or paged, `drop` is not
 * computed again unless it is replayed. */
static const char kept[] =
    "{\"name\": \"kept\", \"resident_bytes\": 1000, \"nodes\": [\n"
    "{\"name\": \"drop\", \"inputs\": [], \"bytes\": 4, \"stateful\": true, " COSTS(
        "1",
        "8") "},\n"
             "{\"name\": \"loss\", \"inputs\": [\"drop\"], \"bytes\": 4, \"output\": true, " COSTS(
                 "2", "9") "},\n"
                           "{\"name\": \"wide\", \"inputs\": [], \"bytes\": 8, " COSTS(
                               "5", "100") "},\n"
                                           "{\"name\": \"end\", \"inputs\": [\"wide\"], "
                                           "\"bytes\": 0, " COSTS("5", "5") "}]}\n";

START_TEST(outputs_survive)
{
    static const struct {
        const char *name, *state;
        double joules;
    } cases[] = {{"stateful", "true", 18}, {"replayed", "\"replayed\"", 3}};
    cli_test_write("g.json", kept);
    for (int k = 0; k < 2; k++) {
        cli_test_status(cli_test_run("sed 's/\"stateful\": true/\"stateful\": %s/' g.json > s.json",
                                     cases[k].state),
                        0);
        cli_run run = cli_test_run("poetbnb solve --graph s.json --ram-budget 1008 --json --quiet "
                                   "--out o.json --certificate c.txt");
        cli_test_status(run, 0);
        ck_assert_double_eq(cli_test_number(run.out, "overhead_joules"), cases[k].joules);
        ck_assert_double_eq(cli_test_number(run.out, "ram_budget_bytes"), 8);
        ck_assert_double_eq(cli_test_number(run.out, "resident_bytes"), 1000);
        ck_assert_double_eq(cli_test_number(run.out, "graph_nodes"), 5);
        cli_test_status(cli_test_run("poetbnb verify c.txt --graph s.json --ram-budget 1008"), 0);
        cli_test_status(cli_test_run("poetbnb check o.json"), 0);
        cli_test_contains(cli_test_read("o.json"), "\"resident_bytes\": 1000");
        cli_test_contains(cli_test_read("o.json"), "\"output\": true");
        cli_test_status(cli_test_run("poetbnb plan o.json --format=json --out p.json"), 0);
        cli_test_status(cli_test_run("poetbnb check p.json"), 0);
        cli_test_contains(cli_test_read("p.json"), "\"op\": \"outputs\"");
    }
    cli_run run = cli_test_run("poetbnb solve --graph g.json --ram-budget min");
    cli_test_status(run, 0);
    cli_test_contains(run.out, "Smallest budget 8 bytes, 1008 with what is resident: proven");
    cli_test_contains(run.out, "with what is resident; no deadline");
    run = cli_test_run("poetbnb solve --graph g.json --ram-budget 999");
    cli_test_status(run, 2);
    cli_test_contains(run.err,
                      "--ram-budget: 999 bytes; the resident bytes of the graph alone are 1000");
    run = cli_test_run("poetbnb info --graph g.json");
    cli_test_status(run, 0);
    cli_test_contains(run.out, "Resident beside that          1000 bytes");
    cli_test_contains(run.out, "; no-recompute; stateful\n");
    cli_test_contains(run.out, "; output\n");
    run = cli_test_run("poetbnb info --graph g.json --json > again.json && poetbnb info --graph "
                       "again.json --json | cmp - again.json");
    cli_test_status(run, 0);
}
END_TEST

#define SMALL COSTS("1", "1")

/* Six computations, of which two are in place; the gradient reads an output of `pool` and a view.
 */
static const char shared[] =
    "{\"name\": \"shared\", \"nodes\": [\n"
    "{\"name\": \"x\", \"inputs\": [], \"bytes\": 4, " SMALL "},\n"
    "{\"name\": \"conv\", \"inputs\": [\"x\"], \"bytes\": 8, " SMALL "},\n"
    "{\"name\": \"flat\", \"view\": true, \"inputs\": [\"conv\"], \"op\": \"flatten\"},\n"
    "{\"name\": \"relu\", \"inputs\": [\"flat\"], \"in_place\": \"flat\", \"bytes\": 8, " SMALL
    "},\n"
    "{\"name\": \"pool\", \"inputs\": [\"relu\"], \"outputs\": [{\"name\": \"max\", \"bytes\": "
    "4},\n"
    "  {\"name\": \"index\", \"bytes\": 4}, {\"name\": \"mask\", \"bytes\": 2}], " SMALL "},\n"
    "{\"name\": \"loss\", \"inputs\": [[\"pool\", 0]], \"bytes\": 16, " SMALL "},\n"
    "{\"name\": \"last\", \"inputs\": [\"loss\", \"pool.index\"], \"bytes\": 8, " SMALL "},\n"
    "{\"name\": \"grad\", \"inputs\": [\"last\", \"relu\"], \"bytes\": 8, \"backward\": "
    "true, " SMALL "}]}\n";

START_TEST(shared_memory_through_all_commands)
{
    cli_test_write("g.json", shared);
    static const char *const trust[] = {"rules", "exchanges"};
    for (int k = 0; k < 2; k++) {
        cli_run run =
            cli_test_run("poetbnb solve --graph g.json --ram-budget 32 --json --quiet --out s.json "
                         "--no-paging --certificate c.txt --trust=%s",
                         trust[k]);
        cli_test_status(run, 0);
        /* x, then relu and what it overwrites, are computed again: beside `last` is no room for 4
         * more */
        ck_assert_double_eq(cli_test_number(run.out, "overhead_joules"), 3);
        cli_test_status(
            cli_test_run("poetbnb verify c.txt --graph g.json --ram-budget 32 --no-paging"), 0);
    }
    cli_test_status(cli_test_run("poetbnb check s.json"), 0);
    cli_run run = cli_test_run("poetbnb plan s.json --quiet");
    cli_test_status(run, 0);
    cli_test_contains(run.out, "; also conv (overwritten), flat (view)");
    cli_test_contains(run.out, "(output), index @");
    cli_test_contains(run.out, ", mask (unread)");
    cli_test_status(cli_test_run("poetbnb plan s.json --format=json --out p.json --quiet"), 0);
    cli_test_contains(cli_test_read("p.json"), "\"kind\": \"overwritten\"");
    cli_test_status(cli_test_run("poetbnb check p.json"), 0);
    cli_test_status(cli_test_run("poetbnb plan s.json --format=binary --out p.bin --quiet"), 0);
    cli_test_status(cli_test_run("poetbnb check p.bin --graph g.json"), 0);
    static const char *const formulation[] = {"published", "tight"};
    for (int k = 0; k < 2; k++) {
        const char *problem = "--graph g.json --ram-budget 32 --no-paging --formulation";
        cli_test_status(cli_test_run("poetbnb export %s %s --out m.mps", problem, formulation[k]),
                        0);
        cli_test_status(cli_test_run("poetbnb mip m.mps --quiet --solution x.sol"), 0);
        cli_test_status(
            cli_test_run("poetbnb import x.sol %s %s --out t.json", problem, formulation[k]), 0);
        ck_assert_double_eq(cli_test_number(cli_test_read("t.json"), "overhead_joules"), 3);
    }
    cli_test_status(cli_test_run("poetbnb compare --graph g.json --ram-budget 32 --quiet"), 0);
    run = cli_test_run("poetbnb info --graph g.json");
    cli_test_status(run, 0);
    cli_test_contains(run.out, "6 nodes");
    cli_test_contains(run.out,
                      "; works in 2 bytes; also max (output), index (output), mask (unread)");
    run = cli_test_run("poetbnb info --graph g.json --json > again.json && poetbnb info --graph "
                       "again.json --json | cmp - again.json");
    cli_test_status(run, 0);
    cli_test_status(cli_test_run("sed 's/\\[\"flat\"\\]/[\"flat\", \"x\"]/; s/\"in_place\": "
                                 "\"flat\"/\"in_place\": \"x\"/' g.json > b.json"),
                    0);
    run = cli_test_run("poetbnb solve --graph b.json --ram-budget 32");
    cli_test_status(run, 2);
    cli_test_contains(run.err,
                      "b.json: nodes: node 3 (relu): 4 bytes are expected as in node 0 (x), "
                      "which it overwrites, not 8");
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
    tcase_add_test(t, outputs_survive);
    tcase_add_test(t, shared_memory_through_all_commands);
    suite_add_tcase(s, t);
    return s;
}
