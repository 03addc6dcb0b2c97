/* The exponential mechanism in base two: all probabilities are rational.
 *
 * Input       scores s_i of N >= 1 public candidates, whole numbers of steps from lower to upper,
 *             each of sensitivity D
 * Output      the index i with probability 2^-m_i / sum_j 2^-m_j, m_i = min(M, c (max_j s_j - s_i))
 * Neighbours  add-remove or replace, for which D holds; monotone only under add-remove
 * Claim       base2-exponential.privacy   pure, with epsilon = 2 c D ln 2, or c D ln 2 where scores
 *                                         are monotone, and of bounded range; what is charged is
 *                                         this number, at most the epsilon that was asked for
 * Claim       base2-exponential.exact     the law of a choice is exactly that
 * Claim       base2-exponential.accuracy  the score is within the radius of the best with the
 *                                         stated probability
 * Time        three looks at every score and some three random words, whatever the scores
 * Reference   Ilvento 2020; spec/mechanisms.md 5.6
 *
 * c is the largest number of halvings a step that epsilon pays for; one must be affordable. M is
 * public: c times the range of the scores or, where that exceeds 2^20, the largest multiple of c
 * that does not. That caps scores at max - M / c, which keeps D and monotony.
 *
 * How. By weight (by_weight.h): 2^(62 - m_i), and 1 where that would be less; such a candidate is
 * kept when m_i - 62 fair bits are all 0.
 */
#ifndef SC_MECHANISM_SELECTION_BASE2_EXPONENTIAL_H
#define SC_MECHANISM_SELECTION_BASE2_EXPONENTIAL_H

#include "mechanism/selection/scores.h"

extern const sc_mechanism sc_base2_exponential;

#define SC_BASE2_HALVINGS_MAX ((uint64_t)1 << 20)

typedef struct sc_base2 {
    uint64_t halvings; /* c >= 1 */
    uint64_t reach;    /* M / c: gaps beyond count as this */
} sc_base2;

/* m of a gap, at most 2^20. */
static inline uint64_t sc_base2_exponent(const sc_base2 *base2, uint64_t gap)
{
    const uint64_t reach = base2->reach;
    return base2->halvings * sc_mask_select(sc_mask(gap < reach), gap, reach);
}

SCRIM_MUST_USE scrim_status sc_base2_choose(sc_bits *bits, const sc_base2 *base2,
                                            const int64_t *scores, size_t count,
                                            size_t *out, scrim_error *error);
/* The plain implementation of the specification: one uniform integer below the sum of 2^(M - m_i), for an
 * M of at most SC_BASE2_REFERENCE; else SCRIM_E_LIMIT. */
#define SC_BASE2_REFERENCE 8192
SCRIM_MUST_USE scrim_status sc_base2_reference(sc_bits *bits, const sc_base2 *base2,
                                               const int64_t *scores, size_t count,
                                               size_t *out, scrim_error *error);

/* The exact law: out[i] is the probability of candidate i. */
void sc_base2_probabilities(const sc_base2 *base2, const int64_t *scores, size_t count,
                            long bits, sc_ball *out);

#endif
