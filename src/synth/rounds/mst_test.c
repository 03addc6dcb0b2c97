#include "check.h"
#include "exact.h"
#include "synth/rounds/mst.h"
#include "synth/rounds/synth_released.h"
#include "synth_scene.h"
#include "vectors.h"

#include <math.h>
#include <string.h>

static const sc_round_unit single = {SCRIM_ADD_REMOVE, 1};

/* Counts the components of the measured pairs, and checks that no pair closes a circle. */
static size_t trees(const sc_synth_released *r)
{
    size_t root[SC_SYNTH_COLUMNS_MAX], count = r->columns.count;
    for (size_t i = 0; i < r->columns.count; i++)
        root[i] = i;
    for (size_t i = r->columns.count; i < r->count; i++) {
        const sc_clique pair = r->steps[i].clique;
        CHECK_INT(sc_clique_count(pair), 2);
        const size_t a = root[sc_clique_first(pair)],
                     b = root[sc_clique_first(pair & (pair - 1))];
        CHECK(a != b);
        for (size_t k = 0; k < r->columns.count; k++)
            root[k] = root[k] == b ? a : root[k];
        count--;
    }
    return count;
}

/* Columns that are copies of one another form the tree when noise is small. */
TEST(mst_finds_the_tree_of_dependent_columns)
{
    CLAIM("mst.tree");
    const sc_synth_columns columns = {.count = 4, .sizes = {4, 3, 4, 3}};
    uint32_t codes[4 * 600];
    for (uint32_t i = 0; i < 600; i++) {
        codes[(size_t)4 * i] = codes[4 * i + 2] = i % 4;
        codes[4 * i + 1] = codes[4 * i + 3] = i / 4 % 3;
    }
    synth_scene s;
    sc_mst_plan plan;
    sc_records *records = synth_records(&columns, codes, 600);
    REQUIRE(records != NULL && synth_scene_open(&s, records, &single, "10", 3));
    sc_mst_plan_init(&plan);
    REQUIRE_OK(sc_mst_run(&s.rounds, &plan, NULL));
    CHECK_INT(s.released.count, 4 + 3);
    CHECK_INT(trees(&s.released), 1);
    CHECK(s.released.steps[4].clique == 5 || s.released.steps[4].clique == 10);
    CHECK(s.released.steps[5].clique == 5 || s.released.steps[5].clique == 10);
    CHECK_INT(s.released.steps[4].candidates, 6);
    CHECK_INT(s.released.steps[5].candidates, 5);
    CHECK_INT(s.released.steps[6].candidates, 4);
    CHECK(llabs(s.released.total - 600) < 5);
    sc_mst_plan_clear(&plan);
    synth_scene_close(&s);
    sc_records_free(records);
}

/* Noise and what is used, for numbers that the specification prints with other shares. */
TEST(mst_spends_as_planned)
{
    CLAIM("mst.schedule");
    size_t at = 0;
    json_t *row = NULL;
    json_t *list = vectors_load("synthetic", "mst_budget");
    REQUIRE(list != NULL);
    json_array_foreach(list, at, row)
    {
        const bool is_replace = strcmp(vectors_text(row, "relation"), "replace") == 0;
        const sc_round_unit unit = {is_replace ? SCRIM_REPLACE : SCRIM_ADD_REMOVE,
                                    vectors_number(row, "rows_per_unit")};
        sc_synth_columns columns = {.count = vectors_number(row, "columns")};
        synth_scene s;
        sc_mst_plan plan;
        sc_records *records = NULL;
        uint64_t variance = 0;
        for (size_t i = 0; i < columns.count; i++)
            columns.sizes[i] = 2;
        REQUIRE_OK(sc_records_new(&columns, 1, &records, NULL));
        REQUIRE(synth_scene_open(&s, records, &unit, "14973/1000000", 3));
        sc_mst_plan_init(&plan);
        for (size_t i = 0; i < 3; i++) {
            sc_ratio_clear(&plan.shares[i]);
            exact_ratio(
                json_string_value(json_array_get(json_object_get(row, "shares"), i)),
                &plan.shares[i]);
        }
        CHECK_STATUS(sc_mst_check(&plan, &columns, &unit,
                                  sc_allowance_total(s.rounds.allowance), NULL),
                     SCRIM_OK);
        REQUIRE_OK(sc_mst_run(&s.rounds, &plan, NULL));
        sc_ratio want;
        exact_ratio(vectors_text(row, "sigma2_squared"), &want);
        sc_ratio found;
        sc_ratio_init(&found);
        variance = s.released.steps[s.released.count - 1].scale_64ths;
        sc_ratio_set_quotient(&found, (int64_t)variance, 64);
        CHECK(sc_ratio_compare(&found, &want) == 0);
        CHECK_INT(s.released.steps[s.released.count - 1].rate,
                  vectors_number(row, "h_times_2_32"));
        CHECK_INT(s.released.count, 2 * columns.count - 1);
        sc_ball used;
        sc_ball_init(&used);
        sc_ball_set_ratio(&used, sc_allowance_used(s.rounds.allowance), EXACT_BITS);
        CHECK_NEAR(sc_ball_upper(&used), strtod(vectors_text(row, "charged"), NULL),
                   1e-12);
        sc_ball_clear(&used);
        sc_ratio_clear(&found);
        sc_ratio_clear(&want);
        sc_mst_plan_clear(&plan);
        synth_scene_close(&s);
        sc_records_free(records);
    }
    CHECK_INT(at, 4);
}

/* Limits: one column, columns of one value, no rows, many rows a unit, pairs that are too large. */
TEST(mst_runs_at_its_limits)
{
    CLAIM("mst.tree");
    CLAIM("mst.schedule");
    static const struct {
        sc_synth_columns columns;
        uint64_t rows;
        size_t steps, trees;
    } list[] = {{{.count = 1, .sizes = {5}}, 1, 1, 1},
                {{.count = 1, .sizes = {1}}, 1, 1, 1},
                {{.count = 3, .sizes = {1, 1, 1}}, 1, 5, 1},
                {{.count = 2, .sizes = {7, 2}}, 1000, 3, 1},
                {{.count = 3, .sizes = {2, 5000, 5000}}, 1, 5, 1},
                {{.count = 2, .sizes = {5000, 5000}}, 1, 2, 2}};
    for (size_t i = 0; i < COUNT(list); i++) {
        const sc_round_unit unit = {SCRIM_REPLACE, list[i].rows};
        synth_scene s;
        sc_mst_plan plan;
        sc_records *records = NULL;
        REQUIRE_OK(sc_records_new(&list[i].columns, 1, &records, NULL));
        REQUIRE(synth_scene_open(&s, records, &unit, "1/10", i));
        sc_mst_plan_init(&plan);
        REQUIRE_OK(sc_mst_run(&s.rounds, &plan, NULL));
        CHECK_INT(s.released.count, list[i].steps);
        CHECK_INT(trees(&s.released), list[i].trees);
        CHECK(s.released.total >= 1);
        CHECK(sc_ratio_compare(sc_allowance_used(s.rounds.allowance),
                               sc_allowance_total(s.rounds.allowance)) <= 0);
        sc_mst_plan_clear(&plan);
        synth_scene_close(&s);
        sc_records_free(records);
    }
}

TEST(mst_measures_declared_pairs)
{
    CLAIM("mst.tree");
    const sc_synth_columns columns = {.count = 4, .sizes = {2, 2, 2, 2}};
    const sc_clique edges[] = {9, 6, 3};
    for (size_t count = 1; count <= 3; count++) {
        synth_scene s;
        sc_mst_plan plan;
        sc_records *records = NULL;
        REQUIRE_OK(sc_records_new(&columns, 1, &records, NULL));
        REQUIRE(synth_scene_open(&s, records, &single, "1/10", 4));
        sc_mst_plan_init(&plan);
        plan.edges = edges;
        plan.edge_count = count;
        REQUIRE_OK(sc_mst_run(&s.rounds, &plan, NULL));
        CHECK_INT(s.released.count, 7);
        CHECK_INT(trees(&s.released), 1);
        for (size_t i = 0; i < 3; i++) {
            CHECK(i >= count || s.released.steps[4 + i].clique == edges[i]);
            CHECK((s.released.steps[4 + i].rate == 0) == (i < count));
        }
        sc_mst_plan_clear(&plan);
        synth_scene_close(&s);
        sc_records_free(records);
    }
}

static void check_refused(const sc_mst_plan *plan, const char *rho, scrim_status status)
{
    const sc_synth_columns columns = {.count = 3, .sizes = {2, 2, 2}};
    sc_ratio total;
    exact_ratio(rho, &total);
    CHECK_STATUS(sc_mst_check(plan, &columns, &single, &total, NULL), status);
    sc_ratio_clear(&total);
}

TEST(mst_refuses_a_plan_that_is_none)
{
    static const sc_clique circle[] = {3, 5, 6}, wide[] = {7}, beyond[] = {9};
    sc_mst_plan plan;
    sc_mst_plan_init(&plan);
    check_refused(&plan, "1", SCRIM_OK);
    check_refused(&plan, "0", SCRIM_E_LIMIT);
    check_refused(&plan, "2^-80", SCRIM_E_LIMIT);
    plan.edges = circle;
    plan.edge_count = 3;
    check_refused(&plan, "1", SCRIM_E_PARAM);
    plan.edges = wide;
    plan.edge_count = 1;
    check_refused(&plan, "1", SCRIM_E_PARAM);
    plan.edges = beyond;
    check_refused(&plan, "1", SCRIM_E_PARAM);
    plan.edge_count = 0;
    sc_ratio_set_quotient(&plan.shares[0], 1, 2);
    check_refused(&plan, "1", SCRIM_E_PARAM);
    sc_ratio_set_int64(&plan.shares[0], 0);
    sc_ratio_set_quotient(&plan.shares[1], 1, 2);
    check_refused(&plan, "1", SCRIM_E_PARAM);
    sc_mst_plan_clear(&plan);
}

/* Rare categories are undone uniformly. */
static void undo(sc_synth_rows *rows, const sc_recoding *recoding, sc_clique absent,
                 uint64_t seed)
{
    for (size_t column = 0; column < rows->columns; column++)
        for (uint64_t i = 0; i < rows->count; i++) {
            const sc_recoded *map = &recoding->list[column];
            const bool has_null = (absent & sc_clique_of(column)) == 0;
            const uint32_t members = map->size - map->kept - (has_null ? 0 : 1);
            const uint32_t code = rows->codes[column][i];
            seed = seed * 6364136223846793005U + 1442695040888963407U;
            rows->codes[column][i] =
                map->sorted[code < map->kept
                                ? code
                                : map->kept + (uint32_t)((seed >> 33) % members)];
        }
}

static double adult_variation(const sc_records *truth, sc_clique nullable, uint64_t seed)
{
    double found = 1;
    synth_scene s;
    sc_mst_plan plan;
    sc_recoding recoding;
    sc_synth_model *model = NULL;
    sc_synth_rows rows;
    sc_hash_key key;
    memset(&key, (int)seed, sizeof key);
    sc_records *records = nullable == 0 ? synth_adult() : synth_adult_nullable();
    sc_mst_plan_init(&plan);
    sc_recoding_init(&recoding);
    sc_synth_rows_init(&rows);
    const bool is_open = CHECK(synth_scene_open(&s, records, &single, "0.014973", seed));
    s.rounds.nullable = nullable;
    if (is_open && CHECK_STATUS(sc_mst_run(&s.rounds, &plan, NULL), SCRIM_OK) &&
        CHECK_STATUS(sc_released_model(&s.released,
                                       &(sc_released_options){.zero_count = 0}, &recoding,
                                       &model, NULL),
                     SCRIM_OK) &&
        CHECK_STATUS(
            sc_synth_rows_draw(model, (uint64_t)s.released.total, &key, &rows, NULL),
            SCRIM_OK)) {
        undo(&rows, &recoding, s.released.absent, seed);
        found = synth_mean_variation(truth, &rows);
    }
    sc_synth_rows_clear(&rows);
    sc_synth_model_free(model);
    sc_recoding_clear(&recoding);
    sc_mst_plan_clear(&plan);
    synth_scene_close(&s);
    sc_records_free(records);
    return found;
}

/* The target is for the mean of ten seeds; of one seed the specification's range is 0.0351 to 0.0394, and
 * no seed is 4 standard deviations (of 0.0012) beyond the target. With NULL as one category more, and without it. */
SLOW_TEST(mst_on_adult_is_as_good_as_its_target)
{
    CLAIM("mst.adult");
    const uint64_t seeds = check_count_whole(1, 10);
    for (int is_nullable = seeds < 10 ? 1 : 0; is_nullable < 2; is_nullable++) {
        double sum = 0;
        sc_records *truth = is_nullable == 1 ? synth_adult_nullable() : synth_adult();
        REQUIRE(truth != NULL);
        const sc_clique all = sc_synth_columns_all(sc_records_columns(truth));
        for (uint64_t seed = 1; seed <= seeds; seed++)
            sum += adult_variation(truth, is_nullable == 1 ? all : 0, seed);
        const double mean = sum / (double)seeds;
        if (!CHECK(mean <= (seeds < 10 ? 0.0423 : 0.0375) && mean > 0.0293))
            CHECK_FAIL("the mean total variation is %.5f", mean);
        sc_records_free(truth);
    }
}

/* Without noise to speak of, selection finds the maximum spanning tree of the specification. */
SLOW_TEST(mst_on_adult_without_noise_has_the_best_tree)
{
    CLAIM("mst.tree");
    json_t *want = vectors_load("synthetic", "adult_noise_free");
    const json_t *tree = json_object_get(want, "maximum_spanning_tree");
    synth_scene s;
    sc_mst_plan plan;
    sc_records *records = synth_adult();
    REQUIRE(tree != NULL && records != NULL);
    REQUIRE(synth_scene_open(&s, records, &single, "600", 1));
    sc_mst_plan_init(&plan);
    plan.is_kept = true;
    REQUIRE_OK(sc_mst_run(&s.rounds, &plan, NULL));
    CHECK_INT(s.released.total, (int64_t)vectors_number(want, "rows"));
    for (size_t i = 0; i < 13; i++) {
        const json_t *edge = json_array_get(tree, i);
        sc_clique pair = 0;
        for (size_t k = 0; k < 14; k++)
            for (size_t end = 0; end < 2; end++)
                if (strcmp(json_string_value(json_array_get(edge, end)),
                           synth_adult_names[k]) == 0)
                    pair |= sc_clique_of(k);
        CHECK_INT(s.released.steps[14 + i].clique, pair);
    }
    sc_mst_plan_clear(&plan);
    synth_scene_close(&s);
    sc_records_free(records);
}
