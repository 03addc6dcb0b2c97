#include "exact.h"
#include "goodness.h"
#include "noise_checks.h"
#include "query/rank_interval.h"
#include "query/real_digits.h"

#include <math.h>
#include <stdio.h>

/* The certified radius of a measurement at nine twentieths of 0.05. */
static double radius_of(const char *line)
{
    scrim_measurement *m = noise_modelled(line);
    scrim_certificate certificate = {.radius = "0"};
    if (m != NULL)
        CHECK_STATUS(scrim_measurement_certify(m, "0.9775", 0, &certificate, NULL),
                     SCRIM_OK);
    CHECK_INT(certificate.form, SCRIM_CERTIFICATE_PAC);
    scrim_measurement_free(m);
    return strtod(certificate.radius, NULL);
}

/* The proof's condition at the rank that was found, by what a measurement of that very rank
 * certifies; and it is not met a few steps nearer. */
static void check_rank(const sc_rank_setting *s, const char *rest, double rows, double p,
                       int64_t rank)
{
    char line[200];
    const long long end = 1LL << s->places;
    const double least = rows - s->rows_radius;
    snprintf(line, sizeof line, "quantile p=%lld/%lld %s", (long long)rank, end, rest);
    const double m = radius_of(line), far = fabs(p - (double)rank / (double)end);
    if (!CHECK(least * far > m) ||
        !CHECK(least * (far - 1.0 / (double)end) <= m * 1.05 + 3))
        CHECK_FAIL("%s: rows %g: %g for a radius of %g", line, rows, least * far, m);
}

TEST(rank_interval_ranks_are_far_enough_and_no_farther)
{
    CLAIM("rank-interval.coverage");
    static const char *const ps[] = {"1/2", "1/10", "0.75", "0.99"};
    static const char *const rests[] = {"epsilon=1/2 lower=0 upper=120",
                                        "epsilon=2 lower=0 upper=100000 max-rows=3",
                                        "epsilon=1/20 lower=0 upper=9"};
    static const double rows_list[] = {300, 3000, 40000};
    sc_ratio beta;
    exact_ratio("0.05", &beta);
    scrim_measurement *rows = noise_modelled("laplace epsilon=1/2");
    size_t found = 0;
    for (size_t i = 0; i < COUNT(ps) * COUNT(rests) && rows != NULL; i++) {
        char line[200];
        sc_rank_setting s;
        const char *rest = rests[i / COUNT(ps)];
        snprintf(line, sizeof line, "quantile p=%s %s", ps[i % COUNT(ps)], rest);
        scrim_measurement *ends = noise_modelled(line);
        REQUIRE(ends != NULL);
        sc_rank_setting_init(&s, rows, ends, &beta);
        const double p = sc_real_upper(&s.ps[0]);
        for (size_t k = 0; k < COUNT(rows_list); k++) {
            int64_t rank = 0;
            if (sc_rank_below(&s, rows_list[k], 0, &rank) && ++found)
                check_rank(&s, rest, rows_list[k], p, rank);
            if (sc_rank_above(&s, rows_list[k], 0, &rank) && ++found)
                check_rank(&s, rest, rows_list[k], p, rank);
        }
        scrim_measurement_free(ends);
    }
    CHECK(found > 30);
    scrim_measurement_free(rows);
    sc_ratio_clear(&beta);
}

/* One side of the noise: P(Z > 6) = p^7/(1+p) = .0188 at scale 2, of 10 it is .0025. */
TEST(rank_interval_takes_one_side_of_the_rows)
{
    sc_ratio beta;
    sc_rank_setting s;
    exact_ratio("0.05", &beta);
    scrim_measurement *rows = noise_modelled("laplace epsilon=1/2");
    scrim_measurement *ends = noise_modelled("quantile p=1/2 epsilon=1 lower=0 upper=9");
    if (rows != NULL && ends != NULL) {
        sc_law alone;
        sc_ball tail;
        sc_rank_setting_init(&s, rows, ends, &beta);
        exact_law(&sc_discrete_laplace_law, "2", 0, &alone);
        sc_ball_init(&tail);
        sc_law_at_least(&alone, (sc_int128)ceil(s.rows_radius), 64, &tail);
        CHECK(goodness_middle(&tail) <= 0.005);
        sc_law_at_least(&alone, (sc_int128)ceil(s.rows_radius) - 2, 64, &tail);
        CHECK(goodness_middle(&tail) > 0.005);
        sc_ball_clear(&tail);
        sc_law_clear(&alone);
    }
    scrim_measurement_free(ends);
    scrim_measurement_free(rows);
    sc_ratio_clear(&beta);
}

TEST(rank_interval_ranks_of_several_increase)
{
    CLAIM("rank-interval.order");
    static const char *const forms[] = {"p=0.1,0.101,0.5,0.9,0.901 form=split",
                                        "p=0.1,0.5,0.9 form=recursive"};
    sc_ratio beta;
    exact_ratio("0.05", &beta);
    scrim_measurement *rows = noise_modelled("laplace epsilon=1/2");
    for (size_t f = 0; f < COUNT(forms) && rows != NULL; f++) {
        char line[200];
        sc_rank_setting s;
        snprintf(line, sizeof line, "quantile %s epsilon=1 lower=0 upper=120", forms[f]);
        scrim_measurement *ends = noise_modelled(line);
        REQUIRE(ends != NULL);
        sc_rank_setting_init(&s, rows, ends, &beta);
        CHECK(s.count == 5 || f == 1);
        size_t found = 0;
        for (double n = -10; n < 1e6; n = n * 1.3 + 20) {
            int64_t before = 0, after = 0;
            for (size_t i = 0; i < s.count; i++) {
                int64_t rank = 0;
                if (sc_rank_below(&s, n, i, &rank)) {
                    CHECK(rank > before && rank < 1 << s.places);
                    before = rank;
                    found++;
                }
                if (sc_rank_above(&s, n, i, &rank)) {
                    CHECK(rank > after && rank < 1 << s.places);
                    after = rank;
                }
            }
        }
        CHECK(found > 20);
        scrim_measurement_free(ends);
    }
    scrim_measurement_free(rows);
    sc_ratio_clear(&beta);
}

/* Recursion: what the shifted ranks certify, all of them together, is within what was taken for
 * it, from the smallest group on in which they are ranks. */
TEST(rank_interval_of_recursive_quantiles_is_far_enough)
{
    CLAIM("rank-interval.coverage");
    const char *rest = "epsilon=2 lower=0 upper=1000 form=recursive";
    sc_ratio beta;
    sc_rank_setting s;
    char line[200];
    exact_ratio("0.05", &beta);
    scrim_measurement *rows = noise_modelled("laplace epsilon=1/2");
    snprintf(line, sizeof line, "quantile p=0.25,0.5,0.75 %s", rest);
    scrim_measurement *ends = noise_modelled(line);
    size_t found = 0;
    REQUIRE(rows != NULL && ends != NULL);
    sc_rank_setting_init(&s, rows, ends, &beta);
    for (double n = radius_of(line); n < 1e4; n *= 1.2) {
        int64_t rank[3] = {0};
        const int end = 1 << s.places;
        bool is_rank = true;
        for (size_t i = 0; i < 3; i++)
            is_rank = sc_rank_below(&s, n, i, &rank[i]) && is_rank;
        if (!is_rank)
            continue;
        snprintf(line, sizeof line, "quantile p=%d/%d,%d/%d,%d/%d %s", (int)rank[0], end,
                 (int)rank[1], end, (int)rank[2], end, rest);
        const double m = radius_of(line);
        for (size_t i = 0; i < 3; i++)
            CHECK((n - s.rows_radius) *
                      (sc_real_upper(&s.ps[i]) - (double)rank[i] / (double)end) >
                  m);
        found++;
    }
    CHECK(found > 3);
    scrim_measurement_free(ends);
    scrim_measurement_free(rows);
    sc_ratio_clear(&beta);
}

/* The probability that an end is on its side of x, by the exact law of the draw. */
static double on_its_side(const char *rest, int64_t rank, unsigned places,
                          const sc_input *input, int64_t x, bool is_below)
{
    char line[200];
    sc_outcomes law;
    double share = 0;
    snprintf(line, sizeof line, "quantile p=%lld/%lld %s", (long long)rank, 1LL << places,
             rest);
    scrim_measurement *m = noise_modelled(line);
    if (m == NULL)
        return 0;
    sc_outcomes_init(&law, 1);
    if (CHECK_STATUS(m->mechanism->law(m, input, 64, &law, NULL), SCRIM_OK))
        for (size_t i = 0; i < law.count; i++) {
            const int64_t t = law.keys[i];
            if (is_below ? t <= x : t >= x)
                share += goodness_middle(&law.mass[i]);
        }
    sc_outcomes_clear(&law);
    scrim_measurement_free(m);
    return share;
}

TEST(rank_interval_covers_by_the_exact_law)
{
    CLAIM("rank-interval.coverage");
    enum { ROWS = 300 };
    int64_t values[ROWS];
    const char *rest = "epsilon=1/2 lower=0 upper=120";
    const sc_input input = {.values = values, .count = ROWS};
    sc_ratio beta;
    sc_rank_setting s;
    exact_ratio("0.05", &beta);
    for (int64_t i = 0; i < ROWS; i++) /* thicker where it is low, with ties */
        values[i] = i * i * 90 / ((int64_t)ROWS * ROWS) + 17;
    scrim_measurement *rows = noise_modelled("laplace epsilon=1/2");
    scrim_measurement *ends =
        noise_modelled("quantile p=1/2 epsilon=1/2 lower=0 upper=120");
    if (rows != NULL && ends != NULL) {
        const int64_t x = values[ROWS / 2 - 1];
        double covered = 0;
        sc_ball mass;
        sc_ball_init(&mass);
        sc_rank_setting_init(&s, rows, ends, &beta);
        for (int64_t z = -12; z <= 12; z += 1) {
            int64_t low = 0, high = 0;
            double share = 1;
            sc_law_pmf(sc_noise_law(rows), z, 64, &mass);
            if (sc_rank_below(&s, (double)(ROWS + z), 0, &low))
                share *= on_its_side(rest, low, s.places, &input, x, true);
            if (sc_rank_above(&s, (double)(ROWS + z), 0, &high))
                share *= on_its_side(rest, high, s.places, &input, x, false);
            CHECK(z != 0 || (low > 0 && high < 1 << s.places));
            covered += share * goodness_middle(&mass);
        }
        sc_ball_clear(&mass);
        if (!CHECK(covered >= 0.95))
            CHECK_FAIL("covered %.4f", covered);
    }
    scrim_measurement_free(ends);
    scrim_measurement_free(rows);
    sc_ratio_clear(&beta);
}
