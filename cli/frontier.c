/* The picture of a sweep or a comparison: overhead against memory, a line for each network,
 * platform, method and deadline. */
#include <math.h>
#include <string.h>

#include "cli/plot.h"

static bool is_same_line(const cli_outcome *a, const cli_outcome *b)
{
    return a->given == b->given && strcmp(a->method, b->method) == 0 &&
           a->problem.deadline_seconds == b->problem.deadline_seconds;
}

/* True if row k is the first with a schedule on its line: lines without any are not drawn. */
static bool is_first(const cli_outcomes *rows, int k)
{
    for (int before = 0; before < k; before++)
        if (rows->row[before].schedule && is_same_line(&rows->row[before], &rows->row[k]))
            return false;
    return rows->row[k].schedule != NULL;
}

/* Lines of four numbers: the budget in % of keeping everything; the overhead in % of computing
 * every node once; the same if it is proven; the lower bound where it is not. */
static void print_points(const cli_outcomes *rows, int first, FILE *out)
{
    fputs("NaN NaN NaN NaN\n", out); /* gnuplot warns of data without a line */
    for (int k = first; k < rows->count; k++) {
        const cli_outcome *row = &rows->row[k];
        const graph *g = row->given;
        if (!is_same_line(row, &rows->row[first]) || !row->schedule)
            continue;
        const double percent = cli_outcome_percent(row);
        const bool proven = strcmp(row->status, "optimal") == 0;
        fprintf(out, "%.9g %.9g %.9g %.9g\n",
                100 * (double)row->problem.ram_budget_bytes / (double)graph_checkpoint_all_peak(g),
                percent, proven ? percent : NAN,
                proven || isnan(row->bound) ? NAN : 100 * row->bound / graph_base_joules(g));
    }
}

/* True if the rows are of more than one method. */
static bool is_comparison(const cli_outcomes *rows)
{
    int k = 1;
    while (k < rows->count && strcmp(rows->row[k].method, rows->row[0].method) == 0)
        k++;
    return k < rows->count;
}

/* The graph, in single quotes; in a comparison, which is of one graph, the method. */
static void print_name(const cli_outcome *row, bool comparison, FILE *out)
{
    char text[400], deadline[48] = "";
    const problem *p = &row->problem;
    const graph *g = p->graph;
    if (isfinite(p->deadline_seconds))
        snprintf(deadline, sizeof deadline, ", %.4g s", p->deadline_seconds);
    if (comparison)
        snprintf(text, sizeof text, "%s%s", row->method, deadline);
    else
        snprintf(text, sizeof text, "%s%s%s%s", g->name ? g->name : "graph",
                 g->platform ? " on " : "", g->platform ? g->platform : "", deadline);
    cli_plot_quoted(text, false, out);
}

/* Overheads that differ much are drawn on a logarithmic scale, on which there is no zero. */
static bool is_logarithmic(const cli_outcomes *rows, bool *zero)
{
    double least = INFINITY, most = 0;
    *zero = false;
    for (int k = 0; k < rows->count; k++) {
        const double percent = cli_outcome_percent(&rows->row[k]);
        if (percent > 0) {
            least = fmin(least, percent);
            most = fmax(most, percent);
        }
        *zero = *zero || percent == 0;
    }
    return most > 30 * least;
}

/* A line of a sweep: its points are full where they are proven, with a cross at the bound of the
 * others. */
static void print_sweep_line(int line, FILE *out)
{
    fprintf(out,
            ", $line%d u 1:3 w p pt 7 ps 0.8 lt %d notitle"
            ", $line%d u 1:2 w p pt 6 ps 0.8 lt %d notitle"
            ", $line%d u 1:4 w p pt 2 ps 0.8 lt %d notitle",
            line, line, line, line, line, line);
}

/* A method's line: every method has its own mark, in a circle where the point is proven. */
static void print_method_line(int line, FILE *out)
{
    fprintf(out,
            ", $line%d u 1:3 w p pt 6 ps 2 lt %d notitle"
            ", $line%d u 1:4 w p pt 2 lt %d notitle",
            line, line, line, line);
}

static void print_lines(const cli_outcomes *rows, bool comparison, FILE *out)
{
    const char *separator = "plot ";
    for (int k = 0, drawn = 0; k < rows->count; k++) {
        if (!is_first(rows, k))
            continue;
        drawn++;
        fprintf(out, "%s$line%d u 1:2 w %s lw 1.5 lt %d ", separator, drawn,
                comparison ? "lp" : "l", drawn);
        if (comparison)
            fprintf(out, "pt %d dt %d ", drawn, 1 + (drawn - 1) / 8);
        fputs("t ", out);
        print_name(&rows->row[k], comparison, out);
        if (comparison)
            print_method_line(drawn, out);
        else
            print_sweep_line(drawn, out);
        separator = ", \\\n     ";
    }
    fputs(separator, out);
    fputs(comparison ? "NaN w p pt 6 ps 2 lc rgb '#606060' t 'proven optimal'"
                       ", NaN w p pt 2 lc rgb '#606060' t 'lower bound'\nunset output\n"
                     : "NaN w p pt 7 lc rgb '#606060' t 'proven optimal'"
                       ", NaN w p pt 6 lc rgb '#606060' t 'best known'"
                       ", NaN w p pt 2 lc rgb '#606060' t 'its lower bound'\nunset output\n",
          out);
}

static void print_frontier(const void *data, FILE *out)
{
    const cli_outcomes *rows = data;
    const bool comparison = is_comparison(rows);
    bool zero;
    int line = 0;
    for (int k = 0; k < rows->count; k++) {
        if (!is_first(rows, k))
            continue;
        fprintf(out, "$line%d << EOD\n", ++line);
        print_points(rows, k, out);
        fputs("EOD\n", out);
    }
    if (is_logarithmic(rows, &zero))
        fprintf(out, "set logscale y\nset format y '%%g'\n%s",
                zero ? "set label 1 'points without overhead are below the picture' at graph "
                       "0.02,0.03\n"
                     : "");
    else
        fputs("set yrange [0:*]\n", out);
    fputs("set tics out nomirror\nset border 3\nset grid lc rgb '#d8d8d8'\n"
          "set offsets graph 0.03, graph 0.03, 0, 0\nset key top right noenhanced\n"
          "set xlabel 'RAM budget in % of what keeping everything takes'\n"
          "set ylabel 'overhead in % of the energy of computing every node once'\n",
          out);
    if (line == 0) /* gnuplot refuses ranges without a point */
        fputs("set xrange [0:100]\nset yrange [0:1]\n", out);
    if (comparison)
        fputs("set key outside right top reverse Left\n", out);
    print_lines(rows, comparison, out);
}

int cli_frontier_write(const char *path, const cli_outcomes *rows, base_error *error)
{
    return cli_plot_draw(path, print_frontier, rows, error);
}
