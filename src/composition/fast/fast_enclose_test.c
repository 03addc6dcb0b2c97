#include "check.h"
#include "composition/fast/fast_enclose.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void parse(const char *text, sc_ratio *out)
{
    scrim_error error;
    CHECK_STATUS(sc_ratio_parse(sc_text_of(text), out, &error), SCRIM_OK);
}

typedef void pair_setter(sc_loss_pair *pair, const sc_ratio *shape);

/* count releases of one pair; ends is initialised. */
static void enclose(pair_setter *set, const char *shape, uint64_t count,
                    const char *delta, const char *tolerance, sc_fast_ends *ends)
{
    sc_loss_pair pair;
    sc_ratio x, y;
    scrim_error error;
    sc_loss_pair_init(&pair);
    sc_ratio_init(&x);
    sc_ratio_init(&y);
    parse(shape, &x);
    set(&pair, &x);
    parse(delta, &x);
    parse(tolerance, &y);
    const sc_loss_item item = {.pair = &pair, .count = count};
    const sc_fast_bag bag = {&item, 1, &item, 1};
    sc_loss_work work = {SC_LOSS_WORK};
    CHECK_STATUS(sc_fast_enclose_epsilon(&bag, &x, &y, &work, ends, &error), SCRIM_OK);
    sc_ratio_clear(&y);
    sc_ratio_clear(&x);
    sc_loss_pair_clear(&pair);
}

static void check_holds(pair_setter *set, const char *shape, uint64_t count,
                        const char *delta, double truth, double digits)
{
    sc_fast_ends ends;
    sc_fast_ends_init(&ends);
    enclose(set, shape, count, delta, "1e-3", &ends);
    const double low = sc_ball_lower(&ends.lower), high = sc_ball_upper(&ends.upper);
    CHECK(ends.has_upper && !ends.is_infinite);
    if (!CHECK(low <= truth + digits && truth - digits <= high) ||
        !CHECK(high - low <= 1e-3))
        CHECK_FAIL("%s x%llu: %.17g to %.17g, not %.17g", shape,
                   (unsigned long long)count, low, high, truth);
    sc_fast_ends_clear(&ends);
}

TEST(fast_enclose_holds_gaussians)
{
    CLAIM("fast-enclose.holds");
    CLAIM("fast-enclose.narrow");
    json_t *rows = vectors_load("local-and-accounting", "pld_gaussian_kfold_eps"), *row;
    size_t i;
    json_array_foreach(rows, i, row)
    {
        check_holds(sc_loss_pair_set_continuous_gaussian,
                    json_string_value(json_object_get(row, "sigma")),
                    (uint64_t)json_integer_value(json_object_get(row, "k")),
                    json_string_value(json_object_get(row, "delta")),
                    strtod(json_string_value(json_object_get(row, "eps")), NULL), 1e-14);
    }
    CHECK_INT(i, 4);
}

TEST(fast_enclose_holds_laplaces_and_responses)
{
    CLAIM("fast-enclose.holds");
    static const char *const members[] = {"pld_laplace_kfold_delta",
                                          "pld_rr_kfold_delta"};
    for (size_t kind = 0; kind < 2; kind++) {
        json_t *rows = vectors_load("local-and-accounting", members[kind]), *row;
        size_t i;
        json_array_foreach(rows, i, row)
        {
            /* The scale of the noise is 1 / eps0, a whole number or so. */
            const char *first = json_string_value(json_object_get(row, "eps0"));
            char scale[40];
            snprintf(scale, sizeof scale, "%.6g", 1 / strtod(first, NULL));
            check_holds(
                kind == 0 ? sc_loss_pair_set_continuous_laplace : sc_loss_pair_set_pure,
                kind == 0 ? scale : first,
                (uint64_t)json_integer_value(json_object_get(row, "k")),
                json_string_value(json_object_get(row, "delta")),
                strtod(json_string_value(json_object_get(row, "eps")), NULL), 1e-12);
        }
        CHECK(i >= 5);
    }
}

/* The sum of many Gaussians is one Gaussian: sigma 100 taken 10^4 times is sigma 1. */
TEST(fast_enclose_is_narrow_at_any_count)
{
    CLAIM("fast-enclose.narrow");
    check_holds(sc_loss_pair_set_continuous_gaussian, "100", 10000, "1e-5",
                4.37717809568122463, 1e-14);
    check_holds(sc_loss_pair_set_continuous_gaussian, "10", 100, "1e-9",
                6.17393504667090795, 1e-14);
    static const struct {
        const char *scale;
        uint64_t count;
    } laplaces[] = {{"100", 1000}, {"100", 100000}, {"1000", 1000000}};
    for (size_t i = 0; i < (check_is_long() ? COUNT(laplaces) : 2); i++) {
        sc_fast_ends ends;
        sc_fast_ends_init(&ends);
        enclose(sc_loss_pair_set_continuous_laplace, laplaces[i].scale, laplaces[i].count,
                "1e-6", "1e-3", &ends);
        const double low = sc_ball_lower(&ends.lower), high = sc_ball_upper(&ends.upper);
        CHECK(low > 1 && low <= high && high - low <= 1e-3);
        sc_fast_ends_clear(&ends);
    }
}

/* On a lattice the first grid is the last. Asked for more than grids can give, it gives what they
 * can. */
TEST(fast_enclose_stops)
{
    CLAIM("fast-enclose.narrow");
    sc_fast_ends ends;
    sc_fast_ends_init(&ends);
    enclose(sc_loss_pair_set_pure, "1/10", 1000, "1e-9", "1e-3", &ends);
    CHECK_INT(ends.grids, 1);
    CHECK(sc_ball_upper(&ends.upper) - sc_ball_lower(&ends.lower) < 1e-9);
    sc_fast_ends_clear(&ends);
    sc_fast_ends_init(&ends);
    enclose(sc_loss_pair_set_continuous_laplace, "1", 3, "1e-3", "1e-5", &ends);
    CHECK(sc_ball_upper(&ends.upper) - sc_ball_lower(&ends.lower) <= 1e-5);
    CHECK(ends.grids >= 2);
    sc_fast_ends_clear(&ends);
}

/* Two lattices and single losses that lie on none: the grids keep to the lattices. */
SLOW_TEST(fast_enclose_keeps_to_lattices)
{
    CLAIM("fast-enclose.narrow");
    sc_loss_pair pairs[3];
    sc_ratio x, delta, tolerance;
    scrim_error error;
    sc_fast_ends ends;
    sc_fast_ends_init(&ends);
    sc_ratio_init(&x);
    sc_ratio_init(&delta);
    sc_ratio_init(&tolerance);
    for (size_t i = 0; i < 3; i++)
        sc_loss_pair_init(&pairs[i]);
    parse("1", &x);
    sc_loss_pair_set_laplace(&pairs[0], &x, 1);
    sc_loss_pair_set_gaussian(&pairs[2], &x, 1);
    parse("16", &x);
    sc_loss_pair_set_gaussian(&pairs[1], &x, 1);
    parse("0.01", &x);
    sc_loss_pair_sample(&pairs[2], &x, SC_DIRECTION_REMOVE);
    parse("1e-6", &delta);
    parse("1e-3", &tolerance);
    const sc_loss_item items[] = {{.pair = &pairs[0], .count = 100},
                                  {.pair = &pairs[1], .count = 50},
                                  {.pair = &pairs[2], .count = 100}};
    const sc_fast_bag bag = {items, 3, items, 3};
    sc_loss_work work = {SC_LOSS_WORK};
    REQUIRE_OK(sc_fast_enclose_epsilon(&bag, &delta, &tolerance, &work, &ends, &error));
    CHECK(sc_ball_upper(&ends.upper) - sc_ball_lower(&ends.lower) <= 1e-3);
    sc_ratio_set_int64(&x, 32);
    sc_ratio_mul(&x, &x, &ends.step);
    parse("1", &tolerance);
    sc_ratio_div(&x, &tolerance, &x);
    CHECK(sc_ratio_is_integer(&x));
    for (size_t i = 0; i < 3; i++)
        sc_loss_pair_clear(&pairs[i]);
    sc_ratio_clear(&tolerance);
    sc_ratio_clear(&delta);
    sc_ratio_clear(&x);
    sc_fast_ends_clear(&ends);
}

/* A claim with a delta of its own, above the one that is asked for. */
TEST(fast_enclose_knows_infinity)
{
    CLAIM("fast-enclose.holds");
    sc_loss_pair pair;
    sc_ratio one, small, smaller;
    scrim_error error;
    sc_fast_ends ends;
    sc_fast_ends_init(&ends);
    sc_loss_pair_init(&pair);
    sc_ratio_init(&one);
    sc_ratio_init(&small);
    sc_ratio_init(&smaller);
    parse("1", &one);
    parse("1e-3", &small);
    parse("1e-6", &smaller);
    sc_loss_pair_set_approximate(&pair, &one, &small);
    const sc_loss_item item = {.pair = &pair, .count = 5};
    const sc_fast_bag bag = {&item, 1, &item, 1};
    sc_loss_work work = {SC_LOSS_WORK};
    REQUIRE_OK(sc_fast_enclose_epsilon(&bag, &smaller, &small, &work, &ends, &error));
    CHECK(!ends.has_upper && ends.is_infinite);
    sc_ratio_clear(&smaller);
    sc_ratio_clear(&small);
    sc_ratio_clear(&one);
    sc_loss_pair_clear(&pair);
    sc_fast_ends_clear(&ends);
}

/* With little work it gives what the first grid gives, and with less nothing. */
SLOW_TEST(fast_enclose_keeps_to_its_work)
{
    CLAIM("fast-enclose.holds");
    CLAIM("loss-work.ends");
    sc_loss_pair pair;
    sc_ratio x, y;
    scrim_error error;
    sc_loss_pair_init(&pair);
    sc_ratio_init(&x);
    sc_ratio_init(&y);
    parse("10", &x);
    sc_loss_pair_set_continuous_gaussian(&pair, &x);
    parse("1e-9", &x);
    parse("1e-9", &y);
    const sc_loss_item item = {.pair = &pair, .count = 100};
    const sc_fast_bag bag = {&item, 1, &item, 1};
    uint64_t least = SC_LOSS_WORK;
    for (uint64_t left = SC_LOSS_WORK / 8; left > 100; left /= 4) {
        sc_loss_work work = {left};
        sc_fast_ends ends;
        sc_fast_ends_init(&ends);
        if (sc_fast_enclose_epsilon(&bag, &x, &y, &work, &ends, &error) == SCRIM_OK) {
            CHECK(work.left < left);
            CHECK(sc_ball_upper(&ends.upper) >= 6.17393504667090795);
            CHECK(sc_ball_lower(&ends.lower) <= 6.17393504667090796);
            CHECK(sc_ball_upper(&ends.upper) - sc_ball_lower(&ends.lower) < 0.1);
            least = left;
        }
        sc_fast_ends_clear(&ends);
    }
    CHECK(least > 900 && least < SC_LOSS_WORK / 8);
    sc_ratio_clear(&y);
    sc_ratio_clear(&x);
    sc_loss_pair_clear(&pair);
}
