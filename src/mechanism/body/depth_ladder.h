/* Weights for very many scores: the ladder of quantile/ladder.h without its limit of 127 bits.
 *
 *     w[0] = 2^32,   w[s + 1] = floor(w[s] ratio / 2^200),   ratio = floor(exp(step) 2^200) - 1
 *
 * Score s stands for exp(step s) up to a common factor. Weights are integers of as many words as they need. They depend
 * on step and top alone, which are public, and are computed once.
 *
 * Claim  depth-ladder.private  w[s] <= w[s + 1] <= exp(step) w[s] for every s, as real numbers; held in integers against another
 *                              approximation of exp(step) when a ladder is built: SCRIM_E_INTERNAL if it ever failed
 * Claim  depth-ladder.exact    a draw has score s and a place below counts[s] with probability exactly w[s] over the sum of all
 *                              w[s] counts[s]
 *
 * Reference  spec/floating-body.md 4.3, spec/papers-additions.md 4.2
 */
#ifndef SC_MECHANISM_BODY_DEPTH_LADDER_H
#define SC_MECHANISM_BODY_DEPTH_LADDER_H

#include "base/number/ratio.h"
#include "base/status.h"
#include "random/bits.h"

/* Words of all weights together, 64 MB. */
#define SC_DEPTH_LADDER_WORDS ((size_t)1 << 23)

typedef struct sc_depth_ladder {
    uint64_t top;    /* the highest score */
    size_t *starts;  /* of the weight of a score among the words; and the end */
    uint64_t *words; /* least significant first, the last of a weight other than 0 */
    size_t capacity; /* of words */
} sc_depth_ladder;

/* step in (0, 20]. SCRIM_E_LIMIT above SC_DEPTH_LADDER_WORDS, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_depth_ladder_init(sc_depth_ladder *ladder,
                                                 const sc_ratio *step, uint64_t top,
                                                 scrim_error *error);
void sc_depth_ladder_clear(sc_depth_ladder *ladder); /* also of zeros */

/* The weight of a score, and how many bits a sum of all weights, each times fewer than 2^64, has at most. */
void sc_depth_ladder_weight(const sc_depth_ladder *ladder, uint64_t score,
                            sc_integer *out);
long sc_depth_ladder_bits(const sc_depth_ladder *ladder);

/* A score and a place below counts[score]. counts has top + 1 numbers, not all of them 0. Every score is looked at, whatever is
 * drawn. SCRIM_E_MEMORY, SCRIM_E_ENTROPY. */
SCRIM_MUST_USE scrim_status sc_depth_ladder_draw(const sc_depth_ladder *ladder,
                                                 sc_bits *bits, const uint64_t *counts,
                                                 uint64_t *score, uint64_t *place,
                                                 scrim_error *error);

#endif
