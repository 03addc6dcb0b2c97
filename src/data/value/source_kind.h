/* The kinds of sources that a policy can name, as far as its lines go: sources.h has what reads them. */
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
    bool has_query;   /* it is a query (row_query.h) */
} sc_source_kind;

extern const sc_source_kind sc_source_csv_kind, sc_source_sqlite_kind;
extern const sc_source_kind sc_source_live_kind;

/* NULL past the last. */
const sc_source_kind *sc_source_kind_at(size_t index);
/* By the key of its line; NULL where that is another line. */
const sc_source_kind *sc_source_kind_of(sc_text key);

#endif
