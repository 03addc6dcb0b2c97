#include "mechanism/selection/ladder.h"

#include "base/number/ball.h"
#include "base/work_limit.h"

#include <string.h>

_Static_assert(SC_LADDER_FRACTION == 3 * 64 + 8, "sc_ladder_next shifts by so much");

/* floor(exp(step) 2^fraction); exp of a rational other than 0 is irrational, so that enough
 * bits always decide. */
static scrim_status scaled_exp(const sc_ratio *step, unsigned fraction, sc_integer *out,
                               scrim_error *error)
{
    bool found = false;
    SC_OWN(sc_ball, value);
    for (long bits = 512; !found && bits <= 1 << 16; bits *= 2) {
        sc_ball_set_ratio(&value, step, bits);
        sc_ball_exp(&value, &value, bits);
        sc_ball_mul_power2(&value, &value, fraction);
        found = sc_ball_floor(&value, out);
    }
    return found ? SCRIM_OK
                 : sc_fail(error, SCRIM_E_INTERNAL, "a ladder's ratio is not decided");
}

/* The words of a non-negative integer that has no more of them. */
static bool to_words(const sc_integer *x, uint64_t *words, int count)
{
    bool fits = true;
    SC_OWN(sc_integer, rest, part, base);
    sc_integer_set(&rest, x);
    sc_integer_set_uint128(&base, (sc_uint128)1 << 64);
    for (int i = 0; i < count; i++) {
        sc_integer_divide(&rest, &part, &rest, &base);
        fits = fits && sc_integer_get_uint64(&part, &words[i]);
    }
    return fits && sc_integer_sign(&rest) == 0;
}

scrim_status sc_ladder_exp(const sc_ratio *step, unsigned fraction, uint64_t *words,
                           int count, scrim_error *error)
{
    SC_OWN(sc_integer, value);
    const scrim_status status = scaled_exp(step, fraction, &value, error);
    if (status == SCRIM_OK && !to_words(&value, words, count))
        return sc_fail(error, SCRIM_E_INTERNAL, "a ladder's ratio is too large");
    return status;
}

static scrim_status set_ratio(sc_ladder *ladder, const sc_ratio *step, scrim_error *error)
{
    SC_OWN(sc_integer, ratio, one);
    sc_integer_set_int128(&one, 1);
    scrim_status status = scaled_exp(step, SC_LADDER_FRACTION, &ratio, error);
    if (status == SCRIM_OK) {
        sc_integer_sub(&ratio, &ratio, &one);
        if (!to_words(&ratio, ladder->ratio, 4))
            status = sc_fail(error, SCRIM_E_INTERNAL, "a ladder's ratio is too large");
    }
    return status;
}

/* A finer approximation of exp(step) from below than the ladder was built with: floor(exp(step) 2^256),
 * which is below 2^320 as step is at most 10. In words, since it is held against every rung. */
#define WITNESS_FRACTION (4 * 64)
#define WITNESS_WORDS 5
typedef struct witness {
    uint64_t ratio[WITNESS_WORDS]; /* least significant first */
} witness;

/* floor(x witness 2^-256), of which the lowest two words are left and the one above. */
static sc_uint128 scaled_by(const witness *w, sc_uint128 x, uint64_t *beyond)
{
    const uint64_t parts[2] = {(uint64_t)x, (uint64_t)(x >> 64)};
    uint64_t product[WITNESS_WORDS + 2] = {0};
    for (int k = 0; k < 2; k++) {
        uint64_t carry = 0;
        for (int i = 0; i < WITNESS_WORDS; i++) {
            const sc_uint128 sum =
                (sc_uint128)parts[k] * w->ratio[i] + product[i + k] + carry;
            product[i + k] = (uint64_t)sum;
            carry = (uint64_t)(sum >> 64);
        }
        product[WITNESS_WORDS + k] = carry;
    }
    *beyond = product[6];
    return (sc_uint128)product[5] << 64 | product[4];
}

/* w[j+1] <= w[j], and w[j] 2^256 <= w[j+1] floor(exp(step) 2^256). */
static bool holds(const witness *w, sc_uint128 above, sc_uint128 below)
{
    uint64_t beyond;
    const sc_uint128 most = scaled_by(w, above, &beyond);
    return below >= above && (beyond > 0 || below <= most);
}

/* Rungs that are counted at once, and the work for each (base/work_limit.h). */
#define LOOK_EVERY 4096
#define RUNG_WORK 30

static scrim_status too_long(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_LIMIT, "a ladder takes too long to verify");
}

/* Climbs down once, holding every step against the witness. */
static scrim_status verify(sc_ladder *ladder, const witness *w, scrim_error *error)
{
    sc_uint128 weight = SC_LADDER_TOP_WEIGHT;
    for (uint64_t j = ladder->top; j > 0; j--) {
        if (j % LOOK_EVERY == 0)
            sc_work_add(LOOK_EVERY * RUNG_WORK);
        if (sc_work_limit_is_over())
            return too_long(error);
        sc_uint128 next = sc_ladder_next(ladder, weight);
        if (next >> SC_LADDER_WEIGHT_BITS != 0)
            return sc_fail(error, SCRIM_E_LIMIT,
                           "the weights of a ladder need more than %d bits; choose a "
                           "smaller epsilon or range",
                           SC_LADDER_WEIGHT_BITS);
        if (!holds(w, weight, next))
            return sc_fail(error, SCRIM_E_INTERNAL, "a ladder's step is not private");
        weight = next;
    }
    ladder->highest = weight;
    return SCRIM_OK;
}

/* Ladders that this thread has verified. A plan of quantiles builds the same one for each of its nodes, and to verify its rungs
 * takes longer than the rest of the plan. A ladder depends on public numbers alone, so this keeps nothing private. */
#define KNOWN 16
typedef struct known_ladder {
    sc_ladder ladder; /* top 0: none yet */
    witness held;
} known_ladder;
static _Thread_local known_ladder known_ladders[KNOWN];
static _Thread_local unsigned next_known;

static const sc_ladder *find_known(const sc_ladder *ladder, const witness *w)
{
    for (size_t i = 0; i < KNOWN; i++) {
        const known_ladder *known = &known_ladders[i];
        if (known->ladder.top == ladder->top && ladder->top > 0 &&
            memcmp(known->ladder.ratio, ladder->ratio, sizeof ladder->ratio) == 0 &&
            memcmp(known->held.ratio, w->ratio, sizeof w->ratio) == 0)
            return &known->ladder;
    }
    return NULL;
}

/* As verify, and to the same work: whether a question ends within its limit does not depend on those before. */
static scrim_status verify_once(sc_ladder *ladder, const witness *w, scrim_error *error)
{
    const sc_ladder *known = find_known(ladder, w);
    if (known == NULL) {
        SC_TRY(verify(ladder, w, error));
        known_ladders[next_known] = (known_ladder){.ladder = *ladder, .held = *w};
        next_known = (next_known + 1) % KNOWN;
        return SCRIM_OK;
    }
    sc_work_add_each(ladder->top / LOOK_EVERY, LOOK_EVERY * RUNG_WORK);
    if (sc_work_limit_is_over())
        return too_long(error);
    ladder->highest = known->highest;
    return SCRIM_OK;
}

static scrim_status top_limit(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_LIMIT,
                   "the ladder has more than %llu rungs; choose a larger epsilon, or a p "
                   "with a smaller denominator",
                   (unsigned long long)SC_LADDER_TOP_MAX);
}

scrim_status sc_ladder_init(sc_ladder *ladder, const sc_ratio *step, uint64_t top,
                            scrim_error *error)
{
    witness w;
    sc_ladder new = {.top = top};
    if (top > SC_LADDER_TOP_MAX)
        return top_limit(error);
    SC_TRY(set_ratio(&new, step, error));
    SC_TRY(sc_ladder_exp(step, WITNESS_FRACTION, w.ratio, WITNESS_WORDS, error));
    SC_TRY(verify_once(&new, &w, error));
    *ladder = new;
    return SCRIM_OK;
}

scrim_status sc_ladder_top(const sc_ratio *step, const sc_ratio *least, uint64_t *out,
                           scrim_error *error)
{
    uint64_t below = 0;
    bool found = false;
    SC_OWN(sc_ball, value, divisor);
    SC_OWN(sc_integer, whole);
    for (long bits = 256; !found && bits <= 1 << 15; bits *= 2) {
        sc_ball_set_ratio(&value, least, bits);
        sc_ball_log(&value, &value, bits);
        sc_ball_neg(&value, &value);
        sc_ball_set_ratio(&divisor, step, bits);
        sc_ball_div(&value, &value, &divisor, bits);
        found = sc_ball_floor(&value, &whole);
    }
    scrim_status status = SCRIM_OK;
    if (!found)
        status = sc_fail(error, SCRIM_E_INTERNAL, "a ladder's top is not decided");
    else if (!sc_integer_get_uint64(&whole, &below) || below >= SC_LADDER_TOP_MAX)
        status = top_limit(error);
    else
        *out = below + 1; /* the logarithm of a rational other than 1 is no rational */
    return status;
}

uint64_t sc_ladder_rung(const sc_ladder *ladder, sc_uint128 limit)
{
    sc_uint128 weight = SC_LADDER_TOP_WEIGHT;
    if (weight > limit)
        return ladder->top + 1;
    for (uint64_t j = ladder->top; j > 0; j--) {
        weight = sc_ladder_next(ladder, weight);
        if (weight > limit)
            return j;
    }
    return 0;
}
