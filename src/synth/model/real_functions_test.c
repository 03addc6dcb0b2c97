#include "check.h"
#include "faults.h"
#include "synth/model/real_functions.h"

#include <math.h>
#include <string.h>

/* Units of the last place between a result and the truth. */
static double units(double got, long double want)
{
    int exponent;
    (void)frexp((double)want, &exponent);
    return (double)(fabsl((long double)got - want) / ldexpl(1, exponent - 53));
}

TEST(real_exp_is_accurate)
{
    CLAIM("real-functions.accurate");
    for (int i = 0; i < 70700; i += 7) {
        double x[7];
        const double shift = 3;
        for (int j = 0; j < 7; j++)
            x[j] = shift - (i + j) / 100.0 - 1e-3;
        double y[7] = {x[0], x[1], x[2], x[3], x[4], x[5], x[6]};
        sc_real_exp_all(y, 7, shift);
        for (int j = 0; j < 7 && i + j < 70699; j++)
            if (!CHECK(units(y[j], expl((long double)(x[j] - shift))) <= 4))
                return;
    }
}

TEST(real_exp_is_accurate_above_0)
{
    CLAIM("real-functions.accurate");
    for (int i = 0; i <= 7000; i++) {
        double y[1] = {i / 10.0};
        sc_real_exp_all(y, 1, 0);
        if (!CHECK(units(y[0], expl((long double)(i / 10.0))) <= 4))
            return;
    }
}

TEST(real_exp_of_what_is_impossible_is_0)
{
    double x[5] = {0, -(double)INFINITY, -708, -1e300, -(double)INFINITY};
    sc_real_exp_all(x, 5, 0);
    CHECK(x[0] == 1);
    for (int i = 1; i < 5; i++)
        CHECK(x[i] == 0);
}

TEST(real_log_is_accurate)
{
    CLAIM("real-functions.accurate");
    for (double x = 1e-300; x < 1e300; x *= 1.0173) {
        const double y = sc_real_log(x);
        if (!CHECK(units(y, logl((long double)x)) <= 4 ||
                   fabsl((long double)y - logl((long double)x)) < 1e-16L))
            return;
    }
    CHECK(sc_real_log(1) == 0);
}

TEST(real_exp_is_the_same_in_every_way)
{
    CLAIM("real-functions.same");
    static double plain[10007], fast[10007];
    for (size_t i = 0; i < COUNT(plain); i++)
        plain[i] = fast[i] = -(double)(i * i) / 143000;
    CHECK(sc_real_exp_by(SC_REAL_PLAIN, plain, COUNT(plain), 0));
    if (!sc_real_exp_by(SC_REAL_AVX2, fast, COUNT(fast), 0))
        SKIP("this processor has no AVX2");
    CHECK_BYTES(fast, plain, sizeof fast);
}

TEST(rounded_count_rounds_half_up)
{
    CLAIM("rounded-count.exact");
    CHECK_INT(sc_rounded_count(0.5), 1);
    CHECK_INT(sc_rounded_count(1.5), 2);
    CHECK_INT(sc_rounded_count(2.5), 3);
    /* The sum with 1/2 would round to 1. */
    CHECK_INT(sc_rounded_count(0.49999999999999994), 0);
    CHECK_INT(sc_rounded_count(7), 7);
    CHECK_INT(sc_rounded_count(0x1p40 - 0.25), (int64_t)1 << 40);
}

TEST(rounded_count_stays_in_its_range)
{
    CHECK_INT(sc_rounded_count(-3), 0);
    CHECK_INT(sc_rounded_count((double)NAN), 0);
    CHECK_INT(sc_rounded_count((double)INFINITY), (int64_t)1 << 40);
    CHECK_INT(sc_rounded_count(1e300), (int64_t)1 << 40);
    CHECK_INT(sc_rounded_count(-(double)INFINITY), 0);
}

TEST(simplex_fit_is_the_nearest_point)
{
    const double y[] = {5, -3, 2, 0.5};
    double m[4];
    REQUIRE_OK(sc_simplex_fit(y, 4, 4, m, NULL));
    CHECK(m[0] == 3.5 && m[1] == 0 && m[2] == 0.5 && m[3] == 0);
    REQUIRE_OK(sc_simplex_fit(y, 4, 13.5, m, NULL));
    CHECK(m[0] == 7 && m[1] == 0 && m[2] == 4 && m[3] == 2.5);
}

TEST(simplex_fit_spreads_what_is_missing)
{
    const double y[] = {-1, -1, -1, -1};
    double m[4];
    REQUIRE_OK(sc_simplex_fit(y, 4, 10, m, NULL));
    for (int i = 0; i < 4; i++)
        CHECK(m[i] == 2.5);
    REQUIRE_OK(sc_simplex_fit(y, 1, 3, m, NULL));
    CHECK(m[0] == 3);
}

TEST(simplex_fit_survives_without_memory)
{
    const double y[] = {1, 2};
    double m[2];
    FAULT_LOOP(fault)
    CHECK(sc_simplex_fit(y, 2, 3, m, NULL) == (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
}
