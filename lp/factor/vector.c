/* The sparse working vector. It is cleared by its list of nonzeros while the list is short, else
 * as a whole. */
#include "lp/factor/vector.h"

#include <math.h>
#include <string.h>

#include "base/base.h"

void lp_vector_init(lp_vector *v, int size)
{
    v->size = size;
    v->count = 0;
    v->index = base_malloc((size_t)size + 1, sizeof *v->index);
    v->value = base_calloc((size_t)size + 1, sizeof *v->value);
}

void lp_vector_free(lp_vector *v)
{
    base_free(v->index);
    base_free(v->value);
    *v = (lp_vector){0};
}

void lp_vector_clear(lp_vector *v)
{
    if (v->count < 0 || v->count > v->size / 4) {
        memset(v->value, 0, (size_t)v->size * sizeof *v->value);
    } else {
        for (int k = 0; k < v->count; k++)
            v->value[v->index[k]] = 0.0;
    }
    v->count = 0;
}

void lp_vector_copy(lp_vector *to, const lp_vector *from)
{
    lp_vector_clear(to);
    to->count = from->count;
    if (from->count < 0) {
        memcpy(to->value, from->value, (size_t)from->size * sizeof *to->value);
        return;
    }
    for (int k = 0; k < from->count; k++) {
        int i = from->index[k];
        to->index[k] = i;
        to->value[i] = from->value[i];
    }
}

void lp_vector_pack(lp_vector *v)
{
    const bool listed = v->count >= 0;
    const int count = listed ? v->count : v->size;
    int kept = 0;
    for (int k = 0; k < count; k++) {
        const int i = listed ? v->index[k] : k;
        if (fabs(v->value[i]) > LP_VECTOR_DROP)
            v->index[kept++] = i;
        else
            v->value[i] = 0.0;
    }
    v->count = kept;
}
