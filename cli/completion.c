/* Completion for bash: the script's lists are the tables of commands, options, networks, platforms,
 * features and methods. */
#include <string.h>

#include "baselines/baseline.h"
#include "cli/commands.h"
#include "cli/manual.h"
#include "formulation/formulation.h"
#include "problem/network.h"

/* Words for a case of the script: the names of a table, with blanks between them. */
static void print_networks(FILE *out)
{
    for (int k = 0; network_name(k); k++)
        fprintf(out, "%s ", network_name(k));
}

static void print_platforms(FILE *out)
{
    for (int k = 0; platform_builtin(k); k++)
        fprintf(out, "%s ", platform_builtin(k)->name);
}

static void print_features(FILE *out)
{
    int count;
    const formulation_feature_info *feature = formulation_features(&count);
    for (int k = 0; k < count; k++)
        fprintf(out, "%s ", feature[k].name);
}

static void print_methods(FILE *out)
{
    int count;
    const baseline_method *method = baseline_methods(&count);
    for (int k = 0; k < count; k++)
        fprintf(out, "%s ", method[k].name);
}

/* Options with values that are the names of a table. */
static const struct {
    const char *name, *more; /* more: values beside the names of the table */
    void (*print)(FILE *out);
} named[] = {
    {"model", "", print_networks},         {"platform", "", print_platforms},
    {"with", "", print_features},          {"without", "all", print_features},
    {"methods", "poetbnb", print_methods}, {"warm-start", "auto none", print_methods},
};

/* Prints the values of the option: its choices, or the names of a table. */
static void print_values(const cli_option_shown *option, FILE *out)
{
    for (const char *at = option->choice ? option->argument : ""; *at; at++)
        fputc(*at == '|' ? ' ' : *at, out);
    for (size_t k = 0; k < sizeof named / sizeof *named; k++)
        if (strcmp(option->name, named[k].name) == 0) {
            named[k].print(out);
            fputs(named[k].more, out);
        }
}

static bool takes_file(const cli_option_shown *option)
{
    return option->argument && !option->choice &&
           (strstr(option->argument, "FILE") || strstr(option->argument, "FOLDER"));
}

/* Prints the case of the script for the word behind the option. */
static void print_option_case(const cli_option_shown *option, void *context)
{
    FILE *out = context;
    if (!option->argument)
        return;
    fprintf(out, "    --%s", option->name);
    if (option->alias)
        fprintf(out, "|--%s", option->alias);
    fputs(") words=\"", out);
    print_values(option, out);
    fprintf(out, "\"; files=%d;;\n", takes_file(option));
}

typedef struct list {
    FILE *out;
    unsigned bit;
} list;

static void print_option_name(const cli_option_shown *option, void *context)
{
    const list *l = context;
    if (!(option->commands & l->bit))
        return;
    fprintf(l->out, "--%s%s ", option->name, option->argument ? "=" : "");
    if (option->alias)
        fprintf(l->out, "--%s= ", option->alias);
}

static void print_commands(FILE *out)
{
    for (int c = 0; c < cli_command_count; c++) {
        fprintf(out, "    %s) words=\"", cli_commands[c]->name);
        cli_options_each(print_option_name, &(list){out, cli_commands[c]->bit});
        fprintf(out, "--help --version\"; files=%d;;\n", cli_commands[c]->file != NULL);
    }
}

void cli_completion_print(FILE *out)
{
    fputs(
        "# Completion of poetbnb for bash, made by `poetbnb info --completion`.\n"
        "_poetbnb()\n{\n"
        "    local cur=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} words files=0\n"
        "    local list=\n"
        "    COMPREPLY=()\n"
        "    # bash splits --option=value into three words\n"
        "    [[ $cur == = ]] && cur=\n"
        "    [[ $option == = ]] && option=${COMP_WORDS[COMP_CWORD-2]}\n"
        "    if ((COMP_CWORD == 1)); then\n"
        "        words=\"",
        out);
    for (int c = 0; c < cli_command_count; c++)
        fprintf(out, "%s ", cli_commands[c]->name);
    fputs("--help --version\"\n    else\n    case $option in\n", out);
    cli_options_each(print_option_case, out);
    fputs("    *) case ${COMP_WORDS[1]} in\n", out);
    print_commands(out);
    fputs("    esac\n"
          "    [[ $cur == -* ]] && files=0 || words=\n"
          "    ;;\n    esac\n    fi\n"
          "    # of a list only the last word is completed\n"
          "    [[ $cur == *,* ]] && list=${cur%,*},\n"
          "    mapfile -t COMPREPLY < <(compgen -P \"$list\" -W \"$words\" -- \"${cur##*,}\")\n"
          "    ((files)) && mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- \"$cur\")\n"
          "    ((files)) && compopt -o filenames 2> /dev/null\n"
          "    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2> /dev/null\n"
          "    return 0\n}\n"
          "complete -F _poetbnb poetbnb\n",
          out);
}
