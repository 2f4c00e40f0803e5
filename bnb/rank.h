/* bnb/rank: sorts indices by a key. */
#ifndef BNB_RANK_H
#define BNB_RANK_H

#include <stdlib.h>

typedef struct bnb_ranked {
    double key;
    int index;
} bnb_ranked;

static inline int bnb_ranked_compare(const void *a, const void *b)
{
    const bnb_ranked *p = a, *q = b;
    if (p->key != q->key)
        return p->key > q->key ? -1 : 1;
    return (p->index > q->index) - (p->index < q->index);
}

/* Sorts by falling key; ties: by index. */
static inline void bnb_rank(bnb_ranked *list, int count)
{
    qsort(list, (size_t)count, sizeof *list, bnb_ranked_compare);
}

#endif
