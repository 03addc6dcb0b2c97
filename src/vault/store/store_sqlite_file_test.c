#include "check.h"
#include "vault/store/store_sqlite_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct place {
    char folder[40], path[64];
} place;

static bool begin(place *p)
{
    snprintf(p->folder, sizeof p->folder, "/tmp/scrim-file-XXXXXX");
    if (!CHECK(mkdtemp(p->folder) != NULL))
        return false;
    snprintf(p->path, sizeof p->path, "%s/vault", p->folder);
    int file = open(p->path, O_CREAT | O_EXCL | O_RDWR, 0600);
    return CHECK(file >= 0 && close(file) == 0);
}

static void end(const place *p)
{
    CHECK(unlink(p->path) == 0); /* and there is nothing beside it */
    CHECK(rmdir(p->folder) == 0);
}

static void check_says(sqlite3 *database, const char *statement, const char *want)
{
    sqlite3_stmt *row = NULL;
    CHECK(sqlite3_prepare_v2(database, statement, -1, &row, NULL) == SQLITE_OK);
    if (CHECK(sqlite3_step(row) == SQLITE_ROW))
        CHECK_STR((const char *)sqlite3_column_text(row, 0), want);
    sqlite3_finalize(row);
}

static bool runs(sqlite3 *database, const char *statement)
{
    return sqlite3_exec(database, statement, NULL, NULL, NULL) == SQLITE_OK;
}

static void check_database(sqlite3 *database)
{
    check_says(database, "PRAGMA journal_mode", "delete");
    check_says(database, "PRAGMA synchronous", "3"); /* EXTRA */
    check_says(database, "PRAGMA trusted_schema", "0");
    check_says(database, "PRAGMA cell_size_check", "1");
    check_says(database, "PRAGMA temp_store", "2"); /* memory */
    check_says(database, "PRAGMA user_version", "2");
    check_says(database, "PRAGMA secure_delete", "1");
    check_says(database, "SELECT generation || ' ' || refusals FROM head", "0 0");
    /* Defensive: the tables cannot be rewritten from below. */
    (void)runs(database, "PRAGMA writable_schema = ON");
    CHECK(!runs(database, "UPDATE sqlite_schema SET sql = '' WHERE name = 'head'"));
    /* Neither triggers nor views. */
    CHECK(runs(database, "BEGIN; CREATE TRIGGER t AFTER UPDATE ON head BEGIN UPDATE head "
                         "SET refusals = 7; END"));
    CHECK(runs(database, "UPDATE head SET generation = 0"));
    check_says(database, "SELECT refusals FROM head", "0");
    CHECK(runs(database, "CREATE VIEW v AS SELECT 1"));
    CHECK(!runs(database, "SELECT * FROM v"));
    CHECK(runs(database, "ROLLBACK"));
    CHECK(!runs(database, "SELECT load_extension('x')"));
}

TEST(store_sqlite_file_is_durable_and_inert)
{
    CLAIM("store_sqlite.durable");
    place p;
    sc_store_sqlite_wait wait;
    sqlite3 *database = NULL;
    if (!begin(&p))
        return;
    const sc_store_sqlite_options options = {.path = p.path, .wait_ms = 123};
    REQUIRE_OK(sc_store_sqlite_file_create(&options, &wait, &database, NULL));
    check_database(database);
    CHECK(sqlite3_close(database) == SQLITE_OK);
    REQUIRE_OK(sc_store_sqlite_file_open(&options, &wait, &database, NULL));
    check_database(database);
    CHECK(sqlite3_close(database) == SQLITE_OK);
    end(&p);
}

/* One that was turned into a file with a write-ahead log is turned back, or refused. */
TEST(store_sqlite_file_keeps_its_journal)
{
    CLAIM("store_sqlite.durable");
    CLAIM("store_sqlite.own");
    place p;
    sc_store_sqlite_wait wait;
    sqlite3 *database = NULL, *other = NULL;
    if (!begin(&p))
        return;
    const sc_store_sqlite_options options = {.path = p.path, .wait_ms = 10};
    REQUIRE_OK(sc_store_sqlite_file_create(&options, &wait, &database, NULL));
    check_says(database, "PRAGMA journal_mode = WAL", "wal");
    CHECK(sqlite3_close(database) == SQLITE_OK);
    /* Somebody uses the log. */
    CHECK(sqlite3_open(p.path, &other) == SQLITE_OK &&
          runs(other, "BEGIN IMMEDIATE; UPDATE head SET refusals = 0"));
    CHECK_STATUS(sc_store_sqlite_file_open(&options, &wait, &database, NULL),
                 SCRIM_E_LEDGER);
    CHECK(sqlite3_close(other) == SQLITE_OK);
    REQUIRE_OK(sc_store_sqlite_file_open(&options, &wait, &database, NULL));
    check_says(database, "PRAGMA journal_mode", "delete");
    CHECK(sqlite3_close(database) == SQLITE_OK);
    /* And one that is not for us alone stays closed. */
    CHECK(chmod(p.path, 0644) == 0);
    CHECK_STATUS(sc_store_sqlite_file_open(&options, &wait, &database, NULL),
                 SCRIM_E_LEDGER);
    CHECK(chmod(p.path, 0600) == 0 && truncate(p.path, 0) == 0);
    CHECK_STATUS(sc_store_sqlite_file_open(&options, &wait, &database, NULL),
                 SCRIM_E_CHECK);
    end(&p);
}

/* Runs as a connection is opened, and finds it damaged. */
static int find_damage(sqlite3 *database, char **message, const void *functions)
{
    (void)database, (void)message, (void)functions;
    return SQLITE_CORRUPT;
}

/* The connection is asked for the system's error number while it is still there; the sanitized
 * build sees it otherwise. */
TEST(store_sqlite_file_is_asked_before_it_is_closed)
{
    CLAIM("store_sqlite.damage");
    place p;
    sc_store_sqlite_wait wait;
    sqlite3 *database = NULL;
    if (!begin(&p))
        return;
    const sc_store_sqlite_options options = {.path = p.path, .wait_ms = 10};
    CHECK(sqlite3_auto_extension((void (*)(void))find_damage) == SQLITE_OK);
    CHECK_STATUS(sc_store_sqlite_file_create(&options, &wait, &database, NULL),
                 SCRIM_E_CHECK);
    CHECK(sqlite3_cancel_auto_extension((void (*)(void))find_damage) == 1);
    CHECK(database == NULL);
    end(&p);
}
