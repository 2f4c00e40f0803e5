/* Lists of cuts. */
#include "formulation/event_cut.h"

#include <string.h>

void event_cut_clear(event_cut *cut)
{
    base_free_all(cut->tensor, cut->coef, cut->made, cut->col, cut->value);
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
    list->cut = base_grow(list->cut, list->count, &list->capacity, sizeof *list->cut);
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
