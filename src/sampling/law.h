/* Laws of distributions on the integers, and the powers that most of them are made of. */
#ifndef SC_SAMPLING_LAW_H
#define SC_SAMPLING_LAW_H

#include "base/number/ball.h"

/* exp(-k/scale) and sums of it: what the laws of the Laplace family are made of. */

/* exp(-k/scale), any k. */
void sc_decay(const sc_ratio *scale, sc_int128 k, long bits, sc_ball *out);
/* 1 - exp(-k/scale), k >= 0, without cancellation. */
void sc_decay_rest(const sc_ratio *scale, sc_int128 k, long bits, sc_ball *out);
/* sum over i = 0..last of i^order exp(-i/scale), order 0, 1 or 2, last >= 0. */
void sc_decay_sum(const sc_ratio *scale, sc_int128 last, int order, long bits,
                  sc_ball *out);
/* 1/(2 sinh(1/(2 scale)))^2 = p/(1-p)^2: the variance of the geometric law. */
void sc_decay_spread(const sc_ratio *scale, long bits, sc_ball *out);

/* Exact facts about a law on the integers: probabilities, tails, moments,
 * quantiles.
 *
 * A law is a constant of functions beside its sampler (x_law.c) and the parameters they
 * take. Answers have about the precision asked for, relative to the value where it is a
 * probability: a tail is summed from its own first term, never taken as 1 - cdf.
 *
 * Claim  law.encloses  every answer is a ball that holds the true value
 */

typedef struct sc_law sc_law;

/* A law that is symmetric about 0 gives at_least for k >= 1 only, and neither at_most nor mean:
 * they follow. */
typedef struct sc_law_functions {
    bool is_symmetric;
    void (*pmf)(const sc_law *law, sc_int128 k, long bits, sc_ball *out);
    void (*at_most)(const sc_law *law, sc_int128 k, long bits, sc_ball *out);
    void (*at_least)(const sc_law *law, sc_int128 k, long bits, sc_ball *out);
    void (*mean)(const sc_law *law, long bits, sc_ball *out);
    void (*variance)(const sc_law *law, long bits, sc_ball *out);
    /* The ends of the support; SC_INT128_MIN and _MAX stand for none. */
    void (*support)(const sc_law *law, sc_int128 *low, sc_int128 *high);
} sc_law_functions;

struct sc_law {
    const sc_law_functions *functions;
    sc_ratio shape;      /* scale, variance, p, x or epsilon */
    sc_int128 bound;     /* bound, n or q, where the law has one */
    const void *context; /* what else it takes, by its kind; NULL: nothing */
};

void sc_law_init(sc_law *law, const sc_law_functions *functions, const sc_ratio *shape,
                 sc_int128 bound);
void sc_law_clear(sc_law *law);

/* P(X = k), P(X <= k), P(X >= k), P(low <= X <= high); any integers of at most 2^120. */
void sc_law_pmf(const sc_law *law, sc_int128 k, long bits, sc_ball *out);
void sc_law_at_most(const sc_law *law, sc_int128 k, long bits, sc_ball *out);
void sc_law_at_least(const sc_law *law, sc_int128 k, long bits, sc_ball *out);
void sc_law_between(const sc_law *law, sc_int128 low, sc_int128 high, long bits,
                    sc_ball *out);
void sc_law_mean(const sc_law *law, long bits, sc_ball *out);
void sc_law_variance(const sc_law *law, long bits, sc_ball *out);

/* The smallest k with P(X <= k) >= p, 0 < p < 1. Two numbers that agree to 8192 bits are
 * taken as equal, which for the laws here they then are. SCRIM_E_LIMIT at or beyond +-2^120. */
SCRIM_MUST_USE scrim_status sc_law_quantile(const sc_law *law, const sc_ratio *p,
                                            sc_int128 *out, scrim_error *error);
/* The smallest a >= 0 with P(|X| > a) <= beta, 0 < beta < 1. */
SCRIM_MUST_USE scrim_status sc_law_radius(const sc_law *law, const sc_ratio *beta,
                                          sc_int128 *out, scrim_error *error);

/* The laws, each beside its sampler. shape and bound as in the distribution's name. */
extern const sc_law_functions sc_uniform_law;           /* bound n */
extern const sc_law_functions sc_bernoulli_law;         /* shape p */
extern const sc_law_functions sc_bernoulli_exp_law;     /* shape x */
extern const sc_law_functions sc_geometric_law;         /* shape scale */
extern const sc_law_functions sc_discrete_laplace_law;  /* shape scale */
extern const sc_law_functions sc_discrete_gaussian_law; /* shape variance */
extern const sc_law_functions sc_truncated_laplace_law; /* shape scale, bound */
extern const sc_law_functions sc_clamped_laplace_law;   /* shape scale, bound */
extern const sc_law_functions sc_shifted_laplace_law;   /* shape epsilon, bound q */
/* The sum of m of h shares of discrete Laplace noise: shape scale, bound SC_SHARES_BASE m + h. */
#define SC_SHARES_BASE ((sc_int128)1 << 32)
extern const sc_law_functions sc_laplace_share_law;

#endif
