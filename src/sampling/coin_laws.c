/* The laws of the uniform, Bernoulli and geometric distributions. */
#include "sampling/law.h"

static void over_n(const sc_law *law, sc_int128 numerator, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, n);
    sc_ball_set_int128(&n, law->bound);
    sc_ball_set_int128(out, numerator);
    sc_ball_div(out, out, &n, bits);
}

static void uniform_pmf(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    (void)k;
    over_n(law, 1, bits, out);
}

static void uniform_at_most(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    over_n(law, k + 1, bits, out);
}

static void uniform_at_least(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    over_n(law, law->bound - k, bits, out);
}

static void uniform_mean(const sc_law *law, long bits, sc_ball *out)
{
    (void)bits;
    sc_ball_set_int128(out, law->bound - 1);
    sc_ball_mul_power2(out, out, -1);
}

/* (n^2 - 1) / 12 */
static void uniform_variance(const sc_law *law, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, twelve);
    sc_ball_set_int64(&twelve, 12);
    sc_ball_set_int128(out, law->bound);
    sc_ball_mul(out, out, out, bits + 256);
    sc_ball_add_int64(out, out, -1, bits + 256);
    sc_ball_div(out, out, &twelve, bits);
}

static void uniform_support(const sc_law *law, sc_int128 *low, sc_int128 *high)
{
    *low = 0;
    *high = law->bound - 1;
}

const sc_law_functions sc_uniform_law = {.pmf = uniform_pmf,
                                         .at_most = uniform_at_most,
                                         .at_least = uniform_at_least,
                                         .mean = uniform_mean,
                                         .variance = uniform_variance,
                                         .support = uniform_support};

/* P(X = 1). */
typedef void success(const sc_law *law, long bits, sc_ball *out);

static void rational(const sc_law *law, long bits, sc_ball *out)
{
    sc_ball_set_ratio(out, &law->shape, bits);
}

static void exponential(const sc_law *law, long bits, sc_ball *out)
{
    sc_ball_set_ratio(out, &law->shape, bits + 192);
    sc_ball_neg(out, out);
    sc_ball_exp(out, out, bits);
}

/* 1 - P(X = 1) without cancellation: -expm1(-x), or the exact rational. */
static void failure(const sc_law *law, success *of, long bits, sc_ball *out)
{
    if (of == exponential) {
        sc_ball_set_ratio(out, &law->shape, bits + 192);
        sc_ball_neg(out, out);
        sc_ball_expm1(out, out, bits);
        sc_ball_neg(out, out);
        return;
    }
    SC_OWN(sc_ratio, rest);
    sc_ratio_set_int64(&rest, 1);
    sc_ratio_sub(&rest, &rest, &law->shape);
    sc_ball_set_ratio(out, &rest, bits);
}

static void spread(const sc_law *law, success *of, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, other);
    of(law, bits, &other);
    failure(law, of, bits, out);
    sc_ball_mul(out, out, &other, bits);
}

static void bernoulli_support(const sc_law *law, sc_int128 *low, sc_int128 *high)
{
    (void)law;
    *low = 0;
    *high = 1;
}

/* Only k = 0 and k = 1 get here; at_most(0) is a failure, at_least(1) a success. */
#define BERNOULLI_FUNCTIONS(name)                                                        \
    static void name##_pmf(const sc_law *law, sc_int128 k, long bits, sc_ball *out)      \
    {                                                                                    \
        if (k == 1)                                                                      \
            name(law, bits, out);                                                        \
        else                                                                             \
            failure(law, name, bits, out);                                               \
    }                                                                                    \
    static void name##_at_most(const sc_law *law, sc_int128 k, long bits, sc_ball *out)  \
    {                                                                                    \
        (void)k;                                                                         \
        failure(law, name, bits, out);                                                   \
    }                                                                                    \
    static void name##_at_least(const sc_law *law, sc_int128 k, long bits, sc_ball *out) \
    {                                                                                    \
        (void)k;                                                                         \
        name(law, bits, out);                                                            \
    }                                                                                    \
    static void name##_variance(const sc_law *law, long bits, sc_ball *out)              \
    {                                                                                    \
        spread(law, name, bits, out);                                                    \
    }

BERNOULLI_FUNCTIONS(rational)
BERNOULLI_FUNCTIONS(exponential)

const sc_law_functions sc_bernoulli_law = {.pmf = rational_pmf,
                                           .at_most = rational_at_most,
                                           .at_least = rational_at_least,
                                           .mean = rational,
                                           .variance = rational_variance,
                                           .support = bernoulli_support};
const sc_law_functions sc_bernoulli_exp_law = {.pmf = exponential_pmf,
                                               .at_most = exponential_at_most,
                                               .at_least = exponential_at_least,
                                               .mean = exponential,
                                               .variance = exponential_variance,
                                               .support = bernoulli_support};

static void geometric_pmf(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, rest);
    sc_decay_rest(&law->shape, 1, bits, &rest);
    sc_decay(&law->shape, k, bits, out);
    sc_ball_mul(out, out, &rest, bits);
}

static void geometric_at_most(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    sc_decay_rest(&law->shape, k + 1, bits, out);
}

static void geometric_at_least(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    sc_decay(&law->shape, k, bits, out);
}

/* p / (1-p) */
static void geometric_mean(const sc_law *law, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, rest);
    sc_decay_rest(&law->shape, 1, bits, &rest);
    sc_decay(&law->shape, 1, bits, out);
    sc_ball_div(out, out, &rest, bits);
}

static void geometric_variance(const sc_law *law, long bits, sc_ball *out)
{
    sc_decay_spread(&law->shape, bits, out);
}

static void geometric_support(const sc_law *law, sc_int128 *low, sc_int128 *high)
{
    (void)law;
    *low = 0;
    *high = SC_INT128_MAX;
}

const sc_law_functions sc_geometric_law = {.pmf = geometric_pmf,
                                           .at_most = geometric_at_most,
                                           .at_least = geometric_at_least,
                                           .mean = geometric_mean,
                                           .variance = geometric_variance,
                                           .support = geometric_support};
