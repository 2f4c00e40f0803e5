/* Solves a random model in several ways, each in a child process, compares what they say, and
 * shrinks a model that fails. */
#include "tests/lp/fuzz.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lp/safe.h"
#include "tests/lp/certify.h"
#include "tests/lp/exact_lp.h"
#include "tests/lp/nearby.h"
#include "tests/lp/owned.h"
#include "tests/lp/shrink_model.h"
#include "tests/oracle/parameters.h"

lp_model *fuzz_instance(uint64_t seed, int size, sample_family *family)
{
    base_rng rng = {seed * 0x9e3779b97f4a7c15u + 1};
    *family = (sample_family)(seed % SAMPLE_FAMILIES);
    /* Mostly small: they shrink best, and odd cases are as frequent in them. */
    const int extent = 2 + (int)(base_rng_double(&rng) * base_rng_double(&rng) * (size - 1));
    return sample_model(&rng, *family, extent, extent);
}

/* ---- models next to a model ---------------------------------------------------- */

/* The model with all sides and bounds wider by room, relative to their size. */
static lp_model *widened(const lp_model *m, double room)
{
    lp_model *wide = lp_model_copy(m);
    for (int r = 0; r < m->rows; r++) {
        wide->row_lower[r] -= isinf(m->row_lower[r]) ? 0.0 : room * (1.0 + fabs(m->row_lower[r]));
        wide->row_upper[r] += isinf(m->row_upper[r]) ? 0.0 : room * (1.0 + fabs(m->row_upper[r]));
    }
    for (int j = 0; j < m->cols; j++) {
        wide->lower[j] -= isinf(m->lower[j]) ? 0.0 : room * (1.0 + fabs(m->lower[j]));
        wide->upper[j] += isinf(m->upper[j]) ? 0.0 : room * (1.0 + fabs(m->upper[j]));
    }
    return wide;
}

/* The model with all columns within +-size. */
static lp_model *boxed(const lp_model *m, double size)
{
    lp_model *box = lp_model_copy(m);
    for (int j = 0; j < m->cols; j++) {
        box->lower[j] = fmax(m->lower[j], fmin(-size, m->upper[j]));
        box->upper[j] = fmin(m->upper[j], fmax(size, m->lower[j]));
    }
    return box;
}

/* The judge's verdict. */
static reference_answer exactly(const lp_model *m)
{
    exact_lp_answer a = exact_lp_solve(m);
    const reference_answer answer = {a.status, mpq_get_d(a.objective)};
    exact_lp_clear(&a);
    return answer;
}

static bool same_answer(const reference_answer *a, const reference_answer *b)
{
    return a->status == b->status &&
           (a->status != LP_OPTIMAL ||
            fabs(a->objective - b->objective) <= 1e-6 * (1.0 + fabs(a->objective)));
}

/* Whether, in exact arithmetic, changes in the tenth digit of the sides or numbers
 * beyond 1e7 decide the answer: then nothing is asked of double precision. */
static bool ill_posed(const lp_model *m)
{
    OWNED(lp_model) *wide = widened(m, 1e-9), *box = boxed(m, 1e7);
    const reference_answer a = exactly(m), w = exactly(wide), b = exactly(box);
    return a.status != LP_UNSOLVED &&
           (!same_answer(&a, &w) || (a.status == LP_OPTIMAL && !same_answer(&a, &b)));
}

/* ---- one solve, in a child ----------------------------------------------- */

typedef struct outcome {
    lp_status status;
    double objective, size; /* size: sum of |c_j x_j|, what rounding is relative to */
    double primal_violation, dual_violation;
    bool proven;    /* infeasibility, in safe arithmetic */
    bool nearby;    /* an optimum of a model that differs by less than the tolerances, exactly */
    bool ill_posed; /* a failure that the model excuses */
    char failure[256];
} outcome;

/* What is wrong with an answer's certificate; empty: nothing. */
static const char *fault_of(const lp_model *m, lp_solver *s, lp_status status)
{
    if (status == LP_INFEASIBLE && lp_farkas_is_proof(m, NULL, NULL, lp_farkas(s)))
        return "";
    return certify(m, s, status, 1e-7);
}

static void solve_cold(const lp_model *m, lp_solver *s, outcome *o)
{
    o->status = lp_solve(s);
    const char *fault = o->status == LP_NUMERICAL_TROUBLE ? "" : fault_of(m, s, o->status);
    if (*fault)
        snprintf(o->failure, sizeof o->failure, "certificate: %s: %s", lp_status_name(o->status),
                 fault);
    if (o->status == LP_OPTIMAL || o->status == LP_UNBOUNDED) {
        const double *x = lp_primal(s);
        const lp_kkt kkt = lp_kkt_check(m, x, lp_dual(s));
        o->objective = lp_model_objective(m, x);
        o->size = fabs(m->offset);
        for (int j = 0; j < m->cols; j++)
            o->size += fabs(m->cost[j] * x[j]);
        o->primal_violation = fmax(kkt.primal_row, kkt.primal_bound);
        o->dual_violation = kkt.dual;
    }
    if (o->status == LP_OPTIMAL && fabs(lp_objective(s) - o->objective) > 1e-9 * (1.0 + o->size))
        snprintf(o->failure, sizeof o->failure, "objective: says %.17g, is %.17g", lp_objective(s),
                 o->objective);
    if (o->status == LP_INFEASIBLE)
        o->proven = lp_farkas_is_proof(m, NULL, NULL, lp_farkas(s));
    if (o->status == LP_OPTIMAL)
        o->nearby = is_optimum_nearby(m, lp_primal(s), lp_dual(s), 1e-9);
}

/* Forgives a failure on a model that is ill-posed, as far as that can be told. */
static void excuse(const lp_model *m, const fuzz_options *options, outcome *o)
{
    if (!o->failure[0] || !options->exact || !ill_posed(m))
        return;
    o->failure[0] = '\0';
    o->ill_posed = true;
}

/* A few changes as branch and bound makes them, to the solver and to a model. */
static void change(base_rng *rng, lp_model *m, lp_solver *s)
{
    const int j = (int)base_rng_below(rng, (uint64_t)m->cols);
    const double x = floor(4.0 * base_rng_double(rng));
    switch (base_rng_below(rng, 3)) {
    case 0:
        m->upper[j] = fmax(m->lower[j], x);
        lp_set_bounds(s, j, m->lower[j], m->upper[j]);
        break;
    case 1:
        m->lower[j] = fmin(m->upper[j], x);
        lp_set_bounds(s, j, m->lower[j], m->upper[j]);
        break;
    default: {
        const int start[2] = {0, 1}, col[1] = {j};
        const double value[1] = {1.0 + x}, low = -5.0 - x, high = 5.0 + x;
        lp_model_add_rows(m, 1, &low, &high, start, col, value, NULL);
        lp_add_rows(s, 1, &low, &high, start, col, value);
    }
    }
}

/* Changes, a warm solve and a cold one of the same model. */
static void solve_warm(const lp_model *original, lp_solver *s, uint64_t seed,
                       const fuzz_options *options, outcome *o)
{
    base_rng rng = {seed};
    lp_model *m = lp_model_copy(original);
    for (int round = 0; round < 4 && !o->failure[0]; round++) {
        for (int k = 0; k <= (int)base_rng_below(&rng, 3); k++)
            change(&rng, m, s);
        const lp_status warm = lp_solve(s);
        const char *fault = fault_of(m, s, warm);
        if (*fault) {
            snprintf(o->failure, sizeof o->failure, "warm: %s: %s", lp_status_name(warm), fault);
            break;
        }
        OWNED(lp_solver) *fresh = lp_solver_create(m, NULL);
        const lp_status cold = lp_solve(fresh);
        if (warm != cold)
            snprintf(o->failure, sizeof o->failure, "warm: %s, cold: %s", lp_status_name(warm),
                     lp_status_name(cold));
        else if (warm == LP_OPTIMAL && fabs(lp_objective(s) - lp_objective(fresh)) >
                                           1e-6 * (1.0 + fabs(lp_objective(s)) + o->size))
            snprintf(o->failure, sizeof o->failure, "warm: %.17g, cold: %.17g", lp_objective(s),
                     lp_objective(fresh));
    }
    excuse(m, options, o);
    lp_model_free(m);
}

static double largest_entry(const lp_model *m)
{
    double largest = 0.0;
    for (int k = 0; k < m->start[m->cols]; k++)
        largest = fmax(largest, fabs(m->value[k]));
    return largest;
}

static void solve_all(const lp_model *m, uint64_t seed, const fuzz_options *options, outcome *o)
{
    lp_params params = lp_params_default();
    params.method = seed % 7 == 1 || seed % 7 == 3 ? LP_METHOD_PRIMAL : LP_METHOD_DUAL;
    /* Without scaling the tolerances mean little unless the entries are of one size. */
    params.scale = seed % 11 != 0 || largest_entry(m) > 1e4;
    base_rng rng = {seed};
    if (base_rng_below(&rng, 2))
        parameters_draw(&lp_parameters, &params.tuning, 1 << base_rng_below(&rng, 4), &rng);
    OWNED(lp_solver) *s = lp_solver_create(m, &params);
    solve_cold(m, s, o);
    if (!o->failure[0] && o->status != LP_NUMERICAL_TROUBLE)
        solve_warm(m, s, seed, options, o);
    else
        excuse(m, options, o);
}

/* solve_all in a child, so that a crash or an endless loop is a failure like another. */
static outcome solve_apart(const lp_model *m, uint64_t seed, const fuzz_options *options)
{
    outcome o = {.status = LP_UNSOLVED};
    int channel[2];
    fflush(NULL);
    if (pipe(channel) != 0) {
        snprintf(o.failure, sizeof o.failure, "pipe: %s", strerror(errno));
        return o;
    }
    const pid_t child = fork();
    if (child == 0) {
        close(channel[0]);
        solve_all(m, seed, options, &o);
        const bool sent = write(channel[1], &o, sizeof o) == (ssize_t)sizeof o;
        _exit(sent ? 0 : 1);
    }
    close(channel[1]);
    struct pollfd wait_for = {.fd = channel[0], .events = POLLIN};
    if (child < 0 || options->seconds <= 0.0 ||
        poll(&wait_for, 1, (int)(options->seconds * 1e3)) == 0) {
        snprintf(o.failure, sizeof o.failure, "hang: no answer within %g s", options->seconds);
        if (child > 0)
            kill(child, SIGKILL);
    } else if (read(channel[0], &o, sizeof o) != (ssize_t)sizeof o) {
        o.status = LP_UNSOLVED;
        snprintf(o.failure, sizeof o.failure, "crash");
    }
    close(channel[0]);
    if (child > 0)
        waitpid(child, NULL, 0);
    return o;
}

/* ---- verdict --------------------------------------------------------------- */

static bool agrees(const outcome *o, const reference_answer *a)
{
    if (o->status != a->status)
        return false;
    return o->status != LP_OPTIMAL ||
           fabs(o->objective - a->objective) <= 1e-6 * (1.0 + fabs(a->objective) + o->size);
}

/* A different exact verdict that the tolerances explain: what misses feasibility, or
 * dual feasibility, by next to nothing may lie far off where rows are nearly parallel. A
 * proof in safe arithmetic needs no explanation. */
static bool explained(const lp_model *m, const outcome *o, const reference_answer *a)
{
    if (o->status == LP_INFEASIBLE && !o->proven) {
        /* Points there are lie where the last bits of the coefficients decide. */
        OWNED(lp_model) *box = boxed(m, 1e9);
        const reference_answer b = exactly(box);
        return b.status == LP_INFEASIBLE;
    }
    if (o->status == LP_INFEASIBLE)
        return true;
    if (o->status == LP_OPTIMAL && a->status == LP_UNBOUNDED)
        return o->dual_violation <= 1e-9;
    if (o->status == LP_UNBOUNDED && a->status == LP_OPTIMAL)
        return ill_posed(m); /* the optimum is as good as infinite */
    if (o->status == LP_OPTIMAL && a->status == LP_OPTIMAL && o->objective > a->objective)
        return o->nearby;
    if (a->status != LP_INFEASIBLE && o->status != LP_OPTIMAL)
        return false;
    /* The point may be that of a slightly wider model. */
    lp_model *wide = widened(m, fmax(1e-9, 2.0 * o->primal_violation));
    const reference_answer w = exactly(wide);
    const bool endless = o->status == LP_UNBOUNDED && w.status == LP_OPTIMAL;
    const bool as_good = endless && ill_posed(wide); /* as infinite */
    lp_model_free(wide);
    if (endless)
        return as_good;
    if (w.status == LP_UNBOUNDED || o->status == LP_UNBOUNDED)
        return w.status == o->status;
    return w.status == LP_OPTIMAL && w.objective <= o->objective + 1e-6 * (1.0 + o->size);
}

fuzz_report fuzz_check(const lp_model *m, uint64_t seed, const fuzz_options *options)
{
    const outcome o = solve_apart(m, seed, options);
    fuzz_report report = {.status = o.status};
    memcpy(report.failure, o.failure, sizeof report.failure);
    report.ill_posed = o.ill_posed;
    if (report.failure[0] || report.ill_posed || o.status == LP_NUMERICAL_TROUBLE)
        return report;
    report.unverified = o.status == LP_INFEASIBLE && !o.proven;
    if (options->exact) {
        const reference_answer a = exactly(m);
        report.exact_answered = a.status != LP_UNSOLVED;
        if (report.exact_answered && !agrees(&o, &a)) {
            report.borderline = explained(m, &o, &a);
            if (!report.borderline)
                snprintf(report.failure, sizeof report.failure,
                         "exact: we say %s %.17g, exact arithmetic %s %.17g",
                         lp_status_name(o.status), o.objective, lp_status_name(a.status),
                         a.objective);
        }
    }
    if (options->glpk && !report.failure[0]) {
        const reference_answer a = reference_glpk(m, options->folder);
        report.glpk_differs = a.status != LP_UNSOLVED && !agrees(&o, &a);
        /* Exact arithmetic overrules GLPK's tolerances, and so does a proof. */
        if (report.glpk_differs && !report.exact_answered && !o.proven)
            snprintf(report.failure, sizeof report.failure, "glpk: we say %s %.17g, GLPK %s %.17g",
                     lp_status_name(o.status), o.objective, lp_status_name(a.status), a.objective);
    }
    return report;
}

/* ---- shrinking ------------------------------------------------------------------ */

static void failure_of(const void *options, const lp_model *m, uint64_t seed,
                       char text[SHRINK_TEXT])
{
    const fuzz_report report = fuzz_check(m, seed, options);
    memcpy(text, report.failure, SHRINK_TEXT);
}

lp_model *fuzz_shrink(lp_model *m, uint64_t seed, const fuzz_options *options)
{
    return shrink_model(m, seed, failure_of, options);
}
