/* certificate/write: certificates of the solver's answers. */
#ifndef CERTIFICATE_WRITE_H
#define CERTIFICATE_WRITE_H

#include "certificate/trust.h"
#include "exact/exact.h"

typedef enum certificate_outcome {
    CERTIFICATE_WRITTEN = 0, /* the file is written; it was verified before */
    /* otherwise no file is written: */
    CERTIFICATE_LIMIT,      /* a limit ended the proof */
    CERTIFICATE_UNPROVEN,   /* see error: the steps prove less than the answer */
    CERTIFICATE_UNWRITABLE, /* see error: the file cannot be written */
    CERTIFICATE_FAILED      /* see error: an internal check failed */
} certificate_outcome;

/* NULL if certificates can be written with these features; else the reason, a static text. */
const char *certificate_unsupported(unsigned features);

/* 0 if they can be written for this problem too; else -1 with an error. */
int certificate_check(const problem *p, unsigned features, base_error *error);

/* True if there is something to prove: EXACT_OPTIMAL, EXACT_WITHIN_GAP or EXACT_INFEASIBLE. */
bool certificate_possible(const exact_result *result);

/* Proves the answer of an exact_solve in a run of its own and writes the proof;
 * certificate_possible holds for the answer. params: those of the solve; its starts and heuristics
 * are not used. *trust: in, what the proof may rest on; out, what it rests on. CERT_EXCHANGES falls
 * back to CERT_RULES where canonical schedules do not decide. The proven bound is that of the
 * answer; for an optimal one, EXACT_OPTIMAL_GAP below its overhead. May take longer than the
 * solve's own proof, since most of presolve is off. */
certificate_outcome certificate_write(const char *path, const problem *p,
                                      const exact_params *params, cert_trust *trust,
                                      const exact_result *result, base_error *error);

/* exact_solve with a record of its proof. *result: the answer, to be cleared; the file: the
 * certificate. Parts of the search that certificates have no steps for are off
 * (certificate/FORMAT.md), so that a hard search may take longer. *trust: as of certificate_write.
 * Where the record does not prove the answer, and always with CERT_RULES, exact_solve and
 * certificate_write run instead; error then has the reason for the second run, else "". */
certificate_outcome certificate_solve(const char *path, const problem *p,
                                      const exact_params *params, cert_trust *trust,
                                      exact_result *result, base_error *error);

#endif
