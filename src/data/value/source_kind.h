/* The kinds of sources that a policy can name, as far as its lines go: source.h has the functions that read them. */
#ifndef SC_DATA_SOURCE_KIND_H
#define SC_DATA_SOURCE_KIND_H

#include "base/text.h"

typedef struct sc_source_kind {
    const char *key;    /* of its line: KEY=FILE */
    bool may_be_stream; /* FILE may be -, standard input */
    bool has_tables;    /* table=NAME says which */
    bool has_records;   /* records=lf or crlf says what ends them */
    bool is_pushed;   /* scrim reads no row of it: a program pushes them (scrim/feed.h) */
    bool has_no_file; /* the value is not the name of a file */
    bool has_query;   /* it is a query (sc_row_query_is_alone) */
} sc_source_kind;

extern const sc_source_kind sc_source_csv_kind, sc_source_sqlite_kind;
extern const sc_source_kind sc_source_live_kind;

/* NULL past the last. */
const sc_source_kind *sc_source_kind_at(size_t index);
/* By the key of its line; NULL where that is another line. */
const sc_source_kind *sc_source_kind_of(sc_text key);

/* Queries of DuckDB whose rows are read one by one: the content of a row changes no other row and no type, and makes no
 * query fail.
 *
 *     SELECT visitor, minutes FROM read_parquet('visits.parquet')
 *     SELECT * FROM 'visits.parquet'
 *     SELECT * FROM read_csv('visits.csv', auto_detect=false, all_varchar=true, strict_mode=false,
 *                            ignore_errors=true, null_padding=true, header=true, delim=',', quote='',
 *                            escape='', columns={'visitor': 'VARCHAR', 'minutes': 'VARCHAR'})
 *
 * Columns stand by name, or *, which is all of them; FROM names one file. A Parquet file has types of its own. A CSV
 * file is read as text, with all of its form declared: DuckDB would infer it from the rows, and fail at one that it
 * cannot read. Any expression, cast, join, filter, order or further table may make rows depend on each other.
 *
 * Claim  row-query.alone  a query that is not of these forms is refused
 */

bool sc_row_query_is_alone(sc_text query);

#endif
