/* The draws of a table: its law, by enumeration, at every border and by statistics. */
#include "check.h"
#include "constant_tables.h"
#include "faults.h"
#include "laws.h"
#include "random/bits_tape.h"
#include "sampling/constant_table.h"

/* The law of a draw. */

/* Each integer below 2^width once, in one fill, with this side; refused ones in between. What
 * lies above width in a word is set, and must not count. */
static void enumerate(const sc_constant_table *table, unsigned width, uint64_t total,
                      uint64_t side, uint64_t *counts)
{
    const uint64_t all = (uint64_t)1 << width;
    const uint64_t above = ~(all - 1);
    uint64_t *words = malloc((size_t)(2 * all) * sizeof *words);
    int64_t *values = malloc((size_t)total * sizeof *values);
    size_t used = 0;
    unsigned held = 0;
    sc_tape *tape = NULL;
    if (!CHECK(words != NULL && values != NULL))
        goto done;
    for (uint64_t step = 0; step < all; step++) {
        /* All of them; the last, total - 5 below 2^width, is one that is kept. */
        const uint64_t r = (total + step * 5) & (all - 1);
        words[used++] = r | above;
        if (r < total && held-- == 0) {
            words[used++] = side;
            held = 63;
        }
    }
    if (!CHECK_STATUS(sc_tape_words(words, used, &tape, NULL), SCRIM_OK) ||
        !CHECK_STATUS(sc_constant_table_fill(sc_tape_bits_of(tape), table, (size_t)total,
                                             values, NULL),
                      SCRIM_OK))
        goto done;
    for (uint64_t i = 0; i < total; i++) {
        const int64_t cell = values[i] - table->low;
        if (CHECK(cell >= 0 && cell < (int64_t)table->cells))
            counts[cell]++;
    }
done:
    sc_tape_free(tape);
    free(words);
    free(values);
}

static void check_enumerated(int64_t low, uint32_t cells, unsigned width,
                             const uint64_t *weights)
{
    const uint32_t distances = (cells + 1) / 2;
    sc_integer all[8];
    uint64_t counts[16] = {0}, total = 0;
    for (uint32_t i = 0; i < 8; i++)
        sc_integer_init(&all[i]);
    for (uint32_t i = 0; i < distances; i++) {
        sc_integer_set_uint128(&all[i], weights[i]);
        total += weights[i] * (i == 0 && cells % 2 == 1 ? 1 : 2);
    }
    sc_constant_table table;
    if (CHECK_STATUS(sc_constant_table_init_weights(&table, low, cells, all, NULL),
                     SCRIM_OK)) {
        enumerate(&table, width, total, 0, counts);
        enumerate(&table, width, total, UINT64_MAX, counts);
        for (uint32_t cell = 0; cell < cells; cell++) {
            const uint32_t mirror = cells - 1 - cell;
            const uint32_t edge = cell < mirror ? cell : mirror;
            CHECK_INT(counts[cell], (sc_int128)2 * weights[distances - 1 - edge]);
        }
        sc_constant_table_clear(&table);
    }
    for (uint32_t i = 0; i < 8; i++)
        sc_integer_clear(&all[i]);
}

TEST(constant_table_law_by_enumeration)
{
    CLAIM("constant-table.law");
    check_enumerated(-3, 7, 12, (const uint64_t[]){2048, 700, 323, 1});
    check_enumerated(0, 6, 14, (const uint64_t[]){8000, 192, 0});
    check_enumerated(-1000, 13, 16,
                     (const uint64_t[]){65526, 0, 1, 0, 1, 0, 3}); /* cells of nothing */
    /* Totals that are not a power of two: integers are refused. */
    check_enumerated(-9, 10, 15, (const uint64_t[]){2716, 2116, 1648, 1284, 1000});
    check_enumerated(5, 3, 2, (const uint64_t[]){1, 1});
    check_enumerated(5, 2, 13, (const uint64_t[]){2049});
    check_enumerated(-2, 5, 16, (const uint64_t[]){32769, 7, 9000});
}

static int64_t draw_at(const sc_constant_table *table, const sc_integer *r, uint64_t side)
{
    uint64_t words[5] = {0};
    sc_integer rest, quotient, unit;
    sc_integer_init(&rest);
    sc_integer_init(&quotient);
    sc_integer_init(&unit);
    sc_integer_set_uint128(&unit, (sc_uint128)1 << 64);
    sc_integer_set(&quotient, r);
    for (unsigned i = 0; i < table->words; i++) {
        sc_integer_divide(&quotient, &rest, &quotient, &unit);
        CHECK(sc_integer_get_uint64(&rest, &words[i]));
    }
    words[table->words] = side;
    sc_tape *tape = NULL;
    int64_t value = INT64_MIN;
    if (CHECK_STATUS(sc_tape_words(words, table->words + 1, &tape, NULL), SCRIM_OK)) {
        CHECK_STATUS(
            sc_constant_table_fill(sc_tape_bits_of(tape), table, 1, &value, NULL),
            SCRIM_OK);
        CHECK_INT(sc_tape_words_used(tape), table->words + 1);
        sc_tape_free(tape);
    }
    sc_integer_clear(&rest);
    sc_integer_clear(&quotient);
    sc_integer_clear(&unit);
    return value;
}

/* Walking outwards, each pair of values owns the next 2 weight integers: the first and the
 * last of them must be drawn as it, so that all between are. */
static void check_borders(const sc_constant_table *table)
{
    const int64_t centre = table->low + (int64_t)(table->cells / 2);
    const int64_t left = table->cells % 2 == 1 ? centre : centre - 1;
    sc_integer next, weight, last, one;
    sc_integer_init(&next);
    sc_integer_init(&weight);
    sc_integer_init(&last);
    sc_integer_init(&one);
    sc_integer_set_int128(&one, 1);
    for (int64_t far = 0; far < (int64_t)(table->cells + 1) / 2; far++) {
        sc_constant_table_weight(table, centre + far, &weight);
        if (sc_integer_sign(&weight) == 0)
            continue;
        if (centre + far != left - far)
            sc_integer_mul_uint64(&weight, &weight, 2);
        sc_integer_add(&last, &next, &weight);
        sc_integer_sub(&last, &last, &one);
        CHECK_INT(draw_at(table, &next, 0), centre + far);
        CHECK_INT(draw_at(table, &next, 1), left - far);
        CHECK_INT(draw_at(table, &last, 0), centre + far);
        CHECK_INT(draw_at(table, &last, 1), left - far);
        sc_integer_add(&next, &next, &weight);
    }
    sc_constant_table_total(table, &weight);
    CHECK_INT(sc_integer_compare(&next, &weight), 0);
    sc_integer_clear(&next);
    sc_integer_clear(&weight);
    sc_integer_clear(&last);
    sc_integer_clear(&one);
}

TEST(constant_table_decides_every_border)
{
    CLAIM("constant-table.law");
    for (size_t i = 0; i < CONSTANT_SAMPLES; i++) {
        sc_constant_table table;
        REQUIRE_OK(constant_sample_build(&table, &constant_samples[i], NULL));
        check_borders(&table);
        sc_constant_table_clear(&table);
    }
}

/* Statistics. */

static void check_statistics(const constant_sample *s, uint64_t draws)
{
    sc_constant_table table;
    sc_tape *tape = NULL;
    REQUIRE_OK(constant_sample_build(&table, s, NULL));
    uint64_t *observed = calloc(table.cells, sizeof *observed);
    double *probability = calloc(table.cells, sizeof *probability);
    int64_t values[1000];
    sc_ball p, total;
    sc_integer sum;
    sc_ball_init(&p);
    sc_ball_init(&total);
    sc_integer_init(&sum);
    if (!CHECK(observed != NULL && probability != NULL) ||
        !CHECK_STATUS(sc_tape_seeded(check_seed(), &tape, NULL), SCRIM_OK))
        goto done;
    sc_constant_table_total(&table, &sum);
    sc_ball_set_integer(&total, &sum);
    for (uint32_t i = 0; i < table.cells; i++) {
        constant_table_weight_ball(&table, table.low + (int64_t)i, &p);
        sc_ball_div(&p, &p, &total, 128);
        probability[i] = sc_ball_lower(&p);
    }
    const uint64_t allocations = fault_allocations();
    for (uint64_t done = 0; done < draws; done += 1000) {
        if (!CHECK_STATUS(
                sc_constant_table_fill(sc_tape_bits_of(tape), &table, 1000, values, NULL),
                SCRIM_OK))
            goto done;
        for (size_t i = 0; i < 1000; i++)
            observed[values[i] - table.low]++;
    }
    CHECK_INT(fault_allocations(), allocations);
    const double chance = laws_chi_square(observed, probability, table.cells);
    if (!CHECK(chance >= LAWS_FALSE_ALARM))
        CHECK_FAIL("%s %s: chi-square has a chance of %g", s->law, s->shape, chance);
done:
    sc_tape_free(tape);
    sc_constant_table_clear(&table);
    sc_integer_clear(&sum);
    sc_ball_clear(&p);
    sc_ball_clear(&total);
    free(observed);
    free(probability);
}

SLOW_TEST(constant_table_statistics)
{
    CLAIM("constant-table.law");
    for (size_t i = 0; i < CONSTANT_SAMPLES; i++)
        check_statistics(&constant_samples[i], check_count(300000, 10000000));
}

/* Failures. */

TEST(constant_table_fails_closed)
{
    const uint64_t words[5] = {1, 2, 3, 4, 5};
    int64_t values[3] = {7, 7, 7};
    sc_constant_table table;
    sc_tape *tape = NULL;
    /* Two draws of two words and one more for their sides: the third finds nothing. */
    REQUIRE_OK(constant_sample_build(&table, &constant_samples[0], NULL));
    CHECK_STATUS(sc_tape_words(words, 5, &tape, NULL), SCRIM_OK);
    CHECK_STATUS(sc_constant_table_fill(sc_tape_bits_of(tape), &table, 3, values, NULL),
                 SCRIM_E_ENTROPY);
    for (size_t i = 0; i < 3; i++)
        CHECK_INT(values[i], 0);
    sc_tape_free(tape);
    sc_constant_table_clear(&table);
    /* Ones for ever are always refused where the total is not a power of two. */
    REQUIRE_OK(constant_sample_build(&table, &constant_samples[12], NULL));
    CHECK(table.refuses);
    CHECK_STATUS(sc_tape_constant(UINT64_MAX, &tape, NULL), SCRIM_OK);
    CHECK_STATUS(sc_constant_table_fill(sc_tape_bits_of(tape), &table, 3, values, NULL),
                 SCRIM_E_ENTROPY);
    sc_tape_free(tape);
    sc_constant_table_clear(&table);
}
