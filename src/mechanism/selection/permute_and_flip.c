#include "mechanism/selection/permute_and_flip.h"

#include "mechanism/selection/score_pairs.h"
#include "sampling/uniform.h"

/* Coins that are tossed together. */
#ifndef BLOCK
#define BLOCK SC_GAP_FLIPS
#endif

/* The place of the n-th bit that is 1, from 0 on. */
static unsigned nth_bit(uint64_t bits, uint64_t n)
{
    for (; n > 0; n--)
        bits &= bits - 1;
    return (unsigned)__builtin_ctzll(bits);
}

/* Moves the choice among seen heads to this block, with the probability of its share. */
static scrim_status choose_block(sc_bits *bits, uint64_t heads, size_t start,
                                 uint64_t *seen, size_t *out, scrim_error *error)
{
    const uint64_t count = (uint64_t)__builtin_popcountll(heads);
    uint64_t place = 0;
    *seen += count;
    /* Also where there are no heads yet: so the number of words does not depend on it. */
    scrim_status status = sc_uniform_fast(bits, *seen + (*seen == 0), &place, error);
    if (status == SCRIM_OK && place < count)
        *out = start + nth_bit(heads, place);
    return status;
}

scrim_status sc_permute_and_flip_choose(const sc_scores *s, sc_bits *bits,
                                        const int64_t *scores, size_t count, size_t *out,
                                        scrim_error *error)
{
    const int64_t best = sc_scores_best(scores, count);
    uint64_t seen = 0;
    size_t index = 0;
    scrim_status status = SCRIM_OK;
    for (size_t start = 0; status == SCRIM_OK && start < count; start += BLOCK) {
        const size_t left = count - start;
        uint64_t heads = 0;
        status =
            sc_gap_weights_flip(bits, s->prepared, best, scores + start,
                                left < BLOCK ? (unsigned)left : BLOCK, &heads, error);
        if (status == SCRIM_OK)
            status = choose_block(bits, heads, start, &seen, &index, error);
    }
    if (status == SCRIM_OK && seen == 0)
        status = sc_fail(error, SCRIM_E_INTERNAL, "the best candidate was rejected");
    if (status == SCRIM_OK)
        *out = index;
    return status;
}

scrim_status sc_permute_and_flip_reference(sc_bits *bits, const sc_fraction *g,
                                           size_t count, uint64_t *order, size_t *out,
                                           scrim_error *error)
{
    for (size_t j = 0; j < count; j++)
        order[j] = j;
    for (size_t j = 0; j < count; j++) {
        uint64_t step = 0;
        bool heads = false;
        scrim_status status = sc_uniform_64(bits, count - j, &step, error);
        const uint64_t candidate = order[j + step];
        order[j + step] = order[j];
        if (status == SCRIM_OK)
            status = sc_scores_coin(bits, &g[candidate], &heads, error);
        if (status != SCRIM_OK)
            return status;
        if (heads) {
            *out = (size_t)candidate;
            return SCRIM_OK;
        }
    }
    return sc_fail(error, SCRIM_E_INTERNAL, "no candidate has exponent 0");
}

/* The way to choose, and the mechanism. */

const sc_choice sc_permute_and_flip_choice = {
    .prepare = sc_scores_prepare_weights,
    .discard = sc_scores_discard_weights,
    .choose = sc_permute_and_flip_choose,
    .probabilities = sc_permute_and_flip_probabilities,
    .miss_upper = sc_permute_and_flip_miss,
};

static const sc_parameter_rule parameters[] = {SC_SCORES_PARAMETERS, SC_SCORES_LAST};

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    return sc_scores_check(m, &sc_permute_and_flip_choice, 1, error);
}

const sc_mechanism sc_permute_and_flip = {
    .entry = {.name = "permute-and-flip",
              .parameters = SC_SCORES_TEXT,
              .input = "scores",
              .claim = "epsilon-DP, pure",
              .reference = "McKenna, Sheldon: Permute-and-Flip: A New Mechanism for "
                           "Differentially Private Selection, 2020"},
    .check = check,
    .cost = sc_scores_cost_pure,
    SC_SCORES_MEMBERS,
    SC_SCORES_MEMBERS_ONE,
};
