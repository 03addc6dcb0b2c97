#include "balls.h"
#include "exact.h"
#include "law_vectors.h"
#include "sampling/discrete_gaussian.h"
#include "sampling/discrete_gaussian_law.h"
#include "transcript.h"
#include "vectors.h"

enum { WIDE_BITS = 512 }; /* of what EXACT_BITS are computed from */

static scrim_status draw(const void *gaussian, sc_bits *bits, sc_int128 *out,
                         scrim_error *error)
{
    return sc_discrete_gaussian_reference(bits, gaussian, out, error);
}

static void gaussian_of(const char *variance, sc_gaussian *out)
{
    sc_ratio value;
    exact_ratio(variance, &value);
    sc_gaussian_init(out, &value);
    sc_ratio_clear(&value);
}

/* The same sampler in wider integers than it needs. */
static sc_gaussian widened(const sc_gaussian *gaussian, unsigned width, bool proposal)
{
    sc_gaussian wide = *gaussian;
    wide.width = width;
    wide.proposal.is_small = proposal && wide.proposal.is_small;
    return wide;
}

TEST(discrete_gaussian_reproduces_the_transcripts_in_every_width)
{
    CLAIM("discrete-gaussian.exact");
    static const struct {
        const char *name, *variance;
    } list[] = {{"discrete_gaussian_1_1", "1"},
                {"discrete_gaussian_25_4", "25/4"},
                {"discrete_gaussian_10000_1", "10000"}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        sc_gaussian narrow;
        gaussian_of(list[i].variance, &narrow);
        CHECK_INT(narrow.width, 64);
        CHECK(narrow.proposal.is_small);
        for (unsigned width = 0; width <= 128; width += 64) {
            const sc_gaussian small = widened(&narrow, width, true),
                              large = widened(&narrow, width, false);
            transcript_check(list[i].name, draw, &small);
            transcript_check(list[i].name, draw, &large);
        }
        sc_gaussian_clear(&narrow);
    }
}

/* Variances on both sides of the borders between the widths. */
TEST(discrete_gaussian_takes_the_same_bits_in_every_width)
{
    static const struct {
        const char *variance;
        unsigned width;
    } list[] = {{"1/9", 64},
                {"100", 64},
                {"2^24", 64},  /* 2 a t^2 = 2^25 (2^12 + 1)^2 < 2^51 */
                {"2^25", 128}, /* above it */
                {"123456789/1000", 128},
                {"1e12", 128},
                {"2^56", 128}, /* 2 a t^2 < 2^115 */
                {"2^57", 0},
                {"2^80", 0},
                {"2^-80", 0}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        sc_gaussian chosen;
        gaussian_of(list[i].variance, &chosen);
        CHECK_INT(chosen.width, list[i].width);
        const sc_gaussian wide = widened(&chosen, 0, false);
        transcript_check_twins(check_seed() + i, 300, draw, &chosen, draw, &wide);
        if (chosen.width == 64) {
            const sc_gaussian middle = widened(&chosen, 128, true);
            transcript_check_twins(check_seed() + i, 300, draw, &middle, draw, &wide);
        }
        sc_gaussian_clear(&chosen);
    }
}

/* Proposals far out, where the square of m = ||y| b t - a| no longer fits the width: for a
 * variance of 2 and y = 2^31 + 1, m is 2^32, and a square that wrapped would be 0, which is
 * always accepted. */
TEST(discrete_gaussian_squares_do_not_wrap)
{
    CLAIM("discrete-gaussian.exact");
    static const struct {
        const char *variance;
        sc_int128 y;
    } list[] = {{"2", ((sc_int128)1 << 31) + 1}, /* m = 2^32 */
                {"2", ((sc_int128)1 << 47) + 1}, /* m = 2^48 */
                {"2", ((sc_int128)1 << 63) + 1}, /* m = 2^64 */
                {"1", (sc_int128)1 << 62},       {"1", (sc_int128)1 << 64},
                {"1", (sc_int128)1 << 100},      {"2^40", (sc_int128)1 << 60},
                {"2^56", (sc_int128)1 << 62}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            sc_gaussian gaussian;
            sc_tape *left = NULL, *right = NULL;
            bool a = true, b = true;
            gaussian_of(list[i].variance, &gaussian);
            const sc_gaussian wide = widened(&gaussian, 0, false);
            REQUIRE_OK(sc_tape_seeded(check_seed(), &left, NULL));
            REQUIRE_OK(sc_tape_seeded(check_seed(), &right, NULL));
            for (int times = 0; times < 50; times++) {
                REQUIRE_OK(sc_discrete_gaussian_accept(sc_tape_bits_of(left), &gaussian,
                                                       sign * list[i].y, &a, NULL));
                REQUIRE_OK(sc_discrete_gaussian_accept(sc_tape_bits_of(right), &wide,
                                                       sign * list[i].y, &b, NULL));
                CHECK(!a && !b);
                CHECK_INT(sc_tape_used(left), sc_tape_used(right));
            }
            sc_tape_free(left);
            sc_tape_free(right);
            sc_gaussian_clear(&gaussian);
        }
}

/* The law. */

static void variance_of(const json_t *row, char text[64])
{
    const json_t *pair = json_object_get(row, "sigma2");
    law_vectors_quotient(json_array_get(pair, 0), json_array_get(pair, 1), text);
}

/* 1/(2 variance) */
static void tau_of(const sc_ratio *variance, sc_ball *out)
{
    sc_ball_set_ratio(out, variance, WIDE_BITS);
    sc_ball_mul_power2(out, out, 1);
    sc_ball one;
    sc_ball_init(&one);
    sc_ball_set_int64(&one, 1);
    sc_ball_div(out, &one, out, WIDE_BITS);
    sc_ball_clear(&one);
}

/* P(a proposal is accepted): the sum over y of the proposal's pmf times the coin's
 * probability is P(0) of the proposal times exp(-a/(2 b t^2)) times theta. */
static void acceptance(const sc_gaussian *gaussian, const sc_law *law,
                       const sc_ball *theta, sc_ball *out)
{
    sc_ratio t, rest;
    sc_law proposal;
    sc_ball part;
    sc_ball_init(&part);
    sc_ratio_init(&t);
    sc_ratio_init(&rest);
    sc_ratio_set_fraction(&t, &gaussian->proposal.n, &gaussian->proposal.d);
    sc_law_init(&proposal, &sc_discrete_laplace_law, &t, 0);
    sc_ratio_div(&rest, &law->shape, &t);
    sc_ratio_div(&rest, &rest, &t);
    sc_ball_set_ratio(&part, &rest, EXACT_BITS);
    sc_ball_mul_power2(&part, &part, -1);
    sc_ball_neg(&part, &part);
    sc_ball_exp(&part, &part, EXACT_BITS);
    sc_law_pmf(&proposal, 0, EXACT_BITS, out);
    sc_ball_mul(out, out, &part, EXACT_BITS);
    sc_ball_mul(out, out, theta, EXACT_BITS);
    sc_law_clear(&proposal);
    sc_ratio_clear(&t);
    sc_ratio_clear(&rest);
    sc_ball_clear(&part);
}

SLOW_TEST(discrete_gaussian_law_is_that_of_the_vectors)
{
    CLAIM("discrete-gaussian.exact");
    json_t *rows = vectors_load("mechanisms", "discrete_gaussian"), *row;
    size_t i;
    sc_ball tau, theta, value;
    sc_ball_init(&tau);
    sc_ball_init(&theta);
    sc_ball_init(&value);
    CHECK(json_array_size(rows) >= 9);
    json_array_foreach(rows, i, row)
    {
        char variance[64];
        sc_law law;
        sc_gaussian gaussian;
        sc_int128 t = 0;
        variance_of(row, variance);
        exact_law(&sc_discrete_gaussian_law, variance, 0, &law);
        gaussian_of(variance, &gaussian);
        law_vectors_check(&law, row);
        tau_of(&law.shape, &tau);
        sc_theta(&tau, EXACT_BITS, &theta);
        CHECK_PRINTED(&theta, json_string_value(json_object_get(row, "normaliser")));
        CHECK(sc_integer_get_int128(&gaussian.proposal.n, &t));
        CHECK_INT(t, json_integer_value(json_object_get(row, "proposal_t")));
        acceptance(&gaussian, &law, &theta, &value);
        CHECK_PRINTED(&value,
                      json_string_value(json_object_get(row, "acceptance_probability")));
        sc_gaussian_clear(&gaussian);
        sc_law_clear(&law);
    }
    sc_ball_clear(&tau);
    sc_ball_clear(&theta);
    sc_ball_clear(&value);
}

/* Two ways to one number. */

/* theta(tau) = sqrt(pi/tau) theta(pi^2/tau): one side is summed directly where the other
 * takes Poisson's formula. */
TEST(theta_satisfies_its_functional_equation)
{
    static const char *const list[] = {"1/1000000", "1/50", "1/3", "1",  "2",
                                       "3",         "22/7", "10",  "50", "2^40"};
    sc_ball tau, dual, pi, left, right;
    sc_ball *const all[] = {&tau, &dual, &pi, &left, &right};
    for (size_t i = 0; i < 5; i++)
        sc_ball_init(all[i]);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        sc_ratio value;
        exact_ratio(list[i], &value);
        sc_ball_set_ratio(&tau, &value, WIDE_BITS);
        sc_ball_set_pi(&pi, WIDE_BITS);
        sc_ball_div(&dual, &pi, &tau, WIDE_BITS);
        sc_ball_sqrt(&right, &dual, WIDE_BITS);
        sc_ball_mul(&dual, &dual, &pi, WIDE_BITS);
        sc_theta(&dual, EXACT_BITS, &left);
        sc_ball_mul(&right, &right, &left, EXACT_BITS);
        sc_theta(&tau, EXACT_BITS, &left);
        CHECK_SAME(&left, &right, 230);
        sc_ratio_clear(&value);
    }
    for (size_t i = 0; i < 5; i++)
        sc_ball_clear(all[i]);
}

SLOW_TEST(gaussian_tails_agree_by_terms_and_by_integral)
{
    static const struct {
        const char *variance;
        int64_t m[6];
    } list[] = {{"5000", {1, 2, 71, 300, 500, 700}},
                {"10000", {1, 2, 50, 100, 611, 1000}},
                {"123456/7", {1, 50, 100, 611, 1000, 1300}},
                {"1000000", {1, 1000, 5000, 8000, 15000, 20000}}};
    sc_ball terms, integral;
    sc_ball_init(&terms);
    sc_ball_init(&integral);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        sc_ratio variance;
        exact_ratio(list[i].variance, &variance);
        for (size_t j = 0; j < 6; j++) {
            sc_gaussian_tail_by_terms(&variance, list[i].m[j], 192, &terms);
            sc_gaussian_tail_by_integral(&variance, list[i].m[j], 192, &integral);
            CHECK_SAME(&terms, &integral, 120);
        }
        sc_ratio_clear(&variance);
    }
    sc_ball_clear(&terms);
    sc_ball_clear(&integral);
}

/* Where sigma is small the series says little; the remainder must own up to it. */
TEST(gaussian_tail_by_integral_encloses_whatever_sigma_is)
{
    static const char *const list[] = {"1/4", "1", "2", "4", "9", "25", "100", "400"};
    sc_ball terms, integral;
    sc_ball_init(&terms);
    sc_ball_init(&integral);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        for (int64_t m = 1; m <= 24; m++) {
            sc_ratio variance;
            exact_ratio(list[i], &variance);
            sc_gaussian_tail_by_terms(&variance, m, 400, &terms);
            for (long bits = 32; bits <= 256; bits *= 2) {
                sc_gaussian_tail_by_integral(&variance, m, bits, &integral);
                if (!CHECK(ball_overlaps(&terms, &integral)))
                    CHECK_FAIL("variance %s, m %d, %ld bits", list[i], (int)m, bits);
            }
            sc_ratio_clear(&variance);
        }
    sc_ball_clear(&terms);
    sc_ball_clear(&integral);
}
