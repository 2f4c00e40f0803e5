/* Every kind of bad input: status 2, "poetbnb: PLACE: what was expected" on stderr, nothing
 * on stdout, no file left behind and none damaged. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "tests/cli/cli_test.h"

CLI_SUITE("bad input", 60);

/* The folder holds precious.json; a bad run may leave nothing else. */
static void expect_refusal(cli_run run, const char *message)
{
    ck_assert_msg(run.status == 2, "'%s': %d: %s%s", message, run.status, run.out, run.err);
    ck_assert_str_eq(run.out, "");
    ck_assert_msg(strncmp(run.err, "poetbnb", 7) == 0, "%s", run.err);
    cli_test_contains(run.err, message);
}

/* ---- options ---------------------------------------------------------------- */

static const struct {
    const char *arguments, *message;
} options[] = {
    {"solve --platform a72 --ram-budget 50%", "--model"},
    {"solve --model linear --ram-budget 50%", "--platform"},
    {"solve --model linear --platform a72",
     "--ram-budget: missing; expected: bytes (3000000, 1.2M) or a percentage (50%)"},
    {"solve --model linear --ram-budget 50%",
     "--model needs --platform (`poetbnb info' lists both)"},
    {"solve --platform a72 --ram-budget 50%", "--platform needs --model or --graph"},
    {"solve --ram-budget 50%", "expected --model and --platform, or --graph"},
    {"solve --model linear --platform a72 --ram-budget 1,5M",
     "--ram-budget: expected one value, got the list '1,5M'"},
    {"solve --model linear --platform a72 --ram-budget 50% --runtime-budget 1,5",
     "--runtime-budget: expected one value, got the list '1,5'"},
    {"compare --model linear --platform a72 --ram-budget min",
     "got 'min', which is for solve and sweep"},
    {"help solve", "`poetbnb COMMAND --help' the options of one"},
    {"solve --model linear --platform a72 --ram-budget 50% --out s.svg", "--out: s.svg: expected"},
    {"solve --model nosuch --platform a72 --ram-budget 50%", "nosuch"},
    {"solve --model linear --platform nosuch --ram-budget 50%", "nosuch"},
    {"solve --model '' --platform a72 --ram-budget 50%", "--model"},
    {"solve --graph g.json --model linear --ram-budget 50%", "--model"},
    {"solve --graph g.json --batch-size 2 --ram-budget 50%", "--batch-size"},
    {"solve --model linear --platform a72 --ram-budget nan", "nan"},
    {"solve --model linear --platform a72 --ram-budget inf", "inf"},
    {"solve --model linear --platform a72 --ram-budget 1e400", "--ram-budget"},
    {"solve --model linear --platform a72 --ram-budget 12abc", "12abc"},
    {"solve --model linear --platform a72 --ram-budget -5", "-5"},
    {"solve --model linear --platform a72 --ram-budget 0", "zero"},
    {"solve --model linear --platform a72 --ram-budget 0.5",
     "--ram-budget: expected a number of bytes (3000000, 1.2M) or a percentage (50%), got '0.5': "
     "less "
     "than a byte; was 50% meant?"},
    {"solve --graph g.json --mem-power-scale 2 --ram-budget 50%",
     "--mem-power-scale: with --graph a --platform is expected"},
    {"solve --graph g.json --platform none --ram-budget 50%", "none"},
    {"solve --model linear --platform a72 --ram-budget 0%", "zero"},
    {"solve --model linear --platform a72 --ram-budget 1.2m",
     "--ram-budget: expected a unit of 1024 (K, M, G, T or KiB, MiB, GiB, TiB) or of 1000 (kB, MB, "
     "GB, TB), got '1.2m'"},
    {"sweep --model linear --platform a72 --ram-budget 50%,64KB", "got '64KB'"},
    {"solve --model linear --platform a72 --ram-budget 50% --memory-limit 4g", "got '4g'"},
    {"solve --model linear --platform a72 --ram-budget 9223372036854775808", "--ram-budget"},
    {"solve --model linear --platform a72 --ram-budget 99999999T", "2^63"},
    {"solve --model linear --platform a72 --ram-budget 4503599627370497", "2^52"},
    {"solve --model linear --platform a72 --ram-budget 50%,60%", "list"},
    {"solve --model linear --platform a72 --ram-budget 50%,", "--ram-budget"},
    {"sweep --model linear --platform a72 --ram-budget 50%,,60%", "--ram-budget"},
    {"sweep --model linear,,bert --platform a72 --ram-budget 60%", "--model"},
    {"sweep --model linear --platform a72,,m4 --ram-budget 60%", "--platform"},
    {"sweep --model linear,nn --platform a72 --ram-budget 60%", "nn"},
    {"sweep --model linear --platform a72 --ram-budget 60% --plot f.bmp", "--plot: f.bmp"},
    {"compare --model linear --platform a72 --ram-budget 60% --plot f.bmp", "--plot: f.bmp"},
    {"compare --model linear --platform a72 --ram-budget 90:20", "(90:20:10), got '90:20'"},
    {"compare --model linear --platform a72 --ram-budget 90:min:1", "(90:20:10), got '90:min:1'"},
    {"compare --model linear --platform a72 --ram-budget min,50%", "got 'min'"},
    {"sweep --model linear --platform a72 --ram-budget 90:20:0", "90:min:10), got '90:20:0'"},
    {"sweep --model linear --platform a72 --ram-budget min:min:1", "90:min:10), got 'min:min:1'"},
    {"sweep --model linear --platform a72 --ram-budget 90:10:min", "90:min:10), got '90:10:min'"},
    {"sweep --model linear --platform a72 --ram-budget 90:min:1e-9", "at most 10000 budgets"},
    {"sweep --graph a.json,,b.json --ram-budget 50%", "a.json"},
    {"sweep --model linear --platform a72 --ram-budget 50% --jobs 0", "--jobs"},
    {"sweep --model linear --platform a72 --ram-budget 90:20:5:1", "got '90:20:5:1'"},
    {"sweep --model linear --platform a72 --ram-budget 90:20:1e-9", "at most 10000 budgets"},
    {"solve --model linear --platform a72 --ram-budget 90:20:10", "90:20:10"},
    {"sweep --model linear --platform a72 --ram-budget 50% --json --csv", "--csv"},
    {"compare --model linear --platform a72 --ram-budget 50% --methods dtr,nosuch", "nosuch"},
    {"compare --model linear --platform a72 --ram-budget 50% --methods dtr,", "--methods"},
    {"solve --model linear --platform a72 --ram-budget 50% --runtime-budget nan", "nan"},
    {"solve --model linear --platform a72 --ram-budget 50% --runtime-budget 0", "--runtime-budget"},
    {"solve --model linear --platform a72 --ram-budget 50% --runtime-budget -1",
     "--runtime-budget"},
    {"solve --model linear --platform a72 --ram-budget 50% --runtime-budget 1e400", "1e400"},
    {"solve --model linear --platform a72 --ram-budget 50% --runtime-budget 1e300",
     "--runtime-budget: expected a number from 1e-09 to 1e+09"},
    {"solve --model linear --platform a72 --ram-budget 50% --batch-size 0", "--batch-size"},
    {"solve --model bert --platform a72 --ram-budget 50% --batch-size 1048576", "524288"},
    {"solve --model linear --platform a72 --ram-budget 50% --mem-power-scale 1e-300",
     "--mem-power-scale: expected a number from 1e-09 to 1e+09"},
    {"solve --model bert --platform m0 --ram-budget 50% --batch-size 524288 --mem-power-scale 1e9",
     "--model bert on m0: node 4 (linear1): joules is 0.468053, and pageout_joules of node 2"},
    {"solve --model linear --platform a72 --ram-budget 50% --batch-size 1.5", "--batch-size"},
    {"solve --model linear --platform a72 --ram-budget 50% --mem-power-scale 0",
     "--mem-power-scale"},
    {"solve --model linear --platform a72 --ram-budget 50% --mem-power-scale -1",
     "--mem-power-scale"},
    {"solve --model linear --platform a72 --ram-budget 50% --backward both", "both"},
    {"solve --model linear --platform a72 --ram-budget 50% --charge-pagein never", "never"},
    {"solve --model linear --platform a72 --ram-budget 50% --time-limit-s 0", "--time-limit-s"},
    {"solve --model linear --platform a72 --ram-budget 50% --time-limit-s nan", "nan"},
    {"solve --model linear --platform a72 --ram-budget 50% --time-limit-s 1e400", "1e400"},
    {"solve --model linear --platform a72 --ram-budget 50% --time-limit-s 12abc", "12abc"},
    {"solve --model linear --platform a72 --ram-budget 50% --node-limit -1", "--node-limit"},
    {"solve --model linear --platform a72 --ram-budget 50% --node-limit 9223372036854775808",
     "9223372036854775808"},
    {"solve --model linear --platform a72 --ram-budget 50% --solve-threads 0", "--solve-threads"},
    {"solve --model linear --platform a72 --ram-budget 50% --threads 1000000", "--threads: "},
    {"solve --model linear --platform a72 --ram-budget 50% --memory-limit 5%", "5%"},
    {"solve --model linear --platform a72 --ram-budget 50% --memory-limit 0", "--memory-limit"},
    {"solve --model linear --platform a72 --ram-budget 50% --gap 2", "--gap"},
    {"solve --model linear --platform a72 --ram-budget 50% --gap -1", "--gap"},
    {"solve --model linear --platform a72 --ram-budget 50% --seed -1", "--seed"},
    {"solve --model linear --platform a72 --ram-budget 50% --without nosuch", "origin"},
    {"solve --model linear --platform a72 --ram-budget 50% --without origin,", "--without"},
    {"solve --model linear --platform a72 --ram-budget 50% --with all", "--with"},
    {"solve --model linear --platform a72 --ram-budget 50% --warm-start nosuch", "dtr"},
    {"solve --model linear --platform a72 --ram-budget 50% --warm-start nosuch.json",
     "nosuch.json"},
    {"solve --model linear --platform a72 --ram-budget 50% --warm-start precious.json",
     "precious.json"},
    {"solve --model linear --platform a72 --ram-budget 50% --json --out -", "--out"},
    {"solve --model linear --platform a72 --ram-budget 50% --out nosuch/s.json", "nosuch/s.json"},
    {"solve --model linear --platform a72 --ram-budget 50% --out .", "."},
    {"solve --model linear --platform a72 --ram-budget 50% --plot nosuch/s.svg", "nosuch/s.svg"},
    {"solve --model linear --platform a72 --ram-budget 50% --plot s.jpg", "s.jpg"},
    {"export --model linear --platform a72 --ram-budget 50%", "--out"},
    {"export --model linear --platform a72 --ram-budget 50% --out nosuch/m.mps", "nosuch/m.mps"},
    {"export --model linear --platform a72 --ram-budget 50% --out m.txt",
     "--out: m.txt: expected a name that ends in .mps or .lp"},
    {"export --model linear --platform a72 --ram-budget 50% --out m.mps.txt.gz",
     "--out: m.mps.txt.gz: "},
    {"export --model linear --platform a72 --ram-budget 50% --out lp", "--out: lp: "},
    {"export --model linear --platform a72 --ram-budget 50% --formulation loose --out m.mps",
     "loose"},
    {"info --model nosuch", "nosuch"},
    {"info --platform nosuch", "nosuch"},
    {"check nosuch.json", "nosuch.json"},
    {"check .", "."},
    {"check precious.json", "precious.json"},
    {"lp nosuch.mps", "nosuch.mps"},
    {"mip nosuch.mps", "nosuch.mps"},
    {"lp precious.json", "precious.json"},
    {"mip precious.json --solution precious.json", "precious.json"},
};

LOOP_TEST(bad_option, LENGTH(options))
{
    cli_test_write("precious.json", "precious\n");
    expect_refusal(cli_test_run("poetbnb %s", options[_i].arguments), options[_i].message);
    ck_assert_str_eq(cli_test_read("precious.json"), "precious\n");
    ck_assert_int_eq(cli_test_files(), 1);
}

/* A long solve must not begin when its result cannot be written. */
TEST(output_is_tried_first)
{
    double started = base_seconds();
    expect_refusal(cli_test_run("poetbnb solve --model resnet50 --platform m4 --ram-budget 12%% "
                                "--time-limit-s 60 --out nosuch/s.json"),
                   "nosuch/s.json");
    ck_assert_double_lt(base_seconds() - started, 5);
}

/* A pipe is neither opened nor closed by trying it. */
TEST(pipe_as_output)
{
    cli_exits(0, "mkfifo pipe; cat pipe > s.json & poetbnb solve --model linear "
                 "--platform a72 --ram-budget 50%% --quiet --out pipe && wait && "
                 "poetbnb check s.json");
}

TEST(read_only_output)
{
    if (geteuid() == 0)
        return; /* root may write anything */
    cli_test_write("precious.json", "precious\n");
    ck_assert_int_eq(chmod("precious.json", 0444), 0);
    expect_refusal(cli_test_run("poetbnb solve --model linear --platform a72 --ram-budget 50%% "
                                "--out precious.json"),
                   "precious.json");
    ck_assert_str_eq(cli_test_read("precious.json"), "precious\n");
}

TEST(full_standard_output)
{
    struct stat status;
    ck_assert(stat("/dev/full", &status) == 0 && S_ISCHR(status.st_mode));
    cli_run run = cli_exits(2, "poetbnb info > /dev/full");
    cli_test_contains(run.err, "standard output");
    cli_exits(2, "poetbnb solve --model linear --platform a72 --ram-budget 50%% --quiet "
                 "--out - > /dev/full");
}

#define FULL_PROBLEM "--model linear --platform a72 --ram-budget 50%%"

/* Every file that is written: it lies where there is no room. */
static const char *const full_outputs[] = {
    "solve " FULL_PROBLEM " --certificate full.txt",
    "solve " FULL_PROBLEM " --certificate full.gz",
    "solve " FULL_PROBLEM " --out full.json",
    "solve " FULL_PROBLEM " --log full.log",
    "solve " FULL_PROBLEM " --plot full.svg",
    "solve " FULL_PROBLEM " --plot full.pdf",
    "solve " FULL_PROBLEM " --plot full.gp",
    "check good.json --plot full.png",
    "sweep " FULL_PROBLEM " --out full.csv",
    "sweep " FULL_PROBLEM " --plot full.svg",
    "compare " FULL_PROBLEM " --methods dtr --plot full.svg",
    "compare " FULL_PROBLEM " --methods dtr --out full.csv",
    "plan good.json --format=binary --out full.bin",
    "plan good.json --format=json --out full.json",
    "export " FULL_PROBLEM " --out full.mps",
    "export " FULL_PROBLEM " --out full.lp.gz",
    "import good.sol " FULL_PROBLEM " --out full.json",
    "lp good.mps --solution full.sol",
    "mip good.mps --solution full.sol",
    /* and what is printed */
    "--help > full.txt",
    "--version > full.txt",
    "solve --help > full.txt",
    "info --json --parameters > full.txt",
    "export " FULL_PROBLEM " --out - > full.txt",
    "compare " FULL_PROBLEM " --methods dtr --csv > full.txt",
};

TEST(full_disk_is_said)
{
    static const char suffixes[] = "txt gz json log svg pdf gp png csv bin mps lp.gz sol";
    cli_exits(0,
              "for s in %s; do ln -s /dev/full full.$s; done && poetbnb export " FULL_PROBLEM
              " --out good.mps && poetbnb mip good.mps --quiet --solution good.sol && poetbnb "
              "import good.sol " FULL_PROBLEM " --out good.json",
              suffixes);
    for (size_t k = 0; k < sizeof full_outputs / sizeof *full_outputs; k++) {
        char command[256];
        snprintf(command, sizeof command, full_outputs[k], "");
        cli_run run = cli_test_run("poetbnb %s", command);
        ck_assert_msg(run.status == 2 && strstr(run.err, "No space left on device"), "%s: %d %s",
                      command, run.status, run.err);
    }
}

/* As the last test for files that are made under another name at first. */
TEST(full_temporary_files_are_said)
{
    static const char *const asked[] = {"--certificate c", "--plot p.svg"};
    for (int k = 0; k < 2; k++) {
        cli_run run = cli_exits(2,
                                "trap '' XFSZ; ulimit -f 1; \"$POETBNB\" solve " FULL_PROBLEM
                                " --quiet %s > /dev/null",
                                asked[k]);
        cli_test_contains(run.err, ": File too large\n");
    }
    ck_assert_int_eq(cli_test_files(), 0);
}

/* A reader that goes away is no reason for a message. */
TEST(closed_pipe)
{
    cli_run run = cli_test_run("{ poetbnb solve --model linear --platform a72 --ram-budget 50%%; "
                               "echo status $? >&2; } | true");
    cli_test_contains(run.err, "status 0");
    ck_assert_ptr_null(strstr(run.err, "poetbnb:"));
}

/* ---- graph files ------------------------------------------------------------ */

#define NODE(name, inputs, bytes, joules)                                                          \
    "{\"name\": \"" name "\", \"inputs\": " inputs ", \"bytes\": " bytes                           \
    ", \"seconds\": 1, \"joules\": " joules ", \"pagein_joules\": 1, \"pageout_joules\": 1, "      \
    "\"pagein_seconds\": 1, \"pageout_seconds\": 1, \"backward\": false}"
#define GRAPH(nodes) "{\"name\": \"g\", \"nodes\": [" nodes "]}"
#define FIRST NODE("a", "[]", "10", "1")

static const struct {
    const char *text, *message;
} graphs[] = {
    {"", "g.json"},
    {"{", "g.json"},
    {"[]", "g.json"},
    {"{\"name\": \"g\"}", "nodes"},
    {GRAPH(""), "nodes"},
    {GRAPH(FIRST "," NODE("b", "[1]", "10", "1")), "cycle"}, /* reads itself */
    {GRAPH(NODE("a", "[1]", "10", "1") "," NODE("b", "[0]", "10", "1")), "cycle"},
    {GRAPH(FIRST "," NODE("b", "[7]", "10", "1")), "nodes[1]"},
    {GRAPH(FIRST "," NODE("b", "[-1]", "10", "1")), "nodes[1]"},
    {GRAPH(FIRST "," NODE("b", "[0, 0]", "10", "1")), "nodes: node 1 (b)"},
    {GRAPH(FIRST "," NODE("b", "[0.5]", "10", "1")), "nodes[1]"},
    {GRAPH(FIRST "," NODE("b", "0", "10", "1")), "nodes[1]"},
    {GRAPH(FIRST "," NODE("b", "[0]", "-1", "1")), "bytes"},
    {GRAPH(FIRST "," NODE("b", "[0]", "1.5", "1")), "bytes"},
    {GRAPH(FIRST "," NODE("b", "[0]", "9223372036854775808", "1")), "g.json"},
    {GRAPH(NODE("a", "[]", "9223372036854775807", "1") "," NODE("b", "[0]", "9223372036854775807",
                                                                "1")),
     "g.json"},
    {GRAPH(FIRST "," NODE("b", "[0]", "10", "-1")), "joules"},
    {GRAPH(FIRST "," NODE("b", "[0]", "10", "nan")), "g.json"},
    {GRAPH(FIRST "," NODE("b", "[0]", "10", "1e999")), "g.json"},
    {GRAPH(FIRST "," NODE("b", "[0]", "10", "1e-400")), "1e-400 is too small for a double"},
    {GRAPH(FIRST "," NODE("b", "[0]", "10", "1e-310")), "1e-310 is too small for a double"},
    {GRAPH(FIRST "," NODE("b", "[0]", "10", "1e-307")),
     "nodes: node 1 (b): joules is 1e-307; 0 or a number from 1e-30 to 1e+30 is expected"},
    {GRAPH(FIRST "," NODE("b", "[0]", "10", "1e-16")),
     "nodes: node 1 (b): joules is 1e-16, and joules of node 0 (a) is 1; at most 1e+15 times"},
    {GRAPH(FIRST "," NODE("b", "[0]", "10", "\"1\"")), "joules"},
    {"{\"name\": \"g\", \"nodez\": []}", "nodez"},
    {"{\"name\": \"g\", \"name\": \"h\", \"nodes\": [" FIRST "]}", "name"},
    {"{\"name\": \"g\", \"colour\": 1, \"nodes\": [" FIRST "]}", "colour"},
    {GRAPH("{\"name\": \"a\", \"inputs\": []}"), "nodes[0]"},
    {GRAPH(FIRST) "x", "g.json"},
    {"\x7f"
     "ELF\x02\x01",
     "g.json"},
};

LOOP_TEST(bad_graph, LENGTH(graphs))
{
    cli_test_write("g.json", graphs[_i].text);
    cli_run run = cli_test_run("poetbnb solve --graph g.json --ram-budget 50%% --out s.json");
    expect_refusal(run, graphs[_i].message);
    cli_test_contains(run.err, "poetbnb: g.json: ");
    ck_assert_int_eq(cli_test_files(), 1);
    expect_refusal(cli_test_run("poetbnb info --graph g.json"), graphs[_i].message);
}

/* ---- schedule files ---------------------------------------------------------------------------
 */

/* sed scripts that spoil a good schedule file */
static const struct {
    const char *edit, *message;
} schedules[] = {
    {"s/\"R\":/\"Q\":/", "Q"},
    {"s/\"ram_budget_bytes\": [0-9]*/\"ram_budget_bytes\": -1/", "ram_budget_bytes"},
    {"s/\"ram_budget_bytes\": [0-9]*/\"ram_budget_bytes\": 9223372036854775808/", "s.json"},
    {"s/\"ram_budget_bytes\": [0-9]*/\"ram_budget_bytes\": \"much\"/", "ram_budget_bytes"},
    {"s/\"ram_budget_bytes\": [0-9]*/\"ram_budget_bytes\": 4503599627370497/", "out of range"},
    {"s/\"deadline_seconds\": null/\"deadline_seconds\": 1e51/", "deadline_seconds: 1e+51"},
    {"s/\"deadline_seconds\": null/\"deadline_seconds\": -1/", "deadline_seconds"},
    {"s/\"model\": \"linear\"/\"model\": \"nosuch\"/", "nosuch"},
    {"s/\"platform\": \"a72\"/\"platform\": \"nosuch\"/", "nosuch"},
    {"s/\\[26, *26\\]/[26, 27]/", "R["},
    {"s/\\[26, *26\\]/[27, 27]/", "R["},
    {"s/\\[26, *26\\]/[25, 25]/", "R["},
    {"s/\\[26, *26\\]/[26]/", "R["},
    {"s/\\[26, *26\\]/[26, -1]/", "R["},
    {"s/\\[26, *26\\]/26/", "R["},
    {"s/\"R\": *\\[/\"R\": [], \"R\": [/", "s.json"},
};

LOOP_TEST(bad_schedule, LENGTH(schedules))
{
    cli_exits(0, "poetbnb solve --model linear --platform a72 --ram-budget 100%% "
                 "--out good.json --quiet");
    cli_run run =
        cli_test_run("tr '\\n' ' ' < good.json > flat.json && sed '%s' flat.json > s.json && "
                     "! cmp -s flat.json s.json",
                     schedules[_i].edit);
    ck_assert_msg(run.status == 0, "the edit '%s' changes nothing", schedules[_i].edit);
    run = cli_test_run("poetbnb check s.json");
    expect_refusal(run, schedules[_i].message);
    cli_test_contains(run.err, "poetbnb: s.json: ");
}

TEST(truncated_schedule)
{
    cli_exits(0, "poetbnb solve --model linear --platform a72 --ram-budget 100%% "
                 "--out good.json --quiet && head -c 500 good.json > s.json");
    expect_refusal(cli_test_run("poetbnb check s.json"), "s.json: ");
    cli_exits(0, "poetbnb check good.json");
}

/* ---- model files --------------------------------------------------------------------------------
 */

static const struct {
    const char *name, *text, *place;
} models[] = {
    {"m.mps", "NAME x\nROWS\n Q r\n", "3"},
    {"m.mps", "NAME x\nROWS\n N c\n L r\nCOLUMNS\n x nosuch 1\n", "6"},
    {"m.mps", "NAME x\nROWS\n N c\n L r\nCOLUMNS\n x r 12abc\n", "6"},
    {"m.mps", "NAME x\nROWS\n N c\n L r\nCOLUMNS\n x r nan\n", "6"},
    {"m.mps", "NAME x\nROWS\n N c\n L r\n L r\n", "5"},
    {"m.mps", "NAME x\nROWS\n N c\nCOLUMNS\n x c 1\n", "m.mps"}, /* no ENDATA */
    {"m.lp", "Minimize\n obj: x\nSubject To\n c: x + <= 3\nEnd\n", "4"},
    {"m.lp", "Minimize\n obj: x\nSubject To\n c: x >= y z 3\nEnd\n", "4"},
    {"m.lp", "", "m.lp"},
    {"m.mps",
     "\x7f"
     "ELF\x02\x01",
     "m.mps"},
};

LOOP_TEST(bad_model, LENGTH(models))
{
    static const char *const commands[] = {"lp", "mip"};
    cli_test_write(models[_i].name, models[_i].text);
    for (int c = 0; c < 2; c++) {
        cli_run run = cli_test_run("poetbnb %s %s --solution m.sol", commands[c], models[_i].name);
        expect_refusal(run, models[_i].name);
        cli_test_contains(run.err, models[_i].place);
        ck_assert_int_eq(cli_test_files(), 1);
    }
}

/* Files of more bytes than are read of their kind; reading them would take longer than the test
 * may. */
TEST(long_files)
{
    static const char *const runs[] = {"mip m.lp",
                                       "lp m.mps",
                                       "info --graph m.json",
                                       "check m.json",
                                       "verify m.txt",
                                       "solve --graph m.json --ram-budget 50%",
                                       "lp m.lp --params m.txt"};
    cli_exits(0, "for s in lp mps json txt; do truncate -s 9T m.$s; done");
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        cli_run run = cli_exits(2, "poetbnb %s", runs[k]);
        cli_test_contains(run.err, ": 9895604649984 bytes, more than the ");
    }
}
