/* tests/certificate: random steps of proofs. */
#ifndef TESTS_CERTIFICATE_STEPS_H
#define TESTS_CERTIFICATE_STEPS_H

#include "certificate/proof.h"
#include "lp/model.h"

/* Every name of a row with arguments in range; base_free. */
cert_key *steps_keys(const cert_model *m, int *count);

/* A model with the columns of m within what it has settled, and no rows; and another row. */
lp_model *steps_columns(const cert_model *m);
void steps_add_row(const cert_model *m, lp_model *lp, const cert_row *row);

/* A random cut, as tight as the checker takes it; false: none. */
bool steps_draw_cut(const cert_model *m, base_rng *rng, cert_cut *cut);

/* What is wrong with the values (CERT_OPEN or a value; extent m->cols) of cells, which are to allow
 * x. */
const char *steps_cells_fault(const cert_model *m, const int8_t *value, const double *x);

/* Random steps in a proof that nothing is as good as x, which costs so much: the step that loses
 * x; NULL: none does. */
const char *steps_fault(const problem *p, cert_trust trust, const double *x, double overhead_joules,
                        uint64_t seed);

#endif
