/* certificate/write: records what a run of the solver proves. */
#ifndef CERTIFICATE_WRITE_H
#define CERTIFICATE_WRITE_H

#include "certificate/trust.h"
#include "exact/exact.h"

typedef enum certificate_outcome {
    CERTIFICATE_WRITTEN = 0, /* written, and verified before that */
    /* or nothing is written: */
    CERTIFICATE_LIMIT,      /* a limit of params ended the proof */
    CERTIFICATE_UNPROVEN,   /* see error: what was recorded proves less than the answer */
    CERTIFICATE_UNWRITABLE, /* see error: the file cannot be written */
    CERTIFICATE_FAILED      /* see error: an internal check failed */
} certificate_outcome;

/* NULL when certificates can be written for these features, else why not (a static text). */
const char *certificate_unsupported(unsigned features);

/* 0 when they can for this problem, too; else an error. */
int certificate_check(const problem *p, unsigned features, base_error *error);

/* True if there is something to prove: EXACT_OPTIMAL, EXACT_WITHIN_GAP or EXACT_INFEASIBLE. */
bool certificate_possible(const exact_result *result);

/* Proves the answer of exact_solve once more, for which certificate_possible holds, and writes the
 * proof. params: those of the solve; starts and heuristics are not used. trust: what the
 * proof may rest on; with CERT_EXCHANGES, by the rules alone all the same where canonical schedules
 * do not decide. The bound that it proves is that of result, or EXACT_OPTIMAL_GAP below the
 * overhead of an optimal one. Most of presolve is off, so that it may take longer
 * than the solve's own proof. */
certificate_outcome certificate_write(const char *path, const problem *p,
                                      const exact_params *params, cert_trust trust,
                                      const exact_result *result, base_error *error);

/* exact_solve that records what proves its answer: *result gets the answer, to be cleared, the file
 * the certificate. What certificates cannot tell of is off (certificate/FORMAT.md), so
 * that a hard search may take longer. Where what was recorded does not prove the answer, as where
 * canonical schedules do not decide, and with CERT_RULES, exact_solve and certificate_write have
 * their turn. *trust: what the proof may rest on; with CERTIFICATE_WRITTEN, what it rests on, and
 * error says why there was a second run, "" if there was none. */
certificate_outcome certificate_solve(const char *path, const problem *p,
                                      const exact_params *params, cert_trust *trust,
                                      exact_result *result, base_error *error);

#endif
