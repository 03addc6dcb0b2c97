/* A ladder of integer weights: the exponential mechanism without an exponential.
 *
 * Rung j, from 0 to top, stands for exp(-step j) up to a common factor. Weights are integers,
 * computed from the top down, each by one multiplication and one floor:
 *
 *     w[top] = 2^32,   w[j] = floor(w[j+1] ratio / 2^200),   ratio = floor(exp(step) 2^200) - 1
 *
 * Nothing is stored: a climb computes the weights again as it goes, so that the size of a
 * ladder is not one of memory.
 *
 * Claim  ladder.private  w[j+1] <= w[j] <= exp(step) w[j+1] for every j, as real numbers: a
 *                        score that moves by d rungs moves a weight by at most exp(d step).
 *                        Held in integers against another approximation of exp(step) when a
 *                        ladder is built: SCRIM_E_INTERNAL if it ever failed
 * Claim  ladder.again    one that this thread has built lately is not held against it again, and counts as
 *                        the same work: what ends a question does not depend on those before
 *
 * Reference  spec/floating-body.md 4.3
 */
#ifndef SC_MECHANISM_SELECTION_LADDER_H
#define SC_MECHANISM_SELECTION_LADDER_H

#include "base/checked.h"
#include "base/number/parameters.h"
#include "base/status.h"

/* SCRIM_E_LIMIT above this many rungs: a climb of them takes about a tenth of a second. */
#define SC_LADDER_TOP_MAX ((uint64_t)1 << 24)
/* exp(step top) is below 2^94, so that weights stay below 2^127. */
#define SC_LADDER_WEIGHT_BITS 127
#define SC_LADDER_TOP_WEIGHT ((sc_uint128)1 << 32)
#define SC_LADDER_FRACTION 200

/* For the lists of parameters: an epsilon of which a step is at most half. */
#define SC_PARAMETER_LADDER_EPSILON                                                      \
    {                                                                                    \
        .name = "epsilon", .kind = SC_PARAMETER_RATIONAL, .above = "0",                  \
        .limit_high = "20", .domain = "a rational above 0 and at most 20"                \
    }

typedef struct sc_ladder {
    uint64_t ratio[4]; /* least significant first */
    uint64_t top;
    sc_uint128 highest; /* the weight of rung 0 */
} sc_ladder;

/* step in (0, 10]. SCRIM_E_LIMIT when top is above SC_LADDER_TOP_MAX, or a weight would
 * reach 2^127. */
SCRIM_MUST_USE scrim_status sc_ladder_init(sc_ladder *ladder, const sc_ratio *step,
                                           uint64_t top, scrim_error *error);

/* The least top with exp(-step top) <= least, 0 < least < 1: ceil(ln(1/least) / step).
 * SCRIM_E_LIMIT when it is above SC_LADDER_TOP_MAX. */
SCRIM_MUST_USE scrim_status sc_ladder_top(const sc_ratio *step, const sc_ratio *least,
                                          uint64_t *out, scrim_error *error);

/* floor(exp(step) 2^fraction) in `count` words, least significant first; step > 0. SCRIM_E_INTERNAL where it has more. */
SCRIM_MUST_USE scrim_status sc_ladder_exp(const sc_ratio *step, unsigned fraction,
                                          uint64_t *words, int count, scrim_error *error);

/* The weight one rung below (towards 0) one of weight w. */
static inline sc_uint128 sc_ladder_next(const sc_ladder *ladder, sc_uint128 w)
{
    const uint64_t low = (uint64_t)w, high = (uint64_t)(w >> 64);
    const uint64_t *r = ladder->ratio;
    uint64_t product[6];
    sc_uint128 carry = 0;
    for (int i = 0; i < 4; i++) {
        carry += (sc_uint128)low * r[i];
        product[i] = (uint64_t)carry;
        carry >>= 64;
    }
    product[4] = (uint64_t)carry;
    carry = 0;
    for (int i = 0; i < 4; i++) {
        carry += (sc_uint128)high * r[i] + product[i + 1];
        product[i + 1] = (uint64_t)carry;
        carry >>= 64;
    }
    product[5] = (uint64_t)carry;
    /* 200 = 3 words and 8 bits. */
    uint64_t first = product[3] >> 8 | product[4] << 56;
    uint64_t second = product[4] >> 8 | product[5] << 56;
    return (sc_uint128)second << 64 | first;
}

/* The lowest rung j whose weight is at most limit, so that all above it are too; top + 1 when
 * not even the top is. */
uint64_t sc_ladder_rung(const sc_ladder *ladder, sc_uint128 limit);

#endif
