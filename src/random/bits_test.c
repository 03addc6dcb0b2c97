#include "check.h"
#include "random/bits.h"
#include "random/bits_tape.h"

#include <string.h>

TEST(bits_come_least_significant_first)
{
    static const uint64_t words[] = {0x0123456789abcdef, 0xfedcba9876543210};
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_words(words, 2, &tape, NULL));
    sc_bits *bits = sc_tape_bits_of(tape);
    uint64_t got = 99;
    CHECK_STATUS(sc_bits_take(bits, 0, &got, NULL), SCRIM_OK);
    CHECK_INT(got, 0);
    CHECK_STATUS(sc_bits_take(bits, 4, &got, NULL), SCRIM_OK);
    CHECK_INT(got, 0xf);
    CHECK_STATUS(sc_bits_take(bits, 12, &got, NULL), SCRIM_OK);
    CHECK_INT(got, 0xcde);
    /* 48 bits of the first word are held; 64 take them and the low 16 of the second. */
    CHECK_STATUS(sc_bits_take(bits, 64, &got, NULL), SCRIM_OK);
    CHECK_INT(got, 0x32100123456789ab);
    CHECK_STATUS(sc_bits_take(bits, 48, &got, NULL), SCRIM_OK);
    CHECK_INT(got, 0xfedcba987654);
    CHECK_INT(bits->supply->held, 0);
    sc_tape_free(tape);
}

/* The same stream, bit by bit. */
typedef struct plain {
    sc_bits *words;
    uint64_t begun;
    unsigned left;
} plain;

static uint64_t plain_word(plain *p)
{
    uint64_t word = 0;
    CHECK_STATUS(sc_bits_word(p->words, &word, NULL), SCRIM_OK);
    return word;
}

static uint64_t plain_take(plain *p, unsigned count)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < count; i++) {
        if (p->left == 0) {
            p->begun = plain_word(p);
            p->left = 64;
        }
        value |= (p->begun >> (64 - p->left--) & 1) << i;
    }
    return value;
}

TEST(bits_and_words_mix_as_one_bit_at_a_time)
{
    sc_tape *tape = NULL, *same = NULL, *choice = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    REQUIRE_OK(sc_tape_seeded(check_seed(), &same, NULL));
    REQUIRE_OK(sc_tape_seeded(check_seed() + 1, &choice, NULL));
    sc_bits *bits = sc_tape_bits_of(tape);
    plain model = {sc_tape_bits_of(same), 0, 0};
    uint64_t used = 0;
    for (int i = 0; i < 100000; i++) {
        uint64_t count = 0, got = 0;
        REQUIRE_OK(sc_bits_word(sc_tape_bits_of(choice), &count, NULL));
        count %= 70;
        if (count > 64) {
            REQUIRE_OK(sc_bits_word(bits, &got, NULL));
            REQUIRE(got == plain_word(&model));
            used += 64;
        } else {
            REQUIRE_OK(sc_bits_take(bits, (unsigned)count, &got, NULL));
            REQUIRE(got == plain_take(&model, (unsigned)count));
            used += count;
        }
        REQUIRE(sc_tape_used(tape) == used);
    }
    sc_tape_free(tape);
    sc_tape_free(same);
    sc_tape_free(choice);
}

TEST(bits_that_fail_leave_everything_as_it_was)
{
    static const uint64_t word = 0x8000000000000001;
    sc_tape *tape = NULL;
    scrim_error error = {.status = SCRIM_OK};
    uint64_t got = 0;
    REQUIRE_OK(sc_tape_words(&word, 1, &tape, NULL));
    sc_bits *bits = sc_tape_bits_of(tape);
    CHECK_STATUS(sc_bits_take(bits, 60, &got, NULL), SCRIM_OK);
    got = 77;
    CHECK_STATUS(sc_bits_take(bits, 5, &got, &error), SCRIM_E_ENTROPY);
    CHECK_STATUS(sc_bits_word(bits, &got, &error), SCRIM_E_ENTROPY);
    CHECK_INT(got, 77);
    CHECK_STATUS(error.status, SCRIM_E_ENTROPY);
    CHECK_INT(sc_tape_used(tape), 60);
    CHECK_STATUS(sc_bits_take(bits, 4, &got, NULL), SCRIM_OK);
    CHECK_INT(got, 8);
    sc_tape_free(tape);
}

static scrim_status refill_count_up(sc_bits *bits, scrim_error *error)
{
    static uint64_t words[4], next = 0x100;
    (void)error;
    for (int i = 0; i < 4; i++)
        words[i] = next++;
    bits->supply->end = words + 4;
    bits->supply->left = 4;
    return SCRIM_OK;
}

TEST(bits_wipe_what_they_hand_out)
{
    sc_bits_supply supply = {0};
    sc_bits bits = {&supply, refill_count_up};
    for (uint64_t i = 0; i < 10; i++) {
        uint64_t got = 0;
        CHECK_STATUS(sc_bits_word(&bits, &got, NULL), SCRIM_OK);
        CHECK_INT(got, 0x100 + i);
        CHECK_INT(supply.left, 3 - i % 4);
        CHECK_INT(supply.end[-(ptrdiff_t)supply.left - 1], 0);
    }
}

/* Word for word what single calls give, over several supplies; and they are wiped. */
TEST(bits_are_filled_as_by_the_word)
{
    sc_bits_supply supply = {0};
    sc_bits bits = {&supply, refill_count_up};
    uint64_t got[11], next = 0;
    CHECK_STATUS(sc_bits_word(&bits, &next, NULL), SCRIM_OK);
    for (size_t count = 0; count <= COUNT(got); count++) {
        CHECK_STATUS(sc_bits_fill(&bits, got, count, NULL), SCRIM_OK);
        for (size_t i = 0; i < count; i++)
            CHECK_INT(got[i], ++next);
        for (const uint64_t *word = supply.end - 4; word < supply.end - supply.left;
             word++)
            CHECK_INT(*word, 0);
    }
}

TEST(bits_are_filled_whole_or_not_at_all)
{
    const uint64_t words[] = {1, 2, 3};
    for (size_t given = 0; given <= 3; given++) {
        uint64_t got[3] = {9, 9, 9};
        sc_tape *tape = NULL;
        REQUIRE_OK(sc_tape_words(words, given, &tape, NULL));
        CHECK_STATUS(sc_bits_fill(sc_tape_bits_of(tape), got, 3, NULL),
                     given == 3 ? SCRIM_OK : SCRIM_E_ENTROPY);
        CHECK_INT(got[0], given == 3 ? 1 : 0);
        CHECK_INT(got[2], given == 3 ? 3 : 0);
        sc_tape_free(tape);
    }
}

TEST(bits_of_a_fleeting_window_are_not_held_back)
{
    sc_bits_supply supply = {.fleeting = 1};
    sc_bits bits = {&supply, refill_count_up};
    uint64_t got = 0;
    for (uint64_t i = 0; i < 3; i++) {
        CHECK_STATUS(sc_bits_take(&bits, 3, &got, NULL), SCRIM_OK);
        CHECK_INT(got, i); /* the low bits of a new word each time */
        CHECK_INT(supply.held, 0);
        CHECK_INT(supply.reservoir, 0);
    }
}

TEST(bits_that_are_broken_fail_closed)
{
    scrim_error error = {.status = SCRIM_OK};
    CHECK_STATUS(sc_bits_broken(&error), SCRIM_E_ENTROPY);
    CHECK_STATUS(error.status, SCRIM_E_ENTROPY);
    CHECK(strstr(error.message, "not random") != NULL);
    CHECK_STATUS(sc_bits_broken(NULL), SCRIM_E_ENTROPY);
}
