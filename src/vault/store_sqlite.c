#include "vault/store_sqlite.h"

#include "base/memory.h"
#include "vault/store_sqlite_beside.h"
#include "vault/store_sqlite_call.h"
#include "vault/store_sqlite_file.h"
#include "vault/store_sqlite_seal.h"

#include <string.h>

typedef enum command {
    BEGIN_WRITING,
    BEGIN_READING,
    COMMIT,
    ROLLBACK,
    GET_HEAD,
    ADD_ENTRY,
    SET_HEAD,
    SET_TOTAL,
    ADD_ANSWER,
    ADD_REFUSAL,
    SET_SECRET,
    ADD_PENDING,
    END_PENDING,
    GET_ENTRIES,
    GET_POLICIES,
    GET_TOTALS,
    GET_TOTAL,
    GET_SEAL,
    SET_SEAL,
    GET_ANSWER,
    FIND_QUESTION,
    GET_SECRET,
    FIND_PENDING,
    GET_PENDING,
    COUNT_PENDING,
    COUNT_ANSWERS,
    INSPECT,
    STATEMENTS
} command;

static const char *const texts[STATEMENTS] = {
    [BEGIN_WRITING] = "BEGIN IMMEDIATE",
    [BEGIN_READING] = "BEGIN",
    [COMMIT] = "COMMIT",
    [ROLLBACK] = "ROLLBACK",
    [GET_HEAD] = "SELECT generation, hash, refusals FROM head WHERE id = 1",
    [ADD_ENTRY] = "INSERT INTO entries (id, is_policy, bytes, hash) VALUES (?, ?, ?, ?)",
    [SET_HEAD] = "UPDATE head SET generation = ?, hash = ? WHERE id = 1",
    [SET_TOTAL] = "INSERT OR REPLACE INTO totals VALUES (?, ?, ?, ?, ?)",
    [ADD_ANSWER] = "INSERT INTO releases (id, question, answer) VALUES (?, ?, ?)",
    [ADD_REFUSAL] = "UPDATE head SET refusals = refusals + 1 WHERE id = 1",
    [SET_SECRET] = "INSERT OR REPLACE INTO secrets (name, value) VALUES (?, ?)",
    [ADD_PENDING] = "INSERT INTO pending (id, question, parts, key) VALUES (?, ?, ?, ?)",
    [END_PENDING] = "DELETE FROM pending WHERE id = ?",
    [GET_ENTRIES] = "SELECT id, bytes, hash FROM entries WHERE id >= ? ORDER BY id",
    [GET_POLICIES] =
        ("SELECT id, bytes, hash FROM entries WHERE is_policy AND id >= ? ORDER BY id"),
    [GET_TOTALS] = "SELECT population, analyst, amount, delta, charges FROM totals",
    [GET_TOTAL] = "SELECT population, analyst, amount, delta, charges FROM totals "
                  "WHERE population = ? AND analyst = ?",
    [GET_SEAL] = "SELECT digest FROM seal WHERE id = 1",
    [SET_SEAL] = "UPDATE seal SET digest = ? WHERE id = 1",
    [GET_ANSWER] = "SELECT answer, question FROM releases WHERE id = ?",
    [FIND_QUESTION] = "SELECT min(id) FROM releases WHERE question = ?",
    [GET_SECRET] = "SELECT value FROM secrets WHERE name = ?",
    [FIND_PENDING] = ("SELECT id, key FROM pending WHERE question = ? AND parts = ? "
                      "ORDER BY id LIMIT 1"),
    [GET_PENDING] = "SELECT question FROM pending WHERE id = ?",
    [COUNT_PENDING] = "SELECT count(*) FROM pending",
    [COUNT_ANSWERS] = "SELECT count(*) FROM releases",
    [INSPECT] = "PRAGMA integrity_check(1)",
};

typedef struct sqlite_store {
    sc_store store;
    sqlite3 *database;
    sqlite3_stmt *prepared[STATEMENTS];
    sc_store_sqlite_wait wait;
    sc_digester *digester;
    sc_digest change; /* of the seal, by this transaction */
    bool is_changed;
    bool is_broken; /* a commit has failed, and what was to be written may be there */
} sqlite_store;

static sqlite_store *of(sc_store *store)
{
    return (sqlite_store *)store;
}

/* Statements are prepared when they are first used, and kept. */
static scrim_status get(sqlite_store *s, command which, sqlite3_stmt **out,
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

static scrim_status run(sqlite_store *s, command which, scrim_error *error)
{
    sqlite3_stmt *prepared;
    scrim_status status = get(s, which, &prepared, error);
    return status == SCRIM_OK ? finish(prepared, error) : status;
}

static bool bind_text(sqlite3_stmt *statement, int place, sc_text text)
{
    return sqlite3_bind_text64(statement, place, text.start, text.bytes, SQLITE_STATIC,
                               SQLITE_UTF8) == SQLITE_OK;
}

/* An empty blob is not NULL. */
static bool bind_blob(sqlite3_stmt *statement, int place, const void *bytes, size_t count)
{
    return sqlite3_bind_blob64(statement, place, count == 0 ? "" : bytes, count,
                               SQLITE_STATIC) == SQLITE_OK;
}

static bool bind_number(sqlite3_stmt *statement, int place, uint64_t number)
{
    return number <= INT64_MAX &&
           sqlite3_bind_int64(statement, place, (sqlite3_int64)number) == SQLITE_OK;
}

static scrim_status finish_if(bool is_bound, sqlite3_stmt *statement, scrim_error *error)
{
    return is_bound ? finish(statement, error)
                    : sc_fail(error, SCRIM_E_MEMORY, "no memory for the vault");
}

static bool column_digest(sqlite3_stmt *statement, int column, sc_digest *out)
{
    sc_text bytes = sc_store_sqlite_text(statement, column);
    if (bytes.bytes != SC_DIGEST_BYTES)
        return false;
    memcpy(out->bytes, bytes.start, SC_DIGEST_BYTES);
    return true;
}

static scrim_status fail_row(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_CHECK,
                   "the vault holds a row that is none of ours" SC_STORE_SQLITE_COPIES);
}

/* The functions of a store. */

static void sqlite_rollback(sc_store *store)
{
    if (!sqlite3_get_autocommit(of(store)->database))
        (void)run(of(store), ROLLBACK, NULL);
}

/* BEGIN alone takes no lock and puts nothing back: the first row that is read does. */
static scrim_status sqlite_begin(sc_store *store, bool writing, scrim_error *error)
{
    sqlite_store *s = of(store);
    if (s->is_broken)
        return sc_fail(error, SCRIM_E_LEDGER,
                       "the vault could not be written; open it again");
    s->change = (sc_digest){{0}};
    s->is_changed = false;
    scrim_status status = sc_beside_prepare(s->database, false, error);
    if (status == SCRIM_OK)
        status = run(s, writing ? BEGIN_WRITING : BEGIN_READING, error);
    if (status == SCRIM_OK)
        status = run(s, GET_HEAD, error);
    if (status != SCRIM_OK)
        sqlite_rollback(store);
    return status;
}

static bool sqlite_must_verify(sc_store *store)
{
    return sc_beside_is_marked(of(store)->database);
}

static void sqlite_is_verified(sc_store *store)
{
    sc_beside_unmark(of(store)->database);
}

/* The seal of what is kept. */

static scrim_status get_seal(sqlite_store *s, sc_digest *out, scrim_error *error)
{
    sqlite3_stmt *row;
    scrim_status status = get(s, GET_SEAL, &row, error);
    if (status != SCRIM_OK)
        return status;
    int code = sqlite3_step(row);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        status = sc_store_sqlite_fail(s->database, code, error);
    else if (code == SQLITE_DONE || !column_digest(row, 0, out))
        status = fail_row(error);
    (void)sqlite3_reset(row);
    return status;
}

static scrim_status write_seal(sqlite_store *s, scrim_error *error)
{
    sc_digest seal;
    sqlite3_stmt *set;
    if (!s->is_changed)
        return SCRIM_OK;
    scrim_status status = get_seal(s, &seal, error);
    if (status == SCRIM_OK)
        status = get(s, SET_SEAL, &set, error);
    if (status != SCRIM_OK)
        return status;
    sc_seal_join(&seal, &s->change);
    return finish_if(bind_blob(set, 1, seal.bytes, SC_DIGEST_BYTES), set, error);
}

static scrim_status sqlite_check_seal(sc_store *store, scrim_error *error)
{
    sqlite_store *s = of(store);
    sc_digest kept, found;
    scrim_status status = get_seal(s, &kept, error);
    if (status == SCRIM_OK)
        status = sc_seal_compute(s->database, s->digester, &found, error);
    if (status == SCRIM_OK && !sc_digest_equal(&kept, &found))
        status =
            sc_fail(error, SCRIM_E_CHECK,
                    "the vault's file is damaged: its policy and its totals were not "
                    "written together; run scrim ledger verify");
    return status;
}

static scrim_status sqlite_commit(sc_store *store, scrim_error *error)
{
    sqlite_store *s = of(store);
    scrim_status status = write_seal(s, error);
    if (status == SCRIM_OK)
        status = run(s, COMMIT, error);
    if (status == SCRIM_OK)
        return SCRIM_OK;
    /* SQLite keeps a transaction that has to wait for readers: nothing of it is in the file yet. */
    const bool is_kept_back =
        status == SCRIM_E_BUSY && !sqlite3_get_autocommit(s->database);
    sqlite_rollback(store);
    if (is_kept_back && sqlite3_get_autocommit(s->database))
        return sc_fail(error, SCRIM_E_BUSY,
                       "the vault is busy: somebody else is reading it; nothing was "
                       "written; try again");
    s->is_broken = true;
    return status == SCRIM_E_BUSY
               ? sc_fail(error, SCRIM_E_LEDGER, "the vault could not be written")
               : status;
}

static scrim_status sqlite_head(sc_store *store, sc_chain *out, scrim_error *error)
{
    sqlite3_stmt *get_head;
    scrim_status status = get(of(store), GET_HEAD, &get_head, error);
    if (status != SCRIM_OK)
        return status;
    int code = sqlite3_step(get_head);
    if (code == SQLITE_ROW) {
        sc_chain head = {(uint64_t)sqlite3_column_int64(get_head, 0), {{0}}};
        if (column_digest(get_head, 1, &head.head))
            *out = head;
        else
            status = fail_row(error);
    } else {
        status = code == SQLITE_DONE
                     ? fail_row(error)
                     : sc_store_sqlite_fail(of(store)->database, code, error);
    }
    (void)sqlite3_reset(get_head);
    return status;
}

/* An entry changes the head, and perhaps the policy. */
static scrim_status seal_entry(sqlite_store *s, const sc_chain *at, bool is_policy,
                               sc_text bytes, scrim_error *error)
{
    sc_chain before;
    scrim_status status = sqlite_head(&s->store, &before, error);
    s->is_changed = true;
    if (status == SCRIM_OK)
        status = sc_seal_head(s->digester, &before, &s->change, error);
    if (status == SCRIM_OK)
        status = sc_seal_head(s->digester, at, &s->change, error);
    if (status == SCRIM_OK && is_policy)
        status = sc_seal_policy(s->digester, at->generation, bytes, &s->change, error);
    return status;
}

static scrim_status sqlite_append(sc_store *store, const sc_chain *at, bool is_policy,
                                  sc_text bytes, scrim_error *error)
{
    sqlite3_stmt *add, *set;
    scrim_status status = seal_entry(of(store), at, is_policy, bytes, error);
    if (status == SCRIM_OK)
        status = get(of(store), ADD_ENTRY, &add, error);
    if (status == SCRIM_OK)
        status = get(of(store), SET_HEAD, &set, error);
    if (status == SCRIM_OK)
        status = finish_if(bind_number(add, 1, at->generation) &&
                               bind_number(add, 2, is_policy) &&
                               bind_blob(add, 3, bytes.start, bytes.bytes) &&
                               bind_blob(add, 4, at->head.bytes, SC_DIGEST_BYTES),
                           add, error);
    if (status == SCRIM_OK)
        status = finish_if(bind_number(set, 1, at->generation) &&
                               bind_blob(set, 2, at->head.bytes, SC_DIGEST_BYTES),
                           set, error);
    return status;
}

static sc_total total_in(sqlite3_stmt *row)
{
    return (sc_total){(uint64_t)sqlite3_column_int64(row, 0),
                      (uint64_t)sqlite3_column_int64(row, 1),
                      (uint64_t)sqlite3_column_int64(row, 4),
                      sc_store_sqlite_text(row, 2), sc_store_sqlite_text(row, 3)};
}

/* A total takes the place of the one before it. */
static scrim_status seal_total(sqlite_store *s, const sc_total *total, scrim_error *error)
{
    sqlite3_stmt *row;
    scrim_status status = get(s, GET_TOTAL, &row, error);
    if (status != SCRIM_OK)
        return status;
    s->is_changed = true;
    if (!bind_number(row, 1, total->population) || !bind_number(row, 2, total->analyst))
        return sc_fail(error, SCRIM_E_MEMORY, "no memory for the vault");
    int code = sqlite3_step(row);
    if (code == SQLITE_ROW) {
        const sc_total before = total_in(row);
        status = sc_seal_total(s->digester, &before, &s->change, error);
    } else if (code != SQLITE_DONE) {
        status = sc_store_sqlite_fail(s->database, code, error);
    }
    (void)sqlite3_reset(row);
    return status == SCRIM_OK ? sc_seal_total(s->digester, total, &s->change, error)
                              : status;
}

static scrim_status sqlite_put_total(sc_store *store, const sc_total *total,
                                     scrim_error *error)
{
    sqlite3_stmt *set;
    scrim_status status = seal_total(of(store), total, error);
    if (status == SCRIM_OK)
        status = get(of(store), SET_TOTAL, &set, error);
    if (status != SCRIM_OK)
        return status;
    return finish_if(
        bind_number(set, 1, total->population) && bind_number(set, 2, total->analyst) &&
            bind_text(set, 3, total->amount) && bind_text(set, 4, total->delta) &&
            bind_number(set, 5, total->charges),
        set, error);
}

static scrim_status sqlite_put_answer(sc_store *store, uint64_t charge,
                                      const sc_digest *question, sc_text answer,
                                      scrim_error *error)
{
    sqlite3_stmt *add;
    scrim_status status = get(of(store), ADD_ANSWER, &add, error);
    if (status != SCRIM_OK)
        return status;
    status = finish_if(bind_number(add, 1, charge) &&
                           bind_blob(add, 2, question->bytes, SC_DIGEST_BYTES) &&
                           bind_blob(add, 3, answer.start, answer.bytes),
                       add, error);
    if (status == SCRIM_E_LEDGER &&
        sqlite3_extended_errcode(of(store)->database) == SQLITE_CONSTRAINT_PRIMARYKEY)
        status = sc_fail(error, SCRIM_E_INTERNAL, "that charge is answered already");
    sqlite3_stmt *end;
    if (status == SCRIM_OK)
        status = get(of(store), END_PENDING, &end, error);
    if (status == SCRIM_OK)
        status = finish_if(bind_number(end, 1, charge), end, error);
    return status;
}

static scrim_status sqlite_put_secret(sc_store *store, const char *name,
                                      const sc_digest *secret, scrim_error *error)
{
    sqlite3_stmt *set;
    scrim_status status = get(of(store), SET_SECRET, &set, error);
    if (status != SCRIM_OK)
        return status;
    return finish_if(bind_text(set, 1, sc_text_of(name)) &&
                         bind_blob(set, 2, secret->bytes, SC_DIGEST_BYTES),
                     set, error);
}

static scrim_status sqlite_put_pending(sc_store *store, uint64_t charge,
                                       const sc_pending *pending, scrim_error *error)
{
    sqlite3_stmt *add;
    scrim_status status = get(of(store), ADD_PENDING, &add, error);
    if (status != SCRIM_OK)
        return status;
    return finish_if(bind_number(add, 1, charge) &&
                         bind_blob(add, 2, pending->question.bytes, SC_DIGEST_BYTES) &&
                         bind_blob(add, 3, pending->parts.bytes, SC_DIGEST_BYTES) &&
                         bind_blob(add, 4, pending->key.bytes, SC_DIGEST_BYTES),
                     add, error);
}

static scrim_status sqlite_put_refusal(sc_store *store, scrim_error *error)
{
    return run(of(store), ADD_REFUSAL, error);
}

static scrim_status visit_entry(sqlite3_stmt *row, sc_store_entry_visitor *visit,
                                void *context, scrim_error *error)
{
    sc_chain at = {(uint64_t)sqlite3_column_int64(row, 0), {{0}}};
    if (!column_digest(row, 2, &at.head))
        return fail_row(error);
    return visit(context, &at, sc_store_sqlite_text(row, 1), error);
}

static scrim_status sqlite_entries(sc_store *store, uint64_t from, bool policy_only,
                                   sc_store_entry_visitor *visit, void *context,
                                   scrim_error *error)
{
    sqlite3_stmt *rows;
    scrim_status status =
        get(of(store), policy_only ? GET_POLICIES : GET_ENTRIES, &rows, error);
    if (status != SCRIM_OK)
        return status;
    if (!bind_number(rows, 1, from))
        return sc_fail(error, SCRIM_E_PARAM, "the ledger has no such entry");
    int code = SQLITE_ROW;
    while (status == SCRIM_OK && (code = sqlite3_step(rows)) == SQLITE_ROW)
        status = visit_entry(rows, visit, context, error);
    if (status == SCRIM_OK && code != SQLITE_DONE)
        status = sc_store_sqlite_fail(of(store)->database, code, error);
    (void)sqlite3_reset(rows);
    return status;
}

static scrim_status sqlite_totals(sc_store *store, sc_store_total_visitor *visit,
                                  void *context, scrim_error *error)
{
    sqlite3_stmt *rows;
    scrim_status status = get(of(store), GET_TOTALS, &rows, error);
    if (status != SCRIM_OK)
        return status;
    int code = SQLITE_ROW;
    while (status == SCRIM_OK && (code = sqlite3_step(rows)) == SQLITE_ROW) {
        const sc_total total = total_in(rows);
        status = visit(context, &total, error);
    }
    if (status == SCRIM_OK && code != SQLITE_DONE)
        status = sc_store_sqlite_fail(of(store)->database, code, error);
    (void)sqlite3_reset(rows);
    return status;
}

/* An answer is a text, and no more than a text. */
static scrim_status copy_answer(sqlite3_stmt *row, sc_digest *question, char **out,
                                scrim_error *error)
{
    const sc_text answer = sc_store_sqlite_text(row, 0);
    if ((answer.bytes > 0 && memchr(answer.start, '\0', answer.bytes) != NULL) ||
        (question != NULL && !column_digest(row, 1, question)))
        return fail_row(error);
    char *copy = sc_allocate(answer.bytes + 1, 1);
    if (copy == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory for an answer");
    if (answer.bytes > 0)
        memcpy(copy, answer.start, answer.bytes);
    *out = copy;
    return SCRIM_OK;
}

static scrim_status sqlite_answer(sc_store *store, uint64_t charge, sc_digest *question,
                                  char **out, scrim_error *error)
{
    sqlite3_stmt *row;
    char *copy = NULL;
    scrim_status status = get(of(store), GET_ANSWER, &row, error);
    if (status != SCRIM_OK)
        return status;
    int code = bind_number(row, 1, charge) ? sqlite3_step(row) : SQLITE_DONE;
    if (code == SQLITE_ROW)
        status = copy_answer(row, question, &copy, error);
    else if (code != SQLITE_DONE)
        status = sc_store_sqlite_fail(of(store)->database, code, error);
    (void)sqlite3_reset(row);
    if (status == SCRIM_OK)
        *out = copy;
    return status;
}

static scrim_status sqlite_find(sc_store *store, const sc_digest *question,
                                uint64_t *charge, scrim_error *error)
{
    sqlite3_stmt *row;
    scrim_status status = get(of(store), FIND_QUESTION, &row, error);
    if (status != SCRIM_OK)
        return status;
    if (!bind_blob(row, 1, question->bytes, SC_DIGEST_BYTES))
        return sc_fail(error, SCRIM_E_MEMORY, "no memory for the vault");
    int code = sqlite3_step(row);
    if (code == SQLITE_ROW)
        *charge = (uint64_t)sqlite3_column_int64(row, 0); /* 0 for NULL */
    else
        status = sc_store_sqlite_fail(of(store)->database, code, error);
    (void)sqlite3_reset(row);
    return status;
}

static scrim_status sqlite_secret(sc_store *store, const char *name, sc_digest *out,
                                  bool *is_there, scrim_error *error)
{
    sqlite3_stmt *row;
    scrim_status status = get(of(store), GET_SECRET, &row, error);
    if (status != SCRIM_OK)
        return status;
    if (!bind_text(row, 1, sc_text_of(name)))
        return sc_fail(error, SCRIM_E_MEMORY, "no memory for the vault");
    int code = sqlite3_step(row);
    if (code == SQLITE_ROW && !column_digest(row, 0, out))
        status = fail_row(error);
    else if (code != SQLITE_ROW && code != SQLITE_DONE)
        status = sc_store_sqlite_fail(of(store)->database, code, error);
    (void)sqlite3_reset(row);
    *is_there = code == SQLITE_ROW;
    return status;
}

static scrim_status sqlite_find_pending(sc_store *store, sc_pending *pending,
                                        uint64_t *charge, scrim_error *error)
{
    sqlite3_stmt *row;
    scrim_status status = get(of(store), FIND_PENDING, &row, error);
    if (status != SCRIM_OK)
        return status;
    if (!bind_blob(row, 1, pending->question.bytes, SC_DIGEST_BYTES) ||
        !bind_blob(row, 2, pending->parts.bytes, SC_DIGEST_BYTES))
        return sc_fail(error, SCRIM_E_MEMORY, "no memory for the vault");
    int code = sqlite3_step(row);
    *charge = code == SQLITE_ROW ? (uint64_t)sqlite3_column_int64(row, 0) : 0;
    if (code == SQLITE_ROW && !column_digest(row, 1, &pending->key))
        status = fail_row(error);
    else if (code != SQLITE_ROW && code != SQLITE_DONE)
        status = sc_store_sqlite_fail(of(store)->database, code, error);
    (void)sqlite3_reset(row);
    return status;
}

static scrim_status sqlite_pending(sc_store *store, uint64_t charge, sc_digest *question,
                                   bool *is_there, scrim_error *error)
{
    sqlite3_stmt *row;
    scrim_status status = get(of(store), GET_PENDING, &row, error);
    if (status != SCRIM_OK)
        return status;
    int code = bind_number(row, 1, charge) ? sqlite3_step(row) : SQLITE_DONE;
    *is_there = code == SQLITE_ROW;
    if (code == SQLITE_ROW && !column_digest(row, 0, question))
        status = fail_row(error);
    else if (code != SQLITE_ROW && code != SQLITE_DONE)
        status = sc_store_sqlite_fail(of(store)->database, code, error);
    (void)sqlite3_reset(row);
    return status;
}

/* A number in the only row of a statement. */
static scrim_status number_in(sc_store *store, command which, int column, uint64_t *out,
                              scrim_error *error)
{
    sqlite3_stmt *row;
    scrim_status status = get(of(store), which, &row, error);
    if (status != SCRIM_OK)
        return status;
    int code = sqlite3_step(row);
    if (code == SQLITE_ROW)
        *out = (uint64_t)sqlite3_column_int64(row, column);
    else
        status = code == SQLITE_DONE
                     ? fail_row(error)
                     : sc_store_sqlite_fail(of(store)->database, code, error);
    (void)sqlite3_reset(row);
    return status;
}

static scrim_status sqlite_answer_count(sc_store *store, uint64_t *out,
                                        scrim_error *error)
{
    return number_in(store, COUNT_ANSWERS, 0, out, error);
}

static scrim_status sqlite_pending_count(sc_store *store, uint64_t *out,
                                         scrim_error *error)
{
    return number_in(store, COUNT_PENDING, 0, out, error);
}

static scrim_status sqlite_refusals(sc_store *store, uint64_t *out, scrim_error *error)
{
    return number_in(store, GET_HEAD, 2, out, error);
}

static scrim_status fail_file(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_CHECK,
                   "the vault's file is damaged" SC_STORE_SQLITE_COPIES);
}

static scrim_status sqlite_inspect(sc_store *store, scrim_error *error)
{
    sqlite3_stmt *row;
    scrim_status status = get(of(store), INSPECT, &row, error);
    if (status != SCRIM_OK)
        return status;
    int code = sqlite3_step(row);
    if (code != SQLITE_ROW)
        status = sc_store_sqlite_fail(of(store)->database, code, error);
    else if (!sc_text_is(sc_store_sqlite_text(row, 0), "ok"))
        status = sc_store_sqlite_is_unread(of(store)->database)
                     ? sc_store_sqlite_fail(of(store)->database, SQLITE_IOERR, error)
                     : fail_file(error);
    (void)sqlite3_reset(row);
    return status;
}

static void sqlite_close(sc_store *store)
{
    sqlite_store *s = of(store);
    for (size_t i = 0; i < STATEMENTS; i++)
        (void)sqlite3_finalize(s->prepared[i]);
    (void)sqlite3_close(s->database);
    sc_digester_free(s->digester);
    sc_release(s);
}

static const sc_store_functions functions = {
    .begin = sqlite_begin,
    .commit = sqlite_commit,
    .rollback = sqlite_rollback,
    .must_verify = sqlite_must_verify,
    .is_verified = sqlite_is_verified,
    .check_seal = sqlite_check_seal,
    .head = sqlite_head,
    .append = sqlite_append,
    .put_total = sqlite_put_total,
    .put_answer = sqlite_put_answer,
    .put_secret = sqlite_put_secret,
    .put_pending = sqlite_put_pending,
    .put_refusal = sqlite_put_refusal,
    .entries = sqlite_entries,
    .totals = sqlite_totals,
    .answer = sqlite_answer,
    .find = sqlite_find,
    .secret = sqlite_secret,
    .find_pending = sqlite_find_pending,
    .pending = sqlite_pending,
    .pending_count = sqlite_pending_count,
    .answer_count = sqlite_answer_count,
    .refusals = sqlite_refusals,
    .inspect = sqlite_inspect,
    .close = sqlite_close,
};

/* Opening. */

typedef scrim_status obtain(const sc_store_sqlite_options *options,
                            sc_store_sqlite_wait *wait, sqlite3 **out,
                            scrim_error *error);

static scrim_status store_on(obtain *file, const sc_store_sqlite_options *options,
                             sc_store **out, scrim_error *error)
{
    sqlite_store *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory for the vault");
    s->store.functions = &functions;
    scrim_status status = sc_digester_new(&s->digester, error);
    if (status == SCRIM_OK)
        status = file(options, &s->wait, &s->database, error);
    if (status == SCRIM_OK)
        *out = &s->store;
    else
        sqlite_close(&s->store);
    return status;
}

scrim_status sc_store_sqlite_create(const sc_store_sqlite_options *options,
                                    sc_store **out, scrim_error *error)
{
    return store_on(sc_store_sqlite_file_create, options, out, error);
}

scrim_status sc_store_sqlite_open(const sc_store_sqlite_options *options, sc_store **out,
                                  scrim_error *error)
{
    return store_on(sc_store_sqlite_file_open, options, out, error);
}
