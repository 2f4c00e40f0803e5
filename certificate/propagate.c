/* Propagation of single rows, and leaves without an open cell. */
#include "certificate/proof_internal.h"

/* Adds up the terms of p->row with equal columns. */
static void gather(cert_proof *p)
{
    cert_row *row = &p->row;
    int kept = 0;
    base_work((size_t)row->count * 60);
    for (int e = 0; e < row->count; e++) {
        int col = cert_same(p, row->col[e]);
        if (p->place[col] >= 0) {
            row->coef[p->place[col]] += row->coef[e];
            continue;
        }
        p->place[col] = kept;
        row->col[kept] = col;
        row->coef[kept++] = row->coef[e];
    }
    row->count = kept;
    for (int e = 0; e < kept; e++)
        p->place[row->col[e]] = -1;
}

/* p->number = coef on the grid. */
static void set_number(cert_proof *p, double coef)
{
    const number one = {1, 0};
    mpz_set_ui(p->number, 0);
    number_add_product(p->number, p->grid, 1, one, number_of(coef), p->scratch);
}

/* p->sum = right side less the least activity: what open columns may add. */
static void slack(cert_proof *p)
{
    set_number(p, p->row.rhs);
    mpz_set(p->sum, p->number);
    for (int e = 0; e < p->row.count; e++) {
        int64_t low, high;
        cert_range(p, p->row.col[e], &low, &high);
        if ((p->row.coef[e] > 0 ? low : high) == 0)
            continue;
        set_number(p, p->row.coef[e]);
        mpz_set_si(p->scratch, p->row.coef[e] > 0 ? low : high);
        mpz_submul(p->sum, p->number, p->scratch);
    }
}

/* Restricts a total by p->sum. */
static void propagate_to_total(cert_proof *p, int node, int col, double coef)
{
    mpz_t d;
    mpz_init(d);
    set_number(p, coef);
    mpz_set(d, p->number);
    mpz_neg(p->sum, p->sum);
    cert_reduce_total(p, node, col - p->m->cols, d, false);
    mpz_neg(p->sum, p->sum);
    mpz_clear(d);
}

static void propagate_row(cert_proof *p, int node)
{
    gather(p);
    slack(p);
    if (mpz_sgn(p->sum) < 0) {
        cert_close(p, node);
        return;
    }
    for (int e = 0; e < p->row.count && !p->node[node].closed; e++) {
        int col = p->row.col[e];
        double coef = p->row.coef[e];
        if (col >= p->m->cols) {
            propagate_to_total(p, node, col, coef);
            continue;
        }
        if (coef == 0 || !cert_is_cell(p->m, col) || p->value[col] != CERT_OPEN)
            continue;
        set_number(p, coef);
        if (mpz_cmpabs(p->number, p->sum) > 0)
            cert_fix(p, node, col, coef > 0 ? 0 : 1);
    }
}

/* Least, or largest, activity of the cells of p->row. */
static int64_t extreme_activity(const cert_proof *p, bool most)
{
    int64_t sum = 0;
    for (int e = 0; e < p->row.count; e++) {
        int64_t low, high;
        cert_range(p, p->row.col[e], &low, &high);
        sum += (most ? high : low) * (int64_t)p->row.coef[e];
    }
    return sum;
}

/* Restricts the total to at least, or at most (upper), the activity of its cells, and fixes cells
 * accordingly. True if that changed something. */
static bool propagate_side(cert_proof *p, int node, int k, bool upper)
{
    const int64_t sum = extreme_activity(p, upper);
    const cert_span before = p->total[k].now;
    bool news = upper ? sum < before.high : sum > before.low;
    base_work((size_t)p->row.count * 20);
    cert_narrow(p, node, k, upper ? (cert_span){INT64_MIN, sum} : (cert_span){sum, INT64_MAX});
    for (int e = 0; e < p->row.count && !p->node[node].closed; e++) {
        const int col = p->row.col[e];
        const int64_t weight = (int64_t)p->row.coef[e];
        if (p->value[col] != CERT_OPEN)
            continue;
        if (upper ? sum - weight < before.low : sum + weight > before.high) {
            cert_fix(p, node, col, upper);
            news = true;
        }
    }
    return news;
}

/* Propagates between a total and its cells until nothing changes. */
static void propagate_total(cert_proof *p, int node, int k)
{
    cert_total_row(p, k, true, &p->row);
    gather(p);
    for (bool news = true; news;) {
        news = false;
        for (int upper = 0; upper < 2 && !p->node[node].closed; upper++)
            news = propagate_side(p, node, k, upper) || news;
        news = news && !p->node[node].closed;
    }
}

static bool is_one(const cert_proof *p, cert_kind kind, int t, int i)
{
    return p->value[p->m->same[cert_cell(p->m, kind, t, i)]] == 1;
}

static bool is_written_before(const cert_proof *p, int t, int i)
{
    base_work((size_t)(t - i));
    for (int s = i + 1; s < t; s++)
        if (is_one(p, CERT_OUT, s, i))
            return true;
    return false;
}

/* sum = cost of the cell where the cells that are 1 stay so. A page-in needs a page-out before it.
 */
static void added_cost(cert_proof *p, int col, mpz_t sum)
{
    int t, i;
    mpz_set_ui(sum, 0);
    number_add_product(sum, p->grid, 1, p->scale, number_of(cert_cost(p->m, col)), p->scratch);
    if (cert_is_page_in(p->m, col, &t, &i) && !is_written_before(p, t, i))
        number_add_product(sum, p->grid, 1, p->scale, number_of(p->m->g->pageout_joules[i]),
                           p->scratch);
}

/* Fixes at 0 the cells whose costs, with those of the cells that are 1, reach the target. */
static void propagate_costs(cert_proof *p, int node)
{
    mpz_set(p->sum, p->target);
    for (int k = 0, col; (col = cert_next_cell(p, &k)) >= 0;)
        if (p->value[col] == 1)
            number_add_product(p->sum, p->grid, -1, p->scale, number_of(cert_cost(p->m, col)),
                               p->scratch);
    if (mpz_sgn(p->sum) <= 0) {
        cert_close(p, node);
        return;
    }
    for (int k = 0, col; (col = cert_next_cell(p, &k)) >= 0;) {
        if (p->value[col] != CERT_OPEN)
            continue;
        added_cost(p, col, p->number);
        if (mpz_cmp(p->number, p->sum) >= 0)
            cert_fix(p, node, col, 0);
    }
}

const char *cert_proof_propagate(cert_proof *p, int node, const cert_key *key)
{
    if (cert_idle(p, node) || cert_branched(p, node))
        return cert_branched(p, node);
    if (!key && p->impossible)
        return "a proof that there is no schedule has no target to reach";
    if (!key) {
        propagate_costs(p, node);
    } else if (key->kind == CERT_ROW_TOTAL) {
        if (p->total[key->i].coarse)
            return "there is no such row";
        propagate_total(p, node, key->i);
    } else {
        bool cut = key->kind == CERT_ROW_KINDS;
        if (cut && p->cut[key->i].rounded)
            return "a rounded cut does not propagate";
        if (!cert_proof_row(p, cut ? key->i : -1, *key, true))
            return "there is no such row";
        if (p->row.equality)
            return "equalities do not propagate";
        propagate_row(p, node);
    }
    cert_settle_node(p, node);
    return NULL;
}

/* ---- nodes without an open cell --------------------------------------------------------- */

void cert_proof_overhead(cert_proof *p, const schedule *s, mpz_t sum)
{
    const graph *g = p->m->g;
    mpz_set_ui(sum, 0);
    for (int t = 0; t < s->n; t++)
        for (int i = 0; i < t; i++) {
            size_t cell = schedule_cell(s, t, i);
            const double cost[3] = {s->R[cell] ? g->joules[i] : 0,
                                    s->In[cell] ? g->pagein_joules[i] : 0,
                                    s->Out[cell] ? g->pageout_joules[i] : 0};
            for (int k = 0; k < 3; k++)
                number_add_product(sum, p->grid, 1, p->scale, number_of(cost[k]), p->scratch);
        }
}

/* Schedule of the loaded node's cells; NULL if one is open. */
static schedule *schedule_of(const cert_proof *p)
{
    const cert_model *m = p->m;
    schedule *s = schedule_create(m->n);
    bool open = false;
    for (int t = 0; t < m->n && !open; t++)
        for (int i = 0; i < t; i++) {
            size_t cell = schedule_cell(s, t, i);
            for (int kind = 0; kind < (int)CERT_CELLS; kind++)
                open = open || p->value[m->same[cert_cell(m, (cert_kind)kind, t, i)]] == CERT_OPEN;
            s->R[cell] = is_one(p, CERT_R, t, i);
            s->S[cell] = is_one(p, CERT_C, t, i) || is_one(p, CERT_P, t, i);
            s->In[cell] = is_one(p, CERT_IN, t, i);
            s->Out[cell] = is_one(p, CERT_OUT, t, i);
            if (t > i + 1)
                s->A[cell] = s->A[cell - (size_t)m->n] || s->Out[cell - (size_t)m->n];
        }
    if (!open)
        return s;
    schedule_free(s);
    return NULL;
}

/* True if tensor i is idle in stage t and is paged out there after the first chance, so that a
 * canonical schedule may have released it before. */
static bool is_released_early(const cert_model *m, const schedule *s, int t, int i)
{
    const graph *g = m->g;
    if (!m->canonical || t == i + 1 || !s->Out[schedule_cell(s, t, i)] ||
        (t + 1 < m->n && s->S[schedule_cell(s, t + 1, i)]))
        return false;
    for (int e = g->user_start[i]; e < g->user_start[i + 1] && g->user[e] <= t; e++)
        if (s->R[schedule_cell(s, t, g->user[e])])
            return false;
    return true;
}

/* Memory of stage t, without the tensors that are released early. */
static int64_t stage_memory(const cert_model *m, schedule *s, int t)
{
    int *released = base_malloc((size_t)t + 1, sizeof *released), count = 0;
    for (int i = 0; i < t; i++)
        if (is_released_early(m, s, t, i))
            released[count++] = i;
    for (int k = 0; k < count; k++)
        s->S[schedule_cell(s, t, released[k])] = 0;
    const int64_t bytes = schedule_stage_memory(m->p, s, t, NULL);
    for (int k = 0; k < count; k++)
        s->S[schedule_cell(s, t, released[k])] = 1;
    base_free(released);
    return bytes;
}

/* True if the schedule obeys every rule, with early releases granted. */
static bool is_valid(const cert_model *m, schedule *s)
{
    problem roomy = *m->p;
    roomy.ram_budget_bytes = INT64_MAX;
    bool valid = schedule_validate(&roomy, s, NULL, NULL) == 0;
    for (int t = 0; t < m->n && valid; t++)
        valid = stage_memory(m, s, t) <= m->p->ram_budget_bytes;
    return valid;
}

const char *cert_proof_leaf_schedule(cert_proof *p, int node)
{
    if (cert_idle(p, node) || cert_branched(p, node))
        return cert_branched(p, node);
    schedule *s = schedule_of(p);
    if (!s)
        return "a cell of the node is open";
    const bool valid = is_valid(p->m, s);
    cert_proof_overhead(p, s, p->sum);
    schedule_free(s);
    if (valid && (p->impossible || mpz_cmp(p->sum, p->target) < 0))
        return "the schedule of the node is valid and better than the claim";
    cert_close(p, node);
    return NULL;
}
