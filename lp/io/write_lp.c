/* CPLEX-LP, restricted to the part of the format that CPLEX, HiGHS, SCIP, GLPK and CBC read
 * alike. A row with two finite sides becomes two rows, since GLPK and CBC do not read
 * l <= expression <= u. Every bound is written with both sides. All columns are in the objective,
 * with cost 0 if necessary, so that their order is kept. */
#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "base/number.h"
#include "lp/io/file.h"
#include "lp/io/names.h"

static const char *const reserved[] = {
    "min",      "minimum", "minimize", "minimise", "max",  "maximum", "maximize",        "maximise",
    "subject",  "such",    "st",       "s.t.",     "st.",  "bounds",  "bound",           "general",
    "generals", "gen",     "integer",  "integers", "int",  "binary",  "binaries",        "bin",
    "free",     "inf",     "infinity", "end",      "semi", "semis",   "semi-continuous", "sos",
    "sos1",     "sos2",    "lazy",     "user",     "obj",  NULL};

/* Allows the characters of CPLEX, except operators of some readers. A name that starts like a
 * number or an exponent could be read as part of one. */
static bool legal_in_lp(const char *text, size_t position)
{
    const unsigned char c = (unsigned char)text[position];
    if (position == 0 && (c == 'e' || c == 'E'))
        return isalpha((unsigned char)text[1]) && text[1] != 'e' && text[1] != 'E';
    if (position == 0)
        return isalpha(c) || c == '_';
    return isalnum(c) || (c != '\0' && strchr("!\"#$%&(),.;?@_`'{}~", c));
}

/* Writes " + 3 x" or " - x", eight terms a line. */
static void write_term(FILE *stream, int *on_line, double value, const char *name)
{
    base_work(300);
    if (*on_line == 8) {
        fputs("\n  ", stream);
        *on_line = 0;
    }
    ++*on_line;
    fputs(signbit(value) ? " - " : " + ", stream);
    if (fabs(value) != 1.0)
        fprintf(stream, "%s ", base_number_shortest(fabs(value)).text);
    fputs(name, stream);
}

static void write_objective(const lp_model *m, const lp_names *cols, FILE *stream)
{
    const double sign = m->maximize ? -1.0 : 1.0;
    int on_line = 0;
    fprintf(stream, "%s\n obj:", m->maximize ? "Maximize" : "Minimize");
    for (int j = 0; j < m->cols; j++)
        write_term(stream, &on_line, m->cost[j] == 0.0 ? 0.0 : sign * m->cost[j],
                   lp_names_get(cols, j));
    fputc('\n', stream);
}

/* Chooses a suffix that turns no name into another one, for the second half of a row written as two
 * rows. */
static void choose_suffix(const lp_names *names, char *suffix, size_t size)
{
    snprintf(suffix, size, "~upper");
    for (int k = 0, attempt = 0; k < lp_names_count(names); k++) {
        char text[300];
        snprintf(text, sizeof text, "%s%s", lp_names_get(names, k), suffix);
        if (lp_names_find(names, text) < 0)
            continue;
        snprintf(suffix, size, "~upper%d", ++attempt);
        k = -1; /* look again from the first name */
    }
}

static void write_rows(const lp_model *m, const lp_names *cols, const lp_names *rows, FILE *stream)
{
    lp_by_rows a = lp_model_by_rows(m);
    char suffix[32];
    choose_suffix(rows, suffix, sizeof suffix);
    fputs("Subject To\n", stream);
    for (int r = 0; r < m->rows; r++) {
        const double lower = m->row_lower[r], upper = m->row_upper[r];
        const bool both = isfinite(lower) && isfinite(upper) && lower != upper;
        for (int side = 0; side <= (both ? 1 : 0); side++) {
            int on_line = 0;
            fprintf(stream, " %s%s:", lp_names_get(rows, r), side ? suffix : "");
            for (int k = a.start[r]; k < a.start[r + 1]; k++)
                write_term(stream, &on_line, a.value[k], lp_names_get(cols, a.col[k]));
            if (a.start[r] == a.start[r + 1])
                fprintf(stream, " 0 %s", m->cols > 0 ? lp_names_get(cols, 0) : "");
            if (lower == upper)
                fprintf(stream, " = %s\n", base_number_shortest(lower).text);
            else if (side || !isfinite(lower))
                fprintf(stream, " <= %s\n",
                        isfinite(upper) ? base_number_shortest(upper).text : "1e30");
            else
                fprintf(stream, " >= %s\n", base_number_shortest(lower).text);
        }
    }
    lp_by_rows_free(&a);
}

static void write_bounds(const lp_model *m, const lp_names *cols, FILE *stream)
{
    fputs("Bounds\n", stream);
    for (int j = 0; j < m->cols; j++) {
        const char *name = lp_names_get(cols, j);
        const double lower = m->lower[j], upper = m->upper[j];
        const base_decimal low = base_number_shortest(lower), high = base_number_shortest(upper);
        if (lower == 0.0 && upper == LP_INFINITY)
            continue;
        if (isinf(lower) && isinf(upper))
            fprintf(stream, " %s free\n", name);
        else if (lower == upper)
            fprintf(stream, " %s = %s\n", name, low.text);
        else if (isinf(upper))
            fprintf(stream, " %s >= %s\n", name, low.text);
        else
            fprintf(stream, " %s <= %s <= %s\n", isinf(lower) ? "-inf" : low.text, name, high.text);
    }
}

void lp_write_lp(const lp_model *m, FILE *stream)
{
    lp_names *rows = lp_file_safe_names(m->row_name, m->rows, 'r', legal_in_lp, reserved);
    lp_names *cols = lp_file_safe_names(m->col_name, m->cols, 'c', legal_in_lp, reserved);
    bool integers = false;
    assert(m->offset == 0.0);
    write_objective(m, cols, stream);
    write_rows(m, cols, rows, stream);
    write_bounds(m, cols, stream);
    for (int j = 0; j < m->cols; j++) {
        if (!m->integer[j])
            continue;
        if (!integers)
            fputs("Generals\n", stream);
        integers = true;
        fprintf(stream, " %s\n", lp_names_get(cols, j));
    }
    fputs("End\n", stream);
    lp_names_free(rows);
    lp_names_free(cols);
}
