/* The account of a vault afterwards: charges with their times, notes, shares and caps, entries. */
#include "check.h"
#include "faults.h"
#include "scene.h"
#include "store_memory.h"
#include "vault/vault_tape.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The entries that a visitor has seen, a line each. */
typedef struct seen {
    char text[4096];
    size_t count;
    scrim_status end_with;
} seen;

static scrim_status see_charge(void *context, const scrim_vault_release *charge)
{
    seen *s = context;
    const size_t used = strlen(s->text);
    snprintf(s->text + used, sizeof s->text - used, "%llu %llu %s v%llu %s %s %s%s;",
             (unsigned long long)charge->id, (unsigned long long)charge->time,
             charge->dataset, (unsigned long long)charge->version, charge->population,
             charge->unit, charge->amount,
             charge->state == SCRIM_ENTRY_RELEASED ? "" : " unanswered");
    CHECK(charge->answer == NULL && charge->note == NULL);
    CHECK(strncmp(charge->measurement, "laplace ", 8) == 0);
    s->count++;
    return s->end_with;
}

TEST(vault_history_lists_charges_with_their_times)
{
    scene s;
    scrim_error error;
    seen all = {.text = ""}, some = {.text = ""}, none = {.text = ""};
    uint64_t entries = 0;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    REQUIRE_OK(scene_spend(vault, "1/10", NULL, &error)); /* no time is known */
    scrim_vault_tell_time(vault, 1700000000);
    REQUIRE_OK(scene_spend(vault, "1/4", NULL, &error));
    REQUIRE_OK(scene_spend(vault, "1/5", NULL, &error)); /* the same second */
    scrim_vault_tell_time(vault, 1600000000);            /* a clock may be set back */
    REQUIRE_OK(scrim_vault_remove_dataset(vault, "people", &error));
    REQUIRE_OK(scrim_vault_add_dataset(vault, "people", "unit=row", &error));
    REQUIRE_OK(scene_spend(vault, "1/20", NULL, &error));
    scrim_vault_tell_time(vault, UINT64_MAX); /* no time */
    REQUIRE_OK(
        scrim_vault_add_dataset(vault, "more", "unit=row\npopulation=people", &error));
    REQUIRE_OK(scrim_vault_history(vault, NULL, 1, see_charge, &all, &error));
    CHECK_STR(all.text, "1 0 people v1 people epsilon 0.1;"
                        "2 1700000000 people v1 people epsilon 0.25;"
                        "3 1700000000 people v1 people epsilon 0.2;"
                        "4 1600000000 people v1 people epsilon 0.05;");
    REQUIRE_OK(scrim_vault_history(vault, "people", 10, see_charge, &some, &error));
    CHECK_INT(some.count, 2);
    CHECK(strncmp(some.text, "3 ", 2) == 0);
    CHECK_STATUS(scrim_vault_history(vault, "more", 1, see_charge, &none, &error),
                 SCRIM_OK);
    CHECK_INT(none.count, 0);
    CHECK_STATUS(scrim_vault_history(vault, "nobody", 1, see_charge, &none, &error),
                 SCRIM_E_PARAM);
    some = (seen){.end_with = SCRIM_E_STATE};
    CHECK_STATUS(scrim_vault_history(vault, NULL, 1, see_charge, &some, &error),
                 SCRIM_E_STATE);
    CHECK_INT(some.count, 1);
    REQUIRE_OK(scrim_vault_count(vault, &entries, &error));
    CHECK_INT(entries, 18);
    scrim_vault_close(vault);
    scrim_vault_state state;
    CHECK(scene_verifies(&s, &state));
    CHECK_INT(state.entries, 18);
    CHECK_INT(state.charges, 4);
    scene_end(&s);
}

/* A48: whatever the clock says, what is spent stays spent. */
TEST(A48_times_decide_nothing)
{
    CLAIM("vault.timeless");
    static const uint64_t times[] = {1, 4102444800, 253402300799, 2147483648, 0, 86400};
    scene s;
    scrim_error error;
    char left[SCRIM_NUMBER_BYTES];
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    REQUIRE_OK(scene_spend(vault, "1", NULL, &error));
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        scrim_vault_tell_time(vault, times[i]);
        CHECK_STATUS(scene_spend(vault, "1/1000", NULL, &error), SCRIM_E_BUDGET);
        CHECK_STR(scene_left(vault, left), "0");
    }
    scrim_vault_close(vault);
    scene_end(&s);
}

/* A clock that is set back, by less or by more than the hour of a summer time: charges are admitted as
 * before, keep the time that they were told and their order, and the span that they took is not known. */
TEST(vault_keeps_charges_in_order_when_a_clock_is_set_back)
{
    CLAIM("vault.timeless");
    static const uint64_t steps[] = {1, 3599, 3600, 3601, 7200, 86400, 31536000};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        scene s;
        scrim_error error;
        scrim_forecast forecast;
        seen all = {.text = ""};
        char left[SCRIM_NUMBER_BYTES], want[200];
        const unsigned long long back = 1700000000 - steps[i];
        if (!scene_begin_vault(&s, "epsilon=1", false))
            return;
        scrim_vault *vault = scene_open(&s);
        REQUIRE(vault != NULL);
        scrim_vault_tell_time(vault, 1700000000);
        CHECK_STATUS(scene_spend(vault, "1/4", NULL, &error), SCRIM_OK);
        scrim_vault_tell_time(vault, back);
        CHECK_STATUS(scene_spend(vault, "1/2", NULL, &error), SCRIM_OK);
        CHECK_STATUS(scene_spend(vault, "1/2", NULL, &error), SCRIM_E_BUDGET);
        CHECK_STR(scene_left(vault, left), "0.25");
        CHECK_STATUS(scrim_vault_history(vault, NULL, 1, see_charge, &all, &error),
                     SCRIM_OK);
        snprintf(want, sizeof want,
                 "1 1700000000 people v1 people epsilon 0.25;"
                 "2 %llu people v1 people epsilon 0.5;",
                 back);
        CHECK_STR(all.text, want);
        CHECK_STATUS(scrim_vault_forecast(vault, 0, 5, &forecast, &error), SCRIM_OK);
        CHECK_INT(forecast.seconds, 0);
        scrim_vault_close(vault);
        scrim_vault_state state;
        CHECK(scene_verifies(&s, &state));
        scene_end(&s);
    }
}

static char *make_note(const char *recorded, void *context)
{
    (void)context;
    const size_t bytes = strlen(recorded) + sizeof "made of ";
    char *text = malloc(bytes);
    if (text != NULL)
        snprintf(text, bytes, "made of %s", recorded);
    return text;
}

/* With a note of its own, or with one that is made of the answer. */
static scrim_status spend_with(scrim_vault *vault, const char *note, uint64_t *id,
                               scrim_error *error)
{
    const int64_t people = 5;
    scrim_ledger *ledger = NULL;
    scrim_measurement *m = NULL;
    scrim_answer *answer = NULL;
    scrim_status status = scrim_measurement_parse(
        "laplace sensitivity=1 epsilon=1/10 neighbours=add-remove", &m, error);
    if (status == SCRIM_OK)
        status = scrim_vault_ledger(vault, "people", &ledger, error);
    if (status == SCRIM_OK)
        status = scrim_vault_note(ledger, "another", error);
    if (status == SCRIM_OK)
        status = note != NULL ? scrim_vault_note(ledger, note, error)
                              : scrim_vault_note_by(ledger, make_note, NULL, error);
    if (status == SCRIM_OK)
        status = scrim_release(ledger, m, &(scrim_input){.integers = &people, .count = 1},
                               &answer, error);
    if (status == SCRIM_OK)
        *id = scrim_answer_entry(answer);
    scrim_answer_free(answer);
    scrim_ledger_free(ledger);
    scrim_measurement_free(m);
    return status;
}

TEST(vault_notes_are_kept_with_answers)
{
    scene s;
    scrim_error error;
    scrim_vault_release release;
    scrim_ledger *ledger = NULL;
    uint64_t id = 0;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    REQUIRE_OK(spend_with(vault, "label red\nlabel blue\n", &id, &error));
    REQUIRE_OK(scrim_vault_replay(vault, id, &release, &error));
    CHECK_STR(release.note, "label red\nlabel blue\n");
    CHECK(strchr(release.answer, '\n') == NULL && release.answer[0] != '\0');
    scrim_vault_release_clear(&release);
    REQUIRE_OK(spend_with(vault, NULL, &id, &error));
    REQUIRE_OK(scrim_vault_replay(vault, id, &release, &error));
    REQUIRE(release.note != NULL && strncmp(release.note, "made of ", 8) == 0);
    CHECK_STR(release.note + 8, release.answer);
    scrim_vault_release_clear(&release);
    REQUIRE_OK(scene_spend(vault, "1/10", &id, &error));
    REQUIRE_OK(scrim_vault_replay(vault, id, &release, &error));
    CHECK(release.note == NULL);
    scrim_vault_release_clear(&release);
    REQUIRE_OK(scrim_ledger_new(
        SCRIM_OPTIONS(scrim_ledger_options, .neighbours = SCRIM_REPLACE, .epsilon = "1"),
        &ledger, &error));
    CHECK_STATUS(scrim_vault_note(ledger, "x", &error), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_vault_note_by(ledger, make_note, NULL, &error), SCRIM_E_PARAM);
    scrim_ledger_free(ledger);
    scrim_vault_close(vault);
    scrim_vault_state state;
    CHECK(scene_verifies(&s, &state));
    scene_end(&s);
}

TEST(vault_shows_shares_caps_and_analysts)
{
    scene s;
    scrim_error error;
    scrim_budget budget;
    scrim_dataset dataset;
    char name[SCRIM_NAME_BYTES];
    if (!scene_begin_vault(&s, "epsilon=2,delta=1e-6", false))
        return;
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    REQUIRE_OK(scrim_vault_dataset(vault, 0, &dataset, &error));
    CHECK(dataset.cap[0] == '\0' && dataset.cap_delta[0] == '\0' &&
          dataset.cap_least[0] == '\0');
    REQUIRE_OK(scrim_vault_set_dataset(vault, "people",
                                       "unit=row\ncap=epsilon=1/2,least=1e-3", &error));
    REQUIRE_OK(scrim_vault_dataset(vault, 0, &dataset, &error));
    CHECK_STR(dataset.cap, "0.5");
    CHECK_STR(dataset.cap_delta, "");
    CHECK_STR(dataset.cap_least, "0.001");
    CHECK_STATUS(scrim_vault_analyst_at(vault, 0, name, &error), SCRIM_E_PARAM);
    REQUIRE_OK(scrim_vault_share(vault, "people", NULL, "1/2", NULL, &error));
    sc_vault_use_identity(vault, 4711, "alice");
    REQUIRE_OK(scene_spend(vault, "1/10", NULL, &error));
    REQUIRE_OK(scrim_vault_analyst_at(vault, 0, name, &error));
    CHECK_STR(name, "alice");
    CHECK_STATUS(scrim_vault_analyst_at(vault, 1, name, &error), SCRIM_E_PARAM);
    REQUIRE_OK(scrim_vault_budget(vault, 0, NULL, &budget, &error));
    CHECK_STR(budget.share, "0.5");
    CHECK_STR(budget.share_delta, "");
    REQUIRE_OK(scrim_vault_budget(vault, 0, "alice", &budget, &error));
    CHECK_STR(budget.share, "0.5");
    CHECK_STR(budget.left, "0.4");
    CHECK_STR(budget.left_delta, "0.000001");
    REQUIRE_OK(scrim_vault_share(vault, "people", NULL, NULL, NULL, &error));
    REQUIRE_OK(scrim_vault_budget(vault, 0, "alice", &budget, &error));
    CHECK_STR(budget.share, "");
    scrim_vault_close(vault);
    scene_end(&s);
}

static scrim_status see_entry(void *context, uint64_t id, const char *bytes, size_t count,
                              const char *hash, const char *answer)
{
    seen *s = context;
    CHECK_INT(id, ++s->count);
    CHECK_INT(strlen(hash), 64);
    const bool is_release = count > 8 && memcmp(bytes, "release ", 8) == 0;
    CHECK((answer != NULL) == is_release);
    if (answer != NULL)
        snprintf(s->text, sizeof s->text, "%s", answer);
    return SCRIM_OK;
}

TEST(vault_entries_come_with_their_answers)
{
    scene s;
    scrim_error error;
    seen all = {.text = ""};
    uint64_t id = 0;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    REQUIRE_OK(spend_with(vault, "count 1\n", &id, &error));
    REQUIRE_OK(scrim_vault_visit(vault, 1, see_entry, &all, &error));
    CHECK_INT(id, 1);
    REQUIRE_OK(scrim_vault_count(vault, &id, &error));
    CHECK_INT(all.count, id);
    CHECK(strstr(all.text, "\ncount 1\n") != NULL);
    scrim_vault_close(vault);
    scene_end(&s);
}

typedef struct steps {
    uint64_t calls, last, total;
} steps;

static void count_step(void *context, uint64_t done, uint64_t total)
{
    steps *s = context;
    s->calls++;
    CHECK(done > s->last && done <= total);
    s->last = done;
    s->total = total;
}

TEST(vault_verify_tells_its_progress)
{
    scrim_error error;
    scrim_vault_state state;
    sc_store *store = NULL;
    scrim_vault *vault = NULL;
    steps seen_steps = {0, 0, 0};
    REQUIRE_OK(store_memory_new(&store, &error));
    REQUIRE_OK(sc_vault_new(store, 0, &vault, &error));
    REQUIRE_OK(sc_vault_begin(vault, NULL, NULL, NULL, &error));
    REQUIRE_OK(scrim_vault_add_dataset(
        vault, "people", "unit=row\nneighbours=add-remove\nbudget=epsilon=1", &error));
    for (int i = 0; i < 1100; i++)
        REQUIRE_OK(scrim_vault_update_dataset(vault, "people", NULL, &error));
    REQUIRE_OK(
        sc_vault_verify_with(vault,
                             SCRIM_OPTIONS(scrim_vault_options, .progress = count_step,
                                           .context = &seen_steps),
                             &state, &error));
    CHECK_INT(seen_steps.calls, 1);
    CHECK_INT(seen_steps.last, 1024);
    CHECK_INT(seen_steps.total, state.entries);
    scrim_vault_close(vault);
}

/* A vault that is too damaged to open does not hold; a missing one is no damage. */
TEST(vault_check_of_what_does_not_open)
{
    CLAIM("vault.verified");
    scene s;
    scrim_error error;
    scrim_vault_state state;
    char beside[128];
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    int file = open(s.path, O_WRONLY);
    REQUIRE(file >= 0);
    CHECK(pwrite(file, "nothing of SQLite", 17, 0) == 17 && close(file) == 0);
    CHECK_STATUS(scrim_vault_check(s.path, NULL, &state, &error), SCRIM_E_CHECK);
    CHECK_INT(error.status, SCRIM_E_CHECK);
    scrim_vault *vault = NULL;
    CHECK_STATUS(scrim_vault_open(s.path, NULL, &vault, &error), SCRIM_E_LEDGER);
    snprintf(beside, sizeof beside, "%s-none", s.path);
    CHECK_STATUS(scrim_vault_check(beside, NULL, &state, &error), SCRIM_E_LEDGER);
    CHECK(truncate(s.path, 0) == 0);
    CHECK_STATUS(scrim_vault_check(s.path, NULL, &state, &error), SCRIM_E_CHECK);
    scene_end(&s);
}

/* The forecast number of charges like the last ones fits, and not one more. */
TEST(vault_forecast_counts_what_fits)
{
    scene s;
    scrim_error error;
    scrim_forecast forecast;
    if (!scene_begin_vault(&s, "epsilon=3", false))
        return;
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    CHECK_STATUS(scrim_vault_forecast(vault, 1, 5, &forecast, &error), SCRIM_E_PARAM);
    REQUIRE_OK(scrim_vault_forecast(vault, 0, 5, &forecast, &error));
    CHECK(forecast.window == 0 && forecast.charges == 0 && forecast.seconds == 0);
    REQUIRE_OK(scene_spend(vault, "1", NULL, &error)); /* long ago */
    for (uint64_t i = 0; i < 3; i++) {
        scrim_vault_tell_time(vault, 1700000000 + 3600 * i);
        REQUIRE_OK(scene_spend(vault, "1/3", NULL, &error));
    }
    REQUIRE_OK(scrim_vault_forecast(vault, 0, 3, &forecast, &error));
    CHECK_INT(forecast.window, 3);
    CHECK_STR(forecast.average, "1/3");
    CHECK_STR(forecast.average_delta, "0");
    CHECK_INT(forecast.charges, 3); /* 1 is left, exactly */
    CHECK_INT(forecast.seconds, 7200);
    REQUIRE_OK(scrim_vault_forecast(vault, 0, 4, &forecast, &error));
    CHECK_STR(forecast.average, "0.5");
    CHECK_INT(forecast.charges, 2);
    CHECK_INT(forecast.seconds, 0); /* of the first no time is known */
    REQUIRE_OK(scene_spend(vault, "1/4", NULL, &error));
    REQUIRE_OK(scrim_vault_forecast(vault, 0, 2, &forecast, &error));
    CHECK_STR(forecast.average, "7/24");
    CHECK_INT(forecast.charges, 2); /* 3/4 is left, and 3 would be 7/8 */
    scrim_vault_close(vault);
    scene_end(&s);
}

static uint64_t count_fitting(scrim_vault *vault)
{
    scrim_forecast forecast = {.charges = 99};
    CHECK_STATUS(scrim_vault_forecast(vault, 0, 2, &forecast, NULL), SCRIM_OK);
    CHECK_INT(forecast.window, 2);
    return forecast.charges;
}

/* Those who made the last charges have shares: the forecast counts those that fit their shares,
 * and each of them is admitted. */
TEST(vault_forecast_knows_shares)
{
    static const char *const names[] = {"first", "second"};
    scene s;
    scrim_error error;
    if (!scene_begin_vault(&s, "epsilon=3", false))
        return;
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    for (size_t i = 0; i < 2; i++) {
        sc_vault_use_identity(vault, 4242 + i, names[i]);
        REQUIRE_OK(scene_spend(vault, "1/4", NULL, &error));
    }
    CHECK_INT(count_fitting(vault), 10);
    REQUIRE_OK(scrim_vault_share(vault, "people", NULL, "3/4", NULL, &error));
    CHECK_INT(count_fitting(vault), 4);
    REQUIRE_OK(scrim_vault_share(vault, "people", NULL, "0.6", NULL, &error));
    CHECK_INT(count_fitting(vault), 2); /* one each */
    for (size_t i = 0; i < 2; i++) {
        sc_vault_use_identity(vault, 4242 + i, names[i]);
        REQUIRE_OK(scene_spend(vault, "1/4", NULL, &error));
        CHECK_STATUS(scene_spend(vault, "1/4", NULL, &error), SCRIM_E_BUDGET);
    }
    CHECK_INT(count_fitting(vault), 0);
    /* shares of more than there is */
    REQUIRE_OK(scrim_vault_share(vault, "people", NULL, "100", NULL, &error));
    CHECK_INT(count_fitting(vault), 8);
    REQUIRE_OK(scrim_vault_share(vault, "people", NULL, NULL, "0", &error));
    CHECK_INT(count_fitting(vault), 8); /* of delta they cost nothing */
    scrim_vault_close(vault);
    scene_end(&s);
}

static scrim_status see_change(void *context, const scrim_vault_change *change)
{
    seen *s = context;
    const size_t used = strlen(s->text);
    snprintf(s->text + used, sizeof s->text - used, "%llu %s/%s v%llu %s: %s > %s;",
             (unsigned long long)change->time, change->population, change->dataset,
             (unsigned long long)change->version, change->what,
             change->before == NULL ? "-" : change->before,
             change->after == NULL ? "-" : change->after);
    s->count++;
    return s->end_with;
}

TEST(vault_changes_tell_what_the_owner_did)
{
    scene s;
    scrim_error error;
    seen all = {.text = ""}, some = {.text = ""}, one = {.end_with = SCRIM_E_STATE};
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    scrim_vault_tell_time(vault, 1700000000);
    REQUIRE_OK(scene_spend(vault, "1/10", NULL, &error)); /* no change */
    REQUIRE_OK(scrim_vault_share(vault, "people", NULL, "1/4", NULL, &error));
    REQUIRE_OK(scrim_vault_set_dataset(
        vault, "people", "unit=row\ncolumn=a=bool\ncap=epsilon=0.5", &error));
    REQUIRE_OK(scrim_vault_add_dataset(vault, "more",
                                       "unit=row\npopulation=others\nbudget=epsilon=2\n"
                                       "neighbours=replace",
                                       &error));
    REQUIRE_OK(scrim_vault_share(vault, "people", NULL, NULL, NULL, &error));
    REQUIRE_OK(
        scrim_vault_set_dataset(vault, "people", "unit=row\ncolumn=a=text", &error));
    REQUIRE_OK(scrim_vault_changes(vault, "people", see_change, &some, &error));
    CHECK(strstr(some.text, "1700000000 people/ v0 share of *: - > epsilon=0.25;") !=
          NULL);
    CHECK(strstr(some.text, "people/people v2 new policy: - > -;") != NULL);
    CHECK(strstr(some.text, "people/people v2 column a: - > bool;") != NULL);
    CHECK(strstr(some.text, "people/people v2 cap: - > epsilon=0.5;") != NULL);
    CHECK(strstr(some.text, "people/ v0 share of *: epsilon=0.25 > -;") != NULL);
    CHECK(strstr(some.text, "people/people v3 column a: bool > text;") != NULL);
    CHECK(strstr(some.text, "people/people v3 cap: epsilon=0.5 > -;") != NULL);
    CHECK(strstr(some.text, "others") == NULL);
    CHECK(strstr(some.text, "people/people v2 budget") == NULL); /* left out, and kept */
    REQUIRE_OK(scrim_vault_changes(vault, NULL, see_change, &all, &error));
    CHECK(strstr(all.text, "others/ v0 budget: - > epsilon=2,delta=0;") != NULL);
    CHECK(strstr(all.text, "others/more v1 added: - > -;") != NULL);
    CHECK_INT(all.count, some.count + 2);
    CHECK_STATUS(scrim_vault_changes(vault, NULL, see_change, &one, &error),
                 SCRIM_E_STATE);
    CHECK_INT(one.count, 1);
    CHECK_STATUS(scrim_vault_changes(vault, "nobody", see_change, &some, &error),
                 SCRIM_E_PARAM);
    scrim_vault_close(vault);
    /* Accepted at another place. */
    CHECK(scene_copy(s.path, s.witness));
    CHECK(chmod(s.witness, 0600) == 0);
    REQUIRE_OK(scrim_vault_open(
        s.witness, SCRIM_OPTIONS(scrim_vault_options, .is_moved = 1), &vault, &error));
    all = (seen){.text = ""};
    REQUIRE_OK(scrim_vault_changes(vault, NULL, see_change, &all, &error));
    CHECK(strstr(all.text, "/ v0 vault moved: - > -;") != NULL);
    scrim_vault_close(vault);
    scene_end(&s);
}

TEST(A67_vault_changes_without_memory)
{
    scene s;
    scrim_error error;
    seen all = {.text = ""};
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    REQUIRE_OK(scrim_vault_share(vault, "people", NULL, "1/4", NULL, &error));
    REQUIRE_OK(scrim_vault_set_dataset(
        vault, "people", "unit=row\ncolumn=a=bool\ncap=epsilon=0.5", &error));
    REQUIRE_OK(scrim_vault_set_dataset(
        vault, "people", "unit=row\ncolumn=a=bool\ncap=epsilon=0.4", &error));
    scrim_status status = SCRIM_OK;
    FAULT_LOOP(fault)
    {
        all = (seen){.text = ""};
        status = scrim_vault_changes(vault, NULL, see_change, &all, &error);
        CHECK(status == SCRIM_OK || (fault_hit() && status == SCRIM_E_MEMORY));
        CHECK(status == SCRIM_OK || all.count == 0);
    }
    CHECK_STATUS(status, SCRIM_OK); /* the last one, where none failed */
    CHECK_INT(all.count, 7);
    scrim_vault_close(vault);
    scene_end(&s);
}
