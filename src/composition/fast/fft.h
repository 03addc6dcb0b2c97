/* A transform for products of real polynomials, whose rounding error is proved.
 *
 * A real polynomial x of n = 2N coefficients is evaluated at the N points t with t^N = i; the
 * other roots of t^n = -1 are their conjugates and tell nothing new. So products of values are
 * products of polynomials modulo t^n + 1: what runs over the end comes back from the beginning,
 * with the other sign. n real numbers are transformed at the price of N complex ones, in place:
 * coefficients j and N + j make the complex number x[j] + i x[N + j], which is x modulo t^N - i.
 *
 * With u = 2^-53, levels = log2 N, rounding to nearest and no fused operations:
 *
 * Claim  fft.roots    each root of unity is stored within 0.75 u of the true one
 * Claim  fft.forward  each value is within ((1 + 5u)^levels - 1) sum |x_j| of the true one
 * Claim  fft.power    a k-th power by sc_fft_power is within a factor (1 + 3u)^k of the true one,
 *                     or 0 where its modulus is below 2^-SC_FFT_CUT
 * Claim  fft.inverse  the error has a 2-norm of at most ((1 + 5u)^levels - 1) times that of the
 *                     true result, which is at most the largest modulus of a value
 *
 * as long as nothing is below 2^-900 in size but 0 (else, in all of them, add 2^-800 times the
 * larger of 1 and the sum of sizes). The proof is in docs/accounting.md. Callers stand between
 * sc_ball_enter and sc_ball_leave.
 */
#ifndef SC_COMPOSITION_FFT_H
#define SC_COMPOSITION_FFT_H

#include "base/number/ball.h"
#include "base/status.h"

typedef struct sc_fft {
    unsigned levels;       /* log2 of half */
    size_t half;           /* N */
    double *cosine, *sine; /* roots of all levels but the last: see fft.c */
    size_t kept;           /* how many roots each of the two has */
    struct sc_fft_tables *tables;
} sc_fft;

#define SC_FFT_LOG_MIN 2
#define SC_FFT_LOG_MAX 24
#define SC_FFT_CUT 80

void sc_fft_init(sc_fft *fft);
void sc_fft_clear(sc_fft *fft);
/* For n = 2^log points, SC_FFT_LOG_MIN <= log <= SC_FFT_LOG_MAX: nothing to do if it is for as many
 * already. SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_fft_prepare(sc_fft *fft, unsigned log, scrim_error *error);

/* From n coefficients to N values, real parts first; in an order of their own. */
void sc_fft_forward(const sc_fft *fft, double *x);
/* And back: N times the true inverse divided by N, exactly. */
void sc_fft_inverse(const sc_fft *fft, double *x);
/* Each value to its power, count >= 1, by multiplications. Sizes must not exceed 1 by much. */
void sc_fft_power(const sc_fft *fft, double *x, uint64_t count);
/* x becomes the product with y. */
void sc_fft_multiply(const sc_fft *fft, double *x, const double *y);

/* The bound of a transform: (1 + 5u)^levels - 1. */
void sc_fft_error(const sc_fft *fft, sc_ball *out);

#endif
