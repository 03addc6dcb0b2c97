#include "mechanism/local/report_law.h"

#include "local/device/device_hash.h"
#include "local/device/number_encoders.h"

#include <string.h>

#define WHOLE ((uint64_t)1 << 32)
#define OUTPUT_BITS 20 /* at most 2^20 reports are listed */
#define DIGITS 32
#define NUMBERS_MAX 4096 /* with noise: powers of b/a are long */

static uint64_t power(uint64_t base, uint32_t exponent)
{
    uint64_t x = 1;
    while (exponent-- > 0)
        x *= base;
    return x;
}

static uint64_t binomial(uint64_t n, uint64_t k)
{
    uint64_t x = 1;
    if (k > n)
        return 0;
    for (uint64_t i = 0; i < k; i++)
        x = x * (n - i) / (i + 1);
    return x;
}

static unsigned weight(uint64_t bits)
{
    return (unsigned)__builtin_popcountll(bits);
}

/* Reports of one draw. */

/* The digits of a point: the first that is not 0 is 1. */
static void point_digits(uint32_t q, uint32_t t, uint64_t index, uint64_t out[DIGITS])
{
    uint32_t after = 0;
    uint64_t block = 1;
    memset(out, 0, DIGITS * sizeof *out);
    for (; index >= block; block *= q, after++)
        index -= block;
    out[t - 1 - after] = 1;
    for (uint32_t i = 0; i < after; i++, index /= q)
        out[t - 1 - i] = index % q;
}

static bool is_on_hyperplane(const scrim_local_config *c, uint64_t x, uint64_t y)
{
    uint64_t a[DIGITS], b[DIGITS], sum = 0;
    point_digits(c->field, c->digits, x, a);
    point_digits(c->field, c->digits, y, b);
    for (uint32_t i = 0; i < c->digits; i++)
        sum += a[i] * b[i] % c->field;
    return sum % c->field == 0;
}

static bool is_hashed(const scrim_local_config *c, uint64_t x, uint64_t index)
{
    uint64_t a = index / c->field, sum = 0;
    for (uint32_t i = 0; i < c->digits; i++, a /= c->field, x /= c->field)
        sum += (a % c->field) * (x % c->field) % c->field;
    return sum % c->field == index % c->field;
}

static bool is_in_row(const scrim_local_config *c, uint64_t x, uint64_t index)
{
    const uint64_t block = x / (c->order - 1), row = x % (c->order - 1) + 1;
    return index / c->order == block && weight(row & (index % c->order)) % 2 == 0;
}

/* The cell of texts below 4 depends on the top log2(cells) + 1 bits of the seed times the text 1 alone,
 * which are uniform: the class of the seed. A prefix keeps the first bits of a text, the lowest last. */
static uint64_t kept_bits(const scrim_local_config *c, uint64_t x, uint64_t group)
{
    const uint64_t lost = c->prefixes == 0 ? 0 : 8 * (uint64_t)c->text - c->prefix[group];
    return lost > 1 ? 0 : x >> lost << lost;
}

static bool is_in_cell(const scrim_local_config *c, uint64_t x, uint64_t index)
{
    const uint64_t cells = c->cells, class = index / cells % (2 * cells);
    const uint64_t kept = kept_bits(c, x, index / cells / (2 * cells));
    const uint64_t cell =
        ((kept & 1) != 0 ? class / 2 : 0) ^ ((kept & 2) != 0 ? class % cells : 0);
    return index % cells == cell;
}

static bool is_text(const scrim_local_config *c)
{
    return c->protocol == SCRIM_LOCAL_TEXT_HASHING || c->protocol == SCRIM_LOCAL_PREFIX;
}

/* Does the report belong to the value? */
static bool is_in(const scrim_local_config *c, uint64_t x, uint64_t index)
{
    switch (c->protocol) {
    case SCRIM_LOCAL_RESPONSE:
        return x == index;
    case SCRIM_LOCAL_PROJECTIVE:
        return is_on_hyperplane(c, x, index);
    case SCRIM_LOCAL_SUBSET:
        return (index >> x & 1) != 0;
    case SCRIM_LOCAL_HASHING:
        return is_hashed(c, x, index);
    case SCRIM_LOCAL_HADAMARD:
        return is_in_row(c, x, index);
    case SCRIM_LOCAL_TEXT_HASHING:
    case SCRIM_LOCAL_PREFIX:
        return is_in_cell(c, x, index);
    default: /* square-wave */
        return x <= index && index <= x + 2 * (uint64_t)c->width;
    }
}

/* How many reports belong to a value, and how many do not. */
typedef struct set_sizes {
    uint64_t in, out;
} set_sizes;

static set_sizes sizes_of(const scrim_local_config *c)
{
    const uint64_t k = c->values;
    switch (c->protocol) {
    case SCRIM_LOCAL_RESPONSE:
        return (set_sizes){1, k - 1};
    case SCRIM_LOCAL_PROJECTIVE: {
        const sc_geometry g = sc_protocol_geometry(c->field, c->digits);
        return (set_sizes){g.on_one, g.points - g.on_one};
    }
    case SCRIM_LOCAL_SUBSET:
        return (set_sizes){binomial(k - 1, c->chosen - 1), binomial(k - 1, c->chosen)};
    case SCRIM_LOCAL_HASHING: {
        const uint64_t seeds = power(c->field, c->digits);
        return (set_sizes){seeds, seeds * (c->field - 1)};
    }
    case SCRIM_LOCAL_HADAMARD:
        return (set_sizes){c->order / 2, (uint64_t)c->blocks * c->order - c->order / 2};
    case SCRIM_LOCAL_TEXT_HASHING:
    case SCRIM_LOCAL_PREFIX: {
        const uint64_t cells = c->cells;
        const uint64_t classes = 2 * cells * (c->prefixes == 0 ? 1 : c->prefixes);
        return (set_sizes){classes, classes * (cells - 1)};
    }
    default:
        return (set_sizes){2 * (uint64_t)c->width + 1, k - 1};
    }
}

static void set_probability(const scrim_local_config *c, uint64_t x, uint64_t index,
                            sc_ratio *out)
{
    const set_sizes sizes = sizes_of(c);
    if (c->protocol == SCRIM_LOCAL_SUBSET && weight(index) != c->chosen)
        sc_ratio_set_int64(out, 0);
    else
        sc_protocol_fraction(out, is_in(c, x, index) ? c->a : c->b,
                             (sc_uint128)sizes.in * c->a + (sc_uint128)sizes.out * c->b);
}

/* Bits that are drawn once. */

static bool is_bits(const scrim_local_config *c)
{
    switch (c->protocol) {
    case SCRIM_LOCAL_SYMMETRIC_UNARY:
    case SCRIM_LOCAL_OPTIMISED_UNARY:
    case SCRIM_LOCAL_BIT_FLIP:
    case SCRIM_LOCAL_REPEATED_UNARY:
    case SCRIM_LOCAL_RAPPOR:
    case SCRIM_LOCAL_ONE_BIT:
    case SCRIM_LOCAL_ROUNDED_BIT:
        return true;
    default:
        return false;
    }
}

/* Bits of a report. */
static uint32_t bits_of(const scrim_local_config *c)
{
    return c->protocol == SCRIM_LOCAL_RAPPOR     ? c->bits
           : c->protocol == SCRIM_LOCAL_BIT_FLIP ? c->chosen
           : c->protocol >= SCRIM_LOCAL_ONE_BIT  ? 1
                                                 : c->values;
}

/* The probability that the drawn bit of a number is 1: (B m + x (A-B)) / ((A+B) m). */
static void number_bit(const scrim_local_config *c, uint64_t x, sc_ratio *out)
{
    const uint64_t m = c->values - 1;
    sc_protocol_fraction(out, (sc_uint128)c->b * m + (sc_uint128)x * (c->a - c->b),
                         ((sc_uint128)c->a + c->b) * m);
}

/* Likewise of one bit of a signal. */
static void signal_bit(const scrim_local_config *c, bool is_set, sc_ratio *out)
{
    if (c->protocol == SCRIM_LOCAL_RAPPOR)
        sc_protocol_fraction(out, is_set ? 2 * WHOLE - c->f : c->f,
                             (sc_uint128)2 * WHOLE);
    else if (is_set && c->protocol != SCRIM_LOCAL_SYMMETRIC_UNARY &&
             c->protocol != SCRIM_LOCAL_BIT_FLIP)
        sc_protocol_fraction(out, 1, 2);
    else
        sc_protocol_fraction(out, is_set ? c->a : c->b, (sc_uint128)c->a + c->b);
}

/* The probability, in parts of 2^32, that a report's bit is 1 if the drawn bit is 1, and if it is 0. */
typedef struct show {
    uint64_t one, zero;
} show;

static show shown(const scrim_local_config *c)
{
    if (c->protocol == SCRIM_LOCAL_REPEATED_UNARY)
        return (show){c->keep, WHOLE - c->keep};
    if (c->protocol == SCRIM_LOCAL_ROUNDED_BIT)
        return (show){WHOLE - c->flip, c->flip};
    if (c->protocol == SCRIM_LOCAL_RAPPOR && c->q != 0)
        return (show){c->q, c->p};
    return (show){WHOLE, 0};
}

/* The probability that reports show ones of 1 and the rest of 0, where the drawn bit gives 1 with
 * probability one/2^32. */
static void shown_as(uint64_t one, uint64_t ones, uint64_t zeros, sc_ratio *out)
{
    SC_OWN(sc_ratio, part);
    sc_ratio_set_int64(out, 1);
    for (uint64_t i = 0; i < ones + zeros; i++) {
        sc_protocol_fraction(&part, i < ones ? one : WHOLE - one, WHOLE);
        sc_ratio_mul(out, out, &part);
    }
}

/* drawn is the probability that the drawn bit is 1. */
static void bit_probability(const scrim_local_config *c, const sc_ratio *drawn,
                            uint64_t ones, uint64_t zeros, sc_ratio *out)
{
    const show how = shown(c);
    SC_OWN(sc_ratio, other, rest);
    shown_as(how.one, ones, zeros, out);
    sc_ratio_mul(out, out, drawn);
    shown_as(how.zero, ones, zeros, &other);
    sc_ratio_set_int64(&rest, 1);
    sc_ratio_sub(&rest, &rest, drawn);
    sc_ratio_mul(&other, &other, &rest);
    sc_ratio_add(out, out, &other);
}

/* The part of an index that comes before the bits: the cohort, or the set of buckets. */
static uint64_t heads_of(const scrim_local_config *c)
{
    return c->protocol == SCRIM_LOCAL_RAPPOR     ? c->cohorts
           : c->protocol == SCRIM_LOCAL_BIT_FLIP ? (uint64_t)1 << c->values
                                                 : 1;
}

static void head_probability(const scrim_local_config *c, uint64_t head, sc_ratio *out)
{
    if (c->protocol != SCRIM_LOCAL_BIT_FLIP)
        sc_protocol_fraction(out, 1, heads_of(c));
    else if (weight(head) != c->chosen)
        sc_ratio_set_int64(out, 0);
    else
        sc_protocol_fraction(out, 1, binomial(c->values, c->chosen));
}

/* Does the text x set the bit in the cohort? Its first byte is the highest. */
static bool is_in_filter(const scrim_local_config *c, uint32_t cohort, uint64_t x,
                         uint32_t bit)
{
    uint8_t text[UINT8_MAX] = {0};
    for (size_t i = c->text; i > 0; i--, x >>= 8)
        text[i - 1] = (uint8_t)x;
    for (uint32_t i = 0; i < c->hashes; i++)
        if (sl_bloom_place(sl_divisor_of(c->bits), cohort, i, text, c->text) == bit)
            return true;
    return false;
}

/* Is the bit of the signal set? A single bit is that of yes, 1. */
static bool is_signal(const scrim_local_config *c, uint64_t head, uint64_t x,
                      uint32_t bit)
{
    if (c->protocol == SCRIM_LOCAL_RAPPOR && c->hashes > 0)
        return is_in_filter(c, (uint32_t)head, x, bit);
    if (c->protocol == SCRIM_LOCAL_RAPPOR && c->bits == 1)
        return x == 1;
    if (c->protocol != SCRIM_LOCAL_BIT_FLIP)
        return x == bit;
    while (bit-- > 0)
        head &= head - 1;
    return head != 0 && (uint64_t)__builtin_ctzll(head) == x;
}

static void bits_probability(const scrim_local_config *c, uint64_t reports, uint64_t x,
                             uint64_t index, sc_ratio *out)
{
    const uint32_t n = bits_of(c);
    const uint64_t head = index % heads_of(c), all = index / heads_of(c);
    SC_OWN(sc_ratio, drawn, part);
    head_probability(c, head, out);
    for (uint32_t bit = 0; bit < n; bit++) {
        uint64_t ones = 0;
        for (uint64_t r = 0; r < reports; r++)
            ones += all >> (r * n + bit) & 1;
        if (c->protocol >= SCRIM_LOCAL_ONE_BIT)
            number_bit(c, x, &drawn);
        else
            signal_bit(c, is_signal(c, head, x, bit), &drawn);
        bit_probability(c, &drawn, ones, reports - ones, &part);
        sc_ratio_mul(out, out, &part);
    }
}

/* Numbers with noise, and values by distance. */

/* (b/a)^t. */
static void ratio_power(const scrim_local_config *c, uint64_t t, sc_ratio *out)
{
    SC_OWN(sc_ratio, step);
    sc_protocol_fraction(&step, c->b, c->a);
    sc_ratio_set_int64(out, 1);
    while (t-- > 0)
        sc_ratio_mul(out, out, &step);
}

/* x + width + z, clamped to what can be sent; an end has all that lies beyond, a/(a+b) (b/a)^t. */
static void geometric_probability(const scrim_local_config *c, uint64_t x, uint64_t index,
                                  sc_ratio *out)
{
    const uint64_t at = x + c->width, top = c->values + 2 * (uint64_t)c->width - 1;
    const uint64_t distance = index < at ? at - index : index - at;
    const bool is_end = index == 0 || index == top;
    SC_OWN(sc_ratio, part);
    ratio_power(c, distance, out);
    sc_protocol_fraction(&part, is_end ? c->a : c->a - c->b, (sc_uint128)c->a + c->b);
    sc_ratio_mul(out, out, &part);
}

/* The probability that u is below n, where the device draws u below size by 8 words: the first that is
 * not rejected counts, else the last. A word is rejected with probability r = (2^64 mod size)/2^64. Of the
 * words that lead below n, ceil(n 2^64/size), all but n floor(2^64/size) are rejected:
 * (1 - r^8) n/size + r^7 (rejected ones)/2^64. */
static void secret_uniform_below(uint64_t size, uint64_t n, sc_ratio *out)
{
    const sc_uint128 words = (sc_uint128)1 << 64;
    if (size == 0) { /* nothing can be drawn */
        sc_ratio_set_int64(out, 0);
        return;
    }
    const uint64_t rejected = (uint64_t)(words % size);
    const uint64_t spare = (uint64_t)(((sc_uint128)n * rejected + size - 1) / size);
    SC_OWN(sc_ratio, r, power, part);
    sc_protocol_fraction(&r, rejected, words);
    sc_ratio_set_int64(&power, 1);
    for (unsigned i = 0; i < 7; i++)
        sc_ratio_mul(&power, &power, &r);
    sc_protocol_fraction(out, n, size);
    sc_ratio_mul(&part, &power, &r);
    sc_ratio_mul(&part, &part, out);
    sc_ratio_sub(out, out, &part);
    sc_protocol_fraction(&part, spare, words);
    sc_ratio_mul(&part, &part, &power);
    sc_ratio_add(out, out, &part);
}

/* w(0) = 2^31, w(t) = ceil(w(t-1) b/a). The device lays the weights side by side by distance, those of
 * smaller values first. */
static void condensed_probability(const scrim_local_config *c, uint64_t x, uint64_t index,
                                  sc_ratio *out)
{
    const uint64_t distance = index < x ? x - index : index - x;
    uint64_t w = (uint64_t)1 << 31, sum = 0, before = 0, own = 0;
    SC_OWN(sc_ratio, rest);
    for (uint64_t t = 0; t < c->values; t++, w = (w * c->b + c->a - 1) / c->a) {
        const uint64_t below = t <= x ? w : 0;
        if (t == distance) {
            before = sum + (index > x ? below : 0);
            own = w;
        }
        sum += below + (t > 0 && x + t < c->values ? w : 0);
    }
    secret_uniform_below(sum, before + own, out);
    secret_uniform_below(sum, before, &rest);
    sc_ratio_sub(out, out, &rest);
}

/* With a table the device lays the weights side by side by value. */
static void declared_probability(const scrim_local_config *c, uint64_t x, uint64_t index,
                                 sc_ratio *out)
{
    uint64_t weights[SL_METRIC_VALUES] = {(uint64_t)1 << 31}, sum = 0, before = 0,
             own = 0;
    SC_OWN(sc_ratio, rest);
    for (uint32_t t = 1; t < SL_METRIC_VALUES; t++)
        weights[t] = (weights[t - 1] * c->b + c->a - 1) / c->a;
    for (uint32_t z = 0; z < c->values; z++) {
        const uint64_t weight = weights[sl_metric_distance(c, (uint32_t)x, z)];
        before = z == index ? sum : before;
        own = z == index ? weight : own;
        sum += weight;
    }
    secret_uniform_below(sum, before + own, out);
    secret_uniform_below(sum, before, &rest);
    sc_ratio_sub(out, out, &rest);
}

static bool is_noise(const scrim_local_config *c)
{
    return c->protocol == SCRIM_LOCAL_LAPLACE || c->protocol == SCRIM_LOCAL_GEOMETRIC;
}

/* Any of them. */

uint64_t sc_report_outputs(const scrim_local_config *c, uint64_t reports)
{
    const uint64_t most = (uint64_t)1 << OUTPUT_BITS;
    uint64_t count = 0;
    if (is_bits(c)) {
        const bool is_flip = c->protocol == SCRIM_LOCAL_BIT_FLIP;
        if (reports > OUTPUT_BITS || (is_flip && c->values > OUTPUT_BITS) ||
            reports * bits_of(c) > OUTPUT_BITS)
            return 0;
        count = heads_of(c) << reports * bits_of(c);
    } else if (c->protocol == SCRIM_LOCAL_SUBSET) {
        count = c->values > OUTPUT_BITS ? 0 : (uint64_t)1 << c->values;
    } else if (is_noise(c) || c->protocol == SCRIM_LOCAL_CONDENSED) {
        count = c->values > NUMBERS_MAX ? 0 : c->values + 2 * (uint64_t)c->width;
    } else {
        const set_sizes sizes = sizes_of(c);
        count = sizes.in + sizes.out;
    }
    return count > most ? 0 : count;
}

void sc_report_probability(const scrim_local_config *c, uint64_t reports, uint64_t x,
                           uint64_t index, sc_ratio *out)
{
    if (is_bits(c))
        bits_probability(c, reports, x, index, out);
    else if (is_noise(c))
        geometric_probability(c, x, index, out);
    else if (c->protocol == SCRIM_LOCAL_CONDENSED)
        (c->metric == 0 ? condensed_probability : declared_probability)(c, x, index, out);
    else
        set_probability(c, x, index, out);
}

/* Writes a number below a limit, and goes past it. */
static uint8_t *put(uint8_t *out, uint64_t number, uint64_t limit)
{
    do {
        *out++ = (uint8_t)number;
        number >>= 8;
        limit = (limit - 1) / 256 + 1;
    } while (limit > 1);
    return out;
}

static void put_bits(const scrim_local_config *c, uint64_t index, uint64_t which,
                     uint8_t *out)
{
    const uint32_t n = bits_of(c);
    const uint64_t limit = (uint64_t)1 << n;
    uint64_t head = index % heads_of(c);
    if (c->protocol == SCRIM_LOCAL_RAPPOR && c->cohorts > 1)
        out = put(out, head, c->cohorts);
    for (; c->protocol == SCRIM_LOCAL_BIT_FLIP && head != 0; head &= head - 1)
        out = put(out, (uint64_t)__builtin_ctzll(head), c->values);
    (void)put(out, index / heads_of(c) >> which * n & (limit - 1), limit);
}

void sc_report_at(const scrim_local_config *c, uint64_t index, uint64_t which,
                  uint8_t *out)
{
    if (is_bits(c))
        put_bits(c, index, which, out);
    else if (is_text(c))
        (void)put(out, index, (uint64_t)1 << OUTPUT_BITS);
    else if (c->protocol == SCRIM_LOCAL_HASHING)
        (void)put(put(out, index / c->field, power(c->field, c->digits)),
                  index % c->field, c->field);
    else
        (void)put(out, index, sc_report_outputs(c, 1));
}
