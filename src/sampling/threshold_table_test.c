#include "exact.h"
#include "faults.h"
#include "goodness.h"
#include "laws.h"
#include "random/bits_tape.h"
#include "sampling/threshold_table.h"

/* Tables to test with: exp(-i/scale), and cells too narrow for the first word. */

static void falling_weight(const void *context, uint32_t cell, long bits, sc_ball *out)
{
    const int64_t *scale = context;
    sc_ball divisor;
    sc_ball_init(&divisor);
    sc_ball_set_int64(&divisor, *scale);
    sc_ball_set_int64(out, -(int64_t)cell);
    sc_ball_div(out, out, &divisor, bits);
    sc_ball_exp(out, out, bits);
    sc_ball_clear(&divisor);
}

/* 1 / (1 - exp(-1/scale)), all of them */
static void falling_total(const void *context, long bits, sc_ball *out)
{
    sc_ball one;
    sc_ball_init(&one);
    sc_ball_set_int64(&one, 1);
    falling_weight(context, 1, bits, out);
    sc_ball_sub(out, &one, out, bits);
    sc_ball_div(out, &one, out, bits);
    sc_ball_clear(&one);
}

/* Cells of about 1/2, 2^-70, 2^-100, 2^-135 and 1/2: the first borders share their first 63
 * digits, two of them their first 127. */
static void slender_weight(const void *context, uint32_t cell, long bits, sc_ball *out)
{
    static const long powers[] = {0, -70, -100, -135, 0};
    (void)context;
    sc_ball_set_int64(out, -1 - (int64_t)cell);
    sc_ball_exp(out, out, bits);
    sc_ball_mul_power2(out, out, powers[cell]);
}

static void slender_total(const void *context, long bits, sc_ball *out)
{
    sc_ball part;
    sc_ball_init(&part);
    sc_ball_set_int64(out, 0);
    for (uint32_t cell = 0; cell < 5; cell++) {
        slender_weight(context, cell, bits, &part);
        sc_ball_add(out, out, &part, bits);
    }
    sc_ball_clear(&part);
}

static const int64_t scale_3 = 3, scale_50 = 50;
static const sc_weights tables[] = {
    {&scale_3, falling_weight, falling_total, 12, true},
    {&scale_50, falling_weight, falling_total, 700, true},
    {NULL, slender_weight, slender_total, 5, false},
};
enum { TABLES = sizeof tables / sizeof *tables };

/* The promises of the table, by balls of a precision of its own. */

enum { LEVELS = 5 };

static uint64_t borders[SC_THRESHOLD_CELLS][LEVELS];

static uint32_t borders_of(const sc_weights *weights)
{
    return weights->has_rest ? weights->cells : weights->cells - 1;
}

/* floor(x 2^(63 + 64 (LEVELS - 1))) cut into words. */
static void set_words(const sc_ball *x, uint64_t *words)
{
    sc_ball scaled;
    sc_integer digits, rest, two64;
    sc_ball_init(&scaled);
    sc_integer_init(&digits);
    sc_integer_init(&rest);
    sc_integer_init(&two64);
    sc_integer_set_uint128(&two64, (sc_uint128)1 << 64);
    sc_ball_mul_power2(&scaled, x, 63 + 64 * (LEVELS - 1));
    CHECK(sc_ball_floor(&scaled, &digits));
    for (size_t i = LEVELS; i-- > 0;) {
        sc_integer_divide(&digits, &rest, &digits, &two64);
        CHECK(sc_integer_get_uint64(&rest, &words[i]));
    }
    sc_ball_clear(&scaled);
    sc_integer_clear(&digits);
    sc_integer_clear(&rest);
    sc_integer_clear(&two64);
}

/* The digits of the border above each cell. */
static void set_borders(const sc_weights *weights)
{
    const long bits = 1200;
    sc_ball sum, part, total;
    sc_ball_init(&sum);
    sc_ball_init(&part);
    sc_ball_init(&total);
    weights->total(weights->context, bits, &total);
    for (uint32_t cell = 0; cell < borders_of(weights); cell++) {
        weights->weight(weights->context, cell, bits, &part);
        sc_ball_add(&sum, &sum, &part, bits);
        sc_ball_div(&part, &sum, &total, bits);
        set_words(&part, borders[cell]);
    }
    sc_ball_clear(&sum);
    sc_ball_clear(&part);
    sc_ball_clear(&total);
}

/* The cell of the real number with these digits: the first whose border is above. */
static uint32_t plain_cell(const sc_weights *weights, const uint64_t *digits)
{
    uint32_t cell = 0;
    for (; cell < borders_of(weights); cell++) {
        size_t i = 0;
        while (i < LEVELS && borders[cell][i] == digits[i])
            i++;
        if (i < LEVELS && digits[i] < borders[cell][i])
            break;
    }
    return cell;
}

static void check_pick(const sc_threshold_table *table, const uint64_t *digits)
{
    sc_tape *tape = NULL;
    uint32_t got = UINT32_MAX;
    REQUIRE_OK(sc_tape_words(digits + 1, LEVELS - 1, &tape, NULL));
    CHECK_STATUS(
        sc_threshold_table_pick(sc_tape_bits_of(tape), table, digits[0], &got, NULL),
        SCRIM_OK);
    CHECK_INT(got, plain_cell(&table->weights, digits));
    sc_tape_free(tape);
}

/* Numbers that agree with a border in all words but one, where they are one less or more. */
static void check_border(const sc_threshold_table *table, uint32_t cell)
{
    for (size_t level = 0; level < LEVELS; level++)
        for (int more = -1; more <= 1; more += 2) {
            uint64_t digits[LEVELS];
            for (size_t i = 0; i < LEVELS; i++)
                digits[i] = borders[cell][i];
            if ((more < 0 && digits[level] == 0) ||
                (more > 0 && digits[level] == UINT64_MAX >> (level == 0)))
                continue;
            digits[level] += (uint64_t)(int64_t)more;
            check_pick(table, digits);
        }
}

SLOW_TEST(threshold_table_decides_ties_as_the_real_number_does)
{
    CLAIM("threshold-table.exact");
    for (size_t i = 0; i < TABLES; i++) {
        sc_threshold_table table;
        REQUIRE_OK(sc_threshold_table_init(&table, &tables[i], NULL));
        set_borders(&tables[i]);
        for (uint32_t cell = 0; cell < borders_of(&tables[i]); cell++) {
            CHECK_INT(table.first[cell], borders[cell][0]);
            CHECK_INT(table.second[cell], borders[cell][1]);
        }
        for (uint32_t cell = 0;
             cell<borders_of(&tables[i]); cell += tables[i].cells> 100 ? 23 : 1)
            check_border(&table, cell);
        sc_threshold_table_clear(&table);
    }
}

/* Random numbers, and the first and last of every stretch of the guide. */
TEST(threshold_table_guide_loses_no_cell)
{
    CLAIM("threshold-table.exact");
    const unsigned shift = 63 - SC_THRESHOLD_GUIDE_BITS;
    sc_threshold_table table;
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_threshold_table_init(&table, &tables[1], NULL));
    set_borders(&tables[1]);
    for (uint64_t stretch = 0; stretch < 1u << SC_THRESHOLD_GUIDE_BITS; stretch++) {
        const uint64_t first[LEVELS] = {stretch << shift},
                       last[LEVELS] = {((stretch + 1) << shift) - 1};
        check_pick(&table, first);
        check_pick(&table, last);
    }
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (unsigned i = 0; i < 20000; i++) {
        uint64_t digits[LEVELS] = {0};
        REQUIRE_OK(sc_bits_word(sc_tape_bits_of(tape), &digits[0], NULL));
        digits[0] >>= 1;
        check_pick(&table, digits);
    }
    sc_tape_free(tape);
    sc_threshold_table_clear(&table);
}

/* Frequencies. */

TEST(threshold_table_cells_are_as_frequent_as_they_weigh)
{
    CLAIM("threshold-table.exact");
    static double probability[SC_THRESHOLD_CELLS];
    static uint64_t seen[SC_THRESHOLD_CELLS];
    const uint64_t count = check_count(1000000, 10000000);
    sc_threshold_table table;
    sc_tape *tape = NULL;
    sc_ball weight, total;
    sc_ball_init(&weight);
    sc_ball_init(&total);
    REQUIRE_OK(sc_threshold_table_init(&table, &tables[1], NULL));
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (uint64_t i = 0; i < count; i++) {
        uint64_t word = 0;
        uint32_t cell = 0;
        REQUIRE_OK(sc_bits_word(sc_tape_bits_of(tape), &word, NULL));
        REQUIRE_OK(sc_threshold_table_pick(sc_tape_bits_of(tape), &table, word >> 1,
                                           &cell, NULL));
        seen[cell]++;
    }
    double rest = 1;
    falling_total(&scale_50, 128, &total);
    for (uint32_t i = 0; i < 700; i++) {
        falling_weight(&scale_50, i, 128, &weight);
        sc_ball_div(&weight, &weight, &total, 128);
        probability[i] = goodness_middle(&weight);
        rest -= probability[i];
    }
    probability[700] = rest;
    CHECK(laws_chi_square(seen, probability, 701) > LAWS_FALSE_ALARM);
    sc_tape_free(tape);
    sc_threshold_table_clear(&table);
    sc_ball_clear(&weight);
    sc_ball_clear(&total);
}

/* The edges. */

TEST(threshold_table_of_one_cell_and_of_too_many)
{
    sc_weights weights = {&scale_3, falling_weight, falling_total, 1, false};
    sc_threshold_table table;
    sc_tape *tape = NULL;
    uint32_t cell = 7;
    REQUIRE_OK(sc_threshold_table_init(&table, &weights, NULL));
    REQUIRE_OK(sc_tape_words(NULL, 0, &tape, NULL));
    for (uint64_t u = 0; u < (uint64_t)1 << 63; u += ((uint64_t)1 << 62) - 1) {
        CHECK_STATUS(
            sc_threshold_table_pick(sc_tape_bits_of(tape), &table, u, &cell, NULL),
            SCRIM_OK);
        CHECK_INT(cell, 0);
    }
    sc_tape_free(tape);
    sc_threshold_table_clear(&table);
    weights.cells = SC_THRESHOLD_CELLS + 1;
    CHECK_STATUS(sc_threshold_table_init(&table, &weights, NULL), SCRIM_E_INTERNAL);
    weights.cells = SC_THRESHOLD_CELLS;
    weights.has_rest = true;
    CHECK_STATUS(sc_threshold_table_init(&table, &weights, NULL), SCRIM_E_INTERNAL);
    weights.cells = 0;
    CHECK_STATUS(sc_threshold_table_init(&table, &weights, NULL), SCRIM_E_INTERNAL);
}

/* A source that repeats the digits of a border for ever is broken, and one that ends in the
 * middle of a tie is empty; neither moves the output. */
TEST(threshold_table_fails_closed_in_a_tie)
{
    sc_threshold_table table;
    sc_tape *tape = NULL;
    uint32_t cell = 77;
    REQUIRE_OK(sc_threshold_table_init(&table, &tables[0], NULL));
    REQUIRE_OK(sc_tape_words(&table.second[3], 1, &tape, NULL));
    CHECK_STATUS(sc_threshold_table_pick(sc_tape_bits_of(tape), &table, table.first[3],
                                         &cell, NULL),
                 SCRIM_E_ENTROPY);
    CHECK_INT(sc_tape_words_used(tape), 1);
    CHECK_INT(cell, 77);
    sc_tape_free(tape);
    sc_threshold_table_clear(&table);
}

TEST(threshold_table_without_memory_leaves_nothing)
{
    FAULT_LOOP(fault)
    {
        sc_threshold_table table;
        scrim_status status = sc_threshold_table_init(&table, &tables[0], NULL);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        sc_threshold_table_clear(&table);
    }
}
