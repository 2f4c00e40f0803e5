/* The option table at run time: argp's view of it for each command, parsing and range checks,
 * and the options that were given as one text. */
#include "cli/options.h"

#include <argp.h>
#include <assert.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/number.h"
#include "cli/cli.h"
#include "cli/parameters.h"

typedef enum option_type { FLAG, SWITCH, TEXT, CHOICE, INTEGER, REAL, AMOUNT } option_type;

/* One row of the table at run time. Only the values of its type are used. */
typedef struct option_row {
    option_type type;
    const char *name, *alias, *argument, *help;
    size_t offset;
    int group;
    unsigned commands;
    bool flag;
    const char *text;
    int64_t integer, integer_low, integer_high;
    double real, real_low, real_high;
} option_row;

#define INITIAL_FLAG(initial, low, high) .flag = (initial)
#define INITIAL_SWITCH(initial, low, high) .flag = (initial)
#define INITIAL_TEXT(initial, low, high) .text = (initial)
#define INITIAL_CHOICE(initial, low, high) .text = (initial)
#define INITIAL_INTEGER(initial, low, high)                                                        \
    .integer = (initial), .integer_low = (low), .integer_high = (high)
#define INITIAL_AMOUNT(initial, low, high) INITIAL_INTEGER(initial, low, high)
#define INITIAL_REAL(initial, low, high) .real = (initial), .real_low = (low), .real_high = (high)

static const option_row table[CLI_OPTION_COUNT] = {
#define ROW(kind, field, long_name, other, arg, initial, low, high, heading, who, words)           \
    {.type = kind,                                                                                 \
     .name = long_name,                                                                            \
     .alias = other,                                                                               \
     .argument = arg,                                                                              \
     .help = words,                                                                                \
     .offset = offsetof(cli_options, field),                                                       \
     .group = heading,                                                                             \
     .commands = who,                                                                              \
     INITIAL_##kind(initial, low, high)},
    CLI_OPTION_TABLE(ROW)
#undef ROW
};

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

static void set_defaults(cli_options *options)
{
    memset(options, 0, sizeof *options);
    options->tuning = exact_tuning_default();
    for (int k = 0; k < CLI_OPTION_COUNT; k++) {
        const option_row *row = &table[k];
        void *field = (char *)options + row->offset;
        switch (row->type) {
        case FLAG:
        case SWITCH:
            *(bool *)field = row->flag;
            break;
        case TEXT:
        case CHOICE:
            *(const char **)field = row->text;
            break;
        case INTEGER:
        case AMOUNT:
            *(int64_t *)field = row->integer;
            break;
        case REAL:
            *(double *)field = row->real;
            break;
        }
    }
}

static int parse_value(const option_row *row, bool negated, const char *text, void *field,
                       base_error *error)
{
    base_amount amount;
    switch (row->type) {
    case FLAG:
    case SWITCH:
        *(bool *)field = !negated;
        return 0;
    case TEXT:
        if (*text == '\0')
            return base_fail(error, "expected %s, got nothing", row->argument);
        *(const char **)field = text;
        return 0;
    case CHOICE:
        if (!base_is_choice(row->argument, text))
            return base_fail(error, "expected %s, got '%s'", row->argument, text);
        *(const char **)field = text;
        return 0;
    case INTEGER:
        return base_number_integer(text, row->integer_low, row->integer_high, field, error);
    case REAL:
        return base_number_real(text, row->real_low, row->real_high, field, error);
    case AMOUNT:
        if (base_number_amount(text, false, &amount, error) != 0)
            return -1;
        return base_amount_bytes(&amount, 0, field, error);
    }
    return base_fail(error, "unknown type");
}

/* --set and --params change parameters as they come, so that the last word counts. */
static int change_parameters(const cli_command *command, int number, bool again,
                             cli_options *options, base_error *error)
{
    if (number == CLI_OPT_set)
        return cli_parameters_set(command->bit, options->set, &options->tuning, error);
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
    const option_row *row = &table[k];
    const bool again = options->given[k];
    options->given[k] = true;
    if (parse_value(row, negated, text, (char *)options + row->offset, &error) != 0 ||
        change_parameters(command, k, again, options, &error) != 0)
        exit(cli_fail(CLI_BAD_INPUT, "--%s: %s",
                      given_name(row->name, row->alias, state->argv, state->next, text),
                      error.text));
    return 0;
}

/* The help text of a row with its range and default; freed by the caller. */
static char *help_text(const option_row *row)
{
    char tail[160] = "";
    switch (row->type) {
    case CHOICE:
        snprintf(tail, sizeof tail, " (default: %s)", row->text);
        break;
    case TEXT:
        if (row->text)
            snprintf(tail, sizeof tail, " (default: %s)", row->text);
        break;
    case INTEGER:
        /* A default outside the range is explained by the help itself. */
        if (row->integer >= row->integer_low && row->integer < row->integer_high)
            snprintf(tail, sizeof tail, " (from %" PRId64 ", default: %" PRId64 ")",
                     row->integer_low, row->integer);
        break;
    case REAL:
        if (row->real < row->real_high)
            snprintf(tail, sizeof tail, " (%s %g to %g, default: %g)",
                     row->real_low == DBL_MIN ? "above" : "from",
                     row->real_low == DBL_MIN ? 0 : row->real_low, row->real_high, row->real);
        break;
    case SWITCH:
    case FLAG:
    case AMOUNT:
        break;
    }
    text_buffer text = {0};
    text_print(&text, "%s%s", row->help, tail);
    return text.data;
}

/* "allow ..." or "forbid ..." for the two sides of a switch; freed by the caller. */
static char *switch_text(const option_row *row, bool allowed)
{
    text_buffer text = {0};
    text_print(&text, "%s %s%s", allowed ? "allow" : "forbid", row->help,
               row->flag == allowed ? " (default)" : "");
    return text.data;
}

/* argp's view of the rows that the command takes: at most four entries a row (name, alias,
 * --no-name), the headings and an end. */
typedef struct argp_view {
    struct argp_option entry[4 * CLI_OPTION_COUNT + GROUP_END + 1];
    char *text[3 * CLI_OPTION_COUNT];
    int entries, texts;
} argp_view;

static void view_add_row(argp_view *view, int k)
{
    const option_row *row = &table[k];
    char *help = row->type == SWITCH ? switch_text(row, true) : help_text(row);
    view->text[view->texts++] = help;
    view->entry[view->entries++] = (struct argp_option){.name = row->name,
                                                        .key = KEY_OPTION + k,
                                                        .arg = row->argument,
                                                        .doc = help,
                                                        .group = row->group};
    if (row->alias)
        view->entry[view->entries++] =
            (struct argp_option){.name = row->alias, .flags = OPTION_ALIAS, .group = row->group};
    if (row->type == SWITCH) {
        text_buffer name = {0};
        text_print(&name, "no-%s", row->name);
        char *forbid = switch_text(row, false);
        view->text[view->texts++] = name.data;
        view->text[view->texts++] = forbid;
        view->entry[view->entries++] = (struct argp_option){
            .name = name.data, .key = KEY_NEGATED + k, .doc = forbid, .group = row->group};
    }
}

static void view_clear(argp_view *view)
{
    for (int k = 0; k < view->texts; k++)
        base_free(view->text[k]);
}

void cli_options_each(void (*visit)(const cli_option_shown *option, void *context), void *context)
{
    for (int k = 0; k < CLI_OPTION_COUNT; k++) {
        const option_row *row = &table[k];
        char negated[64];
        cli_option_shown shown = {row->name, row->alias, row->argument, row->commands};
        visit(&shown, context);
        snprintf(negated, sizeof negated, "no-%s", row->name);
        shown.name = negated;
        if (row->type == SWITCH)
            visit(&shown, context);
    }
}

static void view_make(argp_view *view, unsigned bit)
{
    memset(view, 0, sizeof *view);
    for (int group = 1; group < GROUP_END; group++) {
        bool any = false;
        for (int k = 0; k < CLI_OPTION_COUNT; k++) {
            if (table[k].group != group || !(table[k].commands & bit))
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
    set_defaults(options);
    argp_view view;
    view_make(&view, command->bit);

    static char name[64]; /* argv[0] points to it until the process ends */
    snprintf(name, sizeof name, "poetbnb %s", command->name);
    argv[0] = name; /* argp and getopt name the program by it */

    char *more = command->more_help ? command->more_help() : base_strdup("");
    text_buffer doc = {0};
    text_print(&doc, "%s\v%s\n\n%s", command->summary, command->help, more);

    struct argp argp = {
        .options = view.entry, .parser = parse_one, .args_doc = command->file, .doc = doc.data};
    parse_state state = {.command = command, .options = options};
    error_t failed = argp_parse(&argp, argc, argv, 0, NULL, &state);
    view_clear(&view);
    text_clear(&doc);
    base_free(more);
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
    return table[k].group == CLI_GROUP_OUTPUT;
}

static void append_option(text_buffer *out, const option_row *row, const void *field)
{
    switch (row->type) {
    case FLAG:
    case SWITCH:
        text_print(out, "%s%s", *(const bool *)field ? "" : "no-", row->name);
        break;
    case TEXT:
    case CHOICE:
        text_print(out, "%s=%s", row->name, base_text_shown(*(const char *const *)field).text);
        break;
    case INTEGER:
    case AMOUNT:
        text_print(out, "%s=%" PRId64, row->name, *(const int64_t *)field);
        break;
    case REAL:
        text_print(out, "%s=%s", row->name, base_number_shortest(*(const double *)field).text);
        break;
    }
}

char *cli_options_text(const cli_options *options)
{
    text_buffer text = {0};
    for (int k = 0; k < CLI_OPTION_COUNT; k++)
        if (options->given[k] && !is_in_record(k)) {
            text_print(&text, "%s", text.size > 0 ? " " : "");
            append_option(&text, &table[k], (const char *)options + table[k].offset);
        }
    return text.data ? text.data : base_strdup("");
}
