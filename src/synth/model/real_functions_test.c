#include "check.h"
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
