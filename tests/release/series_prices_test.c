/* Windows of a series by their price, and not by what they added to the ledger: a row may be in any of them. */
#include "check.h"
#include "cli/release/all_releases.h"
#include "series_scene.h"
#include "vault/vault.h"
#include "vault/vault_ledger.h"
#include "vault/vault_series.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_series_options, __VA_ARGS__)
#define WINDOWS OPTIONS(.epsilon = "1", .releases = 3, .window = "day")

static bool begin(query_scene *s, const char *budget)
{
    char lines[200];
    snprintf(lines, sizeof lines, "unit=row\n%s", budget);
    return series_scene_begin(s, lines, series_scene_table) &&
           CHECK_STATUS(series_scene_create(s, "SELECT COUNT(*) AS n", WINDOWS, 0),
                        SCRIM_OK);
}

/* Charges a window of a series what this measurement costs: series give all windows one price, and the ledger any. */
static void charge(query_scene *s, const char *dataset, uint64_t series, uint64_t window,
                   const char *epsilon)
{
    const int64_t rows = 3;
    scrim_measurement *question = scene_question(epsilon);
    scrim_ledger *ledger = NULL;
    scrim_answer *answer = NULL;
    REQUIRE(question != NULL);
    REQUIRE_OK(scrim_vault_ledger(s->vault, dataset, &ledger, &s->error));
    sc_vault_ledger_for_series(ledger, series, window);
    REQUIRE_OK(scrim_release(ledger, question,
                             &(scrim_input){.integers = &rows, .count = 1}, &answer,
                             &s->error));
    scrim_answer_free(answer);
    scrim_ledger_free(ledger);
    scrim_measurement_free(question);
}

static void charge_window(query_scene *s, uint64_t window, const char *epsilon)
{
    charge(s, "people", 1, window, epsilon);
}

static void check_booked(query_scene *s, uint64_t release, const char *spent)
{
    scrim_budget budget;
    if (!CHECK_STATUS(scrim_vault_view(s->vault, release, &s->error), SCRIM_OK))
        CHECK_STR(s->error.message, "");
    REQUIRE_OK(scrim_vault_budget(s->vault, 0, "ann", &budget, &s->error));
    CHECK_STR(budget.spent, spent);
}

/* Somebody else has paid for the first window: who is shown the second one alone knows as much as one costs. */
TEST(A77_a_window_that_is_shown_is_booked_at_its_price)
{
    CLAIM("booked-view.window");
    query_scene s;
    if (!begin(&s, "budget=epsilon=10\ncap=epsilon=5,least=1/4\n"))
        return;
    series_scene_check_spent(&s, "0", 0);
    charge_window(&s, 1, "1/2");
    charge_window(&s, 2, "1/2");
    charge_window(&s, 3, "2");
    series_scene_check_spent(&s, "2", 3);
    REQUIRE_OK(scrim_vault_share(s.vault, "people", NULL, "3", NULL, &s.error));
    sc_identity_set(&s.vault->identity, 4242, "ann");
    check_booked(&s, 2, "0.5");
    check_booked(&s, 2, "0.5");
    check_booked(&s, 1, "0.5");
    check_booked(&s, 3, "2");
    sc_identity_set(&s.vault->identity, 4343, "bob");
    check_booked(&s, 3, "2");
    series_scene_check_spent(&s, "2", 3);
    series_scene_check_verifies(&s);
    query_scene_end(&s);
}

/* Rows of another version may be in another window. */
TEST(A77_windows_of_each_version_are_booked_by_themselves)
{
    CLAIM("booked-view.window");
    query_scene s;
    if (!begin(&s, "budget=epsilon=10\n"))
        return;
    charge_window(&s, 1, "1");
    REQUIRE(query_scene_write(&s, "person,day,city\na,12,Ulm\n"));
    REQUIRE_OK(scrim_vault_update_dataset(s.vault, "people", NULL, &s.error));
    charge_window(&s, 2, "1");
    charge_window(&s, 3, "1");
    series_scene_check_spent(&s, "2", 3);
    REQUIRE_OK(scrim_vault_share(s.vault, "people", NULL, "3", NULL, &s.error));
    sc_identity_set(&s.vault->identity, 4242, "ann");
    check_booked(&s, 3, "1");
    check_booked(&s, 2, "1");
    check_booked(&s, 1, "2");
    series_scene_check_verifies(&s);
    query_scene_end(&s);
}

/* Composed by what they add, three windows of 1/4, 1/2 and 1 came to less than the last one costs alone. */
TEST(A77_standing_counts_windows_by_the_most_expensive_one)
{
    CLAIM("charge_log.windows");
    query_scene s;
    scrim_standing standing;
    if (!begin(&s, "budget=epsilon=10,delta=1/10\n"))
        return;
    charge_window(&s, 1, "1/4");
    charge_window(&s, 2, "1/2");
    charge_window(&s, 3, "1");
    series_scene_check_spent(&s, "1", 3);
    REQUIRE_OK(scrim_vault_standing(s.vault, 0, &standing, &s.error));
    CHECK_INT(standing.charges, 3);
    scrim_composition *alone = NULL;
    scrim_bounds bounds;
    REQUIRE_OK(scrim_composition_parse("epsilon=1", &alone, NULL));
    REQUIRE_OK(scrim_composition_epsilon(alone, "1/10", NULL, &bounds, NULL));
    CHECK(bounds.best.upper_view > 0.5);
    CHECK(strtod(standing.epsilon, NULL) >= bounds.best.lower_view);
    scrim_bounds_clear(&bounds);
    scrim_composition_free(alone);
    query_scene_end(&s);
}

static bool read_all(query_scene *s, sc_all_releases *all)
{
    const sc_options none = {.value = {NULL}};
    *all = (sc_all_releases){.count = 0};
    if (CHECK_STATUS(sc_all_releases_read(s->vault, &none, NULL, all, &s->error),
                     SCRIM_OK))
        return true;
    CHECK_STR(s->error.message, "");
    return false;
}

/* The same in the report for the officer, and of an analyst who was shown a window that added nothing. */
TEST(A77_report_all_counts_windows_by_the_most_expensive_one)
{
    query_scene s;
    sc_all_releases all;
    if (!begin(&s, "budget=epsilon=10,delta=1/10\n"))
        return;
    charge_window(&s, 1, "1/4");
    charge_window(&s, 2, "2");
    charge_window(&s, 3, "2");
    if (!read_all(&s, &all))
        return;
    CHECK_INT(all.population_count, 1);
    CHECK_STR(all.releases[0].amount, "0.25");
    CHECK_STR(all.releases[0].price, "0.25");
    CHECK_STR(all.releases[1].amount, "1.75");
    CHECK_STR(all.releases[1].price, "2");
    CHECK_STR(all.releases[2].amount, "0");
    CHECK_STR(all.releases[2].price, "2");
    CHECK_INT(all.releases[2].series, 1);
    char alone[SC_JOINT_BYTES], guess[SC_JOINT_BYTES];
    snprintf(alone, sizeof alone, "%s", all.populations[0].bound.joint);
    snprintf(guess, sizeof guess, "%s", all.populations[0].bound.guess);
    sc_all_releases_clear(&all);
    REQUIRE_OK(scrim_vault_share(s.vault, "people", NULL, "3", NULL, &s.error));
    sc_identity_set(&s.vault->identity, 4242, "ann");
    check_booked(&s, 3, "2");
    if (!read_all(&s, &all))
        return;
    CHECK_INT(all.analyst_count, 2);
    for (size_t i = 0; i < all.analyst_count; i++) {
        const sc_past_analyst *one = &all.analysts[i];
        CHECK(one->all.amount == 2);
        CHECK_STR(one->bound.joint, alone);
        CHECK_STR(one->bound.guess, guess);
    }
    sc_all_releases_clear(&all);
    query_scene_end(&s);
    /* As one charge of 2. */
    if (!begin(&s, "budget=epsilon=10,delta=1/10\n"))
        return;
    charge_window(&s, 0, "2");
    if (!read_all(&s, &all))
        return;
    CHECK_INT(all.releases[0].series, 0);
    CHECK_STR(all.populations[0].bound.joint, alone);
    CHECK_STR(all.populations[0].bound.guess, guess);
    sc_all_releases_clear(&all);
    query_scene_end(&s);
}

/* The series of a dataset says nothing of the rows of another: they may be in all releases. */
TEST(A77_a_window_of_another_dataset_is_charged_in_full)
{
    CLAIM("series.parallel");
    query_scene s;
    char policy[500];
    if (!begin(&s, "budget=epsilon=10\n"))
        return;
    snprintf(policy, sizeof policy,
             "%sunit=row\nneighbours=add-remove\npopulation=people\ncsv=%s\n",
             series_scene_columns, s.table);
    REQUIRE_OK(scrim_vault_add_dataset(s.vault, "others", policy, &s.error));
    charge_window(&s, 1, "1/2");
    charge(&s, "others", 1, 2, "1/2");
    series_scene_check_spent(&s, "1", 2);
    charge(&s, "others", 1, 2, "1/2");
    series_scene_check_spent(&s, "1.5", 3);
    charge_window(&s, 2, "1/2");
    series_scene_check_spent(&s, "1.5", 4);
    series_scene_check_verifies(&s);
    query_scene_end(&s);
}

/* A ledger that has such a series anyway: rows that are pushed may be others each time. */
TEST(A104_windows_of_pushed_rows_are_charged_in_full)
{
    CLAIM("series.parallel");
    query_scene s;
    char policy[500];
    if (!begin(&s, "budget=epsilon=10\n"))
        return;
    snprintf(policy, sizeof policy,
             "%sunit=row\nneighbours=add-remove\npopulation=people\n",
             series_scene_columns);
    REQUIRE_OK(scrim_vault_add_dataset(s.vault, "pushed", policy, &s.error));
    const sc_series_entry series = {.name = "pushes",
                                    .dataset = "pushed",
                                    .dataset_number = 2,
                                    .version = 1,
                                    .releases = 3,
                                    .is_parallel = true,
                                    .text = "anything"};
    REQUIRE_OK(sc_vault_enter_series(s.vault, &series, &s.error));
    charge(&s, "pushed", 2, 1, "1/2");
    charge(&s, "pushed", 2, 2, "1/2");
    series_scene_check_spent(&s, "1", 2);
    series_scene_check_verifies(&s);
    query_scene_end(&s);
}
