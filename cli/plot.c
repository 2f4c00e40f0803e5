/* Writes the gnuplot script of a schedule's picture, data included, and lets gnuplot draw it;
 * texts are quoted so that gnuplot executes none of them. */
#include "cli/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/output.h"

static const char *suffix_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && !strchr(dot, '/') ? dot + 1 : "";
}

/* gnuplot's terminal for a suffix; NULL: none. */
static const char *terminal_of(const char *suffix)
{
    static const char *const known[][2] = {
        {"pdf", "pdfcairo size 9in,6in font 'Helvetica,11'"},
        {"png", "pngcairo size 1350,900 font 'Helvetica,13'"},
        {"svg", "svg size 1080,720 dynamic background rgb 'white' font 'Helvetica,13'"}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcmp(known[k][0], suffix) == 0)
            return known[k][1];
    return NULL;
}

/* True if a program of that name is on the path. */
static bool on_path(const char *name)
{
    const char *path = getenv("PATH");
    char candidate[4096];
    while (path && *path) {
        size_t length = strcspn(path, ":");
        snprintf(candidate, sizeof candidate, "%.*s/%s", (int)length, path, name);
        if (access(candidate, X_OK) == 0)
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

int cli_plot_check(const char *path, base_error *error)
{
    const char *suffix = suffix_of(path);
    bool script = strcmp(suffix, "gp") == 0;
    if (!script && !terminal_of(suffix))
        return base_fail(error, "%s: expected a name ending in .pdf, .png, .svg or .gp", path);
    if (!script && !on_path("gnuplot"))
        return base_fail(error, "%s: gnuplot, which draws it, was not found", path);
    return cli_output_probe(path, error);
}

/* ---- data ------------------------------------------------------------------- */

/* Which picture a cell gets. RESIDENT and STORED are drawn as vertical runs. */
typedef enum cell_class { RESIDENT, STORED, COMPUTED, RECOMPUTED, CLASS_COUNT } cell_class;

static bool in_class(const schedule *s, cell_class class, int t, int i)
{
    const size_t cell = schedule_cell(s, t, i);
    switch (class) {
    case RESIDENT:
        return s->S[cell];
    case STORED:
        return s->A[cell];
    case COMPUTED:
        return t == i;
    default:
        return s->R[cell] && t != i;
    }
}

/* Rectangles, one a line: center x, center y, half width, half height. */
static void print_cells(const schedule *s, cell_class class, double half_width, FILE *out)
{
    fputs("NaN NaN NaN NaN\n", out); /* gnuplot warns of data without a line */
    for (int i = 0; i < s->n; i++)
        for (int t = 0; t < s->n; t++) {
            if (!in_class(s, class, t, i))
                continue;
            int first = t;
            while ((class == RESIDENT || class == STORED) && t + 1 < s->n &&
                   in_class(s, class, t + 1, i))
                t++;
            fprintf(out, "%d %g %g %g\n", i, 0.5 * (first + t), half_width,
                    0.5 * (t - first + 1) - (class == STORED ? 0 : 0.08));
        }
}

static void print_marks(const schedule *s, const uint8_t *matrix, FILE *out)
{
    fputs("NaN NaN\n", out);
    for (int t = 0; t < s->n; t++)
        for (int i = 0; i < t; i++)
            if (matrix[schedule_cell(s, t, i)])
                fprintf(out, "%d %d\n", i, t);
}

/* Memory in force while each node of a stage is computed, as steps down the page. */
static void print_memory(const problem *p, const schedule *s, double unit, FILE *out)
{
    int64_t *profile = base_malloc((size_t)s->n, sizeof *profile);
    for (int t = 0; t < s->n; t++) {
        schedule_stage_memory(p, s, t, profile);
        int count = 0, at = 0;
        for (int k = 0; k <= t; k++)
            count += s->R[schedule_cell(s, t, k)];
        for (int k = 0; k <= t; k++)
            if (s->R[schedule_cell(s, t, k)]) {
                const double bytes = (double)profile[k] / unit;
                fprintf(out, "%.9g %g\n", bytes, t - 0.5 + (double)at / count);
                fprintf(out, "%.9g %g\n", bytes, t - 0.5 + (double)(at + 1) / count);
                at++;
            }
    }
    base_free(profile);
}

/* A text for gnuplot, which it shows as it is where enhanced marks are off: in single quotes,
 * between which nothing has a meaning but a single quote, not in double ones, between which it
 * executes what stands in backquotes. Doubled single quotes would be one, but not at the beginning
 * of a text: an apostrophe stands for it. tic: of an axis, where % begins a format. */
void cli_plot_quoted(const char *text, bool tic, FILE *out)
{
    static const char apostrophe[] = "\xe2\x80\x99";
    base_shown clean = base_text_shown(text);
    fputc('\'', out);
    for (const char *at = clean.text; *at; at++)
        if (*at == '\'')
            fputs(apostrophe, out);
        else
            fprintf(out, "%s%c", tic && *at == '%' ? "%" : "", *at);
    fputc('\'', out);
}

/* ---- script ----------------------------------------------------------------- */

static void print_data(const problem *p, const schedule *s, double unit, FILE *out)
{
    static const char *const name[CLASS_COUNT] = {"resident", "stored", "computed", "recomputed"};
    static const double half[CLASS_COUNT] = {0.42, 0.07, 0.42, 0.42};
    for (int class = 0; class < CLASS_COUNT; class ++) {
        fprintf(out, "$%s << EOD\n", name[class]);
        print_cells(s, (cell_class) class, half[class], out);
        fputs("EOD\n", out);
    }
    fputs("$pageout << EOD\n", out);
    print_marks(s, s->Out, out);
    fputs("EOD\n$pagein << EOD\n", out);
    print_marks(s, s->In, out);
    fputs("EOD\n$memory << EOD\n", out);
    print_memory(p, s, unit, out);
    fputs("EOD\n", out);
}

/* Names of the nodes below the chart, when there is room for them. */
static void print_node_names(const graph *g, FILE *out)
{
    if (g->n > 48) {
        fputs("set xtics autofreq rotate by 0 offset 0,0\nset xlabel \"node\"\n", out);
        return;
    }
    fputs("set xtics rotate by 90 right offset 0,0 noenhanced (", out);
    for (int i = 0; i < g->n; i++) {
        char number[24];
        snprintf(number, sizeof number, "%d", i);
        fputs(i ? ", " : "", out);
        cli_plot_quoted(g->node_name[i] && *g->node_name[i] ? g->node_name[i] : number, true, out);
        fprintf(out, " %d", i);
    }
    fputs(")\n", out);
}

static void print_title(const problem *p, const schedule *s, const char *method, FILE *out)
{
    validation v;
    char text[400];
    const graph *g = p->graph;
    schedule_validate(p, s, &v, NULL);
    const double base = graph_base_joules(g);
    snprintf(text, sizeof text,
             "%s%s%s%s%s: overhead %.4g J (%.3g %% of computing every node once), "
             "%" PRId64 " recomputations, %" PRId64 " page-outs, %" PRId64 " page-ins",
             g->name ? g->name : "", g->platform ? " on " : "", g->platform ? g->platform : "",
             method ? ", " : "", method ? method : "", v.overhead_joules,
             base > 0 ? 100 * v.overhead_joules / base : NAN, v.recompute_count, v.pageout_count,
             v.pagein_count);
    fputs("set label 100 ", out);
    cli_plot_quoted(text, false, out);
    fputs(" at screen 0.5,0.975 center noenhanced\n", out);
}

static const char chart[] =
    "set multiplot\n"
    "set yrange [n-0.5:-0.5]\n"
    "set tics out nomirror\n"
    "set border 3\n"
    "ps = n <= 24 ? 1.5 : n <= 60 ? 0.9 : n <= 150 ? 0.6 : 0.4\n"
    "set lmargin at screen 0.07\nset rmargin at screen 0.70\n"
    "set tmargin at screen 0.87\nset bmargin at screen n <= 48 ? 0.16 : 0.11\n"
    "set xrange [-0.6:n-0.4]\n"
    "set ylabel 'stage (time runs down)'\n"
    "set key at screen 0.5,0.945 center top horizontal samplen 2 width -1 maxrows 1\n"
    "set style fill solid noborder\n"
    "plot $resident u 1:2:3:4 w boxxyerror fc rgb '#d0d0d0' t 'in RAM', \\\n"
    "     $computed u 1:2:3:4 w boxxyerror fc rgb '#202020' t 'computed', \\\n"
    "     $recomputed u 1:2:3:4 w boxxyerror fs pattern 5 border lc rgb '#d55e00' "
    "fc rgb '#d55e00' t 'recomputed', \\\n"
    "     $stored u 1:2:3:4 w boxxyerror fc rgb '#86bfe6' t 'on storage', \\\n"
    "     $pageout u 1:2 w p pt 11 ps ps lc rgb '#0072b2' t 'page out', \\\n"
    "     $pagein u 1:2 w p pt 9 ps ps lc rgb '#0072b2' t 'page in'\n"
    "unset label 100\n"
    "set lmargin at screen 0.75\nset rmargin at screen 0.97\n"
    "unset ylabel\nset ytics format ''\n"
    "set xrange [0:budget*1.08]\n"
    "set xtics autofreq rotate by 0 offset 0,0 norangelimit\n"
    "set xlabel sprintf('RAM in %s', unit)\n"
    "set label 1 'budget' at budget,-0.5 right offset -0.3,0.6\n"
    "set arrow 1 from budget,graph 0 to budget,graph 1 nohead lw 2 dt 2 lc rgb '#d55e00'\n"
    "unset key\n"
    "plot $memory u 1:2 w l lw 1.4 lc rgb '#202020'\n"
    "unset multiplot\n"
    "unset output\n";

/* A schedule to be drawn. */
typedef struct drawing {
    const problem *problem;
    const schedule *schedule;
    const char *method;
} drawing;

static void print_drawing(const void *data, FILE *out)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB"};
    const drawing *drawn = data;
    const problem *p = drawn->problem;
    const schedule *s = drawn->schedule;
    int k = 0;
    double unit = 1;
    for (; k < 3 && (double)p->ram_budget_bytes / unit >= 4096; k++)
        unit *= 1024;
    fprintf(out, "n = %d\nbudget = %.9g\nunit = '%s'\n", s->n, (double)p->ram_budget_bytes / unit,
            units[k]);
    print_data(p, s, unit, out);
    print_node_names(p->graph, out);
    print_title(p, s, drawn->method, out);
    fputs(chart, out);
}

/* ---- gnuplot ---------------------------------------------------------------- */

static void print_script(const char *terminal, cli_plot_print print, const void *data, FILE *out)
{
    fputs("set encoding utf8\n", out);
    if (terminal)
        fprintf(out, "set terminal %s\n", terminal);
    print(data, out);
}

/* What comes through the pipe, to its end, into the picture. */
static void copy_all(int from, FILE *picture)
{
    char block[1 << 16];
    for (;;) {
        const ssize_t got = read(from, block, sizeof block);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return;
        fwrite(block, 1, (size_t)got, picture);
    }
}

/* Lets gnuplot read the script from its standard input and copies what it draws, since gnuplot does
 * not look whether its picture could be written; no path of ours reaches it, and no settings of the
 * user's. */
static int run_gnuplot(FILE *script, FILE *picture)
{
    static char name[] = "gnuplot", defaults[] = "-d", input[] = "-";
    char *const words[] = {name, defaults, input, NULL};
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    pid_t child = fork();
    if (child == 0) {
        if (dup2(fileno(script), STDIN_FILENO) >= 0 && dup2(ends[1], STDOUT_FILENO) >= 0)
            execvp(name, words);
        _exit(127);
    }
    close(ends[1]);
    if (child > 0)
        copy_all(ends[0], picture);
    close(ends[0]);
    int status = 0;
    return child < 0 || waitpid(child, &status, 0) != child || status != 0 ? -1 : 0;
}

/* gnuplot's picture into out, which is open and empty. */
static int draw(const char *path, cli_plot_print print, const void *data, base_output *out,
                base_error *error)
{
    FILE *script = tmpfile();
    if (!script)
        return base_fail(error, "%s: no temporary file for gnuplot: %s", path, strerror(errno));
    print_script(terminal_of(suffix_of(path)), print, data, script);
    const bool written = fflush(script) == 0 && !ferror(script) && fseek(script, 0, SEEK_SET) == 0;
    const int reason = written ? 0 : base_write_reason(fileno(script));
    fflush(NULL); /* nothing may be in the child's copies of our streams */
    const int failed = written && run_gnuplot(script, base_output_stream(out)) != 0;
    fclose(script);
    if (!written)
        return base_fail(error, "%s: the temporary file for gnuplot: %s", path,
                         reason ? strerror(reason) : "not all of it could be written");
    return failed ? base_fail(error, "%s: gnuplot, which draws it, failed", path) : 0;
}

int cli_plot_draw(const char *path, cli_plot_print print, const void *data, base_error *error)
{
    if (cli_plot_check(path, error))
        return -1;
    base_output *out = base_output_open(path, error);
    if (!out)
        return -1;
    if (!terminal_of(suffix_of(path))) {
        print_script(NULL, print, data, base_output_stream(out));
    } else if (draw(path, print, data, out, error)) {
        base_output_abort(out);
        return -1;
    }
    return base_output_commit(out, error);
}

int cli_plot_write(const char *path, const problem *p, const schedule *s, const char *method,
                   base_error *error)
{
    const drawing drawn = {p, s, method};
    return cli_plot_draw(path, print_drawing, &drawn, error);
}
