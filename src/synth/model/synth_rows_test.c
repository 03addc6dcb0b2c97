#include "check.h"
#include "faults.h"
#include "synth/model/synth_rows.h"

#include <math.h>
#include <string.h>

#define ROWS 5000
static const sc_synth_columns columns = {4, {3, 2, 4, 2}};
static const sc_hash_key key = {11, 12};

/* A cycle of three columns, and a fourth that is nowhere measured. */
static sc_synth_model *make_model(void)
{
    const int64_t a[] = {100, 300, 250, 50, 0, 300},
                  b[] = {50, 100, 150, 50, 0, 250, 200, 200},
                  c[] = {10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 150, 300};
    sc_synth_model *model = NULL;
    CHECK_STATUS(sc_synth_model_new(&columns, 1000, &model, NULL), SCRIM_OK);
    CHECK_STATUS(sc_synth_model_measure(model, 3, a, NULL, 640, NULL), SCRIM_OK);
    CHECK_STATUS(sc_synth_model_measure(model, 6, b, NULL, 640, NULL), SCRIM_OK);
    CHECK_STATUS(sc_synth_model_measure(model, 5, c, NULL, 640, NULL), SCRIM_OK);
    CHECK_STATUS(sc_synth_model_fit(model, &SC_SYNTH_FIT_MST, NULL), SCRIM_OK);
    return model;
}

static void count_rows(const sc_synth_rows *rows, sc_clique clique, double *out)
{
    int64_t counts[48] = {0};
    sc_synth_rows_count(rows, &columns, clique, counts);
    for (size_t i = 0; i < (size_t)sc_clique_cells(&columns, clique); i++)
        out[i] = (double)counts[i];
}

/* How far the rows are from the model, in rows, over all cells of a clique. */
static double distance(const sc_synth_model *model, const sc_synth_rows *rows,
                       sc_clique clique)
{
    double want[48] = {0}, got[48] = {0}, sum = 0;
    CHECK_STATUS(sc_synth_model_marginal(model, clique, want, NULL), SCRIM_OK);
    count_rows(rows, clique, got);
    for (size_t i = 0; i < (size_t)sc_clique_cells(&columns, clique); i++)
        sum += fabs(got[i] - want[i] * (double)rows->count / 1000);
    return sum;
}

/* Inside a clique each cell is within 1 of its share given a separator, of which there is but one
 * value here. */
TEST(synth_rows_follow_the_model)
{
    sc_synth_model *model = make_model();
    sc_synth_rows rows;
    sc_synth_rows_init(&rows);
    REQUIRE_OK(sc_synth_rows_draw(model, ROWS, &key, &rows, NULL));
    CHECK_INT(rows.count, ROWS);
    CHECK_INT(rows.columns, 4);
    CHECK(distance(model, &rows, 7) < 24);
    CHECK(distance(model, &rows, 8) < 2);
    CHECK(distance(model, &rows, 15) < 600);
    sc_synth_rows_clear(&rows);
    sc_synth_model_free(model);
}

/* Neighbouring rows have nothing to do with each other. */
TEST(synth_rows_are_shuffled)
{
    sc_synth_model *model = make_model();
    sc_synth_rows rows;
    unsigned same = 0;
    sc_synth_rows_init(&rows);
    REQUIRE_OK(sc_synth_rows_draw(model, ROWS, &key, &rows, NULL));
    for (size_t row = 1; row < ROWS; row++)
        same += rows.codes[3][row] == rows.codes[3][row - 1];
    CHECK(same > ROWS / 2 - 250 && same < ROWS / 2 + 250);
    sc_synth_rows_clear(&rows);
    sc_synth_model_free(model);
}

TEST(synth_rows_are_a_function_of_the_key)
{
    CLAIM("synth-rows.same");
    const sc_hash_key other = {11, 13};
    sc_synth_rows rows[3];
    for (int i = 0; i < 3; i++) {
        sc_synth_model *model = make_model();
        sc_synth_rows_init(&rows[i]);
        REQUIRE_OK(
            sc_synth_rows_draw(model, ROWS, i < 2 ? &key : &other, &rows[i], NULL));
        sc_synth_model_free(model);
    }
    for (size_t c = 0; c < 4; c++) {
        CHECK_BYTES(rows[0].codes[c], rows[1].codes[c], ROWS * sizeof(uint32_t));
        CHECK(memcmp(rows[0].codes[c], rows[2].codes[c], ROWS * sizeof(uint32_t)) != 0);
    }
    for (int i = 0; i < 3; i++)
        sc_synth_rows_clear(&rows[i]);
}

/* Rows of a recorded release are drawn again after years, on another machine: they must be the same. */
TEST(synth_rows_are_the_same_everywhere)
{
    CLAIM("synth-rows.same");
    const sc_hash_key plain = {0, 0};
    sc_synth_model *model = make_model();
    sc_synth_rows rows;
    sc_synth_rows_init(&rows);
    REQUIRE_OK(sc_synth_rows_draw(model, ROWS, &key, &rows, NULL));
    uint64_t hashes[4];
    for (size_t c = 0; c < 4; c++) {
        unsigned char bytes[ROWS];
        for (size_t row = 0; row < ROWS; row++)
            bytes[row] = (unsigned char)rows.codes[c][row];
        hashes[c] = sc_hash(&plain, bytes, sizeof bytes);
    }
    CHECK(sc_hash(&plain, hashes, sizeof hashes) == UINT64_C(0x6c89e21a777c816e));
    sc_synth_rows_clear(&rows);
    sc_synth_model_free(model);
}

TEST(synth_rows_obey_given_values_and_impossible_cells)
{
    const double allowed[] = {0, 1, 1};
    const bool impossible[] = {true, false, false, false};
    sc_synth_model *model = make_model();
    sc_synth_rows rows;
    sc_synth_rows_init(&rows);
    REQUIRE_OK(sc_synth_model_forbid(model, 10, impossible, NULL));
    REQUIRE_OK(sc_synth_model_fit(model, &SC_SYNTH_FIT_MST, NULL));
    REQUIRE_OK(sc_synth_model_given(model, 0, allowed, NULL));
    REQUIRE_OK(sc_synth_rows_draw(model, ROWS, &key, &rows, NULL));
    CHECK(distance(model, &rows, 7) < 60);
    for (size_t row = 0; row < ROWS; row++) {
        CHECK(rows.codes[0][row] != 0);
        CHECK(rows.codes[1][row] != 0 || rows.codes[3][row] != 0);
    }
    REQUIRE_OK(sc_synth_rows_draw(model, 0, &key, &rows, NULL));
    CHECK_INT(rows.count, 0);
    CHECK_STATUS(sc_synth_rows_draw(model, SC_SYNTH_ROWS_MAX + 1, &key, &rows, NULL),
                 SCRIM_E_LIMIT);
    CHECK_INT(rows.columns, 4);
    sc_synth_rows_clear(&rows);
    sc_synth_model_free(model);
}

TEST(synth_rows_survive_without_memory)
{
    sc_synth_model *model = make_model();
    FAULT_LOOP(fault)
    {
        sc_synth_rows rows;
        sc_synth_rows_init(&rows);
        CHECK(sc_synth_rows_draw(model, 20, &key, &rows, NULL) ==
              (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
        sc_synth_rows_clear(&rows);
    }
    sc_synth_model_free(model);
}
