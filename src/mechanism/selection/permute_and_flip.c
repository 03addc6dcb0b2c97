#include "mechanism/selection/permute_and_flip.h"

#include "mechanism/selection/scores.h"
#include "sampling/law.h"
#include "sampling/uniform.h"

/* Coins that are tossed together. */
#ifndef BLOCK
#define BLOCK SC_GAP_FLIPS
#endif

/* The position of the n-th bit that is 1, counted from 0. */
static unsigned nth_bit(uint64_t bits, uint64_t n)
{
    for (; n > 0; n--)
        bits &= bits - 1;
    return (unsigned)__builtin_ctzll(bits);
}

/* Moves the choice to a head of this block with the probability of its share among all heads seen. */
static scrim_status choose_block(sc_bits *bits, uint64_t heads, size_t start,
                                 uint64_t *seen, size_t *out, scrim_error *error)
{
    const uint64_t count = (uint64_t)__builtin_popcountll(heads);
    uint64_t place = 0;
    *seen += count;
    /* Draws even if there are no heads yet, so that the number of random words does not depend on the scores. */
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

/* The distribution. */

/* The distribution of the number of heads among count coins: heads[k] is the probability of k heads, without[k] the same with one coin
 * left out. */
typedef struct tally {
    size_t count;
    long bits;
    sc_ball *heads;   /* count + 1 */
    sc_ball *without; /* count */
} tally;

/* Adds a coin with P(heads) = w and P(tails) = rest to the `coins` coins so far. */
static void add_coin(tally *t, size_t coins, const sc_ball *w, const sc_ball *rest)
{
    SC_OWN(sc_ball, moved);
    for (size_t k = coins + 1; k > 0; k--) {
        sc_ball_mul(&moved, &t->heads[k - 1], w, t->bits);
        sc_ball_mul(&t->heads[k], &t->heads[k], rest, t->bits);
        sc_ball_add(&t->heads[k], &t->heads[k], &moved, t->bits);
    }
    sc_ball_mul(&t->heads[0], &t->heads[0], rest, t->bits);
}

/* Leaves a coin out: solves heads[k] = rest without[k] + w without[k-1] for `without`. Starts at the end from which rounding errors
 * shrink: at k = 0 if w is the smaller of the two, else at the largest k. */
static void leave_coin_out(tally *t, const sc_ball *w, const sc_ball *rest)
{
    const bool upwards = sc_ball_is_less_equal(w, rest);
    SC_OWN(sc_ball, part);
    for (size_t i = 0; i < t->count; i++) {
        const size_t k = upwards ? i : t->count - 1 - i;
        sc_ball *here = &t->without[k];
        sc_ball_set(here, &t->heads[upwards ? k : k + 1]);
        if (i > 0) {
            sc_ball_mul(&part, &t->without[upwards ? k - 1 : k + 1], upwards ? w : rest,
                        t->bits);
            sc_ball_sub(here, here, &part, t->bits);
        }
        sc_ball_div(here, here, upwards ? rest : w, t->bits);
    }
}

/* out = w E[1 / (1 + K)], where K is the number of heads among the other coins. */
static void share(const tally *t, const sc_ball *w, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, part, divisor);
    sc_ball_set_int64(out, 0);
    for (size_t k = 0; k < t->count; k++) {
        sc_ball_set_int64(&divisor, (int64_t)k + 1);
        sc_ball_div(&part, &t->without[k], &divisor, t->bits);
        sc_ball_add(out, out, &part, t->bits);
    }
    sc_ball_mul(out, out, w, bits);
}

/* w = exp(-gap/scale), rest = 1 - w. */
static void coin_of(const sc_ratio *scale, uint64_t gap, long bits, sc_ball *w,
                    sc_ball *rest)
{
    sc_decay(scale, gap, bits, w);
    sc_decay_rest(scale, gap, bits, rest);
}

/* The first candidate with the same score as candidate i, and so with the same probability. */
static size_t first_like(const int64_t *scores, size_t i)
{
    size_t first = 0;
    while (scores[first] != scores[i])
        first++;
    return first;
}

static void fill(tally *t, const sc_ratio *scale, const int64_t *scores, long bits,
                 sc_ball *out)
{
    const int64_t best = sc_scores_best(scores, t->count);
    SC_OWN(sc_ball, w, rest);
    sc_ball_set_int64(&t->heads[0], 1);
    for (size_t i = 0; i < t->count; i++) {
        coin_of(scale, sc_scores_gap(best, scores[i]), t->bits, &w, &rest);
        add_coin(t, i, &w, &rest);
    }
    for (size_t i = 0; i < t->count; i++) {
        size_t like = first_like(scores, i);
        if (like < i) {
            sc_ball_set(&out[i], &out[like]);
            continue;
        }
        coin_of(scale, sc_scores_gap(best, scores[i]), t->bits, &w, &rest);
        leave_coin_out(t, &w, &rest);
        share(t, &w, bits, &out[i]);
    }
}

scrim_status sc_permute_and_flip_probabilities(const sc_scores *s, const int64_t *scores,
                                               size_t count, long bits, sc_ball *out,
                                               scrim_error *error)
{
    if (count > SC_PERMUTE_AND_FLIP_LAW)
        return sc_fail(
            error, SCRIM_E_LIMIT,
            "the distribution of permute-and-flip is computed for at most %d candidates",
            SC_PERMUTE_AND_FLIP_LAW);
    /* A coin taken out multiplies errors by at most 2 count; shares are at least 1/count. */
    tally t = {.count = count,
               .bits = bits + 64,
               .heads = sc_balls_new(count + 1),
               .without = sc_balls_new(count)};
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ratio, scale);
    sc_scores_scale(&s->rate, &scale);
    if (t.heads == NULL || t.without == NULL)
        status = sc_no_memory(error, "a law");
    else
        fill(&t, &scale, scores, bits, out);
    sc_balls_free(t.heads, count + 1);
    sc_balls_free(t.without, count);
    return status;
}

/* An upper bound of the probability to miss the best by this gap: 1 - (1 - (1-w)^N) / (N w), w = exp(-rate gap). If N w is so small
 * that this would cancel, (N - 1) w / 2, which is not less, since k/(1+k) <= k/2 for k = 0, 1, 2, .. */
static void miss_upper(const sc_scores *s, uint64_t gap, size_t count, long bits,
                       sc_ball *out)
{
    const long wide = bits + 256;
    SC_OWN(sc_ratio, scale);
    SC_OWN(sc_ball, w, mean, small);
    sc_scores_scale(&s->rate, &scale);
    sc_decay(&scale, gap, wide, &w);
    sc_ball_set_int128(&mean, (sc_int128)count - 1);
    sc_ball_mul(&mean, &mean, &w, wide); /* (N - 1) w */
    sc_ball_set_int64(&small, 1);
    sc_ball_mul_power2(&small, &small, -100);
    if (sc_ball_is_less(&mean, &small)) {
        sc_ball_mul_power2(out, &mean, -1);
    } else {
        sc_decay_rest(&scale, gap, wide, out);
        sc_ball_power(out, out, count, wide);
        sc_ball_neg(out, out);
        sc_ball_add_int64(out, out, 1, wide);
        sc_ball_add(&mean, &mean, &w, wide);
        sc_ball_div(out, out, &mean, wide);
        sc_ball_neg(out, out);
        sc_ball_add_int64(out, out, 1, wide);
    }
}

/* The way to choose, and the mechanism. */

const sc_choice sc_permute_and_flip_choice = {
    .prepare = sc_scores_prepare_weights,
    .discard = sc_scores_discard_weights,
    .choose = sc_permute_and_flip_choose,
    .probabilities = sc_permute_and_flip_probabilities,
    .miss_upper = miss_upper,
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
              .does = "Chooses a candidate with a high score: goes through them in "
                      "random order and keeps the first that passes a biased coin. Its "
                      "expected score is never below that of the exponential mechanism.",
              .example = "epsilon=1 sensitivity=1 neighbours=replace",
              .example_input = "310\n120\n330\n",
              .reference = "McKenna, Sheldon: Permute-and-Flip: A New Mechanism for "
                           "Differentially Private Selection, 2020"},
    .check = check,
    .cost = sc_scores_cost_pure,
    SC_SCORES_MEMBERS,
    SC_SCORES_MEMBERS_ONE,
};
