#include "benchmarks/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "problem/network.h"

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

static void copy_text(char *to, size_t size, const json_t *value)
{
    snprintf(to, size, "%s", json_is_string(value) ? json_string_value(value) : "");
    for (; *to; to++) /* one line of CSV without quotes */
        if (*to == ',' || *to == '"' || *to == '\n')
            *to = ';';
}

/* Nodes, base energy and budget come from the graph, also where a point has no result. */
static void fill_instance(bench_row *row)
{
    base_error ignored;
    const bench_point *p = row->point;
    graph *g =
        network_build(p->network, platform_find(p->platform), network_options_default(), &ignored);
    row->n = g ? g->n : 0;
    row->base = g ? graph_base_joules(g) : NAN;
    graph_free(g);
}

static void fill_figures(bench_row *row, const json_t *result)
{
    const json_t *figures = bench_result_figures(result);
    const long code = (long)json_integer_value(json_object_get(result, "exit"));
    copy_text(row->status, sizeof row->status, json_object_get(figures, "status"));
    copy_text(row->reason, sizeof row->reason, json_object_get(figures, "reason"));
    row->overhead = real_of(figures, "overhead_joules");
    row->bound = real_of(figures, "lower_bound_overhead_joules");
    row->compute_seconds = real_of(figures, "compute_seconds");
    row->transfer_seconds = real_of(figures, "transfer_seconds");
    row->seconds = real_of(figures, "seconds");
    row->root_bound = real_of(figures, "root_bound_joules");
    row->root_bound_cuts = real_of(figures, "root_bound_cuts_joules");
    row->budget_bytes = integer_of(figures, "ram_budget_bytes");
    row->peak_bytes = integer_of(figures, "peak_bytes");
    row->recompute_count = integer_of(figures, "recompute_count");
    row->pagein_count = integer_of(figures, "pagein_count");
    row->pageout_count = integer_of(figures, "pageout_count");
    row->nodes = integer_of(figures, "nodes");
    if (row->point->kind == BENCH_RELAX)
        row->root_bound = real_of(figures, "objective");
    const json_t *checked = json_object_get(result, "checked");
    if (!figures || code == 1 || code == 2 || code > 5 || json_is_false(checked)) {
        snprintf(row->status, sizeof row->status, "failed");
        copy_text(row->reason, sizeof row->reason, json_object_get(result, "errors"));
        row->overhead = NAN;
    }
    row->has_schedule = isfinite(row->overhead);
    row->proven = row->point->kind == BENCH_EXACT &&
                  (strcmp(row->status, "optimal") == 0 || strcmp(row->status, "infeasible") == 0);
}

bench_table bench_table_make(const bench_store *store, const bench_points *points)
{
    bench_table table = {.count = points->count,
                         .row = base_calloc((size_t)points->count + 1, sizeof *table.row)};
    for (int k = 0; k < points->count; k++) {
        bench_row *row = &table.row[k];
        row->point = &points->point[k];
        row->overhead = row->bound = row->seconds = NAN;
        row->compute_seconds = row->transfer_seconds = NAN;
        row->root_bound = row->root_bound_cuts = NAN;
        row->budget_bytes = row->peak_bytes = -1;
        row->recompute_count = row->pagein_count = row->pageout_count = row->nodes = -1;
        fill_instance(row);
        bench_point any = *row->point;
        any.limit = 0; /* also a result of a shorter limit */
        json_t *result = bench_store_load(store, &any);
        if (result)
            fill_figures(row, result);
        else
            snprintf(row->status, sizeof row->status, "missing");
        json_decref(result);
    }
    return table;
}

void bench_table_clear(bench_table *table)
{
    base_free(table->row);
    *table = (bench_table){0};
}

double bench_row_percent(const bench_row *row)
{
    return row->has_schedule ? 100 * row->overhead / row->base : NAN;
}

/* ---- CSV ------------------------------------------------------------------------------- */

static void print_real(double value, FILE *out)
{
    if (isfinite(value))
        fprintf(out, "%.12g,", value);
    else
        fputs("NaN,", out);
}

static void print_count(long value, FILE *out)
{
    if (value >= 0)
        fprintf(out, "%ld,", value);
    else
        fputs("NaN,", out);
}

static void print_row(const bench_row *row, FILE *out)
{
    const bench_point *p = row->point;
    fprintf(out, "%s,%s,%d,%.*s,%s,%s,%s,%s,%d,", p->network, p->platform, row->n,
            (int)strcspn(p->budget, "%"), p->budget, p->runtime, p->method, p->variant, row->status,
            row->proven);
    print_real(row->overhead, out);
    print_real(bench_row_percent(row), out);
    print_real(row->bound, out);
    print_real(row->bound >= row->overhead ? 0 : (row->overhead - row->bound) / row->overhead, out);
    print_count((long)row->budget_bytes, out);
    print_count((long)row->peak_bytes, out);
    print_real(row->compute_seconds, out);
    print_real(row->transfer_seconds, out);
    print_count(row->recompute_count, out);
    print_count(row->pagein_count, out);
    print_count(row->pageout_count, out);
    print_real(row->root_bound, out);
    print_real(row->root_bound_cuts, out);
    print_count(row->nodes, out);
    print_real(row->seconds, out);
    fprintf(out, "%s\n", row->reason);
}

static int write_experiment(const bench_table *table, const char *name, const char *folder,
                            base_error *error)
{
    char path[STORE_PATH];
    base_output *out = NULL;
    for (int k = 0; k < table->count; k++) {
        if (strcmp(table->row[k].point->experiment, name) != 0)
            continue;
        if (!out) {
            snprintf(path, sizeof path, "%s/%s.csv", folder, name);
            out = base_output_open(path, error);
            if (!out)
                return -1;
            fputs("network,platform,nodes,budget_percent,runtime_budget,method,variant,status,"
                  "proven,overhead_joules,overhead_percent,lower_bound_overhead_joules,gap,"
                  "ram_budget_bytes,peak_bytes,compute_seconds,transfer_seconds,recompute_count,"
                  "pagein_count,pageout_count,root_bound_joules,root_bound_cuts_joules,"
                  "tree_nodes,seconds,reason\n",
                  base_output_stream(out));
        }
        print_row(&table->row[k], base_output_stream(out));
    }
    return out ? base_output_commit(out, error) : 0;
}

int bench_table_write(const bench_table *table, const char *folder, base_error *error)
{
    for (int k = 0; bench_experiment_name(k); k++)
        if (write_experiment(table, bench_experiment_name(k), folder, error))
            return -1;
    return 0;
}

static bool fits(const char *wanted, const char *text)
{
    return !wanted || strcmp(wanted, text) == 0;
}

const bench_row *bench_table_find(const bench_table *table, const char *experiment,
                                  const char *network, const char *device, const char *method,
                                  const char *budget, const char *runtime, const char *variant)
{
    for (int k = 0; k < table->count; k++) {
        const bench_point *p = table->row[k].point;
        if (fits(experiment, p->experiment) && fits(network, p->network) &&
            fits(device, p->platform) && fits(method, p->method) && fits(budget, p->budget) &&
            fits(runtime, p->runtime) && fits(variant, p->variant))
            return &table->row[k];
    }
    return NULL;
}
