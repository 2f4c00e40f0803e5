/* The validator. It shares no code with the makers of schedules and is written from the rules
 * alone: a schedule that it accepts is a schedule of POET. */
#include "problem/schedule.h"

#include <assert.h>
#include <gmp.h>
#include <math.h>
#include <string.h>

static uint8_t at(const uint8_t *matrix, int n, int t, int i)
{
    return matrix[(size_t)t * (size_t)n + (size_t)i];
}

/* The cells' bits, all together. */
static uint8_t bits_of(const uint8_t *cell, int count)
{
    uint64_t eight, all = 0;
    int i = 0;
    for (; i + (int)sizeof eight <= count; i += (int)sizeof eight) {
        memcpy(&eight, cell + i, sizeof eight);
        all |= eight;
    }
    all |= all >> 32;
    all |= all >> 16;
    all |= all >> 8;
    for (; i < count; i++)
        all |= cell[i];
    return (uint8_t)all;
}

/* Describes the fault in stage t of the k-th matrix. */
static int name_misshapen(const uint8_t *row, int n, int k, int t, base_error *error)
{
    static const char *const name[5] = {"R", "S", "A", "In", "Out"};
    for (int i = 0; i < n; i++) {
        int value = row[i];
        if (value > 1)
            return base_fail(error, "%s[%d][%d] is %d, not 0 or 1", name[k], t, i, value);
        if (k == 0 && t == i && !value)
            return base_fail(error, "stage %d does not compute its own node %d", t, t);
        if (value && (i > t || (k > 0 && i == t)))
            return base_fail(error, "%s[%d][%d] is set: node %d does not exist there yet", name[k],
                             t, i, i);
    }
    assert(false);
    return -1;
}

/* Cells are 0 or 1; R is zero above the diagonal and one on it, the others are
 * zero from the diagonal on. */
static int check_shape(const schedule *s, base_error *error)
{
    const uint8_t *const matrix[5] = {s->R, s->S, s->A, s->In, s->Out};
    for (int k = 0; k < 5; k++)
        for (int t = 0; t < s->n; t++) {
            const uint8_t *row = matrix[k] + (size_t)t * (size_t)s->n;
            base_work((size_t)s->n / 8);
            if (bits_of(row, t) > 1 || row[t] != (k == 0) || bits_of(row + t + 1, s->n - t - 1) > 0)
                return name_misshapen(row, s->n, k, t, error);
        }
    return 0;
}

static int broken(const graph *g, int t, int i, const char *rule, base_error *error)
{
    return base_fail(error, "stage %d, node %d (%s): %s", t, i, g->node_name[i], rule);
}

/* The first cell from `from` on of a row that is not zero, count without one. */
static int next_set(const uint8_t *row, int from, int count)
{
    uint64_t eight;
    int i = from;
    for (; i + (int)sizeof eight <= count; i += (int)sizeof eight) {
        memcpy(&eight, row + i, sizeof eight);
        if (eight)
            break;
    }
    while (i < count && !row[i])
        i++;
    return i;
}

static const uint8_t *row_of(const uint8_t *matrix, int n, int t)
{
    return matrix + (size_t)t * (size_t)n;
}

/* Inputs present: R[t][j] <= R[t][i] + S[t][i] for every edge (i,j). */
static int check_inputs(const graph *g, const schedule *s, base_error *error)
{
    for (int t = 0; t < s->n; t++) {
        const uint8_t *R = row_of(s->R, s->n, t);
        base_work((size_t)t);
        for (int j = next_set(R, 0, t + 1); j <= t; j = next_set(R, j + 1, t + 1))
            for (int e = g->input_start[j]; e < g->input_start[j + 1]; e++) {
                int i = g->input[e];
                if (!at(s->R, s->n, t, i) && !at(s->S, s->n, t, i))
                    return base_fail(error,
                                     "stage %d, node %d (%s): computed while its input %d (%s) is "
                                     "neither in RAM nor computed",
                                     t, j, g->node_name[j], i, g->node_name[i]);
            }
    }
    return 0;
}

/* Every cell that is set in a stage, t or (`later') t + 1, has one of the sources in stage t. */
static int check_rule(const graph *g, const schedule *s, int t, int later, const uint8_t *matrix,
                      const uint8_t *const source[3], const char *rule, base_error *error)
{
    const int end = t + later;
    const uint8_t *row = row_of(matrix, s->n, end);
    for (int i = next_set(row, 0, end); i < end; i = next_set(row, i + 1, end)) {
        bool found = false;
        for (int k = 0; k < 3 && source[k]; k++)
            found |= at(source[k], s->n, t, i);
        if (!found)
            return broken(g, end, i, rule, error);
    }
    return 0;
}

/* A page-in comes from storage, a page-out from RAM; RAM and storage have a source in the stage
 * before. */
static int check_sources(const graph *g, const schedule *s, base_error *error)
{
    const uint8_t *const of_in[3] = {s->A}, *const of_out[3] = {s->S},
                         *const of_ram[3] = {s->S, s->R, s->In},
                         *const of_storage[3] = {s->A, s->Out};
    for (int t = 0; t < s->n; t++) {
        base_work((size_t)t / 2);
        if (check_rule(g, s, t, 0, s->In, of_in, "paged in but not on storage", error) ||
            check_rule(g, s, t, 0, s->Out, of_out, "paged out but not in RAM when the stage begins",
                       error))
            return -1;
        if (t + 1 < s->n &&
            (check_rule(g, s, t, 1, s->S, of_ram,
                        "in RAM, but in the stage before neither there, computed nor paged in",
                        error) ||
             check_rule(g, s, t, 1, s->A, of_storage,
                        "on storage, but in the stage before neither there nor paged out", error)))
            return -1;
    }
    return 0;
}

static int check_options(const problem *p, const schedule *s, base_error *error)
{
    const uint8_t *const paging[3] = {s->A, s->In, s->Out};
    for (int t = 0; t < s->n; t++) {
        base_work((size_t)t / 2);
        const int again = p->allow_remat ? t : next_set(row_of(s->R, s->n, t), 0, t);
        if (again < t)
            return broken(p->graph, t, again, "recomputed although that is not allowed", error);
        for (int k = 0; k < 3 && !p->allow_paging; k++) {
            const int paged = next_set(row_of(paging[k], s->n, t), 0, t);
            if (paged < t)
                return broken(p->graph, t, paged, "paged although that is not allowed", error);
        }
    }
    return 0;
}

/* A node that is pinned is not computed again, or not paged. */
static int check_pins(const graph *g, const schedule *s, base_error *error)
{
    for (int i = 0; i < s->n; i++)
        for (int t = i + 1; t < s->n && g->pin[i]; t++) {
            if ((g->pin[i] & GRAPH_NO_RECOMPUTE) && at(s->R, s->n, t, i))
                return broken(g, t, i, "recomputed although its pin forbids that", error);
            if ((g->pin[i] & GRAPH_NO_PAGE) &&
                (at(s->A, s->n, t, i) || at(s->In, s->n, t, i) || at(s->Out, s->n, t, i)))
                return broken(g, t, i, "paged although its pin forbids that", error);
        }
    return 0;
}

/* No node is computed too often. */
static int check_counts(const problem *p, const schedule *s, base_error *error)
{
    int *count = base_calloc((size_t)s->n, sizeof *count);
    int failed = 0;
    for (int t = 0; t < s->n && !failed; t++) {
        const uint8_t *R = row_of(s->R, s->n, t);
        base_work((size_t)t / 8);
        for (int i = next_set(R, 0, t + 1); i <= t && !failed; i = next_set(R, i + 1, t + 1))
            if (++count[i] > p->max_computations)
                failed = base_fail(error,
                                   "stage %d, node %d (%s): computed for the %d. time, at most %d "
                                   "are allowed",
                                   t, i, p->graph->node_name[i], count[i], p->max_computations);
    }
    base_free(count);
    return failed;
}

/* Bytes when stage t begins. */
static int64_t memory_at_start(const problem *p, const schedule *s, int t)
{
    const int64_t *bytes = p->graph->bytes;
    const uint8_t *S = row_of(s->S, s->n, t), *In = row_of(s->In, s->n, t);
    int64_t now = 0;
    for (int i = next_set(S, 0, t); i < t; i = next_set(S, i + 1, t))
        now += bytes[i];
    if (!p->charge_pagein_transfer)
        return now;
    for (int i = next_set(In, 0, t); i < t; i = next_set(In, i + 1, t))
        now += bytes[i];
    return now;
}

/* As schedule_stage_memory, with a scratch array (extent n); *node gets the first event that
 * reaches the peak. */
static int64_t measure_stage(const problem *p, const schedule *s, int t, int *last_reader,
                             int64_t *profile, int *node)
{
    const graph *g = p->graph;
    const int n = s->n;
    const uint8_t *R = row_of(s->R, n, t);
    for (int k = next_set(R, 0, t + 1); k <= t; k = next_set(R, k + 1, t + 1))
        for (int e = g->input_start[k]; e < g->input_start[k + 1]; e++)
            last_reader[g->input[e]] = k;
    int64_t now = memory_at_start(p, s, t), peak = -1;
    for (int k = next_set(R, 0, t + 1), done = 0; k <= t; k = next_set(R, k + 1, t + 1)) {
        for (; profile && done < k; done++)
            profile[done] = now;
        now += g->bytes[k];
        const int64_t computing = now + g->workspace[k];
        if (computing > peak) {
            peak = computing;
            *node = k;
        }
        if (profile)
            profile[done++] = computing;
        for (int e = g->input_start[k]; e < g->input_start[k + 1]; e++) {
            int i = g->input[e];
            bool held = at(s->S, n, t, i) || at(s->R, n, t, i);
            bool kept = t + 1 < n && at(s->S, n, t + 1, i);
            if (held && !kept && last_reader[i] == k)
                now -= g->bytes[i];
        }
    }
    assert(now >= 0);
    return peak;
}

int64_t schedule_stage_memory(const problem *p, const schedule *s, int t, int64_t *profile)
{
    assert(s->n == p->graph->n && t >= 0 && t < s->n);
    int node;
    int *last_reader = base_malloc((size_t)s->n, sizeof *last_reader);
    const int64_t peak = measure_stage(p, s, t, last_reader, profile, &node);
    base_free(last_reader);
    return peak;
}

/* Peak with the first event that reaches it. */
static void measure_memory(const problem *p, const schedule *s, validation *v)
{
    int *last_reader = base_malloc((size_t)s->n, sizeof *last_reader);
    v->peak_bytes = -1;
    for (int t = 0; t < s->n; t++) {
        int node = t;
        const int64_t peak = measure_stage(p, s, t, last_reader, NULL, &node);
        base_work((size_t)t);
        if (peak <= v->peak_bytes)
            continue;
        v->peak_bytes = peak;
        v->peak_stage = t;
        v->peak_node = node;
    }
    base_free(last_reader);
}

/* Energy, times and counts. Returns the seconds added to the base time that the
 * deadline counts. */
static long double measure_costs(const problem *p, const schedule *s, validation *v)
{
    const graph *g = p->graph;
    long double base_joules = 0, extra_joules = 0;
    long double base_seconds = 0, extra_seconds = 0, transfer_seconds = 0;
    for (int t = 0; t < s->n; t++) {
        const uint8_t *R = row_of(s->R, s->n, t);
        const uint8_t *In = row_of(s->In, s->n, t), *Out = row_of(s->Out, s->n, t);
        base_joules += g->joules[t];
        base_seconds += g->seconds[t];
        base_work((size_t)t);
        for (int i = next_set(R, 0, t); i < t; i = next_set(R, i + 1, t)) {
            extra_joules += g->joules[i];
            extra_seconds += g->seconds[i];
            v->recompute_count++;
        }
        for (int i = next_set(In, 0, t); i < t; i = next_set(In, i + 1, t)) {
            extra_joules += g->pagein_joules[i];
            transfer_seconds += g->pagein_seconds[i];
            v->pagein_count++;
        }
        for (int i = next_set(Out, 0, t); i < t; i = next_set(Out, i + 1, t)) {
            extra_joules += g->pageout_joules[i];
            transfer_seconds += g->pageout_seconds[i];
            v->pageout_count++;
        }
    }
    v->energy_joules = (double)(base_joules + extra_joules);
    v->overhead_joules = (double)extra_joules;
    v->compute_seconds = (double)(base_seconds + extra_seconds);
    v->transfer_seconds = (double)transfer_seconds;
    return extra_seconds + (p->deadline_includes_paging ? transfer_seconds : 0.0L);
}

/* Adds count times x to sum. */
static void add_times(mpf_t sum, int count, double x, mpf_t term)
{
    mpf_set_d(term, x);
    mpf_mul_ui(term, term, (unsigned long)count);
    mpf_add(sum, sum, term);
}

/* Compares the seconds that the deadline counts with the deadline, in exact arithmetic. */
static bool meets_slack_exactly(const problem *p, const schedule *s, double slack)
{
    enum { BITS = 1024 }; /* beyond what sums of the times of a graph take (GRAPH_MAX_COST) */
    const graph *g = p->graph;
    mpf_t sum, term;
    mpf_init2(sum, BITS);
    mpf_init2(term, BITS);
    for (int i = 0; i < s->n; i++) {
        int count[3] = {0, 0, 0};
        for (int t = i + 1; t < s->n; t++) {
            count[0] += at(s->R, s->n, t, i);
            count[1] += at(s->In, s->n, t, i);
            count[2] += at(s->Out, s->n, t, i);
        }
        add_times(sum, count[0], g->seconds[i], term);
        if (p->deadline_includes_paging) {
            add_times(sum, count[1], g->pagein_seconds[i], term);
            add_times(sum, count[2], g->pageout_seconds[i], term);
        }
    }
    mpf_set_d(term, slack);
    const bool meets = mpf_cmp(sum, term) <= 0;
    mpf_clear(sum);
    mpf_clear(term);
    return meets;
}

/* added: the seconds that the deadline counts, but for rounding errors. */
static bool meets_deadline(const problem *p, const schedule *s, long double added)
{
    const double slack = problem_slack_seconds(p);
    if (fabsl(added - (long double)slack) > 1e-9L * added) /* far above the rounding errors */
        return added <= (long double)slack;
    return meets_slack_exactly(p, s, slack);
}

double schedule_validate_work(int n)
{
    return 2.0 * n * n;
}

int schedule_validate(const problem *p, const schedule *s, validation *result, base_error *error)
{
    validation scratch = {0};
    validation *v = result ? result : &scratch;
    memset(v, 0, sizeof *v);
    if (s->n != p->graph->n)
        return base_fail(error, "the schedule has %d stages, the graph %d nodes", s->n,
                         p->graph->n);
    base_work_count((size_t)schedule_validate_work(s->n));
    if (check_shape(s, error))
        return -1;
    measure_memory(p, s, v);
    long double added = measure_costs(p, s, v);
    if (check_inputs(p->graph, s, error) || check_sources(p->graph, s, error) ||
        check_options(p, s, error) || check_pins(p->graph, s, error) ||
        (problem_limits_computations(p) && check_counts(p, s, error)))
        return -1;
    if (v->peak_bytes > p->ram_budget_bytes)
        return base_fail(error,
                         "stage %d, node %d (%s): %lld bytes in RAM, the budget is %lld bytes",
                         v->peak_stage, v->peak_node, p->graph->node_name[v->peak_node],
                         (long long)v->peak_bytes, (long long)p->ram_budget_bytes);
    if (!meets_deadline(p, s, added))
        return base_fail(error, "takes %.17g seconds, the deadline is %.17g seconds",
                         (double)(added + (long double)graph_base_seconds(p->graph)),
                         p->deadline_seconds);
    return 0;
}
