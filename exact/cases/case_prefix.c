/* Labels of a case from a moment on, back to the first stage. */
#include "exact/cases/case_prefix.h"

#include <math.h>
#include <string.h>

#include "exact/labels/label_pass.h"
#include "exact/timeline/coarse.h"
#include "lp/safe.h"

enum { MOST_AWAY = 6 }; /* tensors that are wanted by some first labels and not by others */

typedef struct later {
    const case_moment *m;
    coarse *c; /* stage - 1 is a point */
    int at;    /* its number, from 1 */
    lp_solver *lp;
    double *lower, *upper; /* of the columns in the solver */
    int away[MOST_AWAY], count;
} later;

/* ---- the stages from the moment on ------------------------------------------------ */

/* The fate of i is not that it is kept, and it is dear. */
static bool may_leave(const case_moment *m, int i)
{
    return m->fate[i] == FATE_AWAY || m->fate[i] == FATE_OPEN;
}

/* Labels pay for the actions before the moment. A page-out is paid by the timeline if the tensor
 * may leave, else by the labels. */
static void free_earlier(later *l)
{
    for (int k = 0; k < l->c->model->cols; k++) {
        const formulation_key *key = &l->c->column[k];
        const bool acts = key->kind == COARSE_COMPUTE || key->kind == COARSE_PAGEIN;
        if ((acts && key->t < l->at) || (key->kind == COARSE_EARLY && key->i < l->m->stage) ||
            (key->kind == COARSE_OUT && !may_leave(l->m, key->i)))
            l->c->model->cost[k] = 0;
    }
}

/* Tensors that may leave, and perhaps are in RAM at the moment. (Inputs of stage - 1 are at its
 * event, and the timeline's column says no more.) */
static void find_away(later *l)
{
    const graph *g = l->m->p->graph;
    const int stage = l->m->stage;
    for (int i = 0; i < stage && l->count < MOST_AWAY; i++)
        if (may_leave(l->m, i) && g->last_user[i] >= stage && !graph_is_input(g, i, stage - 1) &&
            l->c->live[coarse_cell(l->c, l->at, i)] >= 0)
            l->away[l->count++] = i;
}

static later open_later(const case_moment *m)
{
    later l = {.m = m};
    int *point = base_malloc((size_t)m->points + 1, sizeof *point), k = 0;
    while (k < m->points && m->point[k] < m->stage - 1)
        k++;
    const bool has = k < m->points && m->point[k] == m->stage - 1;
    memcpy(point, m->point, (size_t)k * sizeof *point);
    point[k] = m->stage - 1;
    memcpy(point + k + 1, m->point + k + has, (size_t)(m->points - k - has) * sizeof *point);
    l.at = k + 1;
    l.c = coarse_build(m->p, m->features, point, m->points + !has, m->scale);
    base_free(point);
    coarse_add_fates(l.c, m->fate, m->scale, NULL);
    free_earlier(&l);
    find_away(&l);
    const size_t cols = (size_t)l.c->model->cols;
    l.lower = base_malloc(2 * cols + 1, sizeof *l.lower);
    l.upper = l.lower + cols;
    memcpy(l.lower, l.c->model->lower, cols * sizeof *l.lower);
    memcpy(l.upper, l.c->model->upper, cols * sizeof *l.upper);
    l.lp = lp_solver_create(l.c->model, NULL);
    return l;
}

static void close_later(later *l)
{
    lp_solver_free(l->lp);
    coarse_free(l->c);
    base_free(l->lower);
}

/* Lower bound on the cost from the moment on, joules, if the tensors in RAM at the moment that may
 * leave are the set. INFINITY: there is no such schedule. */
static double later_joules(later *l, int set)
{
    const lp_model *m = l->c->model;
    for (int k = 0; k < l->count; k++) {
        const int col = l->c->live[coarse_cell(l->c, l->at, l->away[k])];
        l->lower[col] = l->upper[col] = set >> k & 1;
        lp_set_bounds(l->lp, col, l->lower[col], l->upper[col]);
    }
    const lp_status status = lp_solve(l->lp);
    if (status == LP_INFEASIBLE && lp_farkas_is_proof(m, l->lower, l->upper, lp_farkas(l->lp)))
        return INFINITY;
    if (status != LP_OPTIMAL)
        return 0;
    return fmax(0, lp_safe_bound(m, l->lower, l->upper, lp_dual(l->lp), NULL) / l->m->scale);
}

/* ---- the stages before it ------------------------------------------------------------ */

/* Adds the first labels. False: there is none below the cutoff. */
static bool add_labels(later *l, label_pass *pass, double cutoff)
{
    const case_moment *m = l->m;
    const graph *g = m->p->graph;
    bool *wanted = base_calloc(2 * (size_t)g->n, sizeof *wanted), *stored = wanted + g->n;
    bool any = false;
    for (int i = 0; i < m->stage; i++) {
        stored[i] = may_leave(m, i);
        wanted[i] = g->last_user[i] >= m->stage && !problem_may_leave(m->p, i);
    }
    for (int set = 0; set < 1 << l->count; set++) {
        const double joules = later_joules(l, set);
        if (joules >= cutoff)
            continue;
        for (int k = 0; k < l->count; k++)
            wanted[l->away[k]] = set >> k & 1;
        label_pass_add(pass, m->stage, wanted, stored, joules);
        any = true;
    }
    base_free(wanted);
    return any;
}

double case_moment_bound(const case_moment *m, long width, double cutoff, double least, double work)
{
    const double end = (double)base_work_done() + work;
    later l = open_later(m);
    label_pass pass = label_pass_open(m->p, NULL, true, width, cutoff);
    double bound = cutoff;
    if (add_labels(&l, &pass, cutoff)) {
        while (label_pass_step(&pass, cutoff) && (double)base_work_done() < end &&
               label_pass_dropped(&pass) > least && !(m->e && engine_done(m->e)))
            ;
        bound = fmin(cutoff, label_pass_bound(&pass));
    }
    label_pass_close(&pass);
    close_later(&l);
    return bound;
}

static double success_rate(const case_record *r)
{
    return (r->successes + 1.0) / (r->tries + 2.0);
}

int case_choose_moment(const case_record *record, unsigned passed)
{
    int best = -1;
    for (int k = 0; k < CASE_MOMENTS; k++)
        if (!(passed & 1u << k) &&
            (best < 0 || success_rate(&record[k]) > success_rate(&record[best])))
            best = k;
    return best;
}

double case_prefix(const engine_case *c, engine *e, double work, long width, int moment)
{
    const int n = c->problem.graph->n;
    const double bound = c->bound / e->scale, cutoff = engine_cutoff(e) / e->scale;
    int first = 0;
    if (coarse_first_points(&c->problem, 1, &first) == 0)
        return c->bound;
    const case_moment m = {.p = &c->problem,
                           .fate = c->fate,
                           .features = e->features,
                           .scale = e->scale,
                           .stage = first + 1 + (moment + 1) * (n - 1 - first) / (CASE_MOMENTS + 1),
                           .points = c->own.points.count,
                           .point = c->own.points.stage,
                           .e = e};
    const double own = case_moment_bound(&m, width, cutoff, bound, work);
    return own >= cutoff ? engine_cutoff(e) : own * e->scale;
}
