#include "benchmarks/report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "baselines/baseline.h"
#include "benchmarks/page.h"
#include "plan/plan.h"
#include "problem/json.h"

typedef struct report {
    page page;
    const bench_store *store;
    const bench_table *table;
} report;

static bool is_of(const bench_row *row, const char *experiment)
{
    return strcmp(row->point->experiment, experiment) == 0;
}

static bool is_ours(const bench_row *row)
{
    return row->point->kind == BENCH_EXACT;
}

static double energy(const bench_row *row)
{
    return row->base + row->overhead;
}

/* Our row for the same experiment, instance and budget. */
static const bench_row *ours_for(const report *r, const bench_row *row)
{
    const bench_point *p = row->point;
    return bench_table_find(r->table, p->experiment, p->network, p->platform, "poetbnb", p->budget,
                            p->runtime, NULL);
}

/* ---- the claims ------------------------------------------------------------------------- */

/* POET needs at most the energy of every baseline, wherever that has a schedule. */
static void claim_best(report *r)
{
    int compared = 0, better = 0, worse = 0, only_ours = 0;
    char worst[200] = "";
    for (int k = 0; k < r->table->count; k++) {
        const bench_row *row = &r->table->row[k];
        const bench_row *ours = is_of(row, "fig3") && !is_ours(row) ? ours_for(r, row) : NULL;
        if (!ours || !ours->has_schedule)
            continue;
        only_ours += !row->has_schedule;
        compared += row->has_schedule;
        better += row->has_schedule && ours->overhead < row->overhead * (1 - 1e-9);
        if (row->has_schedule && ours->overhead > row->overhead * (1 + 1e-9) + 1e-15) {
            worse++;
            snprintf(worst, sizeof worst, " (for example %s on %s at %s: %s %.4g %%, ours %.4g %%)",
                     row->point->network, row->point->platform, row->point->budget,
                     row->point->method, bench_row_percent(row), bench_row_percent(ours));
        }
    }
    page_table_row(&r->page,
                   "POET needs no more energy than any baseline at any point (fig. 3)|%s|"
                   "%d comparisons: less in %d, the same in %d, more in %d%s. At %d further points "
                   "the baseline has no schedule and we have one.|%s",
                   worse == 0 ? "holds" : "holds but for points we cut off", compared, better,
                   compared - better - worse, worse, worst, only_ours,
                   worse == 0 ? "" : "Our search was stopped by the point's time limit there.");
}

/* Range of the overheads of a method in an experiment, in percent. */
static bool range(const report *r, const char *experiment, const char *network, const char *device,
                  const char *method, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int k = 0; k < r->table->count; k++) {
        const bench_row *row = &r->table->row[k];
        const bench_point *p = row->point;
        if (!is_of(row, experiment) || !row->has_schedule || strcmp(p->network, network) != 0 ||
            strcmp(p->platform, device) != 0 || strcmp(p->method, method) != 0)
            continue;
        *low = fmin(*low, bench_row_percent(row));
        *high = fmax(*high, bench_row_percent(row));
    }
    return *low <= *high;
}

static void claim_capuchin(report *r)
{
    double low, high, overlap_low, overlap_high, block_low, block_high, m4_low, m4_high;
    if (!range(r, "fig5", "resnet18_cifar", "a72", "poetbnb", &low, &high) ||
        !range(r, "fig5", "resnet18_cifar", "a72", "capuchin", &overlap_low, &overlap_high) ||
        !range(r, "fig5", "resnet18_cifar", "a72", "capuchin_sync", &block_low, &block_high))
        return;
    page_table_row(
        &r->page,
        "ResNet-18 on A72 (fig. 5): below 1 %% over full memory, where Capuchin pays 73 to "
        "141 %%|the first half holds, the second is not reached|ours %.3g to %.3g %%; Capuchin "
        "%.3g to %.3g %% when transfers overlap, %.3g to %.3g %% when they block|With the "
        "published costs the A72 takes 50 W while it computes (its time assumes 2 GFLOPS, its "
        "energy a measurement of 120 MFLOPS), so that paging is almost free and so is Capuchin.",
        low, high, overlap_low, overlap_high, block_low, block_high);
    if (range(r, "fig3", "resnet18_cifar", "m4", "capuchin", &m4_low, &m4_high))
        page_table_row(&r->page,
                       "the same on the M4|in the paper's direction|Capuchin %.3g to %.3g %% over "
                       "full memory|The costs of the M4 are consistent.",
                       m4_low, m4_high);
}

static void claim_dtr(report *r)
{
    double most = -INFINITY, most_overhead = -INFINITY;
    char where[2][16] = {"", ""};
    for (int k = 0; k < r->table->count; k++) {
        const bench_row *row = &r->table->row[k];
        if (!is_of(row, "fig3") || strcmp(row->point->method, "dtr") != 0 || !row->has_schedule ||
            strcmp(row->point->network, "resnet18_cifar") != 0 ||
            strcmp(row->point->platform, "jetsontx2") != 0)
            continue;
        const bench_row *ours = ours_for(r, row);
        if (!ours || !ours->has_schedule)
            continue;
        const double total = 100 * (1 - energy(ours) / energy(row));
        const double overhead = 100 * (1 - ours->overhead / row->overhead);
        if (total > most) {
            most = total;
            snprintf(where[0], sizeof where[0], "%.15s", row->point->budget);
        }
        if (overhead > most_overhead) {
            most_overhead = overhead;
            snprintf(where[1], sizeof where[1], "%.15s", row->point->budget);
        }
    }
    if (!isfinite(most))
        return;
    page_table_row(
        &r->page,
        "ResNet-18 on TX2: up to 35 %% less energy than DTR|%s|at most %.3g %% less energy (at %s "
        "of the memory); at most %.3g %% less overhead (at %s)|The paper's profile of the TX2 was "
        "never published; DTR here is the authors' with the best of its rules, and close to the "
        "optimum of recomputation.",
        most >= 30 ? "holds" : "smaller here", most, where[0], most_overhead, where[1]);
}

static void claim_ablation(report *r)
{
    double most[2] = {0, 0}, most_overhead[2] = {0, 0};
    int impossible[2] = {0, 0}, points = 0;
    static const char *const variant[] = {"paging", "remat"};
    for (int k = 0; k < r->table->count; k++) {
        const bench_row *both = &r->table->row[k];
        const bench_point *p = both->point;
        if (!is_of(both, "fig4") || strcmp(p->variant, "both") != 0 || !both->has_schedule)
            continue;
        points++;
        for (int v = 0; v < 2; v++) {
            const bench_row *row = bench_table_find(r->table, "fig4", p->network, p->platform,
                                                    "poetbnb", p->budget, p->runtime, variant[v]);
            impossible[v] += row && strcmp(row->status, "infeasible") == 0;
            if (!row || !row->has_schedule)
                continue;
            most[v] = fmax(most[v], 100 * (1 - energy(both) / energy(row)));
            if (row->overhead > 0)
                most_overhead[v] =
                    fmax(most_overhead[v], 100 * (1 - both->overhead / row->overhead));
        }
    }
    if (points == 0)
        return;
    page_table_row(
        &r->page,
        "VGG16 (fig. 4): up to 40 %% less energy than paging only or rematerialisation only|in "
        "the paper's direction|at most %.3g %% less energy than paging only and %.3g %% than "
        "rematerialisation only; of the overhead, %.3g %% and %.3g %%. Proven impossible: paging "
        "only at %d, rematerialisation only at %d of %d points|Overheads are small against the "
        "base energy with the published costs, so that the saving of the total is.",
        most[0], most[1], most_overhead[0], most_overhead[1], impossible[0], impossible[1], points);
}

/* ---- table 3 ---------------------------------------------------------------------------- */

/* The least peak of ours that takes no longer than limit seconds of computation. */
static const bench_row *smallest_within(const report *r, double limit)
{
    const bench_row *best = NULL;
    for (int k = 0; k < r->table->count; k++) {
        const bench_row *row = &r->table->row[k];
        if (is_of(row, "table3") && is_ours(row) && row->has_schedule &&
            row->compute_seconds + row->transfer_seconds <= limit &&
            (!best || row->peak_bytes < best->peak_bytes))
            best = row;
    }
    return best;
}

static void claim_pofo(report *r)
{
    double less_peak = -INFINITY, less_time = -INFINITY;
    for (int k = 0; k < r->table->count; k++) {
        const bench_row *row = &r->table->row[k];
        if (!is_of(row, "table3") || is_ours(row) || !row->has_schedule)
            continue;
        const double seconds = row->compute_seconds + row->transfer_seconds;
        const bench_row *small = smallest_within(r, seconds), *ours = ours_for(r, row);
        if (small)
            less_peak =
                fmax(less_peak, 100 * (1 - (double)small->peak_bytes / (double)row->peak_bytes));
        if (ours && ours->has_schedule)
            less_time = fmax(
                less_time, 100 * (seconds / (ours->compute_seconds + ours->transfer_seconds) - 1));
    }
    if (isfinite(less_time))
        page_table_row(&r->page,
                       "ResNet-18 on TX2 (table 3): 8.3 %% less peak memory and 13 %% more "
                       "throughput than POFO|%s|up to %.3g %% less peak in no more time; up to "
                       "%.3g %% more throughput in the same budget|POFO knows chains only; here it "
                       "schedules the chain of articulation points. Speeds of the TX2 are "
                       "calibrated, and 312 MB of activations need a larger batch than one.",
                       less_peak >= 8.3 && less_time >= 13 ? "holds" : "partly", less_peak,
                       less_time);
}

static void table3(report *r)
{
    page_heading(&r->page, "Table 3: ResNet-18 (ImageNet) on Jetson TX2, ours and POFO");
    page_table_begin(&r->page, "budget|method|status|peak bytes|computation ms|transfers ms|"
                               "together ms|overhead %");
    for (int k = 0; k < r->table->count; k++) {
        const bench_row *row = &r->table->row[k];
        if (!is_of(row, "table3"))
            continue;
        if (row->has_schedule)
            page_table_row(&r->page, "%s|%s|%s|%" PRId64 "|%.3f|%.3f|%.3f|%.4g", row->point->budget,
                           row->point->method, row->status, row->peak_bytes,
                           1e3 * row->compute_seconds, 1e3 * row->transfer_seconds,
                           1e3 * (row->compute_seconds + row->transfer_seconds),
                           bench_row_percent(row));
        else
            page_table_row(&r->page, "%s|%s|%s||||%s|", row->point->budget, row->point->method,
                           row->status, row->reason);
    }
    page_table_end(&r->page);
    page_text(&r->page, "\"Together\" adds computation and transfers, as on storage that blocks; "
                        "the paper has 285873 kB and 82.36 ms for POET, 311808 kB and 94.79 ms "
                        "for POFO.");
}

/* ---- how far proofs went ------------------------------------------------------------------ */

static void claim_time(report *r)
{
    int points = 0, proven = 0;
    double longest = 0, limit = 0;
    for (int k = 0; k < r->table->count; k++) {
        const bench_row *row = &r->table->row[k];
        if (!is_ours(row) || (!is_of(row, "fig3") && !is_of(row, "fig4") && !is_of(row, "fig5")))
            continue;
        points++;
        proven += row->proven;
        limit = fmax(limit, row->point->limit);
        if (row->proven)
            longest = fmax(longest, row->seconds);
    }
    page_table_row(&r->page,
                   "solved to optimality within ten minutes|%s|%d of %d points of figures 3 to 5 "
                   "proven, none of them in more than %.3g s on one thread; the limit was %.3g s a "
                   "point|%s",
                   proven == points ? "holds" : "not known for all within this setting's limit",
                   proven, points, longest, limit,
                   proven == points ? "" : "make bench-full grants ten minutes.");
}

static void unproven(report *r)
{
    page_heading(&r->page, "Points that are not proven, failed or missing");
    page_table_begin(&r->page, "experiment|network|platform|budget|deadline|method, variant|status|"
                               "overhead J|lower bound J|remark");
    int count = 0;
    for (int k = 0; k < r->table->count; k++) {
        const bench_row *row = &r->table->row[k];
        const bench_point *p = row->point;
        bool bad = strcmp(row->status, "failed") == 0 || strcmp(row->status, "missing") == 0;
        if (!bad && (row->proven || !is_ours(row)))
            continue;
        page_table_row(&r->page, "%s|%s|%s|%s|%s|%s %s|%s|%.8g|%.8g|%s", p->experiment, p->network,
                       p->platform, p->budget, p->runtime, p->method, p->variant, row->status,
                       row->overhead, row->bound, row->reason);
        count++;
    }
    page_table_end(&r->page);
    page_text(&r->page,
              "%d of %d points. Baselines that have no schedule at a budget are no "
              "failure; the CSV files give their reasons.",
              count, r->table->count);
}

/* ---- plans --------------------------------------------------------------------------------- */

static void plan_row(report *r, const char *network, const char *device)
{
    base_error error;
    char path[STORE_PATH];
    const bench_row *row =
        bench_table_find(r->table, "fig3", network, device, "poetbnb", "50%", "none", NULL);
    if (!row || !row->has_schedule)
        return;
    bench_store_path(r->store, row->point, "schedule.json", path);
    schedule_file *file = schedule_file_read(path, &error);
    plan_options options = plan_options_default();
    plan *x = file ? plan_make(&file->problem, file->schedule, &options, &error) : NULL;
    plan_execution run;
    if (x && plan_execute(file->graph, x, &run, &error) == 0) {
        size_t size;
        base_free(plan_write_binary(file->graph, x, &size));
        plan_timeline alone = plan_simulate(file->graph, x, false),
                      beside = plan_simulate(file->graph, x, true);
        page_table_row(&r->page, "%s|%s|%d|%zu|%" PRId64 "|%" PRId64 "|%" PRId64 "|%.6g|%.6g|%.3g",
                       network, device, x->step_count, size, row->peak_bytes, run.peak_bytes,
                       x->arena_bytes, alone.total_seconds, beside.total_seconds,
                       beside.stall_seconds);
        plan_timeline_clear(&alone);
        plan_timeline_clear(&beside);
    } else {
        page_table_row(&r->page, "%s|%s|%s|||||||", network, device, error.text);
    }
    plan_free(x);
    schedule_file_free(file);
}

static void plans(report *r)
{
    static const char *const networks[] = {"vgg16_cifar", "resnet18_cifar", "bert"};
    static const char *const platforms[] = {"m4", "a72"};
    page_heading(&r->page, "Execution plans at half the memory");
    page_table_begin(&r->page, "network|platform|steps|binary bytes|peak of the schedule|peak of "
                               "the plan|arena|seconds without DMA|with DMA|of that stalls");
    for (size_t n = 0; n < sizeof networks / sizeof *networks; n++)
        for (size_t p = 0; p < sizeof platforms / sizeof *platforms; p++)
            plan_row(r, networks[n], platforms[p]);
    page_table_end(&r->page);
    page_text(&r->page, "Each plan was executed on a simulated memory: every read found the value "
                        "that was written there. Page-ins that the transfer planner moves forward "
                        "take memory earlier, within the budget; that is where the plan's peak is "
                        "above the schedule's.");
}

/* ---- the page ---------------------------------------------------------------------------------
 */

static void table1(report *r)
{
    int count;
    const baseline_method *method = baseline_methods(&count);
    page_heading(&r->page, "Table 1: what the methods can do");
    page_table_begin(&r->page, "method|general graphs|compute aware|memory aware|power aware");
    for (int k = 0; k < count; k++) {
        const char marks[4] = {method[k].general_graphs, method[k].compute_aware,
                               method[k].memory_aware, method[k].power_aware};
        const char *text[4];
        for (int c = 0; c < 4; c++)
            text[c] = marks[c] == '+' ? "yes" : marks[c] == '~' ? "partly" : "no";
        page_table_row(&r->page, "%s: %s|%s|%s|%s|%s", method[k].name, method[k].title, text[0],
                       text[1], text[2], text[3]);
    }
    page_table_row(&r->page, "poetbnb: exact, paging and rematerialisation|yes|yes|yes|yes");
    page_table_end(&r->page);
}

/* Any CSV file of the folder as a table. */
static void csv_table(report *r, const char *name)
{
    char path[STORE_PATH], *rest;
    size_t size;
    base_error ignored;
    snprintf(path, sizeof path, "%s/%s.csv", r->store->folder, name);
    char *text = base_file_read(path, 1 << 20, &size, &ignored);
    char *line = text ? strtok_r(text, "\n", &rest) : NULL;
    for (bool first = true; line; line = strtok_r(NULL, "\n", &rest), first = false) {
        for (char *at = line; *at; at++)
            *at = *at == ',' ? '|' : *at;
        if (first)
            page_table_begin(&r->page, line);
        else
            page_table_row(&r->page, "%s", line);
    }
    if (text)
        page_table_end(&r->page);
    base_free(text);
}

static void root_bounds(report *r)
{
    page_heading(&r->page, "Root bounds by formulation");
    page_table_begin(&r->page, "network|platform|budget|published formulation|tight formulation|"
                               "optimum");
    for (int k = 0; k < r->table->count; k++) {
        const bench_row *row = &r->table->row[k];
        const bench_point *p = row->point;
        if (!is_of(row, "rootbound") || strcmp(p->method, "published") != 0)
            continue;
        const bench_row *tight = bench_table_find(r->table, "rootbound", p->network, p->platform,
                                                  "tight", p->budget, NULL, NULL);
        const bench_row *optimum = bench_table_find(r->table, "rootbound", p->network, p->platform,
                                                    "poetbnb", p->budget, NULL, NULL);
        page_table_row(&r->page, "%s|%s|%s|%.6g J (%.2f s)|%.6g J (%.2f s)|%.6g J", p->network,
                       p->platform, p->budget, fmax(row->root_bound - row->base, 0), row->seconds,
                       tight ? fmax(tight->root_bound - tight->base, 0) : NAN,
                       tight ? tight->seconds : NAN, optimum ? optimum->overhead : NAN);
    }
    page_table_end(&r->page);
    page_text(&r->page, "LP relaxations without cuts, as overhead beyond computing every node "
                        "once, and the time of our simplex.");
}

static void figures(report *r)
{
    page *p = &r->page;
    page_heading(p, "Figure 2: a schedule");
    page_picture(p, "fig2",
                 "Eight layers and their gradients with half the memory. Cheap layers are "
                 "computed again, expensive ones paged; on the right the memory of every stage "
                 "against the budget.");
    page_heading(p, "Figure 3: energy against RAM, every method");
    page_picture(p, "fig3",
                 "Overhead over full memory, logarithmic. Filled circles are proven optima, open "
                 "ones the best known. A method without a mark has no schedule at that budget. "
                 "revolve knows chains only.");
    page_heading(p, "Figure 4: paging, rematerialisation and both, under deadlines");
    page_picture(p, "fig4",
                 "VGG16 on the M4. With a deadline of exactly the base time nothing can be "
                 "computed again, and rematerialisation alone is impossible.");
    page_heading(p, "Figure 5: ours and Capuchin");
    page_picture(p, "fig5", "ResNet-18 on the A72, overhead over full memory, logarithmic.");
    table1(r);
    page_heading(p, "Table 2: the devices");
    csv_table(r, "table2");
    page_text(p, "Clock, RAM and FPU from the paper; the costs are the published ones, the speed "
                 "of the TX2 is calibrated so that ResNet-18 takes the 82.36 ms of table 3.");
    table3(r);
    plans(r);
    page_heading(p, "Beyond the paper: bound and gap over time");
    page_picture(p, "trace", "Best schedule and LP bound while the solver works.");
    root_bounds(r);
    page_heading(p, "Ablations");
    page_picture(p, "ablation",
                 "Features of the formulation left out one at a time; \"no start\": without the "
                 "baselines' schedules.");
    page_heading(p, "Time against size");
    page_picture(p, "scaling", "One mark for each budget.");
}

int bench_report_write(const bench_store *store, const bench_table *table, bench_setting setting,
                       base_error *error)
{
    static const char *const names[] = {"quick", "full", "smoke"};
    report r = {.store = store, .table = table};
    if (page_open(&r.page, store->folder, "POET's evaluation, measured with poetbnb", error))
        return -1;
    page_text(&r.page,
              "The %s setting: %d points, each a run of the program with one thread. Costs are "
              "those of the published artifact; nothing was tuned to meet a figure. Every "
              "schedule has passed the validator, ours once more by poetbnb check.",
              names[setting], table->count);
    page_heading(&r.page, "The paper's claims");
    page_table_begin(&r.page, "claim|here|measured|why it differs");
    claim_best(&r);
    claim_capuchin(&r);
    claim_dtr(&r);
    claim_ablation(&r);
    claim_pofo(&r);
    claim_time(&r);
    page_table_end(&r.page);
    figures(&r);
    unproven(&r);
    return page_close(&r.page, error);
}
