#include "query/rows/key_set.h"

#include "base/memory.h"

#include <string.h>

#define FIRST_CAPACITY 16
/* Chains per entry. With 4 most chains are empty or short; a large set has 1, because the heads of
 * more chains would not stay in the cache. */
#define FEW_ENTRIES 4096
#define CHAINS_OF_FEW 4
#define CHAINS 1

static uint32_t chains_for(uint32_t capacity)
{
    return capacity * (capacity <= FEW_ENTRIES ? CHAINS_OF_FEW : CHAINS);
}

/* Puts an entry in front of its chain. */
static void link_entry(sc_key_set *set, uint32_t number)
{
    sc_key_entry *entry = &set->entries[number];
    sc_key_head *head = &set->heads[entry->hash & set->mask];
    entry->next = head->numbers[0];
    for (size_t i = SC_KEY_FIRST; i-- > 1;) {
        head->words[i] = head->words[i - 1];
        head->numbers[i] = head->numbers[i - 1];
        head->bytes[i] = head->bytes[i - 1];
    }
    head->words[0] = head->bytes[0] = 0;
    head->numbers[0] = number;
    if (entry->text.bytes - 1 < 8) {
        head->words[0] = entry->word & ~(uint64_t)0 >> (64 - 8 * entry->text.bytes);
        head->bytes[0] = (uint32_t)entry->text.bytes;
    }
}

static void link_entries(sc_key_set *set)
{
    for (size_t i = 0; i <= set->mask; i++)
        set->heads[i] = (sc_key_head){.numbers = {SC_KEY_NONE, SC_KEY_NONE}};
    for (uint32_t i = 0; i < set->count; i++)
        link_entry(set, i);
}

/* Makes room for `capacity` entries, a power of two. */
static bool grow(sc_key_set *set, uint32_t capacity)
{
    sc_key_entry *entries = sc_allocate(capacity, sizeof *entries);
    sc_key_head *heads = sc_allocate(chains_for(capacity), sizeof *heads);
    if (entries == NULL || heads == NULL) {
        sc_free(entries);
        sc_free(heads);
        return false;
    }
    if (set->count > 0)
        memcpy(entries, set->entries, set->count * sizeof *entries);
    sc_free_wiped(set->entries, set->capacity * sizeof *set->entries);
    sc_free(set->heads);
    set->entries = entries;
    set->heads = heads;
    set->capacity = capacity;
    set->mask = chains_for(capacity) - 1;
    link_entries(set);
    return true;
}

scrim_status sc_key_set_init(sc_key_set *set, scrim_error *error)
{
    *set = (sc_key_set){0};
    sc_arena_init(&set->arena);
    if (!grow(set, FIRST_CAPACITY))
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    return SCRIM_OK;
}

scrim_status sc_key_set_reserve(sc_key_set *set, uint32_t count, scrim_error *error)
{
    uint32_t capacity = set->capacity;
    while (capacity < count && capacity <= UINT32_MAX / (4 * CHAINS_OF_FEW))
        capacity *= 2;
    if (capacity < count || (capacity > set->capacity && !grow(set, capacity)))
        return sc_no_memory(error, "the keys of the groups");
    return SCRIM_OK;
}

void sc_key_set_clear(sc_key_set *set)
{
    sc_free_wiped(set->entries, set->capacity * sizeof *set->entries);
    sc_free(set->heads);
    sc_arena_clear(&set->arena);
    *set = (sc_key_set){0};
}

scrim_status sc_key_set_add(sc_key_set *set, sc_text text, uint64_t hash,
                            uint32_t *number, scrim_error *error)
{
    const uint32_t found = sc_key_set_find(set, text, hash);
    if (found != SC_KEY_NONE) {
        *number = found;
        return SCRIM_OK;
    }
    const bool is_full = set->count == set->capacity;
    if (is_full && (set->capacity > UINT32_MAX / (4 * CHAINS_OF_FEW) ||
                    !grow(set, 2 * set->capacity)))
        return sc_no_memory(error, "the keys of the groups");
    char *copy = sc_arena_allocate(&set->arena, text.bytes + SC_KEY_PADDING, 1);
    if (copy == NULL)
        return sc_no_memory(error, "the keys of the groups");
    if (text.bytes > 0)
        memcpy(copy, text.start, text.bytes);
    const sc_text own = {copy, text.bytes};
    set->entries[set->count] =
        (sc_key_entry){.text = own, .hash = hash, .word = sc_key_word(own)};
    set->text_bytes += text.bytes;
    link_entry(set, set->count);
    *number = set->count++;
    return SCRIM_OK;
}

uint32_t sc_key_set_find_along(const sc_key_set *set, sc_text text, uint64_t hash)
{
    uint32_t at = set->heads[hash & set->mask].numbers[0];
    const uint64_t word = sc_key_word(text);
    while (at != SC_KEY_NONE) {
        const sc_key_entry *entry = &set->entries[at];
        if (entry->hash == hash && sc_key_is_same(entry->text, entry->word, text, word))
            break;
        at = entry->next;
    }
    return at;
}

void sc_key_set_find_all(const sc_key_set *set, const sc_text *texts,
                         const uint64_t *hashes, size_t count, uint32_t *numbers)
{
    const sc_key_set own = *set; /* at hand */
    for (size_t i = 0; i < count; i++)
        numbers[i] = sc_key_set_find(&own, texts[i], hashes[i]);
}

/* Identities. */

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
