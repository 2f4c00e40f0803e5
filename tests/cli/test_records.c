/* What compare found, as JSON and as CSV. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cli/cli_test.h"

/* The next field of the line, which is not quoted. */
static void take_field(char **line, char *field, size_t size)
{
    const size_t length = strcspn(*line, ",\n");
    ck_assert_uint_lt(length, size);
    memcpy(field, *line, length);
    field[length] = '\0';
    *line += length + ((*line)[length] == ',');
}

static void check_field(const json_t *value, const char *key, const char *field)
{
    ck_assert_msg(value != NULL, "no \"%s\"", key);
    if (json_is_number(value))
        ck_assert_msg(json_number_value(value) == strtod(field, NULL), "%s: %s", key, field);
    else if (json_is_boolean(value))
        ck_assert_str_eq(field, json_is_true(value) ? "true" : "false");
    else
        ck_assert_str_eq(field, json_is_null(value) ? "" : json_string_value(value));
}

static double figure(const json_t *method, const char *key)
{
    const json_t *value = json_object_get(method, key);
    ck_assert_msg(json_is_number(value), "no number: %s", key);
    return json_number_value(value);
}

/* compare's JSON has all that its CSV has, figure by figure, and these belong together. */
START_TEST(compare_json_is_its_csv)
{
    cli_run run = cli_test_run("poetbnb compare --model linear --platform a72 --ram-budget 50%% "
                               "--methods dtr,poetbnb --json --out c.csv");
    cli_test_status(run, 0);
    json_t *root = json_loads(run.out, 0, NULL), *list = json_object_get(root, "methods");
    ck_assert_uint_eq(json_array_size(list), 2);
    char *csv = strdup(cli_test_read("c.csv")), *row = strchr(csv, '\n') + 1;
    for (size_t k = 0; k < 2; k++, row = strchr(row, '\n') + 1) {
        const json_t *method = json_array_get(list, k);
        char key[100], field[200], *names = csv, *values = row;
        int numbers = 0;
        for (size_t left = json_object_size(method); left > 0; left--) {
            take_field(&names, key, sizeof key);
            take_field(&values, field, sizeof field);
            check_field(json_object_get(method, key), key, field);
            numbers += json_is_number(json_object_get(method, key));
        }
        ck_assert_int_eq(*names, '\n');
        ck_assert_int_ge(numbers, 15);
        const double base = figure(method, "base_joules"),
                     overhead = figure(method, "overhead_joules");
        ck_assert_double_gt(overhead, 0);
        ck_assert_double_eq_tol(figure(method, "energy_joules"), base + overhead, 1e-12 * base);
        ck_assert_double_eq_tol(figure(method, "overhead_percent"), 100 * overhead / base, 1e-9);
        ck_assert_double_le(figure(method, "peak_bytes"), figure(method, "ram_budget_bytes"));
        ck_assert_double_ge(figure(method, "recompute_count"), 1);
    }
    ck_assert_int_eq(*row, '\0');
    free(csv);
    json_decref(root);
}
END_TEST

Suite *suite_records(void)
{
    Suite *suite = suite_create("records");
    TCase *tests = tcase_create("all");
    tcase_add_checked_fixture(tests, cli_test_setup, cli_test_teardown);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, compare_json_is_its_csv);
    suite_add_tcase(suite, tests);
    return suite;
}
