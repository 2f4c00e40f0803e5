/* The sparse model by columns: adding and deleting rows and columns, growing arrays
 * geometrically. The entries of a column stay sorted by row. */
#include "lp/model.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One matrix entry while a column is sorted. */
typedef struct entry {
    int row;
    double value;
} entry;

/* Returns a capacity for `need` elements that grows geometrically from `capacity`. Dimensions are
 * ints: a model that would overflow them, or of which a copy would, is given up. */
static int grown_capacity(int capacity, long need)
{
    const long most = INT_MAX - 1;
    if (need > most)
        base_give_up(BASE_STOP_MEMORY);
    if (need <= capacity)
        return capacity;
    const long grown = 8 + (long)capacity + capacity / 2;
    return (int)(grown > most ? most : grown > need ? grown : need);
}

static void reserve_cols(lp_model *m, long need)
{
    const int capacity = grown_capacity(m->col_capacity, need);
    if (capacity == m->col_capacity)
        return;
    m->cost = base_realloc(m->cost, (size_t)capacity, sizeof *m->cost);
    m->lower = base_realloc(m->lower, (size_t)capacity, sizeof *m->lower);
    m->upper = base_realloc(m->upper, (size_t)capacity, sizeof *m->upper);
    m->integer = base_realloc(m->integer, (size_t)capacity, sizeof *m->integer);
    m->start = base_realloc(m->start, (size_t)capacity + 1, sizeof *m->start);
    if (m->col_name)
        m->col_name = base_realloc(m->col_name, (size_t)capacity, sizeof *m->col_name);
    m->col_capacity = capacity;
}

static void reserve_rows(lp_model *m, long need)
{
    const int capacity = grown_capacity(m->row_capacity, need);
    if (capacity == m->row_capacity)
        return;
    m->row_lower = base_realloc(m->row_lower, (size_t)capacity, sizeof *m->row_lower);
    m->row_upper = base_realloc(m->row_upper, (size_t)capacity, sizeof *m->row_upper);
    if (m->row_name)
        m->row_name = base_realloc(m->row_name, (size_t)capacity, sizeof *m->row_name);
    m->row_capacity = capacity;
}

static void reserve_entries(lp_model *m, long need)
{
    const int capacity = grown_capacity(m->entry_capacity, need);
    if (capacity == m->entry_capacity)
        return;
    m->index = base_realloc(m->index, (size_t)capacity, sizeof *m->index);
    m->value = base_realloc(m->value, (size_t)capacity, sizeof *m->value);
    m->entry_capacity = capacity;
}

/* Returns the name to store for element k: the given one, or prefix and number. */
static char *name_or_default(const char *name, char prefix, int k)
{
    char text[16];
    if (name)
        return base_strdup(name);
    snprintf(text, sizeof text, "%c%d", prefix, k + 1);
    return base_strdup(text);
}

/* Stores the name of element k = count. A model has all names or none: the first name also gives
 * the earlier elements their default names. */
static void push_name(char ***names, int count, int capacity, const char *name, char prefix)
{
    if (!*names && !name)
        return;
    if (!*names) {
        *names = base_malloc((size_t)capacity, sizeof **names);
        for (int k = 0; k < count; k++)
            (*names)[k] = name_or_default(NULL, prefix, k);
    }
    (*names)[count] = name_or_default(name, prefix, count);
}

static char **copy_names(char *const *names, int count)
{
    if (!names)
        return NULL;
    char **copy = base_malloc((size_t)count + 1, sizeof *copy);
    for (int k = 0; k < count; k++)
        copy[k] = base_strdup(names[k]);
    return copy;
}

static void free_names(char **names, int count)
{
    if (names)
        for (int k = 0; k < count; k++)
            base_free(names[k]);
    base_free(names);
}

lp_model *lp_model_create(void)
{
    lp_model *m = base_calloc(1, sizeof *m);
    reserve_cols(m, 1);
    reserve_rows(m, 1);
    reserve_entries(m, 1);
    m->start[0] = 0;
    return m;
}

lp_model *lp_model_copy(const lp_model *m)
{
    lp_model *copy = base_copy(m, 1, sizeof *m);
    const size_t cols = (size_t)m->cols, rows = (size_t)m->rows;
    const size_t entries = (size_t)m->start[m->cols];
    copy->row_capacity = m->rows + 1; /* of base_copy */
    copy->col_capacity = m->cols + 1;
    copy->entry_capacity = m->start[m->cols] + 1;
    copy->name = m->name ? base_strdup(m->name) : NULL;
    copy->cost = base_copy(m->cost, cols, sizeof *m->cost);
    copy->lower = base_copy(m->lower, cols, sizeof *m->lower);
    copy->upper = base_copy(m->upper, cols, sizeof *m->upper);
    copy->integer = base_copy(m->integer, cols, sizeof *m->integer);
    copy->start = base_copy(m->start, cols + 1, sizeof *m->start);
    copy->index = base_copy(m->index, entries, sizeof *m->index);
    copy->value = base_copy(m->value, entries, sizeof *m->value);
    copy->row_lower = base_copy(m->row_lower, rows, sizeof *m->row_lower);
    copy->row_upper = base_copy(m->row_upper, rows, sizeof *m->row_upper);
    copy->col_name = copy_names(m->col_name, m->cols);
    copy->row_name = copy_names(m->row_name, m->rows);
    return copy;
}

void lp_model_free(lp_model *m)
{
    if (!m)
        return;
    free_names(m->col_name, m->cols);
    free_names(m->row_name, m->rows);
    base_free_all(m->name, m->cost, m->lower, m->upper, m->integer, m->start, m->index, m->value,
                  m->row_lower, m->row_upper, m);
}

static int compare_entries(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    return (x->row > y->row) - (x->row < y->row);
}

void lp_sort_entries(int count, int *index, double *value)
{
    int k = 1;
    while (k < count && index[k - 1] < index[k])
        k++;
    if (k >= count)
        return;
    entry *sorted = base_malloc((size_t)count, sizeof *sorted);
    for (k = 0; k < count; k++)
        sorted[k] = (entry){index[k], value[k]};
    qsort(sorted, (size_t)count, sizeof *sorted, compare_entries);
    for (k = 0; k < count; k++) {
        assert(k == 0 || sorted[k - 1].row < sorted[k].row);
        index[k] = sorted[k].row;
        value[k] = sorted[k].value;
    }
    base_free(sorted);
}

int lp_model_add_col(lp_model *m, double cost, double lower, double upper, bool integer, int count,
                     const int *rows, const double *values, const char *name)
{
    const int j = m->cols;
    int end = m->start[j];
    assert(isfinite(cost) && !isnan(lower) && !isnan(upper));
    reserve_cols(m, j + 1L);
    reserve_entries(m, (long)end + count);
    for (int k = 0; k < count; k++) {
        assert(rows[k] >= 0 && rows[k] < m->rows && isfinite(values[k]));
        if (values[k] == 0.0)
            continue;
        m->index[end] = rows[k];
        m->value[end++] = values[k];
    }
    lp_sort_entries(end - m->start[j], m->index + m->start[j], m->value + m->start[j]);
    m->cost[j] = cost;
    m->lower[j] = lower;
    m->upper[j] = upper;
    m->integer[j] = integer;
    m->start[j + 1] = end;
    push_name(&m->col_name, j, m->col_capacity, name, 'c');
    return m->cols++;
}

int lp_model_add_row(lp_model *m, double lower, double upper, const char *name)
{
    assert(!isnan(lower) && !isnan(upper));
    reserve_rows(m, m->rows + 1L);
    m->row_lower[m->rows] = lower;
    m->row_upper[m->rows] = upper;
    push_name(&m->row_name, m->rows, m->row_capacity, name, 'r');
    return m->rows++;
}

/* Opens gap[j] free places at the end of every column j, from the last column to
 * the first; gap[j] becomes the first free place. */
static void open_gaps(lp_model *m, int *gap, int total)
{
    int shift = total;
    for (int j = m->cols - 1; j >= 0; j--) {
        const int first = m->start[j], end = m->start[j + 1];
        const size_t length = (size_t)(end - first);
        m->start[j + 1] = end + shift;
        shift -= gap[j];
        if (shift > 0) {
            memmove(m->index + first + shift, m->index + first, length * sizeof *m->index);
            memmove(m->value + first + shift, m->value + first, length * sizeof *m->value);
        }
        gap[j] = end + shift;
    }
    assert(shift == 0);
}

void lp_model_add_rows(lp_model *m, int count, const double *lower, const double *upper,
                       const int *row_start, const int *cols, const double *values,
                       char *const *names)
{
    if (count <= 0)
        return;
    int *place = base_calloc((size_t)m->cols + 1, sizeof *place);
    int total = 0;
    for (int k = row_start[0]; k < row_start[count]; k++) {
        assert(cols[k] >= 0 && cols[k] < m->cols && isfinite(values[k]));
        if (values[k] != 0.0) {
            place[cols[k]]++;
            total++;
        }
    }
    reserve_entries(m, (long)m->start[m->cols] + total);
    open_gaps(m, place, total);
    for (int r = 0; r < count; r++) {
        const int row = lp_model_add_row(m, lower[r], upper[r], names ? names[r] : NULL);
        for (int k = row_start[r]; k < row_start[r + 1]; k++) {
            if (values[k] == 0.0)
                continue;
            const int p = place[cols[k]]++;
            assert(p == m->start[cols[k]] || m->index[p - 1] < row); /* no duplicates */
            m->index[p] = row;
            m->value[p] = values[k];
        }
    }
    base_free(place);
}

void lp_row_list_add(lp_row_list *list, int col, double value)
{
    if (list->entries == list->entry_capacity) {
        list->entry_capacity = grown_capacity(list->entry_capacity, list->entries + 1L);
        const size_t size = (size_t)list->entry_capacity;
        list->col = base_realloc(list->col, size, sizeof *list->col);
        list->value = base_realloc(list->value, size, sizeof *list->value);
    }
    list->col[list->entries] = col;
    list->value[list->entries++] = value;
}

void lp_row_list_end(lp_row_list *list, double lower, double upper)
{
    if (list->count == list->row_capacity) {
        list->row_capacity = grown_capacity(list->row_capacity, list->count + 1L);
        const size_t size = (size_t)list->row_capacity;
        list->lower = base_realloc(list->lower, size, sizeof *list->lower);
        list->upper = base_realloc(list->upper, size, sizeof *list->upper);
        list->start = base_realloc(list->start, size + 1, sizeof *list->start);
        list->start[0] = 0;
    }
    list->lower[list->count] = lower;
    list->upper[list->count] = upper;
    list->start[++list->count] = list->first = list->entries;
}

void lp_row_list_free(lp_row_list *list)
{
    base_free_all(list->start, list->col, list->value, list->lower, list->upper);
    *list = (lp_row_list){0};
}

void lp_model_delete_rows(lp_model *m, const bool *drop)
{
    int *number = base_malloc((size_t)m->rows + 1, sizeof *number);
    int rows = 0, end = 0, first = 0;
    for (int r = 0; r < m->rows; r++) {
        number[r] = drop[r] ? -1 : rows;
        if (drop[r]) {
            if (m->row_name)
                base_free(m->row_name[r]);
            continue;
        }
        m->row_lower[rows] = m->row_lower[r];
        m->row_upper[rows] = m->row_upper[r];
        if (m->row_name)
            m->row_name[rows] = m->row_name[r];
        rows++;
    }
    for (int j = 0; j < m->cols; j++) {
        const int last = m->start[j + 1];
        for (int k = first; k < last; k++) {
            if (number[m->index[k]] < 0)
                continue;
            m->index[end] = number[m->index[k]];
            m->value[end++] = m->value[k];
        }
        m->start[j + 1] = end;
        first = last;
    }
    m->rows = rows;
    base_free(number);
}

void lp_model_delete_cols(lp_model *m, const bool *drop)
{
    int cols = 0, end = 0, first = 0;
    for (int j = 0; j < m->cols; j++) {
        const int last = m->start[j + 1], length = last - first;
        if (drop[j]) {
            if (m->col_name)
                base_free(m->col_name[j]);
        } else {
            memmove(m->index + end, m->index + first, (size_t)length * sizeof *m->index);
            memmove(m->value + end, m->value + first, (size_t)length * sizeof *m->value);
            end += length;
            m->cost[cols] = m->cost[j];
            m->lower[cols] = m->lower[j];
            m->upper[cols] = m->upper[j];
            m->integer[cols] = m->integer[j];
            if (m->col_name)
                m->col_name[cols] = m->col_name[j];
            m->start[++cols] = end;
        }
        first = last;
    }
    m->cols = cols;
}

lp_by_rows lp_model_by_rows(const lp_model *m)
{
    const int entries = m->start[m->cols];
    int *first = base_calloc((size_t)m->rows + 2, sizeof *first);
    int *cols = base_malloc((size_t)entries + 1, sizeof *cols);
    double *values = base_malloc((size_t)entries + 1, sizeof *values);
    /* While it is filled, first[r+1] runs through row r; it ends at the start of row r+1. */
    for (int k = 0; k < entries; k++)
        if (m->index[k] + 2 <= m->rows)
            first[m->index[k] + 2]++;
    for (int r = 2; r <= m->rows; r++)
        first[r] += first[r - 1];
    for (int j = 0; j < m->cols; j++) {
        for (int k = m->start[j]; k < m->start[j + 1]; k++) {
            const int p = first[m->index[k] + 1]++;
            cols[p] = j;
            values[p] = m->value[k];
        }
    }
    assert(first[m->rows] == entries);
    return (lp_by_rows){first, cols, values};
}

void lp_by_rows_free(lp_by_rows *a)
{
    base_free_all(a->start, a->col, a->value);
}

double lp_model_objective(const lp_model *m, const double *x)
{
    long double sum = m->offset;
    for (int j = 0; j < m->cols; j++)
        sum += (long double)m->cost[j] * x[j];
    return (double)sum;
}
