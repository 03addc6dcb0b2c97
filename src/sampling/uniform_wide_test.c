#include "base/number/ratio.h"
#include "exact.h"
#include "goodness.h"
#include "random/bits_tape.h"
#include "sampling/uniform.h"

static const sc_uint128 limits[] = {1,
                                    2,
                                    3,
                                    10,
                                    ((sc_uint128)1 << 64) - 1,
                                    (sc_uint128)1 << 64,
                                    ((sc_uint128)1 << 64) + 1,
                                    ((sc_uint128)5 << 61) + 12345,
                                    ((sc_uint128)1 << 83) - 7,
                                    (sc_uint128)3 << 126,
                                    ((sc_uint128)1 << 127) + 1,
                                    ~(sc_uint128)0};
enum { LIMITS = sizeof limits / sizeof *limits };

/* The value of two words, and whether it is accepted. */
static bool drawn(sc_uint128 u, sc_uint128 n, sc_uint128 *value)
{
    const uint64_t words[] = {(uint64_t)u, (uint64_t)(u >> 64)};
    sc_tape *tape = NULL;
    bool accepted = false;
    if (CHECK_STATUS(sc_tape_words(words, 2, &tape, NULL), SCRIM_OK))
        accepted = sc_uniform_wide(sc_tape_bits_of(tape), n, value, NULL) == SCRIM_OK;
    sc_tape_free(tape);
    return accepted;
}

/* Every value has the same number of u: floor(2^128/n) of them, those whose u n lies from
 * value 2^128 + (2^128 mod n) on, by big integers. The ends of each value's run are tried. */
static void check_run(sc_uint128 n, sc_uint128 value)
{
    sc_integer start, step, bound, part, two128;
    sc_uint128 first = 0, got = 0;
    sc_integer_init(&start);
    sc_integer_init(&step);
    sc_integer_init(&bound);
    sc_integer_init(&part);
    sc_integer_init(&two128);
    sc_integer_set_int128(&part, 1);
    sc_integer_shift_left(&two128, &part, 128);
    sc_integer_set_uint128(&step, n);
    sc_integer_divide(NULL, &bound, &two128, &step);
    /* first = ceil((value 2^128 + 2^128 mod n) / n) */
    sc_integer_set_uint128(&start, value);
    sc_integer_mul(&start, &start, &two128);
    sc_integer_add(&start, &start, &bound);
    sc_integer_add(&start, &start, &step);
    sc_integer_sub(&start, &start, &part);
    sc_integer_divide(&start, NULL, &start, &step);
    sc_integer_divide(&bound, NULL, &two128, &step); /* the length of a run */
    CHECK(n == 1 || sc_integer_get_uint128(&start, &first));
    if (n > 1) {
        sc_uint128 length = 0;
        CHECK(sc_integer_get_uint128(&bound, &length));
        CHECK(drawn(first, n, &got) && got == value);
        CHECK(drawn(first + length - 1, n, &got) && got == value);
        /* One before and one behind are another value's, or nobody's. */
        if (first > 0)
            CHECK(!drawn(first - 1, n, &got) || got == value - 1);
        if (first + length != 0)
            CHECK(!drawn(first + length, n, &got) || got == value + 1);
    } else {
        CHECK(drawn(12345, n, &got) && got == 0);
    }
    sc_integer_clear(&two128);
    sc_integer_clear(&part);
    sc_integer_clear(&bound);
    sc_integer_clear(&step);
    sc_integer_clear(&start);
}

TEST(uniform_wide_gives_every_value_a_run_of_the_same_length)
{
    CLAIM("uniform-wide.exact");
    for (size_t i = 0; i < LIMITS; i++) {
        const sc_uint128 n = limits[i];
        const sc_uint128 values[] = {0, n - 1, n / 2, n / 3, n / 7 * 5, n > 1 ? 1 : 0};
        for (size_t j = 0; j < sizeof values / sizeof *values; j++)
            check_run(n, values[j]);
    }
}

TEST(uniform_wide_is_even)
{
    CLAIM("uniform-wide.exact");
    const sc_uint128 n = (sc_uint128)5 << 100;
    goodness fit;
    sc_law law;
    sc_tape *tape = NULL;
    exact_law(&sc_uniform_law, NULL, (sc_int128)n, &law);
    REQUIRE(goodness_init(&fit, &law, GOODNESS_FINE));
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (uint64_t i = check_count(100000, 1000000); i > 0; i--) {
        sc_uint128 value = 0;
        REQUIRE_OK(sc_uniform_wide(sc_tape_bits_of(tape), n, &value, NULL));
        const sc_int128 narrow = (sc_int128)value;
        goodness_count(&fit, &narrow, 1);
    }
    CHECK(goodness_holds(&fit));
    sc_tape_free(tape);
    goodness_clear(&fit);
    sc_law_clear(&law);
}

TEST(uniform_wide_gives_up_on_a_stuck_source_and_leaves_its_output)
{
    sc_uint128 value = 42;
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_constant(0, &tape, NULL));
    CHECK_STATUS(sc_uniform_wide(sc_tape_bits_of(tape), 3, &value, NULL),
                 SCRIM_E_ENTROPY);
    CHECK(value == 42);
    CHECK_INT(sc_tape_words_used(tape), 2 * (sc_int128)SC_BITS_PATIENCE);
    sc_tape_free(tape);
    REQUIRE_OK(sc_tape_constant(7, &tape, NULL));
    CHECK_STATUS(sc_uniform_wide(sc_tape_bits_of(tape), 1, &value, NULL), SCRIM_OK);
    CHECK(value == 0);
    sc_tape_free(tape);
}
