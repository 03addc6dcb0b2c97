#include "vault/store/store_sqlite_call.h"

#include "base/cancel.h"
#include "base/descriptor.h"

#include <errno.h>
#include <string.h>
#include <time.h>

/* Microseconds. */
#define SLEEP_MOST 25000
#define SLEEP_LEAST 2000
/* A lock that is asked for within these milliseconds after another belongs to the same work. */
#define SOON 1000

long sc_store_sqlite_sleep_us(int count, int64_t waited_ms)
{
    if (count < 4)
        return 1000L << count;
    const int64_t sleep = (int64_t)50 * SLEEP_MOST / (waited_ms + 1);
    return sleep > SLEEP_MOST    ? SLEEP_MOST
           : sleep < SLEEP_LEAST ? SLEEP_LEAST
                                 : (long)sleep;
}

/* A question takes several locks: who has waited for one of them does not begin again as the last of
 * all with the next. */
static void begin_waiting(sc_store_sqlite_wait *wait, int64_t now)
{
    wait->before = now - wait->last < SOON ? wait->before + wait->last - wait->since : 0;
    wait->since = now;
}

bool sc_store_sqlite_wait_more(sc_store_sqlite_wait *wait, int count)
{
    const int64_t now_ns = sc_waiting_clock_ns(), now = now_ns / 1000000;
    if (count == 0)
        begin_waiting(wait, now);
    wait->last = now;
    const int64_t waited = now - wait->since;
    if (waited >= wait->wait_ms || (wait->until != 0 && now >= wait->until))
        return false;
    /* The clock's last digits are dice enough to keep them apart. */
    const long most = sc_store_sqlite_sleep_us(count, wait->before + waited);
    const long sleep = most / 2 + (long)(now_ns / 16 % most);
    (void)nanosleep(&(struct timespec){.tv_nsec = sleep * 1000}, NULL);
    return true;
}

static int wait_more(void *context, int count)
{
    return sc_store_sqlite_wait_more(context, count);
}

int sc_store_sqlite_wait_in(sqlite3 *database, sc_store_sqlite_wait *wait)
{
    return sqlite3_busy_handler(database, wait_more, wait);
}

bool sc_store_sqlite_is_unread(sqlite3 *database)
{
    int number = 0;
    return database != NULL &&
           sqlite3_file_control(database, "main", SQLITE_FCNTL_LAST_ERRNO, &number) ==
               SQLITE_OK &&
           (number == EIO || number == ENXIO || number == ERANGE);
}

/* The errno with which SQLite failed to open the file or to make its journal; 0: not known. */
static int opening_errno(sqlite3 *database, int code)
{
    if ((code & 0xff) == SQLITE_READONLY)
        return EACCES;
    const int number = database == NULL || (code & 0xff) != SQLITE_CANTOPEN
                           ? 0
                           : sqlite3_system_errno(database);
    return number == EMFILE || number == ENFILE || number == EACCES || number == EROFS
               ? number
               : 0;
}

scrim_status sc_store_sqlite_fail(sqlite3 *database, int code, scrim_error *error)
{
    if ((code & 0xff) == SQLITE_CORRUPT && sc_store_sqlite_is_unread(database))
        code = SQLITE_IOERR;
    const int number = opening_errno(database, code);
    if (number != 0)
        return sc_fail(error, SCRIM_E_LEDGER, "the vault cannot be used: %s",
                       sc_descriptor_why(number, true));
    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
        return sc_fail(error, SCRIM_E_BUSY,
                       "the vault is busy: another process holds its lock; try again");
    case SQLITE_NOMEM:
        return sc_no_memory(error, "the vault");
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
    case SQLITE_ERROR: /* our statements are right: what they read is not */
    case SQLITE_FORMAT:
    case SQLITE_TOOBIG:
        return sc_fail(error, SCRIM_E_CHECK,
                       "the vault is damaged, or not a vault: %s" SC_STORE_SQLITE_COPIES,
                       sqlite3_errstr(code));
    case SQLITE_IOERR:
    case SQLITE_FULL:
        return sc_fail(error, SCRIM_E_LEDGER,
                       "the vault cannot be read or written: %s; the disk may be full, "
                       "or failing: make room, look at it, and try again",
                       sqlite3_errstr(code));
    default:
        return sc_fail(error, SCRIM_E_LEDGER,
                       "the vault cannot be read or written: %s; look at the disk and at "
                       "the rights of the file and its folder",
                       sqlite3_errstr(code));
    }
}

sc_text sc_store_sqlite_text(sqlite3_stmt *statement, int column)
{
    const void *start = sqlite3_column_blob(statement, column);
    return (sc_text){start, (size_t)sqlite3_column_bytes(statement, column)};
}

int sc_store_sqlite_ask(sqlite3 *database, const char *text, int64_t *number,
                        const char *want, bool *is_wanted)
{
    sqlite3_stmt *row = NULL;
    int code = sqlite3_prepare_v2(database, text, -1, &row, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(row);
    if (code == SQLITE_ROW && number != NULL)
        *number = sqlite3_column_int64(row, 0);
    if (code == SQLITE_ROW && want != NULL)
        *is_wanted = sc_text_is(sc_store_sqlite_text(row, 0), want);
    (void)sqlite3_finalize(row);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

static const char *const texts[SC_STATEMENTS] = {
    [SC_DO_BEGIN_WRITING] = "BEGIN IMMEDIATE",
    [SC_DO_BEGIN_READING] = "BEGIN",
    [SC_DO_COMMIT] = "COMMIT",
    [SC_DO_ROLLBACK] = "ROLLBACK",
    [SC_DO_GET_HEAD] = "SELECT generation, hash, refusals FROM head WHERE id = 1",
    [SC_DO_ADD_ENTRY] =
        "INSERT INTO entries (id, is_policy, bytes, hash) VALUES (?, ?, ?, ?)",
    [SC_DO_SET_HEAD] = "UPDATE head SET generation = ?, hash = ? WHERE id = 1",
    [SC_DO_SET_TOTAL] = "INSERT OR REPLACE INTO totals VALUES (?, ?, ?, ?, ?)",
    [SC_DO_ADD_ANSWER] = "INSERT INTO releases (id, question, answer) VALUES (?, ?, ?)",
    [SC_DO_ADD_REFUSAL] = "UPDATE head SET refusals = refusals + 1 WHERE id = 1",
    [SC_DO_SET_SECRET] = "INSERT OR REPLACE INTO secrets (name, value) VALUES (?, ?)",
    [SC_DO_ADD_PENDING] =
        "INSERT INTO pending (id, question, parts, key) VALUES (?, ?, ?, ?)",
    [SC_DO_END_PENDING] = "DELETE FROM pending WHERE id = ?",
    [SC_DO_GET_ENTRIES] = "SELECT id, bytes, hash FROM entries WHERE id >= ? ORDER BY id",
    [SC_DO_GET_POLICIES] =
        ("SELECT id, bytes, hash FROM entries WHERE is_policy AND id >= ? ORDER BY id"),
    [SC_DO_GET_TOTALS] = "SELECT population, analyst, amount, delta, charges FROM totals",
    [SC_DO_GET_TOTAL] = ("SELECT population, analyst, amount, delta, charges FROM totals "
                         "WHERE population = ? AND analyst = ?"),
    [SC_DO_GET_SEAL] = "SELECT digest FROM seal WHERE id = 1",
    [SC_DO_SET_SEAL] = "UPDATE seal SET digest = ? WHERE id = 1",
    [SC_DO_GET_ANSWER] = "SELECT answer, question FROM releases WHERE id = ?",
    [SC_DO_FIND_QUESTION] =
        "SELECT id FROM releases WHERE question = ? ORDER BY id LIMIT 1",
    [SC_DO_GET_SECRET] = "SELECT value FROM secrets WHERE name = ?",
    [SC_DO_FIND_PENDING] =
        ("SELECT id, key FROM pending WHERE question = ? AND parts = ? "
         "ORDER BY id LIMIT 1"),
    [SC_DO_GET_PENDING] = "SELECT question FROM pending WHERE id = ?",
    [SC_DO_NEXT_PENDING] = "SELECT id FROM pending WHERE id > ? ORDER BY id LIMIT 1",
    [SC_DO_NEXT_ANSWER] = "SELECT id FROM releases WHERE id > ? ORDER BY id LIMIT 1",
    [SC_DO_COUNT_ANSWERS] = "SELECT 1 FROM releases",
    [SC_DO_INSPECT] = "PRAGMA integrity_check(1)",
};

scrim_status sc_statement_get(sc_statements *s, sc_statement which, sqlite3_stmt **out,
                              scrim_error *error)
{
    int code = SQLITE_OK;
    if (s->prepared[which] == NULL)
        code = sqlite3_prepare_v3(s->database, texts[which], -1,
                                  SQLITE_PREPARE_PERSISTENT, &s->prepared[which], NULL);
    *out = s->prepared[which];
    return code == SQLITE_OK ? SCRIM_OK : sc_store_sqlite_fail(s->database, code, error);
}

/* Runs a statement that gives no row. Its bindings are the caller's. */
static scrim_status finish(sqlite3_stmt *statement, scrim_error *error)
{
    int code = sqlite3_step(statement);
    (void)sqlite3_reset(statement);
    return code == SQLITE_DONE || code == SQLITE_ROW
               ? SCRIM_OK
               : sc_store_sqlite_fail(sqlite3_db_handle(statement), code, error);
}

scrim_status sc_statement_run(sc_statements *s, sc_statement which, scrim_error *error)
{
    sqlite3_stmt *prepared;
    scrim_status status = sc_statement_get(s, which, &prepared, error);
    return status == SCRIM_OK ? finish(prepared, error) : status;
}

bool sc_statement_bind_text(sqlite3_stmt *statement, int place, sc_text text)
{
    return sqlite3_bind_text64(statement, place, text.start, text.bytes, SQLITE_STATIC,
                               SQLITE_UTF8) == SQLITE_OK;
}

bool sc_statement_bind_blob(sqlite3_stmt *statement, int place, const void *bytes,
                            size_t count)
{
    return sqlite3_bind_blob64(statement, place, count == 0 ? "" : bytes, count,
                               SQLITE_STATIC) == SQLITE_OK;
}

bool sc_statement_bind_number(sqlite3_stmt *statement, int place, uint64_t number)
{
    return number <= INT64_MAX &&
           sqlite3_bind_int64(statement, place, (sqlite3_int64)number) == SQLITE_OK;
}

scrim_status sc_statement_finish_if(bool is_bound, sqlite3_stmt *statement,
                                    scrim_error *error)
{
    return is_bound ? finish(statement, error) : sc_no_memory(error, "the vault");
}

bool sc_statement_digest(sqlite3_stmt *statement, int column, sc_digest *out)
{
    sc_text bytes = sc_store_sqlite_text(statement, column);
    if (bytes.bytes != SC_DIGEST_BYTES)
        return false;
    memcpy(out->bytes, bytes.start, SC_DIGEST_BYTES);
    return true;
}

scrim_status sc_statement_fail_row(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_CHECK,
                   "the vault contains an unknown row" SC_STORE_SQLITE_COPIES);
}
