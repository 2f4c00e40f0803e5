/* Kirisame, Lyubomirsky, Haan, Brennan, He, Roesch, Chen, Tatlock: Dynamic Tensor
 * Rematerialization, ICLR 2021. An online policy: a tensor is computed when it is
 * read, and when memory is short the resident tensor with the least
 *     h = cost / (bytes * staleness)
 * is evicted. It sees no future but that a tensor is freed after its last reader.
 *
 * The event-level run follows the authors' simulator (simrd, runtime V2 with eager
 * eviction); every node is evictable, the input too. Equal h: the smallest node, or
 * in dtr_simrd as the simulator has it, the one that became evictable last, but the
 * first with h = 0.
 *
 * To a schedule: a node that was computed while operator t was served is computed in
 * stage t, in index order and once. As stages count memory differently from events,
 * the run is repeated with budgets of 100 %, 98 %, ... until its schedule fits; the
 * first run that fails ends this. */
#include "baselines/policy.h"

#include <assert.h>
#include <math.h>

/* A set of evicted nodes that were neighbours when they were evicted: a node of a
 * union-find forest. Classes never split; a member that is computed again only takes
 * its time along. */
typedef struct dtr_class {
    int parent;
    int mark;
    policy_clock value; /* sum of the times of its members, at the root */
} dtr_class;

typedef struct dtr_run {
    const graph *graph;
    int variant; /* BASELINE_DTR_... */
    int64_t budget, used;
    policy_clock clock, limit;
    policy_clock *time;   /* n: of each node */
    policy_clock *access; /* n: when last read or, as an operator, computed */
    bool *created;        /* n: its operator has been served */
    bool *resident;
    int *locks;     /* n: a resident node with locks cannot be evicted */
    int64_t *since; /* n: when it became evictable, counted by event */
    int64_t event;
    int *mark, marks;            /* n: number of the traversal that visited it last */
    int *stack;                  /* n: of a traversal */
    int *missing, missing_count; /* inputs still to be computed, over all calls in progress */
    dtr_class *classes;
    int class_count, class_space;
    int *class_of;      /* n: of an evicted node */
    int operator;       /* being served */
    schedule *schedule; /* receives R */
    bool thrashed, out_of_memory;
    int failed_node;
} dtr_run;

/* ---- evicted tensors around a node ------------------------------------------- */

static bool is_evicted(const dtr_run *d, int v)
{
    return d->created[v] && !d->resident[v];
}

/* Time of the evicted nodes that v reaches through evicted ones, along the given
 * lists (inputs or users). */
static policy_clock region_time(dtr_run *d, int v, const int *start, const int *list)
{
    policy_clock sum = 0;
    int depth = 0;
    d->marks++;
    d->stack[depth++] = v;
    while (depth > 0) {
        int x = d->stack[--depth];
        base_work(2 + 4 * (size_t)(start[x + 1] - start[x]));
        for (int e = start[x]; e < start[x + 1]; e++) {
            int y = list[e];
            if (!is_evicted(d, y) || d->mark[y] == d->marks)
                continue;
            d->mark[y] = d->marks;
            sum += d->time[y];
            d->stack[depth++] = y;
        }
    }
    return sum;
}

static dtr_class *class_root(dtr_run *d, int v)
{
    int c = d->class_of[v];
    while (d->classes[c].parent != c)
        c = d->classes[c].parent = d->classes[d->classes[c].parent].parent;
    return &d->classes[c];
}

/* Sum over the distinct classes of the evicted nodes in the list of v. */
static policy_clock classes_time(dtr_run *d, int v, const int *start, const int *list)
{
    policy_clock sum = 0;
    base_work(10 * (size_t)(start[v + 1] - start[v]));
    for (int e = start[v]; e < start[v + 1]; e++) {
        if (!is_evicted(d, list[e]))
            continue;
        dtr_class *c = class_root(d, list[e]);
        if (c->mark != d->marks)
            sum += c->value;
        c->mark = d->marks;
    }
    return sum;
}

static policy_clock eviction_cost(dtr_run *d, int v)
{
    const graph *g = d->graph;
    policy_clock cost = d->time[v];
    if (d->variant == BASELINE_DTR_NEIGHBOURHOOD || d->variant == BASELINE_DTR_SIMULATOR) {
        cost += region_time(d, v, g->input_start, g->input);
        cost += region_time(d, v, g->user_start, g->user);
    } else if (d->variant == BASELINE_DTR_CLASSES) {
        d->marks++;
        cost += classes_time(d, v, g->input_start, g->input);
        cost += classes_time(d, v, g->user_start, g->user);
    }
    return cost;
}

/* ---- eviction -------------------------------------------------------------------- */

static void join_classes(dtr_run *d, int v, const int *start, const int *list)
{
    for (int e = start[v]; e < start[v + 1]; e++) {
        if (!is_evicted(d, list[e]) || list[e] == v)
            continue;
        dtr_class *other = class_root(d, list[e]), *own = class_root(d, v);
        if (other == own)
            continue;
        other->parent = (int)(own - d->classes);
        own->value += other->value;
    }
}

static void enter_classes(dtr_run *d, int v)
{
    const graph *g = d->graph;
    d->classes = base_grow(d->classes, d->class_count, &d->class_space, sizeof *d->classes);
    const int c = d->class_of[v] = d->class_count++;
    d->classes[c] = (dtr_class){.parent = c, .value = d->time[v]};
    join_classes(d, v, g->input_start, g->input);
    join_classes(d, v, g->user_start, g->user);
}

static void evict(dtr_run *d, int v)
{
    assert(d->resident[v] && d->locks[v] == 0);
    d->resident[v] = false;
    d->used -= d->graph->bytes[v];
    if (d->variant == BASELINE_DTR_CLASSES)
        enter_classes(d, v);
}

/* True if v with h goes before best with least. */
static bool evicts_first(const dtr_run *d, int v, double h, int best, double least)
{
    if (best < 0 || h < least)
        return true;
    if (h > least || d->variant != BASELINE_DTR_SIMULATOR)
        return false;
    return h == 0.0 ? d->since[v] < d->since[best] : d->since[v] > d->since[best];
}

enum { STEPS_PER_RATIO = 50 }; /* of base_work: a quotient in software */

/* The next node to evict, -1 when all that is resident is locked. */
static int choose_victim(dtr_run *d)
{
    int best = -1;
    double least = INFINITY;
    base_work((size_t)d->operator+ 1);
    for (int v = 0; v <= d->operator; v++) {
        if (!d->resident[v] || d->locks[v] > 0)
            continue;
        base_work(STEPS_PER_RATIO);
        policy_clock stale = d->clock - d->access[v];
        double h =
            stale > 0 ? policy_ratio(eviction_cost(d, v), d->graph->bytes[v], stale) : INFINITY;
        if (!evicts_first(d, v, h, best, least))
            continue;
        best = v;
        least = h;
    }
    return best;
}

/* ---- computing -------------------------------------------------------------------- */

static bool failed(const dtr_run *d)
{
    return d->out_of_memory || d->thrashed;
}

static void unlock(dtr_run *d, int v)
{
    assert(d->locks[v] > 0);
    if (--d->locks[v] == 0)
        d->since[v] = d->event++;
}

/* All inputs of v are resident and locked. */
static void compute(dtr_run *d, int v)
{
    const int64_t bytes = d->graph->bytes[v];
    while (d->used > d->budget - bytes - d->graph->workspace[v]) {
        int victim = choose_victim(d);
        if (victim < 0) {
            d->out_of_memory = true;
            d->failed_node = v;
            return;
        }
        evict(d, victim);
    }
    if (d->variant == BASELINE_DTR_CLASSES && is_evicted(d, v))
        class_root(d, v)->value -= d->time[v];
    d->clock += d->time[v];
    d->used += bytes;
    d->resident[v] = true;
    d->since[v] = d->event++;
    d->schedule->R[schedule_cell(d->schedule, d->operator, v)] = 1;
    if (d->clock > d->limit) {
        d->thrashed = true;
        d->failed_node = v;
    }
}

/* Computes v, after its missing inputs. */
static void materialize(dtr_run *d, int v)
{
    const graph *g = d->graph;
    const int *input = g->input + g->input_start[v];
    const int count = g->input_start[v + 1] - g->input_start[v];
    const int first_missing = d->missing_count;
    base_work(10 * (size_t)(count + 1));
    for (int e = 0; e < count; e++) {
        d->access[input[e]] = d->clock;
        if (d->resident[input[e]])
            d->locks[input[e]]++;
        else
            d->missing[d->missing_count++] = input[e];
    }
    const int end_missing = d->missing_count;
    for (int k = first_missing; k < end_missing; k++) {
        int u = d->missing[k];
        if (!d->resident[u]) /* it may have come back with another */
            materialize(d, u);
        if (failed(d))
            return;
        d->locks[u]++;
    }
    d->missing_count = first_missing;
    compute(d, v);
    for (int e = 0; e < count && !failed(d); e++)
        unlock(d, input[e]);
}

/* Serves operator v of the program. */
static void serve(dtr_run *d, int v)
{
    const graph *g = d->graph;
    d->operator= v;
    materialize(d, v);
    if (failed(d))
        return;
    d->created[v] = true;
    d->access[v] = d->clock;
    for (int e = g->input_start[v]; e < g->input_start[v + 1]; e++)
        if (g->last_user[g->input[e]] == v && d->resident[g->input[e]])
            evict(d, g->input[e]);
    if (g->last_user[v] == v)
        evict(d, v);
}

/* ---- runs ---------------------------------------------------------------------------- */

static dtr_run dtr_run_make(const graph *g, int64_t budget, double thrash)
{
    const size_t n = (size_t)g->n;
    dtr_run d = {.graph = g, .budget = budget, .schedule = schedule_create(g->n)};
    d.time = base_malloc(n, sizeof *d.time);
    d.access = base_calloc(n, sizeof *d.access);
    d.created = base_calloc(n, sizeof *d.created);
    d.resident = base_calloc(n, sizeof *d.resident);
    d.locks = base_calloc(n, sizeof *d.locks);
    d.since = base_calloc(n, sizeof *d.since);
    d.mark = base_calloc(n, sizeof *d.mark);
    d.stack = base_malloc(n + 1, sizeof *d.stack);
    d.missing = base_malloc((size_t)g->edge_count + 1, sizeof *d.missing);
    d.class_of = base_calloc(n, sizeof *d.class_of);
    policy_clock total = 0;
    for (int v = 0; v < g->n; v++)
        total += d.time[v] = policy_clock_of(g->seconds[v]);
    d.limit = (policy_clock)((long double)thrash * (long double)total);
    return d;
}

/* One run with its own budget: its schedule, or NULL and a reason. O(evictions *
 * resident * edges among evicted nodes). */
static schedule *dtr_once(const problem *p, const baseline_options *o, int variant, int64_t budget,
                          char reason[BASELINE_REASON])
{
    const graph *g = p->graph;
    dtr_run d = dtr_run_make(g, budget, o->dtr_thrash);
    d.variant = variant;
    bool stopped = false;
    for (int v = 0; v < g->n && !failed(&d) && !stopped; v++) {
        serve(&d, v);
        stopped = policy_stopped(o, reason);
    }
    const int64_t needed =
        d.out_of_memory ? g->bytes[d.failed_node] + g->workspace[d.failed_node] : 0;
    if (d.out_of_memory)
        snprintf(reason, BASELINE_REASON,
                 "out of memory in stage %d: node %d (%.80s) needs %lld bytes beside %lld that its "
                 "readers hold",
                 d.operator, d.failed_node, g->node_name[d.failed_node], (long long)needed,
                 (long long)d.used);
    else if (d.thrashed)
        snprintf(reason, BASELINE_REASON,
                 "computes for more than %g times the base time in stage %d", o->dtr_thrash,
                 d.operator);
    schedule *s = d.schedule;
    if (failed(&d) || stopped) {
        schedule_free(s);
        s = NULL;
    } else {
        schedule_prune(g, s);
    }
    base_free_all(d.time, d.access, d.created, d.resident, d.locks, d.since, d.mark, d.stack,
                  d.missing, d.class_of, d.classes);
    return s;
}

schedule *baseline_dtr(const problem *p, const baseline_options *o, int variant,
                       char reason[BASELINE_REASON])
{
    int64_t lowest = INT64_MAX;
    for (int percent = 100; percent > 0; percent -= 2) {
        int64_t budget = (int64_t)((__int128)p->ram_budget_bytes * percent / 100);
        schedule *s = dtr_once(p, o, variant, budget, reason);
        if (!s)
            break;
        validation v;
        policy_measure(p, s, &v);
        if (v.peak_bytes <= p->ram_budget_bytes)
            return policy_accept(p, s, reason);
        if (v.peak_bytes < lowest)
            lowest = v.peak_bytes;
        schedule_free(s);
    }
    if (lowest < INT64_MAX && !base_limits_check(o->limits))
        snprintf(reason, BASELINE_REASON,
                 "folded into stages its runs need %lld bytes or more; the budget is %lld bytes",
                 (long long)lowest, (long long)p->ram_budget_bytes);
    return NULL;
}
