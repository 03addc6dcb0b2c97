#include "check.h"
#include "faults.h"
#include "synth/model/one_way_model.h"
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
