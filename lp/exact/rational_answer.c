/* From the last basis in rational arithmetic to the answer. */
#include <math.h>
#include <string.h>

#include "lp/exact/rational_internal.h"
#include "lp/exact_proof.h"

static double *array(int extent)
{
    return base_calloc((size_t)extent + 1, sizeof(double));
}

static char *fraction(const mpq_t value)
{
    const size_t digits = mpz_sizeinbase(mpq_numref(value), 10) +
                          mpz_sizeinbase(mpq_denref(value), 10) + 3; /* sign, slash, end */
    return mpq_get_str(base_malloc(digits, 1), 10, value);
}

/* x and activity; the objective is left in s->d. */
static void give_point(exact *s, lp_answer *a)
{
    mpq_t *x = a->exact_proof->x = rational_vector_create(s->cols);
    a->x = array(s->cols);
    a->activity = array(s->rows);
    mpq_set_d(s->d, s->m->offset);
    for (int j = 0; j < s->vars; j++) {
        if (s->status[j] == LP_BASIC)
            continue;
        *(j < s->cols ? &a->x[j] : &a->activity[j - s->cols]) = rational_resting_value(s, j);
        if (j < s->cols) {
            mpq_set_d(s->step, s->m->cost[j]);
            mpq_set_d(x[j], a->x[j]);
            mpq_mul(s->term, x[j], s->step);
            mpq_add(s->d, s->d, s->term);
        }
    }
    for (int p = 0; p < s->rows; p++) {
        const int j = s->head[p];
        *(j < s->cols ? &a->x[j] : &a->activity[j - s->cols]) = mpq_get_d(s->x[p]);
        if (j < s->cols) {
            mpq_set(x[j], s->x[p]);
            mpq_set_d(s->term, s->m->cost[j]);
            mpq_mul(s->term, s->term, s->x[p]);
            mpq_add(s->d, s->d, s->term);
        }
    }
    a->objective = mpq_get_d(s->d);
}

static double *rounded_y(const exact *s)
{
    double *y = array(s->rows);
    for (int r = 0; r < s->rows; r++)
        y[r] = mpq_get_d(s->y[r]);
    return y;
}

static mpq_t *exact_y(const exact *s)
{
    mpq_t *y = rational_vector_create(s->rows);
    for (int r = 0; r < s->rows; r++)
        mpq_set(y[r], s->y[r]);
    return y;
}

static void give_optimum(exact *s, lp_answer *a)
{
    give_point(s, a);
    a->dual_objective = lp_exact_round_down(s->d);
    a->exact_proof->y = exact_y(s);
    a->exact_objective = fraction(s->d);
    a->y = rounded_y(s);
    a->d = array(s->cols);
    for (int j = 0; j < s->cols; j++)
        if (s->status[j] != LP_BASIC) {
            rational_reduced_cost(s, j);
            a->d[j] = mpq_get_d(s->d);
        }
}

static void give_ray(const exact *s, const step *t, lp_answer *a)
{
    mpq_t *ray = rational_vector_create(s->cols);
    if (t->entering < s->cols)
        mpq_set_si(ray[t->entering], 1, 1);
    for (int p = 0; p < s->rows; p++)
        if (s->head[p] < s->cols)
            mpq_neg(ray[s->head[p]], s->column[p]);
    a->ray = array(s->cols);
    for (int j = 0; j < s->cols; j++) {
        if (!t->up)
            mpq_neg(ray[j], ray[j]);
        a->ray[j] = mpq_get_d(ray[j]);
    }
    a->exact_proof->ray = ray;
}

lp_answer *rational_give_answer(exact *s, lp_status status, const step *last)
{
    lp_answer *a = lp_answer_create(status);
    a->iterations = a->exact_iterations = s->iterations;
    a->basis = base_malloc((size_t)s->vars + 1, sizeof *a->basis);
    memcpy(a->basis, s->status, (size_t)s->vars);
    if (status == LP_OPTIMAL || status == LP_INFEASIBLE || status == LP_UNBOUNDED)
        a->exact_proof = lp_exact_proof_create(s->m);
    if (status == LP_OPTIMAL)
        give_optimum(s, a);
    else if (status == LP_INFEASIBLE) {
        a->farkas = rounded_y(s);
        a->exact_proof->y = exact_y(s);
    } else if (status == LP_UNBOUNDED) {
        give_point(s, a);
        give_ray(s, last, a);
    }
    return a;
}
