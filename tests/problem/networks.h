/* Built-in networks and their problems, for the suites of any room. */
#ifndef TESTS_PROBLEM_NETWORKS_H
#define TESTS_PROBLEM_NETWORKS_H

#include "problem/network.h"
#include "problem/schedule.h"
#include "tests/suite.h"

/* The network with the default options and the platform's costs, to be freed. Fails the test if
 * there is none. */
static inline graph *network_graph(const char *model, const char *platform_name)
{
    base_error error;
    const platform *costs = platform_find(platform_name);
    ck_assert_ptr_nonnull(costs);
    graph *g = network_build(model, costs, network_options_default(), &error);
    ck_assert_msg(g != NULL, "%s", error.text);
    return g;
}

/* Its problem with a budget of a fraction of the checkpoint-all peak. */
static inline problem fraction_problem(const graph *g, double fraction)
{
    return problem_make(g, (int64_t)(fraction * (double)graph_checkpoint_all_peak(g)));
}

#endif
