/* Cuts as objects with counted references, the pool, which refuses a cut that it has and drops
 * those that stay loose for long, and the choice among the finds of a round: by efficacy, none
 * nearly parallel to one chosen before. */
#include "bnb/cut.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- one cut ------------------------------------------------------------ */

typedef struct cut_entry {
    int col;
    double value;
} cut_entry;

static int compare_entries(const void *a, const void *b)
{
    const cut_entry *p = a, *q = b;
    return (p->col > q->col) - (p->col < q->col);
}

static uint64_t mix(uint64_t h, uint64_t v)
{
    base_rng rng = {h ^ (v * 0x9E3779B97F4A7C15u)};
    return base_rng_next(&rng);
}

static uint64_t hash_double(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

static void finish_cut(const lp_model *m, bnb_poolcut *c)
{
    long double square = 0.0L;
    uint64_t hash = mix(hash_double(c->lower), hash_double(c->upper));
    c->integral = true;
    for (int k = 0; k < c->count; k++) {
        square += (long double)c->value[k] * c->value[k];
        hash = mix(mix(hash, (uint64_t)c->col[k]), hash_double(c->value[k]));
        c->integral = c->integral && m->integer[c->col[k]] && fabs(c->value[k]) < 1e9 &&
                      c->value[k] == nearbyint(c->value[k]);
    }
    c->norm = (double)sqrtl(square);
    c->hash = hash;
}

bnb_poolcut *bnb_poolcut_create(const lp_model *m, int count, const int *col, const double *value,
                                double lower, double upper, const char *kind)
{
    cut_entry *entry = base_malloc((size_t)count + 1, sizeof *entry);
    for (int k = 0; k < count; k++)
        entry[k] = (cut_entry){col[k], value[k]};
    qsort(entry, (size_t)count, sizeof *entry, compare_entries);
    bnb_poolcut *c = base_calloc(1, sizeof *c);
    atomic_init(&c->refs, 1);
    c->id = -1;
    c->row = -1;
    c->count = count;
    c->lower = lower;
    c->upper = upper;
    c->kind = kind;
    c->col = base_malloc((size_t)count + 1, sizeof *c->col);
    c->value = base_malloc((size_t)count + 1, sizeof *c->value);
    for (int k = 0; k < count; k++) {
        c->col[k] = entry[k].col;
        c->value[k] = entry[k].value;
        assert(k == 0 || c->col[k] > c->col[k - 1]);
    }
    base_free(entry);
    finish_cut(m, c);
    return c;
}

bool bnb_poolcut_says_something(int count, double lower, double upper)
{
    return count > 0 || lower > 0.0 || upper < 0.0;
}

void bnb_poolcut_hold(bnb_poolcut *c)
{
    atomic_fetch_add(&c->refs, 1);
}

void bnb_poolcut_release(bnb_poolcut *c)
{
    if (!c || atomic_fetch_sub(&c->refs, 1) > 1)
        return;
    base_free(c->col);
    base_free(c->value);
    bnb_derivation_free(c->derivation);
    base_free(c);
}

double bnb_poolcut_activity(const bnb_poolcut *c, const double *x)
{
    double sum = 0.0;
    for (int k = 0; k < c->count; k++)
        sum += c->value[k] * x[c->col[k]];
    return sum;
}

double bnb_poolcut_efficacy(const bnb_poolcut *c, const double *x)
{
    const double activity = bnb_poolcut_activity(c, x);
    return fmax(activity - c->upper, c->lower - activity) / fmax(c->norm, 1e-12);
}

double bnb_poolcut_parallelism(const bnb_poolcut *a, const bnb_poolcut *b)
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

/* ---- pool --------------------------------------------------------------- */

void bnb_pool_clear(bnb_pool *p)
{
    for (int k = 0; k < p->count; k++)
        bnb_poolcut_release(p->cut[k]);
    base_free(p->cut);
    base_free(p->age);
    *p = (bnb_pool){0};
}

bool bnb_pool_add(bnb_pool *p, bnb_poolcut *c)
{
    for (int k = 0; k < p->count; k++)
        if (p->cut[k]->hash == c->hash && p->cut[k]->count == c->count)
            return false;
    if (p->count == p->capacity) {
        p->capacity = p->capacity > 0 ? 2 * p->capacity : 64;
        p->cut = base_realloc(p->cut, (size_t)p->capacity, sizeof *p->cut);
        p->age = base_realloc(p->age, (size_t)p->capacity, sizeof *p->age);
    }
    bnb_poolcut_hold(c);
    p->age[p->count] = 0;
    p->cut[p->count++] = c;
    return true;
}

void bnb_pool_age(bnb_pool *p, const double *x, int limit)
{
    int kept = 0;
    for (int k = 0; k < p->count; k++) {
        bnb_poolcut *c = p->cut[k];
        const int age = bnb_poolcut_efficacy(c, x) > -1e-6 ? 0 : p->age[k] + 1;
        if (age > limit) {
            bnb_poolcut_release(c);
            continue;
        }
        p->cut[kept] = c;
        p->age[kept++] = age;
    }
    p->count = kept;
}

/* ---- a round's finds ---------------------------------------------------- */

void bnb_separation_init(bnb_separation *s, const bnb_instance *in, const bnb_tuning *tuning)
{
    const size_t cols = (size_t)in->model->cols + 1;
    *s = (bnb_separation){.in = in, .tuning = tuning};
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
    base_free(s->alpha);
    base_free(s->magnitude);
    base_free(s->col);
    base_free(s->present);
    base_free(s->slack);
    base_free(s->summand);
    base_free(s->term);
    base_free(s->weight);
    base_free(s->cut);
    base_free(s->efficacy);
    *s = (bnb_separation){0};
}

int bnb_separation_row(const bnb_separation *s, int r)
{
    return r < s->in->core_rows ? r : s->rows + r - s->in->core_rows;
}

void bnb_separation_store(bnb_separation *s, bnb_poolcut *c)
{
    if (s->holds_debug && bnb_poolcut_efficacy(c, s->in->debug) > 1e-6) {
        fprintf(stderr, "bnb: a %s cut loses the debug solution (violation %g)\n", c->kind,
                bnb_poolcut_efficacy(c, s->in->debug));
        abort();
    }
    for (int k = 0; k < s->cuts; k++)
        if (s->cut[k]->hash == c->hash && s->cut[k]->count == c->count) {
            bnb_poolcut_release(c);
            return;
        }
    if (s->cuts == s->cut_capacity) {
        s->cut_capacity = s->cut_capacity > 0 ? 2 * s->cut_capacity : 64;
        s->cut = base_realloc(s->cut, (size_t)s->cut_capacity, sizeof *s->cut);
        s->efficacy = base_realloc(s->efficacy, (size_t)s->cut_capacity, sizeof *s->efficacy);
    }
    s->efficacy[s->cuts] = bnb_poolcut_efficacy(c, s->x);
    s->cut[s->cuts++] = c;
}

typedef struct ranked_cut {
    double efficacy;
    int index;
} ranked_cut;

static int compare_ranked(const void *a, const void *b)
{
    const ranked_cut *p = a, *q = b;
    if (p->efficacy != q->efficacy)
        return p->efficacy > q->efficacy ? -1 : 1;
    return (p->index > q->index) - (p->index < q->index);
}

int bnb_separation_choose(const bnb_separation *s, int limit, double max_parallelism, int *chosen)
{
    ranked_cut *rank = base_malloc((size_t)s->cuts + 1, sizeof *rank);
    for (int k = 0; k < s->cuts; k++)
        rank[k] = (ranked_cut){s->efficacy[k], k};
    qsort(rank, (size_t)s->cuts, sizeof *rank, compare_ranked);
    int count = 0;
    for (int k = 0; k < s->cuts && count < limit; k++) {
        const bnb_poolcut *c = s->cut[rank[k].index];
        bool parallel = false;
        for (int i = 0; i < count && !parallel; i++)
            parallel = bnb_poolcut_parallelism(c, s->cut[chosen[i]]) > max_parallelism;
        if (!parallel)
            chosen[count++] = rank[k].index;
    }
    base_free(rank);
    return count;
}
