/* Every cut must hold at every integral point that is better than the incumbent at the time:
 * the greatest and least activity over all of them is compared with its sides. */
#include "models.h"

#include "bnb/cuts/separation.h"
#include "lp/simplex/engine.h"
#include "tests/lp/owned.h"
#include "tests/suite.h"

#include <string.h>

SUITE("validity", .seconds = 120);

typedef struct kept_cut {
    int count;
    int *col;
    double *value;
    double lower, upper, incumbent;
    const char *kind;
} kept_cut;

typedef struct cut_list {
    kept_cut *cut;
    int count;
    double incumbent;
    const lp_model *m;
} cut_list;

static void keep_cut(void *user, long id, const bnb_cut *cut, const char *kind,
                     const bnb_rounding *how)
{
    cut_list *list = user;
    (void)id;
    (void)how;
    list->cut = base_realloc(list->cut, (size_t)list->count + 1, sizeof *list->cut);
    kept_cut *k = &list->cut[list->count++];
    *k = (kept_cut){cut->count, NULL, NULL, cut->lower, cut->upper, list->incumbent, kind};
    k->col = base_malloc((size_t)cut->count, sizeof *k->col);
    k->value = base_malloc((size_t)cut->count, sizeof *k->value);
    memcpy(k->col, cut->col, (size_t)cut->count * sizeof *k->col);
    memcpy(k->value, cut->value, (size_t)cut->count * sizeof *k->value);
}

static void follow_incumbent(void *user, const double *x, double objective, const char *source)
{
    (void)x, (void)source;
    ((cut_list *)user)->incumbent = objective;
}

static double activity(const kept_cut *c, const double *x)
{
    double sum = 0.0;
    for (int k = 0; k < c->count; k++)
        sum += c->value[k] * x[c->col[k]];
    return sum;
}

/* For mixed models: the extreme activity within this integer assignment, among points that
 * beat the incumbent. */
static void check_by_lp(const cut_list *list, const kept_cut *c, const lp_solver *assigned)
{
    OWNED(lp_model) *m = lp_model_copy(list->m);
    memset(m->cost, 0, (size_t)m->cols * sizeof *m->cost);
    memcpy(m->lower, assigned->model->lower, (size_t)m->cols * sizeof *m->lower);
    memcpy(m->upper, assigned->model->upper, (size_t)m->cols * sizeof *m->upper);
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int k = 0; k < c->count; k++)
            m->cost[c->col[k]] = sign * c->value[k];
        OWNED(lp_solver) *lp = lp_solver_create(m, NULL);
        if (lp_solve(lp) == LP_OPTIMAL) {
            const double *x = lp_primal(lp);
            const double a = activity(c, x), slack = 1e-6 * (1.0 + fabs(a));
            if (lp_model_objective(list->m, x) < c->incumbent - 1e-6)
                ck_assert_msg(a <= c->upper + slack && a >= c->lower - slack,
                              "%s cut loses a point: %.12g outside [%.12g, %.12g]", c->kind, a,
                              c->lower, c->upper);
        }
    }
}

static void check_point(void *user, lp_solver *lp, const double *x)
{
    const cut_list *list = user;
    for (int i = 0; i < list->count; i++) {
        const kept_cut *c = &list->cut[i];
        if (lp) {
            check_by_lp(list, c, lp);
            continue;
        }
        const double a = activity(c, x);
        if (lp_model_objective(list->m, x) < c->incumbent - 1e-9)
            ck_assert_msg(a <= c->upper + 1e-9 && a >= c->lower - 1e-9,
                          "%s cut loses a point: %.17g outside [%.17g, %.17g]", c->kind, a,
                          c->lower, c->upper);
    }
}

/* Cuts of one family on many models; the family must have found some. */
static void check_family(int kind, bool mir, bool gomory, const char *name, int *found)
{
    for (uint64_t seed = 5001; seed <= 5040; seed++) {
        OWNED(lp_model) *m = random_model(kind, seed);
        cut_list list = {NULL, 0, LP_INFINITY, m};
        const bnb_proof proof = {.user = &list, .cut = keep_cut};
        const bnb_callbacks callbacks = {.user = &list, .incumbent = follow_incumbent};
        bnb_params p = quiet_params();
        p.proof = &proof;
        p.tuning.cuts_mir = mir;
        p.tuning.cuts_gomory = gomory;
        p.tuning.rounding = p.tuning.dive = p.tuning.rins = false;
        OWNED(bnb_result) r = bnb_solve(m, &p, &callbacks);
        oracle_enumerate(m, check_point, &list);
        for (int i = 0; i < list.count; i++) {
            *found += strcmp(list.cut[i].kind, name) == 0;
            base_free(list.cut[i].col);
            base_free(list.cut[i].value);
        }
        base_free(list.cut);
    }
}

LOOP_TEST(cuts_are_valid, 2)
{
    static const char *const names[] = {"mir", "gomory"};
    int found = 0;
    for (int kind = 0; kind < MODEL_KINDS; kind++)
        check_family(kind, _i == 0, _i == 1, names[_i], &found);
    ck_assert_msg(found > 20, "only %d %s cuts found: nothing was tested", found, names[_i]);
}

/* Rounding on real weights, straight from the separator: one knapsack, many points. */
TEST(roundings_of_knapsacks)
{
    int found = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        base_rng rng = {seed};
        const int n = 4 + (int)base_rng_below(&rng, 9);
        OWNED(lp_model) *m = lp_model_create();
        OWNED(double) *x = base_malloc((size_t)n, sizeof *x),
                      *a = base_malloc((size_t)n, sizeof *a);
        OWNED(int) *cols = base_malloc((size_t)n, sizeof *cols);
        double sum = 0.0, fractional = 0.0;
        for (int j = 0; j < n; j++) {
            lp_model_add_col(m, 0.0, 0.0, 1.0, true, 0, NULL, NULL, NULL);
            cols[j] = j;
            /* Whole weights half of the time: ties are where rounding can go wrong. */
            a[j] = seed % 2 ? 1.0 + (double)base_rng_below(&rng, 12)
                            : 0.5 + 10.0 * base_rng_double(&rng);
            if (base_rng_below(&rng, 5) == 0)
                a[j] = -a[j];
            x[j] = base_rng_below(&rng, 2) ? 1.0 : base_rng_double(&rng);
            sum += fmax(a[j], 0.0);
        }
        for (int j = 0; j < n; j++)
            fractional += a[j] * x[j];
        double side = floor(fmin(fractional + 0.3, 0.8 * sum));
        const int start[2] = {0, n};
        const double none = -LP_INFINITY;
        lp_model_add_rows(m, 1, &none, &side, start, cols, a, NULL);
        lp_model *copy = lp_model_copy(m);
        bnb_instance *in = bnb_instance_create(copy, 1, n, NULL, NULL, false);
        bnb_separation s;
        bnb_separation_init(&s, in);
        bnb_row_view row = {n, cols, a, -LP_INFINITY, side, false};
        s.lower = m->lower;
        s.upper = m->upper;
        s.x = x;
        s.rows = s.all_rows = 1;
        s.row = &row;
        s.activity = &fractional;
        s.min_efficacy = 1e-6;
        bnb_base_reset(&s);
        bnb_base_add(&s, 0, 1.0);
        bnb_base_separate(&s, false, "mir");
        for (int i = 0; i < s.cuts; i++)
            for (unsigned point = 0; point < 1u << n; point++) {
                double y[16], used = 0.0;
                for (int j = 0; j < n; j++) {
                    y[j] = point >> j & 1u;
                    used += a[j] * y[j];
                }
                if (used <= side)
                    ck_assert_msg(bnb_poolcut_activity(s.cut[i], y) <= s.cut[i]->upper + 1e-12,
                                  "seed %lu: point %u is cut off", (unsigned long)seed, point);
            }
        found += s.cuts;
        bnb_separation_clear(&s);
        bnb_instance_free(in);
    }
    ck_assert_int_gt(found, 40);
}
