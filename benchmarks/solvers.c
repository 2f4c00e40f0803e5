/* Each program's command line for a model, and its answer read from its output or solution file.
 * */
#include "benchmarks/solvers.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- command lines ------------------------------------------------------------------------- */

static void add_limit(bench_command *c, double limit)
{
    bench_command_words(c, "--json --quiet --time-limit-s");
    bench_command_format(c, "%.9g", limit);
}

static void poetbnb_lp(bench_command *c, const char *file, double limit)
{
    bench_command_word(c, "lp");
    bench_command_word(c, file);
    add_limit(c, limit);
}

static void own_read(bench_command *c, const char *file)
{
    bench_command_word(c, "--read");
    bench_command_word(c, file);
}

static void poetbnb_mip(bench_command *c, const char *file, double limit)
{
    bench_command_word(c, "mip");
    bench_command_word(c, file);
    bench_command_words(c, "--threads 1");
    add_limit(c, limit);
}

static void clp_solve(bench_command *c, const char *file, double limit)
{
    bench_command_word(c, file);
    bench_command_format(c, "-seconds");
    bench_command_format(c, "%.0f", ceil(limit));
    bench_command_word(c, "-dualsimplex");
}

static void clp_read(bench_command *c, const char *file)
{
    bench_command_word(c, file);
    bench_command_word(c, "-stop");
}

static void glpk_solve(bench_command *c, const char *file, double limit)
{
    bench_command_words(c, "--dual --tmlim");
    bench_command_format(c, "%.0f", ceil(limit));
    bench_command_word(c, "--write");
    bench_command_format(c, "%s.sol", file);
    bench_command_word(c, "--freemps");
    bench_command_word(c, file);
}

static void glpk_read(bench_command *c, const char *file)
{
    bench_command_words(c, "--check --freemps");
    bench_command_word(c, file);
}

static void cbc_solve(bench_command *c, const char *file, double limit)
{
    bench_command_word(c, file);
    bench_command_word(c, "-sec");
    bench_command_format(c, "%.0f", ceil(limit));
    bench_command_words(c, "-threads 0 -ratio 1e-9 -allow 1e-9 -solve");
}

static void highs_solve(bench_command *c, const char *file, double limit)
{
    bench_command_word(c, "benchmarks/highs.py");
    bench_command_word(c, file);
    bench_command_format(c, "%.9g", limit);
}

/* ---- answers --------------------------------------------------------------------------------- */

static bench_answer no_answer(void)
{
    return (bench_answer){.status = "unknown",
                          .objective = NAN,
                          .bound = NAN,
                          .seconds = NAN,
                          .iterations = -1,
                          .nodes = -1};
}

static void set_status(bench_answer *a, const char *status)
{
    snprintf(a->status, sizeof a->status, "%s", status);
}

static double real_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static long integer_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_integer(value) ? (long)json_integer_value(value) : -1;
}

bench_answer bench_answer_json(const char *output, const char *solution)
{
    (void)solution;
    json_error_t ignored;
    bench_answer a = no_answer();
    json_t *object = json_loads(output, 0, &ignored);
    if (!object)
        return a;
    const char *status = json_string_value(json_object_get(object, "status"));
    set_status(&a, status ? status : "unknown");
    a.objective = real_of(object, "objective");
    a.bound = real_of(object, "bound");
    a.seconds = real_of(object, "seconds");
    a.iterations = integer_of(object, "iterations");
    a.nodes = integer_of(object, "nodes");
    json_decref(object);
    return a;
}

/* The number behind the last occurrence of the label; NAN without one. */
static double number_after(const char *text, const char *label)
{
    const char *last = NULL;
    for (const char *at = text; (at = strstr(at, label)); at++)
        last = at + strlen(label);
    char *end;
    double value = last ? strtod(last, &end) : NAN;
    return last && end != last ? value : NAN;
}

static long count_after(const char *text, const char *label)
{
    const double value = number_after(text, label);
    return isfinite(value) ? (long)value : -1;
}

/* The largest count before ` Obj ' in CLP's log: `25536  Obj 13.235828 Primal inf ..'; -1: none. */
static long clp_logged_iterations(const char *output)
{
    long largest = -1;
    for (const char *line = output; *line;) {
        const char *next = strchr(line, '\n');
        char *end;
        const long count = strtol(line, &end, 10);
        if (end != line && strncmp(end, "  Obj ", 6) == 0 && count > largest)
            largest = count;
        line = next ? next + 1 : "";
    }
    return largest;
}

/* Optimal objective 49.74414425 - 4211 iterations time 1.082, Presolve 0.19. Where a limit stopped
 * it before the model was as it had been before presolve, the last line counts from there on. */
bench_answer bench_answer_clp(const char *output, const char *solution)
{
    (void)solution;
    bench_answer a = no_answer();
    static const struct {
        const char *line, *status;
    } endings[] = {{"\nOptimal objective ", "optimal"},
                   {"\nPrimalInfeasible objective ", "infeasible"},
                   {"\nDualInfeasible objective ", "unbounded"},
                   {"\nStopped objective ", "time limit"}};
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
        const char *at = strstr(output, endings[k].line);
        if (!at)
            continue;
        set_status(&a, endings[k].status);
        a.objective = number_after(at, endings[k].line);
        at = strstr(at, " - ");
        a.iterations = at ? count_after(at, " - ") : -1;
        a.seconds = at ? number_after(at, "iterations time ") : NAN;
    }
    if (strcmp(a.status, "unknown") == 0 && strstr(output, "infeasible"))
        set_status(&a, "infeasible"); /* found by its presolve */
    if (strcmp(a.status, "time limit") == 0)
        a.iterations = (long)fmax((double)a.iterations, (double)clp_logged_iterations(output));
    if (strcmp(a.status, "optimal") != 0)
        a.objective = NAN;
    return a;
}

/* Iterations stand in the log, `#  3675: obj = ...' or without the mark, the objective with all its
 * digits in the solution file: `s bas ROWS COLUMNS f f OBJECTIVE'. */
bench_answer bench_answer_glpk(const char *output, const char *solution)
{
    bench_answer a = no_answer();
    for (const char *line = output; *line;) {
        const char *at = line + strspn(line, "#* "), *next = strchr(line, '\n');
        char *end;
        const long count = strtol(at, &end, 10);
        if (end != at && *end == ':')
            a.iterations = count;
        line = next ? next + 1 : "";
    }
    char primal = 'u', dual = 'u';
    const char *at = strstr(solution, "s bas ");
    if (at && sscanf(at, "s bas %*d %*d %c %c %lf", &primal, &dual, &a.objective) != 3)
        primal = 'u';
    if (primal == 'f' && dual == 'f')
        set_status(&a, "optimal");
    else if (primal == 'n' || strstr(output, "NO PRIMAL FEASIBLE SOLUTION") ||
             strstr(output, "NO FEASIBLE SOLUTION"))
        set_status(&a, "infeasible");
    else if (strstr(output, "TIME LIMIT EXCEEDED"))
        set_status(&a, "time limit");
    if (strcmp(a.status, "optimal") != 0)
        a.objective = NAN;
    return a;
}

/* The summary begins with a line like `Result - Optimal solution found'. */
bench_answer bench_answer_cbc(const char *output, const char *solution)
{
    (void)solution;
    bench_answer a = no_answer();
    const char *result = strstr(output, "\nResult - ");
    if (!result) {
        if (strstr(output, "infeasible"))
            set_status(&a, "infeasible");
        return a;
    }
    const bool limited = strncmp(result, "\nResult - Stopped", 17) == 0;
    if (strncmp(result, "\nResult - Optimal solution found", 32) == 0)
        set_status(&a, "optimal");
    else if (strstr(result, "infeasible"))
        set_status(&a, "infeasible");
    else if (limited)
        set_status(&a, "time limit");
    a.objective = number_after(result, "Objective value:");
    a.bound = limited ? number_after(result, "Lower bound:") : a.objective;
    if (limited && strstr(result, "No feasible solution found"))
        a.objective = NAN;
    a.seconds = number_after(result, "\nTime (CPU seconds):");
    a.iterations = count_after(result, "Total iterations:");
    a.nodes = count_after(result, "Enumerated nodes:");
    return a;
}

/* ---- the table ------------------------------------------------------------------------------- */

static const char self[] = "/proc/self/exe"; /* bench-lp */

static const bench_solver solvers[] = {
    {"poetbnb", NULL, self, true, poetbnb_lp, own_read, bench_answer_json},
    {"clp", "clp", NULL, true, clp_solve, clp_read, bench_answer_clp},
    {"glpk", "glpsol", NULL, true, glpk_solve, glpk_read, bench_answer_glpk},
    {"mip", NULL, self, false, poetbnb_mip, own_read, bench_answer_json},
    {"cbc", "cbc", NULL, false, cbc_solve, NULL, bench_answer_cbc},
    {"highs", "/usr/bin/python3", NULL, false, highs_solve, NULL, bench_answer_json},
};

const bench_solver *bench_solver_find(const char *name)
{
    for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++)
        if (strcmp(solvers[k].name, name) == 0)
            return &solvers[k];
    return NULL;
}

bool bench_solver_installed(const bench_solver *solver)
{
    char command[200];
    if (!solver->program)
        return true;
    if (strcmp(solver->name, "highs") == 0)
        snprintf(command, sizeof command, "%s -c 'from scipy.optimize import milp' 2>/dev/null",
                 solver->program);
    else
        snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", solver->program);
    return system(command) == 0;
}
