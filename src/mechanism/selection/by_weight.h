/* A candidate drawn by integer weights and kept by a coin: what the exponential mechanisms share.
 *
 * Candidate i has a weight e_i, which depends on its gap to the best score alone, and a coin. An
 * index is drawn with probability e_i / sum_j e_j and kept when its coin says so; else all is
 * drawn anew. So candidate i is chosen with probability proportional to e_i times that of its
 * coin. Scores are looked at in order and all of them, whatever is drawn, and the uniform number
 * below the sum is one whose time does not tell the sum.
 *
 * Both functions are constants at every call and are inlined: nothing is called for each score.
 */
#ifndef SC_MECHANISM_SELECTION_BY_WEIGHT_H
#define SC_MECHANISM_SELECTION_BY_WEIGHT_H

#include "base/memory.h"
#include "mechanism/selection/scores.h"
#include "sampling/uniform.h"

/* The weight of a gap, at most 2^63 + 4. */
typedef uint64_t sc_weight_of(const void *context, uint64_t gap);
/* The coin of a gap. */
typedef scrim_status sc_weight_keep(const void *context, sc_bits *bits, uint64_t gap,
                                    bool *out, scrim_error *error);

/* Weights are added up in this many parts; only the part that holds the one drawn is read again. */
#define SC_WEIGHT_PARTS 64

/* Sums that come one after the other, and the place in them of z: how many end at or below it,
 * and where the last of these ends. */
typedef struct sc_weight_place {
    sc_uint128 z, end, below;
    size_t index;
} sc_weight_place;

static inline void sc_weight_pass(sc_weight_place *at, sc_uint128 sum)
{
    at->end += sum;
    const uint64_t passed = sc_mask(at->end <= at->z);
    at->index += (size_t)(passed & 1);
    at->below = sc_mask_select_128(passed, at->end, at->below);
}

/* The scores under way, and the sums of the parts. */
typedef struct sc_weight_sums {
    const int64_t *scores;
    size_t count, size; /* of scores, of a part */
    int64_t best;
    sc_uint128 part[SC_WEIGHT_PARTS], total;
} sc_weight_sums;

static inline __attribute__((always_inline)) void
sc_weight_add_up(sc_weight_sums *sums, const void *context, sc_weight_of *weight)
{
    for (size_t part = 0, i = 0; part < SC_WEIGHT_PARTS; part++) {
        const size_t end = sums->count - i < sums->size ? sums->count : i + sums->size;
        for (; i < end; i++)
            sums->part[part] +=
                weight(context, sc_scores_gap(sums->best, sums->scores[i]));
        sums->total += sums->part[part];
    }
}

/* The candidate whose interval holds z, below the total. */
static inline __attribute__((always_inline)) size_t
sc_weight_find(const sc_weight_sums *sums, sc_uint128 z, const void *context,
               sc_weight_of *weight)
{
    sc_weight_place part = {.z = z}, one = {0};
    for (size_t i = 0; i < SC_WEIGHT_PARTS; i++)
        sc_weight_pass(&part, sums->part[i]);
    const size_t start = part.index * sums->size;
    one.z = z - part.below;
    for (size_t i = start; i < start + sums->size && i < sums->count; i++)
        sc_weight_pass(&one, weight(context, sc_scores_gap(sums->best, sums->scores[i])));
    return start + one.index;
}

SCRIM_MUST_USE static inline __attribute__((always_inline)) scrim_status
sc_weight_choose(sc_bits *bits, const void *context, sc_weight_of *weight,
                 sc_weight_keep *keep, const int64_t *scores, size_t count, size_t *out,
                 scrim_error *error)
{
    sc_weight_sums sums = {.scores = scores,
                           .count = count,
                           .size = (count + SC_WEIGHT_PARTS - 1) / SC_WEIGHT_PARTS,
                           .best = sc_scores_best(scores, count)};
    bool kept = false;
    size_t index = 0;
    scrim_status status = SCRIM_OK;
    sc_weight_add_up(&sums, context, weight);
    for (unsigned turn = 0; status == SCRIM_OK && !kept; turn++) {
        sc_uint128 z = 0;
        status = turn < SC_BITS_PATIENCE ? sc_uniform_wide(bits, sums.total, &z, error)
                                         : sc_bits_broken(error);
        index = sc_weight_find(&sums, z, context, weight);
        if (status == SCRIM_OK)
            status = keep(context, bits, sc_scores_gap(sums.best, scores[index]), &kept,
                          error);
    }
    if (status == SCRIM_OK)
        *out = index;
    sc_wipe(&sums, sizeof sums);
    return status;
}

#endif
