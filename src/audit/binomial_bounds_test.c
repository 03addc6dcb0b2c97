#include "audit/bounds.h"
#include "check.h"

#include <math.h>

/* C(n, k) p^k (1-p)^(n-k), for small n. */
static long double term(uint64_t k, uint64_t n, long double p)
{
    long double value = 1;
    for (uint64_t i = 0; i < k; i++)
        value *= (long double)(n - i) / (long double)(i + 1) * p;
    for (uint64_t i = k; i < n; i++)
        value *= 1 - p;
    return value;
}

TEST(binomial_tails_are_their_sums)
{
    const double probabilities[] = {1e-6, 0.001, 0.1, 0.37, 0.5, 0.9, 0.9999};
    for (uint64_t n = 1; n <= 40; n++)
        for (size_t i = 0; i < sizeof probabilities / sizeof *probabilities; i++) {
            const double p = probabilities[i];
            long double below = 0;
            for (uint64_t k = 0; k <= n; k++) {
                long double above = 0;
                for (uint64_t j = n + 1; j-- > k;)
                    above += term(j, n, (long double)p);
                below += term(k, n, (long double)p);
                CHECK_NEAR(sc_binomial_at_least(k, n, p), (double)above, 1e-9);
                CHECK_NEAR(sc_binomial_at_most(k, n, p), (double)below, 1e-9);
            }
        }
}

/* Where all succeed or none the bounds have a closed form. */
TEST(binomial_bounds_of_all_and_none)
{
    const double failures[] = {0.05, 1e-9, 1e-30};
    for (size_t i = 0; i < 3; i++)
        for (uint64_t n = 1; n <= 10000000; n *= 10) {
            const double root = pow(failures[i], 1 / (double)n);
            CHECK_NEAR(sc_binomial_lower(n, n, failures[i]), root, 2e-6);
            CHECK_NEAR(sc_binomial_upper(0, n, failures[i]),
                       -expm1(log(failures[i]) / (double)n), 2e-6);
            CHECK(sc_binomial_lower(0, n, failures[i]) == 0);
            CHECK(sc_binomial_upper(n, n, failures[i]) == 1);
        }
}

/* The probability that a bound is wrong, exactly, for every p of a grid. */
TEST(binomial_bounds_are_seldom_wrong)
{
    CLAIM("binomial-bounds.cover");
    const double failures[] = {0.2, 0.01, 1e-6};
    double worst = 0, lower[31], upper[31];
    for (size_t i = 0; i < 3; i++)
        for (uint64_t n = 1; n <= 30; n++) {
            for (uint64_t k = 0; k <= n; k++) {
                lower[k] = sc_binomial_lower(k, n, failures[i]);
                upper[k] = sc_binomial_upper(k, n, failures[i]);
            }
            for (int at = 1; at < 200; at++) {
                const double p = at / 200.0;
                long double too_high = 0, too_low = 0;
                for (uint64_t k = 0; k <= n; k++) {
                    too_high += lower[k] > p ? term(k, n, (long double)p) : 0;
                    too_low += upper[k] < p ? term(k, n, (long double)p) : 0;
                }
                CHECK(too_high <= (long double)failures[i]);
                CHECK(too_low <= (long double)failures[i]);
                worst = fmax(worst, (double)too_high / failures[i]);
            }
        }
    CHECK(worst > 0.9); /* and they are no wider than that asks for */
}
