/* Presolve and postsolve: one small model per reduction, models that are odd, random ones,
 * limits. Every answer is certified on the model itself. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "lp/presolve/presolve_internal.h"
#include "lp/safe.h"
#include "tests/lp/certify.h"
#include "tests/lp/compare.h"
#include "tests/lp/sample.h"
#include "tests/lp/suites.h"

static lp_model *model_of(const char *text, const char *extension)
{
    base_error error;
    lp_model *m = model_from_text(text, extension, &error);
    ck_assert_msg(m != NULL, "%s", error.text);
    return m;
}

/* The answer without presolve. */
static lp_answer *plain_answer(const lp_model *m)
{
    lp_solver *s = lp_solver_create(m, NULL);
    lp_solve(s);
    lp_answer *a = lp_answer_of(s);
    lp_solver_free(s);
    return a;
}

static int basic_variables(const lp_model *m, const lp_answer *a)
{
    int basic = 0;
    for (int k = 0; k < m->rows + m->cols; k++)
        basic += a->basis[k] == LP_BASIC;
    return basic;
}

/* The simplex from the answer's basis has nothing to do and finds the same. */
static void check_basis(const lp_model *m, const lp_answer *a)
{
    ck_assert_int_eq(basic_variables(m, a), m->rows);
    lp_solver *s = lp_solver_create(m, NULL);
    lp_set_basis(s, a->basis);
    ck_assert_int_eq(lp_solve(s), LP_OPTIMAL);
    ck_assert_int_eq(lp_iterations(s), 0);
    for (int j = 0; j < m->cols; j++)
        ck_assert_double_eq_tol(lp_primal(s)[j], a->x[j], 1e-7 * (1.0 + fabs(a->x[j])));
    for (int r = 0; r < m->rows; r++)
        ck_assert_double_eq_tol(lp_dual(s)[r], a->y[r], 1e-7 * (1.0 + fabs(a->y[r])));
    lp_solver_free(s);
}

/* ---- one model per reduction ------------------------------------------------------- */

static const struct {
    const char *text;
    lp_record_kind kind; /* must occur */
    double objective;
    bool all; /* presolve solves it alone */
} reduction[] = {
    /* an empty row (of a column that goes) and a row that the bounds imply */
    {"Minimize\n obj: - x\nSubject To\n a: x + y <= 9\nBounds\n x <= 4\n y <= 5\nEnd\n",
     LP_FREED_ROW, -4, true},
    {"Minimize\n obj: x + y\nSubject To\n a: 2 x >= 3\n b: -3 y <= -6\nEnd\n", LP_SINGLETON_ROW,
     3.5, true},
    /* two rows that give one bound each, so that the column has one value left */
    {"Maximize\n obj: x\nSubject To\n a: 2 x >= 3\n b: -4 x >= -6\nEnd\n", LP_SINGLETON_ROW, 1.5,
     true},
    {"Minimize\n obj: - 3 x + y + 2 z\nSubject To\n a: x - y + z <= -1\n b: x + y + z <= 9\n"
     "Bounds\n 1 <= x <= 7\n y <= 2\nEnd\n",
     LP_FORCING_ROW, -1, true},
    {"Minimize\n obj: - 3 x + y + 2 z\nSubject To\n a: - x + y - z >= 1\nBounds\n"
     " 1 <= x <= 7\n y <= 2\nEnd\n",
     LP_FORCING_ROW, -1, true},
    {"Minimize\n obj: 2 x - y\nSubject To\n a: x + 3 y - z <= 6\n b: y + z <= 3\n c: y - w = 1\n"
     "Bounds\n w <= 8\n x <= 3\nEnd\n",
     LP_FIXED_COL, -2.25, false},
    /* z is free to make room in both rows: they say nothing of x and y */
    {"Minimize\n obj: - x - y\nSubject To\n a: x + y - z <= 1\n b: x - y - 2 z <= 2\n"
     "Bounds\n x <= 3\n y <= 4\nEnd\n",
     LP_UNLOCKED_ROW, -7, true},
    {"Minimize\n obj: - x - y\nSubject To\n a: - x - y - z >= 1\n b: - x + y - 2 z >= 2\n"
     "Bounds\n x <= 3\n y <= 4\n z <= 9\n z >= -inf\nEnd\n",
     LP_UNLOCKED_ROW, -7, true},
    /* x is within its bounds whatever y and z do */
    {"Minimize\n obj: x - 2 y + z\nSubject To\n a: x - y - z = 1\n b: x + y + 2 z <= 5\n"
     " c: y - z >= -1\nBounds\n y <= 9\n z <= 9\nEnd\n",
     LP_SUBSTITUTED, -1, false},
    {"Minimize\n obj: 3 x + y + z\nSubject To\n a: x - y - z >= 1\n b: y + z >= 2\nBounds\n"
     " x free\n y <= 4\n z <= 4\nEnd\n",
     LP_SUBSTITUTED, 11, false},
    {"Minimize\n obj: x + y\nSubject To\n a: x - 2 y = 1\n b: 3 x + y + z >= 9\n c: x - z <= 1\n"
     "Bounds\n x <= 7\n 1 <= y <= 8\n z <= 6\nEnd\n",
     LP_DOUBLETON, 4, true},
    {"Minimize\n obj: - x - z\nSubject To\n a: 2 x + 4 y = 8\n b: x + y + z <= 4\n c: x - z <= 1\n"
     "Bounds\n x <= 7\n y <= 1.5\nEnd\n",
     LP_DOUBLETON, -3, false},
    {"Minimize\n obj: - 2 x - 3 y - z\nSubject To\n a: x + y + 2 z = 5\n b: x - y <= 2\n"
     " c: x + 3 y <= 6\nBounds\n z <= 1.75\nEnd\n",
     LP_SLACK, -9.5, false},
    {"Minimize\n obj: - x - 2 y\nSubject To\n a: 2 <= x + y - 2 z <= 3\n b: x - y <= 2\n"
     " c: x + 3 y <= 9\nBounds\n -1 <= z <= 1\nEnd\n",
     LP_SLACK, -7, false},
    {"Minimize\n obj: - x - 2 y + z\nSubject To\n a: x + y + z <= 6\n b: -2 x - 2 y - 2 z >= -8\n"
     " c: x - y + 2 z >= -2\nEnd\n",
     LP_PARALLEL_ROW, -7, false},
    {"Minimize\n obj: x + 2 y + 4 z\nSubject To\n a: x + y + 2 z >= 6\n b: x - y - 2 z <= 2\n"
     "Bounds\n y <= 1\n z <= 2\nEnd\n",
     LP_PARALLEL_COL, 8, false},
    {"Minimize\n obj: 3 x + 2 y - 2 z\nSubject To\n a: x + y - z >= 6\n b: x - y + z <= 2\n"
     "Bounds\n y <= 1\n -2 <= z <= 2\nEnd\n",
     LP_PARALLEL_COL, 15, false},
    /* the second column's bound is from a row */
    {"Minimize\n obj: 3 x + 6 y + z\nSubject To\n a: x + 2 y + z >= 9\n b: 2 y >= 3\n"
     " c: x + 2 y + 3 z >= 10\nEnd\n",
     LP_PARALLEL_COL, 15, false},
};

static int count_kind(const lp_presolve *p, lp_record_kind kind)
{
    int count = 0;
    for (int k = 0; k < p->records; k++)
        count += p->record[k].kind == kind;
    return count;
}

START_TEST(each_reduction_is_undone)
{
    lp_model *m = model_of(reduction[_i].text, ".lp");
    const double sign = m->maximize ? -1.0 : 1.0;
    lp_presolve *p = lp_presolve_create(m, NULL, NULL);
    ck_assert_int_gt(count_kind(p, reduction[_i].kind), 0);
    const lp_presolve_size left = lp_presolve_reduced_size(p);
    ck_assert(!lp_presolve_failed(p));
    ck_assert(!reduction[_i].all || (left.rows == 0 && left.cols == 0));
    lp_presolve_free(p);
    lp_answer *a = lp_presolve_solve(m, NULL);
    ck_assert_int_eq(a->status, LP_OPTIMAL);
    ck_assert_str_eq(certify_answer(m, a, 1e-9), "");
    ck_assert_double_eq_tol(a->objective, sign * reduction[_i].objective, 1e-9);
    ck_assert(!a->cleaned_up);
    check_basis(m, a);
    lp_answer_free(a);
    lp_model_free(m);
}
END_TEST

/* ---- odd models ------------------------------------------------------------------------ */

static const char *const odd_model[] = {
    /* a free row, an empty row, an empty column, a range on an equation of either sign, a
     * negative upper bound with a free lower one, the objective's constant, maximisation */
    "NAME odd\nOBJSENSE\n MAX\nROWS\n N obj\n N other\n L a\n G b\n E up\n E down\n L empty\n"
    "COLUMNS\n x obj 1 a 1\n x b 1 up 1\n y obj 2 a 1\n y up -1 down 1\n z obj -1 b -1\n"
    " z down 1 other 5\n none obj -3\nRHS\n rhs obj -7 a 10\n rhs b -4 up 1\n rhs down 2 empty 3\n"
    "RANGES\n rng a 8 up 2\n rng down -3\nBOUNDS\n MI bnd z\n UP bnd z -1\n UP bnd none 5\n"
    " LO bnd none -2\nENDATA\n",
    /* a negative upper bound without a lower one */
    "NAME neg\nROWS\n N obj\n G a\nCOLUMNS\n x obj 1 a 1\n y obj 1 a -1\nRHS\n rhs a -20\n"
    "BOUNDS\n MI bnd x\n UP bnd x -3\n UP bnd y 4\nENDATA\n",
    /* nothing but columns */
    "NAME cols\nROWS\n N obj\nCOLUMNS\n x obj 1\n y obj -2\n z obj 0\nBOUNDS\n LO bnd x 3\n"
    " UP bnd y 4\n FR bnd z\nENDATA\n",
    /* nothing but rows */
    "NAME rows\nROWS\n N obj\n L a\n G b\nCOLUMNS\nRHS\n rhs a 1\n rhs b -1\nENDATA\n",
    /* all free */
    "NAME free\nROWS\n N obj\n N a\n E b\nCOLUMNS\n x obj 0 b 1\n y a 1 b 1\nRHS\n rhs b 3\n"
    "BOUNDS\n FR bnd x\n FR bnd y\nENDATA\n",
    /* parallel columns whose sum is free, while neither is */
    "NAME sum\nROWS\n N obj\n L a\n L b\nCOLUMNS\n x a 1 b 1\n y a 1 b 1\n z obj 1 a 1\n"
    " z b -1\nRHS\n rhs a 7 b 6\nRANGES\n rng a 12 b 10\nBOUNDS\n MI bnd y\n UP bnd y 5\n"
    " UP bnd z 3\nENDATA\n",
    /* fixed columns and an equation that they already meet */
    "NAME fixed\nROWS\n N obj\n E a\n L b\nCOLUMNS\n x obj 1 a 2\n x b 1\n y obj 1 a 1\n z obj -1 "
    "b 1\nRHS\n rhs a 7 b 9\nBOUNDS\n FX bnd x 2\n FX bnd y 3\nENDATA\n",
};

START_TEST(odd_models_have_the_same_answer)
{
    lp_model *m = model_of(odd_model[_i], ".mps");
    lp_answer *plain = plain_answer(m), *a = lp_presolve_solve(m, NULL);
    ck_assert_int_eq(plain->status, LP_OPTIMAL);
    ck_assert_int_eq(a->status, LP_OPTIMAL);
    ck_assert_str_eq(certify_answer(m, a, 1e-9), "");
    ck_assert_double_eq_tol(a->objective, plain->objective, 1e-9);
    ck_assert(!a->cleaned_up);
    check_basis(m, a);
    lp_answer_free(plain);
    lp_answer_free(a);
    lp_model_free(m);
}
END_TEST

/* ---- no optimum -------------------------------------------------------------------------- */

static const struct {
    const char *text;
    lp_status status;
    bool taken_back; /* the proof comes from the reduced model */
} no_optimum[] = {
    {"Minimize\n obj: x\nSubject To\n a: x + y <= 1\n b: 2 x + 2 y >= 3\nEnd\n", LP_INFEASIBLE,
     true},
    {"Minimize\n obj: x\nSubject To\n a: 2 x <= -1\nEnd\n", LP_INFEASIBLE, true},
    {"Minimize\n obj: x\nSubject To\n a: x + y - z >= 4\n b: x - y = 1\n c: y <= 1\n d: x + z >= "
     "1\n"
     "Bounds\n x <= 9\nEnd\n",
     LP_INFEASIBLE, true},
    {"Minimize\n obj: x\nSubject To\n a: x + y + z >= 9\n b: x - w = 0\n c: y + 2 w <= 3\n"
     "Bounds\n w <= 2\n y <= 2\n z <= 3\nEnd\n",
     LP_INFEASIBLE, true},
    {"Minimize\n obj: - x\nSubject To\n a: x - y <= 1\nEnd\n", LP_UNBOUNDED, true},
    {"Minimize\n obj: - x - y\nSubject To\n a: x - y = 1\n b: x + y + z >= 1\nEnd\n", LP_UNBOUNDED,
     true},
    {"Minimize\n obj: - y\nSubject To\n a: x <= 1\nEnd\n", LP_UNBOUNDED, true},
};

START_TEST(rays_are_of_the_model)
{
    lp_model *m = model_of(no_optimum[_i].text, ".lp");
    lp_answer *a = lp_presolve_solve(m, NULL);
    ck_assert_int_eq(a->status, no_optimum[_i].status);
    ck_assert_str_eq(certify_answer(m, a, 1e-9), "");
    if (a->status == LP_INFEASIBLE)
        ck_assert(lp_farkas_is_proof(m, NULL, NULL, a->farkas));
    else
        ck_assert(lp_ray_is_proof(m, a->ray));
    ck_assert(a->cleaned_up != no_optimum[_i].taken_back);
    lp_answer_free(a);
    lp_model_free(m);
}
END_TEST

/* ---- random models ------------------------------------------------------------------------ */

typedef struct tally {
    int infeasible, taken_back; /* infeasible models, and those whose proof was taken back */
} tally;

/* The answer is certified and that of the model itself; nothing had to be done again. */
static void check_random(const lp_model *m, const char *family, int number, tally *t)
{
    lp_answer *a = lp_presolve_solve(m, NULL), *plain = plain_answer(m);
    const char *fault = certify_answer(m, a, 1e-8);
    ck_assert_msg(!*fault, "%d, %s: %s", number, family, fault);
    ck_assert_msg(a->status == plain->status, "%d, %s", number, family);
    if (a->status == LP_INFEASIBLE && !a->cleaned_up)
        ck_assert(lp_farkas_is_proof(m, NULL, NULL, a->farkas));
    t->infeasible += a->status == LP_INFEASIBLE;
    t->taken_back += a->status == LP_INFEASIBLE && !a->cleaned_up;
    ck_assert_msg(a->status != LP_UNBOUNDED || !a->cleaned_up, "%d, %s", number, family);
    if (a->status == LP_OPTIMAL) {
        const double room = 1e-9 * (1.0 + fabs(plain->objective));
        ck_assert_msg(!a->cleaned_up, "%d, %s", number, family);
        ck_assert_double_eq_tol(a->objective, plain->objective, room);
        check_basis(m, a);
    }
    lp_answer_free(a);
    lp_answer_free(plain);
}

/* Random models meet every reduction, in many orders. */
START_TEST(all_reductions_occur)
{
    int kinds[LP_PARALLEL_COL + 1] = {0};
    tally t = {0};
    base_rng rng = {77};
    for (int k = 0; k < 2000; k++) {
        const sample_family family =
            k % 2 ? SAMPLE_REDUCIBLE : (sample_family)(k / 2 % SAMPLE_FAMILIES);
        lp_model *m = sample_model(&rng, family, 2 + k % 11, 2 + k % 13);
        if (family != SAMPLE_NEARLY_SINGULAR)
            check_random(m, sample_family_name(family), k, &t);
        lp_presolve *p = lp_presolve_create(m, NULL, NULL);
        for (int i = 0; i < p->records; i++)
            kinds[p->record[i].kind]++;
        lp_presolve_free(p);
        lp_model_free(m);
    }
    ck_assert_msg(t.infeasible > 100 && t.taken_back > 0.9 * t.infeasible, "%d of %d", t.taken_back,
                  t.infeasible);
    for (int k = 0; k <= LP_PARALLEL_COL; k++)
        ck_assert_msg(kinds[k] > 20, "kind %d: %d", k, kinds[k]);
}
END_TEST

/* The reduced model keeps the promises of a model, and has the same objective. */
START_TEST(the_reduced_model_is_equivalent)
{
    int compared = 0;
    base_rng rng = {78};
    for (int k = 0; k < 300; k++) {
        lp_model *m = sample_model(&rng, SAMPLE_REDUCIBLE, 20, 25);
        lp_presolve *p = lp_presolve_create(m, NULL, NULL);
        lp_model *small = lp_presolve_take_model(p);
        const lp_presolve_size size = lp_presolve_reduced_size(p);
        ck_assert(!model_fault(small));
        ck_assert_int_eq(small->rows, size.rows);
        ck_assert_int_eq(small->cols, size.cols);
        ck_assert_int_eq(small->start[small->cols], size.entries);
        if (size.rows > 0) {
            lp_answer *plain = plain_answer(m), *other = plain_answer(small);
            const bool optimal = plain->status == LP_OPTIMAL;
            ck_assert_int_eq(other->status == LP_OPTIMAL, optimal);
            if (optimal)
                ck_assert_double_eq_tol(other->objective, plain->objective,
                                        1e-8 * (1.0 + fabs(plain->objective)));
            compared += optimal;
            lp_answer_free(plain);
            lp_answer_free(other);
        } else if (size.cols == 0 && !lp_presolve_failed(p)) {
            lp_answer *a = lp_presolve_solve(m, NULL);
            ck_assert_double_eq_tol(small->offset, a->objective, 1e-8 * (1.0 + fabs(a->objective)));
            lp_answer_free(a);
        }
        lp_model_free(small);
        lp_presolve_free(p);
        lp_model_free(m);
    }
    ck_assert_int_gt(compared, 50);
}
END_TEST

/* ---- rounding ------------------------------------------------------------------------------ */

/* Elimination leaves in b what is rounding of nothing in one column: it goes. */
START_TEST(rounding_does_not_remain)
{
    lp_model *m = model_of("Minimize\n obj: x + y + 2 z\nSubject To\n a: 0.1 x + 0.3 y = 0.7\n"
                           " b: 0.3 x + 0.9 y + z >= 2.5\nBounds\n x <= 4\n y <= 5\nEnd\n",
                           ".lp");
    lp_presolve *p = lp_presolve_create(m, NULL, NULL);
    ck_assert_int_eq(lp_presolve_reduced_size(p).entries, 0);
    lp_presolve_free(p);
    lp_answer *a = lp_presolve_solve(m, NULL);
    ck_assert_str_eq(certify_answer(m, a, 1e-9), "");
    ck_assert_double_eq_tol(a->objective, 7.0 / 3.0 + 2.0 * 0.4, 1e-9);
    lp_answer_free(a);
    lp_model_free(m);
}
END_TEST

/* Two eliminations in a row would leave a coefficient without a correct digit, and a point
 * that is far from optimal. */
START_TEST(cancelling_eliminations_are_not_done)
{
    lp_model *m = model_of("NAME cancel\nROWS\n N obj\n E r1\n L r2\n E r3\nCOLUMNS\n"
                           " c1 r1 1.09\n c1 r2 3.2700000000000005\n c1 r3 7.630000056847931\n"
                           " c2 obj 1\n c2 r1 1\n c2 r2 3\n c2 r3 7.000000052154064\n"
                           " c3 r1 5\n c3 r2 15.000000894069672\n c3 r3 35\nRHS\n"
                           " RHS r1 -38.75\n RHS r2 -116.25000793486834\n"
                           " RHS r3 -271.2499997066334\nBOUNDS\n UP BND c1 1\n FR BND c3\nENDATA\n",
                           ".mps");
    lp_answer *a = lp_presolve_solve(m, NULL);
    ck_assert_int_eq(a->status, LP_OPTIMAL);
    ck_assert_str_eq(certify_answer(m, a, 1e-7), "");
    lp_answer_free(a);
    lp_model_free(m);
}
END_TEST

/* What misses feasibility by more than the tolerance is infeasible, even where presolve
 * takes it for rounding. */
START_TEST(tolerances_are_those_of_the_simplex)
{
    lp_model *m = model_of("Minimize\n obj: x\nSubject To\n a: 2 x >= 10.000000008\nBounds\n"
                           " x <= 5\nEnd\n",
                           ".lp");
    lp_answer *a = lp_presolve_solve(m, NULL), *plain = plain_answer(m);
    ck_assert_int_eq(plain->status, LP_INFEASIBLE);
    ck_assert_int_eq(a->status, LP_INFEASIBLE);
    ck_assert(lp_farkas_is_proof(m, NULL, NULL, a->farkas));
    lp_answer_free(a);
    lp_answer_free(plain);
    lp_model_free(m);
}
END_TEST

/* Rows and columns that are multiples but for the tenth digit stay. */
START_TEST(nearly_parallel_is_not_parallel)
{
    lp_model *m = model_of("Maximize\n obj: x + y\nSubject To\n a: x + 3 y <= 4\n"
                           " b: x + 3.0000000001 y <= 4\n c: x - y <= 1\nEnd\n",
                           ".lp");
    lp_presolve *p = lp_presolve_create(m, NULL, NULL);
    ck_assert_int_eq(count_kind(p, LP_PARALLEL_ROW), 0);
    lp_presolve_free(p);
    lp_model_free(m);
}
END_TEST

/* ---- cost and limits ----------------------------------------------------------------------- */

/* x_0 = 0, x_{k+1} = x_k + 1 in either direction of the file. */
static lp_model *chain(int length, bool backwards)
{
    lp_model *m = lp_model_create();
    for (int k = 0; k < length; k++)
        lp_model_add_row(m, k == 0 ? 0.0 : 1.0, k == 0 ? 0.0 : 1.0, NULL);
    for (int k = 0; k < length; k++) {
        const int at = backwards ? length - 1 - k : k;
        const int rows[2] = {at, at + 1};
        const double values[2] = {1.0, -1.0};
        lp_model_add_col(m, 1.0, -LP_INFINITY, LP_INFINITY, false, at + 1 < length ? 2 : 1, rows,
                         values, NULL);
    }
    return m;
}

START_TEST(work_is_linear)
{
    const int length = 20000;
    lp_model *m = chain(length, _i == 1);
    lp_presolve *p = lp_presolve_create(m, NULL, NULL);
    ck_assert_int_eq(lp_presolve_reduced_size(p).rows, 0);
    ck_assert_double_le(p->work, 40.0 * length);
    lp_presolve_free(p);
    lp_answer *a = lp_presolve_solve(m, NULL);
    ck_assert_int_eq(a->status, LP_OPTIMAL);
    ck_assert(!a->cleaned_up);
    ck_assert_double_eq_tol(a->objective, 0.5 * length * (length - 1.0), 1e-3);
    ck_assert_str_eq(certify_answer(m, a, 1e-9), "");
    lp_answer_free(a);
    lp_model_free(m);
}
END_TEST

/* Many slacks in one row: what is kept for postsolve does not grow with their square. */
START_TEST(memory_is_linear)
{
    const int count = 20000, row = 0;
    const double one = 1.0;
    lp_model *m = lp_model_create();
    lp_model_add_row(m, 30000.0, 30000.0, NULL);
    for (int k = 0; k < count; k++)
        lp_model_add_col(m, 0.0, 0.0, 1.0 + k % 5, false, 1, &row, &one, NULL);
    lp_presolve *p = lp_presolve_create(m, NULL, NULL);
    ck_assert_int_eq(lp_presolve_reduced_size(p).cols, 0);
    ck_assert_int_le(p->kept, 10 * count);
    lp_presolve_free(p);
    lp_answer *a = lp_presolve_solve(m, NULL);
    ck_assert_str_eq(certify_answer(m, a, 1e-9), "");
    ck_assert(!a->cleaned_up);
    check_basis(m, a);
    lp_answer_free(a);
    lp_model_free(m);
}
END_TEST

START_TEST(limits_hold_within_presolve)
{
    lp_model *m = chain(_i == 0 ? 4 : 2000, false);
    const base_flag interrupted = 1;
    const base_limits limits[] = {
        {.deadline = 1e-9}, {.memory_bytes = 1}, {.interrupt = &interrupted}};
    const lp_status status[] = {LP_TIME_LIMIT, LP_MEMORY_LIMIT, LP_INTERRUPTED};
    for (int k = 0; k < 3; k++) {
        lp_params params = lp_params_default();
        params.limits = limits[k];
        lp_answer *a = lp_presolve_solve(m, &params);
        ck_assert_int_eq(a->status, status[k]);
        ck_assert_ptr_null(a->x);
        ck_assert(a->dual_objective == -LP_INFINITY);
        lp_answer_free(a);
    }
    lp_model_free(m);
}
END_TEST

/* The bounds of a solve that stops early hold for the model. */
START_TEST(stopped_answers_bound)
{
    int stopped = 0, cut = 0;
    for (int k = 0; k < 40; k++) {
        base_rng rng = {(uint64_t)k};
        lp_model *m = sample_model(&rng, SAMPLE_COVERING, 30, 40);
        lp_answer *best = plain_answer(m);
        lp_params params = lp_params_default();
        params.iteration_limit = 4;
        lp_answer *a = lp_presolve_solve(m, &params);
        ck_assert_int_le(a->iterations, 4);
        stopped += a->status == LP_ITERATION_LIMIT;
        ck_assert(best->status != LP_OPTIMAL || a->dual_objective <= best->objective + 1e-7);
        lp_answer_free(a);
        if (best->status == LP_OPTIMAL) {
            params.iteration_limit = LONG_MAX;
            params.cutoff = best->objective - 0.3 * fabs(best->objective);
            a = lp_presolve_solve(m, &params);
            ck_assert(a->status == LP_OPTIMAL || a->dual_objective > params.cutoff);
            ck_assert_double_le(a->dual_objective, best->objective + 1e-7);
            cut += a->status == LP_CUTOFF;
            lp_answer_free(a);
        }
        lp_answer_free(best);
        lp_model_free(m);
    }
    ck_assert_int_gt(stopped, 3);
    ck_assert_int_gt(cut, 3);
}
END_TEST

Suite *suite_presolve(void)
{
    Suite *suite = suite_create("lp presolve");
    TCase *tests = tcase_create("presolve");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, each_reduction_is_undone, 0, sizeof reduction / sizeof *reduction);
    tcase_add_loop_test(tests, odd_models_have_the_same_answer, 0,
                        sizeof odd_model / sizeof *odd_model);
    tcase_add_loop_test(tests, rays_are_of_the_model, 0, sizeof no_optimum / sizeof *no_optimum);
    tcase_add_test(tests, all_reductions_occur);
    tcase_add_loop_test(tests, work_is_linear, 0, 2);
    tcase_add_test(tests, the_reduced_model_is_equivalent);
    tcase_add_test(tests, rounding_does_not_remain);
    tcase_add_test(tests, cancelling_eliminations_are_not_done);
    tcase_add_test(tests, tolerances_are_those_of_the_simplex);
    tcase_add_test(tests, nearly_parallel_is_not_parallel);
    tcase_add_test(tests, memory_is_linear);
    tcase_add_loop_test(tests, limits_hold_within_presolve, 0, 2);
    tcase_add_test(tests, stopped_answers_bound);
    suite_add_tcase(suite, tests);
    return suite;
}
