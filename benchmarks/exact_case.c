/* The instances of bench-exact: a table of families, each a product of networks, platforms,
 * budgets and deadlines, and their names. */
#include "benchmarks/exact_case.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/layered.h"
#include "problem/json.h"
#include "problem/network.h"

/* Every combination of the lists is a case. Lists end with NULL and 0. */
typedef struct family {
    const char *group, *networks[4], *platforms[6];
    int percents[10];
    const char *runtimes[4]; /* empty: none */
    bool autodiff;
    double asked;
} family;

/* The asked times are what this project wants of itself on one processor of today. */
static const family grid[] = {
    {.group = "vgg16",
     .networks = {"vgg16_cifar"},
     .platforms = {"m0", "m4", "a72", "a72nocache", "jetsontx2"},
     .percents = {90, 80, 70, 60, 50, 45},
     .asked = 1},
    {.group = "resnet18",
     .networks = {"resnet18_cifar"},
     .platforms = {"a72", "m0"},
     .percents = {90, 80, 70, 60, 50, 40, 30, 20},
     .asked = 3},
    {.group = "bert",
     .networks = {"bert"},
     .platforms = {"a72", "m0"},
     .percents = {90, 80, 70, 60, 50, 40, 30, 20},
     .asked = 5},
    {.group = "more",
     .networks = {"resnet18_cifar"},
     .platforms = {"jetsontx2"},
     .percents = {90, 80, 70, 60, 50, 40, 30},
     .asked = 5},
    {.group = "more",
     .networks = {"resnet18_cifar"},
     .platforms = {"m4"},
     .percents = {90, 80, 70, 60, 50, 40},
     .asked = 5},
    {.group = "more",
     .networks = {"bert"},
     .platforms = {"jetsontx2", "m4"},
     .percents = {90, 80, 70},
     .asked = 10},
    {.group = "resnet50",
     .networks = {"resnet50"},
     .platforms = {"a72"},
     .percents = {90, 60, 30},
     .asked = 20},
    {.group = "deadline",
     .networks = {"vgg16_cifar"},
     .platforms = {"a72", "m4"},
     .percents = {60},
     .runtimes = {"1.0", "1.0001", "1.001"},
     .asked = 60},
    {.group = "deadline",
     .networks = {"resnet18_cifar"},
     .platforms = {"a72", "m4"},
     .percents = {50},
     .runtimes = {"1.0", "1.0001", "1.001"},
     .asked = 60},
    {.group = "imagenet",
     .networks = {"vgg16", "resnet18"},
     .platforms = {"a72"},
     .percents = {90, 80, 70, 60, 50},
     .asked = 60},
    {.group = "autodiff",
     .networks = {"vgg16_cifar", "resnet18_cifar", "bert"},
     .platforms = {"a72"},
     .percents = {90, 80, 70, 60, 50},
     .autodiff = true,
     .asked = 60},
    {.group = "autodiff",
     .networks = {"vgg16_cifar"},
     .platforms = {"m4"},
     .percents = {90, 80, 70, 66, 60},
     .autodiff = true,
     .asked = 60},
    {.group = "tight",
     .networks = {"resnet18_cifar"},
     .platforms = {"a72"},
     .percents = {14},
     .asked = 60},
    {.group = "tight", .networks = {"bert"}, .platforms = {"a72"}, .percents = {10}, .asked = 60},
    {.group = "open",
     .networks = {"resnet18_cifar"},
     .platforms = {"m4"},
     .percents = {30, 20, 14},
     .asked = 600},
    {.group = "open",
     .networks = {"bert"},
     .platforms = {"m4"},
     .percents = {50, 40, 30, 20, 10},
     .asked = 600},
};

static const family pairs[] = {
    {.group = "pairs",
     .networks = {"linear"},
     .platforms = {"a72", "m4"},
     .percents = {70, 50},
     .asked = 1},
    {.group = "pairs",
     .networks = {"transformer"},
     .platforms = {"a72", "m4"},
     .percents = {90},
     .asked = 1},
    {.group = "pairs",
     .networks = {"vgg16_cifar"},
     .platforms = {"a72", "m4"},
     .percents = {90, 70, 50},
     .asked = 1},
    {.group = "pairs",
     .networks = {"resnet18_cifar"},
     .platforms = {"a72"},
     .percents = {90, 50},
     .asked = 3},
    {.group = "pairs", .networks = {"bert"}, .platforms = {"a72"}, .percents = {90}, .asked = 5},
};

static void add(exact_cases *list, const exact_case *c)
{
    if (list->count == list->capacity) {
        list->capacity = 2 * list->capacity + 64;
        list->item = base_realloc(list->item, (size_t)list->capacity, sizeof *list->item);
    }
    exact_case *added = &list->item[list->count++];
    *added = *c;
    size_t used;
    if (c->network)
        used = (size_t)snprintf(added->name, sizeof added->name, "%s-%s-%d", c->network,
                                c->platform, c->percent);
    else
        used = (size_t)snprintf(added->name, sizeof added->name, "layered%d.%d-%s-%d", c->nodes,
                                c->seed, c->platform, c->percent);
    snprintf(added->name + used, sizeof added->name - used, "%s%s%s%s",
             strcmp(c->runtime, "none") != 0 ? "-t" : "",
             strcmp(c->runtime, "none") != 0 ? c->runtime : "", c->autodiff ? "-autodiff" : "",
             c->no_paging ? "-remat" : "");
}

static void add_family(exact_cases *list, const family *f)
{
    exact_case c = {.group = f->group, .autodiff = f->autodiff, .asked = f->asked};
    for (int n = 0; f->networks[n]; n++)
        for (int p = 0; f->platforms[p]; p++)
            for (int b = 0; f->percents[b]; b++)
                for (int r = 0; r == 0 || f->runtimes[r]; r++) {
                    c.network = f->networks[n];
                    c.platform = f->platforms[p];
                    c.percent = f->percents[b];
                    c.runtime = f->runtimes[r] ? f->runtimes[r] : "none";
                    add(list, &c);
                }
}

exact_cases exact_cases_grid(void)
{
    static const int sizes[] = {50, 100, 150, 250};
    exact_cases list = {0};
    for (size_t k = 0; k < sizeof grid / sizeof *grid; k++)
        add_family(&list, &grid[k]);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int seed = 1; seed <= 2; seed++)
            for (int remat = 0; remat < 2; remat++)
                add(&list, &(exact_case){.group = "layered",
                                         .platform = "a72nocache",
                                         .nodes = sizes[k],
                                         .seed = seed,
                                         .percent = 40,
                                         .runtime = "none",
                                         .no_paging = remat,
                                         .asked = 60});
    return list;
}

exact_cases exact_cases_pairs(void)
{
    exact_cases list = {0};
    for (int nodes = 9; nodes <= 12; nodes++)
        for (int seed = 1; seed <= 6; seed++)
            add(&list, &(exact_case){.group = "small",
                                     .platform = "a72nocache",
                                     .nodes = nodes,
                                     .seed = seed,
                                     .percent = 5,
                                     .runtime = "none",
                                     .no_paging = seed % 3 == 0,
                                     .asked = 1});
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        add_family(&list, &pairs[k]);
    return list;
}

void exact_cases_clear(exact_cases *cases)
{
    base_free(cases->item);
    *cases = (exact_cases){0};
}

static graph *make_graph(const exact_case *c)
{
    base_error ignored; /* the names and sizes are ours */
    if (c->network) {
        network_options options = network_options_default();
        network_parse_backward(c->autodiff ? "autodiff" : "published", &options.backward, &ignored);
        return network_build(c->network, platform_find(c->platform), options, &ignored);
    }
    layered_options options = layered_options_default();
    options.nodes = c->nodes;
    options.seed = (uint64_t)c->seed;
    options.platform = platform_find(c->platform);
    return layered_make(&options, &ignored);
}

problem exact_case_problem(const exact_case *c, graph **g)
{
    *g = make_graph(c);
    const int64_t least = c->network ? 0 : graph_minimum_bytes(*g, NULL);
    problem p =
        problem_make(*g, least + (graph_checkpoint_all_peak(*g) - least) * c->percent / 100);
    if (strcmp(c->runtime, "none") != 0)
        p.deadline_seconds = strtod(c->runtime, NULL) * graph_base_seconds(*g);
    p.allow_paging = !c->no_paging;
    return p;
}

static int write_graph(const graph *g, const char *path, base_error *error)
{
    base_output *out = base_output_open(path, error);
    if (!out)
        return -1;
    graph_print(g, base_output_stream(out));
    fputc('\n', base_output_stream(out));
    return base_output_commit(out, error);
}

int exact_case_command(const exact_case *c, const char *graph_path, bench_command *command,
                       base_error *error)
{
    graph *g;
    problem p = exact_case_problem(c, &g);
    int failed = 0;
    bench_command_word(command, "solve");
    if (c->network) {
        bench_command_format(command, "--model=%s", c->network);
        bench_command_format(command, "--platform=%s", c->platform);
    } else {
        bench_command_format(command, "--graph=%s", graph_path);
        failed = write_graph(g, graph_path, error);
    }
    bench_command_format(command, "--ram-budget=%" PRId64, p.ram_budget_bytes);
    if (strcmp(c->runtime, "none") != 0)
        bench_command_format(command, "--runtime-budget=%s", c->runtime);
    if (c->autodiff)
        bench_command_word(command, "--backward=autodiff");
    if (c->no_paging)
        bench_command_word(command, "--no-paging");
    graph_free(g);
    return failed;
}

bool exact_case_wanted(const exact_case *c, char *const *names)
{
    bool any = !names || !*names;
    for (char *const *n = names; n && *n; n++)
        any = any || strstr(c->name, *n) || strcmp(c->group, *n) == 0;
    return any;
}

bool exact_case_chosen(const exact_case *c, char *const *names, const char *const *standard)
{
    if (names && *names)
        return exact_case_wanted(c, names);
    while (*standard && strcmp(c->name, *standard) != 0)
        standard++;
    return *standard != NULL;
}

int exact_cases_check(const exact_cases *cases, char *const *names, base_error *error)
{
    for (char *const *n = names; n && *n; n++) {
        char *one[] = {*n, NULL};
        bool found = false;
        for (int k = 0; k < cases->count; k++)
            found = found || exact_case_wanted(&cases->item[k], one);
        if (!found)
            return base_fail(error, "expected a group or a part of a case's name, got '%s'", *n);
    }
    return 0;
}
