/* Limits on time and memory, and signals: kept at every size, and never at the cost of an answer
 * that was there. */
#include <string.h>
#include <sys/resource.h>

#include "base/base.h"
#include "tests/cli/cli_test.h"
#include "tests/clock.h"

/* A sanitizer has a memory and a pace of its own. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static const bool is_sanitized = true;
#else
static const bool is_sanitized = false;
#endif

/* A chain of n nodes, half of them gradients, whose k-th reads the one before it and the layer
 * that it belongs to. */
static void write_chain(const char *name, int n)
{
    base_error error;
    base_rng rng = {(uint64_t)n};
    base_output *out = base_output_open(name, &error);
    ck_assert_msg(out != NULL, "%s", error.text);
    FILE *stream = base_output_stream(out);
    fprintf(stream, "{\"name\": \"chain\", \"nodes\": [");
    for (int i = 0; i < n; i++) {
        const int forward = n / 2, twin = 2 * forward - 1 - i;
        const double size = 0.5 + 1.5 * base_rng_double(&rng);
        fprintf(stream, "%s\n{\"name\": \"n%d\", \"inputs\": [", i ? "," : "", i);
        if (i >= forward && twin > 0)
            fprintf(stream, "%d, ", twin - 1);
        if (i > 0 && twin != i)
            fprintf(stream, "%d", i - 1);
        fprintf(stream,
                "], \"bytes\": %d, \"seconds\": %g, \"joules\": %g, \"pagein_joules\": 1e-4, "
                "\"pageout_joules\": 1e-4, \"pagein_seconds\": 1e-3, \"pageout_seconds\": 1e-3, "
                "\"backward\": %s}",
                (int)(40000 * size), 1e-3 * size, 2e-3 * size, i < forward ? "false" : "true");
    }
    fprintf(stream, "]}\n");
    ck_assert_int_eq(base_output_commit(out, &error), 0);
}

/* Bytes that the largest of the programs run so far has held. */
static double held(void)
{
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return 1024.0 * (double)usage.ru_maxrss;
}

/* ---- memory ------------------------------------------------------------------- */

/* The address space ends in the middle of the proof: the schedule found before is the answer. */
START_TEST(lack_of_memory_keeps_the_schedule)
{
    write_chain("g.json", 200);
    cli_run run = cli_test_run("ulimit -v 400000; poetbnb solve --graph g.json --ram-budget 60%% "
                               "--threads 1 --set=exact.coarse=off --json --out s.json");
    cli_test_status(run, 4);
    ck_assert(cli_test_text(run.out, "stopped_by", "memory limit"));
    ck_assert_double_gt(cli_test_number(run.out, "overhead_joules"), 0);
    ck_assert_double_ge(cli_test_number(run.out, "lower_bound_overhead_joules"), 0);
    run = cli_test_run("poetbnb check s.json --json");
    cli_test_status(run, 0);
}
END_TEST

/* ... and what small models prove holds as well. */
START_TEST(lack_of_memory_leaves_small_models)
{
    write_chain("g.json", 200);
    cli_run run = cli_test_run("ulimit -v 400000; poetbnb solve --graph g.json --ram-budget 60%% "
                               "--threads 1 --json");
    ck_assert_msg(run.status == 0 || run.status == 4, "%d: %s", run.status, run.err);
    ck_assert_double_gt(cli_test_number(run.out, "lower_bound_overhead_joules"), 0);
}
END_TEST

/* Two threads of the tree, one of which runs out of memory. */
START_TEST(memory_limit_with_threads)
{
    write_chain("g.json", 120);
    cli_run run = cli_test_run("poetbnb solve --graph g.json --ram-budget 60%% --threads 2 "
                               "--without=all --memory-limit 64M --time-limit-s 20 --json");
    ck_assert_msg(run.status == 0 || run.status == 4, "%d: %s", run.status, run.err);
    ck_assert_double_le(held(), 64 << 20);
}
END_TEST

static const struct {
    int nodes, limit_mb, status;
    const char *command;
} memory_runs[] = {
    {300, 64, 4,
     "solve --graph g.json --ram-budget 60%% --set=exact.windows=off --set=exact.coarse=off "
     "--json"},
    {300, 48, 4,
     "solve --graph g.json --ram-budget 60%% --set=exact.coarse=off --json --threads 2"},
    {1000, 64, 5, "export --graph g.json --ram-budget 60%% --out m.mps"},
    {1000, 64, 5, "export --graph g.json --ram-budget 60%% --formulation published --out m.mps"},
};
enum { MEMORY_RUNS = sizeof memory_runs / sizeof memory_runs[0] };

/* A limit is asked before a model is built, and counts everything. */
START_TEST(memory_limit_is_kept)
{
    write_chain("g.json", memory_runs[_i].nodes);
    char command[256];
    snprintf(command, sizeof command, "poetbnb %s --memory-limit %dM", memory_runs[_i].command,
             memory_runs[_i].limit_mb);
    cli_run run = cli_test_run(command);
    cli_test_status(run, memory_runs[_i].status);
    ck_assert_double_le(held(), memory_runs[_i].limit_mb * 1048576.0);
    ck_assert_ptr_null(cli_test_read("m.mps"));
}
END_TEST

/* ---- time ----------------------------------------------------------------------- */

static const char *const time_runs[] = {
    "solve --graph g.json --ram-budget 50%%",
    "sweep --graph g.json --ram-budget 50%%",
    "compare --graph g.json --ram-budget 50%% --methods checkmate_lp",
    "export --graph g.json --ram-budget 50%% --out m.mps",
    "export --graph g.json --ram-budget 50%% --formulation published --out m.lp",
};
enum { TIME_RUNS = sizeof time_runs / sizeof time_runs[0] };

/* No step is so long that it would not end within a second of the limit. */
START_TEST(time_limit_is_kept)
{
    enum { NODES = 4000 };
    static const double limit = 0.3;
    write_chain("g.json", NODES);
    char command[256];
    snprintf(command, sizeof command, "poetbnb %s --time-limit-s %g", time_runs[_i], limit);
    const double before = processor_seconds();
    cli_run run = cli_test_run(command);
    ck_assert_double_le(processor_seconds() - before, 1.1 * limit + CLI_TEST_SLACK / 4.0);
    ck_assert_msg(run.status == 0 || run.status == 4 || run.status == 5, "%d: %s", run.status,
                  run.err);
    ck_assert_ptr_null(cli_test_read("m.mps"));
}
END_TEST

/* ---- signals and waiting ------------------------------------------------------------ */

static const char *const readers[] = {
    "solve --ram-budget 50%% --graph f",
    "solve --ram-budget 50%% --graph -",
    "sweep --ram-budget 50%% --graph f",
    "compare --ram-budget 50%% --graph f",
    "export --ram-budget 50%% --out m.mps --graph f",
    "lp f",
    "lp -",
    "mip f",
};
enum { READERS = sizeof readers / sizeof readers[0] };

/* Nobody ever writes what is to be read. */
START_TEST(first_signal_ends_the_waiting)
{
    static const char *const signals[] = {"INT", "TERM", "HUP"};
    char command[256];
    snprintf(command, sizeof command, "mkfifo f g; timeout -k 9 -s %s 0.3 \"$POETBNB\" %s 0<>g",
             signals[_i % 3], readers[_i]);
    cli_run run = cli_test_run(command);
    cli_test_status(run, 124); /* timeout's; 137: it took the second signal */
    ck_assert_ptr_null(cli_test_read("m.mps"));
}
END_TEST

/* Whichever signal asks for the end, what was found so far is written. */
START_TEST(signals_keep_the_schedule)
{
    static const char *const signals[] = {"INT", "TERM", "HUP"};
    cli_run run =
        cli_test_run("timeout --preserve-status -k 30 -s %s %d \"$POETBNB\" solve --model bert "
                     "--platform m4 --ram-budget 20%% --threads 1 --quiet --out s.json",
                     signals[_i], CLI_TEST_SLACK / 4);
    cli_test_status(run, 4);
    cli_test_status(cli_test_run("poetbnb check --quiet s.json"), 0);
}
END_TEST

/* nohup(1) has it ignored, and then it stays so. */
START_TEST(ignored_hangups_stay_ignored)
{
    cli_run run = cli_test_run("trap '' HUP; \"$POETBNB\" solve --model vgg16_cifar --platform a72 "
                               "--ram-budget 50%% --quiet & sleep 0.1; kill -HUP $!; wait $!");
    cli_test_status(run, 0);
}
END_TEST

START_TEST(time_limit_ends_the_waiting)
{
    char command[256];
    snprintf(command, sizeof command,
             "mkfifo f g; timeout -s KILL 10 \"$POETBNB\" %s --time-limit-s 0.3 0<>g", readers[_i]);
    cli_run run = cli_test_run(command);
    cli_test_status(run, 5);
    cli_test_contains(run.err, "limit");
}
END_TEST

/* What is slow in coming is read to its end. */
START_TEST(slow_writers_are_waited_for)
{
    write_chain("g.json", 30);
    cli_run run = cli_test_run("mkfifo f; (sleep 0.2; head -c 999 g.json; sleep 0.2; "
                               "tail -c +1000 g.json) > f & "
                               "poetbnb solve --graph f --ram-budget 70%% --quiet");
    cli_test_status(run, 0);
    run = cli_test_run("(sleep 0.2; cat g.json) | poetbnb solve --graph - --ram-budget 70%% "
                       "--quiet");
    cli_test_status(run, 0);
}
END_TEST

/* ---- what is said ---------------------------------------------------------------------- */

START_TEST(bound_without_schedule_is_printed)
{
    cli_run run = cli_test_run("poetbnb solve --model resnet18_cifar --platform a72 --ram-budget "
                               "14%% --no-heuristics --warm-start none --node-limit 0 --quiet");
    cli_test_status(run, 5);
    cli_test_contains(run.out, "before a schedule was found");
    cli_test_contains(run.out, "Proven: none has less than 0.01");
}
END_TEST

START_TEST(work_limit_is_said)
{
    cli_run run = cli_test_run("poetbnb solve --model resnet18_cifar --platform m4 --ram-budget "
                               "30%% --work-limit 0.02 --threads 1 --json");
    cli_test_status(run, 4);
    cli_test_contains(run.out, "\"stopped_by\": \"work limit\"");
    cli_test_contains(run.out, "\"options\": \"work-limit=0.02\"");
}
END_TEST

static TCase *add_case(Suite *suite, const char *name)
{
    TCase *tcase = tcase_create(name);
    tcase_add_checked_fixture(tcase, cli_test_setup, cli_test_teardown);
    tcase_set_timeout(tcase, 120);
    suite_add_tcase(suite, tcase);
    return tcase;
}

Suite *suite_limits(void)
{
    Suite *suite = suite_create("limits");
    TCase *memory = add_case(suite, "memory limits"), *time = add_case(suite, "time limits");
    TCase *waiting = add_case(suite, "waiting"), *words = add_case(suite, "words");
    if (!is_sanitized) {
        tcase_add_test(memory, lack_of_memory_keeps_the_schedule);
        tcase_add_test(memory, lack_of_memory_leaves_small_models);
        tcase_add_test(memory, memory_limit_with_threads);
        tcase_add_loop_test(memory, memory_limit_is_kept, 0, MEMORY_RUNS);
        tcase_add_loop_test(time, time_limit_is_kept, 0, TIME_RUNS);
    }
    tcase_add_loop_test(waiting, first_signal_ends_the_waiting, 0, READERS);
    tcase_add_loop_test(waiting, signals_keep_the_schedule, 0, 3);
    tcase_add_test(waiting, ignored_hangups_stay_ignored);
    tcase_add_loop_test(waiting, time_limit_ends_the_waiting, 0, READERS);
    tcase_add_test(waiting, slow_writers_are_waited_for);
    tcase_add_test(words, bound_without_schedule_is_printed);
    tcase_add_test(words, work_limit_is_said);
    return suite;
}
