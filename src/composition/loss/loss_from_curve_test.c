#include "base/hash.h"
#include "check.h"
#include "composition/loss/loss_from_curve.h"
#include "curves.h"
#include "losses.h"

#include <math.h>

#define POINTS 24
#define BITS 60

static uint64_t draw(uint64_t *counter)
{
    static const sc_hash_key stream = {0x6a11, 2};
    const uint64_t at[2] = {check_seed(), (*counter)++};
    return sc_hash(&stream, at, sizeof at);
}

/* The height of the polyline at each point, from the last, where it is 0. */
static void heights(const double *t, const sc_ball *slope, size_t count, double *out)
{
    out[count - 1] = 0;
    for (size_t i = count - 1; i-- > 0;)
        out[i] = out[i + 1] + sc_ball_upper(&slope[i]) * (t[i + 1] - t[i]);
}

/* The largest convex polyline below, the slow way: at each point the least of all chords over it. */
static double slow_hull(const double *t, const double *m, size_t count, size_t at)
{
    double least = m[at];
    for (size_t a = 0; a < at; a++)
        for (size_t b = at + 1; b < count; b++) {
            const double chord = m[a] + (m[b] - m[a]) * (t[at] - t[a]) / (t[b] - t[a]);
            least = chord < least ? chord : least;
        }
    return least;
}

/* Small whole numbers, so that doubles are exact enough to compare with. */
TEST(hull_is_the_largest_convex_polyline_below)
{
    CLAIM("hull.below");
    uint64_t counter = 0;
    for (uint64_t round = 0; round < check_count(100, 10000); round++) {
        const size_t count = 3 + draw(&counter) % (POINTS - 2);
        double t[POINTS] = {0}, m[POINTS] = {0}, height[POINTS];
        sc_ball *balls[3];
        bool is_sharp = false;
        for (int i = 0; i < 3; i++)
            REQUIRE((balls[i] = sc_balls_new(count)) != NULL);
        for (size_t i = 0; i < count; i++) {
            t[i] = i == 0 ? 0 : t[i - 1] + 1 + (double)(draw(&counter) % 8);
            m[i] = i + 1 == count ? 0 : (double)(draw(&counter) % 50);
            if (round % 2 == 0 && i + 1 < count) /* mostly convex */
                m[i] = m[i] / 10 + (double)((count - i) * (count - i));
            sc_ball_set_int64(&balls[0][i], (int64_t)t[i]);
            sc_ball_set_int64(&balls[1][i], (int64_t)m[i]);
            m[i] = (double)(int64_t)m[i];
        }
        REQUIRE_OK(sc_hull_below(balls[0], balls[1], count, BITS, 200, balls[2],
                                 &is_sharp, NULL));
        CHECK(is_sharp);
        heights(t, balls[2], count, height);
        for (size_t i = 0; i < count; i++) {
            CHECK(height[i] <= m[i] * (1 + 1e-12));
            CHECK(height[i] >= slow_hull(t, m, count, i) - 1e-12 * (1 + m[i]));
            CHECK(i == 0 || sc_ball_is_less_equal(&balls[2][i], &balls[2][i - 1]));
        }
        for (int i = 0; i < 3; i++)
            sc_balls_free(balls[i], count);
    }
}

/* Where a point lies is not known well enough, it is not said to be below; else it is. */
TEST(hull_says_when_precision_is_too_small)
{
    CLAIM("hull.below");
    sc_ball *t = sc_balls_new(3), *m = sc_balls_new(3), *slope = sc_balls_new(3);
    sc_ball slack;
    bool is_sharp = false;
    REQUIRE(t != NULL && m != NULL && slope != NULL);
    sc_ball_init(&slack);
    sc_ball_set_int64(&slack, 1);
    sc_ball_mul_power2(&slack, &slack, -40);
    sc_ball_set_int64(&t[1], 3);
    sc_ball_set_int64(&t[2], 10);
    sc_ball_set_int64(&m[0], 7);
    sc_ball_set_int64(&m[1], 2);
    REQUIRE_OK(sc_hull_below(t, m, 3, 60, 90, slope, &is_sharp, NULL));
    CHECK(is_sharp);
    sc_ball_widen(&t[1], &slack);
    REQUIRE_OK(sc_hull_below(t, m, 3, 60, 90, slope, &is_sharp, NULL));
    CHECK(!is_sharp);
    REQUIRE_OK(sc_hull_below(t, m, 3, 30, 90, slope, &is_sharp, NULL));
    CHECK(is_sharp);
    sc_ball_clear(&slack);
    sc_balls_free(slope, 3);
    sc_balls_free(m, 3);
    sc_balls_free(t, 3);
}

static void loss_of_curve(const sc_curve *curve, const char *step, sc_loss *out)
{
    scrim_error error;
    sc_ratio width;
    exact_ratio(step, &width);
    sc_loss_init(out);
    CHECK_STATUS(sc_loss_from_curve(curve,
                                    &(sc_loss_grid){&width, SC_LOSS_BITS, LOSSES_TAIL},
                                    NULL, out, &error),
                 SCRIM_OK);
    sc_ratio_clear(&width);
}

/* A curve that is exact gives what the pair gives: the dots are the same. */
TEST(loss_from_an_exact_curve_is_that_of_the_pair)
{
    CLAIM("loss.upper");
    static const struct {
        const char *kind, *shape, *step;
        uint64_t shift;
    } cases[] = {{"laplace", "2", "1/10", 3},
                 {"laplace", "2", "3/70", 3},
                 {"gaussian", "4", "1/8", 1},
                 {"gaussian", "4", "1/11", 1}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        sc_curve curve;
        sc_loss_pair pair;
        sc_loss by_curve, by_pair;
        scrim_error error;
        curves_of_noise(cases[i].kind[0] == 'l' ? sc_curve_set_laplace
                                                : sc_curve_set_gaussian,
                        cases[i].shape, cases[i].shift, &curve);
        losses_pair(cases[i].kind, cases[i].shape, cases[i].shift, &pair);
        loss_of_curve(&curve, cases[i].step, &by_curve);
        losses_of(&pair, SC_LOSS_UPPER, cases[i].step, 1, &by_pair);
        for (int k = 1; k <= 3; k += 2) {
            if (k == 3) {
                REQUIRE_OK(sc_loss_power(&by_curve, 3, LOSSES_TAIL, &by_curve, &error));
                REQUIRE_OK(sc_loss_power(&by_pair, 3, LOSSES_TAIL, &by_pair, &error));
            }
            static const char *const epsilons[] = {"-1", "0", "1/3", "1", "2"};
            for (size_t j = 0; j < COUNT(epsilons); j++) {
                const double want = losses_delta(&by_pair, epsilons[j]);
                CHECK(fabs(losses_delta(&by_curve, epsilons[j]) - want) <=
                      1e-15 * want + 1e-30);
            }
        }
        sc_loss_clear(&by_pair);
        sc_loss_clear(&by_curve);
        sc_loss_pair_clear(&pair);
        sc_curve_clear(&curve);
    }
}

/* (epsilon, delta) and pure claims, on a grid of their own and on another. */
TEST(loss_from_a_claim_holds_it)
{
    CLAIM("loss.upper");
    sc_ratio epsilon, delta;
    sc_curve curve;
    sc_loss_pair pair;
    exact_ratio("1/2", &epsilon);
    exact_ratio("1e-5", &delta);
    sc_curve_init(&curve);
    sc_loss_pair_init(&pair);
    sc_curve_set_approximate(&curve, &epsilon, &delta);
    sc_loss_pair_set_approximate(&pair, &epsilon, &delta);
    static const char *const steps[] = {"1/2", "1/6", "1/7"};
    for (size_t i = 0; i < COUNT(steps); i++) {
        scrim_error error;
        sc_loss by_curve, by_pair;
        loss_of_curve(&curve, steps[i], &by_curve);
        losses_of(&pair, SC_LOSS_UPPER, steps[i], 4, &by_pair);
        REQUIRE_OK(sc_loss_power(&by_curve, 4, LOSSES_TAIL, &by_curve, &error));
        CHECK_NEAR(losses_delta(&by_curve, "3/4"), losses_delta(&by_pair, "3/4"), 1e-14);
        CHECK_NEAR(losses_delta(&by_curve, "5"), 1 - pow(1 - 1e-5, 4), 1e-9);
        CHECK(losses_epsilon(&by_curve, "3e-5") == HUGE_VAL);
        sc_loss_clear(&by_pair);
        sc_loss_clear(&by_curve);
    }
    sc_loss_pair_clear(&pair);
    sc_curve_clear(&curve);
    sc_ratio_clear(&delta);
    sc_ratio_clear(&epsilon);
}

TEST(loss_from_a_curve_without_delta_is_refused)
{
    scrim_error error;
    sc_curve curve;
    sc_ratio step;
    sc_loss loss;
    exact_ratio("1/10", &step);
    sc_loss_init(&loss);
    curves_of(sc_curve_set_concentrated, "1/8", &curve);
    CHECK_STATUS(sc_loss_from_curve(&curve,
                                    &(sc_loss_grid){&step, SC_LOSS_BITS, LOSSES_TAIL},
                                    NULL, &loss, &error),
                 SCRIM_E_INTERNAL);
    sc_loss_clear(&loss);
    sc_curve_clear(&curve);
    sc_ratio_clear(&step);
}
