#include "choices.h"
#include "exact.h"
#include "mechanism/threshold/kept_size.h"
#include "mechanism/threshold/noisy_threshold.h"
#include "mechanism/threshold/threshold_weighted.h"
#include "mechanism/threshold/unit_counts.h"
#include "scrim/threshold.h"
#include "threshold_checks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LINE                                                                             \
    "threshold-weighted epsilon=2 delta=0.02 grid=1/4 max-groups=3 "                     \
    "neighbours=add-remove"

static const char *const lines[] = {
    LINE,
    "threshold-weighted epsilon=1 delta=1e-5 grid=1/2 neighbours=add-remove",
    "threshold-weighted epsilon=1 delta=1e-6 grid=0.1 max-groups=5 neighbours=add-remove",
    "threshold-weighted epsilon=1/2 delta=1e-9 grid=0.001 max-groups=20 "
    "neighbours=add-remove",
    "threshold-weighted epsilon=6 delta=1/4 grid=1/8 max-groups=64 neighbours=add-remove",
    "threshold-weighted epsilon=1 delta=1e-3 grid=2^-20 max-groups=7 "
    "neighbours=add-remove"};

static double steps_of(const scrim_measurement *m)
{
    return (double)sc_weighted_steps(m, 1);
}

static double variance_of(const scrim_measurement *m)
{
    char text[SC_RATIO_TEXT_BYTES];
    sc_ratio_format(&sc_noisy_threshold_of(m)->noise.shape, text, sizeof text);
    return strtod(text, NULL);
}

/* Weights. */

SLOW_TEST(threshold_weighted_rounds_weights_down)
{
    CLAIM("threshold-weighted.weights");
    for (size_t i = 0; i < COUNT(lines); i++) {
        scrim_measurement *m = choices_new(lines[i]);
        REQUIRE(m != NULL);
        const uint64_t whole = sc_weighted_steps(m, 1), groups = sc_unit_counts_groups(m);
        for (uint64_t k = 1; k <= groups; k++) {
            const uint64_t w = sc_weighted_steps(m, k);
            char text[SCRIM_NUMBER_BYTES];
            CHECK(w > 0 && k * w * w <= whole * whole);
            CHECK(k * (w + 1) * (w + 1) > whole * whole);
            REQUIRE_OK(scrim_threshold_weight(m, k, text, NULL));
            CHECK_NEAR(strtod(text, NULL) * (double)whole, (double)w, 1e-12);
        }
        char text[SCRIM_NUMBER_BYTES] = "x";
        REQUIRE_OK(scrim_threshold_weight(m, 1, text, NULL));
        CHECK_STR(text, "1");
        CHECK_STATUS(scrim_threshold_weight(m, 0, text, NULL), SCRIM_E_PARAM);
        CHECK_STATUS(scrim_threshold_weight(m, groups + 1, text, NULL), SCRIM_E_PARAM);
        CHECK_STR(text, "1");
        scrim_measurement_free(m);
    }
    scrim_measurement *other =
        choices_new("threshold-gaussian epsilon=1 delta=1e-3 neighbours=add-remove");
    char text[SCRIM_NUMBER_BYTES];
    CHECK_STATUS(scrim_threshold_weight(other, 1, text, NULL), SCRIM_E_PARAM);
    scrim_measurement_free(other);
}

/* The claim, by the formula of the header in doubles: sums of draws, one after the other. */

enum { REACH = 200, WIDTH = 6 * REACH + 1, CENTRE = 3 * REACH };

static void one_draw(double v, double out[WIDTH])
{
    double sum = 0;
    memset(out, 0, WIDTH * sizeof *out);
    for (int z = -REACH; z <= REACH; z++)
        sum += out[CENTRE + z] = exp(-(double)z * z / (2 * v));
    for (int i = 0; i < WIDTH; i++)
        out[i] /= sum;
}

static void add_draw(double sum[WIDTH], const double one[WIDTH])
{
    static double next[WIDTH];
    memset(next, 0, sizeof next);
    for (int i = 0; i < WIDTH; i++)
        for (int z = -REACH; z <= REACH && sum[i] > 0; z++)
            if (i + z >= 0 && i + z < WIDTH)
                next[i + z] += sum[i] * one[CENTRE + z];
    memcpy(sum, next, sizeof next);
}

static double stick(const double sum[WIDTH], int shift, double e)
{
    double total = 0;
    for (int i = 0; i < WIDTH; i++)
        total += fmax(0, sum[i] - (i + shift < WIDTH ? exp(e) * sum[i + shift] : 0));
    return total;
}

/* The worst division of the worst k. */
static double worst_of(const scrim_measurement *m, int64_t threshold, double e)
{
    static double one[WIDTH], sums[4][WIDTH];
    const uint64_t groups = sc_unit_counts_groups(m);
    double worst = 0;
    one_draw(variance_of(m), one);
    memset(sums[0], 0, sizeof sums[0]);
    sums[0][CENTRE] = 1;
    for (size_t s = 1; s <= groups; s++) {
        memcpy(sums[s], sums[s - 1], sizeof sums[s]);
        add_draw(sums[s], one);
    }
    for (uint64_t k = 1; k <= groups; k++) {
        const int w = (int)sc_weighted_steps(m, k);
        double hidden = 0;
        for (int z = -REACH; z <= REACH; z++)
            hidden += w + z < threshold ? one[CENTRE + z] : 0;
        for (uint64_t own = 0; own <= k; own++) {
            const double loss = -log(hidden) * (double)own;
            const double *sum = sums[k - own];
            const int shift = (int)(k - own) * w;
            worst = fmax(worst, -expm1(-loss) + exp(-loss) * stick(sum, shift, e + loss));
            worst = fmax(worst, stick(sum, shift, e - loss));
        }
    }
    return worst;
}

TEST(threshold_weighted_has_the_delta_of_the_worst_division)
{
    CLAIM("threshold-weighted.privacy");
    CLAIM("threshold-weighted.small");
    static const struct {
        const char *line;
        double epsilon, delta;
    } cases[] = {{LINE, 2, 0.02},
                 {"threshold-weighted epsilon=1 delta=0.01 grid=1/2 max-groups=3 "
                  "neighbours=add-remove",
                  1, 0.01},
                 {"threshold-weighted epsilon=4 delta=1e-4 grid=1/8 max-groups=2 "
                  "neighbours=add-remove",
                  4, 1e-4},
                 {"threshold-weighted epsilon=3 delta=0.2 grid=1/2 max-groups=2 "
                  "neighbours=add-remove",
                  3, 0.2},
                 {"threshold-weighted epsilon=1 delta=1e-3 grid=1 neighbours=add-remove",
                  1, 1e-3}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        scrim_measurement *m = choices_new(cases[i].line);
        scrim_threshold_facts facts;
        double at = -1, half = -1;
        char text[16];
        REQUIRE(m != NULL);
        const int64_t t = sc_threshold_of(m);
        snprintf(text, sizeof text, "%g", cases[i].epsilon);
        REQUIRE_OK(scrim_measurement_delta_at(m, text, &at, NULL));
        REQUIRE_OK(scrim_measurement_delta_at(m, "1/2", &half, NULL));
        CHECK_NEAR(at, worst_of(m, t, cases[i].epsilon), 1e-9);
        CHECK_NEAR(half, worst_of(m, t, 0.5), 1e-9);
        CHECK(at <= cases[i].delta);
        CHECK(t == 1 || worst_of(m, t - 1, cases[i].epsilon) > cases[i].delta);
        REQUIRE_OK(scrim_threshold_describe(m, &facts, NULL));
        CHECK(facts.delta_upper == at && facts.added_upper >= at);
        CHECK_NEAR(facts.added_upper, facts.noise_upper + facts.new_groups_upper, 1e-12);
        scrim_measurement_free(m);
    }
}

/* Every neighbour of three groups by the laws themselves, also of groups of others that are
 * small. */

enum { SIZES = 24, ANSWERS = 64 };

static double laws[SIZES][ANSWERS];

static double excess(const int64_t *x, const int64_t *y, size_t groups, double p,
                     double q, double odds)
{
    double sum = 0;
    if (groups == 0)
        return fmax(0, p - odds * q);
    for (size_t a = 0; a < ANSWERS; a++)
        if (laws[*x][a] > 0)
            sum +=
                excess(x + 1, y + 1, groups - 1, p * laws[*x][a], q * laws[*y][a], odds);
    return sum;
}

static bool set_laws(const scrim_measurement *m, int64_t sizes)
{
    memset(laws, 0, sizeof laws);
    for (int64_t n = 0; n < sizes; n++) {
        sc_outcomes law;
        if (!choices_law(m, &n, 1, 80, &law))
            return false;
        for (size_t i = 0; i < law.count; i++) {
            const int64_t place = law.keys[i] == SC_THRESHOLD_UNSEEN
                                      ? 0
                                      : law.keys[i] - sc_threshold_of(m) + 1;
            laws[n][place < ANSWERS ? place : ANSWERS - 1] += sc_ball_upper(&law.mass[i]);
        }
        sc_outcomes_clear(&law);
    }
    return true;
}

TEST(threshold_weighted_holds_on_all_neighbours)
{
    CLAIM("threshold-weighted.privacy");
    static const struct {
        const char *line;
        double epsilon, delta;
    } cases[] = {{"threshold-weighted epsilon=5 delta=0.05 grid=1/2 max-groups=3 "
                  "neighbours=add-remove",
                  5, 0.05},
                 {"threshold-weighted epsilon=6 delta=0.02 grid=1/4 max-groups=2 "
                  "neighbours=add-remove",
                  6, 0.02}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        scrim_measurement *m = choices_new(cases[i].line);
        double worst = 0;
        REQUIRE(m != NULL);
        const int64_t sizes = sc_threshold_of(m) + 6;
        REQUIRE(sizes + (int64_t)sc_weighted_steps(m, 1) <= SIZES);
        REQUIRE(set_laws(m, sizes + (int64_t)sc_weighted_steps(m, 1)));
        const int64_t step = check_is_long() ? 1 : 3;
        for (size_t k = 1; k <= sc_unit_counts_groups(m); k++) {
            const int64_t w = (int64_t)sc_weighted_steps(m, k);
            const int64_t second = k > 1 ? sizes : 1, third = k > 2 ? sizes : 1;
            for (int64_t a = 0; a < sizes; a++)
                for (int64_t b = 0; b < second; b += step)
                    for (int64_t c = 0; c < third; c += step) {
                        const int64_t x[] = {a, b, c}, y[] = {a + w, b + w, c + w};
                        const double odds = exp(cases[i].epsilon);
                        worst = fmax(worst, excess(x, y, k, 1, 1, odds));
                        worst = fmax(worst, excess(y, x, k, 1, 1, odds));
                    }
        }
        if (!CHECK(worst <= cases[i].delta * (1 + 1e-9)) ||
            !CHECK(worst >= cases[i].delta * 0.1))
            CHECK_FAIL("%s: %.10g", cases[i].line, worst);
        scrim_measurement_free(m);
    }
}

/* On a fine grid it is the formula of the specification, of continuous noise. */
TEST(threshold_weighted_is_the_continuous_one_in_the_limit)
{
    CLAIM("threshold-weighted.privacy");
    scrim_measurement *m = choices_new(lines[5]);
    scrim_threshold_facts facts;
    REQUIRE(m != NULL);
    const double sigma = sqrt(variance_of(m)) / steps_of(m);
    const double t = (double)sc_threshold_of(m) / steps_of(m);
    double mass = 0;
    for (int j = 1; j <= 7; j++) {
        const double shown = erfc((t - 1 / sqrt(j)) / sigma / sqrt(2)) / 2;
        mass = fmax(mass, -expm1(j * log1p(-shown)));
    }
    const double noise = erfc((sigma - 0.5 / sigma) / sqrt(2)) / 2 -
                         exp(1) * erfc((sigma + 0.5 / sigma) / sqrt(2)) / 2;
    REQUIRE_OK(scrim_threshold_describe(m, &facts, NULL));
    CHECK_NEAR(facts.new_groups_upper, mass, 1e-5);
    CHECK_NEAR(facts.noise_upper, noise, 1e-5);
    CHECK(facts.noise_upper <= 1e-3 && facts.noise_upper > 0.99e-3);
    scrim_measurement_free(m);
}

/* However many groups, the noise is that of one; counts have noise for the one in most. */
SLOW_TEST(threshold_weighted_has_the_noise_of_one_group)
{
    double variances[2] = {0}, thresholds[2] = {0};
    for (int i = 0; i < 2; i++) {
        char line[120];
        snprintf(line, sizeof line,
                 "threshold-weighted epsilon=1 delta=1e-6 grid=0.001 max-groups=%d "
                 "neighbours=add-remove",
                 i == 0 ? 1 : 50);
        scrim_measurement *m = choices_new(line);
        REQUIRE(m != NULL);
        variances[i] = variance_of(m);
        thresholds[i] = (double)sc_threshold_of(m);
        scrim_measurement_free(m);
    }
    CHECK_NEAR(variances[1], variances[0], 1e-3 * variances[0]);
    CHECK(thresholds[1] < 1.2 * thresholds[0]);
}

SLOW_TEST(threshold_weighted_is_concentrated_beside_new_groups)
{
    CLAIM("threshold-weighted.aside");
    for (size_t i = 0; i < 4; i++) {
        scrim_measurement *m = choices_new(lines[i]);
        sc_ball rho;
        REQUIRE(m != NULL);
        threshold_check_aside(m);
        const double w = steps_of(m); /* of one group it is all of it */
        sc_ball_init(&rho);
        sc_ball_set_ratio(&rho, &m->cost.aside_rho, 192);
        CHECK_NEAR(sc_ball_upper(&rho), w * w / (2 * variance_of(m)), 1e-12);
        sc_ball_clear(&rho);
        scrim_measurement_free(m);
    }
}

/* The law, in steps. */

TEST(threshold_weighted_law_is_the_tail)
{
    CLAIM("threshold-weighted.exact");
    scrim_measurement *m = choices_new(LINE);
    REQUIRE(m != NULL);
    const int64_t t = sc_threshold_of(m);
    const double v = variance_of(m);
    for (int64_t n = 0; n < t + 3; n++) {
        sc_outcomes law;
        double sum = 0, hidden = 0;
        for (int64_t z = -200; z <= 200; z++) {
            const double w = exp(-(double)(z * z) / (2 * v));
            sum += w;
            hidden += n + z < t ? w : 0;
        }
        REQUIRE(choices_law(m, &n, 1, 128, &law));
        CHECK_NEAR(threshold_mass(&law, SC_THRESHOLD_UNSEEN), n == 0 ? 1 : hidden / sum,
                   1e-12);
        CHECK(n == 0 || law.keys[1] == t);
        sc_outcomes_clear(&law);
    }
    scrim_measurement_free(m);
}

TEST(threshold_weighted_frequencies_fit_the_law)
{
    CLAIM("threshold-weighted.exact");
    threshold_check_draws(LINE);
}

/* In the unit of weights: steps times the grid. */
TEST(threshold_weighted_certifies_weights_and_values)
{
    CLAIM("threshold-weighted.accuracy");
    scrim_measurement *m = choices_new(LINE);
    scrim_certificate c;
    sc_ball beyond;
    uint64_t units = 0;
    sc_ratio half;
    REQUIRE(m != NULL);
    sc_ball_init(&beyond);
    exact_ratio("1/2", &half);
    REQUIRE_OK(scrim_measurement_certify(m, "0.9", 1, &c, NULL));
    CHECK_INT(c.form, SCRIM_CERTIFICATE_PAC);
    const double weight = strtod(c.radius, NULL) * 4,
                 radius = strtod(c.value_radius, NULL) * 4;
    CHECK(weight == floor(weight) && radius == floor(radius));
    for (int64_t n = (int64_t)weight - 1; n <= (int64_t)weight; n++) {
        sc_law_at_least(&sc_noisy_threshold_of(m)->noise, sc_threshold_of(m) - n, 128,
                        &beyond);
        CHECK((sc_ball_upper(&beyond) >= 0.9) == (n == (int64_t)weight));
    }
    for (int64_t r = (int64_t)radius - 1; r <= (int64_t)radius; r++) {
        sc_law_at_least(&sc_noisy_threshold_of(m)->noise, r + 1, 128, &beyond);
        CHECK((2 * sc_ball_upper(&beyond) <= 0.1) == (r == (int64_t)radius));
    }
    /* weights are no number of units */
    CHECK(!sc_threshold_kept_size(m, &half, &units));
    sc_ratio_clear(&half);
    sc_ball_clear(&beyond);
    scrim_measurement_free(m);
}

/* The first and the last size are looked at on any grid: a new group, and one that is shown as a
 * rule. */
SLOW_TEST(threshold_weighted_has_few_pairs_on_fine_grids)
{
    static const size_t most[] = {512, 512, 512, 24, 512, 24};
    for (size_t i = 0; i < COUNT(lines); i++) {
        scrim_measurement *m = choices_new(lines[i]);
        sc_pair pair = {.x_count = 0};
        REQUIRE(m != NULL);
        const size_t two = i == 0 ? m->mechanism->pair_count(m) : 0;
        CHECK(m->mechanism->pair_count(m) <= most[i] + two);
        m->mechanism->pair(m, 0, &pair);
        CHECK(pair.x[0] == 0 && pair.y[0] == (int64_t)sc_weighted_steps(m, 1));
        if (i != 0 && m->mechanism->pair_count(m) == most[i]) {
            m->mechanism->pair(m, most[i] - 1, &pair);
            CHECK_INT(pair.x[0], sc_threshold_of(m) + 5);
        }
        scrim_measurement_free(m);
    }
}

TEST(threshold_weighted_fails_closed_without_bits)
{
    static const int64_t weights[] = {11, 0, 12};
    choices_check_entropy(LINE, weights, 3);
}

TEST(threshold_weighted_refuses_what_is_none)
{
    static const choices_refusal cases[] = {
        {"epsilon=1 delta=1e-3 neighbours=add-remove", SCRIM_E_PARAM, "grid"},
        {"epsilon=1 grid=1/4 neighbours=add-remove", SCRIM_E_PARAM, "delta"},
        {"epsilon=1 delta=1e-3 grid=1/4 neighbours=replace", SCRIM_E_PARAM,
         "weights are for add-remove"},
        {"epsilon=1 delta=1e-3 grid=1/4 neighbours=local", SCRIM_E_PARAM, "neighbours"},
        {"epsilon=1 delta=1e-3 grid=1/3 neighbours=add-remove", SCRIM_E_PARAM, "grid"},
        {"epsilon=1 delta=1e-3 grid=2 neighbours=add-remove", SCRIM_E_LIMIT, "grid"},
        {"epsilon=1 delta=1e-3 grid=1/2 max-groups=5 neighbours=add-remove",
         SCRIM_E_PARAM, "would have no weight"},
        {"epsilon=1 delta=1e-3 grid=1/8 max-groups=65 neighbours=add-remove",
         SCRIM_E_LIMIT, "max-groups"}};
    choices_refuse("threshold-weighted", cases, sizeof cases / sizeof *cases);
}
