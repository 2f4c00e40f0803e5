/* State shared by the files of exact/; not for others. Overheads here are in model
 * units: joules times `scale`. */
#ifndef EXACT_ENGINE_H
#define EXACT_ENGINE_H

#include <stdatomic.h>

#include "base/lock.h"
#include "bnb/bnb.h"
#include "exact/exact.h"
#include "exact/proof.h"
#include "formulation/extend.h"

/* What the log's next line says of the part that is worked on, and when the last one was written.
 */
typedef struct engine_row {
    double seconds, lower; /* when it was written; the bound then */
    pthread_t thread;      /* the search's, which alone knows the work; others show the last one: */
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
    uint64_t work_before; /* base_work_done() then */
    double helpers_work;  /* of other threads */
    double beside;        /* steps of the other lane for one of this one, 0: there is none; */
    uint64_t known_at;    /* those up to this value of base_work_done() are in helpers_work */
    uint64_t root_begun;  /* base_work_done() when a root got a thread of its own, 0: none has; */
    double waited;        /* steps of theirs for which the search's own has waited */
    unsigned features;    /* of the models that are built from now on */
    double scale;         /* model units per joule */
    double upper;         /* overhead of the best schedule; INFINITY: none */
    double lower;         /* proven for the full model; >= 0 */
    bool infeasible;      /* proven: nothing better than upper exists (at all, if INFINITY) */
    base_stop stop;
    bool limited;               /* a limit ended a step */
    bool failed;                /* an internal check failed */
    bool tells_leaves;          /* ends by time, memory and interrupts, not by work and nodes */
    const struct engine *whose; /* the search's, where this is another thread's; NULL: it is */
    atomic_bool called_off;     /* by that */
    struct growth *growth;
    struct coarse_search *coarse;
    double coarse_bound;      /* proven by it, whichever thread has it */
    cell_bounds *cell_bounds; /* of the timelines so far, the last one first; NULL: none */
    double eliminated_upper;  /* of the last elimination by cost; INFINITY: none with those */
    struct anneal *anneal;
    struct improvement *improvement;
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
/* What is left of the work limit for this thread, of which another lane may take its part
 * meanwhile; INFINITY without one. */
double engine_work_left(const engine *e);
/* The limits of what this thread does next, which may take so much work. */
base_limits engine_limits(const engine *e, double work);

/* What a root in a thread of its own has done meanwhile, at most: the search hears of its end by
 * this clock. */
static inline double engine_root_work(const engine *e)
{
    return e->root_begun ? (double)(base_work_done() - e->root_begun) : 0;
}

/* Extent of a mask. */
static inline size_t engine_cells(const engine *e)
{
    return (size_t)e->p->graph->n * (size_t)e->p->graph->n;
}

/* The engine of another thread beside e, which has found nothing yet; params are those of e but for
 * what is one thread's, and end it where the user asks for that or it is called off. result is
 * empty; all must stay where they are. lock is to be destroyed. */
void engine_beside(const engine *e, engine *own, exact_params *params, exact_result *result);

/* A remark between the lines of the log. */
void engine_log(engine *e, int level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A line of the table: a better schedule, under the lock; */
void engine_log_schedule(engine *e, const char *source);
/* ... after a turn, if the bound rose, or the turn before was another one's, or after some time;
 * part: what is proven of the schedules that its tree is over, -INFINITY: it has none; */
void engine_log_turn(engine *e, exact_effort effort, double part);
/* ... from within a tree, after some time. */
void engine_log_progress(engine *e, exact_effort effort, const bnb_progress *now);

/* Around what the threads of a tree share. What is done there depends on the others, and so does
 * not count in base_work_done where there are several. */
void engine_lock(engine *e);
void engine_unlock(engine *e);

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

/* Whether the gap is closed, infeasibility proven, or a check failed. */
bool engine_settled(const engine *e);
/* The same, or a limit was hit. */
bool engine_done(engine *e);

/* Whether a model over the mask can fit into the memory. */
bool engine_has_room(const engine *e, const uint8_t *mask);
/* Builds no model over the mask that cannot fit: gives up instead. */
void engine_require_room(const engine *e, const uint8_t *mask);

/* ---- the working model ------------------------------------------------------- */

/* A model over a mask with its LP and the event cuts now in it, rows in this order:
 * those of the formulation, then the cuts. */
typedef struct working {
    formulation *f;
    lp_solver *lp;
    event_cut_list cuts;
    lp_status status;
    double bound_before_cuts;
    double bound;            /* LP objective; not safe by itself */
    double work;             /* that its first solve and its rounds of cuts took */
    struct warm_start *warm; /* of the first solve; NULL: from the slacks, or it has ended */
} working;

/* The model over the mask with the cuts of another working model (NULL: none), without an LP:
 * for the tree alone. totals: with integer totals, if the features ask for them, of units only if
 * they pay. */
working *working_build(engine *e, const uint8_t *mask, const working *from, bool totals);
/* Whether totals in units of a cost (formulation/total.h) decide much: the gap is a small part of a
 * unit. */
bool engine_units_pay(const engine *e);
/* The model over the mask and its LP with the cuts of another working model (NULL: none), not
 * solved. wanted: how many cells it has that the other one lacks; then its LP begins with that
 * one's basis, 0: with the slacks. */
working *working_open(engine *e, const uint8_t *mask, const working *from, int wanted);
/* Goes on with the first solve of that LP for about so much work, which is more where so few pivots
 * need more. True when it ended: w->status. */
bool working_solve(engine *e, working *w, double work);
void working_free(working *w); /* NULL allowed */
/* For another thread, whose engine has to refresh it before its LP says anything. */
working *working_copy(const working *w);
/* Solves the LP of a copy: the basis is optimal, if w's was. */
void working_refresh(engine *e, working *w);

/* Rounds of cuts on an LP, which must be solved. */
typedef struct cut_rounds {
    int count, stalled;      /* those; how many in a row brought little */
    double before, at_stall; /* the bound before them; where it began to stand */
} cut_rounds;

cut_rounds working_cut_begin(const working *w);
/* One round more. False: there is no other; cuts that do not bind are dropped. */
bool working_cut_round(engine *e, working *w, cut_rounds *rounds);
/* Whether the bound rose with them. */
bool working_cut_rose(const working *w, const cut_rounds *rounds);

/* Adds cuts, which are moved, to the LP and solves it; keeps those that bind. */
void working_add_cuts(engine *e, working *w, event_cut_list *cuts);

/* The basis of from's LP for the model of f with a number of cuts as rows after its own, of which
 * the first are from's; matched by what rows and columns mean. Statuses of columns, then rows; free
 * with base_free. weights (may be NULL) gets from's for lp_set_weights, likewise to be freed. point
 * (extent the columns of f; may be NULL) gets the LP's solution on them. What is new is taken from
 * the extension of from's duals, if that was the last one. */
unsigned char *warm_basis(const engine *e, const formulation *f, int cuts, const working *from,
                          double **weights, double *point);

/* Duals for the rows of f, then so many cuts, of which the first are from's: the extension of
 * from's, if that was the last one, else from's own. As good as where they come from, except for
 * what f has and that has not. To be freed. */
double *warm_duals(const engine *e, const formulation *f, int cuts, const working *from);

/* "Some cell outside the windows is used", as -sum x <= -1 over the columns of f. Cells that need
 * another one outside are left out, which makes the row stronger. */
event_cut outside_row(const engine *e, const formulation *f);
void outside_row_clear(event_cut *row);

/* The cuts, written on the columns of another formulation of the same problem. */
event_cut_list cuts_express(const event_cut_list *cuts, const formulation *f);

/* A copy of the model of f with the cuts, expressed on f, as rows after its own. */
lp_model *model_with_cuts(const formulation *f, const event_cut_list *cuts);

/* ---- steps ---------------------------------------------------------------------- */

/* The search, after the first schedules, until engine_done or nothing is left to do. */
void engine_search(engine *e);

/* Cells whose own cost is more than a better schedule may have, or whose bounds are, or their
 * seconds more than the deadline leaves, leave e->mask: no model over cells is needed to see that.
 */
void engine_eliminate_by_cost(engine *e);

/* Bound over the full model from a working model over part of it, and elimination: cells that
 * no schedule better than upper can use leave e->mask. Missing cells whose reduced cost is
 * negative are or-ed into grow (extent n*n); returns their number. */
int engine_prove(engine *e, const working *w, uint8_t *grow);
void engine_prove_clear(engine *e); /* frees what engine_prove keeps in e */

/* Growth proves the bound of the first model for all cells, in models that grow by the cells that
 * the duals want. */
void engine_growth_begin(engine *e, working *first);
/* Goes on for about so much work, or until the next model is solved: proves with the last one, and
 * solves one that is larger. */
void engine_grow(engine *e, double work);
bool engine_growth_over(const engine *e);
/* It takes so long that it may end without a bound. */
bool engine_growth_is_long(const engine *e);
/* The last model that was solved, or the first. */
working *engine_wide(const engine *e);
/* Clears it. The last model, which may be the first, is the caller's; NULL without growth. */
working *engine_growth_end(engine *e);
/* The neighbour (exact_params): its basis for the LP of w, which is not yet begun; */
void engine_neighbour_begin(const engine *e, working *w);
/* ... the last model (taken over; NULL: none) is for it; */
void engine_neighbour_leave(engine *e, working *last);
/* ... gets it, once nothing can be given up any more. */
void engine_neighbour_take(const engine *e);

/* Whether w's LP is solved and there is something left to do. */
bool engine_solved(engine *e, const working *w);
/* About the columns of a model over the cells that are left; 0 before the first proof. */
double engine_columns_left(const engine *e);

/* Of the trees that have turns of their own, with all threads. */
bnb_params engine_turn_params(const engine *e);
/* What is left of the node limit. */
long engine_nodes_left(const engine *e);
/* bnb_run within the limits of the engine. */
bnb_status engine_run(engine *e, bnb_search *search, double work, long nodes);
/* The search, which is recorded, has proven this bound with open nodes: tells them as leaves that
 * prove it, as nearly as EXACT_OPTIMAL_GAP asks, whatever work and nodes that takes. False: another
 * limit ended that, or rounding errors keep multipliers from proving it. */
bool engine_tell_leaves(engine *e, bnb_search *search, double bound);

/* An open tree over the model of w. */
typedef struct tree tree;

/* The root LP starts from the basis of `from` (which may be w; NULL or without an LP: from the
 * slacks). outside: only over schedules that use a cell outside e->core. w must outlive it. */
tree *engine_tree_open(engine *e, const working *w, const working *from, exact_effort effort,
                       bool outside);
/* Goes on for about so much work and so many nodes. True: it has ended, or will not get further.
 */
bool engine_tree_run(tree *t, double work, long nodes);
/* From now on what it finds is told to this engine, of the same problem. */
void engine_tree_lend(tree *t, engine *e);
/* Proven for the schedules that it is over, at most engine_cutoff at the beginning of the last run.
 */
double engine_tree_bound(const tree *t);
long engine_tree_nodes(const tree *t);
/* engine_tell_leaves of its search. */
bool engine_tree_tell_leaves(tree *t, double bound);
/* cuts gets the event cuts that were found (NULL: nobody wants them). NULL allowed. */
void engine_tree_close(tree *t, event_cut_list *cuts);

/* Branch and bound over the given cells (MASK bits, extent n*n) alone, with the cuts of `from`:
 * schedules better than the best that use no other cells, offered under the name source. Proves
 * nothing. Ends after about so much work. */
void engine_submip(engine *e, const uint8_t *cells, const working *from, const char *source,
                   double work);

/* Bounds and schedules from the coarse timeline (formulation/coarse.h): goes on for about so much
 * work. */
void engine_coarse(engine *e, double work);
/* Whether it can go on. */
bool engine_coarse_left(const engine *e);
bool engine_coarse_begun(const engine *e); /* it has had a turn in this thread */
/* Whether nothing else has proven more; without a turn so far: anything. */
bool engine_coarse_leads(const engine *e);
void engine_coarse_clear(engine *e);

/* Bounds of all cells from the LP of a coarse timeline, beside those that e has; the next proof
 * eliminates by them. For canonical schedules alone, of which the timeline has every one, and for
 * the lane that proves. None, if the LP takes more than so much work. */
struct coarse;
void engine_cell_bounds_note(engine *e, const struct coarse *c, double work);
/* Cells whose schedules are no better than upper leave e->mask. Returns how many. O(n^2) for each
 * timeline. */
long engine_cell_bounds_eliminate(engine *e);
void engine_cell_bounds_clear(engine *e);

/* Schedules by annealing: goes on for about so much work. */
void engine_anneal(engine *e, double work);
/* By a walk of its own from s, which may be over the budget, for about so much work. */
void engine_quench(engine *e, const schedule *s, double work, const char *source);
bool engine_anneal_left(const engine *e); /* whether it can find a better one */
void engine_anneal_clear(engine *e);

/* Better schedules: a little local search, and roundings of the LP over the windows. */
void engine_improve_quickly(engine *e, const working *w);

/* Offers s (taken over; NULL: nothing), then what a little local search makes of it, under the name
 * source. Thread safe. */
void engine_polish(engine *e, schedule *s, const char *source);

/* What the fractional solution x of f suggests: a schedule that costs less than the cutoff, NULL
 * without one (heuristic_repair with so many random roundings). Thread safe. */
schedule *engine_round(const engine *e, const formulation *f, const double *x, int tries,
                       uint64_t seed, double cutoff_joules, const base_limits *limits);

/* Better schedules from those the engine was given and from the LP of the windows, by local search
 * and sub-MIPs; as much work as the gap between the two seems worth. w->lp stays as it is. */
void engine_improve(engine *e, const working *w);

/* Goes on with that for about so much work, by one means after the other: those that succeed last
 * are tried first. w as before. */
void engine_improve_on(engine *e, const working *w, double work);
/* Whether so much of the gap is left that this does something: a turn without work would be due
 * again at once. */
bool engine_improve_left(const engine *e);
void engine_improve_clear(engine *e);

#endif
