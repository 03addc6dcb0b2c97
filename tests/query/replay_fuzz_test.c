/* Record and replay over the whole query engine (THREATS.md 0): small random worlds, each with a
 * table, a neighbour and a question. Tests are named after the threats; each has a slant of its own,
 * and all of them check everything that replay_pair.h says. */
#include "check.h"
#include "ledger/bundle.h"
#include "query/plan/plan.h"
#include "random/bits_tape.h"
#include "replay_pair.h"
#include "store_memory.h"
#include "vault/vault_tape.h"

#include <stdio.h>
#include <string.h>

/* A further look of a test at a pair that was answered. */
typedef void look(const replay_pair *pair, const replay_world *world, uint64_t seed);

/* Pairs of one question. */
static bool replay_question(replay_world *world, const scrim_plan *plan,
                            const replay_slant *slant, uint64_t first, uint64_t count,
                            look *besides)
{
    bool goes_on = true;
    for (uint64_t seed = first; goes_on && seed < first + count; seed++) {
        replay_pair pair;
        replay_world_fill(world, slant, seed);
        goes_on = replay_pair_run(&pair, world, plan, seed) &&
                  replay_pair_check(&pair, world, seed);
        if (goes_on && besides != NULL)
            besides(&pair, world, seed);
        replay_pair_free(&pair);
    }
    return goes_on;
}

/* Pairs of one slant; a plan takes longer than a run, so that questions have several each. They begin at multiples of 2
 * or 60, so that some pair of each four questions plans anew. */
static void replay(const replay_slant *slant, uint64_t number, uint64_t count,
                   look *besides)
{
    static replay_world world;
    const uint64_t each = check_is_long() ? 60 : 2;
    uint64_t done = 0, tried = 0;
    bool goes_on = replay_path(&world);
    for (; goes_on && done < count; tried++) {
        const uint64_t seed = (check_seed() << 44) + (number << 28) + tried * each;
        scrim_plan *plan = NULL;
        replay_world_ask(&world, slant, seed);
        if (replay_plan(&world, 1 + (unsigned)(seed % 3), &plan)) {
            goes_on = replay_question(&world, plan, slant, seed, each, besides);
            done += each;
        }
        scrim_plan_free(plan);
        /* A test of refusals alone would show nothing. */
        goes_on = goes_on && CHECK(tried < 10 + 2 * count / each);
    }
    replay_path_remove(&world);
}

/* 10^5 pairs in the long campaign: the calls of pairs() below are 73 counts, with their factors, and 20,000 of anything. */
#define QUICK 2
#define FULL 1200

static uint64_t pairs(void)
{
    return check_count_whole(QUICK, FULL) / check_every(2);
}

/* Sums and types. */

/* Sums of 32 and of 64 bits that one unit takes across the end of their range. */
SLOW_TEST(replay_A14_sums_do_not_wrap)
{
    replay(
        &(replay_slant){.aggregates = "b", .cell = "9223372036854775807", .victim = 40},
        14, pairs(), NULL);
    replay(&(replay_slant){.aggregates = "bs", .cell = "-9223372036854775808"}, 15,
           pairs(), NULL);
    replay(&(replay_slant){.value = "CLAMP(big, 0, 1000000000)",
                           .aggregates = "s",
                           .cell = "1e18",
                           .keys = REPLAY_NO_KEYS,
                           .change = REPLAY_EMPTIED,
                           .reach = 1,
                           .padding = 2},
           114, pairs(), NULL);
    replay(&(replay_slant){.value = "big",
                           .aggregates = "s",
                           .cell = "9223372036854775807",
                           .keys = REPLAY_NO_KEYS,
                           .change = REPLAY_EMPTIED,
                           .reach = 1,
                           .padding = 1023},
           115, pairs(), NULL);
}

/* The order of rows, blocks and workers: not a single number differs. */
static void look_same(const replay_pair *p, const replay_world *w, uint64_t seed)
{
    (void)w;
    for (size_t i = 0; i < sc_recorder_count(p->first); i++) {
        const sc_recorder_call *a = sc_recorder_at(p->first, i),
                               *b = sc_recorder_at(p->second, i);
        if (a->count != b->count ||
            memcmp(a->input, b->input, a->count * sizeof *a->input) != 0)
            CHECK_FAIL("seed %llu: another order, another input: %s",
                       (unsigned long long)seed, a->line);
    }
}

SLOW_TEST(replay_A16_A17_the_order_of_rows_does_not_matter)
{
    replay(&(replay_slant){.change = REPLAY_NO_CHANGE, .victim = 20}, 16, pairs(),
           look_same);
    replay(&(replay_slant){.change = REPLAY_NO_CHANGE, .aggregates = "b"}, 17, pairs(),
           look_same);
}

SLOW_TEST(replay_A18_sensitivities_of_odd_ranges_are_rounded_up)
{
    replay(&(replay_slant){.value = "odd", .aggregates = "saav", .cell = "2"}, 18,
           pairs(), NULL);
    replay(&(replay_slant){.value = "pay * 3 - 0.5", .aggregates = "sav", .reach = 3},
           118, pairs(), NULL);
}

SLOW_TEST(replay_A18_the_farther_end_of_a_range_counts)
{
    replay(&(replay_slant){.value = "odd - age", .aggregates = "s", .cell = "100"}, 218,
           pairs(), NULL);
    replay(&(replay_slant){.value = "age", .aggregates = "sr", .cell = "100"}, 318,
           pairs(), NULL);
}

SLOW_TEST(replay_A19_cells_that_are_no_numbers)
{
    replay(&(replay_slant){.hostile = 60}, 19, pairs(), NULL);
    replay(&(replay_slant){.cell = "NaN"}, 119, pairs(), NULL);
}

SLOW_TEST(replay_A20_variances_are_made_of_sums)
{
    replay(&(replay_slant){.aggregates = "v", .victim = 20}, 20, pairs(), NULL);
    /* At an end of the range, and in the middle of it. */
    replay(&(replay_slant){.aggregates = "v", .value = "age", .cell = "100"}, 120,
           pairs(), NULL);
    replay(&(replay_slant){.aggregates = "v", .value = "age", .cell = "50"}, 220, pairs(),
           NULL);
}

SLOW_TEST(replay_A21_one_huge_value_is_clamped)
{
    replay(&(replay_slant){.cell = "1e300", .aggregates = "sa"}, 21, pairs(), NULL);
    replay(&(replay_slant){.cell = "-1e300", .aggregates = "v"}, 121, pairs(), NULL);
    replay(&(replay_slant){.cell = "1e300", .victim = 30}, 221, pairs(), NULL);
}

/* The largest value is that of a histogram whose last bucket it cannot leave. */
SLOW_TEST(replay_A21_one_huge_value_moves_a_maximum_within_its_claim)
{
    replay(&(replay_slant){.cell = "1e300", .aggregates = "m"}, 321, 2 * pairs(), NULL);
    replay(&(replay_slant){.cell = "-1e300", .aggregates = "h", .victim = 30}, 421,
           pairs(), NULL);
}

SLOW_TEST(replay_A22_expressions_are_bounded_by_their_own_range)
{
    replay(&(replay_slant){.value = "CASE WHEN age = 42 THEN 1000000000 ELSE 0 END",
                           .cell = "42",
                           .aggregates = "sa"},
           22, pairs(), NULL);
    replay(&(replay_slant){.value = "age * 1000000 - pay", .aggregates = "sabr"}, 122,
           pairs(), NULL);
}

SLOW_TEST(replay_A24_bounds_belong_to_values)
{
    replay(&(replay_slant){.value = "ROUND(CLAMP(pay * 3, -5, 700) / 7)",
                           .aggregates = "savq"},
           24, pairs(), NULL);
}

/* Units and contributions. */

SLOW_TEST(replay_A29_all_rows_of_a_unit_count_as_one)
{
    replay(&(replay_slant){.victim = 120, .with_units = true}, 29, pairs(), NULL);
}

/* Totals of a person: all rows of the unit that changes, clamped once. */
SLOW_TEST(replay_A29_totals_of_a_unit_are_clamped)
{
    replay(&(replay_slant){.with_totals = true, .with_units = true, .aggregates = "s"},
           129, pairs(), NULL);
    replay(&(replay_slant){.with_totals = true,
                           .with_units = true,
                           .victim = 60,
                           .cell = "1e300",
                           .aggregates = "sbcar"},
           229, pairs(), NULL);
    replay(&(replay_slant){.with_totals = true,
                           .with_units = true,
                           .victim = 60,
                           .cell = "-1e300",
                           .neighbours = SCRIM_REPLACE,
                           .aggregates = "sb"},
           329, pairs(), NULL);
    replay(&(replay_slant){.with_totals = true,
                           .with_units = true,
                           .keys = REPLAY_DISCOVERED,
                           .victim = 30,
                           .aggregates = "sba"},
           429, pairs(), NULL);
}

/* Rows that somebody brings, wherever they stand, evict nobody's. */
SLOW_TEST(replay_A30_rows_of_others_stay)
{
    replay(&(replay_slant){.victim = 120,
                           .with_units = true,
                           .neighbours = SCRIM_ADD_REMOVE,
                           .reach = 2,
                           .aggregates = "sq"},
           30, pairs(), NULL);
}

static void add_product(sc_ratio *sum, const sc_ratio *x, uint64_t by)
{
    sc_ratio product;
    sc_ratio_init(&product);
    sc_ratio_set_int64(&product, (int64_t)by);
    sc_ratio_mul(&product, &product, x);
    sc_ratio_add(sum, sum, &product);
    sc_ratio_clear(&product);
}

#define MOST_PARTS 64

/* The draws, a part once. */
typedef struct drawn_parts {
    scrim_measurement *claims[MOST_PARTS];
    size_t count;
    sc_bundle *bundle;
    sc_ratio epsilon, delta; /* sums */
} drawn_parts;

static bool is_first_of_part(const sc_recorder *recorder, size_t index)
{
    const size_t part = sc_recorder_at(recorder, index)->part;
    for (size_t i = 0; i < index; i++)
        if (sc_recorder_at(recorder, i)->part == part)
            return false;
    return true;
}

static void collect_drawn(drawn_parts *drawn, const sc_recorder *recorder,
                          scrim_neighbours neighbours)
{
    *drawn = (drawn_parts){.count = 0};
    sc_ratio_init(&drawn->epsilon);
    sc_ratio_init(&drawn->delta);
    REQUIRE_OK(sc_bundle_new(neighbours, &drawn->bundle, NULL));
    for (size_t i = 0; i < sc_recorder_count(recorder); i++) {
        const sc_recorder_call *call = sc_recorder_at(recorder, i);
        if (!is_first_of_part(recorder, i))
            continue;
        REQUIRE(drawn->count < MOST_PARTS);
        scrim_measurement **m = &drawn->claims[drawn->count];
        size_t index;
        REQUIRE_OK(scrim_measurement_parse(call->line, m, NULL));
        drawn->count++;
        REQUIRE_OK(sc_bundle_add(drawn->bundle, *m, call->copies, &index, NULL));
        add_product(&drawn->epsilon, &(*m)->cost.epsilon, call->copies);
        add_product(&drawn->delta, &(*m)->cost.delta, call->copies);
    }
}

static void drawn_clear(drawn_parts *drawn)
{
    sc_bundle_free(drawn->bundle);
    for (size_t i = 0; i < drawn->count; i++)
        scrim_measurement_free(drawn->claims[i]);
    sc_ratio_clear(&drawn->delta);
    sc_ratio_clear(&drawn->epsilon);
}

/* How what the parts cost together, when they are declared anew, compares with a charge that is
 * less than their sum. */
static int compare_joint(drawn_parts *drawn, const sc_ratio *charged,
                         const sc_ratio *delta)
{
    const sc_exact_cost *joint = NULL;
    if (CHECK_STATUS(sc_bundle_fix(drawn->bundle, delta, NULL), SCRIM_OK) &&
        CHECK_STATUS(sc_bundle_join(drawn->bundle, delta, NULL), SCRIM_OK))
        joint = sc_bundle_joint(drawn->bundle);
    return joint == NULL ? 1 : sc_ratio_compare(&joint->epsilon, charged);
}

/* The charge is the sum over the parts that were drawn, exactly, or what they cost together where
 * that is less; where a part was not drawn, as no group was kept, it is more. */
static void look_charged(const replay_pair *p, const replay_world *w, uint64_t seed)
{
    drawn_parts drawn;
    sc_ratio charged, delta;
    sc_ratio_init(&charged);
    sc_ratio_init(&delta);
    collect_drawn(&drawn, p->first, w->neighbours);
    CHECK_STATUS(sc_ratio_parse(sc_text_of(p->here.amount), &charged, NULL), SCRIM_OK);
    CHECK_STATUS(sc_ratio_parse(sc_text_of(p->here.delta), &delta, NULL), SCRIM_OK);
    int order = sc_ratio_compare(&drawn.epsilon, &charged);
    int order_delta = sc_ratio_compare(&drawn.delta, &delta);
    if (order > 0) {
        order = compare_joint(&drawn, &charged, &delta);
        order_delta = 0;
    }
    /* A question that finds its bounds is charged the whole delta, used or not. */
    const bool is_whole = drawn.count == p->here.parts &&
                          (w->options.bounds == NULL || sc_ratio_sign(&delta) == 0);
    if (order > 0 || order_delta > 0 || (is_whole && (order != 0 || order_delta != 0)))
        CHECK_FAIL("seed %llu: the parts do not sum up to the charge: %s\n%s",
                   (unsigned long long)seed, w->queries[0], p->here.text);
    drawn_clear(&drawn);
    sc_ratio_clear(&delta);
    sc_ratio_clear(&charged);
}

SLOW_TEST(replay_A31_parts_sum_to_the_charge)
{
    replay(&(replay_slant){.without_delta = true}, 31, pairs(), look_charged);
    replay(&(replay_slant){.noise = "laplace"}, 131, pairs(), look_charged);
}

/* A question that finds its bounds: the ladder and the question are drawn within one charge, whatever total was found,
 * and the same answers give the same total for a neighbour. */
SLOW_TEST(replay_A24_A31_bounds_that_are_found)
{
    CLAIM("auto-bounds.once");
    const replay_slant none = {.aggregates = "csav",
                               .keys = REPLAY_NO_KEYS,
                               .bounds = "auto",
                               .with_units = true,
                               .without_delta = true,
                               .victim = 60};
    replay_slant public = none;
    public.keys = REPLAY_PUBLIC_KEYS;
    public.bounds = "auto=1/3";
    replay(&none, 24, pairs(), look_charged);
    replay(&public, 124, pairs(), look_charged);
}

/* So are bounds of totals, on both sides of 0. */
SLOW_TEST(replay_A24_A31_totals_that_are_found)
{
    CLAIM("auto-bounds.once");
    const replay_slant none = {.aggregates = "sssca",
                               .value = "pay",
                               .keys = REPLAY_NO_KEYS,
                               .bounds = "auto",
                               .ranges = "pay=auto",
                               .with_units = true,
                               .without_delta = true,
                               .victim = 60};
    replay_slant public = none;
    public.keys = REPLAY_PUBLIC_KEYS;
    replay(&none, 424, pairs(), look_charged);
    replay(&public, 524, pairs(), look_charged);
}

/* The same with private keys, quantiles and histograms, and with a delta. */
SLOW_TEST(replay_A24_A31_bounds_that_are_found_with_a_delta)
{
    CLAIM("auto-bounds.once");
    const replay_slant private = {
        .keys = REPLAY_DISCOVERED, .bounds = "auto", .with_units = true, .victim = 60};
    replay_slant ranks = private;
    ranks.keys = REPLAY_PUBLIC_KEYS;
    ranks.aggregates = "qm";
    replay(&private, 224, pairs(), look_charged);
    replay(&ranks, 324, pairs(), look_charged);
}

/* Parameters and types. */

SLOW_TEST(replay_A34_parameters_do_not_depend_on_data)
{
    static const replay_slant slants[] = {
        {.cell = "99", .victim = 1},                /* another largest value */
        {.cell = "1e9"},                            /* one beyond the range */
        {.keys = REPLAY_DISCOVERED, .hostile = 30}, /* another category */
        {.victim = 1, .keys = REPLAY_NO_KEYS},      /* one row more */
        {.change = REPLAY_EMPTIED, .keys = REPLAY_PUBLIC_KEYS},
    };
    for (size_t i = 0; i < COUNT(slants); i++)
        replay(&slants[i], 340 + i, pairs(), NULL);
}

SLOW_TEST(replay_A35_a_cell_does_not_change_a_type)
{
    replay(&(replay_slant){.cell = "x", .victim = 2}, 35, pairs(), NULL);
    replay(&(replay_slant){.line = "\"", .victim = 1}, 135, pairs(), NULL);
}

/* Behind 100 000 rows of others. */
SLOW_TEST(replay_A35_nor_does_one_far_behind)
{
    static replay_world world;
    const replay_slant slant = {.cell = "x", .victim = 2, .noise = "laplace"};
    uint64_t done = 0;
    REQUIRE(replay_path(&world));
    for (uint64_t seed = 1; done < check_count_whole(1, 50); seed++) {
        scrim_plan *plan = NULL;
        replay_world_ask(&world, &slant, seed);
        world.padding = 100000;
        if (replay_plan(&world, 2, &plan))
            done += replay_question(&world, plan, &slant, seed, 1, NULL) ? 1 : 1000;
        scrim_plan_free(plan);
    }
    CHECK(done < 1000);
    replay_path_remove(&world);
}

/* Groups. */

SLOW_TEST(replay_A39_a_unit_in_many_groups_is_charged_for_all)
{
    /* One question each would not find that only one group is charged. */
    replay(&(replay_slant){.victim = 60,
                           .with_units = true,
                           .keys = REPLAY_PUBLIC_KEYS,
                           .aggregates = "q"},
           39, 2 * pairs(), NULL);
    replay(&(replay_slant){.victim = 60, .with_units = true, .keys = REPLAY_DISCOVERED},
           139, 2 * pairs(), NULL);
    replay(&(replay_slant){.victim = 60,
                           .with_units = true,
                           .keys = REPLAY_PUBLIC_KEYS,
                           .neighbours = SCRIM_REPLACE},
           239, 2 * pairs(), NULL);
}

/* A row meets at most one row of a public table, so that a unit moves joined rows as far as its own: with NULL as one
 * more key of a LEFT JOIN, and whether its rows meet one or not. */
SLOW_TEST(replay_X18_X19_a_joined_row_is_a_row)
{
    CLAIM("joined.stability");
    replay(&(replay_slant){.with_joins = true, .victim = 30}, 918, pairs(), NULL);
    replay(&(replay_slant){.with_joins = true,
                           .with_units = true,
                           .keys = REPLAY_PUBLIC_KEYS,
                           .without_delta = true,
                           .victim = 60,
                           .aggregates = "cdsa"},
           919, 3 * pairs(), look_charged);
    replay(&(replay_slant){.with_joins = true,
                           .keys = REPLAY_DISCOVERED,
                           .neighbours = SCRIM_REPLACE,
                           .hostile = 20,
                           .aggregates = "csad"},
           921, pairs(), NULL);
}

/* A unit has at most max-groups times max-rows elements in all histograms together. */
SLOW_TEST(replay_A39_a_unit_has_elements_in_all_histograms)
{
    static const scrim_neighbours both[] = {SCRIM_ADD_REMOVE, SCRIM_REPLACE};
    for (size_t i = 0; i < COUNT(both); i++) {
        replay(&(replay_slant){.victim = 60,
                               .with_units = true,
                               .keys = REPLAY_PUBLIC_KEYS,
                               .aggregates = "m",
                               .neighbours = both[i]},
               339 + 100 * i, 2 * pairs(), NULL);
        replay(&(replay_slant){.victim = 60,
                               .with_units = true,
                               .keys = REPLAY_DISCOVERED,
                               .aggregates = "h",
                               .neighbours = both[i]},
               389 + 100 * i, 2 * pairs(), NULL);
    }
}

/* Width, q and the number of draws are those of the question. */
SLOW_TEST(replay_A34_buckets_do_not_depend_on_data)
{
    replay(&(replay_slant){.aggregates = "m", .cell = "99", .victim = 1}, 346, pairs(),
           NULL);
    replay(&(replay_slant){.aggregates = "m", .hostile = 30}, 347, pairs(), NULL);
    replay(&(replay_slant){.aggregates = "h", .change = REPLAY_EMPTIED}, 348, pairs(),
           NULL);
}

SLOW_TEST(replay_A54_rows_order_and_digits_are_those_of_what_is_released)
{
    replay(&(replay_slant){.keys = REPLAY_DISCOVERED, .aggregates = "cds"}, 54,
           4 * pairs(), NULL);
    replay(&(replay_slant){.keys = REPLAY_PUBLIC_KEYS, .hostile = 20}, 154, pairs(),
           NULL);
}

/* Each group of a set is a sum of what bounds leave in the finest groups, and no set sees other rows (X13). */
SLOW_TEST(replay_X13_sets_of_keys_are_sums_of_bounded_rows)
{
    CLAIM("plan-sets.reach");
    replay(&(replay_slant){.with_sets = true}, 1013, 2 * pairs(), NULL);
    replay(&(replay_slant){.with_sets = true, .with_units = true, .victim = 40}, 1113,
           2 * pairs(), NULL);
    replay(&(replay_slant){.with_sets = true, .with_totals = true, .hostile = 20}, 1213,
           pairs(), NULL);
}

/* No rows at all, against one unit: the same columns, rows and charge. */
static void look_answered(const replay_pair *p, const replay_world *w, uint64_t seed)
{
    (void)seed;
    for (size_t i = 0; i < w->query_count; i++) {
        CHECK(p->here.columns[i] > 0);
        if (strstr(w->queries[i], "GROUP BY") == NULL)
            CHECK_INT(p->there.rows[i], 1);
    }
    CHECK(p->here.amount[0] != '\0');
}

SLOW_TEST(replay_A26_A55_empty_input_is_answered_like_any_other)
{
    static const replay_slant slants[] = {
        {.change = REPLAY_EMPTIED, .keys = REPLAY_NO_KEYS},
        {.change = REPLAY_EMPTIED, .keys = REPLAY_PUBLIC_KEYS},
        {.change = REPLAY_EMPTIED, .keys = REPLAY_DISCOVERED},
        {.change = REPLAY_EMPTIED, .line = "\"", .keys = REPLAY_PUBLIC_KEYS},
        {.hostile = 100},
    };
    for (size_t i = 0; i < COUNT(slants); i++)
        replay(&slants[i], 550 + i, pairs(), look_answered);
}

SLOW_TEST(replay_of_anything)
{
    replay(&(replay_slant){.hostile = 5}, 1, check_count_whole(16, 20000), NULL);
}

/* Refusals and budgets. */

/* Asks for a plan under a policy that names no source, so that no row can be looked at: it must be
 * refused, with a reason, and nothing is charged; or must not. */
static void ask(const char *policy, const char *query, const char *epsilon,
                const char *delta, bool is_refused)
{
    sc_store *store = NULL;
    scrim_vault *vault = NULL;
    scrim_plan *plan = NULL;
    scrim_budget budget;
    scrim_error error = {.message = ""};
    REQUIRE_OK(store_memory_new(&store, NULL));
    REQUIRE_OK(sc_vault_new(store, 0, &vault, NULL));
    REQUIRE_OK(sc_vault_begin(vault, NULL, NULL, NULL, NULL));
    scrim_status status = scrim_vault_add_dataset(vault, "people", policy, &error);
    if (status == SCRIM_OK)
        status = scrim_plan_new(
            vault, "people", &query, 1,
            SCRIM_OPTIONS(scrim_query_options, .epsilon = epsilon, .delta = delta), &plan,
            NULL, &error);
    if (is_refused ? status == SCRIM_OK || (status / 10 != 2 && status != SCRIM_E_POLICY)
                   : status != SCRIM_OK)
        CHECK_FAIL("%s: %d %s", query, (int)status, error.message);
    CHECK((error.message[0] != '\0') == is_refused);
    if (scrim_vault_budget(vault, 0, NULL, &budget, NULL) == SCRIM_OK)
        CHECK_INT(budget.charges, 0);
    scrim_plan_free(plan);
    scrim_vault_close(vault);
}

static void refused(const char *policy, const char *query, const char *epsilon,
                    const char *delta)
{
    ask(policy, query, epsilon, delta, true);
}

TEST(replay_A23_without_bounds_there_is_no_answer)
{
    static const char *const columns[] = {
        "int", "int[5,5]", "int[1,0]", "int[NaN,1]", "decimal[0,inf]", "decimal[0,1]/0"};
    static const char *const tokens[][2] = {{"0", NULL},   {"-1", NULL},   {"inf", NULL},
                                            {"NaN", NULL}, {NULL, NULL},   {"1", "1"},
                                            {"1", "-1"},   {"1e999", NULL}};
    char policy[300];
    ask("unit=who\ncolumn=x=int[0,9]\nmax-groups=1\nmax-rows=2\nneighbours=add-remove\n"
        "budget=epsilon=9\n",
        "SELECT SUM(x)", "1", NULL, false);
    for (size_t i = 0; i < COUNT(columns); i++) {
        snprintf(policy, sizeof policy,
                 "unit=row\ncolumn=x=%s\nneighbours=add-remove\nbudget=epsilon=9\n",
                 columns[i]);
        refused(policy, "SELECT SUM(x)", "1", NULL);
    }
    static const char *const reaches[] = {"max-groups=0\nmax-rows=1",
                                          "max-groups=1\nmax-rows=0",
                                          "max-groups=1\nmax-rows=-1",
                                          "max-groups=1\nmax-rows=NaN",
                                          "max-groups=1",
                                          "max-rows=1",
                                          "rows-per-unit=2",
                                          "rows-per-unit=1\nmax-rows=1",
                                          ""};
    for (size_t i = 0; i < COUNT(reaches); i++) {
        snprintf(policy, sizeof policy,
                 "unit=who\ncolumn=x=int[0,9]\n%s\nneighbours=add-remove\n"
                 "budget=epsilon=9\n",
                 reaches[i]);
        refused(policy, "SELECT SUM(x)", "1", NULL);
    }
    for (size_t i = 0; i < COUNT(tokens); i++)
        refused("unit=row\ncolumn=x=int[0,9]\nneighbours=add-remove\nbudget=epsilon=9\n",
                "SELECT SUM(x)", tokens[i][0], tokens[i][1]);
    refused("unit=row\ncolumn=x=int[0,9]\nbudget=epsilon=9\n", "SELECT SUM(y)", "1",
            NULL);
    refused("unit=row\ncolumn=x=int[0,9]\nneighbours=add-remove\nbudget=epsilon=9\n",
            "SELECT SUM(0 * x)", "1", NULL);
}

TEST(replay_A25_what_sees_other_rows_is_refused)
{
    static const char *const queries[] = {
        "SELECT SUM(RANK() OVER (ORDER BY x))",
        "SELECT SUM(ROW_NUMBER())",
        "SELECT SUM(LAG(x))",
        "SELECT SUM(DENSE_RANK(x))",
        "SELECT SUM((x - AVG(x)) / STDDEV(x))",
        "SELECT SUM(x / SUM(x))",
        "SELECT SUM(rowid)",
        "SELECT SUM(RANDOM())",
        "SELECT COUNT(*) WHERE RANDOM() < 0.5",
        "SELECT SUM(NOW())",
        "SELECT SUM(LAST_INSERT_ROWID())",
        "SELECT SUM(x - (SELECT AVG(x)))",
        "SELECT SUM(PERCENT_RANK(x))",
    };
    for (size_t i = 0; i < COUNT(queries); i++)
        refused("unit=row\ncolumn=x=int[0,9]\nneighbours=add-remove\nbudget=epsilon=9\n",
                queries[i], "1", NULL);
}

/* The rest after a run that ends early, in the words of the account. */
static void left_after(const replay_world *w, const scrim_plan *plan,
                       const replay_table *table, size_t words, scrim_budget *out)
{
    static const uint64_t tape_words[64] = {1, 2, 3, 4, 5, 6, 7, 8};
    sc_tape *tape = NULL;
    scrim_plan own;
    sc_arena arena;
    scrim_result *result = NULL;
    memset(out, 0, sizeof *out);
    REQUIRE(replay_world_write(w, table));
    REQUIRE_OK(sc_tape_words(tape_words, words, &tape, NULL));
    scrim_vault *vault = replay_vault(w);
    REQUIRE(vault != NULL);
    sc_vault_use_bits(vault, sc_tape_bits_of(tape));
    sc_arena_init(&arena);
    REQUIRE(replay_plan_for(vault, plan, &arena, &own));
    scrim_status status = scrim_query_run(vault, &own, &result, NULL);
    CHECK(status == SCRIM_OK || status == SCRIM_E_ENTROPY);
    sc_arena_clear(&arena);
    CHECK((result != NULL) == (status == SCRIM_OK));
    REQUIRE_OK(scrim_vault_budget(vault, 0, NULL, out, NULL));
    scrim_result_free(result);
    scrim_vault_close(vault);
    sc_tape_free(tape);
}

/* A47: a release that fails half-way is charged like any other, whatever the table: no refund. */
SLOW_TEST(replay_A47_what_is_left_is_a_function_of_requests)
{
    static replay_world world;
    const replay_slant slant = {.noise = "laplace"};
    uint64_t done = 0;
    REQUIRE(replay_path(&world));
    for (uint64_t seed = 1; done < check_count_whole(8, 2000); seed++) {
        scrim_plan *plan = NULL;
        scrim_budget here, there;
        replay_world_ask(&world, &slant, seed);
        if (!replay_plan(&world, 1, &plan))
            continue;
        replay_world_fill(&world, &slant, seed);
        for (size_t words = 0; words <= 64; words += 16) {
            left_after(&world, plan, &world.here, words, &here);
            left_after(&world, plan, &world.there, words, &there);
            CHECK_STR(here.left, there.left);
            CHECK_STR(here.left_delta, there.left_delta);
            CHECK_INT(here.charges, there.charges);
        }
        scrim_plan_free(plan);
        done++;
    }
    replay_path_remove(&world);
}
