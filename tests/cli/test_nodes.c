/* Nodes with a workspace and pinned nodes, through all commands. */
#include <string.h>

#include "tests/cli/cli_test.h"

CLI_SUITE("nodes", 60);

/* A node that reads the named ones; more: further members, each with a comma behind it. */
#define NODE(name, inputs, bytes, more, joules, paging)                                            \
    "{\"name\": \"" name "\", \"inputs\": [" inputs "], \"bytes\": " bytes ", " more               \
    "\"seconds\": 1, \"joules\": " joules ", \"pagein_joules\": " paging                           \
    ", \"pageout_joules\": " paging ", \"pagein_seconds\": 1, \"pageout_seconds\": 1}"

/* Node `wide` takes all RAM, and `last` reads the two before: `mask` is paged, since it must not be
 * computed again, `sum` is computed again, since it must not be paged, and its 2 bytes to work in
 * fit beside `mask`. */
/* clang-format off */
static const char graph[] =
    "{\"name\": \"kinds\", \"nodes\": [\n"
    NODE("mask", "", "1", "\"pin\": \"no-recompute\", ", "1", "4") ",\n"
    NODE("sum", "", "1", "\"pin\": \"no-page\", \"workspace_bytes\": 2, ", "3", "1") ",\n"
    NODE("between", "\"mask\"", "1", "", "100", "100") ",\n"
    NODE("wide", "", "4", "", "100", "100") ",\n"
    NODE("last", "\"mask\", \"sum\"", "0", "", "100", "100") "]}\n";
/* clang-format on */

TEST(solved_proven_planned)
{
    cli_test_write("g.json", graph);
    static const char *const trust[] = {"rules", "exchanges"};
    for (int k = 0; k < 2; k++) {
        cli_run run =
            cli_exits(0,
                      "poetbnb solve --graph g.json --ram-budget 4 --json --quiet --out s.json "
                      "--certificate c.txt --trust=%s",
                      trust[k]);
        ck_assert_double_eq(cli_test_number(run.out, "overhead_joules"), 11);
        cli_exits(0, "poetbnb verify c.txt --graph g.json --ram-budget 4");
    }
    cli_exits(0, "poetbnb check s.json");
    cli_test_contains(cli_test_read("s.json"), "\"workspace_bytes\": 2");
    cli_run run = cli_exits(0, "poetbnb plan s.json");
    cli_test_contains(run.out, "compute sum() in @");
    cli_exits(0, "poetbnb plan s.json --format=json --out p.json");
    cli_exits(0, "poetbnb check p.json");
    cli_exits(0, "poetbnb plan s.json --format=binary --out p.bin");
    cli_exits(0, "poetbnb check p.bin --graph g.json");
    cli_exits(3, "poetbnb solve --graph g.json --ram-budget 3 --quiet");
}

/* A certificate of the graph without pins is not one of this graph. */
TEST(another_problem)
{
    cli_test_write("g.json", graph);
    cli_exits(0, "sed 's/\"pin\": \"[a-z-]*\",//' g.json > free.json");
    cli_run run = cli_exits(
        0, "poetbnb solve --graph free.json --ram-budget 4 --json --quiet --certificate c.txt");
    ck_assert_double_lt(cli_test_number(run.out, "overhead_joules"), 11);
    cli_exits(1, "poetbnb verify c.txt --graph g.json --ram-budget 4");
    cli_exits(0, "poetbnb verify c.txt --graph free.json --ram-budget 4");
}

TEST(exported_and_imported)
{
    static const char *const formulation[] = {"published", "tight", "tight --without all"};
    cli_test_write("g.json", graph);
    for (int k = 0; k < 3; k++) {
        cli_exits(0, "poetbnb export --graph g.json --ram-budget 4 --formulation %s --out m.mps",
                  formulation[k]);
        cli_exits(0, "poetbnb mip m.mps --quiet --solution x.sol");
        cli_exits(
            0, "poetbnb import x.sol --graph g.json --ram-budget 4 --formulation %s --out s.json",
            formulation[k]);
        ck_assert_double_eq(cli_test_number(cli_test_read("s.json"), "overhead_joules"), 11);
    }
}

TEST(compared_and_shown)
{
    cli_test_write("g.json", graph);
    cli_run run = cli_exits(
        0, "poetbnb compare --graph g.json --ram-budget 4 --methods dtr,anneal,poetbnb --quiet");
    cli_test_contains(run.out, "dtr does not support pins, and node 0 (mask) has one");
    run = cli_exits(0, "poetbnb compare --graph g.json --ram-budget 4 --methods anneal --json");
    cli_test_contains(run.out, "\"feasible\": true");
    ck_assert(!strstr(run.out, "\"overhead_joules\": null"));
    run = cli_exits(0, "poetbnb info --graph g.json");
    cli_test_contains(run.out, "; no-recompute", "; works in 2 bytes; no-page");
    cli_exits(0, "poetbnb info --graph g.json --json > again.json && poetbnb info --graph "
                 "again.json --json | "
                 "cmp - again.json");
}

TEST(bad_values)
{
    cli_test_write("g.json", graph);
    cli_run run = cli_exits(2, "sed 's/no-page/no-paging/' g.json > b.json; "
                               "poetbnb solve --graph b.json --ram-budget 4");
    cli_test_contains(
        run.err, "b.json: nodes[1].pin: \"keep\", \"no-recompute\" or \"no-page\" is expected");
    run =
        cli_exits(2, "sed 's/\"workspace_bytes\": 2/\"workspace_bytes\": \"2\"/' g.json > b.json; "
                     "poetbnb solve --graph b.json --ram-budget 4");
    cli_test_contains(run.err, "b.json: nodes[1].workspace_bytes: an integer is expected");
}

/* What survives, what is drawn at random, and what is resident: `loss` has to be there in the end,
 * and takes the room of `wide` and `end`: it is computed again after them or paged, `drop` is not
 * computed again unless it is replayed. */
/* clang-format off */
static const char kept[] =
    "{\"name\": \"kept\", \"resident_bytes\": 1000, \"nodes\": [\n"
    NODE("drop", "", "4", "\"stateful\": true, ", "1", "8") ",\n"
    NODE("loss", "\"drop\"", "4", "\"output\": true, ", "2", "9") ",\n"
    NODE("wide", "", "8", "", "5", "100") ",\n"
    NODE("end", "\"wide\"", "0", "", "5", "5") "]}\n";
/* clang-format on */

TEST(outputs_survive)
{
    static const struct {
        const char *name, *state;
        double joules;
    } cases[] = {{"stateful", "true", 18}, {"replayed", "\"replayed\"", 3}};
    cli_test_write("g.json", kept);
    for (int k = 0; k < 2; k++) {
        cli_exits(0, "sed 's/\"stateful\": true/\"stateful\": %s/' g.json > s.json",
                  cases[k].state);
        cli_run run = cli_exits(0, "poetbnb solve --graph s.json --ram-budget 1008 --json --quiet "
                                   "--out o.json --certificate c.txt");
        ck_assert_double_eq(cli_test_number(run.out, "overhead_joules"), cases[k].joules);
        ck_assert_double_eq(cli_test_number(run.out, "ram_budget_bytes"), 8);
        ck_assert_double_eq(cli_test_number(run.out, "resident_bytes"), 1000);
        ck_assert_double_eq(cli_test_number(run.out, "graph_nodes"), 5);
        cli_exits(0, "poetbnb verify c.txt --graph s.json --ram-budget 1008");
        cli_exits(0, "poetbnb check o.json");
        cli_test_contains(cli_test_read("o.json"), "\"resident_bytes\": 1000", "\"output\": true");
        cli_exits(0, "poetbnb plan o.json --format=json --out p.json");
        cli_exits(0, "poetbnb check p.json");
        cli_test_contains(cli_test_read("p.json"), "\"op\": \"outputs\"");
    }
    cli_run run = cli_exits(0, "poetbnb solve --graph g.json --ram-budget min");
    cli_test_contains(run.out, "Smallest budget 8 bytes, 1008 with what is resident: proven",
                      "with what is resident; no deadline");
    run = cli_exits(2, "poetbnb solve --graph g.json --ram-budget 999");
    cli_test_contains(run.err,
                      "--ram-budget: 999 bytes; the resident bytes of the graph alone are 1000");
    run = cli_exits(0, "poetbnb info --graph g.json");
    cli_test_contains(run.out, "Resident beside that          1000 bytes",
                      "; no-recompute; stateful\n", "; output\n");
    cli_exits(0, "poetbnb info --graph g.json --json > again.json && poetbnb info --graph "
                 "again.json --json | cmp - again.json");
}

#define SMALL(name, inputs, bytes, more) NODE(name, inputs, bytes, more, "1", "1")

/* Six computations, of which two are in place; the gradient reads an output of `pool` and a view.
 */
/* clang-format off */
static const char shared[] =
    "{\"name\": \"shared\", \"nodes\": [\n"
    SMALL("x", "", "4", "") ",\n"
    SMALL("conv", "\"x\"", "8", "") ",\n"
    "{\"name\": \"flat\", \"view\": true, \"inputs\": [\"conv\"], \"op\": \"flatten\"},\n"
    SMALL("relu", "\"flat\"", "8", "\"in_place\": \"flat\", ") ",\n"
    "{\"name\": \"pool\", \"inputs\": [\"relu\"], \"outputs\": [{\"name\": \"max\", \"bytes\": 4},\n"
    "  {\"name\": \"index\", \"bytes\": 4}, {\"name\": \"mask\", \"bytes\": 2}], \"seconds\": 1,\n"
    "  \"joules\": 1, \"pagein_joules\": 1, \"pageout_joules\": 1, \"pagein_seconds\": 1,\n"
    "  \"pageout_seconds\": 1},\n"
    SMALL("loss", "[\"pool\", 0]", "16", "") ",\n"
    SMALL("last", "\"loss\", \"pool.index\"", "8", "") ",\n"
    SMALL("grad", "\"last\", \"relu\"", "8", "\"backward\": true, ") "]}\n";
/* clang-format on */

TEST(shared_memory_through_all_commands)
{
    cli_test_write("g.json", shared);
    static const char *const trust[] = {"rules", "exchanges"};
    for (int k = 0; k < 2; k++) {
        cli_run run =
            cli_exits(0,
                      "poetbnb solve --graph g.json --ram-budget 32 --json --quiet --out s.json "
                      "--no-paging --certificate c.txt --trust=%s",
                      trust[k]);
        /* x, then relu and what it overwrites, are computed again: beside `last` is no room for 4
         * more */
        ck_assert_double_eq(cli_test_number(run.out, "overhead_joules"), 3);
        cli_exits(0, "poetbnb verify c.txt --graph g.json --ram-budget 32 --no-paging");
    }
    cli_exits(0, "poetbnb check s.json");
    cli_run run = cli_exits(0, "poetbnb plan s.json --quiet");
    cli_test_contains(run.out, "; also conv (overwritten), flat (view)", "(output), index @",
                      ", mask (unread)");
    cli_exits(0, "poetbnb plan s.json --format=json --out p.json --quiet");
    cli_test_contains(cli_test_read("p.json"), "\"kind\": \"overwritten\"");
    cli_exits(0, "poetbnb check p.json");
    cli_exits(0, "poetbnb plan s.json --format=binary --out p.bin --quiet");
    cli_exits(0, "poetbnb check p.bin --graph g.json");
    static const char *const formulation[] = {"published", "tight"};
    for (int k = 0; k < 2; k++) {
        const char *problem = "--graph g.json --ram-budget 32 --no-paging --formulation";
        cli_exits(0, "poetbnb export %s %s --out m.mps", problem, formulation[k]);
        cli_exits(0, "poetbnb mip m.mps --quiet --solution x.sol");
        cli_exits(0, "poetbnb import x.sol %s %s --out t.json", problem, formulation[k]);
        ck_assert_double_eq(cli_test_number(cli_test_read("t.json"), "overhead_joules"), 3);
    }
    cli_exits(0, "poetbnb compare --graph g.json --ram-budget 32 --quiet");
    run = cli_exits(0, "poetbnb info --graph g.json");
    cli_test_contains(run.out, "6 nodes",
                      "; works in 2 bytes; also max (output), index (output), mask (unread)");
    cli_exits(0, "poetbnb info --graph g.json --json > again.json && poetbnb info --graph "
                 "again.json --json | cmp - again.json");
    cli_exits(0, "sed 's/\\[\"flat\"\\]/[\"flat\", \"x\"]/; s/\"in_place\": "
                 "\"flat\"/\"in_place\": \"x\"/' g.json > b.json");
    run = cli_exits(2, "poetbnb solve --graph b.json --ram-budget 32");
    cli_test_contains(run.err,
                      "b.json: nodes: node 3 (relu): 4 bytes are expected as in node 0 (x), "
                      "which it overwrites, not 8");
}
