/* The CPLEX-LP reader and writer. */
#include <string.h>
#include <unistd.h>

#include "tests/lp/compare.h"
#include "tests/lp/owned.h"
#include "tests/lp/sample.h"
#include "tests/suite.h"

SUITE("lpfile");

static lp_model *read_lp(const char *text)
{
    base_error error;
    lp_model *m = model_from_text(text, ".lp", &error);
    ck_assert_msg(m != NULL, "%s\nin\n%s", error.text, text);
    return m;
}

static int col_named(const lp_model *m, const char *name)
{
    for (int j = 0; j < m->cols; j++)
        if (!strcmp(m->col_name[j], name))
            return j;
    ck_abort_msg("no column %s", name);
    return -1;
}

static double entry(const lp_model *m, int r, const char *name)
{
    const int j = col_named(m, name);
    for (int k = m->start[j]; k < m->start[j + 1]; k++)
        if (m->index[k] == r)
            return m->value[k];
    return 0.0;
}

static void assert_bounds(const lp_model *m, const char *name, double lower, double upper,
                          bool integer)
{
    const int j = col_named(m, name);
    ck_assert_msg(m->lower[j] == lower && m->upper[j] == upper && m->integer[j] == integer,
                  "%s has [%g,%g]%s", name, m->lower[j], m->upper[j],
                  m->integer[j] ? " integer" : "");
}

static void assert_row(const lp_model *m, int r, const char *name, double lower, double upper)
{
    ck_assert_int_lt(r, m->rows);
    ck_assert_str_eq(m->row_name[r], name);
    ck_assert_msg(m->row_lower[r] == lower && m->row_upper[r] == upper, "%s has [%g,%g]", name,
                  m->row_lower[r], m->row_upper[r]);
}

TEST(every_section)
{
    OWNED(lp_model) *m =
        read_lp("\\ a comment\n\nMaximize\r\n profit: 3 x + 2.5y - z + 4 - 1 \\ remark\n"
                "Subject To\n c1: x + y\n  + z <= 10\n -1 <= x - y <= 5\n"
                "c3: 2 x + -2 y - - z >= -3 c4: b =< 2 y + 1\n"
                "c5: x + x - 3 x + 0 z = 1 - x + 7\n y > 2\n"
                "Bounds\n -2 <= x <= 8\n y <= 1e30\n z free\n w >= -inf\n w <= 7\n"
                " v = 3\n 4 >= u\n b <= 0\n -infinity <= t <= +inf\n d >= -4\n"
                "Generals\n x w\nBinaries\n b\n d\nEND\nthis is not read\n");
    ck_assert(m->maximize);
    ck_assert_double_eq(m->offset, -3.0);
    ck_assert_double_eq(m->cost[0], -3.0);
    ck_assert_double_eq(m->cost[1], -2.5);
    ck_assert_double_eq(m->cost[2], 1.0);
    ck_assert_int_eq(m->rows, 6);
    assert_row(m, 0, "c1", -LP_INFINITY, 10.0);
    assert_row(m, 1, "r2", -1.0, 5.0);
    assert_row(m, 2, "c3", -3.0, LP_INFINITY);
    assert_row(m, 3, "c4", -LP_INFINITY, 1.0);
    assert_row(m, 4, "c5", 8.0, 8.0);
    assert_row(m, 5, "r6", 2.0, LP_INFINITY);
    ck_assert_double_eq(entry(m, 0, "z"), 1.0);
    ck_assert_double_eq(entry(m, 1, "y"), -1.0);
    ck_assert_double_eq(entry(m, 2, "y"), -2.0);
    ck_assert_double_eq(entry(m, 2, "z"), 1.0);
    ck_assert_double_eq(entry(m, 3, "y"), -2.0);
    ck_assert_double_eq(entry(m, 4, "x"), 0.0); /* 1 + 1 - 3 + 1 */
    assert_bounds(m, "x", -2.0, 8.0, true);
    assert_bounds(m, "y", 0.0, LP_INFINITY, false);
    assert_bounds(m, "z", -LP_INFINITY, LP_INFINITY, false);
    assert_bounds(m, "w", -LP_INFINITY, 7.0, true);
    assert_bounds(m, "v", 3.0, 3.0, false);
    assert_bounds(m, "u", 0.0, 4.0, false);
    assert_bounds(m, "b", 0.0, 0.0, true);
    assert_bounds(m, "t", -LP_INFINITY, LP_INFINITY, false);
    assert_bounds(m, "d", 0.0, 1.0, true);
}

TEST(spellings_of_sections)
{
    static const char *const objectives[] = {"min",     "MINIMIZE", "Minimum", "minimise",
                                             "maximum", "max",      "Maximize"};
    static const char *const constraints[] = {"subject to", "Such That", "st", "S.T.", "st."};
    static const char *const generals[] = {"general", "Generals", "gen",
                                           "integer", "INTEGERS", "int"};
    static const char *const binaries[] = {"binary", "Binaries", "bin"};
    char text[256];
    for (int k = 0; k < 7 * 5 * 6 * 3; k++) {
        snprintf(text, sizeof text, "%s x + y\n%s\nx + y >= 1\nbound\nx <= 3\n%s\nx\n%s\ny\nend\n",
                 objectives[k % 7], constraints[k / 7 % 5], generals[k / 35 % 6],
                 binaries[k / 210]);
        OWNED(lp_model) *m = read_lp(text);
        ck_assert_int_eq(m->maximize, k % 7 >= 4);
        assert_bounds(m, "x", 0.0, 3.0, true);
        assert_bounds(m, "y", 0.0, 1.0, true);
    }
}

/* Names with the characters that CPLEX allows, and names that begin like keywords,
 * numbers or exponents. */
TEST(names)
{
    OWNED(lp_model) *m =
        read_lp("min 2 e + 3e1x + 4 x(1,2) + 5 #$%&_'{}~!? + 6 free_1 + 7 y[3] + 8 inf2\n"
                "st\nend: e >= 1\nst.a: x(1,2) + 2e1 >= 1\nend\n");
    ck_assert_double_eq(m->cost[col_named(m, "e")], 2.0);
    ck_assert_double_eq(m->cost[col_named(m, "x")], 30.0);
    ck_assert_double_eq(m->cost[col_named(m, "x(1,2)")], 4.0);
    ck_assert_double_eq(m->cost[col_named(m, "#$%&_'{}~!?")], 5.0);
    ck_assert_double_eq(m->cost[col_named(m, "free_1")], 6.0);
    ck_assert_double_eq(m->cost[col_named(m, "y[3]")], 7.0);
    ck_assert_double_eq(m->cost[col_named(m, "inf2")], 8.0);
    assert_row(m, 0, "end", 1.0, LP_INFINITY);
    assert_row(m, 1, "st.a", 1.0 - 20.0, LP_INFINITY);
}

/* The right-hand side ends with its line; a sign or name on the next line begins a new
 * constraint. */
TEST(constraints_without_labels)
{
    OWNED(lp_model) *m = read_lp("min x\nst\nx + y <= 3\nz >= 2\n- x + z <= 4\n3 <= x\n5 >= y\n"
                                 "x + y >= 2 z\n+ 1 <=\n 7\nend\n");
    ck_assert_int_eq(m->rows, 7);
    assert_row(m, 0, "r1", -LP_INFINITY, 3.0);
    assert_row(m, 1, "r2", 2.0, LP_INFINITY);
    assert_row(m, 2, "r3", -LP_INFINITY, 4.0);
    assert_row(m, 3, "r4", 3.0, LP_INFINITY);
    assert_row(m, 4, "r5", -LP_INFINITY, 5.0);
    assert_row(m, 5, "r6", 0.0, LP_INFINITY);
    assert_row(m, 6, "r7", -6.0, LP_INFINITY); /* 1 <= 7, without variables */
    ck_assert_double_eq(entry(m, 2, "x"), -1.0);
    ck_assert_double_eq(entry(m, 5, "z"), -2.0);
}

TEST(generated_row_names_avoid_labels)
{
    OWNED(lp_model) *m = read_lp("min x\nst\nr2: x >= 1\nx >= 2\nx >= 3\nend\n");
    ck_assert_str_eq(m->row_name[0], "r2");
    ck_assert_str_ne(m->row_name[1], "r2");
    ck_assert_str_eq(m->row_name[2], "r3");
}

/* Rows without variables, as HiGHS writes them, and sides that are infinite. */
TEST(rows_without_variables)
{
    OWNED(lp_model) *m =
        read_lp("min x\nst\n a: = 0\n b: >= -inf\n c: <= 3\n d: 2 >= 1\n"
                " e: -1 <= 0 <= 1\n h: >= x - 2\n f: 0 >= -1e30\n g: x <= 1e30\nend\n");
    ck_assert_int_eq(m->rows, 8);
    assert_row(m, 0, "a", 0.0, 0.0);
    assert_row(m, 1, "b", -LP_INFINITY, LP_INFINITY);
    assert_row(m, 2, "c", -LP_INFINITY, 3.0);
    assert_row(m, 3, "d", -LP_INFINITY, 1.0); /* 2 >= 1: 2 - 1 >= 0 */
    assert_row(m, 4, "e", -1.0, 1.0);
    assert_row(m, 5, "h", -2.0, LP_INFINITY);
    ck_assert_double_eq(entry(m, 5, "x"), -1.0);
    assert_row(m, 6, "f", -LP_INFINITY, LP_INFINITY);
    assert_row(m, 7, "g", -LP_INFINITY, LP_INFINITY);
}

/* More of them than there is room for at first, from none on. */
TEST(columns_that_only_bounds_name)
{
    enum { COUNT = 500 };
    char text[16 * COUNT];
    int used = snprintf(text, sizeof text, "min\nst\nbounds\n");
    for (int j = 0; j < COUNT; j++)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         j % 2 ? " c%d <= 3\n" : " 3 >= c%d\n", j);
    snprintf(text + used, sizeof text - (size_t)used, "end\n");
    OWNED(lp_model) *m = read_lp(text);
    ck_assert_int_eq(m->cols, COUNT);
    for (int j = 0; j < COUNT; j++)
        ck_assert(m->lower[j] == 0.0 && m->upper[j] == 3.0);
}

/* A section may begin behind what can only have ended, on the same line. */
TEST(keywords_in_the_middle_of_a_line)
{
    static const char *const texts[] = {
        "min obj: 2 x + y subject to c: x + y >= 3 bounds x <= 2 y <= 5 integers x binaries y end",
        "min 2 x + y st c: x + y >= 3 bound 0 <= x <= 2 0 <= y <= 5 gen x bin y end\n",
        "min 2 x + y such that x + y >= 3 bounds -0 <= x <= 2 bin y int x end \\ done\n",
        "min 2 x + y S.T. c: 3 <= x + y BOUNDS x <= 2\nGENERAL x BINARY y END\n",
        "min 2 x + y subject to\nx + y >= 3\nbounds x <= 2\nbin y\ngen x\nsemi end\n",
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        OWNED(lp_model) *m = read_lp(texts[k]);
        ck_assert_int_eq(m->cols, 2);
        ck_assert_int_eq(m->rows, 1);
        ck_assert_double_eq(m->row_lower[0], 3.0);
        ck_assert_double_eq(m->cost[col_named(m, "x")], 2.0);
        assert_bounds(m, "x", 0.0, 2.0, true);
        assert_bounds(m, "y", 0.0, 1.0, true);
    }
    lp_model *m =
        read_lp("max obj: 4 subject to x <= y end"); /* a constant alone; y ends the row */
    ck_assert_double_eq(m->offset, -4.0);
    ck_assert_double_eq(entry(m, 0, "y"), -1.0);
    lp_model_free(m);
    m = read_lp("min subject to c: x >= 1 end");
    ck_assert_int_eq(m->rows, 1);
    lp_model_free(m);
}

/* Variables that are called like sections stay variables wherever one can be meant. */
TEST(variables_called_like_sections)
{
    lp_model *m =
        read_lp("min st + 2 bin + 3 end\nst\nc: bin + end - 2 st >= 2\nd: 4 >= st + bound\n"
                "e: x >= 2 bounds + 1\nf: x >= end\nbounds\n 4 >= st bin free end <= 7\n"
                " 5 >= bound\ngen st end bin\nend\n");
    ck_assert_int_eq(m->rows, 4);
    ck_assert_int_eq(m->cols, 6);
    ck_assert_double_eq(m->cost[col_named(m, "st")], 1.0);
    ck_assert_double_eq(m->cost[col_named(m, "end")], 3.0);
    ck_assert_double_eq(entry(m, 0, "st"), -2.0);
    ck_assert_double_eq(entry(m, 2, "bounds"), -2.0);
    ck_assert_double_eq(entry(m, 3, "end"), -1.0);
    assert_bounds(m, "end", 0.0, 7.0, true);
    assert_bounds(m, "bin", -LP_INFINITY, LP_INFINITY, true);
    assert_bounds(m, "st", 0.0, 4.0, true);
    assert_bounds(m, "bound", 0.0, 5.0, false);
    lp_model_free(m);
    m = read_lp("max st st c: st <= 2 end");
    ck_assert_double_eq(m->row_upper[0], 2.0);
    lp_model_free(m);
}

/* The mark that editors put before UTF-8. */
TEST(byte_order_mark)
{
    base_error error;
    lp_model_free(read_lp("\xef\xbb\xbfMinimize x\nst\nx >= 2\nend\n"));
    ck_assert_ptr_null(model_from_text("\xef\xbb\xbfMinimize x\nst\ny\n", ".lp", &error));
    ck_assert_contains(error.text, "model.lp:4:1: ");
    ck_assert_ptr_null(model_from_text("\xff\xfeM", ".lp", &error));
    ck_assert_ptr_nonnull(
        strstr(error.text, "model.lp: begins with the byte order mark of UTF-16"));
}

/* HiGHS writes the section of semi-continuous variables always. */
TEST(empty_sections_of_what_is_not_supported)
{
    static const char *const headers[] = {"semi",      "SEMI",
                                          "semis",     "semi-continuous",
                                          "sos",       "lazy constraints",
                                          "user cuts", "general constraints"};
    char text[256];
    for (size_t k = 0; k < sizeof headers / sizeof *headers; k++) {
        snprintf(text, sizeof text,
                 "min x\nst\nc: x >= 1\nbounds\n x <= 4\n%s\n\\ nothing\ngen\n x\nend\n",
                 headers[k]);
        OWNED(lp_model) *m = read_lp(text);
        assert_bounds(m, "x", 0.0, 4.0, true);
    }
    lp_model_free(read_lp("min x\nst\nc: x >= 1\nbin\ngen\nsemi\nend\n"));
}

TEST(malformed_files_name_line_and_place)
{
    static const char *const cases[][2] = {
        {"", "model.lp:1:1: |ends|minimize"},
        {"hello\n", ":1:1: |\"hello\"|minimize or maximize"},
        {"min x\n", ":2:1: |ends|subject to"},
        {"min x\nst\nx >= 1\n", ":4:1: |ends|section or \"end\""},
        {"min x\nbounds\nx >= 1\nend\n", ":2:1: |\"subject to\""},
        {"min 3 4 x\nst\nend\n", ":1:7: |\"4\"|+, -"},
        {"min x y\nst\nend\n", ":1:7: |\"y\"|+, -"},
        {"min x +\nst\nend\n", ":2:1: |after the sign"},
        {"min x + inf\nst\nend\n", "infinite constant"},
        {"min x\nst\nc: x + y\nd: x >= 1\nend\n", ":4:1: |\"d\"|<=, >= or ="},
        {"min x\nst\nc: x >= \nd: y >= 1\nend\n", ":4:2: |\":\""},
        {"min x\nst\nc: x >=\nend\n", ":4:1: |\"end\"|a number or a variable"},
        {"min x\nst\nc: x >= 1\nc: x >= 2\nend\n", ":4:1: |second|\"c\""},
        {"min x\nst\nc: x >= inf\nend\n", ":4:1: |+infinity|wrong side"},
        {"min x\nst\nc: x = -inf\nend\n", "infinity|wrong side"},
        {"min x\nst\nc: x >= 1 <= 2\nend\n", ":3:11: |\"<=\""},
        {"min x\nst\n<= 2\nend\n", ":3:1: |\"<=\"|a number or a variable"},
        {"min x\nst\n2 <=\nend\n", ":4:1: |\"end\"|a number or a variable"},
        {"min x\nst\nc: 1 <= x >= 2\nend\n", ":3:11: |\">=\"|same operator"},
        {"min x\nst\nc: 1 <= x <= y\nend\n", "right of a range"},
        {"min x\nst\nc: x + 1e999 >= 2\nend\n", ":3:8: |\"1e999\"|range of double"},
        {"min x\nst\nc: 1e308 x + 1e308 x >= 2\nend\n", "\"x\"|overflow"},
        {"min 1e308 x + 1e308 x\nst\nend\n", "\"x\"|overflow"},
        {"min x\nst\nc: x ^ 2 >= 2\nend\n", ":3:6: |linear|'^'"},
        {"min [ x ^ 2 ] / 2\nst\nend\n", ":1:5: |linear|'['"},
        {"min x\nst\nc: 2 * x >= 2\nend\n", ":3:6: |linear|'*'"},
        {"min x\nst\nc: b = 1 -> x <= 2\nend\n", ":3:10: |indicator"},
        {"min x\nst\nc: b -> x <= 2\nend\n", ":3:6: |indicator"},
        {"min x\nst\nc: x + [ x ^ 2 ] >= 2\nend\n", ":3:8: |linear|'['"},
        {"min x\nst\nc: x >= 2\n[ x ^ 2 ] <= 2\nend\n", ":4:1: |linear|'['"},
        {"min x\nst\nc: x >= 2 y * z\nend\n", ":3:13: |linear|'*'"},
        {"min x\nst\nc: x >= 2\nbounds\n x ^ 2 <= 3\nend\n", ":5:4: |linear|'^'"},
        {"min x st c: x >= 2 sos2 s: x:1 end\n", ":1:20: |SOS"},
        {"min x st c: x >= 2 semi-continuous x end\n", ":1:20: |semi-continuous"},
        {"min x st c: x >= 2 user cuts x >= 1 end\n", ":1:20: |user cuts"},
        {"min x st c: x >= 2 end and more\n", ":1:28: |\"more\""},
        {"min x\nst\nx >= 1\nbounds\n x >= y\nend\n", ":5:7: |\"y\"|number"},
        {"min x\nst\nx >= 1\nbounds\n x\nend\n", ":6:1: |\"end\"|<="},
        {"min x\nst\nx >= 1\nbounds\n 2 x <= 3\nend\n", ":5:4: |\"x\"|<="},
        {"min x\nst\nx >= 1\nbounds\n x <= -inf\nend\n", "infinity|wrong side"},
        {"min x\nst\nx >= 1\nbounds\n 1 <= x >= 2\nend\n", "same operator"},
        {"min x\nst\nx >= 1\nbounds\n x <= 2 3\nend\n", ":6:1: "},
        {"min x\nst\nx >= 1\ngenerals\n z\nend\n", ":5:2: |\"z\"|occurs above"},
        {"min x\nst\nx >= 1\ngenerals\n 3\nend\n", ":5:2: |\"3\"|variable"},
        {"min x\nst\nx >= 1\nsemi-continuous\n x\nend\n", ":4:1: |semi-continuous"},
        {"min x\nst\nx >= 1\nsos\n x\nend\n", ":4:1: |SOS"},
        {"min x\nst\nx >= 1\nlazy constraints\n x>=1\nend\n", ":4:1: |lazy"},
        {"min x\nst\nx >= 1\ngeneral constraints\n x\nend\n", ":4:1: |general"},
        {"min x\nst\nx >= 1\nmax\n x\nend\n", ":4:1: |second objective"},
        {"min x\nst\nc: x - inf + inf >= 1\nend\n", "infinity minus infinity"},
        {"min x\nst\nc: -5 <= infinity <= 1e30\nend\n", ":3:19: |middle of a range"},
        {"min x\nst\nc: -5 <= x + infinity <= 1e30\nend\n", "infinite constant|variables"},
        {"min x\nst\nc: -5 <= -1e30 <= 1\nend\n", "middle of a range"},
        {"min x\nst\nc: x - 1e20 <= 1\nend\n", "infinite constant|variables"},
        {"min x\nst\nc: x <= x + inf\nend\n", "infinite constant|variables"},
        {"min x\nst\nc: inf <= inf\nend\n", "infinity minus infinity"},
        {"min x\nst\nc: 3 <= -inf\nend\n", "infinity|wrong side"},
        {"min x\nst\nc: >= inf\nend\n", "infinity|wrong side"},
        {"min x\nst\nc:\nend\n", ":4:1: |\"end\""},
        {"min x\nst\nc: x >= 1\nsemi\n x\ngen\n x\nend\n", ":4:1: |semi-continuous"},
        {"min x\nst\nc: x\xc2\x9b >= 1\nend\n", ":3:4: |\"x??\"|control characters"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        base_error error;
        char part[128];
        lp_model *m = model_from_text(cases[k][0], ".lp", &error);
        ck_assert_msg(m == NULL, "accepted:\n%s", cases[k][0]);
        for (const char *parts = cases[k][1]; *parts;) {
            const size_t length = strcspn(parts, "|");
            snprintf(part, sizeof part, "%.*s", (int)length, parts);
            ck_assert_msg(strstr(error.text, part), "\"%s\" is not in: %s\nfor\n%s", part,
                          error.text, cases[k][0]);
            parts += length + (parts[length] == '|');
        }
    }
}

/* Models without rows of two sides come back as they were; such a row comes back as
 * two. */
LOOP_TEST(written_models_read_back_bit_for_bit, 5)
{
    base_rng rng = {(uint64_t)_i};
    base_error error = {""};
    for (int trial = 0; trial < 40; trial++) {
        OWNED(lp_model) *m = sample_model(&rng, (sample_family)(trial % SAMPLE_FAMILIES), 10, 10);
        if (trial % 2)
            sample_decorate(&rng, m);
        m->maximize = trial % 3 == 0;
        for (int k = 0; k < m->start[m->cols]; k++)
            m->value[k] *= 1.0 + base_rng_double(&rng);
        for (int r = 0; r < m->rows; r++)
            if (isfinite(m->row_lower[r]) && isfinite(m->row_upper[r]))
                m->row_upper[r] = m->row_lower[r] / 3.0;
        int two_sided = 0;
        for (int r = 0; r < m->rows; r++) {
            if (trial % 4 && m->row_lower[r] != m->row_upper[r] && isfinite(m->row_lower[r]))
                m->row_upper[r] = LP_INFINITY;
            two_sided += isfinite(m->row_lower[r]) && isfinite(m->row_upper[r]) &&
                         m->row_lower[r] != m->row_upper[r];
        }
        const char *path = temporary_path("trip.lp");
        ck_assert_msg(lp_model_write(m, path, &error) == 0, "%s", error.text);
        OWNED(lp_model) *read = lp_model_read(path, &error);
        ck_assert_msg(read != NULL, "%s", error.text);
        unlink(path);
        ck_assert_int_eq(read->rows, m->rows + two_sided);
        if (two_sided == 0) {
            const char *difference = model_difference(m, read, 0.0);
            ck_assert_msg(!difference, "%s", difference);
        }
        for (int j = 0; m->col_name && j < m->cols; j++)
            ck_assert_str_eq(m->col_name[j], read->col_name[j]);
    }
}
