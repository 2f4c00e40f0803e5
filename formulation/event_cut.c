/* Lists of cuts. */
#include "formulation/event_cut.h"

#include <stdlib.h>
#include <string.h>

void event_cut_clear(event_cut *cut)
{
    base_free(cut->tensor);
    base_free(cut->coef);
    base_free(cut->made);
    base_free(cut->col);
    base_free(cut->value);
}

void event_cut_list_clear(event_cut_list *list)
{
    for (int c = 0; c < list->count; c++)
        event_cut_clear(&list->cut[c]);
    base_free(list->cut);
    *list = (event_cut_list){0};
}

event_cut *event_cut_list_add(event_cut_list *list)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 64;
        list->cut = base_realloc(list->cut, (size_t)list->capacity, sizeof *list->cut);
    }
    return &list->cut[list->count++];
}

void event_cut_list_join(event_cut_list *to, event_cut_list *from)
{
    int need = to->count + from->count;
    if (need > to->capacity) {
        to->capacity = 2 * need;
        to->cut = base_realloc(to->cut, (size_t)to->capacity, sizeof *to->cut);
    }
    if (from->count > 0)
        memcpy(to->cut + to->count, from->cut, (size_t)from->count * sizeof *to->cut);
    to->count = need;
    from->count = 0;
    event_cut_list_clear(from);
}

static int by_efficacy(const void *a, const void *b)
{
    const event_cut *ca = a, *cb = b;
    if (ca->efficacy != cb->efficacy)
        return ca->efficacy < cb->efficacy ? 1 : -1;
    if (ca->t != cb->t)
        return ca->t < cb->t ? -1 : 1;
    if (ca->k != cb->k)
        return ca->k < cb->k ? -1 : 1;
    if (ca->depth != cb->depth)
        return ca->depth < cb->depth ? -1 : 1;
    if (ca->last != cb->last)
        return ca->last < cb->last ? -1 : 1;
    if (ca->kept != cb->kept)
        return ca->kept ? 1 : -1;
    if (ca->depth > 0)
        return memcmp(ca->path, cb->path, (size_t)ca->depth * sizeof *ca->path);
    return (int)ca->conditional - (int)cb->conditional;
}

void event_cut_list_keep_best(event_cut_list *list, int first, int most)
{
    if (list->count <= first)
        return;
    qsort(list->cut + first, (size_t)(list->count - first), sizeof *list->cut, by_efficacy);
    while (list->count - first > most)
        event_cut_clear(&list->cut[--list->count]);
}
