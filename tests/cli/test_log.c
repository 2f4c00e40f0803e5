/* The log of a solve: one table, on the terminal or in a file of its own. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "tests/cli/cli_test.h"

CLI_SUITE("log", 120);

static const char solve[] = "poetbnb solve --model linear --platform a72 --ram-budget 50%";

/* What a line of the table says. */
typedef struct row {
    char source[32], bound[32], incumbent[32];
    long nodes, iterations;
    double work;
} row;

static int read_row(const char *line, row *r)
{
    char mark, part[32], gap[32];
    long open;
    return strlen(line) > 19 && (line[0] == '*' || line[0] == ' ') && line[1] == ' ' &&
           sscanf(line, "%c %16[^\n]", &mark, r->source) == 2 &&
           sscanf(line + 18, "%ld %ld | %31s %31s %31s %31[^|]| %ld %*d %*d | %lf", &r->nodes,
                  &open, part, r->bound, r->incumbent, gap, &r->iterations, &r->work) == 8;
}

/* The table of a log: bounds only rise, schedules only get better, work only grows; the last line
 * is the answer. Returns how many lines it has. */
static int judge_table(const char *log, double overhead)
{
    char *copy = base_strdup(log), *rest = copy;
    double bound = 0, best = INFINITY, work = 0;
    int rows = 0;
    for (char *line; (line = strsep(&rest, "\n"));) {
        row r;
        if (!read_row(line, &r))
            continue;
        const double b = strtod(r.bound, NULL);
        const double i = *r.incumbent == '-' ? INFINITY : strtod(r.incumbent, NULL);
        ck_assert_msg(b >= bound && i <= best && r.work >= work, "%s", line);
        ck_assert_double_le(b, i * (1 + 1e-6));
        bound = b;
        best = i;
        work = r.work;
        rows++;
    }
    base_free(copy);
    ck_assert_double_eq_tol(best, overhead, 1e-6 * overhead);
    ck_assert_double_eq_tol(bound, overhead, 1e-6 * overhead);
    return rows;
}

TEST(one_table)
{
    cli_run run = cli_exits(0, "%s --log l.txt --json --out s.json", solve);
    ck_assert_str_eq(run.err, "");
    ck_assert_int_eq(run.out[0], '{');
    const char *log = cli_test_read("l.txt");
    ck_assert_ptr_nonnull(log);
    ck_assert_int_gt(judge_table(log, cli_test_number(run.out, "overhead_joules")), 2);
    const char *heading = strstr(log, "  Source ");
    ck_assert_ptr_nonnull(heading);
    ck_assert_ptr_null(strstr(heading + 1, "  Source "));
    ck_assert_contains(log, "\n* ");
    cli_test_contains(log, "linear on a72", "fnv:", "Profile", "Proven optimal", "in s.json");
}

TEST(answer_stays_on_the_terminal)
{
    cli_run run = cli_exits(0, "%s --set bnb.dive=off --log l.txt", solve);
    ck_assert_int_eq(strncmp(run.out, "Proven optimal", 14), 0);
    cli_test_contains(cli_test_read("l.txt"), "Parameter  bnb.dive = off");
    run = cli_exits(0, "%s --log -", solve);
    cli_test_contains(run.out, "  Source ");
    run = cli_exits(0, "%s --quiet", solve);
    ck_assert_ptr_null(strstr(run.out, "Source"));
    ck_assert_int_eq(cli_test_files(), 1);
}

/* Nothing is made, and nothing that is there is lost. */
TEST(bad_log)
{
    cli_test_write("g.json", "[1]");
    cli_run run = cli_exits(2, "%s --log x --out ./x", solve);
    cli_test_contains(run.err, "--log: x is also --out");
    cli_exits(2, "poetbnb solve --graph g.json --ram-budget 50%% --log g.json");
    ck_assert_str_eq(cli_test_read("g.json"), "[1]");
    run = cli_exits(2, "%s --log nowhere/l.txt", solve);
    cli_test_contains(run.err, "nowhere/l.txt");
    cli_exits(2, "poetbnb solve --model linear --platform a72 --ram-budget x --log l.txt");
    cli_exits(2, "mkfifo f; %s --log f; s=$?; rm f; exit $s", solve);
    ck_assert_int_eq(cli_test_files(), 1);
    run = cli_exits(2, "%s --log /dev/full", solve);
    cli_test_contains(run.err, "/dev/full");
}

TEST(log_of_mip)
{
    cli_test_write("m.lp", "min\n x + y\nst\n 2 x + 2 y >= 3\ngeneral\n x y\nend\n");
    cli_run run = cli_exits(0, "poetbnb mip m.lp --log l.txt --json");
    ck_assert_str_eq(run.err, "");
    cli_test_contains(cli_test_read("l.txt"), "objective 2");
    cli_exits(2, "poetbnb mip m.lp --log m.lp");
}
