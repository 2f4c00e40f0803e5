/* certificate/cut: rows that follow from whole memory events, and source rows. */
#ifndef CERTIFICATE_CUT_H
#define CERTIFICATE_CUT_H

#include "certificate/row.h"

enum { CERT_PATH = 16 };

/* An event cut bounds the tensors in RAM when node k has been computed in stage t:
 *     sum coef[j] * live(tensor[j]) <= rhs,
 * with integers. By the rules alone a tensor may be in RAM and be computed again, and then counts
 * twice: coef[j] is for a resident copy, made[j] for a computed one, and the larger one for a
 * release. conditional: k < t, and tensor k stands for R[t][k] in place of k and its inputs, which
 * are live if k is computed. The cut holds if no set of live tensors within the budget violates it.
 *
 * A source cut is the row of formulation/source.h for node k, stages t..last and a path of inputs:
 * on the presence of k if `kept` is set, else on its recomputations.
 *
 * A rounded cut is a row that follows by certificate/round.h from what is known at node 0. */
typedef struct cert_cut {
    bool source, rounded;
    int t, k;
    bool conditional;
    int count;     /* terms of an event cut; length of the path of a source cut */
    int *tensor;   /* tensors, or the path; extent count */
    int64_t *coef; /* event cuts only; extent count */
    int64_t *made; /* NULL (canonical rows): as coef; extent count */
    int64_t rhs;
    int last;
    bool kept;
    unsigned stored; /* bit j: of tensor[j] page-outs count in place of its copies and page-ins */
    cert_row row;    /* rounded cuts only */
} cert_cut;

void cert_cut_clear(cert_cut *cut);

/* NULL if the event or source cut is well formed and holds for every schedule; else a static text.
 * Event cuts are checked by dynamic programming over weight and value. */
const char *cert_cut_fault(const cert_model *m, const cert_cut *cut);

/* Writes the cut, which is without fault, as a row. */
void cert_cut_row(const cert_model *m, const cert_cut *cut, cert_row *row);

#endif
