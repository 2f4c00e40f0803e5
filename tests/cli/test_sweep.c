/* `poetbnb sweep`: lists of networks, files, platforms, budgets and deadlines; the smallest budget;
 * what points know of each other; points side by side. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "cli/cli.h"
#include "cli/outcome.h"
#include "tests/cli/cli_test.h"

CLI_SUITE("sweep", 120);

TEST(sweep_points)
{
    cli_run run = cli_exits(0, "poetbnb sweep --model linear --platform a72 "
                               "--ram-budget 90%%,50%%,1%% --runtime-budget none,1 --csv");
    int lines = 0;
    for (const char *at = run.out; *at; at++)
        lines += *at == '\n';
    ck_assert_int_eq(lines, 7);
    cli_test_contains(run.out, "infeasible", "optimal");
    run = cli_exits(0, "poetbnb sweep --model linear --platform a72 --ram-budget 60%% --json");
    cli_test_contains(run.out, "\"points\": [");
}

/* The budget just below a point takes its optimum, without a search, where that fits, and so does
 * no schedule where none fits into more. */
TEST(sweep_knows_neighbours)
{
    cli_run run = cli_test_run("poetbnb solve --model linear --platform a72 --ram-budget 50%% "
                               "--json");
    const long peak = (long)cli_test_number(run.out, "peak_bytes");
    const long budget = (long)cli_test_number(run.out, "ram_budget_bytes");
    ck_assert_int_lt(peak, budget);
    run = cli_exits(0,
                    "poetbnb sweep --model linear --platform a72 "
                    "--ram-budget %ld,%ld,%ld,2%%,1%% --csv | cut -d, -f 5,15,18,21",
                    peak - 1, peak, budget);
    char searched[64], known[128], tighter[64];
    snprintf(searched, sizeof searched, "\n%ld,optimal,,", budget);
    snprintf(known, sizeof known, "\n%ld,optimal,the optimum for %ld bytes fits: no search,", peak,
             budget);
    snprintf(tighter, sizeof tighter, "\n%ld,optimal,,", peak - 1);
    cli_test_contains(run.out, searched);
    cli_test_contains(run.out, known);
    cli_test_contains(run.out, tighter);
    cli_test_contains(run.out, ",infeasible,no schedule fits into less than ");
    const double optimum = strtod(strstr(run.out, searched) + strlen(searched), NULL);
    ck_assert_double_eq(strtod(strstr(run.out, known) + strlen(known), NULL), optimum);
    ck_assert_double_gt(strtod(strstr(run.out, tighter) + strlen(tighter), NULL), optimum);
}

/* Several networks and platforms: what each has alone. */
TEST(sweep_networks)
{
    static const char *const pairs[][2] = {
        {"linear", "m0"}, {"linear", "a72"}, {"vgg16_cifar", "m0"}, {"vgg16_cifar", "a72"}};
    static const char columns[] = "cut -d, -f 1,2,5,7,15,21";
    char *alone = base_strdup("");
    for (int k = 0; k < 4; k++) {
        cli_run one = cli_exits(0,
                                "poetbnb sweep --model %s --platform %s --ram-budget 90%%,60%% "
                                "--csv | tail -n 2 | %s",
                                pairs[k][0], pairs[k][1], columns);
        const size_t before = strlen(alone), more = strlen(one.out) + 1;
        alone = base_realloc(alone, before + more, 1);
        memcpy(alone + before, one.out, more);
    }
    cli_run all = cli_test_run("poetbnb sweep --model linear,vgg16_cifar --platform m0,a72 "
                               "--ram-budget 90%%,60%% --csv --plot s.gp | tail -n +2 | %s",
                               columns);
    ck_assert_str_eq(all.out, alone);
    base_free(alone);
    const char *script = cli_test_read("s.gp");
    for (int k = 0; k < 4; k++) {
        char name[64];
        snprintf(name, sizeof name, "names[%d] = short('%s on %s', 60)\n", k + 1, pairs[k][0],
                 pairs[k][1]);
        cli_test_contains(script, name);
    }
    all = cli_exits(0, "poetbnb sweep --model linear --platform m0,a72 --ram-budget 60%%");
    cli_test_contains(all.out, "linear on m0", "linear on a72");
}

static const struct {
    const char *file, *begins;
} pictures[] = {{"s.pdf", "%PDF"}, {"s.png", "\211PNG"}, {"s.svg", "<?xml"}, {"s.gp", ""}};

LOOP_TEST(sweep_picture, LENGTH(pictures))
{
    cli_run run = cli_exits(0,
                            "poetbnb sweep --model linear --platform a72 --quiet "
                            "--ram-budget 100:50:10 --plot %s",
                            pictures[_i].file);
    ck_assert_str_eq(run.err, "");
    const char *drawn = cli_test_read(pictures[_i].file);
    ck_assert_int_eq(strncmp(drawn, pictures[_i].begins, strlen(pictures[_i].begins)), 0);
    ck_assert_int_gt((int)strlen(drawn), 3);
}

/* A line for each method that has a schedule; without any schedule an empty picture, which names
 * the methods. */
LOOP_TEST(comparison_picture, LENGTH(pictures))
{
    cli_exits(0, "poetbnb compare --model linear --platform a72 --quiet --methods "
                 "pofo,dtr,poetbnb --ram-budget 1%%,50%%,90%% --plot c.gp");
    const char *drawn = cli_test_read("c.gp");
    cli_test_contains(drawn, "compared = 1\nlines = 3\nabsent = 0\n",
                      "bounded[2] = 0\nnames[2] = short('dtr', 60)\nbounded[3] = 1\nnames[3] = "
                      "short('poetbnb', 60)\n",
                      "points = 6\n"); /* none at 1 % */
    cli_exits(0,
              "poetbnb compare --model linear --platform a72 --quiet --methods dtr,poetbnb "
              "--ram-budget 1%% --plot %s",
              pictures[_i].file);
    drawn = cli_test_read(pictures[_i].file);
    ck_assert_int_eq(strncmp(drawn, pictures[_i].begins, strlen(pictures[_i].begins)), 0);
    ck_assert(_i < 3 || strstr(drawn, "lines = 0\nabsent = 2\n"));
}

/* A network of the user's own, a chain of five nodes of so many bytes. */
static void write_chain(const char *file, int bytes)
{
    char text[4096];
    int used = snprintf(text, sizeof text, "{\"nodes\": [");
    for (int k = 0; k < 5; k++)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "%s{\"name\": \"n%d\", \"inputs\": [%s], \"bytes\": %d, "
                         "\"flops\": %d%s}",
                         k ? "," : "", k, (const char *[]){"", "0", "1", "1,2", "0,1,3"}[k], bytes,
                         1000000 * (k + 1), k > 2 ? ", \"backward\": true" : "");
    snprintf(text + used, sizeof text - (size_t)used, "]}");
    cli_test_write(file, text);
}

/* Files are a list as networks are, each for every platform; a name with a comma alone is one. */
TEST(sweep_files)
{
    write_chain("a.json", 1000);
    write_chain("b.json", 2000);
    write_chain("a,b.json", 3000);
    cli_run run = cli_exits(0, "poetbnb sweep --graph a.json,b.json --platform a72,m4 "
                               "--ram-budget 90%%,80%% --csv | cut -d, -f 1,2,5");
    ck_assert_str_eq(run.out, "network,platform,ram_budget_bytes\n"
                              "a,a72,3200\na,a72,3600\na,m4,3200\na,m4,3600\n"
                              "b,a72,6400\nb,a72,7200\nb,m4,6400\nb,m4,7200\n");
    run = cli_exits(0, "poetbnb sweep --graph a,b.json --platform a72 --ram-budget 90%%");
    cli_test_contains(run.out, "keeping everything takes 12000 bytes");
}

/* The smallest budget of each network and deadline, and the steps of a range down to it. */
TEST(sweep_down_to_the_smallest_budget)
{
    cli_run run =
        cli_test_run("poetbnb solve --model linear --platform a72 --ram-budget min --json");
    const long least = (long)cli_test_number(run.out, "least_budget_bytes");
    const double joules = cli_test_number(run.out, "overhead_joules");
    char line[128];
    snprintf(line, sizeof line,
             "\n%ld,optimal,the smallest budget: no schedule fits into less,%ld\n", least, least);
    run = cli_exits(0, "poetbnb sweep --model linear --platform a72 --ram-budget min,60%% --csv "
                       "| cut -d, -f 5,15,18,27");
    cli_test_contains(run.out, line);
    run = cli_test_run("poetbnb sweep --model linear --platform a72 --ram-budget min --csv "
                       "| cut -d, -f 21 | tail -n 1");
    ck_assert_double_eq_tol(strtod(run.out, NULL), joules, 1e-9 * joules);
    /* 60, 55, 50, 45 and the smallest, at 43.9 %; the other way round it is the same. */
    for (int up = 0; up < 2; up++) {
        run = cli_test_run("poetbnb sweep --model linear --platform a72 --ram-budget %s --csv "
                           "| cut -d, -f 5 | tr '\\n' ' '",
                           up ? "min:60:5%%" : "60:min:5");
        snprintf(line, sizeof line, "ram_budget_bytes %ld 3337 3708 4078 4449 ", least);
        ck_assert_str_eq(run.out, line);
    }
    /* A deadline that no budget meets. */
    run = cli_exits(0, "poetbnb sweep --model linear --platform a72 --ram-budget 60:min:20 "
                       "--runtime-budget none,0.5 --csv | cut -d, -f 5,7,15 | tail -n +2");
    snprintf(line, sizeof line, "1483,0.5,infeasible\n2966,0.5,infeasible\n%ld,,optimal\n4449,0.5",
             least);
    cli_test_contains(run.out, line, "7416,0.5,infeasible\n");
}

/* A limit leaves the smallest budget open: what is known, and the status of a limit. */
/* Each point below the smallest budget says that one, and none of the other points. */
TEST(sweep_below_the_smallest_budget)
{
    cli_run run =
        cli_exits(0, "poetbnb sweep --model linear --platform a72 --ram-budget 10%%,20%%,30%%");
    cli_test_contains(run.out, "and its inputs need 3256 bytes, the budget is 2224");
    const char *second = strstr(run.out, "no schedule fits into less than 3256 bytes");
    ck_assert(second && strstr(second + 1, "no schedule fits into less than 3256 bytes"));
    ck_assert_ptr_null(strstr(run.out, "looser"));
    run = cli_exits(0, "poetbnb sweep --model linear --platform a72 --no-paging --no-remat "
                       "--ram-budget 70%%,80%%,90%%");
    const char *first = strstr(run.out, "no schedule for the looser problem of 6674 bytes");
    ck_assert(first && strstr(first + 1, "no schedule for the looser problem of 6674 bytes"));
}

/* A bare number is bytes; where nothing fits into so few, a percentage may have been meant. */
TEST(few_bytes_are_no_percentage)
{
    cli_run run = cli_exits(3, "poetbnb solve --model linear --platform a72 --ram-budget 50");
    cli_test_contains(run.err, "--ram-budget: 50 is taken for bytes; 50% is a percentage");
    run = cli_exits(3, "poetbnb solve --model linear --platform a72 --ram-budget 3255");
    ck_assert_str_eq(run.err, "");
}

TEST(sweep_says_what_is_open)
{
    cli_run run = cli_exits(4, "poetbnb sweep --model resnet18_cifar --platform a72 --no-paging "
                               "--ram-budget min --json --work-limit 0.05");
    cli_test_contains(run.out, "that is known: none fits into less than 262144 bytes");
}

/* Side by side, the answers are the same, in the same order, every time. */
TEST(sweep_side_by_side)
{
    static const char columns[] =
        "tail -n +2 | awk -F, '{printf \"%s %s %s %s %.8g\\n\", $1, $5, $7, $15, $21}'";
    static const char what[] = "--model linear,vgg16_cifar --platform a72 --ram-budget 90:30:20 "
                               "--runtime-budget none,1.001";
    cli_run run = cli_exits(0, "poetbnb sweep %s --csv | %s", what, columns);
    char *one = base_strdup(run.out), *before = NULL;
    cli_test_contains(one, "vgg16_cifar 1232916  optimal 0.008778");
    for (int jobs = 2; jobs <= 1 + MANY(3); jobs++) {
        run = cli_exits(0, "poetbnb sweep %s --csv --jobs %d | %s", what, jobs, columns);
        ck_assert_str_eq(run.out, one);
    }
    for (int again = 0; again < 2; again++) {
        run = cli_test_run("poetbnb sweep %s --csv --jobs 3 --threads 1 | cut -d, -f 5,21,34-37",
                           what);
        if (before)
            ck_assert_str_eq(run.out, before);
        base_free(before);
        before = base_strdup(run.out);
    }
    base_free_all(before, one);
    run =
        cli_exits(0, "poetbnb sweep --model linear --platform a72 --ram-budget 90:50:10 --jobs 3");
    const char *at = run.out;
    for (int tenth = 9; tenth >= 5; tenth--) {
        char text[16];
        snprintf(text, sizeof text, " %d ", tenth * 7416 / 10);
        at = strstr(at, text);
        ck_assert_ptr_nonnull(at);
    }
}

/* Only a number at the overhead, or within the gap of it, proves; none does not, and neither does
 * one without a schedule. */
TEST(a_bound_proves_or_not)
{
    static const struct {
        double bound, overhead;
        bool schedule, proven;
    } rows[] = {{NAN, 1, true, false},      {NAN, 0, true, false},   {-INFINITY, 1, true, false},
                {1, NAN, true, false},      {NAN, NAN, true, false}, {0.5, 1, true, false},
                {1 - 1e-6, 1, true, false}, {1, 1, true, true},      {1 - 1e-10, 1, true, true},
                {1 + 1e-10, 1, true, true}, {0, 0, true, true},      {1, 1, false, false}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        schedule some = {.n = 1};
        cli_outcome row = {.status = "feasible",
                           .exit_status = CLI_LIMIT,
                           .schedule = rows[k].schedule ? &some : NULL,
                           .found = {.overhead_joules = rows[k].overhead},
                           .bound = rows[k].bound};
        cli_outcome_settle(&row);
        ck_assert_msg((strcmp(row.status, "optimal") == 0) == rows[k].proven, "row %zu: %s", k,
                      row.status);
        ck_assert_int_eq(row.exit_status, rows[k].proven ? CLI_DONE : CLI_LIMIT);
        ck_assert(!rows[k].proven || row.bound <= row.found.overhead_joules);
    }
}
