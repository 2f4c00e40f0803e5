/* Checks the names of options before argp reads them. getopt's own messages neither name the
 * nearest option nor remove characters that act on a terminal. */
#include "cli/commands.h"

#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

/* A name that is looked for among the options. */
typedef struct lookup {
    const char *text; /* without dashes, `length` characters of it count */
    size_t length;
    unsigned commands; /* bits of the commands; only their options count */
    bool exact, elsewhere;
    int matches;      /* options that begin so */
    bool argument;    /* of the last match, or the exact one */
    char list[512];   /* of the matches */
    char nearest[64]; /* the option with the least distance */
    int distance;
} lookup;

static void compare(lookup *l, const char *name, const char *text)
{
    const int distance = base_text_distance(name, text);
    if (l->nearest[0] && distance >= l->distance)
        return;
    l->distance = distance;
    snprintf(l->nearest, sizeof l->nearest, "%s", name);
}

/* Compares the name with an option's name and alias (NULL: none). */
static void look_at(lookup *l, const char *name, const char *alias, bool argument,
                    unsigned commands)
{
    const char *const names[] = {name, alias};
    char text[64];
    bool begins = false;
    snprintf(text, sizeof text, "%.*s", (int)l->length, l->text);
    for (int k = 0; k < 2 && names[k]; k++) {
        const bool exact = strcmp(names[k], text) == 0;
        if (!(commands & l->commands)) {
            l->elsewhere = l->elsewhere || exact;
            continue;
        }
        compare(l, names[k], text);
        begins = begins || strncmp(names[k], l->text, l->length) == 0;
        if (exact || (begins && !l->exact))
            l->argument = argument;
        l->exact = l->exact || exact;
    }
    if (!begins)
        return;
    const size_t used = strlen(l->list);
    snprintf(l->list + used, sizeof l->list - used, "%s--%s", l->matches++ ? ", " : "", name);
}

static lookup look_up(const char *text, unsigned commands)
{
    static const char *const everywhere[] = {"help", "usage", "version"};
    lookup l = {.text = text, .length = strcspn(text, "="), .commands = commands};
    for (int k = 0; k < CLI_OPTION_COUNT; k++) {
        const cli_option *o = &cli_option_table[k];
        char negated[64];
        look_at(&l, o->name, cli_option_alias(k), o->argument, o->commands);
        snprintf(negated, sizeof negated, "no-%s", o->name);
        if (o->type == CLI_TYPE_SWITCH)
            look_at(&l, negated, NULL, false, o->commands);
    }
    for (int k = 0; k < 3; k++)
        look_at(&l, everywhere[k], NULL, false, commands);
    return l;
}

/* The end of messages: where the options are listed. */
static base_shown help_of(const cli_command *command)
{
    base_shown shown;
    snprintf(shown.text, sizeof shown.text, "`poetbnb%s%s --help' lists %s", command ? " " : "",
             command ? command->name : "", command ? "its options" : "commands");
    return shown;
}

static _Noreturn void refuse(const cli_command *command, const char *word, const lookup *l)
{
    const int length = (int)strcspn(word, "=");
    const base_shown help = help_of(command);
    if (l->matches > 1)
        exit(cli_fail(CLI_BAD_INPUT, "option '%.*s' is ambiguous: %s", length, word, l->list));
    if (l->elsewhere && command)
        exit(cli_fail(CLI_BAD_INPUT, "unrecognized option '%.*s': %s does not take it; %s", length,
                      word, command->name, help.text));
    exit(cli_fail(CLI_BAD_INPUT, "unrecognized option '%.*s'; the nearest name is --%s (%s)",
                  length, word, l->nearest, help.text));
}

void cli_spelling_check(const cli_command *command, int argc, char **argv)
{
    const unsigned commands = command ? command->bit : 1u << 31;
    for (int k = 1; k < argc && strcmp(argv[k], "--") != 0; k++) {
        const char *word = argv[k];
        if (word[0] != '-' || word[1] == '\0')
            continue;
        const bool is_long = word[1] == '-';
        if (!is_long && strspn(word + 1, "?V") == strlen(word + 1))
            continue; /* argp's own letters */
        const lookup l = look_up(word + 1 + is_long, commands);
        if (!is_long || (!l.exact && l.matches != 1))
            refuse(command, word, &l);
        if (l.argument && !strchr(word, '='))
            k++;
    }
}
