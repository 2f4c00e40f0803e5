/* certificate/verify: the checker of certificates. It uses the problem (its graph, its rules and
 * their validator) and exact arithmetic, and nothing of the solver. The files' format is in
 * certificate/FORMAT.md. */
#ifndef CERTIFICATE_VERIFY_H
#define CERTIFICATE_VERIFY_H

#include "certificate/trust.h"
#include "problem/schedule.h"

typedef enum certificate_verdict {
    CERTIFICATE_HOLDS = 0,
    CERTIFICATE_WRONG,    /* a step or the schedule does not hold, or something is left unproven */
    CERTIFICATE_MALFORMED /* no certificate, or none that this program knows */
} certificate_verdict;

/* Families of canonical rows, at most. */
enum { CERTIFICATE_FAMILIES = 48 };

/* What a certificate proves. */
typedef struct certificate_report {
    bool infeasible; /* no schedule meets the rules */
    cert_trust trust;
    const char *family[CERTIFICATE_FAMILIES]; /* of canonical rows: what its steps assume */
    int families;
    bool incomplete;        /* all steps hold, but they leave nodes open */
    bool optimal;           /* the bound is within a relative 1e-9 of the overhead, exactly */
    double bound_joules;    /* no schedule has less overhead */
    double overhead_joules; /* of the schedule in the certificate, rounded for display */
    graph *graph;           /* NULL unless the certificate holds */
    problem problem;        /* its graph is `graph` */
    long steps, cuts, nodes, multipliers;
    long exchange_rows, exchange_cases; /* that certificate_exchanges has checked */
} certificate_report;

/* Checks the certificate in a file ("-": standard input). *report is to be cleared; when the
 * verdict is not that it holds, error names file and line, and *report proves nothing. */
certificate_verdict certificate_verify(const char *path, certificate_report *report,
                                       base_error *error);

/* The same of a text that ends with a NUL after size bytes and is overwritten; name: what errors
 * call it. */
certificate_verdict certificate_verify_text(const char *name, char *text, size_t size,
                                            certificate_report *report, base_error *error);

/* Of a report on a certificate that holds and rests on canonical schedules: carries out, for its
 * graph, the exchanges that show that an optimal schedule may be assumed to be canonical
 * (certificate/exchange.h). CERTIFICATE_WRONG with an error that names the first that fails. */
certificate_verdict certificate_exchanges(certificate_report *report, base_error *error);

void certificate_report_clear(certificate_report *report);

#endif
