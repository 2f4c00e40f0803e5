/* formulation/check: any schedule, made canonical, meets every row; a row that is wrong is named by
 * its family and place. */
#include <stdlib.h>
#include <string.h>

#include "formulation/check.h"
#include "tests/formulation/canonical.h"
#include "tests/formulation/support.h"
#include "tests/oracle/bait_instance.h"
#include "tests/oracle/oracle.h"
#include "tests/oracle/scramble.h"
#include "tests/problem/owned.h"
#include "tests/suite.h"

SUITE("formulation: check of rows", .seconds = 120);

enum { WAYS = 100000 };

static double overhead_of(const problem *p, const schedule *s)
{
    problem roomy = *p; /* a canonical schedule may rest on early releases */
    validation v;
    base_error error;
    roomy.ram_budget_bytes = INT64_MAX;
    ck_assert_msg(schedule_validate(&roomy, s, &v, &error) == 0, "%s", error.text);
    return v.overhead_joules;
}

/* NULL, or what is wrong with s made canonical. */
static const char *fault_of(const problem *p, const schedule *s, uint64_t seed)
{
    OWNED(schedule) *canonical = formulation_canonical(p, s);
    const char *fault = canonical_fault(p, canonical, seed);
    if (overhead_of(p, canonical) > overhead_of(p, s) * (1 + 1e-12))
        fault = "it costs more";
    return fault;
}

/* Schedules near the optimum and far from it, of every family of instances. */
static int check(uint64_t first, int count, uint64_t step, int max_nodes)
{
    int found = 0;
    count = MANY(count);
    for (uint64_t seed = first; seed < first + (uint64_t)count * step; seed += step) {
        OWNED(random_instance) r = any_instance_make(seed, max_nodes);
        base_rng rng = {seed};
        OWNED(schedule) *s = oracle_search(&r.problem, WAYS).schedule;
        for (int k = 0; k < 3 && s; k++) {
            const char *fault = fault_of(&r.problem, s, base_rng_next(&rng));
            ck_assert_msg(!fault, "seed %llu (%s), %d: %s", (unsigned long long)seed,
                          any_family_name(any_family(seed)), k, fault);
            ck_assert(formulation_check_schedule(&r.problem, FORMULATION_DEFAULT, s, NULL));
            schedule_scramble(&r.problem, s, &rng);
        }
        found += s != NULL;
    }
    return found;
}

TEST(any_schedule_made_canonical_meets_all_rows)
{
    ck_assert_int_ge(check(0, 1500, 1, 7), MANY(1000));
    ck_assert_int_ge(check(ANY_FAMILIES - 1, 400, ANY_FAMILIES, 10), MANY(200));
}

/* Of each family that s meets with equality somewhere, one row is made wrong: it is named. */
static void spoil(const formulation *f, const schedule *s, bool *named)
{
    row_check check;
    lp_model *m = f->model;
    for (int r = 0; r < m->rows; r++) {
        const int kind = f->row[r].kind;
        const double upper = m->row_upper[r];
        if (named[kind] || upper >= LP_INFINITY)
            continue;
        m->row_upper[r] -= 1;
        if (!formulation_check_rows(f, s, &check)) {
            char *text = NULL, wanted[80];
            size_t size = 0;
            FILE *out = open_memstream(&text, &size);
            formulation_check_print(f, &check, out);
            fclose(out);
            ck_assert_int_eq(check.broken_families, 1);
            ck_assert_int_eq(check.broken[kind], 1);
            ck_assert_int_eq(check.first[kind], r);
            snprintf(wanted, sizeof wanted, "%s: 1 of %ld rows are broken, the first at",
                     formulation_rows[kind].name, check.rows[kind]);
            ck_assert_msg(strncmp(text, wanted, strlen(wanted)) == 0, "%s", text);
            if (f->row[r].t >= 0) {
                snprintf(wanted, sizeof wanted, " stage %d", f->row[r].t);
                ck_assert_contains(text, wanted);
            }
            free(text);
            named[kind] = true;
        }
        m->row_upper[r] = upper;
    }
}

TEST(wrong_rows_are_named)
{
    bool named[ROW_KINDS] = {false};
    for (uint64_t seed = 0; seed < 300; seed++) {
        OWNED(random_instance) r = any_instance_make(seed, 6);
        OWNED(schedule) *s = oracle_search(&r.problem, WAYS).schedule;
        for (int canonical = 0; canonical < 2 && s; canonical++) {
            const unsigned features = canonical
                                          ? FORMULATION_DEFAULT | FORMULATION_TOTALS
                                          : FORMULATION_DEFAULT & ~(unsigned)FORMULATION_CANONICAL;
            OWNED(uint8_t) *mask = formulation_mask_full(&r.problem, features);
            OWNED(formulation) *f = formulation_build(&r.problem, features, mask, 1);
            OWNED(schedule) *x =
                canonical ? formulation_canonical(&r.problem, s) : schedule_copy(s);
            spoil(f, x, named);
        }
    }
    for (int kind = 0; kind < ROW_KINDS; kind++)
        ck_assert_msg(named[kind] || kind == ROW_FREE_BIGM, "%s", formulation_rows[kind].name);
}

/* A cell that the model lacks is a fault of the reductions. */
TEST(missing_cells_are_named)
{
    int named = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        OWNED(random_instance) r = any_instance_make(seed, 6);
        OWNED(schedule) *s = oracle_search(&r.problem, WAYS).schedule;
        const unsigned features = FORMULATION_DEFAULT & ~(unsigned)FORMULATION_CANONICAL;
        uint8_t *mask = formulation_mask_full(&r.problem, features);
        for (int t = 0; t < r.graph->n && s; t++)
            for (int i = 0; i < t; i++) {
                const size_t cell = schedule_cell(s, t, i);
                if (!s->R[cell])
                    continue;
                mask[cell] &= (uint8_t)~MASK_R;
                formulation *f = formulation_build(&r.problem, features, mask, 1);
                row_check c;
                ck_assert(!formulation_check_rows(f, s, &c));
                ck_assert(!c.in_model);
                ck_assert_int_eq(c.missing_kind, CELL_R);
                ck_assert_int_eq(c.missing_t, t);
                ck_assert_int_eq(c.missing_i, i);
                formulation_free(f);
                mask[cell] |= MASK_R;
                named++;
            }
        base_free(mask);
    }
    ck_assert_int_gt(named, 50);
}
