/* One coin with a rational probability.
 *
 * Claim  bernoulli.exact   1 with probability exactly n/d
 * Claim  bernoulli.secret  sc_randomise_bit executes the same instructions and touches the
 *                          same memory whatever the secret and the coin
 *
 * Reference (spec/mechanisms.md 1.3): uniform below d, compared with n; the fraction is
 * used as given, which fixes the bits that are taken. sc_coin_toss compares one word
 * with the first 64 binary digits of n/d and goes on only when they agree.
 *
 * sc_randomise_bit is a coin that is folded into a secret bit without a branch or an index
 * (THREATS A52).
 */
#ifndef SC_SAMPLING_BERNOULLI_H
#define SC_SAMPLING_BERNOULLI_H

#include "base/number/ratio.h"
#include "sampling/uniform.h"

/* 0 <= n <= d, d >= 1. */
SCRIM_MUST_USE static inline scrim_status
sc_bernoulli_64(sc_bits *bits, uint64_t n, uint64_t d, bool *out, scrim_error *error)
{
    uint64_t value = 0;
    scrim_status status = sc_uniform_64(bits, d, &value, error);
    if (status == SCRIM_OK)
        *out = value < n;
    return status;
}

SCRIM_MUST_USE scrim_status sc_bernoulli_128(sc_bits *bits, sc_uint128 n, sc_uint128 d,
                                             bool *out, scrim_error *error);
SCRIM_MUST_USE scrim_status sc_bernoulli_integer(sc_bits *bits, const sc_integer *n,
                                                 const sc_integer *d, bool *out,
                                                 scrim_error *error);

/* A probability prepared for sc_coin_toss. */
typedef struct sc_coin {
    sc_integer remainder; /* n 2^64 mod d */
    sc_integer d;
    uint64_t digits; /* floor(n 2^64 / d) */
    bool is_sure;    /* n = d */
} sc_coin;

void sc_coin_init(sc_coin *coin, const sc_ratio *p); /* 0 <= p <= 1 */
void sc_coin_clear(sc_coin *coin);
SCRIM_MUST_USE scrim_status sc_coin_toss(sc_bits *bits, const sc_coin *coin, bool *out,
                                         scrim_error *error);

/* Is a uniform real in [0, 1), of which word is the first 64 binary digits, below n/d?
 * Decided exactly, with further bits where the first digits agree; 0 <= n < d. */
SCRIM_MUST_USE scrim_status sc_bernoulli_settle(sc_bits *bits, uint64_t word,
                                                const sc_integer *n, const sc_integer *d,
                                                bool *out, scrim_error *error);

/* Keeps the secret bit with probability keep / 2^62, else flips it. One word, no
 * branch. */
SCRIM_MUST_USE scrim_status sc_randomise_bit(sc_bits *bits, uint64_t keep,
                                             unsigned secret, unsigned *out,
                                             scrim_error *error);

/* A rational n/d >= 0 taken apart for samplers: big integers, and machine words where they
 * fit. */

typedef struct sc_fraction {
    sc_integer n, d;   /* d >= 1 */
    uint64_t n64, d64; /* the same, when is_small */
    bool is_small;     /* n and d are below 2^50 */
} sc_fraction;

#define SC_FRACTION_SMALL_BITS 50

/* In lowest terms. */
void sc_fraction_init(sc_fraction *out, const sc_ratio *value);
/* n/d as given, not reduced. */
void sc_fraction_init_integers(sc_fraction *out, const sc_integer *n,
                               const sc_integer *d);
void sc_fraction_clear(sc_fraction *x);

#endif
