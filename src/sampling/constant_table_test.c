/* Tables: their weights, and those that are refused. */
#include "balls.h"
#include "check.h"
#include "constant_tables.h"
#include "faults.h"
#include "sampling/constant_table.h"
#include "vectors.h"

#include <string.h>

static void set_ratio(sc_ratio *out, const char *text)
{
    CHECK_STATUS(sc_ratio_parse(sc_text_of(text), out, NULL), SCRIM_OK);
}

static void set_integer(sc_integer *out, const char *text)
{
    sc_ratio x;
    sc_ratio_init(&x);
    set_ratio(&x, text);
    sc_ratio_numerator(&x, out);
    sc_ratio_clear(&x);
}

static bool is_same(const sc_integer *a, const sc_integer *b)
{
    return sc_integer_compare(a, b) == 0;
}

static void check_weight(const sc_constant_table *table, int64_t k, const char *want)
{
    sc_integer got, expected;
    sc_integer_init(&got);
    sc_integer_init(&expected);
    sc_constant_table_weight(table, k, &got);
    set_integer(&expected, want);
    if (!is_same(&got, &expected))
        CHECK_FAIL("the weight of %lld is not %s", (long long)k, want);
    sc_integer_clear(&got);
    sc_integer_clear(&expected);
}

static void check_shifted_row(const json_t *row)
{
    sc_ratio epsilon;
    sc_integer total;
    sc_constant_table table;
    sc_ratio_init(&epsilon);
    sc_integer_init(&total);
    set_ratio(&epsilon, json_string_value(json_object_get(row, "eps")));
    const int64_t q = json_integer_value(json_object_get(row, "q"));
    const json_t *first = json_object_get(row, "first_weights");
    char text[SC_INT128_BYTES];
    if (CHECK_STATUS(sc_constant_table_init_shifted(
                         &table, &epsilon, (uint64_t)q,
                         (unsigned)json_integer_value(json_object_get(row, "f")),
                         (uint64_t)json_integer_value(json_object_get(row, "D")), NULL),
                     SCRIM_OK)) {
        for (size_t i = 0; i < json_array_size(first); i++) {
            const char *want = json_string_value(json_array_get(first, i));
            check_weight(&table, -q + (int64_t)i, want);
            check_weight(&table, -(int64_t)i, want);
        }
        check_weight(&table, -(q / 2),
                     json_string_value(json_object_get(row, "centre_weight")));
        sc_constant_table_total(&table, &total);
        sc_int128 value = 0;
        CHECK(sc_integer_get_int128(&total, &value));
        sc_int128_format(value, text);
        CHECK_STR(text, json_string_value(json_object_get(row, "T")));
        sc_constant_table_clear(&table);
    }
    sc_ratio_clear(&epsilon);
    sc_integer_clear(&total);
}

TEST(constant_table_meets_the_shifted_vectors)
{
    CLAIM("constant-table.weights");
    const json_t *rows = vectors_load("flexible-accuracy", "integer_table");
    REQUIRE(json_array_size(rows) >= 4);
    for (size_t i = 0; i < json_array_size(rows); i++)
        check_shifted_row(json_array_get(rows, i));
}

/* Symmetric, summing to the total, and nothing outside. */
static void check_sums(const constant_sample *s, const sc_constant_table *table)
{
    const int64_t low = table->low, high = low + (int64_t)table->cells - 1;
    sc_integer left, right, sum, total;
    sc_integer_init(&left);
    sc_integer_init(&right);
    sc_integer_init(&sum);
    sc_integer_init(&total);
    for (int64_t i = 0; i < (int64_t)table->cells; i++) {
        sc_constant_table_weight(table, low + i, &left);
        sc_constant_table_weight(table, high - i, &right);
        CHECK(is_same(&left, &right));
        CHECK(sc_integer_sign(&left) >= 0);
        sc_integer_add(&sum, &sum, &left);
    }
    sc_constant_table_total(table, &total);
    CHECK(is_same(&sum, &total));
    if (!constant_sample_is_shifted(s)) {
        sc_integer_set_int128(&sum, 1);
        sc_integer_shift_left(&sum, &sum, s->width);
        CHECK(is_same(&sum, &total));
    }
    const int64_t outside[] = {low - 1, high + 1, INT64_MIN, INT64_MAX};
    for (size_t i = 0; i < 4; i++) {
        sc_constant_table_weight(table, outside[i], &left);
        CHECK_INT(sc_integer_sign(&left), 0);
    }
    sc_integer_clear(&left);
    sc_integer_clear(&right);
    sc_integer_clear(&sum);
    sc_integer_clear(&total);
}

SLOW_TEST(constant_table_weights_add_up)
{
    CLAIM("constant-table.weights");
    for (size_t i = 0; i < CONSTANT_SAMPLES; i++) {
        sc_constant_table table;
        REQUIRE_OK(constant_sample_build(&table, &constant_samples[i], NULL));
        CHECK_INT(table.cells, constant_sample_is_shifted(&constant_samples[i])
                                   ? constant_samples[i].bound + 1
                                   : 2 * constant_samples[i].bound + 1);
        CHECK_INT(table.low, -(int64_t)constant_samples[i].bound);
        check_sums(&constant_samples[i], &table);
        sc_constant_table_clear(&table);
    }
}

/* Refusals, and limits. */

TEST(constant_table_refuses_what_it_cannot_be)
{
    static const struct {
        constant_sample s;
        scrim_status status;
    } bad[] = {
        {{"shifted", "0", 5, 32}, SCRIM_E_PARAM},
        {{"shifted", "-1", 5, 32}, SCRIM_E_PARAM},
        {{"shifted", "2^-61", 5, 32}, SCRIM_E_LIMIT},
        {{"shifted", "1", 0, 32}, SCRIM_E_PARAM},
        {{"shifted", "1", 5, 0}, SCRIM_E_PARAM},
        {{"shifted", "1", 5, 65}, SCRIM_E_PARAM},
        {{"shifted", "257", 1, 32}, SCRIM_E_LIMIT},
        {{"shifted", "1", 131072, 32}, SCRIM_E_LIMIT},
        {{"shifted", "1", 131071, 32}, SCRIM_E_LIMIT}, /* the total is above 2^256 */
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        sc_constant_table table;
        scrim_error error = {.status = SCRIM_OK};
        CHECK_STATUS(constant_sample_build(&table, &bad[i].s, &error), bad[i].status);
        CHECK_STATUS(error.status, bad[i].status);
        CHECK(error.message[0] != '\0');
    }
}

TEST(constant_table_refuses_bad_weights)
{
    sc_constant_table table;
    sc_integer weights[2];
    sc_integer_init(&weights[0]);
    sc_integer_init(&weights[1]);
    CHECK_STATUS(sc_constant_table_init_weights(&table, 0, 2, weights, NULL),
                 SCRIM_E_PARAM);
    sc_integer_set_int128(&weights[0], 1); /* a total of 1 */
    CHECK_STATUS(sc_constant_table_init_weights(&table, 0, 3, weights, NULL),
                 SCRIM_E_PARAM);
    CHECK_STATUS(sc_constant_table_init_weights(&table, 0, 1, weights, NULL),
                 SCRIM_E_PARAM);
    sc_integer_set_int128(&weights[1], -1);
    sc_integer_set_int128(&weights[0], 5);
    CHECK_STATUS(sc_constant_table_init_weights(&table, 0, 3, weights, NULL),
                 SCRIM_E_PARAM);
    set_integer(&weights[0], "2^256");
    sc_integer_set_int128(&weights[1], 0);
    REQUIRE_OK(sc_constant_table_init_weights(&table, 0, 3, weights, NULL));
    sc_constant_table_clear(&table);
    sc_integer_set_int128(&weights[1], 1); /* 2^256 + 2 */
    CHECK_STATUS(sc_constant_table_init_weights(&table, 0, 3, weights, NULL),
                 SCRIM_E_LIMIT);
    CHECK_STATUS(sc_constant_table_init_weights(&table, INT64_MIN, 3, weights, NULL),
                 SCRIM_E_PARAM);
    CHECK_STATUS(sc_constant_table_init_weights(&table, 0, UINT64_MAX, weights, NULL),
                 SCRIM_E_LIMIT);
    sc_integer_clear(&weights[0]);
    sc_integer_clear(&weights[1]);
}

TEST(constant_table_survives_without_memory)
{
    for (size_t i = 12; i < CONSTANT_SAMPLES; i++) {
        FAULT_LOOP(fault)
        {
            sc_constant_table table;
            const scrim_status status =
                constant_sample_build(&table, &constant_samples[i], NULL);
            CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
            if (status == SCRIM_OK)
                sc_constant_table_clear(&table);
        }
    }
}

SLOW_TEST(constant_table_goes_to_its_limit)
{
    const constant_sample widest = {"laplace", "3000", 65535, 64};
    sc_constant_table table;
    REQUIRE_OK(constant_sample_build(&table, &widest, NULL));
    CHECK_INT(table.cells, 131071);
    check_sums(&widest, &table);
    sc_constant_table_clear(&table);
}
