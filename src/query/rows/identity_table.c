#include "query/rows/identity_table.h"

#include "base/memory.h"

#include <string.h>

void sc_identity_table_clear(sc_identity_table *table)
{
    sc_free_wiped(table->keys, table->capacity * sizeof *table->keys);
    sc_free_wiped(table->tokens, table->capacity * sizeof *table->tokens);
    sc_free_wiped(table->slots, 2 * table->capacity * sizeof *table->slots);
    *table = (sc_identity_table){.keys = NULL};
}

bool sc_identity_table_begin(sc_identity_table *table, size_t count)
{
    if (table->keys != NULL && count <= table->capacity) {
        memset(table->slots, 0, 2 * table->capacity * sizeof *table->slots);
        table->count = 0;
        return true;
    }
    size_t capacity = 256;
    while (capacity < count)
        capacity *= 2;
    sc_identity_table_clear(table);
    *table = (sc_identity_table){.keys = sc_allocate(capacity, sizeof *table->keys),
                                 .tokens = sc_allocate(capacity, sizeof *table->tokens),
                                 .slots = sc_allocate(2 * capacity, sizeof *table->slots),
                                 .capacity = capacity};
    if (table->keys != NULL && table->tokens != NULL && table->slots != NULL)
        return true;
    sc_identity_table_clear(table);
    return false;
}

uint32_t *sc_identity_table_slot(const sc_identity_table *table, sc_key_identity key)
{
    const size_t mask = 2 * table->capacity - 1;
    size_t at = (size_t)key.mark & mask;
    while (table->slots[at] != 0) {
        const sc_key_identity *there = &table->keys[table->slots[at] - 1];
        if (there->mark == key.mark && there->hash == key.hash)
            break;
        at = (at + 1) & mask;
    }
    return &table->slots[at];
}

uint32_t sc_identity_table_number(sc_identity_table *table, sc_key_identity key)
{
    uint32_t *slot = sc_identity_table_slot(table, key);
    if (*slot == 0) {
        table->keys[table->count] = key;
        table->tokens[table->count] = key.hash;
        *slot = (uint32_t)++table->count;
    }
    return *slot - 1;
}
