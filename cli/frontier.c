/* The picture of a sweep: overhead against memory, a line for each network, platform and deadline.
 */
#include <math.h>
#include <string.h>

#include "cli/plot.h"

static bool is_same_line(const cli_outcome *a, const cli_outcome *b)
{
    return a->given == b->given && a->problem.deadline_seconds == b->problem.deadline_seconds;
}

/* True if an earlier row is of the same line. */
static bool is_begun(const cli_outcomes *rows, int k)
{
    for (int before = 0; before < k; before++)
        if (is_same_line(&rows->row[before], &rows->row[k]))
            return true;
    return false;
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

static void print_name(const problem *p, FILE *out)
{
    char text[400], deadline[48] = "";
    const graph *g = p->graph;
    if (isfinite(p->deadline_seconds))
        snprintf(deadline, sizeof deadline, ", %.4g s", p->deadline_seconds);
    snprintf(text, sizeof text, "%s%s%s%s", g->name ? g->name : "graph", g->platform ? " on " : "",
             g->platform ? g->platform : "", deadline);
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

static void print_frontier(const void *data, FILE *out)
{
    const cli_outcomes *rows = data;
    const char *separator = "plot ";
    bool zero;
    int line = 0;
    for (int k = 0; k < rows->count; k++) {
        if (is_begun(rows, k))
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
    for (int k = 0, drawn = 0; k < rows->count; k++) {
        if (is_begun(rows, k))
            continue;
        drawn++;
        fprintf(out, "%s$line%d u 1:2 w l lw 1.5 lt %d t ", separator, drawn, drawn);
        print_name(&rows->row[k].problem, out);
        fprintf(out,
                ", $line%d u 1:3 w p pt 7 ps 0.8 lt %d notitle"
                ", $line%d u 1:2 w p pt 6 ps 0.8 lt %d notitle"
                ", $line%d u 1:4 w p pt 2 ps 0.8 lt %d notitle",
                drawn, drawn, drawn, drawn, drawn, drawn);
        separator = ", \\\n     ";
    }
    fputs(", \\\n     NaN w p pt 7 lc rgb '#606060' t 'proven optimal'"
          ", NaN w p pt 6 lc rgb '#606060' t 'best known'"
          ", NaN w p pt 2 lc rgb '#606060' t 'its lower bound'\nunset output\n",
          out);
}

int cli_frontier_write(const char *path, const cli_outcomes *rows, base_error *error)
{
    return cli_plot_draw(path, print_frontier, rows, error);
}
