/* The traps, as graphs written down, and random changes of them. */
#include "tests/oracle/mutant.h"

#include <assert.h>
#include <string.h>

#include "tests/oracle/draw.h"

enum { NODES = 14, INPUTS = 4 };

typedef struct trap_node {
    int64_t bytes;
    double joules, paging; /* of each page-in and page-out */
    int input_count, input[INPUTS];
} trap_node;

typedef struct trap {
    int64_t budget;
    int n;
    trap_node node[NODES];
} trap;

static const trap traps[] = {
    /* Free paging; 0 is released early while it is written out in the stage in which 6 would be
     * computed again later. */
    {11,
     12,
     {{6, 10, 0, 0, {0}},
      {10, 100, 0, 0, {0}},
      {0, 0, 0, 0, {0}},
      {0, 0, 0, 1, {0}},
      {0, 0, 0, 1, {1}},
      {8, 0, 0, 0, {0}},
      {1, 0, 0, 1, {0}},
      {1, 0, 0, 1, {1}},
      {0, 0, 0, 0, {0}},
      {0, 0, 0, 2, {5, 6}},
      {0, 0, 0, 0, {0}},
      {0, 0, 0, 1, {0}}}},
    /* The same of 4, and smaller. */
    {11,
     10,
     {{6, 10, 0, 0, {0}},
      {10, 100, 0, 0, {0}},
      {0, 0, 0, 0, {0}},
      {8, 0, 0, 0, {0}},
      {1, 0, 0, 1, {0}},
      {1, 0, 0, 1, {1}},
      {0, 0, 0, 0, {0}},
      {0, 0, 0, 2, {3, 4}},
      {0, 0, 0, 0, {0}},
      {0, 0, 0, 1, {0}}}},
    /* 3 does not fit beside 2 as stage 4 begins: it is computed again there, written out in 5, two
     * stages after its own, and released early. */
    {10,
     11,
     {{7, 0, 0, 0, {0}},
      {3, 0, 100, 1, {0}},
      {5, 100, 0, 0, {0}},
      {4, 10, 0, 0, {0}},
      {0, 0, 0, 1, {1}},
      {10, 0, 0, 0, {0}},
      {10, 0, 0, 0, {0}},
      {0, 0, 0, 1, {3}},
      {10, 0, 0, 0, {0}},
      {0, 0, 0, 1, {3}},
      {0, 0, 0, 1, {2}}}},
    /* 3, of no bytes, is computed again for what it releases. */
    {11,
     7,
     {{5, 0, 0, 0, {0}},
      {6, 8, 0, 0, {0}},
      {2, 0, 0, 1, {0}},
      {0, 0, 0, 2, {0, 1}},
      {8, 0, 0, 0, {0}},
      {0, 0, 0, 0, {0}},
      {0, 0, 0, 1, {1}}}},
    /* 1 is best computed again in stage 3 to be written out in 4. */
    {3,
     7,
     {{1, 100, 100, 0, {0}},
      {1, 1, 1, 1, {0}},
      {2, 1, 0, 0, {0}},
      {1, 1, 0, 0, {0}},
      {1, 1, 0, 1, {0}},
      {3, 1, 0, 0, {0}},
      {1, 1, 0, 1, {1}}}},
    /* 3 is best computed again in stage 5, although its input stays. */
    {5,
     8,
     {{3, 100, 100, 0, {0}},
      {1, 1, 100, 1, {0}},
      {2, 1, 100, 0, {0}},
      {1, 1, 100, 1, {0}},
      {2, 1, 100, 0, {0}},
      {1, 1, 100, 1, {0}},
      {1, 1, 100, 2, {1, 2}},
      {1, 1, 100, 1, {3}}}},
    /* 2 is computed again to release 0 while that is written out. */
    {2,
     6,
     {{1, 10, 1, 0, {0}},
      {2, 1, 0, 0, {0}},
      {0, 0, 0, 1, {0}},
      {2, 1, 0, 0, {0}},
      {2, 1, 0, 0, {0}},
      {1, 1, 0, 1, {0}}}},
    /* A tensor is kept for a page-out that a later page-in needs: free transfers. */
    {7,
     6,
     {{5, 3.5, 0, 0, {0}},
      {4, 0, 0, 0, {0}},
      {0, 0, 0, 1, {0}},
      {3, 0, 0, 0, {0}},
      {0, 0, 0, 0, {0}},
      {0, 0, 0, 1, {0}}}},
};

static void drop_input(trap_node *node, int k)
{
    node->input_count--;
    for (; k < node->input_count; k++)
        node->input[k] = node->input[k + 1];
}

static void add_input(trap *t, int j, int i)
{
    trap_node *node = &t->node[j];
    for (int k = 0; k < node->input_count; k++)
        if (node->input[k] == i)
            return;
    if (node->input_count < INPUTS)
        node->input[node->input_count++] = i;
}

/* A node without inputs before node `at`. */
static void insert_node(trap *t, int at, int64_t bytes)
{
    memmove(&t->node[at + 1], &t->node[at], (size_t)(t->n - at) * sizeof *t->node);
    t->node[at] = (trap_node){.bytes = bytes};
    t->n++;
    for (int j = at + 1; j < t->n; j++)
        for (int k = 0; k < t->node[j].input_count; k++)
            t->node[j].input[k] += t->node[j].input[k] >= at;
}

static void drop_node(trap *t, int at)
{
    t->n--;
    memmove(&t->node[at], &t->node[at + 1], (size_t)(t->n - at) * sizeof *t->node);
    for (int j = at; j < t->n; j++)
        for (int k = t->node[j].input_count - 1; k >= 0; k--) {
            if (t->node[j].input[k] == at)
                drop_input(&t->node[j], k);
            else
                t->node[j].input[k] -= t->node[j].input[k] > at;
        }
}

static void mutate(trap *t, base_rng *rng, int max_nodes)
{
    const int j = draw_below(rng, t->n), what = draw_below(rng, 9);
    trap_node *node = &t->node[j];
    if (what == 0)
        node->bytes = draw_below(rng, 12);
    else if (what == 1)
        node->bytes += node->bytes > 0 ? draw_below(rng, 3) - 1 : draw_below(rng, 2);
    else if (what == 2)
        node->joules = draw_below(rng, 2) ? draw_below(rng, 30) : draw_below(rng, 3);
    else if (what == 3)
        node->paging = draw_below(rng, 4);
    else if (what == 4 && j > 0)
        add_input(t, j, draw_below(rng, j));
    else if (what == 5 && node->input_count > 0)
        drop_input(node, draw_below(rng, node->input_count));
    else if (what == 6 && t->n < max_nodes)
        insert_node(t, j, draw_below(rng, 2) ? 0 : draw_below(rng, 12));
    else if (what == 7 && t->n > 4)
        drop_node(t, j);
    else if (what == 8)
        t->budget += draw_below(rng, 3) - 1;
}

static graph *build(const trap *t, base_rng *rng)
{
    graph_node node[NODES] = {0};
    for (int i = 0; i < t->n; i++)
        node[i] = (graph_node){.inputs = t->node[i].input,
                               .input_count = t->node[i].input_count,
                               .bytes = t->node[i].bytes,
                               .joules = t->node[i].joules,
                               .pagein_joules = t->node[i].paging,
                               .pageout_joules = t->node[i].paging,
                               .seconds = draw_below(rng, 9) / 8.0,
                               .pagein_seconds = draw_below(rng, 5) / 8.0,
                               .pageout_seconds = draw_below(rng, 5) / 8.0};
    graph *g = graph_create("mutant", node, t->n, NULL);
    assert(g);
    return g;
}

graph *mutant_make(base_rng *rng, int max_nodes, int64_t *budget)
{
    enum { TRAPS = sizeof traps / sizeof *traps };
    trap t;
    assert(max_nodes >= 6);
    do
        t = traps[draw_below(rng, TRAPS)];
    while (t.n > max_nodes);
    for (int changes = draw_below(rng, 6); changes > 0; changes--)
        mutate(&t, rng, max_nodes < NODES ? max_nodes : NODES);
    *budget = t.budget;
    return build(&t, rng);
}
