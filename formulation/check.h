/* formulation/check: which rows of the tight model a schedule that is known to be good breaks, by
 * family, stage and node. A row that holds for every schedule, or for a canonical one of that cost,
 * and is broken, is wrong: the check finds it at the family that made it. */
#ifndef FORMULATION_CHECK_H
#define FORMULATION_CHECK_H

#include <stdio.h>

#include "formulation/formulation.h"

/* The result: counts for each family of rows. */
typedef struct row_check {
    bool admitted; /* the schedule obeys the rules (with CANONICAL: when early releases are granted)
                    */
    bool in_model; /* every cell of it is in the model; if not, missing is the first that is not */
    cell_kind missing_kind;
    int missing_t, missing_i;
    int families, broken_families;
    long rows[ROW_KINDS], broken[ROW_KINDS];
    int first[ROW_KINDS]; /* number of the first broken row; -1: none */
} row_check;

/* Checks s against all rows of f; true when all hold and s is in the model. With CANONICAL s must
 * be canonical (formulation_canonical). O(entries of the model). */
bool formulation_check_rows(const formulation *f, const schedule *s, row_check *check);

/* Prints a line for every family with a broken row, and one for what else is wrong: the family, how
 * many, and the first with its stage and node. */
void formulation_check_print(const formulation *f, const row_check *check, FILE *out);

/* A fresh schedule that no exchange of docs/formulation.md, section 3, improves: applies (a) to
 * (f) and (i) to s, which must be valid for p, until none of them changes it. It costs at most as
 * much as s and satisfies every canonical row. It may need early releases (formulation_admits);
 * then it is not a schedule of p. Sizes: the rounding of formulation_round_memory. O(n * edges) a
 * pass. Each exchange moves down the order of that section, so the passes end. */
schedule *formulation_canonical(const problem *p, const schedule *s);

/* True if the valid schedule s satisfies all rows of the model over all cells with these
 * features. With CANONICAL also tests its canonical form, in the model with canonical rows.
 * Violations are printed to out (NULL: no output). */
bool formulation_check_schedule(const problem *p, unsigned features, const schedule *s, FILE *out);

#endif
