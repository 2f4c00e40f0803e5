/* Draws staircases of production, transports and regressions, and changes their units. */
#include "tests/lp/open_models.h"

#include "lp/simplex.h"
#include "tests/owned.h"

enum { GOODS = 4, PERIODS_LEAST = 3 };

static void add(lp_model *m, double cost, double lower, double upper, int count, const int *rows,
                const double *values)
{
    lp_model_add_col(m, cost, lower, upper, false, count, rows, values, NULL);
}

/* Row of good g's balance in period t, then the period's capacity and transfer rows. */
static int balance(int t, int g)
{
    return t * (GOODS + 2) + g;
}

/* Per period and good: make (uses capacity), keep, sell for less than making costs at the margin;
 * transfers between goods may go either way, and sum to zero in a period. */
static lp_model *staircase(int periods, base_rng *rng)
{
    lp_model *m = lp_model_create();
    OWNED(double) *demand = base_malloc((size_t)(periods * GOODS) + 1, sizeof *demand);
    for (int t = 0; t < periods; t++) {
        double needed = 0.0;
        for (int g = 0; g < GOODS; g++) {
            const double d = demand[t * GOODS + g] = 1.0 + 0.1 * (double)base_rng_below(rng, 90);
            lp_model_add_row(m, d, d, NULL);
            needed += 2.0 * d;
        }
        lp_model_add_row(m, -LP_INFINITY, needed, NULL);
        lp_model_add_row(m, 0.0, 0.0, NULL);
    }
    for (int t = 0; t < periods; t++)
        for (int g = 0; g < GOODS; g++) {
            const int own = balance(t, g), capacity = balance(t, GOODS);
            const double use = 0.5 + 0.01 * (double)base_rng_below(rng, 100);
            const double cost = 1.0 + 0.37 * (double)base_rng_below(rng, 20);
            add(m, cost, 0.0, LP_INFINITY, 2, (int[]){own, capacity}, (double[]){1.0, use});
            add(m, -0.3 * cost, 0.0, LP_INFINITY, 1, (int[]){own}, (double[]){-1.0 / 3.0});
            add(m, 0.01 * (double)g, -LP_INFINITY, LP_INFINITY, 2, (int[]){own, capacity + 1},
                (double[]){1.0, 0.7 + 0.1 * g});
            if (t + 1 < periods)
                add(m, g % 2 ? 0.0 : 0.013, 0.0, LP_INFINITY, 2, (int[]){own, balance(t + 1, g)},
                    (double[]){-1.0, 0.99});
        }
    return m;
}

static lp_model *transport(int places, base_rng *rng)
{
    lp_model *m = lp_model_create();
    for (int i = 0; i < 2 * places; i++)
        lp_model_add_row(m, i < places ? -LP_INFINITY : 3.0, i < places ? 3.0 : LP_INFINITY, NULL);
    for (int i = 0; i < places; i++)
        for (int j = 0; j < places; j++) {
            const double a = 0.1 * (double)(1 + base_rng_below(rng, 3));
            if (i != j && base_rng_below(rng, 3) == 0)
                continue;
            add(m, 0.1 * (double)(1 + base_rng_below(rng, 2)), 0.0, LP_INFINITY, 2,
                (int[]){i, places + j}, (double[]){a, a});
        }
    return m;
}

static lp_model *regression(int points, base_rng *rng)
{
    enum { TERMS = 6 };
    lp_model *m = lp_model_create();
    OWNED(int) *rows = base_malloc((size_t)points + 1, sizeof *rows);
    OWNED(double) *values = base_malloc((size_t)points + 1, sizeof *values);
    for (int i = 0; i < points; i++) {
        const double side = 10.0 * base_rng_double(rng);
        lp_model_add_row(m, side, side, NULL);
        rows[i] = i;
    }
    for (int k = 0; k < TERMS; k++) {
        for (int i = 0; i < points; i++)
            values[i] = 2.0 * base_rng_double(rng) - 1.0;
        add(m, 0.0, -LP_INFINITY, LP_INFINITY, points, rows, values);
    }
    for (int i = 0; i < points; i++) {
        add(m, 1.0, 0.0, LP_INFINITY, 1, &i, (double[]){1.0});
        add(m, 1.0, 0.0, LP_INFINITY, 1, &i, (double[]){-1.0});
    }
    return m;
}

/* Rows and columns in units of powers of ten, rounded as such numbers are. */
static void change_units(lp_model *m, base_rng *rng)
{
    OWNED(double) *row = base_malloc((size_t)m->rows + 1, sizeof *row);
    for (int r = 0; r < m->rows; r++) {
        row[r] = pow(10.0, (double)base_rng_below(rng, 7) - 3.0);
        m->row_lower[r] *= row[r];
        m->row_upper[r] *= row[r];
    }
    for (int j = 0; j < m->cols; j++) {
        const double unit = pow(10.0, (double)base_rng_below(rng, 5) - 2.0);
        m->cost[j] *= unit;
        m->lower[j] /= unit;
        m->upper[j] /= unit;
        for (int k = m->start[j]; k < m->start[j + 1]; k++)
            m->value[k] *= unit * row[m->index[k]];
    }
}

lp_model *open_model(open_family family, int size, uint64_t seed)
{
    base_rng rng = {seed + 7919 * (uint64_t)family};
    const int periods = size / (GOODS + 2) > PERIODS_LEAST ? size / (GOODS + 2) : PERIODS_LEAST;
    if (family == OPEN_TRANSPORT)
        return transport(size / 2, &rng);
    if (family == OPEN_REGRESSION)
        return regression(size, &rng);
    lp_model *m = staircase(periods, &rng);
    if (family == OPEN_SCALED)
        change_units(m, &rng);
    return m;
}

lp_model *open_infeasible(open_family family, int size, double excess, uint64_t seed)
{
    lp_model *m = open_model(family, size, seed);
    lp_solver *s = lp_solver_create(m, NULL);
    lp_solve(s);
    const double objective = lp_objective(s), side = objective - excess * (1.0 + fabs(objective));
    lp_solver_free(s);
    int *cols = base_malloc((size_t)m->cols + 1, sizeof *cols), start[2] = {0, 0};
    double *values = base_malloc((size_t)m->cols + 1, sizeof *values);
    for (int j = 0; j < m->cols; j++)
        if (m->cost[j] != 0.0) {
            cols[start[1]] = j;
            values[start[1]++] = m->cost[j];
            m->cost[j] = 0.0;
        }
    lp_model_add_rows(m, 1, (double[]){-LP_INFINITY}, &side, start, cols, values, NULL);
    base_free_all(cols, values);
    return m;
}
