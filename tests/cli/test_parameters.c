/* --set, --params and the list of parameters. */
#include <jansson.h>
#include <string.h>

#include "tests/cli/cli_test.h"

CLI_SUITE("all", 60);

static const char model[] = "NAME small\n"
                            "ROWS\n N cost\n G need\nCOLUMNS\n"
                            "    M1 'MARKER' 'INTORG'\n"
                            "    x cost 3 need 2\n    y cost 5 need 3\n"
                            "    M2 'MARKER' 'INTEND'\n"
                            "RHS\n    RHS need 7\nBOUNDS\n UP BND x 9\n UP BND y 9\nENDATA\n";

static const char solve[] = "poetbnb solve --model linear --platform m0 --ram-budget 50%";

/* The message, and nothing else: exit status 2. */
static void refuses(const char *arguments, const char *first, const char *second)
{
    cli_test_write("small.mps", model);
    const cli_run run = cli_exits(2, "poetbnb mip small.mps %s", arguments);
    ck_assert_str_eq(run.out, "");
    cli_test_contains(run.err, first, second);
}

TEST(unknown_names)
{
    refuses("--set bnb.relability=3", "--set", "the nearest name is bnb.reliability ");
    refuses("--set bnb.cutt_gain=0", "'bnb.cutt_gain'", "the nearest name is bnb.cut_gain ");
    refuses("--set reliability=3", "'reliability'", "the nearest name is bnb.reliability ");
    refuses("--set bnb.=3", "'bnb.'", "info --parameters");
    refuses("--set =3", "''", "info --parameters");
    refuses(
        "--set xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxx=3",
        "no parameter", "info --parameters");
}

TEST(bad_values)
{
    refuses("--set bnb.reliability=eight", "bnb.reliability",
            "expected a whole number, got 'eight'");
    refuses("--set bnb.reliability=2.5", "bnb.reliability", "expected a whole number, got '2.5'");
    refuses("--set bnb.reliability=-1", "bnb.reliability", "from 0 to");
    refuses("--set bnb.reliability=99999999999999999999", "bnb.reliability", "from 0 to");
    refuses("--set bnb.reliability=", "bnb.reliability", "got ''");
    refuses("--set bnb.cut_gain=1.5", "bnb.cut_gain", "from 0 to 1, got '1.5'");
    refuses("--set bnb.cut_gain=nan", "bnb.cut_gain", "expected a number");
    refuses("--set bnb.presolve=1", "bnb.presolve", "expected on or off, got '1'");
    refuses("--set bnb.presolve", "--set", "expected NAME=VALUE");
}

TEST(rooms_that_do_not_run)
{
    refuses("--set heuristics.anneal_epochs=3", "heuristics.anneal_epochs",
            "is no parameter of this command");
    cli_test_write("all.txt", "heuristics.anneal_epochs = 3\nbnb.rins = off\n");
    const cli_run run = cli_exits(0, "poetbnb mip small.mps --params all.txt");
    cli_test_contains(run.out, "bnb.rins = off (default on)");
    ck_assert_ptr_null(strstr(run.out, "heuristics"));
    cli_test_write("all.txt", "heuristics.anneal_epochs = none\n");
    refuses("--params all.txt", "all.txt, line 1", "heuristics.anneal_epochs");
}

TEST(files)
{
    cli_test_write("good.txt", "# a comment\n\n  bnb.reliability=5 # another\r\n"
                               "bnb.cut_gain\t=\t0.5\nbnb.rins = off\nbnb.rins = on\n"
                               "bnb.dive = off");
    cli_test_write("small.mps", model);
    cli_run run = cli_exits(0, "poetbnb mip small.mps --params good.txt --json");
    cli_test_contains(run.out, "\"parameters\": {\n    \"bnb.cut_gain\": 0.5,\n"
                               "    \"bnb.reliability\": 5,\n    \"bnb.dive\": false\n  }");
    /* the last word counts */
    run = cli_test_run("poetbnb mip small.mps --params good.txt --set bnb.reliability=6 --json");
    cli_test_contains(run.out, "\"bnb.reliability\": 6,");
    run = cli_test_run("poetbnb mip small.mps --set bnb.reliability=6 --params good.txt --json");
    cli_test_contains(run.out, "\"bnb.reliability\": 5,");
    cli_test_write("bad.txt", "bnb.rins = off\n\nbnb.reliability 5\n");
    refuses("--params bad.txt", "--params: bad.txt, line 3", "expected NAME=VALUE");
    cli_test_write("bad.txt", "bnb.rins = off\nbnb.rinse = off\n");
    refuses("--params bad.txt", "--params: bad.txt, line 2", "the nearest name is bnb.rins ");
    refuses("--params none.txt", "--params: none.txt", "cannot be read");
    refuses("--params good.txt --params good.txt", "--params", "one file only");
    refuses("--params good.txt --solution good.txt", "--solution", "is also --params");
    run = cli_exits(
        2, "printf 'bnb.rins = off\\0' > zero.txt; poetbnb mip small.mps --params zero.txt");
    cli_test_contains(run.err, "zero.txt");
}

/* What was changed is in the log and in the object; nothing is where nothing was. */
TEST(changes_are_shown)
{
    cli_run run = cli_exits(0, "%s --set bnb.rins=off --set heuristics.anneal_epochs=7", solve);
    cli_test_contains(run.out, "bnb.rins = off (default on)",
                      "heuristics.anneal_epochs = 7 (default 24)");
    run = cli_test_run("%s --set bnb.rins=off --quiet", solve);
    ck_assert_ptr_null(strstr(run.out, "bnb.rins"));
    run = cli_test_run("%s --set bnb.rins=off --json", solve);
    cli_test_contains(run.out, "\"parameters\": {\n    \"bnb.rins\": false\n  }");
    run = cli_test_run("%s --set bnb.rins=on --json", solve);
    cli_test_contains(run.out, "\"parameters\": {}");
    run = cli_test_run("poetbnb sweep --model linear --platform m0 --ram-budget 50%% "
                       "--set bnb.rins=off --json");
    cli_test_contains(run.out, "\"bnb.rins\": false");
    run = cli_test_run("poetbnb compare --model linear --platform m0 --ram-budget 50%% "
                       "--methods poetbnb --set bnb.rins=off");
    cli_test_contains(run.out, "bnb.rins = off (default on)");
}

/* A parameter that no longer reaches the search would leave the nodes as they are. */
TEST(values_reach_the_search)
{
    cli_test_write("knap.lp",
                   "Minimize\n obj: - 11 a - 17 b - 23 c - 29 d - 31 e - 37 f - 41 g\n"
                   "Subject To\n c1: 12 a + 19 b + 25 c + 31 d + 34 e + 41 f + 44 g "
                   "<= 101\nGenerals\n a b c d e f g\nBounds\n a <= 3\n b <= 3\n c <= 3\n"
                   " d <= 3\n e <= 3\n f <= 3\n g <= 3\nEnd\n");
    cli_run run = cli_test_run("poetbnb mip knap.lp --json");
    const double objective = cli_test_number(run.out, "objective");
    const double iterations = cli_test_number(run.out, "iterations");
    run = cli_test_run("poetbnb mip knap.lp --json --set bnb.cut_rounds_root=0 --set bnb.dive=off "
                       "--set bnb.reliability=0 --set bnb.rins=off");
    ck_assert(cli_test_number(run.out, "objective") == objective);
    ck_assert(cli_test_number(run.out, "iterations") != iterations);
}

/* ---- the list --------------------------------------------------------------- */

static const char *member(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    ck_assert_msg(text && *text, "%s is missing", key);
    return text;
}

/* Every entry: a default in its range, which --set takes, and texts that fit into a table. */
TEST(entries_are_sound)
{
    char command[200];
    json_t *list = json_loads(cli_test_run("poetbnb info --parameters --json").out, 0, NULL);
    const json_t *parameters = json_object_get(list, "parameters");
    cli_test_write("small.mps", model);
    ck_assert_uint_gt(json_array_size(parameters), 60);
    for (size_t k = 0; k < json_array_size(parameters); k++) {
        const json_t *e = json_array_get(parameters, k);
        const json_t *initial = json_object_get(e, "default");
        const char *name = member(e, "name");
        ck_assert_msg(!strpbrk(member(e, "help"), "|\n") && !strpbrk(member(e, "source"), "|\n"),
                      "%s: its texts do not fit into a table", name);
        for (size_t other = 0; other < k; other++)
            ck_assert_str_ne(name, member(json_array_get(parameters, other), "name"));
        if (json_is_boolean(initial))
            continue;
        const double value = json_number_value(initial);
        ck_assert_msg(value >= json_number_value(json_object_get(e, "least")) &&
                          value <= json_number_value(json_object_get(e, "most")),
                      "%s: the default is out of range", name);
        /* both ends are taken */
        const double end = json_number_value(json_object_get(e, k % 2 ? "most" : "least"));
        snprintf(command, sizeof command, "%s=%.17g", name, end);
        cli_exits(3,
                  "poetbnb solve --set %s --model linear --platform m0 "
                  "--ram-budget 1",
                  command);
    }
    ck_assert_uint_gt(json_array_size(json_object_get(list, "features")), 10);
    json_decref(list);
}

TEST(text_lists_the_same)
{
    json_t *list = json_loads(cli_test_run("poetbnb info --parameters --json").out, 0, NULL);
    const cli_run run = cli_test_run("poetbnb info --parameters");
    static const char *const keys[] = {"parameters", "features"};
    for (int part = 0; part < 2; part++) {
        const json_t *entries = json_object_get(list, keys[part]);
        for (size_t k = 0; k < json_array_size(entries); k++) {
            const json_t *e = json_array_get(entries, k);
            cli_test_contains(run.out, member(e, "name"), member(e, "help"));
        }
    }
    json_decref(list);
}

/* `make docs' after a change of a table makes it so again. */
TEST(page_is_current)
{
    cli_exits(0, "root=${POETBNB%%/build/*}\n"
                 "\"$root/scripts/parameters-page\" \"$POETBNB\" | "
                 "diff \"$root/docs/parameters.md\" -");
}
