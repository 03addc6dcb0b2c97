#include "check.h"
#include "vault/store/store_sqlite_call.h"

#include <string.h>

/* A full disk, a lock and rights are troubles of a file that may well hold. */
TEST(store_sqlite_call_tells_damage_from_trouble)
{
    CLAIM("store_sqlite.damage");
    static const int damage[] = {SQLITE_CORRUPT, SQLITE_CORRUPT_INDEX, SQLITE_NOTADB,
                                 SQLITE_ERROR};
    static const int trouble[] = {
        SQLITE_IOERR,    SQLITE_IOERR_SHMSIZE, SQLITE_IOERR_WRITE,       SQLITE_FULL,
        SQLITE_CANTOPEN, SQLITE_READONLY,      SQLITE_READONLY_RECOVERY, SQLITE_PERM};
    scrim_error error = {.message = ""};
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++)
        CHECK_STATUS(sc_store_sqlite_fail(NULL, damage[i], &error), SCRIM_E_CHECK);
    for (size_t i = 0; i < sizeof trouble / sizeof *trouble; i++) {
        CHECK_STATUS(sc_store_sqlite_fail(NULL, trouble[i], &error), SCRIM_E_LEDGER);
        CHECK((strstr(error.message, "the disk may be full") != NULL) == (i < 4));
    }
    CHECK_STATUS(sc_store_sqlite_fail(NULL, SQLITE_BUSY, &error), SCRIM_E_BUSY);
    CHECK_STATUS(sc_store_sqlite_fail(NULL, SQLITE_NOMEM, &error), SCRIM_E_MEMORY);
}

TEST(store_sqlite_call_asks_for_one_row)
{
    sqlite3 *database = NULL;
    int64_t number = 7;
    bool is_wanted = false;
    REQUIRE(sqlite3_open(":memory:", &database) == SQLITE_OK);
    CHECK_INT(sc_store_sqlite_ask(database, "SELECT 3", &number, NULL, NULL), SQLITE_OK);
    CHECK_INT(number, 3);
    CHECK_INT(sc_store_sqlite_ask(database, "SELECT 'a'", NULL, "a", &is_wanted),
              SQLITE_OK);
    CHECK(is_wanted);
    CHECK_INT(sc_store_sqlite_ask(database, "SELECT 'ab'", NULL, "a", &is_wanted),
              SQLITE_OK);
    CHECK(!is_wanted);
    CHECK_INT(sc_store_sqlite_ask(database, "SELECT 1 WHERE 0", &number, NULL, NULL),
              SQLITE_OK);
    CHECK_INT(number, 3);
    CHECK_INT(sc_store_sqlite_ask(database, "SELECT", NULL, NULL, NULL), SQLITE_ERROR);
    sqlite3_close(database);
}

TEST(store_sqlite_call_lets_those_go_first_who_have_waited_longest)
{
    CLAIM("store_sqlite.turns");
    CHECK(sc_store_sqlite_sleep_us(0, 0) <= 1000);
    for (int64_t waited = 0; waited < 100000; waited++) {
        const long sleep = sc_store_sqlite_sleep_us(4, waited);
        CHECK(sleep >= 2000 && sleep <= 25000);
        CHECK(sleep >= sc_store_sqlite_sleep_us(4, waited + 1));
    }
    CHECK(sc_store_sqlite_sleep_us(4, 50) >= 2 * sc_store_sqlite_sleep_us(4, 200));
}

TEST(store_sqlite_call_knows_how_long_the_locks_before_took)
{
    CLAIM("store_sqlite.turns");
    sc_store_sqlite_wait wait = {.wait_ms = 60000};
    CHECK(sc_store_sqlite_wait_more(&wait, 0));
    CHECK_INT(wait.before, 0);
    wait.since = wait.last - 500; /* it has waited so long, and had the lock */
    CHECK(sc_store_sqlite_wait_more(&wait, 0));
    CHECK_INT(wait.before, 500);
    CHECK(wait.since == wait.last);
    wait.since = wait.last - 300;
    CHECK(sc_store_sqlite_wait_more(&wait, 0));
    CHECK_INT(wait.before, 800);
    wait.last -= 1000000; /* long ago */
    CHECK(sc_store_sqlite_wait_more(&wait, 0));
    CHECK_INT(wait.before, 0);
    /* what came before does not shorten the wait for this one */
    wait = (sc_store_sqlite_wait){.wait_ms = 60000, .last = wait.last, .since = 0};
    CHECK(sc_store_sqlite_wait_more(&wait, 0));
}
