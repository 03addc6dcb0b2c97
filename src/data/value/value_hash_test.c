#include "check.h"
#include "data/value/value_hash.h"
#include "random/bits_tape.h"

static void draw_key(sc_tape *tape, sc_value_key *key)
{
    for (size_t i = 0; i < sizeof key->words / sizeof *key->words; i++)
        CHECK_STATUS(sc_bits_word(sc_tape_bits_of(tape), &key->words[i], NULL), SCRIM_OK);
}

TEST(value_hash_twins_agree)
{
    CLAIM("value-hash.uniform");
    sc_tape *tape = NULL;
    sc_value_key key;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    draw_key(tape, &key);
    const sc_value_hasher hasher = sc_value_hasher_of(&key);
    char text[64];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)(i * 37 + 200);
    for (size_t from = 0; from < 8; from++)
        for (size_t bytes = 0; from + bytes + 8 <= sizeof text; bytes++) {
            const sc_text view = {text + from, bytes};
            CHECK(sc_value_hash(&key, view) == sc_value_hash_plain(&key, view));
            if (view.bytes - 1 < SC_VALUE_SHORT) {
                uint64_t word = 0;
                for (size_t j = view.bytes; j-- > 0;)
                    word = word << 8 | (unsigned char)view.start[j];
                CHECK(sc_value_hash_word(&hasher, word, view.bytes) ==
                      sc_value_hash_plain(&key, view));
            }
        }
    sc_tape_free(tape);
}

/* Pairs that a weak hash confuses, over many keys: four bits of each of the two hashes fall on
 * all 256 pairs alike. Chi-square of 255 degrees of freedom: above 400 once in 10^8 runs. */
TEST(value_hash_is_uniform_and_independent)
{
    CLAIM("value-hash.uniform");
    static const char *const pairs[][2] = {
        {"a", "b"},
        {"a", "a\0"},
        {"user1", "user2"},
        {"aaaaaaaaX", "aaaaaaaXX"},
        {"0", "00000000"},
        {"abcdefghijklmnop", "abcdefghijklmnoq"},
        {"aaaaaaaaa", "aaaaaaaa"},
    };
    sc_tape *tape = NULL;
    const uint64_t count = check_count(25600, 256000);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
        uint64_t high[256] = {0}, low[256] = {0};
        for (uint64_t i = 0; i < count; i++) {
            sc_value_key key;
            char room[2][32] = {{0}};
            sc_text view[2];
            draw_key(tape, &key);
            for (size_t j = 0; j < 2; j++) {
                const size_t bytes = p == 1 ? j + 1 : sc_text_of(pairs[p][j]).bytes;
                memcpy(room[j], pairs[p][j], bytes);
                view[j] = (sc_text){room[j], bytes};
            }
            const uint64_t a = sc_value_hash(&key, view[0]),
                           b = sc_value_hash(&key, view[1]);
            high[(a >> 60) << 4 | b >> 60]++;
            low[(a & 15) << 4 | (b & 15)]++;
        }
        const double mean = (double)count / 256;
        double chi_high = 0, chi_low = 0;
        for (size_t i = 0; i < 256; i++) {
            chi_high += ((double)high[i] - mean) * ((double)high[i] - mean) / mean;
            chi_low += ((double)low[i] - mean) * ((double)low[i] - mean) / mean;
        }
        CHECK(chi_high < 400);
        CHECK(chi_low < 400);
    }
    sc_tape_free(tape);
}
