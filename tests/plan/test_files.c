/* Both forms of a plan file: what is written is read again; what is damaged is refused. */
#include <stdlib.h>
#include <string.h>

#include "tests/plan/support.h"
#include "tests/problem/networks.h"
#include "tests/problem/owned.h"
#include "tests/suite.h"

SUITE("files", .seconds = 120);

static void expect_same(const plan *x, const plan *y)
{
    ck_assert_int_eq(x->n, y->n);
    ck_assert_int_eq(x->budget_bytes, y->budget_bytes);
    ck_assert_int_eq(x->arena_bytes, y->arena_bytes);
    ck_assert_int_eq(x->peak_bytes, y->peak_bytes);
    ck_assert_int_eq(x->register_count, y->register_count);
    ck_assert_int_eq(x->step_count, y->step_count);
    ck_assert_int_eq(x->buffer_count, y->buffer_count);
    for (int k = 0; k < x->step_count; k++) {
        ck_assert_int_eq(x->step[k].op, y->step[k].op);
        ck_assert_int_eq(x->step[k].buffer, y->step[k].buffer);
        ck_assert_int_eq(x->step[k].workspace, y->step[k].workspace);
    }
    for (int b = 0; b < x->buffer_count; b++) {
        ck_assert_int_eq(x->buffer[b].node, y->buffer[b].node);
        ck_assert_int_eq(x->buffer[b].reg, y->buffer[b].reg);
        ck_assert_int_eq(x->buffer[b].offset, y->buffer[b].offset);
    }
}

TEST(binary_round_trip)
{
    int working = 0;
    for (int seed = 1; seed <= 200; seed++) {
        base_error error;
        OWNED(sample) s = sample_make((uint64_t)seed, 24);
        OWNED(plan) *x = plan_of(&s.problem, s.schedule, true);
        size_t size;
        plan_file file;
        OWNED(uint8_t) *data = plan_write_binary(s.problem.graph, x, &size, NULL);
        ck_assert_msg(plan_read_binary(data, size, "x", s.problem.graph, &file, &error) == 0,
                      "seed %d: %s", seed, error.text);
        expect_same(x, file.plan);
        plan_file_clear(&file);
        ck_assert_int_eq(plan_read_binary(data, size, "x", NULL, &file, &error), -1);
        working += data[3] == '2';
    }
    ck_assert_int_gt(working, 20);
}

/* With a right check sum, every byte changed in turn: refused, or read as some other plan
 * that execution judges; nothing may crash. */
TEST(damaged_binary_refused)
{
    base_error error;
    OWNED(graph) *g = chain_of_six();
    OWNED(schedule) *s = paged_schedule();
    problem p = problem_make(g, 40);
    OWNED(plan) *x = plan_of(&p, s, true);
    size_t size;
    plan_file file;
    OWNED(uint8_t) *data = plan_write_binary(g, x, &size, NULL);
    for (size_t k = 0; k < size; k++)
        for (int bit = 0; bit < 8; bit++) {
            data[k] ^= (uint8_t)(1 << bit);
            ck_assert_int_eq(plan_read_binary(data, size, "x", g, &file, &error), -1);
            data[k] ^= (uint8_t)(1 << bit);
        }
    for (size_t k = 0; k < size; k++)
        ck_assert_int_eq(plan_read_binary(data, k, "x", g, &file, &error), -1);
}

/* The JSON form as a text; base_free it. */
static char *json_text(const graph *g, const plan *x)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(out);
    plan_print_json(g, x, out);
    fclose(out);
    char *copy = base_strdup(text);
    free(text);
    return copy;
}

TEST(json_round_trip)
{
    for (int seed = 1; seed <= 60; seed++) {
        base_error error;
        OWNED(sample) s = sample_make((uint64_t)seed, 24);
        OWNED(plan) *x = plan_of(&s.problem, s.schedule, true);
        plan_file file;
        OWNED(char) *text = json_text(s.problem.graph, x);
        const size_t size = strlen(text);
        ck_assert(plan_file_detect(text, size));
        ck_assert_msg(plan_file_parse(text, size, "x", NULL, &file, &error) == 0, "%s", error.text);
        expect_same(x, file.plan);
        plan_file_clear(&file);
    }
}

/* One word of a JSON plan changed. */
static void expect_refused(const char *from, const char *to, const char *part)
{
    base_error error;
    OWNED(graph) *g = chain_of_six();
    OWNED(schedule) *s = paged_schedule();
    g->workspace[0] = 7;
    problem p = problem_make(g, 30);
    OWNED(plan) *x = plan_of(&p, s, true);
    plan_file file;
    char *text = json_text(g, x), changed[20000];
    char *at = strstr(text, from);
    ck_assert_msg(at != NULL, "no '%s'", from);
    int size = snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, to,
                        at + strlen(from));
    ck_assert_int_lt(size, (int)sizeof changed);
    ck_assert_int_eq(plan_file_parse(changed, (size_t)size, "x", NULL, &file, &error), -1);
    ck_assert_msg(strstr(error.text, part) != NULL, "'%s' without '%s'", error.text, part);
    base_free(text);
}

TEST(wrong_json_refused)
{
    expect_refused("\"peak_bytes\": 30", "\"peak_bytes\": 20", "peak_bytes");
    expect_refused("\"arena_bytes\": 30", "\"arena_bytes\": 31", "arena_bytes");
    expect_refused("\"op\": \"free\"", "\"op\": \"melt\"", "\"melt\" is no operation");
    expect_refused("\"register\": 1", "\"register\": 7", "register");
    expect_refused("\"steps\"", "\"steeps\"", "unknown key \"steeps\"");
    expect_refused(", \"workspace_offset\": 10", "", "steps[0]: node 0 works in memory");
    expect_refused("\"workspace_offset\": 10", "\"workspace_offset\": -1",
                   "steps[0].workspace_off");
    expect_refused("\"workspace_offset\": 10", "\"workspace_offset\": 24", "arena_bytes");
    expect_refused("\"op\": \"free\", ", "\"op\": \"free\", \"workspace_offset\": 0, ",
                   "but no computation with a workspace");
}

/* The sizes that the device gets, for checkpoint-all of the paper's networks. */
TEST(binary_is_small)
{
    static const char *const model[] = {"vgg16_cifar", "resnet18_cifar"};
    static const size_t most[] = {1000, 2000};
    for (int k = 0; k < 2; k++) {
        base_error error;
        OWNED(graph) *g = network_graph(model[k], "a72");
        problem p = problem_make(g, graph_checkpoint_all_peak(g));
        OWNED(schedule) *s = schedule_checkpoint_all(g);
        OWNED(plan) *x = plan_of(&p, s, true);
        ck_assert_int_eq(x->arena_bytes, p.ram_budget_bytes);
        size_t size;
        plan_file file;
        OWNED(uint8_t) *data = plan_write_binary(g, x, &size, NULL);
        ck_assert_uint_lt(size, most[k]);
        /* built in: the reader makes the graph itself */
        ck_assert_int_eq(plan_read_binary(data, size, "x", NULL, &file, &error), 0);
        ck_assert_int_eq(plan_execute(file.graph, file.plan, NULL, &error), 0);
        plan_file_clear(&file);
    }
}
