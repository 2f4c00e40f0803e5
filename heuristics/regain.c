/* The price of bringing a tensor back into RAM. A recursion over its missing inputs finds the
 * cheapest way of each tensor: stay longer, page in, or compute again. Prices are kept for one
 * query. */
#include "heuristics/regain.h"

#include <math.h>

enum { DEPTH = 24, MOST = 400 }; /* longest chain of computations, most tensors tried */

typedef enum way { STAYS, PAGED, COMPUTED, NONE } way;

struct regain {
    intervals *s;
    int *stamp;    /* n: the query (epoch) that `way` and `price` are valid for */
    double *price; /* n: price of the way */
    way *way;      /* n */
    int *out;      /* n: stage of the page-out, if the tensor is not on storage yet; else -1 */
    int epoch, first, node, count;
    double noise;
    base_rng *rng;
};

regain *regain_create(intervals *s)
{
    const size_t n = (size_t)s->p->graph->n;
    regain *r = base_calloc(1, sizeof *r);
    r->s = s;
    r->stamp = base_calloc(n, sizeof *r->stamp);
    r->price = base_malloc(n, sizeof *r->price);
    r->way = base_malloc(n, sizeof *r->way);
    r->out = base_malloc(n, sizeof *r->out);
    return r;
}

void regain_free(regain *r)
{
    if (!r)
        return;
    base_free_all(r->stamp, r->price, r->way, r->out, r);
}

static double noise_factor(regain *r)
{
    return r->noise > 0 ? 1 + r->noise * base_rng_double(r->rng) : 1;
}

/* Returns the stage of a page-out that a page-in before stage `first` needs: a stage in which the
 * present copy is read, or the earliest possible stage. */
static int out_stage(const intervals *s, int v, int first)
{
    const int k = intervals_serving(s, v, first), made = s->tensor[v].at[k].first;
    int last = made + 1;
    for (int t = intervals_next_read(s, v, k, made); t >= 0 && t < first - 1;
         t = intervals_next_read(s, v, k, t))
        last = t;
    return last;
}

static double paged_price(regain *r, int v)
{
    const intervals *s = r->s;
    const graph *g = s->p->graph;
    const int out = r->out[v] = s->tensor[v].out < 0 ? out_stage(s, v, r->first) : -1;
    if (!intervals_can_add(s, v, r->first, true, out))
        return INFINITY;
    return g->pagein_joules[v] + (out >= 0 ? g->pageout_joules[v] : 0);
}

static double way_price(regain *r, int v, double most, int depth);

static double computed_price(regain *r, int v, double most, int depth)
{
    const graph *g = r->s->p->graph;
    double sum = g->joules[v] + intervals_extra_charge(r->s, v);
    if (depth >= DEPTH || !intervals_can_add(r->s, v, r->first, false, -1))
        return INFINITY;
    for (int i = g->input_start[v]; i < g->input_start[v + 1] && sum <= most; i++)
        sum += way_price(r, g->input[i], most - sum, depth + 1);
    return sum;
}

/* Price of the cheapest way other than STAYS. */
static double made_price(regain *r, int v, double most, int depth)
{
    double price = INFINITY;
    r->way[v] = NONE;
    if (problem_may_page(r->s->p, v)) {
        price = paged_price(r, v) * noise_factor(r);
        r->way[v] = PAGED;
    }
    if (problem_may_recompute(r->s->p, v)) {
        const double f = noise_factor(r),
                     again = f * computed_price(r, v, fmin(most, price) / f, depth);
        if (again < price) {
            price = again;
            r->way[v] = COMPUTED;
        }
    }
    return price;
}

static double way_price(regain *r, int v, double most, int depth)
{
    const intervals *s = r->s;
    const int64_t bytes = s->p->graph->bytes[v];
    const copy *from = &s->tensor[v].at[intervals_serving(s, v, r->first)];
    base_work(8);
    if (from->first == r->first || from->last >= r->first)
        return 0;
    if (r->stamp[v] == r->epoch)
        return r->price[v];
    r->stamp[v] = r->epoch;
    r->way[v] = NONE; /* until the price is found; the graph has no circles */
    r->price[v] = INFINITY;
    const int after = (from->last > from->first ? from->last : from->first) + 1;
    double price = noise_factor(r) * intervals_rise(s, after, r->first, bytes, most);
    if (price > 0 && ++r->count < MOST) {
        const double again = made_price(r, v, fmin(price, most), depth) +
                             intervals_rise(s, r->first, r->first, bytes, INFINITY);
        if (again < price)
            price = again;
        else
            r->way[v] = STAYS;
    } else
        r->way[v] = STAYS;
    return r->price[v] = price;
}

double regain_cost(regain *r, int v, int first, double most, double noise, base_rng *rng)
{
    r->epoch++;
    r->first = first;
    r->node = v;
    r->noise = noise;
    r->rng = rng;
    r->count = 0;
    r->stamp[v] = r->epoch;
    const double price = made_price(r, v, most, 0);
    if (price > most)
        r->way[v] = NONE;
    return r->price[v] = price > most ? INFINITY : price;
}

static void add_sources(regain *r, int v)
{
    intervals *s = r->s;
    const graph *g = s->p->graph;
    const bool paged = r->way[v] == PAGED;
    r->stamp[v] = 0; /* it is made once */
    if (!intervals_can_add(s, v, r->first, paged, r->out[v]))
        return;
    intervals_add(s, v, r->first, paged, paged ? r->out[v] : -1);
    for (int i = paged ? g->input_start[v + 1] : g->input_start[v]; i < g->input_start[v + 1];
         i++) {
        const int u = g->input[i];
        if (r->stamp[u] == r->epoch && (r->way[u] == PAGED || r->way[u] == COMPUTED))
            add_sources(r, u);
    }
}

void regain_make(regain *r)
{
    if (r->way[r->node] == PAGED || r->way[r->node] == COMPUTED)
        add_sources(r, r->node);
}
