/* The walk: cycles of epochs with falling temperature, three kinds of moves (a copy more, a copy
 * less, a copy elsewhere), and a price of memory that rises after an epoch that ends over the
 * budget and falls after one that ends within. */
#include "heuristics/anneal.h"

#include <math.h>

#include "heuristics/intervals.h"

enum {
    TRIES = 40, /* to find a tensor, a stage */
    DEPTH = 10  /* of inputs that are made again, too */
};

struct anneal {
    heuristic_tuning tuning;
    intervals *s;
    base_rng rng;
    double slack;
    double unit;  /* average cost of a copy */
    double price; /* of a byte above the budget in a stage */
    double temperature;
    int cycle, epochs, epoch; /* of the cycle */
    int move;                 /* of the epoch */
    intervals_saved *best;
    intervals_saved *nothing; /* everything computed once */
    double best_joules;
};

static int below(anneal *a, int bound)
{
    return (int)base_rng_below(&a->rng, (uint64_t)bound);
}

static bool is_drawn(anneal *a, double probability)
{
    return base_rng_double(&a->rng) < probability;
}

/* ---- moves -------------------------------------------------------------------------- */

/* A stage above the budget, if there is one and the draw wants it. */
static int draw_stage(anneal *a)
{
    const intervals *s = a->s;
    const int n = s->p->graph->n;
    int t = below(a, n);
    if (s->excess == 0 || is_drawn(a, 0.2))
        return t;
    for (int k = 0; k < TRIES && s->over[t] == 0; k++)
        t = below(a, n);
    for (int k = 0; k < n && s->over[t] == 0; k++)
        t = t + 1 < n ? t + 1 : 0;
    return t;
}

/* Where a page-out for a page-in before stage `first` can be: with a read of the copy that is
 * there, or as soon as it can. */
static int draw_out(const anneal *a, int v, int first)
{
    const int k = intervals_serving(a->s, v, first), made = a->s->tensor[v].at[k].first;
    int last = made + 1;
    for (int t = intervals_next_read(a->s, v, k, made); t >= 0 && t < first - 1;
         t = intervals_next_read(a->s, v, k, t))
        last = t;
    return last;
}

static void add(anneal *a, int v, int first, int depth);

/* Inputs that would stay for this alone may be made again, too. */
static void add_inputs(anneal *a, int v, int first, int depth)
{
    const graph *g = a->s->p->graph;
    for (int i = g->input_start[v]; i < g->input_start[v + 1]; i++) {
        const int u = g->input[i];
        const copy *from = &a->s->tensor[u].at[intervals_serving(a->s, u, first)];
        if (from->first < first && from->last < first && depth < DEPTH && is_drawn(a, 0.5))
            add(a, u, first, depth + 1);
    }
}

static void add(anneal *a, int v, int first, int depth)
{
    intervals *s = a->s;
    const bool remat = problem_may_recompute(s->p, v);
    const bool paged = problem_may_page(s->p, v) && (!remat || is_drawn(a, 0.5));
    const int out = paged && s->tensor[v].out < 0 ? draw_out(a, v, first) : -1;
    if ((!paged && !remat) || !intervals_can_add(s, v, first, paged, out))
        return;
    intervals_add(s, v, first, paged, out);
    if (!paged)
        add_inputs(a, v, first, depth);
}

/* A tensor leaves RAM at some stage and is made again for its next reader, or a little before. */
static void part(anneal *a)
{
    intervals *s = a->s;
    const int stage = draw_stage(a);
    for (int k = 0; k < TRIES && stage > 0; k++) {
        const int v = below(a, stage);
        const int serving = intervals_serving(s, v, stage);
        if (s->tensor[v].at[serving].last <= stage)
            continue;
        const int next = intervals_next_read(s, v, serving, stage);
        if (next < 0)
            continue;
        add(a, v, is_drawn(a, 0.8) ? next : stage + 1 + below(a, next - stage), 0);
        return;
    }
}

static bool draw_copy(anneal *a, int *v, int *k)
{
    const intervals *s = a->s;
    if (s->more.count == 0)
        return false;
    *v = s->more.at[below(a, s->more.count)];
    *k = 1 + below(a, s->tensor[*v].count - 1);
    return true;
}

/* A copy goes; the one before it serves its readers. */
static void join(anneal *a)
{
    int v, k;
    if (draw_copy(a, &v, &k))
        intervals_remove(a->s, v, k);
}

/* A copy is made at another stage, or in another way. */
static void shift(anneal *a)
{
    intervals *s = a->s;
    int v, k;
    if (!draw_copy(a, &v, &k))
        return;
    const copy old = s->tensor[v].at[k];
    const int before = s->tensor[v].at[k - 1].first;
    const int next = intervals_next_read(s, v, k, old.first - 1);
    if (next < 0)
        return;
    intervals_remove(s, v, k);
    int first = next;
    if (is_drawn(a, 0.7)) {
        int low = before + 1;
        if (!is_drawn(a, 0.5) && old.first - 3 > before)
            low = old.first - 3;
        first = low + below(a, next - low + 1);
    }
    add(a, v, first, 0);
}

/* ---- the walk ------------------------------------------------------------------------- */

static void change(anneal *a)
{
    const double r = base_rng_double(&a->rng);
    if (r < 0.5)
        part(a);
    else if (r < 0.75)
        join(a);
    else
        shift(a);
}

static void note_best(anneal *a)
{
    const intervals *s = a->s;
    if (s->excess > 0 || s->seconds > a->slack || !(s->joules < a->best_joules * (1 - 1e-12)))
        return;
    intervals_saved_free(a->best);
    a->best = intervals_save(s);
    a->best_joules = s->joules;
}

static void move(anneal *a)
{
    intervals *s = a->s;
    const double joules = s->joules, seconds = s->seconds;
    const int64_t excess = s->excess;
    intervals_begin(s);
    change(a);
    intervals_settle(s);
    const double rise = s->joules - joules + a->price * ((double)s->excess - (double)excess);
    const bool late = s->seconds > a->slack && s->seconds > seconds;
    if (late || (rise > 0 && !is_drawn(a, exp(-rise / a->temperature))))
        intervals_undo(s);
}

/* What a copy costs, and a price of memory to begin with. */
static void measure(anneal *a)
{
    const problem *p = a->s->p;
    const graph *g = p->graph;
    double joules = 0, bytes = 0;
    for (int v = 0; v < g->n; v++) {
        const double again = problem_may_recompute(p, v) ? g->joules[v] : INFINITY;
        const double paged =
            problem_may_page(p, v) ? g->pagein_joules[v] + g->pageout_joules[v] : INFINITY;
        joules += isinf(fmin(again, paged)) ? 0 : fmin(again, paged);
        bytes += (double)g->bytes[v];
    }
    a->unit = fmax(joules / g->n, 1e-30);
    a->price = bytes > 0 ? a->unit / (bytes / g->n) / 8 : 0;
}

static void end_epoch(anneal *a)
{
    a->move = 0;
    const heuristic_tuning *t = &a->tuning;
    a->price *= a->s->excess > 0 ? t->anneal_dearer : t->anneal_cheaper;
    a->temperature *= pow(t->anneal_cold / t->anneal_hot, 1.0 / (a->epochs - 1));
    if (++a->epoch < a->epochs)
        return;
    a->epoch = 0;
    a->cycle++;
    /* Every second cycle begins anew, the others with the best. */
    const bool anew = a->cycle % 2 == 0 || !a->best;
    if (!anew)
        a->epochs *= 2;
    a->temperature = a->unit * a->tuning.anneal_hot;
    intervals_restore(a->s, anew ? a->nothing : a->best);
    if (anew)
        measure(a);
}

anneal *anneal_create(const problem *p, const heuristic_tuning *tuning, uint64_t seed)
{
    anneal *a = base_calloc(1, sizeof *a);
    a->tuning = *tuning;
    a->s = intervals_create(p);
    a->rng = (base_rng){seed};
    a->slack = problem_slack_seconds(p);
    a->best_joules = INFINITY;
    a->epochs = a->tuning.anneal_epochs;
    a->nothing = intervals_save(a->s);
    measure(a);
    a->temperature = a->unit * a->tuning.anneal_hot;
    note_best(a);
    return a;
}

void anneal_free(anneal *a)
{
    if (!a)
        return;
    intervals_free(a->s);
    intervals_saved_free(a->best);
    intervals_saved_free(a->nothing);
    base_free(a);
}

void anneal_run(anneal *a, double work)
{
    const double end = (double)base_work_done() + work;
    const int moves = a->tuning.anneal_moves * a->s->p->graph->n + 100;
    while (a->best_joules > 0 && (double)base_work_done() < end) {
        base_work(300);
        move(a);
        note_best(a);
        if (++a->move >= moves)
            end_epoch(a);
    }
}

double anneal_joules(const anneal *a)
{
    return a->best_joules;
}

schedule *anneal_best(anneal *a)
{
    if (!a->best)
        return NULL;
    intervals_restore(a->s, a->best);
    return intervals_schedule(a->s);
}
