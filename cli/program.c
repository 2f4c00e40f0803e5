/* The program: chooses the subcommand, or answers --help and --version without one. */
#include <argp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/engine.h"

/* argp looks for this name in the program, also where names are hidden by default. */
__attribute__((visibility("default"))) const char *argp_program_version = "poetbnb " BASE_VERSION;

const cli_command *const cli_commands[] = {
    &cli_command_solve, &cli_command_compare, &cli_command_sweep,  &cli_command_plan,
    &cli_command_check, &cli_command_verify,  &cli_command_export, &cli_command_import,
    &cli_command_lp,    &cli_command_mip,     &cli_command_info,
};
const int cli_command_count = sizeof cli_commands / sizeof cli_commands[0];

static const char exit_text[] =
    "0 proven optimal, or within the given --gap, or the task done, 1 an internal check failed, "
    "2 bad usage or bad input, 3 proven infeasible, 4 stopped by a limit with a "
    "feasible schedule, 5 stopped by a limit without one.";

/* ---- the program without a subcommand --------------------------------------- */

static char *summary_text(int key, const char *text, void *input)
{
    (void)input;
    if (key != ARGP_KEY_HELP_EXTRA)
        return (char *)text;
    char *all = malloc(8192); /* argp frees it */
    if (!all)
        return NULL;
    size_t used = (size_t)snprintf(all, 8192, "Commands:\n");
    for (int c = 0; c < cli_command_count; c++)
        used += (size_t)snprintf(all + used, 8192 - used, "  %-9s %s\n", cli_commands[c]->name,
                                 cli_commands[c]->summary);
    snprintf(all + used, 8192 - used,
             "\n`poetbnb COMMAND --help' lists a command's options.\n\nExit status: %s", exit_text);
    return all;
}

static error_t parse_nothing(int key, char *text, struct argp_state *state)
{
    (void)text;
    if (key == ARGP_KEY_NO_ARGS)
        argp_error(state, "expected a command");
    return key == ARGP_KEY_ARG || key == ARGP_KEY_END ? 0 : ARGP_ERR_UNKNOWN;
}

/* Parses the word in the place of the subcommand: --help, --version, or a mistake. */
static int parse_global(int argc, char **argv)
{
    static char name[] = "poetbnb";
    argv[0] = name;
    struct argp argp = {
        .parser = parse_nothing,
        .args_doc = "COMMAND [OPTION...]",
        .doc = "Schedules with the least energy for training neural networks in little memory: "
               "rematerialisation and paging, proven optimal.\v",
        .help_filter = summary_text};
    cli_spelling_check(NULL, argc, argv);
    argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, NULL);
    return CLI_BAD_INPUT;
}

static const char *nearest_command(const char *word)
{
    int best = 0;
    for (int c = 1; c < cli_command_count; c++)
        if (base_text_distance(cli_commands[c]->name, word) <
            base_text_distance(cli_commands[best]->name, word))
            best = c;
    return cli_commands[best]->name;
}

typedef struct call {
    const cli_command *command;
    const cli_options *options;
} call;

/* A step of cli_guard. */
static int run(void *data)
{
    const call *c = data;
    const int status = c->command->run(c->options), written = cli_finish_output();
    return written ? written : status;
}

/* For --help and --version, after which argp ends the process. */
static void finish_at_exit(void)
{
    if (cli_finish_output() != 0)
        _exit(CLI_BAD_INPUT);
}

int cli_main(int argc, char **argv)
{
    argp_err_exit_status = CLI_BAD_INPUT;
    atexit(finish_at_exit);
    if (argc < 2 || argv[1][0] == '-')
        return parse_global(argc, argv);

    for (int c = 0; c < cli_command_count; c++) {
        if (strcmp(argv[1], cli_commands[c]->name) != 0)
            continue;
        cli_options options;
        cli_spelling_check(cli_commands[c], argc - 1, argv + 1);
        cli_options_parse(cli_commands[c], argc - 1, argv + 1, &options);
        if (cli_files_check(&options) != 0)
            return CLI_BAD_INPUT;
        call one = {cli_commands[c], &options};
        return cli_guard(NULL, "out of memory", run, &one);
    }
    if (strcmp(argv[1], "help") == 0)
        return cli_fail(CLI_BAD_INPUT, "unknown command 'help'; `poetbnb --help' lists all, "
                                       "`poetbnb COMMAND --help' the options of one");
    return cli_fail(CLI_BAD_INPUT,
                    "unknown command '%s'; the nearest name is %s (`poetbnb --help' lists all)",
                    argv[1], nearest_command(argv[1]));
}
