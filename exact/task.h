/* exact/task: a turn beside the proof; not for others. */
#ifndef EXACT_TASK_H
#define EXACT_TASK_H

#include <stdatomic.h>

#include "exact/beside.h"
#include "exact/cells/tree.h"

/* A turn with an engine of its own. The engine starts with the results at that time. Its results
 * stay invisible to others until the turn ends. */
typedef struct task {
    struct task *next; /* the task that ended next */
    exact_effort effort;
    engine own; /* holds the state of the effort */
    exact_params params;
    exact_proof proof; /* the listener in `params`; forwards only coarse timelines and cases */
    exact_result result;
    beside beside;
    tree *tree;  /* the tree to process the root of; NULL: a turn of another effort */
    bool over;   /* the tree has ended */
    long nodes;  /* nodes in the result when the task began */
    double work; /* steps taken */
    exact_spent spent;
    const base_limits *given; /* the user's limits */
    const atomic_bool *cancelled;
} task;

/* Opens a task for `effort` with the results in f's engine. The state of the effort moves from
 * there to the task until task_update_view. e: engine of the proof. root: the tree if effort is
 * EFFORT_REST, else NULL. The task ends early once *cancelled is set. */
task *task_open(const engine *e, const beside *f, exact_effort effort, tree *root,
                const atomic_bool *cancelled);
/* Runs the task, in any thread, after engine_enter on its engine. */
void task_run(task *t);
/* Adds the results of the task to the view, without the schedule. */
void task_update_view(task *t, engine *view);
/* Adds the results to the engine of the proof, with the schedule. */
void task_update_proof(task *t, engine *e);
/* Frees only the result and the lock, also while work is being given up: then the guard frees the
 * rest. */
void task_clear(task *t);
void task_free(task *t); /* NULL allowed */

#endif
