#include "sampling/law.h"

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

static void support(const sc_law *law, sc_int128 *low, sc_int128 *high)
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
                                           .support = support};
const sc_law_functions sc_bernoulli_exp_law = {.pmf = exponential_pmf,
                                               .at_most = exponential_at_most,
                                               .at_least = exponential_at_least,
                                               .mean = exponential,
                                               .variance = exponential_variance,
                                               .support = support};
