#include "mechanism/selection/base2_exponential.h"

#include "mechanism/selection/by_weight.h"
#include "mechanism/selection/scores.h"
#include "sampling/uniform.h"

/* Drawing. */

#define WEIGHT_BITS 62

static inline uint64_t weight_of(const void *context, uint64_t gap)
{
    const uint64_t m = sc_base2_exponent(context, gap);
    return (uint64_t)1 << (WEIGHT_BITS -
                           sc_mask_select(sc_mask(m < WEIGHT_BITS), m, WEIGHT_BITS));
}

/* True when m - 62 fair bits are all 0. */
static scrim_status keep(const void *context, sc_bits *bits, uint64_t gap, bool *out,
                         scrim_error *error)
{
    const uint64_t m = sc_base2_exponent(context, gap);
    uint64_t left = m < WEIGHT_BITS ? 0 : m - WEIGHT_BITS, drawn = 0;
    while (left > 0 && drawn == 0) {
        const unsigned part = left < 64 ? (unsigned)left : 64;
        scrim_status status = sc_bits_take(bits, part, &drawn, error);
        if (status != SCRIM_OK)
            return status;
        left -= part;
    }
    *out = drawn == 0;
    return SCRIM_OK;
}

scrim_status sc_base2_choose(sc_bits *bits, const sc_base2 *base2, const int64_t *scores,
                             size_t count, size_t *out, scrim_error *error)
{
    return sc_weight_choose(bits, base2, weight_of, keep, scores, count, out, error);
}

/* 2^(M - m) of a gap. */
static void big_weight(const sc_base2 *base2, uint64_t gap, sc_integer *out)
{
    const uint64_t most = base2->halvings * base2->reach;
    sc_integer_set_int128(out, 1);
    sc_integer_shift_left(out, out, (unsigned)(most - sc_base2_exponent(base2, gap)));
}

scrim_status sc_base2_reference(sc_bits *bits, const sc_base2 *base2,
                                const int64_t *scores, size_t count, size_t *out,
                                scrim_error *error)
{
    if (base2->halvings * base2->reach > SC_BASE2_REFERENCE)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "the reference implementation takes M up to %d",
                       SC_BASE2_REFERENCE);
    const int64_t best = sc_scores_best(scores, count);
    SC_OWN(sc_integer, sum, part, drawn);
    for (size_t i = 0; i < count; i++) {
        big_weight(base2, sc_scores_gap(best, scores[i]), &part);
        sc_integer_add(&sum, &sum, &part);
    }
    scrim_status status = sc_uniform_integer(bits, &sum, &drawn, error);
    size_t index = 0;
    for (; status == SCRIM_OK && index < count; index++) {
        big_weight(base2, sc_scores_gap(best, scores[index]), &part);
        if (sc_integer_compare(&drawn, &part) < 0)
            break;
        sc_integer_sub(&drawn, &drawn, &part);
    }
    if (status == SCRIM_OK)
        *out = index;
    return status;
}

/* The law. */

void sc_base2_probabilities(const sc_base2 *base2, const int64_t *scores, size_t count,
                            long bits, sc_ball *out)
{
    const int64_t best = sc_scores_best(scores, count);
    const long wide = bits + 64;
    SC_OWN(sc_ball, total);
    for (size_t i = 0; i < count; i++) {
        const uint64_t m = sc_base2_exponent(base2, sc_scores_gap(best, scores[i]));
        sc_ball_set_int64(&out[i], 1);
        sc_ball_mul_power2(&out[i], &out[i], -(long)m);
        sc_ball_add(&total, &total, &out[i], wide);
    }
    for (size_t i = 0; i < count; i++)
        sc_ball_div(&out[i], &out[i], &total, bits);
}

/* The way to choose, and the mechanism. */

/* c D ln 2, or twice that. */
static void spent(const sc_scores *s, uint64_t halvings, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, factor);
    sc_ball_set_int64(out, 2);
    sc_ball_log(out, out, bits);
    sc_ball_set_int128(&factor,
                       (sc_int128)s->steps * halvings * (s->is_monotone ? 1 : 2));
    sc_ball_mul(out, out, &factor, bits);
}

/* floor(epsilon / (D ln 2)), or half of it within the floor. */
static bool affordable(const sc_scores *s, const sc_ratio *epsilon, uint64_t *out)
{
    bool known = false;
    SC_OWN(sc_ball, one, all);
    SC_OWN(sc_integer, whole);
    for (long bits = 256; !known && bits <= 65536; bits *= 2) {
        spent(s, 1, bits, &one);
        sc_ball_set_ratio(&all, epsilon, bits);
        sc_ball_div(&all, &all, &one, bits);
        known = sc_ball_floor(&all, &whole) && sc_integer_get_uint64(&whole, out);
    }
    return known;
}

static scrim_status prepare(const scrim_measurement *m, sc_scores *s, scrim_error *error)
{
    uint64_t halvings = 0;
    if (!affordable(s, sc_measurement_get(m, "epsilon"), &halvings))
        return sc_fail(error, SCRIM_E_INTERNAL, "the halvings could not be computed");
    if (halvings == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "epsilon",
                           "base2-exponential: epsilon is too small: a halving costs 2 D "
                           "ln 2 a step (D ln 2 "
                           "if monotone), D the sensitivity in steps; take a larger "
                           "epsilon, or permute-and-flip");
    sc_base2 *base2 = sc_allocate(1, sizeof *base2);
    if (base2 == NULL)
        return sc_no_memory(error, "a measurement");
    const uint64_t reach = SC_BASE2_HALVINGS_MAX / halvings;
    base2->halvings = halvings;
    base2->reach = s->range < reach ? s->range : reach;
    s->prepared = base2;
    return SCRIM_OK;
}

static scrim_status choose(const sc_scores *s, sc_bits *bits, const int64_t *scores,
                           size_t count, size_t *out, scrim_error *error)
{
    return sc_base2_choose(bits, s->prepared, scores, count, out, error);
}

static scrim_status probabilities(const sc_scores *s, const int64_t *scores, size_t count,
                                  long bits, sc_ball *out, scrim_error *error)
{
    (void)error;
    sc_base2_probabilities(s->prepared, scores, count, bits, out);
    return SCRIM_OK;
}

/* (N - 1) w / (1 + (N - 1) w), w = 2^-m: as for the exponential mechanism. */
static void miss_upper(const sc_scores *s, uint64_t gap, size_t count, long bits,
                       sc_ball *out)
{
    SC_OWN(sc_ball, rest);
    sc_ball_set_int128(out, (sc_int128)count - 1);
    sc_ball_mul_power2(out, out, -(long)sc_base2_exponent(s->prepared, gap));
    sc_ball_add_int64(&rest, out, 1, bits);
    sc_ball_div(out, out, &rest, bits);
}

static const sc_choice base2_choice = {
    .prepare = prepare,
    .discard = sc_free,
    .choose = choose,
    .probabilities = probabilities,
    .miss_upper = miss_upper,
};

static const sc_parameter_rule parameters[] = {SC_SCORES_PARAMETERS, SC_SCORES_LAST};

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    if (sc_measurement_get(m, "lower") == NULL || sc_measurement_get(m, "upper") == NULL)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_MISSING,
            sc_measurement_get(m, "lower") == NULL ? "lower" : "upper",
            "base2-exponential: declare the range of the scores, lower=R and "
            "upper=R; one taken from them would be a release");
    return sc_scores_check(m, &base2_choice, 1, error);
}

/* The cost of the halvings, rounded up, and never more than the epsilon that was given. */
static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    const sc_scores *s = sc_scores_of(m);
    const sc_base2 *base2 = s->prepared;
    const sc_ratio *asked = sc_measurement_get(m, "epsilon");
    SC_OWN(sc_ratio, epsilon);
    SC_OWN(sc_ball, exact);
    spent(s, base2->halvings, 256, &exact);
    bool known = sc_cost_round_up_ball(&exact, &epsilon);
    if (known && sc_ratio_compare(&epsilon, asked) > 0)
        sc_ratio_set(&epsilon, asked);
    if (known)
        sc_cost_set_bounded_range(out, &epsilon);
    return known ? SCRIM_OK
                 : sc_fail(error, SCRIM_E_INTERNAL, "a cost could not be computed");
}

const sc_mechanism sc_base2_exponential = {
    .entry = {.name = "base2-exponential",
              .parameters = "epsilon=R sensitivity=R lower=R upper=R [monotone=yes "
                            "grid=R]" SC_SCORES_TEXT_AUDIT,
              .input = "scores",
              .claim = "epsilon-DP, pure; epsilon^2/8 concentrated; rational "
                       "probabilities",
              .does = "Chooses a candidate as the exponential mechanism does, with "
                      "powers of 2 in place of powers of e. All probabilities are "
                      "rational, so no rounding can leak.",
              .example = "epsilon=3 sensitivity=1 lower=0 upper=400 neighbours=replace",
              .example_input = "310\n120\n330\n",
              .reference = "Ilvento: Implementing the Exponential Mechanism with Base-2 "
                           "Differential Privacy, 2020"},
    .check = check,
    .cost = cost,
    SC_SCORES_MEMBERS,
    SC_SCORES_MEMBERS_ONE,
};
