/* benchmarks/sheet: a table written as CSV and, with sentences around it, as Markdown. */
#ifndef BENCHMARKS_SHEET_H
#define BENCHMARKS_SHEET_H

#include "base/base.h"

typedef struct bench_sheet {
    base_output *csv, *md;
} bench_sheet;

/* FOLDER/NAME.csv and FOLDER/NAME.md. 0, or -1 with an error. */
int bench_sheet_open(bench_sheet *s, const char *folder, const char *name, const char *title,
                     base_error *error);
/* Finishes and commits both. 0, or -1 with an error. */
int bench_sheet_close(bench_sheet *s, base_error *error);

/* The heading, then rows: cells separated by |, without commas and quotes. */
void bench_sheet_heading(bench_sheet *s, const char *cells);
void bench_sheet_row(bench_sheet *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A sentence, in the Markdown only; no rows can follow it without another heading. */
void bench_sheet_text(bench_sheet *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* value with that many significant digits, "-" when it is not finite. */
typedef struct bench_number {
    char text[32];
} bench_number;
bench_number bench_number_text(double value, int digits);

#endif
