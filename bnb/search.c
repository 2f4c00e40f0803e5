/* The tree search, in rounds. The best open nodes are dealt to the threads, which search them in
 * parallel. Then their results are merged in the order of the threads. */
#include "bnb/search.h"

#include <limits.h>

#include "base/parallel.h"
#include "bnb/incumbent.h"
#include "bnb/log.h"
#include "bnb/node.h"
#include "bnb/run.h"

/* Steps of a round in addition to its nodes' average work, so that threads meet less often. */
enum { ROUND_WORK = 2000000 };
enum { PLUNGE_DEPTH = 4 }; /* nodes of a plunge before its bound is checked */
/* A plunge goes on while its bound is within this share of the gap from the best open bound. */
#define PLUNGE_SHARE 0.25

/* Pops the best node of h below the cutoff; NULL: none. */
static bnb_node *pop_open(const bnb_search *s, bnb_heap *h, double cutoff)
{
    /* A certificate needs multipliers for every leaf, so each leaf is pruned by itself. */
    if (!s->params.proof && bnb_heap_bound(h) >= cutoff) {
        bnb_heap_clear(h);
        return NULL;
    }
    return bnb_heap_pop(h);
}

/* ---- between rounds ------------------------------------------------------ */

/* Deals the best open nodes to the threads in turn and sets the work of the round, within the
 * rest of the run's. A single thread gets all nodes, and its round is the whole run. Returns
 * false if no node is open. */
static bool deal_nodes(bnb_search *s)
{
    const int threads = s->params.threads, count = s->params.tuning.round_nodes;
    const long most = s->rounds ? (long)threads * count : LONG_MAX;
    s->round_start = atomic_load(&s->work);
    for (long k = 0; k < most; k++) {
        bnb_node *n = pop_open(s, &s->open, atomic_load(&s->cutoff));
        if (!n)
            break;
        bnb_heap_push(&s->context[k % threads]->own, n);
    }
    const long nodes = atomic_load(&s->nodes) - s->root_nodes;
    const uint64_t average = nodes > 0 ? (s->round_start - s->root_work) / (uint64_t)nodes : 0,
                   left = s->most_end > s->round_start ? s->most_end - s->round_start : 0,
                   share = left / (uint64_t)threads, due = (uint64_t)count * average + ROUND_WORK;
    s->round_work = !s->rounds ? UINT64_MAX : due < share ? due : share;
    return s->context[0]->own.count > 0;
}

/* Merges solutions, open nodes and messages of the threads, in their order. */
static void merge_round(bnb_search *s)
{
    bool spent = false;
    uint64_t most = 0;
    for (int t = 0; t < s->params.threads; t++) {
        bnb_context *c = s->context[t];
        most = s->share[t] > most ? s->share[t] : most;
        spent = spent || c->spent;
        c->spent = false;
        if (c->found_objective < s->best_objective)
            bnb_search_set_incumbent(s, c->found, c->found_objective, c->found_source);
        c->found_objective = LP_INFINITY;
        for (bnb_node *n; (n = bnb_heap_pop(&c->own));)
            bnb_heap_push(&s->open, n);
    }
    s->waited += (double)(most - s->share[0]); /* for the thread with the most work */
    bnb_exchange(s);
    if (spent && s->open.count > 0)
        bnb_search_stop(s, BNB_LIMIT_WORK);
}

/* ---- a thread's part of a round ------------------------------------------- */

/* True if the thread has used up the work of its round. A single thread's round is the run. */
static bool round_is_over(bnb_context *c)
{
    bnb_search *s = c->search;
    bnb_charge(s, c->thread);
    if (!s->rounds)
        bnb_stop_if_spent(s);
    return c->spent || s->share[c->thread] >= s->round_work || atomic_load(&s->stop) != 0;
}

/* Takes the best of the thread's own nodes; NULL: none. */
static bnb_node *pop_own(bnb_context *c)
{
    bnb_search *s = c->search;
    base_lock(&s->lock);
    bnb_node *n = pop_open(s, &c->own, c->domain.cutoff);
    s->active_bound[c->thread] = n ? n->bound : LP_INFINITY;
    base_unlock(&s->lock);
    return n;
}

/* Replaces the processed node by its children, if it has any. Returns the first, which is
 * processed next; the other one becomes an open node. */
static bnb_node *descend(bnb_context *c, bnb_node *n, bnb_node *const *child)
{
    bnb_search *s = c->search;
    bnb_node *next = child[0];
    base_lock(&s->lock);
    if (next) {
        bnb_heap_push(&c->own, child[1]);
        s->active_bound[c->thread] = next->bound;
    }
    bnb_node_release(n);
    s->proven = fmax(s->proven, bnb_search_bound(s));
    bnb_log_line(s, NULL, false);
    base_unlock(&s->lock);
    return next;
}

/* True if the plunge should go on: its node is nearly as good as the best open node of the
 * thread. */
static bool keeps_plunging(bnb_context *c, const bnb_node *n, int depth)
{
    if (round_is_over(c))
        return false;
    if (depth < PLUNGE_DEPTH || c->domain.cutoff == LP_INFINITY)
        return true;
    const double best = bnb_heap_bound(&c->own);
    return n->bound - best <= PLUNGE_SHARE * fmax(0.0, c->domain.cutoff - best);
}

/* Processes n and continues with a child until the plunge ends; its last node is open again. */
static void plunge(bnb_context *c, bnb_node *n)
{
    bnb_search *s = c->search;
    bool loaded = false;
    for (int depth = 0; n; depth++) {
        if (bnb_stopped(c) || (depth > 0 && !keeps_plunging(c, n, depth)))
            break;
        bnb_node *child[2] = {NULL, NULL};
        if ((n->bound < c->domain.cutoff || s->params.proof) && bnb_context_load(c, n)) {
            if (!loaded)
                bnb_relaxation_restore(c, n->state);
            loaded = true;
            if (!bnb_node_process(c, child))
                break;
        }
        atomic_fetch_add(&s->nodes, 1);
        c->nodes++;
        n = descend(c, n, child);
    }
    base_lock(&s->lock);
    if (n)
        bnb_heap_push(&c->own, n);
    s->active_bound[c->thread] = LP_INFINITY;
    base_unlock(&s->lock);
}

/* Searches the nodes dealt to the thread until none is left or the work of the round is used up.
 * Processes at least one node. */
static void search_share(void *data, int thread)
{
    bnb_search *s = data;
    bnb_context *c = s->context[thread];
    bnb_begin_work(s, thread);
    for (bnb_node *n = pop_own(c); n; n = round_is_over(c) ? NULL : pop_own(c))
        plunge(c, n);
    bnb_charge(s, thread);
}

/* ---- the loop --------------------------------------------------------------- */

typedef struct newcomer {
    bnb_search *search;
    int thread;
    bnb_context *first, *made;
} newcomer;

static void make_context(void *data)
{
    newcomer *n = data;
    n->made = bnb_context_create(n->search, n->thread, n->first);
}

/* Creates contexts for the other threads. Reduces the number of threads if memory is short. */
static void make_contexts(bnb_search *s)
{
    for (int t = s->contexts; t < s->params.threads; t++) {
        newcomer n = {s, t, s->context[0], NULL};
        if (base_try(NULL, make_context, &n) != BASE_GO) {
            s->params.threads = t;
            return;
        }
        s->context[t] = n.made;
        s->contexts++;
    }
}

void bnb_search_run(bnb_search *s)
{
    make_contexts(s);
    const int threads = s->params.threads;
    s->rounds = threads > 1;
    while (!(s->open.count > 0 && bnb_stop_if_spent(s)) && atomic_load(&s->stop) == 0 &&
           deal_nodes(s)) {
        base_parallel(threads, threads, search_share, s);
        merge_round(s);
    }
    s->rounds = false; /* the root is processed by one thread */
}
