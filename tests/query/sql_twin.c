#include "sql_twin.h"

#include "base/memory.h"
#include "check.h"
#include "data/value/zone_rules.h"
#include "pass_scene.h"

#include <string.h>
#include <unistd.h>

static bool sqlite_do(sqlite3 *database, const char *statement)
{
    const bool is_done =
        CHECK_INT(sqlite3_exec(database, statement, NULL, NULL, NULL), SQLITE_OK);
    if (!is_done)
        CHECK_STR(statement, sqlite3_errmsg(database));
    return is_done;
}

bool sql_twin_begin(sql_twin *twin, postgres_session *postgres, const char *columns,
                    const char *postgres_columns)
{
    char statement[500];
    *twin = (sql_twin){.postgres = postgres};
    twin->file = pass_file_new(twin->path);
    if (!CHECK(twin->file != NULL) ||
        !CHECK_INT(sqlite3_open(":memory:", &twin->sqlite), SQLITE_OK))
        return false;
    fprintf(twin->file, "%s\n", columns);
    snprintf(statement, sizeof statement,
             "SET client_min_messages = warning; DROP TABLE IF EXISTS r; "
             "CREATE TABLE r(%s)",
             postgres_columns);
    if (postgres != NULL && !postgres_do(postgres, statement))
        return false;
    snprintf(statement, sizeof statement,
             "CREATE TABLE r(%s); PRAGMA case_sensitive_like = ON", columns);
    return sqlite_do(twin->sqlite, statement);
}

void sql_cell_set(sql_cell *cell, const char *text, const char *value)
{
    snprintf(cell->text, sizeof cell->text, "%s", text);
    snprintf(cell->sqlite, sizeof cell->sqlite, "%s", value);
    snprintf(cell->postgres, sizeof cell->postgres, "%s", value);
}

bool sql_twin_row(sql_twin *twin, const sql_cell *cells, size_t count, const char *record)
{
    char statements[2][2000] = {"INSERT INTO r VALUES", "INSERT INTO r VALUES"};
    size_t used[2] = {strlen(statements[0]), strlen(statements[1])};
    for (size_t i = 0; i < count; i++) {
        const char *const values[2] = {cells[i].sqlite, cells[i].postgres};
        if (record == NULL)
            fprintf(twin->file, "%s%s", i == 0 ? "" : ",", cells[i].text);
        for (size_t j = 0; j < 2; j++)
            used[j] += (size_t)snprintf(
                statements[j] + used[j], sizeof statements[j] - used[j], "%s%s%s",
                i == 0 ? "(" : ",", values[j], i + 1 == count ? ")" : "");
    }
    fprintf(twin->file, "%s\n", record == NULL ? "" : record);
    return sqlite_do(twin->sqlite, statements[0]) &&
           (twin->postgres == NULL || postgres_do(twin->postgres, statements[1]));
}

/* With the rules of a zone that has only its name, as an owner's policy is kept. */
bool sql_twin_declare(sql_twin *twin, const char *lines)
{
    char policy[1000], *whole = NULL;
    fclose(twin->file);
    twin->file = NULL;
    snprintf(policy, sizeof policy, "%scsv=%s\n", lines, twin->path);
    const bool is_declared =
        CHECK_STATUS(sc_zone_rules_copy(sc_text_of(policy), &whole, NULL), SCRIM_OK) &&
        CHECK_STATUS(sc_schema_parse(sc_text_of(whole == NULL ? policy : whole), NULL,
                                     &twin->schema, NULL),
                     SCRIM_OK);
    sc_free(whole);
    return is_declared;
}

void sql_twin_end(sql_twin *twin)
{
    if (twin->file != NULL)
        fclose(twin->file);
    sqlite3_close(twin->sqlite);
    sc_schema_free(twin->schema);
    unlink(twin->path);
}

/* Numbers with all their digits; whole ones without a point, and 0 without a sign. */
static void take_cell(sqlite3_stmt *query, int column, sql_row *row)
{
    char number[40];
    const char *text = (const char *)sqlite3_column_text(query, column);
    if (sqlite3_column_type(query, column) == SQLITE_FLOAT) {
        snprintf(number, sizeof number, "%.17g",
                 sqlite3_column_double(query, column) + 0.0);
        text = number;
    }
    sql_cell_put(row, (size_t)column, text == NULL ? SQL_NULL : text);
}

static bool ask_sqlite(sqlite3 *database, const char *question, sql_answer *out)
{
    sqlite3_stmt *query = NULL;
    sql_row *row = NULL;
    out->count = 0;
    if (!CHECK_INT(sqlite3_prepare_v2(database, question, -1, &query, NULL), SQLITE_OK))
        return CHECK_STR(question, sqlite3_errmsg(database));
    out->columns = (size_t)sqlite3_column_count(query);
    while (sqlite3_step(query) == SQLITE_ROW && (row = sql_answer_row(out)) != NULL)
        for (size_t i = 0; i < out->columns; i++)
            take_cell(query, (int)i, row);
    return CHECK_INT(sqlite3_finalize(query), SQLITE_OK);
}

bool sql_twin_ask(const sql_twin *twin, dialect of, const char *question, sql_answer *out)
{
    return of == IN_SQLITE ? ask_sqlite(twin->sqlite, question, out)
                           : postgres_ask(twin->postgres, question, out);
}
