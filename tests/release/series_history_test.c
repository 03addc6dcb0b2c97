/* Whole histories of a series, recorded and replayed without one unit: what it can lose in all
 * releases, against what was charged. */
#include "check.h"
#include "random/bits_tape.h"
#include "recorder.h"
#include "series_scene.h"
#include "store_memory.h"
#include "vault/vault_tape.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_series_options, __VA_ARGS__)

typedef struct history {
    char path[64];
    scrim_vault *vault;
    sc_tape *tape;
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
    *h = (history){.vault = NULL};
    snprintf(h->path, sizeof h->path, "/tmp/scrim-series-XXXXXX");
    const int file = mkstemp(h->path);
    if (!CHECK(file >= 0))
        return false;
    close(file);
    snprintf(text, sizeof text, "%s%scsv=%s\n", series_scene_columns, policy, h->path);
    return write_rows(h, "") &&
           CHECK_STATUS(sc_tape_seeded(7, &h->tape, NULL), SCRIM_OK) &&
           CHECK_STATUS(store_memory_new(&store, NULL), SCRIM_OK) &&
           CHECK_STATUS(sc_vault_new(store, 0, &h->vault, NULL), SCRIM_OK) &&
           CHECK_STATUS(sc_vault_begin(h->vault, NULL, NULL, NULL, NULL), SCRIM_OK) &&
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

/* The loss of a unit. */

static int64_t millionths(const char *number)
{
    return (int64_t)(strtod(number, NULL) * 1e6 + 0.5);
}

/* The epsilons, in millionths, of all draws whose inputs differ between two recorded histories; by
 * 1, which is what a unit can change. -1, with a failed check, when they are no neighbours. */
static int64_t lost_between(const sc_recorder *first, const sc_recorder *second)
{
    int64_t lost = 0;
    if (!CHECK_INT(sc_recorder_count(second), sc_recorder_count(first)))
        return -1;
    for (size_t i = 0; i < sc_recorder_count(first); i++) {
        const sc_recorder_call *a = sc_recorder_at(first, i);
        const sc_int128 change = a->input[0] - sc_recorder_at(second, i)->input[0];
        scrim_measurement *m = NULL;
        scrim_cost cost;
        if (!CHECK(a->count == 1 && (change == 0 || change == 1)) ||
            !CHECK_STATUS(scrim_measurement_parse(a->line, &m, NULL), SCRIM_OK))
            return -1;
        if (CHECK_STATUS(scrim_measurement_cost(m, &cost, NULL), SCRIM_OK) && change == 1)
            lost += millionths(cost.epsilon);
        scrim_measurement_free(m);
    }
    return lost;
}

/* A table that grows. */

/* The amounts of all charges in the entries themselves, in millionths. */
static scrim_status add_entry(void *context, uint64_t id, const char *bytes, size_t count,
                              const char *hash, const char *answer)
{
    char line[300] = "", kind[20], amount[40];
    (void)id, (void)hash, (void)answer;
    snprintf(line, sizeof line, "%.*s", (int)(count < 299 ? count : 299), bytes);
    if (sscanf(line, "%19s %*s %*s %*s %39s", kind, amount) == 2 &&
        strcmp(kind, "charge") == 0)
        *(int64_t *)context += millionths(amount);
    return SCRIM_OK;
}

/* A person more a day, who stays; but one of them never comes (0: all do). Each day is released,
 * and asked for once more. */
static bool run_year(history *h, uint64_t days, uint64_t absent, sc_recorder *recorder)
{
    char rows[365 * 20] = "";
    bool is_run =
        begin_history(h,
                      "unit=person\nrows-per-unit=1\nneighbours=add-remove\n"
                      "budget=epsilon=40,delta=1e-6\n",
                      recorder) &&
        enter(h, "SELECT COUNT(*) AS n", OPTIONS(.epsilon = "0.1", .releases = days));
    for (uint64_t day = 1; is_run && day <= days; day++) {
        if (day != absent)
            snprintf(rows + strlen(rows), 20, "p%" PRIu64 ",%" PRIu64 ",Ulm\n", day,
                     day % 30 + 1);
        is_run = write_rows(h, rows) &&
                 CHECK_STATUS(scrim_vault_update_dataset(h->vault, "people", NULL, NULL),
                              SCRIM_OK) &&
                 release_next(h) && release_next(h);
    }
    return is_run;
}

/* The amount that the ledger has charged for all days, in millionths. */
static int64_t charged_for(const history *h, uint64_t days)
{
    scrim_budget budget;
    scrim_vault_state state;
    char want[40];
    int64_t charged = 0;
    CHECK_STATUS(scrim_vault_visit(h->vault, 1, add_entry, &charged, NULL), SCRIM_OK);
    snprintf(want, sizeof want, "%g", (double)days / 10);
    if (CHECK_STATUS(scrim_vault_budget(h->vault, 0, NULL, &budget, NULL), SCRIM_OK)) {
        CHECK_INT(budget.charges, days);
        CHECK_STR(budget.spent, want);
    }
    if (CHECK_STATUS(scrim_vault_verify(h->vault, &state, NULL), SCRIM_OK))
        CHECK_INT(state.releases, days);
    return charged;
}

/* The person of day d loses what the days from d on cost; the first, who is in all releases, all
 * that was charged. */
SLOW_TEST(series_of_a_year_costs_the_sum_of_its_days)
{
    CLAIM("series.charged");
    const uint64_t days = check_count_whole(30, 365), persons[] = {1, days / 2, days};
    sc_recorder *first = NULL;
    history h;
    int64_t charged = 0;
    REQUIRE_OK(sc_recorder_new(NULL, &first, NULL));
    if (run_year(&h, days, 0, first))
        charged = charged_for(&h, days);
    end_history(&h);
    CHECK_INT(sc_recorder_count(first), days); /* a repetition draws nothing */
    CHECK_INT(charged, (sc_int128)days * 100000);
    for (size_t i = 0; i < COUNT(persons); i++) {
        sc_recorder *second = NULL;
        REQUIRE_OK(sc_recorder_new(first, &second, NULL));
        if (run_year(&h, days, persons[i], second))
            CHECK_INT(lost_between(first, second),
                      charged - (int64_t)(persons[i] - 1) * 100000);
        end_history(&h);
        sc_recorder_free(second);
    }
    sc_recorder_free(first);
}

/* Windows. */

/* Another version of the table. */
static bool write_version(const history *h, const char *rows)
{
    return write_rows(h, rows) &&
           CHECK_STATUS(scrim_vault_update_dataset(h->vault, "people", NULL, NULL),
                        SCRIM_OK);
}

#define WINDOWS 3
#define WINDOW_OPTIONS .epsilon = "1", .releases = WINDOWS, .window = "day"

/* A release of each window, each of the version of the table that is given there; NULL: of the one
 * there is. */
static bool run_windows(const char *policy, const char *const versions[WINDOWS],
                        const scrim_series_options *options, sc_recorder *recorder,
                        char spent[SCRIM_NUMBER_BYTES])
{
    history h;
    scrim_budget budget;
    scrim_vault_state state;
    bool is_run = begin_history(&h, policy, recorder) && write_version(&h, versions[0]) &&
                  enter(&h, "SELECT COUNT(*) AS n", options);
    for (size_t i = 0; is_run && i < WINDOWS; i++)
        is_run = (i == 0 || versions[i] == NULL || write_version(&h, versions[i])) &&
                 release_next(&h);
    if (is_run)
        CHECK_STATUS(scrim_vault_verify(h.vault, &state, NULL), SCRIM_OK);
    if (is_run &&
        CHECK_STATUS(scrim_vault_budget(h.vault, 0, NULL, &budget, NULL), SCRIM_OK))
        snprintf(spent, SCRIM_NUMBER_BYTES, "%s", budget.spent);
    end_history(&h);
    return is_run;
}

/* The loss, in millionths, of the unit that is in the one table and not in the other; -1, with a
 * failed check, when there is nothing to compare. */
static int64_t lost_in_versions(const char *policy, const char *const here[WINDOWS],
                                const char *const there[WINDOWS],
                                const scrim_series_options *options,
                                char spent[SCRIM_NUMBER_BYTES])
{
    sc_recorder *first = NULL, *second = NULL;
    int64_t lost = -1;
    if (CHECK_STATUS(sc_recorder_new(NULL, &first, NULL), SCRIM_OK) &&
        CHECK_STATUS(sc_recorder_new(first, &second, NULL), SCRIM_OK) &&
        run_windows(policy, here, options, first, spent) &&
        run_windows(policy, there, options, second, spent) &&
        CHECK_INT(sc_recorder_count(first), 3))
        lost = lost_between(first, second);
    sc_recorder_free(second);
    sc_recorder_free(first);
    return lost;
}

static int64_t lost_in_windows(const char *policy, const char *here, const char *there,
                               char spent[SCRIM_NUMBER_BYTES])
{
    return lost_in_versions(policy, (const char *const[WINDOWS]){here},
                            (const char *const[WINDOWS]){there}, OPTIONS(WINDOW_OPTIONS),
                            spent);
}

#define WINDOW_POLICY "neighbours=add-remove\nbudget=epsilon=100\n"

/* The broken variant, windows of people charged in parallel, would have charged 1 for a person who
 * can lose 3: of two releases alone, each pure at epsilon 1, both together are not at 1. */
TEST(series_charges_a_person_for_every_window_they_are_in)
{
    CLAIM("series.charged");
    char spent[SCRIM_NUMBER_BYTES] = "";
    scrim_composition *two = NULL;
    scrim_bounds bounds;
    CHECK_INT(lost_in_windows("unit=person\nrows-per-unit=1\n" WINDOW_POLICY,
                              "a,1,Ulm\nb,2,Ulm\na,11,Ulm\nc,12,Ulm\na,21,Ulm\n",
                              "b,2,Ulm\nc,12,Ulm\n", spent),
              3000000);
    CHECK_STR(spent, "3");
    REQUIRE_OK(scrim_composition_parse("laplace epsilon=1 x2", &two, NULL));
    REQUIRE_OK(scrim_composition_delta(two, "1", NULL, &bounds, NULL));
    CHECK(bounds.best.lower_view > 0.1);
    scrim_bounds_clear(&bounds);
    scrim_composition_free(two);
}

SLOW_TEST(series_charges_a_row_for_the_one_window_it_is_in)
{
    CLAIM("series.parallel");
    char spent[SCRIM_NUMBER_BYTES] = "";
    static const char all[] = "a,1,Ulm\nb,2,Ulm\na,11,Ulm\nc,12,Ulm\na,21,Ulm\n";
    static const char *const without[] = {"b,2,Ulm\na,11,Ulm\nc,12,Ulm\na,21,Ulm\n",
                                          "a,1,Ulm\nb,2,Ulm\nc,12,Ulm\na,21,Ulm\n",
                                          "a,1,Ulm\nb,2,Ulm\na,11,Ulm\nc,12,Ulm\n"};
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        CHECK_INT(lost_in_windows("unit=row\n" WINDOW_POLICY, all, without[i], spent),
                  1000000);
        CHECK_STR(spent, "1");
    }
}

/* One row, edited between releases, is in the window of each of them: what it loses is charged, and
 * nothing is charged twice within a version. */
SLOW_TEST(A77_an_edited_row_is_charged_in_every_version)
{
    CLAIM("series.history");
    char spent[SCRIM_NUMBER_BYTES] = "";
    static const char *const here[WINDOWS] = {"a,1,Ulm\nb,2,Ulm\n", "a,11,Ulm\nb,2,Ulm\n",
                                              "a,21,Ulm\nb,2,Ulm\n"};
    static const char *const there[WINDOWS] = {"b,2,Ulm\n", "b,2,Ulm\n", "b,2,Ulm\n"};
    CHECK_INT(lost_in_versions("unit=row\n" WINDOW_POLICY, here, there,
                               OPTIONS(WINDOW_OPTIONS), spent),
              3000000);
    CHECK_STR(spent, "3");
    static const char *const once[WINDOWS] = {"a,1,Ulm\nb,2,Ulm\n",
                                              "a,11,Ulm\nb,2,Ulm\n"};
    static const char *const without[WINDOWS] = {"b,2,Ulm\n", "b,2,Ulm\n"};
    CHECK_INT(lost_in_versions("unit=row\n" WINDOW_POLICY, once, without,
                               OPTIONS(WINDOW_OPTIONS), spent),
              2000000);
    CHECK_STR(spent, "2");
}

/* With three totals a row of the first window is in two draws, and one of the others in one; in a version of
 * its own, each draw is charged as all of them. */
SLOW_TEST(series_of_totals_charges_a_row_for_all_its_draws)
{
    CLAIM("running.cost");
    char spent[SCRIM_NUMBER_BYTES] = "";
    static const char *const all[WINDOWS] = {"a,1,Ulm\nb,11,Ulm\nc,21,Ulm\n"};
    static const char *const without[][WINDOWS] = {
        {"b,11,Ulm\nc,21,Ulm\n"}, {"a,1,Ulm\nc,21,Ulm\n"}, {"a,1,Ulm\nb,11,Ulm\n"}};
    static const int64_t lost[] = {1000000, 500000, 500000};
    for (size_t i = 0; i < COUNT(without); i++) {
        CHECK_INT(lost_in_versions("unit=row\n" WINDOW_POLICY, all, without[i],
                                   OPTIONS(WINDOW_OPTIONS, .running = 1), spent),
                  lost[i]);
        CHECK_STR(spent, "1");
    }
    static const char *const here[WINDOWS] = {"a,1,Ulm\nb,2,Ulm\n", "a,11,Ulm\nb,2,Ulm\n",
                                              "a,21,Ulm\nb,2,Ulm\n"};
    static const char *const there[WINDOWS] = {"b,2,Ulm\n", "b,2,Ulm\n", "b,2,Ulm\n"};
    CHECK_INT(lost_in_versions("unit=row\n" WINDOW_POLICY, here, there,
                               OPTIONS(WINDOW_OPTIONS, .running = 1), spent),
              1500000);
    CHECK_STR(spent, "3");
}
