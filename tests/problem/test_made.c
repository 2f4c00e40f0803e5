/* Random layered and scattered graphs, which tests and benchmarks draw: their shape, and that they
 * are the same everywhere. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/oracle/scattered.h"
#include "tests/problem/owned.h"
#include "tests/suite.h"

SUITE("made graphs", .seconds = 60);

static graph *layered(int nodes, uint64_t seed, int width)
{
    base_error error;
    layered_options options = layered_options_default();
    options.nodes = nodes;
    options.seed = seed;
    options.width = width;
    graph *g = layered_make(&options, &error);
    ck_assert_msg(g != NULL, "%s", error.text);
    return g;
}

static bool same(const graph *a, const graph *b)
{
    const size_t n = (size_t)a->n;
    return a->n == b->n && a->edge_count == b->edge_count &&
           !memcmp(a->input, b->input, (size_t)a->edge_count * sizeof *a->input) &&
           !memcmp(a->bytes, b->bytes, n * sizeof *a->bytes) &&
           !memcmp(a->joules, b->joules, n * sizeof *a->joules);
}

/* Every forward node but the loss feeds a forward node, every gradient has inputs, and a gradient
 * that is there feeds the gradients of its node's inputs. */
static void check_shape(const graph *g)
{
    const int forward = (g->n + 1) / 2;
    for (int i = 0; i < g->n; i++) {
        const int inputs = g->input_start[i + 1] - g->input_start[i];
        ck_assert_int_eq(g->backward[i], i >= forward);
        ck_assert_int_gt(g->bytes[i], 0);
        ck_assert(i == 0 ? inputs == 0 : inputs > 0);
        if (i < forward - 1)
            ck_assert_int_lt(g->user[g->user_start[i]], forward);
        for (int e = g->input_start[i]; i < forward && e < g->input_start[i + 1]; e++) {
            const int from = 2 * forward - 1 - i, to = 2 * forward - 1 - g->input[e];
            bool found = from >= g->n || to >= g->n;
            for (int k = g->input_start[to < g->n ? to : 0];
                 to < g->n && k < g->input_start[to + 1]; k++)
                found = found || g->input[k] == from;
            ck_assert_msg(found, "gradient %d does not read gradient %d", to, from);
        }
    }
}

TEST(layered_graphs_have_their_shape)
{
    for (int nodes = 4; nodes <= 60; nodes++)
        for (uint64_t seed = 1; seed <= 5; seed++) {
            OWNED(graph) *g = layered(nodes, seed, 1 + (int)(seed % 4));
            ck_assert_int_eq(g->n, nodes);
            check_shape(g);
        }
    OWNED(graph) *g = layered(250, 1, 3);
    ck_assert_int_gt(g->edge_count, 2 * g->n); /* several edges a node */
}

/* tests/data/made_graphs.txt has the checksums of graphs that two programs make: this one and
 * benchmarks/paper/graphs.py, whose tests read the same file. */
TEST(checksums_are_those_of_the_file)
{
    FILE *file = fopen("tests/data/made_graphs.txt", "r");
    char kind[16], platform_name[16], sum[32];
    int read = 0, nodes, width, degree;
    unsigned long long seed;
    ck_assert_ptr_nonnull(file);
    while (fscanf(file, "%15[a-z]-n%d-w%d-d%d-s%llu %15s fnv:%31s\n", kind, &nodes, &width, &degree,
                  &seed, platform_name, sum) == 7) {
        base_error error;
        layered_options options = {nodes, width, degree, seed, platform_find(platform_name)};
        graph *g =
            kind[0] == 'l' ? layered_make(&options, &error) : scattered_make(&options, &error);
        char made[32];
        snprintf(made, sizeof made, "%016" PRIx64, graph_checksum(g));
        ck_assert_msg(strcmp(made, sum) == 0, "%s of %d nodes: %s", kind, nodes, made);
        graph_free(g);
        read++;
    }
    ck_assert_int_eq(read, 8);
    ck_assert(feof(file));
    fclose(file);
}

TEST(layered_graphs_follow_the_seed)
{
    graph *a = layered(50, 1, 3), *again = layered(50, 1, 3), *other = layered(50, 2, 3);
    ck_assert(same(a, again));
    ck_assert(!same(a, other));
    graph_free(a);
    graph_free(again);
    graph_free(other);
    for (uint64_t seed = 1; seed <= 4; seed++) { /* a large graph, too */
        a = layered(5000, seed, 3);
        other = layered(5000, seed + 1, 3);
        ck_assert(!same(a, other));
        graph_free(a);
        graph_free(other);
    }
}

/* Every node has inputs and, but for the last layer, readers; the order is no order of layers. */
TEST(scattered_graphs_have_their_shape)
{
    base_error error;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        layered_options options = layered_options_default();
        options.nodes = 4 + 20 * (int)seed;
        options.width = 9;
        options.seed = seed;
        OWNED(graph) *g = scattered_make(&options, &error),
                     *again = scattered_make(&options, &error);
        ck_assert_msg(g != NULL, "%s", error.text);
        ck_assert_int_eq(g->n, options.nodes);
        ck_assert(same(g, again));
        int unread = 0, back = 0, depth[404] = {0};
        for (int i = 0; i < g->n; i++) {
            ck_assert_int_gt(g->bytes[i], 0);
            ck_assert(i == 0 || g->input_start[i + 1] > g->input_start[i]);
            unread += g->user_start[i + 1] == g->user_start[i];
            for (int k = g->input_start[i]; k < g->input_start[i + 1]; k++)
                if (depth[g->input[k]] >= depth[i])
                    depth[i] = depth[g->input[k]] + 1;
            back += i > 0 && depth[i] < depth[i - 1];
        }
        ck_assert_int_le(unread, options.width);
        ck_assert(g->n < 100 || back > g->n / 20);
    }
}

TEST(layered_options_are_checked)
{
    base_error error;
    layered_options options = layered_options_default();
    options.nodes = 3;
    ck_assert_ptr_null(layered_make(&options, &error));
    options.nodes = 50;
    options.width = 0;
    ck_assert_ptr_null(layered_make(&options, &error));
    ck_assert_ptr_null(scattered_make(&options, &error));
}
