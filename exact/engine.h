/* exact/engine: the state of a search, shared by the files of exact/; not for others. Overheads
 * here are in model units: joules times `scale`. */
#ifndef EXACT_ENGINE_H
#define EXACT_ENGINE_H

#include "base/lock.h"
#include "bnb/bnb.h"
#include "exact/exact.h"
#include "exact/proof.h"
#include "formulation/extend.h"

/* Values of the next line of the log, and the time and bound of the last line. */
typedef struct engine_row {
    double seconds, lower; /* time and bound of the last line */
    pthread_t thread;      /* thread of the engine; lines of others repeat its last `work` */
    double work;
    int lines;           /* printed so far */
    exact_effort effort; /* effort of the last turn */
    /* Of the tree that is running: */
    double part;            /* dual bound of its own schedules, model units; -INFINITY: none */
    long open, cuts;        /* open nodes, and cuts in the LP; between trees: of the last one */
    long nodes, iterations; /* of this run */
    long nodes_before, iterations_before; /* of the same tree, earlier runs */
    long columns;                         /* of the last model built */
} engine_row;

/* Lower bounds on schedules that use a cell (exact/timeline/cell_bounds.c). */
typedef struct cell_bounds cell_bounds;

/* Points of a coarse timeline. */
typedef struct engine_points {
    int *stage; /* ascending, extent count; NULL: none */
    int count;
    double bound; /* of the timeline, model units */
} engine_points;

typedef struct engine {
    const problem *p;
    const exact_params *params;
    exact_result *result;
    double start;         /* base_seconds() at the beginning */
    uint64_t work_before; /* base_work_done() when this thread entered the engine */
    double helpers_work;  /* engine_work() at that time, plus the steps of other threads since */
    double waited; /* engine_time() at that time, plus the steps waited for other threads since */
    double held_back;    /* steps of the work limit reserved for other turns */
    int threads;         /* threads of the trees in this turn */
    unsigned features;   /* of models built from now on */
    double scale;        /* model units per joule */
    double upper;        /* overhead of the incumbent; INFINITY: none */
    double lower;        /* dual bound of the full model; >= 0 */
    bool infeasible;     /* proven: no schedule is better than upper (none at all, if INFINITY) */
    base_stop stop;      /* limit that ended the search; BASE_GO: none */
    bool failed;         /* an internal check failed */
    bool records_leaves; /* leaves are being recorded: the limits of work and nodes do not apply */
    const uint8_t *fate; /* coarse_fate of each tensor, extent n; NULL: all are FATE_ANY */
    struct engine *parent; /* search that this case is of; NULL: not a case */
    struct growth *growth;
    struct coarse_search *coarse;
    struct case_search *cases;
    struct label_search *labels;
    struct polish *polish;
    engine_points points;     /* of the timeline with the best bound; a search that has them begins
                                 with them */
    double coarse_bound;      /* best bound of coarse timelines, cases and labels */
    cell_bounds *cell_bounds; /* one entry a timeline, the latest first; NULL: none */
    double eliminated_upper;  /* upper at the last elimination by cost; INFINITY: repeat it */
    struct annealing *anneal;
    schedule *relaxed; /* a solution of the timeline with the best bound; it may exceed the budget;
                          NULL: none */
    double relaxed_bound; /* bound of that timeline when it had the solution */
    formulation *whole;   /* model over the mask of the first proof, unmerged; NULL until then */
    extension *extension; /* of duals, to the columns of whole */
    const struct working *extended; /* model that gave the last extended duals */
    double extended_bound;          /* bound of all schedules that these duals prove */
    double *multipliers;            /* extended duals: rows of whole, then cuts; NULL until then */
    int multiplier_cuts; /* number of cuts in `multipliers`; `extended` may have others since */
    int *requested;   /* by action and node, extent 3n: proofs in a row that wanted such a cell */
    uint8_t *mask;    /* cells that a schedule better than upper may still use; extent n*n */
    uint8_t *core;    /* cells of the windows, extent n*n; NULL until their tree was opened */
    bool core_closed; /* proven: no schedule within the windows is better than upper */
    engine_row row;
    pthread_mutex_t lock; /* guards the schedule, upper and the log */
} engine;

/* The proof listener; never NULL. */
static inline const exact_proof *engine_proof(const engine *e)
{
    return e->params->proof ? e->params->proof : &exact_proof_none;
}

static inline const exact_tuning *engine_tuning(const engine *e)
{
    return &e->params->tuning;
}

/* Steps on the first timeline of the search. */
static inline double engine_coarse_quick(const engine *e)
{
    return engine_tuning(e)->coarse_quick * e->p->graph->n;
}

/* Steps of base_work of all threads since the beginning. */
static inline double engine_work(const engine *e)
{
    return (double)(base_work_done() - e->work_before) + e->helpers_work;
}

/* True if the search is a long one by its work. */
static inline bool engine_takes_long(const engine *e)
{
    return engine_work(e) > engine_tuning(e)->long_work;
}
/* Length of the longest chain of steps that ran one after the other. */
static inline double engine_time(const engine *e)
{
    return (double)(base_work_done() - e->work_before) + e->waited;
}
/* Enters the engine in this thread. work, time: engine_work() and engine_time() at this moment. */
static inline void engine_enter(engine *e, double work, double time)
{
    e->work_before = base_work_done();
    e->helpers_work = work;
    e->waited = time;
    e->row.thread = pthread_self();
}
/* Steps of the work limit left for this engine; INFINITY without a limit. */
double engine_work_left(const engine *e);
/* The limits for the next step of this thread, which may take at most `work` steps. */
base_limits engine_limits(const engine *e, double work);

/* Extent of a mask. */
static inline size_t engine_cells(const engine *e)
{
    return (size_t)e->p->graph->n * (size_t)e->p->graph->n;
}

/* Lock and unlock the state that the threads of a tree share. Steps in between depend on the order
 * of the threads. With several threads they do not count in base_work_done. */
static inline void engine_lock(engine *e)
{
    base_lock(&e->lock);
    base_work_aside(e->threads > 1);
}

static inline void engine_unlock(engine *e)
{
    base_work_aside(false);
    base_unlock(&e->lock);
}

/* Validates s and makes it the incumbent if it is better; true if it is. The log shows `source`. s
 * stays the caller's. Thread safe. */
bool engine_offer(engine *e, const schedule *s, const char *source);

/* Takes over what `from` has better: `relaxed`, `upper` and, where polish may need it, its best
 * schedule with its validation. */
void engine_take_best(engine *e, const engine *from);

/* Copies the points of `from`, if it has any, where p has none or a lower bound. */
void engine_note_points(engine_points *p, const engine_points *from);
void engine_points_clear(engine_points *p);

/* Upper less half the allowed gap: a bound that reaches it closes the gap. INFINITY without a
 * schedule. */
double engine_cutoff(const engine *e);
/* True if the relative gap from bound to cutoff is at most `gap`; it is 1 without a schedule. */
bool engine_is_within(const engine *e, double bound, double gap);
/* Cutoff of trees, above engine_cutoff. Trees prune a quarter of the gap below their cutoff. The
 * distance absorbs rounding: a tree that ends proves engine_cutoff. */
double engine_tree_cutoff(const engine *e);

/* Cutoff of eliminations: upper less half of EXACT_OPTIMAL_GAP, or of the allowed gap if that is
 * less. A cell leaves e->mask if no schedule below this cutoff uses it. Bounds over e->mask hold up
 * to here. */
double engine_elimination_cutoff(const engine *e);

/* Raises the dual bound to `bound` if that is higher. */
void engine_raise(engine *e, double bound);
/* Appends `bound` to the result if it is the best of its kind. windows: it holds only for the
 * schedules within the windows. O(bounds in the result). */
void engine_note_bound(engine *e, double bound, bool windows);

/* True if the gap is closed, infeasibility is proven, or a check failed. */
bool engine_settled(const engine *e);
/* True if the search is settled or a limit was hit. */
bool engine_done(engine *e);

#endif
