#include "check.h"
#include "exact.h"
#include "scrim/threshold.h"
#include "vectors.h"

#include <math.h>
#include <string.h>

static const char *text_in(const json_t *row, const char *name)
{
    return json_string_value(json_object_get(row, name));
}

static long long number_in(const json_t *row, const char *name)
{
    return json_integer_value(json_object_get(row, name));
}

/* The index of a gamma in the printed thresholds. */
static size_t gamma_of(const json_t *row)
{
    const char *gamma = text_in(row, "gamma");
    return strcmp(gamma, "1") == 0 ? 0 : strcmp(gamma, "0.1") == 0 ? 1 : 2;
}

/* Every point of Figure 1, beside the threshold that is enough. */
TEST(suppression_has_the_points_of_the_figure)
{
    CLAIM("suppression.figures");
    json_t *rows = vectors_load("thresholding", "figure1"), *row;
    size_t r;
    json_array_foreach(rows, r, row)
    {
        scrim_suppression found;
        const double printed = strtod(text_in(row, "threshold"), NULL);
        REQUIRE_OK(scrim_suppression_of(text_in(row, "eps"), text_in(row, "delta"), "1",
                                        "1/2", &found, NULL));
        const double upper = found.printed_upper[gamma_of(row)];
        CHECK(upper >= printed * (1 - 1e-15) && upper <= printed * (1 + 1e-14));
        CHECK((double)found.threshold <= printed && found.least <= found.threshold);
    }
    CHECK_INT(r, 36);
}

TEST(suppression_has_the_smallest_thresholds_and_widths)
{
    CLAIM("suppression.figures");
    static const struct {
        const char *member, *value;
    } tables[] = {{"threshold_T_min", "T_min"}, {"range_L_min", "L_min"}};
    for (size_t i = 0; i < COUNT(tables); i++) {
        json_t *rows = vectors_load("thresholding", tables[i].member), *row;
        size_t r, seen = 0;
        json_array_foreach(rows, r, row)
        {
            scrim_suppression found;
            if (number_in(row, "Delta") != 1)
                continue;
            seen++;
            REQUIRE_OK(scrim_suppression_of(text_in(row, "eps"), text_in(row, "delta"),
                                            "1000", "1/2", &found, NULL));
            CHECK_INT(i == 0 ? found.threshold : found.width,
                      number_in(row, tables[i].value));
        }
        CHECK(seen >= 3);
    }
}

/* Sections 6.1 and 6.3: a billion ranges, a trillion zeros. */
TEST(suppression_has_the_figures_of_the_text)
{
    CLAIM("suppression.figures");
    json_t *ranges = vectors_load("thresholding", "section_6_3");
    json_t *zeros = vectors_load("thresholding", "section_6_1_T");
    scrim_suppression found;
    REQUIRE_OK(scrim_suppression_of("0.05", "1e-19", "1e9", "1/2", &found, NULL));
    CHECK_NEAR(found.width_printed_upper, strtod(text_in(ranges, "total_d_1e9"), NULL),
               1e-10);
    CHECK_INT(found.width, number_in(ranges, "L_exact_no_d"));
    REQUIRE_OK(scrim_suppression_of("0.05", "1e-19", "1", "1/2", &found, NULL));
    CHECK_NEAR(found.width_printed_upper,
               strtod(text_in(ranges, "const_20_ln_1e19"), NULL), 1e-10);
    CHECK_INT(found.width, number_in(ranges, "L_exact_no_d"));
    CHECK_STR(text_in(zeros, "beta"), "0.01");
    REQUIRE_OK(scrim_suppression_of(text_in(zeros, "eps"), "1e-6", text_in(zeros, "n"),
                                    "0.99", &found, NULL));
    CHECK_NEAR(found.zeros.formula_upper, strtod(text_in(zeros, "T"), NULL), 1e-10);
    CHECK(found.zeros.threshold <= 323 && found.zeros.threshold > 300);
    /* P(|Z| > L) of one value, 2 x^(L+1) / (1 + x), and of many */
    const double x = exp(-0.1), one = 2 * pow(x, (double)found.width + 1) / (1 + x);
    CHECK_NEAR(found.none_upper, -expm1(1e12 * log1p(-one)), 1e-9);
}

TEST(suppression_refuses_other_numbers)
{
    scrim_suppression found = {.threshold = 7};
    static const struct {
        const char *epsilon, *delta, *values, *confidence;
        scrim_status status;
    } list[] = {{"0", "1e-6", "1", "1/2", SCRIM_E_PARAM},
                {"1", "0", "1", "1/2", SCRIM_E_PARAM},
                {"1", "1e-6", "0", "1/2", SCRIM_E_PARAM},
                {"1", "1e-6", "3/2", "1/2", SCRIM_E_PARAM},
                {"1", "1e-6", "2^64", "1/2", SCRIM_E_PARAM},
                {"1", "1e-6", "1", "1", SCRIM_E_PARAM},
                {"x", "1e-6", "1", "1/2", SCRIM_E_SYNTAX},
                {NULL, "1e-6", "1", "1/2", SCRIM_E_PARAM}};
    for (size_t i = 0; i < COUNT(list); i++)
        CHECK_STATUS(scrim_suppression_of(list[i].epsilon, list[i].delta, list[i].values,
                                          list[i].confidence, &found, NULL),
                     list[i].status);
    CHECK_INT(found.threshold, 7);
}
