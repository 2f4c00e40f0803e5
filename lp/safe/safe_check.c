/* Checks of points, rays and multipliers, within tolerances. */
#include "lp/safe.h"

/* Part of its terms below which a sum counts as 0. */
static const double tolerance = 1e-9;

lp_course lp_direction_course(const lp_model *m, const double *direction)
{
    long double slope = 0.0L, slope_size = 0.0L;
    double largest = 0.0;
    bool recedes = true;
    for (int j = 0; j < m->cols; j++) {
        if (!isfinite(direction[j]))
            return LP_COURSE_BLOCKED;
        largest = fmax(largest, fabs(direction[j]));
    }
    long double *row = base_calloc((size_t)m->rows + 1, sizeof *row);
    long double *row_size = base_calloc((size_t)m->rows + 1, sizeof *row_size);
    for (int j = 0; j < m->cols; j++) {
        const double x = direction[j];
        if ((x < -tolerance * largest && m->lower[j] != -LP_INFINITY) ||
            (x > tolerance * largest && m->upper[j] != LP_INFINITY))
            recedes = false;
        slope += (long double)m->cost[j] * x;
        slope_size += fabsl((long double)m->cost[j] * x);
        for (int k = m->start[j]; k < m->start[j + 1]; k++) {
            const long double term = (long double)m->value[k] * x;
            row[m->index[k]] += term;
            row_size[m->index[k]] += fabsl(term);
        }
    }
    for (int r = 0; r < m->rows; r++) {
        if ((row[r] < -tolerance * row_size[r] && m->row_lower[r] != -LP_INFINITY) ||
            (row[r] > tolerance * row_size[r] && m->row_upper[r] != LP_INFINITY))
            recedes = false;
    }
    base_free_all(row, row_size);
    if (!recedes)
        return LP_COURSE_BLOCKED;
    const bool flat = fabsl(slope) <= tolerance * slope_size;
    return flat ? LP_COURSE_FLAT : slope < 0.0L ? LP_COURSE_FALLS : LP_COURSE_RISES;
}

bool lp_ray_is_proof(const lp_model *m, const double *direction)
{
    return lp_direction_course(m, direction) == LP_COURSE_FALLS;
}

/* Returns the violation by value as a multiple of the room at the side; infinity if value is not
 * finite. */
static double miss(long double value, double lower, double upper, double room)
{
    if (!isfinite(value))
        return LP_INFINITY;
    const double below = isinf(lower) ? 0.0 : (double)(lower - value) / lp_side_room(lower, room);
    const double above = isinf(upper) ? 0.0 : (double)(value - upper) / lp_side_room(upper, room);
    return fmax(0.0, fmax(below, above));
}

double lp_largest_miss(const lp_model *m, const double *x, double room, int *missed)
{
    long double *activity = base_calloc((size_t)m->rows + 1, sizeof *activity);
    double largest = 0.0;
    int at = 0;
    for (int j = 0; j < m->cols; j++)
        for (int k = m->start[j]; k < m->start[j + 1]; k++)
            activity[m->index[k]] += (long double)m->value[k] * x[j];
    for (int v = 0; v < m->cols + m->rows; v++) {
        const int r = v - m->cols;
        const double by = r < 0 ? miss(x[v], m->lower[v], m->upper[v], room)
                                : miss(activity[r], m->row_lower[r], m->row_upper[r], room);
        if (by > largest) {
            largest = by;
            at = v;
        }
    }
    base_free(activity);
    if (missed)
        *missed = at;
    return largest;
}

/* Returns the least cost of a column that makes up for a change of x_j by one in some row; 0 if
 * there is none. O(entries of the model) */
static double cost_of_exchange(const lp_model *m, int j)
{
    double least = LP_INFINITY;
    for (int i = 0; i < m->cols; i++) {
        int e = m->start[j];
        for (int k = m->start[i]; i != j && m->cost[i] != 0.0 && k < m->start[i + 1]; k++) {
            while (e < m->start[j + 1] && m->index[e] < m->index[k])
                e++;
            if (e < m->start[j + 1] && m->index[e] == m->index[k])
                least = fmin(least, fabs(m->cost[i] * m->value[e] / m->value[k]));
        }
    }
    return isfinite(least) ? least : 0.0;
}

/* Adds the minimum of d x_j over [lower, upper] to the sum; d is a difference of terms with this
 * total size. At an infinite bound a d that counts as 0 adds nothing. False if the minimum is
 * -infinity. */
static bool add_unproven(const lp_model *m, int j, long double d, long double size, double lower,
                         double upper, long double *sum)
{
    const double side = d > 0.0L ? lower : upper;
    if (isfinite(side))
        *sum += d * side;
    return isfinite(side) || fabsl(d) <= tolerance * size ||
           fabsl(d) <= tolerance * (size + cost_of_exchange(m, j));
}

double lp_unproven_bound(const lp_model *m, const double *lower, const double *upper,
                         const double *y, const double *low)
{
    long double sum = m->offset;
    long double *usable = base_malloc((size_t)m->rows + 1, sizeof *usable);
    bool finite = true;
    for (int r = 0; r < m->rows; r++) {
        const double side = y[r] > 0.0 ? m->row_lower[r] : m->row_upper[r];
        usable[r] = isinf(side) ? 0.0L : (long double)y[r] + (low ? low[r] : 0.0);
        sum += isinf(side) ? 0.0L : usable[r] * side;
    }
    for (int j = 0; finite && j < m->cols; j++) {
        long double d = m->cost[j], size = fabsl(d);
        for (int k = m->start[j]; k < m->start[j + 1]; k++) {
            const long double term = m->value[k] * usable[m->index[k]];
            d -= term;
            size += fabsl(term);
        }
        finite = add_unproven(m, j, d, size, (lower ? lower : m->lower)[j],
                              (upper ? upper : m->upper)[j], &sum);
    }
    base_free(usable);
    return finite && isfinite(sum) ? (double)sum : -LP_INFINITY;
}
