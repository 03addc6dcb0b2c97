#include "check.h"
#include "exact.h"
#include "model/curve.h"
#include "model/vector_loss.h"

#include <math.h>

TEST(vector_loss_counts_maximal_moves)
{
    static const struct {
        uint64_t square;
        size_t count;
    } table[] = {{4, 2}, {9, 4}, {16, 6}, {25, 11}, {36, 17}, {64, 40}, {100, 92}};
    for (size_t i = 0; i < COUNT(table); i++)
        CHECK_INT(sc_vector_loss_count(table[i].square, 8), table[i].count);
    CHECK_INT(sc_vector_loss_count(1, 1), 1);
    CHECK_INT(sc_vector_loss_count(3, 1), 1);
    CHECK_INT(sc_vector_loss_count(25, 2), 2);
}

static double worst(const char *variance, uint64_t square, uint64_t numbers,
                    const char *epsilon)
{
    sc_ratio v, e;
    sc_vector_loss *loss = NULL;
    double delta = -1;
    exact_ratio(variance, &v);
    exact_ratio(epsilon, &e);
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, ball);
    if (CHECK_STATUS(sc_vector_loss_new(&v, square, numbers, &loss, NULL), SCRIM_OK) &&
        CHECK(loss != NULL)) {
        sc_vector_loss_delta(loss, &e, &ball);
        CHECK(sc_ball_is_accurate(&ball, 64));
        delta = sc_ball_upper(&ball);
    }
    sc_vector_loss_free(loss);
    sc_ratio_clear(&e);
    sc_ratio_clear(&v);
    return delta;
}

TEST(vector_loss_is_the_largest_of_the_table)
{
    CLAIM("vector-loss.exact");
    CHECK_NEAR(worst("3", 4, 4, "1/2"), 0.30212921738349, 1e-13);
    CHECK_NEAR(worst("3", 4, 4, "2"), 0.045184200256, 1e-11);
    CHECK_NEAR(worst("2", 9, 4, "2"), 0.382127637764, 1e-12);
    CHECK_NEAR(worst("1", 25, 2, "12"), 0.464499632651, 1e-12);
    CHECK_NEAR(worst("1", 4, 4, "2"), 0.315348240753259271, 1e-14);
    CHECK_NEAR(worst("1", 4, 4, "1"), 0.540293617672483614, 1e-14);
    CHECK_NEAR(worst("4", 4, 4, "1/2"), 0.236339535531135509, 1e-14);
    CHECK_NEAR(worst("4", 4, 1, "1/2"), 0.23003988707630416, 1e-14);
}

/* Two numbers that move by (a, b), summed place by place. */
#define REACH 40

static double summed(double variance, int a, int b, double epsilon)
{
    double total = 0, delta = 0;
    for (int y = -REACH; y <= REACH; y++)
        total += exp(-y * y / (2 * variance));
    for (int y = -REACH; y <= REACH; y++)
        for (int z = -REACH; z <= REACH; z++) {
            const double there = exp(-(y * y + z * z) / (2 * variance));
            const double here =
                exp(-((y + a) * (y + a) + (z + b) * (z + b)) / (2 * variance));
            const double more = there - exp(epsilon) * here;
            delta += more > 0 ? more : 0;
        }
    return delta / total / total;
}

TEST(vector_loss_is_that_of_every_move)
{
    CLAIM("vector-loss.exact");
    static const double epsilons[] = {0.25, 1, 3};
    static const char *const texts[] = {"1/4", "1", "3"};
    static const uint64_t squares[] = {2, 5, 10, 13};
    for (size_t i = 0; i < COUNT(squares); i++)
        for (size_t j = 0; j < COUNT(epsilons); j++) {
            double most = 0;
            for (uint64_t a = 0; a <= 3; a++)
                for (uint64_t b = 0; b <= a; b++)
                    if (a * a + b * b <= squares[i])
                        most = fmax(most, summed(2.5, (int)a, (int)b, epsilons[j]));
            CHECK_NEAR(worst("5/2", squares[i], 2, texts[j]), most, 1e-12);
        }
}

/* The curve at the largest epsilons, where the listed law says nothing, is its concentration's. */
TEST(vector_loss_is_a_curve_everywhere)
{
    CLAIM("curve.bounds");
    static const char *const epsilons[] = {"0", "1", "10", "60", "200", "1000"};
    sc_ratio v, rho, e;
    sc_vector_loss *loss = NULL;
    exact_ratio("3", &v);
    exact_ratio("2/3", &rho);
    REQUIRE_OK(sc_vector_loss_new(&v, 4, 4, &loss, NULL));
    REQUIRE(loss != NULL);
    SC_BALL_SCOPE(scope);
    sc_curve curve, other;
    SC_OWN(sc_ball, delta, bound);
    sc_curve_init(&curve);
    sc_curve_init(&other);
    sc_curve_set_vector(&curve, loss, &rho);
    sc_curve_set_concentrated(&other, &rho);
    for (size_t i = 0; i < COUNT(epsilons); i++) {
        exact_ratio(epsilons[i], &e);
        sc_curve_delta_upper(&curve, &e, 256, &delta);
        sc_curve_delta_upper(&other, &e, 256, &bound);
        CHECK(sc_ball_upper(&delta) <= sc_ball_upper(&bound));
        CHECK(sc_ball_upper(&delta) >= 0);
        sc_ratio_clear(&e);
    }
    sc_curve_clear(&other);
    sc_curve_clear(&curve);
    sc_vector_loss_free(loss);
    sc_ratio_clear(&rho);
    sc_ratio_clear(&v);
}

TEST(vector_loss_too_long_is_none)
{
    sc_ratio v;
    sc_vector_loss *loss = NULL;
    exact_ratio("1e9", &v);
    CHECK_STATUS(sc_vector_loss_new(&v, 2, 2, &loss, NULL), SCRIM_OK);
    CHECK(loss == NULL);
    sc_ratio_clear(&v);
    exact_ratio("2^100", &v);
    CHECK_STATUS(sc_vector_loss_new(&v, 2, 2, &loss, NULL), SCRIM_OK);
    CHECK(loss == NULL);
    sc_ratio_clear(&v);
}
