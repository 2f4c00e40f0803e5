/* certificate: proofs of optimality that can be checked. certificate_verify is the checker: it uses
 * the problem (its graph, rules and validator) and exact arithmetic, and nothing of the solver.
 * certificate_write lets the solver prove its answer once more and records the proof. The files'
 * format is in certificate/FORMAT.md. */
#ifndef CERTIFICATE_CERTIFICATE_H
#define CERTIFICATE_CERTIFICATE_H

#include "exact/exact.h"
#include "problem/schedule.h"

typedef enum certificate_verdict {
    CERTIFICATE_HOLDS = 0,
    CERTIFICATE_WRONG,    /* a step or the schedule does not hold, or something is left unproven */
    CERTIFICATE_MALFORMED /* no certificate, or none that this program knows */
} certificate_verdict;

/* What a certificate proves. */
typedef struct certificate_report {
    bool infeasible;        /* no schedule meets the rules */
    bool optimal;           /* the bound is within a relative 1e-9 of the overhead, exactly */
    double bound_joules;    /* proven: no schedule has less overhead */
    double overhead_joules; /* of the schedule in the certificate, rounded for display */
    graph *graph;
    problem problem; /* its graph is `graph` */
    long steps, cuts, nodes, multipliers;
} certificate_report;

/* Checks the certificate in a file. *report is filled when it holds and is to be cleared; otherwise
 * error names file and line. */
certificate_verdict certificate_verify(const char *path, certificate_report *report,
                                       base_error *error);
void certificate_report_clear(certificate_report *report);

typedef enum certificate_outcome {
    CERTIFICATE_WRITTEN = 0, /* written, and verified before that */
    /* or nothing is written: */
    CERTIFICATE_LIMIT,      /* a limit of params ended the proof */
    CERTIFICATE_UNWRITABLE, /* see error: the file cannot be written */
    CERTIFICATE_FAILED      /* see error: an internal check failed */
} certificate_outcome;

/* NULL when certificates can be written for these features, else why not (a static text). */
const char *certificate_unsupported(unsigned features);

/* Proves the answer of exact_solve once more, which must be EXACT_OPTIMAL or EXACT_INFEASIBLE, and
 * writes the proof. params: those of the solve; starts and heuristics are not used. */
certificate_outcome certificate_write(const char *path, const problem *p,
                                      const exact_params *params, const exact_result *result,
                                      base_error *error);

#endif
