/* What others wrote: names and paths that mean something to a shell, a terminal or a spreadsheet;
 * files that are inputs and outputs at once; packed files and pipes; processes that are killed. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "tests/cli/cli_test.h"

CLI_SUITE("outside", 120);

#define COSTS                                                                                      \
    ", \"seconds\": 1, \"joules\": 1, \"pagein_joules\": 1, \"pageout_joules\": 1, "               \
    "\"pagein_seconds\": 1, \"pageout_seconds\": 1"

/* A chain of five nodes. The first names are those of the graph and of node 0. */
static void write_graph(const char *path, const char *graph, const char *node)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "{\"name\": \"%s\", \"nodes\": [\n", graph);
    for (int i = 0; i < 5; i++) {
        fprintf(file, "{\"name\": \"%s\", \"bytes\": 10, \"inputs\": [", i ? "n" : node);
        if (i > 0)
            fprintf(file, "%d", i - 1);
        fprintf(file, "]" COSTS "}%s\n", i < 4 ? "," : "]}");
    }
    ck_assert_int_eq(fclose(file), 0);
}

static void write_plain_graph(const char *path)
{
    write_graph(path, "g", "a");
}

/* ---- shell, gnuplot --------------------------------------------------------------------- */

/* Each would leave a file called pwned behind if a shell or gnuplot executed it. */
static const char *const commands[] = {
    "`touch pwned`",
    "$(touch pwned)",
    "'.system('touch pwned').'",
    "\\\"; system('touch pwned'); x = \\\"",
    "'; system('touch pwned'); x = '",
    "%s%n%9999d 100 %",
    "{/=90 x}_{y}^2 @",
};
enum { COMMANDS = sizeof commands / sizeof *commands };

LOOP_TEST(names_are_not_executed, COMMANDS)
{
    static const char *const suffixes[] = {"pdf", "png", "svg", "gp"};
    write_graph("g.json", commands[_i], commands[_i]);
    for (size_t k = 0; k < sizeof suffixes / sizeof *suffixes; k++) {
        cli_run run = cli_exits(0,
                                "poetbnb solve --graph g.json --ram-budget 100%% --quiet "
                                "--plot 'p`touch pwned`\"'\\''$(touch pwned).%s'",
                                suffixes[k]);
        ck_assert_str_eq(run.err, "");
    }
    ck_assert_int_eq(cli_test_files(), 5);
    /* the script that is written is safe for who lets gnuplot run it */
    cli_run run =
        cli_exits(0, "{ echo set terminal dumb; cat p*.gp; } | LC_ALL=C.UTF-8 gnuplot -d > drawn");
    ck_assert_str_eq(run.err, "");
    ck_assert_int_eq(cli_test_files(), 6);
}

LOOP_TEST(methods_are_not_executed, COMMANDS)
{
    write_plain_graph("g.json");
    cli_exits(0, "poetbnb solve --graph g.json --ram-budget 100%% --quiet "
                 "--out s.json");
    cli_test_write("method", commands[_i]);
    cli_run run =
        cli_exits(0, "m=$(sed 's/[\\\\&|]/\\\\&/g' method); "
                     "sed \"s|\\\"method\\\": \\\"poetbnb\\\"|\\\"method\\\": \\\"$m\\\"|\" "
                     "s.json > t.json; rm method; ! cmp -s s.json t.json && "
                     "poetbnb check --quiet t.json --plot p.svg");
    ck_assert_str_eq(run.err, "");
    ck_assert_int_eq(cli_test_files(), 4);
}

/* gnuplot fails, or something is in the picture's place when it is done. */
LOOP_TEST(picture_that_fails, 2)
{
    write_plain_graph("g.json");
    cli_test_write("gnuplot",
                   _i ? "#!/bin/sh\nmkdir p.svg\nexec $GNUPLOT \"$@\"\n" : "#!/bin/sh\nexit 3\n");
    ck_assert_int_eq(chmod("gnuplot", 0755), 0);
    cli_run run = cli_exits(2, "export GNUPLOT=$(command -v gnuplot); PATH=$PWD:$PATH; "
                               "poetbnb solve --graph g.json --ram-budget 100%% --quiet "
                               "--plot p.svg");
    ck_assert_msg(strncmp(run.err, "poetbnb: p.svg: ", 16) == 0, "%s", run.err);
    ck_assert_int_eq(cli_test_files(), 2 + _i);
}

/* ---- terminal, spreadsheets ---------------------------------------------------------------- */

/* A title is set, and the screen cleared, by who prints these; CSI also as one character. */
#define ESCAPE "\033]0;x\007\033[2J\302\233"

TEST(nothing_reaches_the_terminal_raw)
{
    static const char *const runs[] = {
        "check '" ESCAPE ".json'",
        "lp '" ESCAPE ".mps'",
        "verify '" ESCAPE "'",
        "info --graph '" ESCAPE "'",
        "info '" ESCAPE "'",
        "'" ESCAPE "'",
        "info '--" ESCAPE "'",
        "info '-" ESCAPE "'",
        "info --platform '" ESCAPE "'",
        "info --model '" ESCAPE "'",
        "solve --graph g.json --ram-budget '" ESCAPE "'",
        "solve --graph g.json --ram-budget 100%% --out 'no/" ESCAPE "'",
        "solve --graph g.json --ram-budget 100%% --warm-start 's" ESCAPE ".json' --json",
        "solve --graph g.json --ram-budget 100%% --warm-start 's" ESCAPE ".json'",
        "solve --graph g.json --ram-budget 100%% --out 'o" ESCAPE "' --certificate 'c" ESCAPE "'",
        "check 's" ESCAPE ".json'",
        "plan 's" ESCAPE ".json' --format=json",
        "lp 'm" ESCAPE ".mps'",
        "mip 'm" ESCAPE ".mps'",
        "export --graph g.json --ram-budget 100%% --out 'e" ESCAPE ".mps'",
    };
    write_plain_graph("g.json");
    cli_exits(0, "poetbnb solve --graph g.json --ram-budget 100%% --quiet --out "
                 "'s" ESCAPE ".json' && poetbnb export --graph g.json "
                 "--ram-budget 100%% --out 'm" ESCAPE ".mps'");
    char command[512];
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        snprintf(command, sizeof command, "poetbnb %s", runs[k]);
        cli_run run = cli_test_run("%s", command);
        for (int stream = 0; stream < 2; stream++) {
            char *text = base_strdup(stream ? run.err : run.out);
            for (char *at = text; *at; at++)
                if (*at == '\n')
                    *at = ' ';
            ck_assert_msg(base_text_plain(text), "%s", runs[k]);
            base_free(text);
        }
    }
}

TEST(names_with_controls_are_refused)
{
    static const char *const names[] = {"a\\u001b[2J", "a\\nb", "\302\233", "x\\u202e"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        write_graph("g.json", "g", names[k]);
        cli_run run = cli_exits(2, "poetbnb info --graph g.json");
        cli_test_contains(run.err, "g.json: nodes[0].name: ");
    }
}

TEST(spreadsheets_get_no_formulas)
{
    write_graph("g.json", "=1+\\\"2\\\",3", "a");
    cli_run run = cli_exits(0, "poetbnb compare --graph g.json --ram-budget 100%% --csv "
                               "--methods checkpoint_all");
    cli_test_contains(run.out, "\n\"'=1+\"\"2\"\",3\",,fnv:");
}

/* ---- one file for two purposes -------------------------------------------------------------- */

static const struct {
    const char *arguments, *message;
} clashes[] = {
    {"solve --graph g.json --ram-budget 100% --out g.json", "--out: g.json is also --graph"},
    {"solve --graph g.json --ram-budget 100% --out ./deep/../g.json", "--graph"},
    {"solve --graph g.json --ram-budget 100% --out soft", "--graph"},
    {"solve --graph soft --ram-budget 100% --out g.json", "--graph"},
    {"solve --graph g.json --ram-budget 100% --out hard", "--graph"},
    {"solve --graph g.json --ram-budget 100% --certificate g.json", "--graph"},
    {"solve --graph g.json --ram-budget 100% --plot picture.svg", "--graph"},
    {"solve --graph g.json --ram-budget 100% --out x --certificate x", "--out"},
    {"solve --graph g.json --ram-budget 100% --out x --certificate deep/../x", "--out"},
    {"solve --graph g.json --ram-budget 100% --out deep/new --certificate dangling", "--out"},
    {"solve --graph g.json --ram-budget 100% --out x.svg --plot x.svg", "--out"},
    {"solve --graph g.json --ram-budget 100% --warm-start ./g.json --out g.json", "--out"},
    {"solve --model linear --platform ./p.json --ram-budget 100% --out p.json", "--platform"},
    {"sweep --graph g.json --ram-budget 100% --out g.json", "--graph"},
    {"compare --graph g.json --ram-budget 100% --out g.json", "--graph"},
    {"export --graph g.json --ram-budget 100% --out g.json", "--graph"},
    {"plan g.json --out g.json", "the input file"},
    {"check g.json --plot picture.svg", "the input file"},
    {"lp g.json --solution g.json", "the input file"},
    {"mip g.json --solution hard", "the input file"},
    {"solve --graph g.json --ram-budget 100% --out x > x", "standard output"},
    {"solve --graph g.json --ram-budget 100% --certificate x >> x", "standard output"},
};

LOOP_TEST(one_file_for_two_purposes, LENGTH(clashes))
{
    write_plain_graph("g.json");
    cli_test_write("p.json", "{\"name\": \"p\"}\n");
    cli_exits(0, "mkdir deep; ln -s ../g.json deep/soft; ln -s deep/soft soft; "
                 "ln g.json hard; ln -s deep/new dangling; ln g.json picture.svg; "
                 "cp g.json copy; cp p.json p_copy");
    char command[512];
    snprintf(command, sizeof command, "printf '' | poetbnb %s", clashes[_i].arguments);
    cli_run run = cli_exits(2, "%s", command);
    cli_test_contains(run.err, clashes[_i].message);
    cli_exits(0, "cmp g.json copy && cmp p.json p_copy && cmp hard g.json && "
                 "test -L soft && test ! -e deep/new && test ! -s x");
}

/* Devices may be named twice, and what is no clash is none. */
TEST(files_that_may_be_used_together)
{
    write_plain_graph("g.json");
    cli_exits(0, "poetbnb solve --graph g.json --ram-budget 100%% --quiet "
                 "--out /dev/null --certificate /dev/null");
    cli_exits(0, "poetbnb solve --graph - --ram-budget 100%% --quiet --out - < g.json | "
                 "poetbnb check -");
    cli_exits(0, "poetbnb export --graph g.json --ram-budget 100%% --out /dev/fd/1 | "
                 "poetbnb lp -");
}

TEST(dangling_link_as_output)
{
    write_plain_graph("g.json");
    cli_exits(0, "mkdir deep; ln -s deep/s.json link; poetbnb solve --graph g.json "
                 "--ram-budget 100%% --quiet --out link && test -L link && "
                 "poetbnb check deep/s.json && test $(ls deep | wc -l) = 1");
}

/* ---- killed, closed ----------------------------------------------------------------------------
 */

/* The system kills who writes more than it may, in the middle of the file. */
TEST(killed_in_writing)
{
    cli_run run = cli_test_run("ulimit -c 0; ulimit -f 8; exec \"$POETBNB\" export --model linear "
                               "--platform a72 --ram-budget 50%% --out m.mps");
    ck_assert_int_eq(run.status, 128 + SIGXFSZ);
    ck_assert_int_eq(cli_test_files(), 0);
}

/* A file must not get the number of a closed stream, and with it what is printed. */
TEST(closed_streams)
{
    write_plain_graph("g.json");
    cli_run run = cli_exits(2, "poetbnb solve --graph g.json --ram-budget 100%% --certificate c "
                               "--out s >&-");
    cli_test_contains(run.err, "standard output");
    cli_exits(0, "poetbnb verify c && poetbnb check s");
    cli_exits(0, "poetbnb solve --graph g.json --ram-budget 100%% --certificate c --out s "
                 "<&- 2>&-");
    cli_exits(0, "poetbnb verify c && poetbnb check s");
    cli_exits(2, "poetbnb solve --graph g.json --ram-budget 100%% --quiet --out - >&-");
    run = cli_exits(2, "poetbnb check - <&-");
    cli_test_contains(run.err, "standard input");
}

/* ---- packed files, pipes
 * -------------------------------------------------------------------------- */

TEST(packed_files)
{
    write_plain_graph("g.json");
    static const char *const runs[] = {
        "gzip g.json && poetbnb info --graph g.json.gz",
        "poetbnb solve --graph g.json.gz --ram-budget 100% --out s.json.gz --certificate c.gz",
        "gzip -t s.json.gz c.gz && poetbnb check s.json.gz && poetbnb verify c.gz",
        "gzip -dc c.gz > c && poetbnb verify c && poetbnb verify - < c.gz",
        "poetbnb plan s.json.gz --format=binary --out p.bin.gz",
        "poetbnb check p.bin.gz --graph g.json.gz",
        "poetbnb export --graph g.json.gz --ram-budget 100% --out m.mps.gz",
        "poetbnb export --graph g.json.gz --ram-budget 100% --out m.lp.gz",
        "poetbnb lp m.mps.gz --solution x.gz | grep Objective > a && gzip -t x.gz",
        "poetbnb lp m.lp.gz | grep Objective > b && cmp a b",
        "gzip -dc m.lp.gz | grep -qi '^minimize' && poetbnb mip - < m.lp.gz",
        "poetbnb info --platform m4 --json | sed 's/\"m4\"/\"mine\"/' | gzip > p.json.gz",
        "poetbnb info --model linear --platform p.json.gz",
        "poetbnb solve --graph g.json.gz --ram-budget 100% --warm-start s.json.gz",
    };
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        cli_exits(0, "%s", runs[k]);
    }
    cli_run run = cli_exits(2, "head -c 100 c.gz > cut.gz; poetbnb verify cut.gz");
    cli_test_contains(run.err, "cut.gz: the gzip data is cut off");
}

/* The byte order mark that some editors put before UTF-8 is no part of any file. */
TEST(byte_order_marks)
{
    write_plain_graph("g.json");
    static const char *const makes =
        "poetbnb solve --graph g.json --ram-budget 100% --quiet --out s.json --certificate c && "
        "poetbnb plan s.json --quiet --format=json --out p.json && "
        "poetbnb export --graph g.json --ram-budget 100% --out m.mps && "
        "poetbnb export --graph g.json --ram-budget 100% --out m.lp && "
        "poetbnb mip m.mps --quiet --solution x.sol && "
        "poetbnb info --platform m4 --json | sed 's/\"m4\"/\"mine\"/' > d.json && "
        "echo bnb.dive = off > t.params && "
        "for f in g.json s.json c p.json m.mps m.lp x.sol d.json t.params; do "
        "{ printf '\\357\\273\\277'; cat $f; } > marked.$f; done";
    static const char *const reads[] = {
        "info --graph marked.g.json",
        "info --graph - < marked.g.json",
        "check marked.s.json",
        "solve --graph g.json --ram-budget 100% --warm-start marked.s.json",
        "solve --graph g.json --ram-budget 100% --check-rows marked.s.json",
        "verify marked.c",
        "check marked.p.json",
        "lp marked.m.mps",
        "mip marked.m.lp",
        "mip - < marked.m.lp",
        "import marked.x.sol --graph g.json --ram-budget 100%",
        "info --model linear --platform ./marked.d.json",
        "solve --graph g.json --ram-budget 100% --params marked.t.params",
    };
    cli_exits(0, "%s", makes);
    for (size_t k = 0; k < sizeof reads / sizeof *reads; k++)
        cli_exits(0, "poetbnb %s", reads[k]);
}

/* What can be read only once, in each form. */
LOOP_TEST(check_reads_pipes, 3)
{
    static const char *const forms[] = {"solve --model linear --platform a72 --ram-budget 60% "
                                        "--quiet --out -",
                                        "plan s.json --quiet --format=json",
                                        "plan s.json --quiet --format=binary"};
    cli_exits(0, "poetbnb solve --model linear --platform a72 --ram-budget 60%% "
                 "--quiet --out s.json");
    char command[512];
    snprintf(command, sizeof command, "poetbnb %s | poetbnb check -", forms[_i]);
    cli_run run = cli_exits(0, "%s", command);
    cli_test_contains(run.out, "standard input: ");
    snprintf(command, sizeof command, "mkfifo p; poetbnb %s > p & poetbnb check p", forms[_i]);
    run = cli_exits(0, "%s", command);
    cli_test_contains(run.out, "p: e");
}

/* As HiGHS writes models; and what no model can mean. */
TEST(models_of_others)
{
    cli_test_write("h.lp", "\\ File written by HiGHS .lp file handler\nmin\n obj: +1 x\nst\n"
                           " empty: = 0\n free: >= -inf\n c: +1 x >= 2\nbounds\n x <= +inf\n"
                           "bin\ngen\n x\nsemi\nend\n");
    cli_test_write("i.lp", "min\n obj: x\nst\n c: -5 <= infinity <= 1e30\n d: x >= 1\nend\n");
    static const char *const engines[] = {"lp", "mip"};
    for (int k = 0; k < 2; k++) {
        cli_run run = cli_exits(0, "poetbnb %s h.lp --json", engines[k]);
        ck_assert_double_eq(cli_test_number(run.out, "objective"), 2);
        run = cli_exits(2, "poetbnb %s i.lp", engines[k]);
        cli_test_contains(run.err, "i.lp:4:");
    }
}
