/* formulation/key: a hash table from row or column keys to their numbers. */
#ifndef FORMULATION_KEY_H
#define FORMULATION_KEY_H

#include "formulation/formulation.h"

typedef struct key_table {
    size_t mask;
    int *slot;
    const formulation_key *key; /* borrowed */
} key_table;

/* Table of key[0 .. count-1], all different; key must outlive it. O(count). */
key_table key_table_create(const formulation_key *key, int count);
void key_table_free(key_table *table);

/* Number of a key, -1: not there. O(1) expected. */
int key_table_find(const key_table *table, formulation_key key);

/* The same in a table of rows, where an edge's ROW_INPUT and ROW_INPUT_FREE stand for each other:
 * which of both a model has depends on its other cells. */
int key_table_find_row(const key_table *table, formulation_key key);

#endif
