/* Column generation: the missing columns are known to a callback only. */
#include "lp/sift.h"

#include <string.h>

struct lp_column_list {
    int count, capacity, entries, entry_capacity;
    double *cost, *lower, *upper;
    int *start; /* extent count + 1 */
    int *row;
    double *value;
};

static void make_room(lp_column_list *l, int entries)
{
    if (l->count + 1 >= l->capacity) {
        l->capacity = 2 * l->capacity + 64;
        size_t size = (size_t)l->capacity;
        l->cost = base_realloc(l->cost, size, sizeof *l->cost);
        l->lower = base_realloc(l->lower, size, sizeof *l->lower);
        l->upper = base_realloc(l->upper, size, sizeof *l->upper);
        l->start = base_realloc(l->start, size + 1, sizeof *l->start);
        l->start[0] = 0;
    }
    if (entries > l->entry_capacity - l->entries) {
        l->entry_capacity = 2 * l->entry_capacity + entries + 256;
        size_t size = (size_t)l->entry_capacity;
        l->row = base_realloc(l->row, size, sizeof *l->row);
        l->value = base_realloc(l->value, size, sizeof *l->value);
    }
}

void lp_column_list_add(lp_column_list *l, double cost, double lower, double upper, int count,
                        const int *rows, const double *values)
{
    make_room(l, count);
    l->cost[l->count] = cost;
    l->lower[l->count] = lower;
    l->upper[l->count] = upper;
    if (count > 0) {
        memcpy(l->row + l->entries, rows, (size_t)count * sizeof *rows);
        memcpy(l->value + l->entries, values, (size_t)count * sizeof *values);
    }
    l->entries += count;
    l->start[++l->count] = l->entries;
}

static void list_free(lp_column_list *l)
{
    base_free(l->cost);
    base_free(l->lower);
    base_free(l->upper);
    base_free(l->start);
    base_free(l->row);
    base_free(l->value);
}

lp_status lp_sift_columns(lp_solver *master, lp_price_function *price, void *context, int *rounds)
{
    lp_column_list list = {0};
    lp_method method = lp_solver_params(master)->method;
    lp_status status;
    int count = 0;
    for (;;) {
        status = lp_solve(master);
        count++;
        list.count = list.entries = 0;
        if (status == LP_OPTIMAL)
            price(context, lp_dual(master), false, &list);
        else if (status == LP_INFEASIBLE)
            price(context, lp_farkas(master), true, &list);
        if (list.count == 0)
            break;
        lp_add_cols(master, list.count, list.cost, list.lower, list.upper, list.start, list.row,
                    list.value);
        /* The last point is feasible still: the primal simplex goes on from there. */
        lp_solver_params(master)->method = status == LP_OPTIMAL ? LP_METHOD_PRIMAL : method;
    }
    lp_solver_params(master)->method = method;
    list_free(&list);
    if (rounds)
        *rounds = count;
    return status;
}
