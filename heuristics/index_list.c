/* Lists of nodes by insertion: they are short. */
#include "heuristics/index_list.h"

#include <assert.h>
#include <string.h>

#include "base/base.h"

void index_list_append(index_list *l, int node)
{
    if (l->count == l->capacity) {
        l->capacity = l->capacity ? 2 * l->capacity : 4;
        l->at = base_realloc(l->at, (size_t)l->capacity, sizeof *l->at);
    }
    l->at[l->count++] = node;
}

static int place_of(const index_list *l, int node)
{
    int k = l->count;
    while (k > 0 && l->at[k - 1] >= node)
        k--;
    return k;
}

void index_list_insert(index_list *l, int node)
{
    index_list_append(l, node);
    int k = l->count - 1;
    for (; k > 0 && l->at[k - 1] > node; k--)
        l->at[k] = l->at[k - 1];
    l->at[k] = node;
}

void index_list_remove(index_list *l, int node)
{
    const int k = place_of(l, node);
    assert(k < l->count && l->at[k] == node);
    l->count--;
    memmove(&l->at[k], &l->at[k + 1], (size_t)(l->count - k) * sizeof *l->at);
}
