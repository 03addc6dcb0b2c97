#include "sampling/threshold_table.h"

#include "base/memory.h"

#define DIGITS_FIRST 63
#define LEVELS_MAX                                                                       \
    128 /* words of digits before the source is called broken: 8191 bits 
                        * \ */
#define BITS_MAX (64 * LEVELS_MAX + 256)

/* weight(0) + .. + weight(cell), over the total. */
static void border(const sc_weights *weights, uint32_t cell, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, part);
    sc_ball_set_int64(out, 0);
    for (uint32_t i = 0; i <= cell; i++) {
        weights->weight(weights->context, i, bits, &part);
        sc_ball_add(out, out, &part, bits);
    }
    weights->total(weights->context, bits, &part);
    sc_ball_div(out, out, &part, bits);
}

/* floor(x 2^digits), when the ball is narrow enough to know it. A border is below 1: one
 * too close to 1 to be told from it has digits of ones only. */
static bool digits_of(const sc_ball *x, long digits, sc_integer *out)
{
    SC_OWN(sc_ball, scaled, ones);
    SC_OWN(sc_integer, last, one);
    sc_ball_mul_power2(&scaled, x, digits);
    sc_integer_set_int128(&one, 1);
    sc_integer_shift_left(&last, &one, (unsigned)digits);
    sc_integer_sub(&last, &last, &one);
    sc_ball_set_integer(&ones, &last);
    bool known = true;
    if (sc_ball_is_less_equal(&ones, &scaled))
        sc_integer_set(out, &last);
    else
        known = sc_ball_floor(&scaled, out);
    return known;
}

/* floor(border 2^digits), with as much precision as that takes. */
static bool border_digits(const sc_weights *weights, uint32_t cell, long digits,
                          sc_integer *out)
{
    bool known = false;
    SC_OWN(sc_ball, x);
    for (long bits = digits + 128; !known && bits <= BITS_MAX; bits *= 2) {
        border(weights, cell, bits, &x);
        known = digits_of(&x, digits, out);
    }
    return known;
}

/* All borders with one pass over the weights; one that is too close to call at this
 * precision is computed anew by itself. */
static bool fill_borders(sc_threshold_table *table, uint32_t borders)
{
    const sc_weights *weights = &table->weights;
    const long bits = 256;
    bool ok = true;
    SC_OWN(sc_ball, sum, part, total);
    SC_OWN(sc_integer, digits);
    weights->total(weights->context, bits, &total);
    for (uint32_t cell = 0; ok && cell < borders; cell++) {
        weights->weight(weights->context, cell, bits, &part);
        sc_ball_add(&sum, &sum, &part, bits);
        sc_ball_div(&part, &sum, &total, bits);
        ok = digits_of(&part, DIGITS_FIRST + 64, &digits) ||
             border_digits(weights, cell, DIGITS_FIRST + 64, &digits);
        sc_uint128 value = 0;
        ok = ok && sc_integer_get_uint128(&digits, &value);
        table->first[cell] = (uint64_t)(value >> 64);
        table->second[cell] = (uint64_t)value;
    }
    return ok;
}

static void fill_guide(sc_threshold_table *table)
{
    uint32_t cell = 0;
    for (uint64_t bucket = 0; bucket < (1u << SC_THRESHOLD_GUIDE_BITS); bucket++) {
        while (table->first[cell] < bucket << (DIGITS_FIRST - SC_THRESHOLD_GUIDE_BITS))
            cell++;
        table->guide[bucket] = (uint16_t)cell;
    }
}

scrim_status sc_threshold_table_init(sc_threshold_table *table, const sc_weights *weights,
                                     scrim_error *error)
{
    uint32_t borders = weights->has_rest ? weights->cells : weights->cells - 1;
    if (weights->cells == 0 || borders >= SC_THRESHOLD_CELLS)
        return sc_fail(error, SCRIM_E_INTERNAL,
                       "a table of thresholds has too many cells");
    table->weights = *weights;
    table->first = sc_allocate(borders + 1, sizeof *table->first);
    table->second = sc_allocate(borders + 1, sizeof *table->second);
    if (table->first == NULL || table->second == NULL) {
        sc_threshold_table_clear(table);
        return sc_no_memory(error, "a table of thresholds");
    }
    SC_BALL_SCOPE(scope);
    bool filled = fill_borders(table, borders);
    if (!filled) {
        sc_threshold_table_clear(table);
        return sc_fail(error, SCRIM_E_INTERNAL,
                       "a threshold could not be computed; please report the parameters");
    }
    table->first[borders] = (uint64_t)1 << DIGITS_FIRST;
    fill_guide(table);
    return SCRIM_OK;
}

void sc_threshold_table_clear(sc_threshold_table *table)
{
    sc_free(table->first);
    sc_free(table->second);
    table->first = table->second = NULL;
}

/* Word number level of a border's digits; level 0 is the first 63 of them. */
static bool border_word(const sc_threshold_table *table, uint32_t cell, unsigned level,
                        uint64_t *out)
{
    if (level < 2) {
        *out = level == 0 ? table->first[cell] : table->second[cell];
        return true;
    }
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_integer, digits, two64, rest);
    sc_integer_set_uint128(&two64, (sc_uint128)1 << 64);
    bool ok =
        border_digits(&table->weights, cell, DIGITS_FIRST + 64 * (long)level, &digits);
    if (ok) {
        sc_integer_divide(NULL, &rest, &digits, &two64);
        ok = sc_integer_get_uint64(&rest, out);
    }
    return ok;
}

/* The digits of u that are known so far. */
typedef struct digits {
    uint64_t word[LEVELS_MAX];
    unsigned known;
} digits;

/* Is u below the border of cell? Draws further words while the digits agree. */
static scrim_status is_below(sc_bits *bits, const sc_threshold_table *table,
                             uint32_t cell, digits *u, bool *out, scrim_error *error)
{
    for (unsigned level = 0; level < LEVELS_MAX; level++) {
        if (level == u->known) {
            scrim_status status = sc_bits_word(bits, &u->word[level], error);
            if (status != SCRIM_OK)
                return status;
            u->known++;
        }
        uint64_t limit;
        if (!border_word(table, cell, level, &limit))
            return sc_fail(error, SCRIM_E_INTERNAL, "a threshold could not be refined");
        if (u->word[level] != limit) {
            *out = u->word[level] < limit;
            return SCRIM_OK;
        }
    }
    return sc_bits_broken(error);
}

scrim_status sc_threshold_table_refine(sc_bits *bits, const sc_threshold_table *table,
                                       uint32_t cell, uint64_t u, uint32_t *out,
                                       scrim_error *error)
{
    digits real = {.word = {u}, .known = 1};
    bool below = false;
    for (;; cell++) {
        scrim_status status = is_below(bits, table, cell, &real, &below, error);
        if (status != SCRIM_OK)
            return status;
        if (below) {
            *out = cell;
            return SCRIM_OK;
        }
    }
}
