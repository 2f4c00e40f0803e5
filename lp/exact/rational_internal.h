/* lp/exact/rational_internal: the state of the simplex in rational arithmetic, shared by its files.
 */
#ifndef LP_RATIONAL_INTERNAL_H
#define LP_RATIONAL_INTERNAL_H

#include "lp/factor/rational_lu.h"
#include "lp/rational.h"

/* Variables, signs and statuses as in lp/simplex.h: A x - s = 0. */
typedef struct exact {
    const lp_model *m;
    rational_budget budget;
    int rows, cols, vars;
    mpq_t *a; /* the model's entries */
    unsigned char *status;
    int *head; /* extent rows: the variable in each position */
    rational_lu *lu;
    mpq_t *x;            /* extent rows: of the basic variables, by position */
    mpq_t *y;            /* extent rows: multipliers of the phase's costs */
    mpq_t *column;       /* extent rows: B^-1 times the entering variable's column, by position */
    bool feasible;       /* x is within the bounds; else y is of the sum of what it is not */
    mpq_t d, term, step; /* scratch */
    int stalled;
    long iterations;
} exact;

/* A step of the primal simplex. */
typedef struct step {
    int entering;  /* -1: no variable improves */
    bool up;       /* it grows */
    int position;  /* of the leaving variable; -1: none leaves */
    bool to_upper; /* the bound that it leaves at */
    bool endless;
} step;

/* The bounds of a variable. */
static inline double rational_lower(const exact *s, int j)
{
    return j < s->cols ? s->m->lower[j] : s->m->row_lower[j - s->cols];
}

static inline double rational_upper(const exact *s, int j)
{
    return j < s->cols ? s->m->upper[j] : s->m->row_upper[j - s->cols];
}

/* ---- rational_basis.c ---- */

/* Where a variable that is not basic rests: where it was if there is a bound, or else at the one
 * that there is. */
unsigned char rational_rest(const exact *s, int j, unsigned char wanted);
/* The value of a variable that is not basic. */
double rational_resting_value(const exact *s, int j);
/* v += factor times the column of variable j. */
void rational_add_column(exact *s, mpq_t *v, int j, const mpq_t factor);
/* s->d := the reduced cost of a variable that is not basic. */
void rational_reduced_cost(exact *s, int j);
/* Status and head from a basis, or what is called one (extent vars; NULL: the slack basis): too
 * many basic variables are cut off, too few filled up with logicals. */
void rational_take_basis(exact *s, const unsigned char *basis);
/* Factors of the basis, or of a regular one made from it with logicals; false at a limit. */
bool rational_refactor(exact *s);

/* ---- rational_answer.c ---- */

/* The answer for a run that ended so. last: the step that shows it. */
lp_answer *rational_give_answer(exact *s, lp_status status, const step *last);

#endif
