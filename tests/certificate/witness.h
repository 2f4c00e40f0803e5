/* tests/certificate: a solution of a problem that no step of the checker may lose.
 *
 * A certificate that claims more than is true has to lose every solution that contradicts it. So
 * the checker is sound when each of its rows, reductions, cuts and steps keeps one: any schedule
 * where a proof rests on the rules, a canonical one otherwise. */
#ifndef TESTS_CERTIFICATE_WITNESS_H
#define TESTS_CERTIFICATE_WITNESS_H

#include "certificate/proof.h"
#include "tests/owned.h"

typedef struct witness {
    cert_model *m;          /* settled */
    double *x;              /* of each column; extent m->cols */
    double overhead_joules; /* exact where costs are small multiples of 1/8 */
} witness;

/* A schedule of p that is drawn at random: the optimum for other costs, with useless actions. Its
 * residency is computed or paged in by chance where it may be either. NULL without a schedule.
 * O(oracle_solve); p->graph's costs are changed in between. */
witness *witness_by_rules(const problem *p, uint64_t seed);

/* The least solution of section 3 of docs/formulation.md, in the order of that page, from the model
 * of the rules, in which early releases are granted. Costs must be multiples of 1/8, at most
 * WITNESS_NODES nodes. NULL where there is none, or none was found. */
enum { WITNESS_NODES = 7 };
witness *witness_canonical(const problem *p);

void witness_free(witness *w);
OWNED_POINTER(witness, witness_free) /* NULL allowed */

/* What loses the witness: a row that it breaks, a cell that is settled otherwise, a random cut that
 * the checker takes. NULL: nothing. */
const char *witness_rows_fault(const witness *w, uint64_t seed);

/* The same of a proof of a false claim, made of random steps with random multipliers and with
 * multipliers of the linear program of all rows. */
const char *witness_steps_fault(const witness *w, uint64_t seed);

/* All of the above for one problem, with schedules of both kinds; *witnesses counts them. */
const char *witness_fault(const problem *p, uint64_t seed, long witnesses[CERT_TRUSTS]);

#endif
