#include "mechanism/selection/exponential.h"

#include "mechanism/selection/by_weight.h"
#include "mechanism/selection/scores.h"
#include "sampling/law.h"
#include "sampling/uniform.h"

static inline uint64_t weight_of(const void *context, uint64_t gap)
{
    return sc_gap_ceiling(context, gap);
}

/* True with probability 2^63 exp(-rate gap) / ceiling. */
static scrim_status keep(const void *context, sc_bits *bits, uint64_t gap, bool *out,
                         scrim_error *error)
{
    const sc_gap_weights *weights = context;
    uint64_t word = 0;
    scrim_status status = sc_bits_word(bits, &word, error);
    if (status != SCRIM_OK)
        return status;
    const uint64_t low = sc_gap_weight(weights, gap);
    const uint64_t whole = sc_gap_ceiling(weights, gap);
    /* U from word to word + 1 in units of 2^-64, times whole, against low to low + slack. */
    const bool is_below = ((sc_uint128)word + 1) * whole <= (sc_uint128)low << 64;
    const bool is_above = (sc_uint128)word * whole >= (sc_uint128)(low + SC_GAP_SLACK)
                                                          << 64;
    if (is_below || is_above) {
        *out = is_below;
        return SCRIM_OK;
    }
    return sc_gap_weights_settle(bits, weights, gap, whole, word, out, error);
}

scrim_status sc_exponential_choose(const sc_scores *s, sc_bits *bits,
                                   const int64_t *scores, size_t count, size_t *out,
                                   scrim_error *error)
{
    return sc_weight_choose(bits, s->prepared, weight_of, keep, scores, count, out,
                            error);
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

/* The law. */

scrim_status sc_exponential_probabilities(const sc_scores *s, const int64_t *scores,
                                          size_t count, long bits, sc_ball *out,
                                          scrim_error *error)
{
    const int64_t best = sc_scores_best(scores, count);
    const long wide = bits + 64;
    (void)error;
    SC_OWN(sc_ratio, scale);
    SC_OWN(sc_ball, total);
    sc_scores_scale(&s->rate, &scale);
    for (size_t i = 0; i < count; i++) {
        sc_decay(&scale, sc_scores_gap(best, scores[i]), wide, &out[i]);
        sc_ball_add(&total, &total, &out[i], wide);
    }
    for (size_t i = 0; i < count; i++)
        sc_ball_div(&out[i], &out[i], &total, bits);
    return SCRIM_OK;
}

/* (N - 1) w / (1 + (N - 1) w), w = exp(-rate gap). */
static void miss_upper(const sc_scores *s, uint64_t gap, size_t count, long bits,
                       sc_ball *out)
{
    SC_OWN(sc_ratio, scale);
    SC_OWN(sc_ball, others);
    sc_scores_scale(&s->rate, &scale);
    sc_decay(&scale, gap, bits, out);
    sc_ball_set_int128(&others, (sc_int128)count - 1);
    sc_ball_mul(out, out, &others, bits);
    sc_ball_add_int64(&others, out, 1, bits);
    sc_ball_div(out, out, &others, bits);
}

/* The way to choose, and the mechanism. */

const sc_choice sc_exponential_choice = {
    .prepare = sc_scores_prepare_weights,
    .discard = sc_scores_discard_weights,
    .choose = sc_exponential_choose,
    .probabilities = sc_exponential_probabilities,
    .miss_upper = miss_upper,
};

static const sc_parameter_rule parameters[] = {SC_SCORES_PARAMETERS, SC_SCORES_LAST};

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    return sc_scores_check(m, &sc_exponential_choice, 1, error);
}

const sc_mechanism sc_exponential = {
    .entry = {.name = "exponential",
              .parameters = SC_SCORES_TEXT,
              .input = "scores",
              .claim = "epsilon-DP, pure; epsilon^2/8 concentrated",
              .does = "Chooses a candidate with a probability that grows exponentially "
                      "with its score. Prefer permute-and-flip, whose expected score "
                      "is never lower.",
              .example = "epsilon=1 sensitivity=1 neighbours=replace",
              .example_input = "310\n120\n330\n",
              .reference =
                  "McSherry, Talwar: Mechanism Design via Differential Privacy, 2007"},
    .check = check,
    .cost = sc_scores_cost_bounded_range,
    SC_SCORES_MEMBERS,
    SC_SCORES_MEMBERS_ONE,
};
