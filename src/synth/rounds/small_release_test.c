#include "check.h"
#include "exact.h"
#include "mechanism/linear/linear_matrix.h"
#include "mechanism/linear/small_programme.h"
#include "recorder.h"
#include "remains.h"
#include "synth/rounds/small_release.h"
#include "synth/rounds/synth_released.h"
#include "synth_scene.h"

#include <string.h>

static const sc_round_unit single = {SCRIM_ADD_REMOVE, 1};

/* One row more would be too many tables to look at, or more than the mechanism takes. */
TEST(small_release_is_as_large_as_can_be)
{
    CLAIM("small-release.rows");
    sc_ratio one;
    exact_ratio("1", &one);
    for (uint32_t bins = 1; bins <= SC_LINEAR_BINS + 1; bins += bins < 12 ? 1 : 49) {
        const sc_synth_columns columns = {.count = 1, .sizes = {bins}};
        sc_integer tables;
        uint64_t rows = 0, count = 0;
        if (bins > SC_LINEAR_BINS) {
            CHECK_STATUS(sc_small_check(&columns, &single, &one, NULL, 0, &rows, NULL),
                         SCRIM_E_LIMIT);
            break;
        }
        REQUIRE_OK(sc_small_check(&columns, &single, &one, NULL, 0, &rows, NULL));
        sc_integer_init(&tables);
        sc_small_tables_count(bins, rows + 1, &tables);
        CHECK(rows == SC_SMALL_ROWS || !sc_integer_get_uint64(&tables, &count) ||
              count * bins * bins > SC_SMALL_WORK);
        sc_small_tables_count(bins, rows, &tables);
        CHECK(sc_integer_get_uint64(&tables, &count) &&
              count * bins * bins <= SC_SMALL_WORK);
        sc_integer_clear(&tables);
    }
    const sc_synth_columns large = {.count = 1, .sizes = {SC_LINEAR_BINS + 1}};
    uint64_t rows = 0;
    CHECK_STATUS(sc_small_check(&large, &single, &one, NULL, 0, &rows, NULL),
                 SCRIM_E_LIMIT);
    sc_ratio_clear(&one);
}

/* With much epsilon the table is the data, scaled; its rows are those of the weights. */
SLOW_TEST(small_release_is_near_the_data)
{
    const sc_synth_columns columns = {.count = 2, .sizes = {2, 2}};
    uint32_t codes[2 * 400];
    synth_scene s;
    sc_weight_model *weights = NULL;
    double cells[4];
    for (uint32_t i = 0; i < 400; i++) {
        codes[(size_t)2 * i] = i % 4 == 0;
        codes[2 * i + 1] = i % 2;
    }
    sc_records *records = synth_records(&columns, codes, 400);
    REQUIRE(records != NULL && synth_scene_open(&s, records, &single, NULL, 5));
    REQUIRE_OK(sc_small_run(&s.rounds, NULL, 0, NULL));
    REQUIRE_OK(
        sc_released_weights(&s.released, &(sc_released_options){0}, &weights, NULL));
    REQUIRE_OK(sc_weight_model_marginal(weights, 3, cells, NULL));
    const double total = (double)s.released.total, want[] = {0.25, 0.5, 0.25, 0};
    for (size_t i = 0; i < 4; i++)
        CHECK(cells[i] / total > want[i] - 0.1 && cells[i] / total < want[i] + 0.1);
    s.released.steps[0].counts[0]++;
    sc_weight_model_free(weights);
    CHECK_STATUS(
        sc_released_weights(&s.released, &(sc_released_options){0}, &weights, NULL),
        SCRIM_E_CHECK);
    synth_scene_close(&s);
    sc_records_free(records);
}

/* The selection is made for all rows that one unit has, under the relation of the charge. */
SLOW_TEST(small_release_is_for_all_rows_of_a_unit)
{
    const sc_synth_columns columns = {.count = 1, .sizes = {3}};
    static const uint32_t codes[] = {0, 1, 2, 2};
    static const struct {
        sc_round_unit unit;
        const char *rows, *neighbours;
    } list[] = {{{SCRIM_ADD_REMOVE, 3}, "max-rows=3 ", "neighbours=add-remove"},
                {{SCRIM_REPLACE, 7}, "max-rows=7 ", "neighbours=replace"}};
    for (size_t i = 0; i < COUNT(list); i++) {
        synth_scene s;
        sc_recorder *recorder = NULL;
        sc_records *records = synth_records(&columns, codes, 4);
        REQUIRE_OK(sc_recorder_new(NULL, &recorder, NULL));
        REQUIRE(records != NULL && synth_scene_open(&s, records, &list[i].unit, NULL, 5));
        sc_ledger_use_recorder(s.ledger, recorder);
        CHECK_STATUS(sc_small_run(&s.rounds, NULL, 0, NULL), SCRIM_OK);
        CHECK_INT(sc_recorder_count(recorder), 1);
        const char *line = sc_recorder_at(recorder, 0)->line;
        CHECK(strstr(line, list[i].rows) != NULL);
        CHECK(strstr(line, list[i].neighbours) != NULL);
        CHECK(strstr(line, "epsilon=1 ") != NULL);
        sc_ledger_use_recorder(s.ledger, NULL);
        sc_recorder_free(recorder);
        synth_scene_close(&s);
        sc_records_free(records);
    }
}

/* The counts of the data are wiped before their memory is given back. */
SLOW_TEST(small_release_wipes_the_counts_of_the_data)
{
    CLAIM("records.wiped");
    const sc_synth_columns columns = {.count = 1, .sizes = {3}};
    static const int64_t counts[] = {14142135, 27182818};
    synth_scene s;
    sc_records *records = NULL;
    masked secret;
    masked_set(&secret, counts);
    REQUIRE_OK(sc_records_new(&columns, 2, &records, NULL));
    for (uint32_t i = 0; i < 2; i++)
        REQUIRE_OK(sc_records_add(records, &i, (uint64_t)counts[i], NULL));
    REQUIRE(synth_scene_open(&s, records, &single, NULL, 5));
    freed_watch(&secret);
    CHECK_STATUS(sc_small_run(&s.rounds, NULL, 0, NULL), SCRIM_OK);
    sc_records_free(records);
    CHECK_INT(freed_remains(), 0);
    synth_scene_close(&s);
}
