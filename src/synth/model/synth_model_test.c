#include "check.h"
#include "faults.h"
#include "synth/model/real_functions.h"
#include "synth/model/synth_model.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static sc_synth_model *model_of(const sc_synth_columns *columns, int64_t total)
{
    sc_synth_model *model = NULL;
    CHECK_STATUS(sc_synth_model_new(columns, total, &model, NULL), SCRIM_OK);
    return model;
}

static size_t read_integers(const json_t *list, int64_t *out)
{
    size_t filled = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        if (json_is_array(item))
            filled += read_integers(item, out + filled);
        else
            out[filled++] = json_integer_value(item);
    }
    return filled;
}

/* The fitted cells of a vector, which are texts, in nested lists. */
static size_t check_cells(const json_t *list, const double *got)
{
    size_t seen = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        if (json_is_array(item)) {
            seen += check_cells(item, got + seen);
            continue;
        }
        CHECK(fabs(got[seen] - strtod(json_string_value(item), NULL)) < 1e-3);
        seen++;
    }
    return seen;
}

static sc_clique pair_named(const char *name)
{
    unsigned a = 0, b = 0;
    CHECK_INT(sscanf(name, "%u-%u", &a, &b), 2);
    return sc_clique_of(a) | sc_clique_of(b);
}

static void measure_vector(sc_synth_model *model, const json_t *vector)
{
    const json_t *one_way = json_object_get(vector, "one_way");
    int64_t counts[16];
    const char *name;
    json_t *table;
    for (size_t i = 0; i < json_array_size(one_way); i++) {
        (void)read_integers(json_array_get(one_way, i), counts);
        REQUIRE_OK(sc_synth_model_measure(model, sc_clique_of(i), counts, NULL,
                                          64 * vectors_number(vector, "one_way_variance"),
                                          NULL));
    }
    json_object_foreach(json_object_get(vector, "pairs"), name, table)
    {
        (void)read_integers(table, counts);
        REQUIRE_OK(sc_synth_model_measure(model, pair_named(name), counts, NULL,
                                          64 * vectors_number(vector, "pair_variance"),
                                          NULL));
    }
}

TEST(synth_model_meets_the_vector_of_a_fit)
{
    const json_t *vector = vectors_load("synthetic", "tree_fit");
    REQUIRE(vector != NULL);
    const sc_synth_columns columns = {3, {2, 3, 2}};
    const json_t *one_way = json_object_get(vector, "one_way_fit");
    double got[16];
    const char *name;
    json_t *table;
    sc_synth_model *model = model_of(&columns, (int64_t)vectors_number(vector, "total"));
    REQUIRE(model != NULL);
    measure_vector(model, vector);
    REQUIRE_OK(sc_synth_model_fit(model, &SC_SYNTH_FIT_MST, NULL));
    CHECK_NEAR(sc_synth_model_misfit(model),
               strtod(vectors_text(vector, "objective"), NULL), 1e-6);
    for (size_t i = 0; i < 3; i++) {
        REQUIRE_OK(sc_synth_model_marginal(model, sc_clique_of(i), got, NULL));
        (void)check_cells(json_array_get(one_way, i), got);
    }
    json_object_foreach(json_object_get(vector, "pair_fit"), name, table)
    {
        REQUIRE_OK(sc_synth_model_marginal(model, pair_named(name), got, NULL));
        (void)check_cells(table, got);
    }
    sc_synth_model_free(model);
}

TEST(synth_model_begins_uniform)
{
    const sc_synth_columns columns = {3, {5, 2, 1}};
    sc_synth_model *model = model_of(&columns, 100);
    REQUIRE(model != NULL);
    int64_t counts[10];
    REQUIRE_OK(sc_synth_model_counts(model, 7, counts, NULL));
    for (int i = 0; i < 10; i++)
        CHECK_INT(counts[i], 10);
    CHECK_INT(sc_synth_model_cells(model), 8);
    CHECK_INT(sc_synth_model_cells_after(model, 3), 11);
    CHECK(!sc_synth_model_holds(model, 3));
    sc_synth_model_free(model);
}

/* Columns of falling sizes: inside they are sorted, outside they are not. */
TEST(synth_model_keeps_the_order_of_columns)
{
    const sc_synth_columns columns = {3, {4, 3, 2}};
    int64_t counts[24], got[24];
    sc_synth_model *model = model_of(&columns, 300);
    REQUIRE(model != NULL);
    for (int i = 0; i < 24; i++)
        counts[i] = i + 1;
    REQUIRE_OK(sc_synth_model_measure(model, 7, counts, NULL, 64, NULL));
    REQUIRE_OK(sc_synth_model_fit(model, &SC_SYNTH_FIT_MST, NULL));
    REQUIRE_OK(sc_synth_model_counts(model, 7, got, NULL));
    for (int i = 0; i < 24; i++)
        CHECK_INT(got[i], counts[i]);
    REQUIRE_OK(sc_synth_model_counts(model, 5, got, NULL));
    CHECK_INT(got[0], 1 + 3 + 5);
    CHECK_INT(got[7], 20 + 22 + 24);
    sc_synth_model_free(model);
}

/* A clique measured twice counts with its mean, weighted by inverse variance. */
TEST(synth_model_merges_measurements)
{
    const sc_synth_columns columns = {1, {2}};
    const int64_t first[] = {40, 60}, second[] = {100, 0};
    double got[2];
    sc_synth_model *model = model_of(&columns, 100);
    REQUIRE(model != NULL);
    REQUIRE_OK(sc_synth_model_measure(model, 1, first, NULL, 64, NULL));
    REQUIRE_OK(sc_synth_model_measure(model, 1, second, NULL, 128, NULL));
    REQUIRE_OK(sc_synth_model_fit(model, &SC_SYNTH_FIT_AIM_LAST, NULL));
    REQUIRE_OK(sc_synth_model_marginal(model, 1, got, NULL));
    CHECK_NEAR(got[0], 60, 1e-6);
    sc_synth_model_free(model);
}

/* A cell that is the sum of three noisy counts moves three times as easily. */
TEST(synth_model_weighs_sums_by_their_members)
{
    const sc_synth_columns columns = {1, {2}};
    const int64_t counts[] = {50, 54};
    const uint32_t members[] = {1, 3};
    double got[2];
    sc_synth_model *model = model_of(&columns, 100);
    REQUIRE(model != NULL);
    REQUIRE_OK(sc_synth_model_measure(model, 1, counts, members, 64, NULL));
    REQUIRE_OK(sc_synth_model_fit(model, &SC_SYNTH_FIT_AIM_LAST, NULL));
    REQUIRE_OK(sc_synth_model_marginal(model, 1, got, NULL));
    CHECK_NEAR(got[0], 49, 1e-6);
    CHECK_NEAR(got[1], 51, 1e-6);
    sc_synth_model_free(model);
}

/* Three columns in a cycle, then a fourth that hangs on: each fit starts where the last has ended. */
TEST(synth_model_fits_again_with_more)
{
    const sc_synth_columns columns = {4, {2, 2, 2, 3}};
    const int64_t same[] = {45, 5, 5, 45}, triple[] = {20, 20, 10, 10, 20, 20};
    double got[8];
    sc_synth_model *model = model_of(&columns, 100);
    REQUIRE(model != NULL);
    REQUIRE_OK(sc_synth_model_measure(model, 3, same, NULL, 64, NULL));
    REQUIRE_OK(sc_synth_model_measure(model, 6, same, NULL, 64, NULL));
    REQUIRE_OK(sc_synth_model_fit(model, &SC_SYNTH_FIT_AIM_ROUND, NULL));
    REQUIRE_OK(sc_synth_model_marginal(model, 5, got, NULL));
    CHECK_NEAR(got[0], 41, 1e-6); /* (45*45 + 5*5)/50 */
    REQUIRE_OK(sc_synth_model_measure(model, 5, same, NULL, 64, NULL));
    REQUIRE_OK(sc_synth_model_measure(model, 12, triple, NULL, 64, NULL));
    CHECK_INT(sc_synth_model_cells(model), 8 + 6);
    CHECK(sc_synth_model_holds(model, 7) && !sc_synth_model_holds(model, 9));
    REQUIRE_OK(sc_synth_model_fit(model, &SC_SYNTH_FIT_AIM_LAST, NULL));
    CHECK(sc_synth_model_misfit(model) < 1e-9);
    REQUIRE_OK(sc_synth_model_marginal(model, 5, got, NULL));
    CHECK_NEAR(got[0], 45, 1e-4);
    REQUIRE_OK(sc_synth_model_marginal(model, 12, got, NULL));
    CHECK_NEAR(got[2], 10, 1e-4);
    sc_synth_model_free(model);
}

/* Marginals that fit exactly: steps grow for thousands of iterations, and nothing is lost. */
TEST(synth_model_stays_where_it_has_arrived)
{
    const sc_synth_columns columns = {3, {2, 3, 2}};
    const int64_t first[] = {10, 20, 30, 5, 15, 20}, second[] = {5, 10, 20, 15, 50, 0};
    double got[6];
    sc_synth_model *model = model_of(&columns, 100);
    REQUIRE(model != NULL);
    REQUIRE_OK(sc_synth_model_measure(model, 3, first, NULL, 64, NULL));
    REQUIRE_OK(sc_synth_model_measure(model, 6, second, NULL, 64, NULL));
    REQUIRE_OK(sc_synth_model_fit(model, &(sc_synth_fit){4000, 30}, NULL));
    CHECK(sc_synth_model_misfit(model) < 1e-3);
    REQUIRE_OK(sc_synth_model_marginal(model, 3, got, NULL));
    for (int i = 0; i < 6; i++)
        CHECK(fabs(got[i] - (double)first[i]) < 0.1);
    sc_synth_model_free(model);
}

TEST(synth_model_knows_what_is_impossible)
{
    const sc_synth_columns columns = {2, {2, 3}};
    const int64_t counts[] = {10, 20, 30, 20, 10, 10};
    const bool impossible[] = {true, false, false, false, false, true},
               all[] = {true, true, true, true, true, true};
    double got[6];
    sc_synth_model *model = model_of(&columns, 100);
    REQUIRE(model != NULL);
    REQUIRE_OK(sc_synth_model_forbid(model, 3, impossible, NULL));
    REQUIRE_OK(sc_synth_model_measure(model, 3, counts, NULL, 64, NULL));
    REQUIRE_OK(sc_synth_model_fit(model, &SC_SYNTH_FIT_MST, NULL));
    REQUIRE_OK(sc_synth_model_marginal(model, 3, got, NULL));
    CHECK(got[0] == 0 && got[5] == 0);
    CHECK_NEAR(got[2], 35, 1e-6); /* 20 more than measured for four cells */
    REQUIRE_OK(sc_synth_model_forbid(model, 3, all, NULL));
    CHECK_STATUS(sc_synth_model_fit(model, &SC_SYNTH_FIT_MST, NULL), SCRIM_E_PARAM);
    REQUIRE_OK(sc_synth_model_marginal(model, 3, got, NULL));
    CHECK_NEAR(got[2], 35, 1e-6);
    sc_synth_model_free(model);
}

TEST(synth_model_takes_given_values)
{
    const sc_synth_columns columns = {3, {2, 2, 3}};
    const int64_t counts[] = {30, 10, 20, 40}, other[] = {25, 15, 10, 5, 20, 25};
    const double first[] = {1, 0}, last[] = {0, 1}, none[] = {0, 0};
    double before[4], got[4];
    sc_synth_model *model = model_of(&columns, 100);
    REQUIRE(model != NULL);
    REQUIRE_OK(sc_synth_model_measure(model, 3, counts, NULL, 64, NULL));
    REQUIRE_OK(sc_synth_model_measure(model, 6, other, NULL, 64, NULL));
    REQUIRE_OK(sc_synth_model_fit(model, &SC_SYNTH_FIT_MST, NULL));
    REQUIRE_OK(sc_synth_model_marginal(model, 3, before, NULL));
    CHECK_STATUS(sc_synth_model_given(model, 0, none, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(sc_synth_model_given(model, 3, first, NULL), SCRIM_E_PARAM);
    REQUIRE_OK(sc_synth_model_marginal(model, 3, got, NULL));
    CHECK_BYTES(got, before, sizeof got);
    REQUIRE_OK(sc_synth_model_given(model, 0, first, NULL));
    REQUIRE_OK(sc_synth_model_marginal(model, 3, got, NULL));
    CHECK_NEAR(got[0], 100 * before[0] / (before[0] + before[1]), 1e-9);
    CHECK(got[2] == 0 && got[3] == 0);
    CHECK_STATUS(sc_synth_model_fit(model, &SC_SYNTH_FIT_MST, NULL), SCRIM_E_STATE);
    CHECK_STATUS(sc_synth_model_given(model, 0, last, NULL), SCRIM_E_PARAM);
    REQUIRE_OK(sc_synth_model_given(model, 1, last, NULL));
    REQUIRE_OK(sc_synth_model_marginal(model, 3, got, NULL));
    CHECK_NEAR(got[1], 100, 1e-9);
    sc_synth_model_free(model);
}

TEST(synth_model_refuses_what_is_out_of_range)
{
    const sc_synth_columns columns = {3, {2048, 2048, 2048}}, none = {0, {0}};
    const int64_t counts[1] = {0};
    sc_synth_model *model = NULL;
    CHECK_STATUS(sc_synth_model_new(&none, 1, &model, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(sc_synth_model_new(&columns, 0, &model, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(sc_synth_model_new(&columns, SC_SYNTH_COUNT_MAX + 1, &model, NULL),
                 SCRIM_E_PARAM);
    CHECK(model == NULL);
    REQUIRE_OK(sc_synth_model_new(&columns, 1, &model, NULL));
    CHECK_STATUS(sc_synth_model_measure(model, 0, counts, NULL, 64, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(sc_synth_model_measure(model, 8, counts, NULL, 64, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(sc_synth_model_measure(model, 1, counts, NULL, 0, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(sc_synth_model_measure(model, 7, counts, NULL, 64, NULL), SCRIM_E_LIMIT);
    CHECK_INT(sc_synth_model_cells(model), (sc_int128)3 * 2048);
    sc_synth_model_free(model);
}

/* Noise far above the counts, totals that contradict each other, cells of 0: the marginals stay
 * finite and add up. */
TEST(synth_model_stays_finite)
{
    const sc_synth_columns columns = {3, {3, 4, 2}};
    const int64_t odd[] = {-100000, 5000, 3, 0, 0, 99999, -7, 1, 0, -88888, 12, 5};
    double got[24];
    sc_synth_model *model = model_of(&columns, 1);
    REQUIRE(model != NULL);
    for (sc_clique clique = 1; clique < 7; clique++)
        REQUIRE_OK(sc_synth_model_measure(model, clique, odd, NULL, clique * 7, NULL));
    REQUIRE_OK(sc_synth_model_fit(model, &SC_SYNTH_FIT_AIM_LAST, NULL));
    for (sc_clique clique = 1; clique < 8; clique++) {
        const size_t cells = (size_t)sc_clique_cells(&columns, clique);
        double sum = 0;
        REQUIRE_OK(sc_synth_model_marginal(model, clique, got, NULL));
        for (size_t i = 0; i < cells; i++) {
            CHECK(got[i] >= 0);
            sum += got[i];
        }
        CHECK_NEAR(sum, 1, 1e-9);
    }
    sc_synth_model_free(model);
}

static scrim_status use_all(sc_synth_model **model)
{
    const sc_synth_columns columns = {3, {2, 3, 2}};
    const int64_t counts[] = {4, 5, 6, 1, 2, 3};
    const bool impossible[] = {false, true};
    const double allowed[] = {1, 0};
    int64_t got[4];
    scrim_status status = sc_synth_model_new(&columns, 20, model, NULL);
    if (status == SCRIM_OK)
        status = sc_synth_model_forbid(*model, 4, impossible, NULL);
    for (sc_clique clique = 1; clique < 4 && status == SCRIM_OK; clique++)
        status = sc_synth_model_measure(*model, clique, counts, NULL, 64, NULL);
    if (status == SCRIM_OK)
        status = sc_synth_model_measure(*model, 3, counts, NULL, 64, NULL);
    if (status == SCRIM_OK)
        status = sc_synth_model_fit(*model, &(sc_synth_fit){3, 5}, NULL);
    if (status == SCRIM_OK)
        status = sc_synth_model_counts(*model, 5, got, NULL);
    if (status == SCRIM_OK)
        status = sc_synth_model_given(*model, 0, allowed, NULL);
    return status;
}

TEST(synth_model_survives_without_memory)
{
    FAULT_LOOP(fault)
    {
        sc_synth_model *model = NULL;
        CHECK(use_all(&model) == (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
        sc_synth_model_free(model);
    }
}
