/* The hash table of keys: open addressing with linear probing, at most half full; the keys
 * themselves stay with the model. */
#include "formulation/key.h"

#include <string.h>

static uint64_t key_hash(formulation_key k)
{
    uint64_t h = (uint64_t)(unsigned)k.kind;
    h = h * 0x9e3779b97f4a7c15u + (uint64_t)(unsigned)(k.t + 1);
    h = h * 0x9e3779b97f4a7c15u + (uint64_t)(unsigned)(k.i + 1);
    h = h * 0x9e3779b97f4a7c15u + (uint64_t)(unsigned)(k.k + 1);
    return h ^ (h >> 29);
}

static bool key_equal(formulation_key a, formulation_key b)
{
    return a.kind == b.kind && a.t == b.t && a.i == b.i && a.k == b.k;
}

key_table key_table_create(const formulation_key *key, int count)
{
    key_table table = {1, NULL, key};
    while (table.mask < 2 * (size_t)count + 2)
        table.mask *= 2;
    table.slot = base_malloc(table.mask, sizeof *table.slot);
    memset(table.slot, 0xff, table.mask * sizeof *table.slot);
    table.mask--;
    for (int r = 0; r < count; r++) {
        size_t at = key_hash(key[r]) & table.mask;
        while (table.slot[at] >= 0)
            at = (at + 1) & table.mask;
        table.slot[at] = r;
    }
    return table;
}

int key_table_find(const key_table *table, formulation_key key)
{
    size_t at = key_hash(key) & table->mask;
    while (table->slot[at] >= 0) {
        if (key_equal(table->key[table->slot[at]], key))
            return table->slot[at];
        at = (at + 1) & table->mask;
    }
    return -1;
}

int key_table_find_row(const key_table *table, formulation_key key)
{
    int row = key_table_find(table, key);
    if (row >= 0 || (key.kind != ROW_INPUT && key.kind != ROW_INPUT_FREE))
        return row;
    key.kind = key.kind == ROW_INPUT ? ROW_INPUT_FREE : ROW_INPUT;
    return key_table_find(table, key);
}

void key_table_free(key_table *table)
{
    base_free(table->slot);
    table->slot = NULL;
}
