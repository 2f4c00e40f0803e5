/* Compares models array by array, and makes them from texts through temporary files. */
#include "tests/lp/compare.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *model_fault(const lp_model *m)
{
    if (m->rows < 0 || m->cols < 0 || m->start[0] != 0)
        return "extents";
    for (int j = 0; j < m->cols; j++) {
        if (m->start[j] > m->start[j + 1])
            return "start does not ascend";
        for (int k = m->start[j]; k < m->start[j + 1]; k++) {
            if (m->index[k] < 0 || m->index[k] >= m->rows)
                return "a row number out of range";
            if (k > m->start[j] && m->index[k - 1] >= m->index[k])
                return "rows of a column do not ascend";
            if (m->value[k] == 0.0 || !isfinite(m->value[k]))
                return "an entry that is zero or not finite";
        }
        if (isnan(m->lower[j]) || isnan(m->upper[j]) || !isfinite(m->cost[j]))
            return "a column's numbers";
        if (m->col_name && !m->col_name[j])
            return "a column without a name among named ones";
    }
    for (int r = 0; r < m->rows; r++) {
        if (isnan(m->row_lower[r]) || isnan(m->row_upper[r]))
            return "a row's sides";
        if (m->row_name && !m->row_name[r])
            return "a row without a name among named ones";
    }
    return NULL;
}

static bool differ(double a, double b, double tolerance)
{
    return !(a == b || fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b)));
}

const char *model_difference(const lp_model *a, const lp_model *b, double tolerance)
{
    static char text[256];
    if (a->rows != b->rows || a->cols != b->cols || a->start[a->cols] != b->start[b->cols])
        return "extents";
    if (a->maximize != b->maximize || differ(a->offset, b->offset, tolerance))
        return "sense or offset";
    for (int j = 0; j < a->cols; j++) {
        snprintf(text, sizeof text, "column %d: cost %.17g %.17g, bounds %.17g %.17g, %.17g %.17g",
                 j, a->cost[j], b->cost[j], a->lower[j], b->lower[j], a->upper[j], b->upper[j]);
        if (differ(a->cost[j], b->cost[j], tolerance) ||
            differ(a->lower[j], b->lower[j], tolerance) ||
            differ(a->upper[j], b->upper[j], tolerance) || a->integer[j] != b->integer[j] ||
            a->start[j + 1] != b->start[j + 1])
            return text;
        for (int k = a->start[j]; k < a->start[j + 1]; k++)
            if (a->index[k] != b->index[k] || differ(a->value[k], b->value[k], tolerance))
                return "an entry";
    }
    for (int r = 0; r < a->rows; r++) {
        snprintf(text, sizeof text, "row %d: %.17g %.17g, %.17g %.17g", r, a->row_lower[r],
                 b->row_lower[r], a->row_upper[r], b->row_upper[r]);
        if (differ(a->row_lower[r], b->row_lower[r], tolerance) ||
            differ(a->row_upper[r], b->row_upper[r], tolerance))
            return text;
    }
    return NULL;
}

static char folder[64];

static void remove_folder(void)
{
    rmdir(folder);
}

const char *temporary_path(const char *name)
{
    static char path[128];
    if (!*folder) {
        snprintf(folder, sizeof folder, "/tmp/poetbnb-test-XXXXXX");
        ck_assert_ptr_nonnull(mkdtemp(folder));
        atexit(remove_folder);
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

lp_model *model_from_text(const char *text, const char *extension, base_error *error)
{
    char name[32];
    snprintf(name, sizeof name, "model%s", extension);
    const char *path = temporary_path(name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
    error->text[0] = '\0';
    lp_model *m = lp_model_read(path, error);
    unlink(path);
    ck_assert_msg(!m || !model_fault(m), "%s", m ? model_fault(m) : "");
    return m;
}
