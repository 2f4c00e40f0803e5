/* problem/budget: the text of a RAM budget. */
#ifndef PROBLEM_BUDGET_H
#define PROBLEM_BUDGET_H

#include "problem/graph.h"

/* What a user writes for a RAM budget, rounded down to whole bytes:
 *   3000000, 1.2M, 512KiB, 2 GB ...  a decimal number of bytes, or of
 *                                    K = 2^10, M = 2^20, G = 2^30, T = 2^40 bytes
 *                                    (either case, "iB" or "B" may follow)
 *   62.5%                            of the graph's checkpoint-all peak
 * At most 18 significant digits; exact, without floating point. 0, or -1 with an
 * error for any other text, a sign, or more than 2^62 bytes. */
int problem_parse_budget(const char *text, const graph *g, int64_t *bytes, base_error *error);

#endif
