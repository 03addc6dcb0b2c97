#include "check.h"
#include "faults.h"
#include "random/bits_tape.h"
#include "vectors.h"

#include <string.h>

static uint64_t draw(sc_tape *tape)
{
    uint64_t word = 0;
    CHECK_STATUS(sc_bits_word(sc_tape_bits_of(tape), &word, NULL), SCRIM_OK);
    return word;
}

TEST(tape_of_words_plays_them_and_ends)
{
    static const uint64_t words[] = {3, 1, 4};
    scrim_error error = {.status = SCRIM_OK};
    sc_tape *tape = NULL;
    uint64_t got = 9;
    REQUIRE_OK(sc_tape_words(words, 3, &tape, NULL));
    for (uint64_t i = 0; i < 3; i++) {
        CHECK_INT(sc_tape_words_used(tape), i);
        CHECK(sc_tape_used(tape) == 64 * i);
        CHECK_INT(draw(tape), words[i]);
    }
    for (int i = 0; i < 2; i++)
        CHECK_STATUS(sc_bits_word(sc_tape_bits_of(tape), &got, &error), SCRIM_E_ENTROPY);
    CHECK_INT(got, 9);
    CHECK_INT(sc_tape_used(tape), 192);
    sc_tape_free(tape);

    REQUIRE_OK(sc_tape_words(NULL, 0, &tape, NULL));
    CHECK_STATUS(sc_bits_word(sc_tape_bits_of(tape), &got, &error), SCRIM_E_ENTROPY);
    sc_tape_free(tape);
    sc_tape_free(NULL);
}

/* Every length, taken in pieces of every size, gives back the bits and no more. */
TEST(tape_of_bits_plays_them_to_the_last)
{
    unsigned char bytes[25];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 151 + 7);
    for (size_t count = 0; count <= 8 * sizeof bytes; count++) {
        for (unsigned piece = 1; piece <= 64; piece++) {
            sc_tape *tape = NULL;
            REQUIRE_OK(sc_tape_bits(bytes, count, &tape, NULL));
            sc_bits *bits = sc_tape_bits_of(tape);
            size_t at = 0;
            uint64_t got = 0;
            for (; at + piece <= count; at += piece) {
                REQUIRE_OK(sc_bits_take(bits, piece, &got, NULL));
                for (unsigned i = 0; i < piece; i++)
                    REQUIRE((got >> i & 1) ==
                            (uint64_t)(bytes[(at + i) / 8] >> (at + i) % 8 & 1));
                REQUIRE(sc_tape_used(tape) == at + piece);
            }
            REQUIRE(sc_bits_take(bits, piece, &got, NULL) == SCRIM_E_ENTROPY);
            for (; at < count; at++)
                REQUIRE_OK(sc_bits_take(bits, 1, &got, NULL));
            REQUIRE(sc_bits_take(bits, 1, &got, NULL) == SCRIM_E_ENTROPY);
            REQUIRE(sc_tape_used(tape) == count);
            sc_tape_free(tape);
        }
    }
}

TEST(tape_that_is_constant_never_ends)
{
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_constant(UINT64_MAX, &tape, NULL));
    for (int i = 0; i < 1000; i++)
        REQUIRE(draw(tape) == UINT64_MAX);
    CHECK_INT(sc_tape_words_used(tape), 1000);
    sc_tape_free(tape);
}

TEST(tape_of_the_reference_has_the_keystream_of_the_vectors)
{
    const json_t *transcripts = vectors_load("mechanisms", "sampler_transcripts");
    const char *hex =
        json_string_value(json_object_get(transcripts, "keystream_hex_first_64"));
    REQUIRE(hex != NULL && strlen(hex) == 128);
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_reference(&tape, NULL));
    for (size_t i = 0; i < 64; i++) {
        const char digits[3] = {hex[2 * i], hex[2 * i + 1], '\0'};
        uint64_t byte = 0;
        REQUIRE_OK(sc_bits_take(sc_tape_bits_of(tape), 8, &byte, NULL));
        CHECK_INT(byte, (sc_int128)strtoul(digits, NULL, 16));
    }
    CHECK_INT(sc_tape_used(tape), 512);
    sc_tape_free(tape);
}

/* RFC 8439, A.1, test vectors 1 and 2: key and nonce of zeros, blocks 0 and 1. */
TEST(tape_of_chacha_counts_blocks_from_zero)
{
    static const unsigned char expected[2][8] = {
        {0x76, 0xb8, 0xe0, 0xad, 0xa0, 0xf1, 0x3d, 0x90},
        {0x9f, 0x07, 0xe7, 0xbe, 0x55, 0x51, 0x38, 0x7a}};
    static const unsigned char key[32];
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_chacha(key, &tape, NULL));
    for (int block = 0; block < 2; block++) {
        uint64_t word = draw(tape);
        for (unsigned i = 0; i < 8; i++)
            CHECK_INT(word >> (8 * i) & 0xff, expected[block][i]);
        for (int i = 1; i < 8; i++)
            (void)draw(tape);
    }
    sc_tape_free(tape);
}

TEST(tape_that_is_seeded_depends_on_every_byte_of_the_seed)
{
    uint64_t first[9];
    for (unsigned i = 0; i < 9; i++) {
        sc_tape *tape = NULL, *again = NULL;
        uint64_t seed = i == 8 ? 0 : (uint64_t)1 << (8 * i);
        REQUIRE_OK(sc_tape_seeded(seed, &tape, NULL));
        REQUIRE_OK(sc_tape_seeded(seed, &again, NULL));
        first[i] = draw(tape);
        CHECK_INT(draw(again), first[i]);
        for (unsigned j = 0; j < i; j++)
            CHECK(first[j] != first[i]);
        for (int j = 0; j < 2000; j++) /* across the edge of the block that is buffered */
            REQUIRE(draw(tape) == draw(again));
        sc_tape_free(tape);
        sc_tape_free(again);
    }
}

TEST(tape_that_records_can_be_played_again)
{
    uint64_t words[10];
    sc_tape *source = NULL, *record = NULL, *replay = NULL;
    memset(words, 0, sizeof words);
    REQUIRE_OK(sc_tape_reference(&source, NULL));
    REQUIRE_OK(sc_tape_record(sc_tape_bits_of(source), words, 8, &record, NULL));
    uint64_t taken[12];
    for (size_t i = 0; i < 12; i++) {
        taken[i] = draw(record);
        CHECK_INT(sc_tape_words_used(record), i < 8 ? i + 1 : 8);
    }
    CHECK_INT(sc_tape_used(record), 768);
    CHECK_INT(sc_tape_used(source), 768);
    CHECK_INT(words[8], 0);
    REQUIRE_OK(sc_tape_words(words, 8, &replay, NULL));
    for (size_t i = 0; i < 8; i++)
        CHECK_INT(draw(replay), taken[i]);
    sc_tape_free(record);
    sc_tape_free(source);
    sc_tape_free(replay);
}

TEST(tape_that_records_passes_a_failure_on)
{
    static const uint64_t word = 5;
    uint64_t kept[4], got = 1;
    sc_tape *source = NULL, *record = NULL;
    REQUIRE_OK(sc_tape_words(&word, 1, &source, NULL));
    REQUIRE_OK(sc_tape_record(sc_tape_bits_of(source), kept, 4, &record, NULL));
    CHECK_INT(draw(record), 5);
    CHECK_STATUS(sc_bits_word(sc_tape_bits_of(record), &got, NULL), SCRIM_E_ENTROPY);
    CHECK_INT(got, 1);
    CHECK_INT(sc_tape_words_used(record), 1);
    sc_tape_free(record);
    sc_tape_free(source);
}

TEST(tape_without_memory_fails_and_leaks_nothing)
{
    static const unsigned char bytes[16] = {1};
    static const uint64_t word = 1;
    FAULT_LOOP(fault)
    {
        sc_tape *tapes[4] = {NULL};
        const scrim_status status[4] = {sc_tape_bits(bytes, 128, &tapes[0], NULL),
                                        sc_tape_words(&word, 1, &tapes[1], NULL),
                                        sc_tape_constant(0, &tapes[2], NULL),
                                        sc_tape_reference(&tapes[3], NULL)};
        int failed = 0;
        for (int i = 0; i < 4; i++) {
            CHECK((status[i] == SCRIM_OK) == (tapes[i] != NULL));
            CHECK(status[i] == SCRIM_OK || status[i] == SCRIM_E_MEMORY);
            failed += status[i] != SCRIM_OK;
            sc_tape_free(tapes[i]);
        }
        CHECK_INT(failed, fault_hit() ? 1 : 0);
    }
}
