/* Measures the stages of a training chain (bytes, seconds, transfers), and fills rotor's table
 * of least seconds for ranges of stages and slots of memory. */
#include "baselines/pofo_chain.h"

#include <assert.h>
#include <math.h>

/* ---- the chain ------------------------------------------------------------------ */

/* Peak of the RAM beyond node `from` while the segment from + 1 .. to is computed. Its nodes leave
 * RAM after their last forward reader. */
static int64_t measure_drop(const policy_net *net, int from, int to)
{
    const graph *g = net->graph;
    int64_t now = 0, peak = 0;
    for (int v = from + 1; v <= to; v++) {
        now += g->bytes[v];
        if (now > peak)
            peak = now;
        for (int e = g->input_start[v]; e < g->input_start[v + 1]; e++) {
            int u = g->input[e];
            if (u > from && net->last_forward[u] == v)
                now -= g->bytes[u];
        }
    }
    return peak;
}

/* Peak of the RAM beyond node `from` while the gradients first .. last are computed. The segment
 * and the incoming gradient (a node; -1: none) are in RAM at the beginning. Every node leaves RAM
 * after its last reader. */
static int64_t measure_turn(const policy_net *net, int from, int to, int first, int last,
                            int incoming)
{
    const graph *g = net->graph;
    int64_t now = incoming >= 0 ? g->bytes[incoming] : 0;
    for (int v = from + 1; v <= to; v++)
        now += g->bytes[v];
    int64_t peak = now;
    for (int t = first; t <= last; t++) {
        now += g->bytes[t];
        if (now > peak)
            peak = now;
        for (int e = g->input_start[t]; e < g->input_start[t + 1]; e++) {
            int u = g->input[e];
            bool inside = (u > from && u <= to) || u == incoming || (u >= first && u < t);
            if (inside && g->last_user[u] == t)
                now -= g->bytes[u];
        }
    }
    return peak;
}

/* Rate and latency (in bytes) of a transfer: seconds = latency + bytes / rate through
 * the smallest and the largest tensor. */
static void fit_transfer(const graph *g, const double *seconds, double *rate, double *latency_bytes)
{
    int small = 0, large = 0;
    for (int i = 1; i < g->n; i++) {
        if (g->bytes[i] < g->bytes[small])
            small = i;
        if (g->bytes[i] > g->bytes[large])
            large = i;
    }
    double bytes = (double)(g->bytes[large] - g->bytes[small]);
    double span = seconds[large] - seconds[small];
    if (!(bytes > 0.0 && span > 0.0)) {
        bytes = (double)g->bytes[large];
        span = seconds[large];
    }
    /* Transfers that take no time: fast enough to be hidden by any computation. */
    *rate = bytes > 0.0 && span > 0.0 ? bytes / span : 1e30;
    *latency_bytes = fmax(0.0, seconds[small] * *rate - (double)g->bytes[small]);
}

/* Fills in stage l; takes the node of the gradient that comes in, -1 for none, and returns the node
 * of the gradient that goes out. */
static int measure_stage(pofo_chain *c, const policy_net *net, int l, int incoming)
{
    const graph *g = net->graph;
    const int from = c->steps->point[l], to = c->steps->point[l + 1];
    const int first = c->steps->turn[l], last = c->steps->turn_end[l];
    c->input_bytes[l + 1] = g->bytes[to];
    c->segment_nodes[l + 1] = to - from;
    for (int v = from + 1; v <= to; v++) {
        c->forward_seconds[l] += g->seconds[v];
        c->segment_bytes[l + 1] += g->bytes[v];
    }
    for (int t = first; t <= last; t++)
        c->backward_seconds[l] += g->seconds[t];
    const int outgoing = first <= last ? last : incoming;
    c->gradient_bytes[l] = outgoing >= 0 ? g->bytes[outgoing] : 0;
    c->drop_bytes[l] = measure_drop(net, from, to);
    c->turn_bytes[l] = measure_turn(net, from, to, first, last, incoming);
    return outgoing;
}

pofo_chain *pofo_chain_create(const policy_net *net, const policy_chain *steps)
{
    const graph *g = net->graph;
    const size_t count = (size_t)steps->steps;
    pofo_chain *c = base_calloc(1, sizeof *c);
    c->stages = steps->steps;
    c->steps = steps;
    c->forward_seconds = base_calloc(count, sizeof *c->forward_seconds);
    c->backward_seconds = base_calloc(count, sizeof *c->backward_seconds);
    c->input_bytes = base_calloc(count + 1, sizeof *c->input_bytes);
    c->segment_bytes = base_calloc(count + 1, sizeof *c->segment_bytes);
    c->segment_nodes = base_calloc(count + 1, sizeof *c->segment_nodes);
    c->gradient_bytes = base_calloc(count + 1, sizeof *c->gradient_bytes);
    c->drop_bytes = base_calloc(count, sizeof *c->drop_bytes);
    c->turn_bytes = base_calloc(count, sizeof *c->turn_bytes);
    c->input_bytes[0] = c->segment_bytes[0] = g->bytes[0];
    c->segment_nodes[0] = 1;
    for (int l = c->stages - 1, gradient = -1; l >= 0; l--)
        gradient = measure_stage(c, net, l, gradient);
    fit_transfer(g, g->pageout_seconds, &c->pageout_rate, &c->pageout_latency_bytes);
    fit_transfer(g, g->pagein_seconds, &c->pagein_rate, &c->pagein_latency_bytes);
    return c;
}

void pofo_chain_free(pofo_chain *c)
{
    if (!c)
        return;
    base_free_all(c->forward_seconds, c->backward_seconds, c->input_bytes, c->segment_bytes,
                  c->segment_nodes, c->gradient_bytes, c->drop_bytes, c->turn_bytes, c);
}

/* ---- rotor ------------------------------------------------------------------------- */

static size_t rotor_cell(const rotor_table *r, int a, int b, int slots)
{
    assert(0 <= a && a <= b && b < r->stages && 0 <= slots && slots <= r->slots);
    size_t pair = (size_t)b * (size_t)(b + 1) / 2 + (size_t)a;
    return pair * (size_t)(r->slots + 1) + (size_t)slots;
}

double rotor_memory(int stages, int slots)
{
    return 0.5 * stages * (stages + 1.0) * (slots + 1.0) * (sizeof(double) + sizeof(int16_t));
}

double rotor_seconds(const rotor_table *r, int a, int b, int slots)
{
    return slots < 0 ? INFINITY : r->seconds[rotor_cell(r, a, b, slots)];
}

/* Slots needed if the segment of stage a is kept: in its forward part, with the gradient of b + 1
 * in RAM, and in its backward part. */
static int keep_need(const rotor_table *r, int a, int b)
{
    int forward = r->segment[a + 1] + r->gradient[b + 1];
    return forward > r->turn[a] ? forward : r->turn[a];
}

/* Computes the entry of a range; requires the entries of shorter ranges. drop_need[j]: slots to
 * compute a..j-1 without keeping anything. Of equal times: keep the segment, then the smaller j. */
static void rotor_solve(rotor_table *r, int a, int b, int slots, const int *drop_need)
{
    const pofo_chain *c = r->chain;
    double best = INFINITY;
    int choice = 0;
    if (slots >= keep_need(r, a, b)) {
        best = c->forward_seconds[a] + c->backward_seconds[a];
        if (a < b)
            best += rotor_seconds(r, a + 1, b, slots - r->segment[a + 1]);
        choice = -1;
    }
    for (int j = a + 1; j <= b && drop_need[j] + r->gradient[b + 1] <= slots; j++) {
        double seconds = r->forward_sum[j] - r->forward_sum[a] +
                         rotor_seconds(r, j, b, slots - r->input[j]) +
                         rotor_seconds(r, a, j - 1, slots);
        if (seconds >= best)
            continue;
        best = seconds;
        choice = j;
    }
    r->seconds[rotor_cell(r, a, b, slots)] = best;
    r->choice[rotor_cell(r, a, b, slots)] = (int16_t)choice;
}

/* Rounds bytes up to slots of `unit` bytes, at most 10^6. */
static int *in_slots(const int64_t *bytes, int count, double unit)
{
    int *slots = base_malloc((size_t)count, sizeof *slots);
    for (int k = 0; k < count; k++) {
        double exact = ceil((double)bytes[k] / unit);
        slots[k] = exact < 1e6 ? (int)exact : 1000000;
    }
    return slots;
}

rotor_table *rotor_create(const pofo_chain *c, int slots, double unit, const base_limits *limits)
{
    const int m = c->stages;
    rotor_table *r = base_calloc(1, sizeof *r);
    r->stages = m;
    r->slots = slots;
    r->chain = c;
    r->input = in_slots(c->input_bytes, m + 1, unit);
    r->segment = in_slots(c->segment_bytes, m + 1, unit);
    r->gradient = in_slots(c->gradient_bytes, m + 1, unit);
    r->drop = in_slots(c->drop_bytes, m, unit);
    r->turn = in_slots(c->turn_bytes, m, unit);
    r->forward_sum = base_calloc((size_t)m + 1, sizeof *r->forward_sum);
    for (int l = 0; l < m; l++)
        r->forward_sum[l + 1] = r->forward_sum[l] + c->forward_seconds[l];
    size_t cells = (size_t)m * (size_t)(m + 1) / 2 * (size_t)(slots + 1);
    r->seconds = base_malloc(cells, sizeof *r->seconds);
    r->choice = base_malloc(cells, sizeof *r->choice);
    int *drop_need = base_calloc((size_t)m + 1, sizeof *drop_need);
    bool stopped = false;
    for (int a = m - 1; a >= 0 && !stopped; a--) {
        for (int j = a + 1; j < m; j++) {
            int need = r->drop[j - 1] + (j - 1 > a ? r->input[j - 1] : 0);
            drop_need[j] = j > a + 1 && drop_need[j - 1] > need ? drop_need[j - 1] : need;
        }
        for (int b = a; b < m; b++)
            for (int k = 0; k <= slots; k++)
                rotor_solve(r, a, b, k, drop_need);
        base_work_count((size_t)(m - a) * (size_t)(m - a) * (size_t)(slots + 1));
        stopped = base_limits_check(limits) != BASE_GO;
    }
    base_free(drop_need);
    if (stopped) {
        rotor_free(r);
        return NULL;
    }
    return r;
}

void rotor_free(rotor_table *r)
{
    if (!r)
        return;
    base_free_all(r->input, r->segment, r->gradient, r->drop, r->turn, r->forward_sum, r->seconds,
                  r->choice, r);
}

void rotor_hold(const rotor_table *r, const policy_net *net, schedule *s, int a, int b, int slots)
{
    const policy_chain *steps = r->chain->steps;
    const int turn = steps->turn[b];
    while (a <= b) {
        assert(isfinite(rotor_seconds(r, a, b, slots)));
        const int j = r->choice[rotor_cell(r, a, b, slots)];
        if (j < 0) {
            for (int v = steps->point[a] + 1; v <= steps->point[a + 1]; v++)
                policy_hold(s, v, turn, net->graph->last_user[v]);
            slots -= r->segment[a + 1];
            a++;
        } else {
            policy_hold(s, steps->point[j], turn, net->graph->last_user[steps->point[j]]);
            rotor_hold(r, net, s, a, j - 1, slots);
            slots -= r->input[j];
            a = j;
        }
    }
}
