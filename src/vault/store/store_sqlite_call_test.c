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
