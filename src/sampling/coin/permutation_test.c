#include "check.h"
#include "laws.h"
#include "random/bits_tape.h"
#include "sampling/coin/permutation.h"

#include <string.h>

/* The number of an order of four things, 0 to 23, and of a set of three of six: the bits
 * of its members. */
static unsigned order_number(const uint64_t *order)
{
    unsigned number = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned smaller = 0;
        for (unsigned j = i + 1; j < 4; j++)
            smaller += order[j] < order[i];
        number = number * (4 - i) + smaller;
    }
    return number;
}

static unsigned set_number(const uint64_t *chosen, size_t k)
{
    unsigned number = 0;
    for (size_t i = 0; i < k; i++) {
        CHECK(i == 0 || chosen[i] > chosen[i - 1]); /* increasing, so without twins */
        CHECK(chosen[i] < 6);
        number |= 1u << chosen[i];
    }
    return number;
}

/* Every tape of so many bits: each outcome must be reached by equally many of them. */
enum { TAPE_BITS = 14 };

static scrim_status try_order(sc_bits *bits, unsigned *number)
{
    uint64_t order[4];
    scrim_status status = sc_permutation_draw(bits, 4, order, NULL);
    if (status == SCRIM_OK)
        *number = order_number(order);
    return status;
}

static scrim_status try_set(sc_bits *bits, unsigned *number)
{
    uint64_t chosen[3];
    scrim_status status = sc_subset_draw(bits, 6, 3, chosen, NULL);
    if (status == SCRIM_OK)
        *number = set_number(chosen, 3);
    return status;
}

static void check_all_tapes(scrim_status (*attempt)(sc_bits *, unsigned *),
                            unsigned outcomes)
{
    uint64_t seen[64] = {0}, first = 0;
    unsigned reached = 0;
    for (unsigned tape_number = 0; tape_number < 1u << TAPE_BITS; tape_number++) {
        const unsigned char bytes[] = {(unsigned char)tape_number,
                                       (unsigned char)(tape_number >> 8)};
        sc_tape *tape = NULL;
        unsigned number = 0;
        REQUIRE_OK(sc_tape_bits(bytes, TAPE_BITS, &tape, NULL));
        if (attempt(sc_tape_bits_of(tape), &number) == SCRIM_OK)
            seen[number]++;
        sc_tape_free(tape);
    }
    for (unsigned i = 0; i < 64; i++) {
        if (seen[i] == 0)
            continue;
        reached++;
        first = first == 0 ? seen[i] : first;
        CHECK_INT(seen[i], first);
    }
    CHECK_INT(reached, outcomes);
    CHECK(first * outcomes > 7u << (TAPE_BITS - 3)); /* few tapes leave it open */
}

TEST(permutation_gives_every_order_the_same_number_of_tapes)
{
    CLAIM("permutation.exact");
    check_all_tapes(try_order, 24);
}

TEST(subset_gives_every_set_the_same_number_of_tapes)
{
    CLAIM("subset.exact");
    check_all_tapes(try_set, 20);
}

static void check_fit(scrim_status (*attempt)(sc_bits *, unsigned *), unsigned outcomes)
{
    uint64_t seen[64] = {0}, dense[64] = {0};
    double even[64];
    unsigned reached = 0;
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (uint64_t i = check_count(1000000, 10000000); i > 0; i--) {
        unsigned number = 0;
        REQUIRE_OK(attempt(sc_tape_bits_of(tape), &number));
        seen[number]++;
    }
    sc_tape_free(tape);
    for (unsigned i = 0; i < 64; i++)
        if (seen[i] > 0) {
            even[reached] = 1.0 / outcomes;
            dense[reached++] = seen[i];
        }
    CHECK_INT(reached, outcomes);
    CHECK(laws_chi_square(dense, even, reached) > LAWS_FALSE_ALARM);
}

TEST(permutation_orders_are_equally_frequent)
{
    CLAIM("permutation.exact");
    check_fit(try_order, 24);
}

TEST(subset_sets_are_equally_frequent)
{
    CLAIM("subset.exact");
    check_fit(try_set, 20);
}

TEST(permutation_is_one_for_any_size)
{
    enum { N = 1000 };
    static uint64_t order[N];
    static bool seen[N];
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    REQUIRE_OK(sc_permutation_draw(sc_tape_bits_of(tape), N, order, NULL));
    for (size_t i = 0; i < N; i++) {
        REQUIRE(order[i] < N);
        CHECK(!seen[order[i]]);
        seen[order[i]] = true;
    }
    sc_tape_free(tape);
    /* Nothing, and one thing, have one order each: no bits are taken. */
    REQUIRE_OK(sc_tape_words(NULL, 0, &tape, NULL));
    CHECK_STATUS(sc_permutation_draw(sc_tape_bits_of(tape), 0, order, NULL), SCRIM_OK);
    order[0] = 9;
    CHECK_STATUS(sc_permutation_draw(sc_tape_bits_of(tape), 1, order, NULL), SCRIM_OK);
    CHECK_INT(order[0], 0);
    CHECK_STATUS(sc_permutation_draw(sc_tape_bits_of(tape), 2, order, NULL),
                 SCRIM_E_ENTROPY);
    sc_tape_free(tape);
}

TEST(subset_of_all_and_of_the_largest_range)
{
    enum { K = 200 };
    static uint64_t chosen[K];
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    REQUIRE_OK(sc_subset_draw(sc_tape_bits_of(tape), K, K, chosen, NULL));
    for (size_t i = 0; i < K; i++)
        CHECK_INT(chosen[i], i);
    REQUIRE_OK(sc_subset_draw(sc_tape_bits_of(tape), UINT64_MAX, K, chosen, NULL));
    uint64_t upper = 0;
    for (size_t i = 0; i < K; i++) {
        CHECK(i == 0 || chosen[i] > chosen[i - 1]);
        upper += chosen[i] >> 63;
    }
    CHECK(laws_normal_two_sided(((double)upper - K / 2.0) / 7.07) > LAWS_FALSE_ALARM);
    REQUIRE_OK(sc_subset_draw(sc_tape_bits_of(tape), 5, 0, chosen, NULL));
    sc_tape_free(tape);
    REQUIRE_OK(sc_tape_words(NULL, 0, &tape, NULL));
    CHECK_STATUS(sc_subset_draw(sc_tape_bits_of(tape), 5, 1, chosen, NULL),
                 SCRIM_E_ENTROPY);
    sc_tape_free(tape);
}
