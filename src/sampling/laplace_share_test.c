#include "base/number/ball_double.h"
#include "check.h"
#include "random/bits_tape.h"
#include "sampling/laplace_share.h"
#include "sampling/law.h"
#include "vectors.h"

#include <math.h>

/* a_j of one share: (1 - x)^(1/h) a_j x^j is its law. */
static void accept(uint64_t h, uint64_t j, sc_ratio *out)
{
    SC_OWN(sc_ratio, coin);
    sc_ratio_set_int64(out, 1);
    for (uint64_t i = 1; i <= j; i++) {
        sc_ratio_set_quotient(&coin, (int64_t)((i - 1) * h + 1), (int64_t)(i * h));
        sc_ratio_mul(out, out, &coin);
    }
}

TEST(laplace_shares_add_up_to_the_noise)
{
    CLAIM("laplace-share.exact");
    json_t *rows = json_object_get(vectors_load("local-additions", "nb_share"), "rows"),
           *row;
    size_t i;
    REQUIRE(json_array_size(rows) == 3);
    json_array_foreach(rows, i, row)
    {
        const uint64_t h = vectors_number(row, "k");
        const json_t *wanted = json_object_get(row, "accept");
        SC_OWN(sc_ratio, got, want, part, sum);
        scrim_error error;
        for (size_t j = 0; j < json_array_size(wanted); j++) {
            accept(h, j, &got);
            REQUIRE_OK(sc_ratio_parse(
                sc_text_of(json_string_value(json_array_get(wanted, j))), &want, &error));
            CHECK_INT(sc_ratio_compare(&got, &want), 0);
        }
        /* the h-fold convolution: 1 for every j */
        sc_ratio power[12], next[12];
        for (size_t j = 0; j < 12; j++) {
            sc_ratio_init(&power[j]);
            sc_ratio_init(&next[j]);
        }
        sc_ratio_set_int64(&power[0], 1);
        for (uint64_t k = 0; k < h; k++) {
            for (size_t j = 0; j < 12; j++) {
                sc_ratio_set_int64(&sum, 0);
                for (size_t a = 0; a <= j; a++) {
                    accept(h, a, &part);
                    sc_ratio_mul(&part, &part, &power[j - a]);
                    sc_ratio_add(&sum, &sum, &part);
                }
                sc_ratio_set(&next[j], &sum);
            }
            for (size_t j = 0; j < 12; j++)
                sc_ratio_set(&power[j], &next[j]);
        }
        for (size_t j = 0; j < 12; j++) {
            CHECK_INT(sc_ratio_compare_int64(&power[j], 1), 0);
            sc_ratio_clear(&next[j]);
            sc_ratio_clear(&power[j]);
        }
    }
}

static void share_law(sc_law *law, const char *scale, uint64_t honest, uint64_t shares)
{
    SC_OWN(sc_ratio, x);
    scrim_error error;
    CHECK_STATUS(sc_ratio_parse(sc_text_of(scale), &x, &error), SCRIM_OK);
    sc_law_init(law, &sc_laplace_share_law, &x, SC_SHARES_BASE * honest + shares);
}

/* Draws against the law: a fixed seed, 6 deviations. */
static void check_draws(const char *scale_text, uint64_t honest, uint64_t shares)
{
    SC_OWN(sc_ratio, ratio);
    SC_OWN(sc_ball, mass);
    const uint64_t draws = check_count(20000, 2000000);
    sc_fraction scale;
    sc_law law;
    scrim_error error;
    sc_tape *tape = NULL;
    uint64_t counts[7] = {0};
    REQUIRE_OK(sc_ratio_parse(sc_text_of(scale_text), &ratio, &error));
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, &error));
    sc_fraction_init(&scale, &ratio);
    share_law(&law, scale_text, honest, shares);
    for (uint64_t i = 0; i < draws; i++) {
        sc_int128 z = 0;
        if (!CHECK_STATUS(sc_laplace_share_sum(sc_tape_bits_of(tape), &scale, shares,
                                               honest, &z, &error),
                          SCRIM_OK))
            break;
        if (z >= -3 && z <= 3)
            counts[z + 3]++;
    }
    for (int k = -3; k <= 3; k++) {
        sc_law_pmf(&law, k, 128, &mass);
        const double p = sc_ball_upper(&mass), n = (double)draws;
        CHECK(fabs((double)counts[k + 3] - n * p) <= 6 * sqrt(n * p * (1 - p)) + 1);
    }
    sc_law_clear(&law);
    sc_fraction_clear(&scale);
    sc_tape_free(tape);
}

TEST(laplace_share_draws_its_law)
{
    CLAIM("laplace-share.exact");
    check_draws("1", 1, 3);
    check_draws("5/2", 2, 3);
    check_draws("2", 5, 2);
}

SLOW_TEST(laplace_share_law_is_exact)
{
    CLAIM("law.encloses");
    SC_OWN(sc_ball, sum, mass, tail, want);
    sc_law whole, part;
    /* all shares: discrete Laplace, and its general formula agrees in 2 + 3 of 5 */
    share_law(&part, "3/2", 2, 5);
    for (int k = -200; k <= 200; k++) {
        sc_law_pmf(&part, k, 128, &mass);
        sc_ball_add(&sum, &sum, &mass, 128);
    }
    CHECK_NEAR(sc_ball_upper(&sum), 1, 1e-15);
    sc_ball_set_int64(&sum, 0);
    for (int k = 200; k >= 3; k--) {
        sc_law_pmf(&part, k, 128, &mass);
        sc_ball_add(&sum, &sum, &mass, 128);
    }
    sc_law_at_least(&part, 3, 128, &tail);
    CHECK_NEAR(sc_ball_lower(&tail), sc_ball_lower(&sum), 1e-14);
    CHECK_NEAR(sc_ball_upper(&tail), sc_ball_upper(&sum), 1e-14);
    /* two parts that make all, convolved */
    share_law(&whole, "3/2", 3, 5);
    sc_ball_set_int64(&sum, 0);
    for (int k = -150; k <= 150; k++) {
        sc_law_pmf(&part, k, 128, &mass);
        sc_law_pmf(&whole, 2 - k, 128, &want);
        sc_ball_mul(&mass, &mass, &want, 128);
        sc_ball_add(&sum, &sum, &mass, 128);
    }
    sc_law_clear(&whole);
    share_law(&whole, "3/2", 5, 5);
    sc_law_pmf(&whole, 2, 128, &want);
    CHECK_NEAR(sc_ball_upper(&sum), sc_ball_upper(&want), 1e-14);
    sc_law_clear(&whole);
    sc_law_clear(&part);
}
