/* From a schedule to a plan and back through `check', in every form. */
#include <stdio.h>
#include <string.h>

#include "tests/cli/cli_test.h"

CLI_SUITE("plan", 60);

static const char *const forms[] = {"json", "binary"};

LOOP_TEST(plan_then_check, LENGTH(forms))
{
    cli_run run = cli_exits(0, "poetbnb solve --model linear --platform m4 --ram-budget 50%% "
                               "--out s.json --json");
    double overhead = cli_test_number(run.out, "overhead_joules");
    run = cli_exits(0, "poetbnb plan s.json --format=%s --out p.out", forms[_i]);
    cli_test_contains(run.out, "Arena");
    run = cli_exits(0, "poetbnb check p.out --json");
    ck_assert_double_eq_tol(cli_test_number(run.out, "overhead_joules"), overhead, 1e-9 * overhead);
    ck_assert_double_le(cli_test_number(run.out, "arena_bytes"), 3708);
    cli_exits(0,
              "poetbnb plan s.json --format=%s --no-dma --out p.out --quiet && "
              "poetbnb check p.out",
              forms[_i]);
}

TEST(plan_as_text)
{
    cli_run run = cli_exits(0, "poetbnb solve --model linear --platform a72 --ram-budget 50%% "
                               "--out s.json --quiet && poetbnb plan s.json 2>/dev/null");
    static const char *const words[] = {"compute", "pagein", "pageout", "free", "grad_input1"};
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
        cli_test_contains(run.out, words[k]);
}

/* One wrong byte anywhere, or a missing end, is noticed. */
TEST(damaged_binary)
{
    cli_exits(0, "poetbnb solve --model linear --platform a72 --ram-budget 50%% "
                 "--out s.json --quiet && "
                 "poetbnb plan s.json --format=binary --out p.bin && wc -c < p.bin");
    cli_run run = cli_exits(2, "size=$(wc -c < p.bin); head -c $((size - 1)) p.bin > short.bin; "
                               "poetbnb check short.bin");
    cli_test_contains(run.err, "poetbnb: short.bin: ");
    for (int at = 4; at < 100; at += 7) {
        run = cli_test_run("{ head -c %d p.bin; printf '\\377'; tail -c +%d p.bin; } > bad.bin; "
                           "cmp -s p.bin bad.bin || poetbnb check bad.bin",
                           at, at + 2);
        ck_assert_msg(run.status == 2, "byte %d: status %d: %s%s", at, run.status, run.out,
                      run.err);
    }
}

/* A binary plan needs its graph beside it, with the costs or with what costs it. */
TEST(binary_plan_of_an_own_graph)
{
    cli_test_write("g.json", "{\"nodes\": ["
                             "{\"inputs\": [], \"bytes\": 64, \"flops\": 1000},"
                             "{\"inputs\": [0], \"bytes\": 64, \"flops\": 1000},"
                             "{\"inputs\": [0, 1], \"bytes\": 64, \"flops\": 1000}]}");
    cli_exits(0, "poetbnb solve --graph g.json --platform m4 --ram-budget 192 "
                 "--out s.json --quiet && "
                 "poetbnb plan s.json --format=binary --out p.bin --quiet");
    cli_run run = cli_exits(2, "poetbnb check p.bin");
    cli_test_contains(run.err, "poetbnb: p.bin: ", "--graph");
    cli_exits(2, "poetbnb check p.bin --graph g.json");
    cli_exits(0, "poetbnb check p.bin --graph g.json --platform m4");
    run = cli_exits(2, "sed s/64/65/ g.json > other.json && "
                       "poetbnb check p.bin --graph other.json --platform m4");
    cli_test_contains(run.err, "another graph");
}

TEST(bad_plan_input)
{
    cli_run run = cli_exits(2, "poetbnb plan nosuch.json");
    cli_test_contains(run.err, "nosuch.json");
    run = cli_exits(2, "poetbnb solve --model linear --platform a72 --ram-budget 50%% "
                       "--out s.json --quiet && poetbnb plan s.json --out nosuch/p.json");
    cli_test_contains(run.err, "nosuch/p.json");
    run = cli_exits(1, "sed 's/\"ram_budget_bytes\": [0-9]*/\"ram_budget_bytes\": 3300/' s.json "
                       "> t.json; poetbnb plan t.json --out p.json");
    cli_test_contains(run.err, "poetbnb: t.json: ");
    ck_assert_ptr_null(cli_test_read("p.json"));
}

/* A plan whose buffers share addresses is read, and fails when it is executed. */
TEST(overlapping_buffers)
{
    cli_run run = cli_exits(1, "poetbnb solve --model linear --platform a72 --ram-budget 50%% "
                               "--out s.json --quiet && "
                               "poetbnb plan s.json --quiet --format=json --out p.json && "
                               "sed -E 's/\"arena_bytes\": [0-9]+,//; "
                               "s/\"offset\": [0-9]+/\"offset\": 0/' p.json > q.json && "
                               "poetbnb check q.json");
    cli_test_contains(run.err, "overlaps living buffer");
}

/* Buffers of at most six bytes at once that have no packing into six: proven; seven are enough. */
TEST(budget_without_addresses)
{
    static const char *const nodes[] = {"[], 3", "[], 3",     "[1], 0", "[], 2",
                                        "[], 1", "[0], 0",    "[], 2",  "[4], 0",
                                        "[], 2", "[3, 6], 0", "[], 3",  "[8, 10], 0"};
    char text[1024] = "{\"nodes\": [";
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        const char *comma = strstr(nodes[i], "], ");
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used,
                 "%s{\"inputs\": %.*s], \"bytes\": %s, \"flops\": 1}", i ? ", " : "",
                 (int)(comma - nodes[i]), nodes[i], comma + 3);
    }
    strcat(text, "]}");
    cli_test_write("g.json", text);
    for (int budget = 6; budget <= 7; budget++) {
        cli_run run = cli_exits(budget == 6 ? 3 : 0,
                                "poetbnb solve --graph g.json --platform m4 --ram-budget %d "
                                "--out s.json --quiet && poetbnb plan s.json --quiet --out p",
                                budget);
        if (budget == 6)
            cli_test_contains(run.err, "s.json: proven: no addresses");
    }
    /* without work for the search there is neither addresses nor a proof */
    cli_run run = cli_exits(5, "poetbnb solve --graph g.json --platform m4 --ram-budget 6 "
                               "--out s.json --quiet && poetbnb plan s.json --work-limit 0");
    cli_test_contains(run.err, "work limit", "7 with the best addresses");
}

/* Without --format the name of --out decides; --format goes before it. */
TEST(form_by_name)
{
    static const struct {
        const char *name, *option, *begins;
    } outs[] = {{"p.json", "", "{\"builtin\""},
                {"p.h", "", "/* Plan of linear"},
                {"p.bin", "", "PXP1"},
                {"p.txt", "", " without DMA"},
                {"q.json", "--format=text", " without DMA"},
                {"p", "--json", "{\"builtin\""}};
    cli_run run = cli_exits(0, "poetbnb solve --model linear --platform a72 --ram-budget 50%% "
                               "--out s.json --quiet");
    for (size_t k = 0; k < sizeof outs / sizeof *outs; k++) {
        run = cli_exits(0, "poetbnb plan s.json --quiet --out %s %s", outs[k].name, outs[k].option);
        const char *text = cli_test_read(outs[k].name);
        ck_assert_msg(strncmp(text, outs[k].begins, strlen(outs[k].begins)) == 0, "%s: %.20s",
                      outs[k].name, text);
    }
    run = cli_exits(0, "poetbnb check p.json && poetbnb check p.bin");
    run = cli_exits(2, "poetbnb check p.txt");
    cli_test_contains(run.err, "got the text of a plan (`poetbnb plan --format=json' writes JSON)");
}

TEST(pictures)
{
    cli_exits(0, "poetbnb solve --model linear --platform a72 --ram-budget 50%% "
                 "--out s.json --quiet --plot s.gp && "
                 "poetbnb check s.json --quiet --plot t.gp");
    static const char *const files[] = {"s.gp", "t.gp"};
    for (int k = 0; k < 2; k++) {
        const char *script = cli_test_read(files[k]);
        ck_assert_ptr_nonnull(script);
        cli_test_contains(script, "$memory << EOD", "budget = 3708");
    }
    cli_run run =
        cli_exits(2, "poetbnb solve --model linear --platform a72 --ram-budget 50%% --quiet "
                     "--plot s.jpg");
    cli_test_contains(run.err, ".pdf, .png, .svg or .gp");
}
