#include "check.h"
#include "faults.h"
#include "query/rows/unit_table.h"

#include <stdio.h>

#define UNITS 300
#define ROWS 2000

static const sc_value_key key = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}};
static const uint32_t turned[] = {2, 1, 0};
static const uint64_t in_part_7 = (uint64_t)7 << 56;
static const unsigned char no_values[2 * SC_UNIT_PADDING];

static sc_text unit_of(size_t i, char bytes[64])
{
    memset(bytes, 0, 64);
    snprintf(bytes, 64, i % 10 == 0 ? "a longer name for unit %zu" : "%zu", i % UNITS);
    return sc_text_of(bytes);
}

/* The rows of a unit, added up: its groups are its numbers turned in the second share. */
TEST(unit_table_brings_rows_of_a_unit_together)
{
    static sc_unit_rows rows[2];
    sc_unit_table table = {0};
    scrim_error error;
    char bytes[64];
    uint64_t found = 0, wrong = 0;
    const sc_unit_share shares[] = {{&rows[0], NULL}, {&rows[1], turned}};
    for (size_t i = 0; i < 2; i++)
        sc_unit_rows_init(&rows[i], 1, 4 - 2 * i);
    for (size_t i = 0; i < ROWS; i++) {
        const unsigned char value[1 + SC_UNIT_PADDING] = {
            (unsigned char)(i % UNITS % 200)};
        REQUIRE(sc_unit_rows_add(&rows[i % 2], in_part_7, unit_of(i, bytes),
                                 (uint32_t)(i % 3), 1 + i % 4, value));
    }
    /* A table is filled again and again. */
    REQUIRE_OK(sc_unit_table_fill(&table, shares, 2, 3, &key, &error));
    CHECK_INT(table.unit_count, 0);
    for (int turn = 0; turn < 2; turn++)
        REQUIRE_OK(sc_unit_table_fill(&table, shares, 2, 7, &key, &error));
    CHECK_INT(table.unit_count, UNITS);
    for (size_t u = 0; u < table.unit_count; u++) {
        const sc_unit *unit = &table.units[u];
        uint64_t got[3] = {0}, want[3] = {0};
        wrong += unit->hash != sc_value_hash_plain(&key, unit->text);
        for (uint32_t r = unit->start; r < unit->end; r++) {
            got[table.rows[r].group] += table.rows[r].copies;
            wrong += *table.rows[r].content != *table.rows[unit->start].content;
            found++;
        }
        for (size_t i = 0; i < ROWS; i++)
            if (sc_text_equal(unit_of(i, bytes), unit->text))
                want[i % 2 == 0 ? i % 3 : turned[i % 3]] += 1 + i % 4;
        wrong += memcmp(got, want, sizeof got) != 0;
    }
    CHECK_INT(found, ROWS);
    CHECK_INT(wrong, 0);
    sc_unit_table_clear(&table);
    for (size_t i = 0; i < 2; i++)
        sc_unit_rows_clear(&rows[i]);
}

/* Units that fit a word and others, once and several times. */
TEST(unit_table_tells_words_and_texts_apart)
{
    static const char bytes[][64] = {"ab",      "ab",       "ab",        "abcdefg",
                                     "abcdefg", "abcdefgh", "abcdefghi", ""};
    static const size_t lengths[] = {2, 3, 4, 7, 8, 8, 9, 1};
    static sc_unit_rows rows[2];
    const sc_unit_share shares[] = {{&rows[0], NULL}, {&rows[1], NULL}};
    sc_unit_table table = {0};
    scrim_error error;
    for (size_t i = 0; i < 2; i++) {
        sc_unit_rows_init(&rows[i], 0, 4);
        for (uint32_t j = 0; j < COUNT(lengths); j++)
            for (uint64_t copies = 1; copies <= 3; copies += 1 + i)
                REQUIRE(sc_unit_rows_add(&rows[i], in_part_7,
                                         (sc_text){bytes[j], lengths[j]}, j, copies,
                                         no_values));
    }
    REQUIRE_OK(sc_unit_table_fill(&table, shares, 2, 7, &key, &error));
    CHECK_INT(table.unit_count, COUNT(lengths));
    for (size_t u = 0; u < table.unit_count; u++) {
        const sc_unit *unit = &table.units[u];
        const uint32_t j = table.rows[unit->start].group;
        uint64_t copies = 0;
        CHECK(sc_text_equal(unit->text, (sc_text){bytes[j], lengths[j]}));
        CHECK_INT(unit->hash, sc_value_hash_plain(&key, unit->text));
        for (uint32_t r = unit->start; r < unit->end; r++) {
            CHECK_INT(table.rows[r].group, j);
            copies += table.rows[r].copies;
        }
        CHECK_INT(copies, 1 + 2 + 3 + 1 + 3);
    }
    sc_unit_table_clear(&table);
    for (size_t i = 0; i < 2; i++)
        sc_unit_rows_clear(&rows[i]);
}

/* Under this key all hashes are 0. */
TEST(unit_table_tells_equal_hashes_apart)
{
    static const sc_value_key nothing;
    static sc_unit_rows rows;
    const sc_unit_share share = {&rows, NULL};
    sc_unit_table table = {0};
    scrim_error error;
    char bytes[64];
    sc_unit_rows_init(&rows, 0, 4);
    for (size_t i = 0; i < ROWS; i++)
        REQUIRE(sc_unit_rows_add(&rows, 0, unit_of(i, bytes), 0, 1, no_values));
    REQUIRE_OK(sc_unit_table_fill(&table, &share, 1, 0, &nothing, &error));
    CHECK_INT(table.units[0].hash, table.units[1].hash);
    CHECK_INT(table.unit_count, UNITS);
    sc_unit_table_clear(&table);
    sc_unit_rows_clear(&rows);
}

TEST(unit_table_survives_failing_allocations)
{
    static sc_unit_rows rows;
    const sc_unit_share share = {&rows, NULL};
    char bytes[64];
    sc_unit_rows_init(&rows, 0, 4);
    for (size_t i = 0; i < 100; i++)
        REQUIRE(sc_unit_rows_add(&rows, 0, unit_of(i, bytes), 0, 1, no_values));
    FAULT_LOOP(fault)
    {
        sc_unit_table table = {0};
        scrim_error error;
        const scrim_status status =
            sc_unit_table_fill(&table, &share, 1, 0, &key, &error);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        sc_unit_table_clear(&table);
    }
    sc_unit_rows_clear(&rows);
}
