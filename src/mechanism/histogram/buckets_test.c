#include "check.h"
#include "exact.h"
#include "mechanism/histogram/buckets.h"
#include "random/bits_tape.h"
#include "sampling/uniform.h"
#include "vectors.h"

#include <string.h>

static scrim_status ask(sc_buckets *out, const char *lower, const char *upper,
                        const char *beta, size_t dimensions, sc_bucket_norm norm,
                        scrim_error *error)
{
    sc_ratio low, high, far;
    exact_ratio(lower, &low);
    exact_ratio(upper, &high);
    exact_ratio(beta, &far);
    const sc_buckets_question question = {.lower = &low,
                                          .upper = &high,
                                          .beta = &far,
                                          .dimensions = dimensions,
                                          .norm = norm};
    scrim_status status = sc_buckets_init(out, &question, error);
    sc_ratio_clear(&far);
    sc_ratio_clear(&high);
    sc_ratio_clear(&low);
    return status;
}

static void check_ratio(const sc_ratio *got, const char *want)
{
    sc_ratio number;
    exact_ratio(want, &number);
    CHECK_INT(sc_ratio_compare(got, &number), 0);
    sc_ratio_clear(&number);
}

static const char *text_of(const json_t *row, const char *member)
{
    return json_string_value(json_object_get(row, member));
}

static int64_t integer_of(const json_t *row, const char *member)
{
    return json_integer_value(json_object_get(row, member));
}

TEST(buckets_have_the_sizes_of_the_vectors)
{
    CLAIM("buckets.tile");
    json_t *rows = vectors_load("flexible-accuracy", "bucket_sizing");
    size_t index;
    json_t *row;
    json_array_foreach(rows, index, row)
    {
        sc_buckets buckets;
        sc_ratio square;
        uint64_t count = 0;
        REQUIRE_OK(ask(&buckets, "0", text_of(row, "B"), text_of(row, "beta"),
                       (size_t)integer_of(row, "d"), SC_BUCKET_NORM_L2, NULL));
        CHECK_INT(buckets.per_axis, integer_of(row, "per_axis"));
        CHECK(sc_text_uint64(sc_text_of(text_of(row, "t")), &count));
        CHECK_INT(buckets.count, count);
        check_ratio(&buckets.width, text_of(row, "w"));
        /* w^2 d / 4 */
        sc_ratio_init(&square);
        sc_ratio four;
        exact_ratio("4", &four);
        sc_ratio_mul(&square, &buckets.width, &buckets.width);
        sc_ratio_div(&square, &square, &four);
        sc_ratio_set_int64(&four, integer_of(row, "d"));
        sc_ratio_mul(&square, &square, &four);
        check_ratio(&square, text_of(row, "l2_error_bound_sq"));
        sc_ratio_clear(&four);
        sc_ratio_clear(&square);
        sc_buckets_clear(&buckets);
    }
    CHECK_INT(index, 7);
}

/* The place of a point of d coordinates, which has the label -1 if any. */
static uint64_t cell_of(const sc_buckets *b, const sc_ratio *point)
{
    uint64_t indices[SC_BUCKETS_DIMENSIONS];
    for (size_t i = 0; i < b->dimensions; i++)
        indices[i] = sc_buckets_index(b, &point[i]);
    return sc_buckets_place(b, indices, false);
}

TEST(buckets_cells_are_those_of_the_vectors)
{
    CLAIM("buckets.exact");
    json_t *rows = vectors_load("flexible-accuracy", "bucketing");
    size_t index;
    json_t *row;
    json_array_foreach(rows, index, row)
    {
        sc_buckets buckets;
        sc_ratio beta, two, value;
        char text[SC_RATIO_TEXT_BYTES];
        exact_ratio(text_of(row, "B"), &beta);
        exact_ratio("2", &two);
        sc_ratio_div(&beta, &beta, &two);
        sc_ratio_set_int64(&two, integer_of(row, "T"));
        sc_ratio_div(&beta, &beta, &two);
        sc_ratio_format(&beta, text, sizeof text);
        REQUIRE_OK(
            ask(&buckets, "0", text_of(row, "B"), text, 1, SC_BUCKET_NORM_MAX, NULL));
        CHECK_INT(buckets.per_axis, integer_of(row, "T"));
        const json_t *points = json_object_get(row, "points");
        for (size_t i = 0; i < json_array_size(points); i++) {
            exact_ratio(json_string_value(json_array_get(points, i)), &value);
            const uint64_t cell = cell_of(&buckets, &value);
            CHECK_INT(cell, json_integer_value(
                                json_array_get(json_object_get(row, "index"), i)));
            sc_buckets_centre(&buckets, cell, &value);
            check_ratio(&value, json_string_value(
                                    json_array_get(json_object_get(row, "centre"), i)));
            sc_ratio_clear(&value);
        }
        sc_ratio_clear(&two);
        sc_ratio_clear(&beta);
        sc_buckets_clear(&buckets);
    }
    CHECK_INT(index, 3);
}

static uint64_t below(sc_tape *tape, uint64_t n)
{
    uint64_t value = 0;
    CHECK_STATUS(sc_uniform_64(sc_tape_bits_of(tape), n, &value, NULL), SCRIM_OK);
    return value;
}

/* A fraction of up to so much above and below the line. */
static void any_ratio(sc_tape *tape, uint64_t above, uint64_t under, sc_ratio *out)
{
    sc_integer a, b;
    sc_integer_init(&a);
    sc_integer_init(&b);
    sc_integer_set_int128(&a, 1 + (sc_int128)below(tape, above));
    sc_integer_set_int128(&b, 1 + (sc_int128)below(tape, under));
    sc_ratio_set_fraction(out, &a, &b);
    sc_integer_clear(&b);
    sc_integer_clear(&a);
}

/* d^(1/p) length / (2 T) <= beta? For p = 2 with squares. */
static bool is_fine_enough(const sc_buckets_question *q, const sc_ratio *length,
                           uint64_t cells)
{
    sc_ratio x, y;
    sc_ratio_init(&x);
    sc_ratio_init(&y);
    sc_ratio_set_int64(&y, 2 * (int64_t)cells);
    sc_ratio_div(&x, length, &y);
    sc_ratio_set(&y, q->beta);
    if (q->norm == SC_BUCKET_NORM_L2) {
        sc_ratio_mul(&x, &x, &x);
        sc_ratio_mul(&y, &y, &y);
    }
    for (size_t i = 1; q->norm != SC_BUCKET_NORM_MAX && i < q->dimensions; i++) {
        sc_ratio once;
        sc_ratio_init(&once);
        sc_ratio_set_int64(&once, (int64_t)i + 1);
        sc_ratio_mul(&x, &x, &once);
        sc_ratio_set_int64(&once, (int64_t)i);
        sc_ratio_div(&x, &x, &once);
        sc_ratio_clear(&once);
    }
    const bool is_fine = sc_ratio_compare(&x, &y) <= 0;
    sc_ratio_clear(&y);
    sc_ratio_clear(&x);
    return is_fine;
}

/* The distance of a point to the centre of its cell is at most beta, in the norm; and each
 * coordinate lies in its half-open cell. */
static void check_point(const sc_buckets *b, const sc_ratio *beta, const sc_ratio *point)
{
    sc_ratio sum, part, bound;
    const uint64_t place = cell_of(b, point);
    sc_ratio_init(&sum);
    sc_ratio_init(&part);
    sc_ratio_init(&bound);
    CHECK(place < b->count);
    for (size_t i = 0; i < b->dimensions; i++) {
        const uint64_t at = sc_buckets_axis(b, place, i);
        CHECK_INT(at, sc_buckets_index(b, &point[i]));
        sc_buckets_edge(b, at, &part);
        CHECK(sc_ratio_compare(&part, &point[i]) <= 0);
        sc_buckets_edge(b, at + 1, &part);
        CHECK(sc_ratio_compare(&point[i], &part) < 0);
        CHECK(sc_ratio_compare(&part, &b->upper) <= 0);
        sc_buckets_centre(b, at, &part);
        sc_ratio_sub(&part, &part, &point[i]);
        if (sc_ratio_sign(&part) < 0) {
            sc_ratio_set_int64(&bound, -1);
            sc_ratio_mul(&part, &part, &bound);
        }
        if (b->norm == SC_BUCKET_NORM_L2)
            sc_ratio_mul(&part, &part, &part);
        if (b->norm != SC_BUCKET_NORM_MAX)
            sc_ratio_add(&sum, &sum, &part);
        else if (sc_ratio_compare(&part, &sum) > 0)
            sc_ratio_set(&sum, &part);
    }
    sc_ratio_set(&bound, beta);
    if (b->norm == SC_BUCKET_NORM_L2)
        sc_ratio_mul(&bound, &bound, &bound);
    CHECK(sc_ratio_compare(&sum, &bound) <= 0);
    sc_ratio_set(&bound, &b->error);
    CHECK(sc_ratio_compare(&bound, beta) <= 0);
    if (b->norm == SC_BUCKET_NORM_L2)
        sc_ratio_mul(&bound, &bound, &bound);
    CHECK(sc_ratio_compare(&sum, &bound) <= 0);
    sc_ratio_clear(&bound);
    sc_ratio_clear(&part);
    sc_ratio_clear(&sum);
}

/* Any box, norm and number of axes: T is the least that will do, and no point is further than beta
 * from its centre; points on edges as often as any. */
TEST(buckets_tile_the_box_within_beta)
{
    CLAIM("buckets.tile");
    CLAIM("buckets.exact");
    sc_tape *tape = NULL;
    const uint64_t count = check_count(300, 100000);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    sc_ratio lower, length, upper, beta, point[4];
    sc_ratio_init(&lower);
    sc_ratio_init(&length);
    sc_ratio_init(&upper);
    sc_ratio_init(&beta);
    for (size_t i = 0; i < 4; i++)
        sc_ratio_init(&point[i]);
    for (uint64_t n = 0; n < count; n++) {
        sc_buckets b;
        any_ratio(tape, 1000, 30, &length);
        any_ratio(tape, 500, 7, &beta);
        sc_ratio_sub(&lower, &beta, &length); /* of either sign */
        sc_ratio_add(&upper, &lower, &length);
        any_ratio(tape, 100, 9, &beta);
        const sc_buckets_question question = {.lower = &lower,
                                              .upper = &upper,
                                              .beta = &beta,
                                              .dimensions = 1 + below(tape, 4),
                                              .norm = (sc_bucket_norm)below(tape, 3)};
        REQUIRE_OK(sc_buckets_init(&b, &question, NULL));
        CHECK(is_fine_enough(&question, &length, b.per_axis));
        CHECK(b.per_axis == 1 || !is_fine_enough(&question, &length, b.per_axis - 1));
        CHECK_INT(b.count, sc_size_power(b.per_axis, b.dimensions));
        sc_buckets_edge(&b, b.per_axis, &point[0]);
        CHECK_INT(sc_ratio_compare(&point[0], &upper), 0);
        for (int turn = 0; turn < 3; turn++) {
            for (size_t i = 0; i < b.dimensions; i++) {
                const uint64_t under = turn == 0 ? b.per_axis : 999983;
                sc_ratio share;
                sc_ratio_init(&share);
                sc_ratio_set_int64(&point[i], (int64_t)below(tape, under));
                sc_ratio_set_int64(&share, (int64_t)under);
                sc_ratio_div(&share, &point[i], &share);
                sc_ratio_mul(&share, &share, &length);
                sc_ratio_add(&point[i], &lower, &share);
                sc_ratio_clear(&share);
            }
            check_point(&b, &beta, point);
        }
        sc_buckets_clear(&b);
    }
    for (size_t i = 0; i < 4; i++)
        sc_ratio_clear(&point[i]);
    sc_ratio_clear(&beta);
    sc_ratio_clear(&upper);
    sc_ratio_clear(&length);
    sc_ratio_clear(&lower);
    sc_tape_free(tape);
}

TEST(buckets_take_what_is_outside_to_the_end_cell)
{
    CLAIM("buckets.exact");
    sc_buckets b;
    sc_ratio v;
    REQUIRE_OK(ask(&b, "-1", "1", "1/4", 1, SC_BUCKET_NORM_MAX, NULL));
    CHECK_INT(b.count, 4);
    static const struct {
        const char *value;
        uint64_t cell;
        bool is_inside;
    } cases[] = {{"-1", 0, true},      {"-1.000000001", 0, false}, {"-1e1000", 0, false},
                 {"1", 3, false},      {"0.999999999", 3, true},   {"1e1000", 3, false},
                 {"-0.5", 1, true},    {"-0.500000001", 0, true},  {"0", 2, true},
                 {"-1e-1000", 1, true}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        exact_ratio(cases[i].value, &v);
        CHECK_INT(cell_of(&b, &v), cases[i].cell);
        CHECK_INT(sc_buckets_is_inside(&b, &v), cases[i].is_inside);
        sc_ratio_clear(&v);
    }
    sc_buckets_clear(&b);
}

TEST(buckets_refuse_what_is_no_box)
{
    sc_buckets b;
    scrim_error error;
    static const struct {
        const char *lower, *upper, *beta;
        size_t dimensions;
        scrim_status status;
        const char *word;
    } cases[] = {
        {"0", "0", "1", 1, SCRIM_E_PARAM, "upper"},
        {"0", "-1", "1", 1, SCRIM_E_PARAM, "upper"},
        {"2", "1", "1", 1, SCRIM_E_PARAM, "upper"},
        {"0", "1", "0", 1, SCRIM_E_PARAM, "beta"},
        {"0", "1", "-1/2", 1, SCRIM_E_PARAM, "beta"},
        {"0", "1", "1", 0, SCRIM_E_PARAM, "dimensions"},
        {"0", "1", "1", 65, SCRIM_E_LIMIT, "dimensions"},
        {"0", "1", "2^-62", 1, SCRIM_OK, ""}, /* 2^61 */
        {"0", "1", "2^-63", 1, SCRIM_OK, ""}, /* 2^62: the most */
        {"0", "4611686018427387905", "1/2", 1, SCRIM_E_LIMIT, "beta"}, /* one more */
        {"0", "1", "2^-64", 1, SCRIM_E_LIMIT, "beta"},
        {"0", "1", "2^-4000", 1, SCRIM_E_LIMIT, "beta"},
        {"0", "1", "1/8", 31, SCRIM_OK, ""}, /* 4^31 */
        {"0", "1", "1/8", 32, SCRIM_E_LIMIT, "beta"},
        {"0", "1", "1", 64, SCRIM_OK, ""},
        {"-2^4000", "2^4000", "2^3999", 3, SCRIM_OK, ""},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        memset(&error, 0, sizeof error);
        memset(&b, 0, sizeof b);
        scrim_status status = ask(&b, cases[i].lower, cases[i].upper, cases[i].beta,
                                  cases[i].dimensions, SC_BUCKET_NORM_MAX, &error);
        CHECK_STATUS(status, cases[i].status);
        if (status == SCRIM_OK)
            sc_buckets_clear(&b);
        else
            CHECK(strstr(error.message, cases[i].word) != NULL && b.count == 0);
    }
}

TEST(buckets_of_points_lose_nothing)
{
    CLAIM("buckets.exact");
    sc_buckets b;
    sc_ratio lower, step, v;
    exact_ratio("-3/2", &lower);
    exact_ratio("1/2", &step);
    exact_ratio("0", &v);
    REQUIRE_OK(sc_buckets_init_points(&b, &lower, &step, 6, NULL));
    check_ratio(&b.error, "0");
    check_ratio(&b.upper, "1");
    for (uint64_t i = 0; i < 6; i++) {
        sc_buckets_centre(&b, i, &v);
        CHECK_INT(cell_of(&b, &v), i);
        CHECK(sc_buckets_is_inside(&b, &v));
    }
    check_ratio(&v, "1");
    sc_ratio_add(&v, &v, &step);
    CHECK_INT(cell_of(&b, &v), 5);
    CHECK(!sc_buckets_is_inside(&b, &v));
    sc_buckets_clear(&b);
    CHECK_STATUS(sc_buckets_init_points(&b, &lower, &step, 0, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(sc_buckets_init_points(&b, &lower, &lower, 1, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(sc_buckets_init_points(&b, &lower, &step, ((uint64_t)1 << 62) + 1, NULL),
                 SCRIM_E_LIMIT);
    sc_ratio_clear(&v);
    sc_ratio_clear(&step);
    sc_ratio_clear(&lower);
}

/* Labels: the cells of +1 follow those of -1, on all axes alike, and there are twice as many. */
TEST(buckets_of_labelled_points)
{
    CLAIM("buckets.exact");
    sc_buckets b;
    sc_ratio upper, beta;
    exact_ratio("3", &upper);
    exact_ratio("1/2", &beta);
    sc_buckets_question question = {.upper = &upper,
                                    .beta = &beta,
                                    .dimensions = 2,
                                    .norm = SC_BUCKET_NORM_MAX,
                                    .is_labelled = true};
    REQUIRE_OK(sc_buckets_init(&b, &question, NULL));
    CHECK_INT(b.count, 18);
    for (uint64_t place = 0; place < b.count; place++) {
        const uint64_t at[] = {sc_buckets_axis(&b, place, 0),
                               sc_buckets_axis(&b, place, 1)};
        CHECK(at[0] < 3 && at[1] < 3);
        CHECK_INT(sc_buckets_has_plus(&b, place), place >= 9);
        CHECK_INT(sc_buckets_place(&b, at, place >= 9), place);
    }
    sc_buckets_clear(&b);
    question.dimensions = 1;
    sc_ratio_set_int64(&upper, (int64_t)1 << 61);
    REQUIRE_OK(sc_buckets_init(&b, &question, NULL));
    CHECK_INT(b.count, (uint64_t)1 << 62);
    sc_buckets_clear(&b);
    sc_ratio_set_int64(&upper, ((int64_t)1 << 61) + 1);
    CHECK_STATUS(sc_buckets_init(&b, &question, NULL), SCRIM_E_LIMIT);
    sc_ratio_clear(&beta);
    sc_ratio_clear(&upper);
}
