/* The picture of a sweep or a comparison: overhead against memory, a line for each network,
 * platform, method and deadline. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/plot.h"

static bool is_same_line(const cli_outcome *a, const cli_outcome *b)
{
    return a->given == b->given && strcmp(a->method, b->method) == 0 &&
           a->problem.deadline_seconds == b->problem.deadline_seconds;
}

/* True if row k stands for its line: the first one with a schedule; of a line without any, which
 * the legend alone names (drawn: false), the first one. */
static bool is_head(const cli_outcomes *rows, int k, bool drawn)
{
    const cli_outcome *row = &rows->row[k];
    for (int other = 0; other < rows->count; other++)
        if (is_same_line(&rows->row[other], row) &&
            (row->schedule ? other < k && rows->row[other].schedule
                           : other < k || rows->row[other].schedule))
            return false;
    return drawn == (row->schedule != NULL);
}

/* True if the rows are of more than one method. */
static bool is_comparison(const cli_outcomes *rows)
{
    int k = 1;
    while (k < rows->count && strcmp(rows->row[k].method, rows->row[0].method) == 0)
        k++;
    return k < rows->count;
}

/* Prints the name of the row's line: the graph, or in a comparison, which is of one graph, the
 * method; and the deadline. */
static void print_name(const cli_outcome *row, bool comparison, FILE *out)
{
    char text[2400], deadline[48] = "";
    const problem *p = &row->problem;
    if (isfinite(p->deadline_seconds))
        snprintf(deadline, sizeof deadline, ", %.4g s", p->deadline_seconds);
    snprintf(text, sizeof text, "%s%s", comparison ? row->method : cli_graph_words(p->graph).text,
             deadline);
    cli_plot_quoted(text, out);
}

/* The index of a row's state in STATES of frontier.gp; 0: a method without bounds. */
static int state_of(const cli_outcome *row, double percent, double bound, bool comparison)
{
    const double far = 0.5; /* gap */
    if (comparison && isnan(row->bound))
        return 0;
    if (strcmp(row->status, "optimal") == 0)
        return 1;
    return percent - bound <= far * percent ? 2 : 3;
}

/* True if the row's mark has the budget of the other and would touch a mark within [*low, *high].
 * The interval then grows to contain it. */
static bool joins(const cli_outcome *row, const cli_outcome *other, double *low, double *high)
{
    const double near = 1.05;
    const double percent = cli_outcome_percent(row);
    if (!row->schedule || row->given != other->given ||
        row->problem.ram_budget_bytes != other->problem.ram_budget_bytes || percent < *low / near ||
        percent > *high * near)
        return false;
    *low = fmin(*low, percent);
    *high = fmax(*high, percent);
    return true;
}

/* Returns the horizontal shift of the row's mark, in widths of marks. Marks of one budget that
 * would hide each other stand side by side, around the budget. */
static double place_of(const cli_outcomes *rows, const cli_outcome *row)
{
    double low = cli_outcome_percent(row), high = low;
    int before = 0, count = 0;
    for (int former = -1; former < count;) {
        former = count;
        before = count = 0;
        for (int k = 0; k < rows->count; k++)
            if (joins(&rows->row[k], row, &low, &high)) {
                before += &rows->row[k] < row;
                count++;
            }
    }
    return before - 0.5 * (count - 1);
}

static void print_point(const cli_outcomes *rows, const cli_outcome *row, int line, bool comparison,
                        FILE *out)
{
    const graph *g = row->given;
    const double percent = cli_outcome_percent(row);
    const double bound = isnan(row->bound) ? 0 : fmax(100 * row->bound / graph_base_joules(g), 0);
    fprintf(out, "%d,%.9g,%.9g,%.9g,%d,%g\n", line,
            100 * (double)row->problem.ram_budget_bytes / (double)graph_checkpoint_all_peak(g),
            percent, bound, state_of(row, percent, bound, comparison),
            comparison ? place_of(rows, row) : 0);
}

/* The row of the same line with a schedule and the least budget above `bytes`; -1: none. */
static int next_point(const cli_outcomes *rows, int first, int64_t bytes)
{
    int next = -1;
    for (int k = first; k < rows->count; k++) {
        const cli_outcome *row = &rows->row[k];
        const int64_t budget = row->problem.ram_budget_bytes;
        if (is_same_line(row, &rows->row[first]) && row->schedule && budget > bytes &&
            (next < 0 || budget < rows->row[next].problem.ram_budget_bytes))
            next = k;
    }
    return next;
}

/* Prints the points of all lines, by line and budget; returns how many. */
static int print_points(const cli_outcomes *rows, bool comparison, FILE *out)
{
    int line = 0, points = 0;
    fputs("$points << EOD\nline,ram_percent,overhead_percent,bound_percent,state,beside\n", out);
    for (int first = 0; first < rows->count; first++) {
        if (!is_head(rows, first, true))
            continue;
        line++;
        for (int k = next_point(rows, first, -1); k >= 0;
             k = next_point(rows, first, rows->row[k].problem.ram_budget_bytes), points++)
            print_point(rows, &rows->row[k], line, comparison, out);
    }
    fputs("EOD\n", out);
    return points;
}

/* Bytes of keeping everything; 0: not the same for all rows. */
static int64_t common_peak(const cli_outcomes *rows)
{
    const int64_t peak = rows->count ? graph_checkpoint_all_peak(rows->row[0].given) : 0;
    for (int k = 1; k < rows->count; k++)
        if (graph_checkpoint_all_peak(rows->row[k].given) != peak)
            return 0;
    return peak;
}

static int count_lines(const cli_outcomes *rows, bool drawn)
{
    int lines = 0;
    for (int k = 0; k < rows->count; k++)
        lines += is_head(rows, k, drawn);
    return lines;
}

/* Prints names[] of the lines, from `line` on, and bounded[]. */
static void print_lines(const cli_outcomes *rows, bool drawn, int line, FILE *out)
{
    for (int k = 0; k < rows->count; k++) {
        if (!is_head(rows, k, drawn))
            continue;
        fprintf(out, "bounded[%d] = %d\nnames[%d] = short(", line, !isnan(rows->row[k].bound),
                line);
        print_name(&rows->row[k], is_comparison(rows), out);
        fputs(", 60)\n", out);
        line++;
    }
}

static void print_frontier(const void *data, FILE *out)
{
    const cli_outcomes *rows = data;
    const bool comparison = is_comparison(rows);
    const int lines = count_lines(rows, true), absent = count_lines(rows, false);
    fprintf(out,
            "compared = %d\nlines = %d\nabsent = %d\narray names[%d]\narray bounded[%d]\n"
            "title = short(",
            comparison, lines, absent, lines + absent + 1, lines + absent + 1);
    cli_plot_quoted(comparison ? cli_graph_words(rows->row[0].given).text : "", out);
    fputs(", 60)\n", out);
    print_lines(rows, true, 1, out);
    print_lines(rows, false, lines + 1, out);
    const int points = print_points(rows, comparison, out);
    fprintf(out, "points = %d\npeak = %" PRId64 "\n", points, common_peak(rows));
    fputs(cli_plot_frontier, out);
}

int cli_frontier_write(const char *path, const cli_outcomes *rows, base_error *error)
{
    const double inches = 3.5 + 0.15 * (count_lines(rows, true) + count_lines(rows, false));
    return cli_plot_draw(path, inches, print_frontier, rows, error);
}
