#include "check.h"
#include "query/rows/grouping.h"

#include <string.h>

/* Bytes, not letters: a prefix first, and what is not ASCII last. */
TEST(grouping_sorts_keys_by_their_bytes)
{
    static const char *const keys[] = {"b", "a", "", "ab", "\xc3\xa4", "B", "aa"};
    static const char *const sorted[] = {"", "B", "a", "aa", "ab", "b", "\xc3\xa4"};
    sc_key_set from, to;
    scrim_error error;
    REQUIRE_OK(sc_key_set_init(&from, &error));
    REQUIRE_OK(sc_key_set_init(&to, &error));
    for (size_t i = 0; i < COUNT(keys); i++) {
        char padded[SC_KEY_PADDING + 8] = {0};
        uint32_t number;
        memcpy(padded, keys[i], strlen(keys[i]));
        REQUIRE_OK(sc_key_set_add(&from, (sc_text){padded, strlen(keys[i])},
                                  UINT64_C(0x9e3779b97f4a7c15) * (i + 1), &number,
                                  &error));
        CHECK_INT(number, i);
    }
    REQUIRE_OK(sc_grouping_sort_keys(&to, &from, &error));
    REQUIRE(CHECK_INT(to.count, COUNT(sorted)));
    for (size_t i = 0; i < COUNT(sorted); i++)
        CHECK(sc_text_is(to.entries[i].text, sorted[i]));
    sc_key_set_clear(&to);
    sc_key_set_clear(&from);
}
