#include "bags.h"
#include "check.h"
#include "composition/accountant/loss_accountants.h"
#include "exact.h"
#include "losses.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const sc_accountant *const roads[] = {&sc_accountant_loss,
                                             &sc_accountant_fast_loss};

static void open_parsed(const char *line, sc_bag *bag)
{
    scrim_error error = {.message = ""};
    sc_bag_init(bag);
    if (!CHECK_STATUS(sc_bag_parse(line, bag, &error), SCRIM_OK))
        CHECK_FAIL("%s: %s", line, error.message);
}

/* Both ends of epsilon as rationals of 40 decimals. */
static bool epsilon_of(const sc_accountant *by, const char *line, const char *delta,
                       sc_ratio *lower, sc_ratio *upper)
{
    sc_bag bag;
    sc_enclosure e;
    open_parsed(line, &bag);
    sc_enclosure_init(&e);
    const bool found = bags_epsilon(by, &bag, delta, &e) && e.has_lower && e.has_upper &&
                       sc_ball_round_down(&e.lower, 130, lower) &&
                       sc_ball_round_up(&e.upper, 130, upper);
    bags_end(&bag, &e);
    return found;
}

/* The ends hold what the specification has, to its last digit, and are 1e-12 apart at most. */
static void check_epsilon(const sc_accountant *by, const char *line, const char *truth)
{
    SC_OWN(sc_ratio, lower, upper, gap, value);
    CHECK_STATUS(sc_ratio_parse(sc_text_of("1e-12"), &gap, NULL), SCRIM_OK);
    CHECK_STATUS(sc_ratio_parse(sc_text_of(truth), &value, NULL), SCRIM_OK);
    if (!CHECK(epsilon_of(by, line, "1e-6", &lower, &upper)))
        return;
    SC_OWN(sc_ratio, width, digit);
    CHECK_STATUS(sc_ratio_parse(sc_text_of("1e-16"), &digit, NULL), SCRIM_OK);
    sc_ratio_sub(&width, &upper, &lower);
    CHECK(sc_ratio_sign(&width) >= 0 && sc_ratio_compare(&width, &gap) <= 0);
    sc_ratio_add(&upper, &upper, &digit);
    sc_ratio_sub(&lower, &lower, &digit);
    if (!CHECK(sc_ratio_compare(&lower, &value) <= 0 &&
               sc_ratio_compare(&value, &upper) <= 0))
        CHECK_FAIL("%s, %s", by->name, line);
}

/* spec/papers-additions.md 1.1; two bags have mu = 1. */
TEST(gaussian_merge_has_the_epsilons_of_the_specification)
{
    CLAIM("gaussian-merge.exact");
    CLAIM("loss-items.merged");
    static const struct {
        const char *line, *epsilon;
    } table[] = {
        {"continuous-gaussian sigma=1", "4.8865541174622120"},
        {"continuous-gaussian sigma=316 x99856", "4.8865541174622120"},
        {"continuous-gaussian sigma=2^20 x2^40", "4.8865541174622120"},
        {"continuous-gaussian sigma=2; continuous-gaussian sigma=3 sensitivity=2; "
         "continuous-gaussian sigma=4 x10",
         "5.7258493174157266"},
    };
    for (size_t i = 0; i < COUNT(table); i++)
        for (size_t j = 0; j < COUNT(roads); j++)
            check_epsilon(roads[j], table[i].line, table[i].epsilon);
}

/* The number of releases is nowhere a number of steps: the items of 2^40 releases are those of one. */
TEST(gaussian_merge_makes_one_item_of_any_count)
{
    CLAIM("loss-items.merged");
    static const struct {
        const char *line;
        size_t items;
        const char *variance; /* of the first */
    } table[] = {
        {"continuous-gaussian sigma=2^20 x2^40", 1, "1"},
        {"continuous-gaussian sigma=316 x99856; laplace scale=10 x3; "
         "continuous-gaussian sigma=2^20 x2^40",
         2, "1/2"},
        {"continuous-gaussian sigma=2; continuous-gaussian sigma=3 sensitivity=2; "
         "continuous-gaussian sigma=4 x10",
         1, "72/95"},
        {"poisson rate=1/2 continuous-gaussian sigma=2 x5; continuous-gaussian sigma=3",
         2, "4"},
        {"gaussian variance=1 x2; gaussian variance=1/2", 2, "1"},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        sc_bag bag;
        sc_loss_items items;
        SC_OWN(sc_ratio, variance);
        CHECK_STATUS(sc_ratio_parse(sc_text_of(table[i].variance), &variance, NULL),
                     SCRIM_OK);
        for (int side = 0; side < 2; side++) {
            open_parsed(table[i].line, &bag);
            sc_loss_items_init(&items);
            REQUIRE_OK(sc_loss_items_read(&items, &bag,
                                          side == 0 ? SC_LOSS_UPPER : SC_LOSS_LOWER,
                                          SC_DIRECTION_REMOVE, NULL));
            if (CHECK_INT(items.count, table[i].items))
                CHECK(sc_ratio_compare(&items.pairs[0].shape, &variance) == 0);
            sc_loss_items_clear(&items);
            sc_bag_clear(&bag);
        }
    }
}

/* A bag of many primes has a variance of too many bits: it becomes a few items, all of it kept. */
TEST(gaussian_merge_keeps_long_fractions_apart)
{
    CLAIM("loss-items.merged");
    char line[16384];
    size_t length = 0, count = 0;
    for (long p = 100000000000003; count < 300; p += 2)
        length += (size_t)snprintf(line + length, sizeof line - length,
                                   "%scontinuous-gaussian sigma=%ld",
                                   count++ == 0 ? "" : ";", p);
    sc_bag bag;
    sc_loss_items items;
    SC_OWN(sc_ratio, sum, all, one);
    sc_ratio_set_int64(&one, 1);
    open_parsed(line, &bag);
    REQUIRE(bag.count == 300);
    sc_loss_items_init(&items);
    REQUIRE_OK(
        sc_loss_items_read(&items, &bag, SC_LOSS_UPPER, SC_DIRECTION_REMOVE, NULL));
    CHECK(items.count > 1 && items.count < 20);
    for (size_t i = 0; i < items.count; i++) {
        sc_ratio_div(&one, &one, &items.pairs[i].shape);
        sc_ratio_add(&sum, &sum, &one);
        sc_ratio_set_int64(&one, 1);
    }
    for (size_t i = 0; i < bag.count; i++) {
        sc_ratio_div(&one, &one, &bag.parts[i].pair.shape);
        sc_ratio_add(&all, &all, &one);
        sc_ratio_set_int64(&one, 1);
    }
    CHECK(sc_ratio_compare(&sum, &all) == 0);
    sc_loss_items_clear(&items);
    sc_bag_clear(&bag);
}

/* In a mixed bag the two ways to write one Gaussian cost the same, and the merged one holds the bounds
 * of the grids as before. */
SLOW_TEST(gaussian_merge_serves_mixed_bags)
{
    CLAIM("loss-items.merged");
    SC_OWN(sc_ratio, lower, upper, other_lower, other_upper);
    const char *many = "continuous-gaussian sigma=2^20 x2^40; laplace scale=10 x3";
    const char *one = "continuous-gaussian sigma=1; laplace scale=10 x3";
    REQUIRE(epsilon_of(&sc_accountant_loss, many, "1e-6", &lower, &upper));
    REQUIRE(epsilon_of(&sc_accountant_loss, one, "1e-6", &other_lower, &other_upper));
    CHECK(sc_ratio_compare(&lower, &other_lower) == 0);
    CHECK(sc_ratio_compare(&upper, &other_upper) == 0);
    SC_OWN(sc_ratio, width);
    sc_ratio_sub(&width, &upper, &lower);
    CHECK(sc_ratio_compare_int64(&width, 0) > 0);
    CHECK_STATUS(sc_ratio_parse(sc_text_of("1e-4"), &other_lower, NULL), SCRIM_OK);
    CHECK(sc_ratio_compare(&width, &other_lower) < 0);
}

/* Both ends of delta, as doubles. */
static bool delta_of(const char *line, const char *epsilon, double *lower, double *upper)
{
    sc_bag bag;
    sc_enclosure e;
    open_parsed(line, &bag);
    sc_enclosure_init(&e);
    const bool found = bags_delta(&sc_accountant_loss, &bag, epsilon, &e) && e.has_lower;
    *lower = sc_ball_lower(&e.lower);
    *upper = sc_ball_upper(&e.upper);
    bags_end(&bag, &e);
    return found;
}

static void check_delta(const char *line, const char *epsilon, double truth,
                        double digits)
{
    double lower = 0, upper = 0;
    CHECK(delta_of(line, epsilon, &lower, &upper));
    if (!(fabs(lower - truth) <= digits && fabs(upper - truth) <= digits))
        CHECK_FAIL("%s at %s: %.17g to %.17g, not %.17g", line, epsilon, lower, upper,
                   truth);
}

/* spec/papers-additions.md 1.2: two discrete releases are neither one of half the variance nor the
 * continuous one of the same mu. */
TEST(gaussian_merge_leaves_discrete_releases_alone)
{
    CLAIM("loss-items.merged");
    static const struct {
        const char *variance, *half, *mu, *epsilon;
        double both, one, continuous;
    } table[] = {
        {"1", "1/2", "1", "1", 0.26250019695459, 0.1896585294284, 0.2862082119221},
        {"1", "1/2", "1", "2", 0.09679284700699, 0.1410726373670, 0.1145245740140},
        {"1/2", "1/4", "2", "2", 0.26441833017392, 0.1047648441099, 0.3318979987768},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        char line[128];
        snprintf(line, sizeof line, "gaussian variance=%s x2", table[i].variance);
        check_delta(line, table[i].epsilon, table[i].both, 6e-15);
        snprintf(line, sizeof line, "gaussian variance=%s", table[i].half);
        check_delta(line, table[i].epsilon, table[i].one, 6e-14);
        /* sigma = 1, mu^2 = 1 or 2 a release, two of them */
        snprintf(line, sizeof line, "continuous-gaussian sigma=1 x%d",
                 2 * atoi(table[i].mu));
        check_delta(line, table[i].epsilon, table[i].continuous, 6e-14);
    }
    check_delta("gaussian variance=1 x4", "2", 0.315348240753, 6e-13);
    check_delta("gaussian variance=1 sensitivity=2", "2", 0.266781775047, 6e-13);
}

/* A delta that all of it has needs no epsilon, and what is too large to be read so is not. */
TEST(gaussian_merge_knows_its_ends)
{
    CLAIM("gaussian-merge.exact");
    SC_OWN(sc_ratio, lower, upper);
    REQUIRE(epsilon_of(&sc_accountant_loss, "continuous-gaussian sigma=10", "0.5", &lower,
                       &upper));
    CHECK(sc_ratio_sign(&lower) == 0 && sc_ratio_sign(&upper) == 0);
    sc_bag bag;
    sc_loss_items items;
    sc_enclosure e;
    open_parsed("continuous-gaussian sigma=1/10 x2^30", &bag);
    sc_loss_items_init(&items);
    sc_enclosure_init(&e);
    CHECK_STATUS(sc_ratio_parse(sc_text_of("1e-6"), &lower, NULL), SCRIM_OK);
    REQUIRE_OK(
        sc_loss_items_read(&items, &bag, SC_LOSS_UPPER, SC_DIRECTION_REMOVE, NULL));
    CHECK(sc_gaussian_merge_is(&items));
    CHECK(!sc_gaussian_merge_epsilon(&items, &lower, &e));
    sc_loss_items_clear(&items);
    bags_end(&bag, &e);
}
