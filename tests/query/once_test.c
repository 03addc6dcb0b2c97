/* THREATS A84: a question is charged once, whoever asks it, when, how often, and whatever ends a
 * process in between; and all of them get one answer. */
#include "base/number/ball.h"
#include "check.h"
#include "query_scene.h"
#include "random/bits_system.h"

#include <flint/flint.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define OPTIONS(...)                                                                     \
    (&(scrim_query_options){.size = sizeof(scrim_query_options), __VA_ARGS__})

static const char policy[] =
    "unit=person\ncolumn=age=int[0,120]\ncolumn=city=text\n"
    "column=sex=text\nkeys=sex=Female,Male\nmax-groups=2\nmax-rows=2\n"
    "budget=epsilon=1000,delta=0.01\n";

/* Units have more rows and groups than count, so that bounding chooses among them. */
static char *make_table(size_t rows, size_t cities)
{
    char *text = malloc(32 * rows + 64), *at = text;
    if (!CHECK(text != NULL))
        abort();
    at += sprintf(at, "person,age,city,sex\n");
    for (size_t i = 0; i < rows; i++)
        at += sprintf(at, "p%zu,%zu,c%zu,%s\n", i * 7919 % (rows / 12 + 1), i * 31 % 121,
                      i * i % cities, i % 3 == 0 ? "Female" : "Male");
    return text;
}

static bool begin_with(query_scene *s, size_t rows, size_t cities)
{
    char *table = make_table(rows, cities);
    const bool has_begun = query_scene_begin(s, policy, table);
    free(table);
    return has_begun;
}

static bool begin(query_scene *s, size_t rows)
{
    return begin_with(s, rows, 60);
}

static uint64_t charges_of(scrim_vault *vault)
{
    scrim_budget budget = {.charges = 0};
    CHECK_STATUS(scrim_vault_budget(vault, 0, NULL, &budget, NULL), SCRIM_OK);
    return budget.charges;
}

static const char *const batch[] = {
    "SELECT city, COUNT(*) AS n, SUM(age) AS s GROUP BY city",
    ("SELECT sex, MEDIAN(age) AS m, AVG(age) AS a, COUNT(DISTINCT person) AS p GROUP BY "
     "sex"),
    "SELECT city, MODE(age) AS o GROUP BY city", "SELECT MAX(age) AS x, VAR(age) AS v"};
enum { BATCH = sizeof batch / sizeof *batch };

/* The answer that the ledger has recorded. */
static char *recorded(scrim_vault *vault, uint64_t release)
{
    scrim_vault_release found = {.id = 0};
    if (!CHECK_STATUS(scrim_vault_replay(vault, release, &found, NULL), SCRIM_OK))
        abort();
    CHECK_INT(found.state, SCRIM_ENTRY_RELEASED);
    const size_t bytes = strlen(found.answer) + strlen(found.note) + 2;
    char *text = malloc(bytes);
    if (!CHECK(text != NULL))
        abort();
    snprintf(text, bytes, "%s\n%s", found.answer, found.note);
    scrim_vault_release_clear(&found);
    return text;
}

static void end_process(void *context, uint64_t done, uint64_t total)
{
    (void)context, (void)done, (void)total;
    _exit(42); /* charged, and in the middle of the rows */
}

/* A child charges the batch and ends while it reads. */
static void leave_pending(query_scene *s)
{
    scrim_vault_close(s->vault);
    s->vault = NULL;
    const pid_t child = fork();
    if (child == 0) {
        scrim_result *result = NULL;
        s->vault = scene_open(&s->base);
        (void)query_scene_ask_all(s, batch, BATCH,
                                  OPTIONS(.epsilon = "20", .delta = "1e-6", .workers = 1,
                                          .progress = end_process),
                                  &result);
        fprintf(stderr, "%s\n", s->error.message);
        _exit(1);
    }
    int state = 0;
    CHECK(waitpid(child, &state, 0) == child && WIFEXITED(state) &&
          WEXITSTATUS(state) == 42);
}

/* The vault as it was when the charge was made is put back, and the release finished again with
 * other numbers of workers, and with so little memory that rows go to a file: byte for byte the
 * same answer, though nothing of the earlier one is known. The keys are more than little memory
 * would hold, if it decided about them: 1,000. */
SLOW_TEST(A84_a_charged_release_has_one_answer)
{
    CLAIM("ask.once");
    CLAIM("release.once");
    static const struct {
        unsigned workers;
        size_t memory;
    } ways[] = {{1, 0},       {2, 0},       {7, 0},      {16, 0},
                {3, 1 << 16}, {1, 1 << 20}, {2, 8 << 20}};
    query_scene s;
    char kept[128], *first = NULL;
    if (!begin_with(&s, 60000, 1999))
        return;
    snprintf(kept, sizeof kept, "%s/kept", s.base.folder);
    leave_pending(&s);
    s.vault = scene_open(&s.base);
    REQUIRE(s.vault != NULL);
    scrim_vault_release pending = {.id = 0};
    REQUIRE_OK(scrim_vault_replay(s.vault, 1, &pending, NULL));
    CHECK_INT(pending.state, SCRIM_ENTRY_PENDING);
    scrim_vault_release_clear(&pending);
    scrim_vault_close(s.vault);
    CHECK(scene_copy(s.base.path, kept));
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i += check_is_long() ? 1 : 2) {
        scrim_result *result = NULL;
        scrim_result_facts facts;
        scrim_vault_state state;
        CHECK(scene_copy(kept, s.base.path));
        CHECK(scene_verifies(&s.base, &state));
        s.vault = scene_open(&s.base);
        /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): a test that fails leaves its memory */
        REQUIRE(s.vault != NULL);
        /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): a test that fails leaves its memory */
        REQUIRE_OK(query_scene_ask_all(&s, batch, BATCH,
                                       OPTIONS(.epsilon = "20", .delta = "1e-6",
                                               .workers = ways[i].workers,
                                               .memory_bytes = ways[i].memory),
                                       &result));
        scrim_result_describe(result, &facts);
        CHECK(facts.is_repeated && facts.release == 1);
        CHECK_INT(charges_of(s.vault), 1);
        char *answer = recorded(s.vault, facts.release);
        if (first == NULL)
            CHECK(strstr(first = answer, "\nrow c") != NULL);
        else
            CHECK_STR(answer, first);
        if (answer != first)
            free(answer);
        scrim_result_free(result);
        scrim_vault_close(s.vault);
        CHECK(scene_verifies(&s.base, &state));
    }
    s.vault = NULL;
    free(first);
    query_scene_end(&s);
}

/* Other charges of the same data have other keys, or the test above would be blind. */
TEST(A84_another_charge_has_another_answer)
{
    CLAIM("ask.once");
    query_scene s;
    char *answers[2];
    if (!begin(&s, 6000))
        return;
    for (size_t i = 0; i < 2; i++) {
        scrim_result *result = NULL;
        scrim_result_facts facts;
        const char *query = "SELECT city, COUNT(*) AS n GROUP BY city";
        /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): a test that fails leaves its memory */
        REQUIRE_OK(query_scene_ask(
            &s, query, OPTIONS(.epsilon = i == 0 ? "5" : "4.9", .delta = "1e-6"),
            &result));
        scrim_result_describe(result, &facts);
        char *record = recorded(s.vault, facts.release);
        answers[i] = strdup(strstr(record, "\nrow "));
        free(record);
        scrim_result_free(result);
    }
    CHECK(strcmp(answers[0], answers[1]) != 0);
    free(answers[0]);
    free(answers[1]);
    query_scene_end(&s);
}

/* A new version is another question: what was charged for the old one is not finished any more. */
SLOW_TEST(A84_another_version_is_charged)
{
    CLAIM("ask.once");
    query_scene s;
    scrim_result *result = NULL;
    scrim_result_facts facts;
    scrim_vault_release old = {.id = 0};
    scrim_vault_state state;
    if (!begin(&s, 60000))
        return;
    leave_pending(&s);
    s.vault = scene_open(&s.base);
    REQUIRE(s.vault != NULL);
    REQUIRE_OK(scrim_vault_update_dataset(s.vault, "people", NULL, &s.error));
    REQUIRE_OK(query_scene_ask_all(&s, batch, BATCH,
                                   OPTIONS(.epsilon = "20", .delta = "1e-6"), &result));
    scrim_result_describe(result, &facts);
    CHECK(!facts.is_repeated && facts.release == 2);
    CHECK_INT(charges_of(s.vault), 2);
    REQUIRE_OK(scrim_vault_replay(s.vault, 1, &old, NULL));
    CHECK_INT(old.state, SCRIM_ENTRY_CHARGED);
    scrim_vault_release_clear(&old);
    scrim_result_free(result);
    CHECK(scene_verifies(&s.base, &state));
    query_scene_end(&s);
}

static scrim_plan_facts facts_of(query_scene *s, const char *epsilon)
{
    scrim_plan *plan = NULL;
    scrim_plan_facts facts = {.repeats = 0};
    CHECK_STATUS(scrim_plan_new(s->vault, "people", batch, BATCH,
                                OPTIONS(.epsilon = epsilon, .delta = "1e-6"), &plan, NULL,
                                &s->error),
                 SCRIM_OK);
    CHECK_STATUS(scrim_plan_describe(s->vault, plan, &facts, &s->error), SCRIM_OK);
    scrim_plan_free(plan);
    return facts;
}

/* Somebody who has a charge finished is told beforehand that it is free. */
SLOW_TEST(A84_a_plan_knows_the_charge_that_it_joins)
{
    CLAIM("ask.once");
    query_scene s;
    scrim_result *result = NULL;
    if (!begin(&s, 60000))
        return;
    leave_pending(&s);
    s.vault = scene_open(&s.base);
    REQUIRE(s.vault != NULL);
    scrim_plan_facts facts = facts_of(&s, "20");
    CHECK_INT(facts.repeats, 1);
    CHECK_INT(facts.is_pending, 1);
    facts = facts_of(&s, "19");
    CHECK(facts.repeats == 0 && facts.is_pending == 0);
    REQUIRE_OK(query_scene_ask_all(&s, batch, BATCH,
                                   OPTIONS(.epsilon = "20", .delta = "1e-6"), &result));
    scrim_result_free(result);
    facts = facts_of(&s, "20");
    CHECK(facts.repeats == 1 && facts.is_pending == 0);
    REQUIRE_OK(scrim_vault_update_dataset(s.vault, "people", NULL, &s.error));
    facts = facts_of(&s, "20");
    CHECK(facts.repeats == 0 && facts.is_pending == 0);
    query_scene_end(&s);
}

/* Threads of one process, on one handle. */

typedef struct thread_asker {
    scrim_vault *vault;
    const scrim_plan *plan;
    pthread_barrier_t *barrier;
    scrim_status status;
    char shown[2000];
} thread_asker;

static void *ask_in_thread(void *context)
{
    thread_asker *a = context;
    scrim_result *result = NULL;
    pthread_barrier_wait(a->barrier);
    a->status = scrim_query_run(a->vault, a->plan, &result, NULL);
    if (a->status == SCRIM_OK)
        (void)query_scene_show(result, false, a->shown, sizeof a->shown);
    scrim_result_free(result);
    flint_cleanup(); /* what FLINT keeps for a thread */
    return NULL;
}

SLOW_TEST(A84_the_same_question_in_many_threads)
{
    CLAIM("ask.once");
    enum { THREADS = 8 };
    static thread_asker askers[THREADS];
    query_scene s;
    pthread_t threads[THREADS];
    pthread_barrier_t barrier;
    if (!begin(&s, 6000))
        return;
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (uint64_t round = 1; round <= check_count(2, 200); round++) {
        char query[64];
        const char *queries = query;
        scrim_plan *plan = NULL;
        snprintf(query, sizeof query,
                 "SELECT AVG(age) AS n WHERE city <> 'none %" PRIu64 "'", round);
        REQUIRE_OK(scrim_plan_new(s.vault, "people", &queries, 1,
                                  OPTIONS(.epsilon = "0.1", .workers = 2), &plan, NULL,
                                  &s.error));
        for (size_t i = 0; i < THREADS; i++) {
            askers[i] =
                (thread_asker){.vault = s.vault, .plan = plan, .barrier = &barrier};
            CHECK(pthread_create(&threads[i], NULL, ask_in_thread, &askers[i]) == 0);
        }
        for (size_t i = 0; i < THREADS; i++) {
            pthread_join(threads[i], NULL);
            CHECK_STATUS(askers[i].status, SCRIM_OK);
            CHECK_STR(askers[i].shown, askers[0].shown);
        }
        CHECK_INT(charges_of(s.vault), round);
        scrim_plan_free(plan);
    }
    pthread_barrier_destroy(&barrier);
    query_scene_end(&s);
}

/* Many processes at the same moment. */

enum { MANY_MAX = 64, SHOWN = 4000 };

typedef struct meeting {
    atomic_size_t ready; /* no barrier: one would wait for those who are killed in it */
    atomic_bool has_begun;
    struct {
        scrim_status status;
        bool is_done;
        char shown[SHOWN], message[SCRIM_MESSAGE_BYTES];
    } each[MANY_MAX];
} meeting;

static void rest(long nanoseconds)
{
    const struct timespec pause = {0, nanoseconds};
    nanosleep(&pause, NULL);
}

static void attend(query_scene *s, meeting *m, size_t me, const char *query,
                   uint64_t release)
{
    scrim_result *result = NULL;
    s->vault = NULL;
    scrim_status status = scrim_vault_open(s->base.path, NULL, &s->vault, &s->error);
    m->ready++;
    while (!m->has_begun)
        rest(20000);
    if (s->vault != NULL && query != NULL)
        status = query_scene_ask(
            s, query,
            OPTIONS(.epsilon = "0.1", .delta = "1e-6", .workers = (unsigned)me % 3 + 1),
            &result);
    else if (s->vault != NULL)
        status =
            scrim_series_release(s->vault, "daily", release, NULL, &result, &s->error);
    if (status == SCRIM_OK)
        (void)query_scene_show(result, false, m->each[me].shown, SHOWN);
    snprintf(m->each[me].message, SCRIM_MESSAGE_BYTES, "%s", s->error.message);
    m->each[me].status = status;
    m->each[me].is_done = true;
    scrim_result_free(result);
    scrim_vault_close(s->vault);
    _exit(0);
}

static uint64_t random_below(uint64_t end)
{
    static sc_bits *bits;
    uint64_t word = 0;
    if (bits == NULL)
        CHECK_STATUS(sc_bits_system_open(&bits, NULL), SCRIM_OK);
    CHECK_STATUS(sc_bits_word(bits, &word, NULL), SCRIM_OK);
    return word % end;
}

/* Processes that ask at once, every third of which is killed at some moment; how many were done. */
static size_t meet(query_scene *s, meeting *m, size_t many, const char *query,
                   uint64_t release)
{
    pid_t children[MANY_MAX];
    size_t done = 0;
    memset(m, 0, sizeof *m);
    for (size_t i = 0; i < many; i++) {
        children[i] = fork();
        if (!CHECK(children[i] >= 0))
            abort();
        if (children[i] == 0)
            attend(s, m, i, query, release);
    }
    while (m->ready < many)
        rest(100000);
    m->has_begun = true;
    for (size_t i = 0; i < many; i += 3) {
        rest((long)random_below(3000000));
        kill(children[i], SIGKILL);
    }
    for (size_t i = 0; i < many; i++) {
        int state = 0;
        CHECK(waitpid(children[i], &state, 0) == children[i]);
        CHECK(m->each[i].is_done || WIFSIGNALED(state));
        done += m->each[i].is_done;
    }
    return done;
}

/* All answers are the one that is shown afterwards, at no further charge. */
static void check_meeting(query_scene *s, const meeting *m, size_t many,
                          scrim_result *last, uint64_t charges)
{
    static char shown[SHOWN];
    (void)query_scene_show(last, false, shown, sizeof shown);
    for (size_t i = 0; i < many; i++)
        if (m->each[i].is_done && (!CHECK_STATUS(m->each[i].status, SCRIM_OK) ||
                                   !CHECK_STR(m->each[i].shown, shown)))
            CHECK_FAIL("%s", m->each[i].message);
    CHECK_INT(charges_of(s->vault), charges);
}

static meeting *share_meeting(void)
{
    meeting *m =
        mmap(NULL, sizeof *m, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!CHECK(m != MAP_FAILED))
        abort();
    return m;
}

/* Two rounds of 8, and in the long tier 1,000 of 64. */
SLOW_TEST(A84_the_same_question_at_the_same_moment)
{
    CLAIM("ask.once");
    CLAIM("release.once");
    const size_t many = check_count(8, MANY_MAX);
    query_scene s;
    size_t done = 0;
    meeting *m = share_meeting();
    scrim_vault_state state;
    if (!begin(&s, 6000))
        return;
    for (uint64_t round = 1; round <= check_count(2, 300); round++) {
        char query[128];
        scrim_result *result = NULL;
        snprintf(query, sizeof query,
                 "SELECT city, COUNT(*) AS n WHERE city <> 'none %" PRIu64
                 "' GROUP BY city",
                 round);
        done += meet(&s, m, many, query, 0);
        REQUIRE_OK(query_scene_ask(&s, query, OPTIONS(.epsilon = "0.1", .delta = "1e-6"),
                                   &result));
        check_meeting(&s, m, many, result, round);
        scrim_result_free(result);
    }
    CHECK(done > 0);
    CHECK(scene_verifies(&s.base, &state));
    CHECK_INT(state.charges, state.releases);
    munmap(m, sizeof *m);
    query_scene_end(&s);
}

SLOW_TEST(A84_the_same_release_of_a_series_at_the_same_moment)
{
    CLAIM("series.once");
    const size_t many = check_count(8, MANY_MAX);
    const uint64_t rounds = check_count(2, 300);
    query_scene s;
    scrim_series *series = NULL;
    meeting *m = share_meeting();
    scrim_vault_state state;
    if (!begin(&s, 6000))
        return;
    const scrim_series_options options = {
        .size = sizeof options, .epsilon = "0.1", .delta = "1e-6", .releases = 1000};
    REQUIRE_OK(scrim_series_new(s.vault, "daily", "people",
                                "SELECT city, COUNT(*) AS n GROUP BY city", &options,
                                &series, NULL, &s.error));
    REQUIRE_OK(scrim_series_enter(s.vault, series, 0, &s.error));
    scrim_series_free(series);
    for (uint64_t round = 1; round <= rounds; round++) {
        scrim_result *result = NULL;
        /* By number, and as the next one: another version is released each time. */
        const uint64_t number = round % 2 == 0 ? round : 0;
        (void)meet(&s, m, many, NULL, number);
        REQUIRE_OK(
            scrim_series_release(s.vault, "daily", number, NULL, &result, &s.error));
        check_meeting(&s, m, many, result, round);
        scrim_result_free(result);
        if (round < rounds)
            REQUIRE_OK(scrim_vault_update_dataset(s.vault, "people", NULL, &s.error));
    }
    CHECK(scene_verifies(&s.base, &state));
    CHECK_INT(state.charges, state.releases);
    munmap(m, sizeof *m);
    query_scene_end(&s);
}
