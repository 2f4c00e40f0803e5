/* benchmarks/model: the models of an instance as files for the programs that are compared. */
#ifndef BENCHMARKS_MODEL_H
#define BENCHMARKS_MODEL_H

#include "lp/model.h"
#include "problem/graph.h"

typedef enum bench_form {
    FORM_PUBLISHED = 0, /* as poetbnb export --formulation published */
    FORM_TIGHT,         /* as poetbnb export: every cell that the rules allow, no windows */
    FORM_DIRECT /* tight, without the cells past a tensor's last direct user, and page-outs only
                   right after the first computation: a restriction, for large graphs */
} bench_form;

/* In the names of cases; a constant text. */
const char *bench_form_name(bench_form form);

typedef enum bench_unit {
    UNIT_JOULES = 0, /* the total energy, as poetbnb export writes it */
    UNIT_OVERHEAD /* the overhead alone, in base/10000: absolute tolerances then mean the same for
                     every instance */
} bench_unit;

/* relax: without integrality. Freed with lp_model_free. */
lp_model *bench_model_make(const problem *p, bench_form form, bench_unit unit, bool relax);

/* The overhead in base/10000 that an objective in the unit stands for. */
double bench_model_overhead(const problem *p, bench_unit unit, double objective);

#endif
