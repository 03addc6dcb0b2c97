/* Encoders that are private and wrong: their estimates are off, by the amounts that are known. The
 * catalogue's laws do not show it. */
#include "check.h"
#include "mechanism/local/report_law.h"
#include "vectors.h"

#include <stdio.h>
#include <string.h>

static void check_ratio(const sc_ratio *got, const char *want)
{
    SC_OWN(sc_ratio, x);
    char text[SC_RATIO_TEXT_BYTES];
    REQUIRE(sc_ratio_parse(sc_text_of(want), &x, NULL) == SCRIM_OK);
    sc_ratio_format(got, text, sizeof text);
    if (!CHECK(sc_ratio_compare(got, &x) == 0))
        CHECK_FAIL("%s, not %s", text, want);
}

/* (support - Q)/(P - Q): what one report adds to an estimate. */
static void estimate(const scrim_local_config *c, const sc_ratio *support, sc_ratio *out)
{
    SC_OWN(sc_ratio, p, q);
    REQUIRE(sc_protocol_support(c, &p, &q));
    sc_ratio_sub(out, support, &q);
    sc_ratio_sub(&p, &p, &q);
    sc_ratio_div(out, out, &p);
}

/* Subset selection whose other places are filled from all values, by enumeration: the value goes in
 * with the right probability, and may come back where it did not. */

/* The probability that a uniform subset of `size` of `of` places has a certain one. */
static void share(uint64_t size, uint64_t of, sc_ratio *out)
{
    sc_ratio_set_quotient(out, (int64_t)size, (int64_t)of);
}

TEST(subset_selection_with_reentry_is_biased)
{
    json_t *row = vectors_load("local-additions", "subset_selection_reentry_bug");
    const scrim_local_config c = {.protocol = SCRIM_LOCAL_SUBSET,
                                  .values = (uint32_t)vectors_number(row, "k"),
                                  .chosen = (uint32_t)vectors_number(row, "d"),
                                  .a = (uint32_t)vectors_number(row, "A"),
                                  .b = (uint32_t)vectors_number(row, "B")};
    SC_OWN(sc_ratio, p, q, rest, part, found);
    REQUIRE(sc_protocol_support(&c, &p, &q));
    check_ratio(&p, vectors_text(row, "P_right"));
    sc_ratio_set_int64(&rest, 1);
    sc_ratio_sub(&rest, &rest, &p);
    share(c.chosen, c.values, &part);
    sc_ratio_mul(&part, &rest, &part);
    sc_ratio_add(&found, &p, &part); /* in at once, or back again */
    check_ratio(&found, vectors_text(row, "P_with_reentry"));
    estimate(&c, &found, &part);
    check_ratio(&part, vectors_text(row, "expected_estimate_of_present"));
    /* Another value: beside the right one, or in a subset of all. */
    share(c.chosen - 1, c.values - 1, &found);
    sc_ratio_mul(&found, &found, &p);
    share(c.chosen, c.values, &part);
    sc_ratio_mul(&part, &rest, &part);
    sc_ratio_add(&found, &found, &part);
    check_ratio(&found, vectors_text(row, "Q_with_reentry"));
    estimate(&c, &found, &part);
    check_ratio(&part, vectors_text(row, "expected_estimate_of_absent"));
}

/* Local hashing by ((a x + b) mod 13) mod 4, at A/B = 7: values meet too rarely. */
TEST(local_hashing_by_an_inexact_family_is_biased)
{
    json_t *row = vectors_load("local-additions", "olh_inexact_family");
    const scrim_local_config c = {
        .protocol = SCRIM_LOCAL_TEXT_HASHING, .cells = 4, .a = 7, .b = 1};
    static const int pairs[][2] = {{0, 1}, {0, 4}, {0, 5}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        SC_OWN(sc_ratio, p, q, meet, part, support);
        int64_t met = 0;
        char name[8];
        for (int a = 1; a < 13; a++)
            for (int b = 0; b < 13; b++)
                met += (a * pairs[i][0] + b) % 13 % 4 == (a * pairs[i][1] + b) % 13 % 4;
        snprintf(name, sizeof name, "%d,%d", pairs[i][0], pairs[i][1]);
        sc_ratio_set_quotient(&meet, met, (int64_t)12 * 13);
        check_ratio(&meet,
                    vectors_text(json_object_get(row, "collision_probability"), name));
        /* kappa P + (1 - kappa)(1 - P)/3. */
        REQUIRE(sc_protocol_support(&c, &p, &q));
        sc_ratio_mul(&support, &meet, &p);
        sc_ratio_set_int64(&part, 1);
        sc_ratio_sub(&meet, &part, &meet);
        sc_ratio_sub(&p, &part, &p);
        sc_ratio_mul(&meet, &meet, &p);
        sc_ratio_set_int64(&part, 3);
        sc_ratio_div(&meet, &meet, &part);
        sc_ratio_add(&support, &support, &meet);
        estimate(&c, &support, &part);
        check_ratio(&part, vectors_text(row, "bias_per_other_report"));
    }
}

/* Alpha points: how often x is rounded up, less x/m, for offsets first .. last and a comparison. */
static void check_rounding(const json_t *biases, int64_t m, int64_t first, int64_t last,
                           bool is_strict)
{
    SC_OWN(sc_ratio, up, right);
    for (int64_t x = 0; x <= m; x++) {
        int64_t count = 0;
        for (int64_t offset = first; offset <= last; offset++)
            count += is_strict ? x + offset > m : x + offset >= m;
        sc_ratio_set_quotient(&up, count, last - first + 1);
        sc_ratio_set_quotient(&right, x, m);
        sc_ratio_sub(&up, &up, &right);
        check_ratio(&up, json_string_value(json_array_get(biases, (size_t)x)));
    }
}

TEST(alpha_points_with_the_wrong_comparison_are_biased)
{
    json_t *row = vectors_load("local-and-accounting", "alpha_point");
    const int64_t m = (int64_t)vectors_number(row, "m");
    check_rounding(json_object_get(row, "survey_1_to_m_minus_1_strict"), m, 1, m - 1,
                   true);
    check_rounding(json_object_get(row, "zero_to_m_minus_1_strict"), m, 0, m - 1, true);
    check_rounding(json_object_get(row, "zero_to_m_minus_1_ge"), m, 0, m - 1, false);
    check_rounding(json_object_get(row, "one_to_m_strict"), m, 1, m, true);
}

/* The device's law of one round is that of an unbiased rounding. */
TEST(alpha_points_of_the_catalogue_are_not)
{
    const scrim_local_config c = {.protocol = SCRIM_LOCAL_ROUNDED_BIT,
                                  .values = 11,
                                  .a = 27,
                                  .b = 10,
                                  .flip = (uint32_t)1 << 29};
    SC_OWN(sc_ratio, one, mean, x);
    for (uint64_t i = 0; i < c.values; i++) {
        sc_report_probability(&c, 1, i, 1, &one);
        estimate(&c, &one, &mean);
        sc_ratio_set_quotient(&x, (int64_t)i, 10);
        CHECK(sc_ratio_compare(&mean, &x) == 0);
    }
}
