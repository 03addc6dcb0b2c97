#include "query/rows/unit_shrink.h"

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

static scrim_status shrink_part(sc_unit_rows *rows, sc_unit_rows *fresh,
                                sc_unit_table *table, sc_bound *bound,
                                const uint64_t *tokens, size_t part,
                                const sc_value_key *hash_key, scrim_error *error)
{
    const sc_unit_share share = {rows, NULL};
    scrim_status status = sc_unit_table_fill(table, &share, 1, part, hash_key, error);
    for (size_t i = 0; status == SCRIM_OK && i < table->unit_count; i++) {
        const sc_unit *unit = &table->units[i];
        sc_unit_row *own = table->rows + unit->start;
        size_t kept = 0;
        status = sc_bound_unit(bound, SC_BOUND_EARLY, unit->hash, tokens, own,
                               unit->end - unit->start, &kept, error);
        if (status == SCRIM_OK && !put_unit(fresh, unit, own, kept))
            status =
                sc_fail(error, SCRIM_E_MEMORY, "out of memory for the rows of units");
    }
    if (status == SCRIM_OK)
        sc_unit_rows_exchange_part(rows, fresh, part);
    sc_unit_rows_clear_part(fresh, part);
    return status;
}

scrim_status sc_unit_shrink(sc_unit_rows *rows, size_t from, size_t end, sc_bound *bound,
                            const sc_key_set *keys, const sc_value_key *hash_key,
                            scrim_error *error)
{
    sc_unit_table table = {0};
    scrim_status status = SCRIM_OK;
    uint64_t *tokens = sc_allocate(keys->count, sizeof *tokens);
    sc_unit_rows *fresh = sc_allocate(1, sizeof *fresh);
    if (tokens == NULL || fresh == NULL) {
        status = sc_fail(error, SCRIM_E_MEMORY, "no memory");
        goto done;
    }
    sc_unit_rows_init_beside(fresh, rows);
    for (uint32_t i = 0; i < keys->count; i++)
        tokens[i] = keys->entries[i].hash;
    for (size_t part = from; status == SCRIM_OK && part < end; part++)
        status = shrink_part(rows, fresh, &table, bound, tokens, part, hash_key, error);
done:
    sc_unit_table_clear(&table);
    sc_free(fresh);
    sc_free(tokens);
    return status;
}
