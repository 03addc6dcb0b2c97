#include "vault/store/store_sqlite_read.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/text_copy.h"
#include "vault/store/store_sqlite_call.h"

#include <string.h>

#define NUMBERS 3
#define HEAD_BYTES (8 + NUMBERS * (SC_INT128_BYTES + 1))

void sc_seal_join(sc_digest *seal, const sc_digest *other)
{
    for (size_t i = 0; i < SC_DIGEST_BYTES; i++)
        seal->bytes[i] ^= other->bytes[i];
}

static scrim_status join(sc_digester *digester, sc_text first, sc_text second,
                         sc_digest *seal, scrim_error *error)
{
    sc_digest part;
    SC_TRY(sc_digest_of(digester, first, second, &part, error));
    sc_seal_join(seal, &part);
    return SCRIM_OK;
}

/* "WORD N N N\n" */
static sc_text put_line(char room[HEAD_BYTES], const char *word, const uint64_t *numbers,
                        size_t count)
{
    char number[SC_INT128_BYTES];
    sc_text_sink sink;
    sc_text_sink_init(&sink, room, HEAD_BYTES);
    sc_text_put(&sink, sc_text_of(word));
    for (size_t i = 0; i < count; i++) {
        sc_int128_format((sc_int128)numbers[i], number);
        sc_text_put(&sink, sc_text_of(" "));
        sc_text_put(&sink, sc_text_of(number));
    }
    sc_text_put(&sink, sc_text_of("\n"));
    return (sc_text){room, sink.length};
}

scrim_status sc_seal_head(sc_digester *digester, const sc_chain *head, sc_digest *seal,
                          scrim_error *error)
{
    char room[HEAD_BYTES];
    const sc_text hash = {(const char *)head->head.bytes, SC_DIGEST_BYTES};
    return join(digester, put_line(room, "head", &head->generation, 1), hash, seal,
                error);
}

scrim_status sc_seal_policy(sc_digester *digester, uint64_t entry, sc_text bytes,
                            sc_digest *seal, scrim_error *error)
{
    char room[HEAD_BYTES];
    return join(digester, put_line(room, "policy", &entry, 1), bytes, seal, error);
}

scrim_status sc_seal_total(sc_digester *digester, const sc_total *total, sc_digest *seal,
                           scrim_error *error)
{
    char room[HEAD_BYTES];
    sc_digest parts[2];
    const uint64_t numbers[NUMBERS] = {total->population, total->analyst, total->charges};
    const sc_text line = put_line(room, "total", numbers, NUMBERS);
    scrim_status status =
        sc_digest_of(digester, total->amount, (sc_text){NULL, 0}, &parts[0], error);
    if (status == SCRIM_OK)
        status =
            sc_digest_of(digester, total->delta, (sc_text){NULL, 0}, &parts[1], error);
    if (status != SCRIM_OK)
        return status;
    return join(digester, line, (sc_text){(const char *)parts, sizeof parts}, seal,
                error);
}

/* From the tables. */

typedef scrim_status take(sqlite3_stmt *row, sc_digester *digester, sc_digest *seal,
                          scrim_error *error);

static scrim_status take_head(sqlite3_stmt *row, sc_digester *digester, sc_digest *seal,
                              scrim_error *error)
{
    sc_chain head = {(uint64_t)sqlite3_column_int64(row, 0), {{0}}};
    const sc_text hash = sc_store_sqlite_text(row, 1);
    if (hash.bytes == SC_DIGEST_BYTES)
        memcpy(head.head.bytes, hash.start, SC_DIGEST_BYTES);
    return sc_seal_head(digester, &head, seal, error);
}

static scrim_status take_policy(sqlite3_stmt *row, sc_digester *digester, sc_digest *seal,
                                scrim_error *error)
{
    return sc_seal_policy(digester, (uint64_t)sqlite3_column_int64(row, 0),
                          sc_store_sqlite_text(row, 1), seal, error);
}

static scrim_status take_total(sqlite3_stmt *row, sc_digester *digester, sc_digest *seal,
                               scrim_error *error)
{
    const sc_total total = {(uint64_t)sqlite3_column_int64(row, 0),
                            (uint64_t)sqlite3_column_int64(row, 1),
                            (uint64_t)sqlite3_column_int64(row, 2),
                            sc_store_sqlite_text(row, 3), sc_store_sqlite_text(row, 4)};
    return sc_seal_total(digester, &total, seal, error);
}

static scrim_status take_rows(sqlite3 *database, const char *statement, take *visit,
                              sc_digester *digester, sc_digest *seal, scrim_error *error)
{
    sqlite3_stmt *rows = NULL;
    scrim_status status = SCRIM_OK;
    int code = sqlite3_prepare_v2(database, statement, -1, &rows, NULL);
    if (code == SQLITE_OK)
        while (status == SCRIM_OK && (code = sqlite3_step(rows)) == SQLITE_ROW)
            status = visit(rows, digester, seal, error);
    (void)sqlite3_finalize(rows);
    return status != SCRIM_OK || code == SQLITE_DONE
               ? status
               : sc_store_sqlite_fail(database, code, error);
}

scrim_status sc_seal_compute(sqlite3 *database, sc_digester *digester, sc_digest *out,
                             scrim_error *error)
{
    static const struct {
        const char *statement;
        take *visit;
    } parts[] = {
        {"SELECT generation, hash FROM head", take_head},
        {"SELECT id, bytes FROM entries WHERE is_policy", take_policy},
        {"SELECT population, analyst, charges, amount, delta FROM totals", take_total},
    };
    sc_digest seal = {{0}};
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < sizeof parts / sizeof *parts; i++)
        status = take_rows(database, parts[i].statement, parts[i].visit, digester, &seal,
                           error);
    if (status == SCRIM_OK)
        *out = seal;
    return status;
}

static int insert(sqlite3 *database, const sc_digest *seal)
{
    sqlite3_stmt *add = NULL;
    int code = sqlite3_prepare_v2(database, "INSERT INTO seal (id, digest) VALUES (1, ?)",
                                  -1, &add, NULL);
    if (code == SQLITE_OK)
        code =
            sqlite3_bind_blob64(add, 1, seal->bytes, sizeof seal->bytes, SQLITE_STATIC);
    if (code == SQLITE_OK)
        code = sqlite3_step(add);
    (void)sqlite3_finalize(add);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

scrim_status sc_seal_begin(sqlite3 *database, scrim_error *error)
{
    sc_digester *digester = NULL;
    sc_digest seal;
    scrim_status status = sc_digester_new(&digester, error);
    if (status == SCRIM_OK)
        status = sc_seal_compute(database, digester, &seal, error);
    if (status == SCRIM_OK) {
        const int code = insert(database, &seal);
        if (code != SQLITE_OK)
            status = sc_store_sqlite_fail(database, code, error);
    }
    sc_digester_free(digester);
    return status;
}

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
