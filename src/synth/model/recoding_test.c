#include "check.h"
#include "faults.h"
#include "synth/model/noisy_total.h"
#include "synth/model/recoding.h"
#include "vectors.h"

typedef struct noisy_columns {
    sc_synth_columns columns;
    int64_t counts[4][8];
    const int64_t *lists[4];
} noisy_columns;

static void read_noisy(const json_t *list, noisy_columns *out)
{
    out->columns.count = json_array_size(list);
    for (size_t i = 0; i < out->columns.count; i++) {
        const json_t *noisy = json_object_get(json_array_get(list, i), "noisy");
        out->columns.sizes[i] = (uint32_t)json_array_size(noisy);
        out->lists[i] = out->counts[i];
        for (size_t u = 0; u < out->columns.sizes[i]; u++)
            out->counts[i][u] = json_integer_value(json_array_get(noisy, u));
    }
}

static void check_column(const sc_recoded *column, const int64_t *counts,
                         const json_t *want, uint64_t sigma2)
{
    const json_t *kept = json_object_get(want, "kept");
    int64_t merged[8];
    uint32_t members[8];
    CHECK_INT(column->kept, json_array_size(kept));
    for (size_t i = 0; i < json_array_size(kept); i++) {
        const size_t u = (size_t)json_integer_value(json_array_get(kept, i));
        CHECK_INT(column->codes[u], i);
        CHECK_INT(column->sorted[i], u);
    }
    sc_recoded_counts(column, counts, merged, members);
    CHECK_INT(merged[column->kept],
              json_integer_value(json_object_get(want, "merged_value")));
    CHECK_INT((sc_int128)members[column->kept] * sigma2,
              vectors_number(want, "merged_variance"));
    CHECK_INT(merged[0], counts[column->sorted[0]]);
    CHECK_INT(members[0], 1);
}

TEST(recoding_meets_its_vector)
{
    const json_t *vector = vectors_load("synthetic", "compression");
    REQUIRE(vector != NULL);
    const uint64_t sigma2 = vectors_number(vector, "sigma2");
    noisy_columns noisy;
    sc_recoding recoding;
    sc_synth_columns recoded;
    read_noisy(json_object_get(vector, "columns"), &noisy);
    sc_recoding_init(&recoding);
    REQUIRE_OK(
        sc_recoding_compress(&noisy.columns, noisy.lists, 64 * sigma2, &recoding, NULL));
    for (size_t i = 0; i < noisy.columns.count; i++)
        check_column(&recoding.list[i], noisy.counts[i],
                     json_array_get(json_object_get(vector, "columns"), i), sigma2);
    sc_recoding_columns(&recoding, &recoded);
    CHECK_INT(recoded.sizes[0], 2);
    CHECK_INT(recoded.sizes[2], 3);
    sc_recoding_clear(&recoding);
}

TEST(noisy_total_meets_its_vector)
{
    const json_t *vector = vectors_load("synthetic", "compression");
    REQUIRE(vector != NULL);
    noisy_columns noisy;
    char text[64];
    read_noisy(json_object_get(vector, "columns"), &noisy);
    SC_OWN(sc_ratio, exact);
    CHECK_INT(sc_noisy_total(&noisy.columns, noisy.lists, &exact),
              vectors_number(vector, "total"));
    (void)sc_ratio_format(&exact, text, sizeof text);
    CHECK_STR(text, vectors_text(vector, "total_exact"));
    CHECK_NEAR(sc_noisy_total_variance(&noisy.columns) *
                   (double)vectors_number(vector, "sigma2"),
               strtod(vectors_text(vector, "total_variance"), NULL), 1e-12);
}

TEST(noisy_total_is_at_least_1)
{
    const sc_synth_columns columns = {1, {2}};
    const int64_t below[] = {-5, 3}, half[] = {1, 0}, above[] = {INT64_MAX, INT64_MAX};
    CHECK_INT(sc_noisy_total(&columns, (const int64_t *const[]){below}, NULL), 1);
    CHECK_INT(sc_noisy_total(&columns, (const int64_t *const[]){half}, NULL), 1);
    CHECK_INT(sc_noisy_total(&columns, (const int64_t *const[]){above}, NULL),
              (int64_t)1 << 40);
}

/* y^2 = 9 variance is kept, a fraction of it less is not. */
TEST(recoding_compares_exactly)
{
    const sc_synth_columns columns = {1, {3}};
    const int64_t counts[] = {3, -3, 2};
    sc_recoding recoding;
    sc_recoding_init(&recoding);
    REQUIRE_OK(sc_recoding_compress(&columns, (const int64_t *const[]){counts}, 64,
                                    &recoding, NULL));
    CHECK_INT(recoding.list[0].kept, 1);
    REQUIRE_OK(sc_recoding_compress(&columns, (const int64_t *const[]){counts}, 65,
                                    &recoding, NULL));
    CHECK_INT(recoding.list[0].kept, 0);
    CHECK_INT(sc_recoded_members(&recoding.list[0], 0), 3);
    REQUIRE_OK(sc_recoding_keep_all(&columns, &recoding, NULL));
    CHECK_INT(recoding.list[0].kept, 3);
    sc_recoding_clear(&recoding);
}

TEST(recoding_survives_without_memory)
{
    const sc_synth_columns columns = {2, {3, 2}};
    FAULT_LOOP(fault)
    {
        sc_recoding recoding;
        sc_recoding_init(&recoding);
        CHECK(sc_recoding_keep_all(&columns, &recoding, NULL) ==
              (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
        sc_recoding_clear(&recoding);
    }
}
