/* Lets a reader judge one input: it refuses with an error that names the file, or what it read
 * is written and read again. */
#include <stdlib.h>
#include <string.h>

#include "base/gzip.h"
#include "certificate/verify.h"
#include "lp/io/file.h"
#include "plan/plan.h"
#include "problem/json.h"
#include "tests/lp/compare.h"
#include "tests/oracle/oracle.h"
#include "tests/plan/support.h"
#include "tests/problem/stated.h"
#include "tests/readers/readers.h"

static const char name[] = "input";

const char *reader_name(reader_kind kind)
{
    static const char *const names[READERS] = {
        "graph", "platform", "schedule", "plan-json", "plan", "mps", "lp", "certificate", "gzip"};
    return names[kind];
}

/* A refusal names the input. */
static const char *refused(const base_error *error)
{
    return strncmp(error->text, name, sizeof name - 1) == 0 ? NULL : "an error without the name";
}

/* ---- what is written and read again -------------------------------------------------- */

/* A stream into memory, and what was written to it. */
typedef struct memory_file {
    FILE *stream;
    char *text;
    size_t size;
} memory_file;

static void memory_open(memory_file *file)
{
    *file = (memory_file){NULL, NULL, 0};
    file->stream = open_memstream(&file->text, &file->size);
    if (!file->stream)
        abort();
}

static bool same_text(const memory_file *a, const memory_file *b)
{
    return a->size == b->size && memcmp(a->text, b->text, a->size) == 0;
}

static const char *run_graph(const char *data, size_t size)
{
    base_error error = {""};
    graph *g = graph_parse(data, size, name, NULL, &error);
    if (!g)
        return refused(&error);
    memory_file first, second;
    memory_open(&first);
    graph_print(g, first.stream);
    fclose(first.stream);
    graph_free(g);
    g = graph_parse(first.text, first.size, name, NULL, &error);
    memory_open(&second);
    if (g)
        graph_print(g, second.stream);
    fclose(second.stream);
    const char *wrong = same_text(&first, &second) ? NULL : "the graph that is written is another";
    graph_free(g);
    free(first.text);
    free(second.text);
    return wrong;
}

static const char *run_platform(const char *data, size_t size)
{
    base_error error = {""};
    platform p;
    if (platform_parse(data, size, name, &p, &error) != 0)
        return refused(&error);
    memory_file first, second;
    memory_open(&first);
    platform_print(&p, first.stream);
    fclose(first.stream);
    memory_open(&second);
    if (platform_parse(first.text, first.size, name, &p, &error) == 0)
        platform_print(&p, second.stream);
    fclose(second.stream);
    const char *wrong = NULL;
    if (!same_text(&first, &second))
        wrong = "the platform that is written is another";
    free(first.text);
    free(second.text);
    return wrong;
}

static void print_schedule(const schedule_file *file, memory_file *out)
{
    memory_open(out);
    if (file)
        schedule_file_print(file, out->stream);
    fclose(out->stream);
}

static const char *run_schedule(const char *data, size_t size)
{
    base_error error = {""};
    validation v;
    schedule_file *file = schedule_file_parse(data, size, name, NULL, &error);
    if (!file)
        return refused(&error);
    memory_file first, second;
    const char *wrong = NULL;
    if (schedule_validate(&file->problem, file->schedule, &v, &error) == 0) {
        schedule_prune(file->graph, file->schedule);
        if (schedule_validate(&file->problem, file->schedule, &v, &error) != 0)
            wrong = "a valid schedule is not after pruning";
    }
    print_schedule(file, &first);
    schedule_file_free(file);
    file = schedule_file_parse(first.text, first.size, name, NULL, &error);
    print_schedule(file, &second);
    schedule_file_free(file);
    if (!same_text(&first, &second))
        wrong = "the schedule that is written is another";
    free(first.text);
    free(second.text);
    return wrong;
}

/* ---- plans ----------------------------------------------------------------------------- */

/* A plan that can be executed is written and read again; one that cannot has no binary form. */
static const char *use_plan(const graph *g, const plan *x)
{
    plan_execution found;
    base_error error = {""};
    if (plan_execute(g, x, &found, &error) != 0)
        return NULL;
    if (found.peak_bytes != x->peak_bytes || found.arena_bytes != x->arena_bytes)
        return "the figures of the plan are not those of its execution";
    size_t size, second_size;
    OWNED(uint8_t) *binary = plan_write_binary(g, x, &size, NULL);
    plan_file again;
    const char *wrong = NULL;
    if (plan_read_binary(binary, size, name, g, &again, &error) != 0) {
        wrong = "a plan that is written cannot be read";
    } else {
        OWNED(uint8_t) *second = plan_write_binary(g, again.plan, &second_size, NULL);
        if (size != second_size || memcmp(binary, second, size) != 0)
            wrong = "the plan that is written is another";
        plan_file_clear(&again);
    }
    return wrong;
}

/* Binary plans that do not name a built-in graph are read with that of the corpus. */
static const char *run_plan(const char *data, size_t size)
{
    base_error error = {""};
    plan_file file;
    graph *given = NULL;
    const bool is_plan = plan_file_detect(data, size);
    int failed = plan_file_parse(data, size, name, NULL, &file, &error);
    if (!failed && !is_plan)
        return "a plan that was not seen to be one";
    if (failed && *data == 'P') {
        given = chain_of_six();
        failed = plan_file_parse(data, size, name, given, &file, &error);
    }
    const char *wrong =
        failed ? refused(&error) : use_plan(file.graph ? file.graph : given, file.plan);
    if (!failed)
        plan_file_clear(&file);
    graph_free(given);
    return wrong;
}

/* ---- models ----------------------------------------------------------------------------- */

typedef lp_model *(*model_reader)(const char *path, const char *text, base_error *error);
typedef void (*model_writer)(const lp_model *m, FILE *stream);

static const char *run_model(const char *data, model_reader read, model_writer write)
{
    base_error error = {""};
    lp_model *m = read(name, data, &error);
    if (!m)
        return refused(&error);
    const char *wrong = model_fault(m);
    memory_file out;
    memory_open(&out);
    m->offset = 0.0; /* the writers' part of it is elsewhere */
    write(m, out.stream);
    fclose(out.stream);
    lp_model *again = read(name, out.text, &error);
    if (!again)
        wrong = "a model that is written cannot be read";
    else if (again->cols != m->cols || again->rows < m->rows)
        wrong = "the model that is written is another";
    lp_model_free(m);
    lp_model_free(again);
    free(out.text);
    return wrong;
}

/* ---- certificates ------------------------------------------------------------------------- */

enum { ORACLE_NODES = 5 };

/* What a certificate that holds says of a small problem, against the truth. */
static const char *judge(certificate_report *report)
{
    base_error error;
    if (report->trust == CERT_EXCHANGES &&
        certificate_exchanges(report, &error) != CERTIFICATE_HOLDS)
        return "an exchange that does not hold";
    if (report->graph->n > ORACLE_NODES)
        return NULL;
    oracle_result truth = oracle_solve(&report->problem);
    schedule_free(truth.schedule);
    if (report->infeasible)
        return truth.feasible ? "a false proof that there is no schedule" : NULL;
    if (!truth.feasible)
        return NULL; /* a deadline where sums of doubles are not exact */
    return report->bound_joules > truth.overhead_joules * (1 + 1e-9) ? "a false bound" : NULL;
}

static const char *run_certificate(const char *data, size_t size)
{
    base_error error = {""};
    certificate_report report;
    char *copy = malloc(size + 1); /* of the exact size, and overwritten */
    if (!copy)
        abort();
    memcpy(copy, data, size + 1);
    const char *wrong = NULL;
    if (certificate_verify_text(name, copy, size, &report, &error) == CERTIFICATE_HOLDS)
        wrong = judge(&report);
    else
        wrong = refused(&error);
    certificate_report_clear(&report);
    free(copy);
    return wrong;
}

static const char *run_gzip(const char *data, size_t size)
{
    enum { LIMIT = 1 << 20 };
    char *text;
    size_t unpacked;
    if (gzip_begins(data, size)) {
        (void)gzip_unpack(data, size, LIMIT, &text, &unpacked);
        base_free(text);
    }
    return NULL;
}

/* ---- all -------------------------------------------------------------------------------- */

static const char *run_one(reader_kind kind, const char *data, size_t size)
{
    switch (kind) {
    case READER_GRAPH:
        return run_graph(data, size);
    case READER_PLATFORM:
        return run_platform(data, size);
    case READER_SCHEDULE:
        return run_schedule(data, size);
    case READER_PLAN_JSON:
    case READER_PLAN_BINARY:
        return run_plan(data, size);
    case READER_MPS:
        return run_model(data, lp_read_mps, lp_write_mps);
    case READER_LP:
        return run_model(data, lp_read_lp, lp_write_lp);
    case READER_CERTIFICATE:
        return run_certificate(data, size);
    case READER_GZIP:
        return run_gzip(data, size);
    case READERS:
        break;
    }
    return "no such reader";
}

const char *reader_run(reader_kind kind, const char *data, size_t size)
{
    const size_t held = base_memory_used();
    const char *wrong = run_one(kind, data, size);
    return !wrong && base_memory_used() != held ? "memory is still held" : wrong;
}

size_t reader_memory_bound(reader_kind kind, size_t size)
{
    const size_t least = (size_t)64 << 20;
    return least + (kind == READER_CERTIFICATE ? 4096 : 1024) * size;
}
