/* Series of releases from end to end: what is released, charged, forecast and refused. */
#include "check.h"
#include "faults.h"
#include "random/bits_tape.h"
#include "series_scene.h"
#include "vault/vault_tape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_series_options, __VA_ARGS__)

TEST(series_releases_windows_one_after_the_other)
{
    CLAIM("series.question");
    CLAIM("series.once");
    query_scene s;
    scrim_series *series = NULL;
    scrim_series_facts facts;
    scrim_series_step step;
    if (!series_scene_begin(&s, "unit=person\n" SERIES_LARGE_BUDGET, series_scene_table))
        return;
    CHECK_STATUS(
        series_scene_create(&s, "SELECT COUNT(*) AS n",
                            OPTIONS(.epsilon = "100", .releases = 3, .window = "day"), 0),
        SCRIM_OK);
    series_scene_check_spent(&s, "0", 0);
    series_scene_check_release(&s, 0, "4;", false);
    series_scene_check_refused(&s, 3, SCRIM_E_STATE); /* 2 comes next */
    series_scene_check_release(&s, 2, "3;", false);
    series_scene_check_release(&s, 1, "4;", true);
    series_scene_check_spent(&s, "200", 2);
    series_scene_check_release(&s, 0, "2;", false);
    series_scene_check_refused(&s, 0, SCRIM_E_STATE);
    series_scene_check_refused(&s, 4, SCRIM_E_PARAM);
    series_scene_check_release(&s, 3, "2;", true);
    series_scene_check_spent(&s, "300", 3); /* one person can be in all of them */
    REQUIRE_OK(scrim_series_read(s.vault, "daily", &series, NULL));
    scrim_series_describe(series, &facts);
    CHECK_INT(facts.made, 3);
    CHECK_INT(facts.next, 0);
    CHECK_INT(facts.is_parallel, 0);
    CHECK_STR(facts.spent, "300");
    CHECK_STR(facts.window, "day");
    REQUIRE_OK(scrim_series_step_at(series, 1, &step, NULL));
    CHECK_STR(step.low, "11");
    CHECK_STR(step.high, "20");
    CHECK_STR(step.amount, "100");
    CHECK(step.release > 0);
    CHECK_STATUS(scrim_series_step_at(series, 3, &step, NULL), SCRIM_E_PARAM);
    scrim_series_free(series);
    series_scene_check_verifies(&s);
    query_scene_end(&s);
}

TEST(series_releases_a_version_once)
{
    CLAIM("series.once");
    query_scene s;
    if (!series_scene_begin(&s, "unit=person\n" SERIES_LARGE_BUDGET, series_scene_table))
        return;
    CHECK_STATUS(series_scene_create(&s, "SELECT COUNT(*) AS n",
                                     OPTIONS(.epsilon = "100", .releases = 2), 0),
                 SCRIM_OK);
    series_scene_check_release(&s, 0, "4;", false);
    series_scene_check_release(&s, 0, "4;", true);
    series_scene_check_refused(&s, 2, SCRIM_E_STATE); /* of a version that is not there */
    CHECK_STR(s.error.message, "release 2 is of the next version");
    series_scene_check_spent(&s, "100", 1);
    CHECK(query_scene_write(&s, "person,day,city\na,1,Ulm\n"));
    series_scene_check_refused(&s, 2, SCRIM_E_STATE); /* nor is the new one declared */
    CHECK_STATUS(scrim_vault_update_dataset(s.vault, "people", NULL, &s.error), SCRIM_OK);
    CHECK(query_scene_write(&s, "person,day,city\nab,1,Ulm\n"));
    series_scene_check_refused(&s, 2,
                               SCRIM_E_INPUT); /* not what the version was declared as */
    CHECK_STATUS(scrim_vault_update_dataset(s.vault, "people", NULL, &s.error), SCRIM_OK);
    series_scene_check_release(&s, 0, "1;", false);
    series_scene_check_release(&s, 0, "1;", true);
    series_scene_check_release(&s, 1, "4;", true);
    series_scene_check_spent(&s, "200", 2);
    /* a new version is a new release even if nothing in it has changed, and there are no more */
    CHECK_STATUS(scrim_vault_update_dataset(s.vault, "people", NULL, &s.error), SCRIM_OK);
    series_scene_check_refused(&s, 0, SCRIM_E_STATE);
    CHECK_STATUS(scrim_vault_remove_dataset(s.vault, "people", &s.error), SCRIM_OK);
    series_scene_check_refused(&s, 0, SCRIM_E_POLICY);
    series_scene_check_release(&s, 2, "1;", true);
    query_scene_end(&s);
}

TEST(series_of_rows_is_charged_once)
{
    CLAIM("series.charged");
    CLAIM("series.parallel");
    query_scene s;
    scrim_series *series = NULL;
    scrim_series_facts facts;
    scrim_series_forecast forecast;
    if (!series_scene_begin(&s, "unit=row\n" SERIES_LARGE_BUDGET, series_scene_table))
        return;
    CHECK_STATUS(
        series_scene_create(&s, "SELECT COUNT(*) AS n",
                            OPTIONS(.epsilon = "100", .releases = 3, .window = "day"), 0),
        SCRIM_OK);
    series_scene_check_release(&s, 0, "4;", false);
    series_scene_check_spent(&s, "100", 1);
    series_scene_check_release(&s, 0, "3;", false);
    series_scene_check_release(&s, 0, "2;", false);
    series_scene_check_spent(&s, "100", 3);
    series_scene_check_verifies(&s);
    /* and so it is in a vault that is opened anew */
    scrim_vault_close(s.vault);
    s.vault = NULL;
    REQUIRE_OK(scrim_vault_open(s.base.path, NULL, &s.vault, NULL));
    series_scene_check_spent(&s, "100", 3);
    REQUIRE_OK(scrim_series_read(s.vault, "daily", &series, NULL));
    scrim_series_describe(series, &facts);
    CHECK_INT(facts.is_parallel, 1);
    CHECK_STR(facts.spent, "100");
    REQUIRE_OK(scrim_series_forecast_of(s.vault, series, &forecast, NULL));
    CHECK_STR(forecast.total, "0");
    scrim_series_free(series);
    query_scene_end(&s);
}

/* Rows that a program pushes have no contents by which one version is known: a row may be in several windows, one push
 * after another. Each window is charged. */
TEST(A104_series_of_pushed_rows_is_not_parallel)
{
    CLAIM("series.parallel");
    query_scene s;
    char policy[500];
    if (!series_scene_begin(&s, "unit=row\n" SERIES_LARGE_BUDGET, series_scene_table))
        return;
    snprintf(policy, sizeof policy, "%sunit=row\nneighbours=add-remove\n%s",
             series_scene_columns, SERIES_LARGE_BUDGET);
    REQUIRE_OK(scrim_vault_add_dataset(s.vault, "pushed", policy, &s.error));
    static const char *const names[] = {"people", "pushed"};
    for (size_t i = 0; i < COUNT(names); i++)
        for (int running = 0; running < 2; running++) {
            scrim_series *series = NULL;
            scrim_series_facts facts;
            const scrim_status status =
                scrim_series_new(s.vault, "daily", names[i], "SELECT COUNT(*) AS n",
                                 OPTIONS(.epsilon = "1", .releases = 3, .window = "day",
                                         .running = running),
                                 &series, NULL, &s.error);
            if (running && i == 1) {
                CHECK_STATUS(status, SCRIM_E_POLICY);
                continue;
            }
            if (CHECK_STATUS(status, SCRIM_OK)) {
                scrim_series_describe(series, &facts);
                CHECK_INT(facts.is_parallel, i == 0);
            }
            scrim_series_free(series);
        }
    query_scene_end(&s);
}

/* Other terms move no row into another window: nothing is charged again. */
SLOW_TEST(series_of_rows_is_charged_once_whatever_the_terms)
{
    CLAIM("vault.terms");
    query_scene s;
    char *policy = NULL, other[700];
    if (!series_scene_begin(&s, "unit=row\n" SERIES_LARGE_BUDGET, series_scene_table))
        return;
    CHECK_STATUS(
        series_scene_create(&s, "SELECT COUNT(*) AS n",
                            OPTIONS(.epsilon = "100", .releases = 3, .window = "day"), 0),
        SCRIM_OK);
    series_scene_check_release(&s, 0, "4;", false);
    REQUIRE_OK(scrim_vault_policy(s.vault, "people", &policy, &s.error));
    snprintf(other, sizeof other, "%scap=epsilon=150\nquantum=0.001\n", policy);
    CHECK_STATUS(scrim_vault_set_dataset(s.vault, "people", other, &s.error), SCRIM_OK);
    series_scene_check_release(&s, 0, "3;", false);
    series_scene_check_spent(&s, "100", 2);
    CHECK_STATUS(scrim_vault_set_dataset(s.vault, "people", policy, &s.error), SCRIM_OK);
    series_scene_check_release(&s, 0, "2;", false);
    series_scene_check_release(&s, 1, "4;", true);
    series_scene_check_spent(&s, "100", 3);
    series_scene_check_verifies(&s);
    scrim_vault_text_free(policy);
    query_scene_end(&s);
}

TEST(series_of_rows_goes_on_in_a_vault_that_was_opened_anew)
{
    CLAIM("series.parallel");
    query_scene s;
    if (!series_scene_begin(&s, "unit=row\n" SERIES_LARGE_BUDGET, series_scene_table))
        return;
    CHECK_STATUS(
        series_scene_create(&s, "SELECT COUNT(*) AS n",
                            OPTIONS(.epsilon = "100", .releases = 3, .window = "day"), 0),
        SCRIM_OK);
    series_scene_check_release(&s, 0, "4;", false);
    scrim_vault_close(s.vault);
    s.vault = NULL;
    REQUIRE_OK(scrim_vault_open(s.base.path, NULL, &s.vault, NULL));
    series_scene_check_release(&s, 0, "3;", false);
    series_scene_check_spent(&s, "100", 2);
    /* somebody else pays for what they see */
    sc_vault_use_identity(s.vault, 4242, "somebody");
    series_scene_check_release(&s, 0, "2;", false);
    series_scene_check_spent(&s, "200", 3);
    series_scene_check_verifies(&s);
    query_scene_end(&s);
}

TEST(series_of_rows_is_charged_in_full_once_a_row_has_moved)
{
    CLAIM("series.parallel");
    query_scene s;
    char policy[600];
    if (!series_scene_begin(&s, "unit=row\n" SERIES_LARGE_BUDGET, series_scene_table))
        return;
    CHECK_STATUS(
        series_scene_create(&s, "SELECT COUNT(*) AS n",
                            OPTIONS(.epsilon = "100", .releases = 3, .window = "day"), 0),
        SCRIM_OK);
    series_scene_check_release(&s, 0, "4;", false);
    snprintf(policy, sizeof policy,
             "column=day=int[1,20]\ncolumn=city=text\nunit=row\ncsv=%s\n", s.table);
    CHECK_STATUS(scrim_vault_set_dataset(s.vault, "people", policy, &s.error), SCRIM_OK);
    series_scene_check_release(&s, 0, "5;",
                               false); /* rows of day 21 and 30 are clamped into it */
    series_scene_check_spent(&s, "200", 2);
    series_scene_check_verifies(&s);
    query_scene_end(&s);
}

TEST(series_of_replaced_rows_and_of_versions_are_charged_each)
{
    CLAIM("series.charged");
    query_scene s;
    if (!series_scene_begin(&s,
                            "unit=row\nneighbours=replace\nmissing=day=1\nmissing=city="
                            "x\n" SERIES_LARGE_BUDGET,
                            series_scene_table))
        return;
    CHECK_STATUS(
        series_scene_create(&s, "SELECT COUNT(*) AS n",
                            OPTIONS(.epsilon = "100", .releases = 3, .window = "day"), 0),
        SCRIM_OK);
    series_scene_check_release(&s, 0, "4;", false);
    series_scene_check_release(&s, 0, "3;", false);
    series_scene_check_spent(&s, "200", 2);
    query_scene_end(&s);
    if (!series_scene_begin(&s, "unit=row\n" SERIES_LARGE_BUDGET, series_scene_table))
        return;
    CHECK_STATUS(series_scene_create(&s, "SELECT COUNT(*) AS n",
                                     OPTIONS(.epsilon = "100", .releases = 3), 0),
                 SCRIM_OK);
    series_scene_check_release(&s, 0, "9;", false);
    CHECK_STATUS(scrim_vault_update_dataset(s.vault, "people", NULL, &s.error), SCRIM_OK);
    series_scene_check_release(&s, 0, "9;", false);
    series_scene_check_spent(&s, "200", 2);
    query_scene_end(&s);
}

/* Ends the next release after its charge, which is that of a number: the keys of hashes are drawn
 * before it, and there is nothing for the noise. */
static void leave_pending(query_scene *s, uint64_t charges)
{
    bool is_lost = false;
    for (size_t words = 1; !is_lost && words < 64; words++) {
        static const uint64_t bits[64] = {1, 2, 3};
        scrim_result *result = NULL;
        sc_tape *tape = NULL;
        scrim_budget budget;
        REQUIRE_OK(sc_tape_words(bits, words, &tape, NULL));
        sc_vault_use_bits(s->vault, sc_tape_bits_of(tape));
        CHECK_STATUS(scrim_series_release(s->vault, "daily", 0, NULL, &result, &s->error),
                     SCRIM_E_ENTROPY);
        sc_vault_use_bits(s->vault, NULL);
        sc_tape_free(tape);
        REQUIRE_OK(scrim_vault_budget(s->vault, 0, NULL, &budget, NULL));
        is_lost = budget.charges == charges;
    }
    CHECK(is_lost);
    CHECK(strstr(s->error.message, " is charged and has no answer: ") != NULL);
}

/* A release that ended after its charge is finished by whoever asks next, and not charged again. */
SLOW_TEST(A84_series_finishes_a_charged_release)
{
    CLAIM("series.charged");
    CLAIM("series.once");
    query_scene s;
    scrim_series *series = NULL;
    scrim_series_step step;
    if (!series_scene_begin(&s, "unit=row\n" SERIES_LARGE_BUDGET, series_scene_table))
        return;
    CHECK_STATUS(
        series_scene_create(&s, "SELECT COUNT(*) AS n",
                            OPTIONS(.epsilon = "100", .releases = 3, .window = "day"), 0),
        SCRIM_OK);
    series_scene_check_release(&s, 0, "4;", false);
    leave_pending(&s, 2);
    series_scene_check_spent(&s, "100", 2);
    series_scene_check_verifies(&s);
    series_scene_check_release(&s, 0, "3;", true);
    series_scene_check_spent(&s, "100", 2);
    series_scene_check_release(&s, 0, "2;", false);
    series_scene_check_spent(&s, "100", 3);
    REQUIRE_OK(scrim_series_read(s.vault, "daily", &series, NULL));
    REQUIRE_OK(scrim_series_step_at(series, 1, &step, NULL));
    CHECK_INT(step.lost, 0);
    CHECK_STR(step.amount, "0");
    scrim_series_free(series);
    series_scene_check_verifies(&s);
    query_scene_end(&s);
}

/* The forecast. */

static scrim_series_forecast forecast_of(query_scene *s)
{
    scrim_series *series = NULL;
    scrim_series_forecast forecast = {.unit = ""};
    CHECK_STATUS(scrim_series_read(s->vault, "daily", &series, NULL), SCRIM_OK);
    CHECK_STATUS(scrim_series_forecast_of(s->vault, series, &forecast, NULL), SCRIM_OK);
    scrim_series_free(series);
    return forecast;
}

/* A charge that waits for its answer is not priced again, unless its version is over. */
SLOW_TEST(A84_series_forecast_knows_the_charge_that_it_joins)
{
    CLAIM("series.charged");
    query_scene s;
    if (!series_scene_begin(&s, "unit=person\n" SERIES_LARGE_BUDGET, series_scene_table))
        return;
    CHECK_STATUS(
        series_scene_create(&s, "SELECT COUNT(*) AS n",
                            OPTIONS(.epsilon = "100", .releases = 4, .window = "day"), 0),
        SCRIM_OK);
    CHECK_INT(forecast_of(&s).pending, 0);
    leave_pending(&s, 1);
    scrim_series_forecast forecast = forecast_of(&s);
    CHECK_INT(forecast.pending, 1);
    CHECK_INT(forecast.remaining, 4);
    CHECK_STR(forecast.total, "300");
    series_scene_check_release(&s, 0, "2;", true);
    series_scene_check_spent(&s, "100", 1);
    forecast = forecast_of(&s);
    CHECK_INT(forecast.pending, 0);
    CHECK_INT(forecast.remaining, 3);
    CHECK_STR(forecast.total, "300");
    leave_pending(&s, 2);
    CHECK_STR(forecast_of(&s).total, "200");
    REQUIRE_OK(scrim_vault_update_dataset(s.vault, "people", NULL, &s.error));
    forecast = forecast_of(&s);
    CHECK_INT(forecast.pending, 0);
    CHECK_STR(forecast.total, "300");
    query_scene_end(&s);
}

SLOW_TEST(series_is_refused_when_the_budget_cannot_carry_it)
{
    query_scene s;
    if (!series_scene_begin(&s, "unit=person\nbudget=epsilon=1.05,delta=1e-6\n",
                            series_scene_table))
        return;
    CHECK_STATUS(series_scene_create(&s, series_scene_by_city,
                                     OPTIONS(.epsilon = "0.1", .delta = "1e-9",
                                             .releases = 11, .window = "day"),
                                     0),
                 SCRIM_E_BUDGET);
    CHECK(strstr(s.error.message, "enough for 10;") != NULL);
    CHECK_STATUS(
        series_scene_create(&s, series_scene_by_city,
                            OPTIONS(.epsilon = "0.1", .delta = "1e-6", .releases = 2), 0),
        SCRIM_E_BUDGET);
    CHECK_STATUS(series_scene_create(&s, series_scene_by_city,
                                     OPTIONS(.epsilon = "0.1", .delta = "1e-9",
                                             .releases = 11, .window = "day"),
                                     1),
                 SCRIM_OK);
    CHECK_STATUS(series_scene_create(
                     &s, series_scene_by_city,
                     OPTIONS(.epsilon = "0.1", .delta = "1e-9", .releases = 10), 0),
                 SCRIM_E_PARAM); /* the name is taken */
    query_scene_end(&s);
}

TEST(series_forecasts_the_sum_and_the_joint_cost)
{
    query_scene s;
    scrim_series *series = NULL;
    scrim_series_forecast forecast;
    if (!series_scene_begin(&s, "unit=person\nbudget=epsilon=100,delta=1e-3\n",
                            series_scene_table))
        return;
    REQUIRE_OK(
        scrim_series_new(s.vault, "a", "people", "SELECT COUNT(*) AS n",
                         OPTIONS(.epsilon = "0.1", .delta = "1e-8", .releases = 100),
                         &series, NULL, NULL));
    REQUIRE_OK(scrim_series_forecast_of(s.vault, series, &forecast, NULL));
    CHECK_STR(forecast.amount, "0.1");
    CHECK_STR(forecast.total, "10");
    CHECK_STR(forecast.left, "100");
    CHECK_INT(forecast.remaining, 100);
    CHECK_INT(forecast.fits, 1);
    CHECK_STR(forecast.at_delta, "0.000001");
    CHECK_STR(forecast.basic, "10");
    /* at delta 1e-8 it is 5.586 (release_composition), so at 1e-6 it is less */
    CHECK(strtod(forecast.joint, NULL) > 3 && strtod(forecast.joint, NULL) < 5.586);
    scrim_series_free(series);
    query_scene_end(&s);
}

TEST(series_fits_what_is_just_left)
{
    query_scene s;
    scrim_series *series = NULL;
    scrim_series_forecast forecast;
    if (!series_scene_begin(&s, "unit=person\nbudget=epsilon=1,delta=1e-3\n",
                            series_scene_table))
        return;
    REQUIRE_OK(scrim_series_new(s.vault, "a", "people", "SELECT COUNT(*) AS n",
                                OPTIONS(.epsilon = "0.1", .releases = 10), &series, NULL,
                                NULL));
    REQUIRE_OK(scrim_series_forecast_of(s.vault, series, &forecast, NULL));
    CHECK_STR(forecast.total, forecast.left);
    CHECK_INT(forecast.fits, 1);
    CHECK_INT((int64_t)forecast.most, 10);
    scrim_series_free(series);
    query_scene_end(&s);
}

/* The joint cost of a series, as text. */
static void check_joint(query_scene *s, const char *query,
                        const scrim_series_options *options, const char *basic,
                        const char *joint)
{
    scrim_series *series = NULL;
    scrim_series_forecast forecast;
    REQUIRE_OK(scrim_series_new(s->vault, "a", "people", query, options, &series, NULL,
                                &s->error));
    REQUIRE_OK(scrim_series_forecast_of(s->vault, series, &forecast, &s->error));
    CHECK_STR(forecast.basic, basic);
    CHECK_STR(forecast.joint, joint);
    scrim_series_free(series);
}

TEST(series_joint_cost_is_never_above_the_sum)
{
    query_scene s;
    if (!series_scene_begin(&s, "unit=person\nbudget=epsilon=100,delta=1e-3\n",
                            series_scene_table))
        return;
    /* the accountants' bounds, rounded up, are 2.10001 and 10 */
    check_joint(&s, series_scene_by_city,
                OPTIONS(.epsilon = "0.7", .delta = "1e-9", .releases = 3), "2.1", "2.1");
    check_joint(&s, "SELECT COUNT(*) AS n",
                OPTIONS(.epsilon = "0.333333", .releases = 30), "9.99999", "9.99999");
    query_scene_end(&s);
}

TEST(series_refuses_what_is_no_series)
{
    query_scene s;
    scrim_series *series = NULL;
    static const char query[] = "SELECT COUNT(*) AS n";
    if (!series_scene_begin(&s, "unit=person\n" SERIES_LARGE_BUDGET, series_scene_table))
        return;
    CHECK_STATUS(series_scene_create(&s, query, OPTIONS(.releases = 3), 0),
                 SCRIM_E_PARAM);
    CHECK_STATUS(series_scene_create(&s, query, OPTIONS(.epsilon = "1"), 0),
                 SCRIM_E_PARAM);
    CHECK_STATUS(
        series_scene_create(&s, query, OPTIONS(.epsilon = "1", .releases = 1000000), 0),
        SCRIM_E_LIMIT);
    CHECK_STATUS(
        series_scene_create(
            &s, query, OPTIONS(.epsilon = "1", .releases = 3, .known_keys = "forget"), 0),
        SCRIM_E_PARAM);
    CHECK_STATUS(series_scene_create(&s, series_scene_by_city,
                                     OPTIONS(.epsilon = "1", .releases = 3), 0),
                 SCRIM_E_PARAM); /* needs a delta */
    CHECK_STATUS(
        series_scene_create(&s, "SELECT city", OPTIONS(.epsilon = "1", .releases = 3), 0),
        SCRIM_E_POLICY);
    CHECK_STATUS(scrim_series_new(s.vault, "no name", "people", query,
                                  OPTIONS(.epsilon = "1", .releases = 3), &series, NULL,
                                  NULL),
                 SCRIM_E_PARAM);
    CHECK_STATUS(scrim_series_read(s.vault, "daily", &series, &s.error), SCRIM_E_PARAM);
    char name[SCRIM_NAME_BYTES];
    CHECK_STATUS(scrim_series_name_at(s.vault, 0, name, NULL), SCRIM_E_PARAM);
    s.vault->is_owner = false;
    CHECK_STATUS(
        series_scene_create(&s, query, OPTIONS(.epsilon = "1", .releases = 3), 0),
        SCRIM_E_POLICY);
    s.vault->is_owner = true;
    CHECK_STATUS(
        series_scene_create(&s, query, OPTIONS(.epsilon = "1", .releases = 3), 0),
        SCRIM_OK);
    REQUIRE_OK(scrim_series_name_at(s.vault, 0, name, NULL));
    CHECK_STR(name, "daily");
    CHECK_STATUS(scrim_series_read(s.vault, "dialy", &series, &s.error), SCRIM_E_PARAM);
    CHECK(strstr(s.error.message, "did you mean 'daily'") != NULL);
    query_scene_end(&s);
}

TEST(series_is_declared_by_its_owner_once)
{
    CLAIM("series.fixed");
    query_scene s;
    if (!series_scene_begin(&s, "unit=person\n" SERIES_LARGE_BUDGET, series_scene_table))
        return;
    CHECK_STATUS(series_scene_create(&s, "SELECT COUNT(*) AS n",
                                     OPTIONS(.epsilon = "100", .releases = 3), 0),
                 SCRIM_OK);
    CHECK_STATUS(series_scene_create(&s, "SELECT COUNT(*) AS n",
                                     OPTIONS(.epsilon = "2", .releases = 3), 0),
                 SCRIM_E_PARAM);
    s.vault->is_owner = false; /* who may still release */
    series_scene_check_release(&s, 0, "4;", false);
    query_scene_end(&s);
}

/* Memory that is not there: nothing leaks, and what was charged stays charged. */
FAULT_TEST(series_survives_without_memory)
{
    query_scene s;
    if (!series_scene_begin(&s, "unit=row\n" SERIES_LARGE_BUDGET, series_scene_table))
        return;
    FAULT_LOOP(declared)
    {
        scrim_series *series = NULL;
        scrim_error error;
        const scrim_status status =
            scrim_series_new(s.vault, "daily", "people", "SELECT COUNT(*) AS n",
                             OPTIONS(.epsilon = "100", .releases = 3, .window = "day"),
                             &series, NULL, &error);
        CHECK(status == SCRIM_OK || status == SCRIM_E_MEMORY);
        scrim_series_free(series);
    }
    CHECK_STATUS(
        series_scene_create(&s, "SELECT COUNT(*) AS n",
                            OPTIONS(.epsilon = "100", .releases = 3, .window = "day"), 0),
        SCRIM_OK);
    series_scene_check_release(&s, 0, "4;", false);
    FAULT_LOOP(reading)
    {
        scrim_series *series = NULL;
        scrim_result *result = NULL;
        scrim_error error;
        scrim_status status = scrim_series_read(s.vault, "daily", &series, &error);
        CHECK(status == SCRIM_OK || status == SCRIM_E_MEMORY || status == SCRIM_E_LEDGER);
        status = scrim_series_release(s.vault, "daily", 1, NULL, &result, &error);
        CHECK(status == SCRIM_OK || status == SCRIM_E_MEMORY || status == SCRIM_E_LEDGER);
        scrim_result_free(result);
        scrim_series_free(series);
    }
    series_scene_check_spent(&s, "100", 1);
    series_scene_check_verifies(&s);
    query_scene_end(&s);
}
