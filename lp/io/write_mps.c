/* Free MPS that our reader, CPLEX, HiGHS, SCIP, GLPK, CBC and CLP understand alike:
 * - There is no OBJSENSE: a maximisation is written as the minimisation that the model stores,
 *   with a remark.
 * - There is no second N row: a free row is a G row with right-hand side -1e30.
 * - Integer columns and columns with a negative lower bound have an upper bound even if it is
 *   infinite, since readers differ in its default.
 * - The word FREE after the name keeps CBC from reading short lines as fixed format. */
#include <assert.h>

#include "base/number.h"
#include "lp/io/file.h"
#include "lp/io/names.h"

/* Allows all but blanks and control characters; a leading $ or * starts a comment for some
 * readers. */
static bool legal_in_mps(const char *text, size_t position)
{
    const unsigned char c = (unsigned char)text[position];
    return c > ' ' && c != 127 && (position > 0 || (c != '$' && c != '*'));
}

/* Chooses a name for the objective that no row has. */
static void objective_name(const lp_names *rows, char *name, size_t size)
{
    snprintf(name, size, "obj");
    for (int k = 1; lp_names_find(rows, name) >= 0; k++)
        snprintf(name, size, "obj_%d", k);
}

static bool is_range(const lp_model *m, int r)
{
    return isfinite(m->row_lower[r]) && isfinite(m->row_upper[r]) &&
           m->row_lower[r] < m->row_upper[r];
}

/* A range is measured from its side of smaller magnitude, so that a reader that adds the
 * difference gets the other side. If the sides have opposite signs and the difference is no
 * double, the last place is off; this cannot be avoided. */
static bool measured_from_lower(const lp_model *m, int r)
{
    return fabs(m->row_lower[r]) <= fabs(m->row_upper[r]);
}

static char row_type(const lp_model *m, int r)
{
    assert(m->row_lower[r] <= m->row_upper[r]);
    if (m->row_lower[r] == m->row_upper[r])
        return 'E';
    if (is_range(m, r))
        return measured_from_lower(m, r) ? 'G' : 'L';
    return isfinite(m->row_upper[r]) ? 'L' : 'G';
}

static double row_side(const lp_model *m, int r)
{
    const double side = row_type(m, r) == 'L' ? m->row_upper[r] : m->row_lower[r];
    return isfinite(side) ? side : -1e30;
}

static void write_entry(FILE *stream, const char *col, const char *row, double value)
{
    base_work(300);
    fprintf(stream, " %s %s %s\n", col, row, base_number_shortest(value).text);
}

static void write_columns(const lp_model *m, const lp_names *cols, const lp_names *rows,
                          const char *objective, FILE *stream)
{
    bool integer = false;
    int markers = 0;
    fputs("COLUMNS\n", stream);
    for (int j = 0; j <= m->cols; j++) {
        const bool next = j < m->cols && m->integer[j];
        if (next != integer)
            fprintf(stream, " MARKER%d 'MARKER' '%s'\n", ++markers, next ? "INTORG" : "INTEND");
        integer = next;
        if (j == m->cols)
            break;
        const char *name = lp_names_get(cols, j);
        if (m->cost[j] != 0.0 || m->start[j] == m->start[j + 1])
            write_entry(stream, name, objective, m->cost[j]);
        for (int k = m->start[j]; k < m->start[j + 1]; k++)
            write_entry(stream, name, lp_names_get(rows, m->index[k]), m->value[k]);
    }
}

static void write_sides(const lp_model *m, const lp_names *rows, FILE *stream)
{
    bool ranges = false;
    fputs("RHS\n", stream);
    for (int r = 0; r < m->rows; r++) {
        ranges = ranges || is_range(m, r);
        if (row_side(m, r) != 0.0)
            write_entry(stream, "RHS", lp_names_get(rows, r), row_side(m, r));
    }
    if (!ranges)
        return;
    fputs("RANGES\n", stream);
    for (int r = 0; r < m->rows; r++)
        if (is_range(m, r))
            write_entry(stream, "RNG", lp_names_get(rows, r), m->row_upper[r] - m->row_lower[r]);
}

static void write_bound(const char *type, const char *name, const double *value, FILE *stream)
{
    fprintf(stream, " %s BND %s%s%s\n", type, name, value ? " " : "",
            value ? base_number_shortest(*value).text : "");
}

static void write_bounds(const lp_model *m, const lp_names *cols, FILE *stream)
{
    fputs("BOUNDS\n", stream);
    for (int j = 0; j < m->cols; j++) {
        const char *name = lp_names_get(cols, j);
        const double lower = m->lower[j], upper = m->upper[j];
        if (lower == upper) {
            write_bound("FX", name, &lower, stream);
        } else if (isinf(lower) && isinf(upper)) {
            write_bound("FR", name, NULL, stream);
        } else {
            /* A negative upper bound alone would change the lower bound. */
            if (isinf(lower))
                write_bound("MI", name, NULL, stream);
            else if (lower != 0.0 || upper < 0.0)
                write_bound("LO", name, &lower, stream);
            if (isfinite(upper))
                write_bound("UP", name, &upper, stream);
            else if (m->integer[j] || lower < 0.0)
                write_bound("PL", name, NULL, stream);
        }
    }
}

void lp_write_mps(const lp_model *m, FILE *stream)
{
    lp_names *rows = lp_file_safe_names(m->row_name, m->rows, 'r', legal_in_mps, NULL);
    lp_names *cols = lp_file_safe_names(m->col_name, m->cols, 'c', legal_in_mps, NULL);
    lp_names *title = lp_file_safe_names(&m->name, m->name ? 1 : 0, 'm', legal_in_mps, NULL);
    char objective[32];
    assert(m->offset == 0.0);
    objective_name(rows, objective, sizeof objective);
    if (m->maximize)
        fputs("* A maximisation, written with its objective negated.\n", stream);
    fprintf(stream, "NAME %s FREE\nROWS\n N %s\n", m->name ? lp_names_get(title, 0) : "model",
            objective);
    for (int r = 0; r < m->rows; r++)
        fprintf(stream, " %c %s\n", row_type(m, r), lp_names_get(rows, r));
    write_columns(m, cols, rows, objective, stream);
    write_sides(m, rows, stream);
    write_bounds(m, cols, stream);
    fputs("ENDATA\n", stream);
    lp_names_free(rows);
    lp_names_free(cols);
    lp_names_free(title);
}
