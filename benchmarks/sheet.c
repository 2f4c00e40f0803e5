/* A row goes to the CSV file and the Markdown table at once. */
#include "benchmarks/sheet.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

int bench_sheet_open(bench_sheet *s, const char *folder, const char *name, const char *title,
                     base_error *error)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.csv", folder, name);
    *s = (bench_sheet){.csv = base_output_open(path, error)};
    if (!s->csv)
        return -1;
    snprintf(path, sizeof path, "%s/%s.md", folder, name);
    s->md = base_output_open(path, error);
    if (!s->md) {
        base_output_abort(s->csv);
        return -1;
    }
    fprintf(base_output_stream(s->md), "# %s\n", title);
    return 0;
}

int bench_sheet_close(bench_sheet *s, base_error *error)
{
    if (base_output_commit(s->csv, error)) {
        base_output_abort(s->md);
        return -1;
    }
    return base_output_commit(s->md, error);
}

static void print_cells(bench_sheet *s, const char *cells)
{
    FILE *csv = base_output_stream(s->csv), *md = base_output_stream(s->md);
    fputs("| ", md);
    for (const char *at = cells; *at; at++) {
        fputs(*at == '|' ? " | " : (char[]){*at, '\0'}, md);
        fputc(*at == '|' ? ',' : *at, csv);
    }
    fputs(" |\n", md);
    fputc('\n', csv);
}

void bench_sheet_heading(bench_sheet *s, const char *cells)
{
    FILE *md = base_output_stream(s->md);
    fputc('\n', md);
    print_cells(s, cells);
    fputc('|', md);
    for (const char *at = cells; at; at = strchr(at, '|'), at = at ? at + 1 : NULL)
        fputs("---|", md);
    fputc('\n', md);
}

void bench_sheet_row(bench_sheet *s, const char *format, ...)
{
    char cells[2000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(cells, sizeof cells, format, arguments);
    va_end(arguments);
    print_cells(s, cells);
}

void bench_sheet_text(bench_sheet *s, const char *format, ...)
{
    FILE *md = base_output_stream(s->md);
    va_list arguments;
    va_start(arguments, format);
    fputc('\n', md);
    vfprintf(md, format, arguments);
    fputc('\n', md);
    va_end(arguments);
}

bench_number bench_number_text(double value, int digits)
{
    bench_number number = {"-"};
    if (isfinite(value))
        snprintf(number.text, sizeof number.text, "%.*g", digits, value);
    return number;
}
