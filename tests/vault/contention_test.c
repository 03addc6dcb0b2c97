/* Many at once: exactly what fits is granted, and who waits in vain is told so. */
#include "check.h"
#include "scene.h"
#include "unlocked_store.h"
#include "vault/store/store_sqlite.h"
#include "vault/vault.h"

#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 8

typedef struct arena {
    pthread_barrier_t barrier;
    atomic_int granted, refused, otherwise;
} arena;

typedef struct contest {
    const scene *s;
    arena *shared;
    const scrim_measurement *question;
    bool is_unlocked;
} contest;

typedef struct spender {
    const contest *c;
    scrim_vault *vault; /* NULL: one of its own */
} spender;

static scrim_vault *open_unlocked(const scene *s)
{
    sc_store *inner = NULL;
    scrim_vault *vault = NULL;
    CHECK_STATUS(
        sc_store_sqlite_open(
            &(sc_store_sqlite_options){.path = s->path, .wait_ms = 60000}, &inner, NULL),
        SCRIM_OK);
    sc_store *store = unlocked_store_new(inner);
    CHECK_STATUS(sc_vault_new(store, 60000, &vault, NULL), SCRIM_OK);
    return vault;
}

static scrim_vault *open_for(const contest *c)
{
    return c->is_unlocked ? open_unlocked(c->s) : scene_open(c->s);
}

static void *spend(void *context)
{
    const spender *me = context;
    arena *shared = me->c->shared;
    scrim_vault *vault = me->vault == NULL ? open_for(me->c) : me->vault;
    scrim_error error = {.message = ""};
    pthread_barrier_wait(&shared->barrier);
    scrim_status status = scene_release(vault, "people", me->c->question, NULL, &error);
    if (status == SCRIM_OK)
        shared->granted++;
    else if (status == SCRIM_E_BUDGET)
        shared->refused++;
    else
        shared->otherwise++;
    if (me->vault == NULL)
        scrim_vault_close(vault);
    return NULL;
}

/* A process of THREADS spenders, who share a handle or have one each. */
static void run_process(const contest *c, bool is_shared)
{
    pthread_t threads[THREADS];
    spender me = {c, is_shared ? open_for(c) : NULL};
    for (size_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, spend, &me) == 0);
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    scrim_vault_close(me.vault);
}

static void run_contest(const contest *c, size_t processes)
{
    pthread_barrierattr_t attribute;
    pthread_barrierattr_init(&attribute);
    pthread_barrierattr_setpshared(&attribute, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&c->shared->barrier, &attribute,
                         (unsigned)(processes * THREADS));
    for (size_t i = 0; i < processes; i++) {
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            run_process(c, i % 2 == 0);
            _exit(0);
        }
    }
    for (size_t i = 0; i < processes; i++) {
        int status = 0;
        CHECK(wait(&status) > 0 && status == 0);
    }
    pthread_barrier_destroy(&c->shared->barrier);
    pthread_barrierattr_destroy(&attribute);
}

/* As SQLite itself counts them. */
static int charges_in(const scene *s)
{
    sqlite3 *database = NULL;
    sqlite3_stmt *row = NULL;
    int count = -1;
    if (CHECK(sqlite3_open_v2(s->path, &database, SQLITE_OPEN_READWRITE, NULL) ==
              SQLITE_OK) &&
        CHECK(
            sqlite3_prepare_v2(database,
                               "SELECT count(*) FROM entries WHERE substr(bytes, 1, 7) = "
                               "CAST('charge ' AS BLOB)",
                               -1, &row, NULL) == SQLITE_OK) &&
        CHECK(sqlite3_step(row) == SQLITE_ROW))
        count = sqlite3_column_int(row, 0);
    sqlite3_finalize(row);
    sqlite3_close(database);
    return count;
}

static arena *share_arena(void)
{
    arena *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return CHECK(shared != MAP_FAILED) ? shared : NULL;
}

/* THREATS A40: 64 spenders, 8 processes of 8 threads (512 in the long tier), a budget for ten. */
SLOW_TEST(A40_check_then_spend_race)
{
    CLAIM("vault.alone");
    CLAIM("store.alone");
    const size_t processes = check_count(8, 64);
    arena *shared = share_arena();
    scrim_measurement *question = scene_question("0.1");
    REQUIRE(shared != NULL && question != NULL);
    for (uint64_t round = check_count(10, 200); round > 0; round--) {
        scene s;
        scrim_vault_state state;
        memset(shared, 0, sizeof *shared);
        if (!scene_begin_vault(&s, "epsilon=1", round % 2 == 0))
            return;
        const contest c = {&s, shared, question, false};
        run_contest(&c, processes);
        CHECK_INT(shared->granted, 10);
        CHECK_INT(shared->refused, processes * THREADS - 10);
        CHECK_INT(shared->otherwise, 0);
        CHECK_INT(charges_in(&s), 10);
        if (CHECK(scene_verifies(&s, &state)))
            CHECK(state.charges == 10 && state.releases == 10);
        scene_end(&s);
    }
    scrim_measurement_free(question);
    munmap(shared, sizeof *shared);
}

/* The same contest over a store that checks before it locks: the test above can fail. */
SLOW_TEST(A40_is_seen_to_fail_without_the_lock)
{
    arena *shared = share_arena();
    scrim_measurement *question = scene_question("0.1");
    REQUIRE(shared != NULL && question != NULL);
    int most = 0;
    /* One round does as a rule. */
    for (int round = 0; round < 20 && most <= 10; round++) {
        scene s;
        memset(shared, 0, sizeof *shared);
        if (!scene_begin_vault(&s, "epsilon=1", false))
            return;
        const contest c = {&s, shared, question, true};
        run_contest(&c, 8);
        int charges = charges_in(&s);
        most = charges > most ? charges : most;
        scene_end(&s);
    }
    CHECK(most > 10);
    scrim_measurement_free(question);
    munmap(shared, sizeof *shared);
}

/* Many who make a vault of one name: it is made once, and nobody's is replaced. */
SLOW_TEST(A40_a_vault_is_made_once)
{
    CLAIM("vault.alone");
    const size_t makers = 8;
    arena *shared = share_arena();
    REQUIRE(shared != NULL);
    for (uint64_t round = check_count(5, 200); round > 0; round--) {
        scene s;
        memset(shared, 0, sizeof *shared);
        if (!scene_begin(&s))
            return;
        pthread_barrierattr_t attribute;
        pthread_barrierattr_init(&attribute);
        pthread_barrierattr_setpshared(&attribute, PTHREAD_PROCESS_SHARED);
        pthread_barrier_init(&shared->barrier, &attribute, (unsigned)makers);
        for (size_t i = 0; i < makers; i++)
            if (fork() == 0) {
                pthread_barrier_wait(&shared->barrier);
                const scrim_status status = scrim_vault_init(s.path, NULL, NULL);
                if (status == SCRIM_OK)
                    shared->granted++;
                else if (status == SCRIM_E_LEDGER)
                    shared->refused++;
                _exit(0);
            }
        for (size_t i = 0; i < makers; i++)
            CHECK(wait(NULL) > 0);
        CHECK_INT(shared->granted, 1);
        CHECK_INT(shared->refused, makers - 1);
        scrim_vault *vault = scene_open(&s);
        scrim_vault_close(vault);
        pthread_barrier_destroy(&shared->barrier);
        pthread_barrierattr_destroy(&attribute);
        scene_end(&s);
    }
    munmap(shared, sizeof *shared);
}

/* THREATS A49: a lock that is held by a process which was stopped. */
TEST(A49_lock_held_by_a_stopped_process)
{
    scene s;
    scrim_error error = {.message = ""};
    int pipes[2];
    char byte = 0;
    scrim_vault *vault = NULL;
    if (!scene_begin_vault(&s, "epsilon=1", false) || !CHECK(pipe(pipes) == 0))
        return;
    REQUIRE_OK(scrim_vault_open(
        s.path, SCRIM_OPTIONS(scrim_vault_options, .wait_ms = 200), &vault, &error));
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        sc_store *store = NULL;
        CHECK_STATUS(sc_store_sqlite_open(
                         &(sc_store_sqlite_options){.path = s.path, .wait_ms = 1000},
                         &store, NULL),
                     SCRIM_OK);
        CHECK_STATUS(store->functions->begin(store, true, NULL), SCRIM_OK);
        CHECK(write(pipes[1], "x", 1) == 1);
        raise(SIGSTOP);
        _exit(0);
    }
    CHECK(read(pipes[0], &byte, 1) == 1);
    int status = 0;
    CHECK(waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status));
    CHECK_STATUS(scene_spend(vault, "0.1", NULL, &error), SCRIM_E_BUSY);
    CHECK(strstr(error.message, "busy") != NULL);
    /* Killed, it gives the lock up, and nothing was lost or kept. */
    CHECK(kill(child, SIGKILL) == 0 && waitpid(child, &status, 0) == child);
    CHECK_STATUS(scene_spend(vault, "0.1", NULL, &error), SCRIM_OK);
    scrim_vault_close(vault);
    scrim_vault_state state;
    CHECK(scene_verifies(&s, &state));
    CHECK_INT(state.charges, 1);
    close(pipes[0]);
    close(pipes[1]);
    scene_end(&s);
}

/* THREATS A49: a flood of refusals does not make the vault grow. */
TEST(A49_refusals_are_counted_not_kept)
{
    scene s;
    scrim_vault_state before, after;
    uint64_t refusals = 0;
    const uint64_t flood = check_count(100, 100000);
    if (!scene_begin_vault(&s, "epsilon=1", false) || !scene_verifies(&s, &before))
        return;
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    scrim_measurement *question = scene_question("2");
    for (uint64_t i = 0; i < flood; i++)
        CHECK_STATUS(scene_release(vault, "people", question, NULL, NULL),
                     SCRIM_E_BUDGET);
    scrim_measurement_free(question);
    CHECK_STATUS(scrim_vault_refusals(vault, &refusals, NULL), SCRIM_OK);
    CHECK_INT(refusals, flood);
    scrim_vault_close(vault);
    if (scene_verifies(&s, &after))
        CHECK_STR(after.head, before.head);
    scene_end(&s);
}

/* A reader who ends later than a writer waits, and does not know our lock: a tool of SQLite's. SQLite
 * keeps such a transaction, and nothing of it is in the file. The writer is told so, and the same handle
 * goes on. */
TEST(A49_a_reader_outlasts_a_commit)
{
    CLAIM("store.atomic");
    CLAIM("vault.charged");
    scene s;
    scrim_error error = {.message = ""};
    sqlite3 *reader = NULL;
    scrim_vault *vault = NULL;
    uint64_t refusals = 0;
    scrim_vault_state state;
    if (!scene_begin_vault(&s, "epsilon=1", true))
        return;
    REQUIRE(sqlite3_open(s.path, &reader) == SQLITE_OK);
    REQUIRE_OK(scrim_vault_open(s.path, SCRIM_OPTIONS(scrim_vault_options, .wait_ms = 30),
                                &vault, &error));
    for (int round = 0; round < 2; round++) {
        REQUIRE(sqlite3_exec(reader, "BEGIN; SELECT id FROM head", NULL, NULL, NULL) ==
                SQLITE_OK);
        CHECK_STATUS(scene_spend(vault, "0.25", NULL, &error), SCRIM_E_BUSY);
        CHECK_STR(error.message,
                  "the vault is busy: another process uses it; nothing was "
                  "charged; try again");
        /* A refusal that cannot be counted stands, and breaks nothing either. */
        CHECK_STATUS(scene_spend(vault, "2", NULL, &error), SCRIM_E_BUDGET);
        CHECK(sqlite3_exec(reader, "ROLLBACK", NULL, NULL, NULL) == SQLITE_OK);
        CHECK_STATUS(scene_spend(vault, "0.25", NULL, &error), SCRIM_OK);
    }
    CHECK_STATUS(scrim_vault_refusals(vault, &refusals, NULL), SCRIM_OK);
    CHECK_INT(refusals, 0);
    CHECK(sqlite3_close(reader) == SQLITE_OK);
    scrim_vault_close(vault);
    if (scene_verifies(&s, &state))
        CHECK(state.charges == 2 && state.releases == 2);
    scene_end(&s);
}
