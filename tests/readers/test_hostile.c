/* Files that are small and ask for much: what a reader takes stays in proportion to their size. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

#include "certificate/verify.h"
#include "lp/io/file.h"
#include "plan/plan.h"
#include "problem/json.h"
#include "tests/certificate/owned.h"
#include "tests/plan/support.h"
#include "tests/problem/owned.h"
#include "tests/readers/readers.h"
#include "tests/suite.h"

SUITE("hostile files", .seconds = 300);

/* Far above what a reader needs for the files here, far below what one that is quadratic in their
 * size does. */
enum { SECONDS_MOST = 10, MEGABYTES_MOST = 600 };

static double started;

static double processor_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void begin(void)
{
    started = processor_seconds();
}

static void end(void)
{
    ck_assert_double_lt(processor_seconds() - started, SECONDS_MOST);
    ck_assert_uint_lt(base_memory_peak() >> 20, MEGABYTES_MOST);
}

/* count times a part, between two texts; free() it. */
static char *repeated(const char *before, const char *part, int count, const char *after)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(out);
    fputs(before, out);
    for (int k = 0; k < count; k++)
        fputs(part, out);
    fputs(after, out);
    fclose(out);
    return text;
}

/* ---- JSON --------------------------------------------------------------------------------- */

static const struct {
    const char *before, *part, *after;
} json_files[] = {
    {"", "[", ""},
    {"{\"nodes\": ", "[", ""},
    {"", "{\"nodes\": ", ""},
    {"{\"nodes\": [", "[],", "[]]}"},
    {"{\"steps\": ", "[", ""},
    {"{\"steps\": [", "{},", "{}]}"},
    {"{\"name\": \"", "x", "\", \"nodes\": []}"},
    {"{\"", "x", "\": 1}"},
};

LOOP_TEST(json_of_many_parts, LENGTH(json_files))
{
    base_error error;
    plan_file file;
    platform p;
    char *text =
        repeated(json_files[_i].before, json_files[_i].part, 1000000, json_files[_i].after);
    const size_t size = strlen(text);
    begin();
    ck_assert_ptr_null(graph_parse(text, size, "x", NULL, &error));
    ck_assert_int_eq(platform_parse(text, size, "x", &p, &error), -1);
    ck_assert_ptr_null(schedule_file_parse(text, size, "x", NULL, &error));
    (void)plan_file_detect(text, size);
    ck_assert_int_eq(plan_file_parse(text, size, "x", NULL, &file, &error), -1);
    end();
    free(text);
}

/* The largest graph that is read, its nodes from the last to the first, so that the search for a
 * cycle has to look at all of them; with one, and without. */
LOOP_TEST(graph_in_reverse, 2)
{
    enum { NODES = 20000 };
    base_error error;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(out);
    fputs("{\"nodes\": [", out);
    for (int i = 0; i < NODES; i++)
        fprintf(out,
                "%s{\"inputs\": [%.0d], \"bytes\": 1, \"seconds\": 1, \"joules\": 1, "
                "\"pagein_joules\": 1, \"pageout_joules\": 1, \"pagein_seconds\": 1, "
                "\"pageout_seconds\": 1}",
                i ? "," : "",
                i + 1 < NODES ? i + 1
                : _i          ? 1
                              : 0);
    fputs("]}", out);
    fclose(out);
    begin();
    ck_assert_ptr_null(graph_parse(text, size, "x", NULL, &error));
    ck_assert_contains(error.text, _i ? "cycle" : "topological order");
    end();
    free(text);
}

/* ---- plans ---------------------------------------------------------------------------------- */

static void put_number(FILE *out, uint64_t value)
{
    for (; value >= 128; value >>= 7)
        fputc((int)(value | 128) & 255, out);
    fputc((int)value, out);
}

/* A binary plan for the chain of six, up to the unit of the offsets, in *text. */
static FILE *plan_begin(char **text, size_t *size)
{
    OWNED(graph) *g = chain_of_six();
    OWNED(schedule) *s = paged_schedule();
    problem p = problem_make(g, 30);
    OWNED(plan) *x = plan_of(&p, s, true);
    size_t whole;
    OWNED(uint8_t) *data = plan_write_binary(g, x, &whole, NULL);
    FILE *out = open_memstream(text, size);
    ck_assert_ptr_nonnull(out);
    fwrite(data, 1, 4 + 1 + 4 + 1 + 1 + 1 + 1 + 1, out); /* magic .. budget, a byte each number */
    return out;
}

static int plan_end(FILE *out, char **text, const size_t *size)
{
    base_error error;
    plan_file file;
    fflush(out);
    const uLong crc = crc32(0, (const Bytef *)*text, (uInt)*size);
    for (int k = 0; k < 4; k++)
        fputc((int)(crc >> (8 * k)) & 255, out);
    fclose(out);
    graph *g = chain_of_six();
    begin();
    int failed = plan_file_parse(*text, *size, "x", g, &file, &error);
    end();
    if (!failed)
        plan_file_clear(&file);
    graph_free(g);
    free(*text);
    return failed;
}

/* Node 0 again and again, never freed: every computation takes a register. */
TEST(plan_of_many_registers)
{
    enum { STEPS = 400000 };
    char *text = NULL;
    size_t size;
    FILE *out = plan_begin(&text, &size);
    put_number(out, 1); /* unit, offsets, the first */
    put_number(out, 1);
    put_number(out, 0);
    put_number(out, STEPS);
    put_number(out, 0); /* compute node 0, at offset 0 */
    put_number(out, 0);
    for (int k = 1; k < STEPS; k++) {
        put_number(out, 4);
        put_number(out, 0);
    }
    ck_assert_int_eq(plan_end(out, &text, &size), 0);
}

TEST(plan_of_huge_counts)
{
    for (int k = 0; k < 2; k++) {
        char *text = NULL;
        size_t size;
        FILE *out = plan_begin(&text, &size);
        put_number(out, 1);
        put_number(out, k ? 0 : (uint64_t)1 << 40); /* offsets */
        put_number(out, (uint64_t)1 << 40);         /* steps */
        ck_assert_int_eq(plan_end(out, &text, &size), -1);
    }
}

/* ---- models -----------------------------------------------------------------------------------
 */

static const struct {
    const char *before, *part, *after;
} model_files[] = {
    {"min ", "+ ", "x\nst\nend\n"},
    {"min ", "- ", "x\nst\nend\n"},
    {"min ", "x + ", "x\nst\nend\n"},
    {"min x\nst\nc: ", "x + ", "x >= 1\nend\n"},
    {"min x\nst\n", "x >= 1\n", "end\n"},
    {"min x\nst\n", "c: = 0\n", "end\n"},
    {"min x\nst\nx >= 1\nbounds\n", "x <= 1\n", "end\n"},
    {"min x\nst\nx >= 1\ngen\n", "semi\n", "end\n"},
    {"min x\nst\n", "\\ a comment\n", "end\n"},
    {"min ", "x", "\nst\nend\n"},
    {"NAME ", "x", "\nROWS\nCOLUMNS\nENDATA\n"},
    {"NAME\nROWS\n N o\n L ", "x", "\nCOLUMNS\nENDATA\n"},
    {"NAME\nROWS\n N o\nCOLUMNS\n x o 1\nRHS\n", " R o 1\n", "ENDATA\n"},
    {"NAME\nROWS\n N o\nCOLUMNS\n x o 1\nBOUNDS\n", " UP B x 1\n", "ENDATA\n"},
    {"NAME\nROWS\n N o\nCOLUMNS\n x o 1 ", "$ ", "\nENDATA\n"},
    {"NAME\n", "* a comment\n", "ROWS\n N o\nCOLUMNS\nENDATA\n"},
};

LOOP_TEST(model_of_many_parts, LENGTH(model_files))
{
    base_error error;
    char *text =
        repeated(model_files[_i].before, model_files[_i].part, 500000, model_files[_i].after);
    begin();
    lp_model_free(*text == 'N' ? lp_read_mps("x", text, &error) : lp_read_lp("x", text, &error));
    end();
    free(text);
}

/* ---- certificates ------------------------------------------------------------------------------
 */

#define NODE                                                                                       \
    "{\"inputs\": [], \"bytes\": 1, \"seconds\": 1, \"joules\": 1, \"pagein_joules\": 1, "         \
    "\"pageout_joules\": 1, \"pagein_seconds\": 1, \"pageout_seconds\": 1}"

static const char *const steps[] = {
    "reduce 0 2147483647",     "reduce 0 9223372036854775807",
    "leaf 0 2147483647",       "probe 0 C 1 0 1 2147483647",
    "cases 2147483647",        "cases 1000000000",
    "event 0 0 1 2147483647",  "event 1 0 if 1 2147483647 0 1",
    "source 0 1 2147483647 0", "branch 2147483647 C 1 0",
};

LOOP_TEST(certificate_of_huge_counts, LENGTH(steps))
{
    char text[2048];
    OWNED(certificate_report) report;
    base_error error;
    snprintf(text, sizeof text,
             "poetbnb certificate 2\n{\"graph\": {\"nodes\": [" NODE "," NODE "]}, "
             "\"ram_budget_bytes\": 2, \"R\": [[0,0],[1,1]], \"S\": [], \"A\": [], \"In\": [], "
             "\"Out\": []}\ntrust rules\ninfeasible\nscale 1\n%s\n1 load 1\n",
             steps[_i]);
    begin();
    ck_assert_int_ne(certificate_verify_text("x", text, strlen(text), &report, &error),
                     CERTIFICATE_HOLDS);
    ck_assert_contains(error.text, "x: line ");
    end();
}

/* A certificate up to its steps, for nodes that each read as many of the first ones as they can, up
 * to `inputs`; free(). */
static FILE *certificate_begin(int nodes, int inputs, char **text, size_t *size)
{
    FILE *out = open_memstream(text, size);
    ck_assert_ptr_nonnull(out);
    fputs("poetbnb certificate 2\n{\"graph\": {\"nodes\": [", out);
    for (int i = 0; i < nodes; i++) {
        fprintf(out, "%s{\"inputs\": [", i ? "," : "");
        for (int k = 0; k < i && k < inputs; k++)
            fprintf(out, "%s%d", k ? "," : "", k);
        fputs("], \"bytes\": 1, \"seconds\": 1, \"joules\": 1, \"pagein_joules\": 1, "
              "\"pageout_joules\": 1, \"pagein_seconds\": 1, \"pageout_seconds\": 1}",
              out);
    }
    fputs("]}, \"ram_budget_bytes\": 900, \"R\": [], \"S\": [], \"A\": [], \"In\": [], "
          "\"Out\": []}\ntrust rules\ninfeasible\nscale 1\n",
          out);
    return out;
}

static void certificate_end(FILE *out, char **text, const size_t *size,
                            certificate_verdict expected, const char *message)
{
    certificate_report report;
    base_error error;
    fputs("end\n", out);
    fclose(out);
    begin();
    ck_assert_int_eq(certificate_verify_text("x", *text, *size, &report, &error), expected);
    ck_assert_contains(error.text, message);
    end();
    certificate_report_clear(&report);
    free(*text);
}

static const struct {
    int nodes, inputs;
} dense[] = {{900, 900} /* 364 million columns */, {1000, 60} /* 67 million */};

LOOP_TEST(certificate_of_a_dense_graph, LENGTH(dense))
{
    char *text = NULL;
    size_t size;
    FILE *out = certificate_begin(dense[_i].nodes, dense[_i].inputs, &text, &size);
    certificate_end(out, &text, &size, CERTIFICATE_MALFORMED, "columns");
}

/* What follows from cells that are 0 is not looked for where none fell. */
TEST(certificate_of_many_steps)
{
    enum { STEPS = 40000 };
    char *text = NULL;
    size_t size;
    FILE *out = certificate_begin(1000, 1, &text, &size);
    for (int k = 0; k < STEPS; k++)
        fputs("propagate 0 load 5\n", out);
    certificate_end(out, &text, &size, CERTIFICATE_WRONG, "not complete");
}
