/* The context of a thread, and the functions that callbacks may call with it. */
#include <string.h>

#include "bnb/fixing.h"
#include "bnb/search.h"

bnb_context *bnb_context_create(bnb_search *s, int thread, const bnb_context *like)
{
    const lp_model *m = s->in->model;
    const size_t cols = (size_t)m->cols + 1, full = (size_t)s->original->cols + 1;
    bnb_context *c = base_calloc(1, sizeof *c);
    c->search = s;
    c->in = s->in;
    c->thread = thread;
    bnb_domain_init(&c->domain, s->in, atomic_load(&s->cutoff));
    c->domain.integers_only = s->params.proof != NULL;
    bnb_relaxation_init(&c->lp, s);
    bnb_pseudo_init(&c->pseudo, m->cols);
    bnb_separation_init(&c->separation, s->in);
    c->x = base_calloc(cols, sizeof *c->x);
    c->d = base_calloc(cols, sizeof *c->d);
    c->found = base_malloc(full, sizeof *c->found);
    c->found_objective = LP_INFINITY;
    if (like) {
        for (int k = 0; k < like->pool.count; k++)
            bnb_pool_add(&c->pool, like->pool.item[k].cut);
        for (int i = 0; i < 2; i++) {
            memcpy(c->pseudo.col[i], like->pseudo.col[i], (cols - 1) * sizeof(bnb_mean));
            c->pseudo.all[i] = like->pseudo.all[i];
        }
        c->rins_node = like->rins_node;
    }
    return c;
}

void bnb_context_free(bnb_context *c)
{
    bnb_domain_clear(&c->domain);
    bnb_relaxation_clear(&c->lp);
    bnb_pseudo_clear(&c->pseudo);
    bnb_pool_clear(&c->pool);
    bnb_separation_clear(&c->separation);
    bnb_messages_clear(&c->outbox);
    bnb_heap_clear(&c->own);
    base_free_all(c->x, c->d, c->y, c->found, c);
}

bool bnb_context_load(bnb_context *c, bnb_node *n)
{
    const size_t cols = (size_t)c->in->model->cols;
    double *lower = base_copy(c->search->lower, cols, sizeof *lower);
    double *upper = base_copy(c->search->upper, cols, sizeof *upper);
    bnb_fix_by_root_costs(c, lower, upper);
    const bool possible = bnb_node_apply(n, lower, upper);
    c->node = n;
    c->bound = n->bound;
    c->dual_bound = -LP_INFINITY;
    c->reductions = 0;
    bnb_domain_load(&c->domain, lower, upper);
    base_free(lower);
    base_free(upper);
    return possible;
}

/* ---- functions for callbacks -------------------------------------------- */

void bnb_add_cut(bnb_context *c, const bnb_cut *cut)
{
    const bnb_instance *in = c->in;
    if (!c->separating)
        return;
    bnb_poolcut *pool = bnb_poolcut_project(in->model, cut, in->from_original, in->removed, "user");
    if (pool)
        bnb_separation_store(&c->separation, pool);
}
