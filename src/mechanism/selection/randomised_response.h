/* Randomised response: each person's value, kept with a known probability, else another.
 *
 * Input       values of 0..k-1, one a person; k = values, 2 unless given
 * Output      each value x with probability p = keep, each other one with (1 - p)/(k - 1)
 * Neighbours  local (any two values of one person) or replace; a person's value is hidden, that
 *             they answered is not, so that add-remove is refused
 * Claim       randomised-response.privacy   pure, with epsilon = ln(p (k-1) / (1-p)); tight
 * Claim       randomised-response.exact     the law is exactly that: p = n/d is rational, by
 *                                           keep=n/d, or from epsilon with d = 2^62 and n rounded
 *                                           down, so that no more is spent than was asked for
 * Claim       randomised-response.secret    the same instructions and addresses for every value
 *                                           and every answer
 * Claim       randomised-response.estimate  the estimate of a frequency is unbiased; the radius
 *                                           shown holds for all frequencies of a release
 *                                           together, each brought into [0, 1]; by
 *                                           Chernoff's bound on the exact law, 1.2 to 1.6 times
 *                                           as wide as its quantile
 * Reference   Warner 1965; Kairouz, Oh, Viswanath 2014; spec/mechanisms.md 6;
 *             spec/local-and-accounting.md 1.1, 1.2
 *
 * The form of two coins, by which 3/4 of the answers are true, is keep=3/4: epsilon is ln 3.
 *
 * How. One coin of p, and one number j below k - 1, both drawn whatever comes of them: the answer
 * is x if the coin fell so, else j, or j + 1 from x on. A uniform number is drawn anew when it is
 * too large, which tells nothing of the one that is kept.
 *
 * Estimate. A value v of frequency f is reported with frequency (1-p)/(k-1) + f (kp-1)/(k-1) on
 * average. From c reports of v among n: f = ((k-1) d c - n (d - n_keep)) / (n (k n_keep - d)),
 * p = n_keep/d. By Hoeffding it is off by more than sqrt(ln(2/b) / (2n)) (k-1)/(kp-1) with
 * probability at most b; b is beta for two values, whose frequencies err together, else beta/k.
 * To bring an estimate into [0, 1], where the truth is, takes it no farther from it; and then it
 * is off by at most 1.
 */
#ifndef SC_MECHANISM_SELECTION_RANDOMISED_RESPONSE_H
#define SC_MECHANISM_SELECTION_RANDOMISED_RESPONSE_H

#include "model/measurement.h"

extern const sc_mechanism sc_randomised_response;

/* n/d and k: 1/k < n/d < 1, d <= 2^62, 2 <= k <= 2^30. */
typedef struct sc_response {
    uint64_t keep;  /* n */
    uint64_t whole; /* d */
    uint64_t values;
} sc_response;

#define SC_RESPONSE_BITS 62

/* The answer of one person whose value is x < k. */
SCRIM_MUST_USE scrim_status sc_response_draw(sc_bits *bits, const sc_response *response,
                                             uint64_t x, uint64_t *out,
                                             scrim_error *error);
/* The plain implementation of the specification, for (k-1) d < 2^63: one number below (k-1) d. */
SCRIM_MUST_USE scrim_status sc_response_reference(sc_bits *bits,
                                                  const sc_response *response, uint64_t x,
                                                  uint64_t *out, scrim_error *error);

/* The unbiased estimate of a value's frequency, from count reports of it among all >= 1. It may
 * lie outside of [0, 1]; of two values, that of 1 is the mean. What was released goes in, so it
 * costs nothing. */
void sc_response_estimate(const sc_response *response, uint64_t count, uint64_t all,
                          sc_ratio *out);
const sc_response *sc_response_of(const scrim_measurement *measurement);

#endif
