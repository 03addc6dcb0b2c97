#include "check.h"
#include "exact.h"
#include "mechanism_lines.h"
#include "synth/model/junction.h"
#include "synth/rounds/aim.h"
#include "synth_scene.h"
#include "vectors.h"

#include <string.h>

static void check_printed(const sc_ratio *x, const json_t *row, const char *name)
{
    sc_ball ball;
    sc_ball_init(&ball);
    sc_ball_set_ratio(&ball, x, EXACT_BITS);
    CHECK_NEAR(sc_ball_upper(&ball), strtod(vectors_text(row, name), NULL), 1e-12);
    sc_ball_clear(&ball);
}

static void check_variance(uint64_t found, const json_t *row)
{
    sc_ratio x, want;
    exact_ratio(vectors_text(row, "sigma2"), &want);
    sc_ratio_init(&x);
    sc_ratio_set_quotient(&x, (int64_t)found, 64);
    CHECK(sc_ratio_compare(&x, &want) == 0);
    sc_ratio_clear(&want);
    sc_ratio_clear(&x);
}

static bool is_listed(const json_t *list, uint64_t number)
{
    bool is = false;
    for (size_t i = 0; i < json_array_size(list); i++)
        is = is || (uint64_t)json_integer_value(json_array_get(list, i)) == number;
    return is;
}

/* One round after the other, as printed, with noise lowered after the printed rounds. */
static void check_schedule(const char *name)
{
    json_t *v = vectors_load("synthetic", name);
    REQUIRE(v != NULL);
    const json_t *rounds = json_object_get(v, "rounds");
    const bool is_replace = strcmp(vectors_text(v, "relation"), "replace") == 0;
    const sc_round_unit unit = {is_replace ? SCRIM_REPLACE : SCRIM_ADD_REMOVE, 1};
    sc_ratio rho, share, used, cost, left;
    exact_ratio(vectors_text(v, "rho"), &rho);
    exact_ratio("1/10", &share);
    sc_ratio_init(&used);
    sc_ratio_init(&cost);
    sc_ratio_init(&left);
    sc_aim_schedule s = {
        .unit = &unit, .total = &rho, .share = &share, .most_move = sc_round_move(&unit)};
    CHECK_STATUS(sc_aim_schedule_start(&s, vectors_number(v, "T"), NULL), SCRIM_OK);
    check_variance(s.variance, json_array_get(rounds, 0));
    sc_round_measure_cost((sc_uint128)vectors_number(v, "columns") *
                              sc_round_square(&unit),
                          s.variance, &used);
    CHECK_RATIO(&used, vectors_text(json_array_get(rounds, 0), "used"));
    for (size_t i = 1; i < json_array_size(rounds); i++) {
        const json_t *row = json_array_get(rounds, i);
        CHECK(!s.is_last);
        CHECK_STATUS(sc_aim_schedule_next(&s, &used, &cost, NULL), SCRIM_OK);
        check_variance(s.variance, row);
        CHECK_INT(s.rate, vectors_number(row, "h_times_2_32"));
        check_printed(&cost, row, "cost");
        sc_ratio_add(&used, &used, &cost);
        check_printed(&used, row, "used");
        CHECK(s.is_last == json_is_true(json_object_get(row, "last")));
        if (is_listed(json_object_get(v, "anneal_after_rounds"), i))
            sc_aim_schedule_anneal(&s);
    }
    CHECK(s.is_last);
    sc_ratio_sub(&left, &rho, &used);
    CHECK(sc_ratio_sign(&left) >= 0);
    sc_ball ball;
    sc_ball_init(&ball);
    sc_ball_set_ratio(&ball, &left, EXACT_BITS);
    CHECK_NEAR(sc_ball_upper(&ball), strtod(vectors_text(v, "left"), NULL), 1e-5);
    sc_ball_clear(&ball);
    sc_ratio_clear(&left);
    sc_ratio_clear(&cost);
    sc_ratio_clear(&used);
    sc_ratio_clear(&share);
    sc_ratio_clear(&rho);
}

TEST(aim_schedule_is_that_of_the_specification)
{
    CLAIM("aim.schedule");
    check_schedule("aim_schedule");
    check_schedule("aim_schedule_replace");
}

/* Whatever rounds are lowered, the sum stays within the total, and there is a last round. */
TEST(aim_schedule_never_passes_its_total)
{
    CLAIM("aim.schedule");
    for (uint64_t pattern = 0; pattern < 256; pattern++) {
        const sc_round_unit unit = {pattern % 2 == 0 ? SCRIM_ADD_REMOVE : SCRIM_REPLACE,
                                    1 + pattern % 5};
        sc_ratio rho, share, used, cost;
        exact_ratio(pattern % 3 == 0 ? "1/1000" : "2", &rho);
        exact_ratio(pattern % 7 == 0 ? "1/2" : "1/10", &share);
        sc_ratio_init(&used);
        sc_ratio_init(&cost);
        sc_aim_schedule s = {.unit = &unit,
                             .total = &rho,
                             .share = &share,
                             .most_move = sc_round_move(&unit) * (1 + pattern % 4)};
        REQUIRE_OK(sc_aim_schedule_start(&s, 5 + pattern, NULL));
        int round = 0;
        for (; round < 1000 && !s.is_last; round++) {
            REQUIRE_OK(sc_aim_schedule_next(&s, &used, &cost, NULL));
            sc_ratio_add(&used, &used, &cost);
            if ((pattern >> (round % 8) & 1) != 0)
                sc_aim_schedule_anneal(&s);
        }
        CHECK(s.is_last && sc_ratio_compare(&used, &rho) <= 0);
        sc_ratio_clear(&cost);
        sc_ratio_clear(&used);
        sc_ratio_clear(&share);
        sc_ratio_clear(&rho);
    }
}

static const sc_round_unit single = {SCRIM_ADD_REMOVE, 1};

/* Steps after the one-way marginals: within the cap, inside the workload, weights in their sensitivity. */
SLOW_TEST(aim_measures_within_its_cap)
{
    CLAIM("aim.size");
    const sc_synth_columns columns = {.count = 5, .sizes = {8, 8, 8, 8, 8}};
    uint32_t codes[5 * 300];
    for (uint32_t i = 0; i < 5 * 300; i++)
        codes[i] = i / 5 * (1 + i % 5) / 7 % 8;
    for (uint64_t cap = 256; cap <= 2048; cap *= 2) {
        synth_scene s;
        sc_aim_plan plan;
        sc_clique_graph graph = {{0}};
        sc_triangulation tree;
        sc_records *records = synth_records(&columns, codes, 300);
        REQUIRE(records != NULL && synth_scene_open(&s, records, &single, "1", cap));
        sc_aim_plan_init(&plan);
        plan.cap_cells = cap;
        plan.rounds = 20;
        REQUIRE_OK(sc_aim_run(&s.rounds, &plan, NULL));
        CHECK(s.released.count > 5 + 1);
        for (size_t i = 0; i < s.released.count; i++) {
            const sc_synth_step *step = &s.released.steps[i];
            sc_clique_graph_add(&graph, step->clique);
            CHECK(i < 5 ? step->round == 0 : step->round == i - 4);
            CHECK(i < 5 || (step->candidates >= 5 && step->candidates <= 15));
            CHECK(i < 5 || step->move == 1 || step->move == 2);
            CHECK(sc_clique_count(step->clique) <= 2);
        }
        sc_triangulate(&columns, &graph, &tree);
        CHECK(tree.cells <= cap);
        sc_aim_plan_clear(&plan);
        synth_scene_close(&s);
        sc_records_free(records);
    }
}

/* Limits: one column, columns of one value, no rows, many rows a unit. */
TEST(aim_runs_at_its_limits)
{
    CLAIM("aim.size");
    static const struct {
        sc_synth_columns columns;
        uint64_t rows, rounds;
    } list[] = {{{.count = 1, .sizes = {5}}, 1, 2},
                {{.count = 2, .sizes = {1, 1}}, 1, 3},
                {{.count = 3, .sizes = {3, 2, 2}}, 1000, 4},
                {{.count = 3, .sizes = {300, 2, 2}}, 1, 0}};
    for (size_t i = 0; i < COUNT(list); i++) {
        const sc_round_unit unit = {SCRIM_REPLACE, list[i].rows};
        synth_scene s;
        sc_aim_plan plan;
        sc_records *records = NULL;
        REQUIRE_OK(sc_records_new(&list[i].columns, 1, &records, NULL));
        REQUIRE(synth_scene_open(&s, records, &unit, "1/10", i));
        sc_aim_plan_init(&plan);
        plan.rounds = list[i].rounds;
        plan.cap_cells = 256;
        REQUIRE_OK(sc_aim_run(&s.rounds, &plan, NULL));
        CHECK(s.released.count > list[i].columns.count);
        CHECK(s.released.total >= 1);
        sc_aim_plan_clear(&plan);
        synth_scene_close(&s);
        sc_records_free(records);
    }
}

static void check_refused(const sc_aim_plan *plan, const char *rho, scrim_status status)
{
    const sc_synth_columns columns = {.count = 3, .sizes = {2, 2, 2}};
    sc_ratio total;
    exact_ratio(rho, &total);
    CHECK_STATUS(sc_aim_check(plan, &columns, &single, &total, NULL), status);
    sc_ratio_clear(&total);
}

TEST(aim_refuses_a_plan_that_is_none)
{
    sc_aim_plan plan;
    sc_aim_plan_init(&plan);
    check_refused(&plan, "1", SCRIM_OK);
    check_refused(&plan, "0", SCRIM_E_LIMIT);
    check_refused(&plan, "2^-80", SCRIM_E_LIMIT);
    plan.rounds = 3;
    check_refused(&plan, "1", SCRIM_E_PARAM);
    plan.rounds = 65537;
    check_refused(&plan, "1", SCRIM_E_PARAM);
    plan.rounds = 4;
    plan.cap_cells = 255;
    check_refused(&plan, "1", SCRIM_E_PARAM);
    plan.cap_cells = ((uint64_t)1 << 30) + 1;
    check_refused(&plan, "1", SCRIM_E_PARAM);
    plan.cap_cells = 256;
    sc_ratio_set_quotient(&plan.share, 1, 101);
    check_refused(&plan, "1", SCRIM_E_PARAM);
    sc_ratio_set_quotient(&plan.share, 51, 100);
    check_refused(&plan, "1", SCRIM_E_PARAM);
    sc_aim_plan_clear(&plan);
}

static double adult_variation(const sc_records *truth, sc_clique nullable, uint64_t seed)
{
    double found = 1;
    synth_scene s;
    sc_aim_plan plan;
    sc_recoding recoding;
    sc_synth_model *model = NULL;
    sc_synth_rows rows;
    sc_hash_key key;
    memset(&key, (int)seed, sizeof key);
    sc_records *records = nullable == 0 ? synth_adult() : synth_adult_nullable();
    sc_aim_plan_init(&plan);
    sc_recoding_init(&recoding);
    sc_synth_rows_init(&rows);
    const bool is_open = CHECK(synth_scene_open(&s, records, &single, "0.014973", seed));
    s.rounds.nullable = nullable;
    if (is_open && CHECK_STATUS(sc_aim_run(&s.rounds, &plan, NULL), SCRIM_OK) &&
        CHECK_STATUS(sc_released_model(&s.released,
                                       &(sc_released_options){.zero_count = 0}, &recoding,
                                       &model, NULL),
                     SCRIM_OK) &&
        CHECK_STATUS(
            sc_synth_rows_draw(model, (uint64_t)s.released.total, &key, &rows, NULL),
            SCRIM_OK))
        found = synth_mean_variation(truth, &rows);
    sc_synth_rows_clear(&rows);
    sc_synth_model_free(model);
    sc_recoding_clear(&recoding);
    sc_aim_plan_clear(&plan);
    synth_scene_close(&s);
    sc_records_free(records);
    return found;
}

/* For one seed the specification's range is 0.0245 to 0.0279; the target is for the mean of ten, with NULL as
 * one category more of every column, and without it. */
SLOW_TEST(aim_on_adult_is_as_good_as_its_target)
{
    CLAIM("aim.adult");
    const uint64_t seeds = check_count_whole(1, 10);
    for (int is_nullable = seeds < 10 ? 1 : 0; is_nullable < 2; is_nullable++) {
        double sum = 0;
        sc_records *truth = is_nullable == 1 ? synth_adult_nullable() : synth_adult();
        REQUIRE(truth != NULL);
        const sc_clique all = sc_synth_columns_all(sc_records_columns(truth));
        for (uint64_t seed = 1; seed <= seeds; seed++)
            sum += adult_variation(truth, is_nullable == 1 ? all : 0, seed);
        const double mean = sum / (double)seeds;
        if (!CHECK(mean <= (seeds < 10 ? 0.031 : 0.028)))
            CHECK_FAIL("the mean total variation is %.5f", mean);
        sc_records_free(truth);
    }
}
