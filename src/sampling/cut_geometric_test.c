#include "exact.h"
#include "goodness.h"
#include "sampling/geometric.h"
#include "transcript.h"

typedef struct cut {
    sc_fraction scale;
    sc_int128 m;
} cut;

static scrim_status draw(const void *sampler, sc_bits *bits, sc_int128 *out,
                         scrim_error *error)
{
    const cut *c = sampler;
    return sc_cut_geometric_reference(bits, &c->scale, c->m, out, error);
}

#define LIMIT_IN_WORDS (sc_int128) INT64_MAX /* divided by 49 */

/* Ranges longer than a scale, shorter, and as long; one number, and the largest bound. */
static const struct {
    const char *scale;
    sc_int128 m;
} list[] = {{"1/3", 0},
            {"1/3", 4},
            {"1", 1},
            {"7/3", 2},
            {"10", 8},
            {"10", 9},
            {"10", 10},
            {"22/7", 100},
            {"1000", 30},
            {"1000000", 700000},
            {"2^60", 12},
            {"2^60", (sc_int128)1 << 60},
            {"2^-60", (sc_int128)1 << 60},
            /* (m + 1) s is 2^63 - 1, the most that is drawn in words; 2^63; 2^64 - 1 */
            {"1/49", LIMIT_IN_WORDS / 49 - 1},
            {"1/8", ((sc_int128)1 << 60) - 1},
            {"1/255", (sc_int128)UINT64_MAX / 255 - 1}};
enum { COUNT = sizeof list / sizeof *list };

TEST(cut_geometric_takes_the_same_bits_in_words_and_in_integers)
{
    CLAIM("cut-geometric.exact");
    for (size_t i = 0; i < COUNT; i++) {
        cut words, integers;
        exact_fraction(list[i].scale, &words.scale);
        words.m = list[i].m;
        integers = words;
        integers.scale.is_small = false;
        transcript_check_twins(check_seed() + i, 300, draw, &words, draw, &integers);
        sc_fraction_clear(&words.scale);
    }
}

static uint64_t integers_made;

static void *counted_allocate(size_t bytes)
{
    integers_made++;
    return malloc(bytes);
}

/* A range that fits words is drawn in words, up to the last that does. */
TEST(cut_geometric_makes_no_integers_where_words_hold_the_range)
{
    cut sampler;
    sc_tape *tape = NULL;
    mp_set_memory_functions(counted_allocate, NULL, NULL);
    exact_fraction("1/49", &sampler.scale);
    sampler.m = LIMIT_IN_WORDS / 49 - 1;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    CHECK(integers_made > 0); /* the counter counts */
    integers_made = 0;
    for (int i = 0; i < 1000; i++) {
        sc_int128 value = -1;
        REQUIRE_OK(draw(&sampler, sc_tape_bits_of(tape), &value, NULL));
    }
    CHECK_INT(integers_made, 0);
    sc_tape_free(tape);
    sc_fraction_clear(&sampler.scale);
}

/* Against the geometric law on 0..m. */
SLOW_TEST(cut_geometric_draws_fit_the_cut_law)
{
    CLAIM("cut-geometric.exact");
    enum { BINS = 40 };
    const uint64_t count = check_count(100000, 3000000);
    for (size_t i = 0; i < COUNT; i++) {
        cut sampler;
        sc_law law;
        sc_int128 low[BINS];
        sc_tape *tape = NULL;
        goodness fit;
        exact_fraction(list[i].scale, &sampler.scale);
        sampler.m = list[i].m;
        exact_law(&sc_geometric_law, list[i].scale, 0, &law);
        size_t bins = 0;
        for (sc_int128 step = list[i].m / BINS + 1; bins < BINS; bins++) {
            low[bins] = (sc_int128)bins * step;
            if (low[bins] > list[i].m)
                break;
        }
        REQUIRE(goodness_init_part(&fit, &law, low, bins, list[i].m));
        REQUIRE_OK(sc_tape_seeded(check_seed() + i, &tape, NULL));
        for (uint64_t left = count; left > 0; left--) {
            sc_int128 value = -1;
            REQUIRE_OK(draw(&sampler, sc_tape_bits_of(tape), &value, NULL));
            CHECK(value >= 0 && value <= list[i].m);
            goodness_count(&fit, &value, 1);
        }
        CHECK(goodness_holds(&fit));
        goodness_clear(&fit);
        sc_tape_free(tape);
        sc_law_clear(&law);
        sc_fraction_clear(&sampler.scale);
    }
}
