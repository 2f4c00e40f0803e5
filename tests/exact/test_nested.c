/* Each condition under which the cases take a tensor for the outer one of two nested tensors is
 * needed: for each, an instance that fails it alone, in which the inner one is dearer to keep. */
#include <math.h>

#include "exact/cases/case.h"
#include "tests/exact/support.h"
#include "tests/problem/owned.h"
#include "tests/suite.h"

SUITE("oracle");

enum { MOST_NODES = 8 };

typedef struct nested_node {
    int64_t bytes; /* 0: no node */
    double joules, pagein_joules, pageout_joules, seconds, pagein_seconds, pageout_seconds;
    int64_t workspace;
    unsigned pin, inputs; /* inputs: a bit for each */
} nested_node;

/* Found by trying random instances. */
static const struct {
    const char *condition;
    int outer, inner;
    struct {
        int64_t budget;
        bool paging;
        double deadline;
        bool paging_counts;
    } rules;
    nested_node node[MOST_NODES];
} needs[] = {
    {"bytes",
     0,
     2,
     {9, true, 12, false},
     {{1, 1.5, 1.25, 1.25, 0, 0, 0, 0, 0, 0x0},
      {1, 1.25, 1.75, 0, 2, 0, 0, 0, 3, 0x1},
      {3, 1.5, 1.25, 1.25, 0, 0, 0, 0, 0, 0x2},
      {2, 2, 1.5, 1, 2, 0, 0, 3, 1, 0x4},
      {4, 1, 0, 0, 1, 0, 0, 2, 3, 0x8},
      {4, 3, 0.75, 0.5, 2, 0, 0, 0, 3, 0x4},
      {2, 2.25, 0, 1.75, 0, 0, 0, 0, 1, 0x20},
      {4, 1.5, 1.5, 0.5, 1, 0, 0, 2, 1, 0x41}}},
    {"joules",
     0,
     1,
     {6, true, 6, false},
     {{1, 1.75, 0, 1.75, 0, 0, 0, 0, 0, 0x0},
      {1, 0.5, 0, 1.75, 0, 0, 0, 1, 0, 0x0},
      {1, 2, 1, 0.25, 1, 0, 0, 0, 1, 0x2},
      {2, 2, 0.5, 1.75, 0, 0, 0, 3, 3, 0x0},
      {1, 2, 0, 0.75, 2, 0, 0, 0, 1, 0xa},
      {2, 1.25, 0, 1.75, 0, 0, 0, 0, 1, 0x11}}},
    {"joules of pages",
     0,
     2,
     {12, true, 10, true},
     {{2, 3, 1.75, 1.5, 0, 0, 0, 0, 0, 0x0},
      {3, 0.25, 0, 0.25, 2, 0, 0, 0, 1, 0x1},
      {2, 3, 0.75, 0, 0, 0, 0, 3, 0, 0x2},
      {1, 1.75, 1.25, 0.25, 1, 0, 0, 0, 3, 0x2},
      {2, 0.5, 0.5, 1, 1, 0, 0, 3, 1, 0x2},
      {3, 2.75, 1.75, 0, 2, 0, 0, 0, 3, 0x1c},
      {2, 2.75, 1.5, 0.5, 0, 0, 0, 1, 3, 0x21}}},
    {"seconds",
     0,
     2,
     {10, false, 7, false},
     {{2, 0.5, 1.25, 0, 2, 0, 0, 0, 0, 0x0},
      {4, 2.5, 0.75, 0.5, 2, 0, 0, 0, 1, 0x1},
      {2, 0.5, 1.25, 0, 0, 1, 0, 2, 0, 0x2},
      {3, 1.5, 1.5, 1.5, 0, 0, 0, 0, 0, 0x2},
      {2, 2.5, 1, 0, 0, 0, 0, 0, 1, 0x6},
      {2, 1.5, 1.75, 0.5, 0, 0, 0, 0, 1, 0x13},
      {2, 2.75, 1, 0, 2, 0, 0, 0, 0, 0x32}}},
    {"pin",
     0,
     1,
     {9, true, INFINITY, false},
     {{2, 0.75, 0.25, 0.25, 2, 0, 0, 0, 3, 0x0},
      {2, 0.75, 0.25, 0.25, 2, 0, 0, 0, 1, 0x1},
      {2, 1.25, 0.5, 0, 1, 0, 0, 3, 1, 0x2},
      {1, 2, 0.25, 1.75, 2, 0, 0, 3, 1, 0x4},
      {2, 1.25, 1.25, 0.25, 1, 0, 0, 0, 1, 0x2},
      {2, 0.5, 1.25, 0.5, 0, 0, 0, 0, 1, 0x9}}},
    {"workspace of the outer one",
     2,
     3,
     {8, true, INFINITY, false},
     {{1, 2, 0.75, 1.5, 1, 0, 0, 0, 3, 0x0},
      {2, 1, 1.25, 1.75, 0, 0, 0, 0, 3, 0x1},
      {1, 0.25, 1.25, 0.25, 0, 0, 0, 3, 0, 0x2},
      {1, 0.25, 1.25, 0.25, 0, 0, 0, 0, 0, 0x0},
      {2, 1, 0.75, 0.5, 1, 0, 0, 0, 1, 0x1},
      {1, 2.75, 1.75, 1, 1, 0, 0, 2, 1, 0x0},
      {1, 1.5, 0.25, 1.75, 1, 0, 0, 0, 3, 0x2a},
      {1, 2.75, 0.5, 1, 0, 0, 0, 0, 1, 0x56}}},
    {"readers of the outer one",
     0,
     3,
     {14, false, INFINITY, false},
     {{3, 1, 0.5, 0.25, 1, 0, 0, 0, 0, 0x0},
      {4, 0.75, 1.25, 0, 2, 0, 0, 3, 0, 0x1},
      {3, 2.5, 0, 0, 1, 0, 0, 0, 0, 0x2},
      {3, 1, 0.5, 0.25, 1, 0, 0, 0, 0, 0x1},
      {3, 2.5, 0, 0, 1, 0, 0, 2, 0, 0x4},
      {1, 2.25, 0, 0, 2, 0, 0, 0, 1, 0x6},
      {3, 0.25, 1.75, 1.5, 2, 0, 0, 2, 1, 0x8},
      {1, 2.75, 1.75, 1.5, 2, 0, 0, 2, 0, 0x41}}},
    {"readers of the inner one",
     0,
     1,
     {10, false, INFINITY, false},
     {{3, 0.5, 0.75, 1.25, 2, 0, 0, 0, 0, 0x0},
      {3, 0.5, 0.75, 1.25, 2, 0, 0, 0, 0, 0x0},
      {3, 0.75, 0.75, 0.75, 2, 0, 0, 0, 0, 0x2},
      {4, 0.25, 1.25, 1, 2, 0, 0, 1, 1, 0x1},
      {2, 1.75, 0.75, 1.25, 1, 0, 0, 0, 0, 0x4}}},
    {"a reader between",
     0,
     1,
     {6, true, INFINITY, false},
     {{2, 0.5, 1, 0.25, 0, 0, 0, 0, 0, 0x0},
      {2, 0.5, 1, 0.25, 0, 0, 0, 0, 0, 0x0},
      {3, 2.25, 0.5, 0.25, 1, 0, 0, 0, 1, 0x1},
      {1, 0.25, 0.25, 1, 1, 0, 0, 0, 1, 0x2},
      {3, 2.5, 1.75, 0.75, 0, 0, 0, 0, 1, 0x9}}},
    {"inputs stay",
     1,
     2,
     {6, true, INFINITY, false},
     {{3, 2.75, 1.5, 0, 1, 0, 0, 2, 0, 0x0},
      {1, 1.25, 0.75, 1.75, 2, 0, 0, 0, 0, 0x1},
      {1, 1.25, 0.75, 1.75, 2, 0, 0, 0, 0, 0x0},
      {2, 2, 1.25, 1.75, 0, 0, 0, 0, 1, 0x1},
      {2, 2, 0.75, 0.75, 2, 0, 0, 0, 1, 0xc},
      {3, 2.5, 1.25, 1.75, 0, 0, 0, 0, 1, 0x2},
      {1, 1.5, 1, 0.25, 1, 0, 0, 0, 0, 0x11}}},
    {"inputs stay long enough",
     1,
     3,
     {6, false, INFINITY, false},
     {{2, 0.5, 0.25, 0.75, 2, 0, 0, 0, 3, 0x0},
      {2, 0.75, 1.5, 0, 2, 0, 0, 0, 0, 0x1},
      {1, 2, 1, 0.25, 1, 0, 0, 0, 1, 0x3},
      {2, 0.75, 1.5, 0, 2, 0, 0, 0, 0, 0x4},
      {2, 2.75, 0, 1, 1, 0, 0, 0, 3, 0x4},
      {2, 2.25, 1.75, 0.25, 2, 0, 0, 0, 1, 0x8},
      {2, 2, 0.75, 0.25, 1, 0, 0, 0, 1, 0x2}}},
};

static graph *graph_of(const nested_node *node)
{
    graph_node made[MOST_NODES];
    int inputs[MOST_NODES][MOST_NODES], n = 0;
    base_error error;
    for (; n < MOST_NODES && node[n].bytes > 0; n++) {
        made[n] = (graph_node){.name = "",
                               .bytes = node[n].bytes,
                               .joules = node[n].joules,
                               .seconds = node[n].seconds,
                               .pagein_joules = node[n].pagein_joules,
                               .pageout_joules = node[n].pageout_joules,
                               .pagein_seconds = node[n].pagein_seconds,
                               .pageout_seconds = node[n].pageout_seconds,
                               .workspace = node[n].workspace,
                               .pin = node[n].pin,
                               .inputs = inputs[n]};
        for (int i = 0; i < n; i++)
            if (node[n].inputs >> i & 1)
                inputs[n][made[n].input_count++] = i;
    }
    graph *g = graph_create("nested", made, n, &error);
    ck_assert_msg(g != NULL, "%s", error.text);
    return g;
}

LOOP_TEST(each_condition_is_needed, LENGTH(needs))
{
    const int a = needs[_i].outer, b = needs[_i].inner;
    OWNED(graph) *g = graph_of(needs[_i].node);
    problem p = problem_make(g, needs[_i].rules.budget);
    p.allow_paging = needs[_i].rules.paging;
    p.deadline_seconds = needs[_i].rules.deadline;
    p.deadline_includes_paging = needs[_i].rules.paging_counts;
    const double outer = optimum_keeping(&p, a), inner = optimum_keeping(&p, b);
    ck_assert_msg(inner > outer, "%s: %d kept %g, %d kept %g", needs[_i].condition, a, outer, b,
                  inner);
    uint8_t fate[MOST_NODES] = {0};
    fate[a] = FATE_KEPT;
    fate[b] = FATE_OPEN;
    ck_assert(case_propagate(&p, fate, NULL, NULL));
    ck_assert_msg(fate[b] == FATE_OPEN, "%s: kept, since the outer one is", needs[_i].condition);
}
