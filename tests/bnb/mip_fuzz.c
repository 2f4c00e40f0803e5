/* One random model: solved in a child process with drawn parameters, then every claim is judged
 * against exact arithmetic and the other solvers. */
#include "tests/bnb/mip_fuzz.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/bnb/mip_judge.h"
#include "tests/bnb/models.h"
#include "tests/lp/owned.h"
#include "tests/lp/reference.h"
#include "tests/oracle/parameters.h"

/* A solver's tolerance, relative to 1 + the size of a side. */
static const double tolerance = 1e-6;

/* ---- our answer, from a child ------------------------------------------------- */

typedef struct answer {
    bnb_status status;
    bool has_solution, proven;
    double objective, bound;
} answer;

static bool send_all(int channel, const void *bytes, size_t size)
{
    return write(channel, bytes, size) == (ssize_t)size;
}

static bool receive_all(int channel, void *bytes, size_t size)
{
    for (size_t got = 0; got < size;) {
        const ssize_t part = read(channel, (char *)bytes + got, size - got);
        if (part <= 0)
            return false;
        got += (size_t)part;
    }
    return true;
}

static void solve_and_send(const lp_model *m, bnb_params p, double seconds, int channel)
{
    p.limits.deadline = base_seconds() + seconds;
    bnb_result r = bnb_solve(m, &p, NULL);
    answer a;
    memset(&a, 0, sizeof a);
    a.status = r.status;
    a.has_solution = r.has_solution;
    a.proven = r.proven;
    a.objective = r.objective;
    a.bound = r.bound;
    bool sent = send_all(channel, &a, sizeof a);
    if (r.has_solution)
        sent = sent && send_all(channel, r.x, (size_t)m->cols * sizeof *r.x);
    _exit(sent ? 0 : 1);
}

/* Solves in a child, so that a crash or an endless loop is a failure like another. x: extent
 * cols. What went wrong, or NULL. */
static const char *solve_apart(const lp_model *m, const bnb_params *p, double seconds, answer *a,
                               double *x)
{
    const double grace = 10.0;
    int channel[2];
    const char *wrong = NULL;
    memset(a, 0, sizeof *a);
    fflush(NULL);
    if (pipe(channel) != 0)
        return "pipe";
    const pid_t child = fork();
    if (child == 0) {
        close(channel[0]);
        solve_and_send(m, *p, seconds, channel[1]);
    }
    close(channel[1]);
    struct pollfd wait_for = {.fd = channel[0], .events = POLLIN};
    if (child < 0 || seconds <= 0.0 || poll(&wait_for, 1, (int)((seconds + grace) * 1e3)) == 0) {
        wrong = "hang";
        if (child > 0)
            kill(child, SIGKILL);
    } else if (!receive_all(channel[0], a, sizeof *a) ||
               (a->has_solution && !receive_all(channel[0], x, (size_t)m->cols * sizeof *x))) {
        wrong = "crash";
    }
    close(channel[0]);
    if (child > 0)
        waitpid(child, NULL, 0);
    return wrong;
}

/* ---- verdict ------------------------------------------------------------------- */

typedef struct verdict {
    const lp_model *m;
    const mip_fuzz_options *options;
    mip_truth truth;
    mip_fuzz_report report;
} verdict;

static void accuse(verdict *v, const char *kind, const char *pass, const char *text)
{
    if (!v->report.failure[0])
        snprintf(v->report.failure, sizeof v->report.failure, "%s: %s: %s", kind, pass, text);
}

/* True if the number exceeds the exact one by more than a part of it. */
static bool exceeds(double number, const mpq_t exact, double part)
{
    const double room = part * (1.0 + fabs(mpq_get_d(exact)));
    bool more;
    if (isinf(number) || isnan(number))
        return number != -LP_INFINITY;
    mpq_t value, slack;
    mpq_inits(value, slack, NULL);
    mpq_set_d(value, number);
    mpq_set_d(slack, room);
    mpq_sub(value, value, slack);
    more = mpq_cmp(value, exact) > 0;
    mpq_clears(value, slack, NULL);
    return more;
}

/* Our own solution: is it one, and as good as we say? */
static void judge_solution(verdict *v, const answer *a, const double *x, const char *pass)
{
    char text[160];
    mpq_t exact;
    mpq_init(exact);
    for (int j = 0; j < v->m->cols; j++)
        if (v->m->integer[j] && x[j] != nearbyint(x[j]))
            accuse(v, "fractional", pass, "an integer column is none");
    const mip_fate fate = mip_judge(v->m, x, tolerance, &v->truth, &exact);
    snprintf(text, sizeof text, "objective %.17g, exactly %.17g", a->objective, mpq_get_d(exact));
    v->report.nearly |= fate == MIP_NEARLY;
    if (fate == MIP_NO_SOLUTION)
        accuse(v, "no-solution", pass, text);
    const double room = tolerance * (1.0 + fabs(a->objective));
    if (fate == MIP_SOLUTION && !v->truth.endless && a->objective < mpq_get_d(exact) - room) {
        if (a->objective < mip_least_nearly(v->m, x, tolerance) - room)
            accuse(v, "objective", pass, text);
        v->report.nearly = true;
    }
    mpq_clear(exact);
}

/* Or is, when the sides are a little wider, or but for what directions may miss. */
static bool is_unbounded(const lp_model *m)
{
    return mip_relaxation(m, 0.0) == LP_UNBOUNDED || mip_relaxation(m, tolerance) == LP_UNBOUNDED ||
           mip_has_direction(m, 1e-9);
}

/* True if a point lies where the last bits of the coefficients decide. */
static bool is_far(const lp_model *m, const double *x)
{
    double largest = 0.0;
    for (int j = 0; j < m->cols; j++)
        largest = fmax(largest, fabs(x[j]));
    return largest > 1e7;
}

/* What we claim, against what is known by now. */
static void judge_claim(verdict *v, const answer *a, const char *pass)
{
    char text[160];
    const mip_truth *t = &v->truth;
    const double part = a->proven ? 1e-9 : tolerance; /* what is not proven has rounding errors */
    snprintf(text, sizeof text, "%s %.17g, bound %.17g; there is %s %.17g",
             bnb_status_name(a->status), a->objective, a->bound,
             t->feasible ? "a solution of" : "none", mpq_get_d(t->objective));
    if (a->status == BNB_INFEASIBLE &&
        (a->proven ? t->feasible || t->endless : t->feasible && !is_far(v->m, t->x)))
        accuse(v, "infeasible", pass, text);
    if (a->status != BNB_INFEASIBLE && t->feasible && exceeds(a->bound, t->objective, part))
        accuse(v, "bound", pass, text);
    if (a->proven && a->status != BNB_INFEASIBLE && t->endless && a->bound > -LP_INFINITY)
        accuse(v, "endless", pass, text);
    if (a->status == BNB_UNBOUNDED && !is_unbounded(v->m))
        accuse(v, "unbounded", pass, text);
    if (a->status == BNB_UNBOUNDED && t->complete && !t->feasible && !t->endless)
        v->report.nearly = true;
    if (a->status == BNB_OPTIMAL && t->complete && !t->feasible && !v->report.nearly &&
        (a->proven || !t->endless))
        accuse(v, "optimal", pass, text);
}

static bool is_decided(bnb_status status)
{
    return status == BNB_OPTIMAL || status == BNB_INFEASIBLE || status == BNB_UNBOUNDED;
}

static void ask(verdict *v, lp_status (*solver)(const lp_model *, const char *, double *),
                double *x, bool *decided)
{
    memset(x, 0, (size_t)v->m->cols * sizeof *x);
    const lp_status status = solver(v->m, v->options->folder, x);
    *decided |= status != LP_UNSOLVED;
    if (status == LP_OPTIMAL && mip_judge(v->m, x, tolerance, &v->truth, NULL) == MIP_NO_SOLUTION)
        v->report.others_err = true;
}

/* Of the numbers compared. */
static const double rounding = 1e-9;

/* True if one answer is `infeasible', the other has a solution x, and x misses the model by
 * rounding or up to the tolerance: both statuses are right. */
static bool is_edge(verdict *v, const answer *a, const answer *b, const double *x)
{
    if (a->status == BNB_INFEASIBLE && b->has_solution)
        return mip_judge(v->m, x, tolerance, &v->truth, NULL) == MIP_NEARLY;
    return b->status == BNB_INFEASIBLE && v->report.nearly;
}

/* Solves the model with its costs times a power of two: the answer is the same but for that. */
static void judge_scaled(verdict *v, const answer *a, double factor, double *x)
{
    OWNED(lp_model) *m = lp_model_copy(v->m);
    const bnb_params p = quiet_params();
    answer b;
    char text[160];
    for (int j = 0; j < m->cols; j++)
        m->cost[j] *= factor;
    m->offset *= factor;
    const char *wrong = solve_apart(m, &p, v->options->seconds, &b, x);
    snprintf(text, sizeof text, "%s %.17g, bound %.17g; costs times %g: %s %.17g, bound %.17g",
             bnb_status_name(a->status), a->objective, a->bound, factor, bnb_status_name(b.status),
             b.objective, b.bound);
    if (wrong)
        accuse(v, wrong, "scaled", "no answer");
    else if (is_decided(a->status) && is_decided(b.status) && a->status != b.status) {
        if (is_edge(v, a, &b, x))
            v->report.nearly = true;
        else
            accuse(v, "scaled-status", "scaled", text);
    } else if (a->status == BNB_OPTIMAL && b.status == BNB_OPTIMAL) {
        const double unit = bnb_gap_unit(b.objective, bnb_least_cost(m));
        const double room = tolerance * (1.0 + fabs(a->objective));
        if (b.objective - b.bound > 1e-9 * unit * (1.0 + rounding))
            accuse(v, "gap", "scaled", text);
        if (fabs(b.objective / factor - a->objective) > room)
            accuse(v, "scaled-objective", "scaled", text);
        if (v->truth.feasible &&
            exceeds(b.bound / factor, v->truth.objective, b.proven ? rounding : tolerance))
            accuse(v, "bound", "scaled", text);
    }
}

/* Any parameters. */
static bnb_params varied_params(uint64_t seed)
{
    base_rng rng = {seed ^ 0x5bd1e995u};
    bnb_params p = quiet_params();
    parameters_draw(&bnb_parameters, &p.tuning, 1 << base_rng_below(&rng, 4), &rng);
    parameters_draw(&lp_parameters, &p.lp, 1 << base_rng_below(&rng, 4), &rng);
    if (base_rng_below(&rng, 2)) {
        p.tuning.lazy_rows = 1;
        p.tuning.restart_cols = 0;
    }
    if (base_rng_below(&rng, 2))
        p.tuning.picked_duals = 1;
    return p;
}

static void solve_and_judge(verdict *v, const bnb_params *p, const char *pass, double *x, answer *a)
{
    const char *wrong = solve_apart(v->m, p, v->options->seconds, a, x);
    if (wrong)
        accuse(v, wrong, pass, "no answer");
    else if (a->has_solution)
        judge_solution(v, a, x, pass);
    if (!wrong)
        judge_claim(v, a, pass);
}

mip_fuzz_report mip_fuzz_check(const lp_model *m, uint64_t seed, const mip_fuzz_options *options)
{
    verdict v = {.m = m, .options = options};
    OWNED(double) *x = base_calloc((size_t)m->cols + 1, sizeof *x);
    bool decided = false;
    answer first, second;
    mip_truth_init(&v.truth, m);
    mip_enumerate(m, options->points, &v.truth);
    const bnb_params p = quiet_params();
    solve_and_judge(&v, &p, "default", x, &first);
    v.report.status = first.status;
    if (!v.report.failure[0]) {
        if (options->glpk)
            ask(&v, reference_mip_glpk, x, &decided);
        if (options->cbc)
            ask(&v, reference_mip_cbc, x, &decided);
        judge_claim(&v, &first, "default");
        v.report.solved_by_others = !is_decided(first.status) && (decided || v.truth.complete);
        v.report.endless = v.report.solved_by_others && is_unbounded(m);
        v.report.complete = v.truth.complete;
    }
    if (!v.report.failure[0])
        judge_scaled(&v, &first, ldexp(1.0, seed % 2 ? -40 : 40), x);
    if (!v.report.failure[0]) {
        const bnb_params q = varied_params(seed);
        solve_and_judge(&v, &q, "varied", x, &second);
        if (!v.report.failure[0] && is_decided(first.status) && is_decided(second.status))
            judge_claim(&v, &first, "default");
    }
    mip_truth_clear(&v.truth);
    return v.report;
}
