/* Instances at which a plausible argument fails: what was once proven of them was false. Each is
 * solved by the tree alone and with annealing, and its proof written and checked. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "certificate/verify.h"
#include "certificate/write.h"
#include "formulation/formulation.h"
#include "tests/exact/agree.h"
#include "tests/problem/owned.h"
#include "tests/suite.h"

SUITE("traps", .seconds = 60);

enum { MOST = 12, INPUTS = 3 };

typedef struct trap {
    const char *what;
    int64_t budget;
    bool deadline_includes_paging;
    double overhead;
    int n;
    graph_node node[MOST];
    int input[MOST][INPUTS]; /* of each node, one more than their number; 0 ends */
    int max_computations;    /* 0: any number */
} trap;

static const trap traps[] = {
    /* Node 6 can be computed in stage 5 only, though it is used in 9: node 0, its input, would be
     * there in 6 as well, but is being written out, and makes room for node 5 early. */
    {"a recomputation that cannot wait, for its input is being written out",
     11,
     false,
     30,
     12,
     {{.bytes = 6, .joules = 10},
      {.bytes = 10, .joules = 100},
      {.bytes = 0},
      {.bytes = 0},
      {.bytes = 0},
      {.bytes = 8},
      {.bytes = 1},
      {.bytes = 1},
      {.bytes = 0},
      {.bytes = 0},
      {.bytes = 0},
      {.bytes = 0}},
     {{0}, {0}, {0}, {1}, {2}, {0}, {1}, {2}, {0}, {6, 7}, {0}, {1}},
     0},
    /* Nobody reads node 2 or node 6; computing one again releases an input that is paged out. */
    {"a recomputation for nothing but the release of an input",
     11,
     false,
     8,
     7,
     {{.bytes = 5},
      {.bytes = 6, .joules = 8},
      {.bytes = 2},
      {.bytes = 0},
      {.bytes = 8},
      {.bytes = 0},
      {.bytes = 0}},
     {{0}, {0}, {1}, {1, 2}, {0}, {0}, {2}},
     0},
    /* The same, with a release of 3 of 4194304 bytes: by less than an integrality tolerance. */
    {"a release of few bytes of many",
     4194310,
     false,
     0.75,
     6,
     {{.bytes = 4194304, .joules = 0.75},
      {.bytes = 8},
      {.bytes = 0},
      {.bytes = 9},
      {.bytes = 0},
      {.bytes = 0}},
     {{0}, {0}, {1}, {0}, {0}, {1}},
     0},
    /* Node 1 works in 3 bytes. It is computed again in stage 3, though it is used in 4 only, where
     * all its inputs are: beside what stage 4 keeps it could not work. */
    {"a recomputation that cannot wait, for there would be no room to work",
     6,
     false,
     1,
     5,
     {{.bytes = 1, .joules = 100, .pagein_joules = 100, .pageout_joules = 100},
      {.bytes = 1, .joules = 1, .pagein_joules = 100, .pageout_joules = 100, .workspace = 3},
      {.bytes = 5, .joules = 100},
      {.bytes = 3, .joules = 100, .pagein_joules = 100, .pageout_joules = 100},
      {.bytes = 1}},
     {{0}, {1}, {0}, {0}, {1, 2, 4}},
     0},
    /* What is pinned stays, dear as that is: node 1 is paged, not computed again, node 0 not paged.
     */
    {"pins",
     3,
     false,
     11,
     5,
     {{.bytes = 1, .joules = 3, .pin = GRAPH_NO_PAGE},
      {.bytes = 1, .joules = 1, .pagein_joules = 4, .pageout_joules = 4, .pin = GRAPH_NO_RECOMPUTE},
      {.bytes = 1, .joules = 1},
      {.bytes = 3, .joules = 100},
      {.bytes = 0}},
     {{0}, {1}, {2}, {0}, {1, 2}},
     0},
    /* Node 0 has to come back three times, once by a computation and twice from storage. */
    {"a node that may be computed once more",
     7,
     false,
     13,
     8,
     {{.bytes = 4, .joules = 1, .pagein_joules = 4, .pageout_joules = 4},
      {.bytes = 1},
      {.bytes = 7},
      {.bytes = 1},
      {.bytes = 7},
      {.bytes = 1},
      {.bytes = 7},
      {.bytes = 1}},
     {{0}, {1}, {0}, {1}, {0}, {1}, {0}, {1}},
     2},
    /* The budget is met exactly, by sizes that are 10^7 apart. */
    {"a budget that is met to the byte",
     8217008,
     true,
     1,
     7,
     {{.bytes = 3, .joules = 5.875, .pagein_joules = 5.25, .pageout_joules = 0.25},
      {.bytes = 1, .joules = 1, .pagein_joules = 0.25},
      {.bytes = 8217005, .pagein_joules = 0.5, .pageout_joules = 10},
      {.bytes = 5, .joules = 6, .pagein_joules = 0.25},
      {.bytes = 2, .joules = 12.75, .pagein_joules = 2, .pageout_joules = 1.25},
      {.bytes = 0, .joules = 7.5, .pagein_joules = 0.25, .pageout_joules = 3.75},
      {.bytes = 6462211, .joules = 0.5, .pagein_joules = 0.125, .pageout_joules = 2}},
     {{0}, {1}, {1}, {0}, {1, 2}, {1}, {1}},
     0},
};
enum { TRAPS = sizeof traps / sizeof traps[0] };

static graph *trap_graph(const trap *t)
{
    base_error error;
    graph_node node[MOST];
    int input[MOST][INPUTS];
    for (int i = 0; i < t->n; i++) {
        node[i] = t->node[i];
        node[i].name = "";
        node[i].inputs = input[i];
        while (node[i].input_count < INPUTS && t->input[i][node[i].input_count] > 0) {
            input[i][node[i].input_count] = t->input[i][node[i].input_count] - 1;
            node[i].input_count++;
        }
    }
    graph *g = graph_create(t->what, node, t->n, &error);
    ck_assert_msg(g != NULL, "%s", error.text);
    return g;
}

static void check_proof(const problem *p, const exact_params *params, cert_trust trust,
                        const exact_result *r)
{
    char path[] = "/tmp/poetbnb-trap-XXXXXX";
    certificate_report report;
    base_error error;
    int handle = mkstemp(path);
    ck_assert_int_ge(handle, 0);
    close(handle);
    certificate_outcome outcome = certificate_write(path, p, params, &trust, r, &error);
    ck_assert_msg(outcome == CERTIFICATE_WRITTEN, "%s", error.text);
    ck_assert_msg(certificate_verify(path, &report, &error) == CERTIFICATE_HOLDS, "%s", error.text);
    ck_assert(report.optimal);
    ck_assert(trust == CERT_EXCHANGES || report.trust == CERT_RULES);
    certificate_report_clear(&report);
    unlink(path);
}

LOOP_TEST(traps_are_seen, TRAPS)
{
    const trap *t = &traps[_i];
    OWNED(graph) *g = trap_graph(t);
    problem p = problem_make(g, t->budget);
    p.deadline_includes_paging = t->deadline_includes_paging;
    if (t->max_computations > 0)
        p.max_computations = t->max_computations;
    for (int k = 0; k < 8; k++) {
        exact_params params = agree_params();
        params.heuristics = k & 1;
        params.threads = k & 2 ? 2 : 1;
        if (k & 4)
            params.features &= ~(unsigned)FORMULATION_CANONICAL;
        OWNED(exact_result) r = exact_solve(&p, &params);
        ck_assert_msg(r.status == EXACT_OPTIMAL, "%s: status %d", t->what, (int)r.status);
        ck_assert_msg(fabs(r.validation.overhead_joules - t->overhead) <= 1e-9,
                      "%s: %.9g J instead of %.9g", t->what, r.validation.overhead_joules,
                      t->overhead);
        for (int trust = 0; trust < (int)CERT_TRUSTS && params.threads == 1; trust++)
            check_proof(&p, &params, (cert_trust)trust, &r);
    }
}
