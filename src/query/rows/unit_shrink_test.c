#include "check.h"
#include "faults.h"
#include "query/rows/unit_room.h"

#include <stdio.h>

#define UNITS 20
#define GROUPS 5
#define ROWS 20000

static const sc_value_key hash_key = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}};
static const sc_bound_keys bound_keys = {{1, 2}, {3, 4}};

typedef struct tally {
    uint64_t counts[UNITS][GROUPS][3];
} tally;

static bool add_keys(sc_key_set *keys)
{
    scrim_error error;
    bool is_good = sc_key_set_init(keys, &error) == SCRIM_OK;
    for (unsigned i = 0; is_good && i < GROUPS; i++) {
        char text[32];
        uint32_t number;
        snprintf(text, sizeof text, "%u", i);
        const uint64_t hash = sc_value_hash_plain(&hash_key, sc_text_of(text));
        is_good =
            sc_key_set_add(keys, sc_text_of(text), hash, &number, &error) == SCRIM_OK;
    }
    return is_good;
}

static bool add_rows(sc_unit_rows *rows, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        char unit[32] = "";
        snprintf(unit, sizeof unit, "%zu", i % UNITS);
        const uint64_t hash = sc_value_hash_plain(&hash_key, sc_text_of(unit));
        const unsigned char value[1 + SC_UNIT_PADDING] = {(unsigned char)(i / 64 % 3)};
        if (!sc_unit_rows_add(rows, hash, sc_text_of(unit),
                              (uint32_t)(i / UNITS * 7 % GROUPS), 1, value))
            return false;
    }
    return true;
}

/* The rows that stay in the end, by unit, group and value. */
static tally bounded(const sc_unit_rows *rows, sc_bound *bound, const sc_key_set *keys)
{
    tally all = {{{{0}}}};
    sc_unit_table table = {0};
    const sc_unit_share share = {rows, NULL};
    uint64_t tokens[GROUPS];
    scrim_error error;
    for (uint32_t i = 0; i < GROUPS; i++)
        tokens[i] = keys->entries[i].hash;
    for (size_t part = 0; part < SC_UNIT_PARTS; part++) {
        CHECK_STATUS(sc_unit_table_fill(&table, &share, 1, part, &hash_key, &error),
                     SCRIM_OK);
        for (size_t u = 0; u < table.unit_count; u++) {
            const sc_unit *unit = &table.units[u];
            size_t kept = 0;
            CHECK_STATUS(sc_bound_unit(bound, SC_BOUND_FINAL, unit->hash, tokens,
                                       table.rows + unit->start, unit->end - unit->start,
                                       &kept, &error),
                         SCRIM_OK);
            const unsigned number = (unsigned)strtoul(unit->text.start, NULL, 10) % UNITS;
            for (uint32_t i = unit->start; i < unit->start + kept; i++)
                all.counts[number][table.rows[i].group][*table.rows[i].content] +=
                    table.rows[i].copies;
        }
    }
    sc_unit_table_clear(&table);
    return all;
}

TEST(unit_shrink_leaves_the_same_rows_in_the_end)
{
    CLAIM("unit-shrink.same");
    static sc_unit_rows whole, shrunk;
    static tally want, got;
    sc_key_set keys;
    sc_bound bound;
    scrim_error error;
    size_t most = 0;
    REQUIRE(add_keys(&keys));
    REQUIRE_OK(sc_bound_init(&bound, &bound_keys, &(sc_bounds){2, 900, 0}, 1, &error));
    sc_unit_rows_init(&whole, 1, 4);
    sc_unit_rows_init(&shrunk, 1, 4);
    CHECK(add_rows(&whole, 0, ROWS));
    for (size_t from = 0; from < ROWS; from += ROWS / 10) {
        CHECK(add_rows(&shrunk, from, from + ROWS / 10));
        CHECK_STATUS(
            sc_unit_shrink(&shrunk, 0, SC_UNIT_PARTS, &bound, &keys, &hash_key, &error),
            SCRIM_OK);
        most = shrunk.held_bytes > most ? shrunk.held_bytes : most;
    }
    want = bounded(&whole, &bound, &keys);
    got = bounded(&shrunk, &bound, &keys);
    CHECK(memcmp(&want, &got, sizeof want) == 0);
    CHECK(most < (size_t)UNITS * 2048 && whole.held_bytes > (size_t)ROWS * 8);
    sc_unit_rows_clear(&whole);
    sc_unit_rows_clear(&shrunk);
    CHECK_INT(shrunk.held_bytes, 0);
    sc_bound_clear(&bound);
    sc_key_set_clear(&keys);
}

TEST(unit_shrink_survives_failing_allocations)
{
    static sc_unit_rows rows;
    sc_key_set keys;
    REQUIRE(add_keys(&keys));
    FAULT_LOOP(fault)
    {
        sc_bound bound;
        scrim_error error;
        sc_unit_rows_init(&rows, 1, 4);
        scrim_status status =
            sc_bound_init(&bound, &bound_keys, &(sc_bounds){1, 1, 0}, 1, &error);
        if (status == SCRIM_OK && !add_rows(&rows, 0, 400))
            status = SCRIM_E_MEMORY;
        if (status == SCRIM_OK)
            status =
                sc_unit_shrink(&rows, 0, SC_UNIT_PARTS, &bound, &keys, &hash_key, &error);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        sc_unit_rows_clear(&rows);
        CHECK_INT(rows.held_bytes, 0);
        sc_bound_clear(&bound);
    }
    sc_key_set_clear(&keys);
}
