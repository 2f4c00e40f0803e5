/* The exchanges that make optimal schedules canonical hold for every graph, and rows that say more
 * than they show are refused. */
#include "certificate/exchange.h"
#include "tests/certificate/owned.h"
#include "tests/certificate/support.h"
#include "tests/problem/networks.h"
#include "tests/suite.h"

SUITE("exchanges", .seconds = 600);

static cert_exchanges check(const problem *p)
{
    base_error error;
    cert_exchanges done;
    cert_key key;
    OWNED(cert_model) *m = cert_model_create(p, CERT_EXCHANGES, &error);
    ck_assert_msg(m != NULL, "%s", error.text);
    const char *fault = cert_exchanges_check(m, &done, &key);
    ck_assert_msg(!fault, "kind %d, stage %d, node %d: %s", (int)key.kind, key.t, key.i, fault);
    return done;
}

TEST(small_instances)
{
    for (uint64_t seed = 0; seed < 150; seed++) {
        OWNED(random_instance) i = draw_instance(seed, 9);
        i.problem.charge_pagein_transfer = seed % 2;
        const cert_exchanges done = check(&i.problem);
        ck_assert_int_gt(done.rows, 0);
        ck_assert_int_gt(done.cases, 0);
    }
}

LOOP_TEST(networks, 3)
{
    static const char *const name[] = {"vgg16_cifar", "resnet18_cifar", "bert"};
    OWNED(graph) *g = network_graph(name[_i], "a72");
    const problem p = problem_make(g, graph_checkpoint_all_peak(g));
    ck_assert_int_gt(check(&p).cases, 10000);
}

static const cert_row_kind kinds[] = {CERT_ROW_USED_R,    CERT_ROW_USED_S,    CERT_ROW_USED_IN,
                                      CERT_ROW_OUT_FIRST, CERT_ROW_OUT_ONCE,  CERT_ROW_ONE,
                                      CERT_ROW_LATE,      CERT_ROW_STORED_IN, CERT_ROW_OUT_FROM};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* How many of the rows of a kind with one term less, or a side that is one less, are refused, and
 * how many there are. */
typedef struct counts {
    int rows, refused[2], changed[2];
} counts;

static bool covered(const cert_model *m, cert_key key, int without, double less)
{
    OWNED(cert_row) row = {0};
    if (!cert_row_make(m, key, false, &row))
        return true;
    if (without >= 0)
        row.coef[without] = 0;
    row.rhs -= less;
    return cert_exchange_covers(m, key, &row);
}

/* The term is the only one of its cell. */
static bool is_single(const cert_row *row, int term)
{
    int count = 0;
    for (int k = 0; k < row->count; k++)
        count += row->col[k] == row->col[term];
    return count == 1;
}

static void count_row(const cert_model *m, cert_key key, counts *c)
{
    OWNED(cert_row) row = {0};
    if (cert_row_make(m, key, false, &row)) {
        c->rows++;
        ck_assert(covered(m, key, -1, 0));
        c->changed[1]++;
        c->refused[1] += !covered(m, key, -1, 1);
        for (int k = 0; k < row.count; k++)
            if (row.coef[k] < 0 && row.rhs == 0 && is_single(&row, k)) {
                c->changed[0]++;
                c->refused[0] += !covered(m, key, k, 0);
            }
    }
}

/* Where a user is computed for the first time the side is 1, and the row says nothing. */
TEST(stronger_rows_are_refused)
{
    counts c[KINDS] = {0};
    base_error error;
    for (uint64_t seed = 0; seed < 40; seed++) {
        OWNED(random_instance) i = draw_instance(seed, 8);
        OWNED(cert_model) *m = cert_model_create(&i.problem, CERT_EXCHANGES, &error);
        for (int k = 0; k < KINDS; k++)
            for (int t = 1; t < m->n; t++)
                for (int j = 0; j < t; j++)
                    count_row(m,
                              (cert_key){kinds[k], kinds[k] == CERT_ROW_OUT_ONCE ? -1 : t, j, -1},
                              &c[k]);
    }
    for (int k = 0; k < KINDS; k++) {
        ck_assert_int_eq(c[k].refused[0], c[k].changed[0]);
        ck_assert_int_eq(c[k].refused[1], c[k].changed[1]);
        ck_assert_int_gt(c[k].rows, 100);
    }
}
