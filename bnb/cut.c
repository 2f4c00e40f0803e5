/* Cuts as objects with reference counts, and the cut pool. The pool refuses duplicates and drops
 * cuts that do not bind for long. */
#include "bnb/cut.h"
#include "bnb/sum.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- one cut ------------------------------------------------------------ */

static uint64_t hash_double(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

bnb_poolcut *bnb_poolcut_create(const lp_model *m, int count, const int *col, const double *value,
                                double lower, double upper, const char *kind)
{
    bnb_poolcut *c = base_calloc(1, sizeof *c);
    atomic_init(&c->refs, 1);
    c->id = -1;
    c->row = -1;
    c->count = count;
    c->lower = lower;
    c->upper = upper;
    c->kind = kind;
    c->col = base_copy(col, (size_t)count, sizeof *col);
    c->value = base_copy(value, (size_t)count, sizeof *value);
    lp_sort_entries(count, c->col, c->value);
    long double square = 0.0L;
    c->hash = base_mix(hash_double(lower), hash_double(upper));
    c->integral = true;
    for (int k = 0; k < count; k++) {
        square += (long double)c->value[k] * c->value[k];
        c->hash = base_mix(base_mix(c->hash, (uint64_t)c->col[k]), hash_double(c->value[k]));
        c->integral = c->integral && m->integer[c->col[k]] && fabs(c->value[k]) < 1e9 &&
                      c->value[k] == nearbyint(c->value[k]);
    }
    c->norm = (double)sqrtl(square);
    return c;
}

bnb_poolcut *bnb_poolcut_project(const lp_model *m, const bnb_cut *cut, const int *from,
                                 const double *removed, const char *kind)
{
    int *col = base_malloc((size_t)cut->count + 1, sizeof *col);
    double *value = base_malloc((size_t)cut->count + 1, sizeof *value);
    bnb_sum moved = {0.0L, 0.0L};
    int count = 0;
    for (int k = 0; k < cut->count; k++) {
        const int j = from[cut->col[k]];
        if (j < 0) {
            bnb_sum_add_product(&moved, cut->value[k], removed[cut->col[k]]);
        } else if (cut->value[k] != 0.0) {
            col[count] = j;
            value[count++] = cut->value[k];
        }
    }
    bnb_poolcut *p = NULL;
    const double lower = bnb_lower_less(cut->lower, &moved);
    const double upper = bnb_upper_less(cut->upper, &moved);
    if (count > 0 || lower > 0.0 || upper < 0.0) {
        p = bnb_poolcut_create(m, count, col, value, lower, upper, kind);
        p->tag = cut->tag;
    }
    base_free(col);
    base_free(value);
    return p;
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

void bnb_derivation_free(bnb_derivation *d)
{
    if (!d)
        return;
    base_free_all(d->row, d->weight, d->upper, d->slack, d->col, d->side, d->bound, d);
}

/* ---- pool --------------------------------------------------------------- */

enum { POOL_AGE = 40 }; /* rounds that a cut stays without a violation */

void bnb_pool_clear(bnb_pool *p)
{
    for (int k = 0; k < p->count; k++)
        bnb_poolcut_release(p->item[k].cut);
    base_free(p->item);
    *p = (bnb_pool){0};
}

bool bnb_pool_add(bnb_pool *p, bnb_poolcut *c)
{
    for (int k = 0; k < p->count; k++)
        if (p->item[k].cut->hash == c->hash && p->item[k].cut->count == c->count)
            return false;
    p->item = base_grow(p->item, p->count, &p->capacity, sizeof *p->item);
    bnb_poolcut_hold(c);
    p->item[p->count++] = (bnb_pooled){c, 0};
    return true;
}

void bnb_pool_age(bnb_pool *p, const double *x)
{
    int kept = 0;
    for (int k = 0; k < p->count; k++) {
        bnb_poolcut *c = p->item[k].cut;
        const int age = bnb_poolcut_efficacy(c, x) > -1e-6 ? 0 : p->item[k].age + 1;
        if (age > POOL_AGE)
            bnb_poolcut_release(c);
        else
            p->item[kept++] = (bnb_pooled){c, age};
    }
    p->count = kept;
}
