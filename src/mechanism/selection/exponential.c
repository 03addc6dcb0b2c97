#include "mechanism/selection/exponential.h"

#include "base/memory.h"
#include "mechanism/selection/score_pairs.h"
#include "sampling/bernoulli_exp.h"

/* Candidates are added up in so many parts, and the part of the one drawn is looked at again. */
#define PARTS 64

/* Sums that come one after the other, and the place in them of z: how many end at or below it,
 * and where the last of these ends. */
typedef struct place {
    sc_uint128 z, end, below;
    size_t index;
} place;

static inline void place_pass(place *at, sc_uint128 sum)
{
    at->end += sum;
    const sc_uint128 passed = at->end <= at->z; /* 0 or 1, and no branch */
    at->index += (size_t)passed;
    at->below = (at->end & (0 - passed)) | (at->below & (passed - 1));
}

/* The candidate whose interval holds z. */
static size_t find(const sc_gap_weights *weights, const int64_t *scores, size_t count,
                   int64_t best, const sc_uint128 *sums, sc_uint128 z)
{
    const size_t size = (count + PARTS - 1) / PARTS;
    place part = {.z = z}, one = {0};
    for (size_t i = 0; i < PARTS; i++)
        place_pass(&part, sums[i]);
    const size_t start = part.index * size;
    one.z = z - part.below;
    for (size_t i = start; i < start + size && i < count; i++)
        place_pass(&one, sc_gap_ceiling(weights, sc_scores_gap(best, scores[i])));
    return start + one.index;
}

/* True with probability 2^63 exp(-rate gap) / ceiling. */
static scrim_status keep(sc_bits *bits, const sc_gap_weights *weights, uint64_t gap,
                         bool *out, scrim_error *error)
{
    uint64_t word = 0;
    scrim_status status = sc_bits_word(bits, &word, error);
    if (status != SCRIM_OK)
        return status;
    const uint64_t low = sc_gap_weight(weights, gap);
    const uint64_t whole = sc_gap_ceiling(weights, gap);
    if (((sc_uint128)word + 1) * whole <= (sc_uint128)low << 64) {
        *out = true;
        return SCRIM_OK;
    }
    return sc_gap_weights_settle(bits, weights, gap, whole, word, out, error);
}

scrim_status sc_exponential_choose(sc_bits *bits, const sc_gap_weights *weights,
                                   const int64_t *scores, size_t count, size_t *out,
                                   scrim_error *error)
{
    const int64_t best = sc_scores_best(scores, count);
    const size_t size = (count + PARTS - 1) / PARTS;
    sc_uint128 sums[PARTS] = {0}, total = 0;
    for (size_t part = 0, i = 0; part < PARTS; part++) {
        const size_t end = count - i < size ? count : i + size;
        for (; i < end; i++)
            sums[part] += sc_gap_ceiling(weights, sc_scores_gap(best, scores[i]));
        total += sums[part];
    }
    bool kept = false;
    size_t index = 0;
    scrim_status status = SCRIM_OK;
    unsigned turn = 0;
    for (; status == SCRIM_OK && !kept && turn < SC_BITS_PATIENCE; turn++) {
        sc_uint128 z = 0;
        status = sc_uniform_128(bits, total, &z, error);
        index = find(weights, scores, count, best, sums, z);
        if (status == SCRIM_OK)
            status =
                keep(bits, weights, sc_scores_gap(best, scores[index]), &kept, error);
    }
    if (status == SCRIM_OK && !kept)
        status = sc_bits_broken(error);
    if (status == SCRIM_OK)
        *out = index;
    sc_wipe(sums, sizeof sums);
    return status;
}

scrim_status sc_exponential_reference(sc_bits *bits, const sc_fraction *g, size_t count,
                                      size_t *out, scrim_error *error)
{
    for (uint64_t turn = 0; turn < SC_BITS_PATIENCE * (uint64_t)count; turn++) {
        uint64_t i = 0;
        bool kept = false;
        scrim_status status = sc_uniform_64(bits, count, &i, error);
        if (status == SCRIM_OK)
            status = sc_scores_coin(bits, &g[i], &kept, error);
        if (status != SCRIM_OK)
            return status;
        if (kept) {
            *out = (size_t)i;
            return SCRIM_OK;
        }
    }
    return sc_bits_broken(error);
}

/* The way to choose, and the mechanism. */

static scrim_status choose(const sc_scores *s, sc_bits *bits, const int64_t *scores,
                           size_t count, size_t *out, scrim_error *error)
{
    return sc_exponential_choose(bits, s->prepared, scores, count, out, error);
}

static scrim_status probabilities(const sc_scores *s, const int64_t *scores, size_t count,
                                  long bits, sc_ball *out, scrim_error *error)
{
    return sc_exponential_probabilities(&s->rate, scores, count, bits, out, error);
}

static void miss_upper(const sc_scores *s, uint64_t gap, size_t count, long bits,
                       sc_ball *out)
{
    sc_exponential_miss(&s->rate, gap, count, bits, out);
}

const sc_choice sc_exponential_choice = {
    .prepare = sc_scores_prepare_weights,
    .discard = sc_scores_discard_weights,
    .choose = choose,
    .probabilities = probabilities,
    .miss_upper = miss_upper,
};

static const sc_parameter parameters[] = {SC_SCORES_PARAMETERS, SC_SCORES_AUDIT};

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    return sc_scores_check(m, &sc_exponential_choice, 1, error);
}

const sc_mechanism sc_exponential = {
    .entry = {.name = "exponential",
              .parameters = SC_SCORES_TEXT,
              .input = "scores",
              .claim = "epsilon-DP, pure; epsilon^2/8 concentrated",
              .reference = "McSherry, Talwar 2007"},
    .check = check,
    .cost = sc_scores_cost_bounded_range,
    SC_SCORES_MEMBERS,
    SC_SCORES_MEMBERS_ONE,
};
