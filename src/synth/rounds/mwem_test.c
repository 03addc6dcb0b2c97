#include "check.h"
#include "exact.h"
#include "mechanism_lines.h"
#include "synth/rounds/mwem.h"
#include "synth/rounds/synth_released.h"
#include "synth_scene.h"
#include "vectors.h"

#include <string.h>

static const sc_round_unit single = {SCRIM_ADD_REMOVE, 1};

/* How far one unit moves den q(x), against the printed sensitivities. */
TEST(mwem_rounds_have_the_sensitivity_of_their_queries)
{
    CLAIM("mwem-rounds.score");
    size_t at = 0;
    json_t *row = NULL;
    json_t *list = vectors_load("synthetic", "mwem_score_sensitivity");
    REQUIRE(list != NULL);
    json_array_foreach(list, at, row)
    {
        const json_t *values = json_object_get(row, "query");
        const uint32_t den = (uint32_t)vectors_number(row, "denominator");
        const sc_synth_columns columns = {.count = 1,
                                          .sizes = {(uint32_t)json_array_size(values)}};
        uint32_t numerators[3] = {0};
        for (size_t i = 0; i < json_array_size(values); i++) {
            sc_ratio value, scale;
            uint64_t whole = 0;
            sc_integer top;
            exact_ratio(json_string_value(json_array_get(values, i)), &value);
            sc_ratio_init(&scale);
            sc_integer_init(&top);
            sc_ratio_set_int64(&scale, den);
            sc_ratio_mul(&value, &value, &scale);
            CHECK(sc_ratio_is_integer(&value));
            sc_ratio_numerator(&value, &top);
            CHECK(sc_integer_get_uint64(&top, &whole));
            numerators[i] = (uint32_t)whole;
            sc_integer_clear(&top);
            sc_ratio_clear(&scale);
            sc_ratio_clear(&value);
        }
        const sc_linear_query query = {sc_synth_columns_all(&columns), numerators, den};
        const sc_round_unit unit = {SCRIM_REPLACE, vectors_number(row, "rows")};
        CHECK_INT(vectors_number(row, "replace"), vectors_number(row, "add_remove"));
        synth_scene s;
        sc_mwem_plan plan;
        sc_weight_model *model = NULL;
        sc_records *records = NULL;
        REQUIRE_OK(sc_records_new(&columns, 1, &records, NULL));
        REQUIRE(synth_scene_open(&s, records, &unit, "1", 2));
        sc_mwem_plan_init(&plan);
        plan.queries = &query;
        plan.count = 1;
        REQUIRE_OK(sc_mwem_run(&s.rounds, &plan, &model, NULL));
        CHECK_INT(s.released.count, 2);
        CHECK_INT(s.released.steps[1].move, vectors_number(row, "replace"));
        CHECK(s.released.steps[1].is_query);
        sc_weight_model_free(model);
        sc_mwem_plan_clear(&plan);
        synth_scene_close(&s);
        sc_records_free(records);
    }
    CHECK_INT(at, 6);
}

/* Each marginal is measured once before any is measured again; what is spent is within the total. */
SLOW_TEST(mwem_rounds_follow_their_plan)
{
    CLAIM("mwem-rounds.schedule");
    const sc_synth_columns columns = {.count = 3, .sizes = {2, 3, 2}};
    const sc_clique cliques[] = {1, 3, 6, 7};
    for (int pure = 0; pure < 2; pure++)
        for (uint64_t rounds = 0; rounds < 10; rounds += 3) {
            synth_scene s;
            sc_mwem_plan plan;
            sc_weight_model *model = NULL;
            sc_clique seen = 0;
            size_t distinct = 0;
            sc_records *records = NULL;
            REQUIRE_OK(sc_records_new(&columns, 1, &records, NULL));
            REQUIRE_OK(sc_records_add(records, (const uint32_t[]){1, 2, 0}, 50, NULL));
            REQUIRE(
                synth_scene_open(&s, records, &single, pure == 1 ? NULL : "1", rounds));
            sc_mwem_plan_init(&plan);
            plan.cliques = cliques;
            plan.count = 4;
            plan.rounds = rounds;
            uint64_t noise = 0;
            REQUIRE_OK(sc_mwem_noise(&plan, &columns, &single,
                                     sc_allowance_total(s.rounds.allowance), pure == 1,
                                     &noise, NULL));
            REQUIRE_OK(sc_mwem_run(&s.rounds, &plan, &model, NULL));
            CHECK_INT(s.released.count, 1 + (rounds == 0 ? 4 : rounds));
            CHECK_INT(s.released.steps[0].clique, 0);
            for (size_t i = 1; i < s.released.count; i++) {
                if (i % 4 == 1)
                    seen = 0;
                const sc_clique bit = (sc_clique)1 << s.released.steps[i].clique;
                CHECK((seen & bit) == 0);
                seen |= bit;
                distinct += s.released.steps[i].candidates;
                CHECK_INT(s.released.steps[i].noise,
                          pure == 1 ? SC_SYNTH_LAPLACE : SC_SYNTH_GAUSSIAN);
            }
            CHECK(distinct >= s.released.count - 1);
            CHECK(sc_ratio_compare(sc_allowance_used(s.rounds.allowance),
                                   sc_allowance_total(s.rounds.allowance)) <= 0);
            sc_weight_model_free(model);
            sc_mwem_plan_clear(&plan);
            synth_scene_close(&s);
            sc_records_free(records);
        }
}

/* Predicates of some columns: each is measured once, and the model is made again from the record. */
TEST(mwem_rounds_of_predicates_are_made_again)
{
    CLAIM("mwem-rounds.schedule");
    static const uint32_t first[] = {1, 0}, two[] = {0, 1, 1, 0, 0, 1}, rest[] = {1, 1};
    const sc_synth_columns columns = {.count = 3, .sizes = {2, 3, 2}};
    const sc_linear_query queries[] = {{1, first, 1}, {3, two, 1}, {4, rest, 1}};
    const sc_released_options options = {.queries = queries, .query_count = 3},
                              fewer = {.queries = queries, .query_count = 2};
    synth_scene s;
    sc_mwem_plan plan;
    sc_weight_model *model = NULL, *again = NULL;
    int64_t counts[12], others[12], answer = 0;
    uint64_t seen = 0;
    sc_records *records = NULL;
    REQUIRE_OK(sc_records_new(&columns, 2, &records, NULL));
    REQUIRE_OK(sc_records_add(records, (const uint32_t[]){0, 2, 1}, 60000, NULL));
    REQUIRE_OK(sc_records_add(records, (const uint32_t[]){1, 2, 0}, 40000, NULL));
    REQUIRE(synth_scene_open(&s, records, &single, "10", 3));
    sc_mwem_plan_init(&plan);
    plan.queries = queries;
    plan.count = 3;
    REQUIRE_OK(sc_mwem_run(&s.rounds, &plan, &model, NULL));
    CHECK_INT(s.released.count, 4);
    for (size_t i = 1; i < 4; i++) {
        seen |= (uint64_t)1 << s.released.steps[i].query;
        CHECK_INT(s.released.steps[i].move, 1);
    }
    CHECK_INT(seen, 7);
    REQUIRE_OK(sc_weight_model_answer(model, &queries[1], &answer, NULL));
    CHECK(answer > 98000 && answer < 102000); /* noise of a few rows, and the fit */
    REQUIRE_OK(sc_released_weights(&s.released, &options, &again, NULL));
    REQUIRE_OK(sc_weight_model_counts(model, 7, counts, NULL));
    REQUIRE_OK(sc_weight_model_counts(again, 7, others, NULL));
    CHECK(memcmp(counts, others, sizeof counts) == 0);
    sc_weight_model_free(again);
    CHECK_STATUS(sc_released_weights(&s.released, &fewer, &again, NULL), SCRIM_E_CHECK);
    sc_weight_model_free(model);
    sc_mwem_plan_clear(&plan);
    synth_scene_close(&s);
    sc_records_free(records);
}

/* A unit moves such a query by 2^32 steps: squares are wider than a word. */
TEST(mwem_rounds_have_room_for_wide_queries)
{
    CLAIM("mwem-rounds.schedule");
    const sc_synth_columns columns = {.count = 1, .sizes = {2}};
    const sc_round_unit many = {.neighbours = SCRIM_ADD_REMOVE, .rows = 1 << 12};
    const uint32_t numerators[] = {0, SC_MWEM_DEN};
    const sc_linear_query query = {1, numerators, SC_MWEM_DEN};
    uint64_t noise = 0;
    sc_mwem_plan plan;
    sc_ratio rho;
    sc_mwem_plan_init(&plan);
    plan.queries = &query;
    plan.count = 1;
    sc_ratio_init(&rho);
    sc_ratio_set_int64(&rho, 10000);
    REQUIRE_OK(sc_mwem_noise(&plan, &columns, &many, &rho, false, &noise, NULL));
    /* 64 (2^32)^2/(2 rho 49/50 9/10) = 2^69/8820, rounded up. */
    CHECK(noise == (uint64_t)(((sc_uint128)1 << 69) / 8820 + 1));
    sc_ratio_set_int64(&rho, 1);
    CHECK_STATUS(sc_mwem_noise(&plan, &columns, &many, &rho, false, &noise, NULL),
                 SCRIM_E_LIMIT);
    sc_ratio_clear(&rho);
    sc_mwem_plan_clear(&plan);
}

TEST(mwem_rounds_refuse_a_plan_that_is_none)
{
    const sc_synth_columns columns = {.count = 2, .sizes = {2, 2}};
    const sc_synth_columns large = {.count = 2, .sizes = {1 << 14, (1 << 13) + 1}};
    const uint32_t high[] = {0, 1, 2, 5};
    const sc_clique pair = 3, beyond = 4;
    const sc_linear_query above = {3, high, 4}, deep = {3, high, SC_MWEM_DEN + 1},
                          outside = {4, high, 5};
    uint64_t noise = 0;
    sc_mwem_plan plan;
    sc_ratio one;
    exact_ratio("1", &one);
    sc_mwem_plan_init(&plan);
#define CHECK_PLAN(its_columns, status)                                                  \
    CHECK_STATUS(sc_mwem_noise(&plan, its_columns, &single, &one, false, &noise, NULL),  \
                 status)
    CHECK_PLAN(&columns, SCRIM_E_PARAM);
    plan.cliques = &pair;
    plan.count = 1;
    CHECK_PLAN(&columns, SCRIM_OK);
    CHECK_PLAN(&large, SCRIM_E_LIMIT);
    plan.cliques = &beyond;
    CHECK_PLAN(&columns, SCRIM_E_PARAM);
    plan.cliques = &pair;
    plan.rounds = SC_MWEM_ROUNDS + 1;
    CHECK_PLAN(&columns, SCRIM_E_PARAM);
    plan.rounds = 0;
    plan.passes = 0;
    CHECK_PLAN(&columns, SCRIM_E_PARAM);
    plan.passes = 1;
    plan.last_passes = 0;
    CHECK_PLAN(&columns, SCRIM_E_PARAM);
    plan.last_passes = 1;
    plan.queries = &above;
    CHECK_PLAN(&columns, SCRIM_E_PARAM);
    plan.cliques = NULL;
    CHECK_PLAN(&columns, SCRIM_E_PARAM);
    plan.queries = &deep;
    CHECK_PLAN(&columns, SCRIM_E_PARAM);
    plan.queries = &outside;
    CHECK_PLAN(&columns, SCRIM_E_PARAM);
    plan.queries = NULL;
    plan.cliques = &pair;
    sc_ratio_set_int64(&plan.counting, 1);
    CHECK_PLAN(&columns, SCRIM_E_PARAM);
    sc_mwem_plan_clear(&plan);
    sc_ratio_clear(&one);
}

/* education_num, marital_status, relationship, sex, salary. */
static const size_t five[] = {3, 4, 6, 8, 13};

static double adult_variation(const sc_records *adult, uint64_t seed)
{
    double found = 1;
    synth_scene s;
    sc_mwem_plan plan;
    sc_weight_model *model = NULL, *again = NULL;
    sc_synth_rows rows;
    sc_hash_key key;
    sc_clique cliques[10];
    size_t count = 0;
    memset(&key, (int)seed, sizeof key);
    for (size_t a = 0; a < 5; a++)
        for (size_t b = a + 1; b < 5; b++)
            cliques[count++] = sc_clique_of(a) | sc_clique_of(b);
    sc_records *records = synth_part(adult, five, 5);
    sc_mwem_plan_init(&plan);
    plan.cliques = cliques;
    plan.count = count;
    sc_synth_rows_init(&rows);
    if (CHECK(synth_scene_open(&s, records, &single, "0.014973", seed)) &&
        CHECK_STATUS(sc_mwem_run(&s.rounds, &plan, &model, NULL), SCRIM_OK) &&
        CHECK_STATUS(
            sc_released_weights(&s.released, &(sc_released_options){0}, &again, NULL),
            SCRIM_OK) &&
        CHECK_STATUS(sc_synth_rows_draw_weights(again, (uint64_t)s.released.total, &key,
                                                &rows, NULL),
                     SCRIM_OK))
        found = synth_mean_variation(records, &rows);
    sc_synth_rows_clear(&rows);
    sc_weight_model_free(again);
    sc_weight_model_free(model);
    sc_mwem_plan_clear(&plan);
    synth_scene_close(&s);
    sc_records_free(records);
    return found;
}

SLOW_TEST(mwem_on_adult_is_as_good_as_its_target)
{
    CLAIM("mwem-rounds.adult");
    const uint64_t seeds = check_count_whole(1, 10);
    sc_records *adult = synth_adult();
    double sum = 0;
    REQUIRE(adult != NULL);
    for (uint64_t seed = 1; seed <= seeds; seed++)
        sum += adult_variation(adult, seed);
    if (!CHECK(sum / (double)seeds <= 0.023))
        CHECK_FAIL("the mean total variation is %.5f", sum / (double)seeds);
    sc_records_free(adult);
}
