#include "query/rows/unit_room.h"

/* Puts what is left of a unit into another store. */
static bool put_unit(sc_unit_rows *to, const sc_unit *unit, const sc_unit_row *rows,
                     size_t count)
{
    bool is_put = true;
    for (size_t i = 0; is_put && i < count; i++)
        is_put = sc_unit_rows_add(to, unit->hash, unit->text, rows[i].group,
                                  rows[i].copies, rows[i].content);
    return is_put;
}

typedef struct shrinking {
    sc_unit_rows *rows, *fresh;
    sc_bound *bound;
    uint64_t *tokens; /* hashes of the keys, by number of a group */
    const sc_value_key *hash_key;
    sc_unit_table table;
} shrinking;

static scrim_status shrink_part(shrinking *s, size_t part, scrim_error *error)
{
    const sc_unit_share share = {s->rows, NULL};
    sc_unit_table *table = &s->table;
    scrim_status status = sc_unit_table_fill(table, &share, 1, part, s->hash_key, error);
    for (size_t i = 0; status == SCRIM_OK && i < table->unit_count; i++) {
        const sc_unit *unit = &table->units[i];
        sc_unit_row *own = table->rows + unit->start;
        size_t kept = 0;
        status = sc_bound_unit(s->bound, SC_BOUND_EARLY, unit->hash, s->tokens, own,
                               unit->end - unit->start, &kept, error);
        if (status == SCRIM_OK && !put_unit(s->fresh, unit, own, kept))
            status = sc_no_memory(error, "the rows of units");
    }
    if (status == SCRIM_OK)
        sc_unit_rows_exchange_part(s->rows, s->fresh, part);
    sc_unit_rows_clear_part(s->fresh, part);
    return status;
}

scrim_status sc_unit_shrink(sc_unit_rows *rows, size_t from, size_t end, sc_bound *bound,
                            const sc_key_set *keys, const sc_value_key *hash_key,
                            scrim_error *error)
{
    shrinking s = {.rows = rows,
                   .fresh = sc_allocate(1, sizeof *s.fresh),
                   .bound = bound,
                   .tokens = sc_allocate(keys->count, sizeof *s.tokens),
                   .hash_key = hash_key};
    scrim_status status = SCRIM_OK;
    if (s.tokens == NULL || s.fresh == NULL) {
        status = sc_fail(error, SCRIM_E_MEMORY, "no memory");
        goto done;
    }
    sc_unit_rows_init_beside(s.fresh, rows);
    for (uint32_t i = 0; i < keys->count; i++)
        s.tokens[i] = keys->entries[i].hash;
    for (size_t part = from; status == SCRIM_OK && part < end; part++)
        status = shrink_part(&s, part, error);
done:
    sc_unit_table_clear(&s.table);
    sc_free(s.fresh);
    sc_free(s.tokens);
    return status;
}

/* Parts that show whether there is anything to be gained by making rows fewer. */
#define TRIED_PARTS 8

void sc_unit_room_init(sc_unit_room *room, size_t value_bytes, size_t group_bytes,
                       size_t most_bytes, sc_sealed_file *file)
{
    sc_unit_rows_init(&room->rows, value_bytes, group_bytes);
    sc_unit_pool_expect(&room->rows.own_pool, most_bytes);
    room->most_bytes = room->full_bytes = most_bytes;
    room->file = file;
    room->spill = NULL;
}

void sc_unit_room_clear(sc_unit_room *room)
{
    sc_unit_rows_clear(&room->rows);
    sc_unit_spill_close(room->spill);
    room->spill = NULL;
}

/* How much may stay in memory. */
static size_t enough(const sc_unit_room *room)
{
    return room->most_bytes > SC_UNIT_ROOM_LEAST ? room->most_bytes / 2
                                                 : SC_UNIT_ROOM_LEAST / 2;
}

/* Makes rows fewer, as far as that seems to be worth it. */
static scrim_status shrink(sc_unit_room *room, sc_bound *bound, const sc_key_set *keys,
                           const sc_value_key *hash_key, scrim_error *error)
{
    size_t tried = 0, left = 0;
    for (size_t i = 0; i < TRIED_PARTS; i++)
        tried += sc_unit_rows_part_bytes(&room->rows, i);
    scrim_status status =
        sc_unit_shrink(&room->rows, 0, TRIED_PARTS, bound, keys, hash_key, error);
    for (size_t i = 0; i < TRIED_PARTS; i++)
        left += sc_unit_rows_part_bytes(&room->rows, i);
    const bool is_gain = left <= tried / 2 || room->rows.held_bytes <= enough(room);
    if (status == SCRIM_OK && is_gain)
        status = sc_unit_shrink(&room->rows, TRIED_PARTS, SC_UNIT_PARTS, bound, keys,
                                hash_key, error);
    return status;
}

scrim_status sc_unit_room_empty(sc_unit_room *room, sc_bound *bound,
                                const sc_key_set *keys, const sc_value_key *hash_key,
                                scrim_error *error)
{
    scrim_status status = shrink(room, bound, keys, hash_key, error);
    if (status == SCRIM_OK && room->rows.held_bytes > enough(room)) {
        if (room->spill == NULL)
            status = sc_unit_spill_open(room->file, &room->spill, error);
        if (status == SCRIM_OK)
            status = sc_unit_spill_put(room->spill, &room->rows, error);
    }
    /* Twice what is left, so that all of this takes time in proportion to the rows. */
    const size_t twice = 2 * room->rows.held_bytes;
    room->full_bytes = twice > room->most_bytes ? twice : room->most_bytes;
    return status;
}

scrim_status sc_unit_room_gather(sc_unit_room *room, size_t part, sc_cipher **cipher,
                                 scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    if (room->spill == NULL)
        return SCRIM_OK;
    if (*cipher == NULL)
        status = sc_cipher_open(cipher, error);
    return status == SCRIM_OK
               ? sc_unit_spill_load(room->spill, *cipher, part, &room->rows, error)
               : status;
}
