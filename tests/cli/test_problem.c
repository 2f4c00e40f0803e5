/* The subcommands on training problems: known optima, round trips through files, exit
 * statuses, untouched files. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "tests/cli/cli_test.h"

CLI_SUITE("problem", 120);

/* Five nodes in a chain and back: small enough that every solve is quick. */
static const char graph_json[] =
    "{\"name\": \"small\", \"nodes\": [\n"
    "  {\"name\": \"in\", \"inputs\": [], \"bytes\": 100, \"seconds\": 1, \"joules\": 1,"
    " \"pagein_joules\": 2, \"pageout_joules\": 2, \"pagein_seconds\": 1,"
    " \"pageout_seconds\": 1, \"backward\": false},\n"
    "  {\"name\": \"a\", \"inputs\": [0], \"bytes\": 100, \"seconds\": 1, \"joules\": 3,"
    " \"pagein_joules\": 2, \"pageout_joules\": 2, \"pagein_seconds\": 1,"
    " \"pageout_seconds\": 1, \"backward\": false},\n"
    "  {\"name\": \"b\", \"inputs\": [1], \"bytes\": 100, \"seconds\": 1, \"joules\": 1,"
    " \"pagein_joules\": 2, \"pageout_joules\": 2, \"pagein_seconds\": 1,"
    " \"pageout_seconds\": 1, \"backward\": false},\n"
    "  {\"name\": \"gb\", \"inputs\": [1, 2], \"bytes\": 100, \"seconds\": 1, \"joules\": 1,"
    " \"pagein_joules\": 2, \"pageout_joules\": 2, \"pagein_seconds\": 1,"
    " \"pageout_seconds\": 1, \"backward\": true},\n"
    "  {\"name\": \"ga\", \"inputs\": [0, 1, 3], \"bytes\": 100, \"seconds\": 1, \"joules\": 1,"
    " \"pagein_joules\": 2, \"pageout_joules\": 2, \"pagein_seconds\": 1,"
    " \"pageout_seconds\": 1, \"backward\": true}\n]}\n";

/* ---- known optima ----------------------------------------------------------- */

static const struct {
    const char *arguments;
    double base, overhead; /* overhead in units of base/10000 */
} optima[] = {
    {"--model linear --platform a72 --ram-budget 50%", 0.0065894249217, 14.6510821},
    {"--model linear --platform a72 --ram-budget 50% --runtime-budget 1", 0.0065894249217,
     23.3358103},
    {"--model linear --platform a72 --ram-budget 45%", 0.0065894249217, 16.7792871},
    {"--model linear --platform m4 --ram-budget 50%", 0.00045575016757, 108.9505939},
    {"--model transformer --platform a72 --ram-budget 90%", 119.37989727, 2.4825938},
};

LOOP_TEST(known_optimum, LENGTH(optima))
{
    cli_run run = cli_exits(0, "poetbnb solve %s --json", optima[_i].arguments);
    ck_assert(cli_test_text(run.out, "status", "optimal"));
    double unit = optima[_i].base / 1e4;
    double overhead = cli_test_number(run.out, "overhead_joules");
    ck_assert_double_eq_tol(overhead / unit, optima[_i].overhead, 1e-6);
    double bound = cli_test_number(run.out, "lower_bound_overhead_joules");
    ck_assert_double_le(overhead - bound, 1e-9 * overhead);
    ck_assert_double_le(cli_test_number(run.out, "peak_bytes"),
                        cli_test_number(run.out, "ram_budget_bytes"));
    ck_assert_double_eq_tol(cli_test_number(run.out, "base_joules"), optima[_i].base,
                            1e-9 * optima[_i].base);
    static const char *const members[] = {"energy_joules",   "gap",           "compute_seconds",
                                          "nodes",           "lp_iterations", "seconds",
                                          "recompute_count", "pagein_count",  "pageout_count"};
    for (size_t k = 0; k < sizeof members / sizeof members[0]; k++)
        cli_test_number(run.out, members[k]);
    ck_assert(cli_test_text(run.out, "method", "poetbnb"));
}

/* What the switches forbid does not happen, and costs. */
TEST(switches)
{
    const char *const common = "solve --model linear --platform a72 --ram-budget 50% --json";
    cli_run run = cli_exits(0, "poetbnb %s --no-paging", common);
    ck_assert_double_eq(cli_test_number(run.out, "pagein_count"), 0);
    double remat_only = cli_test_number(run.out, "overhead_joules");
    run = cli_exits(0, "poetbnb %s --no-remat", common);
    ck_assert_double_eq(cli_test_number(run.out, "recompute_count"), 0);
    double paging_only = cli_test_number(run.out, "overhead_joules");
    run = cli_test_run("poetbnb %s --no-paging --paging --no-remat --remat", common);
    double both = cli_test_number(run.out, "overhead_joules");
    ck_assert_double_lt(both, fmin(remat_only, paging_only));
    run = cli_test_run("poetbnb %s --no-paging --max-computations 2", common);
    ck_assert_double_ge(cli_test_number(run.out, "overhead_joules"), remat_only);
    run = cli_test_run("poetbnb %s --max-computations 1", common);
    ck_assert_double_eq_tol(cli_test_number(run.out, "overhead_joules"), paging_only,
                            1e-8 * paging_only);
    run = cli_exits(0, "poetbnb %s --no-heuristics", common);
    ck_assert(!cli_test_text(run.out, "incumbent_source", "annealing"));
    ck_assert_double_eq_tol(cli_test_number(run.out, "overhead_joules"), both, 1e-8 * both);
    run = cli_test_run("poetbnb solve --model linear --platform a72 --ram-budget 90%% --no-remat "
                       "--json");
    double arrival = cli_test_number(run.out, "overhead_joules");
    run = cli_exits(0, "poetbnb solve --model linear --platform a72 --ram-budget 90%% --no-remat "
                       "--json --charge-pagein=transfer");
    ck_assert_double_gt(cli_test_number(run.out, "overhead_joules"), 1.01 * arrival);
    run = cli_exits(0, "poetbnb %s --runtime-budget 1.1 --deadline-includes-paging", common);
    ck_assert_double_gt(cli_test_number(run.out, "overhead_joules"), 1.01 * both);
}

/* Without a limit there is a proof, of one kind or the other, however tight the deadline. */
LOOP_TEST(proof_without_limit, 6)
{
    static const char *const factors[] = {"0.99", "1", "1.001", "1.01", "1.03", "1.06"};
    cli_run run = cli_test_run("poetbnb solve --model linear --platform a72 --ram-budget 50%% "
                               "--runtime-budget %s --deadline-includes-paging --json",
                               factors[_i]);
    ck_assert_msg(run.status == 0 || run.status == 3, "status %d\n%s%s", run.status, run.out,
                  run.err);
}

/* ---- files ------------------------------------------------------------------ */

TEST(solve_then_check)
{
    cli_run run = cli_exits(0, "poetbnb solve --model linear --platform m4 --ram-budget 50%% "
                               "--runtime-budget 2 --out s.json --json");
    double overhead = cli_test_number(run.out, "overhead_joules");
    ck_assert_int_eq(cli_test_files(), 1);
    run = cli_exits(0, "poetbnb check s.json --json");
    ck_assert(cli_test_number(run.out, "overhead_joules") == overhead);
    run = cli_exits(0, "poetbnb check s.json");
    cli_test_contains(run.out, "every rule holds");
    run = cli_exits(0, "poetbnb solve --model linear --platform m4 --ram-budget 50%% "
                       "--runtime-budget 2 --warm-start ./s.json");
    cli_test_contains(run.out, "./s.json");
    run = cli_exits(2, "poetbnb solve --model vgg16_cifar --platform m4 --ram-budget 50%% "
                       "--warm-start ./s.json");
    cli_test_contains(run.err, "another graph");
}

/* `info --json` prints what --graph reads: the optimum is the same. */
TEST(graph_round_trip)
{
    cli_exits(0, "poetbnb info --model linear --platform a72 --json > g.json");
    cli_run run =
        cli_exits(0, "poetbnb solve --graph g.json --ram-budget 3708 --json --out s.json");
    ck_assert_double_eq_tol(cli_test_number(run.out, "overhead_joules"),
                            14.6510821 * 0.0065894249217e-4, 1e-11);
    cli_exits(0, "poetbnb check s.json");
    cli_exits(0, "poetbnb info --graph g.json --json > h.json && cmp g.json h.json");
}

/* Two branches side by side, which one after the other need half the memory; the last node reads
 * LAST. */
#define BRANCHES(LAST)                                                                             \
    "{\"name\": \"branches\", \"nodes\": [\n"                                                      \
    "  {\"name\": \"a\", \"inputs\": [], \"bytes\": 100, \"seconds\": 1, \"joules\": 5,"           \
    " \"pagein_joules\": 2, \"pageout_joules\": 2, \"pagein_seconds\": 1,"                         \
    " \"pageout_seconds\": 1, \"backward\": false},\n"                                             \
    "  {\"name\": \"b\", \"inputs\": [], \"bytes\": 100, \"seconds\": 1, \"joules\": 7,"           \
    " \"pagein_joules\": 2, \"pageout_joules\": 2, \"pagein_seconds\": 1,"                         \
    " \"pageout_seconds\": 1, \"backward\": false},\n"                                             \
    "  {\"name\": \"a1\", \"inputs\": [0], \"bytes\": 1, \"seconds\": 1, \"joules\": 1,"           \
    " \"pagein_joules\": 2, \"pageout_joules\": 2, \"pagein_seconds\": 1,"                         \
    " \"pageout_seconds\": 1, \"backward\": false},\n"                                             \
    "  {\"name\": \"b1\", \"inputs\": [1, 2], \"bytes\": 1, \"seconds\": 1, \"joules\": 1,"        \
    " \"pagein_joules\": 2, \"pageout_joules\": 2, \"pagein_seconds\": 1,"                         \
    " \"pageout_seconds\": 1, \"backward\": false},\n"                                             \
    "  {\"name\": \"end\", \"inputs\": [" LAST "], \"bytes\": 1, \"seconds\": 1, \"joules\": 1,"   \
    " \"pagein_joules\": 2, \"pageout_joules\": 2, \"pagein_seconds\": 1,"                         \
    " \"pageout_seconds\": 1, \"backward\": false}\n"                                              \
    "]}\n"

TEST(order_of_the_nodes)
{
    cli_test_write("g.json", BRANCHES("2, 3"));
    const char *const solve = "poetbnb solve --graph g.json --no-paging --ram-budget 110";
    cli_run run = cli_exits(0, "%s --json", solve);
    ck_assert_double_eq(cli_test_number(run.out, "overhead_joules"), 12);
    ck_assert(cli_test_text(run.out, "order", "given"));
    run = cli_exits(0, "%s --order=search --json --out s.json --certificate c", solve);
    ck_assert_double_eq(cli_test_number(run.out, "overhead_joules"), 0);
    ck_assert(cli_test_text(run.out, "order", "searched"));
    /* What was written is about the graph in that order, whose names tell which node is which. */
    cli_exits(0, "poetbnb check s.json");
    cli_exits(0, "poetbnb verify c");
    cli_test_contains(cli_test_read("s.json"), "\"branches\"");
    /* Of no overhead the order says nothing. */
    run = cli_test_run("%s --order=search", solve);
    cli_test_contains(run.out, "Order           not that of the graph; no order has less");
    cli_test_write("h.json", BRANCHES("0, 3"));
    run = cli_test_run("poetbnb solve --graph h.json --no-paging --ram-budget 110 --order=search");
    cli_test_contains(run.out, "holds for this order");
    /* Where the given order costs nothing, it stays. */
    run = cli_exits(0, "poetbnb solve --graph g.json --ram-budget 100%% --order=search --json");
    ck_assert(cli_test_text(run.out, "order", "given"));
    cli_exits(2, "%s --order=best", solve);
    /* Every method of a comparison gets the order that was found for its point. */
    const char *const compare = "poetbnb compare --graph g.json --no-paging --ram-budget 110,203 "
                                "--methods anneal,poetbnb --schedules found";
    run = cli_exits(0, "%s --csv", compare);
    cli_test_contains(run.out, ",12,");
    run = cli_exits(0, "%s --order=search", compare);
    cli_test_contains(run.out, "Order: another one, for this point", "Order: as given");
    run = cli_exits(0, "%s --order=search --csv", compare);
    ck_assert_ptr_null(strstr(run.out, ",12,"));
    cli_exits(0, "poetbnb check found/anneal-110.json");
}

/* Every point of a sweep has its own order, and percentages are of the graph as it was given. */
TEST(orders_of_a_sweep)
{
    cli_test_write("g.json", BRANCHES("2, 3"));
    const char *const sweep = "poetbnb sweep --graph g.json --no-paging --ram-budget 109,110,203";
    cli_run run = cli_test_run("%s --csv | cut -d, -f 5,6,15,18,21", sweep);
    cli_test_contains(run.out, "\n110,54.726368159204,optimal,,12\n");
    run = cli_test_run("%s --order=search --csv | cut -d, -f 5,6,15,18,21", sweep);
    cli_test_contains(run.out, "\n110,54.726368159204,optimal,in another order of the nodes,0\n",
                      "\n203,100.995024876,optimal,,0\n");
    /* What fits into less is taken in its order. */
    cli_test_contains(run.out,
                      "optimal,the optimum for 110 bytes fits: no search; in another order "
                      "of the nodes,0\n");
    run = cli_test_run("%s --order=search --csv --jobs 2 | cut -d, -f 5,15,21", sweep);
    cli_test_contains(run.out, "\n109,optimal,0\n110,optimal,0\n203,optimal,0\n");
    run = cli_exits(0, "%s --order=search --plot s.gp", sweep);
    cli_test_contains(run.out, "\n         203 101.00 ");
    const char *const picture = cli_test_read("s.gp");
    cli_test_contains(picture, "lines = 1\n"); /* the points are one line */
    cli_test_contains(picture, "points = 3\npeak = 201\n");
}

TEST(platform_file)
{
    cli_exits(0, "poetbnb info --platform m4 --json | sed 's/\"m4\"/\"mine\"/' "
                 "> mine.json");
    cli_exits(0, "poetbnb info --model linear --platform mine.json --json > a.json && "
                 "poetbnb info --model linear --platform m4 --json > b.json && "
                 "cmp a.json b.json");
}

TEST(schedule_on_standard_output)
{
    cli_run run = cli_exits(0, "poetbnb solve --model linear --platform a72 --ram-budget 50%% "
                               "--out - --quiet > s.json");
    cli_test_contains(run.err, "Proven optimal");
    cli_exits(0, "poetbnb check - < s.json");
}

TEST(export_and_solve)
{
    static const char *const formulations[] = {"published", "tight"};
    cli_test_write("g.json", graph_json);
    cli_run run = cli_exits(0, "poetbnb solve --graph g.json --ram-budget 400 --json");
    double energy = cli_test_number(run.out, "energy_joules");
    for (int f = 0; f < 2; f++)
        for (int lp = 0; lp < 2; lp++) {
            const char *suffix = lp ? "lp" : "mps";
            cli_exits(0,
                      "poetbnb export --graph g.json --ram-budget 400 "
                      "--formulation %s --out m.%s",
                      formulations[f], suffix);
            run = cli_exits(0, "poetbnb mip m.%s --json", suffix);
            ck_assert_double_eq_tol(cli_test_number(run.out, "objective"), energy, 1e-6);
            cli_exits(0,
                      "poetbnb export --graph g.json --ram-budget 400 --relax "
                      "--formulation %s --out r.%s",
                      formulations[f], suffix);
            /* integrality markers of MPS, section of LP */
            cli_exits(0,
                      "grep -Eiq \"'MARKER'|^gen|^bin\" m.%s && "
                      "! grep -Eiq \"'MARKER'|^gen|^bin\" r.%s",
                      suffix, suffix);
            run = cli_exits(0, "poetbnb mip r.%s --json", suffix);
            ck_assert_double_lt(cli_test_number(run.out, "objective"), energy + 1e-6);
        }
}

/* ---- answers other than optimal --------------------------------------------- */

TEST(infeasible_says_why)
{
    /* node 4 (ga) and its inputs need 400 bytes, whatever one does */
    cli_test_write("g.json", graph_json);
    cli_test_write("s.json", "precious\n");
    cli_run run = cli_exits(3, "poetbnb solve --graph g.json --ram-budget 399 --json --out s.json");
    ck_assert(cli_test_text(run.out, "status", "infeasible"));
    ck_assert_double_eq(cli_test_number(run.out, "minimum_bytes"), 400);
    ck_assert_str_eq(cli_test_read("s.json"), "precious\n");
    ck_assert_int_eq(cli_test_files(), 2);
    run = cli_exits(3, "poetbnb solve --graph g.json --ram-budget 399");
    cli_test_contains(run.out, "ga", "400 bytes");
    run = cli_exits(3, "poetbnb solve --graph g.json --ram-budget 400 --runtime-budget 0.9");
    cli_test_contains(run.out, "deadline");
}

TEST(limit_with_schedule)
{
    cli_run run = cli_exits(4, "poetbnb solve --model resnet18_cifar --platform m4 "
                               "--ram-budget 14%% --time-limit-s 1 --json --out s.json");
    ck_assert(cli_test_text(run.out, "status", "feasible"));
    ck_assert_double_lt(cli_test_number(run.out, "lower_bound_overhead_joules"),
                        cli_test_number(run.out, "overhead_joules"));
    ck_assert_double_lt(cli_test_number(run.out, "seconds"), 1 + CLI_TEST_SLACK);
    cli_exits(0, "poetbnb check s.json");
}

/* A gap above 1e-9 does not end with `optimal', and what is said of it is true. */
TEST(loose_gap)
{
    static const char *const common =
        "--model vgg16_cifar --platform a72 --ram-budget 50% --gap 0.2";
    const double optimum = 1.7651136332 * 49.736130915e-4;
    cli_run run = cli_exits(0, "poetbnb solve %s --json --out s.json --certificate c.txt", common);
    ck_assert(cli_test_text(run.out, "status", "within gap"));
    double bound = cli_test_number(run.out, "lower_bound_overhead_joules");
    double overhead = cli_test_number(run.out, "overhead_joules");
    ck_assert_double_le(bound, optimum * (1 + 1e-8));
    ck_assert_double_ge(bound, 0.8 * overhead);
    cli_exits(0, "poetbnb check s.json");
    cli_test_contains(cli_test_read("s.json"), "\"status\": \"within gap\"");
    run = cli_exits(0, "poetbnb verify c.txt --json");
    ck_assert(cli_test_text(run.out, "claim", "bound"));
    ck_assert_double_ge(cli_test_number(run.out, "lower_bound_overhead_joules"), bound);
    run = cli_exits(0, "poetbnb solve %s --quiet", common);
    cli_test_contains(run.out, "not proven optimal", "none has less than");
    run = cli_exits(0, "poetbnb sweep %s --csv && poetbnb compare %s --methods poetbnb --csv",
                    common, common);
    cli_test_contains(run.out, "within gap");
    ck_assert_ptr_null(strstr(run.out, "optimal"));
    run = cli_exits(0, "poetbnb export --model linear --platform a72 --ram-budget 50%% --out m.mps "
                       "&& poetbnb mip m.mps --gap 0.5 --quiet");
    cli_test_contains(run.out, "within gap");
}

/* A run that ends within a gap leaves the proof of its bound, be it that of an open tree. */
LOOP_TEST(gaps_are_certified, 4)
{
    static const char *const gaps[] = {"0.3", "0.2", "0.1", "0.03"};
    cli_run run = cli_exits(0,
                            "poetbnb solve --model vgg16_cifar --platform a72 --ram-budget 50%% "
                            "--gap %s --certificate c.txt",
                            gaps[_i]);
    cli_test_contains(run.out, "Ended within the given gap", "in c.txt, verified");
    ck_assert_ptr_null(strstr(run.out, "second run"));
}

TEST(limit_without_schedule)
{
    cli_test_write("s.json", "precious\n");
    cli_run run =
        cli_exits(5, "poetbnb solve --model resnet50 --platform m4 --ram-budget 12%% "
                     "--time-limit-s 0.001 --warm-start none --no-heuristics --json --out s.json");
    ck_assert(cli_test_text(run.out, "status", "unknown"));
    ck_assert_str_eq(cli_test_read("s.json"), "precious\n");
    ck_assert_int_eq(cli_test_files(), 1);
}

TEST(interrupt)
{
    cli_run run = cli_exits(4, "timeout --foreground --preserve-status -s INT 2 \"$POETBNB\" solve "
                               "--model resnet18_cifar --platform m4 --ram-budget 14%% "
                               "--time-limit-s 60 --json --out s.json");
    ck_assert(cli_test_text(run.out, "stopped_by", "interrupt"));
    ck_assert_double_lt(cli_test_number(run.out, "seconds"), 2 + 2 * CLI_TEST_SLACK);
    cli_exits(0, "poetbnb check s.json");
    ck_assert_int_eq(cli_test_files(), 1);
}

/* Killed in the midst of its work: nothing is left behind, nothing is damaged. */
TEST(killed)
{
    cli_test_write("s.json", "precious\n");
    cli_run run = cli_test_run("timeout -s KILL 1 \"$POETBNB\" solve --model resnet18_cifar "
                               "--platform m4 --ram-budget 14%% --out s.json --plot s.svg");
    ck_assert_msg(run.status == 137, "status %d: %s", run.status, run.out);
    ck_assert_str_eq(cli_test_read("s.json"), "precious\n");
    ck_assert_int_eq(cli_test_files(), 1);
}

/* ---- check finds what is wrong ----------------------------------------------------------------
 */

/* Edits of a good schedule file, as sed scripts. */
static const struct {
    const char *edit, *message;
} lies[] = {
    {"s/\"energy_joules\": [0-9.e-]*/\"energy_joules\": 1/", "energy_joules"},
    {"s/\"overhead_joules\": [0-9.e-]*/\"overhead_joules\": 1/", "overhead_joules"},
    {"s/\"peak_bytes\": [0-9]*/\"peak_bytes\": 1/", "peak_bytes"},
    {"s/\"compute_seconds\": [0-9.e-]*/\"compute_seconds\": 9/", "compute_seconds"},
    {"s/\"lower_bound_overhead_joules\": [0-9.e-]*/\"lower_bound_overhead_joules\": 9/",
     "lower_bound_overhead_joules"},
    {"s/\"lower_bound_overhead_joules\": [0-9.e-]*/\"lower_bound_overhead_joules\": 0/", "status"},
    {"s/\"ram_budget_bytes\": [0-9]*/\"ram_budget_bytes\": 3300/", "budget"},
    {"s/\"deadline_seconds\": null/\"deadline_seconds\": 1e-9/", "deadline"},
    {"s/\"R\": *\\[\\[0, *0\\], */\"R\": [/", "node 0"},
    {"s/\"S\": *\\[.*\\]/\"S\": []/", "input"},
};

LOOP_TEST(check_finds_lie, LENGTH(lies))
{
    cli_exits(0, "poetbnb solve --model linear --platform a72 --ram-budget 50%% "
                 "--out s.json --quiet");
    cli_exits(0, "tr '\\n' ' ' < s.json | sed 's/], *\"/],\\n\"/g' > l.json && "
                 "poetbnb check l.json");
    cli_run run = cli_test_run("sed '%s' l.json > t.json && ! cmp -s l.json t.json", lies[_i].edit);
    ck_assert_msg(run.status == 0, "the edit '%s' changes nothing in %s", lies[_i].edit,
                  cli_test_read("l.json"));
    run = cli_exits(1, "poetbnb check t.json");
    ck_assert_int_eq(strncmp(run.err, "poetbnb: t.json: ", 17), 0);
    cli_test_contains(run.err, lies[_i].message);
    run = cli_exits(1, "poetbnb check t.json --json 2>/dev/null");
    cli_test_contains(run.out, "false");
}

/* ---- pictures ----------------------------------------------------------------- */

/* The first bytes of each form of picture. */
static const struct {
    const char *file, *begins;
} pictures[] = {{"s.pdf", "%PDF"}, {"s.png", "\211PNG"}, {"s.svg", "<?xml"}, {"s.gp", ""}};

LOOP_TEST(picture, LENGTH(pictures))
{
    cli_exits(0,
              "poetbnb solve --model linear --platform a72 --ram-budget 50%% "
              "--out s.json --quiet --plot %s",
              pictures[_i].file);
    const char *drawn = cli_test_read(pictures[_i].file);
    ck_assert_ptr_nonnull(drawn);
    ck_assert_int_eq(strncmp(drawn, pictures[_i].begins, strlen(pictures[_i].begins)), 0);
    ck_assert_int_eq(cli_test_files(), 2);
    cli_exits(0, "poetbnb check s.json --plot %s", pictures[_i].file);
}

/* ---- compare -------------------------------------------------------------- */

TEST(ranges_of_budgets)
{
    cli_run list =
        cli_exits(0, "poetbnb compare --model linear --platform a72 --methods dtr "
                     "--ram-budget 90%%,77.5%%,65%%,52.5%%,30000 --csv | cut -d, -f 1-8");
    char *listed = base_strdup(list.out); /* which the next run takes away */
    cli_run range = cli_test_run("poetbnb compare --model linear --platform a72 --methods dtr "
                                 "--ram-budget 90:50:12.5,30000 --csv | cut -d, -f 1-8");
    ck_assert_str_eq(range.out, listed);
    base_free(listed);
    range = cli_test_run("poetbnb sweep --model linear --platform a72 --ram-budget 60%%:90%%:10%% "
                         "--csv | wc -l");
    ck_assert_str_eq(range.out, "5\n");
}

/* Within the smallest budget there is a schedule, within one byte less there is none. */
TEST(the_smallest_budget)
{
    cli_run run =
        cli_exits(0, "poetbnb solve --model linear --platform a72 --ram-budget min --json");
    const long bytes = (long)cli_test_number(run.out, "ram_budget_bytes");
    ck_assert_int_eq((long)cli_test_number(run.out, "least_budget_bytes"), bytes);
    ck_assert_int_eq((long)cli_test_number(run.out, "least_budget_bound_bytes"), bytes);
    cli_exits(0,
              "poetbnb solve --model linear --platform a72 --quiet "
              "--ram-budget %ld",
              bytes);
    cli_exits(3,
              "poetbnb solve --model linear --platform a72 --quiet "
              "--ram-budget %ld",
              bytes - 1);
    run = cli_test_run("poetbnb solve --model linear --platform a72 --ram-budget min --quiet "
                       "--no-paging");
    cli_test_contains(run.out, "proven, no schedule fits into less");
    run = cli_exits(3, "poetbnb solve --model linear --platform a72 --ram-budget min --quiet "
                       "--runtime-budget 0.5");
    ck_assert_ptr_null(strstr(run.out, "Smallest budget"));
}

/* A graph of FLOPs, for two platforms; a graph without backward nodes. */
TEST(graphs_with_flops)
{
    cli_test_write("f.json",
                   "{\"nodes\": ["
                   "{\"name\": \"a\", \"inputs\": [], \"bytes\": 4096, \"flops\": 1000000},"
                   "{\"name\": \"b\", \"inputs\": [\"a\"], \"bytes\": 4096, \"flops\": 2000000,"
                   " \"op\": \"relu\"},"
                   "{\"name\": \"c\", \"inputs\": [\"a\", \"b\"], \"bytes\": 4, \"flops\": 5}]}");
    cli_run run =
        cli_exits(0, "poetbnb solve --graph f.json --platform m4 --ram-budget 100%% --json "
                     "--out s.json && poetbnb check s.json --json");
    cli_test_contains(run.out, "\"platform\": \"m4\"");
    cli_test_contains(cli_test_read("s.json"), "\"op\": \"relu\"");
    cli_run other = cli_exits(0, "poetbnb info --graph f.json --platform a72 --json");
    cli_test_contains(other.out, "\"inputs\": [0, 1]");
    run = cli_exits(2, "poetbnb solve --graph f.json --ram-budget 100%%");
    cli_test_contains(run.err, "f.json: nodes[0].flops: a platform is needed");
    run = cli_exits(0, "poetbnb compare --graph f.json --platform m4 --ram-budget 100%% "
                       "--methods revolve,dtr,chen_greedy");
    const char *told = strstr(run.out, "no node is marked as backward");
    ck_assert_ptr_nonnull(told);
    ck_assert_ptr_nonnull(strstr(told + 1, "no node is marked as backward")); /* two of three */
    ck_assert_ptr_null(strstr(strstr(told + 1, "no node") + 1, "no node is marked"));
}

TEST(compare_table)
{
    cli_run run = cli_exits(0, "poetbnb compare --model linear --platform a72 "
                               "--ram-budget 50%%,90%% --out c.csv");
    static const char *const methods[] = {"checkpoint_all", "chen_sqrtn", "chen_greedy",
                                          "revolve",        "dtr",        "capuchin",
                                          "pofo",           "poetbnb"};
    for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++)
        cli_test_contains(run.out, methods[k]);
    cli_test_contains(cli_test_read("c.csv"), "overhead_joules");
    run = cli_test_run("poetbnb compare --model linear --platform a72 --ram-budget 50%% --csv "
                       "--methods dtr,poetbnb | wc -l");
    ck_assert_str_eq(run.out, "3\n");
    run = cli_exits(0, "poetbnb compare --model linear --platform a72 --ram-budget 50%% --json "
                       "--methods checkpoint_all --no-exact");
    cli_test_contains(run.out, "\"methods\": [", "\"feasible\": false", "\"reason\": \"");
    run = cli_exits(0, "poetbnb compare --model linear --platform a72 --ram-budget 50%% --csv "
                       "--methods anneal --no-exact");
    cli_test_contains(run.out, ",anneal,", ",feasible,");
    run = cli_exits(0, "poetbnb solve --model linear --platform a72 --ram-budget 50%% "
                       "--warm-start=anneal");
    cli_test_contains(run.out, "Start    anneal ");
}

/* ---- info ------------------------------------------------------------------- */

TEST(info_lists_all)
{
    static const char *const names[] = {
        "linear",      "vgg16", "vgg16_cifar", "resnet18", "resnet18_cifar", "resnet50", "bert",
        "transformer", "m0",    "m4",          "a72",      "a72nocache",     "jetsontx2"};
    cli_run run = cli_exits(0, "poetbnb info");
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        cli_test_contains(run.out, names[k], "2465832");
    run = cli_exits(0, "poetbnb info --json");
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        cli_test_contains(run.out, names[k]);
    run = cli_exits(0, "poetbnb info --model vgg16_cifar");
    cli_test_contains(run.out, "| vgg16_cifar | 81    | 159   |", " a72        |");
    run = cli_exits(0, "poetbnb info --model vgg16_cifar --platform m4 --batch-size 2");
    cli_test_contains(run.out, "81 nodes");
}
