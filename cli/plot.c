/* Writes the gnuplot script of a schedule's picture, the style and data included, and lets gnuplot
 * draw it; texts are quoted so that gnuplot executes none of them. */
#include "cli/plot.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static const char *suffix_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && !strchr(dot, '/') ? dot + 1 : "";
}

/* True if style.gp has a terminal for a suffix. */
static bool is_picture(const char *suffix)
{
    return strcmp(suffix, "pdf") == 0 || strcmp(suffix, "png") == 0 || strcmp(suffix, "svg") == 0;
}

int cli_plot_check(const char *path, base_error *error)
{
    const char *suffix = suffix_of(path);
    bool script = strcmp(suffix, "gp") == 0;
    if (!script && !is_picture(suffix))
        return base_fail(error, "%s: expected a name ending in .pdf, .png, .svg or .gp", path);
    if (!script && system("command -v gnuplot >/dev/null 2>&1") != 0)
        return base_fail(error, "%s: gnuplot, which draws it, was not found", path);
    return cli_output_probe(path, error);
}

/* ---- data ------------------------------------------------------------------- */

/* The events of schedule.gp. RESIDENT and STORED are runs of stages. */
typedef enum event { RESIDENT, STORED, COMPUTED, RECOMPUTED, PAGED_OUT, PAGED_IN, EVENTS } event;

static bool has_event(const schedule *s, event what, int t, int i)
{
    const uint8_t *const matrix[EVENTS] = {s->S, s->A, NULL, s->R, s->Out, s->In};
    if (what == COMPUTED || t == i)
        return what == COMPUTED && t == i;
    return matrix[what][schedule_cell(s, t, i)];
}

static void print_cells(const schedule *s, FILE *out)
{
    static const char *const name[EVENTS] = {"in RAM",     "on storage", "computed",
                                             "recomputed", "page out",   "page in"};
    fputs("$cells << EOD\nevent,node,first,last\n", out);
    for (int what = 0; what < EVENTS; what++)
        for (int i = 0; i < s->n; i++)
            for (int t = 0; t < s->n; t++) {
                if (!has_event(s, (event)what, t, i))
                    continue;
                const int first = t;
                while (what <= STORED && t + 1 < s->n && has_event(s, (event)what, t + 1, i))
                    t++;
                fprintf(out, "%s,%d,%d,%d\n", name[what], i, first, t);
            }
    fputs("EOD\n", out);
}

/* Prints the memory in use while each node of a stage is computed, as steps down the page. */
static void print_memory(const problem *p, const schedule *s, FILE *out)
{
    fputs("$memory << EOD\nbytes,stage\n", out);
    int64_t *profile = base_malloc((size_t)s->n, sizeof *profile);
    for (int t = 0; t < s->n; t++) {
        schedule_stage_memory(p, s, t, profile);
        int count = 0, at = 0;
        for (int k = 0; k <= t; k++)
            count += s->R[schedule_cell(s, t, k)];
        for (int k = 0; k <= t; k++)
            if (s->R[schedule_cell(s, t, k)]) {
                for (int end = 0; end < 2; end++)
                    fprintf(out, "%" PRId64 ",%g\n", profile[k],
                            t - 0.5 + (double)(at + end) / count);
                at++;
            }
    }
    base_free(profile);
    fputs("EOD\n", out);
}

/* Prints the text in single quotes, so that gnuplot executes nothing in it (between double quotes
 * it executes backquotes). A single quote in the text becomes an apostrophe: doubling it does not
 * work at the beginning of a text. */
void cli_plot_quoted(const char *text, FILE *out)
{
    static const char apostrophe[] = "\xe2\x80\x99";
    base_shown clean = base_text_shown(text);
    fputc('\'', out);
    for (const char *at = clean.text; *at; at++)
        if (*at == '\'')
            fputs(apostrophe, out);
        else
            fputc(*at, out);
    fputc('\'', out);
}

/* ---- schedule --------------------------------------------------------------- */

/* Nodes with names at their tics, and letters of these (tic_name of style.gp). */
enum { MOST_NAMED = 48, MOST_LETTERS = 32 };

/* Bytes of the longest name at a tic, at most MOST_LETTERS; 0: there is no room for names. */
static int longest_name(const graph *g)
{
    size_t most = 0;
    for (int i = 0; i < g->n && g->n <= MOST_NAMED; i++) {
        const size_t length = strnlen(g->node_name[i], MOST_LETTERS);
        most = length > most ? length : most;
    }
    return (int)most;
}

static void print_node_names(const graph *g, FILE *out)
{
    fprintf(out, "longest = %d\n", longest_name(g));
    for (int i = 0; i < g->n && g->n <= MOST_NAMED; i++) {
        fputs(i ? ", tic_name(" : "set xtics (tic_name(", out);
        cli_plot_quoted(g->node_name[i], out);
        fprintf(out, ", %d) %d%s", i, i, i + 1 < g->n ? "" : ")\n");
    }
}

/* The two lines above the picture. */
static void print_title(const problem *p, const schedule *s, const char *method, FILE *out)
{
    validation v;
    char text[2400];
    const graph *g = p->graph;
    schedule_validate(p, s, &v, NULL);
    const double base = graph_base_joules(g);
    snprintf(text, sizeof text, "%s%s%s", cli_graph_words(g).text, method ? ", " : "",
             method ? method : "");
    fputs("over = short(", out);
    cli_plot_quoted(text, out);
    snprintf(text, sizeof text,
             "overhead %.4g J, %.3g %% of computing every node once; "
             "%" PRId64 " recomputations, %" PRId64 " page-outs, %" PRId64 " page-ins",
             v.overhead_joules, base > 0 ? 100 * v.overhead_joules / base : NAN, v.recompute_count,
             v.pageout_count, v.pagein_count);
    fputs(", 90)\nunder = ", out);
    cli_plot_quoted(text, out);
    fputs("\n", out);
}

/* A schedule to be drawn. */
typedef struct drawing {
    const problem *problem;
    const schedule *schedule;
    const char *method;
} drawing;

static void print_drawing(const void *data, FILE *out)
{
    const drawing *drawn = data;
    const problem *p = drawn->problem;
    const schedule *s = drawn->schedule;
    fprintf(out, "n = %d\nbudget = %" PRId64 "\ncells = '$cells'\nmemory = '$memory'\n", s->n,
            p->ram_budget_bytes);
    print_cells(s, out);
    print_memory(p, s, out);
    print_node_names(p->graph, out);
    print_title(p, s, drawn->method, out);
    fputs(cli_plot_schedule, out);
}

/* ---- gnuplot ---------------------------------------------------------------- */

/* Prints the style, the script of `print` and its data. kind: a picture format of style.gp; NULL:
 * the user chooses one. */
static void print_script(const char *kind, double inches, cli_plot_print print, const void *data,
                         FILE *out)
{
    if (kind)
        fprintf(out, "kind = '%s'\n", kind);
    fprintf(out, "height = %.3g\n", inches);
    fputs(cli_plot_style, out);
    print(data, out);
    fputs("unset output\n", out);
}

/* Lets gnuplot read the script from its standard input and copies its output into the picture,
 * since gnuplot does not check that its picture could be written. It gets no path of ours,
 * reads no settings of the user, and has a locale in which it can write UTF-8. */
static int run_gnuplot(FILE *script, FILE *picture)
{
    char command[64], block[1 << 16];
    snprintf(command, sizeof command, "LC_ALL=C.UTF-8 exec gnuplot -d - <&%d", fileno(script));
    FILE *pipe = popen(command, "re");
    if (!pipe)
        return -1;
    for (size_t got; (got = fread(block, 1, sizeof block, pipe)) > 0;)
        fwrite(block, 1, got, picture);
    return pclose(pipe) == 0 ? 0 : -1;
}

/* gnuplot's picture into out, which is open and empty. */
static int draw(const char *path, double inches, cli_plot_print print, const void *data,
                base_output *out, base_error *error)
{
    FILE *script = tmpfile();
    if (!script)
        return base_fail(error, "%s: no temporary file for gnuplot: %s", path, strerror(errno));
    print_script(suffix_of(path), inches, print, data, script);
    int reason = base_flush(script, fileno(script));
    if (!reason && fseek(script, 0, SEEK_SET) != 0)
        reason = errno;
    fflush(NULL); /* nothing may be in the child's copies of our streams */
    const int failed = !reason && run_gnuplot(script, base_output_stream(out)) != 0;
    fclose(script);
    if (reason)
        return base_fail(error, "%s: the temporary file for gnuplot: %s", path, strerror(reason));
    return failed ? base_fail(error, "%s: gnuplot, which draws it, failed", path) : 0;
}

int cli_plot_draw(const char *path, double inches, cli_plot_print print, const void *data,
                  base_error *error)
{
    if (cli_plot_check(path, error))
        return -1;
    base_output *out = base_output_open(path, error);
    if (!out)
        return -1;
    if (!is_picture(suffix_of(path))) {
        print_script(NULL, inches, print, data, base_output_stream(out));
    } else if (draw(path, inches, print, data, out, error)) {
        base_output_abort(out);
        return -1;
    }
    return base_output_commit(out, error);
}

int cli_plot_write(const char *path, const problem *p, const schedule *s, const char *method,
                   base_error *error)
{
    const drawing drawn = {p, s, method};
    return cli_plot_draw(path, 3.9 + 0.07 * longest_name(p->graph), print_drawing, &drawn, error);
}
