/* Schedule files. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "problem/json.h"
#include "tests/oracle/random_instance.h"
#include "tests/problem/owned.h"
#include "tests/problem/stated.h"
#include "tests/problem/support.h"
#include "tests/suite.h"

SUITE("schedule files");

static schedule_file *read_text(const char *text, base_error *error)
{
    char path[64];
    write_file(path, text);
    schedule_file *file = schedule_file_parse(NULL, 0, path, NULL, error);
    if (!file)
        ck_assert_contains(error->text, path);
    unlink(path);
    return file;
}

static schedule_file *round_trip(const schedule_file *file)
{
    char path[64];
    base_error error = {""};
    write_file(path, "");
    FILE *out = fopen(path, "w");
    ck_assert_ptr_nonnull(out);
    schedule_file_print(file, out);
    ck_assert_int_eq(fclose(out), 0);
    schedule_file *back = schedule_file_parse(NULL, 0, path, NULL, &error);
    ck_assert_msg(back != NULL, "%s", error.text);
    unlink(path);
    return back;
}

static void expect_same(const schedule_file *a, const schedule_file *b)
{
    const size_t cells = (size_t)a->graph->n * (size_t)a->graph->n;
    ck_assert_int_eq(a->graph->n, b->graph->n);
    ck_assert_mem_eq(a->graph->joules, b->graph->joules,
                     (size_t)a->graph->n * sizeof *a->graph->joules);
    ck_assert_mem_eq(a->graph->pagein_joules, b->graph->pagein_joules,
                     (size_t)a->graph->n * sizeof *a->graph->joules);
    ck_assert_mem_eq(a->schedule->R, b->schedule->R, cells);
    ck_assert_mem_eq(a->schedule->S, b->schedule->S, cells);
    ck_assert_mem_eq(a->schedule->A, b->schedule->A, cells);
    ck_assert_mem_eq(a->schedule->In, b->schedule->In, cells);
    ck_assert_mem_eq(a->schedule->Out, b->schedule->Out, cells);
    const problem *p = &a->problem, *q = &b->problem;
    ck_assert_ptr_eq(q->graph, b->graph);
    ck_assert_int_eq(p->ram_budget_bytes, q->ram_budget_bytes);
    ck_assert(p->deadline_seconds == q->deadline_seconds);
    ck_assert(p->allow_paging == q->allow_paging && p->allow_remat == q->allow_remat);
    ck_assert_int_eq(p->max_computations, q->max_computations);
    ck_assert(p->charge_pagein_transfer == q->charge_pagein_transfer);
    ck_assert(p->deadline_includes_paging == q->deadline_includes_paging);
}

TEST(round_trips)
{
    for (uint64_t seed = 0; seed < 300; seed++) {
        OWNED(random_instance) instance = random_instance_make(seed, 10);
        base_rng rng = {seed};
        schedule_file file = {
            .graph = instance.graph,
            .problem = instance.problem,
            .schedule = random_schedule(instance.graph, &rng),
            .method = "dtr",
            .status = "limit \"reached\"",
            .energy_joules = base_rng_double(&rng) * 1e3,
            .overhead_joules = base_rng_double(&rng) * 1e-7,
            .lower_bound_overhead_joules = base_rng_double(&rng),
            .compute_seconds = base_rng_double(&rng),
            .peak_bytes = (int64_t)(base_rng_next(&rng) >> 1),
        };
        schedule_file *back = round_trip(&file);
        expect_same(&file, back);
        ck_assert_str_eq(back->method, file.method);
        ck_assert_str_eq(back->status, file.status);
        ck_assert(back->energy_joules == file.energy_joules);
        ck_assert(back->overhead_joules == file.overhead_joules);
        ck_assert(back->lower_bound_overhead_joules == file.lower_bound_overhead_joules);
        ck_assert(back->compute_seconds == file.compute_seconds);
        ck_assert_int_eq(back->peak_bytes, file.peak_bytes);
        schedule_file_free(back);
        schedule_free(file.schedule);
    }
    schedule_file_free(NULL);
}

/* A built-in graph is written as its name, and comes back the same. */
TEST(builtin_graph)
{
    network_options options = {.batch_size = 3, .mem_power_scale = 0.75};
    options.backward = LAYER_BACKWARD_AUTODIFF;
    OWNED(graph) *g = network_build("transformer", platform_find("m4"), options, NULL);
    schedule_file file = {
        .graph = g,
        .problem = problem_make(g, 12345),
        .schedule = schedule_checkpoint_all(g),
        .energy_joules = NAN,
        .overhead_joules = NAN,
        .lower_bound_overhead_joules = NAN,
        .compute_seconds = NAN,
        .peak_bytes = -1,
    };
    char *text = schedule_file_text(&file);
    ck_assert_contains(text, "\"builtin\": {\"model\": \"transformer\", \"platform\": \"m4\", "
                             "\"batch_size\": 3, \"backward\": \"autodiff\", "
                             "\"mem_power_scale\": 0.75}");
    ck_assert_contains(text, "\"deadline_seconds\": null");
    ck_assert_contains(text, "\"lower_bound_overhead_joules\": null");
    ck_assert_ptr_null(strstr(text, "peak_bytes"));
    ck_assert_ptr_null(strstr(text, "allow_"));
    free(text);
    schedule_file *back = round_trip(&file);
    expect_same(&file, back);
    ck_assert_str_eq(back->graph->model, "transformer");
    ck_assert_int_eq(back->graph->batch_size, 3);
    ck_assert_ptr_null(back->method);
    ck_assert_ptr_null(back->status);
    ck_assert(isnan(back->energy_joules) && isnan(back->lower_bound_overhead_joules));
    ck_assert(isnan(back->overhead_joules) && isnan(back->compute_seconds));
    ck_assert_int_eq(back->peak_bytes, -1);
    schedule_file_free(back);
    schedule_free(file.schedule);
}

/* Consecutive stages of a node are one entry: a file grows with what happens, not with the cells.
 */
TEST(runs)
{
    OWNED(graph) *g = network_build("linear", platform_find("m0"), network_options_default(), NULL);
    schedule_file file = {
        .graph = g, .problem = problem_make(g, 1), .schedule = schedule_create(g->n)};
    OWNED(schedule) *s = file.schedule;
    s->S[schedule_cell(s, 2, 1)] = s->S[schedule_cell(s, 5, 1)] = 1;
    for (int t = 7; t < s->n; t++)
        s->S[schedule_cell(s, t, 1)] = 1;
    s->R[schedule_cell(s, 4, 3)] = 1;
    char *text = schedule_file_text(&file);
    ck_assert_contains(text, "\"S\": [[2,1],[5,1],[7,1,26]]");
    ck_assert_contains(text, "[2,2],[3,3,4],[4,4],");
    free(text);
}

/* A network with a platform from a file is written whole. */
TEST(own_platform)
{
    platform p = *platform_find("m0");
    strcpy(p.name, "mine");
    p.storage_watts *= 3;
    OWNED(graph) *g = network_build("linear", &p, network_options_default(), NULL);
    schedule_file file = {.graph = g,
                          .problem = problem_make(g, 1),
                          .schedule = schedule_checkpoint_all(g),
                          .peak_bytes = -1};
    schedule_file *back = round_trip(&file);
    expect_same(&file, back);
    ck_assert_ptr_null(back->graph->model);
    schedule_file_free(back);
    schedule_free(file.schedule);
}

#define BUILTIN "\"builtin\": {\"model\": \"linear\", \"platform\": \"m0\"}"
#define BUDGET "\"ram_budget_bytes\": 100"
#define REST "\"S\": [], \"A\": [], \"In\": [], \"Out\": []"
#define HEAD "{" BUILTIN ", " BUDGET ", "

TEST(minimal_file)
{
    base_error error = {""};
    schedule_file *f = read_text(HEAD "\"R\": [[1,1],[2,0],[24,3,26],[7,7,7]], " REST "}", &error);
    ck_assert_msg(f != NULL, "%s", error.text);
    /* The diagonal is not filled in: whether it is there is for the validator. */
    int count = 0;
    for (int k = 0; k < 27 * 27; k++)
        count += f->schedule->R[k];
    ck_assert_int_eq(count, 6);
    ck_assert_int_eq(f->schedule->R[2 * 27], 1);
    for (int t = 24; t <= 26; t++)
        ck_assert_int_eq(f->schedule->R[t * 27 + 3], 1);
    ck_assert(isinf(f->problem.deadline_seconds));
    ck_assert_int_eq(f->problem.ram_budget_bytes, 100);
    ck_assert_str_eq(f->graph->backward_style, "published");
    schedule_file_free(f);
}

static const struct {
    const char *text, *message;
} bad_schedules[] = {
    {HEAD "\"R\": [], " REST, "line 1, column"},
    {"{" BUDGET ", \"R\": [], " REST "}", "one of the keys \"graph\" and \"builtin\" is expected"},
    {HEAD "\"graph\": {}, \"R\": [], " REST "}", "not both"},
    {"{" BUILTIN ", \"R\": [], " REST "}", "key \"ram_budget_bytes\" is missing"},
    {HEAD "\"S\": [], \"A\": [], \"In\": [], \"Out\": []}", "key \"R\" is missing"},
    {HEAD "\"R\": [], \"S\": [], \"A\": [], \"In\": []}", "key \"Out\" is missing"},
    {HEAD "\"R\": [], \"Q\": [], " REST "}", "unknown key \"Q\""},
    {"{\"name\": \"mine\", \"nodes\": []}", "unknown key \"name\": the file seems to be a graph"},
    {HEAD "\"R\": [], \"R\": [], " REST "}", "duplicate object key"},
    {HEAD "\"R\": {}, " REST "}", "R: an array [...] is expected, not an object"},
    {HEAD "\"R\": [3], " REST "}", "R[0]: an array [...] is expected, not an integer"},
    {HEAD "\"R\": [[0,0],[1]], " REST "}", "R[1]: 1 elements; 2 to 3 are expected"},
    {HEAD "\"R\": [[0,0,0,0]], " REST "}", "R[0]: 4 elements"},
    {HEAD "\"R\": [[2,1,1]], " REST "}", "R[0][2]: 1 is out of range; 2 to 26 is expected"},
    {HEAD "\"R\": [[2,1,27]], " REST "}", "R[0][2]: 27 is out of range"},
    {HEAD "\"R\": [[3,1,5],[2,1,3]], " REST "}", "R[1]: [3, 1] appears twice"},
    {HEAD "\"R\": [[27,0]], " REST "}", "R[0][0]: 27 is out of range; 0 to 26 is expected"},
    {HEAD "\"R\": [[0,-1]], " REST "}", "R[0][1]: -1 is out of range"},
    {HEAD "\"R\": [[1.0,1]], " REST "}", "R[0][0]: an integer is expected, not a real number"},
    {HEAD "\"R\": [[1,2]], " REST "}", "R[0]: [1, 2]: in R a node number up to the stage"},
    {HEAD "\"R\": [[2,1],[2,1]], " REST "}", "R[1]: [2, 1] appears twice"},
    {HEAD "\"R\": [], \"S\": [[2,2]], \"A\": [], \"In\": [], \"Out\": []}",
     "S[0]: [2, 2]: in S a node number below the stage"},
    {HEAD "\"R\": [], \"S\": [], \"A\": [[2,2]], \"In\": [], \"Out\": []}", "in A a node number"},
    {HEAD "\"R\": [], \"S\": [], \"A\": [], \"In\": [[2,3]], \"Out\": []}", "in In a node number"},
    {HEAD "\"R\": [], \"S\": [], \"A\": [], \"In\": [], \"Out\": [[0,0]]}", "in Out a node number"},
    {"{" BUILTIN ", \"ram_budget_bytes\": -1, \"R\": [], " REST "}", "ram_budget_bytes: -1 is out"},
    {"{" BUILTIN ", \"ram_budget_bytes\": 1.5, \"R\": [], " REST "}",
     "ram_budget_bytes: an integer"},
    {"{" BUILTIN ", \"ram_budget_bytes\": \"50%\", \"R\": [], " REST "}", "not a string"},
    {HEAD "\"deadline_seconds\": -1, \"R\": [], " REST "}", "deadline_seconds: -1"},
    {HEAD "\"deadline_seconds\": \"1\", \"R\": [], " REST "}", "deadline_seconds: a number"},
    {HEAD "\"allow_remat\": 0, \"R\": [], " REST "}", "allow_remat: true or false"},
    {HEAD "\"peak_bytes\": 1e3, \"R\": [], " REST "}", "peak_bytes: an integer"},
    {HEAD "\"energy_joules\": [], \"R\": [], " REST "}", "energy_joules: a number is expected"},
    {HEAD "\"method\": 3, \"R\": [], " REST "}", "method: a string is expected"},
    {"{\"builtin\": {\"model\": \"lenet\", \"platform\": \"m0\"}, " BUDGET ", \"R\": [], " REST "}",
     "builtin: unknown model \"lenet\""},
    {"{\"builtin\": {\"model\": \"linear\", \"platform\": \"m9\"}, " BUDGET ", \"R\": [], " REST
     "}",
     "builtin: \"m9\" is not a built-in platform"},
    {"{\"builtin\": {\"model\": \"linear\"}, " BUDGET ", \"R\": [], " REST "}",
     "builtin: key \"platform\" is missing"},
    {"{\"builtin\": {\"model\": \"linear\", \"platform\": \"m0\", \"batch_size\": 0}, " BUDGET
     ", \"R\": [], " REST "}",
     "builtin.batch_size: 0 is out of range"},
    {"{\"builtin\": {\"model\": \"linear\", \"platform\": \"m0\", \"backward\": \"x\"}, " BUDGET
     ", \"R\": [], " REST "}",
     "builtin: unknown backward style \"x\""},
    {"{\"builtin\": {\"model\": \"linear\", \"platform\": \"m0\", \"mem_power_scale\": 0}, " BUDGET
     ", \"R\": [], " REST "}",
     "builtin: memory power scale 0"},
    {"{\"graph\": {\"nodes\": [7]}, " BUDGET ", \"R\": [], " REST "}",
     "graph.nodes[0]: an object {...} is expected"},
};

LOOP_TEST(bad_schedule, LENGTH(bad_schedules))
{
    base_error error = {""};
    ck_assert_ptr_null(read_text(bad_schedules[_i].text, &error));
    ck_assert_contains(error.text, bad_schedules[_i].message);
}

TEST(unwritable)
{
    OWNED(random_instance) instance = random_instance_make(1, 4);
    base_error error;
    ck_assert_int_eq(random_instance_save(&instance.problem, "/no/such/folder/x", &error), -1);
    ck_assert_contains(error.text, "/no/such/folder/x: cannot be written");
}

/* Claims are handed on as they are, null counts as not stated. */
TEST(claims)
{
    base_error error = {""};
    schedule_file *f =
        read_text(HEAD "\"energy_joules\": -3, \"overhead_joules\": null, \"peak_bytes\": 7, "
                       "\"lower_bound_overhead_joules\": 2, \"compute_seconds\": null, "
                       "\"deadline_seconds\": 1e3, \"allow_paging\": false, \"R\": [], " REST "}",
                  &error);
    ck_assert_msg(f != NULL, "%s", error.text);
    ck_assert(f->energy_joules == -3 && isnan(f->overhead_joules));
    ck_assert(f->lower_bound_overhead_joules == 2 && isnan(f->compute_seconds));
    ck_assert_int_eq(f->peak_bytes, 7);
    ck_assert(f->problem.deadline_seconds == 1000);
    ck_assert(!f->problem.allow_paging && f->problem.allow_remat);
    schedule_file_free(f);
}
