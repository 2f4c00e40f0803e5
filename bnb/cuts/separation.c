/* The cuts found in a round of separation, and the choice among them: by efficacy, without nearly
 * parallel pairs. */
#include "bnb/cuts/separation.h"

#include "bnb/rank.h"

#define MAX_PARALLELISM 0.98 /* of two chosen cuts */

void bnb_separation_init(bnb_separation *s, const bnb_instance *in)
{
    const size_t cols = (size_t)in->model->cols + 1;
    *s = (bnb_separation){.in = in};
    s->alpha = base_calloc(cols, sizeof *s->alpha);
    s->magnitude = base_calloc(cols, sizeof *s->magnitude);
    s->col = base_malloc(cols, sizeof *s->col);
    s->present = base_calloc(cols, sizeof *s->present);
}

void bnb_separation_drop_cuts(bnb_separation *s)
{
    for (int k = 0; k < s->cuts; k++)
        bnb_poolcut_release(s->cut[k]);
    s->cuts = 0;
}

void bnb_separation_clear(bnb_separation *s)
{
    bnb_separation_drop_cuts(s);
    base_free_all(s->alpha, s->magnitude, s->col, s->present, s->summand, s->term, s->cut);
    *s = (bnb_separation){0};
}

int bnb_separation_row(const bnb_separation *s, int r)
{
    return r < s->in->core_rows ? r : s->rows + r - s->in->core_rows;
}

void bnb_separation_store(bnb_separation *s, bnb_poolcut *c)
{
    for (int k = 0; k < s->cuts; k++)
        if (s->cut[k]->hash == c->hash && s->cut[k]->count == c->count) {
            bnb_poolcut_release(c);
            return;
        }
    s->cut = base_grow(s->cut, s->cuts, &s->cut_capacity, sizeof(bnb_poolcut *));
    s->cut[s->cuts++] = c;
}

/* ---- the choice ----------------------------------------------------------- */

/* Returns |cosine| of the angle between two cuts. O(count of both). */
static double parallelism(const bnb_poolcut *a, const bnb_poolcut *b)
{
    double dot = 0.0;
    for (int i = 0, k = 0; i < a->count && k < b->count;) {
        if (a->col[i] == b->col[k])
            dot += a->value[i++] * b->value[k++];
        else if (a->col[i] < b->col[k])
            i++;
        else
            k++;
    }
    return fabs(dot) / fmax(a->norm * b->norm, 1e-24);
}

int bnb_separation_choose(const bnb_separation *s, int limit, int *chosen)
{
    bnb_ranked *rank = base_malloc((size_t)s->cuts + 1, sizeof *rank);
    for (int k = 0; k < s->cuts; k++)
        rank[k] = (bnb_ranked){bnb_poolcut_efficacy(s->cut[k], s->x), k};
    bnb_rank(rank, s->cuts);
    int count = 0;
    for (int k = 0; k < s->cuts && count < limit; k++) {
        const bnb_poolcut *c = s->cut[rank[k].index];
        bool parallel = false;
        for (int i = 0; i < count && !parallel; i++)
            parallel = parallelism(c, s->cut[chosen[i]]) > MAX_PARALLELISM;
        if (!parallel)
            chosen[count++] = rank[k].index;
    }
    base_free(rank);
    return count;
}
