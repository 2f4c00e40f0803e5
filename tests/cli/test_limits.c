/* Limits on time and memory, and signals: kept at every size, and never at the cost of an answer
 * that was there. */
#include <sys/resource.h>

#include "base/base.h"
#include "tests/cli/cli_test.h"
#include "tests/clock.h"

CLI_SUITE("limits", 120);

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
LOOP_TEST(lack_of_memory_keeps_the_schedule, is_sanitized ? 0 : 1)
{
    write_chain("g.json", 200);
    cli_run run = cli_exits(4, "ulimit -v 400000; poetbnb solve --graph g.json --ram-budget 60%% "
                               "--threads 1 --set=exact.coarse=off --json --out s.json");
    ck_assert(cli_test_text(run.out, "stopped_by", "memory limit"));
    ck_assert_double_gt(cli_test_number(run.out, "overhead_joules"), 0);
    ck_assert_double_ge(cli_test_number(run.out, "lower_bound_overhead_joules"), 0);
    cli_exits(0, "poetbnb check s.json --json");
}

/* ... and what small models prove holds as well. */
LOOP_TEST(lack_of_memory_leaves_small_models, is_sanitized ? 0 : 1)
{
    write_chain("g.json", 200);
    cli_run run = cli_test_run("ulimit -v 400000; poetbnb solve --graph g.json --ram-budget 60%% "
                               "--threads 1 --json");
    ck_assert_msg(run.status == 0 || run.status == 4, "%d: %s", run.status, run.err);
    ck_assert_double_gt(cli_test_number(run.out, "lower_bound_overhead_joules"), 0);
}

/* Two threads of the tree, one of which runs out of memory. */
LOOP_TEST(memory_limit_with_threads, is_sanitized ? 0 : 1)
{
    write_chain("g.json", 120);
    cli_run run = cli_test_run("poetbnb solve --graph g.json --ram-budget 60%% --threads 2 "
                               "--without=all --set=exact.serial_work=0 --memory-limit 64M "
                               "--time-limit-s 20 --json");
    ck_assert_msg(run.status == 0 || run.status == 4, "%d: %s", run.status, run.err);
    ck_assert_double_le(held(), 64 << 20);
}

static const struct {
    int nodes, limit_mb, status;
    const char *command;
} memory_runs[] = {
    {300, 64, 4,
     "solve --graph g.json --ram-budget 60% --set=exact.windows=off --set=exact.coarse=off "
     "--json"},
    {300, 48, 4,
     "solve --graph g.json --ram-budget 60% --set=exact.coarse=off --set=exact.serial_work=0 "
     "--json --threads 2"},
    {1000, 64, 5, "export --graph g.json --ram-budget 60% --out m.mps"},
    {1000, 64, 5, "export --graph g.json --ram-budget 60% --formulation published --out m.mps"},
};
enum { MEMORY_RUNS = sizeof memory_runs / sizeof memory_runs[0] };

/* A limit is asked before a model is built, and counts everything. */
LOOP_TEST(memory_limit_is_kept, is_sanitized ? 0 : MEMORY_RUNS)
{
    write_chain("g.json", memory_runs[_i].nodes);
    cli_exits(memory_runs[_i].status, "poetbnb %s --memory-limit %dM", memory_runs[_i].command,
              memory_runs[_i].limit_mb);
    ck_assert_double_le(held(), memory_runs[_i].limit_mb * 1048576.0);
    ck_assert_ptr_null(cli_test_read("m.mps"));
}

/* ---- time ----------------------------------------------------------------------- */

static const char *const time_runs[] = {
    "solve --graph g.json --ram-budget 50%",
    "sweep --graph g.json --ram-budget 50%",
    "compare --graph g.json --ram-budget 50% --methods checkmate_lp",
    "export --graph g.json --ram-budget 50% --out m.mps",
    "export --graph g.json --ram-budget 50% --formulation published --out m.lp",
};
enum { TIME_RUNS = sizeof time_runs / sizeof time_runs[0] };

/* No step is so long that it would not end within a second of the limit. */
LOOP_TEST(time_limit_is_kept, is_sanitized ? 0 : TIME_RUNS)
{
    enum { NODES = 4000 };
    static const double limit = 0.3;
    write_chain("g.json", NODES);
    const double before = processor_seconds();
    cli_run run = cli_test_run("poetbnb %s --time-limit-s %g", time_runs[_i], limit);
    ck_assert_double_le(processor_seconds() - before, 1.1 * limit + CLI_TEST_SLACK / 4.0);
    ck_assert_msg(run.status == 0 || run.status == 4 || run.status == 5, "%d: %s", run.status,
                  run.err);
    ck_assert_ptr_null(cli_test_read("m.mps"));
}

/* ---- signals and waiting ------------------------------------------------------------ */

static const char *const readers[] = {
    "solve --ram-budget 50% --graph f",
    "solve --ram-budget 50% --graph -",
    "sweep --ram-budget 50% --graph f",
    "compare --ram-budget 50% --graph f",
    "export --ram-budget 50% --out m.mps --graph f",
    "lp f",
    "lp -",
    "mip f",
};
enum { READERS = sizeof readers / sizeof readers[0] };

/* Nobody ever writes what is to be read. */
LOOP_TEST(first_signal_ends_the_waiting, READERS)
{
    static const char *const signals[] = {"INT", "TERM", "HUP"};
    /* 124 is timeout's, which sends one signal to the program alone: the leak sanitizer hangs if
     * its own process gets one, too; 137: that signal ended nothing */
    cli_exits(124, "mkfifo f g; timeout --foreground -k 9 -s %s 0.3 \"$POETBNB\" %s 0<>g",
              signals[_i % 3], readers[_i]);
    ck_assert_ptr_null(cli_test_read("m.mps"));
}

/* Whichever signal asks for the end, what was found so far is written. */
LOOP_TEST(signals_keep_the_schedule, 3)
{
    static const char *const signals[] = {"INT", "TERM", "HUP"};
    cli_exits(
        4,
        "timeout --foreground --preserve-status -k 30 -s %s %d \"$POETBNB\" solve --model bert "
        "--platform m4 --ram-budget 20%% --threads 1 --quiet --out s.json",
        signals[_i], CLI_TEST_SLACK / 4);
    cli_exits(0, "poetbnb check --quiet s.json");
}

/* nohup(1) has it ignored, and then it stays so. */
TEST(ignored_hangups_stay_ignored)
{
    cli_exits(0, "trap '' HUP; \"$POETBNB\" solve --model vgg16_cifar --platform a72 "
                 "--ram-budget 50%% --quiet & sleep 0.1; kill -HUP $!; wait $!");
}

LOOP_TEST(time_limit_ends_the_waiting, READERS)
{
    cli_run run = cli_exits(
        5, "mkfifo f g; timeout -s KILL 10 \"$POETBNB\" %s --time-limit-s 0.3 0<>g", readers[_i]);
    cli_test_contains(run.err, "limit");
}

/* What is slow in coming is read to its end. */
TEST(slow_writers_are_waited_for)
{
    write_chain("g.json", 30);
    cli_exits(0, "mkfifo f; (sleep 0.2; head -c 999 g.json; sleep 0.2; "
                 "tail -c +1000 g.json) > f & "
                 "poetbnb solve --graph f --ram-budget 70%% --quiet");
    cli_exits(0, "(sleep 0.2; cat g.json) | poetbnb solve --graph - --ram-budget 70%% "
                 "--quiet");
}

/* ---- what is said ---------------------------------------------------------------------- */

LONG_TEST(bound_without_schedule_is_printed)
{
    cli_run run = cli_exits(5, "poetbnb solve --model resnet18_cifar --platform a72 --ram-budget "
                               "14%% --no-heuristics --warm-start none --node-limit 0 --quiet");
    cli_test_contains(run.out, "before a schedule was found", "Proven: none has less than 0.01");
}

TEST(work_limit_is_said)
{
    cli_run run = cli_exits(4, "poetbnb solve --model resnet18_cifar --platform m4 --ram-budget "
                               "30%% --work-limit 0.02 --threads 1 --json");
    cli_test_contains(run.out, "\"stopped_by\": \"work limit\"",
                      "\"options\": \"work-limit=0.02\"");
}
