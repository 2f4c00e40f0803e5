/* The pictures: gnuplot on the scripts, and the program itself for figure 2. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "benchmarks/report.h"
#include "problem/json.h"

static const char *const formats[] = {"pdf", "png", "svg"};
enum { FORMATS = 3 };

/* Runs a program with its messages in the folder's pictures.log; inside: in that folder, which
 * paths in words must allow for. Its exit status. */
static int run(const char *folder, bool inside, char *const words[])
{
    char log[STORE_PATH];
    snprintf(log, sizeof log, "%s/pictures.log", folder);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        int file = open(log, O_WRONLY | O_CREAT | O_APPEND, 0666);
        if (file >= 0) {
            dup2(file, 1);
            dup2(file, 2);
        }
        if (!inside || chdir(folder) == 0)
            execvp(words[0], words);
        _exit(127);
    }
    int status = -1;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return 127;
    return WEXITSTATUS(status);
}

static int draw_script(const bench_store *store, const char *scripts, const char *name,
                       const char *format)
{
    char settings[32], style[STORE_PATH], script[STORE_PATH], whole[PATH_MAX];
    if (!realpath(scripts, whole))
        return -1;
    snprintf(settings, sizeof settings, "format='%s'", format);
    snprintf(style, sizeof style, "%.4000s/style.gp", whole);
    snprintf(script, sizeof script, "%.4000s/%s.gp", whole, name);
    char gnuplot[] = "gnuplot", e[] = "-e";
    char *const words[] = {gnuplot, e, settings, style, script, NULL};
    return run(store->folder, true, words);
}

/* What the picture of a schedule shows, a line an event. */
static int write_schedule(const bench_store *store, base_error *error)
{
    static const char *const name[] = {"computed", "in_ram", "on_storage", "paged_in", "paged_out"};
    char path[STORE_PATH];
    snprintf(path, sizeof path, "%s/fig2.json", store->folder);
    schedule_file *file = schedule_file_read(path, error);
    if (!file)
        return -1;
    snprintf(path, sizeof path, "%s/fig2.csv", store->folder);
    base_output *out = base_output_open(path, error);
    const schedule *s = file->schedule;
    const uint8_t *const matrix[] = {s->R, s->S, s->A, s->In, s->Out};
    if (out)
        fputs("stage,node,name,event\n", base_output_stream(out));
    for (int t = 0; out && t < s->n; t++)
        for (int i = 0; i <= t; i++)
            for (int k = 0; k < 5; k++)
                if (matrix[k][schedule_cell(s, t, i)])
                    fprintf(base_output_stream(out), "%d,%d,%s,%s\n", t, i,
                            file->graph->node_name[i], k == 0 && i < t ? "recomputed" : name[k]);
    schedule_file_free(file);
    return out ? base_output_commit(out, error) : -1;
}

/* Figure 2 with half the memory: layers 1 to 3 are computed again, 4 and 5 are paged. */
static int draw_schedule(const bench_store *store, const char *scripts, const char *format)
{
    char network[STORE_PATH], target[STORE_PATH], program[STORE_PATH], schedule_path[STORE_PATH];
    snprintf(schedule_path, sizeof schedule_path, "%s/fig2.json", store->folder);
    snprintf(network, sizeof network, "%s/../benchmarks/eight_layers.json", scripts);
    snprintf(target, sizeof target, "%s/fig2.%s", store->folder, format);
    snprintf(program, sizeof program, "%s", store->program);
    char solve[] = "solve", g[] = "--graph", b[] = "--ram-budget", half[] = "50%", q[] = "--quiet",
         plot[] = "--plot", out[] = "--out";
    char *const words[] = {program, solve,         g,    network, b,   half, q,
                           out,     schedule_path, plot, target,  NULL};
    return run(store->folder, false, words);
}

static bool has_data(const bench_store *store, const char *name)
{
    char path[STORE_PATH];
    snprintf(path, sizeof path, "%s/%s.csv", store->folder, name);
    return access(path, R_OK) == 0;
}

/* ---- best schedule and bound over time ------------------------------------------------------- */

/* Seconds at the beginning of a line of the log; NAN when it has none. */
static double time_of(const char *line)
{
    char *end;
    double seconds = strtod(line, &end);
    return end != line && *end == 's' ? seconds : NAN;
}

/* Schedules and the LP bounds of the search; its windows only close at the end, so that these
 * bounds are no proofs before. */
static void print_events(const bench_row *row, char *log, FILE *out)
{
    const char *network = row->point->network;
    double best_bound = -INFINITY, best = INFINITY, last = 0;
    char *rest;
    for (char *line = strtok_r(log, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        const double seconds = fmax(time_of(line), 0.01); /* the axis is logarithmic */
        const char *found = strstr(line, "  schedule  "), *bound = strstr(line, "bound ");
        double value;
        if (isnan(time_of(line)))
            continue;
        if (found && sscanf(found, "  schedule  %lf", &value) == 1 && value < best)
            fprintf(out, "%s,incumbent,%g,%.12g\n", network, seconds, best = value);
        if (bound && sscanf(bound, "bound %lf", &value) == 1 && value > best_bound)
            fprintf(out, "%s,bound,%g,%.12g\n", network, seconds, best_bound = value);
        last = seconds;
    }
    last = fmax(last, isfinite(row->seconds) ? row->seconds : 0);
    if (isfinite(best))
        fprintf(out, "%s,incumbent,%g,%.12g\n", network, last, best);
    if (isfinite(best_bound))
        fprintf(out, "%s,bound,%g,%.12g\n", network, last,
                row->proven ? row->overhead : best_bound);
    if (row->proven)
        fprintf(out, "%s,proof,%g,%.12g\n", network, last, row->overhead);
}

int bench_trace_write(const bench_store *store, const bench_table *table, base_error *error)
{
    char path[STORE_PATH];
    base_error ignored;
    snprintf(path, sizeof path, "%s/trace_events.csv", store->folder);
    base_output *out = base_output_open(path, error);
    if (!out)
        return -1;
    fputs("network,event,seconds,overhead_joules\n", base_output_stream(out));
    for (int k = 0; k < table->count; k++) {
        size_t size;
        const bench_row *row = &table->row[k];
        if (strcmp(row->point->experiment, "trace") != 0)
            continue;
        bench_store_path(store, row->point, "log", path);
        char *log = base_file_read(path, 1 << 26, &size, &ignored);
        if (log)
            print_events(row, log, base_output_stream(out));
        base_free(log);
    }
    return base_output_commit(out, error);
}

int bench_pictures_draw(const bench_store *store, const char *scripts, base_error *error)
{
    static const char *const names[] = {"fig3", "fig4", "fig5", "trace", "ablation", "scaling"};
    char log[STORE_PATH];
    int failed = 0;
    snprintf(log, sizeof log, "%s/pictures.log", store->folder);
    unlink(log);
    for (int f = 0; f < FORMATS; f++) {
        if (draw_schedule(store, scripts, formats[f]))
            failed = base_fail(error, "figure 2 could not be drawn as %s; see %s", formats[f], log);
        else if (f == 0 && write_schedule(store, error))
            failed = -1;
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (has_data(store, names[k]) && draw_script(store, scripts, names[k], formats[f]))
                failed = base_fail(error, "%s could not be drawn as %s; see %s", names[k],
                                   formats[f], log);
    }
    return failed;
}
