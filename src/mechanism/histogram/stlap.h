/* A histogram that only ever loses elements: shifted truncated Laplace noise on each of its bars.
 *
 * Input       the number of elements of each bar, integers from 0 on; above 2^62 they count as that,
 *             and what is no integer as 0
 * Output      y = max(0, x + Z) of each bar, P(Z = k) proportional to exp(-e |k + q/2|), k = -q..0;
 *             0 stands for a bar that is not shown, and an empty bar never is
 * Neighbours  add-remove: one unit, of at most group elements (1 unless given), is there or not;
 *             replace: it has other elements, and how many elements there are in all is public
 * Claim       stlap.privacy   (epsilon, delta)-DP, e = epsilon / (sides group), with one side under
 *                             add-remove and two under replace:
 *                             delta = 1 - (1 - P(Z > -group))^sides, exact. A delta that was given
 *                             is charged as it was given, and q is the least that meets it. Of a
 *                             group of one the curve is exact, and attained
 * Claim       stlap.accuracy  x - q <= y <= x always
 * Claim       stlap.exact     the bars are independent, and each has exactly the law above (or,
 *                             with sampler=table, that of stlap_noise.h)
 * Claim       stlap.dense     with mode=dense (unless given) noise is drawn for every bar, empty or
 *                             not, before any count is read, and no branch depends on a count
 * Time        dense: depends on the noise alone, or with sampler=table on nothing
 * Reference   spec/flexible-accuracy.md 5, 6 (V1 and V2)
 *
 * epsilon and delta are what is charged, as everywhere. With mode=sparse noise is drawn for bars
 * that are not empty alone: the answer has the same law, but the time and the number of random bits
 * tell how many there are. Only the emitted bars are protected.
 *
 * q is a parameter, or follows from epsilon and delta: never from the data. A q that grows with the
 * number of elements moves the noise of every bar when one element is added, which breaks the claim
 * (spec/flexible-accuracy.md 6; size_estimate.h for the way out).
 */
#ifndef SC_MECHANISM_HISTOGRAM_STLAP_H
#define SC_MECHANISM_HISTOGRAM_STLAP_H

#include "mechanism/histogram/stlap_noise.h"
#include "model/measurement.h"

extern const sc_mechanism sc_stlap;

/* The noise of such a measurement. */
typedef struct sc_stlap_state {
    sc_ratio epsilon; /* e, of the noise */
    uint64_t q, group;
    unsigned sides;
    bool is_sparse;
    sc_stlap_sampler sampler;
} sc_stlap_state;

const sc_stlap_state *sc_stlap_state_of(const scrim_measurement *measurement);
/* No bar loses more. */
uint64_t sc_stlap_q(const scrim_measurement *measurement);

/* y = max(0, min(x, 2^62) + noise) for each bar, without a branch; y may be noise itself. */
void sc_stlap_apply(const int64_t *x, const int64_t *noise, size_t count, int64_t *y);
/* Noise for every bar, then y: the dense release. On failure y is wiped. */
SCRIM_MUST_USE scrim_status sc_stlap_dense(sc_bits *bits, const sc_stlap_sampler *sampler,
                                           const int64_t *x, size_t count, int64_t *y,
                                           scrim_error *error);
/* Noise for the bars with x > 0 only. */
SCRIM_MUST_USE scrim_status sc_stlap_sparse(sc_bits *bits,
                                            const sc_stlap_sampler *sampler,
                                            const int64_t *x, size_t count, int64_t *y,
                                            scrim_error *error);
/* Releases some of the bars: y from x, as the two above do. */
typedef scrim_status sc_stlap_part(sc_bits *bits, const sc_stlap_sampler *sampler,
                                   const int64_t *x, size_t count, int64_t *y,
                                   scrim_error *error);
/* Appends a value for each bar of the input to out, by parts of a fixed size. On failure the values
 * of out are wiped. */
SCRIM_MUST_USE scrim_status sc_stlap_draw(sc_bits *bits, const sc_stlap_sampler *sampler,
                                          sc_stlap_part *draw_part,
                                          const sc_private_input *input, sc_draw *out,
                                          scrim_error *error);
/* The law of one bar of x elements, by an sc_stlap_sampler: sc_outcomes_each lists it. */
SCRIM_MUST_USE scrim_status sc_stlap_bar_law(const void *sampler, int64_t x, long bits,
                                             sc_outcomes *out, scrim_error *error);

#endif
