#include "check.h"
#include "faults.h"
#include "query/rows/unit_rows.h"

#include <stdio.h>

#define ROWS 3000
#define VALUE_BYTES 5

static const unsigned char no_values[2 * SC_UNIT_PADDING];

/* All lengths up to the longest, some with a zero in the end. */
static sc_text unit_of(size_t i)
{
    static char bytes[SC_UNIT_BYTES + SC_UNIT_PADDING];
    const size_t length = i % 7 == 0 ? 1 + i * 13 % SC_UNIT_BYTES : 1 + i % 30;
    memset(bytes, (int)('a' + i % 26), sizeof bytes);
    if (i % 11 == 0)
        bytes[length - 1] = 0;
    return (sc_text){bytes, length};
}

static uint64_t copies_of(size_t i)
{
    return i % 5 == 0 ? i << 33 : 1;
}

/* A hash that lies in this part. */
static uint64_t hash_in(size_t part)
{
    return (uint64_t)part << 56;
}

TEST(unit_rows_come_back_as_they_were)
{
    static sc_unit_rows rows;
    static bool is_seen[ROWS];
    sc_unit_entry entry;
    size_t seen = 0, wrong = 0;
    sc_unit_rows_init(&rows, VALUE_BYTES, 4);
    for (size_t i = 0; i < ROWS; i++) {
        unsigned char values[VALUE_BYTES + SC_UNIT_PADDING];
        memset(values, (int)(i % 251), sizeof values);
        REQUIRE(sc_unit_rows_add(&rows, hash_in(i % 3), unit_of(i), (uint32_t)i,
                                 copies_of(i), values));
    }
    CHECK(rows.held_bytes > (size_t)ROWS * 20);
    CHECK_INT(sc_unit_rows_entries(&rows, 0), ROWS / 3);
    CHECK_INT(sc_unit_rows_part_bytes(&rows, 0) + sc_unit_rows_part_bytes(&rows, 1) +
                  sc_unit_rows_part_bytes(&rows, 2),
              rows.held_bytes);
    for (size_t part = 0; part < SC_UNIT_PARTS; part++) {
        sc_unit_walk walk = sc_unit_walk_begin(&rows, SC_UNIT_OF_WORD, part);
        for (; sc_unit_walk_next(&walk, &entry); seen++) {
            const size_t i = entry.group;
            const sc_text unit = unit_of(i);
            wrong += i >= ROWS || is_seen[i] || i % 3 != part;
            is_seen[i] = true;
            wrong += entry.copies != copies_of(i) || !sc_text_equal(entry.unit, unit);
            for (size_t j = 0; j < VALUE_BYTES; j++)
                wrong += entry.values[j] != i % 251;
        }
    }
    CHECK_INT(seen, ROWS);
    CHECK_INT(wrong, 0);
    sc_unit_rows_clear(&rows);
    CHECK_INT(rows.held_bytes, 0);
}

/* Many at once, with invalid units among them, in stores of both kinds of groups. */
static void check_block(size_t group_bytes)
{
    static const char *const names[] = {"a", "12345678", "123456789", "", "longer", "z"};
    static const char too_long[SC_UNIT_BYTES + 1 + SC_UNIT_PADDING] = "x";
    static char padded[ROWS][32];
    static unsigned char values[ROWS * VALUE_BYTES + SC_UNIT_PADDING];
    static sc_text units[ROWS];
    static uint64_t hashes[ROWS];
    static uint32_t groups[ROWS];
    static sc_unit_rows rows;
    sc_unit_entry entry;
    size_t seen = 0, wrong = 0, want = 0;
    for (size_t i = 0; i < ROWS; i++) {
        snprintf(padded[i], sizeof padded[i], "%s", names[i % 6]);
        units[i] =
            i % 17 == 0 ? (sc_text){too_long, SC_UNIT_BYTES + 1} : sc_text_of(padded[i]);
        hashes[i] = hash_in(i % 3);
        groups[i] = i % 5 == 0 ? SC_UNIT_NO_GROUP : (uint32_t)i;
        memset(values + i * VALUE_BYTES, (int)(i % 251), VALUE_BYTES);
        want += i % 5 != 0 && i % 17 != 0 && i % 6 != 3;
    }
    sc_unit_rows_init(&rows, VALUE_BYTES, group_bytes);
    const sc_unit_block block = {ROWS, units, hashes, groups, values};
    REQUIRE(sc_unit_rows_add_block(&rows, &block));
    for (size_t part = 0; part < 3; part++) {
        sc_unit_walk walk = sc_unit_walk_begin(&rows, SC_UNIT_OF_WORD, part);
        for (; sc_unit_walk_next(&walk, &entry); seen++) {
            const size_t i = entry.group;
            wrong += i >= ROWS || i % 3 != part || i % 5 == 0 || entry.copies != 1 ||
                     !sc_text_equal(entry.unit, units[i % ROWS]) ||
                     entry.values[0] != i % 251 ||
                     entry.values[VALUE_BYTES - 1] != i % 251;
        }
    }
    CHECK_INT(seen, want);
    CHECK_INT(wrong, 0);
    sc_unit_rows_clear(&rows);
}

TEST(unit_rows_of_a_block_are_those_of_its_rows)
{
    check_block(2);
    check_block(4);
}

TEST(unit_rows_survive_failing_allocations)
{
    FAULT_LOOP(fault)
    {
        static sc_unit_rows rows;
        sc_unit_entry entry;
        size_t added = 0, seen = 0;
        sc_unit_rows_init(&rows, 0, 4);
        while (added < 300 &&
               sc_unit_rows_add(&rows, hash_in(1), unit_of(added), 0, 1, no_values))
            added++;
        CHECK(added == 300 || fault_hit());
        sc_unit_walk walk = sc_unit_walk_begin(&rows, SC_UNIT_OF_WORD, 1);
        while (sc_unit_walk_next(&walk, &entry))
            seen++;
        CHECK_INT(seen, added);
        sc_unit_rows_clear(&rows);
    }
}
