/* exact/engine: the state of a search, which the files of exact/ share; not for others. Overheads
 * here are in model units: joules times `scale`. */
#ifndef EXACT_ENGINE_H
#define EXACT_ENGINE_H

#include "base/lock.h"
#include "bnb/bnb.h"
#include "exact/dear_stages.h"
#include "exact/exact.h"
#include "exact/proof.h"
#include "formulation/extend.h"

/* What the log's next line says of the part that is worked on, and when the last one was written.
 */
typedef struct engine_row {
    double seconds, lower; /* when it was written; the bound then */
    pthread_t thread;      /* the engine's, which alone has the work; others show the last one: */
    double work;
    int lines;           /* how many there are */
    exact_effort effort; /* of the last turn */
    /* Of the tree that is running: */
    double part;            /* its bound, of the schedules that it is over; -INFINITY: none */
    long open, cuts;        /* its nodes, and the cuts in its LP; of the last one in between */
    long nodes, iterations; /* in this run */
    long nodes_before, iterations_before; /* of the same tree, before */
    long columns;                         /* of the model built last */
} engine_row;

/* What a schedule costs at least if it uses a cell (exact/cell_bounds.c). */
typedef struct cell_bounds cell_bounds;

typedef struct engine {
    const problem *p;
    const exact_params *params;
    exact_result *result;
    double start;         /* base_seconds() at the beginning */
    uint64_t work_before; /* base_work_done() when this thread took it over */
    double helpers_work;  /* steps before that, and of other threads since */
    double waited;        /* the time then, and what this thread has waited for others since */
    double held_back;     /* of the work limit: what others may take meanwhile */
    int threads;          /* of trees that run now */
    unsigned features;    /* of the models that are built from now on */
    double scale;         /* model units per joule */
    double upper;         /* overhead of the best schedule; INFINITY: none */
    dear_stages dear;     /* of that schedule */
    double lower;         /* proven for the full model; >= 0 */
    bool infeasible;      /* proven: nothing better than upper exists (at all, if INFINITY) */
    base_stop stop;
    bool limited;        /* a limit ended a step */
    bool failed;         /* an internal check failed */
    bool tells_leaves;   /* ends by time, memory and interrupts, not by work and nodes */
    const uint8_t *fate; /* coarse_fate of each tensor, extent n; NULL: nothing is assumed */
    const struct engine *part_of; /* the search of whose schedules it has a part; NULL: has all */
    struct growth *growth;
    struct coarse_search *coarse;
    struct case_search *cases;
    double coarse_bound;      /* proven by it */
    cell_bounds *cell_bounds; /* of the timelines so far, the last one first; NULL: none */
    double eliminated_upper;  /* of the last elimination by cost; INFINITY: none with those */
    struct anneal *anneal;
    formulation *whole;   /* over the mask of the first proof, unmerged; NULL until then */
    extension *extension; /* to whole */
    const struct working *extended; /* whose duals it extended last */
    double extended_bound;          /* what they prove of all schedules */
    double *multipliers; /* those: of the rows of whole, then of extended's cuts; NULL until then */
    int multiplier_cuts; /* how many it had: it may have got others since */
    int *asked;          /* by action and node: times in a row that the duals wanted such cells */
    uint8_t *mask;       /* cells that a schedule better than upper may still use; extent n*n */
    uint8_t *core;       /* the cells of the windows, extent n*n; NULL until a tree began there */
    bool core_closed;    /* no schedule within them is better than upper */
    struct working *last; /* of the search that ended, for params->neighbour; NULL: none */
    engine_row row;
    pthread_mutex_t lock; /* of the schedule, upper and the log */
} engine;

/* Who is told what the run proves; never NULL. */
static inline const exact_proof *engine_proof(const engine *e)
{
    return e->params->proof ? e->params->proof : &exact_proof_unheard;
}

static inline const exact_tuning *engine_tuning(const engine *e)
{
    return &e->params->tuning;
}

/* Steps of base_work since the beginning, of all threads. */
static inline double engine_work(const engine *e)
{
    return (double)(base_work_done() - e->work_before) + e->helpers_work;
}
/* The time: steps that were, or had to be, done one after the other. */
static inline double engine_time(const engine *e)
{
    return (double)(base_work_done() - e->work_before) + e->waited;
}
/* This thread takes the engine over at that time, when all have done so much work. */
static inline void engine_enter(engine *e, double work, double time)
{
    e->work_before = base_work_done();
    e->helpers_work = work;
    e->waited = time;
    e->row.thread = pthread_self();
}
/* What is left of the work limit for this engine; INFINITY without one. */
double engine_work_left(const engine *e);
/* The limits of what this thread does next, which may take so much work. */
base_limits engine_limits(const engine *e, double work);

/* Extent of a mask. */
static inline size_t engine_cells(const engine *e)
{
    return (size_t)e->p->graph->n * (size_t)e->p->graph->n;
}

/* Around what the threads of a tree share. What is done there depends on the others, and so does
 * not count in base_work_done where there are several. */
static inline void engine_lock(engine *e)
{
    base_lock(&e->lock);
    base_work_aside(e->params->threads > 1);
}

static inline void engine_unlock(engine *e)
{
    base_work_aside(false);
    base_unlock(&e->lock);
}

/* Judges s by the validator and takes it when it is better; source is shown in the log.
 * s stays the caller's. Thread safe. */
bool engine_offer(engine *e, const schedule *s, const char *source);

/* Only what lies below this is of interest: upper less half the allowed gap. INFINITY: all. */
double engine_cutoff(const engine *e);
/* What trees are told: they prune a quarter of the gap below it, for rounding's sake, and an end
 * there still proves engine_cutoff, whoever found the schedule. */
double engine_tree_cutoff(const engine *e);

/* Cells leave e->mask when no schedule below this can use them: upper less half of
 * EXACT_OPTIMAL_GAP, or of the allowed gap if that is less. Bounds over e->mask hold up to here. */
double engine_elimination_cutoff(const engine *e);

/* Raises the proven bound. */
void engine_raise(engine *e, double bound);
/* Writes one down in the result, if it is the best one of its kind: of all schedules, or of those
 * within the windows. O(bounds there). */
void engine_note_bound(engine *e, double bound, bool windows);

/* True if the gap is closed, infeasibility proven, or a check failed. */
bool engine_settled(const engine *e);
/* The same, or a limit was hit. */
bool engine_done(engine *e);

#endif
