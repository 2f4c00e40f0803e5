/* The problems that several suites of the room share. */
#include "tests/exact/support.h"

#include <check.h>

#include "tests/oracle/scattered.h"

graph *scattered_problem(uint64_t seed, int percent, problem *p)
{
    base_error error;
    layered_options options = layered_options_default();
    options.nodes = 60;
    options.width = 8;
    options.seed = seed;
    graph *g = scattered_make(&options, &error);
    ck_assert_msg(g != NULL, "%s", error.text);
    *p = problem_make(g, graph_checkpoint_all_peak(g) * percent / 100);
    p->allow_paging = false;
    return g;
}
