/* exact/search: the state of the search (exact/search.c) and of its two trees
 * (exact/cells/trees.c); not for others. */
#ifndef EXACT_SEARCH_H
#define EXACT_SEARCH_H

#include "exact/beside.h"
#include "exact/cells/tree.h"
#include "exact/cells/working.h"

/* One of the two trees, over schedules within the windows or schedules that use a cell outside. */
typedef struct child {
    tree *tree;   /* NULL: not open */
    working *own; /* model of the tree, if the child owns it; else NULL */
    long cells;   /* number of cells of the tree's model */
    bool outside; /* for the rest: excludes schedules within the windows */
    long nodes;   /* of all trees of the child */
    double bound; /* dual bound, model units */
    bool over;    /* the child can prove no more */
} child;

typedef struct search_state {
    engine *e;
    uint8_t *first;   /* cells of the windows, extent n*n; NULL before, and once the model exists */
    long first_count; /* number of cells in `first` */
    working *windows; /* model over the windows; NULL before */
    bool solved;      /* the LP of the windows is solved */
    cut_rounds rounds; /* rounds of cuts on this LP */
    bool opened;       /* the LP and its cuts are done */
    child within, rest;
    bool looked; /* the first turn of the tree over the windows has run */
    beside beside;
    bool parallel; /* several threads: turns run side by side */
    bool root;     /* a task is due for, or processes, the root of the tree over the rest */
} search_state;

/* Runs the search after the first schedules, until engine_done or nothing is left to do. */
void engine_search(engine *e);

/* Runs turns in all threads until the search is over (exact/turns.c). */
void search_run_turns(search_state *s);
/* The next turn of the proof; EFFORTS: nothing is left to do. */
exact_effort search_next(const search_state *s);
/* Runs a turn of the proof, or of an effort beside it. */
void search_run(search_state *s, exact_effort effort);
/* True if the turn processes nodes of a tree, which several threads can share. */
bool search_is_shared(const search_state *s, exact_effort effort);
/* True if other efforts should run before the next step towards the LP over the windows. */
bool search_waits(const search_state *s);
/* State of the proof, for the efforts beside it. */
outlook search_outlook(const search_state *s);
/* Writes a line of the log after a turn of the proof. */
void search_log(const search_state *s, exact_effort effort);

/* Number of recomputations, page-ins and page-outs in `mask` that are not in `without` (NULL:
 * empty). Extents n*n. */
long search_cell_count(const engine *e, const uint8_t *mask, const uint8_t *without);
/* Removes eliminated cells from the mask (extent n*n). */
void search_restrict_cells(const engine *e, uint8_t *mask);
/* True if no cell outside the windows is left. Bounds over the windows then hold for the full
 * model. */
bool search_is_complete(const search_state *s);

/* True if the tree over the windows can continue. */
bool search_may_run_within(const search_state *s);
/* Opens or continues the tree over the windows, for about `work` steps and at most `nodes` nodes.
 */
void search_run_within(search_state *s, double work, long nodes);
/* The same for the tree over all remaining cells. */
void search_run_rest(search_state *s, double work, long nodes);
/* Opens the tree over all remaining cells. Its root is left to a task. */
void search_open_root(search_state *s);
/* Takes the result of the root from the task. over: the tree has ended. */
void search_end_root(search_state *s, bool over);
/* Closes the tree of c, if open. */
void search_close_child(search_state *s, child *c);

#endif
