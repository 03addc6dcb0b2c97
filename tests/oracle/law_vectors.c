#include "law_vectors.h"

#include "exact.h"

#include <stdio.h>

void law_vectors_quotient(const json_t *t, const json_t *s, char text[64])
{
    snprintf(text, 64, "%lld/%lld", (long long)json_integer_value(t),
             (long long)json_integer_value(s));
}

void law_vectors_reciprocal(const json_t *x, char text[SC_RATIO_TEXT_BYTES])
{
    sc_ratio value, one;
    exact_ratio(json_string_value(x), &value);
    exact_ratio("1", &one);
    sc_ratio_div(&value, &one, &value);
    sc_ratio_format(&value, text, SC_RATIO_TEXT_BYTES);
    sc_ratio_clear(&value);
    sc_ratio_clear(&one);
}

static void check_points(const sc_law *law, const json_t *points,
                         void (*of)(const sc_law *, sc_int128, long, sc_ball *))
{
    size_t i;
    json_t *point;
    sc_ball value;
    sc_ball_init(&value);
    json_array_foreach(points, i, point)
    {
        of(law, json_integer_value(json_array_get(point, 0)), EXACT_BITS, &value);
        CHECK_PRINTED(&value, json_string_value(json_array_get(point, 1)));
    }
    sc_ball_clear(&value);
}

static void outside(const sc_law *law, sc_int128 a, long bits, sc_ball *out)
{
    sc_ball left;
    sc_ball_init(&left);
    sc_law_at_most(law, -a - 1, bits, &left);
    sc_law_at_least(law, a + 1, bits, out);
    sc_ball_add(out, out, &left, bits);
    sc_ball_clear(&left);
}

static void check_accuracy(const sc_law *law, const json_t *rows)
{
    size_t i;
    json_t *row;
    sc_ball value;
    sc_ball_init(&value);
    json_array_foreach(rows, i, row)
    {
        sc_ratio beta;
        sc_int128 a = json_integer_value(json_object_get(row, "a")), radius = -1;
        exact_ratio(json_string_value(json_object_get(row, "beta")), &beta);
        CHECK_STATUS(sc_law_radius(law, &beta, &radius, NULL), SCRIM_OK);
        CHECK_INT(radius, a);
        outside(law, a, EXACT_BITS, &value);
        CHECK_PRINTED(&value, json_string_value(json_object_get(row, "prob_abs_gt_a")));
        sc_ratio_clear(&beta);
    }
    sc_ball_clear(&value);
}

void law_vectors_check(const sc_law *law, const json_t *row)
{
    sc_ball value;
    const char *variance = json_string_value(json_object_get(row, "variance"));
    check_points(law, json_object_get(row, "pmf"), sc_law_pmf);
    check_points(law, json_object_get(row, "cdf"), sc_law_at_most);
    check_points(law, json_object_get(row, "tail_ge"), sc_law_at_least);
    check_accuracy(law, json_object_get(row, "accuracy"));
    sc_ball_init(&value);
    sc_law_variance(law, EXACT_BITS, &value);
    if (CHECK(variance != NULL))
        CHECK_PRINTED(&value, variance);
    sc_ball_clear(&value);
}
