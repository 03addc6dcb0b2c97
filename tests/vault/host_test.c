/* A91, A92, A93, A95, A96: vaults in a program that is not ours. It closes its standard streams and prints
 * all the same, has made SQLite's defaults others, copies the vault's file while it is used, has a
 * database of its own open that is a source, too, and forks while its threads work. */
#include "check.h"
#include "sanitized.h"
#include "scene.h"
#include "vault/store/store_sqlite.h"

#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A91. */

static atomic_bool is_printing;

static void *print(void *none)
{
    while (atomic_load(&is_printing)) {
        for (int i = 0; i < 200; i++)
            if (write(STDOUT_FILENO, "the host says something\n", 24) < 0)
                break;
        (void)usleep(100);
    }
    return none;
}

static void write_rows(const char *path, int rows)
{
    FILE *file = fopen(path, "w");
    REQUIRE(file != NULL);
    fputs("id,sex\n", file);
    for (int i = 0; i < rows; i++)
        fprintf(file, "%d,%s\n", i, i % 2 == 0 ? "F" : "M");
    CHECK(fclose(file) == 0);
}

/* More units than the memory holds, so that rows go to a file: with the streams closed that file, and
 * the source, would be them. */
SLOW_TEST(A91_what_a_host_prints_lands_in_no_file_of_ours)
{
    CLAIM("descriptor.apart");
    if (IS_RACE_WATCHED)
        SKIP("the host's writing to a descriptor that is closed is the race on purpose");
    const char *query = "SELECT sex, COUNT(*) GROUP BY sex";
    scene s;
    char csv[128], policy[512];
    scrim_vault *vault = NULL;
    scrim_plan *plan = NULL;
    scrim_result *result = NULL;
    scrim_error error = {.message = ""};
    pthread_t thread;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    snprintf(csv, sizeof csv, "%s/rows.csv", s.folder);
    write_rows(csv, 300000);
    snprintf(policy, sizeof policy,
             "csv=%s\nunit=id\ncolumn=sex=text\nkeys=sex=F,M\nmax-groups=1\nmax-rows=1\n"
             "neighbours=add-remove\nbudget=epsilon=1000\n",
             csv);
    vault = scene_open(&s);
    REQUIRE(vault != NULL);
    REQUIRE_OK(scrim_vault_add_dataset(vault, "rows", policy, &error));
    REQUIRE_OK(scrim_plan_new(vault, "rows", &query, 1,
                              SCRIM_OPTIONS(scrim_query_options, .epsilon = "1000",
                                            .memory_bytes = 1 << 20, .workers = 1),
                              &plan, NULL, &error));
    int kept[3];
    (void)fflush(NULL);
    for (int i = 0; i < 3; i++) {
        kept[i] = fcntl(i, F_DUPFD_CLOEXEC, 20);
        close(i);
    }
    atomic_store(&is_printing, true);
    const bool is_started = pthread_create(&thread, NULL, print, NULL) == 0;
    const scrim_status status = scrim_query_run(vault, plan, &result, &error);
    atomic_store(&is_printing, false);
    CHECK(is_started && pthread_join(thread, NULL) == 0);
    for (int i = 0; i < 3; i++)
        CHECK(dup2(kept[i], i) == i);
    if (CHECK_STATUS(status, SCRIM_OK))
        for (size_t i = 0; i < 2; i++)
            CHECK_STR(scrim_result_cell_at(result, 0, i, 1)->value, "150000");
    scrim_result_free(result);
    scrim_plan_free(plan);
    scrim_vault_close(vault);
    scene_end(&s);
}

/* Processes with threads that spend. */

enum { PROCESSES = 2, THREADS = 2, SPENDS = 15 };

static void *spend(void *context)
{
    scrim_error error = {.message = ""};
    scrim_vault *vault = scene_open(context);
    int failed = vault == NULL;
    for (int i = 0; failed == 0 && i < SPENDS; i++)
        if (scene_spend(vault, "0.001", NULL, &error) != SCRIM_OK) {
            CHECK_FAIL("spend %d: %s", i, error.message);
            failed = 1;
        }
    scrim_vault_close(vault);
    return failed != 0 ? context : NULL;
}

static bool spend_in_threads(scene *s)
{
    pthread_t threads[THREADS];
    bool is_done = true;
    for (int i = 0; i < THREADS; i++)
        is_done = pthread_create(&threads[i], NULL, spend, s) == 0 && is_done;
    for (int i = 0; i < THREADS; i++) {
        void *failed = s;
        is_done = pthread_join(threads[i], &failed) == 0 && failed == NULL && is_done;
    }
    return is_done;
}

/* Each runs the host's part first. */
static void spend_in_processes(scene *s, void (*host)(scene *s))
{
    for (int i = 0; i < PROCESSES; i++) {
        const pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            host(s);
            _exit(spend_in_threads(s) ? 0 : 1);
        }
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status = 1;
        CHECK(wait(&status) > 0);
        CHECK_INT(status, 0);
    }
}

static void check_all_is_charged(scene *s, void (*host)(scene *s))
{
    scrim_vault_state state = {0};
    if (!scene_begin_vault(s, "epsilon=1000", false))
        return;
    spend_in_processes(s, host);
    CHECK(scene_verifies(s, &state));
    CHECK_INT(state.charges, (sc_int128)PROCESSES * THREADS * SPENDS);
    CHECK_INT(state.releases, (sc_int128)PROCESSES * THREADS * SPENDS);
    scene_end(s);
}

/* A92. */

static void share_cache(scene *s)
{
    (void)s;
    if (sqlite3_enable_shared_cache(1) != SQLITE_OK)
        _exit(2);
}

SLOW_TEST(A92_a_host_that_shares_caches)
{
    CLAIM("store_sqlite.host");
    scene s;
    check_all_is_charged(&s, share_cache);
}

static void lock_nothing(scene *s)
{
    (void)s;
    if (sqlite3_vfs_register(sqlite3_vfs_find("unix-none"), 1) != SQLITE_OK)
        _exit(2);
}

SLOW_TEST(A92_a_host_whose_sqlite_locks_nothing)
{
    CLAIM("store_sqlite.host");
    scene s;
    check_all_is_charged(&s, lock_nothing);
}

TEST(A92_a_host_whose_sqlite_knows_no_threads_is_refused)
{
    CLAIM("store_sqlite.host");
    scene s;
    scrim_vault *vault = NULL;
    scrim_error error;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    REQUIRE(sqlite3_shutdown() == SQLITE_OK &&
            sqlite3_config(SQLITE_CONFIG_SINGLETHREAD) == SQLITE_OK);
    CHECK_STATUS(scrim_vault_open(s.path, NULL, &vault, &error), SCRIM_E_STATE);
    CHECK(vault == NULL);
    scene_end(&s);
}

/* A93. */

static void *copy_for_ever(void *path)
{
    for (;;) {
        char bytes[4096];
        const int file = open(path, O_RDONLY | O_CLOEXEC);
        while (file >= 0 && read(file, bytes, sizeof bytes) > 0)
            ;
        close(file);
    }
    return NULL;
}

static void begin_copying(scene *s)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, copy_for_ever, s->path) != 0)
        _exit(2);
}

SLOW_TEST(A93_a_host_that_copies_the_vault_while_it_is_used)
{
    CLAIM("lock.host");
    scene s;
    check_all_is_charged(&s, begin_copying);
}

TEST(A93_a_vault_that_was_replaced_is_not_read)
{
    CLAIM("lock.moved");
    scene s;
    char aside[128];
    scrim_budget budget;
    scrim_error error;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    snprintf(aside, sizeof aside, "%s/aside", s.folder);
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    REQUIRE_OK(scrim_vault_budget(vault, 0, NULL, &budget, &error));
    CHECK(rename(s.path, aside) == 0);
    CHECK_STATUS(scrim_vault_budget(vault, 0, NULL, &budget, &error), SCRIM_E_LEDGER);
    CHECK(scene_copy(aside, s.path));
    CHECK_STATUS(scrim_vault_budget(vault, 0, NULL, &budget, &error), SCRIM_E_LEDGER);
    CHECK(rename(aside, s.path) == 0); /* the file itself again */
    CHECK_STATUS(scrim_vault_budget(vault, 0, NULL, &budget, &error), SCRIM_OK);
    scrim_vault_close(vault);
    scene_end(&s);
}

/* Has another process a lock on any byte of the file? Asked by a child, since one's own are no answer. */
static bool is_locked(const char *path)
{
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        struct flock any = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        const int file = open(path, O_RDWR | O_CLOEXEC);
        _exit(file >= 0 && fcntl(file, F_GETLK, &any) == 0 && any.l_type != F_UNLCK);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status) == 1;
}

/* The host is in a transaction on its database while the same database is declared a source. */
TEST(A93_a_source_that_the_host_has_open_keeps_its_locks)
{
    CLAIM("source_stamp.locks");
    scene s;
    char path[128], policy[512];
    sqlite3 *database = NULL;
    scrim_error error = {.message = ""};
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    snprintf(path, sizeof path, "%s/app.db", s.folder);
    REQUIRE(sqlite3_open(path, &database) == SQLITE_OK);
    REQUIRE(sqlite3_exec(
                database,
                "CREATE TABLE t (id INTEGER, n INTEGER); INSERT INTO t VALUES (1, 2)",
                NULL, NULL, NULL) == SQLITE_OK);
    snprintf(policy, sizeof policy,
             "sqlite=%s\ntable=t\nunit=id\ncolumn=n=int[0,9]\nmax-groups=1\nmax-rows=1\n"
             "neighbours=add-remove\nbudget=epsilon=1\n",
             path);
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    CHECK(!is_locked(path));
    REQUIRE(sqlite3_exec(database, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK);
    CHECK(is_locked(path));
    REQUIRE_OK(scrim_vault_add_dataset(vault, "rows", policy, &error));
    CHECK(is_locked(path));
    REQUIRE_OK(scrim_vault_update_dataset(vault, "rows", NULL, &error));
    CHECK(is_locked(path));
    CHECK(sqlite3_exec(database, "COMMIT", NULL, NULL, NULL) == SQLITE_OK);
    CHECK(sqlite3_close(database) == SQLITE_OK);
    scrim_vault_close(vault);
    scene_end(&s);
}

/* A96: the host closes all descriptors but its own, and opens other files. */

static int spend_without_descriptors(scrim_vault *vault, const char *path)
{
    scrim_error error = {.message = ""};
    for (int i = 3; i < 64; i++)
        close(i);
    for (int i = 0; i < 8; i++)
        if (open(path, O_RDWR | O_CLOEXEC) < 0)
            return 2;
    const scrim_status status = scene_spend(vault, "0.5", NULL, &error);
    return status == SCRIM_E_LEDGER && strstr(error.message, "has closed") != NULL ? 0
                                                                                   : 1;
}

/* NULL: of the vault itself. */
static void check_nothing_is_lost(const char *other)
{
    scene s;
    char path[128];
    int status = 1;
    scrim_vault_state state;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    snprintf(path, sizeof path, "%s/other", s.folder);
    CHECK(scene_copy(other == NULL ? s.path : other, path));
    const pid_t child = fork();
    if (child == 0) {
        scrim_vault *vault = scene_open(&s);
        _exit(vault == NULL ? 3 : spend_without_descriptors(vault, path));
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK_INT(status, 0);
    CHECK(scene_verifies(&s, &state));
    scene_end(&s);
}

TEST(A96_a_host_that_closes_the_vaults_descriptors)
{
    CLAIM("lock.closed");
    check_nothing_is_lost("/proc/self/status");
}

TEST(A96_a_copy_of_the_vault_gets_its_descriptor)
{
    CLAIM("lock.closed");
    check_nothing_is_lost(NULL);
}

/* A95. */

typedef struct transaction {
    const scene *s;
    atomic_bool has_begun;
} transaction;

/* A thread that is in a transaction for a while. */
static void *hold_transaction(void *context)
{
    transaction *t = context;
    sc_store *store = NULL;
    CHECK_STATUS(sc_store_sqlite_open(&(sc_store_sqlite_options){.path = t->s->path},
                                      &store, NULL),
                 SCRIM_OK);
    if (store == NULL)
        return NULL;
    CHECK_STATUS(store->functions->begin(store, true, NULL), SCRIM_OK);
    atomic_store(&t->has_begun, true);
    (void)usleep(50000);
    store->functions->rollback(store);
    store->functions->close(store);
    return t;
}

/* Sanitizers have larger frames, as have builds without optimization. */
#ifdef __OPTIMIZE__
#define HAS_LARGE_FRAMES IS_SANITIZED
#else
#define HAS_LARGE_FRAMES true
#endif

static int open_and_spend(const scene *s)
{
    scrim_vault *vault = NULL;
    scrim_error error = {.message = ""};
    scrim_status status = scrim_vault_open(
        s->path, SCRIM_OPTIONS(scrim_vault_options, .wait_ms = 2000), &vault, &error);
    if (status == SCRIM_OK)
        status = scene_spend(vault, "0.001", NULL, &error);
    scrim_vault_close(vault);
    return (int)status / 10;
}

TEST(A95_a_child_made_during_a_transaction_can_use_the_vault)
{
    CLAIM("fork_guard.whole");
    scene s;
    pthread_t thread;
    int status = 1;
    if (IS_SANITIZED)
        SKIP("a sanitizer's memory is not made for a fork beside threads");
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    transaction t = {.s = &s};
    REQUIRE(pthread_create(&thread, NULL, hold_transaction, &t) == 0);
    while (!atomic_load(&t.has_begun))
        (void)usleep(100);
    const pid_t child = fork();
    if (child == 0)
        _exit(open_and_spend(&s));
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK_INT(status, 0);
    void *ended = NULL;
    CHECK(pthread_join(thread, &ended) == 0 && ended != NULL);
    scene_end(&s);
}

/* A thread that reads a source of SQLite over and over. */

typedef struct reading_thread {
    scene s;
    atomic_bool is_over;
    int reads;
} reading_thread;

static scrim_status look_at_source(scrim_vault *vault)
{
    scrim_inspection inspection;
    const scrim_status status = scrim_vault_inspect(
        vault, "rows", SCRIM_OPTIONS(scrim_inspect_options, .workers = 1), &inspection,
        NULL);
    if (status == SCRIM_OK)
        scrim_inspection_clear(&inspection);
    return status;
}

static void *read_for_ever(void *context)
{
    reading_thread *t = context;
    scrim_vault *vault = scene_open(&t->s);
    while (vault != NULL && !atomic_load(&t->is_over))
        t->reads += CHECK_STATUS(look_at_source(vault), SCRIM_OK);
    scrim_vault_close(vault);
    return NULL;
}

static int open_and_look(const scene *s)
{
    (void)alarm(20);
    scrim_vault *vault = NULL;
    scrim_status status = scrim_vault_open(s->path, NULL, &vault, NULL);
    if (status == SCRIM_OK)
        status = look_at_source(vault);
    scrim_vault_close(vault);
    return (int)status / 10;
}

/* SQLite's mutexes are copied as they are: one that a thread holds is held in the child for ever. */
SLOW_TEST(A95_a_child_made_while_a_source_is_read_can_read_it)
{
    CLAIM("sqlite-source.fork");
    reading_thread t = {.is_over = false};
    char path[128], policy[512];
    sqlite3 *database = NULL;
    pthread_t thread;
    if (IS_SANITIZED)
        SKIP("a sanitizer's memory is not made for a fork beside threads");
    if (!scene_begin_vault(&t.s, "epsilon=1", false))
        return;
    snprintf(path, sizeof path, "%s/app.db", t.s.folder);
    REQUIRE(sqlite3_open(path, &database) == SQLITE_OK);
    REQUIRE(sqlite3_exec(database,
                         "CREATE TABLE t (id, n); WITH RECURSIVE c(i) AS (SELECT 1 UNION "
                         "ALL SELECT i + 1 FROM c WHERE i < 2000) "
                         "INSERT INTO t SELECT i, hex(randomblob(100)) FROM c",
                         NULL, NULL, NULL) == SQLITE_OK);
    REQUIRE(sqlite3_close(database) == SQLITE_OK);
    snprintf(policy, sizeof policy,
             "sqlite=%s\ntable=t\nunit=row\ncolumn=n=text\npopulation=people\n", path);
    scrim_vault *vault = scene_open(&t.s);
    REQUIRE(vault != NULL);
    REQUIRE_OK(scrim_vault_add_dataset(vault, "rows", policy, NULL));
    REQUIRE(pthread_create(&thread, NULL, read_for_ever, &t) == 0);
    for (int i = 0; i < 60; i++) {
        int status = 1;
        const pid_t child = fork();
        if (child == 0)
            _exit(open_and_look(&t.s));
        CHECK(child > 0 && waitpid(child, &status, 0) == child);
        CHECK_INT(status, 0);
    }
    atomic_store(&t.is_over, true);
    CHECK(pthread_join(thread, NULL) == 0 && t.reads > 0);
    scrim_vault_close(vault);
    scene_end(&t.s);
}

/* A thread with as little stack as the header asks for, and the deepest question that there is. */

typedef struct small_call {
    const scene *s;
    const char *query;
    scrim_status planned;
} small_call;

static void *plan_deeply(void *context)
{
    small_call *c = context;
    scrim_error error = {.message = ""};
    scrim_plan *plan = NULL;
    scrim_vault *vault = scene_open(c->s);
    c->planned = scrim_plan_new(vault, "people", &c->query, 1,
                                SCRIM_OPTIONS(scrim_query_options, .epsilon = "1"), &plan,
                                NULL, &error);
    scrim_plan_free(plan);
    scrim_vault_close(vault);
    return NULL;
}

TEST(host_threads_of_128_kib_suffice)
{
    enum { DEPTH = 5000 };
    static char query[DEPTH + 64];
    scene s;
    pthread_attr_t small;
    pthread_t thread;
    if (HAS_LARGE_FRAMES)
        SKIP("the frames of this build are larger");
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    const int begun = snprintf(query, sizeof query, "SELECT COUNT(*) WHERE ");
    memset(query + begun, '(', DEPTH);
    snprintf(query + begun + DEPTH, 16, "1 = 1");
    small_call c = {&s, query, SCRIM_OK};
    REQUIRE(pthread_attr_init(&small) == 0 &&
            pthread_attr_setstacksize(&small, (size_t)128 * 1024) == 0 &&
            pthread_create(&thread, &small, plan_deeply, &c) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK_STATUS(c.planned, SCRIM_E_LIMIT);
    scene_end(&s);
}
