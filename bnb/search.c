/* The tree search: threads take open nodes by best bound and plunge from each. */
#include "bnb/search.h"

#include <assert.h>
#include <locale.h>
#include <string.h>

#include "bnb/context.h"
#include "bnb/fixing.h"
#include "bnb/incumbent.h"
#include "bnb/log.h"
#include "bnb/node.h"
#include "bnb/run.h"

static void learn_cutoff(bnb_context *c)
{
    c->cutoff = fmin(c->cutoff, atomic_load(&c->search->cutoff));
    c->domain.cutoff = c->cutoff;
}

/* Exchanges messages and the cutoff with the others (not between rounds). */
static void synchronise(bnb_context *c)
{
    bnb_search *s = c->search;
    if (!s->rounds) {
        learn_cutoff(c);
        if (s->contexts > 1) {
            base_lock(&s->lock);
            bnb_send_outbox(s, c);
            bnb_replay_log(s, c);
            bnb_trim_log(s);
            base_unlock(&s->lock);
        }
    }
    bnb_fix_globally(c);
}

/* ---- taking and leaving nodes ------------------------------------------- */

/* The open nodes that the thread takes from: in rounds its own. */
static bnb_heap *heap_of(bnb_context *c)
{
    return c->search->rounds ? &c->own : &c->search->open;
}

/* The best node of h below the cutoff; NULL: none. */
static bnb_node *pop_open(const bnb_search *s, bnb_heap *h, double cutoff)
{
    /* A certificate wants multipliers for every leaf: those are pruned one by one. */
    if (!s->params.proof && bnb_heap_bound(h) >= cutoff) {
        bnb_heap_clear(h);
        return NULL;
    }
    return bnb_heap_pop(h);
}

/* Waits for an open node. NULL: the search is over. */
static bnb_node *fetch_free(bnb_context *c)
{
    bnb_search *s = c->search;
    bnb_node *n = NULL;
    base_lock(&s->lock);
    while (!s->finished && atomic_load(&s->stop) == 0) {
        n = pop_open(s, &s->open, atomic_load(&s->cutoff));
        if (n) {
            s->active++;
            s->active_bound[c->thread] = n->bound;
            break;
        }
        if (s->active == 0) {
            s->finished = true;
            pthread_cond_broadcast(&s->wake);
            break;
        }
        base_wait(&s->wake, &s->lock);
    }
    base_unlock(&s->lock);
    return n;
}

/* The thread with the most work has kept the first one waiting. */
static void close_books(bnb_search *s)
{
    uint64_t most = 0;
    for (int t = 0; t < s->params.threads; t++)
        most = s->share[t] > most ? s->share[t] : most;
    s->waited += (double)(most - s->share[0]);
    s->settled = atomic_load(&s->work);
    memset(s->share, 0, (size_t)s->params.threads * sizeof *s->share);
}

/* What the threads found, and have left. Returns whether one of them is spent. */
static bool collect(bnb_search *s)
{
    bool spent = false;
    for (int t = 0; t < s->params.threads; t++) {
        bnb_context *c = s->context[t];
        spent = spent || c->spent;
        c->spent = false;
        if (c->found_objective < s->best_objective)
            bnb_search_set_incumbent(s, c->found, c->found_objective, c->found_source);
        c->found_objective = LP_INFINITY;
        bnb_send_outbox(s, c);
        for (bnb_node *n; (n = bnb_heap_pop(&c->own));)
            bnb_heap_push(&s->open, n);
    }
    return spent;
}

/* The best open nodes by turns, and the work of a round, at most what is left of the run's. */
static void deal(bnb_search *s)
{
    const int threads = s->params.threads, count = s->params.tuning.round_nodes;
    for (long k = 0; k < (long)threads * count; k++) {
        bnb_node *n = pop_open(s, &s->open, atomic_load(&s->cutoff));
        if (!n)
            break;
        bnb_heap_push(&s->context[k % threads]->own, n);
    }
    const long nodes = atomic_load(&s->nodes) - s->root_nodes;
    const uint64_t average = nodes > 0 ? (s->settled - s->root_work) / (uint64_t)nodes : 0,
                   left = s->most_end > s->settled ? s->most_end - s->settled : 0,
                   share = left / (uint64_t)threads, due = (uint64_t)count * average;
    s->round_work = due < share ? due : share;
}

/* Ends a round and begins the next one. */
static void turn_round(bnb_search *s)
{
    close_books(s);
    int none = 0;
    bnb_status why = BNB_LIMIT_WORK;
    if (collect(s) || bnb_is_spent(s, &why))
        atomic_compare_exchange_strong(&s->stop, &none, 1 + (int)why);
    if (atomic_load(&s->stop) == 0)
        deal(s);
    s->finished = s->context[0]->own.count == 0;
}

/* Returns when all threads have come. */
static void meet(bnb_search *s)
{
    base_lock(&s->lock);
    const long meeting = s->meetings;
    if (++s->met == s->params.threads) {
        s->met = 0;
        s->meetings++;
        pthread_cond_broadcast(&s->wake);
    }
    while (s->meetings == meeting)
        base_wait(&s->wake, &s->lock);
    base_unlock(&s->lock);
}

/* Whether the thread has done the work of a round. */
static bool round_is_over(bnb_context *c)
{
    bnb_search *s = c->search;
    bnb_charge(s, c->thread);
    return c->spent || s->share[c->thread] >= s->round_work || atomic_load(&s->stop) != 0;
}

/* In a round, the best of the thread's own nodes; NULL: none. */
static bnb_node *take_own(bnb_context *c)
{
    bnb_search *s = c->search;
    base_lock(&s->lock);
    bnb_node *n = pop_open(s, &c->own, c->cutoff);
    s->active_bound[c->thread] = n ? n->bound : LP_INFINITY;
    base_unlock(&s->lock);
    return n;
}

/* Deterministic: each thread searches the nodes that were dealt to it, as if they were all, until
 * it has none or its work is done. Then all meet, and the first merges what was found and deals. */
static bnb_node *fetch_round(bnb_context *c)
{
    bnb_search *s = c->search;
    bnb_node *n = round_is_over(c) ? NULL : take_own(c);
    while (!n) {
        meet(s);
        if (c->thread == 0) {
            base_lock(&s->lock);
            turn_round(s);
            base_unlock(&s->lock);
        }
        meet(s);
        const bool finished = s->finished;
        bnb_replay_log(s, c);
        learn_cutoff(c);
        meet(s);
        if (c->thread == 0)
            bnb_trim_log(s);
        if (finished)
            return NULL;
        n = take_own(c);
    }
    return n;
}

static bnb_node *fetch(bnb_context *c)
{
    return c->search->rounds ? fetch_round(c) : fetch_free(c);
}

/* Puts nodes back into the tree and ends the plunge. */
static void leave(bnb_context *c, bnb_node *n)
{
    bnb_search *s = c->search;
    base_lock(&s->lock);
    if (n)
        bnb_heap_push(heap_of(c), n);
    s->active--;
    s->active_bound[c->thread] = LP_INFINITY;
    pthread_cond_broadcast(&s->wake);
    base_unlock(&s->lock);
}

/* The processed node gives way to its children: the first is kept, the other opened. */
static bnb_node *descend(bnb_context *c, bnb_node *n, const bnb_children *children)
{
    bnb_search *s = c->search;
    bnb_node *next = children->child[0] ? children->child[0] : children->child[1];
    base_lock(&s->lock);
    if (children->child[0] && children->child[1])
        bnb_heap_push(heap_of(c), children->child[1]);
    bnb_node_release(n);
    if (next)
        s->active_bound[c->thread] = next->bound;
    bnb_note_bound(s);
    bnb_log_line(s, NULL, false);
    pthread_cond_signal(&s->wake);
    base_unlock(&s->lock);
    return next;
}

/* Is the plunge still worth more than the best open node? */
static bool keeps_plunging(bnb_context *c, const bnb_node *n, int depth)
{
    bnb_search *s = c->search;
    const bnb_tuning *p = &s->params.tuning;
    if (s->rounds && round_is_over(c))
        return false;
    if (depth < p->plunge_depth || c->cutoff == LP_INFINITY)
        return true;
    base_lock(&s->lock);
    const double best = s->rounds ? bnb_heap_bound(&c->own) : bnb_search_bound(s);
    base_unlock(&s->lock);
    return n->bound - best <= p->plunge_share * fmax(0.0, c->cutoff - best);
}

/* Processes n and goes on with a child until the plunge ends. */
static void plunge(bnb_context *c, bnb_node *n)
{
    bool loaded = false;
    for (int depth = 0; n; depth++) {
        if (bnb_stopped(c) || (depth > 0 && !keeps_plunging(c, n, depth)))
            break;
        synchronise(c);
        bnb_children children = {{NULL, NULL}};
        bnb_verdict verdict = BNB_NODE_PRUNED;
        if ((n->bound < c->cutoff || c->search->params.proof) && bnb_context_load(c, n)) {
            if (!loaded)
                bnb_relaxation_restore(c, n->state);
            loaded = true;
            verdict = bnb_node_process(c, &children);
        }
        if (verdict == BNB_NODE_STOPPED)
            break;
        atomic_fetch_add(&c->search->nodes, 1);
        c->nodes++;
        n = descend(c, n, &children);
    }
    leave(c, n);
}

static void work(void *context)
{
    bnb_context *c = context;
    bnb_node *n;
    bnb_begin_work(c->search, c->thread);
    while ((n = fetch(c)) != NULL)
        plunge(c, n);
    bnb_charge(c->search, c->thread);
}

/* This thread has given up: the others are to see that. */
static void wake_all(bnb_search *s)
{
    pthread_mutex_lock(&s->lock);
    pthread_cond_broadcast(&s->wake);
    pthread_mutex_unlock(&s->lock);
}

/* A thread beside the one that called. */
typedef struct helper {
    bnb_search *search;
    int number;
    locale_t locale; /* of the one that called: numbers are written as it writes them */
    pthread_t thread;
} helper;

static void join_and_work(bnb_search *s, int number)
{
    if (base_join(s->guard, work, s->context[number]) != BASE_GO)
        wake_all(s);
}

static void *help(void *data)
{
    const helper *h = data;
    uselocale(h->locale);
    pthread_mutex_lock(&h->search->lock); /* all that will be there are there */
    pthread_mutex_unlock(&h->search->lock);
    join_and_work(h->search, h->number);
    return NULL;
}

/* With fewer threads where the system does not give that many. */
static void run_threads(bnb_search *s, helper *helpers)
{
    int started = 1;
    s->guard = base_guard_current();
    pthread_mutex_lock(&s->lock);
    for (; started < s->params.threads; started++) {
        helper *h = &helpers[started];
        *h = (helper){.search = s, .number = started, .locale = uselocale((locale_t)0)};
        if (pthread_create(&h->thread, NULL, help, h) != 0)
            break;
    }
    s->params.threads = started;
    s->rounds = s->params.deterministic && started > 1;
    pthread_mutex_unlock(&s->lock);
    join_and_work(s, 0);
    for (int t = 1; t < started; t++)
        pthread_join(helpers[t].thread, NULL);
    base_rejoin();
}

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

/* Contexts for the other threads; fewer of them where memory is short. */
static void make_contexts(bnb_search *s)
{
    for (int t = s->contexts; t < s->params.threads; t++) {
        newcomer n = {s, t, s->context[0], NULL};
        if (base_guard_current() && base_try(NULL, make_context, &n) != BASE_GO) {
            s->params.threads = t;
            return;
        }
        if (!n.made)
            make_context(&n);
        s->context[t] = n.made;
        s->log_position[t] = s->log_first + s->log.count;
        s->contexts++;
    }
}

void bnb_search_run(bnb_search *s)
{
    make_contexts(s);
    s->finished = false;
    s->active = 0;
    if (s->params.threads == 1) {
        work(s->context[0]);
    } else {
        helper *helpers = base_calloc((size_t)s->params.threads, sizeof *helpers);
        run_threads(s, helpers);
        base_free(helpers);
    }
    s->rounds = false; /* the root is one thread's */
}
