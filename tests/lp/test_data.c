/* The relaxations of the models in tests/data/mip, whose optima other solvers found. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lp/simplex.h"
#include "tests/lp/certify.h"
#include "tests/lp/compare.h"
#include "tests/lp/owned.h"
#include "tests/suite.h"

SUITE("data");

static const char *const folder = "tests/data/mip";

static void check_relaxation(const char *name, const char *optimum)
{
    char path[256];
    base_error error = {""};
    snprintf(path, sizeof path, "%s/%s%s", folder, name, strchr(name, '.') ? "" : ".mps");
    OWNED(lp_model) *m = lp_model_read(path, &error);
    ck_assert_msg(m != NULL, "%s", error.text);
    ck_assert(!model_fault(m));
    OWNED(lp_solver) *s = lp_solver_create(m, NULL);
    const lp_status status = lp_solve(s);
    const char *fault = certify(m, s, status, 1e-9);
    ck_assert_msg(!*fault, "%s: %s", name, fault);
    if (!strcmp(optimum, "-")) {
        ck_assert_int_eq(status, LP_UNBOUNDED);
    } else {
        const double value = atof(optimum), found = lp_objective(s) * (m->maximize ? -1.0 : 1.0);
        ck_assert_int_eq(status, LP_OPTIMAL);
        ck_assert_msg(fabs(found - value) <= 1e-8 * (1.0 + fabs(value)), "%s: %.12g, not %s", name,
                      found, optimum);
    }
}

TEST(relaxations_of_known_models)
{
    char path[256], line[256], grade[16], name[64], optimum[32], relaxation[32];
    int count = 0;
    snprintf(path, sizeof path, "%s/optima.txt", folder);
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s cannot be read: tests run in the repository's folder", path);
    while (fgets(line, sizeof line, file)) {
        if (*line == '#')
            continue;
        ck_assert_int_eq(sscanf(line, "%15s %63s %31s %31s", grade, name, optimum, relaxation), 4);
        check_relaxation(name, relaxation);
        count++;
    }
    fclose(file);
    ck_assert_int_ge(count, 14);
}
