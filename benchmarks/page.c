#include "benchmarks/page.h"

#include <stdarg.h>
#include <string.h>

int page_open(page *p, const char *folder, const char *title, base_error *error)
{
    char path[4096];
    *p = (page){.folder = folder};
    snprintf(path, sizeof path, "%s/report.md", folder);
    p->md_file = base_output_open(path, error);
    snprintf(path, sizeof path, "%s/report.html", folder);
    p->html_file = p->md_file ? base_output_open(path, error) : NULL;
    if (!p->html_file) {
        base_output_abort(p->md_file);
        return -1;
    }
    p->md = base_output_stream(p->md_file);
    p->html = base_output_stream(p->html_file);
    fprintf(p->md, "# %s\n", title);
    fprintf(p->html,
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
            "<title>%s</title>\n<style>\n"
            "body{font:16px/1.5 Georgia,serif;max-width:62em;margin:2em auto;padding:0 1em;"
            "color:#222}\n"
            "h1,h2{font-family:Helvetica,Arial,sans-serif;line-height:1.2}\n"
            "table{border-collapse:collapse;font:13px/1.4 Helvetica,Arial,sans-serif;"
            "margin:1em 0}\n"
            "th,td{padding:.2em .7em;border-bottom:1px solid #ddd;text-align:left;"
            "vertical-align:top}\nth{border-bottom:2px solid #222}\n"
            "img{max-width:100%%;height:auto}\nfigure{margin:1.5em 0}\n"
            "figcaption{font-size:14px;color:#444}\n</style></head><body>\n<h1>%s</h1>\n",
            title, title);
    return 0;
}

int page_close(page *p, base_error *error)
{
    fputs("</body></html>\n", p->html);
    if (base_output_commit(p->md_file, error)) {
        base_output_abort(p->html_file);
        return -1;
    }
    return base_output_commit(p->html_file, error);
}

static void print_html(const char *text, size_t length, FILE *out)
{
    for (size_t k = 0; k < length; k++)
        switch (text[k]) {
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        case '&':
            fputs("&amp;", out);
            break;
        default:
            fputc(text[k], out);
        }
}

void page_heading(page *p, const char *text)
{
    fprintf(p->md, "\n## %s\n", text);
    fputs("<h2>", p->html);
    print_html(text, strlen(text), p->html);
    fputs("</h2>\n", p->html);
}

void page_text(page *p, const char *format, ...)
{
    char text[4000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(p->md, "\n%s\n", text);
    fputs("<p>", p->html);
    print_html(text, strlen(text), p->html);
    fputs("</p>\n", p->html);
}

static void print_cells(page *p, const char *text, const char *tag)
{
    fputs("| ", p->md);
    for (const char *at = text; *at; at++)
        fputs(*at == '|' ? " | " : (char[]){*at, '\0'}, p->md);
    fputs(" |\n", p->md);
    fputs("<tr>", p->html);
    for (const char *at = text; at;) {
        size_t length = strcspn(at, "|");
        fprintf(p->html, "<%s>", tag);
        print_html(at, length, p->html);
        fprintf(p->html, "</%s>", tag);
        at = at[length] ? at + length + 1 : NULL;
    }
    fputs("</tr>\n", p->html);
}

void page_table_begin(page *p, const char *heading)
{
    fputs("\n", p->md);
    fputs("<table>\n", p->html);
    print_cells(p, heading, "th");
    fputs("|", p->md);
    for (const char *at = heading; at; at = strchr(at, '|'), at = at ? at + 1 : NULL)
        fputs("---|", p->md);
    fputs("\n", p->md);
}

void page_table_row(page *p, const char *format, ...)
{
    char text[4000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    print_cells(p, text, "td");
}

void page_table_end(page *p)
{
    fputs("</table>\n", p->html);
}

static void print_base64(const unsigned char *data, size_t size, FILE *out)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t k = 0; k < size; k += 3) {
        unsigned long word = (unsigned long)data[k] << 16;
        word |= k + 1 < size ? (unsigned long)data[k + 1] << 8 : 0;
        word |= k + 2 < size ? (unsigned long)data[k + 2] : 0;
        fputc(digit[word >> 18], out);
        fputc(digit[word >> 12 & 63], out);
        fputc(k + 1 < size ? digit[word >> 6 & 63] : '=', out);
        fputc(k + 2 < size ? digit[word & 63] : '=', out);
    }
}

void page_picture(page *p, const char *name, const char *caption)
{
    base_error ignored;
    char path[4096];
    size_t size;
    snprintf(path, sizeof path, "%s/%s.png", p->folder, name);
    char *data = base_file_read(path, 1 << 28, &size, &ignored);
    if (!data) {
        page_text(p, "(The picture %s is missing.)", name);
        return;
    }
    fprintf(p->md, "\n![%s](%s.png)\n\n*%s*\n", name, name, caption);
    fprintf(p->html, "<figure><img alt=\"%s\" src=\"data:image/png;base64,", name);
    print_base64((const unsigned char *)data, size, p->html);
    fputs("\"><figcaption>", p->html);
    print_html(caption, strlen(caption), p->html);
    fputs("</figcaption></figure>\n", p->html);
    base_free(data);
}
