/* Multiplies costs and sizes by powers of two up to the ends of the range, or mixes bytes with
 * gigabytes, and draws budgets and deadlines that just hold or just fail. */
#include "tests/oracle/extreme_instance.h"

#include <math.h>

#include "tests/oracle/draw.h"
#include "tests/oracle/oracle.h"

/* Costs of one unit, two powers of two: of all, and how far they spread at most. */
typedef struct stretch {
    base_rng *rng;
    int shift, spread;
} stretch;

/* For costs that are 0 or between least and most. */
static stretch draw_stretch(base_rng *rng, double least, double most)
{
    stretch s = {rng, 0, 0};
    if (!(most > 0))
        return s;
    int widest = (int)floor(log2(GRAPH_MOST_RATIO * least / most));
    s.spread = draw_below(rng, 2) ? widest : draw_below(rng, widest + 1);
    int low = (int)ceil(log2(GRAPH_LEAST_COST / least));
    int high = (int)floor(log2(GRAPH_MOST_COST / most)) - s.spread;
    int choice = draw_below(rng, 3);
    s.shift = choice == 0 ? low : choice == 1 ? high : low + draw_below(rng, high - low + 1);
    return s;
}

/* One in three as small as can be, one as large, one in between. */
static double stretched(const stretch *s, double value)
{
    int choice = draw_below(s->rng, 3);
    int power = choice == 0 ? 0 : choice == 1 ? s->spread : draw_below(s->rng, s->spread + 1);
    return ldexp(value, s->shift + power);
}

static void widen(double value, double *least, double *most)
{
    if (value > 0) {
        *least = fmin(*least, value);
        *most = fmax(*most, value);
    }
}

static void stretch_costs(base_rng *rng, int n, double *compute, double *in, double *out)
{
    double least = INFINITY, most = 0;
    for (int i = 0; i < n; i++) {
        widen(compute[i], &least, &most);
        widen(in[i], &least, &most);
        widen(out[i], &least, &most);
    }
    const stretch s = draw_stretch(rng, least, most);
    for (int i = 0; i < n; i++) {
        compute[i] = stretched(&s, compute[i]);
        in[i] = stretched(&s, in[i]);
        out[i] = stretched(&s, out[i]);
    }
}

/* The base time and what some recomputations and transfers add, or almost. */
static double draw_deadline(base_rng *rng, const problem *p)
{
    const graph *g = p->graph;
    double seconds = graph_base_seconds(g);
    for (int i = 0; i < g->n; i++) {
        seconds += draw_below(rng, 3) == 0 ? g->seconds[i] : 0;
        if (p->deadline_includes_paging && draw_below(rng, 2))
            seconds += g->pagein_seconds[i] + g->pageout_seconds[i];
    }
    return draw_below(rng, 4) == 0 ? seconds * (1 - 1e-11) : seconds;
}

static void stretch_sizes(base_rng *rng, graph *g, problem *p)
{
    int64_t total = 1;
    for (int i = 0; i < g->n; i++)
        total += g->bytes[i];
    int most = 0;
    while ((total << (most + 1)) <= GRAPH_MAX_BYTES)
        most++;
    int shift = draw_below(rng, 2) ? most : draw_below(rng, most + 1);
    for (int i = 0; i < g->n; i++)
        g->bytes[i] <<= shift;
    p->ram_budget_bytes <<= shift;
    p->ram_budget_bytes += (int64_t)base_rng_below(rng, (uint64_t)1 << shift);
}

/* The same graph, made again: the range is checked. */
static graph *remade(const graph *g)
{
    OWNED(int) *order = base_malloc((size_t)g->n, sizeof *order);
    for (int i = 0; i < g->n; i++)
        order[i] = i;
    graph *made = graph_reorder(g, order);
    return made;
}

void extreme_instance_stretch(random_instance *instance, uint64_t seed)
{
    base_rng rng = {~seed};
    graph *g = instance->graph;
    problem *p = &instance->problem;
    stretch_costs(&rng, g->n, g->joules, g->pagein_joules, g->pageout_joules);
    stretch_costs(&rng, g->n, g->seconds, g->pagein_seconds, g->pageout_seconds);
    stretch_sizes(&rng, g, p);
    instance->graph = remade(g);
    p->graph = instance->graph;
    graph_free(g);
    if (isfinite(p->deadline_seconds))
        p->deadline_seconds = draw_deadline(&rng, p);
}

static bool has_schedule(const problem *p)
{
    oracle_result o = oracle_solve(p);
    schedule_free(o.schedule);
    return o.feasible;
}

void extreme_instance_mix_sizes(random_instance *instance, uint64_t seed)
{
    enum { LARGE = 34, FEW = 9 };
    base_rng rng = {~seed};
    graph *g = instance->graph;
    problem *p = &instance->problem;
    for (int i = 0; i < g->n; i++) {
        const int large = draw_below(&rng, 2) ? draw_between(&rng, 1, 3) : 0;
        g->bytes[i] = ((int64_t)large << LARGE) + draw_below(&rng, FEW);
        g->workspace[i] = draw_below(&rng, 4) == 0 ? draw_below(&rng, FEW) : 0;
    }
    int64_t low = 0, high = graph_checkpoint_all_peak(g); /* no schedule within low */
    while (high - low > 1) {
        p->ram_budget_bytes = low + (high - low) / 2;
        *(has_schedule(p) ? &high : &low) = p->ram_budget_bytes;
    }
    p->ram_budget_bytes = high - (draw_below(&rng, 2) ? 0 : draw_between(&rng, 1, FEW));
    if (p->ram_budget_bytes < 1)
        p->ram_budget_bytes = 1;
}
