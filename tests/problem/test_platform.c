/* Platforms: the built-in ones, round trips, files that are refused. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "problem/json.h"
#include "tests/problem/owned.h"
#include "tests/problem/support.h"
#include "tests/suite.h"

SUITE("platforms");

TEST(builtin_table)
{
    const char *const names[] = {"m0", "m4", "a72", "a72nocache", "jetsontx2"};
    for (int k = 0; k < 5; k++) {
        const platform *p = platform_builtin(k);
        ck_assert_str_eq(p->name, names[k]);
        ck_assert_ptr_eq(platform_find(names[k]), p);
        base_error error = {""};
        ck_assert_msg(platform_check(p, &error) == 0, "%s", error.text);
        ck_assert(*p->note);
        platform loaded;
        ck_assert_int_eq(platform_load(names[k], &loaded, NULL), 0);
        ck_assert(loaded.flops_per_joule == p->flops_per_joule);
    }
    ck_assert_ptr_null(platform_builtin(5));
    ck_assert_ptr_null(platform_builtin(-1));
    ck_assert_ptr_null(platform_find("A72"));
    /* Consistent but for a72: power = FLOPS / FLOPs per joule. */
    const double watts[] = {0.066, 0.0109824, 3.0, 3.0, 0.766};
    for (int k = 0; k < 5; k++) {
        const platform *p = platform_builtin(k);
        ck_assert_double_eq_tol(p->compute_watts, watts[k], 1e-15);
        if (k != 2)
            ck_assert_double_eq_tol(p->flops_per_second / p->flops_per_joule / watts[k], 1, 1e-12);
    }
}

/* What `info` prints, renamed, is a platform file with the same numbers. */
TEST(round_trip)
{
    for (int k = 0; platform_builtin(k); k++) {
        platform p = *platform_builtin(k), back;
        strcpy(p.name, "mine \"\\ \xc3\xa9");
        char path[64], *text = NULL;
        size_t size;
        FILE *stream = open_memstream(&text, &size);
        platform_print(&p, stream);
        fclose(stream);
        write_file(path, text);
        free(text);
        base_error error = {""};
        ck_assert_msg(platform_load(path, &back, &error) == 0, "%s", error.text);
        unlink(path);
        ck_assert_str_eq(back.name, p.name);
        ck_assert_str_eq(back.note, p.note);
        ck_assert(back.flops_per_second == p.flops_per_second);
        ck_assert(back.flops_per_joule == p.flops_per_joule);
        ck_assert(back.compute_watts == p.compute_watts);
        ck_assert(back.storage_watts == p.storage_watts);
        ck_assert(back.pagein_latency_seconds == p.pagein_latency_seconds);
        ck_assert(back.pagein_bytes_per_second == p.pagein_bytes_per_second);
        ck_assert(back.pageout_latency_seconds == p.pageout_latency_seconds);
        ck_assert(back.pageout_bytes_per_second == p.pageout_bytes_per_second);
    }
}

#define REST                                                                                       \
    "\"flops_per_second\": 8, \"storage_watts\": 0.5, \"pagein_latency_seconds\": 0, "             \
    "\"pagein_bytes_per_second\": 16, \"pageout_latency_seconds\": 1, "                            \
    "\"pageout_bytes_per_second\": 32"

TEST(costs_of_a_file)
{
    char path[64];
    write_file(path, "{\"name\": \"toy\", \"flops_per_joule\": 4, " REST "}");
    platform p;
    base_error error = {""};
    ck_assert_msg(platform_load(path, &p, &error) == 0, "%s", error.text);
    unlink(path);
    ck_assert(p.compute_watts == 2);
    ck_assert_str_eq(p.note, "");
    graph_node node = {.bytes = 64};
    platform_cost(&p, 2, 24, &node);
    ck_assert(node.seconds == 3 && node.joules == 6);
    ck_assert(node.pagein_seconds == 4 && node.pageout_seconds == 3);
    ck_assert(node.pagein_joules == 4 && node.pageout_joules == 3);
    OWNED(graph) *g = network_build("linear", &p, network_options_default(), &error);
    ck_assert_str_eq(g->platform, "toy");
    ck_assert(g->joules[2] == 2.5 && g->seconds[2] == 1.25);
    ck_assert(g->pagein_joules[1] == 1.25 && g->pageout_joules[1] == 1.125);
}

TEST(bad_files)
{
    const struct {
        const char *text, *message;
    } cases[] = {
        {"{\"name\": \"toy\", " REST "}", "key \"flops_per_joule\" is missing"},
        {"{\"name\": \"a72\", \"flops_per_joule\": 4, " REST "}", "name: \"a72\" is a built-in"},
        {"{\"name\": \"\", \"flops_per_joule\": 4, " REST "}", "name: a name is expected"},
        {"{\"name\": \"toy\", \"flops_per_joule\": 0, " REST "}", "flops_per_joule is 0"},
        {"{\"name\": \"toy\", \"flops_per_joule\": -1, " REST "}", "flops_per_joule: -1"},
        {"{\"name\": \"toy\", \"flops_per_joule\": \"4\", " REST "}", "a number is expected"},
        {"{\"name\": 7, \"flops_per_joule\": 4, " REST "}", "name: a string is expected"},
        {"{\"name\": \"toy\", \"flops\": 4, \"flops_per_joule\": 4, " REST "}",
         "unknown key \"flops\""},
        {"{\"name\": \"toy\", \"flops_per_joule\": 4, \"flops_per_joule\": 4, " REST "}",
         "line 1, column"},
        {"{\"name\": \"0123456789012345678901234567890123456789012345678901234567890123\", "
         "\"flops_per_joule\": 4, " REST "}",
         "name: longer than 63 bytes"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char path[64];
        platform p;
        base_error error = {""};
        write_file(path, cases[k].text);
        ck_assert_int_eq(platform_load(path, &p, &error), -1);
        ck_assert_contains(error.text, cases[k].message);
        ck_assert_contains(error.text, path);
        unlink(path);
    }
    platform p;
    base_error error = {""};
    ck_assert_int_eq(platform_load("m5", &p, &error), -1);
    ck_assert_contains(error.text, "unknown platform \"m5\"; m0, m4, a72, a72nocache, jetsontx2");
    ck_assert_int_eq(platform_load("m5.json", &p, &error), -1);
    ck_assert_contains(error.text, "m5.json: cannot be read");
}

TEST(check_names_the_field)
{
    platform p = *platform_builtin(0);
    base_error error;
    p.pagein_latency_seconds = p.pageout_latency_seconds = 0;
    ck_assert_int_eq(platform_check(&p, &error), 0);
    p.pageout_latency_seconds = -1;
    ck_assert_int_eq(platform_check(&p, &error), -1);
    ck_assert_contains(error.text, "pageout_latency_seconds is -1");
    p = *platform_builtin(0);
    p.storage_watts = NAN;
    ck_assert_int_eq(platform_check(&p, &error), -1);
    ck_assert_contains(error.text, "storage_watts");
    p = *platform_builtin(0);
    p.pagein_bytes_per_second = INFINITY;
    ck_assert_int_eq(platform_check(&p, &error), -1);
    ck_assert_contains(error.text, "pagein_bytes_per_second");
}
