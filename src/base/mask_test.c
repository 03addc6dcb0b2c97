#include "base/mask.h"
#include "check.h"

TEST(mask_selects_one_of_two)
{
    static const uint64_t words[] = {0, 1, 77, (uint64_t)1 << 63, UINT64_MAX};
    CHECK(sc_mask(true) == UINT64_MAX);
    CHECK(sc_mask(false) == 0);
    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < 5; j++) {
            const sc_uint128 a = (sc_uint128)words[i] << 64 | words[j];
            const sc_uint128 b = (sc_uint128)words[j] << 64 | words[i];
            CHECK(sc_mask_select(sc_mask(true), words[i], words[j]) == words[i]);
            CHECK(sc_mask_select(sc_mask(false), words[i], words[j]) == words[j]);
            CHECK(sc_mask_select_128(sc_mask(true), a, b) == a);
            CHECK(sc_mask_select_128(sc_mask(false), a, b) == b);
        }
}
