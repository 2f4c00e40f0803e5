/* baselines/pofo_chain: a training graph as the heterogeneous chain that POFO and
 * rotor plan for. Internal to the room. */
#ifndef BASELINES_POFO_CHAIN_H
#define BASELINES_POFO_CHAIN_H

#include "baselines/policy.h"

/* Stages 0..stages-1, the last of which ends in the loss. Stage l computes the segment
 * of its step: from its input to all nodes of the segment, the last of which is the
 * input of stage l+1; later its backward part, the stages of its turn. */
typedef struct pofo_chain {
    int stages;
    const policy_chain *steps; /* borrowed */
    double *forward_seconds;   /* stages */
    double *backward_seconds;  /* stages */
    int64_t *input_bytes;      /* stages + 1: x[l], input of stage l; x[stages]: the loss */
    int64_t *segment_bytes;    /* stages + 1: X[l+1], all nodes of segment l; X[0] = x[0] */
    int *segment_nodes;        /* stages + 1: how many nodes X[l] stands for */
    int64_t *gradient_bytes;   /* stages + 1: d[l], output of stage l's backward part; the
                                * loss has no gradient of its own: d[stages] = 0 */
    int64_t *drop_bytes;       /* stages: RAM beyond x[l] while the segment is computed and
                                  nothing inside is kept: x[l+1] and temporary memory */
    int64_t *turn_bytes;       /* stages: RAM beyond x[l] during the backward part with the segment
                                * kept: on a chain X[l+1], d[l+1] and d[l] */
    /* Transfers: bytes per second, and the latency of one transfer in bytes. */
    double pageout_rate, pagein_rate;
    double pageout_latency_bytes, pagein_latency_bytes;
} pofo_chain;

/* O(n + edges). */
pofo_chain *pofo_chain_create(const policy_net *net, const policy_chain *steps);
void pofo_chain_free(pofo_chain *c);

/* The table of rotor (Beaumont, Eyraud-Dubois, Herrmann, Joly, Shilova: Optimal checkpointing for
 * heterogeneous chains, 2019): least seconds to compute the stages a..b again from the input of a
 * and to run their backward parts, in a number of slots of RAM beyond that input. Sizes are
 * rounded up to slots of unit bytes. */
typedef struct rotor_table {
    int stages, slots;
    int *input, *segment, *gradient; /* stages + 1: sizes in slots */
    int *drop, *turn;                /* stages: in slots */
    double *forward_sum;             /* stages + 1: forward seconds of the stages before */
    const pofo_chain *chain;
    double *seconds; /* by (a, b, slots); INFINITY: does not fit */
    int16_t *choice; /* -1: keep segment a and go on with a + 1; j > a: keep input j */
} rotor_table;

/* O(stages^3 slots) time, O(stages^2 slots) memory. NULL when a limit is reached. */
rotor_table *rotor_create(const pofo_chain *c, int slots, double unit, const base_limits *limits);
void rotor_free(rotor_table *r);

/* Bytes that the table of that size takes. */
double rotor_memory(int stages, int slots);

/* 0 <= a <= b < stages, slots <= r->slots; negative slots: INFINITY. */
double rotor_seconds(const rotor_table *r, int a, int b, int slots);

/* Residency of the optimal sequence: a..b are computed again in the first stage of the
 * turn of b, with the input of a in RAM throughout. rotor_seconds must be finite. */
void rotor_hold(const rotor_table *r, const policy_net *net, schedule *s, int a, int b, int slots);

#endif
