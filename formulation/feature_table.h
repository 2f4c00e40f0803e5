/* formulation/feature_table: every feature of the tight model and of its cuts, once. The
 * enumeration, the names of --with and --without, the defaults and `poetbnb info --features' come
 * from this table. docs/formulation.md has a section `### NAME` for each; a test compares.
 *
 * X(FEATURE, name, by default, rests on the canonical rows, field, help)
 *
 * field: MODEL shapes columns and rows, CUTS separates inequalities. */
#ifndef FORMULATION_FEATURE_TABLE_H
#define FORMULATION_FEATURE_TABLE_H

/* clang-format off */
#define FORMULATION_FEATURE_TABLE(X)                                                               \
    X(RELEASE, "release", true, false, MODEL,                                                      \
      "release variables bounded by use instead of the published big-M rows")                      \
    X(REACH, "reach", true, true, MODEL,                                                           \
      "no cells after the last stage of any use")                                                  \
    X(CANONICAL, "canonical", true, false, MODEL,                                                  \
      "rows that every canonical optimal schedule meets; off: the rules alone")                    \
    X(ORIGIN, "origin", true, false, MODEL,                                                        \
      "residency split by origin: computed or paged in")                                           \
    X(MERGE, "merge", true, true, MODEL,                                                           \
      "one column for cells that must be equal")                                                   \
    X(LATE, "late", true, true, MODEL,                                                             \
      "recompute for keeping only before an input dies")                                           \
    X(ROUND, "round", true, false, MODEL,                                                          \
      "budget rounded down to a sum of tensor sizes, tiny tensors free")                           \
    X(EVENT_CUTS, "event-cuts", true, false, CUTS,                                                 \
      "rounding cuts on whole memory events")                                            \
    X(WEIGHT_CUTS, "weight-cuts", true, false, CUTS,                                               \
      "event cuts lifted from the sums of the fractional tensors' sizes")                          \
    X(CONDITIONAL, "conditional-cuts", true, false, CUTS,                                          \
      "also cuts on events under the condition that their node is recomputed")                     \
    X(SOURCE_CUTS, "source-cuts", true, true, CUTS,                                                \
      "cuts that tie recomputed and kept tensors of an interval to their sources")
/* clang-format on */

#endif
