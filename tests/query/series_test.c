/* Series of releases from end to end. Where epsilon is very large there is no noise to speak of, and a
 * selection keeps the groups of two units and more. */
#include "account/recorder.h"
#include "check.h"
#include "faults.h"
#include "query/plan.h"
#include "query_scene.h"
#include "random/bits_tape.h"
#include "vault/store_memory.h"
#include "vault/vault.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_series_options, __VA_ARGS__)
#define LARGE_BUDGET "budget=epsilon=100000,delta=0.5\n"

static const char columns[] = "column=day=int[1,30]\ncolumn=city=text\n";

static bool begin(query_scene *s, const char *lines, const char *table)
{
    char policy[1000];
    snprintf(policy, sizeof policy, "%s%s", columns, lines);
    return query_scene_begin(s, policy, table);
}

static scrim_status create(query_scene *s, const char *query,
                           const scrim_series_options *options, int beyond)
{
    scrim_series *series = NULL;
    s->error.message[0] = '\0';
    scrim_status status = scrim_series_new(s->vault, "daily", "people", query, options,
                                           &series, NULL, &s->error);
    if (status == SCRIM_OK)
        status = scrim_series_enter(s->vault, series, beyond, &s->error);
    scrim_series_free(series);
    return status;
}

/* The values of a release, and whether it is one that was there. */
static void check_release(query_scene *s, uint64_t number, const char *want,
                          bool is_repeated)
{
    char text[1000];
    scrim_result *result = NULL;
    scrim_result_facts facts;
    const scrim_status status =
        scrim_series_release(s->vault, "daily", number, NULL, &result, &s->error);
    if (!CHECK_STATUS(status, SCRIM_OK)) {
        CHECK_STR(s->error.message, want);
        return;
    }
    scrim_result_describe(result, &facts);
    CHECK_STR(query_scene_values(result, 0, text, sizeof text), want);
    CHECK_INT(facts.is_repeated, is_repeated);
    scrim_result_free(result);
}

static void check_refused(query_scene *s, uint64_t number, scrim_status want)
{
    scrim_result *result = NULL;
    CHECK_STATUS(
        scrim_series_release(s->vault, "daily", number, NULL, &result, &s->error), want);
}

static void check_spent(query_scene *s, const char *amount, uint64_t charges)
{
    scrim_budget budget;
    REQUIRE_OK(scrim_vault_budget(s->vault, 0, NULL, &budget, NULL));
    CHECK_STR(budget.spent, amount);
    CHECK_INT(budget.charges, charges);
}

static void check_verifies(query_scene *s)
{
    scrim_vault_state state;
    scrim_error error = {.message = ""};
    CHECK_STATUS(scrim_vault_verify(s->vault, &state, &error), SCRIM_OK);
    CHECK_STR(error.message, "");
}

/* a is in all windows, the others in one or two. */
static const char windows_table[] = "person,day,city\n"
                                    "a,1,Ulm\nb,2,Ulm\nc,10,Ulm\nd,10,Bonn\n"
                                    "a,11,Bonn\nb,12,Trier\nc,20,Trier\n"
                                    "a,21,Ulm\nd,30,Kiel\n";

TEST(series_releases_windows_one_after_the_other)
{
    CLAIM("series.question");
    CLAIM("series.once");
    query_scene s;
    scrim_series *series = NULL;
    scrim_series_facts facts;
    scrim_series_step step;
    if (!begin(&s, "unit=person\n" LARGE_BUDGET, windows_table))
        return;
    CHECK_STATUS(create(&s, "SELECT COUNT(*) AS n",
                        OPTIONS(.epsilon = "100", .releases = 3, .window = "day"), 0),
                 SCRIM_OK);
    check_spent(&s, "0", 0);
    check_release(&s, 0, "4;", false);
    check_refused(&s, 3, SCRIM_E_STATE); /* 2 comes next */
    check_release(&s, 2, "3;", false);
    check_release(&s, 1, "4;", true);
    check_spent(&s, "200", 2);
    check_release(&s, 0, "2;", false);
    check_refused(&s, 0, SCRIM_E_STATE);
    check_refused(&s, 4, SCRIM_E_PARAM);
    check_release(&s, 3, "2;", true);
    check_spent(&s, "300", 3); /* one person can be in all of them */
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
    check_verifies(&s);
    query_scene_end(&s);
}

TEST(series_releases_a_version_once)
{
    CLAIM("series.once");
    query_scene s;
    if (!begin(&s, "unit=person\n" LARGE_BUDGET, windows_table))
        return;
    CHECK_STATUS(
        create(&s, "SELECT COUNT(*) AS n", OPTIONS(.epsilon = "100", .releases = 2), 0),
        SCRIM_OK);
    check_release(&s, 0, "4;", false);
    check_release(&s, 0, "4;", true);
    check_refused(&s, 2, SCRIM_E_STATE); /* of a version that is not there */
    CHECK_STR(
        s.error.message,
        "release 2 is of the next version; scrim dataset update people declares it");
    check_spent(&s, "100", 1);
    CHECK(query_scene_write(&s, "person,day,city\na,1,Ulm\n"));
    check_refused(&s, 2, SCRIM_E_STATE); /* nor is the new one declared */
    CHECK_STATUS(scrim_vault_update_dataset(s.vault, "people", NULL, &s.error), SCRIM_OK);
    CHECK(query_scene_write(&s, "person,day,city\nab,1,Ulm\n"));
    check_refused(&s, 2, SCRIM_E_INPUT); /* not what the version was declared as */
    CHECK_STATUS(scrim_vault_update_dataset(s.vault, "people", NULL, &s.error), SCRIM_OK);
    check_release(&s, 0, "1;", false);
    check_release(&s, 0, "1;", true);
    check_release(&s, 1, "4;", true);
    check_spent(&s, "200", 2);
    /* a new version is a new release even if nothing in it has changed, and there are no more */
    CHECK_STATUS(scrim_vault_update_dataset(s.vault, "people", NULL, &s.error), SCRIM_OK);
    check_refused(&s, 0, SCRIM_E_STATE);
    CHECK_STATUS(scrim_vault_remove_dataset(s.vault, "people", &s.error), SCRIM_OK);
    check_refused(&s, 0, SCRIM_E_POLICY);
    check_release(&s, 2, "1;", true);
    query_scene_end(&s);
}

/* Does any byte of the vault's file hold this text? */
static bool is_in_vault(const query_scene *s, const char *text)
{
    static char bytes[1 << 20];
    static const char *const names[] = {"", "-wal"};
    bool is_found = false;
    for (size_t i = 0; i < 2; i++) {
        char path[120];
        snprintf(path, sizeof path, "%s%s", s->base.path, names[i]);
        FILE *file = fopen(path, "r");
        const size_t count = file == NULL ? 0 : fread(bytes, 1, sizeof bytes, file);
        if (file != NULL)
            fclose(file);
        for (size_t k = 0; k + strlen(text) <= count; k++)
            is_found |= memcmp(bytes + k, text, strlen(text)) == 0;
    }
    return is_found;
}

static const char by_city[] = "SELECT city, COUNT(*) AS n GROUP BY city";

/* Ulm passes in the first window, Trier in the second; Bonn and Kiel have one person each. */
TEST(series_that_continues_shows_known_keys_always)
{
    CLAIM("series.keys");
    query_scene s;
    if (!begin(&s, "unit=person\n" LARGE_BUDGET, windows_table))
        return;
    CHECK_STATUS(create(&s, by_city,
                        OPTIONS(.epsilon = "100", .delta = "1e-9", .releases = 3,
                                .window = "day", .known_keys = "continue"),
                        0),
                 SCRIM_OK);
    check_release(&s, 0, "Ulm,3;", false);
    check_release(&s, 0, "Trier,2;Ulm,0;", false);
    check_release(&s, 0, "Trier,0;Ulm,1;", false);
    CHECK(is_in_vault(&s, "Trier"));
    CHECK(!is_in_vault(&s, "Bonn"));
    CHECK(!is_in_vault(&s, "Kiel"));
    check_verifies(&s);
    query_scene_end(&s);
}

/* A known key that passes lets no other one pass. */
TEST(series_that_continues_selects_among_new_keys_alone)
{
    CLAIM("series.keys");
    query_scene s;
    if (!begin(&s, "unit=person\n" LARGE_BUDGET,
               "person,day,city\na,1,Aachen\nb,1,Aachen\na,11,Aachen\nb,12,Aachen\n"
               "c,12,Bonn\nd,13,Celle\ne,13,Celle\n"))
        return;
    CHECK_STATUS(
        create(&s, by_city,
               OPTIONS(.epsilon = "100", .delta = "1e-9", .releases = 3, .window = "day"),
               0),
        SCRIM_OK);
    check_release(&s, 0, "Aachen,2;", false);
    check_release(&s, 0, "Aachen,2;Celle,2;", false);
    query_scene_end(&s);
}

TEST(series_that_does_not_continue_selects_anew)
{
    CLAIM("series.keys");
    query_scene s;
    if (!begin(&s, "unit=person\n" LARGE_BUDGET, windows_table))
        return;
    CHECK_STATUS(create(&s, by_city,
                        OPTIONS(.epsilon = "100", .delta = "1e-9", .releases = 3,
                                .window = "day", .known_keys = "rethreshold"),
                        0),
                 SCRIM_OK);
    check_release(&s, 0, "Ulm,3;", false);
    check_release(&s, 0, "Trier,2;", false);
    check_release(&s, 0, "", false);
    CHECK(!is_in_vault(&s, "Bonn"));
    query_scene_end(&s);
}

/* All kinds of numbers of a key that nobody has any more. */
TEST(series_that_continues_knows_every_aggregate)
{
    query_scene s;
    char text[1000];
    scrim_result *result = NULL;
    if (!begin(&s, "unit=person\nmax-groups=2\n" LARGE_BUDGET, windows_table))
        return;
    CHECK_STATUS(
        create(&s,
               "SELECT city, COUNT(DISTINCT person) AS u, SUM(day) AS s, "
               "AVG(day) AS a, MEDIAN(day) AS m, MAX(day, 1) AS x GROUP BY city",
               OPTIONS(.epsilon = "600", .delta = "1e-6", .releases = 3, .window = "day"),
               0),
        SCRIM_OK);
    for (size_t i = 0; i < 3; i++) {
        CHECK_STATUS(scrim_series_release(s.vault, "daily", 0, NULL, &result, &s.error),
                     SCRIM_OK);
        CHECK_STR(s.error.message, "");
        query_scene_values(result, 0, text, sizeof text);
        CHECK(strstr(text, "Ulm,") != NULL);
        CHECK(strstr(text, "Bonn") == NULL);
        scrim_result_free(result);
    }
    query_scene_end(&s);
}

/* Keys are bytes that depend on the columns: of other columns they are not known. */
/* The units of a key that is known are drawn by themselves: no count of another key, shown or not,
 * stands in their place. */
TEST(series_that_continues_shows_the_units_of_each_key)
{
    static const char *const want[] = {"Aachen,3;", "Aachen,0;Bonn,4;",
                                       "Aachen,0;Bonn,0;"};
    query_scene s;
    char text[1000];
    scrim_series *series = NULL;
    REQUIRE(query_scene_begin(&s,
                              "column=day=int[1,30]\ncolumn=city=text\nunit=person\n"
                              "max-groups=2\nbudget=epsilon=100000,delta=0.5\n",
                              "person,day,city\na,1,Aachen\nb,2,Aachen\nc,3,Aachen\n"
                              "z,11,Trier\np,11,Bonn\nq,12,Bonn\nr,12,Bonn\n"
                              "t,13,Bonn\n"));
    REQUIRE_OK(
        scrim_series_new(s.vault, "daily", "people",
                         "SELECT city, COUNT(DISTINCT person) AS u GROUP BY city",
                         SCRIM_OPTIONS(scrim_series_options, .epsilon = "600",
                                       .delta = "1e-6", .releases = 3, .window = "day"),
                         &series, NULL, &s.error));
    REQUIRE_OK(scrim_series_enter(s.vault, series, 0, &s.error));
    scrim_series_free(series);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        scrim_result *result = NULL;
        REQUIRE_OK(scrim_series_release(s.vault, "daily", 0, NULL, &result, &s.error));
        CHECK_STR(query_scene_values(result, 0, text, sizeof text), want[i]);
        scrim_result_free(result);
    }
    query_scene_end(&s);
}

TEST(series_forgets_keys_of_other_columns)
{
    query_scene s;
    char policy[600];
    if (!begin(&s, "unit=person\n" LARGE_BUDGET, windows_table))
        return;
    CHECK_STATUS(
        create(&s, by_city,
               OPTIONS(.epsilon = "100", .delta = "1e-9", .releases = 3, .window = "day"),
               0),
        SCRIM_OK);
    check_release(&s, 0, "Ulm,3;", false);
    snprintf(
        policy, sizeof policy,
        "column=day=int[1,30]\ncolumn=city=text\ncolumn=more=text\nunit=person\ncsv=%s\n",
        s.table);
    CHECK(query_scene_write(&s, "person,day,city,more\na,11,Bonn,x\nb,12,Bonn,x\n"));
    CHECK_STATUS(scrim_vault_update_dataset(s.vault, "people", policy, &s.error),
                 SCRIM_OK);
    check_release(&s, 0, "Bonn,2;", false);
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
    if (!begin(&s, "unit=row\n" LARGE_BUDGET, windows_table))
        return;
    CHECK_STATUS(create(&s, "SELECT COUNT(*) AS n",
                        OPTIONS(.epsilon = "100", .releases = 3, .window = "day"), 0),
                 SCRIM_OK);
    check_release(&s, 0, "4;", false);
    check_spent(&s, "100", 1);
    check_release(&s, 0, "3;", false);
    check_release(&s, 0, "2;", false);
    check_spent(&s, "100", 3);
    check_verifies(&s);
    /* and so it is in a vault that is opened anew */
    scrim_vault_close(s.vault);
    s.vault = NULL;
    REQUIRE_OK(scrim_vault_open(s.base.path, NULL, &s.vault, NULL));
    check_spent(&s, "100", 3);
    REQUIRE_OK(scrim_series_read(s.vault, "daily", &series, NULL));
    scrim_series_describe(series, &facts);
    CHECK_INT(facts.is_parallel, 1);
    CHECK_STR(facts.spent, "100");
    REQUIRE_OK(scrim_series_forecast_of(s.vault, series, &forecast, NULL));
    CHECK_STR(forecast.total, "0");
    scrim_series_free(series);
    query_scene_end(&s);
}

TEST(series_of_rows_goes_on_in_a_vault_that_was_opened_anew)
{
    CLAIM("series.parallel");
    query_scene s;
    if (!begin(&s, "unit=row\n" LARGE_BUDGET, windows_table))
        return;
    CHECK_STATUS(create(&s, "SELECT COUNT(*) AS n",
                        OPTIONS(.epsilon = "100", .releases = 3, .window = "day"), 0),
                 SCRIM_OK);
    check_release(&s, 0, "4;", false);
    scrim_vault_close(s.vault);
    s.vault = NULL;
    REQUIRE_OK(scrim_vault_open(s.base.path, NULL, &s.vault, NULL));
    check_release(&s, 0, "3;", false);
    check_spent(&s, "100", 2);
    /* somebody else pays for what they see */
    sc_vault_use_identity(s.vault, 4242, "somebody");
    check_release(&s, 0, "2;", false);
    check_spent(&s, "200", 3);
    check_verifies(&s);
    query_scene_end(&s);
}

TEST(series_of_rows_is_charged_in_full_once_a_row_has_moved)
{
    CLAIM("series.parallel");
    query_scene s;
    char policy[600];
    if (!begin(&s, "unit=row\n" LARGE_BUDGET, windows_table))
        return;
    CHECK_STATUS(create(&s, "SELECT COUNT(*) AS n",
                        OPTIONS(.epsilon = "100", .releases = 3, .window = "day"), 0),
                 SCRIM_OK);
    check_release(&s, 0, "4;", false);
    snprintf(policy, sizeof policy,
             "column=day=int[1,20]\ncolumn=city=text\nunit=row\ncsv=%s\n", s.table);
    CHECK_STATUS(scrim_vault_set_dataset(s.vault, "people", policy, &s.error), SCRIM_OK);
    check_release(&s, 0, "5;", false); /* rows of day 21 and 30 are clamped into it */
    check_spent(&s, "200", 2);
    check_verifies(&s);
    query_scene_end(&s);
}

TEST(series_of_replaced_rows_and_of_versions_are_charged_each)
{
    CLAIM("series.charged");
    query_scene s;
    if (!begin(
            &s,
            "unit=row\nneighbours=replace\nmissing=day=1\nmissing=city=x\n" LARGE_BUDGET,
            windows_table))
        return;
    CHECK_STATUS(create(&s, "SELECT COUNT(*) AS n",
                        OPTIONS(.epsilon = "100", .releases = 3, .window = "day"), 0),
                 SCRIM_OK);
    check_release(&s, 0, "4;", false);
    check_release(&s, 0, "3;", false);
    check_spent(&s, "200", 2);
    query_scene_end(&s);
    if (!begin(&s, "unit=row\n" LARGE_BUDGET, windows_table))
        return;
    CHECK_STATUS(
        create(&s, "SELECT COUNT(*) AS n", OPTIONS(.epsilon = "100", .releases = 3), 0),
        SCRIM_OK);
    check_release(&s, 0, "9;", false);
    CHECK_STATUS(scrim_vault_update_dataset(s.vault, "people", NULL, &s.error), SCRIM_OK);
    check_release(&s, 0, "9;", false);
    check_spent(&s, "200", 2);
    query_scene_end(&s);
}

/* A charge without an answer stays, and the window is charged again: in full. */
TEST(series_charges_a_lost_release_again)
{
    CLAIM("series.charged");
    query_scene s;
    scrim_series *series = NULL;
    scrim_series_step step;
    scrim_result *result = NULL;
    sc_tape *tape = NULL;
    if (!begin(&s, "unit=row\n" LARGE_BUDGET, windows_table))
        return;
    CHECK_STATUS(create(&s, "SELECT COUNT(*) AS n",
                        OPTIONS(.epsilon = "100", .releases = 3, .window = "day"), 0),
                 SCRIM_OK);
    check_release(&s, 0, "4;", false);
    /* the keys of hashes are drawn before the charge; there is nothing for the noise */
    bool is_lost = false;
    for (size_t words = 1; !is_lost && words < 64; words++) {
        static const uint64_t bits[64] = {1, 2, 3};
        scrim_budget budget;
        REQUIRE_OK(sc_tape_words(bits, words, &tape, NULL));
        sc_vault_use_bits(s.vault, sc_tape_bits_of(tape));
        CHECK_STATUS(scrim_series_release(s.vault, "daily", 0, NULL, &result, &s.error),
                     SCRIM_E_ENTROPY);
        sc_vault_use_bits(s.vault, NULL);
        sc_tape_free(tape);
        REQUIRE_OK(scrim_vault_budget(s.vault, 0, NULL, &budget, NULL));
        is_lost = budget.charges == 2;
    }
    CHECK(is_lost);
    check_spent(&s, "100", 2);
    check_release(&s, 0, "3;", false);
    check_spent(&s, "200", 3);
    check_release(&s, 0, "2;", false);
    check_spent(&s, "200", 4);
    REQUIRE_OK(scrim_series_read(s.vault, "daily", &series, NULL));
    REQUIRE_OK(scrim_series_step_at(series, 1, &step, NULL));
    CHECK_INT(step.lost, 1);
    CHECK_STR(step.amount, "100");
    scrim_series_free(series);
    check_verifies(&s);
    query_scene_end(&s);
}

/* The forecast. */

TEST(series_is_refused_when_the_budget_cannot_carry_it)
{
    query_scene s;
    if (!begin(&s, "unit=person\nbudget=epsilon=1,delta=1e-6\n", windows_table))
        return;
    CHECK_STATUS(create(&s, by_city,
                        OPTIONS(.epsilon = "0.1", .delta = "1e-9", .releases = 11,
                                .window = "day"),
                        0),
                 SCRIM_E_BUDGET);
    CHECK(strstr(s.error.message, "enough for 10;") != NULL);
    CHECK_STATUS(
        create(&s, by_city, OPTIONS(.epsilon = "0.1", .delta = "1e-6", .releases = 2), 0),
        SCRIM_E_BUDGET);
    CHECK_STATUS(create(&s, by_city,
                        OPTIONS(.epsilon = "0.1", .delta = "1e-9", .releases = 11,
                                .window = "day"),
                        1),
                 SCRIM_OK);
    CHECK_STATUS(create(&s, by_city,
                        OPTIONS(.epsilon = "0.1", .delta = "1e-9", .releases = 10), 0),
                 SCRIM_E_PARAM); /* the name is taken */
    query_scene_end(&s);
}

TEST(series_forecasts_the_sum_and_the_joint_cost)
{
    query_scene s;
    scrim_series *series = NULL;
    scrim_series_forecast forecast;
    if (!begin(&s, "unit=person\nbudget=epsilon=100,delta=1e-3\n", windows_table))
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
    if (!begin(&s, "unit=person\nbudget=epsilon=100,delta=1e-3\n", windows_table))
        return;
    /* the accountants' bounds, rounded up, are 2.10001 and 10 */
    check_joint(&s, by_city, OPTIONS(.epsilon = "0.7", .delta = "1e-9", .releases = 3),
                "2.1", "2.1");
    check_joint(&s, "SELECT COUNT(*) AS n",
                OPTIONS(.epsilon = "0.333333", .releases = 30), "9.99999", "9.99999");
    query_scene_end(&s);
}

TEST(series_refuses_what_is_no_series)
{
    query_scene s;
    scrim_series *series = NULL;
    static const char query[] = "SELECT COUNT(*) AS n";
    if (!begin(&s, "unit=person\n" LARGE_BUDGET, windows_table))
        return;
    CHECK_STATUS(create(&s, query, OPTIONS(.releases = 3), 0), SCRIM_E_PARAM);
    CHECK_STATUS(create(&s, query, OPTIONS(.epsilon = "1"), 0), SCRIM_E_PARAM);
    CHECK_STATUS(create(&s, query, OPTIONS(.epsilon = "1", .releases = 1000000), 0),
                 SCRIM_E_LIMIT);
    CHECK_STATUS(create(&s, query,
                        OPTIONS(.epsilon = "1", .releases = 3, .known_keys = "forget"),
                        0),
                 SCRIM_E_PARAM);
    CHECK_STATUS(create(&s, by_city, OPTIONS(.epsilon = "1", .releases = 3), 0),
                 SCRIM_E_PARAM); /* needs a delta */
    CHECK_STATUS(create(&s, "SELECT city", OPTIONS(.epsilon = "1", .releases = 3), 0) !=
                         SCRIM_OK
                     ? SCRIM_OK
                     : SCRIM_E_PARAM,
                 SCRIM_OK);
    CHECK_STATUS(scrim_series_new(s.vault, "no name", "people", query,
                                  OPTIONS(.epsilon = "1", .releases = 3), &series, NULL,
                                  NULL),
                 SCRIM_E_PARAM);
    CHECK_STATUS(scrim_series_read(s.vault, "daily", &series, &s.error), SCRIM_E_PARAM);
    char name[SCRIM_NAME_BYTES];
    CHECK_STATUS(scrim_series_name_at(s.vault, 0, name, NULL), SCRIM_E_PARAM);
    s.vault->is_owner = false;
    CHECK_STATUS(create(&s, query, OPTIONS(.epsilon = "1", .releases = 3), 0),
                 SCRIM_E_POLICY);
    s.vault->is_owner = true;
    CHECK_STATUS(create(&s, query, OPTIONS(.epsilon = "1", .releases = 3), 0), SCRIM_OK);
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
    if (!begin(&s, "unit=person\n" LARGE_BUDGET, windows_table))
        return;
    CHECK_STATUS(
        create(&s, "SELECT COUNT(*) AS n", OPTIONS(.epsilon = "100", .releases = 3), 0),
        SCRIM_OK);
    CHECK_STATUS(
        create(&s, "SELECT COUNT(*) AS n", OPTIONS(.epsilon = "2", .releases = 3), 0),
        SCRIM_E_PARAM);
    s.vault->is_owner = false; /* who may still release */
    check_release(&s, 0, "4;", false);
    query_scene_end(&s);
}

/* Whole histories. */

typedef struct history {
    char path[64];
    scrim_vault *vault;
    sc_tape *tape;
    const char *policy;
} history;

static bool write_rows(const history *h, const char *rows)
{
    FILE *file = fopen(h->path, "w");
    if (file == NULL)
        return CHECK(false);
    const bool is_written =
        CHECK(fputs("person,day,city\n", file) >= 0) && CHECK(fputs(rows, file) >= 0);
    return CHECK(fclose(file) == 0) && is_written;
}

/* A vault in memory that draws from a tape. */
static bool begin_history(history *h, const char *policy, sc_recorder *recorder)
{
    char text[1000];
    sc_store *store = NULL;
    snprintf(h->path, sizeof h->path, "/tmp/scrim-series-XXXXXX");
    const int file = mkstemp(h->path);
    if (!CHECK(file >= 0))
        return false;
    close(file);
    snprintf(text, sizeof text, "%s%scsv=%s\n", columns, policy, h->path);
    return write_rows(h, "") &&
           CHECK_STATUS(sc_tape_seeded(7, &h->tape, NULL), SCRIM_OK) &&
           CHECK_STATUS(sc_store_memory_new(&store, NULL), SCRIM_OK) &&
           CHECK_STATUS(sc_vault_new(store, 0, &h->vault, NULL), SCRIM_OK) &&
           CHECK_STATUS(sc_vault_begin(h->vault, NULL, 1, 2, NULL), SCRIM_OK) &&
           CHECK_STATUS(scrim_vault_add_dataset(h->vault, "people", text, NULL),
                        SCRIM_OK) &&
           (sc_vault_use_bits(h->vault, sc_tape_bits_of(h->tape)),
            sc_vault_use_recorder(h->vault, recorder), true);
}

static void end_history(history *h)
{
    scrim_vault_close(h->vault);
    sc_tape_free(h->tape);
    unlink(h->path);
}

static bool enter(history *h, const char *query, const scrim_series_options *options)
{
    scrim_series *series = NULL;
    scrim_error error = {.message = ""};
    scrim_status status = scrim_series_new(h->vault, "daily", "people", query, options,
                                           &series, NULL, &error);
    if (status == SCRIM_OK)
        status = scrim_series_enter(h->vault, series, 0, &error);
    scrim_series_free(series);
    if (!CHECK_STATUS(status, SCRIM_OK))
        CHECK_STR(error.message, "");
    return status == SCRIM_OK;
}

static bool release_next(history *h)
{
    scrim_result *result = NULL;
    scrim_error error = {.message = ""};
    const scrim_status status =
        scrim_series_release(h->vault, "daily", 0, NULL, &result, &error);
    scrim_result_free(result);
    if (!CHECK_STATUS(status, SCRIM_OK))
        CHECK_STR(error.message, "");
    return status == SCRIM_OK;
}

/* The amounts of all charges in the entries themselves, in millionths. */
static scrim_status add_entry(void *context, uint64_t id, const char *bytes, size_t count,
                              const char *hash, const char *answer)
{
    char line[300] = "", kind[20];
    double amount = 0;
    (void)id, (void)hash, (void)answer;
    snprintf(line, sizeof line, "%.*s", (int)(count < 299 ? count : 299), bytes);
    if (sscanf(line, "%19s", kind) == 1 &&
        ((strcmp(kind, "charge") == 0 &&
          sscanf(line, "%*s %*s %*s %*s %lf", &amount) == 1) ||
         (strcmp(kind, "joint") == 0 &&
          sscanf(line, "%*s %*s %*s %*s %lf", &amount) == 1) ||
         (strcmp(kind, "window") == 0 &&
          sscanf(line, "%*s %*s %*s %*s %*s %*s %lf", &amount) == 1)))
        *(int64_t *)context += (int64_t)(amount * 1e6 + 0.5);
    return SCRIM_OK;
}

/* A table that grows by a person a day, who stays: the ledger's total is the sum of all releases, which
 * is what the first of them, who is in all, can lose at most; nobody's history exceeds it. */
TEST(series_of_a_year_costs_the_sum_of_its_days)
{
    CLAIM("series.charged");
    const uint64_t days = check_count_whole(30, 365);
    history h;
    scrim_budget budget;
    scrim_vault_state state;
    char rows[365 * 20] = "", want[40];
    int64_t summed = 0, present = 0, most = 0;
    if (!begin_history(&h,
                       "unit=person\nneighbours=add-remove\n"
                       "budget=epsilon=40,delta=1e-6\n",
                       NULL) ||
        !enter(&h, "SELECT COUNT(*) AS n", OPTIONS(.epsilon = "0.1", .releases = days)))
        return;
    for (uint64_t day = 1; day <= days; day++) {
        snprintf(rows + strlen(rows), 20, "p%" PRIu64 ",%" PRIu64 ",Ulm\n", day,
                 day % 30 + 1);
        if (!write_rows(&h, rows) ||
            !CHECK_STATUS(scrim_vault_update_dataset(h.vault, "people", NULL, NULL),
                          SCRIM_OK) ||
            !release_next(&h) || !release_next(&h)) /* the second is a repetition */
            break;
    }
    /* the person of day d is in days - d + 1 releases of 100000 millionths each */
    for (uint64_t day = 1; day <= days; day++) {
        present = (int64_t)(days - day + 1) * 100000;
        most = present > most ? present : most;
    }
    REQUIRE_OK(scrim_vault_budget(h.vault, 0, NULL, &budget, NULL));
    REQUIRE_OK(scrim_vault_visit(h.vault, 1, add_entry, &summed, NULL));
    CHECK_INT(summed, (int64_t)days * 100000);
    CHECK_INT(budget.charges, days);
    snprintf(want, sizeof want, "%g", (double)days / 10);
    CHECK_STR(budget.spent, want);
    CHECK(most <= summed);
    CHECK_STATUS(scrim_vault_verify(h.vault, &state, NULL), SCRIM_OK);
    CHECK_INT(state.releases, days);
    end_history(&h);
}

/* Record and replay of a whole history: how many releases one unit can change. */

/* Windows on a table, all of them. */
static bool run_windows(const char *policy, const char *rows, sc_recorder *recorder,
                        char spent[SCRIM_NUMBER_BYTES])
{
    history h;
    scrim_budget budget;
    bool is_run = begin_history(&h, policy, recorder) && write_rows(&h, rows) &&
                  CHECK_STATUS(scrim_vault_update_dataset(h.vault, "people", NULL, NULL),
                               SCRIM_OK) &&
                  enter(&h, "SELECT COUNT(*) AS n",
                        OPTIONS(.epsilon = "1", .releases = 3, .window = "day"));
    for (size_t i = 0; is_run && i < 3; i++)
        is_run = release_next(&h);
    if (is_run &&
        CHECK_STATUS(scrim_vault_budget(h.vault, 0, NULL, &budget, NULL), SCRIM_OK))
        snprintf(spent, SCRIM_NUMBER_BYTES, "%s", budget.spent);
    end_history(&h);
    return is_run;
}

/* Of neighbours: the draws whose inputs differ, by 1 each, so that each loses up to its epsilon. */
static int touched(const char *policy, const char *here, const char *there,
                   char spent[SCRIM_NUMBER_BYTES])
{
    sc_recorder *first = NULL, *second = NULL;
    int count = -1;
    if (CHECK_STATUS(sc_recorder_new(NULL, &first, NULL), SCRIM_OK) &&
        CHECK_STATUS(sc_recorder_new(first, &second, NULL), SCRIM_OK) &&
        run_windows(policy, here, first, spent) &&
        run_windows(policy, there, second, spent) &&
        CHECK_INT(sc_recorder_count(first), 3) &&
        CHECK_INT(sc_recorder_count(second), 3)) {
        count = 0;
        for (size_t i = 0; i < 3; i++) {
            const sc_int128 a = sc_recorder_at(first, i)->input[0];
            const sc_int128 b = sc_recorder_at(second, i)->input[0];
            CHECK(a - b == 0 || a - b == 1);
            count += a != b;
        }
    }
    sc_recorder_free(second);
    sc_recorder_free(first);
    return count;
}

#define WINDOW_POLICY "neighbours=add-remove\nbudget=epsilon=100\n"

/* The broken variant, windows of people charged in parallel, would have charged 1 for a person who can
 * lose 3: of two releases alone, each pure at epsilon 1, both together are not at 1. */
TEST(series_charges_a_person_for_every_window_they_are_in)
{
    CLAIM("series.charged");
    char spent[SCRIM_NUMBER_BYTES] = "";
    scrim_composition *two = NULL;
    scrim_bounds bounds;
    const int windows = touched("unit=person\n" WINDOW_POLICY,
                                "a,1,Ulm\nb,2,Ulm\na,11,Ulm\nc,12,Ulm\na,21,Ulm\n",
                                "b,2,Ulm\nc,12,Ulm\n", spent);
    CHECK_INT(windows, 3);
    CHECK_STR(spent, "3");
    CHECK(strtod(spent, NULL) >= windows);
    REQUIRE_OK(scrim_composition_parse("laplace epsilon=1 x2", &two, NULL));
    REQUIRE_OK(scrim_composition_delta(two, "1", NULL, &bounds, NULL));
    CHECK(bounds.best.lower_view > 0.1);
    scrim_bounds_clear(&bounds);
    scrim_composition_free(two);
}

TEST(series_charges_a_row_for_the_one_window_it_is_in)
{
    CLAIM("series.parallel");
    char spent[SCRIM_NUMBER_BYTES] = "";
    static const char all[] = "a,1,Ulm\nb,2,Ulm\na,11,Ulm\nc,12,Ulm\na,21,Ulm\n";
    static const char *const without[] = {"b,2,Ulm\na,11,Ulm\nc,12,Ulm\na,21,Ulm\n",
                                          "a,1,Ulm\nb,2,Ulm\nc,12,Ulm\na,21,Ulm\n",
                                          "a,1,Ulm\nb,2,Ulm\na,11,Ulm\nc,12,Ulm\n"};
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        CHECK_INT(touched("unit=row\n" WINDOW_POLICY, all, without[i], spent), 1);
        CHECK_STR(spent, "1");
    }
}

/* Memory that is not there: nothing leaks, and what was charged stays charged. */
TEST(series_survives_without_memory)
{
    query_scene s;
    if (!begin(&s, "unit=row\n" LARGE_BUDGET, windows_table))
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
    CHECK_STATUS(create(&s, "SELECT COUNT(*) AS n",
                        OPTIONS(.epsilon = "100", .releases = 3, .window = "day"), 0),
                 SCRIM_OK);
    check_release(&s, 0, "4;", false);
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
    check_spent(&s, "100", 1);
    check_verifies(&s);
    query_scene_end(&s);
}
