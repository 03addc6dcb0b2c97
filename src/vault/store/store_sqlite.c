#include "vault/store/store_sqlite.h"

#include "base/fork_guard.h"
#include "base/memory.h"
#include "vault/store/store_sqlite_call.h"
#include "vault/store/store_sqlite_file.h"
#include "vault/store/store_sqlite_guard.h"
#include "vault/store/store_sqlite_read.h"

#include <string.h>

#define SMALL_PAGES 256

typedef struct sqlite_store {
    sc_sqlite_reader reader;
    sc_store_sqlite_wait wait;
    sc_store_sqlite_lock lock; /* of the transaction that is under way */
    sc_digester *digester;
    sc_digest change; /* of the seal, by this transaction */
    bool is_changed;
    bool is_broken; /* a commit has failed, and what was to be written may be there */
} sqlite_store;

static sqlite_store *of(sc_store *store)
{
    return (sqlite_store *)store;
}

/* The functions of a store. */

static void sqlite_rollback(sc_store *store)
{
    sqlite_store *s = of(store);
    /* A change that was not committed is not kept. Where the transaction cannot be ended, its locks are those of
     * the handle until that is closed. */
    if (!sqlite3_get_autocommit(s->reader.calls.database) &&
        sc_statement_run(&s->reader.calls, SC_DO_ROLLBACK, NULL) != SCRIM_OK)
        s->is_broken = true;
    sc_store_sqlite_lock_give(&s->lock);
}

/* BEGIN alone takes no lock and puts nothing back: the first row that is read does. */
static scrim_status sqlite_begin(sc_store *store, bool writing, scrim_error *error)
{
    sqlite_store *s = of(store);
    if (s->is_broken)
        return sc_fail(error, SCRIM_E_LEDGER,
                       "the vault could not be written; open it again");
    if (writing && sqlite3_db_readonly(s->reader.calls.database, "main") != 0)
        return sc_store_sqlite_fail_rights(
            sqlite3_db_filename(s->reader.calls.database, "main"), error);
    s->change = (sc_digest){{0}};
    s->is_changed = false;
    sqlite3_stmt *prepared; /* memory for the way back is had before the transaction */
    scrim_status status =
        sc_store_sqlite_lock_take(&s->lock, s->reader.calls.database, &s->wait, error);
    if (status == SCRIM_OK)
        status = sc_statement_get(&s->reader.calls, SC_DO_ROLLBACK, &prepared, error);
    if (status == SCRIM_OK)
        status = sc_store_sqlite_lock_check(&s->lock, s->reader.calls.database, error);
    if (status == SCRIM_OK)
        status = sc_beside_prepare(s->reader.calls.database, false, error);
    if (status == SCRIM_OK)
        status = sc_statement_run(
            &s->reader.calls, writing ? SC_DO_BEGIN_WRITING : SC_DO_BEGIN_READING, error);
    if (status == SCRIM_OK)
        status = sc_statement_run(&s->reader.calls, SC_DO_GET_HEAD, error);
    if (status != SCRIM_OK)
        sqlite_rollback(store);
    return status;
}

static bool sqlite_must_verify(sc_store *store)
{
    return sc_beside_is_marked(of(store)->reader.calls.database);
}

static void sqlite_is_verified(sc_store *store)
{
    sc_beside_unmark(of(store)->reader.calls.database);
}

/* The seal of what is kept. */

static scrim_status get_seal(sqlite_store *s, sc_digest *out, scrim_error *error)
{
    sqlite3_stmt *row;
    scrim_status status = sc_statement_get(&s->reader.calls, SC_DO_GET_SEAL, &row, error);
    if (status != SCRIM_OK)
        return status;
    int code = sqlite3_step(row);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        status = sc_store_sqlite_fail(s->reader.calls.database, code, error);
    else if (code == SQLITE_DONE || !sc_statement_digest(row, 0, out))
        status = sc_statement_fail_row(error);
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
        status = sc_statement_get(&s->reader.calls, SC_DO_SET_SEAL, &set, error);
    if (status != SCRIM_OK)
        return status;
    sc_seal_join(&seal, &s->change);
    return sc_statement_finish_if(
        sc_statement_bind_blob(set, 1, seal.bytes, SC_DIGEST_BYTES), set, error);
}

/* The pages of a small file are checked with its seal; those of a large one only by ledger verify. */
static scrim_status inspect_small(sqlite_store *s, scrim_error *error)
{
    int64_t pages = 0;
    sqlite3 *database = s->reader.calls.database;
    const int code =
        sc_store_sqlite_ask(database, "PRAGMA page_count", &pages, NULL, NULL);
    if (code != SQLITE_OK)
        return sc_store_sqlite_fail(database, code, error);
    return pages <= SMALL_PAGES ? sc_sqlite_inspect(&s->reader.store, error) : SCRIM_OK;
}

static scrim_status sqlite_check_seal(sc_store *store, scrim_error *error)
{
    sqlite_store *s = of(store);
    sc_digest kept, found;
    scrim_status status = get_seal(s, &kept, error);
    if (status == SCRIM_OK)
        status = sc_seal_compute(s->reader.calls.database, s->digester, &found, error);
    if (status == SCRIM_OK && !sc_digest_equal(&kept, &found))
        status =
            sc_fail_for(error, SCRIM_E_CHECK, SCRIM_REASON_DAMAGED, "",
                        "the vault's file is damaged: its policy and its totals were not "
                        "written together");
    if (status == SCRIM_OK)
        status = inspect_small(s, error);
    return status;
}

static scrim_status sqlite_commit(sc_store *store, scrim_error *error)
{
    sqlite_store *s = of(store);
    scrim_status status = write_seal(s, error);
    if (status == SCRIM_OK)
        status = sc_statement_run(&s->reader.calls, SC_DO_COMMIT, error);
    if (status == SCRIM_OK)
        status = sc_store_sqlite_lock_check(&s->lock, s->reader.calls.database, error);
    if (status == SCRIM_OK) {
        sc_store_sqlite_lock_give(&s->lock);
        return SCRIM_OK;
    }
    /* SQLite keeps a transaction that has to wait for readers: nothing of it is in the file yet. */
    const bool is_kept_back =
        status == SCRIM_E_BUSY && !sqlite3_get_autocommit(s->reader.calls.database);
    sqlite_rollback(store);
    if (is_kept_back && sqlite3_get_autocommit(s->reader.calls.database))
        return sc_fail(error, SCRIM_E_BUSY,
                       "the vault is busy: another process is reading it; nothing was "
                       "written; try again");
    s->is_broken = true;
    return status == SCRIM_E_BUSY
               ? sc_fail(error, SCRIM_E_LEDGER, "the vault could not be written")
               : status;
}

/* An entry changes the head, and perhaps the policy. */
static scrim_status seal_entry(sqlite_store *s, const sc_chain *at, bool is_policy,
                               sc_text bytes, scrim_error *error)
{
    sc_chain before;
    scrim_status status = sc_sqlite_head(&s->reader.store, &before, error);
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
    SC_TRY(seal_entry(of(store), at, is_policy, bytes, error));
    SC_TRY(sc_statement_get(&of(store)->reader.calls, SC_DO_ADD_ENTRY, &add, error));
    SC_TRY(sc_statement_get(&of(store)->reader.calls, SC_DO_SET_HEAD, &set, error));
    SC_TRY(sc_statement_finish_if(
        sc_statement_bind_number(add, 1, at->generation) &&
            sc_statement_bind_number(add, 2, is_policy) &&
            sc_statement_bind_blob(add, 3, bytes.start, bytes.bytes) &&
            sc_statement_bind_blob(add, 4, at->head.bytes, SC_DIGEST_BYTES),
        add, error));
    return sc_statement_finish_if(
        sc_statement_bind_number(set, 1, at->generation) &&
            sc_statement_bind_blob(set, 2, at->head.bytes, SC_DIGEST_BYTES),
        set, error);
}

/* A total takes the place of the one before it. */
static scrim_status seal_total(sqlite_store *s, const sc_total *total, scrim_error *error)
{
    sqlite3_stmt *row;
    scrim_status status =
        sc_statement_get(&s->reader.calls, SC_DO_GET_TOTAL, &row, error);
    if (status != SCRIM_OK)
        return status;
    s->is_changed = true;
    if (!sc_statement_bind_number(row, 1, total->population) ||
        !sc_statement_bind_number(row, 2, total->analyst))
        return sc_no_memory(error, "the vault");
    int code = sqlite3_step(row);
    if (code == SQLITE_ROW) {
        const sc_total before = sc_sqlite_total_in(row);
        status = sc_seal_total(s->digester, &before, &s->change, error);
    } else if (code != SQLITE_DONE) {
        status = sc_store_sqlite_fail(s->reader.calls.database, code, error);
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
        status = sc_statement_get(&of(store)->reader.calls, SC_DO_SET_TOTAL, &set, error);
    if (status != SCRIM_OK)
        return status;
    return sc_statement_finish_if(sc_statement_bind_number(set, 1, total->population) &&
                                      sc_statement_bind_number(set, 2, total->analyst) &&
                                      sc_statement_bind_text(set, 3, total->amount) &&
                                      sc_statement_bind_text(set, 4, total->delta) &&
                                      sc_statement_bind_number(set, 5, total->charges),
                                  set, error);
}

static scrim_status sqlite_put_answer(sc_store *store, uint64_t charge,
                                      const sc_digest *question, sc_text answer,
                                      scrim_error *error)
{
    sqlite3_stmt *add;
    scrim_status status =
        sc_statement_get(&of(store)->reader.calls, SC_DO_ADD_ANSWER, &add, error);
    if (status != SCRIM_OK)
        return status;
    status = sc_statement_finish_if(
        sc_statement_bind_number(add, 1, charge) &&
            sc_statement_bind_blob(add, 2, question->bytes, SC_DIGEST_BYTES) &&
            sc_statement_bind_blob(add, 3, answer.start, answer.bytes),
        add, error);
    if (status == SCRIM_E_LEDGER &&
        sqlite3_extended_errcode(of(store)->reader.calls.database) ==
            SQLITE_CONSTRAINT_PRIMARYKEY)
        status = sc_fail(error, SCRIM_E_INTERNAL, "that charge is answered already");
    sqlite3_stmt *end;
    if (status == SCRIM_OK)
        status =
            sc_statement_get(&of(store)->reader.calls, SC_DO_END_PENDING, &end, error);
    if (status == SCRIM_OK)
        status =
            sc_statement_finish_if(sc_statement_bind_number(end, 1, charge), end, error);
    return status;
}

static scrim_status sqlite_put_secret(sc_store *store, const char *name,
                                      const sc_digest *secret, scrim_error *error)
{
    sqlite3_stmt *set;
    scrim_status status =
        sc_statement_get(&of(store)->reader.calls, SC_DO_SET_SECRET, &set, error);
    if (status != SCRIM_OK)
        return status;
    return sc_statement_finish_if(
        sc_statement_bind_text(set, 1, sc_text_of(name)) &&
            sc_statement_bind_blob(set, 2, secret->bytes, SC_DIGEST_BYTES),
        set, error);
}

static scrim_status sqlite_put_pending(sc_store *store, uint64_t charge,
                                       const sc_pending *pending, scrim_error *error)
{
    sqlite3_stmt *add;
    scrim_status status =
        sc_statement_get(&of(store)->reader.calls, SC_DO_ADD_PENDING, &add, error);
    if (status != SCRIM_OK)
        return status;
    return sc_statement_finish_if(
        sc_statement_bind_number(add, 1, charge) &&
            sc_statement_bind_blob(add, 2, pending->question.bytes, SC_DIGEST_BYTES) &&
            sc_statement_bind_blob(add, 3, pending->parts.bytes, SC_DIGEST_BYTES) &&
            sc_statement_bind_blob(add, 4, pending->key.bytes, SC_DIGEST_BYTES),
        add, error);
}

static scrim_status sqlite_put_refusal(sc_store *store, scrim_error *error)
{
    return sc_statement_run(&of(store)->reader.calls, SC_DO_ADD_REFUSAL, error);
}

static void sqlite_close(sc_store *store)
{
    sqlite_store *s = of(store);
    sc_fork_guard_enter();
    for (size_t i = 0; i < SC_STATEMENTS; i++)
        (void)sqlite3_finalize(s->reader.calls.prepared[i]);
    (void)sqlite3_close(s->reader.calls.database);
    sc_fork_guard_leave();
    sc_digester_free(s->digester);
    sc_free(s);
}

static const sc_store_functions functions = {
    .begin = sqlite_begin,
    .commit = sqlite_commit,
    .rollback = sqlite_rollback,
    .must_verify = sqlite_must_verify,
    .is_verified = sqlite_is_verified,
    .check_seal = sqlite_check_seal,
    .head = sc_sqlite_head,
    .append = sqlite_append,
    .put_total = sqlite_put_total,
    .put_answer = sqlite_put_answer,
    .put_secret = sqlite_put_secret,
    .put_pending = sqlite_put_pending,
    .put_refusal = sqlite_put_refusal,
    .entries = sc_sqlite_entries,
    .totals = sc_sqlite_totals,
    .answer = sc_sqlite_answer,
    .find = sc_sqlite_find,
    .secret = sc_sqlite_secret,
    .find_pending = sc_sqlite_find_pending,
    .pending = sc_sqlite_pending,
    .next_pending = sc_sqlite_next_pending,
    .next_answer = sc_sqlite_next_answer,
    .answer_count = sc_sqlite_answer_count,
    .refusals = sc_sqlite_refusals,
    .inspect = sc_sqlite_inspect,
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
        return sc_no_memory(error, "the vault");
    s->reader.store.functions = &functions;
    s->lock.file = -1;
    scrim_status status = sc_digester_new(&s->digester, error);
    if (status == SCRIM_OK)
        status = file(options, &s->wait, &s->reader.calls.database, error);
    if (status == SCRIM_OK)
        *out = &s->reader.store;
    else
        sqlite_close(&s->reader.store);
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
