#include "check.h"
#include "faults.h"
#include "synth/model/synth_rows.h"
#include "synth/model/weight_model.h"
#include "vectors.h"

#include <math.h>
#include <stdlib.h>

static const sc_synth_columns columns = {2, {2, 3}};

static sc_weight_model *make_model(int64_t total)
{
    sc_weight_model *model = NULL;
    CHECK_STATUS(sc_weight_model_new(&columns, total, &model, NULL), SCRIM_OK);
    return model;
}

/* The update of one query by hand: log A(u) += q(u) (y/den - q(A))/(2N). */
static void check_query(uint32_t unit)
{
    const uint32_t numerators[] = {0, unit, 2 * unit, 0, 0, 2 * unit};
    double weights[6], sum = 0;
    sc_weight_model *model = make_model(60000);
    REQUIRE(model != NULL);
    const sc_linear_query query = {3, numerators, 2 * unit};
    int64_t answer = 0;
    REQUIRE_OK(sc_weight_model_answer(model, &query, &answer, NULL));
    CHECK_INT(answer, (sc_int128)50000 * (int64_t)unit);
    REQUIRE_OK(sc_weight_model_measure_query(model, &query, 90000 * (int64_t)unit, NULL));
    sc_weight_model_update(model, 1);
    for (int u = 0; u < 6; u++) {
        weights[u] = exp(numerators[u] / (2.0 * unit) * (45000 - 25000) / 120000.0);
        sum += weights[u];
    }
    int64_t got[6];
    REQUIRE_OK(sc_weight_model_counts(model, 3, got, NULL));
    for (int u = 0; u < 6; u++)
        CHECK_INT(got[u], (int64_t)floor(60000 * weights[u] / sum + 0.5));
    sc_weight_model_free(model);
}

TEST(weight_model_moves_by_its_formula)
{
    check_query(1);
    check_query(2048);
    check_query(1 << 19);
}

TEST(weight_model_comes_to_its_marginals)
{
    const int64_t first[] = {700, 300}, second[] = {200, 300, 500};
    int64_t got[6];
    sc_weight_model *model = make_model(1000);
    REQUIRE(model != NULL);
    REQUIRE_OK(sc_weight_model_measure(model, 1, first, NULL));
    REQUIRE_OK(sc_weight_model_measure(model, 2, second, NULL));
    sc_weight_model_update(model, 400);
    REQUIRE_OK(sc_weight_model_counts(model, 3, got, NULL));
    for (int u = 0; u < 6; u++)
        CHECK_INT(got[u], first[u / 3] * second[u % 3] / 1000);
    sc_weight_model_free(model);
}

/* Noise far above the total: steps of thousands, there and back. */
TEST(weight_model_takes_large_steps)
{
    const int64_t far[] = {5000, -5000}, near[] = {1, 0};
    int64_t got[2];
    sc_weight_model *model = make_model(1);
    REQUIRE(model != NULL);
    REQUIRE_OK(sc_weight_model_measure(model, 1, far, NULL));
    sc_weight_model_update(model, 1);
    REQUIRE_OK(sc_weight_model_counts(model, 1, got, NULL));
    CHECK_INT(got[0], 1);
    CHECK_INT(got[1], 0);
    const int64_t back[] = {-6000, 7000};
    REQUIRE_OK(sc_weight_model_measure(model, 1, back, NULL));
    sc_weight_model_update(model, 1);
    REQUIRE_OK(sc_weight_model_measure(model, 1, back, NULL));
    sc_weight_model_update(model, 1);
    REQUIRE_OK(sc_weight_model_counts(model, 1, got, NULL));
    CHECK_INT(got[0], near[1]);
    CHECK_INT(got[1], near[0]);
    sc_weight_model_free(model);
}

/* Multiplying and taking logarithms come to the same. */
TEST(weight_model_agrees_with_its_logarithms)
{
    const int64_t first[] = {700, 300}, second[] = {200, 300, 500};
    double logs[6] = {0}, weights[6];
    int64_t got[6];
    sc_weight_model *model = make_model(1000);
    REQUIRE(model != NULL);
    REQUIRE_OK(sc_weight_model_measure(model, 1, first, NULL));
    REQUIRE_OK(sc_weight_model_measure(model, 2, second, NULL));
    sc_weight_model_update(model, 3);
    for (int turn = 0; turn <= 6; turn++) {
        const bool is_even = turn % 2 == 0;
        double sum = 0, part[3] = {0, 0, 0};
        for (int u = 0; u < 6; u++)
            sum += weights[u] = exp(logs[u]);
        for (int u = 0; u < 6; u++) {
            const int at = is_even ? u / 3 : u % 3;
            part[at] += weights[u] *= 1000 / sum;
        }
        for (int u = 0; u < 6 && turn < 6; u++) {
            const int at = is_even ? u / 3 : u % 3;
            logs[u] += ((double)(is_even ? first[at] : second[at]) - part[at]) / 2000;
        }
    }
    REQUIRE_OK(sc_weight_model_counts(model, 3, got, NULL));
    for (int u = 0; u < 6; u++)
        CHECK_INT(got[u], (int64_t)floor(weights[u] + 0.5));
    sc_weight_model_free(model);
}

TEST(weight_model_gives_rows)
{
    const int64_t table[] = {0, 100, 200, 300, 400, 0};
    const sc_hash_key key = {1, 2};
    unsigned counts[6] = {0};
    int64_t want[6];
    sc_synth_rows rows;
    sc_weight_model *model = make_model(1000);
    REQUIRE(model != NULL);
    sc_synth_rows_init(&rows);
    REQUIRE_OK(sc_weight_model_measure(model, 3, table, NULL));
    sc_weight_model_update(model, 100);
    REQUIRE_OK(sc_weight_model_counts(model, 3, want, NULL));
    REQUIRE_OK(sc_synth_rows_draw_weights(model, 1000, &key, &rows, NULL));
    for (size_t row = 0; row < 1000; row++)
        counts[3 * rows.codes[0][row] + rows.codes[1][row]]++;
    for (int u = 0; u < 6; u++)
        CHECK(llabs((long long)counts[u] - (long long)want[u]) <= 1);
    sc_synth_rows_clear(&rows);
    sc_weight_model_free(model);
}

TEST(weight_model_refuses_what_is_out_of_range)
{
    const sc_synth_columns many = {2, {1 << 14, 1 << 14}}, none = {0, {0}};
    sc_weight_model *model = NULL;
    int64_t cell[1];
    CHECK_STATUS(sc_weight_model_new(&many, 1, &model, NULL), SCRIM_E_LIMIT);
    CHECK_STATUS(sc_weight_model_new(&none, 1, &model, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(sc_weight_model_new(&columns, 0, &model, NULL), SCRIM_E_PARAM);
    CHECK(model == NULL);
    model = make_model(5);
    CHECK_STATUS(sc_weight_model_counts(model, 4, cell, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(sc_weight_model_measure(model, 4, cell, NULL), SCRIM_E_PARAM);
    sc_weight_model_free(model);
}

TEST(weight_model_survives_without_memory)
{
    const uint32_t numerators[6] = {0};
    const int64_t counts[] = {1, 2, 3};
    const sc_hash_key key = {1, 2};
    FAULT_LOOP(fault)
    {
        sc_weight_model *model = NULL;
        sc_synth_rows rows;
        int64_t got[3];
        sc_synth_rows_init(&rows);
        scrim_status status = sc_weight_model_new(&columns, 6, &model, NULL);
        if (status == SCRIM_OK)
            status = sc_weight_model_measure(model, 2, counts, NULL);
        if (status == SCRIM_OK)
            status = sc_weight_model_measure_query(
                model, &(sc_linear_query){3, numerators, 1}, 0, NULL);
        if (status == SCRIM_OK)
            status = sc_weight_model_counts(model, 2, got, NULL);
        if (status == SCRIM_OK)
            status = sc_synth_rows_draw_weights(model, 4, &key, &rows, NULL);
        CHECK(status == (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
        sc_synth_rows_clear(&rows);
        sc_weight_model_free(model);
    }
}

/* The update of the specification, to the precision of a double. */
TEST(weight_model_has_the_update_of_the_specification)
{
    json_t *row = vectors_load("mechanisms", "mwem_update");
    REQUIRE(row != NULL);
    const json_t *query = json_object_get(row, "query");
    const json_t *after = json_object_get(row, "weights_after");
    const sc_synth_columns four = {1, {4}};
    uint32_t numerators[4];
    double weights[4];
    sc_weight_model *model = NULL;
    REQUIRE(json_array_size(query) == 4 && json_array_size(after) == 4);
    for (size_t i = 0; i < 4; i++)
        numerators[i] = (uint32_t)json_integer_value(json_array_get(query, i));
    REQUIRE_OK(
        sc_weight_model_new(&four, (int64_t)vectors_number(row, "n"), &model, NULL));
    REQUIRE_OK(sc_weight_model_measure_query(model, &(sc_linear_query){1, numerators, 1},
                                             (int64_t)vectors_number(row, "measurement"),
                                             NULL));
    sc_weight_model_update(model, 1);
    REQUIRE_OK(sc_weight_model_marginal(model, sc_clique_of(0), weights, NULL));
    for (size_t i = 0; i < 4; i++)
        CHECK_NEAR(weights[i], strtod(json_string_value(json_array_get(after, i)), NULL),
                   1e-12);
    sc_weight_model_free(model);
}

/* Impossible rows have weight 0 whatever is measured, and rows with a value keep their proportions. */
TEST(weight_model_keeps_to_what_is_possible)
{
    const bool impossible[6] = {false, true, false, false, false, true};
    const bool all[6] = {true, true, true, true, true, true};
    const bool first[2] = {true, false}, none[2] = {false, false};
    const int64_t counts[6] = {10, 50, 20, 5, 5, 10};
    double cells[6];
    sc_weight_model *model = NULL;
    REQUIRE_OK(sc_weight_model_new(&columns, 100, &model, NULL));
    CHECK_STATUS(sc_weight_model_forbid(model, 3, all, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(sc_weight_model_forbid(model, 4, all, NULL), SCRIM_E_PARAM);
    REQUIRE_OK(sc_weight_model_forbid(model, 3, impossible, NULL));
    REQUIRE_OK(sc_weight_model_measure(model, 3, counts, NULL));
    sc_weight_model_update(model, 50);
    REQUIRE_OK(sc_weight_model_marginal(model, 3, cells, NULL));
    CHECK(cells[1] == 0 && cells[5] == 0 && cells[0] > cells[3]);
    const double share = cells[0] / cells[2];
    CHECK_STATUS(sc_weight_model_given(model, 0, none, NULL), SCRIM_E_PARAM);
    REQUIRE_OK(sc_weight_model_given(model, 0, first, NULL));
    REQUIRE_OK(sc_weight_model_marginal(model, 3, cells, NULL));
    CHECK(cells[3] == 0 && cells[4] == 0);
    CHECK(fabs(cells[0] / cells[2] - share) < 1e-12);
    CHECK(fabs(cells[0] + cells[2] - 100) < 1e-9);
    sc_weight_model_free(model);
}
