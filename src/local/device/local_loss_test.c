#include "check.h"
#include "local_device.h"
#include "vectors.h"

#include <stdio.h>
#include <stdlib.h>

/* The cap itself is within the cap; a part in 2^32 above it is not. */
TEST(local_loss_is_held_against_a_cap)
{
    const scrim_local_config config =
        device_config("randomised-response values=2 a=21 b=3");
    CHECK_INT(scrim_local_config_is_within(&config, 7, 1), 1);
    CHECK_INT(scrim_local_config_is_within(&config, 4294967289, 613566756), 0);
    CHECK_INT(scrim_local_config_is_within(&config, 8, 1), 1);
    CHECK_INT(scrim_local_config_is_within(&config, 6, 1), 0);
    CHECK_INT(scrim_local_config_is_within(&config, 7, 0), 0);
    CHECK_INT(scrim_local_config_is_within(&config, 1, 7), 0);
    /* 2^32 ln 7 = 8357620451.147 */
    CHECK_INT(scrim_local_loss(&config), 8357620452);
    const scrim_local_config none = {.protocol = 0};
    CHECK(scrim_local_loss(&none) == UINT64_MAX);
    CHECK_INT(scrim_local_config_is_within(&none, UINT32_MAX, 1), 0);
}

/* A report of rappor loses by its ones and by its zeros: f = 1/2, p = 1/4, q = 1/2 have q* = 7/16 and p* =
 * 5/16, so 7/5 by the ones, 11/9 by the zeros and 77/45 by both. */
TEST(local_loss_of_both_parts_is_held_against_a_cap)
{
    const scrim_local_config config =
        device_config("rappor values=3 text=0 bits=3 hashes=0 cohorts=1 f=2147483648 "
                      "p=1073741824 q=2147483648 epoch=1");
    CHECK_INT(scrim_local_config_is_within(&config, 14, 10), 0);
    CHECK_INT(scrim_local_config_is_within(&config, 76999, 45000), 0);
    CHECK_INT(scrim_local_config_is_within(&config, 77001, 45000), 1);
}

/* The true loss of a wish, as the vector has it: never above the wish, and the device says it, rounded up
 * to a part of 2^32. */
static void check_wish(const json_t *row, const char *loss, const char *words)
{
    const scrim_local_config config = device_config(words);
    const double two_32 = 4294967296.0, wish = strtod(vectors_text(row, "eps"), NULL);
    const double truth = strtod(vectors_text(row, loss), NULL);
    const double said = (double)scrim_local_loss(&config);
    CHECK(said <= wish * two_32);
    CHECK(said > truth * two_32 - 1e-4 && said < truth * two_32 + 1 + 1e-4);
}

TEST(local_loss_is_not_above_the_wish)
{
    const json_t *rows = vectors_load("local-additions", "rounding");
    REQUIRE(json_array_size(rows) == 6);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const unsigned long long whole = (uint64_t)1 << 32, part = 1 << 20;
        const unsigned long long optimised = vectors_number(row, "OUE_B_of_2_32");
        const unsigned long long symmetric = vectors_number(row, "SUE_B_of_2_32");
        char words[128];
        snprintf(words, sizeof words, "randomised-response values=9 a=%llu b=%llu",
                 (unsigned long long)vectors_number(row, "A_over_2_20"), part);
        check_wish(row, "eps_true", words);
        snprintf(words, sizeof words, "optimised-unary values=9 a=%llu b=%llu",
                 whole - optimised, optimised);
        check_wish(row, "OUE_eps_true", words);
        snprintf(words, sizeof words, "symmetric-unary values=9 a=%llu b=%llu",
                 whole - symmetric, symmetric);
        check_wish(row, "SUE_eps_true", words);
    }
}
