#include "check.h"
#include "scrim/amplification.h"
#include "vectors.h"

#include <stdio.h>
#include <string.h>

static scrim_status amplify(uint64_t devices, const char *epsilon, const char *delta,
                            const char *protocol, scrim_amplification *out)
{
    scrim_error error;
    return scrim_amplify(SCRIM_OPTIONS(scrim_amplify_options, .devices = devices,
                                       .epsilon = epsilon, .delta = delta,
                                       .protocol = protocol),
                         out, &error);
}

TEST(amplification_meets_the_general_table)
{
    CLAIM("amplification.upper");
    json_t *rows = vectors_load("local-additions", "shuffle_general"), *row;
    size_t i;
    REQUIRE(json_array_size(rows) == 6);
    json_array_foreach(rows, i, row)
    {
        scrim_amplification found;
        char local[8];
        snprintf(local, sizeof local, "%llu",
                 (unsigned long long)vectors_number(row, "eps0"));
        REQUIRE_OK(amplify(vectors_number(row, "n"), local, vectors_text(row, "delta"),
                           NULL, &found));
        const double least = strtod(vectors_text(row, "eps_lower"), NULL),
                     most = strtod(vectors_text(row, "eps_upper"), NULL);
        CHECK(found.upper_view <= most && found.lower_view >= least);
        CHECK(found.lower_view <= most && found.upper_view >= least);
        CHECK(found.lower_view <= found.upper_view);
        CHECK(strtod(found.upper, NULL) >= found.upper_view);
        CHECK(strtod(found.lower, NULL) <= found.lower_view);
    }
}

/* "PGR q=53 t=3" in our words. */
static void translate(const char *name, char line[64])
{
    unsigned a = 0, b = 0;
    if (sscanf(name, "k-RR k=%u", &a) == 1)
        snprintf(line, 64, "randomised-response values=%u", a);
    else if (sscanf(name, "PGR q=%u t=%u", &a, &b) == 2)
        snprintf(line, 64, "projective-geometry field=%u digits=%u", a, b);
    else if (sscanf(name, "OLH g=%u", &a) == 1)
        snprintf(line, 64, "local-hashing field=%u", a);
    else
        snprintf(line, 64, "%s",
                 strcmp(name, "OUE") == 0 ? "optimised-unary" : "hadamard");
}

/* Printed numbers have seven places; those of the table were made in doubles. */
static void check_row(const json_t *row)
{
    scrim_amplification found;
    char line[64], local[8];
    const double upper = strtod(vectors_text(row, "blanket_upper"), NULL),
                 lower = strtod(vectors_text(row, "published_variation_ratio"), NULL);
    const char *data = vectors_text(row, "some_data_set");
    translate(vectors_text(row, "mechanism"), line);
    snprintf(local, sizeof local, "%llu",
             (unsigned long long)vectors_number(row, "eps0"));
    REQUIRE_OK(amplify(vectors_number(row, "n"), local, vectors_text(row, "delta"), line,
                       &found));
    if (found.upper_view > upper + 1.5e-7 || found.upper_view < upper - 3e-7)
        CHECK_FAIL("%s: upper %s, not %.7f", line, found.upper, upper);
    if (found.lower_view > lower + 1e-7 || found.lower_view < lower - 1e-7)
        CHECK_FAIL("%s: lower %s, not %.7f", line, found.lower, lower);
    CHECK(found.lower_view <= found.upper_view);
    /* the epsilon of one real data set, within 1e-6 */
    if (data != NULL)
        CHECK(strtod(data, NULL) <= found.upper_view + 1e-6);
}

SLOW_TEST(amplification_meets_the_table_of_protocols)
{
    CLAIM("amplification.upper");
    CLAIM("amplification.lower");
    json_t *rows = vectors_load("local-additions", "shuffle_by_mechanism"), *row;
    size_t i;
    REQUIRE(json_array_size(rows) == 36);
    json_array_foreach(rows, i, row)
    {
        const bool is_quick = vectors_number(row, "eps0") == 4;
        if (is_quick || check_is_long())
            check_row(row);
    }
}

/* Data on which the published reduction's epsilon does not hold: it lies below the epsilon of that data,
 * and our upper end does not. */
TEST(amplification_covers_data_that_the_reduction_does_not)
{
    CLAIM("amplification.upper");
    json_t *rows = vectors_load("local-additions", "krr_all_others_at_a_third_value"),
           *row;
    size_t i;
    REQUIRE(json_array_size(rows) == 6);
    json_array_foreach(rows, i, row)
    {
        scrim_amplification found;
        char line[64], local[8];
        const double of_data = strtod(vectors_text(row, "eps_of_this_data"), NULL);
        snprintf(line, sizeof line, "randomised-response values=%llu",
                 (unsigned long long)vectors_number(row, "k"));
        snprintf(local, sizeof local, "%llu",
                 (unsigned long long)vectors_number(row, "eps0"));
        REQUIRE_OK(amplify(vectors_number(row, "n"), local, vectors_text(row, "delta"),
                           line, &found));
        CHECK(found.upper_view >= of_data - 5e-9);
        CHECK(found.lower_view <= of_data + 5e-9);
        if (vectors_number(row, "k") == 16)
            CHECK(found.lower_view < of_data - 5e-7);
    }
}

TEST(amplification_meets_its_targets)
{
    scrim_amplification found;
    REQUIRE_OK(amplify(100000, "4", "1e-6", NULL, &found));
    CHECK(found.upper_view <= 0.119);
    REQUIRE_OK(amplify(100000, "4", "1e-6", "randomised-response values=1024", &found));
    CHECK(found.upper_view <= 0.0241);
}

/* More devices, a larger delta and a smaller local epsilon never cost more. */
SLOW_TEST(amplification_is_monotone)
{
    static const struct {
        uint64_t devices;
        const char *epsilon, *delta;
    } cases[] = {{2000, "2", "1e-8"},
                 {2000, "2", "1e-6"},
                 {2000, "19/10", "1e-6"},
                 {3000, "19/10", "1e-6"},
                 {40000, "1", "1e-5"}};
    static const char *const lines[] = {"", "symmetric-unary",
                                        "square-wave values=64 width=9"};
    for (size_t k = 0; k < COUNT(lines); k++) {
        double last = 50;
        for (size_t i = 0; i < COUNT(cases); i++) {
            scrim_amplification found;
            REQUIRE_OK(amplify(cases[i].devices, cases[i].epsilon, cases[i].delta,
                               lines[k], &found));
            CHECK(found.upper_view <= last);
            CHECK(found.lower_view <= found.upper_view);
            last = found.upper_view;
        }
    }
}

TEST(amplification_of_few_devices_is_none)
{
    scrim_amplification found;
    REQUIRE_OK(amplify(1, "1", "1e-6", NULL, &found));
    CHECK(found.upper_view <= 1 && found.upper_view > 0.9999);
    REQUIRE_OK(amplify(3, "1/3", "1e-9", NULL, &found));
    CHECK_STR(found.upper, "0.3333333334");
    REQUIRE_OK(amplify(1000, "1", "1/2", NULL, &found));
    CHECK(found.upper_view < 1e-12);
}

TEST(amplification_refuses_bad_numbers)
{
    scrim_amplification found;
    CHECK_STATUS(amplify(0, "1", "1e-6", NULL, &found), SCRIM_E_PARAM);
    CHECK_STATUS(amplify(UINT64_C(1000000001), "1", "1e-6", NULL, &found), SCRIM_E_PARAM);
    CHECK_STATUS(amplify(10, "0", "1e-6", NULL, &found), SCRIM_E_PARAM);
    CHECK_STATUS(amplify(10, "51", "1e-6", NULL, &found), SCRIM_E_PARAM);
    CHECK_STATUS(amplify(10, NULL, "1e-6", NULL, &found), SCRIM_E_PARAM);
    CHECK_STATUS(amplify(10, "x", "1e-6", NULL, &found), SCRIM_E_SYNTAX);
    CHECK_STATUS(amplify(10, "1", "1", NULL, &found), SCRIM_E_PARAM);
    CHECK_STATUS(amplify(10, "1", "0", NULL, &found), SCRIM_E_PARAM);
    CHECK_STATUS(amplify(10, "1", "1e-300", NULL, &found), SCRIM_E_LIMIT);
    CHECK_STATUS(amplify(10, "1", "1e-6", "condensed", &found), SCRIM_E_PARAM);
}
