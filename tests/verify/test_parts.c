/* Parts of the checker against brute force. */
#include <math.h>
#include <string.h>

#include "certificate/proof_internal.h"
#include "tests/certificate/owned.h"
#include "tests/suite.h"

SUITE("parts", .seconds = 120);

enum { NODES = 9 };

/* A graph of at most NODES nodes in which node k reads some of the nodes before it. */
static graph *random_graph(base_rng *rng, int n)
{
    graph_node nodes[NODES] = {0};
    int inputs[NODES][NODES];
    base_error error;
    for (int k = 0; k < n; k++) {
        nodes[k] = (graph_node){.name = "", .inputs = inputs[k]};
        nodes[k].seconds = (double)base_rng_below(rng, 8) / 8;
        nodes[k].bytes = (int64_t)base_rng_below(rng, 9) * (base_rng_below(rng, 4) ? 16 : 1);
        for (int i = 0; i < k; i++)
            if (base_rng_below(rng, 4) == 0)
                inputs[k][nodes[k].input_count++] = i;
    }
    graph *g = graph_create("random", nodes, n, &error);
    ck_assert_msg(g != NULL, "%s", error.text);
    return g;
}

static bool reads(const graph *g, int k, int i)
{
    for (int q = g->input_start[k]; q < g->input_start[k + 1]; q++)
        if (g->input[q] == i)
            return true;
    return false;
}

/* Largest value of the cut's left side over the sets of live tensors within the budget, INT64_MIN
 * without any. Item t stands for R[t][k] of a conditional cut. */
static int64_t largest(const cert_model *m, const cert_cut *cut)
{
    int64_t best = INT64_MIN, coef[NODES] = {0};
    int t = cut->t, k = cut->k;
    for (int j = 0; j < cut->count; j++)
        coef[cut->tensor[j]] = cut->coef[j];
    for (unsigned set = 0; set < 1u << NODES; set++) {
        /* bit i < t: tensor i is live; bit t: k is computed (conditional) or always */
        int64_t bytes = k == t ? m->bytes[t] : 0, value = 0;
        bool good = set >> t <= 1 && (k < t || set >> t == 1), runs = set >> t & 1;
        for (int i = 0; i < t && good; i++) {
            bool live = set >> i & 1, own = i == k || reads(m->g, k, i);
            if (runs && own && !live && (k == t || cut->conditional))
                good = false;
            bytes += live ? m->bytes[i] : 0;
            if (!(cut->conditional && i == k))
                value += live ? coef[i] : 0;
        }
        if (cut->conditional && runs)
            value += coef[k];
        if (good && bytes <= m->budget && value > best)
            best = value;
    }
    return best;
}

/* With the most that its sum can be on the right side the cut holds, with one less it does not.
 * False: there is no set (most INT64_MIN). */
static bool holds_just_so(const cert_model *m, cert_cut *cut, int64_t most, int trial)
{
    if (most == INT64_MIN)
        return false;
    cut->rhs = most;
    ck_assert_msg(cert_cut_fault(m, cut) == NULL, "trial %d: %s", trial, cert_cut_fault(m, cut));
    cut->rhs = most - 1;
    ck_assert_msg(cert_cut_fault(m, cut) != NULL, "trial %d: a false cut holds", trial);
    return true;
}

/* The same by the rules alone, by recursion over the tensors from i on: each may be there, be
 * computed by the event, and be released once. `bytes' count already. */
static int64_t largest_apart(const cert_model *m, const cert_cut *cut, int i, int64_t bytes)
{
    const bool own = i == cut->k || reads(m->g, cut->k, i);
    const bool certain = own && cut->k == cut->t;
    int64_t there = 0, made = 0, best = INT64_MIN;
    if (i == cut->t)
        return bytes <= m->budget ? 0 : INT64_MIN;
    for (int j = 0; j < cut->count; j++)
        if (cut->tensor[j] == i) {
            there = cut->coef[j];
            made = cut->made[j];
        }
    for (unsigned state = 0; state < 8; state++) {
        const int s = state & 1, r = i <= cut->k ? state >> 1 & 1 : 0, f = state >> 2 & 1;
        if (f > s + r || (certain && s + r == f))
            continue;
        const int64_t rest = largest_apart(m, cut, i + 1, bytes + (s + r - f) * m->bytes[i]);
        const int64_t value = s * there + r * made - f * (there > made ? there : made);
        if (rest > INT64_MIN && rest + value > best)
            best = rest + value;
    }
    return best;
}

TEST(event_cuts_by_the_rules_alone)
{
    base_rng rng = {2};
    base_error error;
    int tight = 0;
    for (int trial = 0; trial < 1000; trial++) {
        const int n = 6;
        OWNED(graph) *g = random_graph(&rng, n);
        problem p = problem_make(g, (int64_t)base_rng_below(&rng, 200));
        OWNED(cert_model) *m = cert_model_create(&p, CERT_RULES, &error);
        int tensor[NODES], t = 1 + (int)base_rng_below(&rng, (uint64_t)n - 1);
        int64_t coef[NODES], made[NODES];
        cert_cut cut = {.t = t,
                        .k = (int)base_rng_below(&rng, (uint64_t)t + 1),
                        .tensor = tensor,
                        .coef = coef,
                        .made = made};
        for (int i = 0; i < t; i++) {
            if (cut.k == t && reads(g, t, i))
                continue;
            tensor[cut.count] = i;
            made[cut.count] = (int64_t)base_rng_below(&rng, 9) - 2;
            coef[cut.count++] = (int64_t)base_rng_below(&rng, 9) - 2;
        }
        const int64_t most =
            largest_apart(m, &cut, 0, cut.k == t ? m->bytes[t] + m->workspace[t] : 0);
        tight += holds_just_so(m, &cut, most, trial);
    }
    ck_assert_int_gt(tight, 500);
}

TEST(event_cuts_by_enumeration)
{
    base_rng rng = {1};
    base_error error;
    int tight = 0;
    for (int trial = 0; trial < 3000; trial++) {
        OWNED(graph) *g = random_graph(&rng, NODES);
        problem p = problem_make(g, (int64_t)base_rng_below(&rng, 300));
        OWNED(cert_model) *m = cert_model_create(&p, CERT_EXCHANGES, &error);
        int tensor[NODES], t = 1 + (int)base_rng_below(&rng, NODES - 1);
        int64_t coef[NODES];
        cert_cut cut = {.t = t,
                        .k = (int)base_rng_below(&rng, (uint64_t)t + 1),
                        .tensor = tensor,
                        .coef = coef};
        cut.conditional = cut.k < t && base_rng_below(&rng, 2);
        for (int i = 0; i < t; i++) {
            bool own = i == cut.k || reads(g, cut.k, i);
            if (own && (cut.k == t || (cut.conditional && i != cut.k)))
                continue;
            tensor[cut.count] = i;
            coef[cut.count++] = (int64_t)base_rng_below(&rng, 9) - 2;
        }
        int64_t most = largest(m, &cut);
        tight += holds_just_so(m, &cut, most, trial);
    }
    ck_assert_int_gt(tight, 1500);
}

/* ---- propagation ------------------------------------------------------------------------ */

/* The open cells of the row at the loaded node, once each, up to `most`; -1: there are more. */
static int open_cells(const cert_proof *p, const cert_row *row, int *cell, int most)
{
    int count = 0;
    for (int e = 0; e < row->count; e++) {
        int c = p->m->same[row->col[e]];
        bool known = !cert_is_cell(p->m, c) || p->value[c] != CERT_OPEN;
        for (int k = 0; k < count; k++)
            known = known || cell[k] == c;
        if (!known && count == most)
            return -1;
        if (!known)
            cell[count++] = c;
    }
    return count;
}

/* Can the row be met with the open cells at the bits of `set`? Releases are what helps most. */
static bool can_hold(const cert_proof *p, const cert_row *row, const int *cell, int count,
                     unsigned set)
{
    double sum = 0;
    for (int e = 0; e < row->count; e++) {
        int c = p->m->same[row->col[e]];
        double value = p->value[c];
        for (int k = 0; k < count; k++)
            if (cell[k] == c)
                value = set >> k & 1;
        if (!cert_is_cell(p->m, c)) { /* the checker lets a release be 1 where its cell is open */
            int64_t low, high;
            cert_range(p, c, &low, &high);
            value = row->coef[e] < 0 && high > 0;
        }
        sum += row->coef[e] * value;
    }
    return sum <= row->rhs;
}

/* The step's outcome for a row against the enumeration of its cells. */
static bool check_propagation(cert_proof *p, int node, cert_key key)
{
    enum { MOST = 13 };
    OWNED(cert_row) row = {0};
    int cell[MOST], count = -1;
    bool can[MOST][2] = {{false}}, any = false;
    if (cert_row_make(p->m, key, true, &row))
        count = open_cells(p, &row, cell, MOST);
    for (unsigned set = 0; count >= 0 && set < 1u << count; set++)
        if (can_hold(p, &row, cell, count, set)) {
            any = true;
            for (int k = 0; k < count; k++)
                can[k][set >> k & 1] = true;
        }
    if (count >= 0) {
        ck_assert_ptr_null(cert_proof_propagate(p, node, &key));
        ck_assert_int_eq(p->node[node].closed, !any);
    }
    for (int k = 0; k < count && any; k++)
        ck_assert_int_eq(p->value[cell[k]], can[k][0] && can[k][1] ? CERT_OPEN : can[k][1]);
    return count > 0 && any;
}

/* Goes down a random path of the tree; the last node. */
static int descend(cert_proof *p, base_rng *rng)
{
    int node = 0, n = p->m->n;
    for (int depth = 1 + (int)base_rng_below(rng, 3); depth > 0; depth--) {
        int t = 1 + (int)base_rng_below(rng, (uint64_t)n - 1), first;
        int i = (int)base_rng_below(rng, (uint64_t)t);
        int col = cert_cell(p->m, (cert_kind)base_rng_below(rng, CERT_CELLS), t, i);
        ck_assert_ptr_null(cert_proof_branch(p, node, col, 0, &first));
        node = first + (int)base_rng_below(rng, 2);
        if (p->node[node].closed)
            node = 2 * first + 1 - node;
        if (p->node[node].closed)
            break;
    }
    return node;
}

TEST(propagation_by_enumeration)
{
    base_rng rng = {3};
    base_error error;
    int checked = 0;
    for (int trial = 0; trial < 6000; trial++) {
        int n = 4 + (int)base_rng_below(&rng, 2);
        OWNED(graph) *g = random_graph(&rng, n);
        problem p = problem_make(g, (int64_t)base_rng_below(&rng, 400));
        p.deadline_seconds = graph_base_seconds(g) + (double)base_rng_below(&rng, 8) / 8;
        OWNED(cert_proof) *proof = cert_proof_create(&p, CERT_EXCHANGES, false, 1e9, 1, &error);
        ck_assert(proof != NULL);
        int node = proof->node[0].closed ? 0 : descend(proof, &rng);
        /* a step at the node loads it */
        ck_assert_ptr_null(cert_proof_reduce(proof, node, NULL, 0));
        for (int k = 0; k < 10 && !proof->node[node].closed; k++) {
            cert_key key = {(cert_row_kind)base_rng_below(&rng, CERT_ROW_POINT_KEPT),
                            (int)base_rng_below(&rng, (uint64_t)n),
                            (int)base_rng_below(&rng, (uint64_t)n),
                            (int)base_rng_below(&rng, (uint64_t)n)};
            checked += check_propagation(proof, node, key);
        }
    }
    ck_assert_int_gt(checked, 3000);
}

/* Files name rows by these words. */
TEST(every_row_has_a_word)
{
    for (int k = 0; k < CERT_ROW_KINDS; k++) {
        ck_assert_msg(cert_row_names[k].word != NULL, "kind %d", k);
        for (int other = 0; other < k; other++)
            ck_assert_str_ne(cert_row_names[k].word, cert_row_names[other].word);
    }
}

/* ---- cases -------------------------------------------------------------------------------- */

/* The second case begins with what was known before the first. */
TEST(cases_begin_alike)
{
    base_rng rng = {11};
    base_error error;
    int changed = 0;
    for (int trial = 0; trial < 200; trial++) {
        OWNED(graph) *g = random_graph(&rng, 6);
        problem p = problem_make(g, 100 + (int64_t)base_rng_below(&rng, 400));
        OWNED(cert_proof) *proof = cert_proof_create(&p, CERT_EXCHANGES, false, 1e9, 1, &error);
        ck_assert(proof != NULL);
        cert_model *m = proof->m;
        size_t cols = (size_t)m->cols;
        int8_t *value = base_malloc(cols, sizeof *value);
        int *same = base_malloc(cols, sizeof *same), cell[4], first;
        memcpy(value, m->value, cols * sizeof *value);
        memcpy(same, m->same, cols * sizeof *same);
        bool closed = proof->node[0].closed;
        for (int k = 0; k < 4; k++) {
            int t = 1 + (int)base_rng_below(&rng, 5);
            cell[k] = cert_cell(m, (cert_kind)base_rng_below(&rng, CERT_CELLS), t,
                                (int)base_rng_below(&rng, (uint64_t)t));
        }
        ck_assert_ptr_null(cert_proof_first_case(proof, cell, 4));
        for (int k = 0; k < 4 && !closed; k++)
            ck_assert_int_eq(m->value[m->same[cell[k]]], 0);
        changed += memcmp(value, m->value, cols * sizeof *value) != 0;
        if (!proof->node[0].closed)
            ck_assert_ptr_nonnull(cert_proof_next_case(proof));
        ck_assert_ptr_null(cert_proof_branch(proof, 0, cell[0], 0, &first));
        cert_close(proof, first);
        cert_close(proof, first + 1);
        ck_assert_ptr_null(cert_proof_next_case(proof));
        ck_assert_int_eq(memcmp(value, m->value, cols * sizeof *value), 0);
        ck_assert_int_eq(memcmp(same, m->same, cols * sizeof *same), 0);
        ck_assert(proof->value == m->value);
        ck_assert_int_eq(proof->nodes, 1);
        ck_assert_int_eq(proof->open, !closed);
        base_free_all(value, same);
    }
    ck_assert_int_gt(changed, 50);
}

/* ---- numbers ------------------------------------------------------------------------------ */

/* Sums of products against rational arithmetic. */
TEST(sums_are_exact)
{
    base_rng rng = {7};
    mpz_t sum, scratch;
    mpq_t exact, a, b;
    mpz_inits(sum, scratch, NULL);
    mpq_inits(exact, a, b, NULL);
    for (int k = 0; k < 2000; k++) {
        double x = ldexp(base_rng_double(&rng) - 0.5, (int)base_rng_below(&rng, 200) - 100);
        double y = ldexp(base_rng_double(&rng) - 0.5, (int)base_rng_below(&rng, 200) - 100);
        if (k % 50 == 0)
            x = 0;
        number_add_product(sum, 400, k % 3 ? 1 : -1, number_of(x), number_of(y), scratch);
        mpq_set_d(a, x);
        mpq_set_d(b, y);
        mpq_mul(a, a, b);
        if (k % 3)
            mpq_add(exact, exact, a);
        else
            mpq_sub(exact, exact, a);
    }
    mpq_mul_2exp(exact, exact, 400);
    ck_assert_int_eq(mpz_cmp_ui(mpq_denref(exact), 1), 0);
    ck_assert_int_eq(mpz_cmp(mpq_numref(exact), sum), 0);
    ck_assert_double_eq(number_of(-96.0).mantissa, -3);
    ck_assert_int_eq(number_of(-96.0).exponent, 5);
    ck_assert_int_eq(number_of(0x1p-1074).exponent, -1074);
    mpz_clears(sum, scratch, NULL);
    mpq_clears(exact, a, b, NULL);
}
