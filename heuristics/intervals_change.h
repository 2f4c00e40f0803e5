/* heuristics/intervals_change: records and functions that the files of heuristics/intervals
 * share. Changing the copies of a tensor takes its bytes out of the memory first. Once all
 * changes are made, intervals_settle adds them again and brings the stages up to date. */
#ifndef HEURISTICS_INTERVALS_CHANGE_H
#define HEURISTICS_INTERVALS_CHANGE_H

#include "heuristics/intervals.h"

/* Copies of some tensors, as they were. */
struct intervals_saved {
    struct {
        int node, count, from, out; /* its copies are copy[from..] */
    } * tensor;
    int count, capacity;
    copy *copy;
    int copies, copy_capacity;
    double joules, seconds; /* of a whole state */
};

/* Changes since intervals_begin, and the parts that have to be brought up to date. */
typedef struct intervals_change {
    intervals_saved before; /* of the tensors that were changed */
    int move;               /* number of the change */
    int *noted;             /* n: last change that stored the tensor's copies in `before` */
    bool *vacant;           /* n: its bytes are not counted now */
    index_list open;        /* vacant tensors */
    index_list stages;      /* stages with `inner` out of date */
    bool *dirty;            /* n: in stages */
    int *stamp;             /* n: scratch */
    int stamp_now;
    index_list blocks;                                                /* that changed */
    enum intervals_touch { UNTOUCHED = 0, SHIFTED, CHANGED } * touch; /* of a block */
} intervals_change;

/* Marks `inner` of the stage as out of date. */
void intervals_mark(intervals *s, int stage);

/* Takes the bytes of v out, if they are counted now. O(blocks that its copies are in + block). */
void intervals_vacate(intervals *s, int v);

/* Adds the bytes of the copies of v, or takes them away (sign -1). */
void intervals_count_bytes(intervals *s, int v, int sign);

/* Recomputes the stage of the last reader of each copy of v from the present computations. */
void intervals_find_last(intervals *s, int v);

/* Recomputes inner[t] from the nodes that are computed in stage t. O(their inputs). */
void intervals_find_inner(intervals *s, int t);

/* Updates the bytes above the budget and their charge in the blocks of stages that have changed. */
void intervals_find_excess(intervals *s);

#endif
