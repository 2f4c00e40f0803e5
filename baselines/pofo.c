/* Beaumont, Eyraud-Dubois, Shilova: Efficient combination of rematerialization and
 * offloading for training DNNs, NeurIPS 2021. A dynamic programme over a chain picks
 * for each stage, in the order of the forward pass, whether its segment is kept for
 * the backward part (F_all) or a range of stages is dropped and later computed again
 * from its input (F_ck), and whether the stage's input stays in RAM or is paged. All
 * page-outs are queued before the loss, page-ins after; transfers run beside the
 * computation, which stalls where they are late. The value of a state is the time
 * from there to the loss and back.
 *
 * The recurrence follows PofoSolver of ColossalAI, which says it follows the paper and
 * its supplement, with these differences: each direction has its own rate; the latency
 * of a transfer counts as the bytes that would have moved meanwhile; a dropped range
 * is recomputed in the RAM left beside what waits to be paged in, at the time of
 * rotor's sequence (theirs is an estimate). Bytes are rounded up to slots. Equal
 * times: page before keep, F_all before F_ck, shorter ranges first.
 *
 * Because slots round up and POET counts memory by stages, the programme is run for
 * 100 %, 98 %, ... of the budget until its schedule fits. The objective is time, not energy. */
#include <assert.h>
#include <math.h>

#include "baselines/pofo_chain.h"

enum { POFO_MAX_SLOTS = 4000, POFO_ALL = -1 };

/* Refused beyond this: the rotor table alone grows with the square of the stages. */
static const double POFO_MAX_TABLE_BYTES = 512.0 * 1024.0 * 1024.0;

/* Sizes in slots. */
typedef struct pofo_state {
    int stage;
    int kept; /* A: inputs kept for their backward part */
    int out;  /* df: still to be paged out */
    int in;   /* db: to be paged in during the remaining backward pass */
    bool bar; /* the previous segment was kept: the input is the whole segment, not its last node */
} pofo_state;

typedef struct pofo_choice {
    double seconds; /* INFINITY: infeasible */
    int16_t last;   /* POFO_ALL, or the last stage of a dropped range */
    bool page;      /* the input is paged */
} pofo_choice;

typedef struct pofo_entry {
    uint64_t key; /* 0: free */
    pofo_choice choice;
} pofo_entry;

typedef struct pofo {
    const pofo_chain *chain;
    rotor_table *rotor;
    int slots;
    double *least;     /* stages + 1: seconds below which no state of a stage can be */
    double unit;       /* bytes of a slot */
    double memory;     /* slots * unit */
    pofo_entry *table; /* open addressing, size a power of two */
    size_t table_size, table_used;
    const baseline_options *options;
    bool stopped;
} pofo;

/* ---- the memo table ---------------------------------------------------------------- */

static uint64_t state_key(const pofo_state *x)
{
    uint64_t key = (uint64_t)x->stage << 1 | x->bar;
    key = key << 12 | (uint64_t)x->kept;
    key = key << 12 | (uint64_t)x->out;
    return (key << 12 | (uint64_t)x->in) + 1;
}

/* The entry of the key, or the free one where it belongs. */
static pofo_entry *table_find(pofo_entry *table, size_t size, uint64_t key)
{
    uint64_t hash = key * 0x9E3779B97F4A7C15u;
    size_t k = (size_t)(hash ^ hash >> 29) & (size - 1);
    while (table[k].key && table[k].key != key)
        k = (k + 1) & (size - 1);
    return &table[k];
}

static void table_store(pofo *d, uint64_t key, pofo_choice choice)
{
    if (2 * (d->table_used + 1) > d->table_size) {
        size_t size = 2 * d->table_size;
        pofo_entry *table = base_calloc(size, sizeof *table);
        for (size_t k = 0; k < d->table_size; k++)
            if (d->table[k].key)
                *table_find(table, size, d->table[k].key) = d->table[k];
        base_free(d->table);
        d->table = table;
        d->table_size = size;
    }
    pofo_entry *entry = table_find(d->table, d->table_size, key);
    assert(!entry->key);
    *entry = (pofo_entry){.key = key, .choice = choice};
    d->table_used++;
}

/* ---- transitions ------------------------------------------------------------------- */

/* Bytes that a state leaves free. */
typedef struct pofo_view {
    double input;                   /* of the stage: its segment if bar */
    double latency_out, latency_in; /* of paging it, as bytes */
    double kept, out, in;
    double available; /* beside the kept tensors and the input */
} pofo_view;

static pofo_view view_state(const pofo *d, const pofo_state *x)
{
    const pofo_chain *c = d->chain;
    pofo_view v;
    int tensors = x->bar ? c->segment_nodes[x->stage] : 1;
    v.input = (double)(x->bar ? c->segment_bytes[x->stage] : c->input_bytes[x->stage]);
    v.latency_out = tensors * c->pageout_latency_bytes;
    v.latency_in = tensors * c->pagein_latency_bytes;
    v.kept = x->kept * d->unit;
    v.out = x->out * d->unit;
    v.in = x->in * d->unit;
    v.available = d->memory - v.kept - v.input;
    return v;
}

/* Time of a decision and the bytes that move meanwhile. */
typedef struct pofo_step {
    double seconds;
    double moved_out, moved_in;
    int next; /* stage after it */
    bool next_bar;
} pofo_step;

/* F_all(i). Keeping everything, the forward part needs nothing beyond the segment. */
static bool step_all(const pofo *d, const pofo_state *x, const pofo_view *v, pofo_step *step)
{
    const pofo_chain *c = d->chain;
    const int i = x->stage;
    double forward = (double)c->segment_bytes[i + 1];
    double backward = (double)c->turn_bytes[i];
    if (forward > v->available || backward > v->available)
        return false;
    double stall_out = fmax(0.0, forward + v->out - v->available);
    double stall_in = fmax(0.0, backward + v->in - v->available);
    step->seconds = c->forward_seconds[i] + c->backward_seconds[i] + stall_out / c->pageout_rate +
                    stall_in / c->pagein_rate;
    step->moved_out = c->forward_seconds[i] * c->pageout_rate + stall_out;
    step->moved_in = c->backward_seconds[i] * c->pagein_rate + stall_in;
    step->next = i + 1;
    step->next_bar = true;
    return true;
}

static int slots_up(const pofo *d, double bytes)
{
    double slots = ceil(bytes / d->unit - 1e-9);
    return slots < 2.0 * POFO_MAX_SLOTS ? (int)slots : 2 * POFO_MAX_SLOTS;
}

static pofo_state next_state(const pofo *d, const pofo_state *x, const pofo_view *v,
                             const pofo_step *step, bool page)
{
    double out = v->out - step->moved_out, in = fmax(0.0, v->in - step->moved_in);
    if (page) {
        out += v->input + v->latency_out;
        in += v->input + v->latency_in;
    }
    return (pofo_state){.stage = step->next,
                        .kept = page ? x->kept : slots_up(d, v->kept + v->input),
                        .out = slots_up(d, fmax(0.0, out)),
                        .in = slots_up(d, in),
                        .bar = step->next_bar};
}

static double pofo_solve(pofo *d, const pofo_state *x);

/* Tries a decision with the input paged and kept. */
static void try_step(pofo *d, const pofo_state *x, const pofo_view *v, const pofo_step *step,
                     int last, pofo_choice *best)
{
    if (step->seconds + d->least[step->next] >= best->seconds)
        return;
    for (int page = 1; page >= 0; page--) {
        pofo_state next = next_state(d, x, v, step, page != 0);
        double seconds = step->seconds + pofo_solve(d, &next);
        if (seconds < best->seconds)
            *best = (pofo_choice){.seconds = seconds, .last = (int16_t)last, .page = page != 0};
    }
}

/* Slots in which a dropped range that starts at x is computed again. */
static int rotor_slots(const pofo *d, const pofo_view *v)
{
    return (int)floor((v->available - v->in) / d->unit + 1e-9);
}

/* A dropped range F_ck(i), F_0(i+1..) as it grows. */
typedef struct pofo_range {
    double forward; /* seconds to compute it */
    double late;    /* largest need of a stage, less the bytes paged out before it */
} pofo_range;

/* Extends the range that starts at x by stage j. False: it does not fit, and no longer
 * one does. */
static bool extend_range(const pofo *d, const pofo_state *x, const pofo_view *v, int j,
                         pofo_range *r)
{
    const pofo_chain *c = d->chain;
    double need = (double)c->drop_bytes[j];
    if (j > x->stage)
        need += (double)c->input_bytes[j];
    r->late = fmax(r->late, need - c->pageout_rate * r->forward);
    r->forward += c->forward_seconds[j];
    return need <= v->available;
}

/* The range that ends with stage j. False: its backward part does not fit. */
static bool step_range(const pofo *d, const pofo_state *x, const pofo_view *v, int j,
                       const pofo_range *r, pofo_step *step)
{
    const pofo_chain *c = d->chain;
    double again = rotor_seconds(d->rotor, x->stage, j, rotor_slots(d, v));
    double stall = fmax(0.0, r->late + v->out - v->available);
    step->seconds = r->forward + stall / c->pageout_rate + again;
    step->moved_out = c->pageout_rate * r->forward + stall;
    step->moved_in = c->pagein_rate * again;
    step->next = j + 1;
    step->next_bar = false;
    return isfinite(again);
}

/* All ranges that end before the loss. */
static void try_ranges(pofo *d, const pofo_state *x, const pofo_view *v, pofo_choice *best)
{
    pofo_range r = {0.0, 0.0};
    for (int j = x->stage; j < d->chain->stages - 1 && extend_range(d, x, v, j, &r); j++) {
        pofo_step step;
        if (step_range(d, x, v, j, &r, &step))
            try_step(d, x, v, &step, j, best);
    }
}

enum { STEPS_PER_STATE = 50 }; /* of base_work, for each stage that is left */

/* Least seconds from state x to the loss and back. */
static double pofo_solve(pofo *d, const pofo_state *x)
{
    const pofo_chain *c = d->chain;
    if (x->kept + x->out > d->slots || x->kept + x->in > d->slots || d->stopped)
        return INFINITY;
    const uint64_t key = state_key(x);
    const pofo_entry *known = table_find(d->table, d->table_size, key);
    if (known->key)
        return known->choice.seconds;
    base_work_count(STEPS_PER_STATE * (size_t)(c->stages - x->stage));
    if ((d->table_used & 1023) == 0)
        d->stopped = base_limits_check(d->options->limits) != BASE_GO;
    pofo_choice best = {.seconds = INFINITY, .last = POFO_ALL};
    pofo_view v = view_state(d, x);
    pofo_step step;
    if (step_all(d, x, &v, &step)) {
        if (x->stage == c->stages - 1)
            best.seconds = step.seconds + fmax(0.0, v.out - step.moved_out) / c->pageout_rate +
                           fmax(0.0, v.in - step.moved_in) / c->pagein_rate;
        else
            try_step(d, x, &v, &step, POFO_ALL, &best);
    }
    if (x->stage < c->stages - 1)
        try_ranges(d, x, &v, &best);
    table_store(d, key, best);
    return best.seconds;
}

/* ---- from decisions to a schedule -------------------------------------------------- */

/* Pages v out after its last forward reader and in before stage back; keeps it when
 * that is too soon. */
static void page_node(const policy_net *net, schedule *s, int v, int back)
{
    const int until = net->graph->last_user[v];
    int out = net->last_forward[v] > v ? net->last_forward[v] : v + 1;
    if (back >= s->n || back < out + 2) {
        policy_hold(s, v, v, until);
        return;
    }
    policy_hold(s, v, v, out);
    s->Out[schedule_cell(s, out, v)] = 1;
    for (int t = out + 1; t < back; t++)
        s->A[schedule_cell(s, t, v)] = 1;
    s->In[schedule_cell(s, back - 1, v)] = 1;
    policy_hold(s, v, back - 1, until);
}

static void emit_state(const pofo *d, const policy_net *net, schedule *s, const pofo_state *x,
                       const pofo_choice *choice)
{
    const policy_chain *steps = d->chain->steps;
    const int input = steps->point[x->stage];
    for (int v = x->bar ? steps->point[x->stage - 1] + 1 : input; v <= input; v++) {
        int back = net->first_gradient[v];
        if (v == input && choice->last != POFO_ALL && steps->turn[choice->last] < back)
            back = steps->turn[choice->last];
        if (choice->page)
            page_node(net, s, v, back);
        else
            policy_hold(s, v, v, net->graph->last_user[v]);
    }
    if (choice->last != POFO_ALL) {
        pofo_view view = view_state(d, x);
        rotor_hold(d->rotor, net, s, x->stage, choice->last, rotor_slots(d, &view));
    } else if (x->stage == d->chain->stages - 1) {
        for (int v = input + 1; v <= steps->point[x->stage + 1]; v++)
            policy_hold(s, v, v, net->graph->last_user[v]);
    }
}

/* The transition that the choice stands for. */
static pofo_state follow(const pofo *d, const pofo_state *x, const pofo_choice *choice)
{
    pofo_view v = view_state(d, x);
    pofo_step step;
    bool possible;
    if (choice->last == POFO_ALL) {
        possible = step_all(d, x, &v, &step);
    } else {
        pofo_range r = {0.0, 0.0};
        for (int j = x->stage; j <= choice->last; j++)
            extend_range(d, x, &v, j, &r);
        possible = step_range(d, x, &v, choice->last, &r, &step);
    }
    assert(possible);
    (void)possible;
    return next_state(d, x, &v, &step, choice->page);
}

static schedule *pofo_schedule(const pofo *d, const policy_net *net)
{
    schedule *s = schedule_create(net->graph->n);
    policy_hold_forward(net, s);
    pofo_state x = {.stage = 0};
    for (;;) {
        const pofo_entry *entry = table_find(d->table, d->table_size, state_key(&x));
        assert(entry->key && isfinite(entry->choice.seconds));
        emit_state(d, net, s, &x, &entry->choice);
        if (x.stage == d->chain->stages - 1)
            break;
        x = follow(d, &x, &entry->choice);
    }
    policy_finish(net->graph, s);
    return s;
}

/* ---- the method ---------------------------------------------------------------------- */

/* Every stage once forward and once backward, a little less for rounding. */
static double *least_seconds(const pofo_chain *c)
{
    double *least = base_calloc((size_t)c->stages + 1, sizeof *least);
    double sum = 0.0;
    for (int l = c->stages - 1; l >= 0; l--) {
        sum += c->forward_seconds[l] + c->backward_seconds[l];
        least[l] = sum * (1.0 - 1e-12);
    }
    return least;
}

/* The schedule within `bytes`, or NULL if the programme has none or is stopped. */
static schedule *pofo_once(const policy_net *net, const pofo_chain *chain,
                           const baseline_options *o, int64_t bytes)
{
    if (bytes <= 0)
        return NULL;
    pofo d = {.chain = chain, .slots = o->pofo_slots, .options = o, .table_size = 1u << 12};
    d.unit = (double)bytes / d.slots;
    d.memory = (double)bytes;
    d.rotor = rotor_create(chain, d.slots, d.unit, o->limits);
    if (!d.rotor)
        return NULL;
    d.least = least_seconds(chain);
    d.table = base_calloc(d.table_size, sizeof *d.table);
    const pofo_state start = {.stage = 0};
    double seconds = pofo_solve(&d, &start);
    schedule *s = isfinite(seconds) && !d.stopped ? pofo_schedule(&d, net) : NULL;
    rotor_free(d.rotor);
    base_free(d.least);
    base_free(d.table);
    return s;
}

/* Runs the programme with less and less memory until its schedule fits. */
static schedule *pofo_sweep(const problem *p, const baseline_options *o, const policy_net *net,
                            const pofo_chain *chain, char reason[BASELINE_REASON])
{
    int64_t lowest = INT64_MAX;
    for (int percent = 100; percent > 0; percent -= 2) {
        if (policy_stopped(o, reason))
            return NULL;
        schedule *s =
            pofo_once(net, chain, o, (int64_t)((__int128)p->ram_budget_bytes * percent / 100));
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
    if (policy_stopped(o, reason))
        return NULL;
    if (lowest == INT64_MAX)
        snprintf(reason, BASELINE_REASON,
                 "the dynamic programme over %d stages and %d slots finds no sequence",
                 chain->stages, o->pofo_slots);
    else
        snprintf(reason, BASELINE_REASON,
                 "its sequences need %lld bytes or more as stages; the budget is %lld bytes",
                 (long long)lowest, (long long)p->ram_budget_bytes);
    return NULL;
}

schedule *baseline_pofo(const problem *p, const baseline_options *o, int variant,
                        char reason[BASELINE_REASON])
{
    assert(o->pofo_slots >= 1 && o->pofo_slots <= POFO_MAX_SLOTS);
    policy_net *net = policy_net_create(p->graph);
    policy_chain *steps = policy_chain_create(net, variant == BASELINE_POINTS, reason);
    schedule *s = NULL;
    if (steps && rotor_memory(steps->steps, o->pofo_slots) > POFO_MAX_TABLE_BYTES) {
        snprintf(reason, BASELINE_REASON,
                 "%d stages and %d slots need a table of %.0f MB, more than %.0f MB", steps->steps,
                 o->pofo_slots, rotor_memory(steps->steps, o->pofo_slots) / 1048576.0,
                 POFO_MAX_TABLE_BYTES / 1048576.0);
    } else if (steps) {
        pofo_chain *chain = pofo_chain_create(net, steps);
        s = pofo_sweep(p, o, net, chain, reason);
        pofo_chain_free(chain);
    }
    policy_chain_free(steps);
    policy_net_free(net);
    return s;
}
