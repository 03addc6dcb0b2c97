#include "base/hash.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

/* The vectors that the authors publish with their reference code: key 00 01 .. 0f,
 * messages of 0 to 63 bytes 00 01 02 ..; held against OpenSSL's SIPHASH as well. */
static const uint64_t published[64] = {
    UINT64_C(0x726fdb47dd0e0e31), UINT64_C(0x74f839c593dc67fd),
    UINT64_C(0x0d6c8009d9a94f5a), UINT64_C(0x85676696d7fb7e2d),
    UINT64_C(0xcf2794e0277187b7), UINT64_C(0x18765564cd99a68d),
    UINT64_C(0xcbc9466e58fee3ce), UINT64_C(0xab0200f58b01d137),
    UINT64_C(0x93f5f5799a932462), UINT64_C(0x9e0082df0ba9e4b0),
    UINT64_C(0x7a5dbbc594ddb9f3), UINT64_C(0xf4b32f46226bada7),
    UINT64_C(0x751e8fbc860ee5fb), UINT64_C(0x14ea5627c0843d90),
    UINT64_C(0xf723ca908e7af2ee), UINT64_C(0xa129ca6149be45e5),
    UINT64_C(0x3f2acc7f57c29bdb), UINT64_C(0x699ae9f52cbe4794),
    UINT64_C(0x4bc1b3f0968dd39c), UINT64_C(0xbb6dc91da77961bd),
    UINT64_C(0xbed65cf21aa2ee98), UINT64_C(0xd0f2cbb02e3b67c7),
    UINT64_C(0x93536795e3a33e88), UINT64_C(0xa80c038ccd5ccec8),
    UINT64_C(0xb8ad50c6f649af94), UINT64_C(0xbce192de8a85b8ea),
    UINT64_C(0x17d835b85bbb15f3), UINT64_C(0x2f2e6163076bcfad),
    UINT64_C(0xde4daaaca71dc9a5), UINT64_C(0xa6a2506687956571),
    UINT64_C(0xad87a3535c49ef28), UINT64_C(0x32d892fad841c342),
    UINT64_C(0x7127512f72f27cce), UINT64_C(0xa7f32346f95978e3),
    UINT64_C(0x12e0b01abb051238), UINT64_C(0x15e034d40fa197ae),
    UINT64_C(0x314dffbe0815a3b4), UINT64_C(0x027990f029623981),
    UINT64_C(0xcadcd4e59ef40c4d), UINT64_C(0x9abfd8766a33735c),
    UINT64_C(0x0e3ea96b5304a7d0), UINT64_C(0xad0c42d6fc585992),
    UINT64_C(0x187306c89bc215a9), UINT64_C(0xd4a60abcf3792b95),
    UINT64_C(0xf935451de4f21df2), UINT64_C(0xa9538f0419755787),
    UINT64_C(0xdb9acddff56ca510), UINT64_C(0xd06c98cd5c0975eb),
    UINT64_C(0xe612a3cb9ecba951), UINT64_C(0xc766e62cfcadaf96),
    UINT64_C(0xee64435a9752fe72), UINT64_C(0xa192d576b245165a),
    UINT64_C(0x0a8787bf8ecb74b2), UINT64_C(0x81b3e73d20b49b6f),
    UINT64_C(0x7fa8220ba3b2ecea), UINT64_C(0x245731c13ca42499),
    UINT64_C(0xb78dbfaf3a8d83bd), UINT64_C(0xea1ad565322a1a0b),
    UINT64_C(0x60e61c23a3795013), UINT64_C(0x6606d7e446282b93),
    UINT64_C(0x6ca4ecb15c5f91e1), UINT64_C(0x9f626da15c9625f3),
    UINT64_C(0xe51b38608ef25f57), UINT64_C(0x958a324ceb064572),
};

static const sc_hash_key published_key = {UINT64_C(0x0706050403020100),
                                          UINT64_C(0x0f0e0d0c0b0a0908)};

TEST(hash_agrees_with_the_published_vectors)
{
    unsigned char message[64];
    for (size_t i = 0; i < sizeof message; i++)
        message[i] = (unsigned char)i;
    for (size_t bytes = 0; bytes < 64; bytes++)
        CHECK(sc_hash(&published_key, message, bytes) == published[bytes]);
    /* The worked example of the paper, appendix A. */
    CHECK(sc_hash(&published_key, message, 15) == UINT64_C(0xa129ca6149be45e5));
}

TEST(hash_of_a_pair_is_that_of_its_bytes)
{
    const uint64_t first = published_key.k0, second = published_key.k1;
    const sc_hash_half half = sc_hash_first(&published_key, first);
    for (int turn = 0; turn < 2; turn++)
        CHECK(sc_hash_second(&half, second) == published[16]);
}

/* Any number of pairs, also in place of the words. */
TEST(hash_of_many_pairs_is_that_of_each)
{
    CLAIM("hash.lanes");
    uint64_t words[40], hashes[40];
    const sc_hash_half half = sc_hash_first(&published_key, published_key.k0);
    for (size_t count = 0; count <= 40; count++) {
        for (size_t i = 0; i < 40; i++)
            words[i] = hashes[i] = i == 5 ? published_key.k1 : published[i];
        sc_hash_seconds(&half, words, count, hashes);
        for (size_t i = 0; i < 40; i++)
            CHECK(hashes[i] == (i < count ? sc_hash_second(&half, words[i]) : words[i]));
        CHECK(count < 6 || hashes[5] == published[16]);
        for (int way = SC_HASH_AVX512; way <= SC_HASH_PLAIN; way++) {
            uint64_t again[40];
            memcpy(again, words, sizeof again);
            if (sc_hash_seconds_by((sc_hash_way)way, &half, again, count, again))
                CHECK(memcmp(again, hashes, sizeof again) == 0);
            else
                CHECK(way != SC_HASH_PLAIN);
        }
    }
}

TEST(hash_does_not_care_for_alignment)
{
    unsigned char shifted[80];
    for (size_t shift = 0; shift < 16; shift++) {
        for (size_t i = 0; i < 63; i++)
            shifted[shift + i] = (unsigned char)i;
        CHECK(sc_hash(&published_key, shifted + shift, 63) == published[63]);
    }
}

TEST(hash_of_nothing_takes_no_pointer)
{
    CHECK(sc_hash(&published_key, NULL, 0) == published[0]);
}

TEST(hash_reads_exactly_its_bytes)
{
    /* On the heap, so that the sanitizer sees a read past the end. */
    for (size_t bytes = 1; bytes < 64; bytes++) {
        unsigned char *message = malloc(bytes);
        REQUIRE(message != NULL);
        for (size_t i = 0; i < bytes; i++)
            message[i] = (unsigned char)i;
        CHECK(sc_hash(&published_key, message, bytes) == published[bytes]);
        free(message);
    }
}

TEST(hash_depends_on_each_bit_of_key_and_message)
{
    unsigned char message[24] = {0};
    const uint64_t plain = sc_hash(&published_key, message, sizeof message);
    for (size_t bit = 0; bit < 8 * sizeof message; bit++) {
        message[bit / 8] ^= (unsigned char)(1u << bit % 8);
        CHECK(sc_hash(&published_key, message, sizeof message) != plain);
        message[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    for (size_t bit = 0; bit < 64; bit++) {
        sc_hash_key key = published_key;
        key.k0 ^= UINT64_C(1) << bit;
        CHECK(sc_hash(&key, message, sizeof message) != plain);
        key = published_key;
        key.k1 ^= UINT64_C(1) << bit;
        CHECK(sc_hash(&key, message, sizeof message) != plain);
    }
}
