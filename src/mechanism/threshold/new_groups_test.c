#include "exact.h"
#include "mechanism/threshold/noisy_threshold.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>

static const char *text_in(const json_t *row, const char *name)
{
    return json_string_value(json_object_get(row, name));
}

static int64_t number_in(const json_t *row, const char *name)
{
    return json_integer_value(json_object_get(row, name));
}

/* Noise of rate epsilon / moved. */
static void noise_of(const char *epsilon, int64_t moved, sc_law *out)
{
    sc_ratio scale, rate;
    exact_ratio(epsilon, &rate);
    exact_ratio("1", &scale);
    sc_ratio_set_int64(&scale, moved);
    sc_ratio_div(&scale, &scale, &rate);
    sc_law_init(out, &sc_discrete_laplace_law, &scale, 0);
    sc_ratio_clear(&scale);
    sc_ratio_clear(&rate);
}

static void check_mass(const json_t *row, const sc_new_groups *own, const char *printed)
{
    sc_law noise;
    sc_ball mass;
    noise_of(text_in(row, "eps"), (int64_t)sc_new_groups_moved(own), &noise);
    sc_ball_init(&mass);
    sc_new_groups_mass(own, &noise, number_in(row, "T"), EXACT_BITS, &mass);
    CHECK_PRINTED(&mass, printed);
    sc_ball_clear(&mass);
    sc_law_clear(&noise);
}

TEST(new_groups_have_the_printed_masses)
{
    CLAIM("new-groups.exact");
    json_t *rows = json_object_get(vectors_load("thresholding", "thresholding_delta"),
                                   "rows"),
           *row;
    size_t r;
    json_array_foreach(rows, r, row)
    {
        const sc_new_groups own = {.total = (uint64_t)number_in(row, "Delta")};
        check_mass(row, &own, text_in(row, "delta_exact"));
    }
    CHECK_INT(r, 7);
    rows = vectors_load("thresholding", "geometric_thresholding_user_bound");
    json_array_foreach(rows, r, row)
    {
        const sc_new_groups own = {.groups = (uint64_t)number_in(row, "kappa"),
                                   .each = (uint64_t)number_in(row, "m")};
        check_mass(row, &own, text_in(row, "delta"));
    }
    CHECK_INT(r, 3);
}

TEST(new_groups_have_the_printed_thresholds)
{
    CLAIM("new-groups.smallest");
    json_t *rows = vectors_load("thresholding", "threshold_T_min"), *row;
    size_t r;
    json_array_foreach(rows, r, row)
    {
        const sc_new_groups own = {.total = (uint64_t)number_in(row, "Delta")};
        sc_law noise;
        sc_ratio delta;
        sc_ball mass;
        noise_of(text_in(row, "eps"), number_in(row, "Delta"), &noise);
        exact_ratio(text_in(row, "delta"), &delta);
        sc_ball_init(&mass);
        const int64_t t = sc_new_groups_threshold(&own, &noise, &delta);
        CHECK_INT(t, number_in(row, "T_min"));
        sc_new_groups_mass(&own, &noise, t, EXACT_BITS, &mass);
        CHECK_PRINTED(&mass, text_in(row, "delta_at_T"));
        sc_new_groups_mass(&own, &noise, t - 1, EXACT_BITS, &mass);
        CHECK_PRINTED(&mass, text_in(row, "delta_at_T_minus_1"));
        sc_ball_clear(&mass);
        sc_ratio_clear(&delta);
        sc_law_clear(&noise);
    }
    CHECK_INT(r, 8);
}

/* P(a + Z >= T), in doubles. */
static double tail(double w, int64_t a, int64_t t)
{
    return a < t ? exp(-w * (double)(t - a)) / (1 + exp(-w))
                 : 1 - exp(-w * (double)(a - t + 1)) / (1 + exp(-w));
}

/* The largest sum of -ln(1 - t(a)) over all ways to divide a total into `groups` parts of at most
 * `most`. */
static double worst_loss(double w, int64_t t, int64_t total, int64_t most, int64_t groups)
{
    double worst = 0;
    for (int64_t a = 1; groups > 0 && a <= most && a <= total; a++)
        worst = fmax(worst,
                     worst_loss(w, t, total - a, a, groups - 1) - log1p(-tail(w, a, t)));
    return worst;
}

/* Every total up to 9, every threshold up to 20, every way to divide it: one of the two ends is the
 * worst, and which of them is not always the same. */
TEST(new_groups_are_the_worst_of_all_divisions)
{
    CLAIM("new-groups.exact");
    static const char *const epsilons[] = {"1/10", "1", "3"};
    size_t many = 0, one = 0;
    for (size_t e = 0; e < COUNT(epsilons); e++)
        for (int64_t total = 1; total <= 9; total++) {
            const double epsilon = (double[]){0.1, 1, 3}[e];
            const double w = epsilon / (double)total;
            sc_law noise;
            sc_ball mass;
            noise_of(epsilons[e], total, &noise);
            sc_ball_init(&mass);
            for (int64_t t = 1; t <= 20; t++) {
                const sc_new_groups own = {.total = (uint64_t)total};
                sc_new_groups_mass(&own, &noise, t, 128, &mass);
                CHECK_NEAR(sc_ball_upper(&mass),
                           -expm1(-worst_loss(w, t, total, total, total)), 1e-12);
                const double single = tail(w, total, t);
                const double split = -expm1((double)total * log1p(-tail(w, 1, t)));
                many += split > single;
                one += single > split;
                for (int64_t each = 1; each <= 3; each++) {
                    const sc_new_groups bounded = {.groups = (uint64_t)total,
                                                   .each = (uint64_t)each};
                    sc_new_groups_mass(&bounded, &noise, t, 128, &mass);
                    CHECK_NEAR(sc_ball_upper(&mass),
                               -expm1(-worst_loss(w, t, total * each, each, total)),
                               1e-12);
                }
            }
            sc_ball_clear(&mass);
            sc_law_clear(&noise);
        }
    CHECK(many > 0 && one > 0);
}

/* F8: a unit that adds nothing to a thousand groups is within an l1 norm of 1, and is told with 3
 * %. So groups exist by what is added to them, and it must be at least 1. */
TEST(new_groups_add_at_least_one)
{
    CLAIM("new-groups.exact");
    json_t *row = vectors_load("thresholding", "zero_valued_new_keys");
    sc_law noise;
    sc_ball mass;
    noise_of(text_in(row, "eps"), 1, &noise);
    sc_ball_init(&mass);
    /* 0 + Z >= T is 1 + Z >= T + 1 */
    sc_noisy_threshold_mass(&noise, number_in(row, "T") + 1,
                            (uint64_t)number_in(row, "new_zero_keys"), EXACT_BITS, &mass);
    CHECK_PRINTED(&mass, text_in(row, "true_delta"));
    const sc_new_groups own = {.total = 1};
    sc_new_groups_mass(&own, &noise, number_in(row, "T"), EXACT_BITS, &mass);
    CHECK_PRINTED(&mass, text_in(row, "claimed_delta_Delta1"));
    sc_ball_clear(&mass);
    sc_law_clear(&noise);
}

/* The source's thresholds, for its gamma; ours needs no gamma and is below all of them. */
TEST(new_groups_thresholds_are_below_the_printed_figure)
{
    CLAIM("new-groups.smallest");
    json_t *rows = vectors_load("thresholding", "figure1"), *row;
    size_t r;
    json_array_foreach(rows, r, row)
    {
        const sc_new_groups own = {.total = 1};
        sc_law noise;
        sc_ratio delta;
        noise_of(text_in(row, "eps"), 1, &noise);
        exact_ratio(text_in(row, "delta"), &delta);
        const double e = strtod(text_in(row, "eps"), NULL);
        const double g = strtod(text_in(row, "gamma"), NULL);
        const double d = strtod(text_in(row, "delta"), NULL);
        const double printed = strtod(text_in(row, "threshold"), NULL);
        CHECK_NEAR(1 + (1 + g) / e * log(1 / d), printed, 1e-12);
        CHECK((double)sc_new_groups_threshold(&own, &noise, &delta) <= printed);
        sc_ratio_clear(&delta);
        sc_law_clear(&noise);
    }
    CHECK(r > 20);
}
