#include "query/unit_table.h"

#include "query/key_set.h"

#define NOBODY UINT32_MAX

void sc_unit_table_clear(sc_unit_table *table)
{
    sc_release_wiped(table->units, table->capacity * sizeof *table->units);
    sc_release_wiped(table->rows, table->capacity * sizeof *table->rows);
    sc_release_wiped(table->owners, table->capacity * sizeof *table->owners);
    sc_release_wiped(table->heads, table->chains * sizeof *table->heads);
    *table = (sc_unit_table){0};
}

static size_t power_of_two_from(size_t count)
{
    size_t power = 16;
    while (power < count)
        power *= 2;
    return power;
}

/* Room for so many entries; what was there is lost. */
static bool reserve(sc_unit_table *table, uint64_t entries)
{
    if (entries >= NOBODY)
        return false;
    if (table->heads == NULL || entries > table->capacity) {
        sc_unit_table_clear(table);
        table->capacity = power_of_two_from((size_t)entries);
        table->chains = table->capacity;
        table->units = sc_allocate(table->capacity, sizeof *table->units);
        table->rows = sc_allocate(table->capacity, sizeof *table->rows);
        table->owners = sc_allocate(table->capacity, sizeof *table->owners);
        table->heads = sc_allocate(table->chains, sizeof *table->heads);
        if (table->units == NULL || table->rows == NULL || table->owners == NULL ||
            table->heads == NULL) {
            sc_unit_table_clear(table);
            return false;
        }
    }
    return true;
}

/* Fewer chains than entries: units mostly have several. */
static uint32_t mask_for(const sc_unit_table *table, uint64_t entries)
{
    size_t chains = power_of_two_from((size_t)(entries / 2));
    chains = chains > table->chains ? table->chains : chains;
    return (uint32_t)chains - 1;
}

static uint32_t unit_number(sc_unit_table *table, uint32_t mask,
                            const sc_unit_entry *entry, const sc_value_key *key)
{
    const uint64_t hash = sc_value_hash(key, entry->unit),
                   word = sc_key_word(entry->unit);
    uint32_t *head = &table->heads[hash & mask], at = *head;
    while (at != NOBODY) {
        const sc_unit *unit = &table->units[at];
        if (unit->hash == hash &&
            sc_key_is_same(unit->text, unit->word, entry->unit, word))
            return at;
        at = unit->next;
    }
    at = (uint32_t)table->unit_count++;
    table->units[at] =
        (sc_unit){.hash = hash, .text = entry->unit, .word = word, .next = *head};
    return *head = at;
}

/* Who owns each entry; end counts a unit's entries. */
static void find_owners(sc_unit_table *table, const sc_unit_share *share, size_t part,
                        uint32_t mask, const sc_value_key *key, size_t *arrived)
{
    sc_unit_walk walk = sc_unit_walk_begin(share->rows, part);
    sc_unit_entry entry;
    while (sc_unit_walk_next(&walk, &entry)) {
        const uint32_t owner = unit_number(table, mask, &entry, key);
        table->owners[(*arrived)++] = owner;
        table->units[owner].end++;
    }
}

static void place_rows(const sc_unit_table *table, const sc_unit_share *share,
                       size_t part, size_t *placed)
{
    const uint32_t *groups = share->groups;
    sc_unit_walk walk = sc_unit_walk_begin(share->rows, part);
    sc_unit_entry entry;
    while (sc_unit_walk_next(&walk, &entry)) {
        sc_unit *unit = &table->units[table->owners[(*placed)++]];
        table->rows[unit->end++] =
            (sc_bound_row){entry.copies, entry.values,
                           groups == NULL ? entry.group : groups[entry.group]};
    }
}

scrim_status sc_unit_table_fill(sc_unit_table *table, const sc_unit_share *shares,
                                size_t share_count, size_t part, const sc_value_key *key,
                                scrim_error *error)
{
    uint64_t entries = 0;
    size_t arrived = 0, placed = 0;
    uint32_t start = 0;
    for (size_t i = 0; i < share_count; i++)
        entries += shares[i].rows->parts[part].entries;
    if (!reserve(table, entries))
        return sc_fail(error, SCRIM_E_MEMORY, "no memory for the units");
    const uint32_t mask = mask_for(table, entries);
    memset(table->heads, 0xff, ((size_t)mask + 1) * sizeof *table->heads);
    table->unit_count = 0;
    for (size_t i = 0; i < share_count; i++)
        find_owners(table, &shares[i], part, mask, key, &arrived);
    for (size_t i = 0; i < table->unit_count; i++) {
        sc_unit *unit = &table->units[i];
        const uint32_t count = unit->end;
        unit->start = unit->end = start;
        start += count;
    }
    for (size_t i = 0; i < share_count; i++)
        place_rows(table, &shares[i], part, &placed);
    return SCRIM_OK;
}
