/* A set of group keys: byte strings with numbers 0, 1, ... in the order in which they were added.
 *
 * Keys are found by sc_value_hash under the query's fresh key, through chains: of any keys that
 * were chosen without knowing it, two share a chain with the probability of chance, so that nobody
 * can prepare slow ones (A62). Equal hashes are told apart by their bytes.
 *
 * A set is read by any number of threads, and written by one alone.
 */
#ifndef SC_QUERY_KEY_SET_H
#define SC_QUERY_KEY_SET_H

#include "base/memory.h"
#include "base/text.h"
#include "data/value_hash.h"

#define SC_KEY_NONE UINT32_MAX

typedef struct sc_key_entry {
    sc_text text; /* the set's own copy */
    uint64_t hash;
    uint32_t next; /* of its chain */
} sc_key_entry;

typedef struct sc_key_set {
    sc_key_entry *entries;
    uint32_t count, capacity;
    uint32_t *heads; /* mask + 1 chains */
    uint32_t mask;
    sc_arena arena;
} sc_key_set;

SCRIM_MUST_USE scrim_status sc_key_set_init(sc_key_set *set, scrim_error *error);
/* Also for a set of zeros. */
void sc_key_set_clear(sc_key_set *set);

/* The key's number; it is added when it is new. SCRIM_E_MEMORY, and the set is as before. */
SCRIM_MUST_USE scrim_status sc_key_set_add(sc_key_set *set, sc_text text, uint64_t hash,
                                           uint32_t *number, scrim_error *error);

/* The key's number, or SC_KEY_NONE. */
static inline uint32_t sc_key_set_find(const sc_key_set *set, sc_text text, uint64_t hash)
{
    uint32_t at = set->heads[hash & set->mask];
    while (at != SC_KEY_NONE) {
        const sc_key_entry *entry = &set->entries[at];
        if (entry->hash == hash && entry->text.bytes == text.bytes &&
            memcmp(entry->text.start, text.start, text.bytes) == 0)
            break;
        at = entry->next;
    }
    return at;
}

#endif
