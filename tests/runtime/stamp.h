/* tests/runtime: plans run by the device's runtime, with kernels that stamp what they write and
 * check what they read, and a storage whose transfers are as late, or as early, as they may be. */
#ifndef TESTS_RUNTIME_STAMP_H
#define TESTS_RUNTIME_STAMP_H

#include "plan/plan.h"
#include "runtime/poet_runtime.h"

/* Memory and tables for one graph; the runtime gets exactly `arena_bytes` bytes and `registers`
 * registers, with canaries around. */
typedef struct stamp_machine {
    const graph *g;
    poet_device device; /* all but plan and plan_bytes; fields may be changed */
    struct stamp_state *state;
} stamp_machine;

stamp_machine stamp_machine_make(const graph *g, uint32_t arena_bytes, int registers);
void stamp_machine_free(stamp_machine *m);

/* Runs the plan in data. NULL when all inputs had the stamps of their nodes, no canary has changed
 * and no transfer was under way in the end; else what was wrong. *status: what poet_run returned.
 * seed: when transfers are carried out; 0: as late as possible. counts as of the last report. */
const char *stamp_run(stamp_machine *m, const uint8_t *data, size_t size, uint64_t seed,
                      poet_status *status, poet_counts *counts);

/* The same, where the plan is x: the runtime must accept it and count what plan_execute counts. */
const char *stamp_plan(const graph *g, const plan *x, uint64_t seed);

#endif
