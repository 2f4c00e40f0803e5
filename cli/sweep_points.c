/* The points of a sweep: graphs from the lists of networks, files and platforms, and for each of
 * them the budgets and deadlines, among them the smallest budget that is enough. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/engine.h"
#include "cli/sweep.h"

/* ---- graphs ---------------------------------------------------------------------- */

/* The next word of a list; the whole of one that names a file; NULL text: once, without a word. */
static bool next_name(const char **at, char *word, size_t size, bool *begun)
{
    const bool first = !*begun;
    *begun = true;
    if (!*at || (first && access(*at, F_OK) == 0)) {
        if (first && *at)
            *at += snprintf(word, size, "%s", *at);
        return first;
    }
    return base_next_word(at, word, size);
}

/* A list that ends in the middle. */
static int check_list(const char *name, const char *list, const char *at)
{
    return at && *at ? cli_fail(-1, "--%s: expected names between commas, got '%s'", name, list)
                     : 0;
}

static int add_platforms(sweep *s, const cli_options *options)
{
    char word[4096];
    cli_options one = *options;
    const char *at = s->options->platform;
    bool begun = false;
    while (next_name(&at, word, sizeof word, &begun)) {
        one.platform = at ? word : NULL;
        graph *g = cli_graph_open(&one);
        if (!g)
            return -1;
        s->graph = base_realloc(s->graph, (size_t)s->graph_count + 1, sizeof(graph *));
        s->graph[s->graph_count++] = g;
    }
    return check_list("platform", s->options->platform, at);
}

int sweep_open(sweep *s)
{
    char word[4096];
    cli_options one = *s->options;
    const bool files = one.graph != NULL;
    const char *list = files ? one.graph : one.model, *at = list;
    bool begun = false;
    while (next_name(&at, word, sizeof word, &begun)) {
        *(files ? &one.graph : &one.model) = at ? word : NULL;
        if (add_platforms(s, &one) != 0)
            return -1;
    }
    return check_list(files ? "graph" : "model", list, at);
}

static bool budget_is_min(const cli_budgets *budgets)
{
    for (int r = 0; r < budgets->ram_count; r++)
        if (budgets->ram[r].least)
            return true;
    return false;
}

/* ---- points ---------------------------------------------------------------------- */

bool sweep_grants(const problem *x, const problem *y)
{
    return x->ram_budget_bytes >= y->ram_budget_bytes && x->deadline_seconds >= y->deadline_seconds;
}

bool sweep_is_looser(const problem *x, const problem *y)
{
    return x->graph == y->graph && sweep_grants(x, y);
}

/* The loosest first: its optimum often fits into the next budget and decides it. */
static int looser(const void *a, const void *b)
{
    const problem *x = &((const sweep_point *)a)->problem, *y = &((const sweep_point *)b)->problem;
    if (x->ram_budget_bytes != y->ram_budget_bytes)
        return x->ram_budget_bytes > y->ram_budget_bytes ? -1 : 1;
    if (x->deadline_seconds != y->deadline_seconds)
        return x->deadline_seconds > y->deadline_seconds ? -1 : 1;
    return 0;
}

/* The budgets at one deadline. */
static int add_budgets(sweep *s, const graph *g, int factor)
{
    const cli_budgets *budgets = &s->budgets;
    exact_least least = {.bytes = -1};
    for (int r = 0; r < budgets->ram_count; r++) {
        const cli_ram *ram = &budgets->ram[r];
        sweep_point point = {.least = ram->least};
        if (cli_problem_make(s->options, g, budgets, r, factor, &point.problem) != 0)
            return -1;
        if (r == 0 && budget_is_min(budgets)) {
            const base_limits limits = cli_limits(s->options);
            least = cli_exact_least(s->options, &limits, s->features, &point.problem);
        }
        if (ram->above_least && point.problem.ram_budget_bytes <= least.bytes)
            continue;
        point.found = least;
        if (ram->least && least.bytes >= 0)
            point.problem.ram_budget_bytes = least.bytes;
        s->point[s->count++] = point;
    }
    return 0;
}

int sweep_make_points(sweep *s)
{
    const size_t most =
        (size_t)s->graph_count * (size_t)s->budgets.ram_count * (size_t)s->budgets.factor_count;
    s->point = base_calloc(most + 1, sizeof *s->point);
    for (int k = 0; k < s->graph_count; k++) {
        const int first = s->count;
        for (int f = 0; f < s->budgets.factor_count; f++)
            if (add_budgets(s, s->graph[k], f) != 0)
                return -1;
        qsort(s->point + first, (size_t)(s->count - first), sizeof *s->point, looser);
    }
    return 0;
}
