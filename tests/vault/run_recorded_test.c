/* A79: an answer of an interactive run is in the ledger before it is shown. A run is ended between
 * the record and the answer, and its records are made to fail. A90: threads ask one run at once. */
#include "check.h"
#include "ledger/ledger.h"
#include "scene.h"
#include "wiping.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define SPARSE                                                                           \
    "sparse-vector sensitivity=1 epsilon=1/2 threshold=1000000 count=2 "                 \
    "neighbours=add-remove"
#define GUESSES                                                                          \
    "guess-and-check epsilon=10 sensitivity=1 threshold=1000000000 count=2 "             \
    "guesses=-2000000000,0,-2000000000 neighbours=add-remove"
#define HIGH 2000000000 /* above for certain, by the noise of this epsilon */

/* Requests to the ledger go through these on their way to the real one. */
static const sc_ledger_functions *real;
static const scrim_run_answer *watched; /* that nothing may be in yet */
static int pieces, early, fail_at, kill_at, fail_whole;
static useconds_t pause_us; /* in the record of each answer */

static scrim_status watch_piece(scrim_ledger *ledger, uint64_t id, uint64_t number,
                                const char *piece, scrim_error *error)
{
    pieces++;
    if (watched != NULL && watched->kind != 0)
        early++;
    if (pieces == fail_at)
        return sc_fail(error, SCRIM_E_LEDGER, "the disk is full");
    (void)usleep(pause_us);
    scrim_status status = real->record_piece(ledger, id, number, piece, error);
    if (pieces == kill_at)
        (void)raise(SIGKILL);
    return status;
}

/* The line of all answers. */
static scrim_status watch_whole(scrim_ledger *ledger, uint64_t id, const char *answer,
                                scrim_error *error)
{
    if (fail_whole-- > 0)
        return sc_fail(error, SCRIM_E_LEDGER, "the disk is full");
    return real->record(ledger, id, answer, error);
}

static void watch(scrim_ledger *ledger, sc_ledger_functions *room)
{
    real = ledger->functions;
    *room = *real;
    room->record_piece = watch_piece;
    room->record = watch_whole;
    ledger->functions = room;
    pieces = early = fail_at = kill_at = fail_whole = 0;
    pause_us = 0;
    watched = NULL;
}

static scrim_ledger *new_memory_ledger(void)
{
    scrim_ledger *ledger = NULL;
    CHECK_STATUS(
        scrim_ledger_new(SCRIM_OPTIONS(scrim_ledger_options,
                                       .neighbours = SCRIM_ADD_REMOVE, .epsilon = "1"),
                         &ledger, NULL),
        SCRIM_OK);
    return ledger;
}

TEST(A79_each_answer_is_on_record_before_it_is_shown)
{
    CLAIM("run.recorded-first");
    scrim_ledger *ledger = new_memory_ledger();
    scrim_measurement *m = NULL;
    scrim_run *run = NULL;
    sc_ledger_functions functions;
    if (!wiping_works())
        SKIP("this kernel wipes no pages in a child, and opens no run");
    REQUIRE(ledger != NULL);
    REQUIRE_OK(scrim_measurement_parse(SPARSE, &m, NULL));
    watch(ledger, &functions);
    REQUIRE_OK(scrim_run_open(ledger, m, &run, NULL));
    static const int64_t queries[] = {0, HIGH, 0, HIGH};
    for (int i = 0; i < 4; i++) {
        scrim_run_answer answer = {.kind = 0};
        watched = &answer;
        CHECK_STATUS(scrim_run_ask(run, queries[i], &answer, NULL), SCRIM_OK);
        CHECK_INT(pieces, i + 1);
        CHECK_INT(early, 0);
        CHECK_INT(answer.has_halted, i == 3);
    }
    scrim_run_close(run);
    ledger->functions = real;
    scrim_measurement_free(m);
    scrim_ledger_free(ledger);
}

/* Before it is closed, which may never happen. */
TEST(A79_an_open_run_is_on_record_in_memory)
{
    CLAIM("run.recorded-first");
    scrim_ledger *ledger = new_memory_ledger();
    scrim_measurement *m = NULL;
    scrim_run *run = NULL;
    scrim_run_answer answer;
    scrim_entry entry, first;
    if (!wiping_works())
        SKIP("this kernel wipes no pages in a child, and opens no run");
    REQUIRE(ledger != NULL);
    REQUIRE_OK(scrim_measurement_parse(SPARSE, &m, NULL));
    REQUIRE_OK(scrim_run_open(ledger, m, &run, NULL));
    REQUIRE_OK(scrim_ledger_entry(ledger, 0, &entry, NULL));
    CHECK_INT(entry.state, SCRIM_ENTRY_CHARGED);
    CHECK_STR(entry.answer, "");
    CHECK_STATUS(scrim_run_ask(run, -HIGH, &answer, NULL), SCRIM_OK);
    REQUIRE_OK(scrim_ledger_entry(ledger, 0, &first, NULL));
    CHECK_INT(first.state, SCRIM_ENTRY_RELEASED);
    CHECK_STR(first.answer, "asked=1 above=");
    CHECK_STATUS(scrim_run_ask(run, HIGH, &answer, NULL), SCRIM_OK);
    REQUIRE_OK(scrim_ledger_entry(ledger, 0, &entry, NULL));
    CHECK_STR(entry.answer, "asked=2 above=2");
    CHECK_STR(first.answer, "asked=1 above="); /* a text that was shown stays */
    scrim_run_close(run);
    REQUIRE_OK(scrim_ledger_entry(ledger, 0, &entry, NULL));
    CHECK_STR(entry.answer, "asked=2 above=2");
    scrim_measurement_free(m);
    scrim_ledger_free(ledger);
}

/* A run that is charged to a vault, by a ledger that is watched. */
typedef struct watched_run {
    scene place;
    scrim_vault *vault;
    scrim_ledger *ledger;
    scrim_measurement *m;
    sc_ledger_functions functions;
    scrim_run *run; /* the test opens it */
} watched_run;

static bool watched_run_begin(watched_run *w)
{
    *w = (watched_run){.vault = NULL};
    if (!scene_begin_vault(&w->place, "epsilon=1", false))
        return false;
    w->vault = scene_open(&w->place);
    if (!CHECK(w->vault != NULL) ||
        !CHECK_STATUS(scrim_vault_ledger(w->vault, "people", &w->ledger, NULL),
                      SCRIM_OK) ||
        !CHECK_STATUS(scrim_measurement_parse(SPARSE, &w->m, NULL), SCRIM_OK))
        return false;
    watch(w->ledger, &w->functions);
    return true;
}

/* Closes it: that is what is on record of it, its vault holds, and nothing else was released. */
static void watched_run_end(watched_run *w, const char *want)
{
    scrim_vault_release release;
    scrim_vault_state state;
    const uint64_t entry = scrim_run_entry(w->run);
    scrim_run_close(w->run);
    REQUIRE_OK(scrim_vault_replay(w->vault, entry, &release, NULL));
    CHECK_STR(release.answer, want);
    scrim_vault_release_clear(&release);
    scrim_measurement_free(w->m);
    scrim_ledger_free(w->ledger);
    scrim_vault_close(w->vault);
    CHECK(scene_verifies(&w->place, &state));
    CHECK_INT(state.releases, 1);
    scene_end(&w->place);
}

TEST(A79_what_is_not_recorded_is_not_shown)
{
    CLAIM("run.recorded-first");
    CLAIM("run.halts");
    watched_run w;
    if (!wiping_works())
        SKIP("this kernel wipes no pages in a child, and opens no run");
    if (!watched_run_begin(&w))
        return;
    fail_at = 2;
    REQUIRE_OK(scrim_run_open(w.ledger, w.m, &w.run, NULL));
    scrim_run_answer answer = {.kind = 0}, none = {.kind = 0};
    CHECK_STATUS(scrim_run_ask(w.run, -HIGH, &answer, NULL), SCRIM_OK);
    CHECK_STATUS(scrim_run_ask(w.run, HIGH, &none, NULL), SCRIM_E_LEDGER);
    CHECK_INT(none.kind, 0);
    CHECK_STATUS(scrim_run_ask(w.run, HIGH, &none, NULL), SCRIM_E_STATE);
    CHECK_INT(none.kind, 0);
    watched_run_end(&w, "asked=1 above=");
}

/* The last answer is on record by itself: that the line of all of them cannot be written neither
 * keeps it back nor loses the line. */
TEST(A79_a_halted_run_is_recorded_whole_when_it_is_closed)
{
    CLAIM("run.recorded-first");
    watched_run w;
    if (!wiping_works())
        SKIP("this kernel wipes no pages in a child, and opens no run");
    if (!watched_run_begin(&w))
        return;
    fail_whole = 1;
    REQUIRE_OK(scrim_run_open(w.ledger, w.m, &w.run, NULL));
    scrim_run_answer answer = {.kind = 0};
    CHECK_STATUS(scrim_run_ask(w.run, HIGH, &answer, NULL), SCRIM_OK);
    CHECK_STATUS(scrim_run_ask(w.run, HIGH, &answer, NULL), SCRIM_OK);
    CHECK(answer.has_halted);
    CHECK_INT(fail_whole, 0);
    watched_run_end(&w, "asked=2 above=1,2 halted");
}

static void *ask_below(void *run)
{
    scrim_run_answer answer;
    return scrim_run_ask(run, -HIGH, &answer, NULL) == SCRIM_OK ? run : NULL;
}

TEST(A90_threads_ask_one_run_one_after_the_other)
{
    CLAIM("run.recorded-first");
    enum { THREADS = 4 };
    watched_run w;
    pthread_t threads[THREADS];
    if (!wiping_works())
        SKIP("this kernel wipes no pages in a child, and opens no run");
    if (!watched_run_begin(&w))
        return;
    pause_us = 20000;
    REQUIRE_OK(scrim_run_open(w.ledger, w.m, &w.run, NULL));
    for (int i = 0; i < THREADS; i++)
        REQUIRE(pthread_create(&threads[i], NULL, ask_below, w.run) == 0);
    for (int i = 0; i < THREADS; i++) {
        void *answered = NULL;
        CHECK(pthread_join(threads[i], &answered) == 0 && answered != NULL);
    }
    watched_run_end(&w, "asked=4 above=");
}

/* The answers that a child was shown before it was killed, or was about to be. */
typedef struct shared_answers {
    uint64_t entry;
    int shown;
} shared_answers;

static void ask_until_killed(const scene *place, const char *line, int at,
                             shared_answers *shared)
{
    scrim_vault *vault = scene_open(place);
    scrim_ledger *ledger = NULL;
    scrim_measurement *m = NULL;
    scrim_run *run = NULL;
    sc_ledger_functions functions;
    if (vault == NULL || scrim_vault_ledger(vault, "people", &ledger, NULL) != SCRIM_OK ||
        scrim_measurement_parse(line, &m, NULL) != SCRIM_OK)
        _exit(1);
    watch(ledger, &functions);
    if (at > 0)
        kill_at = at;
    if (scrim_run_open(ledger, m, &run, NULL) != SCRIM_OK)
        _exit(1);
    shared->entry = scrim_run_entry(run);
    for (int i = 0; i < 3; i++) {
        scrim_run_answer answer;
        if (scrim_run_ask(run, i == 1 ? HIGH : -HIGH, &answer, NULL) != SCRIM_OK)
            _exit(1);
        shared->shown++;
        if (at < 0 && shared->shown == -at)
            (void)raise(SIGKILL);
    }
    _exit(1);
}

/* The line begins with what is wanted; a value, which is random, stands behind it. */
static void check_on_record(const scene *place, const shared_answers *shared,
                            const char *want, bool has_value)
{
    scrim_vault *vault = scene_open(place);
    scrim_vault_release release;
    scrim_vault_state state;
    REQUIRE(vault != NULL);
    REQUIRE_OK(scrim_vault_replay(vault, shared->entry, &release, NULL));
    CHECK_INT(release.state, SCRIM_ENTRY_RELEASED);
    const char *line = release.answer == NULL ? "nothing" : release.answer;
    if (has_value)
        CHECK(strncmp(line, want, strlen(want)) == 0 && line[strlen(want)] == '=');
    else
        CHECK_STR(line, want);
    scrim_vault_release_clear(&release);
    scrim_vault_close(vault);
    CHECK(scene_verifies(place, &state));
}

static void check_kills(const char *line, bool is_numeric)
{
    static const struct {
        int at; /* above 0: in the record of that answer; below: once it was shown */
        int shown;
        const char *want;
    } kills[] = {
        {1, 0, "asked=1 above="},  {2, 1, "asked=2 above=2"},  {3, 2, "asked=3 above=2"},
        {-1, 1, "asked=1 above="}, {-2, 2, "asked=2 above=2"}, {-3, 3, "asked=3 above=2"},
    };
    scene place;
    if (!scene_begin_vault(&place, "epsilon=100", false))
        return;
    shared_answers *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(shared != MAP_FAILED);
    for (size_t i = 0; i < sizeof kills / sizeof *kills; i++) {
        int status = 0;
        *shared = (shared_answers){.shown = 0};
        const pid_t child = fork();
        if (child == 0)
            ask_until_killed(&place, line, kills[i].at, shared);
        CHECK(child > 0 && waitpid(child, &status, 0) == child);
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        CHECK_INT(shared->shown, kills[i].shown);
        check_on_record(&place, shared, kills[i].want,
                        is_numeric && strlen(kills[i].want) > strlen("asked=1 above="));
    }
    (void)munmap(shared, sizeof *shared);
    scene_end(&place);
}

SLOW_TEST(A79_what_was_shown_before_a_kill_is_on_record)
{
    CLAIM("run.recorded-first");
    if (!wiping_works())
        SKIP("this kernel wipes no pages in a child, and opens no run");
    check_kills(SPARSE, false);
    check_kills(GUESSES, true);
}

/* The history tells of a run that was never closed as of one that was. */
static scrim_status count_released(void *context, const scrim_vault_release *charge)
{
    *(int *)context += charge->state == SCRIM_ENTRY_RELEASED;
    return SCRIM_OK;
}

TEST(A79_the_history_knows_an_open_run)
{
    scene place;
    scrim_vault *vault = NULL;
    scrim_ledger *ledger = NULL;
    scrim_measurement *m = NULL;
    scrim_run *run = NULL, *idle = NULL;
    scrim_run_answer answer;
    int released = 0;
    if (!wiping_works())
        SKIP("this kernel wipes no pages in a child, and opens no run");
    if (!scene_begin_vault(&place, "epsilon=100", false))
        return;
    vault = scene_open(&place);
    REQUIRE(vault != NULL);
    REQUIRE_OK(scrim_vault_ledger(vault, "people", &ledger, NULL));
    REQUIRE_OK(scrim_measurement_parse(SPARSE, &m, NULL));
    REQUIRE_OK(scrim_run_open(ledger, m, &idle, NULL));
    REQUIRE_OK(scrim_run_open(ledger, m, &run, NULL));
    CHECK_STATUS(scrim_vault_history(vault, NULL, 0, count_released, &released, NULL),
                 SCRIM_OK);
    CHECK_INT(released, 0);
    CHECK_STATUS(scrim_run_ask(run, 0, &answer, NULL), SCRIM_OK);
    CHECK_STATUS(scrim_vault_history(vault, NULL, 0, count_released, &released, NULL),
                 SCRIM_OK);
    CHECK_INT(released, 1);
    scrim_run_close(run);
    scrim_run_close(idle);
    scrim_measurement_free(m);
    scrim_ledger_free(ledger);
    scrim_vault_close(vault);
    scene_end(&place);
}
