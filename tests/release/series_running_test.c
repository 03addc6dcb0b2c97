/* Series of running totals from end to end: values, intervals, law, charges, refusals. */
#include "check.h"
#include "exact.h"
#include "faults.h"
#include "mechanism/linear/counter.h"
#include "mechanism/noise/additive.h"
#include "noise_checks.h"
#include "query/answer/record.h"
#include "query/answer/running.h"
#include "query/estimate/noise_sum.h"
#include "query/plan/plan_model.h"
#include "random/bits_tape.h"
#include "series_scene.h"
#include "tape_release.h"
#include "vault/vault_tape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_series_options, __VA_ARGS__)
#define TOTALS(count) .releases = (count), .window = "day", .running = 1
#define ROWS "unit=row\n" SERIES_LARGE_BUDGET

static const char counted[] = "SELECT COUNT(*) AS n";

TEST(series_of_totals_is_charged_once)
{
    CLAIM("running.cost");
    CLAIM("series.running");
    query_scene s;
    scrim_series *series = NULL;
    scrim_series_facts facts;
    scrim_series_step step;
    scrim_series_forecast forecast;
    if (!series_scene_begin(&s, ROWS, series_scene_table))
        return;
    CHECK_STATUS(
        series_scene_create(&s, counted, OPTIONS(.epsilon = "100", TOTALS(3)), 0),
        SCRIM_OK);
    series_scene_check_release(&s, 0, "4;", false);
    series_scene_check_spent(&s, "100", 1);
    series_scene_check_refused(&s, 3, SCRIM_E_STATE); /* 2 comes next */
    series_scene_check_release(&s, 2, "7;", false);
    series_scene_check_release(&s, 1, "4;", true);
    scrim_vault_close(s.vault);
    s.vault = NULL;
    REQUIRE_OK(scrim_vault_open(s.base.path, NULL, &s.vault, NULL));
    REQUIRE_OK(scrim_series_read(s.vault, "daily", &series, NULL));
    REQUIRE_OK(scrim_series_forecast_of(s.vault, series, &forecast, NULL));
    CHECK_STR(forecast.total, "0");
    scrim_series_free(series);
    series_scene_check_release(&s, 0, "9;", false);
    series_scene_check_refused(&s, 0, SCRIM_E_STATE);
    series_scene_check_refused(&s, 4, SCRIM_E_PARAM);
    for (uint64_t i = 1; i <= 3; i++)
        series_scene_check_release(&s, i, i == 1 ? "4;" : i == 2 ? "7;" : "9;", true);
    series_scene_check_spent(&s, "100", 3);
    REQUIRE_OK(scrim_series_read(s.vault, "daily", &series, NULL));
    scrim_series_describe(series, &facts);
    CHECK(facts.is_running == 1 && facts.is_parallel == 1);
    REQUIRE_OK(scrim_series_step_at(series, 2, &step, NULL));
    CHECK_STR(step.low, "1");
    CHECK_STR(step.high, "30");
    CHECK_INT(step.draws, 2);
    CHECK_STR(step.amount, "0");
    scrim_series_free(series);
    series_scene_check_verifies(&s);
    query_scene_end(&s);
}

/* Sums that follow from centred ones and rows, by keys, and of more windows than there are rows. */
TEST(series_of_totals_adds_every_number_of_every_key)
{
    CLAIM("series.question");
    query_scene s;
    if (!series_scene_begin(&s, "keys=city=Bonn,Ulm\n" ROWS, series_scene_table))
        return;
    CHECK_STATUS(
        series_scene_create(&s, "SELECT city, COUNT(*) AS n, SUM(day) AS d GROUP BY city",
                            OPTIONS(.epsilon = "1000", TOTALS(5)), 0),
        SCRIM_OK);
    series_scene_check_release(&s, 0, "Bonn,0,0;Ulm,2,3;NULL,0,0;", false);
    series_scene_check_release(&s, 0, "Bonn,2,21;Ulm,3,13;NULL,0,0;", false);
    series_scene_check_release(&s, 0, "Bonn,2,21;Ulm,3,13;NULL,0,0;", false);
    series_scene_check_release(&s, 0, "Bonn,2,21;Ulm,4,34;NULL,0,0;", false);
    series_scene_check_release(&s, 0, "Bonn,2,21;Ulm,4,34;NULL,0,0;", false);
    series_scene_check_spent(&s, "1000", 5);
    series_scene_check_verifies(&s);
    query_scene_end(&s);
}

/* The plan of a release of a declared series. */
static scrim_plan *plan_of(query_scene *s, const scrim_series_options *options,
                           uint64_t number)
{
    scrim_series *series = NULL;
    scrim_plan *plan = NULL;
    CHECK_STATUS(scrim_series_new(s->vault, "planned", "people", counted, options,
                                  &series, NULL, &s->error),
                 SCRIM_OK);
    if (series != NULL)
        CHECK_STATUS(scrim_series_plan(s->vault, series, number, &plan, &s->error),
                     SCRIM_OK);
    scrim_series_free(series);
    return plan;
}

/* The counter lists a node of Laplace noise up to 0, and from 1 on: what is beyond has the same loss. */
static void node_mass(const sc_law *noise, int64_t key, int64_t node, sc_ball *out)
{
    if (noise->functions != &sc_discrete_laplace_law)
        sc_law_pmf(noise, key - node, 128, out);
    else if (key == 0)
        sc_law_at_most(noise, -node, 128, out);
    else
        sc_law_at_least(noise, 1 - node, 128, out);
}

/* All outcomes of the three nodes of a counter, and the same by the noise of three releases. */
static void check_law(query_scene *s, const char *cost,
                      const scrim_series_options *options, size_t outcomes)
{
    static const int64_t steps[] = {4, 3, 2}, nodes[] = {4, 7, 2};
    char line[SC_RATIO_TEXT_BYTES + 80];
    scrim_plan *plans[3];
    const sc_law *noise[3];
    sc_outcomes law;
    SC_OWN(sc_ball, mass, one);
    snprintf(line, sizeof line, "counter steps=3 sensitivity=1 %s neighbours=add-remove",
             cost);
    scrim_measurement *m = tape_measurement(line);
    REQUIRE(m != NULL);
    for (size_t i = 0; i < 3; i++) {
        plans[i] = plan_of(s, options, i + 1);
        REQUIRE(plans[i] != NULL && plans[i]->statements[0].part_count == 1);
        CHECK_INT(plans[i]->statements[0].parts[0].copies, 2);
        noise[i] = sc_noise_law(plans[i]->statements[0].parts[0].measurement);
    }
    sc_outcomes_init(&law, 3);
    REQUIRE_OK(m->mechanism->law(m, &(sc_private_input){.values = steps, .count = 3}, 128,
                                 &law, NULL));
    CHECK(law.count >= outcomes);
    for (size_t i = 0; i < law.count; i++) {
        sc_ball_set_int64(&mass, 1);
        for (size_t k = 0; k < 3; k++) {
            node_mass(noise[k], law.keys[3 * i + k], nodes[k], &one);
            sc_ball_mul(&mass, &mass, &one, 128);
        }
        CHECK(!sc_ball_is_less(&mass, &law.mass[i]) &&
              !sc_ball_is_less(&law.mass[i], &mass));
    }
    sc_outcomes_clear(&law);
    for (size_t i = 0; i < 3; i++)
        scrim_plan_free(plans[i]);
    scrim_measurement_free(m);
}

/* The rho of all draws that one unit changes, as a parameter. */
static void rho_of(query_scene *s, const scrim_series_options *options,
                   char text[SC_RATIO_TEXT_BYTES + 8])
{
    char number[SC_RATIO_TEXT_BYTES];
    SC_OWN(sc_ratio, rho);
    scrim_plan *plan = plan_of(s, options, 1);
    REQUIRE(plan != NULL);
    const sc_drawn_part *part = &plan->statements[0].parts[0];
    const sc_ratio *one = sc_measurement_get(part->measurement, "rho");
    sc_ratio_set_int64(&rho, (int64_t)part->copies);
    if (CHECK(one != NULL))
        sc_ratio_mul(&rho, &rho, one);
    sc_ratio_format(&rho, number, sizeof number);
    snprintf(text, SC_RATIO_TEXT_BYTES + 8, "rho=%s", number);
    scrim_plan_free(plan);
}

TEST(series_of_totals_has_the_law_of_the_counter)
{
    CLAIM("running.law");
    query_scene s;
    char rho[SC_RATIO_TEXT_BYTES + 8] = "";
    const scrim_series_options *gaussian =
        OPTIONS(.epsilon = "20", .delta = "0.1", .mechanism = "gaussian", TOTALS(3));
    if (!series_scene_begin(&s, ROWS, series_scene_table))
        return;
    check_law(&s, "epsilon=1/2", OPTIONS(.epsilon = "1/2", TOTALS(3)), 8);
    rho_of(&s, gaussian, rho);
    check_law(&s, rho, gaussian, 100);
    query_scene_end(&s);
}

/* The noise of each release, whatever its number, has the law of the counter's nodes. */
static void check_noise(query_scene *s, const char *line, uint64_t steps,
                        const scrim_series_options *options)
{
    scrim_measurement *m = tape_measurement(line);
    REQUIRE(m != NULL);
    const sc_law *wanted = &sc_additive_of(m)->law;
    for (uint64_t t = 1; t <= steps; t++) {
        scrim_plan *plan = plan_of(s, options, t);
        REQUIRE(plan != NULL);
        const sc_law *noise = sc_noise_law(plan->statements[0].parts[0].measurement);
        CHECK(noise->functions == wanted->functions &&
              sc_ratio_compare(&noise->shape, &wanted->shape) == 0);
        CHECK_INT(plan->draws, sc_counter_nodes(t));
        scrim_plan_free(plan);
    }
    scrim_measurement_free(m);
}

SLOW_TEST(series_of_totals_has_the_noise_of_the_counter)
{
    CLAIM("running.law");
    query_scene s;
    if (!series_scene_begin(&s, ROWS, series_scene_table))
        return;
    check_noise(&s, "counter steps=3 sensitivity=1 epsilon=1 neighbours=add-remove", 3,
                OPTIONS(.epsilon = "1", TOTALS(3)));
    check_noise(
        &s, "counter steps=30 sensitivity=1 epsilon=1 neighbours=add-remove", 30,
        OPTIONS(.epsilon = "1", .delta = "1e-9", .mechanism = "laplace", TOTALS(30)));
    query_scene_end(&s);
}

/* A delta buys Gaussian noise, where a unit is in many draws, of the same variance at each step. */
SLOW_TEST(series_of_totals_shares_its_rho)
{
    CLAIM("running.law");
    query_scene s;
    char rho[SC_RATIO_TEXT_BYTES + 8] = "", line[SC_RATIO_TEXT_BYTES + 80];
    const scrim_series_options *options =
        OPTIONS(.epsilon = "1", .delta = "0.05", TOTALS(30));
    if (!series_scene_begin(&s, ROWS, series_scene_table))
        return;
    rho_of(&s, options, rho);
    snprintf(line, sizeof line, "counter steps=30 sensitivity=1 %s neighbours=add-remove",
             rho);
    check_noise(&s, line, 30, options);
    query_scene_end(&s);
}

/* Half of the interval above a value, and of the counter's at every step. */
SLOW_TEST(series_of_totals_shows_the_error_of_every_step)
{
    CLAIM("running.error");
    enum { STEPS = 7 };
    query_scene s;
    const int64_t events[STEPS] = {0};
    scrim_certificate certificate;
    scrim_answer *answer = NULL;
    sc_tape *tape = NULL;
    char low[SCRIM_ANSWER_BYTES], high[SCRIM_ANSWER_BYTES];
    scrim_measurement *m =
        tape_measurement("counter steps=7 sensitivity=1 epsilon=1 neighbours=add-remove");
    if (!CHECK(m != NULL) || !series_scene_begin(&s, ROWS, series_scene_table))
        return;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    REQUIRE_OK(scrim_measurement_certify(m, "0.95", STEPS, &certificate, NULL));
    REQUIRE_OK(tape_release(m, &(scrim_input){.integers = events, .count = STEPS}, tape,
                            &answer, NULL, NULL));
    CHECK_STATUS(
        series_scene_create(&s, counted, OPTIONS(.epsilon = "1", TOTALS(STEPS)), 0),
        SCRIM_OK);
    for (size_t i = 0; i < STEPS; i++) {
        scrim_result *result = NULL;
        scrim_plan_output output;
        REQUIRE_OK(scrim_answer_interval(answer, i, &certificate, low, high, NULL));
        const int64_t wanted = (atoll(high) - atoll(low)) / 2;
        REQUIRE_OK(scrim_series_release(s.vault, "daily", 0, NULL, &result, &s.error));
        const scrim_result_cell *cell = scrim_result_cell_at(result, 0, 0, 0);
        if (atoll(cell->value) >= 0)
            CHECK_INT(atoll(cell->high) - atoll(cell->value), wanted);
        scrim_result_free(result);
        scrim_plan *plan = plan_of(&s, OPTIONS(.epsilon = "1", TOTALS(STEPS)), i + 1);
        REQUIRE(plan != NULL);
        REQUIRE_OK(scrim_plan_output_at(plan, 0, 0, &output, NULL));
        CHECK_INT(atoll(output.error), wanted);
        scrim_plan_free(plan);
    }
    series_scene_check_spent(&s, "1", STEPS);
    scrim_answer_free(answer);
    sc_tape_free(tape);
    scrim_measurement_free(m);
    query_scene_end(&s);
}

/* The draw for each node follows from the totals; it has the law, each from its own draw. */
static void check_totals(uint64_t seed, goodness *fit)
{
    enum { STEPS = 5 };
    static const int64_t truth[STEPS + 1] = {0, 2, 5, 5, 8, 9}; /* days 1 to 6, 12, ... */
    int64_t got[STEPS + 1] = {0};
    query_scene s;
    sc_tape *tape = NULL;
    if (!series_scene_begin(&s, ROWS, series_scene_table))
        return;
    REQUIRE_OK(sc_tape_seeded(seed, &tape, NULL));
    sc_vault_use_bits(s.vault, sc_tape_bits_of(tape));
    CHECK_STATUS(
        series_scene_create(&s, counted, OPTIONS(.epsilon = "9", TOTALS(STEPS)), 0),
        SCRIM_OK);
    for (uint64_t t = 1; t <= STEPS; t++) {
        scrim_result *result = NULL;
        REQUIRE_OK(scrim_series_release(s.vault, "daily", t, NULL, &result, &s.error));
        got[t] = atoll(scrim_result_cell_at(result, 0, 0, 0)->value);
        scrim_result_free(result);
        const uint64_t before = t - sc_counter_low(t);
        const sc_int128 noise = (got[t] - truth[t]) - (got[before] - truth[before]);
        goodness_count(fit, &noise, 1);
    }
    sc_vault_use_bits(s.vault, NULL);
    sc_tape_free(tape);
    query_scene_end(&s);
}

SLOW_TEST(series_of_totals_draws_one_noise_for_each_node)
{
    CLAIM("running.law");
    sc_law law;
    goodness fit;
    exact_law(&sc_discrete_laplace_law, "1/3", 0, &law);
    REQUIRE(goodness_init(&fit, &law, GOODNESS_COARSE));
    for (uint64_t i = 0; i < check_count(12, 400); i++)
        check_totals(check_seed() + i, &fit);
    CHECK(goodness_holds(&fit));
    goodness_clear(&fit);
    sc_law_clear(&law);
}

/* A charged total without an answer is finished with its own noise, and added to what it adds to. */
TEST(A84_series_of_totals_finishes_a_charged_release)
{
    CLAIM("series.once");
    query_scene s;
    bool is_pending = false;
    if (!series_scene_begin(&s, ROWS, series_scene_table))
        return;
    CHECK_STATUS(
        series_scene_create(&s, counted, OPTIONS(.epsilon = "100", TOTALS(3)), 0),
        SCRIM_OK);
    series_scene_check_release(&s, 0, "4;", false);
    series_scene_check_release(&s, 0, "7;", false);
    for (size_t words = 1; !is_pending && words < 64; words++) {
        static const uint64_t bits[64] = {1, 2, 3};
        scrim_result *result = NULL;
        sc_tape *tape = NULL;
        scrim_budget budget;
        REQUIRE_OK(sc_tape_words(bits, words, &tape, NULL));
        sc_vault_use_bits(s.vault, sc_tape_bits_of(tape));
        CHECK_STATUS(scrim_series_release(s.vault, "daily", 0, NULL, &result, &s.error),
                     SCRIM_E_ENTROPY);
        sc_vault_use_bits(s.vault, NULL);
        sc_tape_free(tape);
        REQUIRE_OK(scrim_vault_budget(s.vault, 0, NULL, &budget, NULL));
        is_pending = budget.charges == 3;
    }
    CHECK(is_pending);
    series_scene_check_release(&s, 0, "9;", true);
    series_scene_check_release(&s, 3, "9;", true);
    series_scene_check_spent(&s, "100", 3);
    series_scene_check_verifies(&s);
    query_scene_end(&s);
}

static void check_declared(query_scene *s, const char *query,
                           const scrim_series_options *options, scrim_status want,
                           const char *words)
{
    CHECK_STATUS(series_scene_create(s, query, options, 0), want);
    if (!CHECK(strstr(s->error.message, words) != NULL))
        CHECK_STR(s->error.message, words);
}

TEST(series_of_totals_refuses_what_is_no_total)
{
    CLAIM("series.running");
    query_scene s;
    static const char words[] = "use COUNT or SUM without arithmetic";
    static const char *const queries[] = {
        "SELECT AVG(day) AS a",
        "SELECT MEDIAN(day) AS m",
        "SELECT MAX(day) AS m",
        "SELECT COUNT(*) WITH RANGE AS n",
        "SELECT COUNT(*) + 1 AS n",
        series_scene_by_city,
        "SELECT COUNT(DISTINCT city) AS n",
    };
    if (!series_scene_begin(&s, ROWS, series_scene_table))
        return;
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
        check_declared(&s, queries[i],
                       OPTIONS(.epsilon = "1", .delta = "1e-6", TOTALS(3)), SCRIM_E_PARAM,
                       words);
    check_declared(&s, counted, OPTIONS(.epsilon = "1", .releases = 3, .running = 1),
                   SCRIM_E_PARAM, "running totals need windows");
    query_scene_end(&s);
    if (!series_scene_begin(&s, "unit=person\nrows-per-unit=1\n" SERIES_LARGE_BUDGET,
                            series_scene_table))
        return;
    check_declared(&s, counted, OPTIONS(.epsilon = "1", TOTALS(3)), SCRIM_E_POLICY,
                   "running totals need each row as a unit");
    query_scene_end(&s);
}

/* Other groups, or rows that are read in another way, are no part of the totals before. */
TEST(series_of_totals_ends_where_its_groups_change)
{
    CLAIM("series.running");
    query_scene s;
    char policy[600];
    if (!series_scene_begin(&s, "keys=city=Bonn,Ulm\n" ROWS, series_scene_table))
        return;
    CHECK_STATUS(series_scene_create(&s, series_scene_by_city,
                                     OPTIONS(.epsilon = "1000", TOTALS(3)), 0),
                 SCRIM_OK);
    series_scene_check_release(&s, 0, "Bonn,1;Ulm,3;NULL,0;", false);
    CHECK_STATUS(scrim_vault_update_dataset(s.vault, "people", NULL, &s.error), SCRIM_OK);
    series_scene_check_release(&s, 0, "Bonn,2;Ulm,3;NULL,0;", false);
    series_scene_check_spent(&s, "2000", 2); /* each version is charged */
    snprintf(policy, sizeof policy, "%skeys=city=Bonn,Kiel\nunit=row\ncsv=%s\n",
             series_scene_columns, s.table);
    CHECK_STATUS(scrim_vault_set_dataset(s.vault, "people", policy, &s.error), SCRIM_OK);
    series_scene_check_refused(&s, 0, SCRIM_E_POLICY);
    series_scene_check_release(&s, 2, "Bonn,2;Ulm,3;NULL,0;", true);
    series_scene_check_spent(&s, "2000", 2);
    query_scene_end(&s);
}

/* The same groups of rows that are read in another way: windows before and after may share a row. */
TEST(series_of_totals_ends_where_its_rows_change)
{
    CLAIM("series.running");
    query_scene s;
    char policy[600];
    if (!series_scene_begin(&s, ROWS, series_scene_table))
        return;
    CHECK_STATUS(
        series_scene_create(&s, counted, OPTIONS(.epsilon = "1000", TOTALS(3)), 0),
        SCRIM_OK);
    series_scene_check_release(&s, 0, "4;", false);
    snprintf(policy, sizeof policy, "%smissing=day=1\nunit=row\ncsv=%s\n",
             series_scene_columns, s.table);
    CHECK_STATUS(scrim_vault_set_dataset(s.vault, "people", policy, &s.error), SCRIM_OK);
    series_scene_check_refused(&s, 0, SCRIM_E_POLICY);
    series_scene_check_spent(&s, "1000", 1);
    query_scene_end(&s);
}

/* A record is added to only if it has the same numbers of the same groups with the same noise. */
TEST(running_fits_what_was_drawn_alike)
{
    CLAIM("running.law");
    query_scene s;
    if (!series_scene_begin(&s, ROWS, series_scene_table))
        return;
    scrim_plan *plan = plan_of(&s, OPTIONS(.epsilon = "1", TOTALS(3)), 1);
    REQUIRE(plan != NULL);
    const sc_planned_statement *p = &plan->statements[0];
    sc_text noise = sc_text_of(scrim_measurement_text(p->parts[0].measurement));
    sc_text other = sc_text_of("laplace scale=3");
    size_t statistic = p->parts[0].statistic, another = statistic + 1;
    const sc_plan_base base = {.key = {"", 0}}, key = {.key = {"Ulm", 3}};
    sc_record_statement r = {.part_count = 1,
                             .number_count = p->statistics.number_count,
                             .statistics = &statistic,
                             .measurements = &noise};
    sc_record record = {.is_running = true, .statements = &r, .statement_count = 1};
    CHECK(sc_running_fits(plan, &record, &base, 1));
    CHECK(!sc_running_fits(plan, &record, &base, 0));
    CHECK(!sc_running_fits(plan, &record, &key, 1));
    r.measurements = &other;
    CHECK(!sc_running_fits(plan, &record, &base, 1));
    r.measurements = &noise;
    r.statistics = &another;
    CHECK(!sc_running_fits(plan, &record, &base, 1));
    r.statistics = &statistic;
    r.number_count++;
    CHECK(!sc_running_fits(plan, &record, &base, 1));
    r.number_count--;
    record.is_running = false;
    CHECK(!sc_running_fits(plan, &record, &base, 1));
    scrim_plan_free(plan);
    query_scene_end(&s);
}

FAULT_TEST(series_of_totals_survives_without_memory)
{
    query_scene s;
    if (!series_scene_begin(&s, ROWS, series_scene_table))
        return;
    CHECK_STATUS(
        series_scene_create(&s, counted, OPTIONS(.epsilon = "100", TOTALS(3)), 0),
        SCRIM_OK);
    series_scene_check_release(&s, 0, "4;", false);
    series_scene_check_release(&s, 0, "7;", false);
    FAULT_LOOP(adding)
    {
        scrim_result *result = NULL;
        scrim_error error;
        const scrim_status status =
            scrim_series_release(s.vault, "daily", 3, NULL, &result, &error);
        CHECK(status == SCRIM_OK || status == SCRIM_E_MEMORY || status == SCRIM_E_LEDGER);
        scrim_result_free(result);
    }
    series_scene_check_release(&s, 3, "9;", true);
    series_scene_check_spent(&s, "100", 3);
    series_scene_check_verifies(&s);
    query_scene_end(&s);
}
