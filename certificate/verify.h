/* certificate/verify: the checker of certificates. It uses the problem (its graph, its rules and
 * their validator) and exact arithmetic, and nothing of the solver. The files' format is in
 * certificate/FORMAT.md. */
#ifndef CERTIFICATE_VERIFY_H
#define CERTIFICATE_VERIFY_H

#include "certificate/trust.h"
#include "problem/schedule.h"

typedef enum certificate_verdict {
    CERTIFICATE_HOLDS = 0,
    CERTIFICATE_WRONG,    /* a step or the schedule does not hold, or a node is left open */
    CERTIFICATE_MALFORMED /* not a certificate of this format */
} certificate_verdict;

/* Largest number of families of canonical rows. */
enum { CERTIFICATE_FAMILIES = 48 };

/* Contents and proof of a certificate. */
typedef struct certificate_report {
    bool infeasible; /* claim: no schedule meets the rules */
    cert_trust trust;
    const char *family[CERTIFICATE_FAMILIES]; /* families of canonical rows that its steps use */
    int families;
    bool incomplete;        /* all steps hold, but they leave nodes open */
    bool optimal;           /* the bound is within a relative 1e-9 of the overhead, exactly */
    double bound_joules;    /* no schedule has less overhead */
    double overhead_joules; /* overhead of the certificate's schedule, rounded for display */
    graph *graph;           /* owned; NULL unless the certificate holds */
    problem problem;        /* its graph is `graph` */
    long steps, cuts, nodes, multipliers;
    long exchange_rows, exchange_cases; /* counts of certificate_exchanges */
} certificate_report;

/* Checks the certificate in a file ("-": standard input). *report needs certificate_report_clear.
 * Unless the verdict is CERTIFICATE_HOLDS, error names file and line, and *report proves nothing.
 */
certificate_verdict certificate_verify(const char *path, certificate_report *report,
                                       base_error *error);

/* The same for a text of size bytes and a NUL, which is overwritten; name: of the file, for errors.
 */
certificate_verdict certificate_verify_text(const char *name, char *text, size_t size,
                                            certificate_report *report, base_error *error);

/* For a report on a certificate that holds and rests on canonical schedules: checks on its graph
 * that some optimal schedule is canonical (certificate/exchange.h). CERTIFICATE_WRONG: error names
 * the first failure. */
certificate_verdict certificate_exchanges(certificate_report *report, base_error *error);

void certificate_report_clear(certificate_report *report);

#endif
