/* Writing models and reading them back; files cut and changed at random. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lp/io/file.h"
#include "lp/simplex.h"
#include "tests/lp/compare.h"
#include "tests/lp/owned.h"
#include "tests/lp/reference.h"
#include "tests/lp/sample.h"
#include "tests/suite.h"

SUITE("write", .seconds = 60);

static lp_model *written_and_read(const lp_model *m, const char *name)
{
    base_error error = {""};
    const char *path = temporary_path(name);
    ck_assert_msg(lp_model_write(m, path, &error) == 0, "%s", error.text);
    lp_model *read = lp_model_read(path, &error);
    ck_assert_msg(read != NULL, "%s", error.text);
    unlink(path);
    return read;
}

/* Doubles of every size and every last digit. */
static double wild_number(base_rng *rng)
{
    const double mantissa = base_rng_double(rng) - 0.5;
    return ldexp(mantissa, (int)base_rng_below(rng, 120) - 60);
}

/* True when sides can be told by one of them and their difference. */
static bool is_exact_range(double lower, double upper)
{
    const double range = upper - lower;
    return isinf(range) || (lower + range == upper && upper - range == lower);
}

LOOP_TEST(written_models_read_back_bit_for_bit, 5)
{
    base_rng rng = {(uint64_t)_i};
    for (int trial = 0; trial < 40; trial++) {
        OWNED(lp_model) *m = sample_model(&rng, (sample_family)(trial % SAMPLE_FAMILIES), 10, 10);
        if (trial % 2)
            sample_decorate(&rng, m);
        for (int k = 0; k < m->start[m->cols]; k++)
            m->value[k] = wild_number(&rng);
        for (int r = 0; r < m->rows; r++) {
            if (isfinite(m->row_lower[r]))
                m->row_lower[r] = wild_number(&rng);
            if (isfinite(m->row_upper[r]))
                do
                    m->row_upper[r] = fmax(m->row_lower[r], 0.0) + fabs(wild_number(&rng));
                while (!is_exact_range(m->row_lower[r], m->row_upper[r]));
        }
        for (int j = 0; j < m->cols; j++) {
            m->cost[j] = wild_number(&rng);
            if (isfinite(m->lower[j]))
                m->lower[j] *= 1.0 / 3.0;
        }
        m->offset = wild_number(&rng);
        OWNED(lp_model) *read = written_and_read(m, "trip.mps");
        const char *difference = model_difference(m, read, 0.0);
        ck_assert_msg(!difference, "%s", difference);
        if (m->col_name)
            for (int j = 0; j < m->cols; j++)
                ck_assert_str_eq(m->col_name[j], read->col_name[j]);
    }
}

/* Sides of a range come back exactly but where the difference, as a double, does not
 * lead from the smaller to the larger one; and there to the last place. */
TEST(sides_of_ranges_survive_their_difference)
{
    base_rng rng = {11};
    int inexact = 0;
    OWNED(lp_model) *m = lp_model_create();
    for (int r = 0; r < 2000; r++) {
        const double a = wild_number(&rng), b = a * (base_rng_double(&rng) - 0.5);
        lp_model_add_row(m, fmin(a, b), fmax(a, b), NULL);
    }
    OWNED(lp_model) *read = written_and_read(m, "ranges.mps");
    const char *difference = model_difference(m, read, 0x1p-52);
    ck_assert_msg(!difference, "%s", difference);
    for (int r = 0; r < m->rows; r++) {
        const double low = m->row_lower[r], high = m->row_upper[r];
        const bool reachable =
            fabs(low) < fabs(high) ? low + (high - low) == high : high - (high - low) == low;
        ck_assert(!reachable || (read->row_lower[r] == low && read->row_upper[r] == high));
        inexact += !reachable;
    }
    ck_assert_int_gt(inexact, 10);
}

/* The offset is a column in the file and none after reading. */
TEST(offset_is_written_as_a_column)
{
    const char *const paths[] = {"offset.mps", "offset.lp"};
    for (int k = 0; k < 4; k++) {
        OWNED(lp_model) *m = lp_model_create();
        lp_model_add_row(m, 1.0, LP_INFINITY, "r");
        const int row[1] = {0};
        const double one[1] = {1.0};
        lp_model_add_col(m, 2.0, 0.0, 5.0, false, 1, row, one, k < 2 ? "x" : LP_FILE_CONSTANT);
        m->offset = -12.25;
        base_error error = {""};
        const char *path = temporary_path(paths[k % 2]);
        ck_assert_int_eq(lp_model_write(m, path, &error), 0);
        size_t size;
        char *text = base_file_read(path, 1 << 20, &size, &error);
        ck_assert_contains(text, LP_FILE_CONSTANT);
        base_free(text);
        OWNED(lp_model) *read = lp_model_read(path, &error);
        /* A column that has the name already keeps it: then the constant stays a column. */
        ck_assert_int_eq(read->cols, k < 2 ? 1 : 2);
        ck_assert_double_eq(read->offset, k < 2 ? -12.25 : 0.0);
        ck_assert(k >= 2 || !model_difference(m, read, 0.0));
        unlink(path);
    }
}

TEST(unwritable_names_are_replaced_and_kept_apart)
{
    OWNED(lp_model) *m = lp_model_create();
    const char *const names[] = {"a b", "a_b", "$x", "*y", "", "a\tb", "obj", "c7"};
    for (int k = 0; k < 8; k++) {
        lp_model_add_row(m, 0.0, 1.0, names[k]);
        lp_model_add_col(m, k, 0.0, 1.0, k % 2, 0, NULL, NULL, names[k]);
    }
    lp_model *read = written_and_read(m, "names.mps");
    const char *difference = model_difference(m, read, 0.0);
    ck_assert_msg(!difference, "%s", difference);
    lp_model_free(read);
    read = written_and_read(m, "names.lp");
    ck_assert_int_eq(read->cols, 8);
    for (int j = 0; j < 8; j++)
        ck_assert_double_eq(read->cost[j], j);
    lp_model_free(read);
}

TEST(odd_models_are_written)
{
    const int row[1] = {0};
    const double one[1] = {1.0};
    OWNED(lp_model) *m = lp_model_create();
    lp_model *read = written_and_read(m, "odd.mps");
    ck_assert(!model_difference(m, read, 0.0));
    lp_model_free(read);
    lp_model_add_row(m, 3.0, 5.0, NULL);
    lp_model_add_row(m, -LP_INFINITY, LP_INFINITY, NULL);
    lp_model_add_col(m, 0.0, 3.0, 2.0, true, 1, row, one, NULL);
    lp_model_add_col(m, 0.0, 0.0, -2.0, false, 0, NULL, NULL, NULL);
    m->maximize = true;
    read = written_and_read(m, "odd.mps");
    ck_assert(!read->maximize);
    ck_assert_int_eq(read->rows, 2);
    ck_assert_double_eq(read->row_lower[0], 3.0);
    ck_assert_double_eq(read->row_upper[0], 5.0);
    ck_assert(isinf(read->row_lower[1]) && isinf(read->row_upper[1]));
    ck_assert_double_eq(read->lower[0], 3.0);
    ck_assert_double_eq(read->upper[0], 2.0);
    ck_assert_double_eq(read->lower[1], 0.0);
    ck_assert_double_eq(read->upper[1], -2.0);
    lp_model_free(read);
}

TEST(failed_writes_leave_the_old_file)
{
    base_error error = {""};
    OWNED(lp_model) *m = lp_model_create();
    ck_assert_int_eq(lp_model_write(m, "/nonexistent/folder/x.mps", &error), -1);
    ck_assert_contains(error.text, "/nonexistent/folder/x.mps");
}

/* Mutilated files: nothing may crash, hang or leak, whatever the answer. */
LOOP_TEST(mutilated_files_do_no_harm, 10)
{
    static const char *const pieces[] = {" ",        "\n",   "\t",     "1e30",   "-",  "RHS\n",
                                         "'MARKER'", "\r\n", "ROWS\n", "ENDATA", "up", "\xff",
                                         "BOUNDS\n", "x",    " FR ",   "1e-400", ":",  "<="};
    base_rng rng = {(uint64_t)_i};
    base_error error;
    static char text[1 << 16];
    for (int trial = 0; trial < 60; trial++) {
        const char *name = trial % 2 ? "mutant.lp" : "mutant.mps";
        lp_model *m = sample_model(&rng, (sample_family)(trial % SAMPLE_FAMILIES), 5, 5);
        sample_decorate(&rng, m);
        const char *path = temporary_path(name);
        ck_assert_int_eq(lp_model_write(m, path, &error), 0);
        lp_model_free(m);
        FILE *file = fopen(path, "r");
        size_t size = fread(text, 1, sizeof text / 2, file);
        fclose(file);
        for (int edit = 0; edit < 4 && size > 0; edit++) {
            const size_t at = base_rng_below(&rng, size);
            const char *piece = pieces[base_rng_below(&rng, 18)];
            const size_t length = strlen(piece);
            switch (base_rng_below(&rng, 4)) {
            case 0:
                text[at] = (char)base_rng_below(&rng, 256);
                break;
            case 1:
                memmove(text + at + length, text + at, size - at);
                for (size_t k = 0; k < length; k++)
                    text[at + k] = piece[k];
                size += length;
                break;
            case 2: {
                const size_t cut = 1 + base_rng_below(&rng, size - at);
                memmove(text + at, text + at + cut, size - at - cut);
                size -= cut;
                break;
            }
            default:
                size = at;
            }
        }
        file = fopen(path, "w");
        fwrite(text, 1, size, file);
        fclose(file);
        error.text[0] = '\0';
        m = lp_model_read(path, &error);
        ck_assert(m || error.text[0]);
        ck_assert(!m || !model_fault(m));
        lp_model_free(m);
        unlink(path);
    }
}

/* The number after a word in what a command prints; NAN if it is not there. */
static double number_after(const char *command, const char *word)
{
    char line[1024];
    double number = NAN;
    FILE *pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    while (fgets(line, sizeof line, pipe)) {
        const char *at = strstr(line, word);
        if (at)
            number = atof(at + strlen(word));
    }
    pclose(pipe);
    return number;
}

/* The program reads files with this extension as we do: its optimum is ours. format: the
 * command, for a path (%1$s), which leaves no file; word: what its optimum stands behind. */
static void compare_program(const char *program, const char *extension, const char *format,
                            const char *word)
{
    char command[1024];
    base_rng rng = {77};
    base_error error;
    int optimal = 0;
    if (!reference_installed(program)) {
        printf("skipped: %s is not installed\n", program);
        return;
    }
    for (int trial = 0; trial < 20; trial++) {
        static const sample_family families[] = {SAMPLE_SPARSE, SAMPLE_DENSE, SAMPLE_COVERING,
                                                 SAMPLE_NETWORK, SAMPLE_BOXED};
        OWNED(lp_model) *m = sample_model(&rng, families[trial % 5], 8, 8);
        if (trial % 2)
            sample_decorate(&rng, m);
        for (int j = 0; j < m->cols; j++)
            m->integer[j] = false;
        OWNED(lp_solver) *s = lp_solver_create(m, NULL);
        if (lp_solve(s) == LP_OPTIMAL) {
            optimal++;
            char name[16];
            snprintf(name, sizeof name, "other%s", extension);
            const char *path = temporary_path(name);
            ck_assert_int_eq(lp_model_write(m, path, &error), 0);
            snprintf(command, sizeof command, format, path);
            const double value = number_after(command, word), own = lp_objective(s);
            ck_assert_msg(fabs(value - own) <= 1e-6 * (1.0 + fabs(own)), "%s: %.12g, we: %.12g",
                          command, value, own);
            unlink(path);
        }
    }
    ck_assert_int_gt(optimal, 8);
}

/* No device is named as an output: glpsol removes what is there before it writes, and root may. */
TEST(other_programs_read_what_is_written)
{
    compare_program("glpsol", ".mps",
                    "glpsol --freemps %1$s -o %1$s.out 2>&1; cat %1$s.out; rm %1$s.out", "obj = ");
    compare_program("glpsol", ".lp", "glpsol --lp %1$s -o %1$s.out 2>&1; cat %1$s.out; rm %1$s.out",
                    "obj = ");
    compare_program("clp", ".mps", "clp %1$s 2>&1", "Optimal objective ");
    compare_program("cbc", ".lp",
                    "cbc %1$s -solve -solu %1$s.out -quit 2>&1; cat %1$s.out; rm %1$s.out",
                    "Optimal - objective value ");
}
