#include "sampling/blocks.h"

#include "sampling/discrete_gaussian_law.h"
#include "sampling/geometric.h"

/* Below these the table is over the magnitudes themselves. */
#define DIRECT_LINEAR 32
#define DIRECT_SQUARE 64
#define DIRECT_BOUND 512
/* The table covers COVER_LINEAR scales of a Laplace law, or COVER_SQUARE sigmas of a Gaussian
 * one; the rest has probability e^-16 and 1e-15. */
#define COVER_LINEAR 16
#define COVER_SQUARE 8
/* Draws are below 2^14 scales: 8192 by patience, and the table. So they fit 64 bits. */
#define NARROW_BITS 48

/* The weights of the table. */

/* exp(-rate M) or exp(-rate M^2) at the first element of a block. */
static void block_weight(const void *context, uint32_t cell, long bits, sc_ball *out)
{
    const sc_blocks *b = context;
    sc_int128 start = (sc_int128)cell << b->shift;
    SC_OWN(sc_ball, rate);
    sc_ball_set_ratio(&rate, &b->rate, bits);
    sc_ball_set_int128(out, start);
    if (b->law.is_square)
        sc_ball_mul(out, out, out, 2 * bits);
    sc_ball_mul(out, out, &rate, bits);
    sc_ball_neg(out, out);
    sc_ball_exp(out, out, bits);
    if (cell == 0 && b->shift == 0 && b->law.sides == SC_SIDES_BOTH)
        sc_ball_mul_power2(out, out, -1); /* both signs of 0 are the same 0 */
}

/* sum over h >= 0 of r^h, r = exp(-rate 2^shift), or of its first count terms. */
static void linear_total(const sc_blocks *b, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, step, power);
    sc_ball_set_ratio(&step, &b->rate, bits);
    sc_ball_mul_power2(&step, &step, (long)b->shift);
    sc_ball_neg(&step, &step);
    sc_ball_set_int64(&power, 1);
    if (!b->table.weights.has_rest) {
        sc_ball_mul_int64(&power, &step, (int64_t)b->count, bits);
        sc_ball_expm1(&power, &power, bits);
        sc_ball_neg(&power, &power);
    }
    sc_ball_expm1(&step, &step, bits);
    sc_ball_neg(&step, &step);
    sc_ball_div(out, &power, &step, bits);
}

/* sum over h >= 0 of exp(-rate 4^shift h^2): half of theta, and half of the term at 0. */
static void square_total(const sc_blocks *b, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, tau);
    sc_ball_set_ratio(&tau, &b->rate, bits + 16);
    sc_ball_mul_power2(&tau, &tau, 2 * (long)b->shift);
    sc_theta(&tau, bits, out);
    sc_ball_add_int64(out, out, 1, bits);
    sc_ball_mul_power2(out, out, -1);
}

static void block_total(const void *context, long bits, sc_ball *out)
{
    const sc_blocks *b = context;
    if (b->law.is_square)
        square_total(b, bits, out);
    else
        linear_total(b, bits, out);
    if (b->shift == 0 && b->law.sides == SC_SIDES_BOTH) {
        SC_OWN(sc_ball, half);
        sc_ball_set_int64(&half, 1);
        sc_ball_mul_power2(&half, &half, -1);
        sc_ball_sub(out, out, &half, bits);
    }
}

/* Setting up. */

/* floor(times / rate), or floor(times sigma) = floor(sqrt(times^2 / (2 rate))). */
static bool floor_scale(const sc_blocks *b, uint64_t times, sc_uint128 *out)
{
    SC_OWN(sc_integer, x, below);
    sc_integer_mul_uint64(&x, &b->rate_parts.d, b->law.is_square ? times * times : times);
    sc_integer_mul_uint64(&below, &b->rate_parts.n, b->law.is_square ? 2 : 1);
    sc_integer_divide(&x, NULL, &x, &below);
    if (b->law.is_square)
        sc_integer_sqrt(&x, &x);
    return sc_integer_get_uint128(&x, out) && *out <= (sc_uint128)times << SC_SCALE_BITS;
}

/* Blocks of 1/32 to 1/16 of the law's width, as many as cover it; a bound inside the
 * cover ends the table, one outside is kept by rejection. */
static bool choose_blocks(sc_blocks *b, sc_weights *weights)
{
    const bool is_bounded = b->law.is_bounded;
    const uint64_t bound = b->law.bound;
    const uint64_t direct = b->law.is_square ? DIRECT_SQUARE : DIRECT_LINEAR;
    sc_uint128 scale = 0, cover = 0;
    if (!floor_scale(b, 1, &scale) ||
        !floor_scale(b, b->law.is_square ? COVER_SQUARE : COVER_LINEAR, &cover))
        return false;
    uint64_t width = is_bounded && bound < scale ? bound : (uint64_t)scale;
    bool is_direct = width < direct || (is_bounded && bound < DIRECT_BOUND);
    b->shift = is_direct ? 0 : sc_bit_length64(width) - 5;
    weights->has_rest = !is_bounded || bound > cover;
    b->count = (uint32_t)((weights->has_rest ? cover : bound) >> b->shift) + 1;
    weights->cells = b->count;
    b->is_narrow = is_bounded || sc_bit_length128(scale) <= NARROW_BITS;
    return true;
}

/* The top 64 bits of the rate. */
static void set_mantissa(sc_blocks *b)
{
    const sc_integer *n = &b->rate_parts.n, *d = &b->rate_parts.d;
    SC_OWN(sc_integer, scaled, quotient);
    long exponent = 64 + (long)sc_integer_bits(d) - (long)sc_integer_bits(n);
    /* n 2^exponent / d has 64 or 65 bits; one step down in the second case. */
    for (;; exponent--) {
        if (exponent >= 0) {
            sc_integer_shift_left(&scaled, n, (unsigned)exponent);
            sc_integer_divide(&quotient, NULL, &scaled, d);
        } else {
            sc_integer_shift_left(&scaled, d, (unsigned)-exponent);
            sc_integer_divide(&quotient, NULL, n, &scaled);
        }
        if (sc_integer_get_uint64(&quotient, &b->rate_mantissa))
            break;
    }
    b->rate_exponent = exponent;
}

/* Blocks beyond the table, h = count + g, weigh exp(-rate m h) or exp(-rate m^2 h^2), m =
 * 2^shift: g is geometric of scale 1/(rate m), or, since h^2 = count^2 + 2 count g + g^2,
 * geometric of scale 1/(2 rate m^2 count) and kept with probability exp(-rate m^2 g^2).
 */
static void set_tail(sc_blocks *b)
{
    SC_OWN(sc_integer, steep);
    sc_integer_shift_left(&steep, &b->rate_parts.n, b->shift);
    if (b->law.is_square) {
        sc_integer_shift_left(&steep, &steep, b->shift);
        sc_integer_mul_uint64(&steep, &steep, 2 * (uint64_t)b->count);
    }
    sc_fraction_init_integers(&b->tail_scale, &b->rate_parts.d, &steep);
}

/* The law, its rate and the sizes of blocks: all but the table. Cleared on failure. */
static scrim_status begin(sc_blocks *b, const sc_blocks_law *law, const sc_ratio *rate,
                          sc_weights *weights, scrim_error *error)
{
    b->law = *law;
    sc_ratio_init(&b->rate);
    sc_ratio_set(&b->rate, rate);
    sc_fraction_init(&b->rate_parts, rate);
    if (choose_blocks(b, weights))
        return SCRIM_OK;
    sc_ratio_clear(&b->rate);
    sc_fraction_clear(&b->rate_parts);
    return sc_fail(error, SCRIM_E_LIMIT,
                   "noise wider than 1.1e18 is not drawn; choose a smaller scale");
}

scrim_status sc_blocks_init(sc_blocks *b, const sc_blocks_law *law, const sc_ratio *rate,
                            scrim_error *error)
{
    sc_weights weights = {.context = b, .weight = block_weight, .total = block_total};
    scrim_status status = begin(b, law, rate, &weights, error);
    if (status != SCRIM_OK)
        return status;
    set_mantissa(b);
    set_tail(b);
    status = sc_threshold_table_init(&b->table, &weights, error);
    if (status != SCRIM_OK) {
        sc_ratio_clear(&b->rate);
        sc_fraction_clear(&b->rate_parts);
        sc_fraction_clear(&b->tail_scale);
    }
    return status;
}

/* 1 / scale, or 1 / (2 variance). */
static void set_rate(const sc_blocks_law *law, const sc_ratio *shape, sc_ratio *rate)
{
    SC_OWN(sc_ratio, divisor);
    sc_ratio_set(&divisor, shape);
    if (law->is_square)
        sc_ratio_add(&divisor, &divisor, &divisor);
    sc_ratio_set_int64(rate, 1);
    sc_ratio_div(rate, rate, &divisor);
}

scrim_status sc_blocks_init_shape(sc_blocks *b, const sc_blocks_law *law,
                                  const sc_ratio *shape, scrim_error *error)
{
    SC_OWN(sc_ratio, rate);
    set_rate(law, shape, &rate);
    return sc_blocks_init(b, law, &rate, error);
}

scrim_status sc_blocks_check_shape(const sc_blocks_law *law, const sc_ratio *shape,
                                   scrim_error *error)
{
    sc_blocks b = {.count = 0};
    sc_weights weights = {.context = &b};
    SC_OWN(sc_ratio, rate);
    set_rate(law, shape, &rate);
    SC_TRY(begin(&b, law, &rate, &weights, error));
    sc_ratio_clear(&b.rate);
    sc_fraction_clear(&b.rate_parts);
    return SCRIM_OK;
}

void sc_blocks_clear(sc_blocks *b)
{
    sc_threshold_table_clear(&b->table);
    sc_ratio_clear(&b->rate);
    sc_fraction_clear(&b->rate_parts);
    sc_fraction_clear(&b->tail_scale);
}

/* The coin. */

#define SLACK 8 /* of the 64 digits below: three roundings, each by less than 2 */

/* floor(rate exponent 2^64), up to SLACK too low. */
static inline uint64_t scaled_exponent(const sc_blocks *b, sc_uint128 exponent)
{
    unsigned drop = 0;
    if (__builtin_expect(exponent >> 64 != 0, 0))
        drop = sc_bit_length64((uint64_t)(exponent >> 64));
    sc_uint128 product = (sc_uint128)(uint64_t)(exponent >> drop) * b->rate_mantissa;
    long down = b->rate_exponent - 64 - (long)drop;
    return down >= 128 ? 0 : (uint64_t)(product >> down);
}

static scrim_status settle(sc_bits *bits, const sc_blocks *b, sc_uint128 exponent,
                           uint64_t k, uint64_t word, bool *out, scrim_error *error)
{
    SC_OWN(sc_integer, n, d);
    sc_integer_set_uint128(&n, exponent);
    sc_integer_mul(&n, &n, &b->rate_parts.n);
    sc_integer_mul_uint64(&d, &b->rate_parts.d, k);
    return sc_bernoulli_settle(bits, word, &n, &d, out, error);
}

static inline scrim_status below(sc_bits *bits, const sc_blocks *b, sc_uint128 exponent,
                                 uint64_t low, uint64_t k, uint64_t word, bool *out,
                                 scrim_error *error)
{
    /* low + SLACK does not wrap: rate exponent is below 3/4 for every block of a table. */
    uint64_t floor_low = k == 1 ? low : low / k;
    uint64_t floor_high = k == 1 ? low + SLACK : (low + SLACK) / k;
    if (word < floor_low || word > floor_high) {
        *out = word < floor_low;
        return SCRIM_OK;
    }
    return settle(bits, b, exponent, k, word, out, error);
}

scrim_status sc_blocks_below(sc_bits *bits, const sc_blocks *b, sc_uint128 exponent,
                             uint64_t k, uint64_t word, bool *out, scrim_error *error)
{
    return below(bits, b, exponent, scaled_exponent(b, exponent), k, word, out, error);
}

/* von Neumann: the number of uniforms that pass below x, x/2, x/3, .. is even with
 * probability exp(-x). */
static inline scrim_status coin(sc_bits *bits, const sc_blocks *b, sc_uint128 exponent,
                                bool *out, scrim_error *error)
{
    uint64_t low = scaled_exponent(b, exponent);
    for (uint64_t k = 1; k < SC_BITS_PATIENCE; k++) {
        uint64_t word = 0;
        bool pass = false;
        scrim_status status = sc_bits_word(bits, &word, error);
        if (status == SCRIM_OK)
            status = below(bits, b, exponent, low, k, word, &pass, error);
        if (status != SCRIM_OK)
            return status;
        if (__builtin_expect(!pass, 1)) {
            *out = k & 1;
            return SCRIM_OK;
        }
    }
    return sc_bits_broken(error);
}

scrim_status sc_blocks_coin(sc_bits *bits, const sc_blocks *b, sc_uint128 exponent,
                            bool *out, scrim_error *error)
{
    return coin(bits, b, exponent, out, error);
}

/* Drawing. */

/* True with probability exp(-rate exponent), for an exponent of any size. */
static scrim_status far_coin(sc_bits *bits, const sc_blocks *b,
                             const sc_integer *exponent, bool *out, scrim_error *error)
{
    SC_OWN(sc_integer, n);
    sc_integer_mul(&n, exponent, &b->rate_parts.n);
    return sc_bernoulli_exp_integer(bits, &n, &b->rate_parts.d, out, error);
}

/* exp(-rate (m g)^2), the further coin of a far block of the square. */
static scrim_status keep_far(sc_bits *bits, const sc_blocks *b, sc_int128 g, bool *out,
                             scrim_error *error)
{
    SC_OWN(sc_integer, square);
    sc_integer_set_int128(&square, g);
    sc_integer_shift_left(&square, &square, b->shift);
    sc_integer_mul(&square, &square, &square);
    return far_coin(bits, b, &square, out, error);
}

/* A block beyond the table, from the exact conditional law of blocks. */
static scrim_status far_block(sc_bits *bits, const sc_blocks *b, sc_uint128 *out,
                              scrim_error *error)
{
    for (unsigned tries = 0; tries < SC_BITS_PATIENCE; tries++) {
        sc_int128 g = 0;
        bool accepted = true;
        scrim_status status = sc_geometric_reference(bits, &b->tail_scale, &g, error);
        if (status == SCRIM_OK && b->law.is_square)
            status = keep_far(bits, b, g, &accepted, error);
        if (status != SCRIM_OK)
            return status;
        if (accepted) {
            *out = (sc_uint128)b->count + (sc_uint128)g;
            return SCRIM_OK;
        }
    }
    return sc_bits_broken(error);
}

/* exp(-rate ((start + offset)^2 - start^2)) where rate times that may be above 1. */
static scrim_status far_offset_coin(sc_bits *bits, const sc_blocks *b, sc_uint128 start,
                                    uint64_t offset, bool *out, scrim_error *error)
{
    SC_OWN(sc_integer, exponent);
    sc_integer_set_uint128(&exponent, 2 * start + offset);
    sc_integer_mul_uint64(&exponent, &exponent, offset);
    return far_coin(bits, b, &exponent, out, error);
}

/* An offset in a block; accepted says whether the coin kept it. */
static inline scrim_status block_turn(sc_bits *bits, const sc_blocks *b, sc_uint128 block,
                                      sc_uint128 *magnitude, bool *accepted,
                                      scrim_error *error)
{
    uint64_t word = 0;
    scrim_status status = sc_bits_word(bits, &word, error);
    if (status != SCRIM_OK)
        return status;
    uint64_t offset = word & (((uint64_t)1 << b->shift) - 1);
    sc_uint128 start = block << b->shift;
    *magnitude = start + offset;
    if (!b->law.is_square)
        return coin(bits, b, offset, accepted, error);
    if (__builtin_expect(block >= b->count, 0))
        return far_offset_coin(bits, b, start, offset, accepted, error);
    return coin(bits, b, (2 * start + offset) * offset, accepted, error);
}

/* One turn: accepted says whether value is a draw. */
static inline scrim_status turn(sc_bits *bits, const sc_blocks *b, bool is_direct,
                                sc_int128 *value, bool *accepted, scrim_error *error)
{
    uint64_t word = 0;
    uint32_t cell = 0;
    scrim_status status = sc_bits_word(bits, &word, error);
    if (status == SCRIM_OK)
        status = sc_threshold_table_pick(bits, &b->table, word >> 1, &cell, error);
    if (status != SCRIM_OK)
        return status;
    sc_uint128 block = cell;
    if (__builtin_expect(cell == b->count, 0))
        status = far_block(bits, b, &block, error);
    sc_uint128 magnitude = block;
    bool keep = true;
    if (status == SCRIM_OK && !is_direct)
        status = block_turn(bits, b, block, &magnitude, &keep, error);
    if (status != SCRIM_OK)
        return status;
    bool negative = word & 1;
    if (b->law.is_bounded)
        keep = keep && magnitude <= b->law.bound;
    sc_int128 flip = b->law.sides != SC_SIDES_ONE && negative ? -1 : 0;
    if (b->law.sides == SC_SIDES_BOTH) {
        if (!is_direct)
            keep = keep && !(negative && magnitude == 0);
        *value = ((sc_int128)magnitude ^ flip) - flip;
    } else {
        *value = (sc_int128)magnitude ^ flip;
    }
    *accepted = keep;
    return SCRIM_OK;
}

static inline scrim_status draw(sc_bits *bits, const sc_blocks *b, bool is_direct,
                                sc_int128 *value, scrim_error *error)
{
    for (unsigned tries = 0; tries < SC_BITS_PATIENCE; tries++) {
        bool accepted = false;
        scrim_status status = turn(bits, b, is_direct, value, &accepted, error);
        if (status != SCRIM_OK)
            return status;
        if (__builtin_expect(accepted, 1))
            return SCRIM_OK;
    }
    return sc_bits_broken(error);
}

/* The common case of a draw, without a call: words straight from the supply, as many draws as
 * go without a tie, a tail or a coin that is not plainly kept. The word at which a run
 * stops is left for draw(), which decides it anew; both take the same words for the same
 * draws. */
static size_t run_direct(sc_bits_supply *supply, const sc_blocks *b, size_t count,
                         int64_t *out)
{
    const uint64_t *first = b->table.first;
    const uint64_t sign = b->law.sides != SC_SIDES_ONE;
    const int64_t both = b->law.sides == SC_SIDES_BOTH ? -1 : 0;
    uint64_t *words = supply->end - supply->left;
    size_t run = supply->left < count ? (size_t)supply->left : count, i = 0;
    for (; i < run; i++) {
        uint64_t word = words[i], u = word >> 1;
        uint32_t cell = sc_threshold_table_scan(&b->table, u);
        if (__builtin_expect(u == first[cell] || cell == b->count, 0))
            break;
        int64_t flip = -(int64_t)(word & sign);
        out[i] = ((int64_t)cell ^ flip) - (flip & both);
        words[i] = 0;
    }
    supply->left -= i;
    return i;
}

static inline size_t run_blocks(sc_bits_supply *supply, const sc_blocks *b,
                                bool is_square, size_t count, int64_t *out)
{
    const uint64_t *first = b->table.first;
    const uint64_t sign = b->law.sides != SC_SIDES_ONE, bound = b->law.bound;
    const int64_t both = b->law.sides == SC_SIDES_BOTH ? -1 : 0;
    const uint64_t mask = ((uint64_t)1 << b->shift) - 1;
    const bool is_bounded = b->law.is_bounded;
    uint64_t *words = supply->end - supply->left;
    size_t i = 0;
    while (i < count && supply->end - words >= 3) {
        uint64_t word = words[0], u = word >> 1, offset = words[1] & mask;
        uint32_t cell = sc_threshold_table_scan(&b->table, u);
        if (__builtin_expect(u == first[cell] || cell == b->count, 0))
            break;
        uint64_t start = (uint64_t)cell << b->shift, magnitude = start + offset;
        sc_uint128 exponent = offset;
        if (is_square)
            exponent = (sc_uint128)(2 * start + offset) * offset;
        if (words[2] <= scaled_exponent(b, exponent) + SLACK)
            break;
        words[0] = words[1] = words[2] = 0;
        words += 3;
        int64_t flip = -(int64_t)(word & sign);
        bool keep =
            !(magnitude == 0 && (flip & both)) && !(is_bounded && magnitude > bound);
        out[i] = ((int64_t)magnitude ^ flip) - (flip & both);
        i += keep;
    }
    supply->left = (uint64_t)(supply->end - words);
    return i;
}

static size_t run(sc_bits_supply *supply, const sc_blocks *b, size_t count, int64_t *out)
{
    if (supply->left == 0)
        return 0;
    if (b->shift == 0)
        return run_direct(supply, b, count, out);
    return b->law.is_square ? run_blocks(supply, b, true, count, out)
                            : run_blocks(supply, b, false, count, out);
}

scrim_status sc_blocks_fill(sc_bits *bits, const sc_blocks *b, size_t count, int64_t *out,
                            scrim_error *error)
{
    if (!b->is_narrow)
        return sc_fail(error, SCRIM_E_INTERNAL, "wide noise was drawn as narrow noise");
    for (size_t done = 0;;) {
        done += run(bits->supply, b, count - done, out + done);
        if (done == count)
            return SCRIM_OK;
        sc_int128 value = 0;
        scrim_status status = draw(bits, b, b->shift == 0, &value, error);
        if (status != SCRIM_OK)
            return status;
        out[done++] = (int64_t)value;
    }
}

scrim_status sc_blocks_fill_wide(sc_bits *bits, const sc_blocks *b, size_t count,
                                 sc_int128 *out, scrim_error *error)
{
    for (size_t i = 0; i < count; i++) {
        sc_int128 value = 0;
        scrim_status status = draw(bits, b, b->shift == 0, &value, error);
        if (status != SCRIM_OK)
            return status;
        out[i] = value;
    }
    return SCRIM_OK;
}
