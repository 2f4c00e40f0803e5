/* Coarse timelines, one rule at a time, and their rows against those of the solver. */
#include <math.h>

#include "certificate/record_internal.h"
#include "certificate/timeline.h"
#include "tests/certificate/chain.h"
#include "tests/certificate/owned.h"
#include "tests/oracle/bait_instance.h"
#include "tests/suite.h"

SUITE("timelines", .seconds = 100);

OWNED_POINTER(coarse, coarse_free)

enum { AT_ALL = 1000 };

/* With canonical rows. */
static void make_chain(chain *c, bool impossible, double target)
{
    base_error error;
    chain_make(c, INFINITY, impossible, target);
    cert_proof_free(c->proof);
    c->proof = cert_proof_create(&c->problem, CERT_EXCHANGES, impossible, target, 1, &error);
    ck_assert_msg(c->proof != NULL, "%s", error.text);
}

static void add_timeline(chain *c, int first, int second)
{
    const int stage[] = {first, second};
    chain_taken(cert_proof_timeline(c->proof, stage, second < AT_ALL ? 2 : 1, NULL, 0));
}

/* The claim is a target, and stage 3 the one point. */
static void make_with_point(chain *c, double target)
{
    make_chain(c, false, target);
    add_timeline(c, 3, AT_ALL);
}

static int number_of_column(const chain *c, cert_coarse what, int q, int i)
{
    return cert_coarse_column(c->proof, what, q, i) - c->proof->m->cols;
}

static void has_range(const chain *c, cert_coarse what, int q, int i, int64_t low, int64_t high)
{
    const cert_span now = c->proof->total[number_of_column(c, what, q, i)].now;
    ck_assert_int_eq(now.low, low);
    ck_assert_int_eq(now.high, high);
}

static void has_value(const chain *c, cert_kind kind, int t, int i, int value)
{
    ck_assert_int_eq(c->proof->value[c->proof->m->same[chain_cell(c, kind, t, i)]], value);
}

static void narrow(chain *c, cert_coarse what, int q, int i, int64_t low, int64_t high)
{
    cert_narrow(c->proof, 0, number_of_column(c, what, q, i), (cert_span){low, high});
    cert_settle_node(c->proof, 0);
}

TEST(columns)
{
    OWNED(chain) c;
    make_chain(&c, false, 100);
    cert_fix(c.proof, 0, chain_cell(&c, CERT_R, 4, 0), 0);
    cert_settle_node(c.proof, 0);
    add_timeline(&c, 1, 3);
    ck_assert_int_eq(c.proof->points, 2);
    ck_assert_int_eq(c.proof->totals, 5 + 2 * (4 * 5 + 1));
    ck_assert_int_eq(number_of_column(&c, CERT_COARSE_OUT, 1, 2), 2);
    ck_assert_int_eq(number_of_column(&c, CERT_COARSE_PAGEIN, 1, 2), 5 + 21 + 3 * 5 + 2);
    ck_assert_int_eq(number_of_column(&c, CERT_COARSE_LOAD, 0, 0), 5 + 20);
    ck_assert_int_eq(cert_coarse_column(c.proof, CERT_COARSE_LIVE, 0, 1), -1);
    ck_assert_int_eq(cert_coarse_column(c.proof, CERT_COARSE_COMPUTE, 0, 2), -1);
    ck_assert_int_eq(cert_coarse_column(c.proof, CERT_COARSE_KEPT, 1, 1), -1);
    ck_assert_int_eq(cert_coarse_column(c.proof, CERT_COARSE_LOAD, 1, 0), -1);
    has_range(&c, CERT_COARSE_LIVE, 0, 0, 1, 1);
    has_range(&c, CERT_COARSE_LIVE, 1, 1, 0, 1);
    has_range(&c, CERT_COARSE_COMPUTE, 0, 0, 0, 1);
    has_range(&c, CERT_COARSE_COMPUTE, 1, 0, 0, 0);
    has_range(&c, CERT_COARSE_LOAD, 0, 0, 0, 3);
}

/* At the point tensor 0 may be live if it may be there, and be left or written out. */
static void may_be_live(int point, const cert_kind kind[], const int stage[], int zeros,
                        int64_t high)
{
    OWNED(chain) c;
    make_chain(&c, false, 100);
    for (int k = 0; k < zeros; k++)
        c.proof->m->value[c.proof->m->same[chain_cell(&c, kind[k], stage[k], 0)]] = 0;
    add_timeline(&c, point, AT_ALL);
    has_range(&c, CERT_COARSE_LIVE, 0, 0, 0, high);
}

TEST(what_may_be_live)
{
    const cert_kind there[] = {CERT_R, CERT_C, CERT_P, CERT_C, CERT_P};
    const int stage[] = {3, 3, 3, 4, 4};
    may_be_live(3, NULL, NULL, 0, 1);
    may_be_live(3, there, stage, 2, 1); /* by a page-in */
    may_be_live(3, there, stage, 3, 0);
    may_be_live(3, there + 1, stage + 1, 2, 1); /* computed */
    may_be_live(3, there + 3, stage + 3, 2, 0);
    may_be_live(3, there + 3, stage + 3, 1, 1); /* left as paged in */
    may_be_live(3, there + 4, stage + 4, 1, 1); /* left as computed */
    const cert_kind left[] = {CERT_C, CERT_P, CERT_OUT};
    const int when[] = {3, 3, 2};
    may_be_live(2, left, when, 2, 1); /* written out */
    may_be_live(2, left, when, 3, 0);
}

/* A column that becomes 0 takes its cells along, and no others. */
TEST(cells_of_a_column)
{
    OWNED(chain) c;
    make_chain(&c, false, 100);
    add_timeline(&c, 1, 3);
    narrow(&c, CERT_COARSE_PAGEIN, 1, 0, 0, 0);
    has_value(&c, CERT_IN, 3, 0, 0);
    has_value(&c, CERT_IN, 2, 0, CERT_OPEN);
    narrow(&c, CERT_COARSE_COMPUTE, 0, 1, 0, 0);
    has_value(&c, CERT_R, 2, 1, 0);
    has_value(&c, CERT_R, 3, 1, 0);
    has_value(&c, CERT_R, 4, 1, CERT_OPEN);
    has_value(&c, CERT_R, 3, 2, CERT_OPEN);
    narrow(&c, CERT_COARSE_OUT, 0, 1, 0, 0);
    has_value(&c, CERT_OUT, 2, 1, 0);
    has_value(&c, CERT_OUT, 4, 1, 0);
    ck_assert(!c.proof->node[0].closed);
}

/* The same with a column of the point that is 1, unless i < 0, and eliminations by the costs. */
static void make_eliminated(chain *c, double target, cert_coarse what, int i)
{
    make_with_point(c, target);
    if (i >= 0)
        narrow(c, what, 0, i, 1, 1);
    cert_proof_price(c->proof, 0);
    chain_taken(cert_proof_eliminate(c->proof, NULL, 0));
}

/* Every action costs 1: below 3/4 nothing may be done; below 3/2 nothing may be paged in, which
 * takes a page-out, too. */
TEST(elimination)
{
    for (int dear = 0; dear < 2; dear++) {
        OWNED(chain) c;
        make_eliminated(&c, dear ? 1.5 : 0.75, CERT_COARSE_OUT, dear ? 1 : -1);
        if (dear) { /* 1 is spent already */
            ck_assert(!c.proof->node[0].closed);
            has_range(&c, CERT_COARSE_OUT, 0, 0, 0, 0);
            has_value(&c, CERT_R, 4, 0, 0);
        } else {
            has_range(&c, CERT_COARSE_COMPUTE, 0, 0, 0, 0);
            has_value(&c, CERT_R, 4, 0, 0);
            has_value(&c, CERT_R, 2, 0, 0); /* no column stands for it */
            has_value(&c, CERT_IN, 2, 0, 0);
        }
    }
}

TEST(a_page_in_with_its_page_out)
{
    OWNED(chain) c;
    make_with_point(&c, 1.5);
    cert_proof_price(c.proof, 0);
    chain_taken(cert_proof_reduce(c.proof, 0, NULL, 0));
    has_range(&c, CERT_COARSE_PAGEIN, 0, 0, 0, 1);
    chain_taken(cert_proof_eliminate(c.proof, NULL, 0));
    has_range(&c, CERT_COARSE_COMPUTE, 0, 0, 0, 1);
    has_range(&c, CERT_COARSE_OUT, 0, 0, 0, 1);
    has_range(&c, CERT_COARSE_PAGEIN, 0, 0, 0, 0);
    has_value(&c, CERT_IN, 3, 0, 0);
    has_value(&c, CERT_IN, 2, 0, 0); /* no column stands for it */
    chain_drop(&c);
    /* What is paged out in any case is paid for. */
    make_eliminated(&c, 2.5, CERT_COARSE_OUT, 0);
    has_range(&c, CERT_COARSE_PAGEIN, 0, 0, 0, 1);
    has_value(&c, CERT_IN, 2, 0, CERT_OPEN);
    has_range(&c, CERT_COARSE_PAGEIN, 0, 1, 0, 0);
    chain_drop(&c);
    /* So is a page-in that is made in any case, though its page-out is not yet known: 2, not 3. */
    make_eliminated(&c, 2.5, CERT_COARSE_PAGEIN, 0);
    ck_assert(!c.proof->node[0].closed);
    has_range(&c, CERT_COARSE_PAGEIN, 0, 0, 1, 1);
}

/* Columns alone; cells follow them, but no others are looked at. */
TEST(reduction)
{
    OWNED(chain) c;
    make_with_point(&c, 0.75);
    cert_proof_price(c.proof, 0);
    chain_taken(cert_proof_reduce(c.proof, 0, NULL, 0));
    has_range(&c, CERT_COARSE_COMPUTE, 0, 0, 0, 0);
    has_value(&c, CERT_R, 4, 0, 0);
    has_value(&c, CERT_R, 2, 0, CERT_OPEN);
}

/* Of two timelines the one that is named is counted. */
TEST(two_timelines)
{
    OWNED(chain) c;
    make_with_point(&c, 0.75);
    add_timeline(&c, 2, AT_ALL);
    cert_proof_price(c.proof, 1);
    chain_taken(cert_proof_reduce(c.proof, 0, NULL, 0));
    has_range(&c, CERT_COARSE_COMPUTE, 0, 0, 0, 1);
    has_range(&c, CERT_COARSE_COMPUTE, 1, 0, 0, 0);
}

TEST(refusals)
{
    OWNED(chain) c;
    int first;
    const int stage[] = {2};
    chain_make(&c, INFINITY, false, 1);
    chain_refused(cert_proof_timeline(c.proof, stage, 1, NULL, 0), "canonical");
    chain_drop(&c);
    make_chain(&c, true, 0);
    add_timeline(&c, 2, AT_ALL);
    cert_proof_price(c.proof, 0);
    chain_refused(cert_proof_eliminate(c.proof, NULL, 0), "by costs");
    chain_drop(&c);
    make_chain(&c, false, 100);
    add_timeline(&c, 2, AT_ALL);
    chain_refused(cert_proof_eliminate(c.proof, NULL, 0), "on a timeline");
    const cert_key sum = {CERT_ROW_TOTAL, -1, 0, -1};
    chain_refused(cert_proof_propagate(c.proof, 0, &sum), "no such row");
    chain_taken(cert_proof_branch(
        c.proof, 0, c.proof->m->cols + number_of_column(&c, CERT_COARSE_OUT, 0, 0), 0, &first));
    chain_refused(cert_proof_timeline(c.proof, stage, 1, NULL, 0), "branched");
    cert_proof_price(c.proof, 0);
    chain_refused(cert_proof_eliminate(c.proof, NULL, 0), "branched");
}

/* Below a branching columns are known as totals are, and cells stay. */
TEST(branching)
{
    OWNED(chain) c;
    int first;
    make_with_point(&c, 1.5);
    const int column = number_of_column(&c, CERT_COARSE_PAGEIN, 0, 0);
    chain_taken(cert_proof_branch(c.proof, 0, c.proof->m->cols + column, 0, &first));
    ck_assert(!cert_idle(c.proof, first));
    has_range(&c, CERT_COARSE_PAGEIN, 0, 0, 0, 0);
    has_value(&c, CERT_IN, 3, 0, CERT_OPEN);
    const cert_multiplier y = chain_times(1, 0, CERT_ROW_POINT_STORED, 0, 0, -1);
    chain_refused(cert_proof_leaf(c.proof, first + 1, &y, 1), "do not prove");
    cert_proof_price(c.proof, 0);
    chain_refused(cert_proof_leaf(c.proof, first, &y, 1), "do not prove");
    chain_taken(cert_proof_leaf(c.proof, first + 1, &y, 1));
}

TEST(propagation)
{
    OWNED(chain) c;
    make_chain(&c, false, 100);
    add_timeline(&c, 2, 3);
    const cert_key stored = {CERT_ROW_POINT_STORED, 0, 0, -1},
                   load = {CERT_ROW_POINT_LOAD, 0, -1, -1}, input = {CERT_ROW_POINT_INPUT, 1, 0, 1},
                   room = {CERT_ROW_POINT_ROOM, 0, -1, 3};
    narrow(&c, CERT_COARSE_PAGEIN, 0, 0, 1, 1);
    has_range(&c, CERT_COARSE_OUT, 0, 0, 0, 1);
    chain_taken(cert_proof_propagate(c.proof, 0, &stored));
    has_range(&c, CERT_COARSE_OUT, 0, 0, 1, 1);
    narrow(&c, CERT_COARSE_KEPT, 0, 1, 1, 1);
    chain_taken(cert_proof_propagate(c.proof, 0, &load));
    has_range(&c, CERT_COARSE_LOAD, 0, 0, 1, 3);
    chain_taken(cert_proof_propagate(c.proof, 0, &room)); /* 3 and 2 beside it */
    has_range(&c, CERT_COARSE_LOAD, 0, 0, 1, 2);
    narrow(&c, CERT_COARSE_LIVE, 1, 0, 0, 0);
    narrow(&c, CERT_COARSE_PAGEIN, 1, 0, 0, 0);
    narrow(&c, CERT_COARSE_COMPUTE, 1, 1, 1, 1);
    chain_taken(cert_proof_propagate(c.proof, 0, &input));
    has_range(&c, CERT_COARSE_COMPUTE, 1, 0, 1, 1);
    ck_assert(!c.proof->node[0].closed);
}

/* A timeline of the first case is gone in the second, with what follows there. */
TEST(cases)
{
    OWNED(chain) c;
    make_chain(&c, false, 100);
    const int none[] = {chain_cell(&c, CERT_R, 3, 0), chain_cell(&c, CERT_R, 2, 0)};
    chain_taken(cert_proof_first_case(c.proof, none, 2));
    add_timeline(&c, 1, 3);
    has_range(&c, CERT_COARSE_COMPUTE, 0, 0, 0, 0);
    cert_close(c.proof, 0);
    chain_taken(cert_proof_next_case(c.proof));
    ck_assert_int_eq(c.proof->points, 0);
    add_timeline(&c, 1, 3);
    has_range(&c, CERT_COARSE_COMPUTE, 0, 0, 0, 1);
}

/* ---- against the solver's model ------------------------------------------------------------ */

static bool in_bytes(const cert_total *total)
{
    return total->what == CERT_COARSE_LOAD || total->what == CERT_COARSE_THERE;
}

/* Rows of c by name have its coefficients; columns that it leaves out are 0 for the checker. */
static int compare(const coarse *c, cert_proof *p)
{
    OWNED(cert_row) row = {0};
    OWNED(double) *coef = base_calloc((size_t)p->totals, sizeof *coef);
    lp_by_rows a = lp_model_by_rows(c->model);
    for (int r = 0; r < c->model->rows; r++) {
        double scale;
        const cert_key key = record_coarse_key(c, r, &scale);
        char what[80];
        snprintf(what, sizeof what, "%s %d %d %d", cert_row_names[key.kind].word, key.t, key.i,
                 key.k);
        ck_assert_msg(cert_point_row(p, key, &row), "%s", what);
        ck_assert_double_eq(row.rhs * scale, c->model->row_upper[r]);
        for (int e = 0; e < row.count; e++) {
            const int k = row.col[e] - p->m->cols;
            coef[k] += row.coef[e] * (in_bytes(&p->total[k]) ? 1 : scale);
        }
        for (int e = a.start[r]; e < a.start[r + 1]; e++)
            coef[record_coarse_total(c, a.col[e])] -= a.value[e];
        for (int e = 0; e < row.count; e++) {
            const int k = row.col[e] - p->m->cols;
            ck_assert_msg(coef[k] == 0 || p->total[k].root.high == 0, "%s", what);
            coef[k] = 0;
        }
        for (int e = a.start[r]; e < a.start[r + 1]; e++)
            ck_assert_msg(coef[record_coarse_total(c, a.col[e])] == 0, "%s", what);
    }
    for (int j = 0; j < c->model->cols; j++) {
        const cert_total *total = &p->total[record_coarse_total(c, j)];
        cert_proof_price(p, 0);
        ck_assert_double_eq(c->model->cost[j],
                            cert_overhead(p, p->m->cols + record_coarse_total(c, j)));
        ck_assert_double_ge((double)total->root.low, c->model->lower[j]);
        if (!in_bytes(total))
            ck_assert_msg((double)total->root.high <= c->model->upper[j],
                          "kind %d point %d node %d other %d: at most %lld, %g for the solver",
                          c->column[j].kind, c->column[j].t, c->column[j].i, c->column[j].k,
                          (long long)total->root.high, c->model->upper[j]);
    }
    lp_by_rows_free(&a);
    return c->model->rows;
}

TEST(rows_agree_with_the_solver)
{
    base_error error;
    long compared = 0;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        OWNED(random_instance) i = any_instance_make(seed, 12);
        base_rng rng = {seed};
        int stage[CERT_MAX_NODES], points = 0;
        for (int t = 0; t < i.problem.graph->n; t++)
            if (base_rng_below(&rng, 4) == 0)
                stage[points++] = t;
        OWNED(cert_proof) *p = cert_proof_create(&i.problem, CERT_EXCHANGES, false, 1, 1, &error);
        if (points > 0 && !p->m->empty) {
            OWNED(coarse) *c = coarse_build(&i.problem, FORMULATION_DEFAULT, stage, points, 1);
            chain_taken(cert_proof_timeline(p, stage, points, NULL, 0));
            compared += compare(c, p);
        }
    }
    ck_assert_int_ge(compared, 10000);
}

/* ---- recording ----------------------------------------------------------------------------- */

/* Many that are open at a time are recorded, beside the one that proved most. */
TEST(all_are_recorded)
{
    enum { OPEN = 18 };
    OWNED(chain) c;
    recorder r;
    const int point[] = {2};
    make_chain(&c, false, 100);
    OWNED(coarse) *timeline = coarse_build(&c.problem, FORMULATION_DEFAULT, point, 1, 1);
    recorder_init(&r);
    for (int round = 0; round < 3; round++) {
        exact_timeline open[OPEN];
        for (int k = 0; k < OPEN; k++) {
            open[k] = r.hooks.timeline(r.hooks.user, timeline);
            ck_assert_ptr_nonnull(open[k].tree);
        }
        for (int k = 0; k < OPEN; k++)
            r.hooks.timeline_ended(r.hooks.user, open[k], round);
        ck_assert_double_eq(r.whole_bound, round);
    }
    recorder_clear(&r);
}
