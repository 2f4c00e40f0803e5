/* --help, --usage, --version and the choice of the subcommand. */
#include <stdlib.h>
#include <string.h>

#include "baselines/baseline.h"
#include "cli/commands.h"
#include "tests/cli/cli_test.h"

CLI_SUITE("help", 60);

static const struct {
    const char *name, *argument;
    unsigned commands;
} options[] = {
#define OPTION(type, field, name, argument, initial, low, high, group, commands, help)             \
    {name, argument, commands},
    CLI_OPTION_TABLE(OPTION)
#undef OPTION
};
enum { OPTIONS = sizeof options / sizeof options[0] };

/* Does the help text list --name as an option of its own? */
static bool lists(const char *help, const char *name)
{
    char wanted[64];
    snprintf(wanted, sizeof wanted, "--%s", name);
    size_t length = strlen(wanted);
    for (const char *at = help; (at = strstr(at, wanted)) != NULL; at += length) {
        bool begins = at == help || at[-1] == ' ';
        if (begins && strchr("= \n,", at[length]) != NULL)
            return true;
    }
    return false;
}

/* Every option of the table is in the help of each command that takes it, and in no
 * other's. */
/* True if the command takes an option of this name: two commands may have options of one name. */
static bool takes_name(const cli_command *command, const char *name)
{
    for (int k = 0; k < OPTIONS; k++)
        if ((options[k].commands & command->bit) && strcmp(options[k].name, name) == 0)
            return true;
    return false;
}

LOOP_TEST(help_lists_every_option, cli_command_count)
{
    const cli_command *command = cli_commands[_i];
    cli_run run = cli_exits(0, "poetbnb %s --help", command->name);
    ck_assert_str_eq(run.err, "");
    for (int k = 0; k < OPTIONS; k++) {
        bool takes = (options[k].commands & command->bit) != 0;
        /* another command's option may be mentioned in a sentence: look at its entry only */
        char entry[64];
        snprintf(entry, sizeof entry, "\n      --%s", options[k].name);
        if (takes) {
            ck_assert_msg(lists(run.out, options[k].name), "%s --help lacks --%s", command->name,
                          options[k].name);
            if (cli_option_alias(k))
                ck_assert_msg(lists(run.out, cli_option_alias(k)), "%s --help lacks --%s",
                              command->name, cli_option_alias(k));
        } else if (!takes_name(command, options[k].name)) {
            const char *at = strstr(run.out, entry);
            ck_assert_msg(!at || !strchr("= \n,", at[strlen(entry)]), "%s --help has --%s",
                          command->name, options[k].name);
        }
    }
}

/* Every line of an option's text stands in its column. (argp's buffer has 200 bytes: where a title,
 * the first option below it and the text just fit in, but the margin before the text does not, that
 * is lost.) */
LOOP_TEST(help_is_aligned, cli_command_count)
{
    const cli_command *command = cli_commands[_i];
    cli_run run = cli_test_run("poetbnb %s --help", command->name);
    const char *line = strstr(run.out, "\n      --"), *end = strstr(run.out, "--usage");
    ck_assert(line && end && line < end);
    for (; line && line < end; line = strchr(line + 1, '\n'))
        ck_assert_msg(strchr(" \n", line[1]) != NULL, "%s --help: %.40s", command->name, line + 1);
}

LOOP_TEST(usage, cli_command_count)
{
    cli_run run = cli_exits(0, "poetbnb %s --usage", cli_commands[_i]->name);
    cli_test_contains(run.out, cli_commands[_i]->name);
}

TEST(program_help)
{
    cli_run run = cli_exits(0, "poetbnb --help");
    for (int k = 0; k < cli_command_count; k++) {
        cli_test_contains(run.out, cli_commands[k]->name, cli_commands[k]->summary);
    }
}

/* Every baseline with its options, which the commands take. */
LOOP_TEST(every_baseline_is_listed, 2)
{
    static const char *const commands[] = {"compare", "solve"};
    char *list = strdup(cli_test_run("poetbnb info --methods").out);
    cli_run run = cli_test_run("poetbnb %s --help", commands[_i]);
    int count;
    const baseline_method *methods = baseline_methods(&count);
    ck_assert_int_gt(count, 10);
    for (int k = 0; k < count; k++) {
        char entry[64], words[256];
        snprintf(entry, sizeof entry, "| %s ", methods[k].name);
        cli_test_contains(list, entry, methods[k].title);
        snprintf(words, sizeof words, "%s", methods[k].options);
        for (char *rest, *word = strtok_r(words, " ", &rest); word;
             word = strtok_r(NULL, " ", &rest))
            ck_assert_msg(lists(run.out, word + 2), "no option %s", word);
    }
    free(list);
}

TEST(version)
{
    cli_run run = cli_exits(0, "poetbnb --version");
    ck_assert_int_eq(strncmp(run.out, "poetbnb ", 8), 0);
    char first[64];
    snprintf(first, sizeof first, "%s", run.out);
    run = cli_test_run("poetbnb solve --version");
    ck_assert_str_eq(run.out, first);
}

static const struct {
    const char *arguments, *message;
} mistakes[] = {
    {"", "expected a command"},
    {"frobnicate", "unknown command 'frobnicate'"},
    {"sovle --json", "unknown command 'sovle'; the nearest name is solve"},
    {"--frobnicate", "--frobnicate"},
    {"--verison", "'--verison'; the nearest name is --version (`poetbnb --help'"},
    {"solve --thraeds=3", "'--thraeds'; the nearest name is --threads (`poetbnb solve --help'"},
    {"solve --ram-buget 50% --model x", "'--ram-buget'; the nearest name is --ram-budget"},
    {"sweep --no-pagin=1", "doesn't allow an argument"}, /* an abbreviation */
    {"sweep --no-pageing", "'--no-pageing'; the nearest name is --no-paging"},
    {"lp -solution x a.mps", "'-solution'; the nearest name is --solution"},
    {"mip --methods x a.mps", "'--methods': mip does not take it; `poetbnb mip --help'"},
    {"solve --no", "'--no' is ambiguous: --no-paging, --no-remat, "},
    {"solve --out --quite --qiet", "'--qiet'; the nearest name is --quiet"}, /* a file's name */
    {"solve --threads 0", "poetbnb: --threads: expected a whole number"},
    {"solve --threads=x", "poetbnb: --threads: expected a whole number"},
    {"solve --thr 0", "poetbnb: --threads: expected a whole number"},
    {"solve --solve-threads 0", "poetbnb: --solve-threads: expected a whole number"},
    {"solve --time-limit 0", "poetbnb: --time-limit: expected"},
    {"solve --time-limit-s 0", "poetbnb: --time-limit-s: expected"},
    {"-x", "x"},
    {"lp", "expected a FILE"},
    {"lp a.mps b.mps", "b.mps"},
    {"lp --frobnicate a.mps", "--frobnicate"},
    {"lp --model linear a.mps", "--model"},
    {"lp a.mps --time-limit-s", "requires an argument"},
    {"lp --json=yes a.mps", "doesn't allow an argument"},
    {"info surplus", "surplus"},
};

LOOP_TEST(mistake, LENGTH(mistakes))
{
    cli_run run = cli_exits(2, "poetbnb %s", mistakes[_i].arguments);
    ck_assert_str_eq(run.out, "");
    ck_assert_int_eq(strncmp(run.err, "poetbnb", 7), 0);
    cli_test_contains(run.err, mistakes[_i].message);
}
