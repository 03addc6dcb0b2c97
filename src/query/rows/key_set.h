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
#include "data/value/value.h"

#define SC_KEY_NONE UINT32_MAX
#define SC_KEY_PADDING 16

typedef struct sc_key_entry {
    sc_text text; /* the set's own copy, with SC_KEY_PADDING bytes behind it */
    uint64_t hash;
    uint64_t word; /* sc_key_word of it */
    uint32_t next; /* of its chain */
} sc_key_entry;

/* The first keys of a chain, with what tells short ones apart from others. */
#define SC_KEY_FIRST 2
typedef struct sc_key_head {
    uint64_t words[SC_KEY_FIRST];   /* sc_key_word of them, without what is behind it */
    uint32_t numbers[SC_KEY_FIRST]; /* SC_KEY_NONE: the chain ends before */
    uint32_t bytes[SC_KEY_FIRST];   /* 0: the key is looked at itself */
} sc_key_head;

typedef struct sc_key_set {
    sc_key_entry *entries;
    uint32_t count, capacity;
    sc_key_head *heads; /* mask + 1 chains */
    uint32_t mask;
    size_t text_bytes; /* of all keys */
    sc_arena arena;
} sc_key_set;

SCRIM_MUST_USE scrim_status sc_key_set_init(sc_key_set *set, scrim_error *error);
/* Makes room for `count` keys, so that adding them can fail only for lack of memory for their
 * texts. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_key_set_reserve(sc_key_set *set, uint32_t count,
                                               scrim_error *error);
/* Also for a set of zeros. */
void sc_key_set_clear(sc_key_set *set);

/* The key's number; it is added when it is new. SCRIM_E_MEMORY, and the set is as before. 8 bytes
 * behind text are readable. */
SCRIM_MUST_USE scrim_status sc_key_set_add(sc_key_set *set, sc_text text, uint64_t hash,
                                           uint32_t *number, scrim_error *error);

/* The first bytes of a text as they lie in memory, where that tells short texts apart faster; 8
 * bytes behind it are readable. */
static inline uint64_t sc_key_word(sc_text text)
{
    uint64_t word = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(&word, text.start, sizeof word);
#else
    (void)text;
#endif
    return word;
}

/* Are they equal? The words are theirs. */
static inline bool sc_key_is_same(sc_text a, uint64_t a_word, sc_text b, uint64_t b_word)
{
    if (a.bytes != b.bytes)
        return false;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (__builtin_expect(a.bytes - 1 < 8, 1))
        return (a_word ^ b_word) << (64 - 8 * a.bytes) == 0;
#else
    (void)a_word;
    (void)b_word;
#endif
    return memcmp(a.start, b.start, a.bytes) == 0;
}

/* The same, one key after the other. */
uint32_t sc_key_set_find_along(const sc_key_set *set, sc_text text, uint64_t hash);

/* The key's number, or SC_KEY_NONE. 8 bytes behind text are readable. */
static inline uint32_t sc_key_set_find(const sc_key_set *set, sc_text text, uint64_t hash)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (__builtin_expect(text.bytes - 1 < 8, 1)) {
        /* Both are looked at, as nobody can tell which of them it is. */
        const sc_key_head *head = &set->heads[hash & set->mask];
        const uint64_t word = sc_key_word(text) & ~(uint64_t)0 >> (64 - 8 * text.bytes);
        const uint64_t first = (word ^ head->words[0]) | (text.bytes ^ head->bytes[0]),
                       second = (word ^ head->words[1]) | (text.bytes ^ head->bytes[1]);
        const uint32_t number = head->numbers[first != 0];
        if (__builtin_expect((first == 0) | (second == 0), 1))
            return number;
    }
#endif
    return sc_key_set_find_along(set, text, hash);
}

/* The same for many. */
void sc_key_set_find_all(const sc_key_set *set, const sc_text *texts,
                         const uint64_t *hashes, size_t count, uint32_t *numbers);

/* Numbers for the identities of keys, in the order in which they come. */

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
