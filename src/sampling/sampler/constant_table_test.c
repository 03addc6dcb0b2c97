/* What a table is: its weights, and what it refuses to be. */
#include "balls.h"
#include "check.h"
#include "constant_tables.h"
#include "faults.h"
#include "sampling/sampler/constant_table.h"
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

/* Vectors. */

/* Within 2^-60 of a decimal of 20 digits. */
static void check_decimal(const sc_ball *got, const char *want, const char *what)
{
    sc_ball number, gap;
    sc_ball_init(&number);
    sc_ball_init(&gap);
    CHECK(ball_set_text(&number, want, 256));
    sc_ball_sub(&gap, got, &number, 256);
    sc_ball_abs(&gap, &gap);
    sc_ball_mul_power2(&number, &number, -60);
    if (!sc_ball_is_less(&gap, &number)) {
        char text[40];
        sc_ball_format(got, 25, text, sizeof text);
        CHECK_FAIL("%s is %s, not %s", what, text, want);
    }
    sc_ball_clear(&number);
    sc_ball_clear(&gap);
}

/* sum over k of max(0, P(k) - e^epsilon P(k-1)), and the largest ln(P(k) / P(k+1)). */
static void hockey_stick(const sc_constant_table *table, const sc_ratio *epsilon,
                         sc_ball *delta, sc_ball *ratio)
{
    sc_ball factor, here, before, part, zero;
    sc_integer total;
    sc_ball *const balls[] = {&factor, &here, &before, &part, &zero};
    for (size_t i = 0; i < 5; i++)
        sc_ball_init(balls[i]);
    sc_integer_init(&total);
    sc_ball_set_ratio(&factor, epsilon, 512);
    sc_ball_exp(&factor, &factor, 512);
    for (int64_t k = table->low; k < table->low + (int64_t)table->cells; k++) {
        constant_table_weight_ball(table, k, &here);
        if (k > 0) {
            sc_ball_div(&part, &before, &here, 512);
            sc_ball_log(&part, &part, 512);
            if (sc_ball_is_less(ratio, &part))
                sc_ball_set(ratio, &part);
        }
        sc_ball_mul(&part, &factor, &before, 512);
        sc_ball_sub(&part, &here, &part, 512);
        if (sc_ball_is_less(&zero, &part))
            sc_ball_add(delta, delta, &part, 512);
        sc_ball_set(&before, &here);
    }
    sc_constant_table_total(table, &total);
    sc_ball_set_integer(&part, &total);
    sc_ball_div(delta, delta, &part, 512);
    sc_integer_clear(&total);
    for (size_t i = 0; i < 5; i++)
        sc_ball_clear(balls[i]);
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

static void check_weight_member(const sc_constant_table *table, int64_t k,
                                const json_t *row, const char *member)
{
    char text[32];
    snprintf(text, sizeof text, "%lld",
             (long long)json_integer_value(json_object_get(row, member)));
    check_weight(table, k, text);
}

static void check_table_row(const json_t *row)
{
    const int64_t t = json_integer_value(json_object_get(row, "t"));
    const int64_t bound = json_integer_value(json_object_get(row, "B"));
    const unsigned width = (unsigned)json_integer_value(json_object_get(row, "K"));
    sc_ratio scale, epsilon;
    sc_ratio_init(&scale);
    sc_ratio_init(&epsilon);
    sc_ratio_set_int64(&scale, t);
    sc_ratio_set_int64(&epsilon, 1);
    sc_ratio_div(&epsilon, &epsilon, &scale);
    sc_law law, ideal;
    sc_law_init(&law, &sc_discrete_laplace_law, &scale, 0);
    sc_law_init(&ideal, &sc_truncated_laplace_law, &scale, bound);
    sc_constant_table table;
    if (CHECK_STATUS(
            sc_constant_table_init_law(&table, &law, (uint64_t)bound, width, NULL),
            SCRIM_OK)) {
        check_weight_member(&table, 0, row, "weight_at_0");
        check_weight_member(&table, 1, row, "weight_at_1");
        check_weight_member(&table, -1, row, "weight_at_1");
        check_weight_member(&table, bound, row, "weight_at_B");
        sc_ball delta, ratio;
        sc_ball_init(&delta);
        sc_ball_init(&ratio);
        hockey_stick(&table, &epsilon, &delta, &ratio);
        check_decimal(&delta, json_string_value(json_object_get(row, "delta_at_nominal")),
                      "delta");
        check_decimal(&ratio, json_string_value(json_object_get(row, "max_log_ratio")),
                      "the largest ratio");
        sc_law_pmf(&ideal, bound, 256, &delta);
        check_decimal(&delta,
                      json_string_value(json_object_get(row, "ideal_truncated_delta")),
                      "the ideal delta");
        sc_ball_clear(&delta);
        sc_ball_clear(&ratio);
        sc_constant_table_clear(&table);
    }
    sc_law_clear(&law);
    sc_law_clear(&ideal);
    sc_ratio_clear(&scale);
    sc_ratio_clear(&epsilon);
}

TEST(constant_table_meets_the_vectors)
{
    CLAIM("constant-table.weights");
    const json_t *vectors = vectors_load("mechanisms", "table_sampler");
    REQUIRE(vectors != NULL);
    const json_t *rows = json_object_get(vectors, "rows");
    REQUIRE(json_array_size(rows) >= 3);
    for (size_t i = 0; i < json_array_size(rows); i++)
        check_table_row(json_array_get(rows, i));
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

/* Weights by another road. */

/* P(k), renormalised, without the laws that the table is made from: the truncated law for
 * Laplace, exponentials and their sum for Gauss, tails for the ends of the clamped law. */
static void other_road(const constant_sample *s, const sc_ratio *shape, int64_t k,
                       sc_ball *out)
{
    const long bits = 1024;
    const int64_t bound = (int64_t)s->bound;
    if (strcmp(s->law, "gaussian") == 0) {
        sc_ball sum, rate, part;
        sc_ball_init(&sum);
        sc_ball_init(&rate);
        sc_ball_init(&part);
        sc_ball_set_ratio(&rate, shape, bits);
        for (int64_t i = -bound; i <= bound; i++) {
            sc_ball_set_int64(&part, -i * i);
            sc_ball_div(&part, &part, &rate, bits);
            sc_ball_mul_power2(&part, &part, -1);
            sc_ball_exp(&part, &part, bits);
            sc_ball_add(&sum, &sum, &part, bits);
            if (i == k)
                sc_ball_set(out, &part);
        }
        sc_ball_div(out, out, &sum, bits);
        sc_ball_clear(&sum);
        sc_ball_clear(&rate);
        sc_ball_clear(&part);
        return;
    }
    const bool is_clamped = strcmp(s->law, "clamped") == 0;
    sc_law law;
    sc_law_init(&law, is_clamped ? &sc_discrete_laplace_law : &sc_truncated_laplace_law,
                shape, bound);
    if (is_clamped && k == bound)
        sc_law_at_least(&law, k, bits, out);
    else
        sc_law_pmf(&law, k, bits, out);
    sc_law_clear(&law);
}

static void check_floors(const constant_sample *s, const sc_constant_table *table)
{
    sc_ratio shape;
    sc_integer got, want;
    sc_ball p;
    sc_ratio_init(&shape);
    sc_integer_init(&got);
    sc_integer_init(&want);
    sc_ball_init(&p);
    set_ratio(&shape, s->shape);
    for (int64_t k = 1; k <= (int64_t)s->bound; k++) {
        other_road(s, &shape, k, &p);
        sc_ball_mul_power2(&p, &p, (long)s->width);
        sc_constant_table_weight(table, k, &got);
        if (!sc_ball_floor(&p, &want) || !is_same(&got, &want))
            CHECK_FAIL("%s %s: the weight of %lld is not floor(2^%u P)", s->law, s->shape,
                       (long long)k, s->width);
    }
    sc_ratio_clear(&shape);
    sc_integer_clear(&got);
    sc_integer_clear(&want);
    sc_ball_clear(&p);
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

SLOW_TEST(constant_table_weights_are_the_floors)
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
        if (!constant_sample_is_shifted(&constant_samples[i]))
            check_floors(&constant_samples[i], &table);
        sc_constant_table_clear(&table);
    }
}

/* What is refused, and limits. */

TEST(constant_table_refuses_what_it_cannot_be)
{
    static const struct {
        constant_sample s;
        scrim_status status;
    } bad[] = {
        {{"laplace", "0", 5, 128}, SCRIM_E_PARAM},
        {{"laplace", "-1", 5, 128}, SCRIM_E_PARAM},
        {{"laplace", "1", 0, 128}, SCRIM_E_PARAM},
        {{"laplace", "1", 5, 63}, SCRIM_E_PARAM},
        {{"laplace", "1", 5, 257}, SCRIM_E_PARAM},
        {{"laplace", "1", 65536, 128}, SCRIM_E_LIMIT},
        {{"laplace", "1", UINT64_MAX, 128}, SCRIM_E_LIMIT},
        {{"laplace", "2^61", 5, 128}, SCRIM_E_LIMIT},
        {{"clamped", "2^-61", 5, 128}, SCRIM_E_LIMIT},
        {{"gaussian", "2^121", 5, 128}, SCRIM_E_LIMIT},
        {{"gaussian", "0", 5, 128}, SCRIM_E_PARAM},
        {{"shifted", "0", 5, 32}, SCRIM_E_PARAM},
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
    for (size_t i = 0; i < CONSTANT_SAMPLES; i += 5) {
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
