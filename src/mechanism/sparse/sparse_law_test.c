#include "balls.h"
#include "exact.h"
#include "faults.h"
#include "mechanism/sparse/sparse_law.h"
#include "sparse_plans.h"
#include "vectors.h"

#include <string.h>

/* The queries of a vector. */
static size_t read_queries(const json_t *list, int64_t *out)
{
    size_t i, count = json_array_size(list);
    json_t *value;
    json_array_foreach(list, i, value) out[i] = json_integer_value(value);
    return count;
}

/* The law of a plan on these queries. False, with a failed check, when it has no law. */
static bool law_of(const sc_sparse_plan *plan, const int64_t *queries, size_t count,
                   sc_outcomes *out)
{
    sc_ball total, one;
    sc_private_input input = {.values = queries, .count = count};
    sc_outcomes_init(out, sc_sparse_width(plan, count));
    if (!CHECK_STATUS(
            sc_sparse_law(plan, &sparse_plans_range, &input, EXACT_BITS, out, NULL),
            SCRIM_OK))
        return false;
    sc_ball_init(&total);
    sc_ball_init(&one);
    sc_ball_set_int64(&one, 1);
    sc_outcomes_total(out, EXACT_BITS, &total);
    bool held = CHECK_SAME(&total, &one, 200);
    sc_ball_clear(&one);
    sc_ball_clear(&total);
    return held;
}

/* The probability of a pattern such as "0010". */
static void mass_of(const sc_outcomes *law, const char *pattern, sc_ball *out)
{
    int64_t key[2] = {(int64_t)strlen(pattern), 0};
    for (size_t i = 0; pattern[i] != '\0'; i++)
        key[1] |= (int64_t)(pattern[i] == '1') << i;
    outcomes_mass(law, key, out);
}

/* The patterns of AboveThreshold in the order of the vectors: the first query is above, the
 * second, .., none. */
static void check_first_above(const sc_sparse_plan *plan, const json_t *queries,
                              const json_t *printed)
{
    int64_t values[8];
    size_t count = read_queries(queries, values);
    sc_outcomes law;
    sc_ball mass;
    sc_ball_init(&mass);
    if (law_of(plan, values, count, &law)) {
        CHECK_INT((int64_t)law.count, (int64_t)count + 1);
        for (size_t i = 0; i <= count; i++) {
            char pattern[16] = {0};
            memset(pattern, '0', i < count ? i + 1 : count);
            if (i < count)
                pattern[i] = '1';
            mass_of(&law, pattern, &mass);
            CHECK_PRINTED(&mass, json_string_value(json_array_get(printed, i)));
        }
    }
    sc_ball_clear(&mass);
    sc_outcomes_clear(&law);
}

TEST(sparse_law_of_above_threshold_is_that_of_the_vectors)
{
    CLAIM("sparse-law.encloses");
    json_t *rows = json_object_get(vectors_load("mechanisms", "above_threshold"),
                                   "instances"),
           *row;
    size_t i, monotone = 0;
    CHECK(json_array_size(rows) >= 6);
    json_array_foreach(rows, i, row)
    {
        sparse_plan_scales scales = {"2", "4", NULL};
        sc_sparse_plan plan;
        CHECK_STR(json_string_value(json_object_get(row, "epsilon")), "1");
        if (!sparse_plan_init(&plan, &scales))
            continue;
        plan.level = json_integer_value(json_object_get(row, "threshold"));
        check_first_above(&plan, json_object_get(row, "queries_D"),
                          json_object_get(row, "discrete_D"));
        check_first_above(&plan, json_object_get(row, "queries_Dprime"),
                          json_object_get(row, "discrete_Dprime"));
        sparse_plan_clear(&plan);
        const json_t *other = json_object_get(row, "discrete_monotone_scales_2_2_D");
        scales.query = "2";
        if (other == NULL || !sparse_plan_init(&plan, &scales))
            continue;
        monotone++;
        plan.level = json_integer_value(json_object_get(row, "threshold"));
        check_first_above(&plan, json_object_get(row, "queries_D"), other);
        check_first_above(&plan, json_object_get(row, "queries_Dprime"),
                          json_object_get(row, "discrete_monotone_scales_2_2_Dprime"));
        sparse_plan_clear(&plan);
    }
    CHECK(monotone > 0);
}

static void check_patterns(const sc_sparse_plan *plan, const json_t *queries,
                           json_t *outputs, size_t column)
{
    int64_t values[8];
    size_t count = read_queries(queries, values);
    sc_outcomes law;
    sc_ball mass;
    sc_ball_init(&mass);
    if (law_of(plan, values, count, &law)) {
        const char *pattern;
        json_t *printed;
        CHECK_INT((int64_t)law.count, (int64_t)json_object_size(outputs));
        json_object_foreach(outputs, pattern, printed)
        {
            mass_of(&law, pattern, &mass);
            CHECK_PRINTED(&mass, json_string_value(json_array_get(printed, column)));
        }
    }
    sc_ball_clear(&mass);
    sc_outcomes_clear(&law);
}

TEST(sparse_law_of_both_forms_is_that_of_the_vectors)
{
    CLAIM("sparse-law.encloses");
    json_t *rows = vectors_load("mechanisms", "sparse"), *row;
    size_t i;
    CHECK(json_array_size(rows) >= 4);
    json_array_foreach(rows, i, row)
    {
        /* epsilon 1 and c = 2: scales 2c and 4c with redrawing, 2 and 4c without */
        bool redraws =
            strncmp(json_string_value(json_object_get(row, "variant")), "Sparse", 6) == 0;
        sparse_plan_scales scales = {redraws ? "4" : "2", "8", NULL};
        sc_sparse_plan plan;
        CHECK_STR(json_string_value(json_object_get(row, "epsilon")), "1");
        CHECK_INT(json_integer_value(json_object_get(row, "c")), 2);
        if (!sparse_plan_init(&plan, &scales))
            continue;
        plan.count = plan.stage_count = 2;
        plan.redraws = redraws;
        plan.level = json_integer_value(json_object_get(row, "threshold"));
        check_patterns(&plan, json_object_get(row, "queries_D"),
                       json_object_get(row, "outputs"), 0);
        check_patterns(&plan, json_object_get(row, "queries_Dprime"),
                       json_object_get(row, "outputs"), 1);
        sparse_plan_clear(&plan);
    }
}

/* N queries that are to be below and one that is to be above. */
static void long_run(const sc_sparse_plan *plan, int64_t below_at, uint64_t below,
                     int64_t above_at, sc_ball *out)
{
    const sparse_group groups[] = {{below_at, below, 0}, {above_at, 0, 1}};
    /* of what is as unlikely as 1e-27, 200 bits are asked for all the same */
    CHECK_STATUS(sparse_group_law(plan, groups, 2, EXACT_BITS + 100, out, NULL),
                 SCRIM_OK);
}

TEST(sparse_law_of_long_runs_is_that_of_the_vectors)
{
    CLAIM("sparse-law.encloses");
    json_t *given = vectors_load("mechanisms", "above_threshold_tightness");
    json_t *rows = json_object_get(given, "rows"), *row;
    size_t i;
    sparse_plan_scales scales = {"2", "4", NULL};
    sc_sparse_plan plan;
    sc_ball first, second;
    sc_ball_init(&first);
    sc_ball_init(&second);
    CHECK(json_array_size(rows) >= 6);
    if (!sparse_plan_init(&plan, &scales))
        return;
    json_array_foreach(rows, i, row)
    {
        uint64_t below = (uint64_t)json_integer_value(json_object_get(row, "N"));
        long_run(&plan, 0, below, 0, &first);
        CHECK_PRINTED(&first, json_string_value(json_object_get(row, "p_D")));
        long_run(&plan, 1, below, -1, &second);
        CHECK_PRINTED(&second, json_string_value(json_object_get(row, "p_Dprime")));
        sc_ball_div(&first, &first, &second, EXACT_BITS);
        sc_ball_log(&first, &first, EXACT_BITS);
        CHECK_PRINTED(&first, json_string_value(json_object_get(row, "loss")));
    }
    sparse_plan_clear(&plan);
    sc_ball_clear(&second);
    sc_ball_clear(&first);
}

/* A value's law is that of its own noise: a pattern's outcomes are its probability times those of
 * the values, brought into the range. */
TEST(sparse_law_of_values_is_a_product)
{
    CLAIM("sparse-law.encloses");
    const sparse_plan_scales scales = {"2", "4", "3/2"};
    const int64_t queries[] = {1, -1, 2};
    sc_sparse_plan plan;
    sc_outcomes law, plain;
    sc_ball mass, part, other;
    sc_ball_init(&mass);
    sc_ball_init(&part);
    sc_ball_init(&other);
    REQUIRE(sparse_plan_init(&plan, &scales));
    plan.count = plan.stage_count = 2;
    REQUIRE(law_of(&plan, queries, 3, &law));
    plan.is_numeric = false;
    REQUIRE(law_of(&plan, queries, 3, &plain));
    plan.is_numeric = true;
    CHECK_INT((int)law.width, 4);
    CHECK_INT((int)law.count, 1 + 3 * 9 + 3 * 81);
    /* above, below, above with 0 and at least 4; and the same as a pattern alone */
    outcomes_mass(&law, (const int64_t[]){3, 5, 0, 4}, &mass);
    mass_of(&plain, "101", &other);
    sc_law_pmf(&plan.value.law, 0 - 1, EXACT_BITS, &part);
    sc_ball_mul(&other, &other, &part, EXACT_BITS);
    sc_law_at_least(&plan.value.law, 4 - 2, EXACT_BITS, &part);
    sc_ball_mul(&other, &other, &part, EXACT_BITS);
    CHECK_SAME(&mass, &other, 200);
    sc_outcomes_clear(&plain);
    sc_outcomes_clear(&law);
    sparse_plan_clear(&plan);
    sc_ball_clear(&other);
    sc_ball_clear(&part);
    sc_ball_clear(&mass);
}

/* A threshold that is drawn anew makes runs of their own: "0101" is two of "01". */
TEST(sparse_law_of_redrawn_thresholds_is_a_product)
{
    const sparse_plan_scales scales = {"v9", "4", NULL};
    const int64_t queries[] = {0, 3, 0, 3};
    sc_sparse_plan plan;
    sc_outcomes both, one;
    sc_ball mass, part;
    sc_ball_init(&mass);
    sc_ball_init(&part);
    REQUIRE(sparse_plan_init(&plan, &scales));
    REQUIRE(law_of(&plan, queries, 2, &one));
    plan.count = 2;
    REQUIRE(law_of(&plan, queries, 4, &both)); /* stages of one answer */
    mass_of(&both, "0101", &mass);
    mass_of(&one, "01", &part);
    sc_ball_mul(&part, &part, &part, EXACT_BITS);
    CHECK_SAME(&mass, &part, 200);
    sc_outcomes_clear(&both);
    sc_outcomes_clear(&one);
    sparse_plan_clear(&plan);
    sc_ball_clear(&part);
    sc_ball_clear(&mass);
}

TEST(sparse_law_refuses_what_is_too_large)
{
    static const int64_t queries[64] = {0};
    const sparse_plan_scales wide = {"1e9", "1e9", NULL}, small = {"2", "4", "3"};
    const sc_sparse_range far = {-5000, 5000};
    sc_sparse_plan plan;
    sc_outcomes law;
    sc_outcomes_init(&law, 2);
    REQUIRE(sparse_plan_init(&plan, &wide));
    CHECK_STATUS(sc_sparse_law(&plan, &sparse_plans_range,
                               &(sc_private_input){.values = queries, .count = 3}, 128,
                               &law, NULL),
                 SCRIM_E_LIMIT);
    sparse_plan_clear(&plan);
    REQUIRE(sparse_plan_init(&plan, &small));
    CHECK_STATUS(sc_sparse_law(&plan, &sparse_plans_range,
                               &(sc_private_input){.values = queries, .count = 64}, 128,
                               &law, NULL),
                 SCRIM_E_LIMIT);
    CHECK_STATUS(sc_sparse_law(&plan, &far,
                               &(sc_private_input){.values = queries, .count = 3}, 128,
                               &law, NULL),
                 SCRIM_E_LIMIT);
    plan.count = plan.stage_count = 20;
    CHECK_STATUS(sc_sparse_law(&plan, &sparse_plans_range,
                               &(sc_private_input){.values = queries, .count = 20}, 128,
                               &law, NULL),
                 SCRIM_E_LIMIT);
    sc_outcomes_clear(&law);
    sparse_plan_clear(&plan);
}

TEST(sparse_law_survives_a_lack_of_memory)
{
    const sparse_plan_scales scales = {"1/3", "1/2", "1"};
    const int64_t queries[] = {0, 1, 0};
    sc_sparse_plan plan;
    REQUIRE(sparse_plan_init(&plan, &scales));
    plan.count = plan.stage_count = 2;
    FAULT_LOOP(fault)
    {
        sc_outcomes law;
        sc_outcomes_init(&law, sc_sparse_width(&plan, 3));
        scrim_status status = sc_sparse_law(
            &plan, &sparse_plans_range,
            &(sc_private_input){.values = queries, .count = 3}, 64, &law, NULL);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        sc_outcomes_clear(&law);
    }
    sparse_plan_clear(&plan);
}
