/* formulation/source: cuts against recomputations that are spread over many stages, each fed by
 * the same small fraction of an input.
 *
 * Node k, stages a..b with a > k, and a path k <- v_1 <- ... <- v_D of inputs. A recomputation of
 * k in a..b has its input from one of these sources, with one of two terms from storage for each
 * j:
 *
 *     sources = sum_{t=a..b} R[t][v_D] + sum_j ( C[a][v_j] + from_j )
 *     from_j  = P[a][v_j] + sum_{t=a..b-1} In[t][v_j]   or   sum_{t<b-1} Out[t][v_j]
 *
 * The sum is at least 1 if k is recomputed in a..b. Proof: in the stage of the first such
 * recomputation v_1 is present. If it came from storage, it is there since before a or was paged
 * in. In the stage of that page-in, at most b - 1, it was absent, so an earlier stage wrote it
 * out. If it was computed, it is there since before a or was computed again in a..b, where the
 * same holds for v_2, and so on. Two rows follow, with use_t = users of k computed in t + Out[t]
 * of k and its inputs:
 *
 *     sum_{t=a..b} R[t][k]  <=  sources + sum_{t=a..b-1} use_t
 *     C[b][k] + R[b][k]     <=  sources + C[a][k]
 *
 * First row: let N be its left side, N >= 1. Between two recomputations of k it is dropped (R + S
 * <= 1). A dropped tensor was used or written out in a stage of a..b-1 (rows USED_R and USED_S).
 * So N is at most 1 plus the last sum; page-outs of inputs only weaken the row (see
 * benchmarks/ABLATION.md). Second row: if k is there in b as computed, and was not there at a, it
 * has been computed in a..b. This row needs the split by origin. It cuts off tensors that gather
 * over many stages in which they are recomputed from the same few percent of an input on storage.
 * Both rows follow, for integral points, from the rows of the model. */
#ifndef FORMULATION_SOURCE_H
#define FORMULATION_SOURCE_H

#include "formulation/separate.h"

/* Adds to list, for each k and v_1, the rows of either kind that x (extent model->cols) violates
 * most, if their efficacy is at least EVENT_CUT_EFFICACY. The rows are chosen over the paths of at
 * most one, two, three and any number of nodes. Only intervals that begin and end where x
 * recomputes k are tried. The least sources are found over all paths at once; a path ends after
 * SOURCE_DEPTH nodes. Needs canonical rows; thread safe. O(n^2), and O(stages^2 * edges) for each
 * node, with the number of stages in which x recomputes it; then O(terms^2) for each cut. */
void formulation_separate_sources(const formulation *f, const double *x, event_cut_list *list);

/* event_cut_express for a source cut. */
bool source_cut_express(const formulation *f, event_cut *cut);

#endif
