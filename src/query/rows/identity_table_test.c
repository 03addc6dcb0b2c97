#include "check.h"
#include "query/rows/key_set.h"

#include <string.h>

/* Few marks, so that searches meet others. */
static sc_key_identity key_of(uint64_t i)
{
    return (sc_key_identity){.hash = i / 4, .mark = i % 4};
}

TEST(identity_table_numbers_keys_in_the_order_they_come)
{
    enum { KEYS = 700 };
    sc_identity_table table = {.count = 0};
    for (int again = 0; again < 2; again++) {
        REQUIRE(sc_identity_table_begin(&table, KEYS));
        CHECK_INT(table.count, 0);
        CHECK_INT(*sc_identity_table_slot(&table, key_of(5)), 0);
        for (uint64_t turn = 0; turn < 2; turn++)
            for (uint64_t i = 0; i < KEYS; i++)
                CHECK_INT(sc_identity_table_number(&table, key_of(i)), i);
        CHECK_INT(table.count, KEYS);
        for (uint64_t i = 0; i < KEYS; i++) {
            CHECK_INT(*sc_identity_table_slot(&table, key_of(i)), i + 1);
            CHECK_INT(table.tokens[i], i / 4);
        }
    }
    sc_identity_table_clear(&table);
    CHECK(table.keys == NULL && table.capacity == 0);
}
