/* Shared by the files that check a proof's steps; not for others. */
#ifndef CERTIFICATE_PROOF_INTERNAL_H
#define CERTIFICATE_PROOF_INTERNAL_H

#include "certificate/proof.h"

/* Nothing of interest is in the node. */
void cert_close(cert_proof *p, int node);
/* A cell of the node, which is loaded, is proven to have a value: it gets it, or the node closes.
 */
void cert_fix(cert_proof *p, int node, int col, int value);
/* After a step that fixed cells: what follows from them, at the root. */
void cert_settle_node(cert_proof *p, int node);
/* True when the node is closed; otherwise it is loaded. */
bool cert_idle(cert_proof *p, int node);
/* What is wrong with a step at a node that was branched; NULL: it was not. */
const char *cert_branched(const cert_proof *p, int node);
/* The row of that name, or the cut (-1: none), into p->row; false: there is none. */
bool cert_proof_row(cert_proof *p, int cut, cert_key key, bool plain);
/* Whether the column, which is no load, can be 0 and can be 1 at the loaded node. */
void cert_possible(const cert_proof *p, int col, bool *zero, bool *one);
/* The cells that are not 0 at the root (open or 1 at the loaded node, or 0 there): from *k on,
 * which starts at 0; -1 at the end. */
int cert_next_cell(const cert_proof *p, int *k);

#endif
