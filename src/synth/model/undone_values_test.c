#include "check.h"
#include "faults.h"
#include "synth/model/synth_rows.h"

static const sc_synth_columns columns = {2, {5, 2}};
static const sc_hash_key key = {3, 4};

/* Categories 1 and 3 of the first column are kept, and both of the second. */
static void make_recoding(sc_recoding *recoding)
{
    const int64_t first[] = {1, 90, 2, 80, -7}, second[] = {50, 60};
    sc_recoding_init(recoding);
    CHECK_STATUS(sc_recoding_compress(&columns, (const int64_t *const[]){first, second},
                                      (uint64_t)64 * 100, recoding, NULL),
                 SCRIM_OK);
}

static void make_rows(sc_synth_rows *rows, uint64_t count)
{
    const sc_synth_columns recoded = {2, {3, 2}};
    sc_synth_model *model = NULL;
    sc_synth_rows_init(rows);
    CHECK_STATUS(sc_synth_model_new(&recoded, 1, &model, NULL), SCRIM_OK);
    CHECK_STATUS(sc_synth_rows_draw(model, count, &key, rows, NULL), SCRIM_OK);
    sc_synth_model_free(model);
}

TEST(undone_values_share_rare_among_its_categories)
{
    sc_recoding recoding;
    sc_synth_rows rows;
    unsigned counts[5] = {0};
    make_recoding(&recoding);
    make_rows(&rows, 900);
    REQUIRE_OK(sc_synth_rows_undo(&rows, &recoding, NULL, &key, NULL));
    for (size_t row = 0; row < 900; row++)
        counts[rows.codes[0][row]]++;
    CHECK_INT(counts[1], 300);
    CHECK_INT(counts[3], 300);
    CHECK_INT(counts[0], 100);
    CHECK_INT(counts[2], 100);
    CHECK_INT(counts[4], 100);
    sc_synth_rows_clear(&rows);
    sc_recoding_clear(&recoding);
}

TEST(undone_values_follow_their_weights)
{
    const double first[] = {2, 0, 1, 0, 0};
    const double *const weights[] = {first, NULL};
    sc_recoding recoding;
    sc_synth_rows rows;
    unsigned counts[5] = {0};
    make_recoding(&recoding);
    make_rows(&rows, 900);
    REQUIRE_OK(sc_synth_rows_undo(&rows, &recoding, weights, &key, NULL));
    for (size_t row = 0; row < 900; row++)
        counts[rows.codes[0][row]]++;
    CHECK_INT(counts[0], 200);
    CHECK_INT(counts[2], 100);
    CHECK_INT(counts[4], 0);
    sc_synth_rows_clear(&rows);
    sc_recoding_clear(&recoding);
}

TEST(undone_values_condition_on_part_of_rare)
{
    const bool allowed[] = {true, false, false, true, true};
    double weights[3];
    sc_recoding recoding;
    make_recoding(&recoding);
    sc_recoded_given(&recoding.list[0], allowed, weights);
    CHECK(weights[0] == 0 && weights[1] == 1);
    CHECK_NEAR(weights[2], 2 / 3.0, 1e-15);
    sc_recoded_given(&recoding.list[1], allowed, weights);
    CHECK(weights[0] == 1 && weights[1] == 0);
    CHECK_NEAR(weights[2], 2 / 3.0, 1e-15); /* the second column has no rare */
    sc_recoding_clear(&recoding);
}

/* False alarms: 6 standard deviations. */
TEST(undone_values_are_uniform_in_their_bin)
{
    const int64_t edges[] = {-3, 0, 1, INT64_MAX};
    uint32_t codes[3000];
    int64_t values[3000];
    unsigned counts[3] = {0};
    for (size_t i = 0; i < 3000; i++)
        codes[i] = (uint32_t)(i % 3);
    sc_bin_values(edges, codes, 3000, &key, 1, values);
    for (size_t i = 0; i < 3000; i += 3) {
        REQUIRE(values[i] >= -3 && values[i] < 0);
        counts[values[i] + 3]++;
        CHECK_INT(values[i + 1], 0);
        CHECK(values[i + 2] >= 1);
    }
    for (int i = 0; i < 3; i++)
        CHECK(counts[i] > 333 - 90 && counts[i] < 333 + 90);
}

TEST(undone_values_survive_without_memory)
{
    sc_recoding recoding;
    sc_synth_rows rows;
    make_recoding(&recoding);
    make_rows(&rows, 30);
    FAULT_LOOP(fault)
    {
        for (size_t row = 0; row < 30; row++)
            rows.codes[0][row] = rows.codes[1][row] = 0;
        CHECK(sc_synth_rows_undo(&rows, &recoding, NULL, &key, NULL) ==
              (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
    }
    sc_synth_rows_clear(&rows);
    sc_recoding_clear(&recoding);
}
