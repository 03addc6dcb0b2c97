#include "check.h"
#include "query/rows/unit_room.h"

#include <stdio.h>
#include <stdlib.h>

#define GROUPS 4

/* Digits of pi: as a key of small numbers would put many units into a chain. */
static const sc_value_key hash_key = {
    {UINT64_C(0x243f6a8885a308d3), UINT64_C(0x13198a2e03707344),
     UINT64_C(0xa4093822299f31d0), UINT64_C(0x082efa98ec4e6c89),
     UINT64_C(0x452821e638d01377), UINT64_C(0xbe5466cf34e90c6c),
     UINT64_C(0xc0ac29b7c97c50dd), UINT64_C(0x3f84d5b5b5470917),
     UINT64_C(0x9216d5d98979fb1b), UINT64_C(0xd1310ba698dfb5ac)}};
static const sc_bound_keys bound_keys = {{1, 2}, {3, 4}};
static const unsigned char no_values[2 * SC_UNIT_PADDING];

static void add_keys(sc_key_set *keys)
{
    scrim_error error;
    REQUIRE_OK(sc_key_set_init(keys, &error));
    for (unsigned i = 0; i < GROUPS; i++) {
        char text[32] = "";
        uint32_t number;
        snprintf(text, sizeof text, "%u", i);
        REQUIRE_OK(sc_key_set_add(keys, sc_text_of(text),
                                  sc_value_hash_plain(&hash_key, sc_text_of(text)),
                                  &number, &error));
    }
}

/* Adds rows of `units` units; *most is what was held at most once there was room again. */
static void fill(sc_unit_room *room, const sc_key_set *keys, size_t rows, size_t units,
                 size_t *most)
{
    sc_bound bound;
    scrim_error error;
    REQUIRE_OK(sc_bound_init(&bound, &bound_keys, &(sc_bounds){GROUPS, 1, 0}, 0, &error));
    for (size_t i = 0; i < rows; i++) {
        char unit[32] = "";
        snprintf(unit, sizeof unit, "%zu", i % units);
        const sc_text text = sc_text_of(unit);
        REQUIRE(sc_unit_rows_add(&room->rows, sc_value_hash_plain(&hash_key, text), text,
                                 (uint32_t)(i / units % GROUPS), 1, no_values));
        if (!sc_unit_room_is_full(room))
            continue;
        REQUIRE_OK(sc_unit_room_empty(room, &bound, keys, &hash_key, &error));
        *most = room->rows.held_bytes > *most ? room->rows.held_bytes : *most;
    }
    sc_bound_clear(&bound);
}

/* The rows that come back, by unit and group. */
static void gather(sc_unit_room *room, uint64_t (*counts)[GROUPS], size_t units)
{
    sc_cipher *cipher = NULL;
    scrim_error error;
    for (size_t part = 0; part < SC_UNIT_PARTS; part++) {
        sc_unit_entry entry;
        REQUIRE_OK(sc_unit_room_gather(room, part, &cipher, &error));
        sc_unit_walk walk = sc_unit_walk_begin(&room->rows, SC_UNIT_OF_WORD, part);
        while (sc_unit_walk_next(&walk, &entry)) {
            size_t unit = 0;
            for (size_t i = 0; i < entry.unit.bytes; i++)
                unit = 10 * unit + (size_t)(entry.unit.start[i] - '0');
            REQUIRE(unit < units && entry.group < GROUPS);
            counts[unit][entry.group] += entry.copies;
        }
        sc_unit_rows_clear_part(&room->rows, part);
    }
    sc_cipher_close(cipher);
}

static void check_room(size_t rows, size_t units, size_t most_bytes, bool has_file)
{
    static sc_unit_room room;
    sc_key_set keys;
    size_t most = 0, wrong = 0;
    sc_sealed_file *file = NULL;
    REQUIRE_OK(sc_sealed_file_open(0, &file, NULL));
    uint64_t(*counts)[GROUPS] = calloc(units, sizeof *counts);
    REQUIRE(counts != NULL);
    sc_unit_room_init(&room, 0, 2, most_bytes, file);
    add_keys(&keys);
    fill(&room, &keys, rows, units, &most);
    CHECK_INT(room.spill != NULL, has_file);
    CHECK(most <=
          (most_bytes < SC_UNIT_ROOM_LEAST ? SC_UNIT_ROOM_LEAST : most_bytes) / 2);
    gather(&room, counts, units);
    for (size_t i = 0; i < units; i++)
        for (size_t j = 0; j < GROUPS; j++) {
            size_t want = 0;
            for (size_t row = i; row < rows; row += units)
                want += row / units % GROUPS == j;
            wrong += counts[i][j] != want;
        }
    CHECK_INT(wrong, 0);
    CHECK_INT(room.rows.held_bytes, 0);
    sc_unit_room_clear(&room);
    sc_sealed_file_close(file);
    sc_key_set_clear(&keys);
    free(counts);
}

TEST(unit_room_of_few_units_needs_no_file)
{
    CLAIM("unit-room.limit");
    CLAIM("unit-room.same");
    check_room(60000, 300, 1, false);
}

TEST(unit_room_of_many_units_goes_to_a_file)
{
    CLAIM("unit-room.limit");
    CLAIM("unit-room.same");
    check_room(150000, 40000, 1, true);
    check_room(140000, 60000, SC_UNIT_ROOM_LEAST + 100000, true);
}
