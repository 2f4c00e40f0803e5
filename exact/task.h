/* exact/task: a turn beside the proof; not for others. */
#ifndef EXACT_TASK_H
#define EXACT_TASK_H

#include <stdatomic.h>

#include "exact/find.h"
#include "exact/tree.h"

/* It has an engine of its own, which begins with what is known then, and which nobody else sees
 * before its end. */
typedef struct task {
    struct task *next; /* that ended after it */
    exact_effort effort;
    engine own; /* with the state of its effort */
    exact_params params;
    exact_proof proof; /* of params: of coarse timelines alone */
    exact_result result;
    finder finder;
    tree *tree;  /* that it processes the root of; NULL: a finder's */
    bool over;   /* that tree has ended */
    long nodes;  /* of all before it, which its result begins with */
    double work; /* that it took */
    exact_spent spent;
    const base_limits *given; /* the user's, and */
    const atomic_bool *called_off;
} task;

/* For an effort, with what f's engine has found (which gets the state of the effort back by
 * task_merge). e: of the proof. root: of EFFORT_REST, else NULL. The task ends early once
 * *called_off. */
task *task_open(const engine *e, const finder *f, exact_effort effort, tree *root,
                const atomic_bool *called_off);
/* Runs it, in any thread; its engine has been entered. */
void task_run(task *t);
/* The view has what the task found, but for schedules. */
void task_merge(task *t, engine *view);
/* The same of the proof's engine, with the schedules. */
void task_give(task *t, engine *e);
/* Allowed where work is being given up, too; then the guard frees the rest. */
void task_clear(task *t);
void task_free(task *t); /* NULL allowed */

#endif
