/* The manual page: a section on every command, then every option once, with the commands that take
 * it. */
#include "cli/manual.h"

#include <string.h>

#include "cli/commands.h"

/* Writes a text for roff: no character of it becomes a request or an escape. Quotes as in `this'
 * become quotes of the page, an empty line begins a paragraph. */
static void print_text(FILE *out, const char *text)
{
    bool line_begins = true;
    for (const char *at = text; *at; at++) {
        if (line_begins && (*at == '.' || *at == '\''))
            fputs("\\&", out);
        if (*at == '\n') {
            if (!line_begins)
                fputc('\n', out);
            if (at[1] == '\n')
                fputs(".PP\n", out);
            line_begins = true;
            continue;
        }
        line_begins = false;
        switch (*at) {
        case '\\':
            fputs("\\e", out);
            break;
        case '-':
            fputs("\\-", out);
            break;
        case '`':
            fputs("\\(oq", out);
            break;
        case '\'':
            fputs("\\(cq", out);
            break;
        default:
            fputc(*at, out);
        }
    }
    if (!line_begins)
        fputc('\n', out);
}

static void print_command(FILE *out, const cli_command *command)
{
    fprintf(out, ".SS poetbnb %s [OPTION...]%s%s\n", command->name, command->file ? " " : "",
            command->file ? command->file : "");
    print_text(out, command->summary);
    fputs(".PP\n", out);
    print_text(out, command->help);
}

/* The names of the commands in the set. */
static void print_takers(FILE *out, unsigned commands)
{
    const char *between = "(";
    for (int c = 0; c < cli_command_count; c++)
        if (cli_commands[c]->bit & commands) {
            fprintf(out, "%s%s", between, cli_commands[c]->name);
            between = ", ";
        }
    fputs(")\n", out);
}

typedef struct page {
    FILE *out;
    const char *heading; /* the last one */
} page;

static void print_option(const cli_option_shown *option, void *context)
{
    page *p = context;
    if (p->heading != option->heading) {
        p->heading = option->heading;
        fprintf(p->out, ".SS %.*s\n", (int)strcspn(option->heading, ":"), option->heading);
    }
    const char *names[] = {option->name, option->alias};
    fputs(".TP\n", p->out);
    for (int k = 0; k < 2 && names[k]; k++) {
        char text[256];
        snprintf(text, sizeof text, "%s--%s%s%s", k > 0 ? ", " : "", names[k],
                 option->argument ? "=" : "", option->argument ? option->argument : "");
        fputs(k > 0 ? "\\c\n.B " : ".B ", p->out);
        print_text(p->out, text);
    }
    print_text(p->out, option->help);
    print_takers(p->out, option->commands);
}

void cli_manual_print(FILE *out)
{
    fprintf(out, ".TH POETBNB 1 \"\" \"poetbnb %s\"\n.SH NAME\npoetbnb \\- ", BASE_VERSION);
    fputs("schedules of least energy for training neural networks in little memory\n"
          ".SH SYNOPSIS\n.B poetbnb\n.I COMMAND\n[OPTION...] [FILE]\n.SH DESCRIPTION\n",
          out);
    print_text(out,
               "Decides which activations of a training step are kept, computed again, or paged "
               "out to secondary storage, so that the step fits into a memory budget at the "
               "least energy, and proves that no schedule needs less.");
    fputs(".SH COMMANDS\n", out);
    for (int c = 0; c < cli_command_count; c++)
        print_command(out, cli_commands[c]);
    fputs(
        ".SH OPTIONS\nIn brackets: the commands that take an option. All take\n.B \\-\\-help\nand\n"
        ".BR \\-\\-version .\n",
        out);
    page p = {out, NULL};
    cli_options_each(print_option, &p);
    fputs(".SH EXIT STATUS\n", out);
    print_text(out, cli_exit_text);
    fputs(".SH SEE ALSO\n", out);
    print_text(out, "README.md and docs/ in the folder of documents, for the formats of files, the "
                    "models and their proofs.");
}
