/* bench-lp: the dual simplex of poetbnb beside CLP's and GLPK's on the linear relaxations of the
 * models.
 *
 *     bench-lp [OPTION...] PROGRAM FOLDER [NAME...]
 *
 * Every program gets one processor, the same for all, and they take turns: each round runs all of
 * them, every other round in the opposite order. The time of a solve is the processor time of the
 * process less that of one which only reads the file. */
#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "benchmarks/arguments.h"
#include "benchmarks/lp_cases.h"
#include "benchmarks/sheet.h"
#include "benchmarks/solvers.h"
#include "benchmarks/statistics.h"
#include "benchmarks/store.h"

enum { MOST_ROUNDS = 9, MOST_CODES = 4 };

static const char standard_codes[] = "poetbnb,clp,glpk";
static const double shift = 0.01; /* seconds, of the geometric means */

typedef struct arguments {
    bench_arguments common;
    const char *codes, *read;
    bench_unit unit;
    double limit, glpk_limit, case_seconds;
    int rounds;
    bool list;
} arguments;

/* ---- measuring ------------------------------------------------------------------------------- */

/* One program on the case under way. */
typedef struct code {
    const bench_solver *solver;
    bench_answer answer;
    double read, limit;
    double solve[MOST_ROUNDS];
    int rounds;
    bool cut_off;
} code;

typedef struct bench {
    const arguments *a;
    bench_store store;
    const bench_solver *solver[MOST_CODES];
    int codes;
    const base_flag *interrupt;
} bench;

static char *read_text(const char *path)
{
    base_error ignored;
    size_t size;
    char *text = base_file_read(path, (size_t)1 << 30, &size, &ignored);
    return text ? text : base_strdup("");
}

/* What this program does as a process of its own for a solver that has no command to read with. */
static int only_read(const char *path)
{
    base_error error;
    lp_model *m = lp_model_read(path, &error);
    if (!m)
        fprintf(stderr, "bench-lp: %s\n", error.text);
    lp_model_free(m);
    return m ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Runs the solver on the file, or only lets it read; the answer
 * goes to *answer unless NULL. */
static bench_usage run(const bench *b, const bench_solver *solver, const char *file, double limit,
                       bench_answer *answer)
{
    char out[STORE_PATH + 8], err[STORE_PATH + 8], sol[STORE_PATH + 8];
    bench_command c = {0};
    snprintf(out, sizeof out, "%s.out", file);
    snprintf(err, sizeof err, "%s.err", file);
    snprintf(sol, sizeof sol, "%s.sol", file);
    const char *program = solver->program ? solver->program : b->a->common.program;
    bench_command_word(&c, answer || !solver->reader ? program : solver->reader);
    if (answer)
        solver->solve(&c, file, limit);
    else
        solver->read(&c, file);
    bench_usage usage = bench_process_run(&c, out, err, 2 * limit + 120, b->interrupt);
    if (answer) {
        char *output = read_text(out), *solution = read_text(sol);
        *answer = solver->answer(output, solution);
        base_free(output);
        base_free(solution);
    }
    unlink(out);
    unlink(err);
    unlink(sol);
    bench_command_clear(&c);
    return usage;
}

static void measure(const bench *b, code *c, const char *file)
{
    bench_usage usage = run(b, c->solver, file, c->limit, &c->answer);
    c->solve[c->rounds++] = fmax(usage.cpu_seconds - c->read, 0);
    c->cut_off = usage.killed || strcmp(c->answer.status, "time limit") == 0;
}

/* Rounds until there are enough, or the case has taken its time. A program that a limit cut off
 * once is not asked again. */
static void take_turns(const bench *b, code *codes, const char *file)
{
    const double started = base_seconds();
    for (int k = 0; k < b->codes; k++)
        codes[k].read = run(b, codes[k].solver, file, codes[k].limit, NULL).cpu_seconds;
    for (int round = 0; round < b->a->rounds; round++) {
        if (round > 0 && base_seconds() - started > b->a->case_seconds)
            break;
        for (int k = 0; k < b->codes && !*b->interrupt; k++) {
            code *c = &codes[round % 2 ? b->codes - 1 - k : k];
            if (!c->cut_off)
                measure(b, c, file);
        }
    }
}

static json_t *real_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *code_json(code *c)
{
    json_t *times = json_array();
    for (int k = 0; k < c->rounds; k++)
        json_array_append_new(times, json_real(c->solve[k]));
    return json_pack("{s:s, s:o, s:I, s:f, s:f, s:o, s:b}", "status", c->answer.status, "objective",
                     real_or_null(c->answer.objective), "iterations",
                     (json_int_t)c->answer.iterations, "read_seconds", c->read, "seconds",
                     bench_median(c->solve, c->rounds), "all_seconds", times, "cut_off",
                     (int)c->cut_off);
}

static json_t *result_json(const bench *b, code *codes, const lp_model *m)
{
    bool cut_off = false;
    json_t *answers = json_object();
    for (int k = 0; k < b->codes; k++) {
        json_object_set_new(answers, codes[k].solver->name, code_json(&codes[k]));
        cut_off = cut_off || (codes[k].cut_off && strcmp(codes[k].solver->name, "glpk") != 0);
    }
    return json_pack("{s:f, s:i, s:i, s:i, s:i, s:o}", "limit", b->a->limit, "exit",
                     cut_off ? 4 : 0, "rows", m->rows, "columns", m->cols, "entries",
                     m->start[m->cols], "codes", answers);
}

/* "", or what tells apart runs with other units or programs. */
static void label(const arguments *a, char text[128])
{
    const bool usual = strcmp(a->codes, standard_codes) == 0;
    snprintf(text, 128, "%s%s%s", a->unit == UNIT_OVERHEAD ? "-overhead" : "", usual ? "" : "-",
             usual ? "" : a->codes);
    for (char *at = text; *at; at++)
        if (*at == ',')
            *at = '-';
}

static void result_name(const arguments *a, const lp_case *c, char name[256])
{
    char further[128];
    label(a, further);
    snprintf(name, 256, "lp-%s%s", c->name, further);
}

static int run_case(const bench *b, const lp_case *c, base_error *error)
{
    char name[256], file[STORE_PATH];
    graph *g;
    problem p = lp_case_problem(c, &g);
    lp_model *m = bench_model_make(&p, c->form, b->a->unit, true);
    code codes[MOST_CODES] = {{0}};
    for (int k = 0; k < b->codes; k++) {
        codes[k].solver = b->solver[k];
        codes[k].limit = strcmp(b->solver[k]->name, "glpk") == 0 ? b->a->glpk_limit : b->a->limit;
    }
    result_name(b->a, c, name);
    bench_store_named_path(&b->store, name, "mps", file);
    int failed = lp_model_write(m, file, error);
    if (!failed)
        take_turns(b, codes, file);
    if (!failed && !*b->interrupt)
        failed = bench_store_save_named(&b->store, name, result_json(b, codes, m), error);
    unlink(file);
    lp_model_free(m);
    graph_free(g);
    return failed;
}

/* ---- the table ------------------------------------------------------------------------------- */

typedef struct pair {
    double ours[LP_CASES], other[LP_CASES], worst;
    int count;
    const char *worst_case;
} pair;

static double real_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static bool is_solved(const json_t *one)
{
    const char *status = json_string_value(json_object_get(one, "status"));
    return status && (strcmp(status, "optimal") == 0 || strcmp(status, "infeasible") == 0);
}

/* Ratio of our time to the other's, for the row; both solved: also for the mean. */
static double compare(const lp_case *c, const json_t *ours, const json_t *other, pair *sums)
{
    const double mine = real_of(ours, "seconds"), theirs = real_of(other, "seconds");
    if (!is_solved(ours) || !is_solved(other))
        return NAN;
    sums->ours[sums->count] = mine;
    sums->other[sums->count++] = theirs;
    const double ratio = fmax(mine, 1e-3) / fmax(theirs, 1e-3);
    if (!(ratio <= sums->worst)) {
        sums->worst = ratio;
        sums->worst_case = c->name;
    }
    return ratio;
}

/* Relative difference of the overheads that two objectives stand for. */
static double difference(const arguments *a, const problem *p, const json_t *x, const json_t *y)
{
    const double u = bench_model_overhead(p, a->unit, real_of(x, "objective"));
    const double v = bench_model_overhead(p, a->unit, real_of(y, "objective"));
    return fabs(u - v) / fmax(fmax(fabs(u), fabs(v)), 1e-6);
}

static void write_row(const bench *b, const lp_case *c, const json_t *result, bench_sheet *s,
                      pair sums[MOST_CODES])
{
    graph *g;
    problem p = lp_case_problem(c, &g);
    const json_t *codes = json_object_get(result, "codes");
    const json_t *ours = json_object_get(codes, b->solver[0]->name);
    const double objective = real_of(ours, "objective");
    for (int k = 0; k < b->codes; k++) {
        const json_t *one = json_object_get(codes, b->solver[k]->name);
        if (!one)
            continue;
        const double iterations = real_of(one, "iterations"), seconds = real_of(one, "seconds");
        const double other = real_of(one, "objective");
        bench_sheet_row(
            s, "%s|%lld|%lld|%lld|%s|%s|%s|%.3f|%.3f|%.0f|%s|%s|%s|%s", c->name,
            (long long)json_integer_value(json_object_get(result, "rows")),
            (long long)json_integer_value(json_object_get(result, "columns")),
            (long long)json_integer_value(json_object_get(result, "entries")), b->solver[k]->name,
            json_string_value(json_object_get(one, "status")),
            bench_number_text(bench_model_overhead(&p, b->a->unit, other), 10).text, seconds,
            real_of(one, "read_seconds"), iterations,
            bench_number_text(iterations > 0 ? 1e3 * seconds / iterations : NAN, 4).text,
            bench_number_text(k > 0 ? compare(c, ours, one, &sums[k]) : NAN, 4).text,
            bench_number_text(k > 0 ? fabs(other - objective) / fabs(objective) : NAN, 2).text,
            bench_number_text(k > 0 ? difference(b->a, &p, ours, one) : NAN, 2).text);
    }
    graph_free(g);
}

static void write_means(const bench *b, bench_sheet *s, const pair sums[MOST_CODES])
{
    for (int k = 1; k < b->codes; k++) {
        const pair *q = &sums[k];
        const double ours = bench_shifted_mean(q->ours, q->count, shift);
        const double other = bench_shifted_mean(q->other, q->count, shift);
        bench_sheet_text(s,
                         "%s beside %s on the %d that both solve: shifted geometric means %s s and "
                         "%s s (shift %g s), ratio %s; the worst ratio is %s (%s).",
                         b->solver[0]->name, b->solver[k]->name, q->count,
                         bench_number_text(ours, 4).text, bench_number_text(other, 4).text, shift,
                         bench_number_text(ours / other, 4).text,
                         bench_number_text(q->count ? q->worst : NAN, 4).text,
                         q->worst_case ? q->worst_case : "none");
    }
}

/* A table of every case that has a result. */
static int write_table(const bench *b, const lp_case *cases, base_error *error)
{
    bench_sheet s;
    pair sums[MOST_CODES] = {{.worst = 0}};
    char file[160] = "table";
    label(b->a, file + strlen(file));
    if (bench_sheet_open(&s, b->a->common.folder, file, "Linear relaxations, one processor", error))
        return -1;
    bench_sheet_heading(&s, "model|rows|columns|entries|program|status|overhead (base/10000)|"
                            "seconds|reading|iterations|ms per iteration|poetbnb's time to its|"
                            "difference of objective|of overhead");
    for (int k = 0; k < LP_CASES; k++) {
        char name[256];
        result_name(b->a, &cases[k], name);
        json_t *result = bench_store_load_named(&b->store, name, 0);
        if (result)
            write_row(b, &cases[k], result, &s, sums);
        json_decref(result);
    }
    write_means(b, &s, sums);
    bench_sheet_text(&s,
                     "Seconds of one processor without reading the file, the median of up to %d "
                     "rounds; limits %g s, glpk %g s. Objectives are %s. Differences are "
                     "relative, to %s's.",
                     b->a->rounds, b->a->limit, b->a->glpk_limit,
                     b->a->unit == UNIT_JOULES
                         ? "joules, as exported: where costs are 1e-8 J the absolute tolerances of "
                           "clp and glpk end their work early"
                         : "overheads in base/10000",
                     b->solver[0]->name);
    return bench_sheet_close(&s, error);
}

/* ---- the command line ------------------------------------------------------------------------ */

static const struct argp_option options[] = {
    {"units", 'u', "joules|overhead", 0,
     "of the costs: as exported, or the overhead in base/10000 (default: joules)", 0},
    {"codes", 'c', "NAME,...", 0, "programs, poetbnb first (default: poetbnb,clp,glpk)", 0},
    {"rounds", 'r', "N", 0, "runs of each program on a case (default: 5)", 0},
    {"case-seconds", 's', "S", 0, "no further round after this time on a case (default: 20)", 0},
    {"time-limit", 'l', "S", 0, "of one solve (default: 120)", 0},
    {"glpk-limit", 'g', "S", 0, "... of glpk (default: 10)", 0},
    {"list", 'n', NULL, 0, "only print the names of the cases", 0},
    {"read", 'x', "FILE", 0, "only read a model, as poetbnb does: what reading takes", 0},
    {0}};

static const struct argp_child children[] = {{&bench_arguments_argp, 0, NULL, 0}, {0}};

static error_t parse(int key, char *text, struct argp_state *state)
{
    arguments *a = state->input;
    switch (key) {
    case 'u':
        if (strcmp(text, "joules") != 0 && strcmp(text, "overhead") != 0)
            argp_error(state, "--units: expected joules or overhead, got '%s'", text);
        a->unit = strcmp(text, "joules") == 0 ? UNIT_JOULES : UNIT_OVERHEAD;
        return 0;
    case 'c':
        a->codes = text;
        return 0;
    case 'r':
        a->rounds = (int)fmin(fmax(bench_parse_number(state, text), 1), MOST_ROUNDS);
        return 0;
    case 's':
        a->case_seconds = bench_parse_number(state, text);
        return 0;
    case 'l':
        a->limit = bench_parse_number(state, text);
        return 0;
    case 'g':
        a->glpk_limit = bench_parse_number(state, text);
        return 0;
    case 'n':
        a->list = a->common.alone = true;
        return 0;
    case 'x':
        a->read = text;
        a->common.alone = true;
        return 0;
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &a->common;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* The programs of the list; one that is not installed is left out, with a word. */
static int choose_codes(bench *b, base_error *error)
{
    char *copy = base_strdup(b->a->codes), *rest;
    int failed = 0;
    for (char *word = strtok_r(copy, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
        const bench_solver *solver = bench_solver_find(word);
        if (!solver || !solver->linear || b->codes == MOST_CODES)
            failed = base_fail(error,
                               "--codes: expected names of poetbnb, clp and glpk, "
                               "got '%s'",
                               word);
        else if (bench_solver_installed(solver))
            b->solver[b->codes++] = solver;
        else
            fprintf(stderr, "bench-lp: %s is not installed\n", word);
    }
    base_free(copy);
    return failed;
}

static int run_all(const bench *b, const lp_case *cases, base_error *error)
{
    const double started = base_seconds();
    for (int k = 0; k < LP_CASES && !*b->interrupt; k++) {
        char name[256];
        result_name(b->a, &cases[k], name);
        json_t *done = bench_store_load_named(&b->store, name, b->a->limit);
        json_decref(done);
        if (done || !lp_case_wanted(&cases[k], b->a->common.names))
            continue;
        if (bench_time_over(&b->a->common, started)) {
            fprintf(stderr, "bench-lp: the time is over before %s\n", cases[k].name);
            break;
        }
        fprintf(stderr, "%s\n", cases[k].name);
        if (run_case(b, &cases[k], error))
            return -1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    arguments a = {.codes = standard_codes,
                   .rounds = 5,
                   .case_seconds = 20,
                   .limit = 120,
                   .glpk_limit = 10,
                   .common = bench_arguments_default()};
    const struct argp argp = {.options = options,
                              .parser = parse,
                              .children = children,
                              .args_doc = "PROGRAM FOLDER [NAME...]",
                              .doc = "Times poetbnb, CLP and GLPK in turn on linear relaxations. "
                                     "NAMEs choose the cases whose names contain one of them. "
                                     "Results that are there are kept."};
    base_error error;
    lp_case cases[LP_CASES];
    argp_parse(&argp, argc, argv, 0, NULL, &a);
    if (a.read)
        return only_read(a.read);
    lp_cases_list(cases);
    if (a.list) {
        for (int k = 0; k < LP_CASES; k++)
            printf("%s\n", cases[k].name);
        return EXIT_SUCCESS;
    }
    bench b = {.a = &a, .interrupt = bench_interrupt_catch()};
    bench_process_pin(a.common.processor);
    int failed = lp_cases_check(cases, a.common.names, &error) || choose_codes(&b, &error) ||
                 bench_store_open(a.common.program, a.common.folder, &b.store, &error) ||
                 run_all(&b, cases, &error) || write_table(&b, cases, &error);
    if (failed)
        fprintf(stderr, "bench-lp: %s\n", error.text);
    return failed ? EXIT_FAILURE : *b.interrupt ? 130 : EXIT_SUCCESS;
}
