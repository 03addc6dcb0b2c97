#include "check.h"
#include "microdata/range_tree.h"
#include "vectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static scrim_range_options options_of(const json_t *row, char variance[24])
{
    snprintf(variance, 24, "%llu", (unsigned long long)vectors_number(row, "sigma2"));
    return (scrim_range_options){.size = sizeof(scrim_range_options),
                                 .bins = vectors_number(row, "bins"),
                                 .branching = (unsigned)vectors_number(row, "branching"),
                                 .leaves_out_root =
                                     !json_is_true(json_object_get(row, "root_measured")),
                                 .variance = variance};
}

/* A vector has fractions, and scrim decimals where they end. */
static bool is_equal(const char *got, const char *want)
{
    double numbers[2];
    const char *texts[] = {got, want};
    for (size_t i = 0; i < 2; i++) {
        const char *bar = strchr(texts[i], '/');
        numbers[i] = atof(texts[i]) / (bar == NULL ? 1 : atof(bar + 1));
    }
    return numbers[0] == numbers[1] || strcmp(got, want) == 0;
}

static void check_range(const scrim_range_options *o, uint64_t first, uint64_t last,
                        const char *want)
{
    char got[SCRIM_NUMBER_BYTES];
    if (want != NULL &&
        CHECK_STATUS(scrim_range_variance(o, first, last, got, NULL), SCRIM_OK) &&
        !is_equal(got, want))
        CHECK_STR(got, want);
}

TEST(range_trees_agree_with_the_vectors)
{
    CLAIM("range-tree.variance");
    const json_t *rows = vectors_load("synthetic", "range_tree"), *row;
    size_t i;
    CHECK_INT(json_array_size(rows), 14);
    json_array_foreach(rows, i, row)
    {
        char variance[24];
        const scrim_range_options o = options_of(row, variance);
        const json_t *worst = json_object_get(row, "worst_range");
        check_range(&o, 0, 0, vectors_text(row, "variance_first_bin"));
        check_range(&o, 0, o.bins / 2 - 1, vectors_text(row, "variance_first_half"));
        check_range(&o, 0, o.bins / 2, vectors_text(row, "variance_half_and_one"));
        check_range(&o, 0, o.bins - 1, vectors_text(row, "variance_all"));
        if (worst != NULL)
            check_range(&o, (uint64_t)json_integer_value(json_array_get(worst, 0)) - 1,
                        (uint64_t)json_integer_value(json_array_get(worst, 1)) - 1,
                        vectors_text(row, "worst_variance"));
    }
}

/* A tree of 2^13 bins is computed in doubles; half of it is a node, as in a tree of 2^11. */
TEST(range_trees_are_padded_and_large_ones_rounded)
{
    CLAIM("range-tree.variance");
    scrim_range_options o = {
        .size = sizeof o, .bins = 9, .branching = 2, .variance = "5"};
    char small[SCRIM_NUMBER_BYTES], large[SCRIM_NUMBER_BYTES];
    REQUIRE_OK(scrim_range_variance(&o, 2, 5, small, NULL));
    o.bins = 16;
    REQUIRE_OK(scrim_range_variance(&o, 2, 5, large, NULL));
    CHECK_STR(small, large);
    o.bins = 2048;
    REQUIRE_OK(scrim_range_variance(&o, 0, 0, small, NULL));
    o.bins = 8192;
    REQUIRE_OK(scrim_range_variance(&o, 0, 0, large, NULL));
    const char *bar = strchr(small, '/');
    CHECK_NEAR(atof(large), atof(small) / (bar == NULL ? 1 : atof(bar + 1)), 1e-2);
}

TEST(range_trees_refuse_bad_sizes)
{
    scrim_range_options o = {
        .size = sizeof o, .bins = 4, .branching = 1, .variance = "5"};
    char text[SCRIM_NUMBER_BYTES];
    scrim_error error;
    CHECK_STATUS(scrim_range_variance(&o, 0, 0, text, &error), SCRIM_E_PARAM);
    o.branching = 2;
    CHECK_STATUS(scrim_range_variance(&o, 2, 1, text, &error), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_range_variance(&o, 0, 4, text, &error), SCRIM_E_PARAM);
    o.variance = "0";
    CHECK_STATUS(scrim_range_variance(&o, 0, 0, text, &error), SCRIM_E_PARAM);
}
