/* formulation/row_table: every family of rows of the tight model, once. The enumeration row_kind,
 * the names in exports and messages, and the loop that states the rows come from this table. The
 * certificates have the same names (certificate/FORMAT.md). docs/formulation.md has a section
 * `### NAME` for each with its proof; a test compares them. To add a family, add a line here, the
 * function row_make_STATEMENT in a file of its own, and the section.
 *
 * X(KIND, name, scope, features, pays, statement, description)
 *
 * scope: the calls of the statement, per model, stage, tensor or cell (row_scope in
 * formulation/row.h). features: bits that the model must all have. pays: order in which the row's
 * multiplier is raised when duals are extended to an action with a positive entry in it (row_pays;
 * formulation/extend.c). Only rows that limit an action to its uses are raised. The rows of a stage
 * come in the order of the table. */
#ifndef FORMULATION_ROW_TABLE_H
#define FORMULATION_ROW_TABLE_H

/* clang-format off */
/* Where the model has D, S + R stands for S + R - D: 1 if i is present. */
#define FORMULATION_ROW_TABLE(X)                                                                   \
    X(INPUT, "input", COMPUTED, 0, LAST, input,                                                    \
      "R[t][k] <= S[t][i] + R[t][i], edge (i,k)")                                                  \
    X(INPUT_FREE, "input", WITH_OTHERS, 0, LAST, input,                                            \
      "releases of i before k + R[t][k] <= S[t][i] + R[t][i], edge (i,k)")                         \
    X(SOURCE_C, "source_c", CELL, 0, NEVER, source_c,                                              \
      "C[t+1][i] <= C[t][i] + R[t][i]")                                                            \
    X(SOURCE_P, "source_p", CELL, 0, NEVER, source_p,                                              \
      "P[t+1][i] <= P[t][i] + In[t][i]")                                                           \
    X(STORED_IN, "stored_in", CELL, 0, NEVER, stored_in,                                           \
      "In[t][i] <= P[t+1][i]; rules alone, or no split by origin: <= sum of Out before t")         \
    X(STORED_P, "stored_p", CELL, 0, NEVER, stored_p,                                              \
      "P[t][i] <= sum of Out before t")                                                            \
    X(OUT_FROM, "out_from", CELL, 0, NEVER, out_from,                                              \
      "Out[t][i] <= C[t][i]; rules alone: <= S[t][i]")                                             \
    X(FREE_USE, "free_use", CELL, 0, NEVER, free_use,                                              \
      "F[t,(i,k)] <= R[t][k]; early release: F[t,i] <= Out[t][i]")                                 \
    X(FREE_BIGM, "free_bigm", CELL, 0, NEVER, free_bigm,                                           \
      "without the feature release: hazards <= kappa (1 - F)")                                     \
    X(FREE_KEEP, "free_keep", CELL, FORMULATION_RELEASE, NEVER, free_keep,                         \
      "sum F + S[t+1][i] <= S[t][i] + R[t][i] + In[t][i]")                                         \
    X(FREE_ONCE, "free_once", CELL, FORMULATION_RELEASE, NEVER, free_once,                         \
      "sum F <= S[t][i] + R[t][i]")                                                                \
    X(FREE_OR, "free_or", CELL, FORMULATION_RELEASE, NEVER, free_or,                               \
      "rules alone: sum F + S[t+1][i] <= 1")                                                       \
    X(ONE, "one", CELL, 0, NEVER, one,                                                             \
      "R[t][i] + S[t][i] + In[t][i] <= 1; rules alone: S + R - D <= 1")                            \
    X(TWICE, "twice", CELL, 0, NEVER, twice,                                                       \
      "rules alone: D[t,i] <= S[t][i]")                                                            \
    X(USED_IN, "used_in", CELL, FORMULATION_CANONICAL, FIRST, used_in,                             \
      "In[t][i] <= users computed in t+1")                                                         \
    X(USED_R, "used_r", CELL, FORMULATION_CANONICAL, NEVER, used_r,                                \
      "R[t][i] <= users computed in t + S[t+1][i]")                                                \
    X(USED_S, "used_s", CELL, FORMULATION_CANONICAL, NEVER, used_s,                                \
      "S[t][i] <= users computed in t + S[t+1][i] + Out[t][i]")                                    \
    X(OUT_FIRST, "out_first", CELL, FORMULATION_CANONICAL, FIRST, out_first,                       \
      "Out[t][i] <= R[t-1][i], t > i+1")                                                           \
    X(LATE, "late", CELL, FORMULATION_LATE, FIRST, late,                                           \
      "R[t][i] <= users in t + Out[t+1][i] + inputs not kept, or used or written first")           \
    X(LOAD, "load", STAGE, 0, NEVER, load,                                                         \
      "load of stage t = sum of bytes of S[t]")                                                    \
    X(MEMORY, "memory", STAGE, 0, NEVER, memory,                                                   \
      "event (t,k): sum of bytes of live tensors <= budget")                                       \
    X(OUT_ONCE, "out_once", TENSOR, FORMULATION_CANONICAL, NEVER, out_once,                        \
      "C[i+1][i] + sum of Out[t][i], t > i+1, <= 1")                                               \
    X(COMPUTATIONS, "computations", TENSOR, 0, NEVER, computations,                                \
      "sum of R[t][i] <= limit on computations - 1")                                               \
    X(TOTAL, "total", MODEL, 0, NEVER, total,                                                      \
      "total = weighted sum of cells")                                                             \
    X(DEADLINE, "deadline", MODEL, 0, NEVER, deadline,                                             \
      "seconds beyond the base <= slack")
/* clang-format on */

#endif
