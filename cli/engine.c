/* Opening a model within limits, and printing or writing an answer, for `lp` and `mip` alike. */
#include "cli/engine.h"

#include <inttypes.h>

#include "cli/cli.h"
#include "cli/parameters.h"
#include "cli/report.h"
#include "lp/safe.h"
#include "lp/simplex.h"

base_limits cli_limits(const cli_options *options)
{
    const size_t bytes = options->memory_limit < INT64_MAX ? (size_t)options->memory_limit : 0;
    return base_limits_make(options->time_limit, bytes, cli_interrupt());
}

/* A step of cli_guard, and the status that it returned. */
typedef struct guarded {
    int (*step)(void *context);
    void *context;
    int status;
} guarded;

static void run_guarded(void *data)
{
    guarded *g = data;
    g->status = g->step(g->context);
}

int cli_guard(const base_limits *limits, const char *what, int (*step)(void *), void *context)
{
    guarded g = {step, context, CLI_DONE};
    const base_stop why = base_try(limits, run_guarded, &g);
    if (why != BASE_GO)
        return cli_fail(CLI_LIMIT_NOTHING, "%s: stopped by the %s", what, base_stop_name(why));
    return g.status < 0 ? CLI_BAD_INPUT : g.status;
}

/* The answer when a limit ended the reading: of a model without rows and columns. */
static void show_stopped(const cli_options *options, cli_engine *engine, base_stop stop)
{
    cli_answer answer = {
        .status = lp_status_name(lp_limit_status(stop)), .objective = NAN, .bound = NAN};
    engine->model = lp_model_create();
    cli_engine_print(options, engine, &answer);
}

typedef struct reading {
    const char *path;
    lp_model *model;
    base_error error;
} reading;

static void read_step(void *data)
{
    reading *r = data;
    r->model = lp_model_read(r->path, &r->error);
}

int cli_engine_open(const cli_options *options, cli_engine *engine)
{
    base_error error;
    *engine = (cli_engine){.started = base_seconds(), .limits = cli_limits(options)};
    if (cli_output_probe(options->solution, &error) != 0)
        return cli_fail(CLI_BAD_INPUT, "%s", error.text);
    engine->solution = options->solution;
    reading r = {.path = options->file};
    const base_stop why = base_try(&engine->limits, read_step, &r);
    if (why == BASE_GO && r.model) {
        engine->model = r.model;
        return 0;
    }
    if (why != BASE_GO) {
        show_stopped(options, engine, why);
        base_fail(&r.error, "%s: reading ended at the %s", r.path, base_stop_name(why));
    }
    cli_engine_close(engine);
    return cli_fail(why == BASE_GO ? CLI_BAD_INPUT : CLI_LIMIT_NOTHING, "%s", r.error.text);
}

/* The farthest double from a side within its room; of a huge one that is itself. */
static double widened_side(double side, double direction)
{
    if (!isfinite(side))
        return side;
    const double room = lp_side_room(side, CLI_WIDER), moved = side + direction * room;
    return fabs(moved - side) > lp_side_room(side, CLI_ROOM) ? nextafter(moved, side) : moved;
}

static void widen_bounds(double *lower, double *upper)
{
    *lower = widened_side(*lower, -1.0);
    *upper = widened_side(*upper, 1.0);
}

void cli_engine_widen(cli_engine *engine)
{
    engine->narrow = engine->model;
    engine->model = lp_model_copy(engine->narrow);
    lp_model *m = engine->model;
    for (int r = 0; r < m->rows; r++)
        widen_bounds(&m->row_lower[r], &m->row_upper[r]);
    for (int j = 0; j < m->cols; j++)
        if (!m->integer[j])
            widen_bounds(&m->lower[j], &m->upper[j]);
}

void cli_engine_narrow(cli_engine *engine)
{
    lp_model_free(engine->model);
    engine->model = engine->narrow;
    engine->narrow = NULL;
}

double cli_engine_room(const cli_engine *engine)
{
    return engine->narrow ? CLI_ROOM - CLI_WIDER : CLI_ROOM;
}

double cli_engine_miss(const cli_engine *engine, const double *x, int *missed)
{
    return lp_largest_miss(engine->narrow ? engine->narrow : engine->model, x, CLI_ROOM, missed);
}

void cli_engine_close(cli_engine *engine)
{
    lp_model_free(engine->model);
    lp_model_free(engine->narrow);
    *engine = (cli_engine){0};
}

/* + 0.0 turns -0 into 0 */
double cli_engine_shown(const cli_engine *engine, double value)
{
    return (engine->model->maximize ? -value : value) + 0.0;
}

static void print_json(const cli_options *options, const cli_engine *engine,
                       const cli_answer *answer, double seconds)
{
    const lp_model *m = engine->model;
    json_t *object = json_pack(
        "{s:s, s:o, s:o, s:b, s:b, s:I, s:I, s:f, s:i, s:i, s:b, s:o}", "status", answer->status,
        "objective", cli_json_real(cli_engine_shown(engine, answer->objective)), "bound",
        cli_json_real(cli_engine_shown(engine, answer->bound)), "proven", answer->proven, "widened",
        engine->narrow != NULL, "iterations", (json_int_t)answer->iterations, "nodes",
        (json_int_t)answer->nodes, "seconds", seconds, "rows", m->rows, "columns", m->cols,
        "maximize", m->maximize, "parameters", cli_parameters_changed_json(&options->tuning));
    if (answer->more) {
        json_object_update(object, answer->more);
        json_decref(answer->more);
    }
    cli_json_print(object);
}

/* The name of a column or row, or its letter and number where the file gave none. */
static base_shown name_of(char *const *names, char letter, int number)
{
    base_shown name;
    if (names)
        return base_text_shown(names[number]);
    snprintf(name.text, sizeof name.text, "%c%d", letter, number);
    return name;
}

static void print_missed(const lp_model *m, const cli_answer *answer)
{
    const bool is_row = answer->missed >= m->cols;
    const base_shown name = is_row ? name_of(m->row_name, 'R', answer->missed - m->cols)
                                   : name_of(m->col_name, 'C', answer->missed);
    printf("Missed     %s %s by %.3g times what counts as met\n", is_row ? "row" : "column",
           name.text, answer->miss);
}

/* Remarks on an answer beside its figures. */
static void print_remarks(const cli_engine *engine, const cli_answer *answer)
{
    if (engine->narrow && isfinite(answer->objective))
        printf("Widened    no point was found that meets all rows and bounds exactly: each may be "
               "violated by 1e-6\n");
    if (answer->miss > 1.0)
        print_missed(engine->model, answer);
    if (answer->proven || answer->stopped || answer->miss > 1.0)
        return;
    const int open = lp_open_column(engine->model);
    if (open < 0)
        printf("Unproven   rounding errors are too large for a proof\n");
    else
        printf("Unproven   column %s has an infinite bound, and no row implies a finite one\n",
               name_of(engine->model->col_name, 'C', open).text);
}

void cli_engine_print(const cli_options *options, const cli_engine *engine,
                      const cli_answer *answer)
{
    double seconds = base_seconds() - engine->started;
    if (options->json) {
        print_json(options, engine, answer, seconds);
        return;
    }
    const lp_model *model = engine->model;
    printf("Model      %s: %s, %s, %s, %s\n", base_text_shown(options->file).text,
           base_text_counted(model->rows, "row").text,
           base_text_counted(model->cols, "column").text,
           base_text_counted(model->start[model->cols], "entry").text,
           model->maximize ? "maximise" : "minimise");
    printf("Status     %s\n", answer->status);
    if (isfinite(answer->objective))
        printf("Objective  %.12g\n", cli_engine_shown(engine, answer->objective));
    if (isfinite(answer->bound) && (answer->with_nodes || !isfinite(answer->objective)))
        printf("Bound      %.12g\n", cli_engine_shown(engine, answer->bound));
    print_remarks(engine, answer);
    if (answer->with_nodes)
        printf("Work       %s, %s, %.2f s\n", base_text_counted(answer->nodes, "node").text,
               base_text_counted(answer->iterations, "iteration").text, seconds);
    else
        printf("Work       %s, %.2f s\n", base_text_counted(answer->iterations, "iteration").text,
               seconds);
}

/* A line for each column or row: its name, its value and, where there is one, its dual figure. */
static void write_list(FILE *stream, const cli_engine *engine, char *const *names, char letter,
                       int count, const double *value, const double *dual)
{
    for (int k = 0; k < count; k++) {
        if (names)
            fputs(names[k], stream);
        else
            fprintf(stream, "%c%d", letter, k);
        fprintf(stream, " %.17g", value[k]);
        if (dual)
            fprintf(stream, " %.17g", cli_engine_shown(engine, dual[k]));
        fputc('\n', stream);
    }
}

int cli_engine_write(const cli_engine *engine, const cli_answer *answer, const double *x,
                     const double *reduced_cost, const double *activity, const double *dual)
{
    if (!engine->solution)
        return 0;
    base_error error;
    base_output *out = base_output_open(engine->solution, &error);
    if (!out)
        return cli_fail(CLI_BAD_INPUT, "%s", error.text);
    FILE *stream = base_output_stream(out);
    const lp_model *m = engine->model;
    fprintf(stream, "status %s\nobjective %.17g\ncolumns %d\n", answer->status,
            cli_engine_shown(engine, answer->objective), m->cols);
    write_list(stream, engine, m->col_name, 'C', m->cols, x, reduced_cost);
    if (activity) {
        fprintf(stream, "rows %d\n", m->rows);
        write_list(stream, engine, m->row_name, 'R', m->rows, activity, dual);
    }
    if (base_output_commit(out, &error) != 0)
        return cli_fail(CLI_BAD_INPUT, "%s", error.text);
    return 0;
}
