/* Numbers, bytes and texts as the program prints them, on the terminal and in JSON. */
#include "cli/report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "problem/strict.h"

json_t *cli_json_real(double value)
{
    return isfinite(value) ? json_real(value == 0 ? 0 : value) : json_null();
}

json_t *cli_json_text(const char *text)
{
    return json_string(base_text_shown(text).text);
}

/* As json_dumpf, but that has no shortest numbers. */
static void print_value(json_t *value, int depth)
{
    const bool is_object = json_is_object(value);
    const size_t size = is_object ? json_object_size(value) : json_array_size(value);
    if (json_is_real(value)) {
        const base_decimal decimal = base_number_shortest(json_real_value(value));
        printf("%s%s", decimal.text, strpbrk(decimal.text, ".e") ? "" : ".0");
    } else if (size == 0) {
        json_dumpf(value, stdout, JSON_ENCODE_ANY);
    } else {
        void *member = json_object_iter(value);
        putchar(is_object ? '{' : '[');
        for (size_t k = 0; k < size; k++) {
            printf("%s\n%*s", k > 0 ? "," : "", 2 * depth + 2, "");
            if (is_object) {
                strict_print_string(json_object_iter_key(member), stdout);
                fputs(": ", stdout);
            }
            print_value(is_object ? json_object_iter_value(member) : json_array_get(value, k),
                        depth + 1);
            member = is_object ? json_object_iter_next(value, member) : NULL;
        }
        printf("\n%*s%c", 2 * depth, "", is_object ? '}' : ']');
    }
}

void cli_json_print(json_t *object)
{
    print_value(object, 0);
    putchar('\n');
    json_decref(object);
}

static base_shown cell_text(const json_t *record, const char *member)
{
    base_shown shown;
    const json_t *value = json_object_get(record, member);
    if (strcmp(member, "range") == 0 && json_is_boolean(json_object_get(record, "least")))
        snprintf(shown.text, sizeof shown.text, "on, off");
    else if (strcmp(member, "range") == 0)
        snprintf(shown.text, sizeof shown.text, "%.99s to %.99s", cell_text(record, "least").text,
                 cell_text(record, "most").text);
    else if (json_is_string(value))
        snprintf(shown.text, sizeof shown.text, "%s", json_string_value(value));
    else if (json_is_boolean(value))
        snprintf(shown.text, sizeof shown.text, "%s",
                 strcmp(member, "default") != 0 ? json_is_true(value) ? "yes" : "no"
                 : json_is_true(value)          ? "on"
                                                : "off");
    else
        snprintf(shown.text, sizeof shown.text, "%.10g", json_number_value(value));
    return shown;
}

static void print_line(int length)
{
    while (length-- > 0)
        putchar('-');
}

void cli_table_print(const char *title, json_t *records, const cli_column *columns, int count)
{
    enum { MOST_COLUMNS = 6 };
    int width[MOST_COLUMNS];
    size_t r;
    json_t *record;
    printf("%s\n", title);
    print_line((int)strlen(title));
    printf("\n\n");
    for (int c = 0; c < count; c++) {
        width[c] = (int)strlen(columns[c].heading);
        json_array_foreach(records, r, record)
        {
            const int length = (int)strlen(cell_text(record, columns[c].member).text);
            width[c] = length > width[c] ? length : width[c];
        }
        printf("| %-*s ", width[c], columns[c].heading);
    }
    printf("|\n");
    for (int c = 0; c < count; c++) {
        putchar('|');
        print_line(width[c] + 2);
    }
    printf("|\n");
    json_array_foreach(records, r, record)
    {
        for (int c = 0; c < count; c++)
            printf("| %-*s ", width[c], cell_text(record, columns[c].member).text);
        printf("|\n");
    }
    json_decref(records);
}

base_counted cli_format_bytes(int64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    base_counted shown;
    double scaled = (double)bytes / 1024;
    int unit = 0;
    for (; scaled >= 1024 && unit < 3; unit++)
        scaled /= 1024;
    if (bytes < 1024)
        snprintf(shown.text, sizeof shown.text, "%" PRId64 " bytes", bytes);
    else
        snprintf(shown.text, sizeof shown.text, "%" PRId64 " bytes (%.4g %s)", bytes, scaled,
                 units[unit]);
    return shown;
}

base_counted cli_format_checksum(const graph *g)
{
    base_counted shown;
    snprintf(shown.text, sizeof shown.text, "fnv:%016" PRIx64, graph_checksum(g));
    return shown;
}

void cli_report_measures(json_t *object, const problem *p, const validation *v)
{
    json_object_update_new(
        object,
        json_pack("{s:f, s:f, s:f, s:I, s:I, s:f, s:f, s:o, s:I, s:I, s:I}", "energy_joules",
                  v->energy_joules, "overhead_joules", v->overhead_joules, "base_joules",
                  graph_base_joules(p->graph), "peak_bytes", (json_int_t)v->peak_bytes,
                  "ram_budget_bytes", (json_int_t)p->ram_budget_bytes, "compute_seconds",
                  v->compute_seconds, "transfer_seconds", v->transfer_seconds, "deadline_seconds",
                  cli_json_real(p->deadline_seconds), "recompute_count",
                  (json_int_t)v->recompute_count, "pagein_count", (json_int_t)v->pagein_count,
                  "pageout_count", (json_int_t)v->pageout_count));
}

static void print_peak(FILE *stream, const problem *p, const validation *v)
{
    fprintf(stream,
            "  Peak memory     %s of %s,\n"
            "                  in stage %d when node %d (%s) is computed\n",
            cli_format_bytes(v->peak_bytes).text, cli_format_bytes(p->ram_budget_bytes).text,
            v->peak_stage, v->peak_node, p->graph->node_name[v->peak_node]);
}

void cli_report_print_measures(FILE *stream, const problem *p, const validation *v)
{
    double base = graph_base_joules(p->graph);
    fprintf(stream, "  Energy          %.10g J\n", v->energy_joules);
    fprintf(stream, "  Overhead        %.10g J", v->overhead_joules);
    if (base > 0)
        fprintf(stream, ", %.4g %% of the %.10g J of computing every node once",
                100 * v->overhead_joules / base, base);
    fputc('\n', stream);
    print_peak(stream, p, v);
    fprintf(stream, "  Computation     %.6g s", v->compute_seconds);
    if (isfinite(p->deadline_seconds))
        fprintf(stream, ", deadline %.6g s", p->deadline_seconds);
    fprintf(stream, ", with %s\n", base_text_counted(v->recompute_count, "recomputation").text);
    fprintf(stream, "  Transfers       %.6g s, %s and %s\n", v->transfer_seconds,
            base_text_counted(v->pagein_count, "page-in").text,
            base_text_counted(v->pageout_count, "page-out").text);
}
