#include "vault/store/store_sqlite_statement.h"

#include <string.h>

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
