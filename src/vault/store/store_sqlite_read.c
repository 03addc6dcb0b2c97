#include "vault/store/store_sqlite_read.h"

#include "base/memory.h"
#include "base/text_copy.h"

#include <string.h>

static sc_statements *calls_of(sc_store *store)
{
    return &((sc_sqlite_reader *)store)->calls;
}

/* To the next row of a statement of the store, or to its end. */
static scrim_status step(sc_store *store, sqlite3_stmt *row, bool *is_row,
                         scrim_error *error)
{
    const int code = sqlite3_step(row);
    *is_row = code == SQLITE_ROW;
    if (code == SQLITE_ROW || code == SQLITE_DONE)
        return SCRIM_OK;
    return sc_store_sqlite_fail(calls_of(store)->database, code, error);
}

/* The same if its values are bound. */
static scrim_status step_if(bool is_bound, sc_store *store, sqlite3_stmt *row,
                            bool *is_row, scrim_error *error)
{
    *is_row = false;
    return is_bound ? step(store, row, is_row, error) : sc_no_memory(error, "the vault");
}

/* To the row of a charge; a number that no charge has is that of none. */
static scrim_status step_charge(sc_store *store, sqlite3_stmt *row, uint64_t charge,
                                bool *is_row, scrim_error *error)
{
    *is_row = false;
    return sc_statement_bind_number(row, 1, charge) ? step(store, row, is_row, error)
                                                    : SCRIM_OK;
}

static scrim_status digest_in(sqlite3_stmt *row, int column, sc_digest *out,
                              scrim_error *error)
{
    return sc_statement_digest(row, column, out) ? SCRIM_OK
                                                 : sc_statement_fail_row(error);
}

static uint64_t number_in(sqlite3_stmt *row, int column)
{
    return (uint64_t)sqlite3_column_int64(row, column);
}

/* The head of the chain, and the refusals beside it. */

/* The only row of that statement. */
static scrim_status step_head(sc_store *store, sqlite3_stmt **row, scrim_error *error)
{
    bool is_row = false;
    scrim_status status = sc_statement_get(calls_of(store), SC_DO_GET_HEAD, row, error);
    if (status != SCRIM_OK)
        return status;
    status = step(store, *row, &is_row, error);
    if (status == SCRIM_OK && !is_row)
        status = sc_statement_fail_row(error);
    if (status != SCRIM_OK)
        (void)sqlite3_reset(*row);
    return status;
}

scrim_status sc_sqlite_head(sc_store *store, sc_chain *out, scrim_error *error)
{
    sqlite3_stmt *row;
    SC_TRY(step_head(store, &row, error));
    sc_chain head = {number_in(row, 0), {{0}}};
    SC_TRY(digest_in(row, 1, &head.head, error));
    *out = head;
    (void)sqlite3_reset(row);
    return SCRIM_OK;
}

scrim_status sc_sqlite_refusals(sc_store *store, uint64_t *out, scrim_error *error)
{
    sqlite3_stmt *row;
    scrim_status status = step_head(store, &row, error);
    if (status != SCRIM_OK)
        return status;
    *out = number_in(row, 2);
    (void)sqlite3_reset(row);
    return SCRIM_OK;
}

/* Entries and totals, one after the other. */

static scrim_status visit_entry(sqlite3_stmt *row, sc_store_entry_visitor *visit,
                                void *context, scrim_error *error)
{
    sc_chain at = {number_in(row, 0), {{0}}};
    scrim_status status = digest_in(row, 2, &at.head, error);
    return status == SCRIM_OK ? visit(context, &at, sc_store_sqlite_text(row, 1), error)
                              : status;
}

scrim_status sc_sqlite_entries(sc_store *store, uint64_t from, bool policy_only,
                               sc_store_entry_visitor *visit, void *context,
                               scrim_error *error)
{
    sqlite3_stmt *row;
    bool is_row = true;
    scrim_status status = sc_statement_get(
        calls_of(store), policy_only ? SC_DO_GET_POLICIES : SC_DO_GET_ENTRIES, &row,
        error);
    if (status != SCRIM_OK)
        return status;
    if (!sc_statement_bind_number(row, 1, from))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "entry",
                           "the ledger has no such entry");
    while (status == SCRIM_OK && is_row) {
        status = step(store, row, &is_row, error);
        if (is_row)
            status = visit_entry(row, visit, context, error);
    }
    (void)sqlite3_reset(row);
    return status;
}

sc_total sc_sqlite_total_in(sqlite3_stmt *row)
{
    return (sc_total){number_in(row, 0), number_in(row, 1), number_in(row, 4),
                      sc_store_sqlite_text(row, 2), sc_store_sqlite_text(row, 3)};
}

scrim_status sc_sqlite_totals(sc_store *store, sc_store_total_visitor *visit,
                              void *context, scrim_error *error)
{
    sqlite3_stmt *row;
    bool is_row = true;
    scrim_status status =
        sc_statement_get(calls_of(store), SC_DO_GET_TOTALS, &row, error);
    if (status != SCRIM_OK)
        return status;
    while (status == SCRIM_OK && is_row) {
        status = step(store, row, &is_row, error);
        if (is_row) {
            const sc_total total = sc_sqlite_total_in(row);
            status = visit(context, &total, error);
        }
    }
    (void)sqlite3_reset(row);
    return status;
}

/* Answers. */

/* An answer is a text, and no more than a text. */
static scrim_status copy_answer(sqlite3_stmt *row, sc_digest *question, char **out,
                                scrim_error *error)
{
    const sc_text answer = sc_store_sqlite_text(row, 0);
    if ((answer.bytes > 0 && memchr(answer.start, '\0', answer.bytes) != NULL) ||
        (question != NULL && !sc_statement_digest(row, 1, question)))
        return sc_statement_fail_row(error);
    char *copy = sc_text_copy(answer);
    if (copy == NULL)
        return sc_no_memory(error, "an answer");
    *out = copy;
    return SCRIM_OK;
}

scrim_status sc_sqlite_answer(sc_store *store, uint64_t charge, sc_digest *question,
                              char **out, scrim_error *error)
{
    sqlite3_stmt *row;
    char *copy = NULL;
    bool is_row;
    scrim_status status =
        sc_statement_get(calls_of(store), SC_DO_GET_ANSWER, &row, error);
    if (status != SCRIM_OK)
        return status;
    status = step_charge(store, row, charge, &is_row, error);
    if (is_row)
        status = copy_answer(row, question, &copy, error);
    (void)sqlite3_reset(row);
    if (status == SCRIM_OK)
        *out = copy;
    return status;
}

scrim_status sc_sqlite_find(sc_store *store, const sc_digest *question, uint64_t *charge,
                            scrim_error *error)
{
    sqlite3_stmt *row;
    bool is_row;
    scrim_status status =
        sc_statement_get(calls_of(store), SC_DO_FIND_QUESTION, &row, error);
    if (status != SCRIM_OK)
        return status;
    status = step_if(sc_statement_bind_blob(row, 1, question->bytes, SC_DIGEST_BYTES),
                     store, row, &is_row, error);
    *charge = is_row ? number_in(row, 0) : 0;
    (void)sqlite3_reset(row);
    return status;
}

/* Secrets, and releases that are charged and not answered. */

scrim_status sc_sqlite_secret(sc_store *store, const char *name, sc_digest *out,
                              bool *is_there, scrim_error *error)
{
    sqlite3_stmt *row;
    scrim_status status =
        sc_statement_get(calls_of(store), SC_DO_GET_SECRET, &row, error);
    if (status != SCRIM_OK)
        return status;
    status = step_if(sc_statement_bind_text(row, 1, sc_text_of(name)), store, row,
                     is_there, error);
    if (*is_there)
        status = digest_in(row, 0, out, error);
    (void)sqlite3_reset(row);
    return status;
}

scrim_status sc_sqlite_find_pending(sc_store *store, sc_pending *pending,
                                    uint64_t *charge, scrim_error *error)
{
    sqlite3_stmt *row;
    bool is_row;
    scrim_status status =
        sc_statement_get(calls_of(store), SC_DO_FIND_PENDING, &row, error);
    if (status != SCRIM_OK)
        return status;
    status = step_if(
        sc_statement_bind_blob(row, 1, pending->question.bytes, SC_DIGEST_BYTES) &&
            sc_statement_bind_blob(row, 2, pending->parts.bytes, SC_DIGEST_BYTES),
        store, row, &is_row, error);
    *charge = is_row ? number_in(row, 0) : 0;
    if (is_row)
        status = digest_in(row, 1, &pending->key, error);
    (void)sqlite3_reset(row);
    return status;
}

scrim_status sc_sqlite_pending(sc_store *store, uint64_t charge, sc_digest *question,
                               bool *is_there, scrim_error *error)
{
    sqlite3_stmt *row;
    scrim_status status =
        sc_statement_get(calls_of(store), SC_DO_GET_PENDING, &row, error);
    if (status != SCRIM_OK)
        return status;
    status = step_charge(store, row, charge, is_there, error);
    if (*is_there)
        status = digest_in(row, 0, question, error);
    (void)sqlite3_reset(row);
    return status;
}

/* The first number behind *charge that a statement gives, or 0. */
static scrim_status next_in(sc_store *store, sc_statement which, uint64_t *charge,
                            scrim_error *error)
{
    sqlite3_stmt *row;
    bool is_row;
    SC_TRY(sc_statement_get(calls_of(store), which, &row, error));
    const scrim_status status = step_charge(store, row, *charge, &is_row, error);
    *charge = is_row ? number_in(row, 0) : 0;
    (void)sqlite3_reset(row);
    return status;
}

scrim_status sc_sqlite_next_pending(sc_store *store, uint64_t *charge, scrim_error *error)
{
    return next_in(store, SC_DO_NEXT_PENDING, charge, error);
}

scrim_status sc_sqlite_next_answer(sc_store *store, uint64_t *charge, scrim_error *error)
{
    return next_in(store, SC_DO_NEXT_ANSWER, charge, error);
}

/* Counts, and the file itself. */

/* How many rows a statement gives. */
static scrim_status count_in(sc_store *store, sc_statement which, uint64_t *out,
                             scrim_error *error)
{
    sqlite3_stmt *row;
    uint64_t count = 0;
    bool is_row = true;
    scrim_status status = sc_statement_get(calls_of(store), which, &row, error);
    if (status != SCRIM_OK)
        return status;
    while (status == SCRIM_OK && is_row) {
        status = step(store, row, &is_row, error);
        count += is_row;
    }
    if (status == SCRIM_OK)
        *out = count;
    (void)sqlite3_reset(row);
    return status;
}

scrim_status sc_sqlite_answer_count(sc_store *store, uint64_t *out, scrim_error *error)
{
    return count_in(store, SC_DO_COUNT_ANSWERS, out, error);
}

static scrim_status fail_file(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_CHECK,
                   "the vault's file is damaged" SC_STORE_SQLITE_COPIES);
}

scrim_status sc_sqlite_inspect(sc_store *store, scrim_error *error)
{
    sqlite3 *database = calls_of(store)->database;
    sqlite3_stmt *row;
    scrim_status status = sc_statement_get(calls_of(store), SC_DO_INSPECT, &row, error);
    if (status != SCRIM_OK)
        return status;
    const int code = sqlite3_step(row);
    if (code != SQLITE_ROW)
        status = sc_store_sqlite_fail(database, code, error);
    else if (!sc_text_is(sc_store_sqlite_text(row, 0), "ok"))
        status = sc_store_sqlite_is_unread(database)
                     ? sc_store_sqlite_fail(database, SQLITE_IOERR, error)
                     : fail_file(error);
    (void)sqlite3_reset(row);
    return status;
}
