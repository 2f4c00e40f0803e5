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

/* The rows by lines. Lines with a schedule come first; the others are named by the legend alone. */
typedef struct chart {
    const cli_outcomes *rows;
    int *line;        /* number of each row's line, from 1 on */
    int drawn, lines; /* lines with a schedule, and all */
    bool comparison;  /* the rows are of more than one method */
} chart;

static chart chart_make(const cli_outcomes *rows)
{
    chart c = {.rows = rows, .line = base_calloc((size_t)rows->count + 1, sizeof *c.line)};
    for (int absent = 0; absent < 2; absent++) {
        for (int k = 0; k < rows->count; k++) {
            if (c.line[k] > 0 || (!absent && !rows->row[k].schedule))
                continue;
            c.lines++;
            for (int other = 0; other < rows->count; other++)
                if (is_same_line(&rows->row[other], &rows->row[k]))
                    c.line[other] = c.lines;
        }
        c.drawn = absent ? c.drawn : c.lines;
    }
    for (int k = 0; k < rows->count; k++)
        c.comparison |= strcmp(rows->row[k].method, rows->row[0].method) != 0;
    return c;
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

static void print_point(const chart *c, const cli_outcome *row, int line, FILE *out)
{
    const graph *g = row->given;
    const double percent = cli_outcome_percent(row);
    const double bound = isnan(row->bound) ? 0 : fmax(100 * row->bound / graph_base_joules(g), 0);
    fprintf(out, "%d,%.9g,%.9g,%.9g,%d,%g\n", line,
            100 * (double)row->problem.ram_budget_bytes / (double)graph_checkpoint_all_peak(g),
            percent, bound, state_of(row, percent, bound, c->comparison),
            c->comparison ? place_of(c->rows, row) : 0);
}

/* The row of the line with a schedule and the least budget above `bytes`; NULL: none. */
static const cli_outcome *next_point(const chart *c, int line, int64_t bytes)
{
    const cli_outcome *next = NULL;
    for (int k = 0; k < c->rows->count; k++) {
        const cli_outcome *row = &c->rows->row[k];
        const int64_t budget = row->problem.ram_budget_bytes;
        if (c->line[k] == line && row->schedule && budget > bytes &&
            (!next || budget < next->problem.ram_budget_bytes))
            next = row;
    }
    return next;
}

/* Prints the points of all lines, by line and budget; returns how many. */
static int print_points(const chart *c, FILE *out)
{
    int points = 0;
    fputs("$points << EOD\nline,ram_percent,overhead_percent,bound_percent,state,beside\n", out);
    for (int line = 1; line <= c->drawn; line++)
        for (const cli_outcome *row = next_point(c, line, -1); row;
             row = next_point(c, line, row->problem.ram_budget_bytes), points++)
            print_point(c, row, line, out);
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

/* Prints names[] and bounded[] of the lines. */
static void print_lines(const chart *c, FILE *out)
{
    for (int line = 1; line <= c->lines; line++) {
        const cli_outcome *row = c->rows->row;
        while (c->line[row - c->rows->row] != line || (line <= c->drawn && !row->schedule))
            row++;
        fprintf(out, "bounded[%d] = %d\nnames[%d] = short(", line, !isnan(row->bound), line);
        print_name(row, c->comparison, out);
        fputs(", 60)\n", out);
    }
}

static void print_frontier(const void *data, FILE *out)
{
    const chart *c = data;
    fprintf(out,
            "compared = %d\nlines = %d\nabsent = %d\narray names[%d]\narray bounded[%d]\n"
            "title = short(",
            c->comparison, c->drawn, c->lines - c->drawn, c->lines + 1, c->lines + 1);
    cli_plot_quoted(c->comparison ? cli_graph_words(c->rows->row[0].given).text : "", out);
    fputs(", 60)\n", out);
    print_lines(c, out);
    const int points = print_points(c, out);
    fprintf(out, "points = %d\npeak = %" PRId64 "\n", points, common_peak(c->rows));
    fputs(cli_plot_frontier, out);
}

int cli_frontier_write(const char *path, const cli_outcomes *rows, base_error *error)
{
    const chart c = chart_make(rows);
    const int failed = cli_plot_draw(path, 3.5 + 0.15 * c.lines, print_frontier, &c, error);
    base_free(c.line);
    return failed;
}
