/* Births and deaths of buffers in the order of time: load and sections. */
#include <stdlib.h>

#include "plan/arena.h"

/* A birth or a death. */
typedef struct event {
    int time;
    bool birth;
    int buffer;
} event;

/* Order of events: deaths before births of the same time. */
static int compare_event(const void *a, const void *b)
{
    const event *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->birth != y->birth)
        return x->birth ? 1 : -1;
    return (x->buffer > y->buffer) - (x->buffer < y->buffer);
}

/* Events of the buffers with bytes, in the order of time; a fresh block. */
static event *list_events(const arena_buffer *buffer, int count, int *events)
{
    event *list = base_malloc(2 * (size_t)count + 1, sizeof *list);
    *events = 0;
    for (int b = 0; b < count; b++) {
        if (buffer[b].bytes == 0)
            continue;
        list[(*events)++] = (event){.time = buffer[b].birth, .birth = true, .buffer = b};
        list[(*events)++] = (event){.time = buffer[b].death, .birth = false, .buffer = b};
    }
    qsort(list, (size_t)*events, sizeof *list, compare_event);
    return list;
}

int64_t arena_load(const arena_buffer *buffer, int count)
{
    int events;
    event *list = list_events(buffer, count, &events);
    int64_t load = 0, most = 0;
    for (int k = 0; k < events; k++) {
        const int64_t bytes = buffer[list[k].buffer].bytes;
        load += list[k].birth ? bytes : -bytes;
        most = load > most ? load : most;
    }
    base_free(list);
    return most;
}

int arena_sections(const arena_buffer *buffer, int count, int *first, int *last)
{
    int events, sections = 0;
    event *list = list_events(buffer, count, &events);
    for (int k = 0; k < events; k++) {
        if (list[k].birth)
            first[list[k].buffer] = sections;
        else {
            if (list[k - 1].birth)
                sections++;
            last[list[k].buffer] = sections - 1;
        }
    }
    base_free(list);
    return sections;
}
