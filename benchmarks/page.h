/* benchmarks/page: a report written as Markdown and as HTML at once. */
#ifndef BENCHMARKS_PAGE_H
#define BENCHMARKS_PAGE_H

#include "base/base.h"

typedef struct page {
    base_output *md_file, *html_file;
    FILE *md, *html;
    const char *folder; /* where the pictures are */
} page;

/* FOLDER/report.md and FOLDER/report.html. 0, or -1 with an error. */
int page_open(page *p, const char *folder, const char *title, base_error *error);
/* Finishes and commits both. 0, or -1 with an error. */
int page_close(page *p, base_error *error);

/* Texts are plain: what HTML would take for marks is replaced. */
void page_heading(page *p, const char *text);
void page_text(page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A table: rows of cells separated by |, the first is the heading. */
void page_table_begin(page *p, const char *heading);
void page_table_row(page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void page_table_end(page *p);
/* FOLDER/NAME.png: a link in Markdown, the picture itself in HTML; a sentence when it is not
 * there. */
void page_picture(page *p, const char *name, const char *caption);

#endif
