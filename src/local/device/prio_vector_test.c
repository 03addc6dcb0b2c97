#include "check.h"
#include "scrim_local.h"

#include <string.h>

TEST(histogram_vectors_are_one_hot)
{
    uint8_t out[5 * 16];
    for (uint64_t value = 0; value < 8; value++) {
        memset(out, 0xff, sizeof out);
        CHECK_INT(scrim_local_histogram_vector(value, 5, 16, out), SCRIM_LOCAL_OK);
        for (size_t i = 0; i < sizeof out; i++)
            CHECK_INT(out[i], i == 16 * (value < 5 ? value : 4));
    }
    CHECK_INT(scrim_local_histogram_vector(0, 0, 16, out), SCRIM_LOCAL_E_PARAM);
    CHECK_INT(scrim_local_histogram_vector(0, 5, 0, out), SCRIM_LOCAL_E_PARAM);
}

TEST(sum_vectors_hold_the_bits)
{
    static const uint64_t values[] = {0, 5, 7, 8, UINT64_MAX};
    static const uint8_t want[] = {0, 0, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    uint8_t out[COUNT(want) * 8], bit[4];
    CHECK_INT(scrim_local_sum_vector(values, 5, 3, 8, out), SCRIM_LOCAL_OK);
    for (size_t i = 0; i < sizeof out; i++)
        CHECK_INT(out[i], i % 8 == 0 ? want[i / 8] : 0);
    /* A set: its multi-hot vector. */
    CHECK_INT(scrim_local_sum_vector((const uint64_t[]){1, 0, 0, 1}, 4, 1, 1, bit),
              SCRIM_LOCAL_OK);
    CHECK_BYTES(bit, ((const uint8_t[]){1, 0, 0, 1}), 4);
    CHECK_INT(scrim_local_sum_vector(values, 0, 3, 8, out), SCRIM_LOCAL_E_PARAM);
    CHECK_INT(scrim_local_sum_vector(values, 5, 0, 8, out), SCRIM_LOCAL_E_PARAM);
    CHECK_INT(scrim_local_sum_vector(values, 5, 63, 8, out), SCRIM_LOCAL_E_PARAM);
}
