/* heuristics/intervals: a schedule as the intervals in which its tensors are in RAM, with the
 * exact memory of every stage, for annealing that passes through schedules over the budget.
 *
 * A tensor has one copy or several, each made at a stage: by computing it there, the first one at
 * its own stage, or by a page-in that ends there. A reader takes the last copy made so far, and a
 * copy stays until its last reader. The page-out happens at most once, from the copy that is
 * there. So the places of the copies define the schedule: each copy is kept exactly as long as
 * needed. (Recomputations that serve only to release an input are not among these schedules.)
 *
 * Memory O(n + edges + copies). */
#ifndef HEURISTICS_INTERVALS_H
#define HEURISTICS_INTERVALS_H

#include "heuristics/index_list.h"
#include "problem/schedule.h"

/* A copy: readers from stage first on; last: stage of its last reader, or of the page-out if that
 * is later; -1: it has none. paged: by a page-in in stage first-1, else computed in stage first. */
typedef struct copy {
    int first, last;
    bool paged;
} copy;

typedef struct tensor_copies {
    int count, capacity;
    int computed; /* number of copies that are computed, not paged in */
    copy *at;     /* ascending first; at[0] is computed at the tensor's own stage */
    int out;      /* stage of the page-out, -1: none */
    bool held;    /* the page-out holds it to the end of that stage */
} tensor_copies;

/* Stages in a row, together. A tensor that is in RAM through all of them changes this record
 * alone. */
typedef struct intervals_block {
    int64_t shift; /* to be added to `beyond' of all */
    int64_t most;  /* of `beyond' */
    int64_t over;  /* bytes above the budget, sum */
    double charge; /* for them */
} intervals_block;

enum { INTERVALS_BLOCK = 64 };

typedef struct intervals {
    const problem *p;
    tensor_copies *tensor; /* n */
    index_list *again;     /* n stages: nodes computed again, ascending */
    index_list more;       /* tensors with more than one copy, in any order */
    int *more_at;          /* n: place of a tensor in it */
    int64_t *inner;        /* n: most bytes within stage t beyond the bytes at its end */
    int64_t *beyond;       /* whole blocks: bytes of the peak of stage t above the budget, negative:
                              below it; without the shift of its block */
    intervals_block *block; /* of INTERVALS_BLOCK stages each */
    int64_t excess;         /* sum of the bytes above the budget */
    double *price;      /* n: price of a byte above the budget in stage t; intervals_set_price */
    double charge;      /* sum of price times bytes above the budget */
    int64_t extra;      /* sum over the nodes of the computations above max_computations */
    double extra_price; /* price of each of these; 0 at first */
    double joules;      /* overhead */
    double seconds;     /* seconds that the deadline counts, beyond the base */
    struct intervals_change *change;
} intervals;

/* Everything computed once, prices zero. p is borrowed. */
intervals *intervals_create(const problem *p);
void intervals_free(intervals *s); /* NULL allowed */

/* Bytes by which stage t is above the budget; negative: below it. */
static inline int64_t intervals_beyond(const intervals *s, int t)
{
    return s->beyond[t] + s->block[t / INTERVALS_BLOCK].shift;
}

/* Prices of all stages: about `each`, times weight[t]. O(n). */
void intervals_set_price(intervals *s, double each, const double *weight);

/* Returns the rise of the charge of stages first..last if each has `bytes` more, or fewer if
 * negative. Stops early above `most`. O(block) for each block that is above the budget before or
 * after, else O(1). */
double intervals_rise(const intervals *s, int first, int last, int64_t bytes, double most);

/* A stage above the budget: the first one from t on, around; -1: none. O(n / block + block). */
int intervals_over_from(const intervals *s, int t);

/* Index of the copy of v that a reader in stage t takes; t at least v. O(log copies). */
static inline int intervals_serving(const intervals *s, int v, int t)
{
    const tensor_copies *c = &s->tensor[v];
    int low = 0, high = c->count - 1;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (c->at[middle].first <= t)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* The first stage after t in which copy k of v is read; -1: none. */
int intervals_next_read(const intervals *s, int v, int k, int t);

/* The last stage before t in which copy k of v is read, or in which it is made. */
int intervals_read_before(const intervals *s, int v, int k, int t);

/* True if a copy may and can be made so: none begins at that stage, and a page-in finds the tensor
 * on storage, or (out >= 0, without a page-out so far) will with a page-out in stage out. */
bool intervals_can_add(const intervals *s, int v, int first, bool paged, int out);

/* Charge of one more computation of v; 0 below the most computations that it may have. */
static inline double intervals_extra_charge(const intervals *s, int v)
{
    return s->tensor[v].computed >= s->p->max_computations ? s->extra_price : 0;
}

/* Changes begin; undo goes back to here. */
void intervals_begin(intervals *s);
/* out: stage of the page-out that a first page-in needs, else ignored. */
void intervals_add(intervals *s, int v, int first, bool paged, int out);
void intervals_remove(intervals *s, int v, int k); /* k > 0 */
/* Ends the changes: finds the last readers, drops copies without readers and updates the memory.
 * Time grows with the stages that changed. */
void intervals_settle(intervals *s);
void intervals_undo(intervals *s); /* after intervals_settle */

/* intervals_save stores the state as the best one; intervals_restore returns to it. */
typedef struct intervals_saved intervals_saved;
intervals_saved *intervals_save(const intervals *s);
void intervals_saved_free(intervals_saved *saved); /* NULL allowed */
void intervals_restore(intervals *s, const intervals_saved *saved);

/* Returns the state as a schedule. O(n^2). */
schedule *intervals_schedule(const intervals *s);

#endif
