/* What must hold between each model and the oracle on a small instance; the fuzzer and the suites
 * ask the same questions. */
#ifndef TESTS_FORMULATION_AGREE_H
#define TESTS_FORMULATION_AGREE_H

#include "formulation/formulation.h"
#include "tests/oracle/oracle.h"

typedef enum model_kind {
    MODEL_PLAIN,     /* the tight model without canonical rows: has the optimum */
    MODEL_CANONICAL, /* with them: has that of oracle_granting, which is never above it */
    MODEL_COARSE,    /* a coarse timeline: never above */
    MODEL_PUBLISHED, /* has the optimum */
    MODEL_KINDS
} model_kind;

const char *model_kind_name(model_kind kind);

typedef struct model_case {
    model_kind kind;
    unsigned features;
    bool propagate; /* the mask */
    uint64_t seed;  /* of the coarse timeline's points, and of bnb */
} model_case;

/* A case of the kind, the same for the same seed. Of three: the default features, the default but
 * for one or two, any set; of those that shape the kind's model. */
model_case model_case_draw(model_kind kind, uint64_t seed);

/* Solves the model by bnb and compares. NULL when it agrees, otherwise what does not (a static
 * text). *open gets true, with NULL, when the node limit came first. */
const char *model_fault(const problem *p, const model_case *c, const oracle_result *oracle,
                        long node_limit, bool *open);

/* As random_instance_fails, with a model_case as context. */
bool model_case_fails(const problem *p, void *model_case);

/* The model itself, for other solvers; free with lp_model_free. */
lp_model *model_case_model(const problem *p, const model_case *c);

#endif
