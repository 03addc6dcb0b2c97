#include "check.h"
#include "data/source/csv_index.h"
#include "data/source/csv_quotes.h"
#include "faults.h"

TEST(csv_quotes_are_halved)
{
    static const struct {
        const char *field, *text;
    } cases[] = {{"a\"\"b", "a\"b"}, {"\"\"\"\"", "\"\""}, {"", ""}, {"abc", "abc"}};
    sc_csv_quotes room = {.bytes = NULL};
    sc_text taken[2 * COUNT(cases)];
    REQUIRE_OK(sc_csv_quotes_reserve(&room, 11, NULL));
    for (size_t i = 0; i < COUNT(taken); i++)
        taken[i] = sc_csv_quotes_take(&room, sc_text_of(cases[i / 2].field));
    for (size_t i = 0; i < COUNT(taken); i++) /* each is still there */
        CHECK(sc_text_is(taken[i], cases[i / 2].text));
    CHECK_INT(room.used, 16);
    REQUIRE_OK(sc_csv_quotes_reserve(&room, 5, NULL));
    CHECK_INT(room.used, 0);
    CHECK_INT(room.capacity, 22 + SC_CSV_PADDING);
    sc_csv_quotes_clear(&room);
    CHECK(room.bytes == NULL && room.capacity == 0);
}

TEST(csv_quotes_without_memory)
{
    FAULT_LOOP(fault)
    {
        sc_csv_quotes room = {.bytes = NULL};
        scrim_status status = sc_csv_quotes_reserve(&room, 5, NULL);
        if (status == SCRIM_OK)
            status = sc_csv_quotes_reserve(&room, 500, NULL);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        if (status != SCRIM_OK)
            CHECK_INT(room.capacity, 0);
        sc_csv_quotes_clear(&room);
    }
}
