/* Rounds of presolve: propagated bounds, reductions of rows and coefficients (presolve_rows.c)
 * and dual fixing. After each round fixed columns leave the model. The rounds end
 * when little changes. */
#include "bnb/model/presolve.h"

#include "bnb/model/domain.h"
#include "bnb/model/twins.h"
#include "bnb/sum.h"

enum { ROUNDS = 8 };

/* ---- bounds ------------------------------------------------------------- */

/* Propagates; returns the number of tightened bounds; -1: infeasible. */
static int tighten_bounds(lp_model *m, double cutoff)
{
    bnb_instance *in = bnb_instance_create(lp_model_copy(m), m->rows, m->cols, NULL, NULL, false);
    bnb_domain d;
    int changes = 0;
    bnb_domain_init(&d, in, cutoff);
    bnb_domain_queue_all(&d);
    const bool possible = bnb_domain_propagate(&d);
    for (int j = 0; possible && j < m->cols; j++) {
        /* Continuous columns keep their own finite bounds: an implied bound in the LP only adds
         * degenerate vertices. */
        const bool lower = m->integer[j] || m->lower[j] == -LP_INFINITY;
        const bool upper = m->integer[j] || m->upper[j] == LP_INFINITY;
        const bool closed = d.lower[j] == d.upper[j];
        if ((lower || closed) && d.lower[j] > m->lower[j]) {
            m->lower[j] = d.lower[j];
            changes++;
        }
        if ((upper || closed) && d.upper[j] < m->upper[j]) {
            m->upper[j] = d.upper[j];
            changes++;
        }
    }
    bnb_domain_clear(&d);
    bnb_instance_free(in);
    return possible ? changes : -1;
}

/* ---- fixed columns and removed rows ------------------------------------- */

/* Moves the shares of fixed columns into row sides and offset, rounded outward, and deletes the
 * columns. only_zeros: only columns fixed at 0. */
static void remove_fixed_columns(lp_model *m, bnb_presolved *p, bool only_zeros)
{
    bool *drop = base_calloc((size_t)m->cols + 1, sizeof *drop);
    bnb_sum *moved = base_calloc((size_t)m->rows + 1, sizeof *moved);
    bnb_sum offset = {m->offset, 0.0L};
    int kept = 0, gone = 0;
    for (int j = 0; j < m->cols; j++) {
        if (m->lower[j] != m->upper[j] || (only_zeros && m->lower[j] != 0.0)) {
            p->to_col[kept++] = p->to_col[j];
            continue;
        }
        const double x = m->lower[j];
        drop[j] = true;
        gone++;
        p->removed[p->to_col[j]] = x;
        bnb_sum_add_product(&offset, m->cost[j], x);
        for (int k = m->start[j]; x != 0.0 && k < m->start[j + 1]; k++)
            bnb_sum_add_product(&moved[m->index[k]], m->value[k], x);
    }
    m->offset = bnb_sum_down(&offset);
    for (int r = 0; r < m->rows; r++)
        if (moved[r].value != 0.0L || moved[r].error != 0.0L) {
            m->row_lower[r] = bnb_lower_less(m->row_lower[r], &moved[r]);
            m->row_upper[r] = bnb_upper_less(m->row_upper[r], &moved[r]);
        }
    if (gone > 0)
        lp_model_delete_cols(m, drop);
    base_free(drop);
    base_free(moved);
}

/* ---- dual fixing -------------------------------------------------------- */

static int fix_by_cost(lp_model *m)
{
    bnb_instance *in = bnb_instance_create(lp_model_copy(m), m->rows, m->cols, NULL, NULL, false);
    int changes = 0;
    for (int j = 0; j < m->cols; j++) {
        if (m->lower[j] == m->upper[j])
            continue;
        if (m->cost[j] >= 0.0 && in->down_locks[j] == 0 && m->lower[j] > -LP_INFINITY) {
            m->upper[j] = m->lower[j];
            changes++;
        } else if (m->cost[j] <= 0.0 && in->up_locks[j] == 0 && m->upper[j] < LP_INFINITY) {
            m->lower[j] = m->upper[j];
            changes++;
        }
    }
    bnb_instance_free(in);
    return changes;
}

/* ---- all together ------------------------------------------------------- */

/* One round; returns the number of changes; -1: infeasible. */
static int presolve_round(lp_model *m, bnb_presolved *p, double cutoff, bool dual)
{
    bool *drop = base_calloc((size_t)m->rows + 1, sizeof *drop);
    base_work_count(50 * (size_t)m->start[m->cols]);
    int changes = tighten_bounds(m, cutoff);
    int more = changes < 0 ? -1 : bnb_presolve_rows(m, drop);
    changes += more;
    if (more >= 0) {
        int kept = 0;
        for (int r = 0; r < m->rows; r++)
            if (!drop[r])
                p->to_row[kept++] = p->to_row[r];
        if (kept < m->rows)
            lp_model_delete_rows(m, drop);
        changes += bnb_presolve_coefficients(m);
        changes += dual ? fix_by_cost(m) : 0;
        remove_fixed_columns(m, p, false);
    }
    base_free(drop);
    return more < 0 ? -1 : changes;
}

static bnb_presolved unchanged(const lp_model *m)
{
    bnb_presolved p = {.model = lp_model_copy(m)};
    p.to_col = base_malloc((size_t)m->cols + 1, sizeof *p.to_col);
    p.to_row = base_malloc((size_t)m->rows + 1, sizeof *p.to_row);
    p.removed = base_calloc((size_t)m->cols + 1, sizeof *p.removed);
    for (int j = 0; j < m->cols; j++)
        p.to_col[j] = j;
    for (int r = 0; r < m->rows; r++)
        p.to_row[r] = r;
    return p;
}

bnb_presolved bnb_presolve_plainly(const lp_model *m)
{
    bnb_presolved p = unchanged(m);
    remove_fixed_columns(p.model, &p, true);
    return p;
}

bnb_presolved bnb_presolve(const lp_model *m, double cutoff, bool dual, bool order,
                           const base_limits *limits)
{
    bnb_presolved p = unchanged(m);
    for (int round = 0; round < ROUNDS && base_limits_check(limits) == BASE_GO; round++) {
        const int size = p.model->cols + p.model->rows;
        const int changes = presolve_round(p.model, &p, cutoff, dual);
        if (changes < 0) {
            lp_model_free(p.model);
            p.model = NULL;
            break;
        }
        if (changes <= size / 200)
            break;
    }
    if (order && p.model) {
        p.twins = bnb_order_twins(p.model);
        const int rows = p.model->rows;
        p.to_row = base_realloc(p.to_row, (size_t)rows + 1, sizeof *p.to_row);
        for (int r = rows - p.twins; r < rows; r++)
            p.to_row[r] = -1;
    }
    return p;
}

void bnb_presolved_clear(bnb_presolved *p)
{
    lp_model_free(p->model);
    base_free_all(p->to_col, p->to_row, p->removed);
}
