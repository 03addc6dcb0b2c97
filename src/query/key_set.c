#include "query/key_set.h"

#define FIRST_CAPACITY 16
/* So many chains for an entry, that most of them have none or one. */
#define CHAINS 8

static void link_entries(sc_key_set *set)
{
    memset(set->heads, 0xff, ((size_t)set->mask + 1) * sizeof *set->heads);
    for (uint32_t i = 0; i < set->count; i++) {
        uint32_t *head = &set->heads[set->entries[i].hash & set->mask];
        set->entries[i].next = *head;
        *head = i;
    }
}

/* Room for so many entries, a power of two. */
static bool grow(sc_key_set *set, uint32_t capacity)
{
    sc_key_entry *entries = sc_allocate(capacity, sizeof *entries);
    uint32_t *heads = sc_allocate(capacity, CHAINS * sizeof *heads);
    if (entries == NULL || heads == NULL) {
        sc_release(entries);
        sc_release(heads);
        return false;
    }
    if (set->count > 0)
        memcpy(entries, set->entries, set->count * sizeof *entries);
    sc_release_wiped(set->entries, set->capacity * sizeof *set->entries);
    sc_release(set->heads);
    set->entries = entries;
    set->heads = heads;
    set->capacity = capacity;
    set->mask = CHAINS * capacity - 1;
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

void sc_key_set_clear(sc_key_set *set)
{
    sc_release_wiped(set->entries, set->capacity * sizeof *set->entries);
    sc_release(set->heads);
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
    if (is_full &&
        (set->capacity > UINT32_MAX / (4 * CHAINS) || !grow(set, 2 * set->capacity)))
        return sc_fail(error, SCRIM_E_MEMORY, "no memory for the keys of the groups");
    char *copy = sc_arena_allocate(&set->arena, text.bytes + SC_KEY_PADDING, 1);
    if (copy == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory for the keys of the groups");
    if (text.bytes > 0)
        memcpy(copy, text.start, text.bytes);
    uint32_t *head = &set->heads[hash & set->mask];
    const sc_text own = {copy, text.bytes};
    set->entries[set->count] = (sc_key_entry){own, hash, sc_key_word(own), *head};
    *head = set->count;
    *number = set->count++;
    return SCRIM_OK;
}
