/* `solve --certificate' and `verify'. */

#include "base/base.h"
#include "tests/cli/cli_test.h"

CLI_SUITE("certificates", 120);

#define LINEAR "--model linear --platform a72 --ram-budget 50%%"
#define LINEAR_BYTES "--model linear --platform a72 --ram-budget 3708" /* the same */

TEST(written_and_verified)
{
    cli_run run = cli_exits(0, "poetbnb solve " LINEAR " --quiet --certificate c.txt");
    cli_test_contains(run.out, "Certificate     in c.txt, verified");
    ck_assert_int_eq(cli_test_files(), 1);
    run = cli_exits(0, "poetbnb verify c.txt");
    cli_test_contains(run.out, "the proof holds", "optimal");
    run = cli_exits(0, "poetbnb verify c.txt --json");
    ck_assert(cli_test_text(run.out, "verdict", "holds"));
    ck_assert(cli_test_text(run.out, "claim", "optimal"));
    double bound = cli_test_number(run.out, "lower_bound_overhead_joules");
    double overhead = cli_test_number(run.out, "overhead_joules");
    ck_assert_double_le(bound, overhead);
    ck_assert_double_ge(bound, overhead * (1 - 1e-9));
    run = cli_exits(0, "poetbnb verify --quiet - < c.txt");
    ck_assert_str_eq(run.out, "");
}

TEST(infeasible)
{
    cli_run run = cli_exits(3, "poetbnb solve --model linear --platform a72 --ram-budget 10%% "
                               "--json --certificate c.txt");
    ck_assert(cli_test_text(run.out, "certificate", "c.txt"));
    ck_assert(cli_test_text(run.out, "certificate_trust", "exchanges"));
    run = cli_exits(0, "poetbnb verify c.txt --json");
    ck_assert(cli_test_text(run.out, "claim", "infeasible"));
}

TEST(refused)
{
    cli_run run = cli_exits(1, "poetbnb solve " LINEAR " --quiet --certificate c.txt && "
                               "sed 's/^0x/-0x/' c.txt > bad.txt && poetbnb verify bad.txt");
    cli_test_contains(run.err, "poetbnb: bad.txt: line ");
    run =
        cli_exits(0, "sed 's/^bound.*/bound 0x1p-20/' c.txt > weak.txt && poetbnb verify weak.txt");
    cli_test_contains(run.out, "not proven optimal");
    run = cli_exits(2, "grep -v '^reduce' c.txt | poetbnb verify -");
    cli_test_contains(run.err, "poetbnb: standard input: line ");
    run = cli_exits(2, "poetbnb verify none.txt");
    cli_test_contains(run.err, "none.txt");
    cli_exits(2, "poetbnb verify");
}

/* Whoever reads the verdict learns which problem it is about. */
TEST(the_problem_is_said)
{
    cli_run run = cli_exits(0, "poetbnb solve " LINEAR " --quiet --no-remat --certificate c.txt "
                               "--charge-pagein=transfer --runtime-budget 1.5 "
                               "--deadline-includes-paging; poetbnb verify c.txt");
    cli_test_contains(run.out, "linear on a72, built in, batch size 1, gradients published\n",
                      " with transfers, page-ins charged in transfer, no "
                      "rematerialisation\n");
    run = cli_test_run("poetbnb verify c.txt --json");
    cli_test_contains(run.out, "\"allow_remat\": false", "\"allow_paging\": true",
                      "\"charge_pagein_transfer\": true", "\"deadline_includes_paging\": true",
                      "\"ram_budget_bytes\": 3708", "\"model\": \"linear\"");
}

/* A name is claimed only for what is the network of that name, wherever its graph stands. */
TEST(names_are_earned)
{
    cli_run run =
        cli_exits(0, "poetbnb info --model linear --platform m4 --json > g.json; "
                     "poetbnb solve --graph g.json --ram-budget 100%% --no-paging --quiet "
                     "--certificate own.txt; poetbnb verify own.txt");
    cli_test_contains(run.out, "linear on m4, built in, batch size 1, gradients published\n",
                      "7416 bytes (7.242 KiB) of RAM, no paging\n");
    run = cli_test_run("poetbnb verify own.txt --json");
    cli_test_contains(run.out, "\"model\": \"linear\"");
    /* the checksum is that of the solver's record */
    cli_exits(0, "poetbnb solve --graph g.json --ram-budget 100%% --no-paging --quiet --json "
                 "| grep graph_checksum > a; poetbnb verify own.txt --json | "
                 "grep graph_checksum | sed 's/^ *//' > b; sed -i 's/^ *//' a; cmp a b");
    /* one byte less, or another name */
    run = cli_exits(0, "sed 's/\"bytes\": 3136/\"bytes\": 3135/' own.txt > less.txt; "
                       "! cmp -s own.txt less.txt && poetbnb verify less.txt");
    cli_test_contains(run.out, "own graph \"linear\", which is not the built-in network\n",
                      "27 nodes, 51 edges, 0.000455750", " J once, fnv:");
    run = cli_test_run("poetbnb verify less.txt --json");
    cli_test_contains(run.out, "\"builtin\": null");
    run = cli_exits(0, "sed 's/\"linear\"/\"mine\"/' own.txt | poetbnb verify -");
    cli_test_contains(run.out, "own graph \"mine\"\n");
}

/* The same options as of the solve, and the certificate is for that problem; others, and it is not.
 */
TEST(the_problem_asked_for)
{
    static const char *const other[] = {
        "--model linear --platform m4 --ram-budget 3708",
        "--model transformer --platform a72 --ram-budget 3708",
        "--model linear --platform a72 --batch-size 2 --ram-budget 3708",
        "--model linear --platform a72 --ram-budget 3707",
        LINEAR_BYTES " --runtime-budget 1.5",
        LINEAR_BYTES " --no-paging",
        LINEAR_BYTES " --no-remat",
        LINEAR_BYTES " --max-computations 2",
        LINEAR_BYTES " --charge-pagein=transfer",
        LINEAR_BYTES " --deadline-includes-paging",
    };
    cli_run run = cli_exits(0, "poetbnb solve " LINEAR " --quiet --certificate c.txt; "
                               "poetbnb info --model linear --platform a72 --json > g.json; "
                               "poetbnb verify c.txt " LINEAR);
    cli_test_contains(run.out, "c.txt: the proof holds, of the problem asked for\n");
    run = cli_exits(0, "poetbnb verify c.txt --graph g.json --ram-budget 3708 --json");
    ck_assert(cli_test_text(run.out, "verdict", "holds"));
    cli_test_contains(run.out, "\"matches\": true");
    for (size_t k = 0; k < sizeof other / sizeof *other; k++) {
        run = cli_exits(1, "poetbnb verify c.txt %s%s", other[k], k % 2 ? " --json" : "");
        cli_test_contains(run.err, "c.txt: the proof holds, but it is about another problem: ");
        if (k % 2) {
            ck_assert(cli_test_text(run.out, "verdict", "another problem"));
            cli_test_contains(run.out, "\"matches\": false", "\"claim\": null");
        } else {
            ck_assert_str_eq(run.out, "");
        }
    }
    run = cli_test_run("poetbnb verify c.txt --model linear --platform a72 --ram-budget 50 "
                       "--no-remat");
    cli_test_contains(run.err, ": 3708 bytes of RAM instead of 50, with rematerialisation\n");
    /* a problem is named whole, and a false proof is none of any problem */
    cli_exits(2, "poetbnb verify c.txt --model linear --platform a72");
    cli_exits(2, "poetbnb verify c.txt --ram-budget 3708");
    cli_exits(2, "poetbnb verify c.txt --graph none.json --ram-budget 1");
    run = cli_exits(1, "sed 's/^0x/-0x/' c.txt | poetbnb verify - " LINEAR);
    cli_test_contains(run.err, "standard input: line ");
}

/* A deadline and options that are not the usual ones are part of the problem. */
TEST(the_deadline_asked_for)
{
    cli_exits(0, "poetbnb solve " LINEAR " --runtime-budget 1.5 --no-remat --quiet "
                 "--certificate c.txt; poetbnb verify c.txt " LINEAR
                 " --runtime-budget 1.5 --no-remat");
    cli_run run = cli_exits(1, "poetbnb verify c.txt " LINEAR " --runtime-budget 1.25 --no-remat");
    cli_test_contains(run.err, ": a deadline of ");
    run = cli_exits(1, "poetbnb verify c.txt " LINEAR
                       " --runtime-budget 1.5 --no-remat --max-computations 2");
    cli_test_contains(run.err, ": any number of computations of a node instead of at most 2\n");
    cli_exits(1, "poetbnb verify c.txt " LINEAR);
}

/* What a proof rests on, family by family. */
TEST(trust_is_said)
{
    cli_run run = cli_exits(0, "poetbnb solve " LINEAR " --no-paging --quiet --json "
                               "--certificate c.txt; poetbnb verify c.txt");
    cli_test_contains(run.out, "\"certificate_trust\": \"exchanges\"",
                      "  Rests on        exchanges: the rules, and exchanges that were "
                      "carried out for these families:\n"
                      "                  reductions",
                      "  Exchanges       checked for this graph: ");
    run = cli_test_run("poetbnb verify c.txt --json");
    ck_assert(cli_test_text(run.out, "trust", "exchanges"));
    cli_test_contains(run.out, "\"families\": [\n    \"reductions\"",
                      "\"exchanges\": {\n    \"rows\": ");
    run = cli_exits(0, "poetbnb solve --model linear --platform a72 --ram-budget 80%% --no-paging "
                       "--json --quiet --trust=rules --certificate c.txt; poetbnb verify c.txt");
    cli_test_contains(run.out, "\"certificate_trust\": \"rules\"",
                      "  Rests on        rules: the rules of schedules alone\n");
    run = cli_test_run("poetbnb verify c.txt --json");
    ck_assert(cli_test_text(run.out, "trust", "rules"));
    cli_test_contains(run.out, "\"families\": []");
}

TEST(the_rules_are_enough)
{
    cli_run run = cli_exits(0, "poetbnb solve --model vgg16_cifar --platform a72nocache "
                               "--ram-budget 50%% --threads 1 --work-limit 4 --quiet --trust=rules "
                               "--certificate c.txt && poetbnb verify c.txt");
    cli_test_contains(run.out, "  Rests on        rules: the rules of schedules alone\n");
}

/* Their cuts count both copies of a tensor that is computed though it is there: 1 % is left, and
 * 3 % with one coefficient for both. */
LONG_TEST(cuts_of_the_rules_count_both_copies)
{
    cli_run run = cli_exits(0, "poetbnb solve --model vgg16_cifar --platform a72 --ram-budget 50%% "
                               "--threads 1 --work-limit 2 --quiet --trust=rules "
                               "--certificate c.txt --verbose --log l.txt; awk '/^  rest/ && "
                               "$9 == \"%%\" {left = $8} END {print (left > 0.1 && left < 2)}' "
                               "l.txt");
    cli_test_contains(run.out, "1\n");
}

/* A certificate that asks for much, and proves nothing. */
static void write_long_certificate(const char *name, int nodes, int rows)
{
    base_error error;
    base_output *output = base_output_open(name, &error);
    ck_assert_msg(output != NULL, "%s", error.text);
    FILE *out = base_output_stream(output);
    fputs("poetbnb certificate 2\n{\"graph\": {\"nodes\": [", out);
    for (int i = 0; i < nodes; i++)
        fprintf(out,
                "%s{\"inputs\": [], \"bytes\": 1, \"seconds\": 1, \"joules\": 1, "
                "\"pagein_joules\": 1, \"pageout_joules\": 1, \"pagein_seconds\": 1, "
                "\"pageout_seconds\": 1}",
                i ? "," : "");
    fprintf(out,
            "]}, \"ram_budget_bytes\": 2, \"deadline_seconds\": 1e6, \"R\": [], \"S\": [], "
            "\"A\": [], \"In\": [], \"Out\": []}\ntrust rules\ninfeasible\nscale 1\nreduce 0 %d\n",
            rows);
    for (int k = 0; k < rows; k++)
        fputs("1 deadline\n", out);
    fputs("end\n", out);
    ck_assert_int_eq(base_output_commit(output, &error), 0);
}

TEST(limits_of_the_check)
{
    write_long_certificate("c.txt", 1000, 40000);
    const double started = base_seconds();
    cli_run run = cli_exits(5, "poetbnb verify c.txt --time-limit-s 1 --json");
    ck_assert_double_lt(base_seconds() - started, 1 + CLI_TEST_SLACK);
    ck_assert(cli_test_text(run.out, "verdict", "unknown"));
    cli_test_contains(run.err, "c.txt: stopped by the time limit");
    run = cli_exits(5, "poetbnb verify c.txt --memory-limit 32M");
    cli_test_contains(run.err, "c.txt: stopped by the memory limit");
    run = cli_exits(5, "timeout --foreground --preserve-status -s INT 1 $POETBNB verify c.txt");
    cli_test_contains(run.err, "c.txt: stopped by the interrupt");
}

/* Said before the work, not after it. */
TEST(too_large_for_one)
{
    cli_run run = cli_exits(
        2,
        "{ printf '{\"nodes\": ['; for k in $(seq 1001); do [ $k -eq 1 ] || printf ','; "
        "printf '{\"inputs\": [], \"bytes\": 1, \"seconds\": 1, \"joules\": 1, "
        "\"pagein_joules\": 1, \"pageout_joules\": 1, \"pagein_seconds\": 1, "
        "\"pageout_seconds\": 1}'; done; printf ']}'; } > g.json && poetbnb solve --graph g.json "
        "--ram-budget 50%% --quiet --certificate c.txt");
    cli_test_contains(run.err, "--certificate: certificates are for graphs of at most 1000 nodes");
    ck_assert_int_eq(cli_test_files(), 1); /* the graph */
}

/* What cannot be certified is said before the work or at its end, and no file is touched. */
TEST(not_written)
{
    cli_test_write("c.txt", "mine");
    cli_run run = cli_exits(2, "poetbnb solve " LINEAR " --certificate c.txt --without origin");
    cli_test_contains(run.err, "--certificate: ");
    cli_exits(2, "poetbnb solve " LINEAR " --certificate -");
    run = cli_exits(2, "poetbnb solve " LINEAR " --certificate no/such/folder");
    cli_test_contains(run.err, "no/such/folder");
    run = cli_exits(4, "poetbnb solve --model bert --platform m4 --ram-budget 20%% "
                       "--time-limit-s 0.2 --quiet --certificate c.txt");
    cli_test_contains(run.err, "no file is written");
    ck_assert_str_eq(cli_test_read("c.txt"), "mine");
    ck_assert_int_eq(cli_test_files(), 1);
}
