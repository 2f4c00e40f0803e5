/* problem/schedule: the five matrices of a POET schedule and the validator that
 * judges them. The validator shares no code with anything that makes schedules. */
#ifndef PROBLEM_SCHEDULE_H
#define PROBLEM_SCHEDULE_H

#include <stdint.h>

#include "problem/graph.h"

/* Five n x n 0/1 matrices, row-major: cell (t,i) at t*n+i, stage t, node i.
 * R: computed in stage t. S: in RAM when stage t begins. A: on storage when
 * stage t begins. In / Out: paged in / out during stage t. */
typedef struct schedule {
    int n;
    uint8_t *R, *S, *A, *In, *Out;
} schedule;

schedule *schedule_create(int n); /* all zero but R = identity */
schedule *schedule_copy(const schedule *s);
/* Copies s to `to`, which has the same n. Allocates nothing; the system may still have to provide
 * untouched pages of `to`. */
void schedule_assign(schedule *to, const schedule *s);
void schedule_keep(schedule *s); /* base_keep; NULL allowed */
void schedule_free(schedule *s); /* NULL allowed */
static inline size_t schedule_cell(const schedule *s, int t, int i)
{
    return (size_t)t * (size_t)s->n + (size_t)i;
}

/* Measurements of the validator. Energies are exact sums in long double, rounded once; the
 * overhead is a sum of its own, never a difference of totals. */
typedef struct validation {
    double energy_joules;
    double overhead_joules; /* recomputations and transfers only */
    int64_t peak_bytes;
    int peak_stage, peak_node; /* the first event that reaches the peak */
    double compute_seconds;
    double transfer_seconds; /* sum of all page-ins and page-outs */
    int64_t recompute_count; /* sum R - n */
    int64_t pagein_count, pageout_count;
} validation;

/* Judges s for p by the rules of POET (Algorithm 1): triangular shape, inputs
 * present, RAM and storage have a source, page-in from storage, page-out from
 * RAM, peak within the budget, deadline met, no node computed too often, options of p and pins
 * respected. 0 and *result when all hold; otherwise -1 and an error that names the rule, the stage
 * and the node; *result (may be NULL) is then filled as far as the peak is
 * defined. O(n^2 + n * edges): about schedule_validate_work(n) steps. */
int schedule_validate(const problem *p, const schedule *s, validation *result, base_error *error);
double schedule_validate_work(int n);

/* Memory of stage t as the validator sees it. profile[k], k = 0..t, is the sum in
 * force while node k is computed in stage t (with its output and its workspace, before
 * releases), or the running sum where k is not computed; extent n, NULL allowed. Returns the
 * largest. A tensor that S keeps and R computes again is charged twice, and released once. With
 * charge_pagein_transfer a tensor with In[t][i] takes its bytes from the beginning to the end of
 * stage t, beside S and R. O(n + edges). */
int64_t schedule_stage_memory(const problem *p, const schedule *s, int t, int64_t *profile);

/* Dead-value elimination: makes S and A minimal for the given R, In, Out, which
 * only lose what nothing needs. One backward pass over stages and nodes:
 *   Out[t][i] goes unless A[t+1][i]; R[t][i], i < t, goes unless a user of i is
 *   computed in t or S[t+1][i], and where Out[t][i] demands i in RAM anyway;
 *   In[t][i] goes unless S[t+1][i], or where i is there in stage t already;
 *   S[t][i] := (used(t,i) & !R[t][i]) | Out[t][i] | (S[t+1][i] & !R[t][i] & !In[t][i]);
 *   A[t][i] := In[t][i] | (A[t+1][i] & !Out[t][i]).
 * Where S and R both offer a tensor, R stays: S may be handed in as large as its
 * sources allow. Neither memory nor energy rises; idempotent. s must obey all
 * rules except budget and deadline. O(n^2 + n * edges). */
void schedule_prune(const graph *g, schedule *s);

/* The cheapest R for the given S and In (nonnegative costs): R = identity, plus R[t][i] where
 * S[t+1][i] has no other source, plus the nodes that these need in turn. */
void schedule_minimal_compute(const graph *g, schedule *s);

/* The checkpoint-all schedule: R = identity, S[t][i] = 1 iff i < t <= last_user[i]. */
schedule *schedule_checkpoint_all(const graph *g);

#endif
