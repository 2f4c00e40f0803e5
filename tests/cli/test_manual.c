/* The manual page and the completion of bash, against the tables that they are made of. */
#include <string.h>

#include "cli/commands.h"
#include "tests/cli/cli_test.h"

CLI_SUITE("manual", 60);

static const struct {
    const char *name, *alias, *argument;
    unsigned commands;
} options[] = {
#define OPTION(type, field, name, alias, argument, initial, low, high, group, commands, help)      \
    {name, alias, argument, commands},
    CLI_OPTION_TABLE(OPTION)
#undef OPTION
};
enum { OPTIONS = sizeof options / sizeof options[0] };

/* "--time-limit-s" as roff has it: "\-\-time\-limit\-s", into text. */
static const char *roff_name(const char *name, char text[static 200])
{
    char *to = stpcpy(text, "\\-\\-");
    for (; *name; name++) {
        if (*name == '-')
            *to++ = '\\';
        *to++ = *name;
    }
    *to = '\0';
    return text;
}

/* The entry of the option in the page, NULL without one. An option of one command may have the name
 * of another command's that takes an argument. */
static const char *entry_of(const char *page, const char *name, bool argument)
{
    char wanted[200], line[240];
    snprintf(line, sizeof line, "\n.TP\n.B %s", roff_name(name, wanted));
    for (const char *at = page; (at = strstr(at, line)); at++)
        if (strchr("=\n\\", at[strlen(line)]) && (at[strlen(line)] == '\n') != argument &&
            strncmp(at + strlen(line), "\\-", 2) != 0)
            return at + 1;
    return NULL;
}

/* Every option has an entry that names the commands that take it, and no others. */
TEST(page_has_every_option)
{
    cli_run run = cli_exits(0, "poetbnb info --manual");
    ck_assert_str_eq(run.err, "");
    for (int k = 0; k < OPTIONS; k++) {
        const char *entry = entry_of(run.out, options[k].name, options[k].argument);
        char takers[200];
        size_t used = 0;
        ck_assert_msg(entry, "no entry of --%s", options[k].name);
        for (int c = 0; c < cli_command_count; c++)
            if (cli_commands[c]->bit & options[k].commands)
                used += (size_t)snprintf(takers + used, sizeof takers - used, "%s%s",
                                         used == 0 ? "\n(" : ", ", cli_commands[c]->name);
        snprintf(takers + used, sizeof takers - used, ")\n");
        const char *found = strstr(entry, takers), *next = strstr(entry, "\n.TP");
        ck_assert_msg(found && (!next || found < next), "--%s lacks%s", options[k].name, takers);
        if (options[k].alias) {
            char alias[200];
            found = strstr(entry, roff_name(options[k].alias, alias));
            ck_assert_msg(found && (!next || found < next), "--%s lacks its alias",
                          options[k].name);
        }
    }
}

/* Every command has a section; nothing but requests begins with a dot. */
TEST(page_is_roff)
{
    static const char *const requests[] = {".TH ",  ".SH ", ".SS ", ".PP\n",
                                           ".TP\n", ".B ",  ".BR ", ".I "};
    cli_run run = cli_test_run("poetbnb info --manual");
    for (int c = 0; c < cli_command_count; c++) {
        char line[80];
        snprintf(line, sizeof line, "\n.SS poetbnb %s ", cli_commands[c]->name);
        cli_test_contains(run.out, line);
    }
    for (const char *at = run.out; at; at = strchr(at + 1, '\n')) {
        const char *line = at + (*at == '\n');
        bool known = *line != '.' && *line != '\'';
        for (size_t k = 0; k < sizeof requests / sizeof *requests; k++)
            known = known || strncmp(line, requests[k], strlen(requests[k])) == 0;
        ck_assert_msg(known, "a line begins like a request: %.60s", line);
    }
}

/* What bash offers for words, the last of which is being typed; one a line. */
static const char *offered(const char *words, int last)
{
    cli_run run = cli_exits(0,
                            "poetbnb info --completion > c && bash -c '. ./c; COMP_WORDS=(%s); "
                            "COMP_CWORD=%d; _poetbnb; printf \"\\n%%s\" \"${COMPREPLY[@]}\"; "
                            "echo'",
                            words, last);
    ck_assert_str_eq(run.err, "");
    return run.out;
}

static bool offers(const char *text, const char *word)
{
    char line[200];
    snprintf(line, sizeof line, "\n%s\n", word);
    return strstr(text, line) != NULL;
}

/* Each command is offered its options, and no others. */
LOOP_TEST(options_are_completed, cli_command_count)
{
    const cli_command *command = cli_commands[_i];
    char words[80];
    snprintf(words, sizeof words, "poetbnb %s --", command->name);
    const char *text = offered(words, 2);
    for (int k = 0; k < OPTIONS; k++) {
        char word[80];
        snprintf(word, sizeof word, "--%s%s", options[k].name, options[k].argument ? "=" : "");
        ck_assert_msg(offers(text, word) == ((options[k].commands & command->bit) != 0), "%s: %s",
                      command->name, word);
    }
}

TEST(values_are_completed)
{
    ck_assert(offers(offered("poetbnb s", 1), "sweep"));
    ck_assert(!offers(offered("poetbnb s", 1), "info"));
    ck_assert(offers(offered("poetbnb solve --model res", 3), "resnet50"));
    ck_assert(offers(offered("poetbnb solve --model =", 3), "bert"));
    ck_assert(offers(offered("poetbnb solve --model = vgg", 4), "vgg16"));
    ck_assert(!offers(offered("poetbnb solve --model = vgg", 4), "bert"));
    ck_assert(offers(offered("poetbnb solve --trust = r", 4), "rules"));
    ck_assert(offers(offered("poetbnb solve --without = late,mer", 4), "late,merge"));
    ck_assert(offers(offered("poetbnb compare --methods = dtr,poe", 4), "dtr,poetbnb"));
    cli_test_write("a plan.json", "");
    ck_assert(offers(offered("poetbnb check a", 2), "a plan.json"));
    ck_assert(offers(offered("poetbnb solve --graph = a", 4), "a plan.json"));
    ck_assert(!offers(offered("poetbnb solve --gap = a", 4), "a plan.json"));
}
