/* Runs the solver with a recorder, writes the claim before the steps, verifies the whole, and only
 * then writes the file. Where the steps prove nothing, a second run for the proof alone follows. */
#include "certificate/write.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "certificate/record.h"
#include "certificate/verify.h"
#include "problem/json.h"

/* Names a kind of row that the features add and the checker has not; NULL: none. */
static const char *unknown_rows(unsigned features)
{
    static _Thread_local char text[80];
    for (int kind = 0; kind < ROW_KINDS; kind++) {
        const row_info *info = &formulation_rows[kind];
        const bool added = info->features && !(info->features & ~features);
        if (!added || cert_row_named(info->name) < CERT_ROW_KINDS)
            continue;
        snprintf(text, sizeof text, "certificates do not support the rows %s", info->name);
        return text;
    }
    return NULL;
}

const char *certificate_unsupported(unsigned features)
{
    const unsigned needed = FORMULATION_RELEASE | FORMULATION_ORIGIN | FORMULATION_ROUND;
    if ((features & needed) != needed)
        return "a certificate needs the features release, origin and round";
    if ((features & FORMULATION_CANONICAL) && !(features & FORMULATION_REACH))
        return "a certificate with canonical rows needs the feature reach";
    if (features & (FORMULATION_TOTALS | FORMULATION_UNITS))
        return "a certificate has integer totals where the search adds them, not everywhere";
    return unknown_rows(features);
}

int certificate_check(const problem *p, unsigned features, base_error *error)
{
    const char *unsupported = certificate_unsupported(features);
    return unsupported ? base_fail(error, "%s", unsupported) : cert_model_check(p, error);
}

/* ---- the claim --------------------------------------------------------------------------- */

bool certificate_possible(const exact_result *result)
{
    return result->status == EXACT_OPTIMAL || result->status == EXACT_WITHIN_GAP ||
           result->status == EXACT_INFEASIBLE;
}

static double gap_to_prove(const exact_result *result)
{
    double overhead = result->validation.overhead_joules;
    return result->status == EXACT_WITHIN_GAP ? 1 - result->bound_overhead_joules / overhead
                                              : EXACT_OPTIMAL_GAP;
}

/* Claimed bound: within the gap of the overhead in exact arithmetic, and at most the proven bound.
 */
static double claimed_bound(const exact_result *result)
{
    return result->status == EXACT_WITHIN_GAP
               ? result->bound_overhead_joules
               : result->validation.overhead_joules * (1 - EXACT_OPTIMAL_GAP * (1 - 1e-6));
}

/* Writes the text before the steps. whole: the steps do not rest on the propagations with which the
 * engine begins. */
static void write_claim(FILE *out, const problem *p, const exact_result *result, cert_trust trust,
                        bool whole)
{
    schedule *none = schedule_create(p->graph->n);
    bool infeasible = result->status == EXACT_INFEASIBLE;
    fputs("poetbnb certificate 2\n", out);
    schedule_print(p, infeasible ? none : result->schedule, NULL, "poetbnb", NULL, NAN, out);
    fprintf(out, "trust %s\n", cert_trust_word[trust]);
    if (infeasible)
        fputs("infeasible\n", out);
    else
        fprintf(out, "bound %a\n", claimed_bound(result));
    fprintf(out, "scale %a\n", formulation_default_scale(p->graph));
    /* the engine propagates these first, without an event */
    if (isfinite(problem_slack_seconds(p)) && !whole)
        fputs("propagate 0 deadline\n", out);
    if (!infeasible && !whole)
        fputs("propagate 0 overhead\n", out);
    schedule_free(none);
}

/* ---- the proof --------------------------------------------------------------------------- */

/* A recorded run of the engine. */
typedef struct recording {
    const problem *p;
    cert_trust trust;
    text_buffer steps;
    bool whole; /* steps of a timeline's tree, which rest on nothing before it */
    exact_result result;
    bool limit;        /* a limit of the run ended it */
    bool cut_short;    /* a limit is reached, so that steps may be missing */
    const char *fault; /* why the steps prove nothing, a static text; NULL: they prove the answer */
} recording;

/* The claimed bound in the model's unit; INFINITY: no schedule. */
static double bound_of(const problem *p, const exact_result *result)
{
    return result->status == EXACT_INFEASIBLE || !result->schedule
               ? INFINITY
               : claimed_bound(result) * formulation_default_scale(p->graph);
}

/* Lowers the answer's bound to what the trees among the steps prove: a tree ends as soon as it is
 * within the gap, while eliminations may prove more. */
static void lower_claim_to_trees(exact_result *result, const recorder *listener, double scale)
{
    const double proven = listener->tree_bound / scale;
    if (listener->is_whole || !result->schedule || !certificate_possible(result) ||
        proven >= claimed_bound(result))
        return;
    result->status = EXACT_WITHIN_GAP;
    result->bound_overhead_joules = proven;
}

/* Runs without a guard, so that its results survive a limit. */
static void solve_recorded(recording *r, const exact_params *params)
{
    recorder listener;
    exact_params recorded = *params;
    recorder_init(&listener);
    recorded.proof = &listener.hooks;
    if (!params->heuristics) { /* trees have none either */
        bnb_tuning *tree = &recorded.tuning.bnb;
        tree->dive = tree->rounding = tree->rins = false;
    }
    if (r->trust == CERT_RULES) {
        recorded.features &= ~(unsigned)FORMULATION_CANONICAL;
        /* actions without use or cost lead out of the windows, which then prove nothing */
        recorded.tuning.windows = false;
        recorded.tuning.coarse = false; /* the timeline is one of canonical schedules */
    }
    r->result = exact_solve(r->p, &recorded);
    recorder_finish(&listener, bound_of(r->p, &r->result));
    lower_claim_to_trees(&r->result, &listener, formulation_default_scale(r->p->graph));
    if (r->result.status == EXACT_WITHIN_GAP) /* a margin for the multipliers' rounding */
        r->result.bound_overhead_joules *= 1 - EXACT_OPTIMAL_GAP;
    text_move(&r->steps, &listener.steps);
    text_print(&r->steps, "end\n");
    r->limit = r->result.status == EXACT_LIMIT &&
               (r->result.stop != BASE_GO || r->result.nodes >= params->node_limit);
    r->cut_short = r->result.stop != BASE_GO || base_limits_check(&params->limits) != BASE_GO;
    r->whole = listener.is_whole;
    r->fault = listener.fault                     ? listener.fault
               : certificate_possible(&r->result) ? NULL
                                                  : "the proof was not found";
    recorder_clear(&listener);
}

/* ---- files ------------------------------------------------------------------------------- */

/* The claim and the steps as a text; NULL with an error. */
static char *compose(const recording *r, const exact_result *claim, size_t *size, base_error *error)
{
    char *head;
    size_t first;
    FILE *out = open_memstream(&head, &first);
    if (!out) {
        base_fail(error, "the claim of the certificate: %s", strerror(errno));
        return NULL;
    }
    write_claim(out, r->p, claim, r->trust, r->whole);
    fclose(out);
    *size = first + r->steps.size;
    char *text = base_malloc(*size + 1, 1);
    memcpy(text, head, first);
    memcpy(text + first, r->steps.data, r->steps.size + 1);
    free(head);
    return text;
}

static int copy_out(const char *path, const char *text, size_t size, base_error *error)
{
    base_output *output = base_output_open(path, error);
    if (!output)
        return -1;
    fwrite(text, 1, size, base_output_stream(output));
    return base_output_commit(output, error);
}

/* Verifies the record as a proof of the claim, and writes it if it holds. */
static certificate_outcome publish(const char *path, const recording *r, const exact_result *claim,
                                   base_error *error)
{
    size_t size;
    certificate_report report;
    char *text = compose(r, claim, &size, error);
    if (!text)
        return CERTIFICATE_UNWRITABLE;
    char *copy = base_malloc(size + 1, 1);
    memcpy(copy, text, size + 1);
    base_error why;
    certificate_verdict verdict = certificate_verify_text(path, copy, size, &report, &why);
    base_free(copy);
    certificate_outcome outcome = CERTIFICATE_WRITTEN;
    if (report.incomplete && r->cut_short) {
        outcome = CERTIFICATE_LIMIT;
    } else if (report.incomplete) {
        base_fail(error, "the recorded steps prove less than the answer");
        outcome = CERTIFICATE_UNPROVEN;
    } else if (verdict != CERTIFICATE_HOLDS) {
        base_fail(error, "internal check failed: the certificate does not hold: %s", why.text);
        outcome = CERTIFICATE_FAILED;
    } else if (copy_out(path, text, size, error) != 0) {
        outcome = CERTIFICATE_UNWRITABLE;
    }
    certificate_report_clear(&report);
    base_free(text);
    return outcome;
}

/* Publishes the record as a proof of the claim if its run has done one. */
static certificate_outcome conclude(const char *path, const recording *r, const exact_result *claim,
                                    base_error *error)
{
    if (r->limit || (r->fault && r->cut_short))
        return CERTIFICATE_LIMIT;
    if (!r->fault)
        return publish(path, r, claim, error);
    base_fail(error, "%s", r->fault);
    return CERTIFICATE_UNPROVEN;
}

/* ---- a second run for the proof alone ------------------------------------------------------ */

/* Proves the answer again with that trust and writes the file. */
static certificate_outcome solve_with_trust(const char *path, const problem *p,
                                            const exact_params *params, cert_trust trust,
                                            const exact_result *result, base_error *error)
{
    recording r = {.p = p, .trust = trust};
    exact_params again = *params;
    const schedule *start[1] = {result->schedule};
    const char *name[1] = {"the schedule to be proven"};
    again.gap_relative = gap_to_prove(result);
    again.heuristics = false;
    again.starts = start;
    again.start_names = name;
    again.start_count = result->schedule ? 1 : 0;
    solve_recorded(&r, &again);
    if (!r.fault && r.result.status != result->status && r.result.status != EXACT_OPTIMAL)
        r.fault = "the proof could not be done again";
    const certificate_outcome outcome = conclude(path, &r, result, error);
    exact_result_clear(&r.result);
    text_clear(&r.steps);
    return outcome;
}

certificate_outcome certificate_write(const char *path, const problem *p,
                                      const exact_params *params, cert_trust *trust,
                                      const exact_result *result, base_error *error)
{
    if (certificate_check(p, params->features, error) != 0)
        return CERTIFICATE_FAILED;
    if (!certificate_possible(result)) {
        base_fail(error, "nothing is proven");
        return CERTIFICATE_UNPROVEN;
    }
    certificate_outcome outcome = CERTIFICATE_UNPROVEN;
    if (*trust == CERT_EXCHANGES && (params->features & FORMULATION_CANONICAL))
        outcome = solve_with_trust(path, p, params, CERT_EXCHANGES, result, error);
    if (outcome != CERTIFICATE_FAILED && outcome != CERTIFICATE_UNPROVEN)
        return outcome;
    /* The canonical optimum may rest on a release that the rules do not grant: then the rules
     * decide. */
    *trust = CERT_RULES;
    return solve_with_trust(path, p, params, CERT_RULES, result, error);
}

/* ---- the run that solves --------------------------------------------------------------------- */

typedef struct ending {
    const char *path;
    const exact_params *params;
    const recording *recording;
    const exact_result *result;
    cert_trust *trust;
    certificate_outcome outcome;
    base_error *error;
} ending;

static void publish_or_retry(void *data)
{
    ending *e = data;
    const recording *r = e->recording;
    base_error again = {""};
    e->error->text[0] = '\0';
    e->outcome = conclude(e->path, r, e->result, e->error);
    if (e->outcome != CERTIFICATE_FAILED && e->outcome != CERTIFICATE_UNPROVEN)
        return;
    e->outcome = certificate_write(e->path, r->p, e->params, e->trust, e->result, &again);
    if (e->outcome != CERTIFICATE_WRITTEN)
        *e->error = again;
}

/* Solves with a recorder if `recorded`. Without a usable record, solves without a recorder. */
static void solve_first(recording *r, const exact_params *params, bool recorded)
{
    r->fault = "not recorded";
    if (recorded) {
        solve_recorded(r, params);
        if (!r->fault || r->limit || certificate_possible(&r->result))
            return;
        exact_result_clear(&r->result);
    }
    r->result = exact_solve(r->p, params);
    r->limit = !certificate_possible(&r->result);
}

certificate_outcome certificate_solve(const char *path, const problem *p,
                                      const exact_params *params, cert_trust *trust,
                                      exact_result *result, base_error *error)
{
    recording r = {.p = p, .trust = *trust};
    ending e = {path, params, &r, result, trust, CERTIFICATE_LIMIT, error};
    /* a proof by the rules alone takes long, and the answer does not wait for it */
    const bool recorded = *trust == CERT_EXCHANGES && (params->features & FORMULATION_CANONICAL) &&
                          !certificate_unsupported(params->features);
    solve_first(&r, params, recorded);
    *result = r.result;
    if (!r.limit && base_try(&params->limits, publish_or_retry, &e) != BASE_GO)
        e.outcome = CERTIFICATE_LIMIT;
    text_clear(&r.steps);
    return e.outcome;
}
