/* The model while it is being reduced: entries in linked lists by rows and columns. */
#include <assert.h>
#include <string.h>

#include "lp/presolve/presolve_internal.h"

#define CONTRADICTION 1e-9 /* relative violation that is one, whatever the rounding */
#define CANCELLED 1e-14    /* relative size of a sum that counts as rounding */
#define CANCELLING 1e-6    /* of a sum that may well be much of it */
#define POLL_WORK 50000.0  /* work between two looks at the limits */

/* ---- effort -------------------------------------------------------------------- */

bool lp_presolve_done(const lp_presolve *p)
{
    return p->failed || p->stop != BASE_GO || p->work > p->work_limit;
}

void lp_presolve_count(lp_presolve *p, double work)
{
    p->work += work;
    if (p->work < p->next_poll)
        return;
    p->next_poll = p->work + POLL_WORK;
    if (p->stop == BASE_GO)
        p->stop = base_limits_check(&p->limits);
}

/* ---- queues -------------------------------------------------------------------- */

static void queue_init(lp_queue *q, int extent)
{
    *q = (lp_queue){.extent = extent};
    q->item = base_malloc((size_t)extent + 1, sizeof *q->item);
    q->queued = base_calloc((size_t)extent + 1, sizeof *q->queued);
}

static void queue_free(lp_queue *q)
{
    base_free(q->item);
    base_free(q->queued);
}

static void queue_push(lp_queue *q, int item)
{
    if (q->queued[item])
        return;
    q->queued[item] = true;
    int at = q->first + q->count++;
    q->item[at >= q->extent ? at - q->extent : at] = item;
}

int lp_presolve_take(lp_queue *q)
{
    assert(q->count > 0);
    int item = q->item[q->first++];
    if (q->first == q->extent)
        q->first = 0;
    q->count--;
    q->queued[item] = false;
    return item;
}

void lp_presolve_touch_row(lp_presolve *p, int r)
{
    if (!p->row_gone[r])
        queue_push(&p->row_queue, r);
}

void lp_presolve_touch_col(lp_presolve *p, int j)
{
    if (!p->col_gone[j])
        queue_push(&p->col_queue, j);
}

/* ---- entries ------------------------------------------------------------------- */

static void reserve_entries(lp_presolve *p, int space)
{
    int **all[] = {&p->row, &p->col, &p->row_next, &p->row_prev, &p->col_next, &p->col_prev};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        *all[k] = base_realloc(*all[k], (size_t)space, sizeof **all[k]);
    p->value = base_realloc(p->value, (size_t)space, sizeof *p->value);
    p->entry_space = space;
}

static void insert(lp_presolve *p, int r, int j, double value)
{
    int e = p->free_entry;
    if (e >= 0) {
        p->free_entry = p->row_next[e];
    } else {
        if (p->entries == p->entry_space)
            reserve_entries(p, p->entry_space + p->entry_space / 4 + 16);
        e = p->entries++;
    }
    p->row[e] = r;
    p->col[e] = j;
    p->value[e] = value;
    p->row_prev[e] = p->col_prev[e] = -1;
    p->row_next[e] = p->row_first[r];
    p->col_next[e] = p->col_first[j];
    if (p->row_first[r] >= 0)
        p->row_prev[p->row_first[r]] = e;
    if (p->col_first[j] >= 0)
        p->col_prev[p->col_first[j]] = e;
    p->row_first[r] = p->col_first[j] = e;
    p->row_length[r]++;
    p->col_length[j]++;
    p->entries_left++;
}

static void delete_entry(lp_presolve *p, int e)
{
    int r = p->row[e], j = p->col[e];
    if (p->row_prev[e] >= 0)
        p->row_next[p->row_prev[e]] = p->row_next[e];
    else
        p->row_first[r] = p->row_next[e];
    if (p->row_next[e] >= 0)
        p->row_prev[p->row_next[e]] = p->row_prev[e];
    if (p->col_prev[e] >= 0)
        p->col_next[p->col_prev[e]] = p->col_next[e];
    else
        p->col_first[j] = p->col_next[e];
    if (p->col_next[e] >= 0)
        p->col_prev[p->col_next[e]] = p->col_prev[e];
    p->row_length[r]--;
    p->col_length[j]--;
    p->entries_left--;
    p->row_next[e] = p->free_entry;
    p->free_entry = e;
    p->activity[r].valid = false;
    lp_presolve_touch_row(p, r);
    lp_presolve_touch_col(p, j);
}

void lp_presolve_remove_row(lp_presolve *p, int r)
{
    lp_presolve_count(p, p->row_length[r]);
    p->row_gone[r] = true;
    p->rows_left--;
    while (p->row_first[r] >= 0)
        delete_entry(p, p->row_first[r]);
}

void lp_presolve_remove_col(lp_presolve *p, int j)
{
    lp_presolve_count(p, p->col_length[j]);
    p->col_gone[j] = true;
    p->cols_left--;
    while (p->col_first[j] >= 0)
        delete_entry(p, p->col_first[j]);
}

bool lp_presolve_contradicts(double lower, double upper, double size)
{
    if (lower == LP_INFINITY || upper == -LP_INFINITY)
        return true;
    return lower > upper + CONTRADICTION * (1.0 + fabs(upper) + size);
}

double lp_presolve_sum(double a, double b)
{
    double sum = a + b;
    return isfinite(sum) && fabs(sum) <= CANCELLED * fabs(a) ? 0.0 : sum;
}

bool lp_presolve_cancels(lp_presolve *p, int j, int k, double factor, int r)
{
    bool cancels = false;
    lp_presolve_count(p, p->col_length[j] + p->col_length[k]);
    for (int e = p->col_first[j]; e >= 0; e = p->col_next[e])
        p->place[p->row[e]] = e;
    for (int e = p->col_first[k]; e >= 0; e = p->col_next[e]) {
        int at = p->place[p->row[e]];
        if (p->row[e] == r || at < 0)
            continue;
        double sum = fabs(lp_presolve_sum(p->value[at], factor * p->value[e]));
        cancels = cancels || (sum > 0.0 && sum < CANCELLING * fabs(p->value[at]));
    }
    for (int e = p->col_first[j]; e >= 0; e = p->col_next[e])
        p->place[p->row[e]] = -1;
    return cancels;
}

void lp_presolve_add_col(lp_presolve *p, int j, int k, double factor, int r)
{
    lp_presolve_count(p, p->col_length[j] + p->col_length[k]);
    for (int e = p->col_first[j]; e >= 0; e = p->col_next[e])
        p->place[p->row[e]] = e;
    for (int e = p->col_first[k]; e >= 0; e = p->col_next[e]) {
        int s = p->row[e];
        if (s == r)
            continue;
        double change = factor * p->value[e];
        int at = p->place[s];
        p->activity[s].valid = false;
        lp_presolve_touch_row(p, s);
        if (at < 0) {
            insert(p, s, j, change);
        } else {
            p->value[at] = lp_presolve_sum(p->value[at], change);
            if (p->value[at] == 0.0) {
                p->place[s] = -1;
                delete_entry(p, at);
            }
        }
    }
    for (int e = p->col_first[j]; e >= 0; e = p->col_next[e])
        p->place[p->row[e]] = -1;
    lp_presolve_touch_col(p, j);
}

/* ---- bounds and sides ------------------------------------------------------------ */

static void bounds_changed(lp_presolve *p, int j)
{
    lp_presolve_count(p, p->col_length[j]);
    for (int e = p->col_first[j]; e >= 0; e = p->col_next[e]) {
        p->activity[p->row[e]].valid = false;
        lp_presolve_touch_row(p, p->row[e]);
    }
    lp_presolve_touch_col(p, j);
}

void lp_presolve_set_lower(lp_presolve *p, int j, double lower)
{
    p->lower[j] = lower;
    bounds_changed(p, j);
}

void lp_presolve_set_upper(lp_presolve *p, int j, double upper)
{
    p->upper[j] = upper;
    bounds_changed(p, j);
}

void lp_presolve_set_row_sides(lp_presolve *p, int r, double lower, double upper)
{
    p->row_lower[r] = lower;
    p->row_upper[r] = upper;
    lp_presolve_touch_row(p, r);
    lp_presolve_count(p, p->row_length[r]);
    for (int e = p->row_first[r]; e >= 0; e = p->row_next[e])
        lp_presolve_touch_col(p, p->col[e]);
}

void lp_presolve_shift_row(lp_presolve *p, int r, double change)
{
    p->row_lower[r] = lp_presolve_sum(p->row_lower[r], change);
    p->row_upper[r] = lp_presolve_sum(p->row_upper[r], change);
}

/* ---- activities ------------------------------------------------------------------ */

const lp_row_range *lp_presolve_activity(lp_presolve *p, int r)
{
    lp_row_range *a = &p->activity[r];
    if (a->valid)
        return a;
    double min_size = 0.0, max_size = 0.0;
    lp_presolve_count(p, p->row_length[r]);
    *a = (lp_row_range){.valid = true};
    for (int e = p->row_first[r]; e >= 0; e = p->row_next[e]) {
        double v = p->value[e];
        double low = v * (v > 0.0 ? p->lower[p->col[e]] : p->upper[p->col[e]]);
        double high = v * (v > 0.0 ? p->upper[p->col[e]] : p->lower[p->col[e]]);
        if (isinf(low)) {
            a->min_infinite++;
        } else {
            a->min += low;
            min_size += fabs(low);
        }
        if (isinf(high)) {
            a->max_infinite++;
        } else {
            a->max += high;
            max_size += fabs(high);
        }
    }
    a->size = fmax(min_size, max_size);
    return a;
}

void lp_presolve_rest(lp_presolve *p, int e, double *min, double *max, double *size)
{
    const lp_row_range *a = lp_presolve_activity(p, p->row[e]);
    int j = p->col[e];
    double v = p->value[e];
    double low = v * (v > 0.0 ? p->lower[j] : p->upper[j]);
    double high = v * (v > 0.0 ? p->upper[j] : p->lower[j]);
    int low_infinite = a->min_infinite - (isinf(low) ? 1 : 0);
    int high_infinite = a->max_infinite - (isinf(high) ? 1 : 0);
    *min = low_infinite > 0 ? -LP_INFINITY : isinf(low) ? a->min : lp_presolve_sum(a->min, -low);
    *max = high_infinite > 0 ? LP_INFINITY : isinf(high) ? a->max : lp_presolve_sum(a->max, -high);
    *size = a->size;
}

/* ---- records --------------------------------------------------------------------- */

lp_record *lp_presolve_record(lp_presolve *p, lp_record_kind kind, int row, int col)
{
    if (p->records == p->record_space) {
        p->record_space += p->record_space / 2 + 64;
        p->record = base_realloc(p->record, (size_t)p->record_space, sizeof *p->record);
    }
    lp_record *record = &p->record[p->records++];
    *record = (lp_record){.kind = kind, .row = row, .col = col, .other = -1};
    record->first = record->middle = record->last = p->kept;
    return record;
}

static void keep(lp_presolve *p, int index, double value)
{
    if (p->kept == p->kept_space) {
        p->kept_space += p->kept_space / 2 + 256;
        p->kept_index = base_realloc(p->kept_index, (size_t)p->kept_space, sizeof *p->kept_index);
        p->kept_value = base_realloc(p->kept_value, (size_t)p->kept_space, sizeof *p->kept_value);
    }
    p->kept_index[p->kept] = index;
    p->kept_value[p->kept++] = value;
}

void lp_presolve_keep_row(lp_presolve *p, int r, int without)
{
    lp_record *record = &p->record[p->records - 1];
    assert(record->middle == p->kept);
    lp_presolve_count(p, p->row_length[r]);
    for (int e = p->row_first[r]; e >= 0; e = p->row_next[e])
        if (p->col[e] != without)
            keep(p, p->col[e], p->value[e]);
    record->middle = record->last = p->kept;
}

void lp_presolve_keep_col(lp_presolve *p, int j, int without)
{
    lp_record *record = &p->record[p->records - 1];
    assert(record->last == p->kept);
    lp_presolve_count(p, p->col_length[j]);
    for (int e = p->col_first[j]; e >= 0; e = p->col_next[e])
        if (p->row[e] != without)
            keep(p, p->row[e], p->value[e]);
    record->last = p->kept;
}

/* ---- life ------------------------------------------------------------------------ */

static double *copied(const double *from, int extent)
{
    double *to = base_malloc((size_t)extent + 1, sizeof *to);
    memcpy(to, from, (size_t)extent * sizeof *to);
    return to;
}

static int *filled(int extent, int value)
{
    int *array = base_malloc((size_t)extent + 1, sizeof *array);
    for (int k = 0; k < extent; k++)
        array[k] = value;
    return array;
}

static double *filled_real(int extent, double value)
{
    double *array = base_malloc((size_t)extent + 1, sizeof *array);
    for (int k = 0; k < extent; k++)
        array[k] = value;
    return array;
}

void lp_presolve_load(lp_presolve *p)
{
    const lp_model *m = p->model;
    p->rows = p->rows_left = m->rows;
    p->cols = p->cols_left = m->cols;
    p->offset = m->offset;
    p->cost = copied(m->cost, m->cols);
    p->lower = copied(m->lower, m->cols);
    p->upper = copied(m->upper, m->cols);
    p->row_lower = copied(m->row_lower, m->rows);
    p->row_upper = copied(m->row_upper, m->rows);
    p->row_gone = base_calloc((size_t)m->rows + 1, sizeof *p->row_gone);
    p->col_gone = base_calloc((size_t)m->cols + 1, sizeof *p->col_gone);
    p->activity = base_calloc((size_t)m->rows + 1, sizeof *p->activity);
    p->dual_lower = filled_real(m->rows, -LP_INFINITY);
    p->dual_upper = filled_real(m->rows, LP_INFINITY);
    p->row_first = filled(m->rows, -1);
    p->col_first = filled(m->cols, -1);
    p->row_length = filled(m->rows, 0);
    p->col_length = filled(m->cols, 0);
    p->row_slacks = filled(m->rows, 0);
    p->place = filled(m->rows > m->cols ? m->rows : m->cols, -1);
    p->free_entry = -1;
    queue_init(&p->row_queue, m->rows);
    queue_init(&p->col_queue, m->cols);
    reserve_entries(p, m->start[m->cols] + 16);
    for (int j = m->cols - 1; j >= 0; j--) /* lists are filled at their heads: rows ascend */
        for (int e = m->start[j + 1] - 1; e >= m->start[j]; e--)
            insert(p, m->index[e], j, m->value[e]);
}

void lp_presolve_free_entries(lp_presolve *p)
{
    int **all[] = {&p->row, &p->col, &p->row_next, &p->row_prev, &p->col_next, &p->col_prev};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        base_free(*all[k]);
        *all[k] = NULL;
    }
    base_free(p->value);
    p->value = NULL;
}

void lp_presolve_unload(lp_presolve *p)
{
    void *all[] = {p->cost,       p->lower,      p->upper,     p->row_lower,  p->row_upper,
                   p->row_gone,   p->col_gone,   p->activity,  p->dual_lower, p->dual_upper,
                   p->row_first,  p->row_length, p->col_first, p->col_length, p->place,
                   p->kept_index, p->kept_value, p->record,    p->row_slacks};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        base_free(all[k]);
    lp_presolve_free_entries(p);
    queue_free(&p->row_queue);
    queue_free(&p->col_queue);
}
