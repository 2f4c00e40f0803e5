#include "benchmarks/lp_alone.h"

#include <jansson.h>
#include <stdlib.h>

#include "lp/sift.h"

static lp_model *read_model(const char *path)
{
    base_error error;
    lp_model *m = lp_model_read(path, &error);
    if (!m)
        fprintf(stderr, "bench-lp: %s\n", error.text);
    return m;
}

int lp_alone_read(const char *path)
{
    lp_model *m = read_model(path);
    lp_model_free(m);
    return m ? EXIT_SUCCESS : EXIT_FAILURE;
}

static json_t *real_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

int lp_alone_sift(const char *path, double limit)
{
    lp_model *m = read_model(path);
    if (!m)
        return EXIT_FAILURE;
    const double started = base_seconds();
    lp_sift_params params = lp_sift_params_default();
    params.lp.limits.deadline = started + limit;
    lp_sift_result r = lp_sift_model(m, NULL, &params);
    json_t *answer =
        json_pack("{s:s, s:o, s:o, s:I, s:i, s:i, s:i, s:f}", "status", lp_status_name(r.status),
                  "objective", real_or_null(r.status == LP_OPTIMAL ? r.objective : NAN), "bound",
                  real_or_null(r.bound), "iterations", (json_int_t)r.iterations, "rounds", r.rounds,
                  "columns", r.columns, "rows", r.rows, "seconds", base_seconds() - started);
    json_dumpf(answer, stdout, 0);
    fputc('\n', stdout);
    json_decref(answer);
    lp_sift_result_clear(&r);
    lp_model_free(m);
    return EXIT_SUCCESS;
}
