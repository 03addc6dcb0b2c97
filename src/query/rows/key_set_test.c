#include "check.h"
#include "faults.h"
#include "query/rows/key_set.h"

#include <stdio.h>

static const sc_value_key key = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}};

static scrim_status add(sc_key_set *set, const char text[64], uint64_t hash,
                        uint32_t *number)
{
    scrim_error error;
    return sc_key_set_add(set, sc_text_of(text), hash, number, &error);
}

TEST(key_set_numbers_keys_in_the_order_of_arrival)
{
    sc_key_set set;
    scrim_error error;
    uint32_t number = 99;
    unsigned wrong = 0;
    REQUIRE_OK(sc_key_set_init(&set, &error));
    for (int turn = 0; turn < 2; turn++)
        for (unsigned i = 0; i < 1000; i++) {
            char text[64];
            snprintf(text, sizeof text, "key %u", i);
            const uint64_t hash = sc_value_hash_plain(&key, sc_text_of(text));
            CHECK_INT(sc_key_set_find(&set, sc_text_of(text), hash),
                      turn == 0 ? SC_KEY_NONE : i);
            wrong += add(&set, text, hash, &number) != SCRIM_OK || number != i;
            wrong += !sc_text_is(set.entries[i].text, text);
        }
    CHECK_INT(wrong, 0);
    CHECK_INT(set.count, 1000);
    sc_key_set_clear(&set);
}

TEST(key_set_tells_equal_hashes_apart)
{
    static const char texts[][64] = {"a",       "b",         "aa",        "",
                                     "ab",      "12345678",  "1234567x",  "x2345678",
                                     "1234567", "123456789", "12345678x", "x23456789"};
    sc_key_set set;
    scrim_error error;
    uint32_t number = 99;
    REQUIRE_OK(sc_key_set_init(&set, &error));
    for (unsigned i = 0; i < COUNT(texts); i++) {
        CHECK_STATUS(add(&set, texts[i], 7, &number), SCRIM_OK);
        CHECK_INT(number, i);
    }
    sc_text views[COUNT(texts)];
    uint64_t hashes[COUNT(texts)];
    uint32_t numbers[COUNT(texts)];
    for (unsigned i = 0; i < COUNT(texts); i++) {
        CHECK_INT(sc_key_set_find(&set, sc_text_of(texts[i]), 7), i);
        views[i] = sc_text_of(texts[i]);
        hashes[i] = i == 3 ? 8 : 7;
    }
    sc_key_set_find_all(&set, views, hashes, COUNT(texts), numbers);
    for (unsigned i = 0; i < COUNT(texts); i++)
        CHECK_INT(numbers[i], i == 3 ? SC_KEY_NONE : i);
    sc_key_set_clear(&set);
}

TEST(key_set_survives_failing_allocations)
{
    FAULT_LOOP(fault)
    {
        sc_key_set set;
        scrim_error error;
        uint32_t number;
        scrim_status status = sc_key_set_init(&set, &error);
        for (uint32_t i = 0; status == SCRIM_OK && i < 40; i++) {
            const char text[64] = {(char)('A' + i), 0};
            status = add(&set, text, i, &number);
            if (status != SCRIM_OK)
                CHECK_INT(set.count, i);
        }
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        sc_key_set_clear(&set);
    }
}
