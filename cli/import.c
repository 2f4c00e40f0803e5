/* poetbnb import: a schedule from another solver's solution of an exported model. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/engine.h"
#include "cli/instance.h"
#include "cli/outcome.h"
#include "cli/report.h"
#include "formulation/formulation.h"
#include "problem/json.h"

/* ---- solution files ------------------------------------------------------------ */

/* Column numbers of m by their names. */
static json_t *index_columns(const lp_model *m)
{
    json_t *index = json_object();
    for (int j = 0; j < m->cols; j++)
        json_object_set_new_nocheck(index, m->col_name[j], json_integer(j));
    return index;
}

/* A text and the place in it. */
typedef struct words {
    char *at;
    long line;
    bool line_ended; /* by the text after the last word */
} words;

/* The next word, ended by a NUL; NULL at the end. */
static char *next_word(words *w)
{
    while (*w->at && strchr(" \t\r\n", *w->at))
        w->line += *w->at++ == '\n';
    if (!*w->at)
        return NULL;
    char *word = w->at;
    w->at += strcspn(w->at, " \t\r\n");
    w->line_ended = *w->at == '\n';
    if (*w->at) {
        w->line += w->line_ended;
        *w->at++ = '\0';
    }
    return word;
}

/* A finite number that is the whole word. */
static bool read_value(const char *word, double *value)
{
    char *end;
    *value = word ? strtod(word, &end) : 0;
    return word && end != word && *end == '\0' && isfinite(*value);
}

/* The objective that a solution file states. */
typedef struct claim {
    bool known;
    double value, unit; /* of its last digit */
} claim;

/* A number, perhaps with more behind it; its last digit's unit in *unit. */
static void read_claimed(const char *word, claim *c)
{
    if (!read_value(word, &c->value))
        return;
    const char *point = strchr(word, '.'), *exponent = strpbrk(word, "eE");
    const size_t digits = point ? strspn(point + 1, "0123456789") : 0;
    c->unit = pow(10, (exponent ? strtod(exponent + 1, NULL) : 0) - (double)digits);
    c->known = true;
}

static bool is_objective(const char *word)
{
    return strcasecmp(word, "objective") == 0 || strcasecmp(word, "objective:") == 0;
}

/* The number on the rest of a line behind the word objective: "Objective 49.7", "Optimal -
 * objective value 49.7", "Objective:  obj = 49.7 (MINimum)", "# Objective value = 49.7". */
static void read_objective(const char *rest, claim *c)
{
    char word[64];
    while (!c->known) {
        rest += strspn(rest, " \t\r");
        const size_t length = strcspn(rest, " \t\r\n");
        if (length == 0 || length >= sizeof word)
            return;
        memcpy(word, rest, length);
        word[length] = '\0';
        rest += length;
        read_claimed(word, c);
    }
}

/* Reads the values behind the names of columns, at any place, into x (extent cols, zeros). HiGHS,
 * CBC, SCIP, Gurobi, MIP starts and `glpsol --output' have the name, at most a star, and the
 * value. If a name comes again (with its dual), the first value counts. The lines before the
 * names may state the objective. 0, or -1 with an error. */
static int read_solution(const char *name, char *text, const lp_model *m, double *x, claim *stated,
                         base_error *error)
{
    json_t *index = index_columns(m);
    bool *seen = base_calloc((size_t)m->cols + 1, sizeof *seen);
    words w = {text, 1, false};
    long found = 0;
    int failed = 0;
    for (char *word; !failed && (word = next_word(&w));) {
        const json_t *number = json_object_get(index, word);
        const json_int_t col = json_integer_value(number);
        if (!number && found == 0 && !w.line_ended && is_objective(word))
            read_objective(w.at, stated);
        if (!number || seen[col])
            continue;
        const long line = w.line;
        char *value = next_word(&w);
        if (value && strcmp(value, "*") == 0)
            value = next_word(&w);
        if (!read_value(value, &x[col]))
            failed = base_fail(error, "%s: line %ld: expected a number behind %s, got '%s'", name,
                               line, word, value ? value : "the end of the file");
        seen[col] = true;
        found++;
    }
    if (!failed && found == 0)
        failed = base_fail(error,
                           "%s: expected names of the model's columns with their values, as in "
                           "'%s 1'; is the model exported with the same options?",
                           name, m->cols > 0 ? m->col_name[0] : "R_t1_n0");
    base_free(seen);
    json_decref(index);
    return failed;
}

/* True if the values cost as much as the file states, in all or beyond computing every node once.
 * The values of another problem with the same names do not. */
static int check_claim(const char *name, const problem *p, const lp_model *m, const double *x,
                       const claim *stated, base_error *error)
{
    const double total = lp_model_objective(m, x), overhead = total - graph_base_joules(p->graph);
    const double off = fmin(fabs(stated->value - total), fabs(stated->value - overhead));
    if (!stated->known || off <= stated->unit + 1e-6 * fabs(total))
        return 0;
    return base_fail(error,
                     "%s: states the objective %.10g, but its values cost %.10g J here, %.10g J of "
                     "overhead; is it the solution of a model exported with the same options?",
                     name, stated->value, total, overhead);
}

/* ---- the command --------------------------------------------------------------- */

static void report(const cli_options *options, const cli_outcome *row)
{
    FILE *text = cli_output_is_standard(options->out) ? stderr : stdout;
    if (options->json) {
        json_t *object = json_object();
        cli_report_measures(object, &row->problem, &row->found);
        cli_json_print(object);
    } else if (!options->quiet) {
        fprintf(text, "%s: every rule holds\n", base_text_shown(cli_input_name(options)).text);
        cli_report_print_measures(text, &row->problem, &row->found);
    }
}

/* Judges the schedule of x, prints its figures and writes it. */
static int import_schedule(const cli_options *options, const problem *p, schedule *s)
{
    base_error error;
    cli_outcome row = cli_outcome_make(p, "imported");
    row.status = "feasible";
    row.schedule = s;
    if (schedule_validate(p, s, &row.found, &error) != 0)
        return cli_fail(CLI_CHECK_FAILED, "%s: the solution is no schedule: %s",
                        cli_input_name(options), error.text);
    if (options->out && cli_outcome_write(options->out, &row) != 0)
        return CLI_BAD_INPUT;
    report(options, &row);
    return CLI_DONE;
}

static int import_solution(const cli_options *options, const problem *p, unsigned features)
{
    base_error error;
    const bool published = strcmp(options->formulation, "published") == 0;
    size_t size;
    char *text = base_file_read(options->file, JSON_FILE_LIMIT, &size, &error);
    if (!text)
        return cli_fail(CLI_BAD_INPUT, "%s", error.text);
    lp_model *m = formulation_export(p, published, false, false, features);
    double *x = base_calloc((size_t)m->cols + 1, sizeof *x);
    int status;
    const char *name = cli_input_name(options);
    claim stated = {.known = false};
    if (read_solution(name, text, m, x, &stated, &error) != 0 ||
        check_claim(name, p, m, x, &stated, &error) != 0) {
        status = cli_fail(CLI_BAD_INPUT, "%s", error.text);
    } else {
        schedule *s = formulation_import(p, published, features, x);
        status = import_schedule(options, p, s);
        schedule_free(s);
    }
    base_free(x);
    lp_model_free(m);
    base_free(text);
    return status;
}

/* A step of cli_guard. */
static int import_step(void *data)
{
    const cli_options *options = data;
    unsigned features;
    base_error error;
    problem p;
    if (cli_output_probe(options->out, &error) != 0)
        return cli_fail(CLI_BAD_INPUT, "--out: %s", error.text);
    graph *g = cli_problem_open(options, NULL, &features, &p);
    const int status = g ? import_solution(options, &p, features) : CLI_BAD_INPUT;
    graph_free(g);
    return status;
}

static int run_import(const cli_options *options)
{
    const base_limits limits = cli_limits(options);
    return cli_guard(&limits, "no schedule is written", import_step, (void *)options);
}

const cli_command cli_command_import = {
    .name = "import",
    .bit = CLI_IMPORT,
    .file = "SOLUTION",
    .summary = "turn another solver's solution into a schedule",
    .help = "Reads the values of columns from SOLUTION: a file written by HiGHS (--solution_file), "
            "CBC (solution), GLPK (--output), SCIP or Gurobi, or a MIP start. The problem, "
            "--formulation, --with and --without must be those of the `export'. Columns that are "
            "not named are 0; cells above 1/2 are 1. If SOLUTION states an objective, it must "
            "equal the cost of its values in this problem; for another platform it does not. The "
            "validator judges "
            "the schedule; --out "
            "writes it.\n\n"
            "Exit status: 0 a schedule, 1 the solution is no schedule, 2 bad input, 5 stopped by a "
            "limit or Ctrl-C.",
    .run = run_import,
};
