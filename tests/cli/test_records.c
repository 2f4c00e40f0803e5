/* What compare found, as JSON and as CSV. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cli/cli_test.h"

CLI_SUITE("all", 60);

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
TEST(compare_json_is_its_csv)
{
    cli_run run = cli_exits(0, "poetbnb compare --model linear --platform a72 --ram-budget 50%% "
                               "--methods dtr,poetbnb --json --out c.csv");
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

static json_t *parse(const char *text)
{
    json_t *root = json_loads(text, 0, NULL);
    ck_assert_msg(root != NULL, "no JSON: %.200s", text);
    return root;
}

/* The text of the number behind "key": of a JSON object in lines. */
static void take_number(const char *json, const char *key, char *number, size_t size)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *at = strstr(json, quoted);
    ck_assert_msg(at != NULL, "no %s", quoted);
    at += strlen(quoted);
    snprintf(number, size, "%.*s", (int)strcspn(at, ",\n}"), at);
}

/* The budgets that a record names are, as texts, those of the run: with them it is the same again.
 */
TEST(budgets_come_back)
{
    static const struct {
        const char *budget, *factor, *written;
    } runs[] = {{"2471", "1.1052631578947367", "1.1052631578947367"},
                {"3000", "1.0005", "1.0005"},
                {"5113", "1.3333333333333333", "1.3333333333333333"},
                {"7411", "3", "3.0"},
                {"40%", "1.0000000000000002", "1.0000000000000002"}};
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        static const char command[] = "poetbnb solve --model linear --platform m4 --node-limit 0 "
                                      "--work-limit 0.01 --json --ram-budget %s%s "
                                      "--runtime-budget %s";
        static const char *const keys[] = {"ram_budget_bytes", "deadline_seconds"};
        char first[2][64], again[64], percent[64], factor[64];
        cli_run run = cli_test_run(command, runs[k].budget, "", runs[k].factor);
        for (int i = 0; i < 2; i++)
            take_number(run.out, keys[i], first[i], sizeof first[i]);
        take_number(run.out, "ram_budget_percent", percent, sizeof percent);
        take_number(run.out, "runtime_budget", factor, sizeof factor);
        ck_assert_str_eq(factor, runs[k].written);
        run = cli_test_run(command, percent, "%", factor);
        for (int i = 0; i < 2; i++) {
            take_number(run.out, keys[i], again, sizeof again);
            ck_assert_str_eq(again, first[i]);
        }
    }
}

static void check_same(const json_t *a, const json_t *b, const char *where)
{
    static const char *const keys[] = {"energy_joules",    "overhead_joules",  "compute_seconds",
                                       "transfer_seconds", "deadline_seconds", "peak_bytes",
                                       "ram_budget_bytes"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        const json_t *there = json_object_get(b, keys[k]);
        if (there)
            ck_assert_msg(json_number_value(there) == figure(a, keys[k]), "%s: %s", where, keys[k]);
    }
}

/* The figures of an answer are the same to the last bit in all that is written and read again: the
 * record, the schedule's file, the check of it, the plan, and a solve of the exported graph. */
TEST(figures_survive_files)
{
    cli_run run = cli_exits(
        0,
        "poetbnb info --model linear --platform m4 --json > g.json && "
        "poetbnb solve --graph g.json --ram-budget 45%% --runtime-budget 1.1 --json --out s.json");
    json_t *answer = parse(run.out);
    json_t *file = parse(cli_test_read("s.json"));
    check_same(answer, file, "schedule");
    run = cli_exits(0, "poetbnb check s.json --json");
    json_t *checked = parse(run.out);
    check_same(answer, checked, "check");
    run = cli_exits(0, "poetbnb plan s.json --format=json --quiet --no-dma --out p.json && "
                       "poetbnb check p.json --json");
    json_t *executed = parse(run.out);
    ck_assert(figure(executed, "overhead_joules") == figure(answer, "overhead_joules"));
    run = cli_test_run("poetbnb solve --model linear --platform m4 --ram-budget 45%% "
                       "--runtime-budget 1.1 --json");
    json_t *builtin = parse(run.out);
    check_same(answer, builtin, "built-in");
    json_decref(answer);
    json_decref(file);
    json_decref(checked);
    json_decref(executed);
    json_decref(builtin);
}

/* Every number of a platform's file is the same to the last bit after the platform was read and
 * printed: digits that no shorter decimal has, the ends of the range, and the built-in ones. */
TEST(platforms_survive_files)
{
    static const char text[] =
        "{\"name\": \"mine\", \"note\": \"a third\", \"flops_per_second\": 333333333.33333331, "
        "\"flops_per_joule\": 1.0000000000000002e15, \"compute_watts\": 0.10000000000000001, "
        "\"storage_watts\": 0.30000000000000004, \"pagein_latency_seconds\": "
        "1.0000000000000002e-12, \"pagein_bytes_per_second\": 9007199254740991, "
        "\"pageout_latency_seconds\": 0, \"pageout_bytes_per_second\": 4999999.9999999991}";
    cli_test_write("p.json", text);
    cli_exits(0, "poetbnb info --platform ./p.json --json > again.json");
    json_t *given = parse(text), *again = parse(cli_test_read("again.json"));
    const char *key;
    json_t *value;
    int numbers = 0;
    json_object_foreach(given, key, value)
    {
        const json_t *there = json_object_get(again, key);
        ck_assert_msg(json_is_number(value) ? figure(again, key) == json_number_value(value)
                                            : json_equal(value, there),
                      "%s is another one", key);
        numbers += json_is_number(value);
    }
    ck_assert_int_eq(numbers, 8);
    ck_assert_uint_eq(json_object_size(given), json_object_size(again));
    json_decref(given);
    json_decref(again);
    static const char *const names[] = {"a72", "m4", "jetsontx2"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        cli_exits(0,
                  "poetbnb info --platform %s --json | sed 's/\"%s\"/\"p\"/' > p.json && "
                  "poetbnb info --platform ./p.json --json > again.json && "
                  "cmp p.json again.json && "
                  "poetbnb info --model linear --platform %s --json | "
                  "sed 's/\"%s\"/\"p\"/' > one.json && "
                  "poetbnb info --model linear --platform ./p.json --json > two.json && "
                  "cmp one.json two.json",
                  names[k], names[k], names[k], names[k]);
    }
}
