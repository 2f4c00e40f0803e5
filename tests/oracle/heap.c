/* A binary heap over indices, with the order given by its owner. */
#include "tests/oracle/heap.h"

#include "base/base.h"

enum { FIRST_CAPACITY = 1024 };

void oracle_heap_push(oracle_heap *h, int k)
{
    if (h->count == h->capacity) {
        h->capacity = h->capacity > 0 ? 2 * h->capacity : FIRST_CAPACITY;
        h->item = base_realloc(h->item, (size_t)h->capacity, sizeof *h->item);
    }
    int at = h->count++;
    for (; at > 0 && h->before(h->owner, k, h->item[(at - 1) / 2]); at = (at - 1) / 2)
        h->item[at] = h->item[(at - 1) / 2];
    h->item[at] = k;
}

int oracle_heap_pop(oracle_heap *h)
{
    const int top = h->item[0], k = h->item[--h->count];
    int at = 0;
    for (int child = 1; child < h->count; child = 2 * at + 1) {
        if (child + 1 < h->count && h->before(h->owner, h->item[child + 1], h->item[child]))
            child++;
        if (!h->before(h->owner, h->item[child], k))
            break;
        h->item[at] = h->item[child];
        at = child;
    }
    h->item[at] = k;
    return top;
}

void oracle_heap_clear(oracle_heap *h)
{
    base_free(h->item);
    *h = (oracle_heap){0};
}
