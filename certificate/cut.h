/* certificate/cut: rows that follow from whole memory events, and source rows. */
#ifndef CERTIFICATE_CUT_H
#define CERTIFICATE_CUT_H

#include "certificate/row.h"

enum { CERT_PATH = 16 };

/* An event cut says: of the tensors in RAM when node k has been computed in stage t,
 *     sum coef[j] * live(tensor[j]) <= rhs,
 * where coefficients and rhs are integral. By the rules alone a tensor may be there and be computed
 * again, which counts twice: then coef[j] is of what is there, made[j] of what is computed, and the
 * larger of both of what is released. conditional: k < t, and in place of k and its inputs,
 * all live if k is computed, stands R[t][k] as tensor k. It holds when no set of live tensors
 * within the budget violates it.
 *
 * A source cut is the row of formulation/source.h for node k, stages t..last and a path of
 * inputs, on k's presence if `kept` is set, else on its recomputations.
 *
 * A rounded cut (certificate/round.h) is its row; it follows from what the proof knows at node 0,
 * in the first case of two if it was made there. */
typedef struct cert_cut {
    bool source, rounded;
    int t, k;
    bool conditional;
    int count;     /* event: terms; source: length of the path */
    int *tensor;   /* extent count: the tensors, or the path */
    int64_t *coef; /* extent count; event only */
    int64_t *made; /* extent count; NULL, as with canonical rows: as coef */
    int64_t rhs;
    int last;
    bool kept;
    unsigned stored; /* bit j: tensor[j] counts by its page-outs */
    cert_row row;    /* rounded only */
    bool in_first_case;
} cert_cut;

void cert_cut_clear(cert_cut *cut);

/* NULL when the event or source cut is well formed and holds for every schedule, otherwise what is
 * wrong (a static text). Event cuts are checked by a dynamic programme over weight and value. */
const char *cert_cut_fault(const cert_model *m, const cert_cut *cut);

/* The cut as a row; it must be without fault. */
void cert_cut_row(const cert_model *m, const cert_cut *cut, cert_row *row);

#endif
