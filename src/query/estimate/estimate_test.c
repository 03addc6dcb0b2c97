#include "exact.h"
#include "faults.h"
#include "noise_checks.h"
#include "queries.h"
#include "query/estimate/estimate.h"
#include "query/estimate/noise_sum.h"
#include "query/estimate/real_digits.h"
#include "query/rows/quantile_rings.h"
#include "sampling/law_sum.h"

#include <math.h>
#include <stdio.h>

/* An estimator of the first aggregate of a query, from lines of measurements. */
typedef struct estimating {
    query_asked asked;
    sc_estimate_sources sources;
    sc_estimator *estimator;
    sc_estimate estimate;
    scrim_status status;
} estimating;

typedef struct lines {
    const char *units, *rows, *sum, *squares, *quantiles, *around;
    int64_t centre;
    uint64_t draws; /* 0: one */
} lines;

static const scrim_measurement *made(const char *line)
{
    return line == NULL ? NULL : noise_modelled(line);
}

static scrim_status open_at(estimating *e, const char *query, const lines *from,
                            const char *confidence)
{
    sc_ratio level;
    const sc_group_statistic sum = {.kind = SC_STATISTIC_SUM, .centre = from->centre};
    query_ask(&e->asked, query);
    e->sources = (sc_estimate_sources){.units = made(from->units),
                                       .rows = made(from->rows),
                                       .sum = made(from->sum),
                                       .squares = made(from->squares),
                                       .quantiles = made(from->quantiles),
                                       .around = made(from->around),
                                       .draws = from->draws};
    e->estimator = NULL;
    sc_estimate_init(&e->estimate);
    e->status = SCRIM_E_INTERNAL;
    exact_ratio(confidence, &level);
    if (CHECK_STATUS(e->asked.status, SCRIM_OK))
        e->status = sc_estimator_new(&e->asked.query->aggregates[0],
                                     from->sum == NULL ? NULL : &sum, &e->sources, &level,
                                     &e->estimator, NULL);
    sc_ratio_clear(&level);
    return e->status;
}

static bool open_query(estimating *e, const char *query, const lines *from)
{
    return CHECK_STATUS(open_at(e, query, from, "0.95"), SCRIM_OK);
}

static void forget(const scrim_measurement *m)
{
    union {
        const scrim_measurement *lent;
        scrim_measurement *own;
    } both = {.lent = m};
    scrim_measurement_free(both.own);
}

static void shut(estimating *e)
{
    sc_estimate_clear(&e->estimate);
    sc_estimator_free(e->estimator);
    forget(e->sources.units);
    forget(e->sources.rows);
    forget(e->sources.sum);
    forget(e->sources.squares);
    forget(e->sources.quantiles);
    forget(e->sources.around);
    query_forget_asked(&e->asked);
}

/* "value low high", with "open" or "beyond" behind it. */
static void check_shown(estimating *e, const sc_estimate_numbers *numbers,
                        const char *want)
{
    char value[64], low[64], high[64], all[256];
    if (e->estimator == NULL ||
        !CHECK_STATUS(sc_estimate_of(e->estimator, numbers, &e->estimate, NULL),
                      SCRIM_OK))
        return;
    sc_ratio_format(&e->estimate.value, value, sizeof value);
    sc_ratio_format(&e->estimate.low, low, sizeof low);
    sc_ratio_format(&e->estimate.high, high, sizeof high);
    snprintf(all, sizeof all, "%s %s %s%s%s", value, low, high,
             e->estimate.is_open ? " open" : "", e->estimate.is_beyond ? " beyond" : "");
    CHECK_STR(all, want);
}

static void check_predicted(const estimating *e, const char *expect, const char *want)
{
    char text[64];
    sc_ratio rows, half;
    exact_ratio(expect, &rows);
    sc_ratio_init(&half);
    if (e->estimator != NULL &&
        CHECK_STATUS(sc_estimator_predict(e->estimator, &(sc_group_guess){.rows = &rows},
                                          &half, NULL),
                     SCRIM_OK)) {
        sc_ratio_format(&half, text, sizeof text);
        CHECK_STR(text, want);
    }
    sc_ratio_clear(&half);
    sc_ratio_clear(&rows);
}

/* Scale 2: P(|Z| > 5) = 2 p^6/(1+p) = .0620, P(|Z| > 6) = .0376. */
TEST(estimate_of_a_count)
{
    CLAIM("estimate.exact");
    estimating e;
    const lines from = {.rows = "laplace epsilon=1/2", .units = "laplace epsilon=1"};
    if (open_query(&e, "SELECT COUNT(*)", &from)) {
        check_shown(&e, &(sc_estimate_numbers){.rows = 100}, "100 94 106");
        check_shown(&e, &(sc_estimate_numbers){.rows = 3}, "3 0 9");
        check_shown(&e, &(sc_estimate_numbers){.rows = -9}, "-9 -9 0 beyond");
        check_shown(&e, &(sc_estimate_numbers){.rows = -2}, "-2 -2 4 beyond");
        check_predicted(&e, "1000", "6");
        CHECK_INT(sc_estimator_digits(e.estimator), 0);
    }
    shut(&e);
    if (open_query(&e, "SELECT COUNT(DISTINCT person_id)", &from))
        check_shown(&e, &(sc_estimate_numbers){.rows = 7, .units = 100}, "100 97 103");
    shut(&e);
}

/* Groups that were found by their noisy units have these for an answer: scale 1. */
TEST(estimate_of_units_that_a_threshold_showed)
{
    CLAIM("estimate.exact");
    estimating e;
    const lines from = {.units = "threshold-laplace epsilon=1 delta=1e-6"};
    if (open_query(&e, "SELECT COUNT(DISTINCT person_id)", &from))
        check_shown(&e, &(sc_estimate_numbers){.units = 100}, "100 97 103");
    shut(&e);
}

/* WITH RANGE is the bound, whatever the confidence. */
TEST(estimate_with_range_is_the_bound)
{
    CLAIM("estimate.exact");
    estimating e;
    const lines from = {.rows = "truncated-laplace epsilon=1/2 bound=40",
                        .sum = "truncated-laplace sensitivity=120 epsilon=1 bound=900"};
    if (open_query(&e, "SELECT COUNT(*) WITH RANGE", &from))
        check_shown(&e, &(sc_estimate_numbers){.rows = 100}, "100 60 140");
    shut(&e);
    const lines own = {.sum = from.sum};
    if (open_query(&e, "SELECT SUM(age) WITH RANGE", &own))
        check_shown(&e, &(sc_estimate_numbers){.sum = 5000}, "5000 4100 5900");
    shut(&e);
    lines both = from;
    both.centre = 60;
    if (open_query(&e, "SELECT SUM(age) WITH RANGE", &both))
        check_shown(&e, &(sc_estimate_numbers){.sum = 5000, .rows = 100},
                    "11000 7700 14300");
    shut(&e);
    /* Asked without: the quantile of the same noise. */
    if (open_query(&e, "SELECT COUNT(*)", &from))
        check_shown(&e, &(sc_estimate_numbers){.rows = 100}, "100 94 106");
    shut(&e);
}

/* weight has steps of 1/8 between 0 and 200. Scale 1600: the radius is 4792 steps, 599. */
TEST(estimate_of_a_sum_of_its_own)
{
    CLAIM("estimate.exact");
    estimating e;
    const lines from = {.sum = "laplace sensitivity=1600 epsilon=1"};
    if (open_query(&e, "SELECT SUM(weight)", &from)) {
        CHECK_INT(sc_estimator_digits(e.estimator), 0);
        check_shown(&e, &(sc_estimate_numbers){.sum = 80001}, "10000 9401 10600");
        check_shown(&e, &(sc_estimate_numbers){.sum = 100}, "13 0 612");
        check_predicted(&e, "1000", "600");
    }
    shut(&e);
    /* income may be of either sign */
    const lines short_noise = {.sum = "laplace sensitivity=100 epsilon=20"};
    if (open_query(&e, "SELECT SUM(income)", &short_noise))
        check_shown(&e, &(sc_estimate_numbers){.sum = 3}, "0.03 -0.12 0.18");
    shut(&e);
}

/* S + 60 N, by adding up the law: P(|Z_S + 60 Z_N| > 204) = .0500..., > 203 is above. */
static sc_int128 summed_radius(const char *sum, const char *rows, int64_t centre)
{
    enum { FAR = 2000 };
    scrim_measurement *s = noise_modelled(sum), *n = noise_modelled(rows);
    sc_int128 radius = -1;
    sc_ball tail, part, mass, beta;
    sc_ratio level;
    exact_ratio("0.05", &level);
    sc_ball_init(&tail);
    sc_ball_init(&part);
    sc_ball_init(&mass);
    sc_ball_init(&beta);
    sc_ball_set_ratio(&beta, &level, 128);
    do { /* P(|Z_S + c Z_N| > radius) = 2 P(Z_S > radius - c Z_N) */
        radius++;
        sc_ball_set_int64(&tail, 0);
        for (int64_t j = -40; j <= 40; j++) {
            sc_law_pmf(sc_noise_law(n), j, 128, &mass);
            sc_law_at_least(sc_noise_law(s), radius + 1 - (sc_int128)centre * j, 128,
                            &part);
            sc_ball_mul(&part, &part, &mass, 128);
            sc_ball_add(&tail, &tail, &part, 128);
        }
        sc_ball_mul_int64(&tail, &tail, 2, 128);
    } while (radius < FAR && !sc_ball_is_less(&tail, &beta));
    sc_ball_clear(&beta);
    sc_ball_clear(&mass);
    sc_ball_clear(&part);
    sc_ball_clear(&tail);
    sc_ratio_clear(&level);
    scrim_measurement_free(n);
    scrim_measurement_free(s);
    return radius;
}

TEST(estimate_of_a_sum_from_rows_and_a_centred_sum)
{
    CLAIM("estimate.exact");
    estimating e;
    const lines from = {.sum = "laplace sensitivity=60 epsilon=1",
                        .rows = "laplace epsilon=2",
                        .centre = 60};
    const sc_int128 radius = summed_radius(from.sum, from.rows, 60);
    char want[64];
    CHECK(radius > 150 && radius < 300);
    snprintf(want, sizeof want, "5000 %lld %lld", (long long)(5000 - radius),
             (long long)(5000 + radius));
    if (open_query(&e, "SELECT SUM(age)", &from))
        check_shown(&e, &(sc_estimate_numbers){.sum = -1000, .rows = 100}, want);
    shut(&e);
    /* Numbers beyond 128 bits, one by the other. */
    if (open_query(&e, "SELECT SUM(age)", &from))
        CHECK_STATUS(sc_estimate_of(e.estimator,
                                    &(sc_estimate_numbers){.sum = SC_INT128_MAX,
                                                           .rows = SC_INT128_MAX},
                                    &e.estimate, NULL),
                     SCRIM_OK);
    shut(&e);
}

/* Half of the interval of the sum of `draws` draws, in doubles. */
static double half_of_draws(const char *query, const lines *from, uint64_t draws)
{
    estimating e;
    double half = -1;
    lines several = *from;
    several.draws = draws;
    SC_OWN(sc_ratio, width);
    if (open_query(&e, query, &several) &&
        CHECK_STATUS(sc_estimate_of(e.estimator,
                                    &(sc_estimate_numbers){.sum = 100000, .rows = 100000},
                                    &e.estimate, NULL),
                     SCRIM_OK)) {
        sc_ratio_sub(&width, &e.estimate.high, &e.estimate.low);
        half = sc_ratio_upper(&width) / 2;
    }
    shut(&e);
    return half;
}

/* Exact for counts; for a centred sum and rows between the normal law and a fifth more. */
TEST(estimate_of_the_sum_of_several_draws)
{
    CLAIM("running.error");
    const lines rows = {.rows = "laplace epsilon=1/2"};
    const lines both = {.sum = "laplace sensitivity=60 epsilon=1/10",
                        .rows = "laplace epsilon=1/5",
                        .centre = 60};
    SC_OWN(sc_ratio, shape, beta);
    sc_law law;
    sc_law_sum *sum = NULL;
    REQUIRE_OK(sc_ratio_parse(sc_text_of("2"), &shape, NULL));
    REQUIRE_OK(sc_ratio_parse(sc_text_of("0.05"), &beta, NULL));
    sc_law_init(&law, &sc_discrete_laplace_law, &shape, 0);
    REQUIRE_OK(sc_law_sum_new(&law, 13, &sum, NULL));
    CHECK(half_of_draws("SELECT COUNT(*)", &rows, 0) ==
          half_of_draws("SELECT COUNT(*)", &rows, 1));
    for (uint64_t draws = 1; draws <= 13; draws += 3) {
        uint64_t times[SC_LAW_SUM_MAX] = {0};
        sc_int128 radius = 0;
        times[draws - 1] = 1;
        REQUIRE_OK(sc_law_sum_radius(sum, times, &beta, &radius, NULL));
        CHECK(half_of_draws("SELECT COUNT(*)", &rows, draws) == (double)radius);
        const double normal = 1.96 * sqrt((double)draws * 2 * (600 * 600 + 300 * 300));
        const double half = half_of_draws("SELECT SUM(age)", &both, draws);
        CHECK(half > 0.95 * normal && half < 1.2 * normal);
    }
    sc_law_sum_free(sum);
    sc_law_clear(&law);
}

TEST(estimate_of_a_mean)
{
    CLAIM("estimate.outward");
    estimating e;
    const lines from = {.sum = "laplace sensitivity=60 epsilon=1/2",
                        .rows = "laplace epsilon=1/2",
                        .centre = 60};
    if (open_query(&e, "SELECT AVG(age)", &from)) {
        sc_ratio width, half;
        CHECK_INT(sc_estimator_digits(e.estimator), 4);
        /* Adding up the two laws, the ends are 38.2060 and 38.9570; a step is 1/1000. */
        check_shown(&e, &(sc_estimate_numbers){.sum = -21418, .rows = 1000},
                    "38.582 38.2054 38.9575");
        /* Values that no group explains, and those that may be empty. */
        check_shown(&e, &(sc_estimate_numbers){.sum = 70000, .rows = 1000},
                    "120 120 120");
        check_shown(&e, &(sc_estimate_numbers){.sum = 70, .rows = 2}, "95 0 120 open");
        check_shown(&e, &(sc_estimate_numbers){.sum = 70, .rows = -3}, "120 0 120 open");
        check_shown(&e, &(sc_estimate_numbers){.sum = -70, .rows = 0}, "0 0 120 open");
        check_predicted(&e, "1000", "0.393");
        check_predicted(&e, "1", "60");
        /* As it was predicted, at a mean half way. */
        REQUIRE_OK(sc_estimate_of(e.estimator,
                                  &(sc_estimate_numbers){.sum = 30000, .rows = 1000},
                                  &e.estimate, NULL));
        sc_ratio_init(&width);
        exact_ratio("0.786", &half);
        sc_ratio_sub(&width, &e.estimate.high, &e.estimate.low);
        CHECK(sc_ratio_compare(&width, &half) <= 0);
        sc_ratio_clear(&half);
        exact_ratio("0.784", &half);
        CHECK(sc_ratio_compare(&width, &half) >= 0);
        sc_ratio_clear(&half);
        sc_ratio_clear(&width);
    }
    shut(&e);
}

/* Numbers without noise: V = 1800 - 1155 - 21.5^2 = 182.75, N/(N-1) = 1.001. */
TEST(estimate_of_a_variance)
{
    CLAIM("estimate.outward");
    estimating e;
    const lines from = {.rows = "laplace epsilon=1",
                        .sum = "laplace sensitivity=60 epsilon=1",
                        .squares = "laplace sensitivity=1800 epsilon=1",
                        .centre = 60};
    const sc_estimate_numbers numbers = {
        .rows = 1000, .sum = -21500, .squares = -1155000};
    const sc_estimate_numbers none = {.rows = 1, .sum = 3, .squares = 7};
    if (open_query(&e, "SELECT VAR_POP(age)", &from)) {
        CHECK_INT(sc_estimator_digits(e.estimator), 2);
        check_shown(&e, &numbers, "182.75 171.64 194.01");
        check_shown(&e, &none, "1798 0 3600 open");
        check_predicted(&e, "1000", "14.2");
    }
    shut(&e);
    if (open_query(&e, "SELECT VAR(age)", &from)) {
        check_shown(&e, &numbers, "182.93 171.73 194.29");
        check_shown(&e, &none, "1798 0 7200 open");
    }
    shut(&e);
    if (open_query(&e, "SELECT STDDEV_POP(age)", &from)) {
        CHECK_INT(sc_estimator_digits(e.estimator), 4);
        check_shown(&e, &numbers, "13.5185 13.1013 13.9285");
        check_shown(&e, &none, "42.4028 0 60 open");
        check_predicted(&e, "1000", "0.47");
    }
    shut(&e);
    if (open_query(&e, "SELECT STDDEV(age)", &from))
        check_shown(&e, &numbers, "13.5253 13.1045 13.9385");
    shut(&e);
}

/* Adult: 32561 ages between 0 and 120 with a mean of 38.58 and a variance of 186.06. */
TEST(estimate_predicts_what_comes)
{
    CLAIM("estimate.predict");
    static const char *const queries[] = {"SELECT AVG(age)", "SELECT VAR(age)",
                                          "SELECT STDDEV(age)"};
    static const int64_t counts[] = {1000, 32561};
    const lines from = {.rows = "laplace epsilon=1/3",
                        .sum = "laplace sensitivity=60 epsilon=1/3",
                        .squares = "laplace sensitivity=1800 epsilon=1/3",
                        .centre = 60};
    for (size_t i = 0; i < COUNT(queries) * COUNT(counts); i++) {
        const int64_t n = counts[i % COUNT(counts)];
        const sc_estimate_numbers numbers = {
            .rows = n, .sum = n * -2142 / 100, .squares = n * -115514 / 100};
        estimating e;
        if (open_query(&e, queries[i / COUNT(counts)], &from)) {
            sc_ratio expect, half, width;
            sc_column_guesses guesses;
            sc_column_guesses_init(&guesses);
            sc_ratio_init(&expect);
            sc_ratio_init(&half);
            sc_ratio_init(&width);
            sc_ratio_set_int64(&expect, n);
            CHECK_STATUS(
                sc_column_guesses_parse(sc_text_of("age=38.58:13.6404"), &guesses, NULL),
                SCRIM_OK);
            const sc_group_guess guess = {.rows = &expect, .column = &guesses.columns[0]};
            CHECK_STATUS(sc_estimator_predict(e.estimator, &guess, &half, NULL),
                         SCRIM_OK);
            CHECK_STATUS(sc_estimate_of(e.estimator, &numbers, &e.estimate, NULL),
                         SCRIM_OK);
            sc_ratio_sub(&width, &e.estimate.high, &e.estimate.low);
            CHECK_NEAR(2 * sc_ratio_upper(&half), sc_ratio_upper(&width), 0.01);
            /* Without a guess of the column: not below it. */
            CHECK_STATUS(sc_estimator_predict(e.estimator,
                                              &(sc_group_guess){.rows = &expect}, &half,
                                              NULL),
                         SCRIM_OK);
            CHECK(2 * sc_ratio_upper(&half) >= sc_ratio_upper(&width));
            sc_column_guesses_clear(&guesses);
            sc_ratio_clear(&width);
            sc_ratio_clear(&half);
            sc_ratio_clear(&expect);
        }
        shut(&e);
    }
}

/* The rings about 803 of 0 to 1600 go 1, 2, 4 ... steps away from it: here all rows but two hundred
 * are in ring `most`. */
static void put_around(sc_int128 *around, size_t rings, size_t most)
{
    for (size_t i = 0; i < rings; i++)
        around[i] = i == most ? 1000 : i == 0 || i == rings - 1 ? 100 : 0;
}

TEST(estimate_of_a_quantile)
{
    CLAIM("estimate.outward");
    estimating e;
    const lines from = {.quantiles = "quantile p=1/2 epsilon=1/4 lower=0 upper=1600",
                        .around = "laplace epsilon=1/4"};
    if (open_query(&e, "SELECT MEDIAN(weight)", &from)) {
        const sc_int128 quantile = 803;
        int64_t ends[SC_RINGS_MOST + 1];
        sc_int128 around[SC_RINGS_MOST];
        const size_t rings = sc_rings_of(0, 1600, &quantile, 1, ends);
        const sc_estimate_numbers numbers = {.quantiles = &quantile, .around = around};
        CHECK_INT(sc_estimator_digits(e.estimator), 3);
        size_t own = 0;
        while (ends[own] < 803)
            own++;
        put_around(around, rings, own);
        check_shown(&e, &numbers, "100.375 100.375 100.375");
        put_around(around, rings, own + 1);
        check_shown(&e, &numbers, "100.375 100.375 100.5");
        put_around(around, rings, own - 3); /* from 799 to 800 */
        check_shown(&e, &numbers, "100.375 99.875 100.375");
        for (size_t i = 0; i < rings; i++)
            around[i] = 0;
        check_shown(&e, &numbers, "100.375 0 200 open");
        check_predicted(&e, "1000", "7.6");
        check_predicted(&e, "10", "95.5");
        check_predicted(&e, "1000000", "0.00125");
    }
    shut(&e);
}

/* Whatever was drawn has an estimate: within the range, and in order. */
SLOW_TEST(estimate_of_any_numbers)
{
    static const char *const queries[] = {"SELECT AVG(age)", "SELECT VAR(age)",
                                          "SELECT STDDEV_POP(age)"};
    static const char *const levels[] = {"1e-9", "0.95", "0.99999999"};
    const sc_int128 numbers[] = {SC_INT128_MIN, -1000000,     -1, 0, 1, 7,
                                 1000000,       SC_INT128_MAX};
    const lines from[] = {{.rows = "laplace epsilon=1",
                           .sum = "laplace sensitivity=60 epsilon=1",
                           .squares = "laplace sensitivity=1800 epsilon=1",
                           .centre = 60},
                          {.rows = "gaussian sigma=5",
                           .sum = "gaussian sigma=300",
                           .squares = "gaussian sigma=9000",
                           .centre = 60}};
    for (size_t i = 0; i < COUNT(queries) * COUNT(levels) * COUNT(from); i++) {
        estimating e;
        CHECK_STATUS(open_at(&e, queries[i % COUNT(queries)],
                             &from[i / COUNT(queries) / COUNT(levels)],
                             levels[i / COUNT(queries) % COUNT(levels)]),
                     SCRIM_OK);
        for (size_t k = 0; k < COUNT(numbers) * COUNT(numbers) * COUNT(numbers); k++) {
            const sc_estimate_numbers drawn = {
                .rows = numbers[k % COUNT(numbers)],
                .sum = numbers[k / COUNT(numbers) % COUNT(numbers)],
                .squares = numbers[k / COUNT(numbers) / COUNT(numbers)]};
            if (e.estimator == NULL ||
                !CHECK_STATUS(sc_estimate_of(e.estimator, &drawn, &e.estimate, NULL),
                              SCRIM_OK))
                break;
            CHECK(sc_ratio_sign(&e.estimate.low) >= 0 &&
                  sc_ratio_compare(&e.estimate.low, &e.estimate.value) <= 0 &&
                  sc_ratio_compare(&e.estimate.value, &e.estimate.high) <= 0 &&
                  sc_ratio_compare_int64(&e.estimate.high, 7200) <= 0);
        }
        shut(&e);
    }
}

TEST(estimate_refuses_what_is_no_confidence)
{
    static const char *const levels[] = {"0", "1", "-1/2", "1.5"};
    const lines from = {.rows = "laplace epsilon=1/2"};
    for (size_t i = 0; i < COUNT(levels); i++) {
        estimating e;
        CHECK_STATUS(open_at(&e, "SELECT COUNT(*)", &from, levels[i]), SCRIM_E_PARAM);
        shut(&e);
    }
    estimating e;
    const lines none = {.units = "laplace epsilon=1"};
    CHECK_STATUS(open_at(&e, "SELECT COUNT(*)", &none, "0.95"), SCRIM_E_INTERNAL);
    shut(&e);
}

TEST(estimator_without_memory)
{
    const lines from = {.rows = "laplace epsilon=1/2"};
    estimating e;
    if (open_query(&e, "SELECT COUNT(*)", &from)) {
        sc_ratio level;
        exact_ratio("0.95", &level);
        FAULT_LOOP(fault)
        {
            sc_estimator *made_again = NULL;
            const scrim_status status =
                sc_estimator_new(&e.asked.query->aggregates[0], NULL, &e.sources, &level,
                                 &made_again, NULL);
            CHECK(status == SCRIM_OK || status == SCRIM_E_MEMORY);
            sc_estimator_free(made_again);
        }
        sc_ratio_clear(&level);
    }
    shut(&e);
}
