/* Draws the kinds of models, and finds their optima by enumerating the integers with an LP for
 * the rest. */
#include "models.h"

#include "lp/safe.h"
#include "lp/simplex.h"

typedef struct builder {
    lp_model *m;
    base_rng rng;
} builder;

static int draw(builder *b, int low, int high)
{
    return low + (int)base_rng_below(&b->rng, (uint64_t)high - (uint64_t)low + 1);
}

static double real(builder *b, double low, double high)
{
    return low + (high - low) * base_rng_double(&b->rng);
}

static void add_row(builder *b, double lower, double upper, int count, const int *cols,
                    const double *values)
{
    const int start[2] = {0, count};
    lp_model_add_rows(b->m, 1, &lower, &upper, start, cols, values, NULL);
}

/* Draws are statements of their own: the order of evaluation of arguments is open. */
static int add_col(builder *b, double cost, double lower, double upper, bool integer)
{
    return lp_model_add_col(b->m, cost, lower, upper, integer, 0, NULL, NULL, NULL);
}

typedef struct range {
    int low, high;
} range;

static void draw_col(builder *b, range cost, range lower, range upper, bool integer)
{
    const int c = draw(b, cost.low, cost.high), l = draw(b, lower.low, lower.high);
    add_col(b, c, l, draw(b, upper.low, upper.high), integer);
}

/* A row with random integers in about `density` of the columns. */
static int random_entries(builder *b, double density, int low, int high, int *cols, double *values)
{
    int count = 0;
    for (int j = 0; j < b->m->cols; j++) {
        const int v = draw(b, low, high);
        if (base_rng_double(&b->rng) < density && v != 0) {
            cols[count] = j;
            values[count++] = v;
        }
    }
    return count;
}

static void pure_integer(builder *b)
{
    int cols[16];
    double values[16];
    const int n = draw(b, 2, 6), rows = draw(b, 1, 5);
    for (int j = 0; j < n; j++)
        draw_col(b, (range){-9, 9}, (range){-2, 0}, (range){0, 4}, true);
    for (int r = 0; r < rows; r++) {
        const int count = random_entries(b, 0.7, -6, 9, cols, values);
        add_row(b, -LP_INFINITY, draw(b, -3, 15), count, cols, values);
    }
}

static void real_knapsacks(builder *b)
{
    int cols[16];
    double values[16];
    const int n = draw(b, 5, 12), rows = draw(b, 1, 3);
    for (int j = 0; j < n; j++)
        add_col(b, -real(b, 1.0, 20.0), 0.0, 1.0, true);
    for (int r = 0; r < rows; r++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++) {
            cols[j] = j;
            values[j] = real(b, 1.0, 20.0);
            values[j] *= draw(b, 0, 4) == 0 ? -0.5 : 1.0;
            sum += fmax(0.0, values[j]);
        }
        add_row(b, -LP_INFINITY, sum * real(b, 0.2, 0.7), n, cols, values);
    }
}

static void set_cover(builder *b)
{
    int cols[16];
    double values[16];
    const int n = draw(b, 5, 12), rows = draw(b, 4, 10);
    for (int j = 0; j < n; j++)
        add_col(b, draw(b, 1, 6), 0.0, 1.0, true);
    for (int r = 0; r < rows; r++) {
        const int count = random_entries(b, 0.35, 1, 1, cols, values);
        if (count > 0)
            add_row(b, draw(b, 0, 3) == 0 && count > 2 ? 2.0 : 1.0, LP_INFINITY, count, cols,
                    values);
    }
}

static void general_integers(builder *b)
{
    int cols[16];
    double values[16];
    const int n = draw(b, 3, 5), rows = draw(b, 1, 4);
    for (int j = 0; j < n; j++)
        draw_col(b, (range){-9, 9}, (range){-4, 1}, (range){2, 6}, j % 5 > 0);
    for (int r = 0; r < rows; r++) {
        const int count = random_entries(b, 0.8, -7, 7, cols, values);
        const int low = draw(b, -10, 10);
        const int sort = draw(b, 0, 2);
        const int width = sort == 2 ? 0 : draw(b, 1, 8);
        if (count > 0)
            add_row(b, sort == 0 ? -LP_INFINITY : low, low + width, count, cols, values);
    }
}

static void fixed_charge(builder *b)
{
    int cols[16];
    double values[16];
    const int n = draw(b, 2, 5);
    const double big = draw(b, 0, 1) ? 1000.0 : 20.0;
    for (int j = 0; j < n; j++) {
        add_col(b, real(b, 0.5, 3.0), 0.0, LP_INFINITY, false);
        add_col(b, draw(b, 3, 30), 0.0, 1.0, true);
    }
    for (int j = 0; j < n; j++) {
        const int pair[2] = {2 * j, 2 * j + 1};
        const double small = draw(b, 3, 9);
        const double a[2] = {1.0, draw(b, 0, 1) ? -big : -small};
        add_row(b, -LP_INFINITY, 0.0, 2, pair, a);
    }
    for (int r = 0; r < draw(b, 1, 3); r++) {
        int count = 0;
        for (int j = 0; j < n; j++)
            if (draw(b, 0, 2) > 0) {
                cols[count] = 2 * j;
                values[count++] = 1.0;
            }
        if (count > 0)
            add_row(b, draw(b, 2, 12), LP_INFINITY, count, cols, values);
    }
}

static void equality_knapsack(builder *b)
{
    int cols[16];
    double values[16];
    const int n = draw(b, 3, 6);
    for (int j = 0; j < n; j++)
        draw_col(b, (range){-5, 9}, (range){0, 0}, (range){1, 4}, true);
    for (int j = 0; j < n; j++) {
        cols[j] = j;
        values[j] = 2 * draw(b, 1, 12);
        values[j] += draw(b, 0, 3) == 3; /* one in four is odd */
    }
    const double side = draw(b, 10, 80);
    add_row(b, side, side, n, cols, values);
}

static void unbounded_continuous(builder *b)
{
    int cols[16];
    double values[16];
    const int n = draw(b, 2, 4), free = draw(b, 1, 3);
    for (int j = 0; j < n; j++)
        draw_col(b, (range){-6, 6}, (range){0, 0}, (range){1, 5}, true);
    for (int j = 0; j < free; j++)
        add_col(b, draw(b, 1, 5), j % 2 ? 0.0 : -LP_INFINITY, LP_INFINITY, false);
    for (int r = 0; r < free + 2; r++) {
        const int count = random_entries(b, 0.7, -5, 8, cols, values);
        if (count > 0)
            add_row(b, draw(b, -9, 9) / 3.0, LP_INFINITY, count, cols, values);
    }
    for (int j = n; j < n + free; j++) { /* keeps the costs bounded below */
        const double one = 1.0;
        add_row(b, -20.0, LP_INFINITY, 1, &j, &one);
    }
}

static void set_packing(builder *b)
{
    int cols[16];
    double values[16];
    const int n = draw(b, 6, 12), rows = draw(b, 4, 12);
    for (int j = 0; j < n; j++)
        add_col(b, draw(b, -9, 3), 0.0, 1.0, true);
    for (int r = 0; r < rows; r++) {
        const int count = random_entries(b, 0.25, 1, 1, cols, values);
        if (count > 1)
            add_row(b, draw(b, 0, 5) == 0 ? 1.0 : -LP_INFINITY, 1.0, count, cols, values);
    }
}

static void lot_sizing(builder *b)
{
    const int n = draw(b, 3, 6);
    int previous = -1;
    for (int t = 0; t < n; t++) {
        const int make = add_col(b, real(b, 0.5, 2.0), 0.0, LP_INFINITY, false);
        const int setup = add_col(b, draw(b, 5, 40), 0.0, 1.0, true);
        const int stock = add_col(b, real(b, 0.1, 1.5), 0.0, LP_INFINITY, false);
        const int balance[3] = {make, stock, previous};
        const double signs[3] = {1.0, -1.0, 1.0}, demand = draw(b, 0, 12);
        const int pair[2] = {make, setup};
        const double big[2] = {1.0, -(double)draw(b, 10, 40)};
        add_row(b, demand, demand, previous < 0 ? 2 : 3, balance, signs);
        add_row(b, -LP_INFINITY, 0.0, 2, pair, big);
        previous = stock;
    }
}

lp_model *random_model(int kind, uint64_t seed)
{
    static void (*const make[MODEL_KINDS])(builder *) = {
        pure_integer,      real_knapsacks,       set_cover,   general_integers, fixed_charge,
        equality_knapsack, unbounded_continuous, set_packing, lot_sizing};
    builder b = {lp_model_create(), {seed * 1000003u + (uint64_t)kind}};
    make[kind](&b);
    b.m->offset = (double)(seed % 7) - 3.0;
    return b.m;
}

/* ---- enumeration -------------------------------------------------------- */

typedef struct enumeration {
    const lp_model *m;
    lp_solver *lp;
    double *x;
    oracle_visit *visit;
    void *user;
} enumeration;

static void complete(enumeration *e)
{
    if (!e->lp) {
        if (lp_largest_miss(e->m, e->x, 1e-9, NULL) <= 1.0)
            e->visit(e->user, NULL, e->x);
        return;
    }
    const lp_status status = lp_solve(e->lp);
    ck_assert_msg(status == LP_OPTIMAL || status == LP_INFEASIBLE, "oracle LP: %s",
                  lp_status_name(status));
    if (status == LP_OPTIMAL)
        e->visit(e->user, e->lp, lp_primal(e->lp));
}

static void enumerate_from(enumeration *e, int j)
{
    while (j < e->m->cols && !e->m->integer[j])
        j++;
    if (j == e->m->cols) {
        complete(e);
        return;
    }
    const int last = (int)e->m->upper[j];
    for (int v = (int)e->m->lower[j]; v <= last; v++) {
        e->x[j] = v;
        if (e->lp)
            lp_set_bounds(e->lp, j, v, v);
        enumerate_from(e, j + 1);
    }
}

void oracle_enumerate(const lp_model *m, oracle_visit *visit, void *user)
{
    bool pure = true;
    for (int j = 0; j < m->cols; j++)
        pure = pure && m->integer[j];
    enumeration e = {m, pure ? NULL : lp_solver_create(m, NULL), NULL, visit, user};
    e.x = base_calloc((size_t)m->cols + 1, sizeof *e.x);
    enumerate_from(&e, 0);
    base_free(e.x);
    lp_solver_free(e.lp);
}

typedef struct best_point {
    const lp_model *m;
    oracle_result result;
} best_point;

static void keep_best(void *user, lp_solver *lp, const double *x)
{
    best_point *b = user;
    const double objective = lp ? lp_objective(lp) : lp_model_objective(b->m, x);
    b->result.feasible = true;
    b->result.objective = fmin(b->result.objective, objective);
}

oracle_result oracle_solve(const lp_model *m)
{
    best_point b = {m, {false, LP_INFINITY}};
    oracle_enumerate(m, keep_best, &b);
    return b.result;
}

void assert_agrees(const lp_model *m, const bnb_result *r, const oracle_result *o, const char *what,
                   int kind, uint64_t seed)
{
    const char *status = bnb_status_name(r->status);
    if (!o->feasible) {
        ck_assert_msg(r->status == BNB_INFEASIBLE, "%s kind %d seed %lu: %s, but infeasible", what,
                      kind, (unsigned long)seed, status);
        return;
    }
    ck_assert_msg(r->status == BNB_OPTIMAL, "%s kind %d seed %lu: %s, but optimum %.12g", what,
                  kind, (unsigned long)seed, status, o->objective);
    const double tolerance = 1e-6 * (1.0 + fabs(o->objective));
    ck_assert_msg(fabs(r->objective - o->objective) <= tolerance,
                  "%s kind %d seed %lu: objective %.12g, optimum %.12g", what, kind,
                  (unsigned long)seed, r->objective, o->objective);
    ck_assert_msg(r->bound <= o->objective + tolerance && r->bound >= o->objective - tolerance,
                  "%s kind %d seed %lu: bound %.12g, optimum %.12g", what, kind,
                  (unsigned long)seed, r->bound, o->objective);
    ck_assert(r->has_solution && lp_largest_miss(m, r->x, 1e-6, NULL) <= 1.0);
    for (int j = 0; j < m->cols; j++)
        ck_assert(!m->integer[j] || r->x[j] == nearbyint(r->x[j]));
    ck_assert_double_eq_tol(lp_model_objective(m, r->x), r->objective, tolerance);
}

bnb_params quiet_params(void)
{
    bnb_params p = bnb_params_default();
    p.log = 0;
    return p;
}

lp_model *cover_model(int cols, int rows, uint64_t seed)
{
    base_rng rng = {seed};
    lp_model *m = lp_model_create();
    for (int j = 0; j < cols; j++)
        lp_model_add_col(m, 1.0 + (double)base_rng_below(&rng, 100), 0.0, 1.0, true, 0, NULL, NULL,
                         NULL);
    for (int r = 0; r < rows; r++) {
        int col[8], count = 0;
        double value[8];
        for (int k = 0; k < 8; k++) {
            const int j = (int)base_rng_below(&rng, (uint64_t)(cols / 8)) * 8 + k;
            col[count] = j;
            value[count++] = 1.0;
        }
        const int start[2] = {0, count};
        const double lower = 1.0, upper = LP_INFINITY;
        lp_model_add_rows(m, 1, &lower, &upper, start, col, value, NULL);
    }
    return m;
}

void ignore_cut(void *user, long id, const bnb_cut *cut, const char *kind, const bnb_rounding *how)
{
    (void)user;
    (void)id;
    (void)cut;
    (void)kind;
    (void)how;
}

void ignore_branch(void *user, long node, int col, double value, long down, long up)
{
    (void)user;
    (void)node;
    (void)col;
    (void)value;
    (void)down;
    (void)up;
}

void ignore_leaf(void *user, long node, const bnb_leaf *leaf)
{
    (void)user;
    (void)node;
    (void)leaf;
}
