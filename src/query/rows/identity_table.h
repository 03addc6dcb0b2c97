/* Numbers for the identities of keys, in the order in which they come. */
#ifndef SC_QUERY_IDENTITY_TABLE_H
#define SC_QUERY_IDENTITY_TABLE_H

#include "base/checked.h"

#include <stdbool.h>
#include <stddef.h>

/* A key that is not held: the hash of keys, and another one. */
typedef struct sc_key_identity {
    uint64_t hash, mark;
} sc_key_identity;

typedef struct sc_identity_table {
    sc_key_identity *keys; /* by number */
    uint64_t *tokens;      /* their hashes */
    uint32_t *slots;       /* numbers and one more; 0: free */
    size_t count, capacity;
} sc_identity_table;

/* Empties the table and makes room for `count` identities; false without memory. A table of
 * zeros has no room. */
bool sc_identity_table_begin(sc_identity_table *table, size_t count);
/* Wipes and frees. */
void sc_identity_table_clear(sc_identity_table *table);

/* The slot that has an identity, or the free one for it. The mark is secret, so that nobody can prepare
 * keys with long searches. */
uint32_t *sc_identity_table_slot(const sc_identity_table *table, sc_key_identity key);
/* The number of an identity; a new identity gets the next number. The caller adds no more
 * identities than there is room for. */
uint32_t sc_identity_table_number(sc_identity_table *table, sc_key_identity key);

#endif
