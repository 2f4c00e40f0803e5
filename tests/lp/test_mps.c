/* The MPS reader. */
#include <string.h>
#include <unistd.h>

#include "tests/lp/compare.h"
#include "tests/lp/owned.h"
#include "tests/suite.h"

SUITE("mps");

static lp_model *read_mps(const char *text)
{
    base_error error;
    lp_model *m = model_from_text(text, ".mps", &error);
    ck_assert_msg(m != NULL, "%s", error.text);
    return m;
}

/* Reading fails with an error that holds every one of the `|`-separated parts. */
static void assert_refused(const char *text, const char *extension, const char *parts)
{
    base_error error;
    char part[128];
    lp_model *m = model_from_text(text, extension, &error);
    ck_assert_msg(m == NULL, "accepted:\n%s", text);
    ck_assert_msg(strlen(error.text) > 0 && !strchr(error.text, '\n'), "error: %s", error.text);
    while (*parts) {
        const size_t length = strcspn(parts, "|");
        ck_assert(length < sizeof part);
        memcpy(part, parts, length);
        part[length] = '\0';
        ck_assert_msg(strstr(error.text, part), "\"%s\" is not in: %s", part, error.text);
        parts += length + (parts[length] == '|');
    }
}

#define HEAD "NAME test\nROWS\n N obj\n L up\n G low\n E eq\nCOLUMNS\n"

TEST(every_section_in_free_format)
{
    OWNED(lp_model) *m =
        read_mps("* a comment\n\nNAME my model\r\nOBJSENSE\n    MAX\nROWS\n N obj\n"
                 " N second\n L up\n G low\n E eq\n L ranged\n G above\n E plus\n"
                 " E minus\n\n* another\nCOLUMNS\n"
                 "\tx\tobj\t1.5\tup\t2\n"
                 " x low -1D0 second 4\n"
                 "    M1 'MARKER' 'INTORG'\n y obj 2 eq .5\n z obj 3e0 ranged 1.\n"
                 " M2 'MARKER' 'INTEND'\n w above 1 plus 2\n w minus 3\n"
                 "RHS\n RHS obj -7 up 10\n RHS low -4 eq 2.5\n RHS ranged 8\n"
                 " RHS above 1 plus 5\n RHS minus 5\nRANGES\n"
                 " RNG ranged 3 above -2\n RNG plus 1.5 minus -1.5\n"
                 "BOUNDS\n UP BND x 4\n LO BND y -3\n UI BND y 3\n MI BND w\nENDATA\n");
    ck_assert_str_eq(m->name, "my model");
    ck_assert(m->maximize);
    ck_assert_int_eq(m->rows, 7); /* second is dropped */
    ck_assert_int_eq(m->cols, 4);
    ck_assert_double_eq(m->offset, -7.0); /* the constant 7, negated as costs are */
    ck_assert_double_eq(m->cost[0], -1.5);
    ck_assert_double_eq(m->cost[2], -3.0);
    ck_assert_str_eq(m->row_name[0], "up");
    ck_assert_double_eq(m->value[1], -1.0);
    const double low[7] = {-LP_INFINITY, -4.0, 2.5, 5.0, 1.0, 5.0, 3.5};
    const double high[7] = {10.0, LP_INFINITY, 2.5, 8.0, 3.0, 6.5, 5.0};
    for (int r = 0; r < 7; r++) {
        ck_assert_double_eq(m->row_lower[r], low[r]);
        ck_assert_double_eq(m->row_upper[r], high[r]);
    }
    const double lower[4] = {0.0, -3.0, 0.0, -LP_INFINITY};
    const double upper[4] = {4.0, 3.0, 1.0, LP_INFINITY};
    const bool integer[4] = {false, true, true, false};
    for (int j = 0; j < 4; j++) {
        ck_assert_double_eq(m->lower[j], lower[j]);
        ck_assert_double_eq(m->upper[j], upper[j]);
        ck_assert_int_eq(m->integer[j], integer[j]);
    }
}

TEST(fixed_format_with_blanks_in_names)
{
    OWNED(lp_model) *m =
        read_mps("NAME          WITH BLANKS\n"
                 "ROWS\n"
                 " N  MY COST\n"
                 " L  ROW ONE\n"
                 " G  ROW  2\n"
                 "COLUMNS\n"
                 "    COL A     MY COST           1.50   ROW ONE           -2.0\n"
                 "    COL A     ROW  2             3.0\n"
                 "    MARKER    'MARKER'                 'INTORG'\n"
                 "    B         ROW ONE            1.0   MY COST            1.0\n"
                 "    MARKER    'MARKER'                 'INTEND'\n"
                 "RHS\n"
                 "              ROW ONE            4.0   ROW  2            -1.0\n"
                 "RANGES\n"
                 "    R S       ROW ONE            2.5\n"
                 "BOUNDS\n"
                 " UP MY BND    COL A              9.0                   a remark\n"
                 " BV           B\n"
                 "ENDATA\n");
    ck_assert_str_eq(m->col_name[0], "COL A");
    ck_assert_str_eq(m->row_name[1], "ROW  2");
    ck_assert_double_eq(m->cost[0], 1.5);
    ck_assert_double_eq(m->upper[0], 9.0);
    ck_assert_double_eq(m->row_lower[0], 1.5);
    ck_assert_double_eq(m->row_upper[0], 4.0);
    ck_assert_double_eq(m->row_lower[1], -1.0);
    ck_assert(m->integer[1]);
    ck_assert_int_eq(m->start[2], 3);
}

/* One integer column between markers and one continuous one, with these records. */
TEST(bounds_of_every_type)
{
    static const struct {
        const char *records;
        double lower[2], upper[2];
        bool integer; /* of the continuous column */
    } cases[] = {
        {"", {0, 0}, {1, LP_INFINITY}, false},
        {" UP B i 5\n UP B c 5\n", {0, 0}, {5, 5}, false},
        {" UP i 5\n UP c 5\n", {0, 0}, {5, 5}, false},
        {" LO B i 2\n LO B c 2\n", {2, 2}, {LP_INFINITY, LP_INFINITY}, false},
        {" UP B i -5\n UP B c -5\n", {-LP_INFINITY, -LP_INFINITY}, {-5, -5}, false},
        {" UP B i 0\n UP B c 0\n", {0, 0}, {0, 0}, false},
        {" LO B c -7\n UP B c -5\n PL B i\n", {0, -7}, {LP_INFINITY, -5}, false},
        {" UP B c -5\n LO B c -7\n FX B i 3\n", {3, -7}, {3, -5}, false},
        {" FR B i\n FR c\n", {-LP_INFINITY, -LP_INFINITY}, {LP_INFINITY, LP_INFINITY}, false},
        {" FX B c -2.5\n MI B i\n", {-LP_INFINITY, -2.5}, {LP_INFINITY, -2.5}, false},
        {" MI B c\n UP B c 3\n PL i\n", {0, -LP_INFINITY}, {LP_INFINITY, 3}, false},
        {" BV B c\n BV i\n", {0, 0}, {1, 1}, true},
        {" LI B c 2\n LI B i -2\n", {-2, 2}, {LP_INFINITY, LP_INFINITY}, true},
        {" UI B c 9\n UI B i 8\n", {0, 0}, {8, 9}, true},
        {" UP B c 1e30\n LO B i -1e20\n", {-LP_INFINITY, 0}, {LP_INFINITY, LP_INFINITY}, false},
        {" UP B c Inf\n LO B i -infinity\n", {-LP_INFINITY, 0}, {LP_INFINITY, LP_INFINITY}, false},
        {" up B c 4\n UP OTHER c 3\n PL B i\n", {0, 0}, {LP_INFINITY, 4}, false},
        {" FR B c 0\n PL B i 17\n", {0, -LP_INFINITY}, {LP_INFINITY, LP_INFINITY}, false},
        {" FR c i\n", {-LP_INFINITY, 0}, {LP_INFINITY, LP_INFINITY}, false}, /* a set named c */
        {" LO B c 5\n UP B c 4\n", {0, 5}, {1, 4}, false}, /* infeasible, but well-formed */
    };
    char text[512];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        snprintf(text, sizeof text,
                 HEAD " M 'MARKER' 'INTORG'\n i up 1\n M 'MARKER' 'INTEND'\n c up 1\nRHS\n"
                      "BOUNDS\n%sENDATA\n",
                 cases[k].records);
        OWNED(lp_model) *m = read_mps(text);
        for (int j = 0; j < 2; j++) {
            ck_assert_msg(m->lower[j] == cases[k].lower[j] && m->upper[j] == cases[k].upper[j],
                          "column %d has [%g,%g] after\n%s", j, m->lower[j], m->upper[j],
                          cases[k].records);
        }
        ck_assert(m->integer[0]);
        ck_assert_int_eq(m->integer[1], cases[k].integer);
    }
}

TEST(sides_and_ranges)
{
    static const struct {
        const char *records;
        double low[3], high[3]; /* of the rows L, G, E */
    } cases[] = {
        {"RHS\n", {-LP_INFINITY, 0, 0}, {0, LP_INFINITY, 0}},
        {"RHS\n R up 3 low 4\n R eq 5\n", {-LP_INFINITY, 4, 5}, {3, LP_INFINITY, 5}},
        {"RHS\n up 3 low 4\n eq 5\n", {-LP_INFINITY, 4, 5}, {3, LP_INFINITY, 5}},
        {"RHS\n R up 3\nRANGES\n G up 2 low 2\n G eq 2\n", {1, 0, 0}, {3, 2, 2}},
        {"RHS\n R up 3\nRANGES\n G up -2 low -2\n G eq -2\n", {1, 0, -2}, {3, 2, 0}},
        {"RHS\n R up 3\nRANGES\n up 0 low 0\n eq 0\n", {3, 0, 0}, {3, 0, 0}},
        {"RANGES\n G up 2\nRHS\n R up 3\n", {1, 0, 0}, {3, LP_INFINITY, 0}},
        {"RHS\n R up 3\n S up 4 low 9\n", {-LP_INFINITY, 0, 0}, {3, LP_INFINITY, 0}},
        {"RHS\n R up 1e30 low -1e30\nRANGES\n G up 5\n",
         {-LP_INFINITY, -LP_INFINITY, 0},
         {LP_INFINITY, LP_INFINITY, 0}},
    };
    char text[512];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        snprintf(text, sizeof text, HEAD " x obj 1\n%sENDATA\n", cases[k].records);
        OWNED(lp_model) *m = read_mps(text);
        for (int r = 0; r < 3; r++)
            ck_assert_msg(m->row_lower[r] == cases[k].low[r] && m->row_upper[r] == cases[k].high[r],
                          "row %d has [%g,%g] after\n%s", r, m->row_lower[r], m->row_upper[r],
                          cases[k].records);
    }
}

/* A range that reaches what means infinity is no limit there. */
TEST(ranges_up_to_infinity)
{
    OWNED(lp_model) *m = read_mps(HEAD " x obj 1\nRHS\n R up -6e19 low 6e19\n R eq 6e19\n"
                                       "RANGES\n R up 6e19 low 6e19\n R eq 6e19\nENDATA\n");
    static const double low[3] = {-LP_INFINITY, 6e19, 6e19};
    static const double high[3] = {-6e19, LP_INFINITY, LP_INFINITY};
    for (int r = 0; r < 3; r++)
        ck_assert_msg(m->row_lower[r] == low[r] && m->row_upper[r] == high[r], "row %d has [%g,%g]",
                      r, m->row_lower[r], m->row_upper[r]);
}

/* A $ begins a comment in front of field 3 or 5, but also names, in both formats. */
TEST(dollar_comments)
{
    static const char free_format[] =
        "NAME m $ a comment\nROWS $ types\n N obj $ the cost\n L up $the side\n G $low\n"
        "COLUMNS\n x obj 1 $ up 5\n x up 2 $low 3\n $y up 4 $\nRHS\n R up 5 $ $low 7\n"
        " R $low 1\nBOUNDS\n UP B x 4 $ four\n FR B $y $ free\n MI x $\nENDATA\n";
    static const char fixed_format[] =
        "NAME          m\n"
        "ROWS\n"
        " N  obj\n"
        " L  a row\n"
        " G  $low\n"
        "COLUMNS\n"
        "    x         obj                 1.   $ up and everything, up to here\n"
        "    x         a row               2.   $low                3.\n"
        "    $y        a row               4.\n"
        "    $y        $ a line without data\n"
        "RHS\n"
        "    R         a row               5.   $low                1.\n"
        "BOUNDS\n"
        " UP B         x                   4.\n"
        "ENDATA\n";
    lp_model *m = read_mps(free_format);
    ck_assert_str_eq(m->name, "m $ a comment"); /* names of models may hold anything */
    ck_assert_int_eq(m->rows, 2);
    ck_assert_int_eq(m->cols, 2);
    ck_assert_str_eq(m->col_name[1], "$y");
    ck_assert_int_eq(m->start[2], 3);
    ck_assert_double_eq(m->row_upper[0], 5.0);
    ck_assert_double_eq(m->row_lower[1], 1.0);
    ck_assert(m->upper[0] == 4.0 && m->lower[0] == -LP_INFINITY);
    ck_assert(m->lower[1] == -LP_INFINITY);
    lp_model_free(m);
    base_error error;
    ck_assert_ptr_null(model_from_text(fixed_format, ".mps", &error));
    ck_assert_contains(error.text, ":10:"); /* a column needs an entry */
    char text[sizeof fixed_format];
    const char *line = strstr(fixed_format, "    $y        $");
    snprintf(text, sizeof text, "%.*s%s", (int)(line - fixed_format), fixed_format,
             strchr(line, '\n') + 1);
    m = read_mps(text);
    ck_assert_int_eq(m->start[2], 3);
    ck_assert_double_eq(m->row_lower[1], 1.0);
    ck_assert_double_eq(m->upper[0], 4.0);
    lp_model_free(m);
}

TEST(objective_sense_and_name)
{
    static const char *const texts[] = {
        "NAME\nOBJSENSE MAXIMIZE\nROWS\n N a\n N b\nCOLUMNS\n x a 1 b 2\nENDATA\n",
        "NAME\nOBJSENSE\n MAX\nROWS\n N a\n N b\nCOLUMNS\n x a 1 b 2\nENDATA\n",
        "NAME\nOBJSENSE\nMAX\nROWS\n N a\n N b\nCOLUMNS\n x a 1 b 2\nENDATA\n",
        "NAME\nOBJSENSE\n min\nROWS\n N a\n N b\nCOLUMNS\n x a 1 b 2\nENDATA\n",
        "OBJNAME\n b\nROWS\n N a\n N b\nCOLUMNS\n x a 1 b 2\nENDATA\n",
        "ROWS\nCOLUMNS\nENDATA\n"};
    static const double cost[] = {-1, -1, -1, 1, 2, 0};
    for (int k = 0; k < 6; k++) {
        OWNED(lp_model) *m = read_mps(texts[k]);
        ck_assert_int_eq(m->rows, 0);
        ck_assert_int_eq(m->cols, k < 5);
        if (m->cols > 0)
            ck_assert_double_eq(m->cost[0], cost[k]);
        ck_assert_int_eq(m->maximize, k < 3);
    }
}

TEST(malformed_files_name_line_and_field)
{
    static const char *const cases[][2] = {
        {"", "ENDATA"},
        {"NAME x\n", ":1:|ENDATA"},
        {HEAD " x obj 1\nRHS\n", ":9:|ENDATA"},
        {HEAD "ENDATAX\n", ":8:|ENDATAX|section"},
        {"NAME\nROWS\n N obj\nENDATA\n", "COLUMNS"},
        {"NAME\nCOLUMNS\nENDATA\n", ":2:|COLUMNS before section ROWS"},
        {"NAME\nROWS\n X obj\n", ":3:|field 1|\"X\"|N, L, G or E"},
        {"NAME\nROWS\n NN obj\n", ":3:|field 1|\"NN\""},
        {"NAME\nROWS\n N\n", ":3:|1 field"},
        {"NAME\nROWS\n N obj\n L a\n G a\n", ":5:|field 2|second row|\"a\""},
        {"NAME\nROWS\nROWS\n", ":3:|second section"},
        {HEAD " x nowhere 1\n", ":8:|field 2|\"nowhere\"|ROWS"},
        {HEAD " x up 1 nowhere 2\n", ":8:|field 4|\"nowhere\""},
        {HEAD " x up one\n", ":8:|field 3|\"one\"|number"},
        {HEAD " x up 1 low 0x10\n", ":8:|field 5|\"0x10\"|number"},
        {HEAD " x up nan\n", ":8:|field 3|\"nan\""},
        {HEAD " x up inf\n", ":8:|field 3|\"inf\"|finite"},
        {HEAD " x up 1e999\n", ":8:|field 3|\"1e999\"|finite"},
        {HEAD " x up 1.2.3\n", ":8:|field 3|\"1.2.3\""},
        {HEAD " x up 1,5\n", ":8:|field 3|\"1,5\""},
        {HEAD " x up --1\n", ":8:|field 3"},
        {HEAD " x up 1e\n", ":8:|field 3"},
        {HEAD " x up\n", ":8:|2 fields|number"},
        {HEAD " x up 1 low\n", ":8:|4 fields"},
        {HEAD " x up 1 low 2 eq 3\n", ":8:|more than 6|expected"},
        {HEAD " x up 1\n x up 2\n", ":9:|second entry|\"x\"|\"up\""},
        {HEAD " x up 1 up 2\n", ":8:|field 4|second entry"},
        {HEAD " x obj 1 obj 2\n", ":8:|field 4|second entry"},
        {HEAD " x up 1\n y up 1\n x low 2\n", ":10:|field 1|\"x\" again"},
        {HEAD " M 'MARKER' 'SOSORG'\n", ":8:|SOSORG|INTORG"},
        {HEAD " x up 1\nRHS\n R nowhere 1\n", ":10:|field 2|\"nowhere\""},
        {HEAD " x up 1\nRHS\n R up one\n", ":10:|field 3|\"one\""},
        {HEAD " x up 1\nRHS\n R up 1\n R up 2\n", ":11:|second right-hand side|\"up\""},
        {HEAD " x up 1\nRHS\n R up -1e30\n", ":10:|-infinity"},
        {HEAD " x up 1\nRHS\n R eq 1e30\n", ":10:|+infinity"},
        {HEAD " x up 1\nRHS\n R obj 1e30\n", ":10:|constant"},
        {HEAD " x up 1\nRHS\n\n* x\n R up 1 2\n", ":12:|field 1|\"R\" is not a row"},
        {HEAD " x up 1\nRHS R up 1\n", ":9:|after section RHS"},
        {HEAD " x up 1\nRANGES\n R up 1 up 2\n", ":10:|field 4|second range"},
        {HEAD " x up 1\nRANGES\n R obj 1\n", ":10:|range on the objective"},
        {HEAD " x up 1\nBOUNDS\n UP B y 1\n", ":10:|field 3|\"y\"|COLUMNS"},
        {HEAD " x up 1\nBOUNDS\n UP B x\n", ":10:|expected"},
        {HEAD " x up 1\nBOUNDS\n UP B x one\n", ":10:|field 4|\"one\""},
        {HEAD " x up 1\nBOUNDS\n ZZ B x 1\n", ":10:|field 1|\"ZZ\"|UP, LO"},
        {HEAD " x up 1\nBOUNDS\n SC B x 1\n", ":10:|field 1|semi-continuous"},
        {HEAD " x up 1\nBOUNDS\n LO B x 1e30\n", ":10:|field 4|+infinity"},
        {HEAD " x up 1\nBOUNDS\n FX B x inf\n", ":10:|infinity"},
        {HEAD " x up 1\nBOUNDS\n UP\n", ":10:|1 field"},
        {HEAD " x up 1\nSOS\n", ":9:|SOS|linear"},
        {HEAD " x up 1\nQUADOBJ\n", ":9:|QUADOBJ|linear"},
        {HEAD " x up 1\nINDICATORS\n", ":9:|INDICATORS"},
        {"NAME\n stray\n", ":2:|before section ROWS"},
        {"OBJSENSE\n sideways\n", ":2:|sideways|MAX or MIN"},
        {HEAD " x up 1 $\nRHS\n R $none\n", ":10:|1 fields"},
        {HEAD " x\x1b[2J up 1\n", ":8:|field 1|\"x?[2J\"|control"},
        {"NAME\nROWS\n N obj\n L a\xc2\x9b\n", ":4:|field 2|\"a??\"|control"},
        {"NAME x\x07\n", ":1:|control"},
        {"OBJNAME\n no\nROWS\n N obj\nCOLUMNS\nENDATA\n", "\"no\"|OBJNAME"},
        {"hello world\n", ":1:|\"hello\"|section"},
        {"\x7f"
         "ELF\x01\x02\xff\n",
         ":1:|section"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_refused(cases[k][0], ".mps", cases[k][1]);
}

/* An error of a file that only fixed format reads so far is that of fixed format. */
TEST(errors_in_fixed_format)
{
    assert_refused("NAME\nROWS\n N  MY COST\n L  ROW ONE\nCOLUMNS\n"
                   "    COL A     MY COST           1.50   ROW ONE           -2.0\n"
                   "    COL B     MY COST           1x50\nENDATA\n",
                   ".mps", ":7:|field 4|\"1x50\"");
    assert_refused("NAME\nROWS\n N  MY COST\n L  ROW ONE\nCOLUMNS\n"
                   "    COL A     MY COST           1.50\n"
                   "    COL B     HIS COST            1.\nENDATA\n",
                   ".mps", ":7:|field 3|\"HIS COST\"|not a row");
    assert_refused("NAME\nROWS\n N  MY COST\n L  ROW ONE\nCOLUMNS\n"
                   "    COL A   x MY COST           1.50\nENDATA\n",
                   ".mps", ":6:|column 13|between the fields");
}

/* More names than the tables start with. */
TEST(many_rows_and_columns)
{
    enum { COUNT = 3000 };
    const char *path = temporary_path("many.mps");
    base_error error = {""};
    FILE *file = fopen(path, "w");
    fputs("NAME\nROWS\n N obj\n", file);
    for (int k = 0; k < COUNT; k++)
        fprintf(file, " L row%d\n", k);
    fputs("COLUMNS\n", file);
    for (int k = 0; k < COUNT; k++)
        fprintf(file, " col%d row%d %d row%d 1\n", k, (k + 7) % COUNT, k + 1, k);
    fputs("RHS\n", file);
    for (int k = 0; k < COUNT; k++)
        fprintf(file, " RHS row%d %d\n", k, 2 * k);
    fputs("ENDATA\n", file);
    fclose(file);
    OWNED(lp_model) *m = lp_model_read(path, &error);
    ck_assert_msg(m != NULL, "%s", error.text);
    ck_assert_int_eq(m->start[m->cols], 2 * COUNT);
    for (int k = 0; k < COUNT; k++) {
        ck_assert_double_eq(m->row_upper[k], 2.0 * k);
        const int first = m->start[k];
        ck_assert_int_eq(m->index[first] + m->index[first + 1], k + (k + 7) % COUNT);
    }
    unlink(path);
}

TEST(files_that_are_not_text_or_not_there)
{
    base_error error;
    const char *path = temporary_path("binary.mps");
    FILE *file = fopen(path, "wb");
    fwrite("NAME\nROWS\n\0\0\0", 1, 13, file);
    fclose(file);
    ck_assert_ptr_null(lp_model_read(path, &error));
    ck_assert(strstr(error.text, "binary.mps:3:") && strstr(error.text, "zero byte"));
    unlink(path);
    ck_assert_ptr_null(lp_model_read(path, &error));
    ck_assert_contains(error.text, "binary.mps");
    assert_refused("once upon a time", ".txt", "model.txt|\"once\"|NAME|minimize");
}

TEST(format_is_told_by_content)
{
    base_error error;
    lp_model *m = model_from_text("* remark\n\nNAME x\nROWS\n N o\nCOLUMNS\n y o 3\nENDATA\n",
                                  ".txt", &error);
    ck_assert_msg(m && m->cost[0] == 3.0, "%s", error.text);
    lp_model_free(m);
    m = model_from_text("\\ remark\nMinimize\n 3 y\nSubject To\nEnd\n", ".txt", &error);
    ck_assert_msg(m && m->cost[0] == 3.0, "%s", error.text);
    lp_model_free(m);
}
