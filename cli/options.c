/* argp's view of the option table for each command, parsing, and the options that were given as one
 * text. */
#include "cli/commands.h"

#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "cli/cli.h"
#include "cli/parameters.h"

static const char *const group_heading[] = {
    [CLI_GROUP_GRAPH] = "The training graph:",
    [CLI_GROUP_BUDGET] = "Budgets and rules:",
    [CLI_GROUP_METHOD] = "Method:",
    [CLI_GROUP_LIMIT] = "Limits:",
    [CLI_GROUP_OUTPUT] = "Output:",
};
enum { GROUP_END = sizeof group_heading / sizeof group_heading[0] };

/* argp keys, above the range of characters: row number of the option + KEY_OPTION; for --no-NAME of
 * a switch + KEY_NEGATED. */
enum { KEY_OPTION = 1000, KEY_NEGATED = 2000 };

typedef struct parse_state {
    const cli_command *command;
    cli_options *options;
} parse_state;

/* --set and --params change parameters as they come, so that the last word counts. */
static int change_parameters(const cli_command *command, int number, bool again,
                             cli_options *options, base_error *error)
{
    if (number == CLI_OPT_set)
        return cli_parameters_set(command->bit, options->set, false, &options->tuning, error);
    if (number != CLI_OPT_params)
        return 0;
    if (again)
        return base_fail(error, "one file only: unexpected '%s'", options->params);
    return cli_parameters_read(command->bit, options->params, &options->tuning, error);
}

/* Returns the name that an option was given by, its own or its alias: of the option that argp has
 * just taken, from argv[next - 1] or, where its value is that word, from the one before. */
static const char *given_name(const char *name, const char *alias, char **argv, int next,
                              const char *value)
{
    const char *word = argv[next - 1] == value ? argv[next - 2] : argv[next - 1];
    const char *given = strncmp(word, "--", 2) == 0 ? word + 2 : word;
    const size_t length = strcspn(given, "=");
    if (!alias || length == 0)
        return name;
    const bool is_alias = strlen(alias) == length && strncmp(alias, given, length) == 0;
    return is_alias || strncmp(name, given, length) != 0 ? alias : name;
}

static error_t parse_one(int key, char *text, struct argp_state *state)
{
    parse_state *parse = state->input;
    cli_options *options = parse->options;
    const cli_command *command = parse->command;
    if (key == ARGP_KEY_ARG) {
        if (!command->file)
            argp_error(state, "unexpected argument '%s'", base_text_shown(text).text);
        if (options->file)
            argp_error(state, "one %s only: unexpected argument '%s'", command->file,
                       base_text_shown(text).text);
        options->file = text;
        return 0;
    }
    if (key == ARGP_KEY_END) {
        if (command->file && !options->file)
            argp_error(state, "expected a %s", command->file);
        return 0;
    }
    bool negated = key >= KEY_NEGATED;
    int k = key - (negated ? KEY_NEGATED : KEY_OPTION);
    if (k < 0 || k >= CLI_OPTION_COUNT)
        return ARGP_ERR_UNKNOWN;
    base_error error;
    const cli_option *row = &cli_option_table[k];
    const bool again = options->given[k];
    if (cli_option_read(k, negated, text, options, &error) != 0 ||
        change_parameters(command, k, again, options, &error) != 0)
        exit(cli_fail(CLI_BAD_INPUT, "--%s: %s",
                      given_name(row->name, cli_option_alias(k), state->argv, state->next, text),
                      error.text));
    return 0;
}

/* The field of the option in the options. */
static const void *value_of(const cli_option *row, const cli_options *options)
{
    return (const char *)options + row->offset;
}

/* The help text of a row with its range and default, or for the sides of a switch "allow ..." and
 * "forbid ..."; freed by the caller. */
static char *help_text(const cli_option *row, bool forbid)
{
    text_buffer text = {0};
    const void *initial = value_of(row, &cli_options_initial);
    if (row->type == CLI_TYPE_SWITCH) {
        text_print(&text, "%s %s%s", forbid ? "forbid" : "allow", row->help,
                   *(const bool *)initial != forbid ? " (default)" : "");
        return text.data;
    }
    text_print(&text, "%s", row->help);
    if (row->type == CLI_TYPE_CHOICE || row->type == CLI_TYPE_TEXT) {
        const char *value = *(const char *const *)initial;
        if (value)
            text_print(&text, " (default: %s)", value);
    } else if (row->type == CLI_TYPE_INTEGER) {
        /* A default outside the range is explained by the help itself. */
        const int64_t value = *(const int64_t *)initial;
        if (value >= row->integer_low && value < row->integer_high)
            text_print(&text, " (from %" PRId64 ", default: %" PRId64 ")", row->integer_low, value);
    } else if (row->type == CLI_TYPE_REAL) {
        const double value = *(const double *)initial;
        const bool positive = row->real_low == DBL_MIN;
        if (value < row->real_high)
            text_print(&text, " (%s %g to %g, default: %g)", positive ? "above" : "from",
                       positive ? 0 : row->real_low, row->real_high, value);
    }
    return text.data;
}

/* argp's view of the rows that the command takes: at most three entries a row (name, alias,
 * --no-name), the headings and an end. Its texts live until the process ends. */
typedef struct argp_view {
    struct argp_option entry[3 * CLI_OPTION_COUNT + GROUP_END + 1];
    int entries;
} argp_view;

static void view_add_row(argp_view *view, int k)
{
    const cli_option *row = &cli_option_table[k];
    view->entry[view->entries++] = (struct argp_option){.name = row->name,
                                                        .key = KEY_OPTION + k,
                                                        .arg = row->argument,
                                                        .doc = help_text(row, false),
                                                        .group = row->group};
    if (cli_option_alias(k))
        view->entry[view->entries++] = (struct argp_option){
            .name = cli_option_alias(k), .flags = OPTION_ALIAS, .group = row->group};
    if (row->type == CLI_TYPE_SWITCH) {
        text_buffer name = {0};
        text_print(&name, "no-%s", row->name);
        view->entry[view->entries++] = (struct argp_option){.name = name.data,
                                                            .key = KEY_NEGATED + k,
                                                            .doc = help_text(row, true),
                                                            .group = row->group};
    }
}

static void view_make(argp_view *view, unsigned bit)
{
    for (int group = 1; group < GROUP_END; group++) {
        bool any = false;
        for (int k = 0; k < CLI_OPTION_COUNT; k++) {
            if (cli_option_table[k].group != group || !(cli_option_table[k].commands & bit))
                continue;
            if (!any)
                view->entry[view->entries++] =
                    (struct argp_option){.doc = group_heading[group], .group = group};
            any = true;
            view_add_row(view, k);
        }
    }
}

void cli_options_parse(const cli_command *command, int argc, char **argv, cli_options *options)
{
    *options = cli_options_initial;
    options->tuning = exact_tuning_default();
    static argp_view view;
    view_make(&view, command->bit);

    static char name[64]; /* argv[0] points to it until the process ends */
    snprintf(name, sizeof name, "poetbnb %s", command->name);
    argv[0] = name; /* argp and getopt name the program by it */

    text_buffer doc = {0};
    text_print(&doc, "%s\v%s", command->summary, command->help);

    struct argp argp = {
        .options = view.entry, .parser = parse_one, .args_doc = command->file, .doc = doc.data};
    parse_state state = {.command = command, .options = options};
    error_t failed = argp_parse(&argp, argc, argv, 0, NULL, &state);
    text_clear(&doc);
    if (failed)
        exit(cli_fail(CLI_BAD_INPUT, "%s", strerror(failed)));
}

/* ---- options as a text -------------------------------------------------- */

/* True if records have a column of their own for the option, or if it does not change the
 * problem. */
static bool is_in_record(int k)
{
    static const int recorded[] = {CLI_OPT_model,      CLI_OPT_platform, CLI_OPT_graph,
                                   CLI_OPT_ram_budget, CLI_OPT_methods,  CLI_OPT_runtime_budget,
                                   CLI_OPT_no_exact,   CLI_OPT_seed,     CLI_OPT_threads,
                                   CLI_OPT_time_limit, CLI_OPT_set,      CLI_OPT_params};
    for (size_t i = 0; i < sizeof recorded / sizeof *recorded; i++)
        if (recorded[i] == k)
            return true;
    return cli_option_table[k].group == CLI_GROUP_OUTPUT;
}

char *cli_options_text(const cli_options *options)
{
    text_buffer text = {0};
    for (int k = 0; k < CLI_OPTION_COUNT; k++) {
        const cli_option *row = &cli_option_table[k];
        if (!options->given[k] || is_in_record(k))
            continue;
        const char *separator = text.size > 0 ? " " : "";
        if (row->argument)
            text_print(&text, "%s%s=%s", separator, row->name,
                       base_text_shown(options->given[k]).text);
        else
            text_print(&text, "%s%s%s", separator,
                       *(const bool *)value_of(row, options) ? "" : "no-", row->name);
    }
    return text.data ? text.data : base_strdup("");
}
