/* Columns of the checker's model: numbers, costs and existence, and the rounding of sizes, by the
 * rules of certificate/FORMAT.md. */
#include "certificate/model.h"

#include <stdlib.h>
#include <string.h>

const char *const cert_cell_word[] = {"R", "C", "P", "In", "Out"};
const char *const cert_trust_word[CERT_TRUSTS] = {"rules", "exchanges"};

/* ---- columns: five kinds of cells, EARLY and TWICE, n*n each; FREE, n*edges; LOAD, n --- */

static int block(const cert_model *m)
{
    return m->n * m->n;
}

int cert_free(const cert_model *m, int t, int edge)
{
    if (t < 0 || t >= m->n || m->g->user[edge] >= t)
        return -1;
    return (int)CERT_FREE * block(m) + t * m->g->edge_count + edge;
}

int cert_load(const cert_model *m, int t)
{
    return (int)CERT_FREE * block(m) + m->n * m->g->edge_count + t;
}

bool cert_is_cell(const cert_model *m, int col)
{
    return col < (int)CERT_CELLS * block(m);
}

double cert_cost(const cert_model *m, int col)
{
    if (!cert_is_cell(m, col))
        return 0;
    int i = col % m->n;
    switch ((cert_kind)(col / block(m))) {
    case CERT_R:
        return m->g->joules[i];
    case CERT_IN:
        return m->g->pagein_joules[i];
    case CERT_OUT:
        return m->g->pageout_joules[i];
    default:
        return 0;
    }
}

bool cert_is_page_in(const cert_model *m, int col, int *t, int *i)
{
    *t = col / m->n % m->n;
    *i = col % m->n;
    return col / block(m) == (int)CERT_IN;
}

int cert_factors(const cert_model *m, int col, cert_factor factor[2])
{
    if (col < (int)CERT_EARLY * block(m) || col >= cert_load(m, 0))
        return 0;
    const int kind = col / block(m), t = col % block(m) / m->n, i = col % m->n;
    factor[0] = factor[1] = (cert_factor){{-1, -1}};
    if (kind == (int)CERT_EARLY) {
        factor[0].cell[0] = cert_cell(m, CERT_OUT, t, i);
        return 1;
    }
    if (kind == (int)CERT_TWICE) {
        factor[0].cell[0] = cert_cell(m, CERT_R, t, i);
        factor[1] = (cert_factor){{cert_cell(m, CERT_C, t, i), cert_cell(m, CERT_P, t, i)}};
        return 2;
    }
    const int offset = col - (int)CERT_FREE * block(m);
    factor[0].cell[0] =
        cert_cell(m, CERT_R, offset / m->g->edge_count, m->g->user[offset % m->g->edge_count]);
    return 1;
}

/* ---- sizes ------------------------------------------------------------------------ */

static int descending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* Rounds sizes and budget so that the same sets of tensors fit. Small sizes become 0 and the budget
 * a multiple of the common divisor of the others, if all small ones together fit into the remainder
 * of the budget; the largest such divisor is taken. A tensor is in RAM once in a canonical
 * schedule, else up to three times: kept, computed again, paged in. A workspace is a size of its
 * own, which counts at most once. */
static void round_sizes(cert_model *m)
{
    const int n = m->n, sizes = 2 * n, copies = m->canonical ? 1 : 3;
    int64_t *size = base_malloc((size_t)sizes, sizeof *size);
    memcpy(size, m->g->bytes, (size_t)n * sizeof *size);
    memcpy(size + n, m->g->workspace, (size_t)n * sizeof *size);
    qsort(size, (size_t)sizes, sizeof *size, descending);
    int64_t rest = 0, best = 0, smallest = 0, divisor = 0;
    for (int k = 0; k < sizes; k++)
        rest += copies * size[k];
    for (int k = 0; k < sizes && size[k] > 0; k++) {
        divisor = base_gcd(size[k], divisor);
        rest -= copies * size[k];
        if (k + 1 < sizes && size[k + 1] == size[k])
            continue;
        if (divisor > best && rest <= m->budget % divisor) {
            best = divisor;
            smallest = size[k];
        }
    }
    for (int i = 0; i < n && best > 0; i++) {
        if (m->bytes[i] < smallest)
            m->bytes[i] = 0;
        if (m->workspace[i] < smallest)
            m->workspace[i] = 0;
    }
    if (best > 0)
        m->budget -= m->budget % best;
    base_free(size);
}

/* ---- the cells that there are ------------------------------------------------------- */

/* True if cell (t,i) can be 1 by the options and pins: a page-out comes after the computation, a
 * page-in after that, a copy from storage after that. A canonical schedule keeps a tensor without
 * bytes from its first computation on. */
static bool exists(const cert_model *m, cert_kind kind, int t, int i)
{
    const problem *p = m->p;
    if (kind == CERT_C)
        return true;
    if (m->canonical && m->bytes[i] == 0)
        return false;
    switch (kind) {
    case CERT_R:
        return problem_may_recompute(p, i);
    case CERT_OUT:
        return problem_may_page(p, i);
    case CERT_IN:
        return problem_may_page(p, i) && t >= i + 2;
    case CERT_P:
        return problem_may_page(p, i) && t >= i + 3;
    default:
        return false;
    }
}

int cert_model_check(const problem *p, base_error *error)
{
    const graph *g = p->graph;
    int64_t total = 0;
    for (int i = 0; i < g->n; i++)
        total += g->bytes[i] + g->workspace[i];
    if (g->n > CERT_MAX_NODES || total > CERT_MAX_BYTES / 8 || p->ram_budget_bytes > CERT_MAX_BYTES)
        return base_fail(error,
                         "certificates are for graphs of at most %d nodes and 2^49 bytes, and "
                         "budgets of at most 2^52",
                         CERT_MAX_NODES);
    if (g->edge_count > CERT_MAX_COLUMNS / g->n - (int)CERT_FREE * g->n - 1)
        return base_fail(error, "certificates are for models of at most %d columns",
                         CERT_MAX_COLUMNS);
    return 0;
}

void cert_unsettle(cert_model *m)
{
    m->settled = false;
    for (int i = 0; i < m->n; i++)
        m->due[i] = true;
}

cert_model *cert_model_create(const problem *p, cert_trust trust, base_error *error)
{
    const graph *g = p->graph;
    if (cert_model_check(p, error) != 0)
        return NULL;
    cert_model *m = base_calloc(1, sizeof *m);
    m->p = p;
    m->canonical = trust == CERT_EXCHANGES;
    m->g = g;
    m->n = g->n;
    m->budget = p->ram_budget_bytes;
    m->slack_seconds = problem_slack_seconds(p);
    m->bytes = base_malloc((size_t)g->n, sizeof *m->bytes);
    memcpy(m->bytes, g->bytes, (size_t)g->n * sizeof *m->bytes);
    m->workspace = base_malloc((size_t)g->n, sizeof *m->workspace);
    memcpy(m->workspace, g->workspace, (size_t)g->n * sizeof *m->workspace);
    round_sizes(m);
    m->cols = cert_load(m, 0) + m->n;
    m->value = base_malloc((size_t)m->cols, sizeof *m->value);
    m->same = base_malloc((size_t)m->cols, sizeof *m->same);
    memset(m->value, CERT_OPEN, (size_t)m->cols * sizeof *m->value);
    for (int c = 0; c < m->cols; c++)
        m->same[c] = c;
    for (int kind = 0; kind < (int)CERT_CELLS; kind++)
        for (int t = 0; t < m->n; t++)
            for (int i = 0; i < t; i++)
                if (!exists(m, (cert_kind)kind, t, i))
                    m->value[cert_cell(m, (cert_kind)kind, t, i)] = 0;
    m->due = base_malloc((size_t)m->n, sizeof *m->due);
    m->used = base_calloc((size_t)m->n + 1, sizeof *m->used);
    cert_unsettle(m);
    /* a node that does not fit, or a deadline below the base time */
    m->empty = graph_minimum_bytes(g, NULL) > p->ram_budget_bytes || m->slack_seconds < 0;
    return m;
}

void cert_model_free(cert_model *m)
{
    if (!m)
        return;
    base_free_all(m->bytes, m->workspace, m->value, m->same, m->due, m->used, m);
}
