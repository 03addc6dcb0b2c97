#include "sampling/gap_weights.h"

#include "base/memory.h"
#include "base/number/ball.h"

#define LEVELS_MAX 128 /* words of digits before the source is called broken: 8192 bits */
/* exp(-2^14) < 2^-23000 is below every real with a digit 1 among those. */
#define FAR_EXPONENT ((int64_t)1 << 14)

/* floor(2^63 exp(-i / 2^places)). */
static bool entry(uint64_t i, long places, uint64_t *out)
{
    bool known = false;
    SC_OWN(sc_ball, x);
    SC_OWN(sc_integer, digits);
    for (long bits = 128; !known && bits <= 4096; bits *= 2) {
        sc_ball_set_int64(&x, -(int64_t)i);
        sc_ball_mul_power2(&x, &x, -places);
        sc_ball_exp(&x, &x, bits);
        sc_ball_mul_power2(&x, &x, 63);
        known = sc_ball_floor(&x, &digits) && sc_integer_get_uint64(&digits, out);
    }
    return known;
}

static bool fill_tables(sc_gap_weights *weights)
{
    bool known = true;
    SC_BALL_SCOPE(scope);
    for (unsigned t = 0; t < SC_GAP_TABLES; t++)
        for (uint64_t i = 0; known && i < 1u << SC_GAP_TABLE_BITS; i++)
            known = entry(i, 3 + SC_GAP_TABLE_BITS * (long)t, &weights->table[t][i]);
    return known;
}

/* floor(rate 2^121), or 2^127 - 1 when that is less: a rate of 64 puts every gap but 0 beyond. */
static void set_rate(sc_gap_weights *weights)
{
    const sc_uint128 most = ~(sc_uint128)0 >> 1;
    sc_uint128 value = 0;
    SC_OWN(sc_integer, n, d);
    sc_ratio_numerator(&weights->rate, &n);
    sc_ratio_denominator(&weights->rate, &d);
    sc_integer_shift_left(&n, &n, SC_GAP_PLACES + 64);
    sc_integer_divide(&n, NULL, &n, &d);
    if (!sc_integer_get_uint128(&n, &value) || value > most)
        value = most;
    weights->high = (uint64_t)(value >> 64);
    weights->low = (uint64_t)value;
}

scrim_status sc_gap_weights_init(sc_gap_weights *weights, const sc_ratio *rate,
                                 scrim_error *error)
{
    if (!fill_tables(weights))
        return sc_fail(error, SCRIM_E_INTERNAL,
                       "a table of weights could not be computed");
    sc_ratio_init(&weights->rate);
    sc_ratio_set(&weights->rate, rate);
    set_rate(weights);
    return SCRIM_OK;
}

void sc_gap_weights_clear(sc_gap_weights *weights)
{
    sc_ratio_clear(&weights->rate);
}

/* Settling. */

/* rate gap, or FAR_EXPONENT when that is less. */
static void exponent_of(const sc_gap_weights *weights, uint64_t gap, sc_ratio *out)
{
    SC_OWN(sc_integer, n, d);
    sc_ratio_numerator(&weights->rate, &n);
    sc_ratio_denominator(&weights->rate, &d);
    sc_integer_mul_uint64(&n, &n, gap);
    sc_ratio_set_fraction(out, &n, &d);
    if (sc_ratio_compare_int64(out, FAR_EXPONENT) > 0)
        sc_ratio_set_int64(out, FAR_EXPONENT);
}

/* Is U, of which digits are the first places, below 2^63 exp(-x) / whole? False while the
 * digits leave that open. */
static bool decide(const sc_integer *digits, long places, const sc_ratio *x,
                   uint64_t whole, bool *out)
{
    const long bits = places + 128;
    SC_OWN(sc_ball, border, other);
    sc_ball_set_ratio(&border, x, bits + 32);
    sc_ball_neg(&border, &border);
    sc_ball_exp(&border, &border, bits);
    sc_ball_mul_power2(&border, &border, 63 + places);
    sc_ball_set_int128(&other, whole);
    sc_ball_div(&border, &border, &other, bits);
    sc_ball_set_integer(&other, digits);
    const bool is_above = sc_ball_is_less_equal(&border, &other);
    sc_ball_add_int64(&other, &other, 1, bits);
    const bool is_below = sc_ball_is_less_equal(&other, &border);
    if (is_above || is_below)
        *out = is_below;
    return is_above || is_below;
}

static scrim_status settle(sc_bits *bits, const sc_ratio *x, uint64_t whole,
                           sc_integer *digits, bool *out, scrim_error *error)
{
    SC_OWN(sc_integer, next);
    scrim_status status = SCRIM_OK;
    long level = 1;
    while (status == SCRIM_OK && !decide(digits, 64 * level, x, whole, out)) {
        uint64_t word = 0;
        status = level++ < LEVELS_MAX ? sc_bits_word(bits, &word, error)
                                      : sc_bits_broken(error);
        sc_integer_set_uint128(&next, word);
        sc_integer_shift_left(digits, digits, 64);
        sc_integer_add(digits, digits, &next);
    }
    return status;
}

scrim_status sc_gap_weights_settle(sc_bits *bits, const sc_gap_weights *weights,
                                   uint64_t gap, uint64_t whole, uint64_t word, bool *out,
                                   scrim_error *error)
{
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ratio, x);
    SC_OWN(sc_integer, digits);
    exponent_of(weights, gap, &x);
    sc_integer_set_uint128(&digits, word);
    return settle(bits, &x, whole, &digits, out, error);
}

/* Flipping. */

#define FIRST_BITS 16 /* of a real for each coin; a word holds four */
#define FIRSTS (64 / FIRST_BITS)

/* A coin whose first bits are those of its border: 48 more, and then what it takes. */
static scrim_status flip_slowly(sc_bits *bits, const sc_gap_weights *weights,
                                uint64_t gap, uint64_t first, bool *out,
                                scrim_error *error)
{
    uint64_t word = 0;
    scrim_status status = sc_bits_word(bits, &word, error);
    if (status != SCRIM_OK)
        return status;
    word = word >> FIRST_BITS | first << (64 - FIRST_BITS);
    const uint64_t weight = sc_gap_weight(weights, gap);
    if (word >> 1 < weight || word >> 1 >= weight + SC_GAP_SLACK) {
        *out = word >> 1 < weight;
        return SCRIM_OK;
    }
    return sc_gap_weights_settle(bits, weights, gap, SC_GAP_ONE, word, out, error);
}

/* The first bits of coin i. */
static inline uint64_t first_of(const uint64_t *word, unsigned i)
{
    return word[i / FIRSTS] >> FIRST_BITS * (i % FIRSTS) & 0xffff;
}

/* Between which of their first bits a weight lies: the ceiling's, and a 4096th and 2 below. */
static inline int64_t upper_bits(const sc_gap_weights *weights, uint64_t gap)
{
    return (int64_t)(sc_gap_ceiling(weights, gap) >> (63 - FIRST_BITS));
}

static inline int64_t lower_bits(int64_t upper)
{
    return upper - (upper >> 12) - 2;
}

/* Coins of a whole block by their first bits: heads, and whether any is left open. */
static inline bool flip_block(const sc_gap_weights *weights, int64_t top,
                              const int64_t *value, const uint64_t *word, uint64_t *heads)
{
    uint64_t below = 0, open = 0;
    for (unsigned i = 0; i < SC_GAP_FLIPS; i += FIRSTS, word++) {
        uint64_t rest = *word;
        for (unsigned j = 0; j < FIRSTS; j++, rest >>= FIRST_BITS) {
            const int64_t first = (int64_t)(rest & 0xffff);
            const int64_t upper =
                upper_bits(weights, (uint64_t)top - (uint64_t)value[i + j]);
            /* Signs of differences: below the lower end, and above the upper one. */
            const uint64_t heads_sign = (uint64_t)(first - lower_bits(upper));
            const uint64_t tails_sign = (uint64_t)(upper - first);
            below = below >> 1 | (heads_sign & (uint64_t)1 << 63);
            open |= ~(heads_sign | tails_sign);
        }
    }
    *heads = below;
    return open >> 63 != 0;
}

/* The same, with those that are open decided one by one. */
static scrim_status close_block(sc_bits *bits, const sc_gap_weights *weights, int64_t top,
                                const int64_t *value, unsigned count,
                                const uint64_t *word, uint64_t *heads, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (unsigned i = 0; status == SCRIM_OK && i < count; i++) {
        const uint64_t gap = (uint64_t)top - (uint64_t)value[i];
        const int64_t first = (int64_t)first_of(word, i),
                      upper = upper_bits(weights, gap);
        bool is_head = first < lower_bits(upper);
        if (!is_head && first <= upper)
            status = flip_slowly(bits, weights, gap, (uint64_t)first, &is_head, error);
        *heads |= (uint64_t)is_head << i;
    }
    return status;
}

/* A block in full, of which count coins matter. */
static scrim_status flip_whole(sc_bits *bits, const sc_gap_weights *weights, int64_t top,
                               const int64_t *value, unsigned count, uint64_t *heads,
                               scrim_error *error)
{
    uint64_t word[SC_GAP_FLIPS / FIRSTS] = {0}, all = 0;
    scrim_status status = SCRIM_OK;
    for (unsigned i = 0; status == SCRIM_OK && i < count; i += FIRSTS)
        status = sc_bits_word(bits, &word[i / FIRSTS], error);
    if (status == SCRIM_OK && flip_block(weights, top, value, word, &all))
        status = close_block(bits, weights, top, value, count, word, &all, error);
    if (status == SCRIM_OK)
        *heads = all & UINT64_MAX >> (SC_GAP_FLIPS - count);
    sc_wipe(word, sizeof word);
    return status;
}

scrim_status sc_gap_weights_flip(sc_bits *bits, const sc_gap_weights *weights,
                                 int64_t top, const int64_t *value, unsigned count,
                                 uint64_t *heads, scrim_error *error)
{
    if (count == SC_GAP_FLIPS)
        return flip_whole(bits, weights, top, value, count, heads, error);
    int64_t filled[SC_GAP_FLIPS];
    for (unsigned i = 0; i < SC_GAP_FLIPS; i++)
        filled[i] = i < count ? value[i] : top;
    scrim_status status = flip_whole(bits, weights, top, filled, count, heads, error);
    sc_wipe(filled, sizeof filled);
    return status;
}
