#include "vault/store_sqlite.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>

static const char *const schema[] = {
    "CREATE TABLE entries (id INTEGER PRIMARY KEY, is_policy INTEGER NOT NULL, "
    "bytes BLOB NOT NULL, hash BLOB NOT NULL)",
    "CREATE TABLE head (id INTEGER PRIMARY KEY, generation INTEGER NOT NULL, "
    "hash BLOB NOT NULL, refusals INTEGER NOT NULL)",
    "CREATE TABLE releases (id INTEGER PRIMARY KEY, question BLOB NOT NULL, "
    "answer BLOB NOT NULL)",
    "CREATE TABLE totals (population INTEGER NOT NULL, analyst INTEGER NOT NULL, "
    "amount TEXT NOT NULL, delta TEXT NOT NULL, charges INTEGER NOT NULL, "
    "PRIMARY KEY (population, analyst)) WITHOUT ROWID",
    "CREATE INDEX policies ON entries (id) WHERE is_policy",
    "CREATE INDEX questions ON releases (question)",
};
#define SCHEMA_COUNT (sizeof schema / sizeof *schema)

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
    GET_ENTRIES,
    GET_POLICIES,
    GET_TOTALS,
    GET_ANSWER,
    FIND_QUESTION,
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
    [GET_ENTRIES] = "SELECT id, bytes, hash FROM entries WHERE id >= ? ORDER BY id",
    [GET_POLICIES] =
        ("SELECT id, bytes, hash FROM entries WHERE is_policy AND id >= ? ORDER BY id"),
    [GET_TOTALS] = "SELECT population, analyst, amount, delta, charges FROM totals",
    [GET_ANSWER] = "SELECT answer FROM releases WHERE id = ?",
    [FIND_QUESTION] = "SELECT min(id) FROM releases WHERE question = ?",
    [COUNT_ANSWERS] = "SELECT count(*) FROM releases",
    [INSPECT] = "PRAGMA integrity_check(1)",
};

typedef struct sqlite_store {
    sc_store store;
    sqlite3 *database;
    sqlite3_stmt *prepared[STATEMENTS];
    bool is_broken; /* a commit has failed */
} sqlite_store;

static sqlite_store *of(sc_store *store)
{
    return (sqlite_store *)store;
}

/* Names what went wrong; what SQLite says of it has no word of the data. */
static scrim_status fail(int code, scrim_error *error)
{
    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
        return sc_fail(error, SCRIM_E_BUSY,
                       "the vault is busy: somebody else holds its lock; try again");
    case SQLITE_NOMEM:
        return sc_fail(error, SCRIM_E_MEMORY, "no memory for the vault");
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        return sc_fail(
            error, SCRIM_E_LEDGER,
            "the vault is damaged, or no vault: %s; restore a copy of the file",
            sqlite3_errstr(code));
    default:
        return sc_fail(error, SCRIM_E_LEDGER,
                       "the vault cannot be read or written: %s; look at the disk and at "
                       "the rights of the file and its folder",
                       sqlite3_errstr(code));
    }
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
    return code == SQLITE_OK ? SCRIM_OK : fail(code, error);
}

/* Runs a statement that gives no row. Its bindings are the caller's. */
static scrim_status finish(sqlite3_stmt *statement, scrim_error *error)
{
    int code = sqlite3_step(statement);
    (void)sqlite3_reset(statement);
    return code == SQLITE_DONE || code == SQLITE_ROW ? SCRIM_OK : fail(code, error);
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

static sc_text column_text(sqlite3_stmt *statement, int column)
{
    const void *start = sqlite3_column_blob(statement, column);
    return (sc_text){start, (size_t)sqlite3_column_bytes(statement, column)};
}

static bool column_digest(sqlite3_stmt *statement, int column, sc_digest *out)
{
    sc_text bytes = column_text(statement, column);
    if (bytes.bytes != SC_DIGEST_BYTES)
        return false;
    memcpy(out->bytes, bytes.start, SC_DIGEST_BYTES);
    return true;
}

static scrim_status fail_row(scrim_error *error)
{
    return sc_fail(
        error, SCRIM_E_LEDGER,
        "the vault holds a row that is none of ours; restore a copy of the file");
}

/* The functions of a store. */

static scrim_status sqlite_begin(sc_store *store, bool writing, scrim_error *error)
{
    sqlite_store *s = of(store);
    if (s->is_broken)
        return sc_fail(error, SCRIM_E_LEDGER,
                       "the vault could not be written; open it again");
    return run(s, writing ? BEGIN_WRITING : BEGIN_READING, error);
}

static void sqlite_rollback(sc_store *store)
{
    if (!sqlite3_get_autocommit(of(store)->database))
        (void)run(of(store), ROLLBACK, NULL);
}

static scrim_status sqlite_commit(sc_store *store, scrim_error *error)
{
    scrim_status status = run(of(store), COMMIT, error);
    if (status != SCRIM_OK) {
        of(store)->is_broken = true;
        sqlite_rollback(store);
    }
    return status;
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
        status = code == SQLITE_DONE ? fail_row(error) : fail(code, error);
    }
    (void)sqlite3_reset(get_head);
    return status;
}

static scrim_status sqlite_append(sc_store *store, const sc_chain *at, bool is_policy,
                                  sc_text bytes, scrim_error *error)
{
    sqlite3_stmt *add, *set;
    scrim_status status = get(of(store), ADD_ENTRY, &add, error);
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

static scrim_status sqlite_put_total(sc_store *store, const sc_total *total,
                                     scrim_error *error)
{
    sqlite3_stmt *set;
    scrim_status status = get(of(store), SET_TOTAL, &set, error);
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
    return status;
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
    return visit(context, &at, column_text(row, 1), error);
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
        status = fail(code, error);
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
        const sc_total total = {.population = (uint64_t)sqlite3_column_int64(rows, 0),
                                .analyst = (uint64_t)sqlite3_column_int64(rows, 1),
                                .amount = column_text(rows, 2),
                                .delta = column_text(rows, 3),
                                .charges = (uint64_t)sqlite3_column_int64(rows, 4)};
        status = visit(context, &total, error);
    }
    if (status == SCRIM_OK && code != SQLITE_DONE)
        status = fail(code, error);
    (void)sqlite3_reset(rows);
    return status;
}

static scrim_status sqlite_answer(sc_store *store, uint64_t charge, char **out,
                                  scrim_error *error)
{
    sqlite3_stmt *row;
    char *copy = NULL;
    scrim_status status = get(of(store), GET_ANSWER, &row, error);
    if (status != SCRIM_OK)
        return status;
    int code = bind_number(row, 1, charge) ? sqlite3_step(row) : SQLITE_DONE;
    if (code == SQLITE_ROW) {
        const sc_text answer = column_text(row, 0);
        copy = sc_allocate(answer.bytes + 1, 1);
        if (copy == NULL)
            status = sc_fail(error, SCRIM_E_MEMORY, "no memory for an answer");
        else if (answer.bytes > 0)
            memcpy(copy, answer.start, answer.bytes);
    } else if (code != SQLITE_DONE) {
        status = fail(code, error);
    }
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
        status = fail(code, error);
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
        status = code == SQLITE_DONE ? fail_row(error) : fail(code, error);
    (void)sqlite3_reset(row);
    return status;
}

static scrim_status sqlite_answer_count(sc_store *store, uint64_t *out,
                                        scrim_error *error)
{
    return number_in(store, COUNT_ANSWERS, 0, out, error);
}

static scrim_status sqlite_refusals(sc_store *store, uint64_t *out, scrim_error *error)
{
    return number_in(store, GET_HEAD, 2, out, error);
}

static scrim_status sqlite_inspect(sc_store *store, scrim_error *error)
{
    sqlite3_stmt *row;
    scrim_status status = get(of(store), INSPECT, &row, error);
    if (status != SCRIM_OK)
        return status;
    int code = sqlite3_step(row);
    if (code != SQLITE_ROW)
        status = fail(code, error);
    else if (!sc_text_is(column_text(row, 0), "ok"))
        status = sc_fail(error, SCRIM_E_CHECK,
                         "the vault's file is damaged; restore a copy of it");
    (void)sqlite3_reset(row);
    return status;
}

static void sqlite_close(sc_store *store)
{
    sqlite_store *s = of(store);
    for (size_t i = 0; i < STATEMENTS; i++)
        (void)sqlite3_finalize(s->prepared[i]);
    (void)sqlite3_close(s->database);
    sc_release(s);
}

static const sc_store_functions functions = {
    .begin = sqlite_begin,
    .commit = sqlite_commit,
    .rollback = sqlite_rollback,
    .head = sqlite_head,
    .append = sqlite_append,
    .put_total = sqlite_put_total,
    .put_answer = sqlite_put_answer,
    .put_refusal = sqlite_put_refusal,
    .entries = sqlite_entries,
    .totals = sqlite_totals,
    .answer = sqlite_answer,
    .find = sqlite_find,
    .answer_count = sqlite_answer_count,
    .refusals = sqlite_refusals,
    .inspect = sqlite_inspect,
    .close = sqlite_close,
};

/* Opening. */

/* The only row of a statement: as a number, or held against a text. */
static int ask(sqlite3 *database, const char *text, int64_t *number, const char *want,
               bool *is_wanted)
{
    sqlite3_stmt *row = NULL;
    int code = sqlite3_prepare_v2(database, text, -1, &row, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(row);
    if (code == SQLITE_ROW && number != NULL)
        *number = sqlite3_column_int64(row, 0);
    if (code == SQLITE_ROW && want != NULL)
        *is_wanted = sc_text_is(column_text(row, 0), want);
    (void)sqlite3_finalize(row);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

/* Nothing that a file brings along is run: no trigger, no view, no function of its own. */
static int harden(sqlite3 *database, int wait_ms)
{
    static const int off[] = {SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW,
                              SQLITE_DBCONFIG_TRUSTED_SCHEMA,
                              SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION};
    int code = sqlite3_extended_result_codes(database, 1);
    for (size_t i = 0; code == SQLITE_OK && i < sizeof off / sizeof *off; i++)
        code = sqlite3_db_config(database, off[i], 0, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_busy_timeout(database, wait_ms);
    if (code == SQLITE_OK)
        code = ask(database, "PRAGMA cell_size_check = ON", NULL, NULL, NULL);
    if (code == SQLITE_OK)
        code = ask(database, "PRAGMA temp_store = MEMORY", NULL, NULL, NULL);
    return code;
}

static scrim_status connect(const sc_store_sqlite_options *options, sqlite_store **out,
                            scrim_error *error)
{
    sqlite_store *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory for the vault");
    s->store.functions = &functions;
    int code = sqlite3_open_v2(options->path, &s->database,
                               SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, options->vfs);
    if (code == SQLITE_OK)
        code = harden(s->database, options->wait_ms);
    if (code != SQLITE_OK) {
        sqlite_close(&s->store);
        return fail(code, error);
    }
    *out = s;
    return SCRIM_OK;
}

/* A write-ahead log that is on the disk when a commit returns. */
static scrim_status make_durable(sqlite_store *s, scrim_error *error)
{
    bool is_wal = false;
    int64_t level = 0;
    int code = ask(s->database, "PRAGMA journal_mode = WAL", NULL, "wal", &is_wal);
    if (code == SQLITE_OK)
        code = ask(s->database, "PRAGMA synchronous = FULL", NULL, NULL, NULL);
    if (code == SQLITE_OK)
        code = ask(s->database, "PRAGMA synchronous", &level, NULL, NULL);
    if (code != SQLITE_OK)
        return fail(code, error);
    if (is_wal && level == 2)
        return SCRIM_OK;
    return sc_fail(
        error, SCRIM_E_LEDGER,
        "the vault's folder cannot hold a write-ahead log; move the vault to a "
        "local disk");
}

static int write_schema(sqlite3 *database)
{
    char text[64];
    int code = sqlite3_exec(database, "BEGIN EXCLUSIVE", NULL, NULL, NULL);
    for (size_t i = 0; code == SQLITE_OK && i < SCHEMA_COUNT; i++)
        code = sqlite3_exec(database, schema[i], NULL, NULL, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_exec(database, "INSERT INTO head VALUES (1, 0, zeroblob(32), 0)",
                            NULL, NULL, NULL);
    sqlite3_snprintf(sizeof text, text, "PRAGMA application_id = %d",
                     SC_STORE_SQLITE_APPLICATION);
    if (code == SQLITE_OK)
        code = sqlite3_exec(database, text, NULL, NULL, NULL);
    sqlite3_snprintf(sizeof text, text, "PRAGMA user_version = %d",
                     SC_STORE_SQLITE_FORMAT);
    if (code == SQLITE_OK)
        code = sqlite3_exec(database, text, NULL, NULL, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
    return code;
}

scrim_status sc_store_sqlite_create(const sc_store_sqlite_options *options,
                                    sc_store **out, scrim_error *error)
{
    sqlite_store *s = NULL;
    scrim_status status = connect(options, &s, error);
    if (s != NULL)
        status = make_durable(s, error);
    if (s != NULL && status == SCRIM_OK) {
        int code = write_schema(s->database);
        if (code != SQLITE_OK)
            status = fail(code, error);
    }
    if (s != NULL && status == SCRIM_OK)
        *out = &s->store;
    else if (s != NULL)
        sqlite_close(&s->store);
    return status;
}

/* Looked at by name: to open the file ourselves and close it again would drop the locks that
 * another handle of this process holds on it. */
static scrim_status check_file(const char *path, scrim_error *error)
{
    struct statx file;
    if (statx(AT_FDCWD, path, 0, STATX_BASIC_STATS, &file) != 0)
        return errno == ENOENT || errno == ENOTDIR
                   ? sc_fail(error, SCRIM_E_LEDGER,
                             "there is no vault at '%s'; scrim init makes one", path)
                   : sc_fail(error, SCRIM_E_LEDGER, "the vault '%s' cannot be read: %s",
                             path, strerror(errno));
    if (!S_ISREG(file.stx_mode) || file.stx_size == 0)
        return sc_fail(error, SCRIM_E_LEDGER, "'%s' is no vault", path);
    if ((file.stx_mode & (S_IRWXG | S_IRWXO)) != 0)
        return sc_fail(error, SCRIM_E_LEDGER,
                       "the vault '%s' is open to others than its owner; chmod 600 it",
                       path);
    if (file.stx_nlink != 1 || (file.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0)
        return sc_fail(error, SCRIM_E_LEDGER,
                       "the vault '%s' has a second name, whose log would not be this "
                       "one's; leave it one",
                       path);
    return SCRIM_OK;
}

static scrim_status check_schema(sqlite3 *database, scrim_error *error)
{
    sqlite3_stmt *rows = NULL;
    size_t place = 0;
    bool is_ours = true;
    int code = sqlite3_prepare_v2(
        database,
        "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type DESC, name",
        -1, &rows, NULL);
    if (code == SQLITE_OK)
        while ((code = sqlite3_step(rows)) == SQLITE_ROW) {
            is_ours = is_ours && place < SCHEMA_COUNT &&
                      sc_text_is(column_text(rows, 0), schema[place]);
            place++;
        }
    (void)sqlite3_finalize(rows);
    if (code != SQLITE_DONE)
        return fail(code, error);
    if (is_ours && place == SCHEMA_COUNT)
        return SCRIM_OK;
    return sc_fail(error, SCRIM_E_LEDGER, "the vault's tables are not those of a vault");
}

static scrim_status check_format(sqlite3 *database, scrim_error *error)
{
    int64_t application = 0, format = 0;
    int code = ask(database, "PRAGMA application_id", &application, NULL, NULL);
    if (code == SQLITE_OK)
        code = ask(database, "PRAGMA user_version", &format, NULL, NULL);
    if (code != SQLITE_OK)
        return fail(code, error);
    if (application != SC_STORE_SQLITE_APPLICATION)
        return sc_fail(error, SCRIM_E_LEDGER, "the file is no vault");
    if (format < 1 || format > SC_STORE_SQLITE_FORMAT)
        return sc_fail(error, SCRIM_E_LEDGER,
                       "the vault has a format of a later version; use that version");
    if (sqlite3_db_readonly(database, "main") != 0)
        return sc_fail(error, SCRIM_E_LEDGER,
                       "the vault cannot be written; run as its owner");
    return check_schema(database, error);
}

scrim_status sc_store_sqlite_open(const sc_store_sqlite_options *options, sc_store **out,
                                  scrim_error *error)
{
    sqlite_store *s = NULL;
    scrim_status status = check_file(options->path, error);
    if (status == SCRIM_OK)
        status = connect(options, &s, error);
    if (s != NULL)
        status = check_format(s->database, error);
    if (s != NULL && status == SCRIM_OK)
        status = make_durable(s, error);
    if (s != NULL && status == SCRIM_OK)
        *out = &s->store;
    else if (s != NULL)
        sqlite_close(&s->store);
    return status;
}
