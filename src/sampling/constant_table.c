#include "sampling/constant_table.h"

#include "base/memory.h"

#define PRECISION_MAX 65536 /* bits: more than any weight here could need */

/* Integers by the dozen. */

static sc_integer *integers_new(size_t count, scrim_error *error)
{
    sc_integer *all = sc_allocate(count, sizeof *all);
    if (all == NULL) {
        (void)sc_no_memory(error, "a table of weights");
        return NULL;
    }
    for (size_t i = 0; i < count; i++)
        sc_integer_init(&all[i]);
    return all;
}

static void integers_free(sc_integer *all, size_t count)
{
    for (size_t i = 0; all != NULL && i < count; i++)
        sc_integer_clear(&all[i]);
    sc_free(all);
}

static void power_of_two(sc_integer *out, unsigned exponent)
{
    sc_integer_set_int128(out, 1);
    sc_integer_shift_left(out, out, exponent);
}

/* The halves of 0 <= x < 2^256. */
static bool split(const sc_integer *x, sc_uint128 *low, sc_uint128 *high)
{
    SC_OWN(sc_integer, half, quotient, rest);
    power_of_two(&half, 128);
    sc_integer_divide(&quotient, &rest, x, &half);
    return sc_integer_get_uint128(&rest, low) && sc_integer_get_uint128(&quotient, high);
}

static void join(sc_uint128 low, sc_uint128 high, sc_integer *out)
{
    const uint64_t words[4] = {(uint64_t)low, (uint64_t)(low >> 64), (uint64_t)high,
                               (uint64_t)(high >> 64)};
    sc_integer_set_words(out, words, 4);
}

/* The table. */

/* Values at distance i: two, but one in the centre where that is a value. */
static unsigned values_at(uint64_t cells, uint64_t distance)
{
    return distance == 0 && cells % 2 == 1 ? 1 : 2;
}

static bool are_weights(const sc_integer *weights, uint32_t count)
{
    bool are = sc_integer_sign(&weights[0]) > 0;
    for (uint32_t i = 1; are && i < count; i++)
        are = sc_integer_sign(&weights[i]) >= 0;
    return are;
}

/* The largest integer of each distance, and so the last of all, if it is below 2^256. */
static bool set_ends(sc_constant_table *table, uint32_t distances,
                     const sc_integer *weights)
{
    bool fits = true;
    SC_OWN(sc_integer, end, part);
    sc_integer_set_int128(&end, -1);
    for (uint32_t i = 0; fits && i < table->ends; i++) {
        if (i < distances) {
            sc_integer_mul_uint64(&part, &weights[i], values_at(table->cells, i));
            sc_integer_add(&end, &end, &part);
        }
        fits = split(&end, &table->last_low, &table->last_high);
        table->end_low[i] = table->last_low;
        table->end_high[i] = table->last_high;
    }
    return fits;
}

/* How uniform integers up to last are drawn. */
static void set_draw(sc_constant_table *table)
{
    unsigned high = sc_bit_length128(table->last_high);
    unsigned width = high > 0 ? 128 + high : sc_bit_length128(table->last_low);
    unsigned top = (width - 1) % 64 + 1; /* bits of the highest word */
    SC_OWN(sc_integer, total, power);
    sc_constant_table_total(table, &total);
    power_of_two(&power, width);
    table->words = (width + 63) / 64;
    table->mask = UINT64_MAX >> (64 - top);
    table->refuses = sc_integer_compare(&total, &power) != 0;
}

scrim_status sc_constant_table_init_weights(sc_constant_table *table, int64_t low,
                                            uint64_t cells, const sc_integer *weights,
                                            scrim_error *error)
{
    const int64_t far = (int64_t)1 << 62;
    if (cells < 2 || low < -far || low > far)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "values",
                           "a table has two values or more, from -4.6e18 to 4.6e18");
    if (cells > SC_CONSTANT_TABLE_CELLS)
        return sc_fail(error, SCRIM_E_LIMIT, "a table has at most %d values",
                       SC_CONSTANT_TABLE_CELLS);
    const uint32_t distances = (uint32_t)(cells + 1) / 2;
    const uint32_t ends = distances + distances % 2;
    scrim_status status = SCRIM_OK;
    *table = (sc_constant_table){.low = low, .cells = (uint32_t)cells, .ends = ends};
    table->end_low = sc_allocate(ends, sizeof *table->end_low);
    table->end_high = sc_allocate(ends, sizeof *table->end_high);
    if (table->end_low == NULL || table->end_high == NULL)
        status = sc_no_memory(error, "a table of weights");
    else if (!are_weights(weights, distances))
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "weights",
                             "weights must be at least 0, and above 0 in the centre");
    else if (!set_ends(table, distances, weights))
        status = sc_fail(error, SCRIM_E_LIMIT, "the total of a table has at most %d bits",
                         SC_CONSTANT_TABLE_BITS);
    else if (table->last_low == 0 && table->last_high == 0)
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "total",
                             "the total of a table is 2 or more");
    if (status != SCRIM_OK) {
        sc_constant_table_clear(table);
        return status;
    }
    if (table->last_high == 0) {
        sc_free(table->end_high);
        table->end_high = NULL;
    }
    set_draw(table);
    return SCRIM_OK;
}

void sc_constant_table_clear(sc_constant_table *table)
{
    sc_free(table->end_low);
    sc_free(table->end_high);
    table->end_low = table->end_high = NULL;
}

/* The draw. */

/* How many ends lie below r. Two counters, because one would wait for itself. */
static inline uint64_t distance(const sc_uint128 *end, size_t ends, sc_uint128 r)
{
    uint64_t even = 0, odd = 0;
    for (size_t i = 0; i < ends; i += 2) {
        even += end[i] < r;
        odd += end[i + 1] < r;
    }
    return even + odd;
}

/* a < b for integers in two halves; & and |, where && and || would branch. */
static inline uint64_t is_below(sc_uint128 a_low, sc_uint128 a_high, sc_uint128 b_low,
                                sc_uint128 b_high)
{
    const uint64_t low = a_low < b_low, high = a_high < b_high, equal = a_high == b_high;
    return high | (equal & low);
}

static inline uint64_t distance_wide(const sc_constant_table *table, sc_uint128 r_low,
                                     sc_uint128 r_high)
{
    uint64_t count = 0;
    for (size_t i = 0; i < table->ends; i++)
        count += is_below(table->end_low[i], table->end_high[i], r_low, r_high);
    return count;
}

/* Whether an integer is refused may be seen, and nothing else of it. A compiler that sees
 * where the bit comes from may branch on its parts instead: behind the assembly it cannot. */
static inline bool is_refused(const sc_constant_table *table, sc_uint128 low,
                              sc_uint128 high)
{
    uint64_t refused = is_below(table->last_low, table->last_high, low, high);
    __asm__("" : "+r"(refused));
    return refused != 0;
}

/* A uniform integer from 0 to last. */
static inline scrim_status uniform(sc_bits *bits, const sc_constant_table *table,
                                   sc_uint128 *low, sc_uint128 *high, scrim_error *error)
{
    for (unsigned turn = 0; turn < SC_BITS_PATIENCE; turn++) {
        uint64_t word[4] = {0};
        for (unsigned i = 0; i < table->words; i++) {
            scrim_status status = sc_bits_word(bits, &word[i], error);
            if (status != SCRIM_OK)
                return status;
        }
        word[table->words - 1] &= table->mask;
        *low = (sc_uint128)word[1] << 64 | word[0];
        *high = (sc_uint128)word[3] << 64 | word[2];
        if (!table->refuses || !is_refused(table, *low, *high))
            return SCRIM_OK;
    }
    return sc_bits_broken(error);
}

scrim_status sc_constant_table_fill(sc_bits *bits, const sc_constant_table *table,
                                    size_t count, int64_t *out, scrim_error *error)
{
    const int64_t centre = table->low + (int64_t)(table->cells / 2);
    const int64_t is_odd = -(int64_t)(table->cells % 2);
    for (size_t i = 0; i < count; i++) {
        sc_uint128 low = 0, high = 0;
        uint64_t side = 0;
        scrim_status status = uniform(bits, table, &low, &high, error);
        if (status == SCRIM_OK)
            status = sc_bits_take(bits, 1, &side, error);
        if (status != SCRIM_OK) {
            sc_wipe(out, count * sizeof *out);
            return status;
        }
        int64_t far =
            (int64_t)(table->end_high == NULL ? distance(table->end_low, table->ends, low)
                                              : distance_wide(table, low, high));
        /* To the left it is -far where the centre is a value, else -1 - far. */
        int64_t flip = -(int64_t)side;
        out[i] = centre + (far ^ flip) - (flip & is_odd);
    }
    return SCRIM_OK;
}

void sc_constant_table_total(const sc_constant_table *table, sc_integer *out)
{
    SC_OWN(sc_integer, one);
    sc_integer_set_int128(&one, 1);
    join(table->last_low, table->last_high, out);
    sc_integer_add(out, out, &one);
}

void sc_constant_table_weight(const sc_constant_table *table, int64_t k, sc_integer *out)
{
    const sc_int128 centre = table->low + (sc_int128)(table->cells / 2);
    const sc_int128 left = table->cells % 2 == 1 ? centre : centre - 1;
    const sc_int128 far = k >= centre ? k - centre : left - k;
    sc_integer_set_int128(out, 0);
    if (far >= (sc_int128)(table->cells + 1) / 2)
        return;
    SC_OWN(sc_integer, below, values);
    const sc_uint128 *high = table->end_high;
    sc_integer_set_int128(&below, -1);
    if (far > 0)
        join(table->end_low[far - 1], high == NULL ? 0 : high[far - 1], &below);
    join(table->end_low[far], high == NULL ? 0 : high[far], out);
    sc_integer_sub(out, out, &below);
    sc_integer_set_int128(&values, values_at(table->cells, (uint64_t)far));
    sc_integer_divide(out, NULL, out, &values);
}

/* The shifted table. */

static scrim_status check_epsilon(const sc_ratio *epsilon, scrim_error *error)
{
    if (sc_ratio_sign(epsilon) <= 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "epsilon",
                                 "must be above 0");
    SC_OWN(sc_integer, one, power);
    SC_OWN(sc_ratio, least);
    power_of_two(&one, 0);
    power_of_two(&power, 60);
    sc_ratio_set_fraction(&least, &one, &power);
    const bool is_inside = sc_ratio_compare(&least, epsilon) <= 0 &&
                           sc_ratio_compare_int64(epsilon, 256) <= 0;
    if (is_inside)
        return SCRIM_OK;
    return sc_fail_parameter(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "epsilon",
                             "a table in constant time takes 8.7e-19 to 256");
}

/* floor(2^fraction exp(epsilon)). */
static bool growth_of(const sc_ratio *epsilon, unsigned fraction, sc_integer *out)
{
    bool known = false;
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, x);
    for (long precision = 1024; !known && precision <= PRECISION_MAX; precision *= 2) {
        sc_ball_set_ratio(&x, epsilon, precision);
        sc_ball_exp(&x, &x, precision);
        sc_ball_mul_power2(&x, &x, (long)fraction);
        known = sc_ball_floor(&x, out);
    }
    return known;
}

/* From the edge, which is last, to the centre; false above 2^256. */
static bool grow(sc_integer *weights, size_t distances, const sc_integer *growth,
                 unsigned fraction)
{
    bool fits = true;
    SC_OWN(sc_integer, unit);
    power_of_two(&unit, fraction);
    for (size_t i = distances - 1; fits && i > 0; i--) {
        sc_integer_mul(&weights[i - 1], &weights[i], growth);
        sc_integer_divide(&weights[i - 1], NULL, &weights[i - 1], &unit);
        fits = sc_integer_bits(&weights[i - 1]) <= SC_CONSTANT_TABLE_BITS;
    }
    return fits;
}

scrim_status sc_constant_table_init_shifted(sc_constant_table *table,
                                            const sc_ratio *epsilon, uint64_t q,
                                            unsigned fraction, uint64_t edge,
                                            scrim_error *error)
{
    scrim_status status = check_epsilon(epsilon, error);
    if (status != SCRIM_OK)
        return status;
    if (q < 1 || fraction < 1 || fraction > 64 || edge < 1)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "",
            "q and the edge are 1 or more, the fraction is from 1 to 64 bits");
    if (q > SC_CONSTANT_TABLE_CELLS - 1)
        return sc_fail_parameter(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "q",
                                 "a table in constant time goes up to %d",
                                 SC_CONSTANT_TABLE_CELLS - 1);
    const size_t distances = (size_t)q / 2 + 1;
    SC_OWN(sc_integer, growth);
    sc_integer *weights = integers_new(distances, error);
    if (weights == NULL)
        status = SCRIM_E_MEMORY;
    else if (!growth_of(epsilon, fraction, &growth))
        status = sc_fail(error, SCRIM_E_INTERNAL, "a weight could not be computed");
    if (status == SCRIM_OK) {
        sc_integer_set_uint128(&weights[distances - 1], edge);
        if (!grow(weights, distances, &growth, fraction))
            status =
                sc_fail(error, SCRIM_E_LIMIT, "the total of a table has at most %d bits",
                        SC_CONSTANT_TABLE_BITS);
    }
    if (status == SCRIM_OK)
        status =
            sc_constant_table_init_weights(table, -(int64_t)q, q + 1, weights, error);
    integers_free(weights, distances);
    return status;
}
