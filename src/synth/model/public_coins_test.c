#include "check.h"
#include "synth/model/synth_rows.h"

TEST(public_coins_are_a_function_of_key_stream_and_place)
{
    CLAIM("public-coins.same");
    const sc_hash_key key = {5, 6};
    sc_public_coins a, b;
    sc_public_coins_init(&a, &key, 1);
    sc_public_coins_init(&b, &key, 2);
    const sc_hash_half half = sc_hash_first(&key, 1);
    unsigned same = 0;
    for (uint64_t place = 0; place < (size_t)3 * SC_PUBLIC_COINS_READY; place++) {
        const uint64_t word = sc_public_coins_word(&a);
        CHECK(word == sc_hash_second(&half, place));
        same += word == sc_public_coins_word(&b);
    }
    CHECK_INT(same, 0);
}

/* False alarms: each count of 6000 draws is within 6 standard deviations of 1000; below 1e-7. */
TEST(public_coins_below_are_uniform)
{
    const sc_hash_key key = {check_seed(), 0};
    sc_public_coins coins;
    unsigned counts[6] = {0};
    sc_public_coins_init(&coins, &key, 0);
    for (int i = 0; i < 6000; i++)
        counts[sc_public_coins_below(&coins, 6)]++;
    for (int i = 0; i < 6; i++)
        CHECK(counts[i] > 826 && counts[i] < 1174);
    /* Without rejection every third value would be twice as likely. */
    unsigned thirds[3] = {0};
    for (int i = 0; i < 3000; i++)
        thirds[sc_public_coins_below(&coins, (uint64_t)3 << 62) % 3]++;
    for (int i = 0; i < 3; i++)
        CHECK(thirds[i] > 845 && thirds[i] < 1155);
    for (int i = 0; i < 1000; i++) {
        const double u = sc_public_coins_unit(&coins);
        CHECK(u >= 0 && u < 1);
        CHECK_INT(sc_public_coins_below(&coins, 1), 0);
    }
}

/* All six orders of three, each within 6 standard deviations of 1000. */
TEST(public_coins_shuffle_evenly)
{
    const sc_hash_key key = {check_seed(), 1};
    sc_public_coins coins;
    unsigned counts[27] = {0}, seen = 0;
    sc_public_coins_init(&coins, &key, 0);
    for (int i = 0; i < 6000; i++) {
        uint32_t list[3] = {0, 1, 2};
        sc_public_coins_shuffle(&coins, list, 3);
        counts[9 * list[0] + 3 * list[1] + list[2]]++;
    }
    for (int i = 0; i < 27; i++) {
        seen += counts[i] > 0;
        CHECK(counts[i] == 0 || (counts[i] > 826 && counts[i] < 1174));
    }
    CHECK_INT(seen, 6);
}
