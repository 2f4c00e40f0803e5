#include "benchmarks/lp_alone.h"

#include <jansson.h>
#include <stdlib.h>
#include <unistd.h>

#include "benchmarks/store.h"
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

static void seed_path(const char *path, char name[STORE_PATH])
{
    snprintf(name, STORE_PATH, "%s.seed", path);
}

int lp_alone_write_seed(const char *path, const bool *seed, int cols, base_error *error)
{
    char name[STORE_PATH];
    seed_path(path, name);
    base_output *out = base_output_open(name, error);
    if (!out)
        return -1;
    for (int j = 0; j < cols; j++)
        if (seed[j])
            fprintf(base_output_stream(out), "%d\n", j);
    return base_output_commit(out, error);
}

void lp_alone_remove_seed(const char *path)
{
    char name[STORE_PATH];
    seed_path(path, name);
    unlink(name);
}

bool *lp_alone_read_seed(const char *path, int cols)
{
    char name[STORE_PATH];
    int column;
    seed_path(path, name);
    FILE *file = fopen(name, "r");
    if (!file) {
        fprintf(stderr, "bench-lp: cannot read %s\n", name);
        return NULL;
    }
    bool *seed = base_calloc((size_t)cols + 1, sizeof *seed);
    while (fscanf(file, "%d", &column) == 1)
        if (column >= 0 && column < cols)
            seed[column] = true;
    fclose(file);
    return seed;
}

int lp_alone_sift(const char *path, bool seeded, double limit)
{
    lp_model *m = read_model(path);
    bool *seed = m && seeded ? lp_alone_read_seed(path, m->cols) : NULL;
    if (!m || (seeded && !seed)) {
        lp_model_free(m);
        return EXIT_FAILURE;
    }
    const double started = base_seconds();
    lp_sift_params params = lp_sift_params_default();
    params.lp.limits.deadline = started + limit;
    lp_sift_result r = lp_sift_model(m, seed, &params);
    json_t *answer =
        json_pack("{s:s, s:o, s:o, s:I, s:i, s:i, s:i, s:f}", "status", lp_status_name(r.status),
                  "objective", real_or_null(r.status == LP_OPTIMAL ? r.objective : NAN), "bound",
                  real_or_null(r.bound), "iterations", (json_int_t)r.iterations, "rounds", r.rounds,
                  "columns", r.columns, "rows", r.rows, "seconds", base_seconds() - started);
    json_dumpf(answer, stdout, 0);
    fputc('\n', stdout);
    json_decref(answer);
    lp_sift_result_clear(&r);
    base_free(seed);
    lp_model_free(m);
    return EXIT_SUCCESS;
}
