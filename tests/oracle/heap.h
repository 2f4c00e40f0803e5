/* A heap of numbers, the one first that comes before all others. */
#ifndef TESTS_ORACLE_HEAP_H
#define TESTS_ORACLE_HEAP_H

#include <stdbool.h>

typedef struct oracle_heap {
    int *item; /* NULL: empty so far; oracle_heap_clear */
    int count, capacity;
    bool (*before)(const void *owner, int a, int b);
    const void *owner;
} oracle_heap;

void oracle_heap_push(oracle_heap *h, int k); /* O(log count) */
int oracle_heap_pop(oracle_heap *h);          /* the first; count > 0; O(log count) */
void oracle_heap_clear(oracle_heap *h);

#endif
