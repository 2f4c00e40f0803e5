/* Chooses the stages at which room is scarce, keeps their open tensors by cost per byte with
 * running sums, and sheds what a state of the dynamic programme has too much along that order.
 * */
#include "heuristics/room_bound.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"

enum {
    POINTS = 10,     /* stages c */
    NEAR_LIMIT = 64, /* near tensors of a state that are looked at */
    FAR_LIMIT = 512  /* and others */
};

/* One stage c and what is open there for the states in hand. */
typedef struct point {
    int stage;
    int64_t room;      /* bytes for tensors that stay through c */
    int64_t base_room; /* the same before anything is settled */
    uint64_t *present; /* inputs of c: there anyway */
    uint64_t *settled; /* certainly kept through c: in room already */
    uint64_t *counted; /* tensors whose keeping by a state takes room */
    int *next_read;    /* n: the first stage after c that reads the node; n if none */
    int *candidate;    /* ranks, ascending, of the tensors made before c and not settled */
    int candidate_count;
    int open_count;      /* those of them that are read before the stage in hand: */
    int *open;           /* their ranks, ascending */
    int64_t *shed_bytes; /* open_count + 1: of the first k */
    double *shed_joules; /* open_count + 1: what bringing them back costs */
} point;

struct room_bound {
    const problem *problem;
    int n, words;
    double *joules;        /* n: least cost of bringing back */
    int *by_rank;          /* n: nodes by cost per byte, ascending */
    int *rank;             /* n: the inverse */
    int point_count, live; /* points; those before the stage in hand come first */
    point points[POINTS];
    uint64_t *charged; /* paid elsewhere */
    uint64_t *active;
    uint64_t *above;   /* keep of the stage after the last one noted */
    uint64_t *counted; /* union of the points' */
};

/* ---- set-up -------------------------------------------------------------------- */

typedef struct density {
    double value;
    int node;
} density;

static int by_density(const void *a, const void *b)
{
    const density *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return x->node - y->node;
}

static void rank_nodes(room_bound *b)
{
    const problem *p = b->problem;
    const graph *g = p->graph;
    density *order = base_malloc((size_t)b->n, sizeof *order);
    for (int i = 0; i < b->n; i++) {
        double least = INFINITY;
        if (problem_may_recompute(p, i))
            least = g->joules[i];
        if (problem_may_page(p, i))
            least = fmin(least, g->pagein_joules[i] + g->pageout_joules[i]);
        b->joules[i] = least;
        order[i] = (density){g->bytes[i] > 0 ? least / (double)g->bytes[i] : INFINITY, i};
    }
    qsort(order, (size_t)b->n, sizeof *order, by_density);
    for (int k = 0; k < b->n; k++) {
        b->by_rank[k] = order[k].node;
        b->rank[order[k].node] = k;
    }
    base_free(order);
}

static void add_point(room_bound *b, int stage)
{
    const graph *g = b->problem->graph;
    const size_t words = (size_t)b->words;
    point *c = &b->points[b->point_count++];
    c->stage = stage;
    c->base_room = b->problem->ram_budget_bytes - g->bytes[stage] - g->workspace[stage];
    uint64_t *sets = base_calloc(3 * words, sizeof *sets);
    c->present = sets;
    c->settled = sets + words;
    c->counted = sets + 2 * words;
    for (int e = g->input_start[stage]; e < g->input_start[stage + 1]; e++) {
        bits_add(c->present, g->input[e]);
        c->base_room -= g->bytes[g->input[e]];
    }
    c->shed_bytes = base_malloc((size_t)b->n + 1, sizeof *c->shed_bytes);
    c->shed_joules = base_malloc((size_t)b->n + 1, sizeof *c->shed_joules);
    c->next_read = base_malloc(3 * (size_t)b->n, sizeof *c->next_read);
    c->candidate = c->next_read + b->n;
    c->open = c->candidate + b->n;
    for (int i = 0; i < b->n; i++) {
        c->next_read[i] = b->n;
        for (int e = g->user_start[i + 1] - 1; e >= g->user_start[i] && g->user[e] > stage; e--)
            c->next_read[i] = g->user[e];
    }
}

/* In each of POINTS stretches of stages the one where checkpoint-all holds most. */
static void choose_points(room_bound *b)
{
    const graph *g = b->problem->graph;
    int64_t *held = base_calloc((size_t)b->n + 1, sizeof *held);
    for (int i = 0; i < b->n; i++) { /* difference array over stages i..last_user */
        held[i] += g->bytes[i];
        held[g->last_user[i] + 1] -= g->bytes[i];
    }
    for (int t = 1; t < b->n; t++)
        held[t] += held[t - 1];
    const int count = b->n < POINTS ? b->n : POINTS;
    for (int k = 0; k < count; k++) {
        const int first = (int)((int64_t)b->n * k / count);
        const int end = (int)((int64_t)b->n * (k + 1) / count);
        int best = first;
        for (int t = first; t < end; t++)
            if (held[t] > held[best])
                best = t;
        add_point(b, best);
    }
    base_free(held);
}

room_bound *room_bound_create(const problem *p)
{
    room_bound *b = base_calloc(1, sizeof *b);
    const size_t n = (size_t)p->graph->n;
    b->problem = p;
    b->n = p->graph->n;
    b->words = bits_words(b->n);
    b->joules = base_malloc(n, sizeof *b->joules);
    b->by_rank = base_malloc(2 * n, sizeof *b->by_rank);
    b->rank = b->by_rank + n;
    b->charged = base_calloc(4 * (size_t)b->words, sizeof *b->charged);
    b->active = b->charged + b->words;
    b->above = b->active + b->words;
    b->counted = b->above + b->words;
    rank_nodes(b);
    choose_points(b);
    room_bound_reset(b);
    room_bound_settle(b, b->charged);
    return b;
}

void room_bound_free(room_bound *b)
{
    if (!b)
        return;
    for (int k = 0; k < b->point_count; k++) {
        base_free(b->points[k].present);
        base_free(b->points[k].shed_bytes);
        base_free(b->points[k].shed_joules);
        base_free(b->points[k].next_read);
    }
    base_free(b->joules);
    base_free(b->by_rank);
    base_free(b->charged);
    base_free(b);
}

/* ---- a run ---------------------------------------------------------------------- */

void room_bound_reset(room_bound *b)
{
    const size_t set = (size_t)b->words * sizeof(uint64_t);
    memset(b->charged, 0, set);
    memset(b->above, 0, set);
    for (int k = 0; k < b->point_count; k++) {
        b->points[k].room = b->points[k].base_room;
        memset(b->points[k].settled, 0, set);
    }
}

void room_bound_keeps(room_bound *b, int t, const uint64_t *keep)
{
    for (int k = 0; k < b->point_count; k++) {
        point *c = &b->points[k];
        if (c->stage != t)
            continue;
        for (int w = 0; w < b->words; w++)
            c->settled[w] = keep[w] & b->above[w] & ~c->present[w];
        for (int i = bits_below(c->settled, c->settled, b->n); i >= 0;
             i = bits_below(c->settled, c->settled, i))
            c->room -= b->problem->graph->bytes[i];
    }
    memcpy(b->above, keep, (size_t)b->words * sizeof *keep);
}

void room_bound_settle(room_bound *b, const uint64_t *charged)
{
    memmove(b->charged, charged, (size_t)b->words * sizeof *charged);
    for (int k = 0; k < b->point_count; k++) {
        point *c = &b->points[k];
        c->candidate_count = 0;
        for (int r = 0; r < b->n; r++) {
            const int i = b->by_rank[r];
            if (i < c->stage && b->problem->graph->bytes[i] > 0 && !bits_has(c->present, i) &&
                !bits_has(c->settled, i) && !bits_has(b->charged, i))
                c->candidate[c->candidate_count++] = r;
        }
    }
}

/* Splits the candidates into the open ones, in order of rank with their running
 * sums, and those that count if a state keeps them. */
static void ready_point(room_bound *b, point *c, int t)
{
    const graph *g = b->problem->graph;
    memset(c->counted, 0, (size_t)b->words * sizeof *c->counted);
    c->open_count = 0;
    c->shed_bytes[0] = 0;
    c->shed_joules[0] = 0;
    for (int k = 0; k < c->candidate_count; k++) {
        const int i = b->by_rank[c->candidate[k]];
        if (c->next_read[i] >= t) {
            bits_add(c->counted, i);
            bits_add(b->counted, i);
            continue;
        }
        const int m = c->open_count++;
        c->open[m] = c->candidate[k];
        c->shed_bytes[m + 1] = c->shed_bytes[m] + g->bytes[i];
        c->shed_joules[m + 1] = c->shed_joules[m] + b->joules[i];
    }
}

void room_bound_stage(room_bound *b, int t, const uint64_t *active, const uint64_t *loose)
{
    for (int w = 0; w < b->words; w++)
        b->active[w] = active[w] | (loose ? loose[w] : 0);
    memset(b->counted, 0, (size_t)b->words * sizeof *b->counted);
    b->live = 0;
    while (b->live < b->point_count && b->points[b->live].stage < t)
        ready_point(b, &b->points[b->live++], t);
}

/* ---- one state ------------------------------------------------------------------ */

/* The tensors a state keeps that count somewhere: ranks of the near ones,
 * ascending, and the others. */
typedef struct kept {
    int near_count, far_count;
    int near[NEAR_LIMIT], far[FAR_LIMIT];
    int64_t bytes;
} kept;

static void gather(const room_bound *b, const uint64_t *keep, kept *list)
{
    list->near_count = list->far_count = 0;
    list->bytes = 0;
    for (int w = 0; w < b->words; w++)
        for (uint64_t word = keep[w] & b->counted[w]; word; word &= word - 1) {
            const int i = 64 * w + __builtin_ctzll(word);
            if (!bits_has(b->active, i)) {
                if (list->far_count == FAR_LIMIT)
                    continue;
                list->far[list->far_count++] = i;
            } else {
                if (list->near_count == NEAR_LIMIT)
                    continue;
                int at = list->near_count++;
                for (; at > 0 && list->near[at - 1] > b->rank[i]; at--)
                    list->near[at] = list->near[at - 1];
                list->near[at] = b->rank[i];
            }
            list->bytes += b->problem->graph->bytes[i];
        }
}

/* The number of open tensors of smaller rank. */
static int open_below(const point *c, int rank)
{
    int low = 0, high = c->open_count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (c->open[middle] < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Cost of shedding `part` bytes of the tensor of this rank. */
static double part_of(const room_bound *b, int rank, int64_t part)
{
    const int i = b->by_rank[rank];
    return (double)part * (b->joules[i] / (double)b->problem->graph->bytes[i]);
}

/* Cost of shedding `excess` > 0 bytes in order of rank from the open tensors and the
 * near ones that count. */
static double shed(const room_bound *b, const point *c, const kept *list, int64_t excess)
{
    int64_t bytes = 0; /* of the near tensors taken so far */
    double joules = 0;
    int low = 0; /* open tensors certainly taken whole */
    for (int k = 0; k <= list->near_count; k++) {
        const bool last = k == list->near_count;
        if (!last && !bits_has(c->counted, b->by_rank[list->near[k]]))
            continue;
        int high = last ? c->open_count : open_below(c, list->near[k]);
        if (bytes + c->shed_bytes[high] >= excess) { /* the margin is an open tensor */
            while (high - low > 1) {
                const int middle = low + (high - low) / 2;
                if (bytes + c->shed_bytes[middle] >= excess)
                    high = middle;
                else
                    low = middle;
            }
            return joules + c->shed_joules[low] +
                   part_of(b, c->open[low], excess - bytes - c->shed_bytes[low]);
        }
        if (last)
            break;
        const int64_t part = excess - bytes - c->shed_bytes[high];
        const int i = b->by_rank[list->near[k]];
        if (part <= b->problem->graph->bytes[i])
            return joules + c->shed_joules[high] + part_of(b, list->near[k], part);
        bytes += b->problem->graph->bytes[i];
        joules += b->joules[i];
        low = high;
    }
    return INFINITY;
}

double room_bound_joules(const room_bound *b, const uint64_t *keep, double enough)
{
    const graph *g = b->problem->graph;
    kept list;
    double most = 0;
    gather(b, keep, &list);
    for (int k = 0; k < b->live && most < enough; k++) {
        const point *c = &b->points[k];
        const int64_t open = c->shed_bytes[c->open_count];
        if (open + list.bytes <= c->room)
            continue;
        int64_t held = 0;
        for (int m = 0; m < list.far_count; m++)
            held += bits_has(c->counted, list.far[m]) ? g->bytes[list.far[m]] : 0;
        for (int m = 0; m < list.near_count; m++) {
            const int i = b->by_rank[list.near[m]];
            held += bits_has(c->counted, i) ? g->bytes[i] : 0;
        }
        const int64_t excess = held + open - c->room;
        const double joules = excess > 0 ? shed(b, c, &list, excess) : 0;
        if (joules > most)
            most = joules;
    }
    return most;
}
