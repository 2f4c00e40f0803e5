/* Schedules from solution vectors of the tight model and back. */
#include "formulation/internal.h"
#include "formulation/total.h"

#include <math.h>
#include <string.h>

schedule *formulation_extract(const formulation *f, const double *x)
{
    int n = f->problem->graph->n;
    schedule *s = schedule_create(n);
    for (int t = 0; t < n; t++)
        for (int i = 0; i < t; i++) {
            size_t cell = cell_index(f, t, i);
            int r = f->cell[CELL_R][cell], c = f->cell[CELL_C][cell], p = f->cell[CELL_P][cell];
            int in = f->cell[CELL_IN][cell], out = f->cell[CELL_OUT][cell];
            s->R[cell] = r >= 0 && x[r] > 0.5;
            s->S[cell] = (c >= 0 && x[c] > 0.5) || (p >= 0 && x[p] > 0.5);
            s->In[cell] = in >= 0 && x[in] > 0.5;
            s->Out[cell] = out >= 0 && x[out] > 0.5;
            if (t > i + 1) {
                size_t before = cell_index(f, t - 1, i);
                s->A[cell] = s->A[before] || s->Out[before];
            }
        }
    return s;
}

bool formulation_early_release(const formulation *f, const schedule *s, int t, int i)
{
    const graph *g = f->problem->graph;
    if (t <= i + 1 || f->early_col[cell_index(f, t, i)] < 0 || !s->Out[cell_index(f, t, i)] ||
        (t + 1 < g->n && s->S[cell_index(f, t + 1, i)]))
        return false;
    for (int e = g->user_start[i]; e < g->user_start[i + 1] && g->user[e] <= t; e++)
        if (s->R[cell_index(f, t, g->user[e])])
            return false;
    return true;
}

/* Peak of stage t, minus the releases at its beginning. hidden: scratch, extent n. */
static int64_t peak_with_early_releases(const formulation *f, schedule *s, int t, int *hidden)
{
    int count = 0;
    for (int i = 0; i < t; i++)
        if (formulation_early_release(f, s, t, i)) {
            s->S[cell_index(f, t, i)] = 0;
            hidden[count++] = i;
        }
    const int64_t peak = schedule_stage_memory(f->problem, s, t, NULL);
    while (count > 0)
        s->S[cell_index(f, t, hidden[--count])] = 1;
    return peak;
}

bool formulation_admits(const formulation *f, const schedule *s)
{
    if (schedule_validate(f->problem, s, NULL, NULL) == 0)
        return true;
    problem roomy = *f->problem;
    roomy.ram_budget_bytes = INT64_MAX;
    if (!(f->features & FORMULATION_CANONICAL) || schedule_validate(&roomy, s, NULL, NULL) != 0)
        return false;
    schedule *copy = schedule_copy(s);
    int *hidden = base_malloc((size_t)s->n, sizeof *hidden);
    bool fits = true;
    for (int t = 0; t < s->n && fits; t++)
        fits = peak_with_early_releases(f, copy, t, hidden) <= f->problem->ram_budget_bytes;
    base_free(hidden);
    schedule_free(copy);
    return fits;
}

/* A cell that a schedule needs: sets its column of x to 1. False, and the cell in missing, when the
 * model does not have it. */
static bool set_cell(const formulation *f, cell_kind kind, int t, int i, double *x,
                     formulation_key *missing)
{
    const int col = cell_col(f, kind, t, i);
    if (col >= 0)
        x[col] = 1;
    else
        *missing = (formulation_key){kind, t, i, -1};
    return col >= 0;
}

static void set_one(double *x, int col)
{
    if (col >= 0)
        x[col] = 1;
}

/* Residency with its origin, and the releases that the memory rule makes and the model grants. */
static bool place_tensor(const formulation *f, const schedule *s, int i, double *x,
                         formulation_key *missing)
{
    const graph *g = f->problem->graph;
    bool origin = f->features & FORMULATION_ORIGIN;
    bool from_storage = false;
    for (int t = i + 1; t < g->n; t++) {
        size_t cell = cell_index(f, t, i), before = cell_index(f, t - 1, i);
        if (s->R[cell] && !set_cell(f, CELL_R, t, i, x, missing))
            return false;
        if (s->In[cell] && !set_cell(f, CELL_IN, t, i, x, missing))
            return false;
        if (s->Out[cell] && !set_cell(f, CELL_OUT, t, i, x, missing))
            return false;
        if (s->R[cell] && s->S[cell])
            set_one(x, f->twice_col[cell]);
        bool was = t > i + 1 && s->S[before];
        if (s->S[cell]) {
            if (!was)
                from_storage = t > i + 1 && !s->R[before] && s->In[before];
            if (!set_cell(f, origin && from_storage ? CELL_P : CELL_C, t, i, x, missing))
                return false;
        }
        if (!(s->S[cell] || s->R[cell]) || (t + 1 < g->n && s->S[cell_index(f, t + 1, i)]))
            continue;
        int last = -1;
        for (int e = g->user_start[i]; e < g->user_start[i + 1] && g->user[e] <= t; e++)
            if (s->R[cell_index(f, t, g->user[e])])
                last = e;
        if (formulation_early_release(f, s, t, i))
            set_one(x, f->early_col[cell]);
        if (last >= 0 && g->user[last] < t)
            set_one(x, free_cell(f, t, last));
    }
    return true;
}

/* A shared column must stand for equal cells. */
static bool cells_agree(const formulation *f, const schedule *s, const double *x,
                        formulation_key *missing)
{
    int n = f->problem->graph->n;
    for (int t = 0; t < n; t++)
        for (int i = 0; i < t; i++) {
            size_t cell = cell_index(f, t, i);
            int c = f->cell[CELL_C][cell], p = f->cell[CELL_P][cell];
            bool in_model = (c >= 0 && x[c] > 0.5) || (p >= 0 && x[p] > 0.5);
            if (in_model != (bool)s->S[cell]) {
                *missing = (formulation_key){CELL_C, t, i, -1};
                return false;
            }
        }
    return true;
}

/* The value of the total's cells in x. */
static double sum_up(const formulation *f, const formulation_total *total, const double *x)
{
    double sum = 0;
    for (int t = 0; t < f->problem->graph->n; t++)
        for (int i = 0; i < t; i++) {
            int col = cell_col(f, total->kind, t, i);
            if (col >= 0)
                sum += (double)total->weight[i] * x[col];
        }
    return sum;
}

bool formulation_place(const formulation *f, const schedule *s, double *x, formulation_key *missing)
{
    const graph *g = f->problem->graph;
    const lp_model *m = f->model;
    memset(x, 0, (size_t)m->cols * sizeof *x);
    for (int i = 0; i < g->n; i++)
        if (!place_tensor(f, s, i, x, missing))
            return false;
    if (!cells_agree(f, s, x, missing))
        return false;
    for (int j = 0; j < m->cols; j++)
        if (f->column[j].kind == COLUMN_TOTAL)
            x[j] = sum_up(f, &f->total[f->column[j].i], x);
    for (int t = 0; t < g->n; t++)
        for (int i = 0; i < t; i++)
            if (s->S[cell_index(f, t, i)])
                x[f->load_col[t]] += (double)f->bytes[i] * f->byte_scale;
    return true;
}

double *formulation_activity(const formulation *f, const double *x)
{
    const lp_model *m = f->model;
    double *activity = base_calloc((size_t)m->rows + 1, sizeof *activity);
    for (int j = 0; j < m->cols; j++)
        if (x[j] != 0)
            for (int e = m->start[j]; e < m->start[j + 1]; e++)
                activity[m->index[e]] += x[j] * m->value[e];
    return activity;
}

bool formulation_row_holds(const formulation *f, int row, double activity)
{
    return activity <= f->model->row_upper[row] + 1e-9 &&
           activity >= f->model->row_lower[row] - 1e-9;
}
