/* Proofs by cases of tensors that are ever away: recorded, and checked against the oracle. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "certificate/record.h"
#include "exact/cases/cases.h"
#include "exact/engine.h"
#include "problem/json.h"
#include "tests/certificate/owned.h"
#include "tests/certificate/support.h"
#include "tests/exact/owned.h"
#include "tests/oracle/nested_instance.h"
#include "tests/suite.h"

SUITE("cases", .seconds = 300);

/* A recorded run of the cases alone, which begins with the oracle's schedule. */
typedef struct by_cases {
    char *text;  /* the certificate; NULL: nothing to prove, or the record proves less */
    bool closed; /* the cases prove that the schedule is optimal */
} by_cases;

static char *composed(const problem *p, schedule *s, double bound, const recorder *tell)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fputs("poetbnb certificate 2\n", out);
    schedule_print(p, s, NULL, "test", NULL, NAN, out);
    fprintf(out, "trust exchanges\nbound %a\nscale %a\n%send\n", bound,
            formulation_default_scale(p->graph), tell->steps.data);
    fclose(out);
    return text;
}

static exact_params params_of(uint64_t seed)
{
    exact_params params = exact_params_default();
    params.heuristics = false;
    params.tuning.cases_dear = seed % 3 ? 0 : 0.2;
    params.tuning.coarse_quick = seed % 5 ? 1 : 1e5;
    return params;
}

static by_cases prove(uint64_t seed, const problem *p, const oracle_result *best)
{
    recorder tell;
    by_cases r = {NULL, false};
    OWNED(exact_result) result = {0};
    exact_params params = params_of(seed);
    recorder_init(&tell);
    params.proof = &tell.hooks;
    engine e = {.p = p,
                .params = &params,
                .result = &result,
                .features = params.features,
                .scale = formulation_default_scale(p->graph),
                .upper = INFINITY,
                .lock = PTHREAD_MUTEX_INITIALIZER};
    ck_assert(engine_offer(&e, best->schedule, "oracle"));
    for (int turn = 0; turn < 200 && engine_cases_left(&e) && !engine_done(&e); turn++)
        engine_cases(&e, 1e6);
    r.closed = e.lower >= engine_cutoff(&e);
    engine_cases_clear(&e);
    const double bound = fmin(e.lower * (1 - 1e-12), engine_cutoff(&e));
    recorder_finish(&tell, bound);
    ck_assert(!tell.fault);
    if (tell.is_whole && bound > 0)
        r.text = composed(p, best->schedule, bound / e.scale, &tell);
    ck_assert_msg(tell.is_whole || !r.closed, "seed %d: no record of the proof", (int)seed);
    recorder_clear(&tell);
    pthread_mutex_destroy(&e.lock);
    return r;
}

/* The certificate of the seed; NULL: none. */
static char *certificate_of(uint64_t seed, bool *closed)
{
    OWNED(random_instance) i =
        seed % 2 ? nested_instance_make(seed / 2) : draw_instance(seed / 2, 6);
    const oracle_result best = oracle_solve(&i.problem);
    by_cases r = {NULL, false};
    if (best.feasible && best.overhead_joules > 0)
        r = prove(seed, &i.problem, &best);
    *closed = r.closed;
    schedule_free(best.schedule);
    return r.text;
}

TEST(recorded_cases_hold)
{
    int closed = 0, split = 0, nested = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        OWNED(certificate_report) report = {0};
        base_error error;
        bool optimal;
        char *text = certificate_of(seed, &optimal);
        if (!text)
            continue;
        ck_assert_msg(judge_text(text, &report, &error) == CERTIFICATE_HOLDS, "seed %d: %s",
                      (int)seed, error.text);
        ck_assert(report.optimal || !optimal);
        closed += optimal;
        split += optimal && strstr(text, "\nkeep ");
        nested += optimal && strstr(text, "\nnested ");
        free(text);
    }
    ck_assert_int_gt(closed, 40);
    ck_assert_int_gt(split, 10);
    ck_assert_int_gt(nested, 0);
}
