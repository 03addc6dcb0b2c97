#include "query/rows/unit_table.h"

#include "query/rows/key_set.h"

#define NOBODY UINT32_MAX
#define LEAST_BITS 4
/* Chains per unit: with 4, most chains are empty or have one unit. */
#define CHAINS 4

void sc_unit_table_clear(sc_unit_table *table)
{
    /* Memory that was never used is still zero, and is not touched. */
    sc_free_wiped(table->units, table->most_units * sizeof *table->units);
    sc_free_wiped(table->links, table->most_units * sizeof *table->links);
    sc_free_wiped(table->ends, table->most_units * sizeof *table->ends);
    sc_free_wiped(table->rows, table->most_entries * sizeof *table->rows);
    sc_free_wiped(table->owners, table->most_entries * sizeof *table->owners);
    sc_free_wiped(table->heads, sizeof *table->heads << table->chain_bits);
    *table = (sc_unit_table){0};
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t power_of_two_from(size_t count)
{
    size_t power = (size_t)1 << LEAST_BITS;
    while (power < count)
        power *= 2;
    return power;
}

/* Makes room for `entries` entries; earlier entries are lost. */
static bool reserve(sc_unit_table *table, uint64_t entries)
{
    if (entries >= NOBODY)
        return false;
    if (table->heads == NULL || entries > table->capacity) {
        sc_unit_table_clear(table);
        table->capacity = power_of_two_from((size_t)entries);
        table->chain_bits = LEAST_BITS;
        table->units = sc_allocate(table->capacity, sizeof *table->units);
        table->links = sc_allocate(table->capacity, sizeof *table->links);
        table->ends = sc_allocate(table->capacity, sizeof *table->ends);
        table->rows = sc_allocate(table->capacity, sizeof *table->rows);
        table->owners = sc_allocate(table->capacity, sizeof *table->owners);
        table->heads = sc_allocate(table->capacity, sizeof *table->heads);
        if (table->units == NULL || table->links == NULL || table->ends == NULL ||
            table->rows == NULL || table->owners == NULL || table->heads == NULL) {
            sc_unit_table_clear(table);
            return false;
        }
    }
    return true;
}

/* Chains. */

static size_t chain_of_word(const sc_unit_table *table, const sc_value_key *key,
                            uint64_t word)
{
    /* The first product breaks up words that differ by a fixed step, as numbers do. */
    word *= key->words[8] | 1;
    word ^= word >> 32;
    return (size_t)(word * (key->words[9] | 1) >> (64 - table->chain_bits));
}

static size_t chain_of_hash(const sc_unit_table *table, uint64_t hash)
{
    return (size_t)(hash & (((uint64_t)1 << table->chain_bits) - 1));
}

static void clear_chains(sc_unit_table *table)
{
    memset(table->heads, 0xff, sizeof *table->heads << table->chain_bits);
}

/* Twice as many chains, when there are as many units. */
static void grow_chains(sc_unit_table *table, size_t from, bool is_word,
                        const sc_value_key *key)
{
    table->chain_bits++;
    clear_chains(table);
    for (size_t i = from; i < table->unit_count; i++) {
        const uint64_t word = table->links[i].word;
        uint32_t *head = &table->heads[is_word ? chain_of_word(table, key, word)
                                               : chain_of_hash(table, word)];
        table->links[i].next = *head;
        *head = (uint32_t)i;
    }
}

static uint32_t add_unit(sc_unit_table *table, sc_text text, uint64_t hash, uint64_t word,
                         uint32_t *head)
{
    const uint32_t number = (uint32_t)table->unit_count++;
    table->units[number] = (sc_unit){.hash = hash, .text = text};
    table->links[number] = (sc_unit_link){.word = word, .next = *head};
    *head = number;
    return number;
}

static bool has_few_chains(const sc_unit_table *table, size_t from)
{
    const size_t chains = (size_t)1 << table->chain_bits;
    return CHAINS * (table->unit_count - from) > chains && chains < table->capacity;
}

/* Units that fit a word. */

static inline uint32_t number_of_word(sc_unit_table *table, const unsigned char *at,
                                      const sc_value_key *key)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    uint32_t *head = &table->heads[chain_of_word(table, key, word)], number = *head;
    while (number != NOBODY && table->links[number].word != word)
        number = table->links[number].next;
    if (__builtin_expect(number != NOBODY, 1))
        return number;
    const sc_text text = sc_unit_of_word(at);
    number = add_unit(table, text, sc_value_hash(key, text), word, head);
    if (has_few_chains(table, 0))
        grow_chains(table, 0, true, key);
    return number;
}

static void find_words(sc_unit_table *table, const sc_unit_rows *rows, sc_unit_kind kind,
                       size_t part, const sc_value_key *key, size_t *arrived)
{
    const sc_unit_stream *stream = &rows->streams[kind][part];
    const size_t width = sc_unit_rows_width(rows, kind);
    uint32_t *owner = table->owners + *arrived;
    for (const sc_unit_chunk *chunk = stream->chunks; chunk != NULL;
         chunk = chunk->next) {
        const unsigned char *at = chunk->bytes,
                            *end = at + sc_unit_stream_used(stream, chunk);
        for (; at != end; at += width) {
            *owner = number_of_word(table, at, key);
            table->links[*owner++].entries++;
        }
    }
    *arrived = (size_t)(owner - table->owners);
}

static void place_words(const sc_unit_table *table, const sc_unit_share *share,
                        sc_unit_kind kind, size_t part, size_t *placed)
{
    const sc_unit_stream *stream = &share->rows->streams[kind][part];
    const size_t width = sc_unit_rows_width(share->rows, kind),
                 group_bytes = share->rows->group_bytes;
    const uint32_t *groups = share->groups, *owner = table->owners + *placed;
    sc_unit_row *rows = table->rows;
    uint32_t *ends = table->ends;
    for (const sc_unit_chunk *chunk = stream->chunks; chunk != NULL;
         chunk = chunk->next) {
        const unsigned char *at = chunk->bytes,
                            *end = at + sc_unit_stream_used(stream, chunk);
        for (; at != end; at += width) {
            const uint32_t group = sc_unit_group_at(at + sizeof(uint64_t), group_bytes);
            sc_unit_row *row = &rows[ends[*owner++]++];
            row->copies = 1;
            if (kind == SC_UNIT_OF_WORDS)
                memcpy(&row->copies, at + width - sizeof row->copies, sizeof row->copies);
            row->content = at + sizeof(uint64_t) + group_bytes;
            row->group = groups == NULL ? group : groups[group];
        }
    }
    *placed = (size_t)(owner - table->owners);
}

/* Others. */

static uint32_t number_of_text(sc_unit_table *table, sc_text text,
                               const sc_value_key *key)
{
    const uint64_t hash = sc_value_hash(key, text);
    uint32_t *head = &table->heads[chain_of_hash(table, hash)], number = *head;
    while (number != NOBODY && (table->links[number].word != hash ||
                                !sc_text_equal(table->units[number].text, text)))
        number = table->links[number].next;
    if (number != NOBODY)
        return number;
    number = add_unit(table, text, hash, hash, head);
    if (has_few_chains(table, table->first_text))
        grow_chains(table, table->first_text, false, key);
    return number;
}

static void find_texts(sc_unit_table *table, const sc_unit_rows *rows, size_t part,
                       const sc_value_key *key, size_t *arrived)
{
    sc_unit_walk walk = sc_unit_walk_begin(rows, SC_UNIT_OF_TEXT, part);
    sc_unit_entry entry;
    while (sc_unit_walk_next(&walk, &entry)) {
        const uint32_t owner = number_of_text(table, entry.unit, key);
        table->owners[(*arrived)++] = owner;
        table->links[owner].entries++;
    }
}

static void place_texts(const sc_unit_table *table, const sc_unit_share *share,
                        size_t part, size_t *placed)
{
    sc_unit_walk walk = sc_unit_walk_begin(share->rows, SC_UNIT_OF_TEXT, part);
    sc_unit_entry entry;
    while (sc_unit_walk_next(&walk, &entry)) {
        const uint32_t owner = table->owners[(*placed)++];
        table->rows[table->ends[owner]++] = (sc_unit_row){
            entry.copies, entry.values,
            share->groups == NULL ? entry.group : share->groups[entry.group], 0};
    }
}

/* Filling. */

/* Who owns each entry, all words before all texts. */
static void find_owners(sc_unit_table *table, const sc_unit_share *shares,
                        size_t share_count, size_t part, const sc_value_key *key)
{
    size_t arrived = 0;
    uint64_t texts = 0;
    for (size_t i = 0; i < share_count; i++)
        texts += shares[i].rows->streams[SC_UNIT_OF_TEXT][part].entries;
    clear_chains(table);
    for (size_t i = 0; i < share_count; i++)
        for (sc_unit_kind kind = 0; kind < SC_UNIT_OF_TEXT; kind++)
            find_words(table, shares[i].rows, kind, part, key, &arrived);
    table->first_text = table->unit_count;
    if (texts > 0 && table->unit_count > 0)
        clear_chains(table);
    for (size_t i = 0; i < share_count; i++)
        find_texts(table, shares[i].rows, part, key, &arrived);
}

/* In the order in which find_owners has seen them. */
static void place_rows(const sc_unit_table *table, const sc_unit_share *shares,
                       size_t share_count, size_t part)
{
    size_t placed = 0;
    for (size_t i = 0; i < share_count; i++)
        for (sc_unit_kind kind = 0; kind < SC_UNIT_OF_TEXT; kind++)
            place_words(table, &shares[i], kind, part, &placed);
    for (size_t i = 0; i < share_count; i++)
        place_texts(table, &shares[i], part, &placed);
}

scrim_status sc_unit_table_fill(sc_unit_table *table, const sc_unit_share *shares,
                                size_t share_count, size_t part, const sc_value_key *key,
                                scrim_error *error)
{
    uint64_t entries = 0;
    uint32_t start = 0;
    for (size_t i = 0; i < share_count; i++)
        entries += sc_unit_rows_entries(shares[i].rows, part);
    if (!reserve(table, entries))
        return sc_no_memory(error, "the units");
    table->unit_count = 0;
    find_owners(table, shares, share_count, part, key);
    for (size_t i = 0; i < table->unit_count; i++) {
        table->units[i].start = table->ends[i] = start;
        start += table->links[i].entries;
        table->units[i].end = start;
    }
    place_rows(table, shares, share_count, part);
    table->most_units = larger(table->most_units, table->unit_count);
    table->most_entries = larger(table->most_entries, (size_t)entries);
    return SCRIM_OK;
}
