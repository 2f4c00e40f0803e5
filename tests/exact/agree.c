/* Draws parameters and options, solves, and compares the status, the schedule, the bound and the
 * certificate with the oracle. */
#include "tests/exact/agree.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "certificate/verify.h"
#include "certificate/write.h"
#include "formulation/formulation.h"
#include "tests/oracle/parameters.h"

exact_params agree_params(void)
{
    exact_params params = exact_params_default();
    params.heuristics = false;
    params.tuning.coarse = false;
    params.tuning.serial_work = 0;
    return params;
}

static const char *judge(const problem *p, const exact_result *r, const oracle_result *oracle,
                         double gap)
{
    if (!oracle->feasible)
        return r->status != EXACT_INFEASIBLE     ? "feasible, says exact_solve, but it is not"
               : r->schedule                     ? "infeasible with a schedule"
               : r->infeasible_reason[0] == '\0' ? "infeasible without a reason"
                                                 : NULL;
    if (r->status == EXACT_INFEASIBLE)
        return "infeasible, says exact_solve, but it is not";
    if ((r->status != EXACT_OPTIMAL && r->status != EXACT_WITHIN_GAP) || !r->schedule)
        return "not solved";
    if (r->status == EXACT_WITHIN_GAP && gap <= EXACT_OPTIMAL_GAP)
        return "within a gap that was not asked for";
    double optimum = oracle->overhead_joules, overhead = r->validation.overhead_joules;
    double tolerance = 1.5 * EXACT_OPTIMAL_GAP * optimum, bound = r->bound_overhead_joules;
    if (schedule_validate(p, r->schedule, NULL, NULL))
        return "the schedule is not valid";
    if (r->status == EXACT_OPTIMAL && overhead > optimum + tolerance)
        return "the optimum is cut off";
    if (overhead < optimum - tolerance)
        return "better than the oracle";
    if (bound > overhead || bound > optimum + tolerance)
        return "the bound lies above the optimum";
    if (r->status == EXACT_OPTIMAL && bound < optimum - tolerance)
        return "the bound lies too far below the schedule";
    if (bound < overhead * (1 - gap) - tolerance)
        return "not within the gap";
    return NULL;
}

const char *agree_fault(const problem *p, const exact_params *params, const oracle_result *oracle)
{
    size_t held = base_memory_used();
    exact_result r = exact_solve(p, params);
    const char *fault = judge(p, &r, oracle, params->gap_relative);
    exact_result_clear(&r);
    if (!fault && base_memory_used() != held)
        fault = "memory is left behind";
    return fault;
}

bool agree_fails(const problem *p, void *params)
{
    if (p->graph->n > ORACLE_MAX_NODES)
        return false;
    oracle_result oracle = oracle_solve(p);
    const char *fault = agree_fault(p, params, &oracle);
    schedule_free(oracle.schedule);
    return fault != NULL;
}

void agree_draw_tuning(exact_tuning *tuning, base_rng *rng)
{
    const int part = 1 << base_rng_below(rng, 4);
    parameters_draw(&exact_parameters, tuning, part, rng);
    parameters_draw(&bnb_parameters, &tuning->bnb, part, rng);
    parameters_draw(&heuristic_parameters, &tuning->heuristics, part, rng);
    parameters_draw(&lp_parameters, &tuning->lp, part, rng);
}

void agree_print_tuning(FILE *stream, const exact_tuning *tuning)
{
    parameters_print(stream, &exact_parameters, tuning);
    parameters_print(stream, &bnb_parameters, &tuning->bnb);
    parameters_print(stream, &heuristic_parameters, &tuning->heuristics);
    parameters_print(stream, &lp_parameters, &tuning->lp);
}

/* ---- end to end ---------------------------------------------------------------------- */

static const double gaps[] = {0.5, 0.2, 0.05, 0.01};

agree_case agree_case_draw_once(uint64_t seed)
{
    base_rng rng = {seed};
    agree_case c = {.params = exact_params_default(),
                    .certify = true,
                    .recorded = true,
                    .once = true,
                    .trust = CERT_EXCHANGES};
    c.params.work_limit = 20;
    c.params.seed = seed;
    c.params.heuristics = base_rng_below(&rng, 2);
    c.params.threads = base_rng_below(&rng, 8) == 0 ? 2 : 1;
    c.params.tuning.serial_work = 0;
    c.params.tuning.coarse = base_rng_below(&rng, 4) > 0;
    c.start = base_rng_below(&rng, 8) == 0;
    if (base_rng_below(&rng, 4) == 0)
        c.params.gap_relative = gaps[base_rng_below(&rng, sizeof gaps / sizeof *gaps)];
    return c;
}

agree_case agree_case_draw(uint64_t seed)
{
    int count;
    const formulation_feature_info *table = formulation_features(&count);
    base_rng rng = {seed};
    agree_case c = {.params = exact_params_default(), .certify = true};
    c.params.work_limit = 10;
    unsigned *features = &c.params.features;
    const uint64_t how = base_rng_below(&rng, 4);
    for (int k = 0; k < 2 && how == 1; k++)
        *features &= ~table[base_rng_below(&rng, (uint64_t)count)].bit;
    for (int k = 0; k < count && how == 2; k++)
        *features &= base_rng_below(&rng, 2) ? ~0u : ~table[k].bit;
    c.params.seed = seed;
    c.params.heuristics = base_rng_below(&rng, 4) == 0;
    c.params.threads = base_rng_below(&rng, 8) == 0 ? 2 : 1;
    c.params.tuning.serial_work = 0;
    c.start = base_rng_below(&rng, 8) == 0;
    c.recorded = base_rng_below(&rng, 2);
    if (base_rng_below(&rng, 4) == 0)
        c.params.gap_relative = gaps[base_rng_below(&rng, sizeof gaps / sizeof *gaps)];
    c.trust = base_rng_below(&rng, 3) == 0 ? CERT_RULES : CERT_EXCHANGES;
    if (base_rng_below(&rng, 2))
        agree_draw_tuning(&c.params.tuning, &rng);
    return c;
}

/* What is wrong with the certificate at path, which says what r does. */
static const char *judge_certificate(const char *path, const exact_result *r,
                                     const oracle_result *oracle)
{
    certificate_report report;
    base_error error;
    const char *fault = NULL;
    if (certificate_verify(path, &report, &error) != CERTIFICATE_HOLDS)
        fault = "its certificate does not hold";
    else if (report.infeasible != (r->status == EXACT_INFEASIBLE))
        fault = "its certificate says something else";
    else if (report.infeasible && oracle->feasible)
        fault = "a certificate of a false infeasibility";
    else if (r->status == EXACT_OPTIMAL && !report.optimal)
        fault = "its certificate does not prove the optimum";
    else if (r->status == EXACT_WITHIN_GAP && report.bound_joules < r->bound_overhead_joules)
        fault = "its certificate does not prove the bound";
    else if (!report.infeasible && report.bound_joules > oracle->overhead_joules * (1 + 1e-12))
        fault = "a certificate of a false bound";
    else if (report.trust == CERT_EXCHANGES &&
             certificate_exchanges(&report, &error) != CERTIFICATE_HOLDS)
        fault = "an exchange on which its certificate rests does not hold";
    certificate_report_clear(&report);
    return fault;
}

static bool is_open(const exact_result *r)
{
    return r->status == EXACT_LIMIT && r->stop == BASE_STOP_WORK;
}

/* Solves p, and writes a certificate at path: of the run that solves, or of another one. */
static certificate_outcome solve(const problem *p, const exact_params *params, const agree_case *c,
                                 const char *path, exact_result *r, base_error *error)
{
    cert_trust trust = c->trust;
    if (c->recorded)
        return certificate_solve(path, p, params, &trust, r, error);
    *r = exact_solve(p, params);
    if (r->status == EXACT_LIMIT)
        return CERTIFICATE_LIMIT;
    return certificate_write(path, p, params, &trust, r, error);
}

/* No solution of the canonical model costs less than the optimum: exchanges prove that. */
static bool canonical_decide(const problem *p, const oracle_result *oracle)
{
    enum { WAYS = 2000000 };
    const oracle_result granted = oracle_granting(p, WAYS);
    return !granted.gave_up && granted.feasible == oracle->feasible &&
           granted.overhead_joules >= oracle->overhead_joules;
}

static const char *certified_fault(const problem *p, const exact_params *params,
                                   const agree_case *c, exact_result *r,
                                   const oracle_result *oracle, bool *open)
{
    static char text[1100];
    base_error error = {""};
    char path[] = "/tmp/poetbnb-agree-XXXXXX";
    const int handle = mkstemp(path);
    if (handle < 0)
        return "no temporary file";
    close(handle);
    const certificate_outcome outcome = solve(p, params, c, path, r, &error);
    const bool ended = !is_open(r);
    const char *fault = ended ? judge(p, r, oracle, params->gap_relative) : NULL;
    *open = !ended || outcome == CERTIFICATE_LIMIT;
    if (!fault && outcome == CERTIFICATE_WRITTEN)
        fault = judge_certificate(path, r, oracle);
    /* What a run recorded may fail to be a proof, but not be a false one. */
    const bool is_false = strncmp(error.text, "internal check", strlen("internal check")) == 0;
    if (!fault && !*open && (outcome != CERTIFICATE_WRITTEN || is_false)) {
        snprintf(text, sizeof text, "%s", error.text);
        fault = text;
    } else if (!fault && c->once && outcome == CERTIFICATE_WRITTEN && error.text[0] &&
               canonical_decide(p, oracle)) {
        snprintf(text, sizeof text, "a second run: %s", error.text);
        fault = text;
    }
    if (!c->keep || outcome != CERTIFICATE_WRITTEN || rename(path, c->keep) != 0)
        unlink(path);
    return fault;
}

static const char *plain_fault(const problem *p, const exact_params *params, exact_result *r,
                               const oracle_result *oracle, bool *open)
{
    *r = exact_solve(p, params);
    *open = is_open(r);
    return *open ? NULL : judge(p, r, oracle, params->gap_relative);
}

const char *agree_case_fault(const problem *p, const agree_case *c, const oracle_result *oracle,
                             bool *open)
{
    static const char *const name[] = {"oracle"};
    const schedule *start[] = {oracle->schedule};
    const size_t held = base_memory_used();
    exact_params params = c->params;
    exact_result r = {0};
    if (c->start && oracle->schedule) {
        params.starts = start;
        params.start_names = name;
        params.start_count = 1;
    }
    const char *fault = c->certify && !certificate_unsupported(params.features)
                            ? certified_fault(p, &params, c, &r, oracle, open)
                            : plain_fault(p, &params, &r, oracle, open);
    exact_result_clear(&r);
    if (!fault && base_memory_used() != held)
        fault = "memory is left behind";
    return fault;
}

bool agree_case_fails(const problem *p, void *context)
{
    bool open;
    oracle_result oracle = oracle_solve(p);
    const bool fails = agree_case_fault(p, context, &oracle, &open) != NULL;
    schedule_free(oracle.schedule);
    return fails;
}
