#include "vault/store/store_sqlite_seal.h"

#include "base/checked.h"
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
