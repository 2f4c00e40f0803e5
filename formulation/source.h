/* formulation/source: cuts against recomputations that are spread over many stages, each
 * fed by the same small fraction of an input.
 *
 * Node k, stages a..b with a > k, and a path k <- v_1 <- ... <- v_D of inputs. In a canonical
 * schedule
 *
 *     sum_{t=a..b} R[t][k]  <=  sum_j S[a][v_j] + sum_{t=a..b} R[t][v_D]
 *                               + sum_{t=a..b-1} ( sum_j In[t][v_j] + users of k computed in t
 *                                                   + Out[t] of k and of its inputs )
 *
 * Proof. Let N be the left side, N >= 1. Between two recomputations of k it is dropped (R + S <=
 * 1), and what is dropped was used, or written out, or had been recomputed to release an input that
 * was being written out, in a stage of a..b-1 (rows USED_R and USED_S): N is at most 1 plus the
 * last three sums. And the first recomputation finds v_1 present: since before a, or paged in, or
 * recomputed in a..b, where the same holds for v_2, and so on: the other terms sum to at least 1.
 */
#ifndef FORMULATION_SOURCE_H
#define FORMULATION_SOURCE_H

#include "formulation/separate.h"

/* Adds to list, for each k and path of at most max_depth <= SOURCE_DEPTH nodes, the interval that x
 * (extent model->cols) violates most, if its efficacy is at least min_efficacy. Needs canonical
 * rows; thread safe. O(n * paths). */
void formulation_separate_sources(const formulation *f, const double *x, int max_depth,
                                  double min_efficacy, event_cut_list *list);

/* event_cut_express for a source cut. */
bool source_cut_express(const formulation *f, event_cut *cut);

#endif
