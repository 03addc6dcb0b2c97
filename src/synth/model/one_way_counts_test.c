#include "check.h"
#include "faults.h"
#include "synth/model/one_way_counts.h"
#include "vectors.h"

static void read_list(const json_t *list, int64_t *out)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        out[i] = json_integer_value(json_array_get(list, i));
}

TEST(one_way_model_meets_its_vector)
{
    const json_t *vector = vectors_load("synthetic", "pair_score");
    REQUIRE(vector != NULL);
    const json_t *fit = json_object_get(vector, "one_way_fit");
    const json_t *model = json_object_get(vector, "model");
    const json_t *data = json_object_get(vector, "pair_counts");
    const sc_synth_columns columns = {2, {2, 3}};
    int64_t a[2] = {0}, b[3] = {0}, want[6] = {0}, x[6] = {0}, got[6] = {0}, score = 0;
    sc_one_way_model *m;
    read_list(json_array_get(fit, 0), a);
    read_list(json_array_get(fit, 1), b);
    for (size_t u = 0; u < 2; u++) {
        read_list(json_array_get(model, u), want + 3 * u);
        read_list(json_array_get(data, u), x + 3 * u);
    }
    REQUIRE_OK(sc_one_way_model_new(&columns, (const int64_t *const[]){a, b},
                                    (int64_t)vectors_number(vector, "total"), &m, NULL));
    sc_one_way_model_pair(m, 0, 1, got);
    for (size_t i = 0; i < 6; i++) {
        CHECK_INT(got[i], want[i]);
        score += x[i] > got[i] ? x[i] - got[i] : got[i] - x[i];
    }
    CHECK_INT(score, vectors_number(vector, "score"));
    sc_one_way_model_free(m);
}

/* Counts that do not add up to the total are projected first. */
TEST(one_way_model_projects)
{
    const sc_synth_columns columns = {2, {2, 2}};
    const int64_t a[] = {-4, 10}, b[] = {3, 5};
    int64_t got[4];
    sc_one_way_model *m;
    REQUIRE_OK(
        sc_one_way_model_new(&columns, (const int64_t *const[]){a, b}, 8, &m, NULL));
    sc_one_way_model_pair(m, 0, 1, got);
    CHECK_INT(got[0], 0);
    CHECK_INT(got[1], 0);
    CHECK_INT(got[2], 3);
    CHECK_INT(got[3], 5);
    sc_one_way_model_free(m);
}

TEST(one_way_model_survives_without_memory)
{
    const sc_synth_columns columns = {2, {2, 2}};
    const int64_t a[] = {1, 2};
    FAULT_LOOP(fault)
    {
        sc_one_way_model *m = NULL;
        CHECK(sc_one_way_model_new(&columns, (const int64_t *const[]){a, a}, 3, &m,
                                   NULL) == (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
        sc_one_way_model_free(m);
    }
}

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

/* A variance of 100: 30 rows stand out, and 600 rows are enough to tell. */
TEST(absent_null_is_one_that_does_not_stand_out)
{
    CLAIM("absent-null.share");
    const sc_synth_columns columns = {.count = 4, .sizes = {2, 3, 2, 1}};
    const int64_t first[] = {700, 30}, second[] = {400, 300, 29}, third[] = {900, -40},
                  fourth[] = {0};
    const int64_t *const counts[] = {first, second, third, fourth};
    CHECK_INT(sc_absent_nulls(&columns, 15, counts, 6400, 700), 2 + 4);
    CHECK_INT(sc_absent_nulls(&columns, 13, counts, 6400, 700), 4);
    CHECK_INT(sc_absent_nulls(&columns, 0, counts, 6400, 700), 0);
    CHECK_INT(sc_absent_nulls(&columns, 15, counts, 6400, 600), 2 + 4);
    CHECK_INT(sc_absent_nulls(&columns, 15, counts, 6400, 599), 0);
    CHECK_INT(sc_absent_nulls(&columns, 15, counts, (uint64_t)1 << 62, (int64_t)1 << 40),
              2 + 4 + 1);
}

TEST(absent_null_has_no_cells)
{
    const sc_synth_columns columns = {.count = 3, .sizes = {2, 3, 4}};
    CHECK_INT(sc_present_cells(&columns, 0, 7), 24);
    CHECK_INT(sc_present_cells(&columns, 2, 7), 16);
    CHECK_INT(sc_present_cells(&columns, 7, 5), 3);
    CHECK_INT(sc_present_cells(&columns, 2, 5), 8);
}
