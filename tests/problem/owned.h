/* Graphs and schedules that are freed at the end of their block: OWNED(graph) *g = ...; */
#ifndef TESTS_PROBLEM_OWNED_H
#define TESTS_PROBLEM_OWNED_H

#include "problem/graph.h"
#include "problem/schedule.h"
#include "tests/owned.h"

OWNED_POINTER(graph, graph_free)
OWNED_POINTER(schedule, schedule_free)

#endif
