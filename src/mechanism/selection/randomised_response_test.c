#include "balls.h"
#include "choices.h"
#include "exact.h"
#include "goodness.h"
#include "mechanism/selection/randomised_response.h"
#include "random/bits_tape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *text_of(const json_t *object, const char *member)
{
    return json_string_value(json_object_get(object, member));
}

static scrim_measurement *made(const char *key, const char *value, int64_t values)
{
    char line[200];
    snprintf(line, sizeof line, "randomised-response %s=%s values=%lld neighbours=local",
             key, value, (long long)values);
    return choices_new(line);
}

/* P(answer | x) as a double. */
static double probability(const scrim_measurement *m, int64_t x, int64_t answer)
{
    sc_outcomes law;
    sc_ball mass;
    if (!choices_law(m, &x, 1, 128, &law))
        return -1;
    sc_ball_init(&mass);
    outcomes_mass(&law, &answer, &mass);
    const double p = goodness_middle(&mass);
    choices_check_total(&law, 100);
    sc_ball_clear(&mass);
    sc_outcomes_clear(&law);
    return p;
}

/* n times the variance of the estimate of a frequency of 0: q (1-q) / (p-q)^2. */
static double variance(double p, double q)
{
    return q * (1 - q) / ((p - q) * (p - q));
}

/* The printed numbers. */

TEST(randomised_response_of_epsilon_is_as_printed)
{
    CLAIM("randomised-response.exact");
    json_t *rows = vectors_load("mechanisms", "randomised_response"), *row;
    size_t r;
    json_array_foreach(rows, r, row)
    {
        scrim_measurement *m = made("epsilon", text_of(row, "epsilon"), 2);
        REQUIRE(m != NULL);
        const double keep = strtod(text_of(row, "p_keep"), NULL);
        const double p = probability(m, 1, 1), q = probability(m, 0, 1);
        CHECK_NEAR(p, keep, 1e-12);
        CHECK_NEAR(variance(p, q),
                   strtod(text_of(row, "estimator_variance_times_n"), NULL), 1e-12);
        /* The estimate is slope y - offset, at y = 1 and at y = 0. */
        sc_ratio estimate;
        sc_ball value;
        sc_ratio_init(&estimate);
        sc_ball_init(&value);
        sc_response_estimate(sc_response_of(m), 0, 1, &estimate);
        sc_ball_set_ratio(&value, &estimate, 128);
        CHECK_NEAR(-goodness_middle(&value), strtod(text_of(row, "offset"), NULL), 1e-12);
        sc_response_estimate(sc_response_of(m), 1, 1, &estimate);
        sc_ball_set_ratio(&value, &estimate, 128);
        CHECK_NEAR(goodness_middle(&value) + strtod(text_of(row, "offset"), NULL),
                   strtod(text_of(row, "slope"), NULL), 1e-12);
        sc_ball_clear(&value);
        sc_ratio_clear(&estimate);
        scrim_measurement_free(m);
    }
    CHECK_INT(json_array_size(rows), 5);
}

TEST(randomised_response_of_k_values_is_as_printed)
{
    CLAIM("randomised-response.exact");
    json_t *rows = vectors_load("local-and-accounting", "krr"), *row;
    size_t r;
    json_array_foreach(rows, r, row)
    {
        const int64_t k = json_integer_value(json_object_get(row, "k"));
        scrim_measurement *m = made("epsilon", text_of(row, "eps"), k);
        REQUIRE(m != NULL);
        const double p = probability(m, 1, 1), q = probability(m, 0, 1);
        CHECK_NEAR(p, strtod(text_of(row, "p_truth"), NULL), 1e-12);
        CHECK_NEAR(q, strtod(text_of(row, "p_other"), NULL), 1e-12);
        CHECK_NEAR(probability(m, k - 1, 0), q, 1e-15);
        CHECK_NEAR(variance(p, q), strtod(text_of(row, "var_n_at_freq_0"), NULL), 1e-12);
        scrim_measurement_free(m);
    }
    CHECK_INT(json_array_size(rows), 3);
}

/* keep=n/d: the law, the price and the variance n (d-n)/(2n-d)^2 are what they are. */
static void check_rational(int64_t n, int64_t d, const char *epsilon,
                           const json_t *variance_pair)
{
    char keep[64];
    sc_ball exact, mass;
    sc_ratio charged, over;
    snprintf(keep, sizeof keep, "%lld/%lld", (long long)n, (long long)d);
    scrim_measurement *m = made("keep", keep, 2);
    if (m == NULL)
        return;
    sc_ball_init(&exact);
    sc_ball_init(&mass);
    sc_ratio_init(&charged);
    sc_ratio_init(&over);
    CHECK_INT((sc_int128)sc_response_of(m)->keep * d,
              (sc_int128)sc_response_of(m)->whole * n);
    CHECK_NEAR(probability(m, 1, 1), (double)n / (double)d, 1e-15);
    /* The charge is ln(n/(d-n)), up to 64 bits above it. */
    sc_ball_set_int64(&exact, n);
    sc_ball_set_int64(&mass, d - n);
    sc_ball_div(&exact, &exact, &mass, 300);
    sc_ball_log(&exact, &exact, 300);
    CHECK_PRINTED(&exact, epsilon);
    sc_ball_set_ratio(&mass, &m->cost.epsilon, 300);
    CHECK(sc_ball_is_less_equal(&exact, &mass));
    sc_ball_sub(&mass, &mass, &exact, 300);
    CHECK(sc_ball_upper(&mass) < 1e-17);
    const double v = (double)json_integer_value(json_array_get(variance_pair, 0)) /
                     (double)json_integer_value(json_array_get(variance_pair, 1));
    CHECK_NEAR(variance(probability(m, 1, 1), probability(m, 0, 1)), v, 1e-12);
    sc_ratio_clear(&over);
    sc_ratio_clear(&charged);
    sc_ball_clear(&mass);
    sc_ball_clear(&exact);
    scrim_measurement_free(m);
}

TEST(randomised_response_of_a_fraction_is_as_printed)
{
    CLAIM("randomised-response.privacy");
    json_t *rows = vectors_load("mechanisms", "randomised_response_rational"), *row;
    size_t r;
    json_array_foreach(rows, r, row)
    {
        const json_t *keep = json_object_get(row, "keep");
        check_rational(json_integer_value(json_array_get(keep, 0)),
                       json_integer_value(json_array_get(keep, 1)),
                       text_of(row, "epsilon"), json_object_get(row, "variance_times_n"));
    }
    CHECK_INT(json_array_size(rows), 5);
    /* The two coins: yes is said by 3/4 of those for whom it is true, 1/4 of the others. */
    const json_t *coins = vectors_load("mechanisms", "coin_randomised_response");
    const json_t *yes = json_object_get(coins, "truth_yes");
    CHECK_INT(json_integer_value(json_array_get(yes, 0)), 3);
    check_rational(json_integer_value(json_array_get(yes, 0)),
                   json_integer_value(json_array_get(yes, 1)), text_of(coins, "epsilon"),
                   json_object_get(coins, "variance_times_n"));
}

/* 62 bits rounded down: within 2^-62 of what was asked for, and never above it. */
TEST(randomised_response_spends_no_more_than_epsilon)
{
    CLAIM("randomised-response.exact");
    CLAIM("randomised-response.privacy");
    const char *const epsilons[] = {"0.1", "1", "1/3", "2.5", "40", "50", "1e-15"};
    const int64_t sizes[] = {2, 3, 10, 1000, 1 << 30};
    sc_ball ideal, part;
    sc_ball_init(&ideal);
    sc_ball_init(&part);
    for (size_t i = 0; i < sizeof epsilons / sizeof *epsilons; i++)
        for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++) {
            sc_ratio epsilon;
            if (i == 6 && j > 0)
                continue; /* too little for 62 bits */
            scrim_measurement *m = made("epsilon", epsilons[i], sizes[j]);
            REQUIRE(m != NULL);
            const sc_response *response = sc_response_of(m);
            exact_ratio(epsilons[i], &epsilon);
            CHECK(sc_ratio_compare(&m->cost.epsilon, &epsilon) <= 0);
            CHECK_INT(response->whole, (sc_int128)1 << 62);
            sc_ball_set_ratio(&part, &epsilon, 256);
            sc_ball_exp(&part, &part, 256);
            sc_ball_add_int64(&ideal, &part, sizes[j] - 1, 256);
            sc_ball_div(&ideal, &part, &ideal, 256);
            sc_ball_mul_power2(&ideal, &ideal, 62);
            sc_ball_set_int128(&part, (sc_int128)response->keep);
            CHECK(sc_ball_is_less(&part, &ideal));
            sc_ball_add_int64(&part, &part, 1, 256);
            CHECK(sc_ball_is_less(&ideal, &part));
            sc_ratio_clear(&epsilon);
            scrim_measurement_free(m);
        }
    sc_ball_clear(&part);
    sc_ball_clear(&ideal);
}

/* Drawing. */

/* All tapes of TAPE_BITS bits: outcomes are counted as exactly as the fractions say. */
enum { TAPE_BITS = 12 };

typedef scrim_status draw_one(sc_bits *bits, const sc_response *response, uint64_t x,
                              uint64_t *out, scrim_error *error);

static void count_tapes(draw_one *draw, const sc_response *response, uint64_t x,
                        uint64_t *seen)
{
    for (unsigned number = 0; number < 1u << TAPE_BITS; number++) {
        const unsigned char bytes[] = {(unsigned char)number,
                                       (unsigned char)(number >> 8)};
        sc_tape *tape = NULL;
        uint64_t out = 0;
        if (!CHECK_STATUS(sc_tape_bits(bytes, TAPE_BITS, &tape, NULL), SCRIM_OK))
            return;
        if (draw(sc_tape_bits_of(tape), response, x, &out, NULL) == SCRIM_OK)
            seen[out]++;
        sc_tape_free(tape);
    }
}

/* Truth has (k-1) n shares, every other value d - n; short tapes leave some undecided, and those
 * are the same for all values. */
static void check_tapes(draw_one *draw, const sc_response *response, uint64_t x)
{
    uint64_t seen[8] = {0};
    const uint64_t truth = (response->values - 1) * response->keep;
    const uint64_t other = response->whole - response->keep;
    count_tapes(draw, response, x, seen);
    for (uint64_t v = 0; v < response->values; v++) {
        CHECK(seen[v] > 0);
        CHECK_INT((sc_int128)seen[v] * truth,
                  (sc_int128)seen[x] * (v == x ? truth : other));
    }
}

SLOW_TEST(randomised_response_gives_every_value_its_tapes)
{
    CLAIM("randomised-response.exact");
    static const sc_response cases[] = {{3, 4, 2}, {2, 3, 2}, {3, 4, 3}, {1, 2, 5},
                                        {5, 8, 4}, {1, 3, 7}, {7, 10, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (uint64_t x = 0; x < cases[i].values; x++) {
            check_tapes(sc_response_draw, &cases[i], x);
            check_tapes(sc_response_reference, &cases[i], x);
        }
}

TEST(randomised_response_turns_at_its_62_bits)
{
    CLAIM("randomised-response.exact");
    scrim_measurement *m = made("epsilon", "1", 3);
    REQUIRE(m != NULL);
    const sc_response *response = sc_response_of(m);
    for (int flipped = 0; flipped < 2; flipped++)
        for (uint64_t x = 0; x < 3; x++)
            for (uint64_t j = 0; j < 2; j++) {
                const uint64_t words[] = {
                    flipped ? response->keep << 2 : (response->keep << 2) - 1, j};
                sc_tape *tape = NULL;
                uint64_t out = 9;
                REQUIRE_OK(sc_tape_words(words, 2, &tape, NULL));
                REQUIRE_OK(
                    sc_response_draw(sc_tape_bits_of(tape), response, x, &out, NULL));
                CHECK_INT(out, flipped ? (j < x ? j : j + 1) : x);
                sc_tape_free(tape);
            }
    scrim_measurement_free(m);
}

TEST(randomised_response_frequencies_fit_the_law)
{
    CLAIM("randomised-response.exact");
    static const int64_t bits[] = {1, 0, 1}, one[] = {4};
    const uint64_t draws = check_count(100000, 1000000);
    choices_fit("randomised-response keep=3/4 neighbours=local", bits, 3, draws);
    choices_fit("randomised-response epsilon=1 neighbours=replace", bits, 3, draws);
    choices_fit("randomised-response epsilon=2 values=10 neighbours=local", one, 1,
                draws);
    choices_fit("randomised-response keep=2/7 values=5 neighbours=local", one, 1, draws);
}

/* Estimating. */

/* Over all answers of three people, weighted with their probabilities, the estimates of every
 * frequency have the frequency as their mean: as rationals, with nothing left over. */
TEST(randomised_response_estimate_is_unbiased)
{
    CLAIM("randomised-response.estimate");
    enum { PEOPLE = 3, VALUES = 3 };
    const sc_response response = {5, 8, VALUES};
    const uint64_t truth[PEOPLE] = {2, 0, 2};
    sc_ratio mean, weight, factor, estimate, same, other;
    exact_ratio("5/8", &same);
    exact_ratio("3/16", &other);
    sc_ratio_init(&mean);
    sc_ratio_init(&weight);
    sc_ratio_init(&factor);
    sc_ratio_init(&estimate);
    for (uint64_t v = 0; v < VALUES; v++) {
        uint64_t wanted = 0;
        sc_ratio_set_int64(&mean, 0);
        for (int i = 0; i < PEOPLE; i++)
            wanted += truth[i] == v;
        for (uint64_t number = 0; number < 27; number++) {
            uint64_t count = 0, rest = number;
            sc_ratio_set_int64(&weight, 1);
            for (int i = 0; i < PEOPLE; i++, rest /= VALUES) {
                sc_ratio_mul(&weight, &weight,
                             rest % VALUES == truth[i] ? &same : &other);
                count += rest % VALUES == v;
            }
            sc_response_estimate(&response, count, PEOPLE, &estimate);
            sc_ratio_mul(&weight, &weight, &estimate);
            sc_ratio_add(&mean, &mean, &weight);
        }
        sc_ratio_set_int64(&factor, PEOPLE);
        sc_ratio_mul(&mean, &mean, &factor);
        CHECK_INT(sc_ratio_compare_int64(&mean, (int64_t)wanted), 0);
    }
    sc_ratio_clear(&other);
    sc_ratio_clear(&same);
    sc_ratio_clear(&estimate);
    sc_ratio_clear(&factor);
    sc_ratio_clear(&weight);
    sc_ratio_clear(&mean);
}

static double radius_at(const scrim_measurement *m, const char *confidence, size_t count)
{
    scrim_certificate certificate;
    sc_ratio radius;
    sc_ball value;
    if (!CHECK_STATUS(scrim_measurement_certify(m, confidence, count, &certificate, NULL),
                      SCRIM_OK))
        return -1;
    CHECK_INT(certificate.form, SCRIM_CERTIFICATE_FREQUENCY);
    CHECK_STR(certificate.confidence, confidence);
    exact_ratio(certificate.radius, &radius);
    sc_ball_init(&value);
    sc_ball_set_ratio(&value, &radius, 128);
    const double shown = goodness_middle(&value);
    sc_ball_clear(&value);
    sc_ratio_clear(&radius);
    return shown;
}

/* The number of people for a radius of 1/100 is at most the printed one, by Hoeffding's bound; the radius is rounded up
 * to a millionth. */
TEST(randomised_response_radius_is_no_wider_than_that_of_hoeffding)
{
    CLAIM("randomised-response.estimate");
    json_t *rows = vectors_load("local-and-accounting", "randomised_response"), *row;
    size_t r;
    json_array_foreach(rows, r, row)
    {
        scrim_measurement *m = made("epsilon", text_of(row, "eps"), 2);
        const size_t n = strtoull(text_of(row, "n_for_error_0_01_conf_0_95"), NULL, 10);
        REQUIRE(m != NULL);
        const double e = strtod(text_of(row, "eps"), NULL);
        const double slope = (exp(e) + 1) / (exp(e) - 1);
        const double keep = exp(e) / (1 + exp(e));
        const double radius = radius_at(m, "0.95", n);
        CHECK(radius <= slope * sqrt(log(2 / 0.05) / (2 * (double)n)) + 1e-6);
        CHECK(radius <= 0.01);
        /* By the tail of a normal distribution of that variance no radius is smaller. */
        CHECK(radius >= 1.959 * slope * sqrt(keep * (1 - keep) / (double)n));
        CHECK_NEAR(probability(m, 0, 0), strtod(text_of(row, "p_truth"), NULL), 1e-12);
        scrim_measurement_free(m);
    }
    CHECK_INT(json_array_size(rows), 5);
    /* All of ten values may err: ln(2 10/beta), and the slope (e^eps + 9)/(e^eps - 1). */
    scrim_measurement *m = made("epsilon", "1", 10);
    REQUIRE(m != NULL);
    CHECK(radius_at(m, "0.95", 5000) <=
          (exp(1) + 9) / (exp(1) - 1) * sqrt(log(20 / 0.05) / (2 * 5000.0)));
    /* Two frequencies differ by at most 1: of few answers no more is said. */
    CHECK(radius_at(m, "0.95", 3) == 1);
    scrim_certificate certificate;
    CHECK_STATUS(scrim_measurement_certify(m, "0.95", 0, &certificate, NULL),
                 SCRIM_E_PARAM);
    scrim_measurement_free(m);
}

/* The smallest bound over many rates, in doubles. */
static double chernoff(double keep, double beta, double count)
{
    double best = HUGE_VAL;
    for (double rate = 0.001; rate < 40; rate *= 1.001) {
        const double up = log1p(keep * expm1(rate)) - keep * rate;
        const double down = log1p(keep * expm1(-rate)) + keep * rate;
        best = fmin(best, (fmax(up, down) + log(2 / beta) / count) / rate);
    }
    return best / (2 * keep - 1);
}

TEST(randomised_response_radius_is_that_of_chernoff)
{
    CLAIM("randomised-response.estimate");
    const char *const epsilons[] = {"1/10", "1", "3", "6"};
    const size_t counts[] = {400, 5000, 1000000};
    for (size_t i = 0; i < COUNT(epsilons) * COUNT(counts); i++) {
        scrim_measurement *m = made("epsilon", epsilons[i % COUNT(epsilons)], 2);
        const size_t count = counts[i / COUNT(epsilons)];
        REQUIRE(m != NULL);
        const double exact = chernoff(probability(m, 0, 0), 0.05, (double)count);
        const double radius = radius_at(m, "0.95", count);
        CHECK(radius == 1 ? exact > 0.98 : radius > exact * 0.999999);
        CHECK(radius <= exact * 1.015 + 1e-6);
        scrim_measurement_free(m);
    }
}

#define PEOPLE 60

/* The distribution of the number of reports "1" when `ones` people hold a 1. */
static void reports_of(size_t ones, double keep, double mass[PEOPLE + 1])
{
    memset(mass, 0, (PEOPLE + 1) * sizeof *mass);
    mass[0] = 1;
    for (size_t i = 0; i < PEOPLE; i++) {
        const double p = i < ones ? keep : 1 - keep;
        for (size_t k = i + 1; k > 0; k--)
            mass[k] = mass[k] * (1 - p) + mass[k - 1] * p;
        mass[0] *= 1 - p;
    }
}

/* The probability that the estimate is further from the truth. */
static double missed(size_t ones, double keep, double radius)
{
    double mass[PEOPLE + 1], sum = 0;
    reports_of(ones, keep, mass);
    for (size_t k = 0; k <= PEOPLE; k++) {
        const double estimate = ((double)k / PEOPLE - (1 - keep)) / (2 * keep - 1);
        const double error = fabs(fmin(1, fmax(0, estimate)) - (double)ones / PEOPLE);
        sum += error > radius + 1e-12 ? mass[k] : 0;
    }
    return sum;
}

/* Against the exact distribution for every number of ones: the radius holds as often as it says. It is at most 1.65 times
 * the smallest one that does: Chernoff's bound is some 1.4 times a quantile, and few reports err in large steps. */
TEST(randomised_response_radius_holds_and_is_not_much_wider_than_the_exact_one)
{
    CLAIM("randomised-response.estimate");
    const char *const epsilons[] = {"1/2", "1", "2", "3"};
    const char *const confidences[] = {"0.9", "0.95", "0.999"};
    for (size_t i = 0; i < COUNT(epsilons) * COUNT(confidences); i++) {
        scrim_measurement *m = made("epsilon", epsilons[i % COUNT(epsilons)], 2);
        const char *confidence = confidences[i / COUNT(epsilons)];
        REQUIRE(m != NULL);
        const double keep = probability(m, 0, 0);
        const double beta = 1 - strtod(confidence, NULL);
        const double radius = radius_at(m, confidence, PEOPLE);
        double worst = 0, worst_closer = 0;
        for (size_t ones = 0; ones <= PEOPLE; ones++) {
            worst = fmax(worst, missed(ones, keep, radius));
            worst_closer = fmax(worst_closer, missed(ones, keep, radius / 1.65));
        }
        CHECK(worst <= beta);
        CHECK(radius == 1 || worst_closer > beta);
        scrim_measurement_free(m);
    }
}

/* Without noise there is no error, however few the people: Hoeffding's bound said 0.136. */
TEST(randomised_response_radius_vanishes_with_the_noise)
{
    CLAIM("randomised-response.estimate");
    scrim_measurement *few = made("epsilon", "20", 2), *more = made("epsilon", "40", 2);
    REQUIRE(few != NULL && more != NULL);
    CHECK(radius_at(few, "0.95", 100) < 0.01);
    CHECK(radius_at(more, "0.95", 100) < radius_at(few, "0.95", 100));
    scrim_measurement_free(more);
    scrim_measurement_free(few);
}

/* The mechanism. */

/* The loss on every pair is epsilon exactly, in both directions and no more. */
TEST(randomised_response_loses_its_epsilon)
{
    CLAIM("randomised-response.privacy");
    const char *const lines[] = {"randomised-response keep=3/4",
                                 "randomised-response epsilon=2 values=5",
                                 "randomised-response epsilon=1 values=100"};
    const size_t pairs[] = {1, 10, 64 * 63 / 2};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        scrim_measurement *m = choices_model(lines[i]);
        sc_ball epsilon, slack, loss;
        REQUIRE(m != NULL);
        sc_ball_init(&epsilon);
        sc_ball_init(&slack);
        sc_ball_init(&loss);
        sc_ball_set_ratio(&epsilon, &m->cost.epsilon, 128);
        CHECK_INT(m->cost.neighbours, SCRIM_LOCAL); /* where none is said */
        CHECK_INT(m->mechanism->pair_count(m), pairs[i]);
        for (size_t j = 0; j < pairs[i]; j += 1 + j / 3) {
            sc_pair pair;
            sc_outcomes p, q;
            m->mechanism->pair(m, j, &pair);
            CHECK(pair.x[0] < pair.y[0] && pair.x[0] >= 0);
            CHECK_INT(sc_domain_clamp(&m->domain, pair.y[0]), pair.y[0]);
            REQUIRE(choices_law(m, pair.x, 1, 128, &p) &&
                    choices_law(m, pair.y, 1, 128, &q));
            for (size_t k = 0; k < p.count; k++) {
                sc_ball_div(&loss, &p.mass[k], &q.mass[k], 128);
                sc_ball_log(&loss, &loss, 128);
                sc_ball_abs(&loss, &loss);
                CHECK(!sc_ball_is_less(&epsilon, &loss));
                if (k == (size_t)pair.x[0]) {
                    sc_ball_sub(&slack, &epsilon, &loss, 128);
                    CHECK(sc_ball_upper(&slack) < 1e-17);
                }
            }
            sc_outcomes_clear(&q);
            sc_outcomes_clear(&p);
        }
        sc_ball_clear(&loss);
        sc_ball_clear(&slack);
        sc_ball_clear(&epsilon);
        scrim_measurement_free(m);
    }
}

TEST(randomised_response_refuses_what_is_none)
{
    const struct {
        const char *rest;
        scrim_status status;
        const char *text;
    } cases[] = {
        {"neighbours=local", SCRIM_E_PARAM, "epsilon or keep"},
        {"epsilon=1 keep=3/4 neighbours=local", SCRIM_E_PARAM, "epsilon or keep"},
        {"epsilon=1", SCRIM_E_PARAM, "neighbours"},
        {"epsilon=1 neighbours=add-remove", SCRIM_E_PARAM, "local or replace"},
        {"epsilon=0 neighbours=local", SCRIM_E_PARAM, "epsilon"},
        {"epsilon=51 neighbours=local", SCRIM_E_PARAM, "epsilon"},
        {"epsilon=nan neighbours=local", SCRIM_E_PARAM, "epsilon"},
        {"epsilon=1e-19 neighbours=local", SCRIM_E_PARAM, "too small"},
        {"keep=1/2 neighbours=local", SCRIM_E_PARAM, "1/2"},
        {"keep=1/3 neighbours=local", SCRIM_E_PARAM, "1/2"},
        {"keep=1 neighbours=local", SCRIM_E_PARAM, "keep"},
        {"keep=0 neighbours=local", SCRIM_E_PARAM, "keep"},
        {"keep=1/4 values=4 neighbours=local", SCRIM_E_PARAM, "1/4"},
        {"keep=9223372036854775807/9223372036854775808 neighbours=local", SCRIM_E_LIMIT,
         "4.6e18"},
        {"keep=3/4 values=1 neighbours=local", SCRIM_E_PARAM, "values"},
        {"keep=3/4 values=1073741825 neighbours=local", SCRIM_E_LIMIT, "values"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[200];
        snprintf(line, sizeof line, "randomised-response %s", cases[i].rest);
        choices_refused(line, cases[i].status, cases[i].text);
    }
    /* Just inside. */
    scrim_measurement *m = made("keep", "4611686018427387903/4611686018427387904", 2);
    CHECK(m != NULL);
    scrim_measurement_free(m);
    m = made("keep", "26/100", 4);
    CHECK(m != NULL);
    scrim_measurement_free(m);
}

TEST(randomised_response_fails_closed_without_bits)
{
    static const int64_t values[] = {1, 0, 1, 1};
    choices_check_entropy("randomised-response keep=2/3 neighbours=local", values, 4);
    choices_check_entropy("randomised-response epsilon=1 neighbours=local", values, 4);
    choices_check_entropy("randomised-response epsilon=1 values=5 neighbours=local",
                          values, 4);
}

TEST(randomised_response_lists_no_endless_law)
{
    static const int64_t values[32] = {0};
    const sc_private_input input = {.values = values, .count = 32};
    sc_outcomes law;
    scrim_measurement *m = made("keep", "3/4", 2);
    REQUIRE(m != NULL);
    sc_outcomes_init(&law, 32);
    CHECK_STATUS(m->mechanism->law(m, &input, 128, &law, NULL), SCRIM_E_LIMIT);
    sc_outcomes_clear(&law);
    scrim_measurement_free(m);
}
