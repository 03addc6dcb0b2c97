/* A small public table that questions join to the rows of a dataset: cities and their regions, say. Its
 * owner declares it in the policy, or an analyst brings it with a question.
 *
 *     join=regions=city=town                         joined by the dataset's column city to its column town
 *     join=countries=regions.region=region           by a column of another public table
 *     with=rates=sha256:...                          an analyst's, and what it holds (plan and record only)
 *     join-column=regions=town=text                  its columns, with types as those of a dataset; " null"
 *     join-column=regions=people=int[2,9000] null    behind a type says that a cell may be missing
 *     join-cells=regions=town=Paris,Lyon,"a, b"      all cells of a column, by row; an empty one is NULL
 *     join-cells=regions=people=9000,,2
 *
 * A record keeps the first three kinds of lines: types and ranges are enough to read an answer.
 *
 * Keys are compared after reading, as values of the column that they are joined to, and are never clamped:
 * one that this column cannot hold meets no row, nor does NULL. So two cells can be one key, "1" and "01" of
 * whole numbers; a table with such a pair is refused, by a look at the public table alone.
 *
 * Claim  public-table.unique  a value of the joined column meets at most one row of the table
 *                             (spec/query-semantics.md 7, X9, X18)
 * Claim  public-table.range   each present cell of a column lies in the range of its type, exactly
 */
#ifndef SC_DATA_JOIN_TABLE_H
#define SC_DATA_JOIN_TABLE_H

#include "base/digest.h"
#include "data/value/column.h"

/* Sizes beyond which a table is SCRIM_E_LIMIT. */
#define SC_PUBLIC_TABLES 16
#define SC_PUBLIC_TABLE_COLUMNS 64
#define SC_PUBLIC_TABLE_ROWS ((size_t)1 << 16)
#define SC_PUBLIC_TABLE_BYTES ((size_t)4 << 20)

typedef struct sc_public_column {
    sc_column column; /* name, type, range; has_missing says that no cell is NULL */
    /* By row; start is NULL where a cell is. NULL of a record, which keeps no cells. */
    const sc_text *cells;
    size_t cell_count;
} sc_public_column;

typedef struct sc_public_table {
    sc_text name;
    sc_text on, key; /* of a declared one: the column that it is joined to, and its own */
    sc_text digest;  /* of one that an analyst brings: of its lines; else empty */
    sc_public_column *columns;
    size_t column_count;
    size_t row_count; /* 0 of a record */
} sc_public_table;

/* Tables of a policy, as they are read from its lines. */
typedef struct sc_public_tables {
    sc_public_table *list;
    size_t count;
} sc_public_tables;

/* Is it a key of the lines above? */
bool sc_public_table_is_key(sc_text key);
/* Takes the value of such a line; lines of a table stand behind its first. Copies live in arena. zone is that
 * of timestamps, or NULL. SCRIM_E_PARAM says what is legal; SCRIM_E_LIMIT; SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_public_table_take(sc_public_tables *tables, sc_text key,
                                                 sc_text value, const sc_zone *zone,
                                                 sc_arena *arena, scrim_error *error);
/* When all lines are taken: columns have as many cells, and what is declared can be joined. columns are the
 * dataset's, unit the name of its privacy unit. */
SCRIM_MUST_USE scrim_status sc_public_tables_check(const sc_public_tables *tables,
                                                   const sc_column *columns,
                                                   size_t column_count, sc_text unit,
                                                   scrim_error *error);

/* The digest of a table that an analyst brings, as with= has it: of its name and its lines behind that one, as they are
 * written. SCRIM_E_INTERNAL as sc_digester_new. */
#define SC_PUBLIC_DIGEST_BYTES (sizeof "sha256:" + 2 * (size_t)SC_DIGEST_BYTES)
SCRIM_MUST_USE scrim_status sc_public_table_digest(sc_text name, sc_text lines,
                                                   char out[SC_PUBLIC_DIGEST_BYTES],
                                                   scrim_error *error);

/* NULL where no table, or column, has that name. */
const sc_public_table *sc_public_table_find(const sc_public_tables *tables, sc_text name);
const sc_public_column *sc_public_table_column(const sc_public_table *table,
                                               sc_text name);

/* Which row of a table a value meets: its keys in increasing order, those of text in bytewise order. */
typedef struct sc_public_index {
    const int64_t *values; /* or */
    const sc_text *texts;
    const size_t *rows; /* by place of the key */
    size_t count;       /* perhaps 0: a record, or no key that the column can hold */
} sc_public_index;

/* The keys of a column of the table, read as values of `as`. SCRIM_E_PARAM for a key that is there twice;
 * the message begins with the table's name. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_public_index_of(const sc_public_table *table,
                                               const sc_public_column *key,
                                               const sc_column *as, sc_arena *arena,
                                               sc_public_index *out, scrim_error *error);
/* The place of a key, in as many steps for each value; count for a value that is no key. */
size_t sc_public_index_value(const sc_public_index *index, int64_t value);
size_t sc_public_index_text(const sc_public_index *index, sc_text text);

#endif
