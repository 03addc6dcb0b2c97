/* One coin with probability exp(-n/d), from integers alone.
 *
 * Claim  bernoulli-exp.exact  1 with probability exactly exp(-n/d), for every rational
 *                             n/d >= 0
 *
 * Reference (Canonne, Kamath, Steinke 2020; spec/mechanisms.md 1.4): for n <= d the loop
 * below passes its j-th turn with probability (n/d)^j / j!, so that it ends on an odd
 * turn with probability sum (-n/d)^j / j!. A larger exponent is a product of such coins.
 * The fast coin, sc_exp_coin, compares one word with the binary digits of exp(-x).
 *
 * The widths differ in the size of d that they take; law and bits taken are the same.
 */
#ifndef SC_SAMPLING_BERNOULLI_EXP_H
#define SC_SAMPLING_BERNOULLI_EXP_H

#include "sampling/bernoulli.h"
#include "sampling/threshold_table.h"

/* d k stays below the width's maximum for every k that patience allows (8192 = 2^13). */
#define SC_EXP_64_BITS 51
#define SC_EXP_128_BITS 115

/* exp(-n/d), n <= d < 2^51. */
SCRIM_MUST_USE static inline scrim_status sc_bernoulli_exp01_64(sc_bits *bits, uint64_t n,
                                                                uint64_t d, bool *out,
                                                                scrim_error *error)
{
    for (uint64_t k = 1; k < SC_BITS_PATIENCE; k++) {
        bool pass = false;
        scrim_status status = sc_bernoulli_64(bits, n, d * k, &pass, error);
        if (status != SCRIM_OK)
            return status;
        if (!pass) {
            *out = k & 1;
            return SCRIM_OK;
        }
    }
    return sc_bits_broken(error);
}

/* exp(-n/d), any n, d < 2^51. */
SCRIM_MUST_USE scrim_status sc_bernoulli_exp_64(sc_bits *bits, uint64_t n, uint64_t d,
                                                bool *out, scrim_error *error);
/* exp(-n/d), any n, d < 2^115. */
SCRIM_MUST_USE scrim_status sc_bernoulli_exp_128(sc_bits *bits, sc_uint128 n,
                                                 sc_uint128 d, bool *out,
                                                 scrim_error *error);
/* exp(-n/d), any n >= 0, d >= 1 of at most 3 * SC_RATIO_BITS bits. */
SCRIM_MUST_USE scrim_status sc_bernoulli_exp_integer(sc_bits *bits, const sc_integer *n,
                                                     const sc_integer *d, bool *out,
                                                     scrim_error *error);
/* n <= d, for callers that know it. */
SCRIM_MUST_USE scrim_status sc_bernoulli_exp01_integer(sc_bits *bits, const sc_integer *n,
                                                       const sc_integer *d, bool *out,
                                                       scrim_error *error);

/* exp(-x) prepared: the first of two cells of a threshold table. It stays where it is. */
typedef struct sc_exp_coin {
    sc_threshold_table table;
    sc_ratio x;
    bool is_sure; /* x = 0: there is no table */
} sc_exp_coin;

/* x >= 0. */
SCRIM_MUST_USE scrim_status sc_exp_coin_init(sc_exp_coin *coin, const sc_ratio *x,
                                             scrim_error *error);
void sc_exp_coin_clear(sc_exp_coin *coin);
SCRIM_MUST_USE scrim_status sc_exp_coin_toss(sc_bits *bits, const sc_exp_coin *coin,
                                             bool *out, scrim_error *error);

#endif
