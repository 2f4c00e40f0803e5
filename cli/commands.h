/* cli/commands: the subcommands, one per file, and the options of one from the command line. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "library/options.h"

/* A subcommand. */
typedef struct cli_command {
    const char *name;
    unsigned bit;        /* which options it takes */
    const char *file;    /* name of its file argument in the help; NULL: takes none */
    const char *summary; /* one line for `poetbnb --help' */
    const char *help;    /* paragraphs for `poetbnb NAME --help' */
    int (*run)(const cli_options *options); /* returns an exit status */
} cli_command;

/* Checks the names of the options in argv[1..] as getopt_long takes them, abbreviations included
 * (cli/spelling.c). Exits with status 2 and a message that names the nearest option where the
 * command has none of that name, or several. command NULL: the program without a command. */
void cli_spelling_check(const cli_command *command, int argc, char **argv);

/* Parses argv[1..], which cli_spelling_check has passed, as the arguments of command. Prints and
 * exits by itself for --help, --version and bad usage (status 2). */
void cli_options_parse(const cli_command *command, int argc, char **argv, cli_options *options);

/* The options on rules and on the way to solve that records have no column for (graph, budgets,
 * methods, seed, threads, time limit, parameters and output have one): "no-paging node-limit=5",
 * in the order of the table. Free with base_free. */
char *cli_options_text(const cli_options *options);

/* All of them, in the order of `poetbnb --help'. */
extern const cli_command *const cli_commands[];
extern const int cli_command_count;

/* Of check: executes the plan in the text of options->file on a simulated memory and prints the
 * result. The graph is in the file or comes from --graph. Returns the exit status. */
int cli_plan_check(const cli_options *options, const char *text, size_t size);

extern const cli_command cli_command_check;
extern const cli_command cli_command_compare;
extern const cli_command cli_command_export;
extern const cli_command cli_command_import;
extern const cli_command cli_command_info;
extern const cli_command cli_command_lp;
extern const cli_command cli_command_mip;
extern const cli_command cli_command_plan;
extern const cli_command cli_command_solve;
extern const cli_command cli_command_sweep;
extern const cli_command cli_command_verify;

#endif
