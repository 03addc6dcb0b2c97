#include "balls.h"
#include "losses.h"
#include "pair_delta.h"
#include "vectors.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A printed number with 2e-16 of itself on both sides: the vectors have 16 digits or more. */
static void printed(const char *text, sc_ball *out)
{
    sc_ball slack;
    sc_ball_init(out);
    sc_ball_init(&slack);
    CHECK(ball_set_text(out, text, EXACT_BITS) &&
          ball_set_text(&slack, "5e-16", EXACT_BITS));
    sc_ball_mul(&slack, &slack, out, EXACT_BITS);
    sc_ball_widen(out, &slack);
    sc_ball_clear(&slack);
}

/* Both sides of k releases at one epsilon, against the printed truth. */
static void check_delta(const sc_loss_pair *pair, const char *step, uint64_t k,
                        const char *epsilon, const char *truth, double ratio)
{
    sc_loss lower, upper;
    sc_ball delta;
    printed(truth, &delta);
    losses_of(pair, SC_LOSS_LOWER, step, k, &lower);
    losses_of(pair, SC_LOSS_UPPER, step, k, &upper);
    CHECK_LOSSES(&lower, &upper, epsilon, &delta, ratio);
    CHECK(losses_delta(&lower, epsilon) >= sc_ball_lower(&delta) * (2 - ratio));
    sc_loss_clear(&upper);
    sc_loss_clear(&lower);
    sc_ball_clear(&delta);
}

/* The delta of a row's k releases at its epsilon; the pair goes with it. */
static void check_row(const json_t *row, const char *truth, sc_loss_pair *pair,
                      const char *step, double ratio)
{
    check_delta(pair, step, vectors_number(row, "k"), vectors_text(row, "eps"),
                vectors_text(row, truth), ratio);
    sc_loss_pair_clear(pair);
}

/* 1/(16 sigma), a power of two: 16 points a deviation. */
static void step_for(const char *sigma, char text[64])
{
    unsigned long places = 4;
    double s = strtod(sigma, NULL);
    for (; s > 1; places++)
        s /= 2;
    snprintf(text, 64, "2^-%lu", places);
}

SLOW_TEST(loss_of_gaussians_holds_the_true_delta)
{
    CLAIM("loss.upper");
    CLAIM("loss.lower");
    json_t *rows = vectors_load("local-and-accounting", "pld_gaussian_kfold_delta"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) == 7);
    json_array_foreach(rows, index, row)
    {
        char step[64];
        sc_loss_pair pair;
        if (!check_is_long() && vectors_number(row, "k") > 100)
            continue;
        step_for(vectors_text(row, "sigma"), step);
        losses_pair("continuous-gaussian", vectors_text(row, "sigma"), 1, &pair);
        check_row(row, "delta", &pair, step, 1.005);
    }
}

SLOW_TEST(loss_of_gaussians_holds_the_true_epsilon)
{
    CLAIM("loss.upper");
    CLAIM("loss.lower");
    json_t *rows = vectors_load("local-and-accounting", "pld_gaussian_kfold_eps"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) == 4);
    json_array_foreach(rows, index, row)
    {
        char step[64];
        sc_loss_pair pair;
        sc_loss lower, upper;
        sc_ball epsilon;
        if (!check_is_long() && vectors_number(row, "k") > 100)
            continue;
        printed(vectors_text(row, "eps"), &epsilon);
        step_for(vectors_text(row, "sigma"), step);
        losses_pair("continuous-gaussian", vectors_text(row, "sigma"), 1, &pair);
        losses_of(&pair, SC_LOSS_LOWER, step, vectors_number(row, "k"), &lower);
        losses_of(&pair, SC_LOSS_UPPER, step, vectors_number(row, "k"), &upper);
        const double least = losses_epsilon(&lower, vectors_text(row, "delta")),
                     most = losses_epsilon(&upper, vectors_text(row, "delta"));
        CHECK(least <= sc_ball_upper(&epsilon) && sc_ball_lower(&epsilon) <= most);
        CHECK(most - least <= 2e-3 * most);
        sc_loss_clear(&upper);
        sc_loss_clear(&lower);
        sc_loss_pair_clear(&pair);
        sc_ball_clear(&epsilon);
    }
}

/* Losses from -e0 to e0 with an atom at both ends, which are points of the grid. */
TEST(loss_of_laplaces_holds_the_true_delta)
{
    CLAIM("loss.upper");
    CLAIM("loss.lower");
    json_t *rows = vectors_load("local-and-accounting", "pld_laplace_kfold_delta"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) == 5);
    json_array_foreach(rows, index, row)
    {
        char scale[64];
        sc_ratio epsilon, one;
        sc_loss_pair pair;
        exact_ratio(vectors_text(row, "eps0"), &epsilon);
        exact_ratio("1", &one);
        sc_ratio_div(&one, &one, &epsilon);
        sc_ratio_format(&one, scale, sizeof scale);
        losses_pair("continuous-laplace", scale, 1, &pair);
        check_row(row, "delta", &pair, "0.01", 1.0002);
        sc_ratio_clear(&one);
        sc_ratio_clear(&epsilon);
    }
}

/* On its own lattice there is nothing between the two sides but rounding. */
TEST(loss_of_randomised_response_is_exact)
{
    CLAIM("loss.lattice");
    json_t *rows = vectors_load("local-and-accounting", "pld_rr_kfold_delta"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) == 6);
    json_array_foreach(rows, index, row)
    {
        sc_loss_pair pair;
        losses_pair("pure", vectors_text(row, "eps0"), 1, &pair);
        check_row(row, "delta", &pair, vectors_text(row, "eps0"), 1 + 1e-15);
    }
}

/* D/(2 variance) is the lattice with its offset. */
TEST(loss_of_discrete_gaussians_is_exact)
{
    CLAIM("loss.lattice");
    json_t *rows =
               vectors_load("local-and-accounting", "pld_discrete_gaussian_kfold_delta"),
           *row;
    size_t index;
    REQUIRE(json_array_size(rows) == 4);
    json_array_foreach(rows, index, row)
    {
        char step[64];
        sc_loss_pair pair;
        snprintf(step, sizeof step, "1/%ld", 2 * atol(vectors_text(row, "sigma2")));
        losses_pair("gaussian", vectors_text(row, "sigma2"), 1, &pair);
        check_row(row, "delta", &pair, step, 1 + 1e-14);
    }
}

TEST(loss_pair_of_sampled_gaussian_matches_the_vectors)
{
    CLAIM("loss-pair.sampled");
    CLAIM("loss-pair.tails");
    json_t *rows = vectors_load("local-and-accounting", "pld_poisson_gaussian_single"),
           *row;
    size_t index;
    REQUIRE(json_array_size(rows) == 3);
    json_array_foreach(rows, index, row)
    {
        for (int direction = 0; direction < 2; direction++) {
            const char *truth =
                vectors_text(row, direction == 0 ? "delta_remove" : "delta_add");
            sc_loss_pair pair;
            sc_ball epsilon, delta;
            sc_ball_init(&epsilon);
            sc_ball_init(&delta);
            losses_sampled("continuous-gaussian", vectors_text(row, "sigma"), 1,
                           vectors_text(row, "q"),
                           direction == 0 ? SC_DIRECTION_REMOVE : SC_DIRECTION_ADD,
                           &pair);
            CHECK(ball_set_text(&epsilon, vectors_text(row, "eps"), EXACT_BITS));
            pair_delta(&pair, &epsilon, 220, &delta);
            if (strcmp(truth, "0.0") == 0)
                CHECK(sc_ball_upper(&delta) == 0.0);
            else
                CHECK_PRINTED(&delta, truth);
            sc_loss_pair_clear(&pair);
            sc_ball_clear(&delta);
            sc_ball_clear(&epsilon);
        }
    }
}

SLOW_TEST(loss_of_two_sampled_gaussians_holds_the_true_delta)
{
    CLAIM("loss-pair.sampled");
    json_t *rows = vectors_load("local-and-accounting", "pld_poisson_gaussian_two"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) == 2);
    json_array_foreach(rows, index, row)
    {
        sc_loss_pair pair;
        losses_sampled("continuous-gaussian", vectors_text(row, "sigma"), 1,
                       vectors_text(row, "q"), SC_DIRECTION_REMOVE, &pair);
        check_row(row, "delta_remove", &pair, "1/200", 1.003);
    }
}

/* (epsilon, delta) becomes (ln(1 + q (exp(epsilon) - 1)), q delta): nothing is left from there on,
 * and something just below. */
TEST(loss_pair_of_sampled_response_is_amplified)
{
    CLAIM("loss-pair.sampled");
    json_t *rows = vectors_load("local-and-accounting", "amplification_pure"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) == 4);
    json_array_foreach(rows, index, row)
    {
        sc_loss_pair pair;
        sc_ball epsilon, slack, delta;
        sc_ball_init(&epsilon);
        sc_ball_init(&slack);
        sc_ball_init(&delta);
        losses_sampled("pure", vectors_text(row, "eps"), 1, vectors_text(row, "q"),
                       SC_DIRECTION_REMOVE, &pair);
        CHECK(ball_set_text(&epsilon, vectors_text(row, "eps_amplified"), EXACT_BITS));
        CHECK(ball_set_text(&slack, "1e-17", EXACT_BITS));
        sc_ball_add(&epsilon, &epsilon, &slack, EXACT_BITS);
        pair_delta(&pair, &epsilon, 128, &delta);
        CHECK(sc_ball_upper(&delta) == 0.0);
        sc_ball_sub(&epsilon, &epsilon, &slack, EXACT_BITS);
        sc_ball_sub(&epsilon, &epsilon, &slack, EXACT_BITS);
        pair_delta(&pair, &epsilon, 128, &delta);
        CHECK(sc_ball_lower(&delta) > 0.0 && sc_ball_upper(&delta) < 1e-16);
        sc_loss_pair_clear(&pair);
        sc_ball_clear(&delta);
        sc_ball_clear(&slack);
        sc_ball_clear(&epsilon);
    }
}

/* The pair that the text of a row names, such as "gaussian sigma=5". */
static bool named_pair(const char *text, sc_loss_pair *out)
{
    static const struct {
        const char *text, *kind, *shape, *rate;
    } names[] = {
        {"gaussian sigma=5", "continuous-gaussian", "5", NULL},
        {"gaussian sigma=10", "continuous-gaussian", "10", NULL},
        {"laplace eps0=0.5", "continuous-laplace", "2", NULL},
        {"randomised response 0.1", "pure", "0.1", NULL},
        {"poisson q=.1 sigma=2", "continuous-gaussian", "2", "0.1"},
    };
    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(text, names[i].text) == 0) {
            if (names[i].rate != NULL)
                losses_sampled(names[i].kind, names[i].shape, 1, names[i].rate,
                               SC_DIRECTION_REMOVE, out);
            else
                losses_pair(names[i].kind, names[i].shape, 1, out);
            return true;
        }
    return false;
}

/* At the same step never more above the truth than the printed bound, which was made by connecting
 * the dots (or by the better of the two where the row rounds up); and the same number. */
SLOW_TEST(loss_upper_is_as_tight_as_the_vectors)
{
    CLAIM("loss.dots");
    json_t *rows = vectors_load("local-and-accounting", "pld_rigorous_upper_bounds"),
           *row;
    size_t index, checked = 0;
    REQUIRE(json_array_size(rows) == 8);
    json_array_foreach(rows, index, row)
    {
        sc_loss_pair pair;
        sc_loss upper;
        sc_ball truth;
        if (!CHECK(named_pair(vectors_text(row, "case"), &pair)))
            continue;
        printed(vectors_text(row, "truth"), &truth);
        losses_of(&pair, SC_LOSS_UPPER, vectors_text(row, "h"), vectors_number(row, "k"),
                  &upper);
        const double bound = losses_delta(&upper, vectors_text(row, "eps")),
                     ratio = strtod(vectors_text(row, "ratio"), NULL);
        CHECK(bound >= sc_ball_lower(&truth));
        CHECK(bound <= sc_ball_upper(&truth) * (ratio + 6e-10));
        if (strcmp(vectors_text(row, "method"), "roundup") != 0) {
            CHECK_NEAR(bound, strtod(vectors_text(row, "upper"), NULL), 1e-15);
            checked++;
        }
        sc_loss_clear(&upper);
        sc_ball_clear(&truth);
        sc_loss_pair_clear(&pair);
    }
    CHECK_INT(checked, 6);
}
