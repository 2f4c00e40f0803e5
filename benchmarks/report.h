/* benchmarks/report: tables 1 to 3, the pictures and the report. */
#ifndef BENCHMARKS_REPORT_H
#define BENCHMARKS_REPORT_H

#include "benchmarks/table.h"

/* table1.csv and table2.csv in the folder; table3.csv is one of the experiments. 0, or -1 with
 * an error. */
int bench_tables_write(const char *folder, base_error *error);

/* trace_events.csv: best schedule and bound over time, from the logs of experiment trace. 0,
 * or -1 with an error. */
int bench_trace_write(const bench_store *store, const bench_table *table, base_error *error);

/* Runs gnuplot on every script of the folder `scripts' that has data, for PDF, PNG and SVG,
 * and lets the program draw figure 2. 0, or -1 with an error that names one that failed; the
 * others are drawn all the same. */
int bench_pictures_draw(const bench_store *store, const char *scripts, base_error *error);

/* report.md and report.html (self-contained: pictures inline). 0, or -1 with an error. */
int bench_report_write(const bench_store *store, const bench_table *table, bench_setting setting,
                       base_error *error);

#endif
