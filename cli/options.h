/* cli/options: the options of a subcommand from the command line, and as one text. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "library/options.h"

/* A subcommand. */
typedef struct cli_command {
    const char *name;
    unsigned bit;             /* which options it takes */
    const char *file;         /* name of its file argument in the help; NULL: takes none */
    const char *summary;      /* one line for `poetbnb --help' */
    const char *help;         /* paragraphs for `poetbnb NAME --help' */
    char *(*more_help)(void); /* one more paragraph, freed with base_free; NULL: none */
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

#endif
